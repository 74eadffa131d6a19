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
    stride: usize,
    /// For every sample, how far the last one of its list is.
    reaches: Vec<f32>,
}

impl Leaf {
    /// Offers the samples to each other's lists, which have `length` links each.
    pub(super) fn join(&mut self, rows: &Rows, samples: &[u32], length: usize, lists: &mut [Link]) {
        self.stride = samples.len().next_multiple_of(LANES);
        rows.turn(samples, self.stride, &mut self.values);
        self.reaches.clear();
        self.reaches.extend(lists.chunks_exact(length).map(|list| list[length - 1].distance()));
        self.reaches.resize(self.stride, f32::NEG_INFINITY);
        let mut open = Open { samples, length, lists, reaches: &mut self.reaches };
        let (values, stride) = (&self.values[..], self.stride);
        match rows.adds() {
            Adds::Squares => vectorized!(all_pairs(values, stride, &mut open, |d| d * d)),
            Adds::Magnitudes => vectorized!(all_pairs(values, stride, &mut open, f32::abs)),
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
        // Neither is a number that is none.
        if distance < self.reaches[a] {
            let list = &mut self.lists[a * self.length..(a + 1) * self.length];
            if Link::insert(list, distance, other) {
                self.reaches[a] = list[self.length - 1].distance();
            }
        }
    }
}
