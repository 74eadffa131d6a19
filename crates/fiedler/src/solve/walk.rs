//! A point on the path, and how to move from one entry to the next. [`path`](super::path) tells the method.

use super::curvature::Curvature;
use super::inner::Inner;
use super::near::{ENTRY, Near, TIE};
use super::problem::{Problem, dot, norm};
use super::solver::{Options, Solution};
use super::working::WorkingSet;
use crate::monitor::Monitor;
use crate::{Error, Result};

/// How well the small problem is solved, relative to λ.
const INNER: f64 = 1e-10;
/// λ/λ_max at which the path ends: the targets count as explained.
pub(super) const FLOOR: f64 = 1e-6;
/// The longest step, as a share of λ.
const LONGEST_STEP: f64 = 0.3;
/// How close the next entry is, as a share of λ, when its place is taken from the prediction.
const CLOSE: f64 = 3e-5;
/// The weight with which a feature enters, as a share of λ: enough to have a direction.
const SEED: f64 = 1e-5;
/// Solutions between two entries before the walk gives up.
const MAX_ROUNDS: usize = 500;
/// Predictions that fall short before steps become longer.
const PATIENT_ROUNDS: i32 = 6;
/// The narrowest range of λ in which a number of features can be told apart from the next, as a share of λ.
const NARROWEST_RANGE: f64 = TIE;

/// A point on the path and the means to move along it. The weights are optimal for the working
/// set at λ, whatever the other features say, except that features which have just entered have a seed for weights.
pub(super) struct Walker<'a> {
    problem: &'a Problem<'a>,
    options: Options,
    monitor: &'a dyn Monitor,
    set: WorkingSet,
    pub(super) near: Near,
    lambda: f64,
    /// λ of the last entry, where it has seeds for weights: at λ or a little below it. Else λ.
    knot: f64,
    /// The smallest λ worth a step.
    floor: f64,
    pub(super) residual: Vec<f64>,
    /// Every feature that entered, with its λ, in the order of the path.
    pub(super) log: Vec<(usize, f64)>,
    iterations: usize,
    count: usize,
}

/// Where to go from a point.
#[derive(Clone, Default)]
struct Direction {
    /// Factors at the point; none where nothing is active or the columns are collinear.
    curvature: Option<Curvature>,
    /// H⁻¹U, one row of targets a row of the support.
    velocity: Vec<f64>,
    /// λ of the next entry as it is predicted, and of those that tie with it, and who enters.
    entries: Vec<(f64, usize)>,
}

impl<'a> Walker<'a> {
    /// Starts at λ_max, with nothing active; `count` features are to be.
    pub(super) fn new(
        problem: &'a Problem<'a>,
        count: usize,
        options: Options,
        monitor: &'a dyn Monitor,
    ) -> Result<Self> {
        let residual = problem.targets().to_vec();
        let near = Near::new(problem, &residual, monitor)?;
        let lambda = near.top();
        let mut walker = Walker {
            problem,
            options,
            monitor,
            set: WorkingSet::new(problem),
            near,
            lambda,
            knot: lambda,
            floor: FLOOR * lambda,
            residual,
            log: Vec::new(),
            iterations: 0,
            count,
        };
        walker.look()?;
        Ok(walker)
    }

    /// λ here.
    pub(super) fn lambda(&self) -> f64 {
        self.lambda
    }

    /// Goes to where the next feature is about to enter, and answers which, and the λ at which it
    /// does, with all that enter there; `None` where none does above the floor.
    pub(super) fn walk(&mut self) -> Result<Option<Vec<(usize, f64)>>> {
        let start = self.lambda;
        let (mut above, mut below) = (start, 0.0);
        // Where predictions fall short again and again, steps become longer than predicted.
        let mut short = 0;
        for round in 0..MAX_ROUNDS {
            let direction = self.direction()?;
            // Seeds are no optimum, so the first prediction counts from the λ of the last entry and is not exact.
            let (from, close) = (self.knot, if round == 0 { ENTRY } else { CLOSE });
            let next = direction.entries.first().map(|&(entry, _)| entry);
            if next.is_some_and(|entry| (from * (1.0 - close)..=from * (1.0 + ENTRY)).contains(&entry)) {
                self.arrive(start);
                return Ok(Some(direction.entries.iter().map(|&(entry, j)| (j, entry)).collect()));
            }
            let mut target = step_toward(next, from, round == 0);
            if short > PATIENT_ROUNDS {
                let longer = (1.0 - target / from) * 2.0_f64.powi(short - PATIENT_ROUNDS);
                target = from * (1.0 - longer.min(LONGEST_STEP));
            }
            let inside = target > below && target <= above;
            let target = if inside { target } else { 0.5 * (below + above) };
            self.go(target.max(self.floor), direction)?;
            if self.passed() {
                (below, short) = (self.lambda, 0);
                self.near.widen();
            } else {
                (above, short) = (self.lambda, short + 1);
                self.prune();
                if self.lambda <= self.floor {
                    return Ok(None);
                }
            }
            if above - below <= 1e-14 * above {
                let Some((_, feature)) = self.near.highest() else { break };
                self.arrive(start);
                return Ok(Some(vec![(feature, self.lambda)]));
            }
        }
        Err(self.stuck(format!("the next entry is not found in {MAX_ROUNDS} steps")))
    }

    /// Whether the entry of a feature was passed.
    fn passed(&self) -> bool {
        self.near.highest().is_some_and(|(norm, _)| norm > self.lambda * (1.0 + ENTRY))
    }

    /// Lets features go that have left, and learns from the distance how far ahead to look.
    fn arrive(&mut self, start: f64) {
        self.prune();
        self.near.expect(start / self.lambda - 1.0);
    }

    /// Lets features in, each with just enough weight to have a direction, but no copies.
    pub(super) fn enter(&mut self, entries: Vec<(usize, f64)>) -> Result<()> {
        for (feature, lambda) in entries {
            if !self.near.may_enter(feature) {
                continue;
            }
            if let Some(twin) = self.set.add(self.problem, feature)? {
                self.near.refuse(feature, twin);
                continue;
            }
            self.near.admit(self.problem, feature, self.set.newest_column(), &self.residual)?;
            let place = self.set.len() - 1;
            let product = self.problem.products(&[feature], &self.residual)?;
            let scale = SEED * self.lambda / norm(&product);
            self.set.row_mut(place).iter_mut().zip(&product).for_each(|(w, c)| *w = scale * c);
            self.log.push((feature, lambda));
            self.knot = lambda.min(self.lambda);
        }
        Ok(())
    }

    /// Whether there are as many features as asked for, or more.
    pub(super) fn has_enough(&self) -> bool {
        self.set.len() >= self.count
    }

    /// The last point, if there is a range of λ below the last entry in which at least `count` features are
    /// active: halfway to the next entry, well inside the range; nearer where one of them leaves before. Where there is
    /// none, everything is as it was.
    pub(super) fn close(&mut self) -> Result<Option<Solution>> {
        let direction = self.direction()?;
        let (lambda, knot) = (self.lambda, self.knot);
        let weights = self.set.weights.clone();
        let (residual, found) = (self.residual.clone(), self.near.take());
        let next = direction.entries.first().map_or(0.0, |&(entry, _)| entry);
        let mut step = 0.5 * (knot - next).clamp(2.0 * NARROWEST_RANGE * knot, LONGEST_STEP * knot);
        while step >= 0.999 * NARROWEST_RANGE * knot {
            self.go(knot - step, direction.clone())?;
            let free = self.near.highest().is_none_or(|(norm, _)| norm <= self.lambda);
            if free && self.set.support().len() >= self.count {
                self.prune();
                return Ok(Some(self.point()?));
            }
            step *= 0.5;
            (self.lambda, self.knot) = (lambda, knot);
            self.set.weights.copy_from_slice(&weights);
        }
        self.residual = residual;
        self.near.restore(found);
        Ok(None)
    }

    /// Lets the features go whose weights became zero.
    fn prune(&mut self) {
        self.near.release(self.set.prune());
    }

    /// The walking direction, and the entries it predicts.
    fn direction(&self) -> Result<Direction> {
        let q = self.problem.n_targets();
        let curvature = match self.set.len() {
            0 => None,
            _ => Curvature::new(&self.set, q, self.lambda),
        };
        let velocity = curvature.as_ref().map_or(Vec::new(), |c| c.solve(&c.directions));
        let mut rows = vec![0.0; self.set.len() * q];
        if let Some(c) = &curvature {
            for (&place, row) in c.support.iter().zip(velocity.chunks_exact(q)) {
                rows[place * q..(place + 1) * q].copy_from_slice(row);
            }
        }
        let mut entries = self.near.entries(self.problem, &self.set.combine(&rows), self.lambda)?;
        entries.iter_mut().for_each(|(step, _)| *step = self.lambda - *step);
        Ok(Direction { curvature, velocity, entries })
    }

    /// Goes to `target` along `direction`, solves there, and looks at all features.
    fn go(&mut self, target: f64, direction: Direction) -> Result<()> {
        self.predict(self.lambda - target, &direction);
        (self.lambda, self.knot) = (target, target);
        let (monitor, progress) = (self.monitor, self.set.len().min(self.count));
        let ask = || match monitor.update("path", progress, self.count) {
            c if c.is_break() => Err(Error::Canceled),
            _ => Ok(()),
        };
        // What rounding in C - GW, of the size of λ_max, allows.
        let tolerance = INNER.max(1e-14 * self.floor / (FLOOR * target));
        let mut inner = Inner::new(&mut self.set, self.problem.n_targets(), target, tolerance);
        let violation = inner.run(direction.curvature, &ask)?;
        self.iterations += inner.work;
        // Columns that are nearly collinear may not allow more; entries are told to this precision.
        let allowed = ENTRY.max(10.0 * tolerance);
        if violation.is_nan() || violation > allowed {
            let what = format!(
                "the weights of the active features are off by {violation:.1e}, {allowed:.1e} allowed"
            );
            return Err(self.stuck(what));
        }
        self.residual = self.set.residual(self.problem);
        self.look()
    }

    /// Moves the weights along the direction; where a row would turn, nine tenths of the way there.
    fn predict(&mut self, step: f64, direction: &Direction) {
        let Some(curvature) = &direction.curvature else { return };
        let q = self.problem.n_targets();
        let rows = || curvature.support.iter().zip(direction.velocity.chunks_exact(q));
        let mut length = step;
        for (&place, velocity) in rows() {
            let row = self.set.row(place);
            let turn = -dot(row, row) / dot(row, velocity);
            if turn / step > 0.0 && turn / step <= length / step {
                length = 0.9 * turn;
            }
        }
        for (&place, velocity) in rows() {
            self.set.row_mut(place).iter_mut().zip(velocity).for_each(|(w, v)| *w += length * v);
        }
    }

    /// Finds the features near the bound.
    fn look(&mut self) -> Result<()> {
        let done = self.set.len().min(self.count);
        if self.monitor.update("path", done, self.count).is_break() {
            return Err(Error::Canceled);
        }
        self.near.look(self.problem, &self.residual, self.lambda)
    }

    /// The solution here, with its certificate.
    pub(super) fn point(&self) -> Result<Solution> {
        let highest = self.near.peak();
        let solution =
            Solution::certified(self.problem, self.lambda, self.set.active(), &self.residual, highest);
        if solution.gap.is_nan() || solution.gap > self.options.gap {
            let what = format!("the duality gap is {:.1e}, {:.1e} allowed", solution.gap, self.options.gap);
            return Err(self.stuck(what));
        }
        Ok(Solution { iterations: self.iterations, ..solution })
    }

    /// The path cannot go on from here.
    pub(super) fn stuck(&self, what: String) -> Error {
        Error::PathStuck { lambda: self.lambda, active: self.set.support().len(), what }
    }
}

/// The λ to try on the way `from` here to the next entry: a little before it, so that the next look finds it ahead and
/// close (or, coming back from beyond it, behind and close).
fn step_toward(next: Option<f64>, from: f64, seeded: bool) -> f64 {
    let distance = next.map_or(f64::INFINITY, |entry| 1.0 - entry / from);
    // Below the last entry by all means, or what has just entered would not be active.
    let distance = if seeded { distance.max(2.0 * TIE) } else { distance };
    let step = distance.min(LONGEST_STEP);
    from * (1.0 - step + (0.25 * CLOSE).min(0.5 * step.abs()))
}
