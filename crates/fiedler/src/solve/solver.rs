//! One λ: working sets that grow until the duality gap says that the rest of the features is not needed.

use super::inner::Inner;
use super::problem::{Problem, dot, largest, norm, square};
use super::screen::{Screen, Screened};
use super::working::WorkingSet;
use crate::monitor::Monitor;
use crate::{Error, Result};

/// When a solver stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The duality gap, relative to the objective, at which a solution is good enough.
    pub gap: f64,
    /// Rounds of growing the working set ([`solve`]), or steps ([`fista`](super::fista)), before the
    /// solver gives up with an error. A [`path`](super::path) does not count them.
    pub max_iterations: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { gap: 1e-6, max_iterations: 100_000 }
    }
}

impl Options {
    pub(super) fn check(&self) -> Result<()> {
        if self.gap > 0.0 && self.gap < 1.0 {
            return Ok(());
        }
        Err(Error::parameter("gap", "above 0 and below 1", self.gap))
    }
}

/// A solution of ½‖Y - XW‖²_F + λ Σᵢ‖wⁱ‖₂ with its certificate.
///
/// Weights belong to centered, unit-norm columns and centered targets.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// λ.
    pub lambda: f64,
    /// The features whose weights are not all zero, in the order in which they came in (by
    /// [`fista`](super::fista): in the order of the columns).
    pub active: Vec<usize>,
    /// Their weights, one row of targets a feature. Empty for the points of a [`Path`](super::Path) before its last.
    pub weights: Vec<f64>,
    /// ‖wⁱ‖ of the active features.
    pub row_norms: Vec<f64>,
    /// ½‖Y - XW‖² + λ Σ‖wⁱ‖.
    pub objective: f64,
    /// ‖Y - XW‖_F.
    pub residual: f64,
    /// The duality gap, divided by the objective: no W has an objective smaller than
    /// `objective`·(1 - `gap`).
    pub gap: f64,
    /// Newton steps and sweeps, or gradient steps; on a path, all since its beginning.
    pub iterations: usize,
}

/// The solution at one λ.
///
/// # Errors
/// λ is not positive, the gap is not reached ([`Error::NotConverged`]), the columns cannot be read,
/// or the monitor says stop.
pub fn solve(
    problem: &Problem<'_>,
    lambda: f64,
    options: &Options,
    monitor: &dyn Monitor,
) -> Result<Solution> {
    Solver::new(problem, *options, monitor)?.at(lambda, monitor)
}

/// Solves at one λ after the other, each from the solution before.
///
/// ```
/// use fiedler::{Silent, dataset::demo, solve::{Options, Problem, Solver}};
///
/// let data = demo::iris()?;
/// let problem = Problem::new(&data, data.column(2)?, 1)?;
/// let mut solver = Solver::new(&problem, Options::default(), &Silent)?;
/// let top = problem.lambda_max(&Silent)?;
/// for share in [0.9, 0.5, 0.1] {
///     assert!(solver.at(share * top, &Silent)?.gap <= 1e-6);
/// }
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug)]
pub struct Solver<'a> {
    problem: &'a Problem<'a>,
    options: Options,
    set: WorkingSet,
    screen: Screen,
}

impl<'a> Solver<'a> {
    /// Starts at W = 0, with one pass over the data.
    ///
    /// # Errors
    /// A bad option, the columns cannot be read, or the monitor says stop.
    pub fn new(problem: &'a Problem<'a>, options: Options, monitor: &dyn Monitor) -> Result<Self> {
        options.check()?;
        let screen = Screen::new(problem, problem.targets(), monitor)?;
        Ok(Solver { problem, options, set: WorkingSet::new(problem), screen })
    }

    /// The solution at `lambda`.
    ///
    /// # Errors
    /// As [`solve`].
    pub fn at(&mut self, lambda: f64, monitor: &dyn Monitor) -> Result<Solution> {
        if !(lambda > 0.0 && lambda.is_finite()) {
            return Err(Error::parameter("lambda", "a number above 0", lambda));
        }
        let mut iterations = 0;
        // A violation of ε·λ leaves a relative gap of about 2ε.
        let mut tolerance = 0.1 * self.options.gap;
        let mut last_gap = f64::INFINITY;
        for _ in 0..self.options.max_iterations {
            let ask = || {
                if monitor.update("L2,1 regression", iterations, 0).is_break() {
                    Err(Error::Canceled)
                } else {
                    Ok(())
                }
            };
            let mut inner = Inner::new(&mut self.set, self.problem.n_targets(), lambda, tolerance);
            // What is left of the violation shows in the gap.
            inner.run(None, &ask)?;
            iterations += inner.work;
            let residual = self.set.residual(self.problem);
            let found = self.screen.reaching(self.problem, &residual, lambda)?;
            let highest = largest(found.norms.iter().copied());
            let solution = Solution::certified(self.problem, lambda, self.set.active(), &residual, highest);
            last_gap = solution.gap;
            if last_gap <= self.options.gap {
                self.set.prune();
                return Ok(Solution { iterations, ..solution });
            }
            if !self.grow(found, lambda * (1.0 + tolerance))? {
                // Nothing is missing, so what is there is not solved well enough.
                tolerance *= 0.1;
                if tolerance < 1e-15 {
                    break;
                }
            }
        }
        Err(not_converged(self.options, iterations, last_gap))
    }

    /// Adds the features that violate optimality most; at most as many as there are, or ten, so
    /// that features which are explained by better ones stay out. Answers whether any came.
    fn grow(&mut self, found: Screened, level: f64) -> Result<bool> {
        let mut violators: Vec<(f64, usize)> = found
            .norms
            .iter()
            .copied()
            .zip(found.features)
            .filter(|(norm, j)| *norm > level && !self.set.features.contains(j))
            .collect();
        violators.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut grown = false;
        for (_, feature) in violators.into_iter().take(self.set.len().max(10)) {
            grown |= self.set.add(self.problem, feature)?.is_none();
        }
        Ok(grown)
    }
}

impl Solution {
    /// The solution with these rows of weights, and its duality gap. `highest` is the largest
    /// ‖f_jᵀR‖ of all features.
    ///
    /// The dual problem is to maximize ⟨Y, Θ⟩ - ½‖Θ‖² over all Θ with ‖f_jᵀΘ‖ ≤ λ, and R scaled
    /// down until it meets the constraints is such a Θ.
    pub(super) fn certified(
        problem: &Problem<'_>,
        lambda: f64,
        (active, weights): (Vec<usize>, Vec<f64>),
        residual: &[f64],
        highest: f64,
    ) -> Self {
        let row_norms: Vec<f64> = weights.chunks_exact(problem.n_targets()).map(norm).collect();
        let left = square(residual);
        let objective = 0.5 * left + lambda * row_norms.iter().sum::<f64>();
        let scale = if highest <= lambda { 1.0 } else { lambda / highest };
        let dual = scale * dot(problem.targets(), residual) - 0.5 * scale * scale * left;
        let gap = match objective - dual {
            // Rounding may leave a gap below 0; what is not a number must not pass for one.
            gap if gap <= 0.0 => 0.0,
            gap => gap / objective,
        };
        Solution { lambda, active, weights, row_norms, objective, residual: left.sqrt(), gap, iterations: 0 }
    }
}

pub(super) fn not_converged(options: Options, iterations: usize, gap: f64) -> Error {
    Error::NotConverged {
        what: "the L2,1 regression",
        iterations,
        residual: gap,
        tolerance: options.gap,
        advice: "allow a larger duality gap (Options::gap), or a larger λ (fewer features)",
    }
}
