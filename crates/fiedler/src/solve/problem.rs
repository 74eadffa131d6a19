//! What is minimized: the unit columns of a data set against centered targets.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use crate::dataset::Dataset;
use crate::dataset::products::center;
pub(crate) use crate::dataset::products::dot;
pub(super) use crate::dataset::products::{multiply, norm};
use crate::monitor::Monitor;
use crate::{Error, Result};

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
        self.data.product_norms(right, self.n_targets, monitor)
    }

    /// f_jᵀR of the features `list`, one row of targets each.
    pub(super) fn products(&self, list: &[usize], right: &[f64]) -> Result<Vec<f64>> {
        self.data.products_of(list, right, self.n_targets)
    }
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

/// The largest of some numbers that are not negative; not a number if one of them is not.
pub(super) fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a })
}

/// Σ v².
pub(super) fn square(values: &[f64]) -> f64 {
    dot(values, values)
}
