//! Who is near the bound: the features that may enter soon, and those that never do.
//!
//! A feature j outside the working set enters where ‖f_jᵀR‖ reaches λ. The [`Screen`] finds the few that are
//! within a margin of it; of these, the ones in the working set do not count, and neither do the copies of such
//! features: a copy has ‖f_jᵀR‖ = λ as long as its twin is active, explains nothing that the twin does not,
//! and stays out.

use std::collections::BTreeMap;

use super::copies::{copies_of, may_be_copies, spread};
use super::problem::{Problem, dot, largest, norm};
use super::screen::{Screen, Screened};
use crate::Result;
use crate::monitor::Monitor;

/// How far ‖f_jᵀR‖ may lie above λ, relative to λ, for features that are not active yet.
pub(super) const ENTRY: f64 = 1e-8;
/// Features whose entries are predicted no further apart than this, relative to λ, enter together.
pub(super) const TIE: f64 = 10.0 * ENTRY;
/// A step considers the features whose ‖f_jᵀR‖ is below λ by no more than a margin, a share of λ
/// that follows the distance between entries.
const NARROWEST_MARGIN: f64 = 2e-3;
const WIDEST_MARGIN: f64 = 0.1;
/// Features whose entry is computed at a time, the nearest first.
const CANDIDATES: usize = 32;

/// The features near the bound at the residual that was looked at last.
pub(super) struct Near {
    screen: Screen,
    margin: f64,
    /// Whether a feature is in the working set.
    member: Vec<bool>,
    /// Copies, each with the feature of the working set that it repeats (or that was in it).
    twins: BTreeMap<usize, usize>,
    found: Screened,
}

impl Near {
    /// Looks at all features once.
    pub(super) fn new(problem: &Problem<'_>, residual: &[f64], monitor: &dyn Monitor) -> Result<Self> {
        Ok(Near {
            screen: Screen::new(problem, residual, monitor)?,
            margin: WIDEST_MARGIN,
            member: vec![false; problem.data().n_features()],
            twins: BTreeMap::new(),
            found: Screened::default(),
        })
    }

    /// The largest ‖f_jᵀR‖ that was seen last, of all features.
    pub(super) fn top(&self) -> f64 {
        self.screen.highest()
    }

    /// Finds the features near the bound `lambda`.
    pub(super) fn look(&mut self, problem: &Problem<'_>, residual: &[f64], lambda: f64) -> Result<()> {
        self.found = self.screen.reaching(problem, residual, (1.0 - self.margin) * lambda)?;
        Ok(())
    }

    /// What was found; put back with [`restore`](Self::restore).
    pub(super) fn take(&mut self) -> Screened {
        std::mem::take(&mut self.found)
    }

    pub(super) fn restore(&mut self, found: Screened) {
        self.found = found;
    }

    /// The largest ‖f_jᵀR‖ of all features near the bound, active ones and copies among them.
    pub(super) fn peak(&self) -> f64 {
        largest(self.found.norms.iter().copied())
    }

    /// The largest ‖f_jᵀR‖ of the features that may enter, and its feature.
    pub(super) fn highest(&self) -> Option<(f64, usize)> {
        let candidates = self.found.norms.iter().copied().zip(self.found.features.iter().copied());
        let mut best: Option<(f64, usize)> = None;
        for (norm, feature) in candidates.filter(|&(_, j)| self.may_enter(j)) {
            if best.is_none_or(|(highest, _)| norm > highest) {
                best = Some((norm, feature));
            }
        }
        best
    }

    /// The distance of one entry to the next tells how far ahead to look.
    pub(super) fn expect(&mut self, distance: f64) {
        self.margin = (3.0 * distance).clamp(NARROWEST_MARGIN, WIDEST_MARGIN);
    }

    /// Looks further ahead from now on.
    pub(super) fn widen(&mut self) {
        self.margin = (2.0 * self.margin).min(WIDEST_MARGIN);
    }

    /// Whether a feature is neither in the working set nor a copy of one that is.
    pub(super) fn may_enter(&self, feature: usize) -> bool {
        !self.member[feature] && !self.twins.get(&feature).is_some_and(|&twin| self.member[twin])
    }

    /// Features that left the working set.
    pub(super) fn release(&mut self, features: Vec<usize>) {
        features.into_iter().for_each(|feature| self.member[feature] = false);
    }

    /// A feature that turned out to be a copy of one in the working set.
    pub(super) fn refuse(&mut self, feature: usize, twin: usize) {
        self.twins.insert(feature, twin);
    }

    /// A feature that came into the working set, with its unit column. All its copies are marked in one go: they
    /// have its ‖fᵀR‖, so they are near the bound too.
    pub(super) fn admit(
        &mut self,
        problem: &Problem<'_>,
        feature: usize,
        column: &[f64],
        residual: &[f64],
    ) -> Result<()> {
        self.member[feature] = true;
        let Some(place) = self.found.features.iter().position(|&j| j == feature) else {
            return Ok(());
        };
        let (own, spread) = (self.found.norms[place], spread(residual, column.len()));
        let alike: Vec<usize> = (0..self.found.features.len())
            .filter(|&i| i != place && (self.found.norms[i] - own).abs() <= spread)
            .map(|i| self.found.features[i])
            .filter(|&other| may_be_copies(problem, feature, other))
            .collect();
        let copies = copies_of(problem, column, &alike)?;
        self.twins.extend(copies.into_iter().map(|copy| (copy, feature)));
        Ok(())
    }

    /// The copies of features of the working set, each with its twin.
    pub(super) fn copies(&self) -> Vec<(usize, usize)> {
        let present = self.twins.iter().filter(|&(&copy, &twin)| self.member[twin] && !self.member[copy]);
        present.map(|(&copy, &twin)| (copy, twin)).collect()
    }

    /// The steps at which features enter when the residual changes by -`change` a step: the first
    /// one, and those that tie with it, in order.
    pub(super) fn entries(
        &self,
        problem: &Problem<'_>,
        change: &[f64],
        lambda: f64,
    ) -> Result<Vec<(f64, usize)>> {
        let q = problem.n_targets();
        let mut places: Vec<usize> =
            (0..self.found.features.len()).filter(|&i| self.may_enter(self.found.features[i])).collect();
        places.sort_by(|&a, &b| self.found.norms[b].total_cmp(&self.found.norms[a]).then(a.cmp(&b)));
        // No feature gets nearer to the bound than this in a step of 1.
        let fastest = 1.0 + norm(change);
        let mut entries: Vec<(f64, usize)> = Vec::new();
        let mut last = f64::INFINITY;
        for part in places.chunks(CANDIDATES) {
            if self.found.norms[part[0]] < lambda - last * fastest {
                break;
            }
            let features: Vec<usize> = part.iter().map(|&i| self.found.features[i]).collect();
            let changes = problem.data().products_of(&features, change, q)?;
            for ((&place, feature), change) in part.iter().zip(features).zip(changes.chunks_exact(q)) {
                let product = &self.found.products[place * q..(place + 1) * q];
                if let Some(step) = crossing(product, change, lambda).filter(|&step| step <= last) {
                    entries.push((step, feature));
                    last = last.min(step + TIE * lambda);
                }
            }
        }
        entries.retain(|&(step, _)| step <= last);
        entries.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Ok(entries)
    }
}

/// The step δ at which ‖c - δd‖ = λ - δ: the first one ahead for a feature inside the bound, the one
/// just behind for a feature outside it, 0 for one that sits on the bound and is about to cross.
///
/// A near-copy of an active feature sits just inside the bound and moves along it, as its twin does on it. The
/// straight line c - δd leaves a sphere that the path follows, so where a feature is that near and the quadratic term
/// decides, only the first order is believed.
fn crossing(product: &[f64], change: &[f64], lambda: f64) -> Option<f64> {
    // aδ² - 2bδ + c = 0.
    let a = dot(change, change) - 1.0;
    let b = dot(product, change) - lambda;
    let c = dot(product, product) - lambda * lambda;
    if c.abs() <= 2.0 * ENTRY * lambda * lambda {
        return match b {
            b if b <= 0.0 => Some(0.0),
            b if a > 0.0 => Some(2.0 * b / a).filter(|&step| step > 0.01 * lambda),
            _ => None,
        };
    }
    if c < 0.0 && -c <= 1e-4 * lambda * lambda && a > 0.0 && -a * c > 0.01 * b * b {
        return (b < 0.0).then(|| 0.5 * c / b);
    }
    let step = c / (b - (b * b - a * c).max(0.0).sqrt());
    step.is_finite().then_some(step)
}
