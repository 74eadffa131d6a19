//! Trees that cut the samples into leaves of near ones: where the approximate search begins.
//!
//! A cut takes two samples at random and divides at the middle of all projections on the line
//! through them, so that leaves are equally large whatever the data, duplicates included.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::rows::Rows;
use crate::random::below;

/// More samples than this are cut by two threads.
const SHARED: usize = 1 << 14;

/// The samples in an order in which leaves lie one after the other.
pub(super) struct Tree {
    pub(super) order: Vec<u32>,
    /// Where every leaf begins, and the end.
    starts: Vec<usize>,
}

impl Tree {
    /// A tree with at most so many samples in a leaf. A cut depends on the seed and its place in the tree alone, so that threads
    /// do not change it.
    pub(super) fn grow(rows: &Rows, leaf: usize, seed: u32) -> Self {
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        divide(rows, &mut order, leaf, u64::from(seed) << 32 | 1);
        let starts = starts(order.len(), leaf);
        Tree { order, starts }
    }

    /// The tree of samples that are numbered in the order of one: what is near in memory is near.
    pub(super) fn in_order(n: usize, leaf: usize) -> Self {
        Tree { order: (0..n as u32).collect(), starts: starts(n, leaf) }
    }

    /// The samples of every leaf.
    pub(super) fn leaves(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.order[ends[0]..ends[1]])
    }
}

/// Where the leaves of a tree of so many samples begin, and the end: every cut is in the middle.
fn starts(n: usize, leaf: usize) -> Vec<usize> {
    let (mut starts, mut open) = (vec![0], vec![(0, n)]);
    while let Some((start, end)) = open.pop() {
        let middle = start + (end - start) / 2;
        if end - start <= leaf {
            starts.push(end);
        } else {
            open.extend([(middle, end), (start, middle)]);
        }
    }
    starts
}

/// Puts the samples of a node in the order of its leaves. Node `place` has the children 2·`place` and 2·`place` + 1.
fn divide(rows: &Rows, samples: &mut [u32], leaf: usize, place: u64) {
    if samples.len() <= leaf {
        return;
    }
    cut(rows, samples, &mut ChaCha8Rng::seed_from_u64(place));
    let is_shared = samples.len() > SHARED;
    let (first, second) = samples.split_at_mut(samples.len() / 2);
    // The seed stays in the upper half: no tree has as many as 2³² nodes.
    let below = place >> 32 << 32 | (place & 0xffff_ffff) << 1;
    if is_shared {
        rayon::join(|| divide(rows, first, leaf, below), || divide(rows, second, leaf, below | 1));
    } else {
        divide(rows, first, leaf, below);
        divide(rows, second, leaf, below | 1);
    }
}

/// Puts the half of `samples` that lies nearer to one of two random samples first; within a half they stay in order.
fn cut(rows: &Rows, samples: &mut [u32], rng: &mut ChaCha8Rng) {
    let first = below(rng, samples.len());
    let second = (first + 1 + below(rng, samples.len() - 1)) % samples.len();
    let placed = rows.projections(samples, &rows.difference(samples[first], samples[second]));
    let middle = samples.len() / 2;
    let pivot = *placed.clone().select_nth_unstable_by(middle, f32::total_cmp).1;
    // Of those that lie at the middle the first ones go to the first half.
    let smaller = placed.iter().filter(|p| p.total_cmp(&pivot).is_lt()).count();
    let (mut room, mut at) = (middle - smaller, 0);
    let mut others = Vec::with_capacity(samples.len() - middle);
    for (k, p) in placed.iter().enumerate() {
        let order = p.total_cmp(&pivot);
        if order.is_lt() || order.is_eq() && room > 0 {
            room -= usize::from(order.is_eq());
            samples[at] = samples[k];
            at += 1;
        } else {
            others.push(samples[k]);
        }
    }
    samples[middle..].copy_from_slice(&others);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::geometry::Geometry;
    use super::*;
    use crate::dataset::{Dataset, Scaling};
    use crate::graph::Metric;

    #[test]
    fn every_sample_is_in_one_leaf_and_near_ones_are_together() {
        // Two heaps, of which each has its own halves; duplicates fill the leaves too.
        for spread in [1.0, 0.0] {
            let at = |i: u32| f64::from(i % 2) * 100.0 + spread * f64::from(i * 7919 % 1000) / 1000.0;
            let rows: Vec<Vec<f64>> = (0..1001).map(|i| vec![at(i), at(i)]).collect();
            let data = Dataset::from_rows(&rows).unwrap().scaled(Scaling::None);
            let geometry = Geometry::new(&data, Metric::Euclidean, &crate::Silent).unwrap();
            let rows = Rows::read(&data, &geometry).unwrap();
            let tree = Tree::grow(&rows, 48, 3);
            let mut all = tree.order.clone();
            all.sort_unstable();
            assert!(all.iter().copied().eq(0..1001));
            assert!(tree.leaves().all(|leaf| (16..=48).contains(&leaf.len())));
            let mixed = |leaf: &&[u32]| leaf.iter().any(|i| i % 2 != leaf[0] % 2);
            assert!(tree.leaves().filter(mixed).count() <= 1, "only the leaf between the heaps");
            assert_ne!(tree.order, Tree::grow(&rows, 48, 4).order);
            let ends = |tree: &Tree| tree.leaves().map(<[u32]>::len).collect::<Vec<_>>();
            assert_eq!(ends(&tree), ends(&Tree::in_order(1001, 48)));
        }
    }
}
