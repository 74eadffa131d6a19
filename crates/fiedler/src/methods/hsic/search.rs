//! Forward and backward search with the RBF kernel of the selected set.
//!
//! HSIC is linear in the kernel A of the features, so with K fixed
//!
//! ```text
//! HSIC(A, K) = 2/(n(n-3)) Σ_{i<j} M_ij A_ij,
//! M_ij = K_ij + 1ᵀK1/((n-1)(n-2)) - (k_i + k_j)/(n-2),  k = K1, K without its diagonal,
//! ```
//! and M is made once. The search keeps the squared distances of the selected set, to which a
//! feature adds (f_i - f_j)²; a candidate then costs one exponential for every pair of samples.

use crate::Result;
use crate::dataset::Dataset;
use crate::graph::{Bandwidth, Graph, dense, neighbors};
use crate::monitor::Monitor;

/// The share of the features that one round of backward search drops, as one in so many.
const DROPPED_SHARE: usize = 10;

/// The problem: data, M, and the width of the kernel.
pub(super) struct Search<'a> {
    data: &'a Dataset,
    monitor: &'a dyn Monitor,
    /// 2M_ij/(n(n-3)), i < j, row after row.
    target: Vec<f64>,
    /// Squared distances over all features, in the same order.
    full: Vec<f64>,
    width: Width,
    /// Features that vary.
    varying: Vec<usize>,
}

/// 2σ² of a set of features.
enum Width {
    Fixed(f64),
    PerFeature(f64),
}

impl Width {
    fn of(&self, features: usize) -> f64 {
        match *self {
            Width::Fixed(scale) => scale,
            Width::PerFeature(share) => share * features as f64,
        }
    }
}

/// What trying a feature does to the squared distances of the selected set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Add,
    Drop,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        data: &'a Dataset,
        graph: &Graph,
        sigma: Bandwidth,
        monitor: &'a dyn Monitor,
    ) -> Result<Self> {
        let advice = "use `search` linear, or fewer samples";
        dense::check_size_or("a search by HSIC", data.n_samples(), 3, (monitor, advice))?;
        let squares = neighbors::squared_distances(data, monitor)?;
        let n = data.n_samples();
        let full: Vec<f64> = (0..n).flat_map(|i| squares.col_as_slice(i)[i + 1..].iter().copied()).collect();
        let varying: Vec<usize> = (0..data.n_features()).filter(|&j| !data.constant(j)).collect();
        let width = match sigma {
            Bandwidth::Given(sigma) => Width::Fixed(2.0 * sigma * sigma),
            Bandwidth::Auto => Width::PerFeature(typical(&full) / varying.len().max(1) as f64),
        };
        Ok(Search { data, monitor, target: target(graph), full, width, varying })
    }

    /// All varying features, best first, each with the HSIC that it gave: `count` chosen one after the other, then
    /// the others by what each would give if it came next.
    pub(super) fn forward(&self, count: usize) -> Result<Vec<(usize, f64)>> {
        let mut left = self.varying.clone();
        let mut squares = vec![0.0; self.full.len()];
        let mut order = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let scores = self.scores(&left, &squares, Change::Add, order.len() + 1)?;
            left.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
            if order.len() >= count {
                order.extend(left.iter().map(|&j| (j, scores[j])));
                break;
            }
            let best = left.remove(0);
            self.change(&mut squares, best, Change::Add)?;
            order.push((best, scores[best]));
        }
        Ok(order)
    }

    /// All varying features, best first: the reverse of the order in which they were dropped, each with the HSIC of it
    /// and those before it.
    pub(super) fn backward(&self, count: usize) -> Result<Vec<(usize, f64)>> {
        let mut left = self.varying.clone();
        let mut squares = self.full.clone();
        let mut dropped = Vec::with_capacity(left.len());
        let mut summed = left.len();
        while left.len() > 1 {
            // Distances that are only ever subtracted from lose their digits: they are summed anew
            // whenever half of the features are gone, which costs no more than they did at first.
            if 2 * left.len() <= summed {
                summed = left.len();
                squares.fill(0.0);
                left.iter().try_for_each(|&j| self.change(&mut squares, j, Change::Add))?;
            }
            // A feature is missed little when HSIC is large without it.
            let scores = self.scores(&left, &squares, Change::Drop, left.len() - 1)?;
            left.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(a.cmp(&b)));
            let batch = (left.len() / DROPPED_SHARE).min(left.len().saturating_sub(count)).max(1);
            for _ in 0..batch {
                if let Some(least) = left.pop() {
                    self.change(&mut squares, least, Change::Drop)?;
                    dropped.push(least);
                }
            }
        }
        dropped.append(&mut left);
        dropped.reverse();
        let values = self.curve(&dropped)?;
        Ok(dropped.into_iter().zip(values).collect())
    }

    /// HSIC of the first 1, 2, … of these features.
    fn curve(&self, order: &[usize]) -> Result<Vec<f64>> {
        let mut squares = vec![0.0; self.full.len()];
        let mut values = Vec::with_capacity(order.len());
        for (before, &j) in order.iter().enumerate() {
            self.change(&mut squares, j, Change::Add)?;
            let rate = 1.0 / self.width.of(before + 1);
            values.push(self.target.iter().zip(&squares).map(|(m, d)| m * (-d * rate).exp()).sum());
        }
        Ok(values)
    }

    /// σ of a set of so many features.
    pub(super) fn sigma(&self, features: usize) -> f64 {
        (self.width.of(features) / 2.0).sqrt()
    }

    /// For every feature of `candidates`, HSIC of the set (of `size` features) with or without
    /// it; NaN for the others.
    fn scores(&self, candidates: &[usize], squares: &[f64], change: Change, size: usize) -> Result<Vec<f64>> {
        let mut wanted = vec![false; self.data.n_features()];
        candidates.iter().for_each(|&j| wanted[j] = true);
        let rate = 1.0 / self.width.of(size);
        self.data.map_blocks("search", self.monitor, |block, range| {
            let score = |j: usize| {
                let column = block.column(j - range.start);
                self.score(&column, squares, change, rate)
            };
            Ok(range.clone().map(|j| if wanted[j] { score(j) } else { f64::NAN }).collect())
        })
    }

    fn score(&self, column: &[f64], squares: &[f64], change: Change, rate: f64) -> f64 {
        let signed_rate = if change == Change::Add { rate } else { -rate };
        let mut sum = 0.0;
        let mut pair = 0;
        for (i, fi) in column.iter().enumerate() {
            for fj in &column[i + 1..] {
                let difference = fi - fj;
                let exponent = (squares[pair] * rate + difference * difference * signed_rate).max(0.0);
                sum += self.target[pair] * (-exponent).exp();
                pair += 1;
            }
        }
        sum
    }

    fn change(&self, squares: &mut [f64], feature: usize, change: Change) -> Result<()> {
        let column = self.data.column(feature)?;
        let mut squares = squares.iter_mut();
        for (i, fi) in column.iter().enumerate() {
            for (fj, square) in column[i + 1..].iter().zip(&mut squares) {
                let added = (fi - fj) * (fi - fj);
                let changed = if change == Change::Add { *square + added } else { *square - added };
                // What is left of a sum after its largest part is taken away may be rounding below 0.
                *square = changed.max(0.0);
            }
        }
        Ok(())
    }
}

/// The median of the squared distances; their mean where more than half of them are 0.
pub(super) fn typical(squares: &[f64]) -> f64 {
    match crate::graph::median(squares.to_vec()) {
        0.0 => squares.iter().sum::<f64>() / squares.len() as f64,
        median => median,
    }
}

/// 2M_ij/(n(n-3)), i < j, row after row.
fn target(graph: &Graph) -> Vec<f64> {
    let n = graph.n_samples();
    let degrees: Vec<f64> = graph.degrees().iter().zip(graph.diagonal()).map(|(d, own)| d - own).collect();
    let (size, volume) = (n as f64, degrees.iter().sum::<f64>());
    let mean = volume / ((size - 1.0) * (size - 2.0));
    let factor = 2.0 / (size * (size - 3.0));
    let mut target = Vec::with_capacity(n * (n - 1) / 2);
    let mut row = vec![0.0; n];
    for i in 0..n {
        row.fill(0.0);
        graph.add_row(1.0, i, &mut row);
        let weight = |j: usize| row[j] + mean - (degrees[i] + degrees[j]) / (size - 2.0);
        target.extend((i + 1..n).map(|j| factor * weight(j)));
    }
    target
}
