//! One λ by Nesterov's method on all features at once (FISTA; Beck & Teboulle 2009).
//!
//! The method that DIS 4.3.3 compares its path with. Every step multiplies all features with the
//! residual, so it is the slower solver wherever few features are active; it is here as the
//! yardstick, and because it shares nothing with [`solve`](super::solve) but the problem.
//!
//! The step 1/L comes from backtracking (L = 1 for orthogonal columns, doubled as needed), and the
//! momentum starts afresh when it points uphill (O'Donoghue & Candès 2015).

use super::problem::{Problem, add_combination, largest, norm, square};
use super::solver::{Options, Solution, not_converged};
use crate::monitor::Monitor;
use crate::{Error, Result};

/// Steps between two looks at the duality gap.
const LOOK: usize = 10;
/// Columns that are unpacked at a time.
const CHUNK: usize = 64;

/// The solution at one λ by Nesterov's method.
///
/// # Errors
/// As [`solve`](super::solve); `max_iterations` counts steps.
pub fn fista(
    problem: &Problem<'_>,
    lambda: f64,
    options: &Options,
    monitor: &dyn Monitor,
) -> Result<Solution> {
    options.check()?;
    if !(lambda > 0.0 && lambda.is_finite()) {
        return Err(Error::parameter("lambda", "a number above 0", lambda));
    }
    let mut state = State::new(problem);
    for iteration in 0..options.max_iterations {
        if iteration % LOOK == 0 {
            let solution = state.certify(lambda, iteration)?;
            if solution.gap <= options.gap {
                return Ok(solution);
            }
            if monitor.update("fista", iteration, 0).is_break() {
                return Err(Error::Canceled);
            }
        }
        state.step(lambda)?;
    }
    let last = state.certify(lambda, options.max_iterations)?;
    if last.gap <= options.gap {
        Ok(last)
    } else {
        Err(not_converged(*options, options.max_iterations, last.gap))
    }
}

/// A point W with its image XW.
#[derive(Clone)]
struct Point {
    weights: Vec<f64>,
    image: Vec<f64>,
}

struct State<'a> {
    problem: &'a Problem<'a>,
    features: Vec<usize>,
    current: Point,
    /// The extrapolated point, at which gradients are taken.
    ahead: Point,
    momentum: f64,
    lipschitz: f64,
}

impl<'a> State<'a> {
    fn new(problem: &'a Problem<'a>) -> Self {
        let features: Vec<usize> = (0..problem.data().n_features()).filter(|&j| problem.usable(j)).collect();
        let zero = Point {
            weights: vec![0.0; features.len() * problem.n_targets()],
            image: vec![0.0; problem.targets().len()],
        };
        State { problem, features, current: zero.clone(), ahead: zero, momentum: 1.0, lipschitz: 1.0 }
    }

    fn step(&mut self, lambda: f64) -> Result<()> {
        let descent = self.problem.products(&self.features, &self.residual(&self.ahead))?;
        let next = loop {
            let next = self.proximal(&descent, lambda)?;
            let (moved, stretched) =
                (distance(&next.weights, &self.ahead.weights), distance(&next.image, &self.ahead.image));
            // ½‖XΔ‖² ≤ L/2 ‖Δ‖² is what makes the step a descent. It holds for L = ‖X‖²_F, the number of columns,
            // whatever the rounding in the difference of two images says; and near the end that is all it says.
            let rounding = (8.0 * f64::EPSILON).powi(2) * square(&next.image);
            let enough = self.features.len() as f64;
            if stretched <= self.lipschitz * moved * (1.0 + 1e-12) + rounding || self.lipschitz >= enough {
                break next;
            }
            self.lipschitz = (2.0 * self.lipschitz).min(enough);
        };
        let uphill: f64 = (0..next.weights.len())
            .map(|i| (self.ahead.weights[i] - next.weights[i]) * (next.weights[i] - self.current.weights[i]))
            .sum();
        let momentum = (1.0 + (1.0 + 4.0 * self.momentum * self.momentum).sqrt()) / 2.0;
        let pull = if uphill > 0.0 { 0.0 } else { (self.momentum - 1.0) / momentum };
        self.momentum = if uphill > 0.0 { 1.0 } else { momentum };
        self.ahead = Point {
            weights: extrapolate(&next.weights, &self.current.weights, pull),
            image: extrapolate(&next.image, &self.current.image, pull),
        };
        self.current = next;
        Ok(())
    }

    /// The step from the point ahead, rows shrunk by λ/L.
    fn proximal(&self, descent: &[f64], lambda: f64) -> Result<Point> {
        let q = self.problem.n_targets();
        let step = 1.0 / self.lipschitz;
        let mut weights: Vec<f64> =
            self.ahead.weights.iter().zip(descent).map(|(w, d)| w + step * d).collect();
        for row in weights.chunks_exact_mut(q) {
            let keep = (1.0 - step * lambda / norm(row)).max(0.0);
            row.iter_mut().for_each(|w| *w = if keep > 0.0 { *w * keep } else { 0.0 });
        }
        let image = self.image(&weights)?;
        Ok(Point { weights, image })
    }

    /// XW, from the rows that are not zero.
    fn image(&self, weights: &[f64]) -> Result<Vec<f64>> {
        let q = self.problem.n_targets();
        let live: Vec<usize> = (0..self.features.len())
            .filter(|&i| weights[i * q..(i + 1) * q].iter().any(|&w| w != 0.0))
            .collect();
        let mut image = vec![0.0; self.problem.targets().len()];
        for part in live.chunks(CHUNK) {
            let features: Vec<usize> = part.iter().map(|&i| self.features[i]).collect();
            let rows: Vec<f64> =
                part.iter().flat_map(|&i| weights[i * q..(i + 1) * q].iter().copied()).collect();
            add_combination(&self.problem.data().unit_columns(&features)?, &rows, q, 1.0, &mut image);
        }
        Ok(image)
    }

    fn residual(&self, point: &Point) -> Vec<f64> {
        self.problem.targets().iter().zip(&point.image).map(|(y, x)| y - x).collect()
    }

    fn certify(&self, lambda: f64, iterations: usize) -> Result<Solution> {
        let q = self.problem.n_targets();
        let residual = self.residual(&self.current);
        let products = self.problem.products(&self.features, &residual)?;
        let highest = largest(products.chunks_exact(q).map(norm));
        let rows = || self.current.weights.chunks_exact(q).zip(&self.features).filter(|(w, _)| norm(w) > 0.0);
        let active = rows().map(|(_, &j)| j).collect();
        let weights = rows().flat_map(|(w, _)| w.iter().copied()).collect();
        let solution = Solution::certified(self.problem, lambda, (active, weights), &residual, highest);
        Ok(Solution { iterations, ..solution })
    }
}

fn extrapolate(next: &[f64], last: &[f64], pull: f64) -> Vec<f64> {
    next.iter().zip(last).map(|(n, l)| n + pull * (n - l)).collect()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
