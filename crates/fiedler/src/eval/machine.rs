//! Linear SVMs along a ranking.
//!
//! Up to as many features as training samples, machines are trained on rows; beyond that on inner products, which
//! grow with the features like distances do. The cost C is chosen for every count by cross-validation inside the
//! training part: the best accuracy, the smaller C where several are equal.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::measure::{Scene, go_on};
use super::protocol::SvmMetric;
use super::split::{Partition, Split};
use crate::monitor::Monitor;
use crate::solve::svm::{Rows, Svm, against_rest, positives, winner};
use crate::{Error, Result};

/// The accuracy on the test part at every count.
pub(super) fn accuracies(
    scene: &Scene<'_>,
    metric: &SvmMetric,
    order: &[usize],
    counts: &[usize],
    monitor: &dyn Monitor,
) -> Result<Vec<f64>> {
    let mut samples = Samples::new(scene);
    let classes: Vec<u32> = samples.list.iter().map(|&i| scene.classes[i]).collect();
    let n = scene.split.training.len();
    let inner = inner_splits(metric, &classes[..n], scene.seed)?;
    let (training, test): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (n..samples.list.len()).collect());
    let mut values = Vec::with_capacity(counts.len());
    for &count in counts {
        go_on(monitor)?;
        samples.grow(scene, order, count)?;
        let task = Task { samples: &samples, classes: &classes, n_classes: scene.n_classes, metric, monitor };
        let hits = task.tuned(&inner, &training, &test)?;
        values.push(hits as f64 / test.len() as f64);
    }
    Ok(values)
}

fn inner_splits(metric: &SvmMetric, classes: &[u32], seed: u64) -> Result<Vec<Split>> {
    match metric.costs.len() {
        1 => Ok(Vec::new()),
        _ => Partition::Folds { folds: metric.folds, repeats: 1 }.splits(classes.len(), Some(classes), seed),
    }
}

/// The training samples, then the test samples: their features so far, or their inner products.
struct Samples {
    list: Vec<usize>,
    n_training: usize,
    /// Features so far, one after the other.
    columns: Vec<f64>,
    n_features: usize,
    /// All samples × training samples; grown from the moment on when features outnumber them.
    products: Vec<f64>,
    multiplied: usize,
}

impl Samples {
    fn new(scene: &Scene<'_>) -> Self {
        let list = [&scene.split.training[..], &scene.split.test].concat();
        let n_training = scene.split.training.len();
        Samples { list, n_training, columns: Vec::new(), n_features: 0, products: Vec::new(), multiplied: 0 }
    }

    fn grow(&mut self, scene: &Scene<'_>, order: &[usize], count: usize) -> Result<()> {
        for &j in &order[self.n_features..count] {
            let column = scene.data.column(j)?;
            self.columns.extend(self.list.iter().map(|&i| column[i]));
        }
        self.n_features = count;
        if self.by_products() {
            self.multiply(self.multiplied..count);
            self.multiplied = count;
        }
        Ok(())
    }

    fn by_products(&self) -> bool {
        self.n_features > self.n_training
    }

    /// Adds the inner products over some features.
    fn multiply(&mut self, features: Range<usize>) {
        let n = self.list.len();
        self.products.resize(n * self.n_training, 0.0);
        let width = features.len();
        let new =
            MatRef::from_column_major_slice(&self.columns[features.start * n..features.end * n], n, width);
        matmul(
            MatMut::from_row_major_slice_mut(&mut self.products, n, self.n_training),
            Accum::Add,
            new,
            new.subrows(0, self.n_training).transpose(),
            1.0,
            Par::Seq,
        );
    }

    /// The features of some samples, row after row.
    fn rows(&self, some: &[usize]) -> Vec<f64> {
        let n = self.list.len();
        let row = |&i: &usize| (0..self.n_features).map(move |f| self.columns[f * n + i]);
        some.iter().flat_map(row).collect()
    }

    /// The inner products of some samples with some training samples, row after row.
    fn grams(&self, left: &[usize], right: &[usize]) -> Vec<f64> {
        let row = |&i: &usize| right.iter().map(move |&j| self.products[i * self.n_training + j]);
        left.iter().flat_map(row).collect()
    }
}

/// Machines at one count.
struct Task<'a> {
    samples: &'a Samples,
    classes: &'a [u32],
    n_classes: usize,
    metric: &'a SvmMetric,
    monitor: &'a dyn Monitor,
}

impl Task<'_> {
    /// Right answers on `test` with the cost that does best inside `training`.
    fn tuned(&self, inner: &[Split], training: &[usize], test: &[usize]) -> Result<usize> {
        let mut tried: Vec<(usize, f64)> = Vec::new();
        for &cost in &self.metric.costs {
            let mut hits = Some(0);
            for split in inner {
                let found = self.converged(cost, &split.training, &split.test)?;
                hits = hits.zip(found).map(|(a, b)| a + b);
                if hits.is_none() {
                    break;
                }
            }
            tried.extend(hits.map(|hits| (hits, cost)));
        }
        tried.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
        for &(_, cost) in &tried {
            if let Some(hits) = self.converged(cost, training, test)? {
                return Ok(hits);
            }
        }
        let svm = self.metric.machine(self.metric.costs[0]);
        Err(Error::NotConverged {
            what: "the linear SVM, at every cost,",
            iterations: svm.max_passes,
            residual: f64::NAN,
            tolerance: svm.gap,
            advice: "scale the features or give smaller costs",
        })
    }

    /// Right answers on `test`; `None` where the machine does not converge at this cost.
    fn converged(&self, cost: f64, training: &[usize], test: &[usize]) -> Result<Option<usize>> {
        let svm = self.metric.machine(cost);
        let decisions = match self.samples.by_products() {
            true => self.by_products(&svm, training, test),
            false => self.by_rows(&svm, training, test),
        };
        match decisions {
            Ok(decisions) => Ok(Some(self.hits(&decisions, test))),
            Err(Error::NotConverged { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The decisions of every machine (outer) on every test sample (inner).
    fn by_rows(&self, svm: &Svm, training: &[usize], test: &[usize]) -> Result<Vec<Vec<f64>>> {
        let d = self.samples.n_features;
        let (rows, tests) = (self.samples.rows(training), self.samples.rows(test));
        let rows = Rows::dense(&rows, d)?;
        let classes: Vec<u32> = training.iter().map(|&i| self.classes[i]).collect();
        let decide = |class: usize| {
            let machine = svm.fit(&rows, &against_rest(&classes, class), self.monitor)?;
            Ok(tests.chunks_exact(d).map(|row| machine.decide(row)).collect())
        };
        positives(self.n_classes).into_iter().map(decide).collect()
    }

    fn by_products(&self, svm: &Svm, training: &[usize], test: &[usize]) -> Result<Vec<Vec<f64>>> {
        let gram = self.samples.grams(training, training);
        let tests = self.samples.grams(test, training);
        let classes: Vec<u32> = training.iter().map(|&i| self.classes[i]).collect();
        let decide = |class: usize| {
            let labels = against_rest(&classes, class);
            let dual = svm.fit_gram(&gram, &labels, None, self.monitor)?;
            let weights: Vec<f64> = dual.alphas.iter().zip(&labels).map(|(a, y)| a * y).collect();
            let bias = svm.bias * svm.bias * weights.iter().sum::<f64>();
            let decision = |row: &[f64]| row.iter().zip(&weights).map(|(k, w)| k * w).sum::<f64>() + bias;
            Ok(tests.chunks_exact(training.len()).map(decision).collect())
        };
        positives(self.n_classes).into_iter().map(decide).collect()
    }

    fn hits(&self, decisions: &[Vec<f64>], test: &[usize]) -> usize {
        let right =
            |(at, &i): (usize, &usize)| winner(decisions.iter().map(|d| d[at])) == self.classes[i] as usize;
        test.iter().enumerate().filter(|&pair| right(pair)).count()
    }
}
