//! Samples × features of a ranking, best feature first, so that the first so many features of a row are
//! a piece of it: dense rows, or rows of entries in the order of the ranking.
//!
//! Only differences between samples count here, so the zero of a feature is put where it serves: entries are counted
//! from what 0 was scaled to, dense columns from their mean, which keeps large offsets from costing digits.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::simd::vectorized;
use crate::{Result, limits};

/// Rows are kept by their entries where at most one value in so many is not 0.
const ONE_IN: usize = 4;

/// An error where a copy of the judged features is more than the budget.
pub(super) fn check_size(what: &str, bytes: u64, monitor: &dyn Monitor) -> Result<()> {
    monitor.limits().check(what, bytes, "ask for smaller counts of features (`counts`), or use fewer samples")
}

/// The rows.
pub(super) struct Rows {
    pub(super) n_samples: usize,
    pub(super) n_features: usize,
    shape: Shape,
}

enum Shape {
    Dense(Vec<f64>),
    /// Entries of row i: `offsets[i]..offsets[i + 1]`, features ascending.
    Sparse {
        offsets: Vec<usize>,
        entries: Vec<(u32, f64)>,
    },
}

impl Rows {
    /// The features `order` of the samples `samples`.
    pub(super) fn gather(
        data: &Dataset,
        samples: &[usize],
        order: &[usize],
        monitor: &dyn Monitor,
    ) -> Result<Self> {
        let (n, d) = (samples.len(), order.len());
        check_size("the table of the judged features", limits::matrices(2, n, d), monitor)?;
        let mut columns = vec![0.0; n * d];
        let mut zeros = vec![0.0; d];
        let mut filled = 0;
        data.each_column(order, |f, block, at| {
            let (all, zero) = (block.column(at), block.zero(at));
            let column = &mut columns[f * n..(f + 1) * n];
            column.iter_mut().zip(samples).for_each(|(v, &i)| *v = all[i]);
            filled += column.iter().filter(|&&v| v != zero).count();
            zeros[f] = zero;
        })?;
        if filled <= n * d / ONE_IN {
            return Ok(Self::from_entries(&columns, n, &zeros));
        }
        let mut rows = vec![0.0; n * d];
        for (f, column) in columns.chunks_exact(n).enumerate() {
            let mean = column.iter().sum::<f64>() / n as f64;
            column.iter().enumerate().for_each(|(i, v)| rows[i * d + f] = v - mean);
        }
        Ok(Rows { n_samples: n, n_features: d, shape: Shape::Dense(rows) })
    }

    /// Plain rows, put about the means of their columns.
    pub(super) fn centered(rows: &[f64], n_features: usize) -> Self {
        let n = rows.len() / n_features;
        let mut means = vec![0.0; n_features];
        for row in rows.chunks_exact(n_features) {
            means.iter_mut().zip(row).for_each(|(m, v)| *m += v / n as f64);
        }
        let shifted = rows.iter().enumerate().map(|(at, v)| v - means[at % n_features]).collect();
        Rows { n_samples: n, n_features, shape: Shape::Dense(shifted) }
    }

    fn from_entries(columns: &[f64], n: usize, zeros: &[f64]) -> Self {
        let (mut offsets, mut entries) = (vec![0], Vec::new());
        for i in 0..n {
            for (f, zero) in zeros.iter().enumerate() {
                let value = columns[f * n + i] - zero;
                if value != 0.0 {
                    entries.push((f as u32, value));
                }
            }
            offsets.push(entries.len());
        }
        Rows { n_samples: n, n_features: zeros.len(), shape: Shape::Sparse { offsets, entries } }
    }

    /// Calls `work` with every feature below `count` that row `i` has something other than 0 in.
    #[inline(always)]
    pub(super) fn each(&self, i: usize, count: usize, mut work: impl FnMut(usize, f64)) {
        match &self.shape {
            Shape::Dense(rows) => {
                let row = &rows[i * self.n_features..i * self.n_features + count];
                row.iter().enumerate().for_each(|(f, &v)| work(f, v));
            }
            Shape::Sparse { offsets, entries } => {
                let row = &entries[offsets[i]..offsets[i + 1]];
                let end = row.partition_point(|e| (e.0 as usize) < count);
                row[..end].iter().for_each(|&(f, v)| work(f as usize, v));
            }
        }
    }

    /// ‖xᵢ‖² over the first `count` features, of all rows.
    pub(super) fn squares(&self, count: usize) -> Vec<f64> {
        let square = |i: usize| {
            let mut sum = 0.0;
            self.each(i, count, |_, v| sum += v * v);
            sum
        };
        (0..self.n_samples).map(square).collect()
    }

    /// X·C over the first `count` features, for C = `count` × `lanes` by rows; the answer is
    /// samples × `lanes`. Fastest where the lanes are a multiple of eight.
    pub(super) fn multiply(&self, right: &[f64], lanes: usize, count: usize, out: &mut [f64]) {
        match &self.shape {
            Shape::Dense(rows) => matmul(
                MatMut::from_row_major_slice_mut(out, self.n_samples, lanes),
                Accum::Replace,
                MatRef::from_row_major_slice(rows, self.n_samples, self.n_features).subcols(0, count),
                MatRef::from_row_major_slice(right, count, lanes),
                1.0,
                Par::Seq,
            ),
            Shape::Sparse { offsets, entries } => vectorized!({
                for (i, out) in out.chunks_exact_mut(lanes).enumerate() {
                    let row = &entries[offsets[i]..offsets[i + 1]];
                    let row = &row[..row.partition_point(|e| (e.0 as usize) < count)];
                    let mut from = 0;
                    while from < lanes {
                        from += match lanes - from {
                            32.. => multiply_row::<4>(row, right, lanes, from, out),
                            24.. => multiply_row::<3>(row, right, lanes, from, out),
                            16.. => multiply_row::<2>(row, right, lanes, from, out),
                            _ => multiply_row::<1>(row, right, lanes, from, out),
                        };
                    }
                }
            }),
        }
    }
}

/// The products of a row with W·8 lanes from `from` on, which stay in registers; answers how many lanes that
/// were. Fewer than eight lanes are taken one by one.
#[inline(always)]
fn multiply_row<const W: usize>(
    row: &[(u32, f64)],
    right: &[f64],
    lanes: usize,
    from: usize,
    out: &mut [f64],
) -> usize {
    if lanes - from < W * 8 {
        for lane in from..lanes {
            out[lane] = row.iter().map(|&(f, v)| v * right[f as usize * lanes + lane]).sum();
        }
        return lanes - from;
    }
    let mut sums = [[0.0; 8]; W];
    for &(f, v) in row {
        let values = &right[f as usize * lanes + from..][..W * 8];
        for w in 0..W {
            for l in 0..8 {
                sums[w][l] += v * values[w * 8 + l];
            }
        }
    }
    out[from..from + W * 8].copy_from_slice(sums.as_flattened());
    W * 8
}
