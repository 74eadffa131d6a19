//! One look at every column: mean, variance, range, how many samples carry it, and whether all values are finite.
//!
//! The data may lie in either order, and a walk down one column of a row-major matrix fetches a
//! whole cache line for every number. The look therefore goes tile by tile: [`ROWS`] samples of
//! [`LANES`] columns are packed side by side, looked at while they are in the cache, and joined
//! to what is known by the formulas of Chan, Golub & LeVeque (1979):
//!
//! ```text
//! δ = mean_B − mean_A,   mean = mean_A + δ·n_B/n,   M₂ = M₂_A + M₂_B + δ²·n_A·n_B/n
//! ```
//!
//! and by those of Pébay (2008) for M₃ and M₄, the sums of third and fourth powers about the mean.
//!
//! All of it is about the first value of the column, and M₂ inside a tile is by the corrected
//! two-pass formula, so that a large offset costs no digits. Tiles are joined in the order of the samples
//! whatever the order in memory: the same numbers give the same bits.

use super::columns::{Block, DenseBlock, SparseBlock, Values};
use crate::simd::vectorized;

/// Columns that are looked at side by side.
const LANES: usize = 8;

/// Samples of a tile: with [`LANES`] columns it fills 16 KiB, half of a first-level cache.
const ROWS: usize = 256;

/// What one look at a column tells, in the user's units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColumnStats {
    /// Mean.
    pub mean: f64,
    /// Population variance, by the corrected two-pass formula.
    pub variance: f64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// n_eff = (Σ(x-μ)²)²/Σ(x-μ)⁴: how many samples carry the variance. About the number of ones in a rare 0/1 column, n/3 for a
    /// Gaussian one; without a unit. 0 for a constant column.
    pub effective_samples: f64,
}

/// A value that is NaN or infinite.
#[derive(Debug, Clone, Copy)]
pub(super) struct NotFinite {
    pub(super) row: usize,
    /// Counted inside the block.
    pub(super) column: usize,
    pub(super) value: f64,
}

impl ColumnStats {
    /// Whether all values are the same: no method can score such a feature.
    pub fn is_constant(&self) -> bool {
        self.min == self.max
    }

    /// The statistics of the `width` columns of a block, or its first value that is not finite:
    /// first by column, then by row.
    pub(super) fn of_block(block: &Block<'_>, width: usize, n: usize) -> Result<Vec<Self>, NotFinite> {
        match block {
            Block::Sparse(b) => (0..width).map(|j| sparse(b, j, n)).collect(),
            Block::Dense(b) => {
                let groups = match &b.values {
                    Values::F64(v) => dense(v, b, width, n),
                    Values::F32(v) => dense(v, b, width, n),
                };
                let poisoned = groups.iter().any(|g| g.poison.iter().any(|p| p.is_nan()));
                if poisoned && let Some(bad) = first_not_finite(b, width, n) {
                    return Err(bad);
                }
                let value = |i: usize, j: usize| b.values.at(i * b.row_stride + j * b.column_stride);
                let stats = |j: usize| {
                    let stats = groups[j / LANES].lane(j % LANES);
                    stats.in_range((0..n).map(|i| value(i, j)), 0.0)
                };
                Ok((0..width).map(stats).collect())
            }
        }
    }

    fn finish(mean: f64, (spread, fourth): (f64, f64), (min, max): (f64, f64), n: f64) -> Self {
        if min == max {
            return ColumnStats { mean, variance: 0.0, min, max, effective_samples: 0.0 };
        }
        let variance = (spread / n).max(0.0);
        ColumnStats { mean, variance, min, max, effective_samples: spread * spread / fourth }
    }

    /// The same, with n_eff computed again where the fourth powers of these values (and of so many zeros) overflowed or vanished.
    fn in_range(mut self, values: impl Iterator<Item = f64>, zeros: f64) -> Self {
        let n = &mut self.effective_samples;
        if self.min != self.max && !(n.is_finite() && *n >= 0.5) {
            let scale = 1.0 / (self.max - self.min);
            let square = |v: f64| ((v - self.mean) * scale).powi(2);
            let start = (zeros * square(0.0), zeros * square(0.0).powi(2));
            let (second, fourth) =
                values.map(square).fold(start, |(second, fourth), s| (second + s, fourth + s * s));
            *n = second * second / fourth;
        }
        self
    }
}

/// What is known of some columns after some tiles.
#[derive(Clone, Copy)]
struct Running {
    count: f64,
    /// The first values; the means are about them.
    origin: [f64; LANES],
    mean: [f64; LANES],
    /// Σ (value - mean)².
    spread: [f64; LANES],
    /// Σ (value - mean)³ and Σ (value - mean)⁴.
    third: [f64; LANES],
    fourth: [f64; LANES],
    min: [f64; LANES],
    max: [f64; LANES],
    /// Σ 0·value: zero as long as all values are finite, NaN for ever after.
    poison: [f64; LANES],
}

impl Running {
    const NOTHING: Running = Running {
        count: 0.0,
        origin: [0.0; LANES],
        mean: [0.0; LANES],
        spread: [0.0; LANES],
        third: [0.0; LANES],
        fourth: [0.0; LANES],
        min: [f64::INFINITY; LANES],
        max: [f64::NEG_INFINITY; LANES],
        poison: [0.0; LANES],
    };

    #[inline(always)]
    fn join(&mut self, tile: &[[f64; LANES]]) {
        if self.count == 0.0 {
            self.origin = tile[0];
        }
        let (origin, t) = (self.origin, tile.len() as f64);
        let mut sum = [0.0; LANES];
        for row in tile {
            for l in 0..LANES {
                let v = row[l];
                sum[l] += v - origin[l];
                self.min[l] = if v < self.min[l] { v } else { self.min[l] };
                self.max[l] = if v > self.max[l] { v } else { self.max[l] };
                self.poison[l] += 0.0 * v;
            }
        }
        let mut mean = [0.0; LANES];
        for l in 0..LANES {
            mean[l] = sum[l] / t;
        }
        let (mut first, mut second) = ([0.0; LANES], [0.0; LANES]);
        let (mut third, mut fourth) = ([0.0; LANES], [0.0; LANES]);
        for row in tile {
            for l in 0..LANES {
                let d = row[l] - origin[l] - mean[l];
                let square = d * d;
                first[l] += d;
                second[l] += square;
                third[l] += square * d;
                fourth[l] += square * square;
            }
        }
        let (a, n) = (self.count, self.count + t);
        for l in 0..LANES {
            let delta = mean[l] - self.mean[l];
            let (square, shift) = (delta * delta, delta / n);
            let spread = second[l] - first[l] * first[l] / t;
            self.fourth[l] += fourth[l]
                + square * square * (a * t * (a * a - a * t + t * t) / (n * n * n))
                + 6.0 * shift * shift * (a * a * spread + t * t * self.spread[l])
                + 4.0 * shift * (a * third[l] - t * self.third[l]);
            self.third[l] += third[l]
                + square * delta * (a * t * (a - t) / (n * n))
                + 3.0 * shift * (a * spread - t * self.spread[l]);
            self.mean[l] += delta * (t / n);
            self.spread[l] += spread + square * (a * t / n);
        }
        self.count = n;
    }

    fn lane(&self, l: usize) -> ColumnStats {
        let mean = self.origin[l] + self.mean[l];
        let (powers, range) = ((self.spread[l], self.fourth[l]), (self.min[l], self.max[l]));
        ColumnStats::finish(mean, powers, range, self.count)
    }
}

/// All columns of a dense block, [`LANES`] to a group. Tiles go down the samples and groups across
/// inside them, so that neighboring columns of a row are read while their page is at hand.
fn dense<T: Copy + Into<f64>>(values: &[T], b: &DenseBlock<'_>, width: usize, n: usize) -> Vec<Running> {
    let mut groups = vec![Running::NOTHING; width.div_ceil(LANES)];
    let mut tile = [[0.0; LANES]; ROWS];
    vectorized!({
        for start in (0..n).step_by(ROWS) {
            let rows = ROWS.min(n - start);
            for (g, running) in groups.iter_mut().enumerate() {
                let lanes = LANES.min(width - g * LANES);
                let base = start * b.row_stride + g * LANES * b.column_stride;
                if b.column_stride == 1 && lanes == LANES {
                    pack_rows(&values[base..], b.row_stride, &mut tile[..rows]);
                } else {
                    pack_columns(&values[base..], (b.row_stride, b.column_stride), lanes, &mut tile[..rows]);
                }
                running.join(&tile[..rows]);
            }
        }
    });
    groups
}

/// Columns that lie side by side.
#[inline(always)]
fn pack_rows<T: Copy + Into<f64>>(values: &[T], stride: usize, tile: &mut [[f64; LANES]]) {
    for (i, row) in tile.iter_mut().enumerate() {
        let from = &values[i * stride..i * stride + LANES];
        for l in 0..LANES {
            row[l] = from[l].into();
        }
    }
}

/// Columns that lie anywhere. Lanes without a column keep what they have, which nobody reads.
#[inline(always)]
fn pack_columns<T: Copy + Into<f64>>(
    values: &[T],
    (row_stride, column_stride): (usize, usize),
    lanes: usize,
    tile: &mut [[f64; LANES]],
) {
    for l in 0..lanes {
        for (i, row) in tile.iter_mut().enumerate() {
            row[l] = values[l * column_stride + i * row_stride].into();
        }
    }
}

/// Looked for only when it is known to be there.
fn first_not_finite(b: &DenseBlock<'_>, width: usize, n: usize) -> Option<NotFinite> {
    (0..width).find_map(|column| {
        (0..n).find_map(|row| {
            let value = b.values.at(row * b.row_stride + column * b.column_stride);
            (!value.is_finite()).then_some(NotFinite { row, column, value })
        })
    })
}

/// A sparse column: its zeros are counted, not visited.
fn sparse(b: &SparseBlock<'_>, j: usize, n_samples: usize) -> Result<ColumnStats, NotFinite> {
    let n = n_samples as f64;
    let column: Vec<f64> = b.column(j).map(|e| b.values.at(e)).collect();
    let zeros = (n_samples - column.len()) as f64;
    if let Some(at) = column.iter().position(|v| !v.is_finite()) {
        let row = b.rows[b.column(j).start + at] as usize;
        return Err(NotFinite { row, column: j, value: column[at] });
    }
    let (mut min, mut max) = if zeros > 0.0 { (0.0, 0.0) } else { (f64::INFINITY, f64::NEG_INFINITY) };
    for &v in &column {
        min = v.min(min);
        max = v.max(max);
    }
    // Shifting by a value of the column first keeps the sum small where the offset is large.
    let origin = column.first().copied().unwrap_or(0.0);
    let mean = origin + (column.iter().map(|v| v - origin).sum::<f64>() + zeros * -origin) / n;
    let (mut first, mut second) = (-mean * zeros, mean * mean * zeros);
    let mut fourth = mean * mean * (mean * mean) * zeros;
    for &v in &column {
        let square = (v - mean) * (v - mean);
        first += v - mean;
        second += square;
        fourth += square * square;
    }
    let stats = ColumnStats::finish(mean, (second - first * first / n, fourth), (min, max), n);
    Ok(stats.in_range(column.iter().copied(), zeros))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table with offsets of very different size, as a naive loop over columns sees it.
    fn values(n: usize, m: usize) -> Vec<f64> {
        (0..n * m)
            .map(|p| {
                let (i, j) = (p / m, p % m);
                1e6_f64.powi(j as i32 % 3) + ((i * 7919 + j * 104_729) % 1009) as f64 / 7.0
            })
            .collect()
    }

    fn naive(column: &[f64]) -> (f64, f64, f64) {
        let n = column.len() as f64;
        let shift = column[0];
        let about = column.iter().map(|v| v - shift).sum::<f64>() / n;
        let power = |p: i32| column.iter().map(|v| (v - shift - about).powi(p)).sum::<f64>();
        (shift + about, power(2) / n, if n > 1.0 { power(2).powi(2) / power(4) } else { 0.0 })
    }

    fn look(
        values: Vec<f64>,
        row_stride: usize,
        column_stride: usize,
        width: usize,
        n: usize,
    ) -> Vec<ColumnStats> {
        let values = Values::F64(values.into());
        let block = Block::Dense(DenseBlock { values, row_stride, column_stride });
        ColumnStats::of_block(&block, width, n).expect("finite values")
    }

    #[test]
    fn both_orders_agree_to_the_bit_and_with_textbook_sums() {
        for (n, m) in [(1, 1), (255, 3), (256, 8), (257, 9), (1000, 21)] {
            let rows = values(n, m);
            let columns: Vec<f64> = (0..m).flat_map(|j| rows.iter().skip(j).step_by(m).copied()).collect();
            let by_row = look(rows, m, 1, m, n);
            let by_column = look(columns.clone(), 1, n, m, n);
            assert_eq!(by_row, by_column, "{n} × {m}");
            for (stats, column) in by_row.iter().zip(columns.chunks(n)) {
                let (mean, variance, carriers) = naive(column);
                assert!(
                    (stats.effective_samples - carriers).abs() <= 1e-9 * carriers,
                    "{stats:?} {carriers}"
                );
                assert!((stats.mean - mean).abs() <= 1e-14 * mean.abs(), "{stats:?} {mean}");
                assert!((stats.variance - variance).abs() <= 1e-10 * variance, "{stats:?} {variance}");
                assert_eq!(stats.min, column.iter().copied().fold(f64::INFINITY, f64::min));
                assert_eq!(stats.max, column.iter().copied().fold(f64::NEG_INFINITY, f64::max));
            }
        }
    }

    #[test]
    fn constant_columns_are_exact_and_single_precision_is_widened() {
        let stats = look(vec![0.1; 3 * 600], 3, 1, 3, 600);
        assert!(stats.iter().all(|s| s.mean == 0.1 && s.variance == 0.0 && s.is_constant()));
        let values = Values::F32(vec![0.25, 0.75].into());
        let block = Block::Dense(DenseBlock { values, row_stride: 1, column_stride: 2 });
        let stats = ColumnStats::of_block(&block, 1, 2).expect("finite values");
        let expected =
            ColumnStats { mean: 0.5, variance: 0.0625, min: 0.25, max: 0.75, effective_samples: 2.0 };
        assert_eq!(stats, [expected]);
    }

    #[test]
    fn the_first_bad_value_by_column_then_row_is_named() {
        let (n, m) = (700, 11);
        let mut rows = values(n, m);
        rows[3 * m + 9] = f64::NAN;
        rows[650 * m + 2] = f64::NEG_INFINITY;
        let values = Values::F64(rows.into());
        let block = Block::Dense(DenseBlock { values, row_stride: m, column_stride: 1 });
        let bad = ColumnStats::of_block(&block, m, n).expect_err("a bad value");
        assert_eq!((bad.row, bad.column, bad.value), (650, 2, f64::NEG_INFINITY));
    }
}
