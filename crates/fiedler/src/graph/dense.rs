//! Dense similarity: all n × n weights.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};

use super::Components;
use crate::monitor::Monitor;
use crate::{Result, limits};

/// A symmetric dense matrix.
#[derive(Debug, Clone)]
pub(crate) struct Dense {
    weights: Mat<f64>,
    /// Whether a weight is negative.
    signed: bool,
}

/// An error when so many n × n matrices at a time are more than the budget.
pub(crate) fn check_size(
    what: &'static str,
    n_samples: usize,
    matrices: usize,
    monitor: &dyn Monitor,
) -> Result<()> {
    let advice = "use a knn graph (`graph` knn), which stays sparse, or fewer samples";
    check_size_or(what, n_samples, matrices, (monitor, advice))
}

/// As [`check_size`], with what to do instead.
pub(crate) fn check_size_or(
    what: &'static str,
    n_samples: usize,
    matrices: usize,
    (monitor, advice): (&dyn Monitor, &str),
) -> Result<()> {
    let what = format!("{what} ({} samples)", limits::grouped(n_samples));
    let needed = limits::matrices(matrices, n_samples, n_samples);
    monitor.limits().check(&what, needed, advice)?;
    if needed >= limits::LARGE {
        monitor.note(&format!("{what} takes about {} of memory", limits::Bytes(needed)));
    }
    Ok(())
}

impl Dense {
    /// Takes a matrix that is symmetric to the bit and finite.
    pub(crate) fn new(weights: Mat<f64>) -> Self {
        debug_assert_eq!(weights.nrows(), weights.ncols());
        let signed = (0..weights.ncols()).any(|j| weights.col_as_slice(j).iter().any(|&w| w < 0.0));
        Dense { weights, signed }
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

    /// Adds `weight`·(fᵀDf - fᵀSf) of every lane to `out`. Without negative weights the form is not
    /// negative either, which rounding may not change.
    pub(crate) fn add_laplacian_forms(
        &self,
        weight: f64,
        degrees: &[f64],
        tile: &[f64],
        lanes: usize,
        out: &mut [f64],
    ) {
        let (mut product, mut forms) = (vec![0.0; tile.len()], vec![0.0_f64; lanes]);
        self.apply(tile, lanes, &mut product);
        for ((row, product), d) in tile.chunks_exact(lanes).zip(product.chunks_exact(lanes)).zip(degrees) {
            for l in 0..lanes {
                forms[l] += row[l] * (d * row[l] - product[l]);
            }
        }
        let least = if self.signed { f64::NEG_INFINITY } else { 0.0 };
        out.iter_mut().zip(&forms).for_each(|(out, form)| *out += weight * form.max(least));
    }

    pub(crate) fn column(&self, j: usize) -> &[f64] {
        self.weights.col_as_slice(j)
    }
}
