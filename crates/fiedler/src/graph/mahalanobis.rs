//! Distances by the covariance of the samples (DIS 5.4, the first of its two).
//!
//! ```text
//! d(x, y)² = (x-y)ᵀ C⁻¹ (x-y)          C = (1-ρ) S + ρ (tr S/m) I
//! ```
//!
//! S is the covariance of the features (divided by n). It has no inverse where there are as many features as samples or more, and its
//! pseudo-inverse is no way out: all samples are then equally far from one another. So S is shrunk toward a multiple of the identity, always and by one
//! rule, that of Ledoit and Wolf: ρ is the share at which C is expected to lie nearest to the true covariance. With many samples for every
//! feature it goes to 0, and the distance to the one of the textbook.
//!
//! In coordinates along the eigenvectors of S, each divided by the root of its eigenvalue in C, the distance is euclidean. These
//! coordinates are what the searches get. They come from the smaller of two matrices, m × m or n × n.
//!
//! Reference: Ledoit, Wolf: A well-conditioned estimator for large-dimensional covariance matrices, 2004.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par, Side};

use crate::dataset::{Dataset, Dense, Order, Scaling, Transform};
use crate::gram::sample_gram;
use crate::limits;
use crate::monitor::Monitor;
use crate::{Error, Result};

/// The samples in coordinates in which the distance is euclidean, and ρ.
pub(super) fn whitened(data: &Dataset, monitor: &dyn Monitor) -> Result<(Dataset, f64)> {
    let (n, m) = (data.n_samples(), data.n_features());
    let least = n.min(m);
    let needed = limits::matrices(4, least, least).saturating_add(limits::matrices(3, n, least));
    let advice = "use `metric` euclidean, fewer features or fewer samples";
    monitor.limits().check("distances by the covariance", needed, advice)?;
    let (values, coordinates, norms) = if m <= n { by_features(data)? } else { by_samples(data, monitor)? };
    let shrinkage = shrinkage(&values, &norms, m);
    let mean = values.iter().sum::<f64>() / m as f64;
    let factor: Vec<f64> = values
        .iter()
        .map(|v| (1.0 - shrinkage) * v.max(0.0) + shrinkage * mean)
        .map(|c| if c > f64::EPSILON * mean { 1.0 / c.sqrt() } else { 0.0 })
        .collect();
    let width = values.len();
    let rows = (0..n).flat_map(|i| (0..width).map(move |r| (i, r)));
    let rows = rows.map(|(i, r)| factor[r] * coordinates[(i, r)]).collect();
    let turned = Dataset::new(Dense::new(rows, n, width, Order::RowMajor)?)?;
    Ok((turned.scaled(Scaling::None).transformed(Transform::None, monitor)?, shrinkage))
}

/// The eigenvalues of S, the samples along its eigenvectors, and ‖x‖² of every sample about the mean.
type Axes = (Vec<f64>, Mat<f64>, Vec<f64>);

/// From the m × m covariance.
fn by_features(data: &Dataset) -> Result<Axes> {
    let (n, m) = (data.n_samples(), data.n_features());
    let mut columns = Mat::<f64>::zeros(n, m);
    for j in 0..m {
        let column = data.column(j)?;
        let mean = column.iter().sum::<f64>() / n as f64;
        columns.col_as_slice_mut(j).iter_mut().zip(&column).for_each(|(c, x)| *c = x - mean);
    }
    let mut covariance = Mat::zeros(m, m);
    matmul(covariance.as_mut(), Accum::Replace, columns.transpose(), &columns, 1.0 / n as f64, Par::Seq);
    let (values, vectors) = eigen(covariance.as_ref())?;
    let norms = (0..n).map(|i| columns.row(i).iter().map(|v| v * v).sum()).collect();
    let mut turned = Mat::zeros(n, m);
    matmul(turned.as_mut(), Accum::Replace, &columns, &vectors, 1.0, Par::Seq);
    Ok((values, turned, norms))
}

/// From the n × n inner products: X = U √(n v) Vᵀ.
fn by_samples(data: &Dataset, monitor: &dyn Monitor) -> Result<Axes> {
    let n = data.n_samples();
    let all: Vec<(usize, f64)> = (0..data.n_features()).map(|j| (j, 1.0)).collect();
    let gram = sample_gram(data, &all, "covariance", monitor)?;
    let gram = MatRef::from_column_major_slice(&gram, n, n);
    let (products, vectors) = eigen(gram)?;
    let length: Vec<f64> = products.iter().map(|p| p.max(0.0).sqrt()).collect();
    let coordinates = Mat::from_fn(n, n, |i, r| length[r] * vectors[(i, r)]);
    let norms = (0..n).map(|i| gram[(i, i)]).collect();
    Ok((products.iter().map(|p| p.max(0.0) / n as f64).collect(), coordinates, norms))
}

/// ρ of Ledoit and Wolf, from the eigenvalues of S and the squared norms of the samples.
fn shrinkage(values: &[f64], norms: &[f64], m: usize) -> f64 {
    let (n, m) = (norms.len() as f64, m as f64);
    let square: f64 = values.iter().map(|v| v * v).sum();
    let mean = values.iter().sum::<f64>() / m;
    let distance = square - m * mean * mean;
    let error = (norms.iter().map(|v| v * v).sum::<f64>() / n - square) / n;
    if distance <= f64::EPSILON * square { 1.0 } else { (error / distance).clamp(0.0, 1.0) }
}

fn eigen(matrix: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>)> {
    let found = matrix.self_adjoint_eigen(Side::Lower).map_err(|_| {
        Error::eigensolver("the eigenvalues of the covariance", "check the features for extreme values")
    })?;
    Ok((found.S().column_vector().iter().copied().collect(), found.U().to_owned()))
}
