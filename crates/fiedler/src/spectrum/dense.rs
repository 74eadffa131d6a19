//! All eigenpairs by a dense solver.

use faer::{Mat, Side};

use super::{NormalizedLaplacian, Spectrum};
use crate::graph::{Graph, WIDE_LANES, dense};
use crate::monitor::{Monitor, Stage};
use crate::{Error, Result};

/// All eigenpairs of N. ξ₁ is moved out of the way first (N + 3ξ₁ξ₁ᵀ has it at the top end, above
/// everything else's 2), so that the other vectors are orthogonal to it also where the
/// eigenvalue 0 is multiple.
pub(super) fn solve(graph: &Graph, monitor: &dyn Monitor) -> Result<Spectrum> {
    let n = graph.n_samples();
    dense::check_size("a complete eigendecomposition", n)?;
    let stage = Stage::new(monitor, "eigenvectors", 1)?;
    let operator = NormalizedLaplacian::new(graph);
    let trivial = operator.trivial();
    let laplacian = to_dense(&operator);
    // Signed graphs may have eigenvalues beyond 2: move ξ₁ above the largest there can be.
    let bound = (0..n).map(|j| laplacian.col(j).iter().map(|v| v.abs()).sum::<f64>()).fold(2.0, f64::max);
    let moved = Mat::from_fn(n, n, |i, j| laplacian[(i, j)] + (bound + 1.0) * trivial[i] * trivial[j]);
    let eigen = moved.self_adjoint_eigen(Side::Lower).map_err(|_| failed(f64::INFINITY, f64::EPSILON))?;
    // Without any positive degree there is no ξ₁ and N = 0: any basis serves.
    let has_trivial = trivial.iter().any(|&t| t > 0.0);
    let kept = if has_trivial { n - 1 } else { n };
    let signed = graph.degrees().iter().any(|&d| d < 0.0) || eigen.S().column_vector()[0] < -1e-9;
    let value = |j: usize| eigen.S().column_vector()[j];
    let mut values: Vec<f64> = (0..kept).map(|j| if signed { value(j) } else { value(j).max(0.0) }).collect();
    let mut vectors = Mat::zeros(n, n);
    if has_trivial {
        values.insert(0, 0.0);
        vectors.col_as_slice_mut(0).copy_from_slice(&trivial);
    }
    for j in 0..kept {
        let to = n - kept + j;
        vectors.col_as_slice_mut(to).iter_mut().zip(eigen.U().col(j).iter()).for_each(|(v, u)| *v = *u);
    }
    let residuals = residuals(&laplacian, &values, &vectors);
    let (worst, tolerance) =
        (residuals.iter().copied().fold(0.0, f64::max), 1e-11 * bound * (n as f64).sqrt());
    if worst.is_nan() || worst > tolerance {
        return Err(failed(worst, tolerance));
    }
    stage.advance(1)?;
    Ok(Spectrum::new(values, vectors, residuals))
}

fn failed(residual: f64, tolerance: f64) -> Error {
    let advice = "check the similarity for extreme values";
    Error::NotConverged { what: "the dense eigensolver", iterations: 1, residual, tolerance, advice }
}

/// N written out, a few columns at a time.
fn to_dense(operator: &NormalizedLaplacian<'_>) -> Mat<f64> {
    let n = operator.n_samples();
    let mut out = Mat::zeros(n, n);
    let tile = || vec![0.0; n * WIDE_LANES];
    let (mut x, mut scratch, mut y) = (tile(), tile(), tile());
    for start in (0..n).step_by(WIDE_LANES) {
        let width = WIDE_LANES.min(n - start);
        x.fill(0.0);
        (0..width).for_each(|l| x[(start + l) * WIDE_LANES + l] = 1.0);
        operator.apply(&x, WIDE_LANES, &mut scratch, &mut y);
        for l in 0..width {
            let column = out.col_as_slice_mut(start + l);
            column.iter_mut().zip(y.iter().skip(l).step_by(WIDE_LANES)).for_each(|(c, v)| *c = *v);
        }
    }
    out
}

fn residuals(laplacian: &Mat<f64>, values: &[f64], vectors: &Mat<f64>) -> Vec<f64> {
    let product = laplacian * vectors;
    let residual = |(j, &value): (usize, &f64)| {
        let pairs = product.col(j).iter().zip(vectors.col(j).iter());
        pairs.map(|(p, v)| (p - value * v).powi(2)).sum::<f64>().sqrt()
    };
    values.iter().enumerate().map(residual).collect()
}
