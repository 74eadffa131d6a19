//! What a metric makes of one ranking on one partition: its values at every count.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::kmeans::KMeans;
use super::machine;
use super::matching::{clustering_accuracy, normalized_mutual_information};
use super::metric::Measure;
use super::pairs::{Pairs, Term, smallest};
use super::split::Split;
use super::table::{Rows, check_size};
use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::{Error, Result, limits};

/// Features whose correlations are computed at a time.
const WIDE: usize = 256;
/// Sums closer than this part of the largest are equal.
const ROUNDING: f64 = 1e-12;

/// The samples of a partition as a metric sees them.
pub(super) struct Scene<'a> {
    /// All samples, scaled by what the training part knows.
    pub(super) data: &'a Dataset,
    pub(super) split: &'a Split,
    /// The samples that clusterings, neighborhoods and correlations are computed on.
    pub(super) measured: &'a [usize],
    /// The class of every sample, and how many there are; empty where the metric needs none.
    pub(super) classes: &'a [u32],
    pub(super) n_classes: usize,
    /// The number of every sample; empty where there is none to be predicted.
    pub(super) target: &'a [f64],
    /// For Jaccard: the neighborhoods in all features.
    pub(super) neighborhoods: Option<&'a [Vec<u32>]>,
    pub(super) seed: u64,
}

impl Scene<'_> {
    /// The values of every measure (outer) at every count (inner). `counts` are ascending.
    pub(super) fn values(
        &self,
        metric: &Measure,
        order: &[usize],
        counts: &[usize],
        monitor: &dyn Monitor,
    ) -> Result<Vec<Vec<f64>>> {
        match metric {
            Measure::Nearest => Ok(vec![self.nearest(order, counts, monitor)?]),
            Measure::Regression { neighbors } => {
                Ok(vec![self.regression(order, counts, *neighbors, monitor)?])
            }
            Measure::Svm(svm) => Ok(vec![machine::accuracies(self, svm, order, counts, monitor)?]),
            Measure::KMeans { clusters, starts } => {
                let clusters = clusters.unwrap_or(self.n_classes);
                let kmeans = KMeans { clusters, starts: *starts, seed: self.seed, ..KMeans::default() };
                self.clusterings(&kmeans, order, counts, monitor)
            }
            Measure::Jaccard { neighbors } => Ok(vec![self.jaccard(order, counts, *neighbors, monitor)?]),
            Measure::Redundancy => Ok(vec![self.redundancy(order, counts, monitor)?]),
            Measure::Hits { known } => {
                let hits = crate::fusion::hit_ratio(order, known, counts)?;
                Ok(vec![hits.iter().map(|h| h.ratio).collect()])
            }
        }
    }

    /// The share of test samples whose nearest training sample is of their class.
    fn nearest(&self, order: &[usize], counts: &[usize], monitor: &dyn Monitor) -> Result<Vec<f64>> {
        let (test, training) = (&self.split.test, &self.split.training);
        let term = Term::SquaredDifference;
        let pairs = Pairs { data: self.data, left: test, right: training, order, counts, term, monitor };
        let found = pairs.walk(|_, sums| smallest(sums).map(|near| self.classes[training[near]]))?;
        let right = found.into_iter().map(|said| {
            let hits = said.iter().zip(test).filter(|(class, i)| **class == self.classes[**i]).count();
            hits as f64 / test.len() as f64
        });
        Ok(right.collect())
    }

    /// R² of the mean of the `k` nearest training samples on the test samples.
    fn regression(
        &self,
        order: &[usize],
        counts: &[usize],
        k: usize,
        monitor: &dyn Monitor,
    ) -> Result<Vec<f64>> {
        let (test, training) = (&self.split.test, &self.split.training);
        let (k, term) = (k.min(training.len()), Term::SquaredDifference);
        let pairs = Pairs { data: self.data, left: test, right: training, order, counts, term, monitor };
        let found = pairs.walk(|_, sums| {
            std::array::from_fn(|lane| {
                // The nearest have the largest negative distance; nobody is left out.
                let own: Vec<f64> = sums.iter().map(|s| -s[lane]).collect();
                let near = largest(&own, usize::MAX, k);
                near.iter().map(|&i| self.target[training[i as usize]]).sum::<f64>() / k as f64
            })
        })?;
        let truth: Vec<f64> = test.iter().map(|&i| self.target[i]).collect();
        Ok(found.into_iter().map(|said| explained(&truth, &said)).collect())
    }

    fn clusterings(
        &self,
        kmeans: &KMeans,
        order: &[usize],
        counts: &[usize],
        monitor: &dyn Monitor,
    ) -> Result<Vec<Vec<f64>>> {
        let most = counts.last().copied().unwrap_or(0);
        let rows = Rows::gather(self.data, self.measured, &order[..most], monitor)?;
        let classes: Vec<u32> = self.measured.iter().map(|&i| self.classes[i]).collect();
        let mut values = vec![Vec::new(); 2];
        for &count in counts {
            go_on(monitor)?;
            let found = kmeans.fit_rows(&rows, count)?;
            values[0].push(clustering_accuracy(&found.clusters, &classes)?);
            values[1].push(normalized_mutual_information(&found.clusters, &classes)?);
        }
        Ok(values)
    }

    /// The neighborhoods of the measured samples at every count: by inner product, without the
    /// sample itself, ascending.
    pub(super) fn neighborhoods(
        &self,
        order: &[usize],
        counts: &[usize],
        k: usize,
        monitor: &dyn Monitor,
    ) -> Result<Vec<Vec<Vec<u32>>>> {
        let (samples, term) = (self.measured, Term::Product);
        if k == 0 || k >= samples.len() {
            let rule =
                format!("from 1 to {}, fewer than the judged samples", samples.len().saturating_sub(1));
            return Err(Error::parameter("neighbors", rule, k));
        }
        let pairs = Pairs { data: self.data, left: samples, right: samples, order, counts, term, monitor };
        pairs.walk(|first, sums| {
            std::array::from_fn(|lane| {
                let own: Vec<f64> = sums.iter().map(|s| s[lane]).collect();
                largest(&own, first + lane, k)
            })
        })
    }

    /// The mean over samples of |A ∩ B|/|A ∪ B| for the neighborhoods in the selected features and in all.
    fn jaccard(
        &self,
        order: &[usize],
        counts: &[usize],
        k: usize,
        monitor: &dyn Monitor,
    ) -> Result<Vec<f64>> {
        let truth = self.neighborhoods.unwrap_or(&[]);
        let overlap = |found: Vec<Vec<u32>>| {
            let shares = found.iter().zip(truth).map(|(a, b)| {
                let both = a.iter().filter(|i| b.binary_search(i).is_ok()).count();
                both as f64 / (2 * k - both) as f64
            });
            shares.sum::<f64>() / found.len() as f64
        };
        Ok(self.neighborhoods(order, counts, k, monitor)?.into_iter().map(overlap).collect())
    }

    /// The mean |ρ| over pairs of features; a single one has none and 0. A constant feature correlates with nothing.
    fn redundancy(&self, order: &[usize], counts: &[usize], monitor: &dyn Monitor) -> Result<Vec<f64>> {
        let most = counts.last().copied().unwrap_or(0);
        let measured = self.data.samples(self.measured, monitor)?;
        let n = measured.n_samples();
        check_size("the table of the judged features", limits::matrices(1, n, most), monitor)?;
        let columns = measured.unit_columns(&order[..most])?;
        let (mut values, mut sum, mut from) = (Vec::with_capacity(counts.len()), 0.0, 0);
        for &count in counts {
            while from < count {
                go_on(monitor)?;
                let to = count.min(from + WIDE);
                sum += new_pairs(&columns, n, from, to);
                from = to;
            }
            let pairs = (count * (count - 1) / 2) as f64;
            values.push(if count > 1 { sum / pairs } else { 0.0 });
        }
        Ok(values)
    }
}

/// R². Where the truth is the same for all there is nothing to explain: 1 if it was said, else 0.
fn explained(truth: &[f64], said: &[f64]) -> f64 {
    let mean = truth.iter().sum::<f64>() / truth.len() as f64;
    let residual: f64 = truth.iter().zip(said).map(|(y, s)| (y - s) * (y - s)).sum();
    let total: f64 = truth.iter().map(|y| (y - mean) * (y - mean)).sum();
    match (total > 0.0, residual > 0.0) {
        (true, _) => 1.0 - residual / total,
        (false, differs) => f64::from(u8::from(!differs)),
    }
}

/// Σ|ρ| over the pairs of a feature of `from..to` with one before it.
fn new_pairs(columns: &[f64], n: usize, from: usize, to: usize) -> f64 {
    let width = to - from;
    let matrix = |first: usize, last: usize| {
        MatRef::from_column_major_slice(&columns[first * n..last * n], n, last - first)
    };
    let mut products = vec![0.0; width * WIDE];
    let mut sum = 0.0;
    for start in (0..to).step_by(WIDE) {
        let end = to.min(start + WIDE);
        let products = &mut products[..width * (end - start)];
        matmul(
            MatMut::from_column_major_slice_mut(products, end - start, width),
            Accum::Replace,
            matrix(start, end).transpose(),
            matrix(from, to),
            1.0,
            Par::Seq,
        );
        for (j, column) in products.chunks_exact(end - start).enumerate() {
            let before = (from + j).saturating_sub(start).min(end - start);
            sum += column[..before].iter().map(|p| p.abs()).sum::<f64>();
        }
    }
    sum
}

/// The places of the `k` largest sums but for `without`, ascending; the first where several are equal but for the rounding that
/// depends on the order in which features were added.
fn largest(sums: &[f64], without: usize, k: usize) -> Vec<u32> {
    let mut places: Vec<u32> = (0..sums.len() as u32).filter(|&i| i as usize != without).collect();
    if k >= places.len() {
        return places;
    }
    let sum = |i: &u32| sums[*i as usize];
    let by_sum = |a: &u32, b: &u32| sum(b).partial_cmp(&sum(a)).unwrap_or(std::cmp::Ordering::Equal);
    let last = sum(places.clone().select_nth_unstable_by(k - 1, by_sum).1);
    let size = places.iter().map(|i| sum(i).abs()).fold(0.0, f64::max);
    let rounding = ROUNDING * size;
    let (clear, equal): (Vec<u32>, Vec<u32>) =
        places.into_iter().filter(|i| sum(i) >= last - rounding).partition(|i| sum(i) > last + rounding);
    let missing = k - clear.len();
    places = clear.into_iter().chain(equal.into_iter().take(missing)).collect();
    places.sort_unstable();
    places
}

/// An error where the caller wants to stop.
pub(super) fn go_on(monitor: &dyn Monitor) -> Result<()> {
    if monitor.update("evaluating", 0, 0).is_break() { Err(Error::Canceled) } else { Ok(()) }
}
