//! The covariance of features as the dissertation prints it (prop. 4), and as it was meant, by all eigenvectors.

use faer::{Mat, Side};

use crate::{Error, Result};

/// Kᵖ(I - U11ᵀUᵀ/l)Kᵖ with K = L⁺ = UΣUᵀ, the largest entry of every eigenvector positive: p = 1 as it is
/// printed, p = ½ as the covariance of an embedding K = (K^½)(K^½)ᵀ is.
pub(super) fn covariance(laplacian: &Mat<f64>, power: f64) -> Result<Mat<f64>> {
    let l = laplacian.nrows();
    let (values, mut u) = eigen(laplacian)?;
    for j in 0..l {
        let column = u.col_as_slice_mut(j);
        let largest = column.iter().fold(0.0f64, |best, &v| if v.abs() > best.abs() { v } else { best });
        if largest < 0.0 {
            column.iter_mut().for_each(|v| *v = -*v);
        }
    }
    let cut = cut(&values);
    let powered = |j: usize| if values[j] > cut { values[j].powf(-power) } else { 0.0 };
    let scaled = Mat::from_fn(l, l, |i, j| u[(i, j)] * powered(j));
    let half = &scaled * u.transpose();
    // Kᵖv with v = U1/√l.
    let v: Vec<f64> = (0..l).map(|i| (0..l).map(|j| u[(i, j)]).sum::<f64>() / (l as f64).sqrt()).collect();
    let half_v: Vec<f64> = (0..l).map(|i| (0..l).map(|j| half[(i, j)] * v[j]).sum()).collect();
    let kernel = &half * half.transpose();
    Ok(Mat::from_fn(l, l, |i, j| kernel[(i, j)] - half_v[i] * half_v[j]))
}

/// B with BBᵀ = C⁺.
pub(super) fn inverse_root(covariance: &Mat<f64>) -> Result<Mat<f64>> {
    let (values, u) = eigen(covariance)?;
    let cut = cut(&values);
    let kept: Vec<usize> = (0..values.len()).filter(|&j| values[j] > cut).collect();
    Ok(Mat::from_fn(values.len(), kept.len(), |i, j| u[(i, kept[j])] / values[kept[j]].sqrt()))
}

/// Eigenvalues up to this are 0.
fn cut(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0f64, |a, v| a.max(v.abs()));
    1e-12 * values.len() as f64 * largest
}

fn eigen(matrix: &Mat<f64>) -> Result<(Vec<f64>, Mat<f64>)> {
    let eigen = matrix.self_adjoint_eigen(Side::Lower).map_err(|_| {
        Error::eigensolver("the eigensolver of a feature network", "check the weights for extreme values")
    })?;
    Ok((eigen.S().column_vector().iter().copied().collect(), eigen.U().to_owned()))
}
