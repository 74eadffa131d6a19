//! The descent itself, over samples as rows or over their inner products.

use rand_chacha::ChaCha8Rng;

use super::{Loss, Rows, Svm};
use crate::monitor::Monitor;
use crate::random::{generator, shuffle};
use crate::{Error, Result};

/// The largest slope over the samples at which the gap is looked at for the first time.
const FIRST_SLOPE: f64 = 0.1;
/// A smaller slope moves nothing.
const NO_SLOPE: f64 = 1e-12;
pub(super) const ADVICE: &str = "scale the features, lower the cost or allow a larger gap";

/// Where w lives: as weights of features, or by what it says to every sample.
pub(super) trait Samples {
    /// wᵀxᵢ, the constant feature included.
    fn product(&self, i: usize) -> f64;
    /// w += a·xᵢ.
    fn add(&mut self, i: usize, a: f64);
    /// ‖xᵢ‖², the constant feature included.
    fn square(&self, i: usize) -> f64;
}

/// w by its weights.
pub(super) struct Primal<'a> {
    rows: &'a Rows<'a>,
    weights: Vec<f64>,
    /// The weight of the constant feature, and its value.
    constant: (f64, f64),
}

impl<'a> Primal<'a> {
    pub(super) fn new(rows: &'a Rows<'a>, bias: f64) -> Self {
        Primal { rows, weights: vec![0.0; rows.n_features()], constant: (0.0, bias) }
    }

    /// w and b.
    pub(super) fn into_weights(self) -> (Vec<f64>, f64) {
        (self.weights, self.constant.0 * self.constant.1)
    }
}

impl Samples for Primal<'_> {
    fn product(&self, i: usize) -> f64 {
        self.rows.dot(i, &self.weights) + self.constant.0 * self.constant.1
    }

    fn add(&mut self, i: usize, a: f64) {
        self.rows.add(i, a, &mut self.weights);
        self.constant.0 += a * self.constant.1;
    }

    fn square(&self, i: usize) -> f64 {
        self.rows.square(i) + self.constant.1 * self.constant.1
    }
}

/// w by its products with all samples: a step costs n additions, a product nothing.
pub(super) struct Gram<'a> {
    gram: &'a [f64],
    products: Vec<f64>,
    constant: f64,
}

impl<'a> Gram<'a> {
    pub(super) fn new(gram: &'a [f64], n: usize, bias: f64) -> Self {
        Gram { gram, products: vec![0.0; n], constant: bias * bias }
    }
}

impl Samples for Gram<'_> {
    fn product(&self, i: usize) -> f64 {
        self.products[i]
    }

    fn add(&mut self, i: usize, a: f64) {
        let n = self.products.len();
        let constant = self.constant;
        let row = &self.gram[i * n..(i + 1) * n];
        self.products.iter_mut().zip(row).for_each(|(p, g)| *p += a * (g + constant));
    }

    fn square(&self, i: usize) -> f64 {
        self.gram[i * self.products.len() + i] + self.constant
    }
}

/// A solution of the dual with its certificate; w = Σ αᵢyᵢxᵢ is left to the caller.
#[derive(Debug, Clone, PartialEq)]
pub struct Dual {
    /// α, one number a sample.
    pub alphas: Vec<f64>,
    /// The primal objective.
    pub objective: f64,
    /// The duality gap, divided by the objective.
    pub gap: f64,
    /// Passes over the samples.
    pub passes: usize,
}

/// The duality gap relative to the primal objective; infinite where overflow has left nothing to compare.
pub(super) fn relative_gap(primal: f64, dual: f64) -> f64 {
    let gap = (primal - dual) / primal;
    if gap.is_nan() { f64::INFINITY } else { gap.max(0.0) }
}

/// The state of a descent.
pub(super) struct Descent<'a> {
    svm: &'a Svm,
    labels: &'a [f64],
    alphas: Vec<f64>,
    /// U and κ.
    upper: f64,
    kappa: f64,
    rng: ChaCha8Rng,
}

/// The range of slopes that a pass met: outside of it, a sample at its bound will stay there.
#[derive(Clone, Copy)]
struct Slopes {
    smallest: f64,
    largest: f64,
}

impl<'a> Descent<'a> {
    pub(super) fn new(svm: &'a Svm, labels: &'a [f64], start: Option<&[f64]>) -> Self {
        let (upper, kappa) = match svm.loss {
            Loss::Hinge => (svm.cost, 0.0),
            Loss::SquaredHinge => (f64::INFINITY, 0.5 / svm.cost),
        };
        let alphas = match start {
            Some(start) => start.iter().map(|a| a.clamp(0.0, upper)).collect(),
            None => vec![0.0; labels.len()],
        };
        Descent { svm, labels, alphas, upper, kappa, rng: generator(svm.seed, &[]) }
    }

    pub(super) fn run(mut self, samples: &mut impl Samples, monitor: &dyn Monitor) -> Result<Dual> {
        let n = self.labels.len();
        for i in (0..n).filter(|&i| self.alphas[i] != 0.0) {
            samples.add(i, self.alphas[i] * self.labels[i]);
        }
        let squares: Vec<f64> = (0..n).map(|i| samples.square(i) + self.kappa).collect();
        let mut active: Vec<usize> = (0..n).collect();
        let everything = Slopes { smallest: f64::NEG_INFINITY, largest: f64::INFINITY };
        let (mut bounds, mut wanted) = (everything, FIRST_SLOPE);
        let mut reached = f64::INFINITY;
        for passes in 1..=self.svm.max_passes {
            if monitor.update("linear SVM", passes, 0).is_break() {
                return Err(Error::Canceled);
            }
            let whole = active.len() == n;
            let met = self.pass(samples, &mut active, &squares, bounds);
            if met.largest - met.smallest > wanted && passes < self.svm.max_passes {
                bounds = met.or_all();
                continue;
            }
            let (objective, gap) = self.gap(samples);
            if gap <= self.svm.gap {
                return Ok(Dual { alphas: self.alphas, objective, gap, passes });
            }
            reached = gap;
            // The gap is over all samples, the slopes over those that were still looked at.
            active = (0..n).collect();
            bounds = everything;
            wanted *= if whole { 0.1 } else { 1.0 };
        }
        Err(Error::NotConverged {
            what: "the linear SVM",
            iterations: self.svm.max_passes,
            residual: reached,
            tolerance: self.svm.gap,
            advice: ADVICE,
        })
    }

    /// One pass over the active samples in random order; those that will stay at their bound leave.
    fn pass(
        &mut self,
        samples: &mut impl Samples,
        active: &mut Vec<usize>,
        squares: &[f64],
        bounds: Slopes,
    ) -> Slopes {
        shuffle(active, &mut self.rng);
        let mut met = Slopes { smallest: f64::INFINITY, largest: f64::NEG_INFINITY };
        active.retain(|&i| {
            let (alpha, label) = (self.alphas[i], self.labels[i]);
            let slope = label * samples.product(i) - 1.0 + self.kappa * alpha;
            if (alpha == 0.0 && slope > bounds.largest) || (alpha == self.upper && slope < bounds.smallest) {
                return false;
            }
            // What of the slope leads inside the bounds.
            let free = match alpha {
                0.0 => slope.min(0.0),
                a if a == self.upper => slope.max(0.0),
                _ => slope,
            };
            met.smallest = met.smallest.min(free);
            met.largest = met.largest.max(free);
            if free.abs() > NO_SLOPE {
                // A sample of zeros without a bias has no curvature: its α goes to the bound.
                self.alphas[i] = (alpha - slope / squares[i]).clamp(0.0, self.upper);
                samples.add(i, (self.alphas[i] - alpha) * label);
            }
            true
        });
        met
    }

    /// The primal objective, and the duality gap relative to it.
    fn gap(&self, samples: &impl Samples) -> (f64, f64) {
        let (mut square, mut loss, mut linear) = (0.0, 0.0, 0.0);
        for (i, (&alpha, &label)) in self.alphas.iter().zip(self.labels).enumerate() {
            let margin = label * samples.product(i);
            let slack = (1.0 - margin).max(0.0);
            square += alpha * margin;
            linear += alpha - 0.5 * self.kappa * alpha * alpha;
            loss += match self.svm.loss {
                Loss::Hinge => slack,
                Loss::SquaredHinge => slack * slack,
            };
        }
        let primal = 0.5 * square + self.svm.cost * loss;
        let dual = linear - 0.5 * square;
        (primal, relative_gap(primal, dual))
    }
}

impl Slopes {
    /// A range that lets nobody leave on the side where no slope was met.
    fn or_all(self) -> Slopes {
        Slopes {
            smallest: if self.smallest < 0.0 { self.smallest } else { f64::NEG_INFINITY },
            largest: if self.largest > 0.0 { self.largest } else { f64::INFINITY },
        }
    }
}
