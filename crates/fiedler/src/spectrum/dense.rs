//! All eigenpairs by a dense solver.

use faer::{Mat, Side};

use super::null::NullSpace;
use super::{NormalizedLaplacian, Spectrum, has_negative_weights};
use crate::graph::{Graph, WIDE_LANES, dense};
use crate::monitor::{Monitor, Stage};
use crate::{Error, Result};

/// All eigenpairs of N. What is known of the eigenvalue 0 is moved out of the way first (N +
/// (bound + 1)·projector has it at the top end, above everything else), so that the other vectors
/// are orthogonal to it and the multiplicity of 0 is exact.
pub(super) fn solve(graph: &Graph, monitor: &dyn Monitor) -> Result<Spectrum> {
    let n = graph.n_samples();
    let advice = "ask for fewer eigenpairs, or use fewer samples";
    dense::check_size_or("a complete eigendecomposition", n, 6, (monitor, advice))?;
    let stage = Stage::new(monitor, "eigenvectors", 1)?;
    let operator = NormalizedLaplacian::new(graph);
    let laplacian = to_dense(&operator);
    // Negative weights may put eigenvalues beyond 2.
    let bound = (0..n).map(|j| laplacian.col(j).iter().map(|v| v.abs()).sum::<f64>()).fold(2.0, f64::max);
    let signed = has_negative_weights(graph);
    let null = if signed { NullSpace::trivial_only(&operator)? } else { NullSpace::new(&operator) };
    let mut moved = laplacian.clone();
    null.for_each_projector_entry(|i, j, p| moved[(i, j)] += (bound + 1.0) * p);
    let eigen = moved.self_adjoint_eigen(Side::Lower).map_err(|_| failed(f64::INFINITY, f64::EPSILON))?;
    let known = null.dimension();
    let mut pairs: Vec<(f64, Vec<f64>)> = (0..known).map(|j| (0.0, null.vector(j))).collect();
    for j in 0..n - known {
        let value = eigen.S().column_vector()[j];
        let vector = eigen.U().col(j).iter().copied().collect();
        pairs.push((if signed { value } else { value.max(0.0) }, vector));
    }
    let values: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
    let vectors = Mat::from_fn(n, n, |i, j| pairs[j].1[i]);
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
pub(super) fn to_dense(operator: &NormalizedLaplacian<'_>) -> Mat<f64> {
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
