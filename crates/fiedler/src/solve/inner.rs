//! The small problem on the working set, at one λ: Newton where it works, block coordinate descent
//! where it does not.
//!
//! Newton's method ([`Curvature`]) converges in a few steps once it is known which rows are zero,
//! but knows nothing of rows that become zero or stop being so. Sweeps of exact row updates do:
//! with z = C_i - Σ_{k≠i} G_ik wᵏ the best row is
//! ```text
//! wⁱ = (1 - λ/‖z‖)₊ z / G_ii
//! ```
//! So the two take turns. Every Newton step must lower the objective or halve the violation of the
//! optimality conditions and may not carry a row through zero; otherwise a few sweeps follow, and
//! they always converge (Tseng 2001).

use super::curvature::Curvature;
use super::problem::{dot, norm};
use super::working::WorkingSet;

/// Sweeps after a Newton step failed the first time; doubled every time.
const FIRST_SWEEPS: usize = 5;
/// Rounds of Newton and sweeps. The last ones take thousands of sweeps each.
const MAX_ROUNDS: usize = 14;
/// Newton steps in a row.
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

impl<'a> Inner<'a> {
    pub(super) fn new(set: &'a mut WorkingSet, n_targets: usize, lambda: f64, tolerance: f64) -> Self {
        let products = set.products();
        Inner { set, lambda, tolerance, n_targets, products, work: 0 }
    }

    /// Solves until every row meets the optimality conditions to `tolerance`·λ, or gives up.
    /// `curvature` are factors of a nearby point, if there are any. Answers the violation left,
    /// relative to λ.
    pub(super) fn run(&mut self, mut curvature: Option<Curvature>) -> f64 {
        let mut sweeps = FIRST_SWEEPS;
        let mut violation = f64::INFINITY;
        for _ in 0..MAX_ROUNDS {
            self.newton(curvature.take());
            violation = self.violation();
            if violation <= self.tolerance {
                break;
            }
            for _ in 0..sweeps {
                if self.sweep() <= 0.1 * self.tolerance {
                    break;
                }
            }
            // Updates accumulate rounding; the next steps begin from exact products.
            self.products = self.set.products();
            sweeps *= 2;
        }
        violation
    }

    /// How far the rows are from optimal, relative to λ: ‖f_iᵀR - λuᵢ‖ where the row is not
    /// zero, ‖f_iᵀR‖ - λ where it is.
    fn violation(&self) -> f64 {
        let q = self.n_targets;
        let rows = self.set.weights.chunks_exact(q).zip(self.products.chunks_exact(q));
        let worst = rows.map(|(w, c)| row_violation(w, c, self.lambda)).fold(0.0, f64::max);
        worst / self.lambda
    }

    /// Newton steps on the rows that are not zero, until they are optimal or a step fails.
    fn newton(&mut self, mut curvature: Option<Curvature>) {
        let mut last = self.support_violation();
        for _ in 0..MAX_STEPS {
            if last <= self.tolerance {
                return;
            }
            let Some(factors) =
                curvature.take().or_else(|| Curvature::new(self.set, self.n_targets, self.lambda))
            else {
                return;
            };
            let step = factors.solve(&self.gradient(&factors.support));
            self.work += 1;
            let Some(reached) = self.try_step(&factors.support, &step, last) else {
                return;
            };
            if reached <= KEEP * last {
                curvature = Some(factors);
            }
            last = reached;
        }
    }

    fn support_violation(&self) -> f64 {
        let q = self.n_targets;
        let rows = self.set.weights.chunks_exact(q).zip(self.products.chunks_exact(q));
        let live = rows.filter(|(w, _)| w.iter().any(|&w| w != 0.0));
        live.map(|(w, c)| row_violation(w, c, self.lambda)).fold(0.0, f64::max) / self.lambda
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

    /// Goes along `step`, or a part of it, if that helps; answers the violation reached.
    fn try_step(&mut self, support: &[usize], step: &[f64], last: f64) -> Option<f64> {
        let q = self.n_targets;
        let objective = self.objective();
        let (weights, products) = (self.set.weights.clone(), self.products.clone());
        for length in [1.0, 0.5, 0.25] {
            let mut turned = false;
            for (&place, step) in support.iter().zip(step.chunks_exact(q)) {
                let old = &weights[place * q..(place + 1) * q];
                let row = self.set.row_mut(place);
                row.iter_mut().zip(old).zip(step).for_each(|((w, old), s)| *w = old + length * s);
                turned |= dot(row, old) <= 0.0;
            }
            if !turned {
                self.products = self.set.products();
                let reached = self.support_violation();
                if reached <= 0.5 * last || (reached.is_finite() && self.objective() < objective) {
                    return Some(reached);
                }
            }
            self.set.weights.copy_from_slice(&weights);
        }
        self.products = products;
        None
    }

    /// The objective less ½‖Y‖²: -½⟨W, C + X_AᵀR⟩ + λ Σ‖wⁱ‖.
    fn objective(&self) -> f64 {
        let fit = dot(&self.set.weights, &self.set.target_products) + dot(&self.set.weights, &self.products);
        self.lambda * self.set.row_norms().iter().sum::<f64>() - 0.5 * fit
    }

    /// One exact update of every row; answers the largest change, relative to λ.
    fn sweep(&mut self) -> f64 {
        let q = self.n_targets;
        let mut largest: f64 = 0.0;
        let mut change = vec![0.0; q];
        for i in 0..self.set.len() {
            let own = self.set.gram[(i, i)];
            let (row, product) = (self.set.row(i), &self.products[i * q..(i + 1) * q]);
            // z, first in place of the change.
            change.iter_mut().zip(row).zip(product).for_each(|((z, w), c)| *z = c + own * w);
            let shrink = (1.0 - self.lambda / norm(&change)).max(0.0) / own;
            change.iter_mut().zip(row).for_each(|(z, w)| *z = shrink * *z - w);
            let moved = norm(&change);
            if moved == 0.0 {
                continue;
            }
            largest = largest.max(moved);
            self.set.row_mut(i).iter_mut().zip(&change).for_each(|(w, d)| *w += d);
            if shrink == 0.0 {
                // Exactly zero, not zero to rounding.
                self.set.row_mut(i).fill(0.0);
            }
            let gram = self.set.gram.col_as_slice(i);
            for (c, g) in self.products.chunks_exact_mut(q).zip(gram) {
                c.iter_mut().zip(&change).for_each(|(c, d)| *c -= g * d);
            }
        }
        self.work += 1;
        largest / self.lambda
    }
}

fn row_violation(weights: &[f64], products: &[f64], lambda: f64) -> f64 {
    let length = norm(weights);
    if length == 0.0 {
        return norm(products) - lambda;
    }
    let scale = lambda / length;
    weights.iter().zip(products).map(|(w, c)| (c - scale * w).powi(2)).sum::<f64>().sqrt()
}
