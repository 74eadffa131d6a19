//! All pairs of the samples of a leaf, for their lists.
//!
//! The values of a leaf are laid out feature after feature, so that the distances of [`HEIGHT`] samples to [`LANES`] others are summed up
//! in registers: one comes at a tenth of what it costs to fetch two rows from anywhere in memory. They are
//! compared with what the samples have so far, and hardly ever is one of them of interest. Each serves both samples.

use super::descent::Link;
use super::rows::Rows;
use crate::graph::metric::Adds;
use crate::simd::vectorized;

/// Numbers that vector instructions treat together.
const LANES: usize = 16;
/// Samples that are compared with as many others at a time.
const HEIGHT: usize = 4;

/// Distances of some samples to others.
type Square = [[f32; LANES]; HEIGHT];

/// The samples of a leaf: room that is used again for the next one.
#[derive(Default)]
pub(super) struct Leaf {
    /// Value j of sample a is `values[j·stride + a]`, NaN beyond the last sample.
    values: Vec<f32>,
    /// For every sample, how far the last one of its list is.
    reaches: Vec<f32>,
}

impl Leaf {
    /// Offers the samples to each other's lists, which have `length` links each.
    pub(super) fn join(&mut self, rows: &Rows, samples: &[u32], length: usize, lists: &mut [Link]) {
        let stride = samples.len().next_multiple_of(LANES);
        rows.turn(samples, stride, &mut self.values);
        self.reaches.clear();
        self.reaches.extend(lists.chunks_exact(length).map(|list| list[length - 1].distance()));
        self.reaches.resize(stride, f32::NEG_INFINITY);
        let mut open = Open { samples, length, lists, reaches: &mut self.reaches };
        match rows.adds() {
            Adds::Squares => vectorized!(all_pairs(&self.values, stride, &mut open, |d| d * d)),
            Adds::Magnitudes => vectorized!(all_pairs(&self.values, stride, &mut open, f32::abs)),
        }
    }
}

/// The lists of a leaf.
struct Open<'a> {
    samples: &'a [u32],
    length: usize,
    lists: &'a mut [Link],
    reaches: &'a mut [f32],
}

#[inline(always)]
fn all_pairs(values: &[f32], stride: usize, open: &mut Open<'_>, term: impl Fn(f32) -> f32) {
    for i in (0..open.samples.len()).step_by(HEIGHT) {
        for j in (i / LANES * LANES..stride).step_by(LANES) {
            let mut sums: Square = [[0.0; LANES]; HEIGHT];
            for feature in values.chunks_exact(stride) {
                let (x, y) = (&feature[i..i + HEIGHT], &feature[j..j + LANES]);
                for h in 0..HEIGHT {
                    for l in 0..LANES {
                        sums[h][l] += term(y[l] - x[h]);
                    }
                }
            }
            if is_any_close(&sums, &open.reaches[i..i + HEIGHT], &open.reaches[j..j + LANES]) {
                open.offer(i, j, &sums);
            }
        }
    }
}

/// Whether someone is nearer than the last one of a list.
#[inline(always)]
fn is_any_close(sums: &Square, own: &[f32], theirs: &[f32]) -> bool {
    let mut close = [false; LANES];
    for h in 0..HEIGHT {
        for l in 0..LANES {
            let reach = if theirs[l] > own[h] { theirs[l] } else { own[h] };
            close[l] |= sums[h][l] < reach;
        }
    }
    close.iter().fold(false, |any, &c| any | c)
}

impl Open<'_> {
    /// Offers the samples from `i` on to those from `j` on and the other way round, every pair once.
    #[inline(never)]
    fn offer(&mut self, i: usize, j: usize, sums: &Square) {
        for (a, sums) in (i..self.samples.len()).zip(sums) {
            for (b, &distance) in (j..self.samples.len()).zip(sums).skip((a + 1).saturating_sub(j)) {
                self.take(a, distance, self.samples[b]);
                self.take(b, distance, self.samples[a]);
            }
        }
    }

    /// Puts someone in the list of sample `a`, where that is nearer than the last one and not there.
    #[inline(always)]
    fn take(&mut self, a: usize, distance: f32, other: u32) {
        if distance < self.reaches[a] {
            let list = &mut self.lists[a * self.length..(a + 1) * self.length];
            if Link::insert(list, distance, other) {
                self.reaches[a] = list[self.length - 1].distance();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::geometry::Geometry;
    use super::*;
    use crate::dataset::{Dataset, Scaling};
    use crate::graph::Metric;

    /// The nearest others of everyone, one pair at a time.
    fn naive(rows: &Rows, samples: &[u32], length: usize) -> Vec<Vec<f32>> {
        let of = |&i: &u32| {
            let others: Vec<u32> = samples.iter().copied().filter(|&j| j != i).collect();
            let mut distances = Vec::new();
            rows.distances(i, &others, &mut distances);
            distances.sort_unstable_by(f32::total_cmp);
            distances.truncate(length);
            distances
        };
        samples.iter().map(of).collect()
    }

    #[test]
    fn everyone_has_the_nearest_of_the_leaf_whatever_its_size() {
        let value = |i: u64, j: u64| (i * 7919 + j * 104_729) % 1009;
        let data: Vec<Vec<f64>> =
            (0..90).map(|i| (0..21).map(|j| value(i, j * i + j) as f64).collect()).collect();
        let data = Dataset::from_rows(&data).unwrap().scaled(Scaling::None);
        for &metric in &[Metric::Euclidean, Metric::Manhattan, Metric::Cosine] {
            let rows = Rows::read(&data, &Geometry::new(&data, metric, &crate::Silent).unwrap()).unwrap();
            for size in [2, 3, 15, 16, 17, 31, 64, 90] {
                let samples: Vec<u32> = (0..90).rev().take(size).collect();
                let length = 7.min(size - 1);
                let mut lists = vec![Link::NONE; size * length];
                let mut leaf = Leaf::default();
                // Once more, who is there is not taken again.
                (0..2).for_each(|_| leaf.join(&rows, &samples, length, &mut lists));
                for (list, wanted) in lists.chunks_exact(length).zip(naive(&rows, &samples, length)) {
                    let close = |(a, b): (&Link, &f32)| (a.distance() - b).abs() <= 1e-6 * b.max(1e-6);
                    assert!(list.iter().zip(&wanted).all(close), "{metric:?}, {size}: {list:?}, {wanted:?}");
                }
            }
        }
    }
}
