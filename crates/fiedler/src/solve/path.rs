//! The whole path: from λ_max, where nothing is active, to exactly the asked number of features.
//!
//! DIS Algorithm 2 walks along the solution as λ falls and stops where the next feature enters. So
//! does this, with the exact direction in place of the least-squares one:
//!
//! 1. *Walking direction.* W(λ - δ) ≈ W + δ H⁻¹U on the active features ([`Curvature`]).
//! 2. *Entry.* Feature j enters at the smallest δ with ‖f_jᵀ(R - δXH⁻¹U)‖ = λ - δ, a quadratic in
//!    δ; the first of all features gives the next λ to try.
//! 3. *Correction.* The small problem on the active set is solved at that λ, from the predicted
//!    point: usually one or two Newton steps. Rows may become zero: features leave.
//! 4. *Check on all features* ([`Screen`]). If some ‖f_jᵀR‖ are larger than λ, the entry was passed, and the
//!    same quadratics lead back to it. If not, and the next entry is predicted within 3·10⁻⁵ of λ, this is the
//!    knot: the prediction's error is quadratic in that distance, so the λ of entry is exact to
//!    about 10⁻⁸. Otherwise the walk goes on from here.
//!
//! Every point on the way is an optimum of its own, so errors do not add up. One point an entry is the rule.
//!
//! A copy of an active feature has ‖f_jᵀR‖ = λ as long as its twin is active. It explains nothing that
//! the twin does not, and stays out.

use std::collections::BTreeMap;

use super::curvature::Curvature;
use super::inner::Inner;
use super::problem::{Problem, dot, norm};
use super::screen::{Found, Screen};
use super::solver::{Options, Solution, not_converged};
use super::working::WorkingSet;
use crate::monitor::Monitor;
use crate::{Error, Result};

/// How far ‖f_jᵀR‖ may lie above λ, relative to λ, for features that are not active yet.
const ENTRY: f64 = 1e-8;
/// How well the small problem is solved, relative to λ.
const INNER: f64 = 1e-10;
/// λ/λ_max below which the targets count as explained: nothing more enters.
const FLOOR: f64 = 1e-6;
/// The longest step, as a share of λ.
const LONGEST_STEP: f64 = 0.3;
/// How close the next entry is, as a share of λ, when its place is taken from the prediction.
const CLOSE: f64 = 3e-5;
/// A step considers the features whose ‖f_jᵀR‖ is below λ by no more than a margin, a share of λ
/// that follows the distance between entries.
const NARROWEST_MARGIN: f64 = 2e-3;
const WIDEST_MARGIN: f64 = 0.1;
/// Features whose entry is computed at a time, the nearest first.
const CANDIDATES: usize = 32;
/// The weight with which a feature enters, as a share of λ: enough to have a direction.
const SEED: f64 = 1e-5;

/// The path of solutions from λ_max downwards.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The solution just before each entry (the feature is active from the next point on), and
    /// the last one, between two entries.
    pub points: Vec<Solution>,
    /// The features active at the end, with the λ at which each entered (the last time, if it had left).
    pub entries: Vec<(usize, f64)>,
    /// ‖f_jᵀR‖ of every feature at the end; 0 for constant ones.
    pub norms: Vec<f64>,
    /// Why the path ends where it does.
    pub end: End,
}

/// Why a path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Exactly as many features are active as were asked for.
    Complete,
    /// More are, because several entered at the same λ.
    Together,
    /// Fewer are: the targets are explained as far as these features can, and no other enters.
    Exhausted,
}

/// What happened at a point of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// λ of the point.
    pub lambda: f64,
    /// The feature.
    pub feature: usize,
    /// Whether it became active; it ceased to be otherwise.
    pub entered: bool,
}

impl Path {
    /// Who became active and who ceased to be, from point to point: the path as a story.
    pub fn events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        for pair in self.points.windows(2) {
            let (before, after) = (&pair[0].active, &pair[1].active);
            let left = before.iter().filter(|j| !after.contains(j));
            events.extend(left.map(|&feature| Event { lambda: pair[1].lambda, feature, entered: false }));
            let came = after.iter().filter(|j| !before.contains(j));
            events.extend(came.map(|&feature| Event { lambda: pair[0].lambda, feature, entered: true }));
        }
        events
    }
}

/// The path from λ_max to `count` active features.
///
/// ```
/// use fiedler::{Silent, dataset::demo, solve::{End, Options, Problem, path}};
///
/// let data = demo::iris()?;
/// let problem = Problem::new(&data, data.column(2)?, 1)?;
/// let found = path(&problem, 1, &Options::default(), &Silent)?;
/// assert_eq!((found.end, found.entries[0].0), (End::Complete, 2));
/// # Ok::<(), fiedler::Error>(())
/// ```
///
/// # Errors
/// `count` is 0, a solution does not reach the gap ([`Error::NotConverged`]), the columns cannot be
/// read, or the monitor says stop.
pub fn path(problem: &Problem<'_>, count: usize, options: &Options, monitor: &dyn Monitor) -> Result<Path> {
    options.check()?;
    if count == 0 {
        return Err(Error::parameter("count", "at least 1", count));
    }
    let mut walker = Walker::new(problem, *options, monitor)?;
    let mut points = Vec::new();
    let end = walker.follow(count, &mut points)?;
    let norms = problem.all_norms(&walker.residual, monitor)?;
    let last: &[usize] = points.last().map_or(&[], |p: &Solution| &p.active);
    let entries = last.iter().map(|j| (*j, walker.entered[j])).collect();
    Ok(Path { points, entries, norms, end })
}

/// A point on the path and the means to move along it. The weights are optimal for the working
/// set at λ, whatever the other features say.
struct Walker<'a> {
    problem: &'a Problem<'a>,
    options: Options,
    monitor: &'a dyn Monitor,
    set: WorkingSet,
    screen: Screen,
    /// Whether a feature is in the working set.
    member: Vec<bool>,
    lambda: f64,
    /// The smallest λ worth a step.
    floor: f64,
    residual: Vec<f64>,
    /// Features near the bound, at this residual.
    near: Found,
    margin: f64,
    /// Copies of active features, with their twins.
    shadows: BTreeMap<usize, usize>,
    /// λ of the last entry of every feature.
    entered: BTreeMap<usize, f64>,
    iterations: usize,
    progress: (usize, usize),
}

/// Where to go from a point.
struct Direction {
    /// Factors at the point; none where the columns are collinear.
    curvature: Option<Curvature>,
    /// H⁻¹U, one row of targets a row of the support.
    velocity: Vec<f64>,
    /// The predicted distance to the next entry, and who enters; negative if it lies behind.
    entry: Option<(f64, usize)>,
}

impl<'a> Walker<'a> {
    fn new(problem: &'a Problem<'a>, options: Options, monitor: &'a dyn Monitor) -> Result<Self> {
        let residual = problem.targets().to_vec();
        let screen = Screen::new(problem, &residual, monitor)?;
        let lambda = screen.highest();
        Ok(Walker {
            problem,
            options,
            monitor,
            set: WorkingSet::new(problem),
            screen,
            member: vec![false; problem.data().n_features()],
            lambda,
            floor: FLOOR * lambda,
            residual,
            near: Found::default(),
            margin: WIDEST_MARGIN,
            shadows: BTreeMap::new(),
            entered: BTreeMap::new(),
            iterations: 0,
            progress: (0, 0),
        })
    }

    /// Walks from knot to knot until `count` features are active.
    fn follow(&mut self, count: usize, points: &mut Vec<Solution>) -> Result<End> {
        self.progress.1 = count;
        if self.lambda == 0.0 {
            return Ok(End::Exhausted);
        }
        self.look()?;
        // Features may leave and come back, but not for ever.
        let mut patience = 20 * count + 1000;
        loop {
            self.progress.0 = self.set.support().len();
            let Some((feature, entry)) = self.walk()? else {
                points.push(self.point()?);
                return Ok(End::Exhausted);
            };
            if points.last().is_none_or(|p| p.lambda > self.lambda) {
                points.push(self.point()?);
            }
            self.enter(feature, entry)?;
            if self.set.len() >= count && self.close(points)? {
                return Ok(if self.set.len() == count { End::Complete } else { End::Together });
            }
            patience -= 1;
            if patience == 0 {
                return Err(not_converged(self.options, self.iterations, f64::NAN));
            }
        }
    }

    /// Goes to where the next feature is about to enter, and answers which, and the λ at which it
    /// does; `None` where none does.
    fn walk(&mut self) -> Result<Option<(usize, f64)>> {
        let start = self.lambda;
        let (mut above, mut below) = (start, 0.0);
        // Before the first step the point is not an optimum of this working set: a prediction from it is not exact.
        let mut close = ENTRY;
        loop {
            let direction = self.direction()?;
            let step = direction.entry.map_or(f64::INFINITY, |(step, _)| step / self.lambda);
            if let Some((step, feature)) = direction.entry.filter(|_| (-ENTRY..=close).contains(&step)) {
                self.arrive(start);
                return Ok(Some((feature, self.lambda - step)));
            }
            // A little before the entry, so that the next look finds it ahead and close.
            let step = step.min(LONGEST_STEP) - (0.25 * CLOSE).min(0.5 * step.abs());
            let mut target = self.lambda * (1.0 - step);
            if target <= below || target > above {
                target = 0.5 * (below + above);
            }
            if target < self.floor {
                return Ok(None);
            }
            self.go(target, direction)?;
            close = CLOSE;
            let (highest, feature) = self.highest();
            if above - below <= 1e-14 * above {
                self.arrive(start);
                return Ok(Some((feature, self.lambda)));
            }
            if highest > self.lambda * (1.0 + ENTRY) {
                below = self.lambda;
                self.margin = (2.0 * self.margin).min(WIDEST_MARGIN);
            } else {
                above = self.lambda;
                if below == 0.0 {
                    self.prune();
                }
            }
        }
    }

    /// Lets features go that have left, and learns from the distance how far ahead to look.
    fn arrive(&mut self, start: f64) {
        self.prune();
        self.margin = (3.0 * (start / self.lambda - 1.0)).clamp(NARROWEST_MARGIN, WIDEST_MARGIN);
    }

    /// Ends the path halfway to the next entry, well inside the range of λ in which exactly
    /// this many features are active; nearer where one of them leaves before. Answers whether
    /// there is such a range.
    fn close(&mut self, points: &mut Vec<Solution>) -> Result<bool> {
        let (lambda, weights) = (self.lambda, self.set.weights.clone());
        let mut step = match self.direction()?.entry {
            Some((step, _)) => 0.5 * step.min(LONGEST_STEP * lambda),
            None => 0.5 * LONGEST_STEP * lambda,
        };
        while step > 10.0 * ENTRY * lambda {
            let direction = self.direction()?;
            self.go(lambda - step, direction)?;
            if self.highest().0 <= self.lambda && self.set.support().len() == self.set.len() {
                points.push(self.point()?);
                return Ok(true);
            }
            step *= 0.5;
            self.lambda = lambda;
            self.set.weights.copy_from_slice(&weights);
        }
        self.go(lambda, Direction { curvature: None, velocity: Vec::new(), entry: None })?;
        Ok(false)
    }

    /// Lets a feature in, with just enough weight to have a direction, unless it is a copy.
    fn enter(&mut self, feature: usize, lambda: f64) -> Result<()> {
        if let Some(twin) = self.set.add(self.problem, feature)? {
            self.shadows.insert(feature, twin);
            return Ok(());
        }
        let place = self.set.len() - 1;
        let product = self.problem.products(&[feature], &self.residual)?;
        let scale = SEED * self.lambda / norm(&product);
        self.set.row_mut(place).iter_mut().zip(&product).for_each(|(w, c)| *w = scale * c);
        self.member[feature] = true;
        self.entered.insert(feature, lambda);
        Ok(())
    }

    /// Lets the features go whose weights became zero.
    fn prune(&mut self) {
        self.set.prune().into_iter().for_each(|feature| self.member[feature] = false);
    }

    /// The largest ‖f_jᵀR‖ of the features that may enter, and its feature.
    fn highest(&self) -> (f64, usize) {
        let mut best = (0.0, usize::MAX);
        for (place, &feature) in self.near.features.iter().enumerate() {
            if self.near.norms[place] > best.0 && self.may_enter(feature) {
                best = (self.near.norms[place], feature);
            }
        }
        best
    }

    fn may_enter(&self, feature: usize) -> bool {
        !self.member[feature] && !self.shadows.get(&feature).is_some_and(|&twin| self.member[twin])
    }

    /// The walking direction, and the entry it predicts.
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
        let entry = self.first_entry(&self.set.combine(&rows))?;
        Ok(Direction { curvature, velocity, entry })
    }

    /// The step at which the first feature enters when the residual changes by -`change` a step.
    fn first_entry(&self, change: &[f64]) -> Result<Option<(f64, usize)>> {
        let q = self.problem.n_targets();
        let mut places: Vec<usize> =
            (0..self.near.features.len()).filter(|&i| self.may_enter(self.near.features[i])).collect();
        places.sort_by(|&a, &b| self.near.norms[b].total_cmp(&self.near.norms[a]).then(a.cmp(&b)));
        // No feature gets nearer to the bound than this in a step of 1.
        let fastest = 1.0 + norm(change);
        let mut first: Option<(f64, usize)> = None;
        for part in places.chunks(CANDIDATES) {
            let reach = first.map_or(f64::INFINITY, |(step, _)| step * fastest);
            if self.near.norms[part[0]] < self.lambda - reach {
                break;
            }
            let features: Vec<usize> = part.iter().map(|&i| self.near.features[i]).collect();
            let changes = self.problem.products(&features, change)?;
            for ((&place, &feature), change) in part.iter().zip(&features).zip(changes.chunks_exact(q)) {
                let product = &self.near.products[place * q..(place + 1) * q];
                let step = crossing(product, change, self.lambda);
                if let Some(step) = step.filter(|s| first.is_none_or(|(earliest, _)| *s < earliest)) {
                    first = Some((step, feature));
                }
            }
        }
        Ok(first)
    }

    /// Goes to `target` along `direction`, solves there, and looks at all features.
    fn go(&mut self, target: f64, direction: Direction) -> Result<()> {
        let q = self.problem.n_targets();
        if let Some(curvature) = &direction.curvature {
            let step = self.lambda - target;
            for (&place, velocity) in curvature.support.iter().zip(direction.velocity.chunks_exact(q)) {
                let row = self.set.row_mut(place);
                let moved: Vec<f64> = row.iter().zip(velocity).map(|(w, v)| w + step * v).collect();
                if dot(row, &moved) > 0.0 {
                    row.copy_from_slice(&moved);
                }
            }
        }
        self.lambda = target;
        // What rounding in C - GW, of the size of λ_max, allows.
        let tolerance = INNER.max(1e-14 * self.floor / (FLOOR * target));
        let mut inner = Inner::new(&mut self.set, q, target, tolerance);
        inner.run(direction.curvature);
        self.iterations += inner.work;
        self.residual = self.set.residual(self.problem);
        self.look()
    }

    /// Finds the features near the bound.
    fn look(&mut self) -> Result<()> {
        let (done, total) = self.progress;
        if self.monitor.update("path", done, total).is_break() {
            return Err(Error::Cancelled);
        }
        self.near = self.screen.reaching(self.problem, &self.residual, (1.0 - self.margin) * self.lambda)?;
        Ok(())
    }

    /// The solution here, with its certificate.
    fn point(&mut self) -> Result<Solution> {
        let highest = self.near.norms.iter().copied().fold(self.lambda, f64::max);
        let solution =
            Solution::certified(self.problem, self.lambda, self.set.active(), &self.residual, highest);
        if solution.gap > self.options.gap {
            return Err(not_converged(self.options, self.iterations, solution.gap));
        }
        Ok(Solution { iterations: self.iterations, ..solution })
    }
}

/// The step δ at which ‖c - δd‖ = λ - δ: the first one ahead for a feature inside the bound, the one
/// just behind for a feature outside it, 0 for one that sits on the bound and is about to cross.
fn crossing(product: &[f64], change: &[f64], lambda: f64) -> Option<f64> {
    // aδ² - 2bδ + c = 0.
    let a = dot(change, change) - 1.0;
    let b = dot(product, change) - lambda;
    let c = dot(product, product) - lambda * lambda;
    if c.abs() <= 2.0 * ENTRY * lambda * lambda {
        return match b {
            b if b <= 0.0 => Some(0.0),
            b if a > 0.0 => Some(2.0 * b / a),
            _ => None,
        };
    }
    let step = c / (b - (b * b - a * c).max(0.0).sqrt());
    step.is_finite().then_some(step)
}
