//! Newton's method for the squared hinge: a machine to all digits in a few steps.
//!
//! With squared hinge loss the samples inside the margin, S = {i: yᵢwᵀxᵢ < 1}, determine the machine by linear
//! equations (Chapelle 2007), over the samples or over the features, whichever are fewer:
//!
//! ```text
//! w = Σ βᵢxᵢ,  (K_SS + I/2C) β_S = y_S,  β = 0 elsewhere       K_ij = xᵢᵀxⱼ
//! (X_SᵀX_S + I/2C) w = X_Sᵀy_S
//! ```
//!
//! Solving them for the S of the moment is Newton's step on the primal objective, which is convex and piecewise
//! quadratic; going along the step to where the objective is smallest makes every step a descent. When a whole step leaves
//! S as it was, the optimum is reached, after finitely many steps: about ten, where coordinate descent needs thousands of
//! passes on features that nearly repeat each other.
//!
//! Chapelle: Training a support vector machine in the primal, Neural Computation 19, 2007.

use faer::linalg::matmul::matmul;
use faer::linalg::solvers::Solve;
use faer::{Accum, Mat, MatMut, MatRef, Par, Side};

use super::Svm;
use super::descent::{ADVICE, Dual, relative_gap};
use crate::monitor::Monitor;
use crate::solve::problem::dot;
use crate::{Error, Result};

/// Halvings of a step that goes too far.
const HALVINGS: usize = 60;

/// How w is written, and the equations in that writing. The constant feature is included.
pub(super) trait Equations {
    /// w from the samples inside the margin; `None` where the equations cannot be solved.
    fn solve(&self, inside: &[usize], labels: &[f64], ridge: f64) -> Option<Vec<f64>>;
    /// w = Σ βᵢxᵢ.
    fn combine(&self, signed: &[f64]) -> Vec<f64>;
    /// wᵀxᵢ for all samples.
    fn products(&self, w: &[f64]) -> Vec<f64>;
    /// vᵀw; `products` are those of w.
    fn inner(&self, v: &[f64], w: &[f64], products: &[f64]) -> f64;
    /// α of a w that solves the equations.
    fn alphas(&self, at: &Point, labels: &[f64], cost: f64) -> Vec<f64>;
}

/// w by its β; equations over the samples.
pub(super) struct BySamples<'a> {
    pub(super) gram: &'a [f64],
    pub(super) n: usize,
    /// The square of the constant feature.
    pub(super) constant: f64,
}

impl Equations for BySamples<'_> {
    fn solve(&self, inside: &[usize], labels: &[f64], ridge: f64) -> Option<Vec<f64>> {
        let matrix = Mat::from_fn(inside.len(), inside.len(), |a, b| {
            let diagonal = if a == b { ridge } else { 0.0 };
            self.gram[inside[a] * self.n + inside[b]] + self.constant + diagonal
        });
        let mut right = Mat::from_fn(inside.len(), 1, |a, _| labels[inside[a]]);
        matrix.llt(Side::Lower).ok()?.solve_in_place(right.as_mut());
        let mut signed = vec![0.0; self.n];
        inside.iter().enumerate().for_each(|(a, &i)| signed[i] = right[(a, 0)]);
        Some(signed)
    }

    fn combine(&self, signed: &[f64]) -> Vec<f64> {
        signed.to_vec()
    }

    fn products(&self, w: &[f64]) -> Vec<f64> {
        let constant = self.constant * w.iter().sum::<f64>();
        let gram = MatRef::from_row_major_slice(self.gram, self.n, self.n);
        times(gram, w).into_iter().map(|p| p + constant).collect()
    }

    fn inner(&self, v: &[f64], _: &[f64], products: &[f64]) -> f64 {
        dot(v, products)
    }

    /// β itself: 2Cξ would multiply the rounding of the margins by 2C.
    fn alphas(&self, at: &Point, labels: &[f64], _: f64) -> Vec<f64> {
        at.w.iter().zip(labels).map(|(b, y)| (b * y).max(0.0)).collect()
    }
}

/// w by its weights, that of the constant feature last; equations over the features.
pub(super) struct ByFeatures<'a> {
    /// Samples × features, row after row.
    pub(super) values: &'a [f64],
    pub(super) n_features: usize,
    /// The value of the constant feature.
    pub(super) constant: f64,
}

impl ByFeatures<'_> {
    fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.n_features..(i + 1) * self.n_features]
    }
}

impl Equations for ByFeatures<'_> {
    fn solve(&self, inside: &[usize], labels: &[f64], ridge: f64) -> Option<Vec<f64>> {
        let d = self.n_features;
        let value = |a: usize, f: usize| if f < d { self.row(inside[a])[f] } else { self.constant };
        let some = Mat::from_fn(inside.len(), d + 1, value);
        let mut matrix = Mat::from_fn(d + 1, d + 1, |a, b| if a == b { ridge } else { 0.0 });
        matmul(matrix.as_mut(), Accum::Add, some.transpose(), &some, 1.0, Par::Seq);
        let mut right =
            Mat::from_fn(d + 1, 1, |f, _| (0..inside.len()).map(|a| some[(a, f)] * labels[inside[a]]).sum());
        matrix.llt(Side::Lower).ok()?.solve_in_place(right.as_mut());
        Some(right.col(0).iter().copied().collect())
    }

    fn combine(&self, signed: &[f64]) -> Vec<f64> {
        let values = MatRef::from_row_major_slice(self.values, signed.len(), self.n_features);
        let mut w = times(values.transpose(), signed);
        w.push(self.constant * signed.iter().sum::<f64>());
        w
    }

    fn products(&self, w: &[f64]) -> Vec<f64> {
        let d = self.n_features;
        let values = MatRef::from_row_major_slice(self.values, self.values.len() / d, d);
        times(values, &w[..d]).into_iter().map(|p| p + w[d] * self.constant).collect()
    }

    fn inner(&self, v: &[f64], w: &[f64], _: &[f64]) -> f64 {
        dot(v, w)
    }

    /// 2Cξ.
    fn alphas(&self, at: &Point, _: &[f64], cost: f64) -> Vec<f64> {
        at.margins.iter().map(|m| 2.0 * cost * (1.0 - m).max(0.0)).collect()
    }
}

/// A machine as the equations write it, and its certificate.
pub(super) struct Solution {
    pub(super) w: Vec<f64>,
    pub(super) dual: Dual,
}

/// The machine for the squared hinge, from the α of a solution nearby where one is known.
pub(super) fn train(
    svm: &Svm,
    equations: &impl Equations,
    labels: &[f64],
    start: Option<&[f64]>,
    monitor: &dyn Monitor,
) -> Result<Solution> {
    let from = |signed: &[f64]| Point::new(equations, labels, svm.cost, equations.combine(signed));
    let zero = vec![0.0; labels.len()];
    // Of a start without samples inside the margin the equations would know nothing.
    let mut at = match start.map(|alphas| alphas.iter().zip(labels).map(|(a, y)| a * y).collect::<Vec<f64>>())
    {
        Some(signed) => Some(from(&signed)).filter(|p| !p.inside().is_empty()).unwrap_or_else(|| from(&zero)),
        None => from(&zero),
    };
    let mut passes = 0;
    let mut settled = false;
    while passes < svm.max_passes && !settled {
        passes += 1;
        if monitor.update("linear SVM", passes, 0).is_break() {
            return Err(Error::Canceled);
        }
        let inside = at.inside();
        let Some(w) = equations.solve(&inside, labels, 0.5 / svm.cost) else { break };
        let whole = Point::new(equations, labels, svm.cost, w);
        if !whole.objective.is_finite() {
            break;
        }
        let next = match whole.slope_from(&at, equations, svm.cost) {
            slope if slope <= 0.0 => whole,
            _ => at.toward(&whole, equations, labels, svm.cost),
        };
        // Samples that rounding moves in and out of the margin change nothing any more.
        settled = next.inside() == inside || next.objective >= at.objective;
        if next.objective <= at.objective {
            at = next;
        }
    }
    let alphas = equations.alphas(&at, labels, svm.cost);
    let gap = at.gap(equations, labels, svm.cost, &alphas);
    if gap <= svm.gap {
        let dual = Dual { alphas, objective: at.objective, gap, passes };
        return Ok(Solution { w: at.w, dual });
    }
    Err(Error::NotConverged {
        what: "the linear SVM",
        iterations: passes,
        residual: gap,
        tolerance: svm.gap,
        advice: ADVICE,
    })
}

/// A w with what it says to every sample.
pub(super) struct Point {
    w: Vec<f64>,
    products: Vec<f64>,
    /// yᵢwᵀxᵢ.
    margins: Vec<f64>,
    /// ½‖w‖² + C Σ ξ².
    objective: f64,
}

impl Point {
    fn new(equations: &impl Equations, labels: &[f64], cost: f64, w: Vec<f64>) -> Point {
        let products = equations.products(&w);
        let margins: Vec<f64> = products.iter().zip(labels).map(|(p, y)| p * y).collect();
        let loss: f64 = margins.iter().map(|m| (1.0 - m).max(0.0).powi(2)).sum();
        let objective = 0.5 * equations.inner(&w, &w, &products) + cost * loss;
        Point { w, products, margins, objective }
    }

    fn inside(&self) -> Vec<usize> {
        (0..self.margins.len()).filter(|&i| self.margins[i] < 1.0).collect()
    }

    /// The slope of the objective here on the way from `before`.
    fn slope_from(&self, before: &Point, equations: &impl Equations, cost: f64) -> f64 {
        let square = equations.inner(&self.w, &self.w, &self.products);
        let crossed = equations.inner(&before.w, &self.w, &self.products);
        let losses = self.margins.iter().zip(&before.margins);
        let loss: f64 = losses.map(|(here, there)| (1.0 - here).max(0.0) * (here - there)).sum();
        square - crossed - 2.0 * cost * loss
    }

    /// The point between here and `there` at which the objective is smallest: the slope grows along
    /// the way, so halving finds where it is zero.
    fn toward(&self, there: &Point, equations: &impl Equations, labels: &[f64], cost: f64) -> Point {
        let (here_square, crossed, there_square) = (
            equations.inner(&self.w, &self.w, &self.products),
            equations.inner(&self.w, &there.w, &there.products),
            equations.inner(&there.w, &there.w, &there.products),
        );
        let slope = |t: f64| {
            let square = t * there_square + (1.0 - 2.0 * t) * crossed - (1.0 - t) * here_square;
            let losses = self.margins.iter().zip(&there.margins);
            let loss: f64 = losses.map(|(a, b)| (1.0 - a - t * (b - a)).max(0.0) * (b - a)).sum();
            square - 2.0 * cost * loss
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if slope(middle) > 0.0 { high = middle } else { low = middle }
        }
        let w = self.w.iter().zip(&there.w).map(|(a, b)| a + low * (b - a)).collect();
        Point::new(equations, labels, cost, w)
    }

    /// The duality gap between this w and `alphas`, divided by the objective.
    fn gap(&self, equations: &impl Equations, labels: &[f64], cost: f64, alphas: &[f64]) -> f64 {
        let signed: Vec<f64> = alphas.iter().zip(labels).map(|(a, y)| a * y).collect();
        let w = equations.combine(&signed);
        let square = equations.inner(&w, &w, &equations.products(&w));
        let linear: f64 = alphas.iter().map(|a| a - 0.25 / cost * a * a).sum();
        relative_gap(self.objective, linear - 0.5 * square)
    }
}

fn times(matrix: MatRef<'_, f64>, vector: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; matrix.nrows()];
    matmul(
        MatMut::from_column_major_slice_mut(&mut product, matrix.nrows(), 1),
        Accum::Replace,
        matrix,
        MatRef::from_column_major_slice(vector, vector.len(), 1),
        1.0,
        Par::Seq,
    );
    product
}

/// xᵢᵀyⱼ of rows of `d` features, row after row.
pub(crate) fn inner_products(left: &[f64], right: &[f64], d: usize) -> Vec<f64> {
    let (a, b) = (left.len() / d, right.len() / d);
    let mut products = vec![0.0; a * b];
    matmul(
        MatMut::from_row_major_slice_mut(&mut products, a, b),
        Accum::Replace,
        MatRef::from_row_major_slice(left, a, d),
        MatRef::from_row_major_slice(right, b, d).transpose(),
        1.0,
        Par::Seq,
    );
    products
}
