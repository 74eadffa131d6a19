//! The small problem on the working set, at one λ: Newton where it works, block coordinate descent
//! where it does not.
//!
//! Newton's method ([`Curvature`]) converges in a few steps once it is known which rows are zero,
//! but knows nothing of rows that become zero or stop being so. Sweeps of exact row updates do:
//! with z = C_i - Σ_{k≠i} G_ik wᵏ the best row is
//! ```text
//! wⁱ = (1 - λ/‖z‖)₊ z / G_ii
//! ```
//! So the two take turns. Every Newton step must lower the objective, or halve the violation of the
//! optimality conditions. One that would turn a row round goes to where the first row turns and
//! makes it zero, as LARS drops a variable. Between columns that are nearly equal,
//! sweeps move weights by a tiny share at a time, and it is these steps that decide which of them keeps its weights.
//! Where a step does not help, a few sweeps follow; they always converge (Tseng 2001), and let rows in again.

use super::curvature::Curvature;
use super::problem::{dot, largest, norm};
use super::working::WorkingSet;
use crate::Result;

/// Sweeps after Newton steps that were not enough; doubled, up to the most, when the round before did not help.
const FIRST_SWEEPS: usize = 5;
const MOST_SWEEPS: usize = 640;
/// Rounds of Newton and sweeps.
const MAX_ROUNDS: usize = 40;
/// Rounds in a row that do not halve the violation before what there is must do; none, where rounding may be all that is
/// in the way.
const MAX_STALE: usize = 9;
const NEAR_ENOUGH: f64 = 100.0;
/// Newton steps in a row, besides those that drop a row.
const MAX_STEPS: usize = 30;
/// A step that lowers the violation by this factor keeps its factors for the next step.
const KEEP: f64 = 0.1;

/// The small problem at one λ.
pub(super) struct Inner<'a> {
    set: &'a mut WorkingSet,
    lambda: f64,
    tolerance: f64,
    n_targets: usize,
    /// X_AᵀR.
    products: Vec<f64>,
    /// Newton steps made and sweeps made.
    pub(super) work: usize,
}

/// Where a Newton step led.
struct Reached {
    /// The violation on the support.
    violation: f64,
    /// Whether a row turned, so that the factors are of no more use.
    turned: bool,
}

impl<'a> Inner<'a> {
    pub(super) fn new(set: &'a mut WorkingSet, n_targets: usize, lambda: f64, tolerance: f64) -> Self {
        let products = set.products();
        Inner { set, lambda, tolerance, n_targets, products, work: 0 }
    }

    /// Solves until every row meets the optimality conditions to `tolerance`·λ, or gives up.
    /// `curvature` are factors of a nearby point, if there are any; `ask` is asked every round whether to
    /// go on. Answers the violation left, relative to λ.
    pub(super) fn run(
        &mut self,
        mut curvature: Option<Curvature>,
        ask: &dyn Fn() -> Result<()>,
    ) -> Result<f64> {
        let (mut sweeps, mut stale, mut best) = (FIRST_SWEEPS, 0, f64::INFINITY);
        for _ in 0..MAX_ROUNDS {
            ask()?;
            self.newton(curvature.take());
            let violation = self.violation();
            (stale, sweeps) =
                if violation <= 0.5 * best { (0, FIRST_SWEEPS) } else { (stale + 1, 2 * sweeps) };
            let patience = if violation <= NEAR_ENOUGH * self.tolerance { 0 } else { MAX_STALE };
            if violation <= self.tolerance || stale > patience {
                return Ok(violation);
            }
            best = best.min(violation);
            for _ in 0..sweeps.min(MOST_SWEEPS) {
                if self.sweep() <= 0.1 * self.tolerance {
                    break;
                }
            }
            // Updates accumulate rounding; the next steps begin from exact products.
            self.products = self.set.products();
        }
        Ok(self.violation())
    }

    /// How far the rows are from optimal, relative to λ: ‖f_iᵀR - λuᵢ‖ where the row is not
    /// zero, ‖f_iᵀR‖ - λ where it is.
    fn violation(&self) -> f64 {
        self.worst(|_| true)
    }

    fn support_violation(&self) -> f64 {
        self.worst(|w| w.iter().any(|&w| w != 0.0))
    }

    fn worst(&self, counts: impl Fn(&[f64]) -> bool) -> f64 {
        let q = self.n_targets;
        let rows = self.set.weights.chunks_exact(q).zip(self.products.chunks_exact(q));
        let rows = rows.filter(|(w, _)| counts(w));
        largest(rows.map(|(w, c)| row_violation(w, c, self.lambda))) / self.lambda
    }

    /// Newton steps on the rows that are not zero, until they are optimal or a step fails.
    fn newton(&mut self, mut curvature: Option<Curvature>) {
        let mut last = self.support_violation();
        for _ in 0..MAX_STEPS + self.set.len() {
            if last <= self.tolerance {
                return;
            }
            let older = curvature.is_some();
            let Some(factors) =
                curvature.take().or_else(|| Curvature::new(self.set, self.n_targets, self.lambda))
            else {
                return;
            };
            let step = factors.solve(&self.gradient(&factors.support));
            self.work += 1;
            match self.try_step(&factors.support, &step, last) {
                Some(reached) => {
                    let keep = !reached.turned && reached.violation <= KEEP * last;
                    curvature = keep.then_some(factors);
                    last = reached.violation;
                }
                // Factors of another point may be to blame.
                None if older => {}
                None => return,
            }
        }
    }

    /// f_iᵀR - λuᵢ of the rows of the support: minus the gradient.
    fn gradient(&self, support: &[usize]) -> Vec<f64> {
        let q = self.n_targets;
        let mut out = Vec::with_capacity(support.len() * q);
        for &place in support {
            let row = self.set.row(place);
            let scale = self.lambda / norm(row);
            out.extend(
                row.iter().zip(&self.products[place * q..(place + 1) * q]).map(|(w, c)| c - scale * w),
            );
        }
        out
    }

    /// Goes along `step`, or to where the first row turns, or a part of that, if it helps.
    fn try_step(&mut self, support: &[usize], step: &[f64], last: f64) -> Option<Reached> {
        let q = self.n_targets;
        let (weights, products) = (self.set.weights.clone(), self.products.clone());
        let turns: Vec<f64> =
            support.iter().zip(step.chunks_exact(q)).map(|(&i, s)| turn(self.set.row(i), s)).collect();
        let first = turns.iter().copied().fold(f64::INFINITY, f64::min);
        for part in [1.0, 0.5, 0.25] {
            let length = part * first.min(1.0);
            for (&place, step) in support.iter().zip(step.chunks_exact(q)) {
                self.set.row_mut(place).iter_mut().zip(step).for_each(|(w, s)| *w += length * s);
            }
            let turned = length >= first;
            if turned {
                let at = support.iter().zip(&turns).filter(|(_, t)| **t <= first * (1.0 + 1e-9));
                at.for_each(|(&place, _)| self.set.row_mut(place).fill(0.0));
            }
            self.products = self.set.products();
            let violation = self.support_violation();
            if (!turned && violation <= 0.5 * last) || self.change_from(&weights, &products) < 0.0 {
                return Some(Reached { violation, turned });
            }
            self.set.weights.copy_from_slice(&weights);
        }
        self.products = products;
        None
    }

    /// How much the objective changed since the weights and products were these, computed from the differences:
    /// between nearly equal columns weights may move far and the objective little.
    fn change_from(&self, weights: &[f64], products: &[f64]) -> f64 {
        let q = self.n_targets;
        let rows = self.set.weights.chunks_exact(q).zip(weights.chunks_exact(q));
        let products = self.products.chunks_exact(q).zip(products.chunks_exact(q));
        let mut change = 0.0;
        for ((new, old), (c_new, c_old)) in rows.zip(products) {
            let (mut longer, mut fit) = (0.0, 0.0);
            for l in 0..q {
                let moved = new[l] - old[l];
                longer += moved * (new[l] + old[l]);
                fit += moved * (c_new[l] + c_old[l]);
            }
            if longer != 0.0 || fit != 0.0 {
                change += self.lambda * longer / (norm(new) + norm(old)) - 0.5 * fit;
            }
        }
        change
    }

    /// One exact update of every row; answers the largest change, relative to λ.
    fn sweep(&mut self) -> f64 {
        let moved = largest((0..self.set.len()).map(|i| self.update_row(i)));
        self.work += 1;
        moved / self.lambda
    }

    /// Gives a row the best weights, the others as they are; answers how far it moved.
    fn update_row(&mut self, i: usize) -> f64 {
        let q = self.n_targets;
        let own = self.set.gram[(i, i)];
        let (row, product) = (self.set.row(i), &self.products[i * q..(i + 1) * q]);
        let best: Vec<f64> = row.iter().zip(product).map(|(w, c)| c + own * w).collect();
        let shrink = (1.0 - self.lambda / norm(&best)).max(0.0) / own;
        let change: Vec<f64> = best.iter().zip(row).map(|(z, w)| shrink * z - w).collect();
        let moved = norm(&change);
        if moved == 0.0 {
            return 0.0;
        }
        self.set.row_mut(i).iter_mut().zip(&change).for_each(|(w, d)| *w += d);
        if shrink == 0.0 {
            // Exactly zero, not zero to rounding.
            self.set.row_mut(i).fill(0.0);
        }
        let gram = self.set.gram.col_as_slice(i);
        for (c, g) in self.products.chunks_exact_mut(q).zip(gram) {
            c.iter_mut().zip(&change).for_each(|(c, d)| *c -= g * d);
        }
        moved
    }
}

/// The part of a step at which a row has turned by a right angle, infinite where it never does.
fn turn(row: &[f64], step: &[f64]) -> f64 {
    let toward = -dot(row, step);
    if toward > 0.0 { dot(row, row) / toward } else { f64::INFINITY }
}

fn row_violation(weights: &[f64], products: &[f64], lambda: f64) -> f64 {
    let length = norm(weights);
    if length == 0.0 {
        return norm(products) - lambda;
    }
    let scale = lambda / length;
    weights.iter().zip(products).map(|(w, c)| (c - scale * w).powi(2)).sum::<f64>().sqrt()
}
