//! Linear SVMs along a ranking.
//!
//! Up to as many features as training samples, machines are trained on rows; beyond that on inner products, which
//! grow with the features like distances do. The cost C is chosen for every count by cross-validation inside the
//! training part: the best accuracy, the smaller C where several are equal.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::measure::{Scene, go_on};
use super::metric::SvmMeasure;
use super::split::{Partition, Split};
use super::table::check_size;
use crate::monitor::Monitor;
use crate::solve::svm::{Rows, Svm, against_rest, inner_products, positives, winner};
use crate::{Error, Result, limits};

/// The accuracy on the test part at every count.
pub(super) fn accuracies(
    scene: &Scene<'_>,
    metric: &SvmMeasure,
    order: &[usize],
    counts: &[usize],
    monitor: &dyn Monitor,
) -> Result<Vec<f64>> {
    let mut samples = Samples::new(scene);
    let classes: Vec<u32> = samples.list.iter().map(|&i| scene.classes[i]).collect();
    let n = scene.split.training.len();
    let inner = inner_splits(metric, &classes[..n], scene.seed)?;
    let (training, test): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (n..samples.list.len()).collect());
    let (all, most) = (samples.list.len(), counts.last().copied().unwrap_or(0));
    let products = if most > n { limits::matrices(2, all, n) } else { 0 };
    let needed = limits::matrices(1, all, most).saturating_add(products);
    check_size("the features and inner products of the judging machines", needed, monitor)?;
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

fn inner_splits(metric: &SvmMeasure, classes: &[u32], seed: u64) -> Result<Vec<Split>> {
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
        scene.data.each_column(&order[self.n_features..count], |_, block, at| {
            let column = block.column(at);
            self.columns.extend(self.list.iter().map(|&i| column[i]));
        })?;
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
    metric: &'a SvmMeasure,
    monitor: &'a dyn Monitor,
}

impl Task<'_> {
    /// Right answers on `test` with the cost that does best inside `training`.
    fn tuned(&self, inner: &[Split], training: &[usize], test: &[usize]) -> Result<usize> {
        let mut hits: Vec<Result<usize>> = self.metric.costs.iter().map(|_| Ok(0)).collect();
        for split in inner {
            let samples = self.learn(&split.training, &split.test)?;
            for (cost, hits) in self.metric.costs.iter().zip(&mut hits) {
                if let Ok(sum) = hits {
                    *hits = converged(self.right(&samples, *cost))?.map(|found| *sum + found);
                }
            }
        }
        let mut tried: Vec<(usize, f64)> = Vec::new();
        let mut failure = None;
        for (hits, &cost) in hits.into_iter().zip(&self.metric.costs) {
            match hits {
                Ok(hits) => tried.push((hits, cost)),
                Err(error) => failure = Some(error),
            }
        }
        tried.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
        let samples = self.learn(training, test)?;
        for &(_, cost) in &tried {
            match converged(self.right(&samples, cost))? {
                Ok(hits) => return Ok(hits),
                Err(error) => failure = Some(error),
            }
        }
        Err(failure.unwrap_or_else(|| Error::parameter("costs", "numbers above 0, one at least", "none")))
    }

    /// What machines on `training`, judged on `test`, have in common.
    fn learn(&self, training: &[usize], test: &[usize]) -> Result<Lesson> {
        let d = self.samples.n_features;
        let classes: Vec<u32> = training.iter().map(|&i| self.classes[i]).collect();
        let asked = test.iter().map(|&i| self.classes[i] as usize).collect();
        let view = match (self.samples.by_products(), training.len() < d) {
            (true, _) => View::Products {
                gram: self.samples.grams(training, training),
                tests: self.samples.grams(test, training),
            },
            // Machines for several classes and costs share the inner products.
            (false, true) => {
                let (rows, tests) = (self.samples.rows(training), self.samples.rows(test));
                View::Products {
                    gram: inner_products(&rows, &rows, d),
                    tests: inner_products(&tests, &rows, d),
                }
            }
            (false, false) => {
                View::Rows { rows: self.samples.rows(training), tests: self.samples.rows(test), d }
            }
        };
        Ok(Lesson { view, classes, asked })
    }

    /// Right answers at one cost.
    fn right(&self, lesson: &Lesson, cost: f64) -> Result<usize> {
        let svm = self.metric.machine(cost);
        let decide = |class: usize| lesson.decisions(&svm, class, self.monitor);
        let decisions = positives(self.n_classes).into_iter().map(decide).collect::<Result<Vec<_>>>()?;
        let right = |&(at, &class): &(usize, &usize)| winner(decisions.iter().map(|d| d[at])) == class;
        Ok(lesson.asked.iter().enumerate().filter(right).count())
    }
}

/// The samples of one training part and of those that judge it.
struct Lesson {
    view: View,
    /// Of the training part.
    classes: Vec<u32>,
    /// Of the judging part.
    asked: Vec<usize>,
}

enum View {
    /// Features, row after row.
    Rows { rows: Vec<f64>, tests: Vec<f64>, d: usize },
    /// Inner products with the training part.
    Products { gram: Vec<f64>, tests: Vec<f64> },
}

impl Lesson {
    /// What the machine of a class says to every sample that judges.
    fn decisions(&self, svm: &Svm, class: usize, monitor: &dyn Monitor) -> Result<Vec<f64>> {
        let labels = against_rest(&self.classes, class);
        match &self.view {
            View::Rows { rows, tests, d } => {
                let machine = svm.fit(&Rows::dense(rows, *d)?, &labels, monitor)?;
                Ok(tests.chunks_exact(*d).map(|row| machine.decide(row)).collect())
            }
            View::Products { gram, tests } => {
                let dual = svm.fit_gram(gram, &labels, None, monitor)?;
                let weights: Vec<f64> = dual.alphas.iter().zip(&labels).map(|(a, y)| a * y).collect();
                let bias = svm.bias * svm.bias * weights.iter().sum::<f64>();
                let decision = |row: &[f64]| row.iter().zip(&weights).map(|(k, w)| k * w).sum::<f64>() + bias;
                Ok(tests.chunks_exact(labels.len()).map(decision).collect())
            }
        }
    }
}

/// The inner error is that of a machine that does not converge: another cost may.
fn converged(hits: Result<usize>) -> Result<Result<usize>> {
    match hits {
        Err(error @ Error::NotConverged { .. }) => Ok(Err(error)),
        Err(error) => Err(error),
        Ok(hits) => Ok(Ok(hits)),
    }
}
