//! Products of blocks of samples in single precision, by registers: sixteen rows and six columns at a time.
//!
//! A product wants its left side in strips of [`TALL`] rows and its right side in strips of [`FLAT`], each feature after feature, so that all
//! that is read lies in a line. A library has to copy both sides to such an order for every product. Here one block of samples is
//! multiplied by many others, so it is laid out once, in both orders:
//!
//! ```text
//! tall, feature 0: rows 0 … 15 │ feature 1: rows 0 … 15 │ … │ feature 0: rows 16 … 31 │ …
//! flat, feature 0: rows 0 … 5  │ feature 1: rows 0 … 5  │ … │ feature 0: rows 6 … 11  │ …
//! ```
//!
//! Sixteen rows of singles are two registers of AVX2, six columns make twelve sums of them, and three more registers hold what is
//! multiplied: fifteen of sixteen. On two cores of an AMD EPYC 1.2 times as fast as faer's product. Processors with wider registers
//! (AVX-512), and others without AVX2, are faer's.
//!
//! Products and sums are fused, which differs from machine to machine: what is computed here names candidates, with a bound that covers
//! either, and no result depends on it.

use super::real::Real;

/// Rows of a strip of the left side: two registers.
const TALL: usize = 16;
/// Rows of a strip of the right side.
const FLAT: usize = 6;

/// A block of samples in both orders. The number of samples is a multiple of 48.
pub(super) struct Strips<T> {
    tall: Vec<T>,
    flat: Vec<T>,
    /// Features.
    width: usize,
}

/// Which product.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task {
    /// Rows of the left side.
    pub(super) rows: usize,
    /// Whether only what is above the diagonal is wanted; some more is computed.
    pub(super) is_triangle: bool,
    /// Whether it is added to what is there.
    pub(super) add: bool,
}

/// `out` = left · rightᵀ, column-major, or that added to it.
pub(super) type Product<T> = fn(&Strips<T>, &Strips<T>, Task, &mut [T]);

impl<T> Default for Strips<T> {
    fn default() -> Self {
        Strips { tall: Vec::new(), flat: Vec::new(), width: 0 }
    }
}

impl<T: Real> Strips<T> {
    /// Room for so many samples and features.
    pub(super) fn resize(&mut self, height: usize, width: usize) {
        self.width = width;
        self.tall.resize(height * width, T::ZERO);
        self.flat.resize(height * width, T::ZERO);
    }

    /// Lays out some features, from number `first` on, of which all samples lie together.
    pub(super) fn put(&mut self, first: usize, columns: &[T], height: usize) {
        lay_out::<T, TALL>(&mut self.tall, (first, self.width), columns, height);
        lay_out::<T, FLAT>(&mut self.flat, (first, self.width), columns, height);
    }
}

fn lay_out<T: Copy, const ROWS: usize>(
    strips: &mut [T],
    (first, width): (usize, usize),
    columns: &[T],
    height: usize,
) {
    for (s, strip) in strips.as_chunks_mut::<ROWS>().0.chunks_exact_mut(width).enumerate() {
        for (to, column) in strip[first..].iter_mut().zip(columns.chunks_exact(height)) {
            to.copy_from_slice(&column[s * ROWS..][..ROWS]);
        }
    }
}

/// The product of this machine, where it has what that takes.
#[cfg(target_arch = "x86_64")]
pub(super) fn of_singles() -> Option<Product<f32>> {
    let is_wider = std::arch::is_x86_feature_detected!("avx512f");
    (!is_wider && pulp::x86::V3::try_new().is_some()).then_some(avx2::multiply)
}

/// The product of this machine: faer's.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn of_singles() -> Option<Product<f32>> {
    None
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use pulp::x86::V3;
    use pulp::{NullaryFnOnce, cast, f32x8};

    use super::{FLAT, Strips, TALL, Task};

    /// Nothing where the machine lacks the instructions, which [`of_singles`](super::of_singles) has looked at.
    pub(super) fn multiply(left: &Strips<f32>, right: &Strips<f32>, task: Task, out: &mut [f32]) {
        if let Some(simd) = V3::try_new() {
            simd.vectorize(Multiply { simd, left, right, task, out });
        }
    }

    struct Multiply<'a> {
        simd: V3,
        left: &'a Strips<f32>,
        right: &'a Strips<f32>,
        task: Task,
        out: &'a mut [f32],
    }

    impl NullaryFnOnce for Multiply<'_> {
        type Output = ();

        #[inline(always)]
        fn call(self) {
            let Multiply { simd, left, right, task, out } = self;
            let (tall, flat) = (left.tall.as_chunks::<TALL>().0, right.flat.as_chunks::<FLAT>().0);
            let columns = flat.chunks_exact(right.width).zip(out.chunks_exact_mut(task.rows * FLAT));
            for (c, (right, out)) in columns.enumerate() {
                let height = if task.is_triangle { (c + 1) * FLAT } else { task.rows };
                for (r, left) in tall.chunks_exact(left.width).take(height.div_ceil(TALL)).enumerate() {
                    let found = sums(simd, left, right);
                    for (out, found) in out.chunks_exact_mut(task.rows).zip(found) {
                        let out = &mut out[r * TALL..][..TALL];
                        let found: [f32; TALL] = cast(found);
                        if task.add {
                            out.iter_mut().zip(found).for_each(|(out, sum)| *out += sum);
                        } else {
                            out.copy_from_slice(&found);
                        }
                    }
                }
            }
        }
    }

    /// Sixteen rows by six columns, over all features.
    #[inline(always)]
    fn sums(simd: V3, left: &[[f32; TALL]], right: &[[f32; FLAT]]) -> [[f32x8; 2]; FLAT] {
        let mut sums = [[simd.splat_f32x8(0.0); 2]; FLAT];
        for (rows, columns) in left.iter().zip(right) {
            let rows: [f32x8; 2] = cast(*rows);
            for c in 0..FLAT {
                let column = simd.splat_f32x8(columns[c]);
                sums[c][0] = simd.mul_add_f32x8(rows[0], column, sums[c][0]);
                sums[c][1] = simd.mul_add_f32x8(rows[1], column, sums[c][1]);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of samples, column-major, and in strips: laid out in two pieces.
    fn block(height: usize, width: usize, seed: usize) -> (Vec<f32>, Strips<f32>) {
        let values: Vec<f32> =
            (0..height * width).map(|p| ((p * 7919 + seed * 31) % 23) as f32 - 11.0).collect();
        let mut strips = Strips::default();
        strips.resize(height, width);
        let (some, others) = values.split_at(width / 2 * height);
        strips.put(0, some, height);
        strips.put(width / 2, others, height);
        (values, strips)
    }

    /// Whole numbers, so that every order of the sums gives the same.
    #[test]
    fn the_product_is_that_of_the_textbook() {
        let Some(multiply) = of_singles() else { return };
        for (rows, columns, width) in [(48, 48, 4), (96, 48, 64), (240, 144, 52), (48, 240, 1)] {
            let ((a, left), (b, right)) = (block(rows, width, 1), block(columns, width, 2));
            let naive = |i: usize, j: usize| -> f32 {
                (0..width).map(|k| a[k * rows + i] * b[k * columns + j]).sum()
            };
            for add in [false, true] {
                let mut out = vec![3.0; rows * columns];
                multiply(&left, &right, Task { rows, is_triangle: false, add }, &mut out);
                for (p, &found) in out.iter().enumerate() {
                    let wanted = naive(p % rows, p / rows) + if add { 3.0 } else { 0.0 };
                    assert_eq!(found, wanted, "{rows} × {columns} × {width}, {p}");
                }
            }
        }
    }

    #[test]
    fn of_a_block_with_itself_all_above_the_diagonal_is_there() {
        let Some(multiply) = of_singles() else { return };
        for height in [48, 144, 240] {
            let (a, strips) = block(height, 20, 3);
            let mut out = vec![f32::NAN; height * height];
            let task = Task { rows: height, is_triangle: true, add: false };
            multiply(&strips, &strips, task, &mut out);
            for j in 0..height {
                for i in 0..=j {
                    let wanted: f32 = (0..20).map(|k| a[k * height + i] * a[k * height + j]).sum();
                    assert_eq!(out[j * height + i], wanted, "{i}, {j}");
                }
            }
            assert!(out[1..height / 2].iter().any(|v| v.is_nan()) || height == 48, "half of it is left out");
        }
    }
}
