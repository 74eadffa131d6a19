//! Sparse similarity: compressed rows, both triangles, columns ascending.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::Components;
use super::stars::Stars;
use crate::simd::vectorized;

/// A symmetric sparse matrix by compressed rows; both triangles are stored.
#[derive(Debug, Clone)]
pub(crate) struct Sparse {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    weights: Vec<f64>,
    /// Where the entries right of the diagonal begin, row by row.
    upper: Vec<usize>,
    /// The upper triangle once more, when a pass over the features needs it.
    stars: OnceLock<Stars>,
}

/// Rows that one task of a parallel product takes.
const ROWS_PER_TASK: usize = 2048;

impl Sparse {
    /// From the entries of the upper triangle, `(i, j, weight)` with i ≤ j, in any order, each
    /// pair at most once. Zero weights are left out: they are no edges. So are weights too small
    /// for full precision, the reciprocals of which overflow.
    pub(crate) fn from_upper(n: usize, mut entries: Vec<(u32, u32, f64)>) -> Self {
        entries.retain(|e| e.2.abs() >= f64::MIN_POSITIVE);
        entries.sort_unstable_by_key(|e| (e.0, e.1));
        let mut offsets = vec![0usize; n + 1];
        for &(i, j, _) in &entries {
            debug_assert!(i <= j);
            offsets[i as usize + 1] += 1;
            if i != j {
                offsets[j as usize + 1] += 1;
            }
        }
        for i in 0..n {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let (mut columns, mut weights) = (vec![0u32; offsets[n]], vec![0.0; offsets[n]]);
        let mut put = |row: u32, column: u32, weight: f64| {
            let at = &mut next[row as usize];
            columns[*at] = column;
            weights[*at] = weight;
            *at += 1;
        };
        // Lower triangle first: sorted by (i, j), row j then receives its columns i ascending.
        for &(i, j, w) in entries.iter().filter(|e| e.0 != e.1) {
            put(j, i, w);
        }
        for &(i, j, w) in &entries {
            put(i, j, w);
        }
        let upper = (0..n)
            .map(|i| offsets[i] + columns[offsets[i]..offsets[i + 1]].partition_point(|&j| j as usize <= i))
            .collect();
        Sparse { offsets, columns, weights, upper, stars: OnceLock::new() }
    }

    /// From compressed rows as [`compressed`](Self::compressed) hands them out: columns ascending, every
    /// entry finite and of full precision, symmetric to the bit. `None` where they are not so.
    pub(crate) fn from_compressed(offsets: &[usize], columns: &[u32], weights: &[f64]) -> Option<Self> {
        let n = offsets.len() - 1;
        let row = |i: usize| &columns[offsets[i]..offsets[i + 1]];
        let mirrored = |i: usize, at: usize| {
            let j = columns[at] as usize;
            let place = row(j).binary_search(&(i as u32)).ok()?;
            Some(weights[offsets[j] + place].to_bits() == weights[at].to_bits())
        };
        let sound = |i: usize| {
            row(i).windows(2).all(|pair| pair[0] < pair[1])
                && row(i).last().is_none_or(|&j| (j as usize) < n)
                && weights[offsets[i]..offsets[i + 1]].iter().all(|w| w.is_normal())
        };
        let all_sound = (0..n).into_par_iter().all(sound);
        let symmetric = |i: usize| (offsets[i]..offsets[i + 1]).all(|at| mirrored(i, at) == Some(true));
        if !(n >= 2 && all_sound && (0..n).into_par_iter().all(symmetric)) {
            return None;
        }
        let upper = (0..n).map(|i| offsets[i] + row(i).partition_point(|&j| j as usize <= i)).collect();
        let (offsets, columns, weights) = (offsets.to_vec(), columns.to_vec(), weights.to_vec());
        Some(Sparse { offsets, columns, weights, upper, stars: OnceLock::new() })
    }

    /// The rows: where each begins, the columns and the weights of all entries.
    pub(crate) fn compressed(&self) -> (&[usize], &[u32], &[f64]) {
        (&self.offsets, &self.columns, &self.weights)
    }

    /// From directed entries `(i, j, weight)`, in any order: the entries of (i, j) and of (j, i)
    /// are added up.
    pub(crate) fn from_directed(n: usize, mut entries: Vec<(u32, u32, f64)>) -> Self {
        for entry in &mut entries {
            *entry = (entry.0.min(entry.1), entry.0.max(entry.1), entry.2);
        }
        // A stable sort: the order of the sum is that of the entries.
        entries.sort_by_key(|e| (e.0, e.1));
        let summed = entries
            .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
            .map(|run| (run[0].0, run[0].1, run.iter().map(|e| e.2).sum()))
            .collect();
        Sparse::from_upper(n, summed)
    }

    #[inline(always)]
    pub(crate) fn n_samples(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Neighbors of `i` with their weights, the diagonal included.
    pub(crate) fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.offsets[i]..self.offsets[i + 1];
        self.columns[range.clone()].iter().map(|&j| j as usize).zip(self.weights[range].iter().copied())
    }

    /// Row `i` times `x`, in four sums: one would wait for every addition.
    #[inline(always)]
    pub(crate) fn row_product(&self, i: usize, x: &[f64]) -> f64 {
        let range = self.offsets[i]..self.offsets[i + 1];
        let (columns, weights) = (&self.columns[range.clone()], &self.weights[range]);
        let ((fours, rest), (weights, last)) = (columns.as_chunks::<4>(), weights.as_chunks::<4>());
        let mut sums = [0.0; 4];
        for (columns, weights) in fours.iter().zip(weights) {
            (0..4).for_each(|l| sums[l] += weights[l] * x[columns[l] as usize]);
        }
        let rest: f64 = rest.iter().zip(last).map(|(&j, w)| w * x[j as usize]).sum();
        (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
    }

    /// Entries right of the diagonal in row `i`.
    #[inline(always)]
    pub(crate) fn upper_row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.upper[i]..self.offsets[i + 1];
        (&self.columns[range.clone()], &self.weights[range])
    }

    /// Entries right of the diagonal, `(i, j, weight)`.
    pub(crate) fn upper_entries(&self) -> impl Iterator<Item = (u32, u32, f64)> + '_ {
        (0..self.n_samples()).flat_map(|i| {
            let (columns, weights) = self.upper_row(i);
            columns.iter().zip(weights).map(move |(&j, &w)| (i as u32, j, w))
        })
    }

    /// The smallest and the largest weight off the diagonal.
    pub(crate) fn extremes(&self) -> (f64, f64) {
        let weights = self.upper_entries().map(|e| e.2);
        weights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), w| (w.min(low), w.max(high)))
    }

    /// Σ |S_ij|.
    pub(crate) fn absolute_sum(&self) -> f64 {
        self.weights.iter().map(|w| w.abs()).sum()
    }

    pub(crate) fn count_negative(&self) -> usize {
        self.upper_entries().filter(|e| e.2 < 0.0).count()
    }

    pub(crate) fn degrees(&self) -> Vec<f64> {
        (0..self.n_samples())
            .map(|i| self.weights[self.offsets[i]..self.offsets[i + 1]].iter().sum())
            .collect()
    }

    pub(crate) fn diagonal(&self) -> Vec<f64> {
        (0..self.n_samples()).map(|i| self.row(i).find(|&(j, _)| j == i).map_or(0.0, |(_, w)| w)).collect()
    }

    pub(crate) fn edges(&self) -> usize {
        (0..self.n_samples()).map(|i| self.offsets[i + 1] - self.upper[i]).sum()
    }

    pub(crate) fn connect(&self, sets: &mut Components) {
        for i in 0..self.n_samples() {
            self.upper_row(i).0.iter().for_each(|&j| sets.join(i, j as usize));
        }
    }

    /// `out` = S·`x`; every row of `out` is one task's, so threads do not change a bit.
    pub(crate) fn apply(&self, x: &[f64], lanes: usize, out: &mut [f64]) {
        out.par_chunks_mut(ROWS_PER_TASK * lanes).enumerate().for_each(|(task, rows)| {
            vectorized!(self.product_rows(task * ROWS_PER_TASK, x, lanes, rows));
        });
    }

    #[inline(always)]
    fn product_rows(&self, first: usize, x: &[f64], lanes: usize, out: &mut [f64]) {
        for (r, out_row) in out.chunks_exact_mut(lanes).enumerate() {
            let i = first + r;
            out_row.fill(0.0);
            for e in self.offsets[i]..self.offsets[i + 1] {
                let (j, w) = (self.columns[e] as usize, self.weights[e]);
                let x_row = &x[j * lanes..(j + 1) * lanes];
                out_row.iter_mut().zip(x_row).for_each(|(o, v)| *o += w * v);
            }
        }
    }

    /// Adds `weight`·Σ_{i<j} w_ij (f_i - f_j)² of every lane: fᵀLf as a sum of squares, which no
    /// offset of f can spoil.
    pub(crate) fn add_laplacian_forms(&self, weight: f64, tile: &[f64], lanes: usize, out: &mut [f64]) {
        self.stars().add_sums(weight, tile, lanes, out, square);
    }

    /// Adds `weight`·Σ_{i<j} w_ij |f_i - f_j| of every lane.
    pub(crate) fn add_absolute_sums(&self, weight: f64, tile: &[f64], lanes: usize, out: &mut [f64]) {
        self.stars().add_sums(weight, tile, lanes, out, absolute);
    }

    fn stars(&self) -> &Stars {
        self.stars.get_or_init(|| Stars::new(self.n_samples(), |i| self.upper_row(i)))
    }
}

#[inline(always)]
fn square(difference: f64) -> f64 {
    difference * difference
}

#[inline(always)]
fn absolute(difference: f64) -> f64 {
    difference.abs()
}
