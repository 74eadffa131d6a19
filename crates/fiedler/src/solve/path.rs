//! The whole path: from λ_max, where nothing is active, to exactly the asked number of features.
//!
//! DIS Algorithm 2 walks along the solution as λ falls and stops where the next feature enters. So
//! does this, with the exact direction in place of the least-squares one:
//!
//! 1. *Walking direction.* W(λ - δ) ≈ W + δ H⁻¹U on the active features ([`Curvature`](super::curvature::Curvature)).
//! 2. *Entry.* Feature j enters at the smallest δ with ‖f_jᵀ(R - δXH⁻¹U)‖ = λ - δ, a quadratic in
//!    δ; the first of all features gives the next λ to try.
//! 3. *Correction.* The small problem on the active set is solved at that λ, from the predicted
//!    point: usually one or two Newton steps. Rows may become zero: features leave.
//! 4. *Check on all features* ([`Screen`](super::screen::Screen)). If some ‖f_jᵀR‖ are larger than λ, the entry was passed, and the
//!    same quadratics lead back to it. If not, and the next entry is predicted within 3·10⁻⁵ of λ, this is the
//!    knot: the prediction's error is quadratic in that distance, so the λ of entry is exact to
//!    about 10⁻⁸. Otherwise the walk goes on from here.
//!
//! Every point on the way is an optimum of its own, so errors do not add up. One point an entry is the rule.
//!
//! Features whose entries are predicted within 10⁻⁷ of each other enter together: from one point, before any of them
//! has weights, their order can be told no better. Copies of an active feature never enter ([`Near`](super::near::Near)).

use std::collections::BTreeSet;

use super::copies::copies_among;
use super::near::ENTRY;
use super::problem::Problem;
use super::solver::{Options, Solution};
use super::walk::{FLOOR, Walker};
use crate::monitor::Monitor;
use crate::{Error, Result};

/// Entries without λ falling before the path gives up: features may leave and come back, but not for ever.
const PATIENCE: usize = 1000;
/// How far ‖f_jᵀR‖ of an inactive feature may lie above λ at the end, relative to λ, when all are checked.
const CHECK: f64 = 1e-6;

/// The path of solutions from λ_max downwards.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The solution just before each entry (the feature is active from the next point on), and
    /// the last one, between two entries. Only the last one carries weights; the others have
    /// row norms.
    pub points: Vec<Solution>,
    /// The features active at the end, with the λ at which each entered (the last time, if it had left).
    pub entries: Vec<(usize, f64)>,
    /// Every entry in the order of the path, also of features that left again.
    pub history: Vec<(usize, f64)>,
    /// Features that repeat another one up to scale, sign and offset, each with that one: the active one of its kind, or
    /// the first where none is active.
    pub copies: Vec<(usize, usize)>,
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
    /// Fewer are, at [`Path::FLOOR`]·λ_max, where the path ends in any case.
    Exhausted,
}

/// What happened on a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// λ of the entry; of the first point without the feature, where it left.
    pub lambda: f64,
    /// The feature.
    pub feature: usize,
    /// Whether it became active; it ceased to be otherwise.
    pub entered: bool,
}

impl Path {
    /// The share of λ_max at which a path ends, however few features are active: what is left to explain is then
    /// of the size of rounding in many data.
    pub const FLOOR: f64 = FLOOR;

    /// Who became active and who ceased to be, from point to point: the path as a story.
    pub fn events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        for pair in self.points.windows(2) {
            let (before, after) = (&pair[0].active, &pair[1].active);
            let came = after.iter().filter(|j| !before.contains(j));
            events.extend(came.map(|&feature| {
                let lambda = self.entry_above(feature, pair[1].lambda).unwrap_or(pair[0].lambda);
                Event { lambda, feature, entered: true }
            }));
            // Entries are at the upper end of the range between two points; departures are seen at the lower one.
            let left = before.iter().filter(|j| !after.contains(j));
            events.extend(left.map(|&feature| Event { lambda: pair[1].lambda, feature, entered: false }));
        }
        events
    }

    /// The last λ above `lambda` at which a feature entered.
    fn entry_above(&self, feature: usize, lambda: f64) -> Option<f64> {
        let entry = self.history.iter().rev().find(|&&(j, entry)| j == feature && entry > lambda);
        entry.map(|&(_, entry)| entry)
    }
}

/// The path from λ_max to `count` active features. Of the `options` only the gap counts.
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
/// `count` is 0, the path cannot be followed so far ([`Error::PathStuck`]), the columns cannot be
/// read, or the monitor says stop.
pub fn path(problem: &Problem<'_>, count: usize, options: &Options, monitor: &dyn Monitor) -> Result<Path> {
    options.check()?;
    if count == 0 {
        return Err(Error::parameter("count", "at least 1", count));
    }
    let mut walker = Walker::new(problem, count, *options, monitor)?;
    let mut points = Vec::new();
    let end = follow(&mut walker, count, &mut points)?;
    let last: &[usize] = points.last().map_or(&[], |p: &Solution| &p.active);
    let entered = |j: usize| walker.log.iter().rev().find(|e| e.0 == j).map(|e| e.1);
    let entries = last.iter().filter_map(|&j| Some((j, entered(j)?))).collect();
    let norms = problem.all_norms(&walker.residual, monitor)?;
    let mut copies = walker.near.copies();
    check(&walker, &norms, last, &copies)?;
    let seen: BTreeSet<usize> = copies.iter().map(|c| c.0).chain(last.iter().copied()).collect();
    let rest = (0..norms.len()).filter(|&j| problem.usable(j) && !seen.contains(&j)).collect();
    copies.extend(copies_among(problem, rest, &norms, &walker.residual)?);
    Ok(Path { points, entries, history: walker.log, copies, norms, end })
}

/// Walks from knot to knot until `count` features are active.
fn follow(walker: &mut Walker<'_>, count: usize, points: &mut Vec<Solution>) -> Result<End> {
    if walker.lambda() == 0.0 {
        return Ok(End::Exhausted);
    }
    let (mut lowest, mut stalled) = (f64::INFINITY, 0);
    loop {
        let entries = walker.walk()?;
        if walker.lambda() < lowest * (1.0 - ENTRY) {
            (lowest, stalled) = (walker.lambda(), 0);
        }
        // Only a point that was solved for: features that tie with the last ones enter from where these did.
        if points.last().is_none_or(|p| p.lambda > walker.lambda()) {
            push(points, walker.point()?);
        }
        let Some(entries) = entries else { return Ok(End::Exhausted) };
        walker.enter(entries)?;
        if walker.has_enough()
            && let Some(last) = walker.close()?
        {
            let end = if last.active.len() == count { End::Complete } else { End::Together };
            push(points, last);
            return Ok(end);
        }
        stalled += 1;
        if stalled > PATIENCE {
            return Err(walker.stuck(format!("λ does not fall in {PATIENCE} entries")));
        }
    }
}

/// Adds a point. All weights of a long path would be the largest thing in memory, so only the last keeps its own.
fn push(points: &mut Vec<Solution>, point: Solution) {
    if let Some(last) = points.last_mut() {
        last.weights = Vec::new();
    }
    points.push(point);
}

/// The optimality of the last point once more, by all features and without the screening.
fn check(walker: &Walker<'_>, norms: &[f64], active: &[usize], copies: &[(usize, usize)]) -> Result<()> {
    let allowed = walker.lambda() * (1.0 + CHECK);
    let worst = norms.iter().enumerate().filter(|(_, norm)| norm.is_nan() || **norm > allowed);
    let outside = worst.filter(|(j, _)| !active.contains(j) && copies.iter().all(|(copy, _)| copy != j));
    match outside.map(|(_, &norm)| norm / walker.lambda() - 1.0).next() {
        Some(off) => {
            Err(walker.stuck(format!("an inactive feature is above λ by {off:.1e}, {CHECK:.1e} allowed")))
        }
        None => Ok(()),
    }
}
