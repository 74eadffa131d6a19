//! Linear support vector machines, by Newton's method where that is small and by descent over the coordinates of the dual.
//!
//! # Formula
//! ```text
//! min_w  ½‖w‖² + C Σᵢ ξᵢ^p,   ξᵢ = max(0, 1 - yᵢ wᵀxᵢ),   p = 1 or 2
//! ```
//! for samples xᵢ with yᵢ = ±1. The bias is the weight of one more feature that is the same for all samples, and is
//! therefore regularized too. The dual has one number 0 ≤ αᵢ ≤ U a sample, and w = Σ αᵢyᵢxᵢ:
//! ```text
//! min_α  ½αᵀ(Q + κI)α - Σ αᵢ,   Q_ij = yᵢyⱼxᵢᵀxⱼ;   p = 1: U = C, κ = 0;   p = 2: U = ∞, κ = 1/2C
//! ```
//! One coordinate is minimized exactly while w is kept up to date (Hsieh et al. 2008, Algorithm 3): the samples
//! go by in random order, and those that stay at a bound are left out of the following passes.
//!
//! With squared hinge loss the machine is found by Newton's method instead (Chapelle 2007), a few systems of linear equations,
//! and exact: on dense samples where the equations are few, and always on inner products, from where descent ends if the
//! samples are many.
//!
//! # Stopping
//! The two objectives bound the optimum from both sides. Their difference, the *duality gap*, relative to the primal
//! objective, ends the descent and comes with every [`Machine`]; where it is not reached the answer is
//! [`Error::NotConverged`] and no machine. Newton's method goes on to the optimum itself and is held to the same gap.
//!
//! # Cost
//! A pass is O(non-zeros), or O(n²) at most when the inner products of the samples are at hand. A step of Newton's
//! method is O(s³ + nd·s) with s the smaller of samples and features; about ten are needed.
//!
//! # When it fails
//! Features in very different units or a large C make the dual ill-conditioned, and passes many. Scale first.
//!
//! # References
//! Hsieh, Chang, Lin, Keerthi & Sundararajan: A dual coordinate descent method for large-scale linear SVM, ICML 2008.
//! Chapelle: Training a support vector machine in the primal, Neural Computation 19, 2007.

mod descent;
mod newton;
mod rows;

use rayon::prelude::*;

use crate::monitor::Monitor;
use crate::{Error, Result};
pub use descent::Dual;
use descent::{Descent, Gram, Primal};
pub(crate) use newton::inner_products;
use newton::{ByFeatures, BySamples, Equations};
pub use rows::Rows;

/// Newton's method on samples solves systems up to this size,
const NEWTON_LARGEST: usize = 1000;
/// and where a step costs at most so many products.
const NEWTON_DEAREST: f64 = 1e10;

/// How a sample on the wrong side of its margin is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Loss {
    /// ξ: the hinge. Few samples carry the machine.
    Hinge,
    /// ξ²: smoother, and easier to solve.
    #[default]
    SquaredHinge,
}

/// A linear SVM: what to minimize and when to stop.
///
/// ```
/// use fiedler::{Silent, solve::svm::{Rows, Svm}};
///
/// // Four samples of two features; the first feature tells the classes apart.
/// let values = [2.0, 0.3, 1.0, -0.2, -1.0, 0.1, -3.0, 0.2];
/// let rows = Rows::dense(&values, 2)?;
/// let machine = Svm::default().fit(&rows, &[1.0, 1.0, -1.0, -1.0], &Silent)?;
/// assert!(machine.weights[0] > 2.0 * machine.weights[1].abs());
/// assert!(machine.decide(&[1.5, 0.0]) > 0.0 && machine.gap <= 1e-3);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Svm {
    /// C, the price of a sample on the wrong side, against a small w.
    pub cost: f64,
    /// How it is charged.
    pub loss: Loss,
    /// The value of the feature that is the same for all samples; 0: no bias.
    pub bias: f64,
    /// The duality gap, relative to the objective, at which a machine is good enough.
    pub gap: f64,
    /// Passes over the samples, or steps of Newton's method, before an error.
    pub max_passes: usize,
    /// Seed of the order in which samples go by.
    pub seed: u64,
}

impl Default for Svm {
    fn default() -> Self {
        Svm { cost: 1.0, loss: Loss::default(), bias: 1.0, gap: 1e-3, max_passes: 20_000, seed: 0 }
    }
}

/// A trained machine with its certificate.
#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    /// w, one weight a feature.
    pub weights: Vec<f64>,
    /// b: the decision is the sign of wᵀx + b.
    pub bias: f64,
    /// α, one number a sample; not 0 for the support vectors.
    pub alphas: Vec<f64>,
    /// ½(‖w‖² + (b/bias)²) + C Σ ξ^p.
    pub objective: f64,
    /// The duality gap, divided by the objective: no w has an objective smaller than
    /// `objective`·(1 - `gap`).
    pub gap: f64,
    /// Passes over the samples, or steps of Newton's method.
    pub passes: usize,
}

impl Machine {
    /// wᵀx + b: above 0 for the class +1.
    pub fn decide(&self, sample: &[f64]) -> f64 {
        self.weights.iter().zip(sample).map(|(w, x)| w * x).sum::<f64>() + self.bias
    }
}

/// One machine a class, that class against all others; for two classes a single one, positive
/// for the second.
#[derive(Debug, Clone, PartialEq)]
pub struct Machines {
    /// The machines.
    pub machines: Vec<Machine>,
}

impl Machines {
    /// The class of a sample: the one whose machine says yes loudest, the first where two tie.
    pub fn predict(&self, sample: &[f64]) -> usize {
        winner(self.machines.iter().map(|m| m.decide(sample)))
    }

    /// The machine that speaks for each class, with the sign in which it does.
    pub fn of_class(&self, class: usize) -> (&Machine, f64) {
        match (&self.machines[..], class) {
            ([one], 0) => (one, -1.0),
            ([one], _) => (one, 1.0),
            (all, class) => (&all[class], 1.0),
        }
    }
}

impl Svm {
    /// Trains on samples with labels +1 and -1.
    ///
    /// # Errors
    /// A parameter or label is out of range, lengths differ, the gap is not reached
    /// ([`Error::NotConverged`]), or the monitor says stop.
    pub fn fit(&self, rows: &Rows<'_>, labels: &[f64], monitor: &dyn Monitor) -> Result<Machine> {
        self.check(labels, rows.n_samples())?;
        if let (Loss::SquaredHinge, Some(values)) = (self.loss, rows.as_dense())
            && newton_pays(rows.n_samples(), rows.n_features())
        {
            return self.fit_dense(values, rows.n_features(), labels, monitor);
        }
        let mut primal = Primal::new(rows, self.bias);
        let fit = Descent::new(self, labels, None).run(&mut primal, monitor)?;
        let (weights, bias) = primal.into_weights();
        let Dual { alphas, objective, gap, passes } = fit;
        Ok(Machine { weights, bias, alphas, objective, gap, passes })
    }

    /// By Newton's method, over the features or over the samples.
    fn fit_dense(&self, values: &[f64], d: usize, labels: &[f64], monitor: &dyn Monitor) -> Result<Machine> {
        let n = labels.len();
        let (mut weights, dual) = if d <= n {
            let equations = ByFeatures { values, n_features: d, constant: self.bias };
            let solution = newton::train(self, &equations, labels, None, monitor)?;
            (solution.w, solution.dual)
        } else {
            let gram = inner_products(values, values, d);
            let equations = BySamples { gram: &gram, n, constant: self.bias * self.bias };
            let solution = newton::train(self, &equations, labels, None, monitor)?;
            let features = ByFeatures { values, n_features: d, constant: self.bias };
            (features.combine(&solution.w), solution.dual)
        };
        let bias = weights.pop().unwrap_or(0.0) * self.bias;
        let Dual { alphas, objective, gap, passes } = dual;
        Ok(Machine { weights, bias, alphas, objective, gap, passes })
    }

    /// One machine a class, side by side; `classes` are numbers below `n_classes`.
    ///
    /// # Errors
    /// As [`fit`](Self::fit), or fewer than two classes.
    pub fn fit_classes(
        &self,
        rows: &Rows<'_>,
        classes: &[u32],
        n_classes: usize,
        monitor: &dyn Monitor,
    ) -> Result<Machines> {
        if n_classes < 2 || classes.iter().any(|&c| c as usize >= n_classes) {
            let got = format!("{n_classes} classes, the largest number {:?}", classes.iter().max());
            return Err(Error::parameter(
                "classes",
                "numbers below the number of classes, two at least",
                got,
            ));
        }
        let machines: Vec<Result<Machine>> = positives(n_classes)
            .into_par_iter()
            .map(|class| self.fit(rows, &against_rest(classes, class), monitor))
            .collect();
        Ok(Machines { machines: machines.into_iter().collect::<Result<_>>()? })
    }

    /// Trains on the inner products of the samples, n × n (without the constant feature), which pays
    /// where there are fewer samples than features or many machines to train on the same samples, and
    /// begins at `start`, the α of a solution nearby, where one is known.
    ///
    /// # Errors
    /// As [`fit`](Self::fit).
    pub fn fit_gram(
        &self,
        gram: &[f64],
        labels: &[f64],
        start: Option<&[f64]>,
        monitor: &dyn Monitor,
    ) -> Result<Dual> {
        let n = labels.len();
        self.check(labels, n)?;
        for (what, expected, got) in
            [("inner products", n * n, gram.len()), ("starting values", n, start.map_or(n, <[f64]>::len))]
        {
            if expected != got {
                return Err(Error::Length { what, expected, got });
            }
        }
        let descend =
            |start| Descent::new(self, labels, start).run(&mut Gram::new(gram, n, self.bias), monitor);
        if self.loss == Loss::Hinge {
            return descend(start);
        }
        if let Some(at) = gram.iter().position(|v| !v.is_finite()) {
            let got = format!("{} for samples {} and {}", gram[at], at / n, at % n);
            return Err(Error::parameter("inner products", "finite numbers", got));
        }
        // Where there are many samples, descent finds most of those inside the margin first.
        let near = match (n > NEWTON_LARGEST).then(|| descend(start)) {
            None | Some(Err(Error::NotConverged { .. })) => None,
            Some(Ok(dual)) => Some(dual),
            Some(Err(error)) => return Err(error),
        };
        let start = near.as_ref().map(|dual| &dual.alphas[..]).or(start);
        let equations = BySamples { gram, n, constant: self.bias * self.bias };
        match (newton::train(self, &equations, labels, start, monitor), near) {
            (Ok(solution), _) => Ok(solution.dual),
            (Err(Error::NotConverged { .. }), Some(dual)) => Ok(dual),
            (Err(error), _) => Err(error),
        }
    }

    fn check(&self, labels: &[f64], n: usize) -> Result<()> {
        let positive = |name: &str, value: f64| {
            if value > 0.0 && value.is_finite() {
                Ok(())
            } else {
                Err(Error::parameter(name, "a number above 0", value))
            }
        };
        positive("cost", self.cost)?;
        positive("gap", self.gap)?;
        if !(self.bias >= 0.0 && self.bias.is_finite()) {
            return Err(Error::parameter("bias", "a number from 0", self.bias));
        }
        if labels.len() != n || n == 0 {
            return Err(Error::Length { what: "labels", expected: n.max(1), got: labels.len() });
        }
        match labels.iter().find(|l| l.abs() != 1.0) {
            Some(label) => Err(Error::parameter("labels", "+1 or -1", label)),
            None => Ok(()),
        }
    }
}

/// Whether steps of Newton's method are cheap on dense samples of this size.
fn newton_pays(n: usize, d: usize) -> bool {
    let smaller = n.min(d);
    smaller <= NEWTON_LARGEST && n as f64 * d as f64 * smaller as f64 <= NEWTON_DEAREST
}

/// The classes that get a machine: of two, the second speaks for both.
pub(crate) fn positives(n_classes: usize) -> Vec<usize> {
    if n_classes == 2 { vec![1] } else { (0..n_classes).collect() }
}

/// +1 for the samples of `class`, -1 for the others.
pub(crate) fn against_rest(classes: &[u32], class: usize) -> Vec<f64> {
    classes.iter().map(|&c| if c as usize == class { 1.0 } else { -1.0 }).collect()
}

/// The class that the decisions of one-versus-rest machines speak for.
pub(crate) fn winner(decisions: impl Iterator<Item = f64>) -> usize {
    let mut best: Option<(usize, f64)> = None;
    let mut count = 0;
    for (class, value) in decisions.enumerate() {
        count += 1;
        if best.is_none_or(|(_, b)| value > b) {
            best = Some((class, value));
        }
    }
    match (count, best) {
        (1, Some((_, value))) => usize::from(value > 0.0),
        (_, best) => best.map_or(0, |(class, _)| class),
    }
}
