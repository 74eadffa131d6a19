//! AROM-SVM: a linear machine that is left with few features (l2-AROM; Weston et al.).
//!
//! # What it measures
//! How much a linear classifier relies on a feature when it is pushed, again and again, to rely on few. A support
//! vector machine is trained, every feature is scaled by the size of its weight, and so on: what the machine needs
//! little shrinks, is needed less for it, and vanishes; what is left tells the classes apart *together*.
//!
//! # Formula
//! ```text
//! z ← 1;   repeat:  w = SVM of the samples x∘z,   z ← z∘|w|
//! score = log₁₀(z_j s_j / largest),   s_j the standard deviation of feature j
//! ```
//! Larger is better; 0 for the feature with the largest weight. The iteration approximates the machine with the fewest non-zero weights
//! (the zero norm). It ends when no more than `count` features carry weight (a millionth of the largest), when the weights stay, or after
//! `iterations`.
//!
//! # Symbols → code
//! ln z_j `Arom::logs`, so that what vanishes keeps its place; the samples enter by their inner products
//! Σ_j z_j² f_j f_jᵀ (`sample_gram`), over centered columns and scaled to 1 on average; one machine a class against the rest
//! ([`Svm::fit_gram`], exact: weights are multiplied iteration after iteration); w_j = z_j f_jᵀβ, β = α∘y, for all features in one pass.
//!
//! # Cost
//! An iteration is n² for every feature that still carries weight, a machine for every class (n³ for the samples in its support),
//! and a pass over the data. Five to ten iterations are the rule. Three n × n matrices.
//!
//! # When it fails
//! Linear machines see linear boundaries. Where few features suffice the rest is ranked by how fast it vanished, which says
//! little. Copies share their weight, and both may fall behind a worse feature that stands alone.
//!
//! # Differences from the paper
//! The machine is the one with squared hinge loss and `cost` in place of the hard margin, which follows single samples into the noise; a
//! large `cost` comes near it. Inner products are scaled to 1 on average before every training, so that `cost` means the same in every iteration. For more than two classes there is one
//! machine for each against the rest and |w_j| is the length of the row of weights of feature j over all of them; the scaling z is shared.
//!
//! # References
//! Weston, Elisseeff, Schölkopf, Tipping: Use of the Zero-Norm with Linear Models and Kernel Methods, JMLR 3, 2003; DIS 2.3, 4.4.

use rayon::prelude::*;

use crate::dataset::products::center;
use crate::dataset::{Dataset, Scaling};
use crate::gram::sample_gram;
use crate::graph::{GraphRecipe, dense};
use crate::limits::announce;
use crate::monitor::Monitor;
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role};
use crate::ranking::{Goal, Ranking};
use crate::selector::{GraphUse, Judges, Method, MethodInfo, Selector, Supervision};
use crate::solve::svm::{Svm, against_rest, positives};
use crate::{Error, Result};

/// A feature whose weight is below this share of the largest carries none.
const VANISHED: f64 = 1e-6;
/// Machines on more samples are trained one after the other.
const SIDE_BY_SIDE: usize = 2000;
/// Weights that change by less than this share of the largest stay.
const SETTLED: f64 = 1e-4;
/// What a thread does in a second: products of values, and n³ of the samples of a machine.
const PRODUCTS_PER_SECOND: f64 = 8e9;
const TRAINING_PER_SECOND: f64 = 2e10;
/// |f_jᵀβ| is not taken below this, so that its logarithm is finite.
const SMALLEST: f64 = 1e-300;

/// AROM-SVM.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::AromSvm};
///
/// let ranking = AromSvm { count: 2, ..AromSvm::default() }.rank(&demo::iris()?)?;
/// assert!(ranking.top(2).contains(&3)); // petal width
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AromSvm {
    /// The iteration ends when no more features carry weight.
    pub count: usize,
    /// C, the price of a sample on the wrong side, where samples have length 1 on average.
    pub cost: f64,
    /// Trainings at most.
    pub iterations: usize,
}

impl Default for AromSvm {
    fn default() -> Self {
        Self::usual()
    }
}

impl Method for AromSvm {
    const INFO: MethodInfo = MethodInfo {
        name: "arom-svm",
        title: "AROM-SVM",
        measures: "How much a linear classifier relies on a feature when it is made to rely on few: features are \
                   scaled by their weights and the machine is trained again, until few are left.",
        formula: "log₁₀ z;  z ← z∘|w|,  w = SVM of x∘z, again and again",
        goal: Goal::Maximize,
        supervision: Supervision::Supervised,
        takes_number: false,
        judges: Judges::Together,
        graph: GraphUse::None,
        scaling: Scaling::Standard,
        parameters: &[
            ParameterInfo {
                name: "count",
                kind: Kind::Integer { min: 1, max: usize::MAX },
                default: ParameterValue::Integer(50),
                role: Role::Count,
                only_with: None,
                help: "stop when no more features than these carry weight, at most half of those that vary",
            },
            ParameterInfo {
                name: "cost",
                kind: Kind::Real { min: f64::MIN_POSITIVE, max: f64::INFINITY },
                default: ParameterValue::Real(1.0),
                role: Role::Own,
                only_with: None,
                help: "price of a sample on the wrong side (C), where samples have length 1 on average",
            },
            ParameterInfo {
                name: "iterations",
                kind: Kind::Integer { min: 1, max: usize::MAX },
                default: ParameterValue::Integer(30),
                role: Role::Own,
                only_with: None,
                help: "how often to train at most",
            },
        ],
        cost: "five to ten times: samples² x features that are left, and a machine for every class",
        fails: "Sees linear boundaries. Where few features suffice, the rest is ranked by how fast it vanished. \
                Copies share their weight.",
        reference: "Weston, Elisseeff, Schölkopf, Tipping: Use of the Zero-Norm with Linear Models and Kernel \
                    Methods, JMLR 3, 2003",
    };

    fn build(parameters: &Parameters, _: GraphRecipe) -> Result<Self> {
        Ok(AromSvm {
            count: parameters.whole("count"),
            cost: parameters.real("cost"),
            iterations: parameters.whole("iterations"),
        })
    }
}

impl Selector for AromSvm {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn rank_view(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        for (name, value) in [("count", self.count), ("iterations", self.iterations)] {
            if value == 0 {
                return Err(Error::parameter(name, "at least 1", 0));
            }
        }
        let (codes, classes) = data.classes(Self::INFO.name)?;
        let advice = "use fewer samples, or another method with labels, such as fisher or mrmr";
        dense::check_size_or("arom-svm", data.n_samples(), 3, (monitor, advice))?;
        self.announce(data, classes, monitor);
        let labels: Vec<Vec<f64>> =
            positives(classes).into_iter().map(|class| against_rest(&codes, class)).collect();
        let mut arom = Arom::new(data, &labels, self.cost);
        let ended = arom.run(self, monitor)?;
        let mut ranking =
            Ranking::new(Self::INFO.name, Goal::Maximize, arom.scores()).with_floor(VANISHED.log10());
        ranking.parameters.set("count", arom.wanted(self.count));
        ranking.parameters.set("cost", self.cost);
        ranking.parameters.set("trained", ended.iterations);
        ranking.parameters.set("left", ended.left);
        if arom.varying.is_empty() && (0..data.n_features()).any(|j| !data.constant(j)) {
            ranking.warnings.push(
                "no feature tells any of the classes from the others, so none has a score: check that the labels belong to \
                 these samples"
                    .to_owned(),
            );
        }
        if !ended.complete {
            ranking.warnings.push(format!(
                "after {} iterations {} features carry weight and the weights still change: allow more `iterations`",
                ended.iterations, ended.left
            ));
        }
        Ok(ranking)
    }
}

impl AromSvm {
    /// Where it will take long. Most of the inner products are those of the first iterations, when all features are left.
    fn announce(&self, data: &Dataset, classes: usize, monitor: &dyn Monitor) {
        let (n, m) = (data.n_samples() as f64, data.n_features() as f64);
        let machines = positives(classes).len() as f64 * n.powi(3);
        let seconds = (2.0 * n * n * m) / PRODUCTS_PER_SECOND + machines / TRAINING_PER_SECOND;
        announce(
            monitor,
            "arom-svm",
            seconds,
            "use fewer samples, or another method with labels, such as mrmr",
        );
    }
}

/// Products with the machines below this share of their size are rounding.
const NOTHING: f64 = 1e-10;

/// How the iteration ended.
struct Ended {
    iterations: usize,
    /// Features that carry weight.
    left: usize,
    /// Few enough are left, or their weights stay.
    complete: bool,
}

/// The state of the iteration.
struct Arom<'a> {
    data: &'a Dataset,
    labels: &'a [Vec<f64>],
    svm: Svm,
    varying: Vec<usize>,
    /// ln(z_j‖f_j‖), the largest 0; NaN for constant features.
    logs: Vec<f64>,
    /// ln ‖f_j‖.
    norms: Vec<f64>,
    /// α of the last machines, where the next ones begin.
    alphas: Vec<Vec<f64>>,
}

impl<'a> Arom<'a> {
    fn new(data: &'a Dataset, labels: &'a [Vec<f64>], cost: f64) -> Self {
        let varying: Vec<usize> = (0..data.n_features()).filter(|&j| !data.constant(j)).collect();
        let norms: Vec<f64> = (0..data.n_features()).map(|j| data.centered_norm(j).ln()).collect();
        let mut logs = vec![f64::NAN; data.n_features()];
        varying.iter().for_each(|&j| logs[j] = norms[j]);
        let svm = Svm { cost, ..Svm::default() };
        let mut arom = Arom { data, labels, svm, varying, logs, norms, alphas: Vec::new() };
        arom.normalize();
        arom
    }

    fn run(&mut self, method: &AromSvm, monitor: &dyn Monitor) -> Result<Ended> {
        let mut iterations = 0;
        while !self.varying.is_empty() && iterations < method.iterations {
            if monitor.update("rescaling", iterations, method.iterations).is_break() {
                return Err(Error::Canceled);
            }
            let before = self.logs.clone();
            self.step(monitor)?;
            iterations += 1;
            let left = self.left().len();
            if left <= self.wanted(method.count) || self.settled(&before) {
                return Ok(Ended { iterations, left, complete: true });
            }
        }
        Ok(Ended { iterations, left: self.left().len(), complete: self.varying.is_empty() })
    }

    /// Where to stop: with more than half of the features left, nothing has been made to rely on few.
    fn wanted(&self, count: usize) -> usize {
        count.min(self.varying.len().div_ceil(2))
    }

    /// Trains on the samples as they are scaled now, and scales them by the weights.
    fn step(&mut self, monitor: &dyn Monitor) -> Result<()> {
        let n = self.data.n_samples();
        let left = self.left();
        // With z‖f‖ at most 1 the trace is at least 1; divided by it, samples have length 1 on average.
        let trace: f64 = left.iter().map(|&j| (2.0 * self.logs[j]).exp()).sum();
        let scale = 0.5 * (n as f64 / trace).ln();
        let weights: Vec<(usize, f64)> =
            left.iter().map(|&j| (j, (self.logs[j] - self.norms[j] + scale).exp())).collect();
        let gram = sample_gram(self.data, &weights, "inner products", monitor)?;
        let mut signed = self.machines(&gram, monitor)?;
        center(&mut signed, self.labels.len());
        let products = self.data.product_norms(&signed, self.labels.len(), monitor)?;
        // Where the classes cancel, what is left of every product is rounding.
        let size = signed.iter().map(|v| v * v).sum::<f64>().sqrt();
        if products.iter().all(|p| *p <= NOTHING * size) {
            self.varying.clear();
            self.logs.fill(f64::NAN);
            return Ok(());
        }
        for &j in &self.varying {
            // z ← z·|w|, w = z f_jᵀβ; the products are those of f_j/‖f_j‖.
            self.logs[j] += self.logs[j] + scale + products[j].max(SMALLEST).ln();
        }
        self.normalize();
        Ok(())
    }

    /// β = α∘y of every machine, sample after sample.
    fn machines(&mut self, gram: &[f64], monitor: &dyn Monitor) -> Result<Vec<f64>> {
        let (n, q) = (self.data.n_samples(), self.labels.len());
        let train = |l: usize| -> Result<Vec<f64>> {
            let start = self.alphas.get(l).map(Vec::as_slice);
            Ok(self.svm.fit_gram(gram, &self.labels[l], start, monitor)?.alphas)
        };
        // A machine holds up to two matrices of its own.
        let alphas: Vec<Result<Vec<f64>>> = if n > SIDE_BY_SIDE {
            (0..q).map(train).collect()
        } else {
            (0..q).into_par_iter().map(train).collect()
        };
        self.alphas = alphas.into_iter().collect::<Result<_>>()?;
        let mut signed = vec![0.0; n * q];
        for (l, (alphas, labels)) in self.alphas.iter().zip(self.labels).enumerate() {
            (0..n).for_each(|i| signed[i * q + l] = alphas[i] * labels[i]);
        }
        Ok(signed)
    }

    /// The features that carry weight.
    fn left(&self) -> Vec<usize> {
        self.varying.iter().copied().filter(|&j| self.logs[j] >= VANISHED.ln()).collect()
    }

    fn settled(&self, before: &[f64]) -> bool {
        self.varying.iter().all(|&j| (self.logs[j].exp() - before[j].exp()).abs() <= SETTLED)
    }

    fn normalize(&mut self) {
        let largest = self.varying.iter().map(|&j| self.logs[j]).fold(f64::NEG_INFINITY, f64::max);
        self.varying.iter().for_each(|&j| self.logs[j] -= largest);
    }

    fn scores(&self) -> Vec<f64> {
        self.logs.iter().map(|log| log / std::f64::consts::LN_10).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Labels;

    /// Column 0 tells the classes apart, column 1 follows it loosely, column 2 is noise, column 3 constant.
    fn data(classes: &[usize]) -> Dataset {
        let rows: Vec<[f64; 4]> = classes
            .iter()
            .enumerate()
            .map(|(i, &c)| {
                let noise = |s: usize| ((i * s * 29 + s) % 13) as f64 / 13.0 - 0.5;
                [c as f64 + 0.2 * noise(1), c as f64 + 2.0 * noise(3), noise(5), 4.0]
            })
            .collect();
        let data = Dataset::from_rows(&rows).expect("finite");
        data.labeled(Labels::from_codes(classes)).expect("a label per sample")
    }

    #[test]
    fn classes_that_carry_nothing_give_no_score() {
        // Every sample three times, once in each class.
        let rows: Vec<[f64; 2]> =
            (0..36).map(|i| [((i / 3) * 7 % 11) as f64, ((i / 3) * 5 % 13) as f64]).collect();
        let classes: Vec<usize> = (0..36).map(|i| i % 3).collect();
        let data =
            Dataset::from_rows(&rows).expect("finite").labeled(Labels::from_codes(&classes)).expect("labels");
        let ranking = AromSvm::default().rank(&data).expect("a ranking");
        assert_eq!(ranking.n_scored(), 0);
        assert!(ranking.warnings.iter().any(|w| w.contains("no feature tells")), "{:?}", ranking.warnings);
    }

    #[test]
    fn one_feature_is_left_where_one_suffices() {
        let classes: Vec<usize> = (0..40).map(|i| i % 2).collect();
        let ranking = AromSvm { count: 1, ..AromSvm::default() }.rank(&data(&classes)).expect("a ranking");
        assert_eq!(ranking.order()[0], 0);
        assert_eq!(ranking.score(0), Some(0.0));
        assert!(ranking.scores()[1] < -6.0 && ranking.scores()[2] < -6.0, "{:?}", ranking.scores());
        assert!(ranking.scores()[3].is_nan());
        assert_eq!(ranking.warnings, Vec::<String>::new());
    }

    #[test]
    fn too_few_iterations_are_told() {
        let classes: Vec<usize> = (0..40).map(|i| i % 2).collect();
        let method = AromSvm { count: 1, iterations: 1, ..AromSvm::default() };
        let ranking = method.rank(&data(&classes)).expect("a ranking");
        assert!(ranking.warnings[0].contains("`iterations`"), "{:?}", ranking.warnings);
        for bad in [
            AromSvm { count: 0, ..method },
            AromSvm { iterations: 0, ..method },
            AromSvm { cost: 0.0, ..method },
        ] {
            assert!(bad.rank(&data(&classes)).is_err());
        }
    }
}
