//! The sparse search: work in proportion to the non-zeros that samples share.
//!
//! In every metric a distance is n_i + n_j - 2 G_ij with a G that only features non-zero in both
//! samples add to, so that row i of G is a row product after Gustavson: for every non-zero of
//! sample i, run down the column it stands in.
//!
//! | metric | n_i | a common feature adds |
//! |---|---|---|
//! | euclidean (squared) | ‖x‖² | x·y |
//! | cosine | ½ | ½ x·y / (‖x‖‖y‖) |
//! | manhattan | ‖x‖₁ | min(\|x\|, \|y\|), where the signs agree |
//!
//! Nothing is centered, which would fill in the zeros.

use rayon::prelude::*;

use super::candidates::{Bounds, Candidates, limit};
use super::exact::{LANES, total};
use super::geometry::Geometry;
use super::{Problem, Shortlist};
use crate::dataset::{BLOCK, Dataset};
use crate::graph::Metric;
use crate::graph::metric::{Adds, Term};
use crate::limits::grouped;
use crate::monitor::{Monitor, Stage};
use crate::{Error, Result};

/// Scaled sparse data by sample and by feature.
pub(super) struct SparseRows {
    by_sample: Compressed,
    by_feature: Compressed,
}

/// Some samples of sparse data, by feature and numbered from 0.
pub(super) struct LandmarkRows {
    by_feature: Compressed,
}

/// Lists of `(index, value)`, one after another.
struct Compressed {
    offsets: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

impl Compressed {
    fn list(&self, i: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.offsets[i]..self.offsets[i + 1];
        self.indices[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    fn transposed(&self, n_lists: usize) -> Self {
        let mut offsets = vec![0; n_lists + 1];
        self.indices.iter().for_each(|&i| offsets[i as usize + 1] += 1);
        for i in 0..n_lists {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let (mut indices, mut values) = (vec![0; self.indices.len()], vec![0.0; self.values.len()]);
        for j in 0..self.len() {
            for (i, value) in self.list(j) {
                let at = &mut next[i as usize];
                (indices[*at], values[*at]) = (j as u32, value);
                *at += 1;
            }
        }
        Compressed { offsets, indices, values }
    }
}

/// Bytes of so many entries: by feature, in lists that grow to twice their length, and by sample.
fn needed(entries: usize) -> u64 {
    3 * entries as u64 * (size_of::<u32>() + size_of::<f64>()) as u64
}

/// Sparse data that have to be held by their non-zeros and do not fit.
pub(super) fn too_many(data: &Dataset, monitor: &dyn Monitor) -> Error {
    let entries = match data.entry_counts(monitor) {
        Ok(counts) => counts.iter().sum(),
        Err(error) => return error,
    };
    let what = format!("measuring all pairs of samples by their {} non-zeros", grouped(entries));
    let refused = monitor.limits().check(what, needed(entries), "use fewer features or fewer samples");
    refused.err().unwrap_or(Error::Canceled)
}

impl SparseRows {
    /// Reads sparse data, every value multiplied by `scale`. Stored zeros are left out. `None` where they do not fit.
    ///
    /// # Errors
    /// The columns cannot be read.
    pub(super) fn read(data: &Dataset, scale: f64, monitor: &dyn Monitor) -> Result<Option<Self>> {
        let left = monitor.limits().left();
        let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for start in (0..data.n_features()).step_by(BLOCK) {
            let block = data.read(start..data.n_features().min(start + BLOCK))?;
            for j in 0..block.width() {
                let entries = block.entries(j).ok_or_else(|| {
                    Error::Columns("a source of sparse columns gave a block that is not sparse".into())
                })?;
                for (i, value) in entries.filter(|e| e.1 != 0.0) {
                    indices.push(i as u32);
                    values.push(value * scale);
                }
                offsets.push(indices.len());
            }
            if needed(indices.len()) > left {
                return Ok(None);
            }
        }
        let by_feature = Compressed { offsets, indices, values };
        Ok(Some(SparseRows { by_sample: by_feature.transposed(data.n_samples()), by_feature }))
    }

    /// Σ x² of every sample, in the order of [`exact`](super::exact).
    pub(super) fn squares(&self) -> Vec<f64> {
        (0..self.by_sample.len()).map(|i| self.pair_sum(Term::Product, i, i)).collect()
    }

    /// For every `(sample, others)` the sums over the features of the pairs.
    pub(super) fn pair_sums(
        &self,
        metric: Metric,
        pairs: &[(u32, Vec<u32>)],
        monitor: &dyn Monitor,
    ) -> Result<Vec<Vec<f64>>> {
        let stage = Stage::new(monitor, "exact distances", pairs.len())?;
        let sums = |(i, others): &(u32, Vec<u32>)| {
            stage.advance(1)?;
            Ok(others.iter().map(|&j| self.pair_sum(metric.term(), *i as usize, j as usize)).collect())
        };
        pairs.par_iter().with_min_len(64).map(sums).collect()
    }

    /// Merges two samples, adding in the order that dense rows are added in.
    fn pair_sum(&self, term: Term, i: usize, j: usize) -> f64 {
        let (mut x, mut y) = (self.by_sample.list(i).peekable(), self.by_sample.list(j).peekable());
        let mut sum = Runs::default();
        loop {
            let feature = match (x.peek(), y.peek()) {
                (Some(a), Some(b)) => a.0.min(b.0),
                (Some(a), None) => a.0,
                (None, Some(b)) => b.0,
                (None, None) => return sum.finish(),
            };
            let a = x.next_if(|e| e.0 == feature).map_or(0.0, |e| e.1);
            let b = y.next_if(|e| e.0 == feature).map_or(0.0, |e| e.1);
            sum.add(feature as usize, term.of(a, b));
        }
    }

    /// `out[j]` = G_ij for all samples j; `out` holds zeros before.
    pub(super) fn product_row(&self, metric: Metric, i: usize, out: &mut [f64]) {
        self.products(&self.by_feature, metric, i, out);
    }

    /// `out[c]` = G_ij for every landmark j, c its number among them; `out` holds zeros before.
    pub(super) fn products_with(&self, landmarks: &LandmarkRows, metric: Metric, i: usize, out: &mut [f64]) {
        self.products(&landmarks.by_feature, metric, i, out);
    }

    /// Some samples, by feature.
    pub(super) fn of(&self, landmarks: &[u32]) -> LandmarkRows {
        let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for &i in landmarks {
            for (feature, value) in self.by_sample.list(i as usize) {
                indices.push(feature);
                values.push(value);
            }
            offsets.push(indices.len());
        }
        let by_sample = Compressed { offsets, indices, values };
        LandmarkRows { by_feature: by_sample.transposed(self.by_feature.len()) }
    }

    fn products(&self, by_feature: &Compressed, metric: Metric, i: usize, out: &mut [f64]) {
        for (feature, x) in self.by_sample.list(i) {
            let column = by_feature.list(feature as usize);
            match metric.info().adds {
                Adds::Squares => column.for_each(|(j, y)| out[j as usize] += x * y),
                Adds::Magnitudes => column.for_each(|(j, y)| {
                    // The smaller magnitude where signs agree, 0 where they differ.
                    let common = if x > 0.0 { x.min(y.max(0.0)) } else { -x.max(y.min(0.0)) };
                    out[j as usize] += common;
                }),
            }
        }
    }

    /// n_i of every sample.
    pub(super) fn norms(&self, metric: Metric) -> Vec<f64> {
        let of_row = |i: usize| match metric.term() {
            Term::Product => 0.5,
            Term::Square => self.by_sample.list(i).map(|(_, v)| v * v).sum(),
            Term::Magnitude => self.by_sample.list(i).map(|(_, v)| v.abs()).sum(),
        };
        (0..self.by_sample.len()).map(of_row).collect()
    }

    /// The largest number of non-zeros of a sample.
    pub(super) fn longest(&self) -> usize {
        self.by_sample.offsets.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0)
    }
}

/// A sum in the order of [`exact`](super::exact): runs of features, eight lanes in each.
#[derive(Default)]
struct Runs {
    total: f64,
    lanes: [f64; LANES],
    run: usize,
}

impl Runs {
    fn add(&mut self, feature: usize, value: f64) {
        if feature / BLOCK != self.run {
            self.total += total(std::mem::take(&mut self.lanes));
            self.run = feature / BLOCK;
        }
        self.lanes[feature % LANES] += value;
    }

    fn finish(self) -> f64 {
        self.total + total(self.lanes)
    }
}

/// For every sample that searches its candidates in all classes.
pub(super) fn search(
    problem: &Problem<'_>,
    geometry: &Geometry,
    rows: &SparseRows,
    searching: &[u32],
    monitor: &dyn Monitor,
) -> Result<Vec<Shortlist>> {
    let n = problem.codes.len();
    let bounds = geometry.sparse_bounds(&rows.norms(geometry.metric), rows.longest());
    let stage = Stage::new(monitor, "neighbors", searching.len())?;
    searching
        .par_iter()
        .map_init(
            || vec![0.0; n],
            |products, &sample| {
                let i = sample as usize;
                products.fill(0.0);
                rows.product_row(geometry.metric, i, products);
                if geometry.metric.info().angles {
                    let own = geometry.row_factor(i) / geometry.scale;
                    let factor = |j: usize| own * (geometry.row_factor(j) / geometry.scale);
                    products.iter_mut().enumerate().for_each(|(j, g)| *g *= factor(j));
                }
                stage.advance(1)?;
                Ok(Shortlist { sample, others: scan(problem, &bounds, i, products) })
            },
        )
        .collect()
}

fn scan(problem: &Problem<'_>, bounds: &Bounds<f64>, i: usize, products: &[f64]) -> Option<Vec<u32>> {
    let mut lists: Vec<(f64, Candidates<f64>)> = (0..problem.n_classes)
        .map(|_| (f64::INFINITY, Candidates::new(problem.k, limit(problem.k))))
        .collect();
    for (j, (&g, &code)) in products.iter().zip(problem.codes).enumerate() {
        let lower = bounds.lower(i, j, g);
        let (threshold, candidates) = &mut lists[code as usize];
        if lower <= *threshold
            && i != j
            && let Some(tighter) = candidates.push(lower, bounds.upper(i, j, g), j, problem.k)
        {
            *threshold = tighter;
        }
    }
    let mut others = Vec::new();
    for (class, (_, candidates)) in lists.into_iter().enumerate() {
        others.extend(candidates.positions(problem.k, problem.others_of(i as u32, class))?);
    }
    Some(others)
}
