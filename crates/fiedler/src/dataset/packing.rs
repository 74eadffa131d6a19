//! Dense columns, scaled and laid side by side: the loops under [`ScaledBlock::pack`](super::scaled::ScaledBlock::pack).

use crate::simd::vectorized;

/// All rows of some columns from `first` on.
pub(super) fn pack_dense<T: Copy + Into<f64>>(
    values: &[T],
    row_stride: usize,
    column_stride: usize,
    first: usize,
    lanes: usize,
    affine: &[(f64, f64)],
    out: &mut [f64],
) {
    let values = &values[first * column_stride..];
    if let (8, 8, 1) = (lanes, affine.len(), row_stride) {
        return pack_eight(values, column_stride, affine, out);
    }
    if column_stride == 1 {
        return side_by_side((0..out.len() / lanes).map(|i| &values[i * row_stride..]), lanes, affine, out);
    }
    for (i, row) in out.chunks_exact_mut(lanes).enumerate() {
        let start = i * row_stride;
        for (lane, &(shift, factor)) in affine.iter().enumerate() {
            row[lane] = (values[start + lane * column_stride].into() - shift) * factor;
        }
        row[affine.len()..].fill(0.0);
    }
}

/// Some rows of some columns, `strides` apart (rows, columns).
pub(super) fn pick_dense<T: Copy + Into<f64>>(
    values: &[T],
    strides: (usize, usize),
    rows: &[u32],
    lanes: usize,
    affine: &[(f64, f64)],
    out: &mut [f64],
) {
    if strides.1 == 1 {
        return side_by_side(rows.iter().map(|&i| &values[i as usize * strides.0..]), lanes, affine, out);
    }
    vectorized!({
        for (out, rows) in out.chunks_mut(4 * lanes).zip(rows.chunks(4)) {
            let done = match *rows {
                [a, b, c, d] if strides.0 == 1 && (b, c, d) == (a + 1, a + 2, a + 3) => {
                    four_rows(&values[a as usize..], strides.1, lanes, affine, out)
                }
                _ => 0,
            };
            for (row, &i) in out.chunks_exact_mut(lanes).zip(rows) {
                let start = i as usize * strides.0;
                for (lane, &(shift, factor)) in affine.iter().enumerate().skip(done) {
                    row[lane] = (values[start + lane * strides.1].into() - shift) * factor;
                }
                row[affine.len()..].fill(0.0);
            }
        }
    });
}

/// Four neighboring samples of columns that are contiguous, four columns at a time; returns how many columns that were.
#[inline(always)]
fn four_rows<T: Copy + Into<f64>>(
    values: &[T],
    stride: usize,
    lanes: usize,
    affine: &[(f64, f64)],
    out: &mut [f64],
) -> usize {
    let fours = affine.as_chunks::<4>().0;
    for (at, affine) in fours.iter().enumerate() {
        let mut rows = [[0.0; 4]; 4];
        for l in 0..4 {
            let column = &values[(4 * at + l) * stride..][..4];
            for r in 0..4 {
                rows[r][l] = (column[r].into() - affine[l].0) * affine[l].1;
            }
        }
        for r in 0..4 {
            out[r * lanes + 4 * at..][..4].copy_from_slice(&rows[r]);
        }
    }
    4 * fours.len()
}

/// Rows of which the columns lie side by side, as most programs write them: a loop over slices, which the compiler turns
/// into vector instructions.
fn side_by_side<'v, T: Copy + Into<f64> + 'v>(
    rows: impl Iterator<Item = &'v [T]>,
    lanes: usize,
    affine: &[(f64, f64)],
    out: &mut [f64],
) {
    let (shifts, factors): (Vec<f64>, Vec<f64>) = affine.iter().copied().unzip();
    vectorized!({
        for (row, values) in out.chunks_exact_mut(lanes).zip(rows) {
            let (row, rest) = row.split_at_mut(shifts.len());
            for (((o, &v), shift), factor) in row.iter_mut().zip(values).zip(&shifts).zip(&factors) {
                *o = (v.into() - shift) * factor;
            }
            rest.fill(0.0);
        }
    });
}

/// The common case, a full tile from contiguous columns: eight streams in, one out.
fn pack_eight<T: Copy + Into<f64>>(
    values: &[T],
    column_stride: usize,
    affine: &[(f64, f64)],
    out: &mut [f64],
) {
    let rows = out.as_chunks_mut::<8>().0;
    let columns: [&[T]; 8] = std::array::from_fn(|l| &values[l * column_stride..][..rows.len()]);
    let (blocks, last_rows) = rows.as_chunks_mut::<4>();
    let done = 4 * blocks.len();
    for half in 0..2 {
        let [a, b, c, d]: [&[[T; 4]]; 4] = std::array::from_fn(|l| columns[4 * half + l].as_chunks::<4>().0);
        let affine = affine[4 * half..].first_chunk::<4>().expect("eight columns");
        vectorized!({
            for ((((block, a), b), c), d) in blocks.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                transpose([a, b, c, d], affine, half, block);
            }
        });
    }
    for (i, row) in last_rows.iter_mut().enumerate() {
        for (l, &(shift, factor)) in affine.iter().enumerate() {
            row[l] = (columns[l][done + i].into() - shift) * factor;
        }
    }
}

/// Four samples of four columns, contiguous loads turned in registers.
#[inline(always)]
fn transpose<T: Copy + Into<f64>>(
    columns: [&[T; 4]; 4],
    affine: &[(f64, f64); 4],
    half: usize,
    rows: &mut [[f64; 8]; 4],
) {
    let mut shifted = [[0.0; 4]; 4];
    for l in 0..4 {
        for r in 0..4 {
            shifted[l][r] = (columns[l][r].into() - affine[l].0) * affine[l].1;
        }
    }
    for r in 0..4 {
        for l in 0..4 {
            rows[r][4 * half + l] = shifted[l][r];
        }
    }
}
