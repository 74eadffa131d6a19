//! Eigenpairs of a small symmetric matrix by Jacobi rotations: slow, plain, and a stranger to the
//! solvers it is compared with.
#![allow(unreachable_pub)]

/// Row after row.
pub type Matrix = Vec<Vec<f64>>;

/// Eigenvalues, ascending, and their eigenvectors.
pub fn jacobi(mut a: Matrix) -> (Vec<f64>, Matrix) {
    let n = a.len();
    let mut v: Matrix = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for _ in 0..100 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        if off < 1e-30 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] != 0.0 {
                    rotate(&mut a, &mut v, p, q);
                }
            }
        }
    }
    let mut pairs: Vec<(f64, Vec<f64>)> = (0..n).map(|r| (a[r][r], v[r].clone())).collect();
    pairs.sort_by(|x, y| x.0.total_cmp(&y.0));
    pairs.into_iter().unzip()
}

/// Makes a[p][q] vanish; the rows of `v` become the eigenvectors.
fn rotate(a: &mut Matrix, v: &mut Matrix, p: usize, q: usize) {
    let n = a.len();
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let t = if theta == 0.0 { 1.0 } else { t };
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for k in 0..n {
        let (x, y) = (a[k][p], a[k][q]);
        (a[k][p], a[k][q]) = (c * x - s * y, s * x + c * y);
    }
    for k in 0..n {
        let (x, y) = (a[p][k], a[q][k]);
        (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
        let (x, y) = (v[p][k], v[q][k]);
        (v[p][k], v[q][k]) = (c * x - s * y, s * x + c * y);
    }
}
