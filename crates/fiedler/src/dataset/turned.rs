//! A block column after column, some samples of it in any precision or all as unit columns: what a matrix product wants.

use super::columns::{Block, DenseBlock, Values};
use super::scaled::{Center, ScaledBlock};
use crate::simd::vectorized;

/// Rows and columns that are turned together, in registers.
const SQUARE: usize = 8;

/// Some samples, and what each of them is multiplied by.
pub(crate) struct Picked<'a> {
    pub(crate) samples: &'a [u32],
    pub(crate) factors: &'a [f64],
    pub(crate) center: Center,
}

impl ScaledBlock<'_> {
    /// Writes the columns of the block one after the other, `height` numbers apart: the value of the r-th sample and column j,
    /// scaled, multiplied and [narrowed](Narrow), goes to `out[j·height + r]`. Columns beyond the block become zeros; what is
    /// beyond the last sample stays as it is.
    pub(crate) fn turn_rows<U: Narrow>(&self, picked: &Picked<'_>, height: usize, out: &mut [U]) {
        let (inside, beyond) = out.split_at_mut(self.width() * height);
        beyond.fill(U::narrow(0.0));
        let affine = self.affine_of(picked.center);
        match self.block() {
            Block::Dense(b) => match &b.values {
                Values::F64(v) => turn_dense(v, b, picked, &affine, height, inside),
                Values::F32(v) => turn_dense(v, b, picked, &affine, height, inside),
            },
            Block::Sparse(_) => {
                let width = self.width();
                let mut rows = vec![0.0; picked.samples.len() * width];
                self.pack_rows(0..width, picked.samples, width, picked.center, &mut rows);
                for (r, (row, factor)) in rows.chunks_exact(width).zip(picked.factors).enumerate() {
                    row.iter().enumerate().for_each(|(j, v)| inside[j * height + r] = U::narrow(v * factor));
                }
            }
        }
    }

    /// Writes the [unit columns](Self::unit_column) of a block whose columns lie side by side; answers whether it is one.
    pub(super) fn turn_units(&self, out: &mut [f64]) -> bool {
        let Block::Dense(b) = self.block() else { return false };
        if b.column_stride != 1 {
            return false;
        }
        let units: Vec<Option<(f64, f64)>> = (0..self.width()).map(|j| self.unit_affine(j)).collect();
        let affine: Vec<(f64, f64)> = units.iter().map(|unit| unit.unwrap_or_default()).collect();
        let n = out.len() / self.width();
        let all: Vec<u32> = (0..n as u32).collect();
        let picked = Picked { samples: &all, factors: &vec![1.0; n], center: Center::Mean };
        match &b.values {
            Values::F64(v) => turn_dense(v, b, &picked, &affine, n, out),
            Values::F32(v) => turn_dense(v, b, &picked, &affine, n, out),
        }
        let without_norm = out.chunks_exact_mut(n).zip(&units).filter(|(_, unit)| unit.is_none());
        without_norm.for_each(|(column, _)| column.fill(0.0));
        true
    }
}

/// A number that a double can be rounded to.
pub(crate) trait Narrow: Copy {
    fn narrow(value: f64) -> Self;
}

impl Narrow for f32 {
    #[inline(always)]
    fn narrow(value: f64) -> Self {
        value as f32
    }
}

impl Narrow for f64 {
    #[inline(always)]
    fn narrow(value: f64) -> Self {
        value
    }
}

fn turn_dense<T: Copy + Into<f64>, U: Narrow>(
    values: &[T],
    b: &DenseBlock<'_>,
    picked: &Picked<'_>,
    affine: &[(f64, f64)],
    height: usize,
    out: &mut [U],
) {
    if b.column_stride == 1 {
        vectorized!(turn_by_rows(values, b.row_stride, picked, affine, height, out));
        return;
    }
    let first = picked.samples.first().map_or(0, |&i| i as usize);
    let is_run = b.row_stride == 1 && picked.samples.iter().zip(first..).all(|(&i, at)| i as usize == at);
    for (j, (out, &(shift, factor))) in out.chunks_exact_mut(height).zip(affine).enumerate() {
        let column = &values[j * b.column_stride..];
        if is_run {
            vectorized!({
                for ((o, &v), by) in out.iter_mut().zip(&column[first..]).zip(picked.factors) {
                    *o = U::narrow((v.into() - shift) * factor * by);
                }
            });
        } else {
            for ((o, &i), by) in out.iter_mut().zip(picked.samples).zip(picked.factors) {
                *o = U::narrow((column[i as usize * b.row_stride].into() - shift) * factor * by);
            }
        }
    }
}

/// Rows of which the columns lie side by side, eight by eight.
#[inline(always)]
fn turn_by_rows<T: Copy + Into<f64>, U: Narrow>(
    values: &[T],
    stride: usize,
    picked: &Picked<'_>,
    affine: &[(f64, f64)],
    height: usize,
    out: &mut [U],
) {
    let (eights, last_samples) = picked.samples.as_chunks::<SQUARE>();
    let (factors, last_factors) = picked.factors.as_chunks::<SQUARE>();
    let (squares, last_columns) = affine.as_chunks::<SQUARE>();
    let row = |i: u32| &values[i as usize * stride..][..affine.len()];
    for (at, (samples, factors)) in eights.iter().zip(factors).enumerate() {
        for (s, affine) in squares.iter().enumerate() {
            let mut square = [[U::narrow(0.0); SQUARE]; SQUARE];
            for r in 0..SQUARE {
                let from = &row(samples[r])[s * SQUARE..][..SQUARE];
                for l in 0..SQUARE {
                    square[l][r] = U::narrow((from[l].into() - affine[l].0) * affine[l].1 * factors[r]);
                }
            }
            for (l, square) in square.iter().enumerate() {
                out[(s * SQUARE + l) * height + at * SQUARE..][..SQUARE].copy_from_slice(square);
            }
        }
        let first = squares.len() * SQUARE;
        for (j, &(shift, factor)) in (first..).zip(last_columns) {
            for r in 0..SQUARE {
                let value = (row(samples[r])[j].into() - shift) * factor * factors[r];
                out[j * height + at * SQUARE + r] = U::narrow(value);
            }
        }
    }
    let first = eights.len() * SQUARE;
    for (r, (&i, by)) in (first..).zip(last_samples.iter().zip(last_factors)) {
        for (j, (v, &(shift, factor))) in row(i).iter().zip(affine).enumerate() {
            out[j * height + r] = U::narrow(((*v).into() - shift) * factor * by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{BLOCK, Dataset, Dense, Order, Scaling, Sparse};

    /// By the definition.
    fn naive(data: &Dataset, picked: &Picked<'_>, height: usize, width: usize) -> Vec<f32> {
        let block = data.read(0..data.n_features()).expect("in memory");
        let mut rows = vec![0.0; picked.samples.len() * BLOCK];
        block.pack_rows(0..block.width(), picked.samples, BLOCK, picked.center, &mut rows);
        let mut out = vec![7.0; height * width];
        for j in 0..width {
            for r in 0..picked.samples.len() {
                out[j * height + r] = (rows[r * BLOCK + j] * picked.factors[r]) as f32;
            }
            if j >= block.width() {
                out[j * height..(j + 1) * height].fill(0.0);
            }
        }
        out
    }

    /// Column by column, from both orders: widths beyond whole squares, and a column without a norm.
    #[test]
    fn unit_columns_are_the_same_from_every_layout() {
        for (n, m) in [(1, 1), (8, 8), (29, 21), (64, 64), (70, 65)] {
            let value = |i: usize, j: usize| {
                if j == 3 { -2.5 } else { ((i * 37 + j * 101) % 19) as f64 - j as f64 * 1e3 }
            };
            let rows: Vec<f64> = (0..n * m).map(|p| value(p / m, p % m)).collect();
            let columns: Vec<f64> = (0..n * m).map(|p| value(p % n, p / n)).collect();
            let units = |values: Vec<f64>, order: Order| {
                let data = Dataset::new(Dense::new(values, n, m, order).expect("whole")).expect("finite");
                let block = data.read(0..m).expect("in memory");
                let mut one_by_one = vec![7.0; n * m];
                one_by_one.chunks_exact_mut(n).enumerate().for_each(|(j, out)| block.unit_column(j, out));
                let mut together = vec![7.0; n * m];
                assert_eq!(block.turn_units(&mut together), order == Order::RowMajor || n == 1);
                ScaledBlock::unit_columns(&[block], &mut together);
                assert_eq!(together, one_by_one, "{n} x {m}, {order:?}");
                together
            };
            assert_eq!(units(rows, Order::RowMajor), units(columns, Order::ColumnMajor));
        }
    }

    #[test]
    fn every_layout_gives_the_same_numbers() {
        let (n, m) = (29, 21);
        let value = |i: usize, j: usize| ((i * 37 + j * 101) % 19) as f32 - 6.0 + j as f32 * 1e3;
        let rows: Vec<f32> = (0..n * m).map(|p| value(p / m, p % m)).collect();
        let columns: Vec<f32> = (0..n * m).map(|p| value(p % n, p / n)).collect();
        let offsets: Vec<usize> = (0..=m).map(|j| j * n).collect();
        let all: Vec<u32> = (0..m).flat_map(|_| 0..n as u32).collect();
        let layouts = [
            Dataset::new(Dense::new(rows, n, m, Order::RowMajor).expect("whole")),
            Dataset::new(Dense::new(columns.clone(), n, m, Order::ColumnMajor).expect("whole")),
            Dataset::new(Sparse::new(offsets, all, columns, n).expect("whole")),
        ];
        let factors: Vec<f64> = (0..n).map(|r| 0.5 + r as f64).collect();
        for data in layouts {
            let data = data.expect("finite").scaled(Scaling::Standard);
            for samples in
                [(0..n as u32).collect::<Vec<_>>(), vec![3, 4, 5], vec![28, 0, 7, 7, 1, 2, 9, 11, 12]]
            {
                let factors = &factors[..samples.len()];
                let picked = Picked { samples: &samples, factors, center: Center::AsScaled };
                let (height, width) = (samples.len() + 3, m + 3);
                let mut found = vec![7.0; height * width];
                data.read(0..m).expect("in memory").turn_rows(&picked, height, &mut found);
                assert_eq!(found, naive(&data, &picked, height, width), "{samples:?}");
            }
        }
    }
}
