//! What is minimized: the unit columns of a data set against centered targets.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use crate::dataset::{Dataset, ScaledBlock};
use crate::monitor::Monitor;
use crate::{Error, Result};

/// Features of one task of a pass over a list of features.
const CHUNK: usize = 64;
/// Centered targets larger than this, or all smaller than its inverse, have squares that do not fit.
const RANGE: f64 = 1e120;

/// ½‖Y - XW‖²_F + λ Σᵢ‖wⁱ‖₂ for a data set X and targets Y, whatever the λ.
///
/// The columns of X are centered and scaled to unit norm as they are read (the data set's own
/// scaling therefore does not matter), and Y is centered here. Nothing of X is copied.
///
/// ```
/// use fiedler::{Silent, dataset::demo, solve::{Options, Problem, solve}};
///
/// let data = demo::iris()?;
/// let petal = data.column(2)?; // predict petal length from all four features
/// let problem = Problem::new(&data, petal, 1)?;
/// let solution = solve(&problem, 0.5 * problem.lambda_max(&Silent)?, &Options::default(), &Silent)?;
/// assert_eq!(solution.active, [2]);
/// assert!(solution.gap <= 1e-6);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug)]
pub struct Problem<'a> {
    data: &'a Dataset,
    targets: Vec<f64>,
    n_targets: usize,
}

impl<'a> Problem<'a> {
    /// The problem of explaining `targets`, samples × `n_targets`, sample after sample, by the
    /// features of `data`.
    ///
    /// # Errors
    /// [`Error::Length`] when the targets do not have a row for every sample;
    /// [`Error::Parameter`] when one of them is not finite, or too large or too small to be squared.
    pub fn new(data: &'a Dataset, mut targets: Vec<f64>, n_targets: usize) -> Result<Self> {
        let n = data.n_samples();
        if n_targets == 0 || targets.len() != n * n_targets {
            return Err(Error::Length {
                what: "values of the targets",
                expected: n * n_targets.max(1),
                got: targets.len(),
            });
        }
        if let Some(at) = targets.iter().position(|v| !v.is_finite()) {
            let got = format!("{} at sample {}, target {}", targets[at], at / n_targets, at % n_targets);
            return Err(Error::parameter("targets", "finite numbers", got));
        }
        center(&mut targets, n_targets);
        let size = largest(targets.iter().map(|v| v.abs()));
        if size != 0.0 && !(1.0 / RANGE..=RANGE).contains(&size) {
            let rule = format!(
                "between {:e} and {RANGE:e} in size once centered (put them in other units)",
                1.0 / RANGE
            );
            return Err(Error::parameter("targets", rule, format!("{size:e} at most")));
        }
        Ok(Problem { data, targets, n_targets })
    }

    /// The data set.
    pub fn data(&self) -> &'a Dataset {
        self.data
    }

    /// The targets, centered, sample after sample.
    pub fn targets(&self) -> &[f64] {
        &self.targets
    }

    /// Number of targets.
    pub fn n_targets(&self) -> usize {
        self.n_targets
    }

    /// The smallest λ for which W = 0: the largest ‖f_jᵀY‖.
    ///
    /// # Errors
    /// The columns cannot be read, or the monitor says stop.
    pub fn lambda_max(&self, monitor: &dyn Monitor) -> Result<f64> {
        Ok(largest(self.all_norms(&self.targets, monitor)?.into_iter()))
    }

    /// Whether feature `j` has a direction at all: a constant one has none and never enters.
    pub(crate) fn usable(&self, j: usize) -> bool {
        let variance = self.data.stats()[j].variance;
        !self.data.constant(j) && (1.0 / (variance * self.data.n_samples() as f64).sqrt()).is_finite()
    }

    /// ‖f_jᵀR‖ of every feature, 0 where the feature is not usable.
    pub(crate) fn all_norms(&self, right: &[f64], monitor: &dyn Monitor) -> Result<Vec<f64>> {
        self.data.map_blocks("correlations", monitor, |block, range| {
            let columns: Vec<usize> = (0..range.len()).collect();
            let products = self.block_products(block, &columns, right, self.n_targets);
            Ok(products.chunks_exact(self.n_targets).map(norm).collect())
        })
    }

    /// f_jᵀR of the features `list`, one row of targets each.
    pub(super) fn products(&self, list: &[usize], right: &[f64]) -> Result<Vec<f64>> {
        self.products_with(list, right, self.n_targets)
    }

    /// The products of the features `list` with any centered columns, `width` of them, one row a feature.
    pub(super) fn products_with(&self, list: &[usize], right: &[f64], width: usize) -> Result<Vec<f64>> {
        let parts: Result<Vec<Vec<f64>>> =
            list.par_chunks(CHUNK).map(|part| self.chunk_products(part, right, width)).collect();
        Ok(parts?.concat())
    }

    /// Writes the unit columns `list` one after the other.
    pub(super) fn unit_columns(&self, list: &[usize]) -> Result<Vec<f64>> {
        let n = self.data.n_samples();
        let mut columns = vec![0.0; n * list.len()];
        for (out, &j) in columns.chunks_exact_mut(n).zip(list) {
            self.data.read(j..j + 1)?.unit_column(0, out);
        }
        Ok(columns)
    }

    fn chunk_products(&self, list: &[usize], right: &[f64], q: usize) -> Result<Vec<f64>> {
        if self.data.is_sparse() {
            let mut out = vec![0.0; list.len() * q];
            for (row, &j) in out.chunks_exact_mut(q).zip(list) {
                row.copy_from_slice(&self.block_products(&self.data.read(j..j + 1)?, &[0], right, q));
            }
            return Ok(out);
        }
        Ok(multiply(&self.unit_columns(list)?, right, self.data.n_samples(), q))
    }

    /// The products of some columns of a block with R, one row of targets each.
    fn block_products(
        &self,
        block: &ScaledBlock<'_>,
        columns: &[usize],
        right: &[f64],
        q: usize,
    ) -> Vec<f64> {
        let n = self.data.n_samples();
        if block.is_sparse() {
            let mut out = vec![0.0; columns.len() * q];
            for (row, &j) in out.chunks_exact_mut(q).zip(columns) {
                sparse_product(block, j, right, row);
            }
            return out;
        }
        let mut unit = vec![0.0; n * columns.len()];
        unit.chunks_exact_mut(n).zip(columns).for_each(|(out, &j)| block.unit_column(j, out));
        multiply(&unit, right, n, q)
    }
}

/// fᵀR of a sparse column by its non-zeros. R is centered, so the mean of the column drops out:
/// (f - c1)ᵀR = fᵀR. That R is centered is relied on here: targets are centered once, and residuals and
/// unit columns stay so.
fn sparse_product(block: &ScaledBlock<'_>, j: usize, right: &[f64], out: &mut [f64]) {
    let q = out.len();
    let factor = 1.0 / block.centered_norm(j);
    if !factor.is_finite() {
        return;
    }
    for (i, value) in block.entries(j).into_iter().flatten() {
        out.iter_mut().zip(&right[i * q..(i + 1) * q]).for_each(|(o, r)| *o += value * r);
    }
    out.iter_mut().for_each(|o| *o *= factor);
}

/// XᵀR for X = n × w by columns and R = n × q by rows; the answer is w × q by rows.
pub(super) fn multiply(columns: &[f64], right: &[f64], n: usize, q: usize) -> Vec<f64> {
    let width = columns.len() / n;
    let mut out = vec![0.0; width * q];
    matmul(
        MatMut::from_row_major_slice_mut(&mut out, width, q),
        Accum::Replace,
        MatRef::from_column_major_slice(columns, n, width).transpose(),
        MatRef::from_row_major_slice(right, n, q),
        1.0,
        Par::Seq,
    );
    out
}

/// `out` += `factor`·X·W for X = n × w by columns, W = w × q and `out` = n × q by rows.
pub(super) fn add_combination(columns: &[f64], weights: &[f64], q: usize, factor: f64, out: &mut [f64]) {
    let (n, width) = (out.len() / q, weights.len() / q);
    matmul(
        MatMut::from_row_major_slice_mut(out, n, q),
        Accum::Add,
        MatRef::from_column_major_slice(columns, n, width),
        MatRef::from_row_major_slice(weights, width, q),
        factor,
        Par::Seq,
    );
}

/// Subtracts the mean of every target. One that is constant becomes 0, not the rounding of its mean.
fn center(rows: &mut [f64], q: usize) {
    let n = (rows.len() / q) as f64;
    for l in 0..q {
        let first = rows[l];
        if rows.iter().skip(l).step_by(q).all(|&v| v == first) {
            rows.iter_mut().skip(l).step_by(q).for_each(|v| *v = 0.0);
            continue;
        }
        let mean = rows.iter().skip(l).step_by(q).sum::<f64>() / n;
        rows.iter_mut().skip(l).step_by(q).for_each(|v| *v -= mean);
    }
}

/// The largest of some numbers that are not negative; not a number if one of them is not.
pub(super) fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a })
}

/// Σ v².
pub(super) fn square(values: &[f64]) -> f64 {
    dot(values, values)
}

/// The Euclidean norm.
pub(super) fn norm(values: &[f64]) -> f64 {
    square(values).sqrt()
}

/// Σ ab in eight interleaved sums: a fixed order that vector instructions can follow.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (a_lanes, b_lanes) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f64 = a_lanes.remainder().iter().zip(b_lanes.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_lanes.zip(b_lanes) {
        for l in 0..LANES {
            sums[l] += a[l] * b[l];
        }
    }
    sums.iter().sum::<f64>() + rest
}
