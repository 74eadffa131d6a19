//! Dense similarity: all n × n weights.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};

use super::Components;
use crate::{Error, Result};

/// A symmetric dense matrix.
#[derive(Debug, Clone)]
pub(crate) struct Dense {
    weights: Mat<f64>,
}

/// Memory that n × n matrices may take together: 8 GiB, 32,768 samples where one suffices.
const MAX_BYTES: usize = 8 << 30;

/// An error when so many n × n matrices at a time would not be reasonable.
pub(crate) fn check_size(what: &'static str, n_samples: usize, matrices: usize) -> Result<()> {
    check_size_or(what, n_samples, matrices, "use a kNN graph, which stays sparse")
}

/// As [`check_size`], with what to do instead.
pub(crate) fn check_size_or(
    what: &'static str,
    n_samples: usize,
    matrices: usize,
    advice: &'static str,
) -> Result<()> {
    let needed = n_samples.saturating_mul(n_samples).saturating_mul(8 * matrices);
    if needed <= MAX_BYTES {
        return Ok(());
    }
    Err(Error::TooLarge { what, n_samples, needed_mib: needed >> 20, allowed_mib: MAX_BYTES >> 20, advice })
}

impl Dense {
    /// Takes a matrix that is symmetric to the bit and finite.
    pub(crate) fn new(weights: Mat<f64>) -> Self {
        debug_assert_eq!(weights.nrows(), weights.ncols());
        Dense { weights }
    }

    pub(crate) fn matrix(&self) -> MatRef<'_, f64> {
        self.weights.as_ref()
    }

    pub(crate) fn n_samples(&self) -> usize {
        self.weights.nrows()
    }

    pub(crate) fn degrees(&self) -> Vec<f64> {
        (0..self.n_samples()).map(|j| self.column(j).iter().sum()).collect()
    }

    pub(crate) fn diagonal(&self) -> Vec<f64> {
        (0..self.n_samples()).map(|i| self.weights[(i, i)]).collect()
    }

    pub(crate) fn edges(&self) -> usize {
        (0..self.n_samples()).map(|j| self.column(j)[..j].iter().filter(|&&w| w != 0.0).count()).sum()
    }

    pub(crate) fn connect(&self, sets: &mut Components) {
        for j in 0..self.n_samples() {
            for (i, &w) in self.column(j)[..j].iter().enumerate() {
                if w != 0.0 {
                    sets.join(i, j);
                }
            }
        }
    }

    /// The smallest and the largest weight off the diagonal.
    pub(crate) fn extremes(&self) -> (f64, f64) {
        let above = (0..self.n_samples()).flat_map(|j| &self.column(j)[..j]);
        above.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &w| (w.min(low), w.max(high)))
    }

    /// `out` = S·`x`. Row-major tiles are the transpose of faer's columns: outᵀ = xᵀ·S.
    pub(crate) fn apply(&self, x: &[f64], lanes: usize, out: &mut [f64]) {
        let n = self.n_samples();
        let x = MatRef::from_column_major_slice(x, lanes, n);
        let out = MatMut::from_column_major_slice_mut(out, lanes, n);
        matmul(out, Accum::Replace, x, self.weights.as_ref(), 1.0, Par::Seq);
    }

    /// Adds `weight`·(fᵀDf - fᵀSf) of every lane to `out`.
    pub(crate) fn add_laplacian_forms(
        &self,
        weight: f64,
        degrees: &[f64],
        tile: &[f64],
        lanes: usize,
        out: &mut [f64],
    ) {
        let mut product = vec![0.0; tile.len()];
        self.apply(tile, lanes, &mut product);
        for ((row, product), d) in tile.chunks_exact(lanes).zip(product.chunks_exact(lanes)).zip(degrees) {
            for l in 0..lanes {
                out[l] += weight * row[l] * (d * row[l] - product[l]);
            }
        }
    }

    pub(crate) fn column(&self, j: usize) -> &[f64] {
        self.weights.col_as_slice(j)
    }
}
