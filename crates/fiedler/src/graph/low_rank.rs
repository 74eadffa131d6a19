//! Similarity through landmarks: S = ZΛ⁻¹Zᵀ, with Z (samples × landmarks) sparse, its rows summing to 1, and
//! Λ = diag(Zᵀ1).
//!
//! Never written out. With μ_c = Σ_i z_ic f_i / λ_c, the mean of f at landmark c:
//!
//! ```text
//! S1 = Z1 = 1                       all degrees are 1
//! S·x = Z·(means of x)              down to the landmarks, and up again
//! fᵀLf = ½ Σ_ij S_ij (f_i - f_j)² = Σ_c Σ_i z_ic (f_i - μ_c)²
//! ```
//!
//! so that the quadratic form is that of the [label graph](super::classes) with samples that belong to several classes, each
//! in part. It is a sum of squares in which nothing cancels.
//!
//! Cost: a pass over the entries of Z, of which there are a few for every sample, for every product and twice for every
//! form.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::{Components, LANES};
use crate::simd::vectorized;
#[cfg(feature = "serde")]
use crate::{Error, Result};

/// Samples that one task of a product takes at least. What the tasks add up is put together in their order.
const ROWS_PER_TASK: usize = 1 << 15;
/// A task has so many samples for every landmark at least, or the sums of all tasks would take more than the product.
const ROWS_PER_LANDMARK: usize = 4;
/// How far from 1 rounding moves the sum of a row.
#[cfg(feature = "serde")]
const UNIT: f64 = 1e-12;

/// ZΛ⁻¹Zᵀ, Z by compressed rows.
#[derive(Debug, Clone)]
pub(crate) struct LowRank {
    offsets: Vec<usize>,
    /// Landmarks, ascending in every row.
    landmarks: Vec<u32>,
    /// Above 0, and 1 in the sum of a row.
    weights: Vec<f64>,
    /// Λ; 0 for a landmark that nobody is linked to.
    volumes: Vec<f64>,
    /// Z by columns, when a row of S is asked for.
    members: OnceLock<Members>,
}

/// The samples of every landmark and their weights.
#[derive(Debug, Clone)]
struct Members {
    offsets: Vec<usize>,
    samples: Vec<u32>,
    weights: Vec<f64>,
}

impl LowRank {
    /// From the rows of Z: landmarks below `count`, ascending in every row, weights above 0 that add up to 1.
    pub(crate) fn new(count: usize, offsets: Vec<usize>, landmarks: Vec<u32>, weights: Vec<f64>) -> Self {
        let mut volumes = vec![0.0; count];
        landmarks.iter().zip(&weights).for_each(|(&c, w)| volumes[c as usize] += w);
        LowRank { offsets, landmarks, weights, volumes, members: OnceLock::new() }
    }

    /// The same from numbers that nobody vouches for.
    ///
    /// # Errors
    /// The lists do not fit each other, a landmark does not exist or comes twice, weights are not above 0 or do not add up to
    /// 1.
    #[cfg(feature = "serde")]
    pub(crate) fn checked(
        count: usize,
        offsets: Vec<usize>,
        landmarks: Vec<u32>,
        weights: Vec<f64>,
    ) -> Result<Self> {
        let (entries, got) = (landmarks.len(), weights.len());
        if got != entries {
            return Err(Error::Length { what: "weights of the links to landmarks", expected: entries, got });
        }
        let ascending = offsets.windows(2).all(|pair| pair[0] < pair[1]);
        if offsets.len() < 3 || offsets[0] != 0 || offsets.last() != Some(&entries) || !ascending {
            let rule = "ascending from 0 to the number of links, with a link for every sample and two samples at least";
            return Err(Error::parameter("offsets", rule, format!("{} offsets", offsets.len())));
        }
        let sound = |range: &[usize]| {
            let (landmarks, weights) = (&landmarks[range[0]..range[1]], &weights[range[0]..range[1]]);
            landmarks.windows(2).all(|pair| pair[0] < pair[1])
                && landmarks.iter().all(|&c| (c as usize) < count)
                && weights.iter().all(|w| w.is_normal() && *w > 0.0)
                && (weights.iter().sum::<f64>() - 1.0).abs() <= UNIT
        };
        match offsets.windows(2).position(|range| !sound(range)) {
            None => Ok(LowRank::new(count, offsets, landmarks, weights)),
            Some(i) => {
                let rule = format!("different landmarks below {count} with weights above 0 that add up to 1");
                Err(Error::parameter("links", rule, format!("other links of sample {i}")))
            }
        }
    }

    pub(crate) fn n_samples(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of landmarks.
    pub(crate) fn count(&self) -> usize {
        self.volumes.len()
    }

    /// Λ.
    pub(crate) fn volumes(&self) -> &[f64] {
        &self.volumes
    }

    /// Z: where every row begins, the landmarks and the weights of all links.
    pub(crate) fn compressed(&self) -> (&[usize], &[u32], &[f64]) {
        (&self.offsets, &self.landmarks, &self.weights)
    }

    /// The landmarks of sample `i` with their weights.
    #[inline(always)]
    pub(crate) fn links(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.offsets[i]..self.offsets[i + 1];
        self.landmarks[range.clone()].iter().map(|&c| c as usize).zip(self.weights[range].iter().copied())
    }

    pub(crate) fn degrees(&self) -> Vec<f64> {
        (0..self.n_samples()).map(|i| self.links(i).map(|(_, w)| w).sum()).collect()
    }

    pub(crate) fn diagonal(&self) -> Vec<f64> {
        (0..self.n_samples()).map(|i| self.links(i).map(|(c, w)| w * w / self.volumes[c]).sum()).collect()
    }

    /// Adds `weight`·(row `i` of S) to `out`.
    pub(crate) fn add_row(&self, weight: f64, i: usize, out: &mut [f64]) {
        let members = self.members.get_or_init(|| self.transposed());
        for (c, own) in self.links(i) {
            let range = members.offsets[c]..members.offsets[c + 1];
            for (&j, w) in members.samples[range.clone()].iter().zip(&members.weights[range]) {
                // The product first: S is symmetric to the bit.
                out[j as usize] += weight * (own * w / self.volumes[c]);
            }
        }
    }

    fn transposed(&self) -> Members {
        let mut offsets = vec![0; self.count() + 1];
        self.landmarks.iter().for_each(|&c| offsets[c as usize + 1] += 1);
        for c in 0..self.count() {
            offsets[c + 1] += offsets[c];
        }
        let mut next = offsets.clone();
        let (mut samples, mut weights) = (vec![0; self.landmarks.len()], vec![0.0; self.weights.len()]);
        for i in 0..self.n_samples() {
            for (c, w) in self.links(i) {
                (samples[next[c]], weights[next[c]]) = (i as u32, w);
                next[c] += 1;
            }
        }
        Members { offsets, samples, weights }
    }

    /// Pairs of samples that share a landmark, counted once for every landmark that they share, but no more than there are.
    pub(crate) fn edges(&self) -> usize {
        let n = self.n_samples();
        let mut sizes = vec![0usize; self.count()];
        self.landmarks.iter().for_each(|&c| sizes[c as usize] += 1);
        sizes.iter().map(|s| s * s.saturating_sub(1) / 2).sum::<usize>().min(n * (n - 1) / 2)
    }

    pub(crate) fn connect(&self, sets: &mut Components) {
        let mut first = vec![None; self.count()];
        for i in 0..self.n_samples() {
            for (c, _) in self.links(i) {
                sets.join(*first[c].get_or_insert(i), i);
            }
        }
    }

    /// `out` = S·`x`, both samples × `lanes`. Tasks have fixed sizes, so that threads do not change a bit.
    pub(crate) fn apply(&self, x: &[f64], lanes: usize, out: &mut [f64]) {
        let rows = ROWS_PER_TASK.max(ROWS_PER_LANDMARK * self.count());
        let parts: Vec<Vec<f64>> = x
            .par_chunks(rows * lanes)
            .enumerate()
            .map(|(task, x)| vectorized!(self.sums(task * rows, x, lanes)))
            .collect();
        let mut means = vec![0.0; self.count() * lanes];
        parts.iter().for_each(|part| means.iter_mut().zip(part).for_each(|(m, p)| *m += p));
        self.divide(&mut means, lanes);
        out.par_chunks_mut(rows * lanes).enumerate().for_each(|(task, out)| {
            vectorized!(self.spread(task * rows, &means, lanes, out));
        });
    }

    /// Zᵀx over the samples from `first` on, landmarks × `lanes`.
    #[inline(always)]
    fn sums(&self, first: usize, x: &[f64], lanes: usize) -> Vec<f64> {
        let mut sums = vec![0.0; self.count() * lanes];
        for (r, row) in x.chunks_exact(lanes).enumerate() {
            for (c, w) in self.links(first + r) {
                sums[c * lanes..][..lanes].iter_mut().zip(row).for_each(|(s, v)| *s += w * v);
            }
        }
        sums
    }

    /// Sums at landmarks become means.
    fn divide(&self, sums: &mut [f64], lanes: usize) {
        for (sums, &volume) in sums.chunks_exact_mut(lanes).zip(&self.volumes) {
            if volume > 0.0 {
                sums.iter_mut().for_each(|s| *s /= volume);
            }
        }
    }

    /// Z·`means` at the samples from `first` on.
    #[inline(always)]
    fn spread(&self, first: usize, means: &[f64], lanes: usize, out: &mut [f64]) {
        for (r, row) in out.chunks_exact_mut(lanes).enumerate() {
            row.fill(0.0);
            for (c, w) in self.links(first + r) {
                row.iter_mut().zip(&means[c * lanes..][..lanes]).for_each(|(o, m)| *o += w * m);
            }
        }
    }

    /// Adds `weight`·Σ_c Σ_i z_ic (f_i - μ_c)² of every lane to `out`; `lanes` is a multiple of [`LANES`].
    pub(crate) fn add_laplacian_forms(&self, weight: f64, tile: &[f64], lanes: usize, out: &mut [f64]) {
        let (rows, groups) = (tile.as_chunks::<LANES>().0, lanes / LANES);
        for group in 0..groups {
            let forms = vectorized!(self.forms(rows, groups, group));
            out[group * LANES..][..LANES].iter_mut().zip(forms).for_each(|(o, f)| *o += weight * f);
        }
    }

    /// Row i of the tile is `rows[i·groups + group]`.
    #[inline(always)]
    fn forms(&self, rows: &[[f64; LANES]], groups: usize, group: usize) -> [f64; LANES] {
        let mut means = vec![[0.0; LANES]; self.count()];
        for i in 0..self.n_samples() {
            let row = rows[i * groups + group];
            for (c, w) in self.links(i) {
                (0..LANES).for_each(|l| means[c][l] += w * row[l]);
            }
        }
        self.divide(means.as_flattened_mut(), LANES);
        let mut forms = [0.0; LANES];
        for i in 0..self.n_samples() {
            let row = rows[i * groups + group];
            for (c, w) in self.links(i) {
                let mean = &means[c];
                for l in 0..LANES {
                    let difference = row[l] - mean[l];
                    forms[l] += w * difference * difference;
                }
            }
        }
        forms
    }

    /// fᵀLf of a column given by its non-zeros.
    pub(crate) fn form_of_entries(&self, entries: &[(usize, f64)]) -> f64 {
        // Of every landmark: the sum of its samples, and how much of it they are.
        let mut landmarks = vec![(0.0, 0.0); self.count()];
        for &(i, v) in entries {
            for (c, w) in self.links(i) {
                landmarks[c].0 += w * v;
                landmarks[c].1 += w;
            }
        }
        let mean = |c: usize| if self.volumes[c] > 0.0 { landmarks[c].0 / self.volumes[c] } else { 0.0 };
        let of_entry =
            |&(i, v): &(usize, f64)| self.links(i).map(|(c, w)| w * (v - mean(c)).powi(2)).sum::<f64>();
        let zeros = |c: usize| (self.volumes[c] - landmarks[c].1).max(0.0) * mean(c) * mean(c);
        entries.iter().map(of_entry).sum::<f64>() + (0..self.count()).map(zeros).sum::<f64>()
    }
}
