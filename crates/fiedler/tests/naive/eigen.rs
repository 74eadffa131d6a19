//! Eigenpairs by Jacobi rotations: slow, short, and sharing nothing with the library.
#![allow(unreachable_pub)]

/// N = D^-½ (D - S) D^-½ of a dense S, rows of samples without positive degree all 0.
pub fn normalized_laplacian(similarity: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = similarity.len();
    let degrees: Vec<f64> = similarity.iter().map(|row| row.iter().sum()).collect();
    let entry = |i: usize, j: usize| {
        if degrees[i] <= 0.0 || degrees[j] <= 0.0 {
            return 0.0;
        }
        let identity = if i == j { 1.0 } else { 0.0 };
        identity - similarity[i][j] / (degrees[i] * degrees[j]).sqrt()
    };
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

/// All eigenvalues, ascending, and their vectors (one per entry) of a symmetric matrix.
pub fn jacobi(mut a: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = a.len();
    let mut vectors: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(i == j)).collect()).collect();
    for _sweep in 0..60 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        if off < 1e-28 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut vectors, p, q);
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| a[i][i].total_cmp(&a[j][j]));
    let values = order.iter().map(|&i| a[i][i]).collect();
    (values, order.iter().map(|&i| vectors[i].clone()).collect())
}

/// Zeroes a_pq; row p of `vectors` is the vector of a_pp.
fn rotate(a: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    if a[p][q].abs() < 1e-300 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    for rows in [&mut *a, vectors] {
        let (before, after) = rows.split_at_mut(q);
        for (x, y) in before[p].iter_mut().zip(after[0].iter_mut()) {
            (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
        }
    }
}
