//! A block of columns as methods see it: scaled, and packed the way a kernel wants it.

use std::borrow::Cow;
use std::ops::Range;

use super::columns::{Block, Values};
use super::packing::{pack_dense, pick_dense};
use super::{ColumnStats, Scaling};
use crate::simd::vectorized;

/// Rows that are taken together where numbers lie by rows: of 64 columns wherever they lie they fill a quarter of a
/// second-level cache.
const ROWS_TOGETHER: usize = 64;

/// Where the zero of a packed column lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Center {
    /// As the scaling left it.
    AsScaled,
    /// At the mean of the column: what keeps sums of squares exact under large offsets.
    Mean,
}

/// A block of columns together with the scaling of each.
pub(crate) struct ScaledBlock<'a> {
    block: Block<'a>,
    affine: Vec<(f64, f64)>,
    stats: Cow<'a, [ColumnStats]>,
    n_samples: usize,
    /// Whether the values are ranks, whose spread is what a column counts: see [`length`](Self::length).
    ranks: bool,
}

impl<'a> ScaledBlock<'a> {
    /// A block that is known to fit its samples and its statistics, one for every column.
    pub(super) fn new(
        block: Block<'a>,
        stats: Cow<'a, [ColumnStats]>,
        (scaling, ranks): (Scaling, bool),
        n_samples: usize,
    ) -> Self {
        let sparse = matches!(block, Block::Sparse(_));
        let affine = stats.iter().map(|s| s.affine(scaling, sparse)).collect();
        ScaledBlock { block, affine, stats, n_samples, ranks }
    }

    /// The columns `range` of the block.
    pub(super) fn part(&self, range: Range<usize>) -> ScaledBlock<'_> {
        ScaledBlock {
            block: self.block.part(range.clone()),
            affine: self.affine[range.clone()].to_vec(),
            stats: Cow::Borrowed(&self.stats[range]),
            n_samples: self.n_samples,
            ranks: self.ranks,
        }
    }

    /// Number of columns.
    pub(crate) fn width(&self) -> usize {
        self.affine.len()
    }

    pub(crate) fn is_sparse(&self) -> bool {
        matches!(self.block, Block::Sparse(_))
    }

    /// The mean of column `j`, as scaled.
    pub(crate) fn mean(&self, j: usize) -> f64 {
        let (shift, factor) = self.affine[j];
        (self.stats[j].mean - shift) * factor
    }

    /// The norm of column `j` about its mean, as scaled; 0 for a constant column.
    pub(crate) fn centered_norm(&self, j: usize) -> f64 {
        (self.stats[j].variance * self.n_samples as f64).sqrt() * self.affine[j].1
    }

    /// The length of a column where columns are compared: 1. Of ranks it is their spread, near 1 where a feature varies
    /// everywhere and √(3·rate) where it varies at that rate of the samples: what few samples carry counts less.
    pub(crate) fn length(&self, j: usize) -> f64 {
        if self.ranks { self.stats[j].variance.sqrt() } else { 1.0 }
    }

    /// Writes column `j` about its mean and divided by its norm, whatever the scaling: a vector of its
    /// [`length`](Self::length). A column without a norm becomes zeros.
    pub(crate) fn unit_column(&self, j: usize, out: &mut [f64]) {
        self.unit_rows(j, 0, out);
    }

    /// As [`unit_column`](Self::unit_column), for as many samples from `first` on as `out` has room for.
    fn unit_rows(&self, j: usize, first: usize, out: &mut [f64]) {
        let Some((mean, factor)) = self.unit_affine(j) else { return out.fill(0.0) };
        match &self.block {
            Block::Dense(b) => {
                let start = j * b.column_stride + first * b.row_stride;
                match &b.values {
                    Values::F64(v) => unit_dense(&v[start..], b.row_stride, (mean, factor), out),
                    Values::F32(v) => unit_dense(&v[start..], b.row_stride, (mean, factor), out),
                }
            }
            Block::Sparse(b) => {
                out.fill(-mean * factor);
                for e in b.column(j) {
                    let place = (b.rows[e] as usize).wrapping_sub(first);
                    if let Some(out) = out.get_mut(place) {
                        *out = (b.values.at(e) - mean) * factor;
                    }
                }
            }
        }
    }

    /// Shift and factor that make column `j` a [unit column](Self::unit_column); `None` where it has no norm.
    pub(super) fn unit_affine(&self, j: usize) -> Option<(f64, f64)> {
        let factor = self.length(j) / (self.stats[j].variance * self.n_samples as f64).sqrt();
        factor.is_finite().then_some((self.stats[j].mean, factor))
    }

    /// Writes the [unit columns](Self::unit_column) of some blocks one after the other.
    ///
    /// Numbers that lie by rows are taken a few rows at a time: what the cache fetches with a number is then its neighbors'.
    pub(super) fn unit_columns(blocks: &[ScaledBlock<'_>], out: &mut [f64]) {
        if let [block] = blocks
            && block.turn_units(out)
        {
            return;
        }
        let Some(n) = blocks.first().map(|block| block.n_samples) else { return };
        let together = if blocks.iter().any(ScaledBlock::is_by_rows) { ROWS_TOGETHER } else { n };
        for first in (0..n).step_by(together) {
            let rows = first..n.min(first + together);
            let columns = blocks.iter().flat_map(|block| (0..block.width()).map(move |j| (block, j)));
            for ((block, j), out) in columns.zip(out.chunks_exact_mut(n)) {
                block.unit_rows(j, first, &mut out[rows.clone()]);
            }
        }
    }

    /// Whether the samples of a column are far apart.
    fn is_by_rows(&self) -> bool {
        matches!(&self.block, Block::Dense(b) if b.row_stride != 1)
    }

    /// Writes the columns `range` of the block side by side: value (i, j) goes to
    /// `out[i·lanes + j]`; lanes beyond the range are filled with zeros.
    pub(crate) fn pack(&self, range: Range<usize>, lanes: usize, center: Center, out: &mut [f64]) {
        debug_assert!(range.len() <= lanes && out.len() == self.n_samples * lanes);
        let affine: Vec<(f64, f64)> = range.clone().map(|j| self.centered_affine(j, center)).collect();
        match &self.block {
            Block::Dense(b) => match &b.values {
                Values::F64(v) => {
                    pack_dense(v, b.row_stride, b.column_stride, range.start, lanes, &affine, out)
                }
                Values::F32(v) => {
                    pack_dense(v, b.row_stride, b.column_stride, range.start, lanes, &affine, out)
                }
            },
            Block::Sparse(b) => {
                out.fill(0.0);
                for (lane, j) in range.enumerate() {
                    let (shift, factor) = affine[lane];
                    let zero = -shift * factor;
                    if zero != 0.0 {
                        out.iter_mut().skip(lane).step_by(lanes).for_each(|v| *v = zero);
                    }
                    for e in b.column(j) {
                        out[b.rows[e] as usize * lanes + lane] = (b.values.at(e) - shift) * factor;
                    }
                }
            }
        }
    }

    /// As [`pack`](Self::pack), for some of the samples: value (`rows[r]`, j) goes to `out[r·lanes + j]`.
    pub(crate) fn pack_rows(
        &self,
        range: Range<usize>,
        rows: &[u32],
        lanes: usize,
        center: Center,
        out: &mut [f64],
    ) {
        debug_assert!(range.len() <= lanes && out.len() == rows.len() * lanes);
        let affine: Vec<(f64, f64)> = range.clone().map(|j| self.centered_affine(j, center)).collect();
        match &self.block {
            Block::Dense(b) => {
                let (strides, first) = ((b.row_stride, b.column_stride), range.start);
                match &b.values {
                    Values::F64(v) => pick_dense(&v[first * strides.1..], strides, rows, lanes, &affine, out),
                    Values::F32(v) => pick_dense(&v[first * strides.1..], strides, rows, lanes, &affine, out),
                }
            }
            Block::Sparse(b) => {
                out.fill(0.0);
                for (lane, j) in range.enumerate() {
                    let (shift, factor) = affine[lane];
                    let zero = -shift * factor;
                    let entries = b.column(j);
                    let places = &b.rows[entries.clone()];
                    let value = |at: usize| (b.values.at(entries.start + at) - shift) * factor;
                    for (at, &i) in rows.iter().enumerate() {
                        out[at * lanes + lane] = places.binary_search(&i).map_or(zero, value);
                    }
                }
            }
        }
    }

    /// Multiplies all values by a power of two as they are scaled, to the same bits as afterwards but for results below the normal
    /// range; `false`, with nothing done, where a factor itself would lie there.
    pub(crate) fn multiply(&mut self, by: f64) -> bool {
        let is_exact = |factor: f64| factor == 0.0 || (factor * by).is_normal();
        let can = self.affine.iter().all(|&(_, factor)| is_exact(factor));
        if can {
            self.affine.iter_mut().for_each(|(_, factor)| *factor *= by);
        }
        can
    }

    /// The numbers as the source has them.
    pub(super) fn block(&self) -> &Block<'_> {
        &self.block
    }

    /// Shift and factor of every column.
    pub(super) fn affine_of(&self, center: Center) -> Vec<(f64, f64)> {
        (0..self.width()).map(|j| self.centered_affine(j, center)).collect()
    }

    /// Shift and factor of column `j`.
    fn centered_affine(&self, j: usize, center: Center) -> (f64, f64) {
        match center {
            Center::AsScaled => self.affine[j],
            Center::Mean => (self.stats[j].mean, self.affine[j].1),
        }
    }

    /// Column `j`, scaled.
    pub(crate) fn column(&self, j: usize) -> Vec<f64> {
        let mut out = vec![0.0; self.n_samples];
        self.pack(j..j + 1, 1, Center::AsScaled, &mut out);
        out
    }

    /// What a 0 of column `j` becomes when it is scaled.
    pub(crate) fn zero(&self, j: usize) -> f64 {
        let (shift, factor) = self.affine[j];
        (0.0 - shift) * factor
    }

    /// The entries of sparse column `j`, scaled; `None` for dense data.
    pub(crate) fn entries(&self, j: usize) -> Option<impl Iterator<Item = (usize, f64)> + '_> {
        let Block::Sparse(b) = &self.block else { return None };
        let (shift, factor) = self.affine[j];
        Some(b.column(j).map(move |e| (b.rows[e] as usize, (b.values.at(e) - shift) * factor)))
    }
}

fn unit_dense<T: Copy + Into<f64>>(
    values: &[T],
    row_stride: usize,
    (shift, factor): (f64, f64),
    out: &mut [f64],
) {
    if row_stride == 1 {
        // A loop over two slices is what the compiler turns into vector instructions.
        vectorized!({
            for (o, &v) in out.iter_mut().zip(values) {
                *o = (v.into() - shift) * factor;
            }
        });
    } else {
        let spaced = values.iter().step_by(row_stride);
        out.iter_mut().zip(spaced).for_each(|(o, &v)| *o = (v.into() - shift) * factor);
    }
}
