//! Products of blocks of samples in single precision, by registers.
//!
//! A product wants its left side in strips of some rows and its right side in strips of fewer, each feature after feature, so that all
//! that is read lies in a line. A library has to copy both sides to such an order for every product. Here one block of samples is
//! multiplied by many others, so it is laid out once, in both orders; of AVX2, where strips have sixteen rows and six:
//!
//! ```text
//! tall, feature 0: rows 0 … 15 │ feature 1: rows 0 … 15 │ … │ feature 0: rows 16 … 31 │ …
//! flat, feature 0: rows 0 … 5  │ feature 1: rows 0 … 5  │ … │ feature 0: rows 6 … 11  │ …
//! ```
//!
//! | | registers | a tall strip | a flat one | sums | beside them |
//! |---|---|---|---|---|---|
//! | AVX2 | 16 of 8 numbers | 16 rows, 2 registers | 6 | 12 registers | 3 |
//! | AVX-512 | 32 of 16 numbers | 48 rows, 3 registers | 8 | 24 registers | 4 |
//!
//! With AVX2 that is 1.2 times as fast as faer's product. Processors with neither are faer's.
//!
//! Products and sums are fused, which differs from machine to machine: what is computed here names candidates, with a bound that covers
//! either, and no result depends on it.

use super::real::Real;

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
    /// The first of the right side that takes part, where a strip begins.
    pub(super) first: usize,
    /// Whether only what is above the diagonal is wanted; some more is computed.
    pub(super) is_triangle: bool,
    /// Whether it is added to what is there.
    pub(super) add: bool,
}

/// A product of ours, and how it wants its two sides.
#[derive(Clone, Copy)]
pub(super) struct Product<T> {
    put: fn(&mut Strips<T>, usize, &[T], usize),
    multiply: fn(&Strips<T>, &Strips<T>, Task, &mut [T]),
}

impl<T> Product<T> {
    /// Lays out some features, from number `first` on, of which all samples lie together.
    pub(super) fn put(&self, strips: &mut Strips<T>, first: usize, columns: &[T], height: usize) {
        (self.put)(strips, first, columns, height);
    }

    /// `out` = left · rightᵀ, column-major, or that added to it.
    pub(super) fn multiply(&self, left: &Strips<T>, right: &Strips<T>, task: Task, out: &mut [T]) {
        (self.multiply)(left, right, task, out);
    }
}

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
}

/// The product of this machine, where it has what that takes.
#[cfg(target_arch = "x86_64")]
pub(super) fn of_singles() -> Option<Product<f32>> {
    of_this_machine().into_iter().next()
}

/// The product of this machine: faer's.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn of_singles() -> Option<Product<f32>> {
    None
}

/// All that this machine can do, the fastest first.
#[cfg(target_arch = "x86_64")]
fn of_this_machine() -> Vec<Product<f32>> {
    let wide = avx512::is_here().then_some(Product { put: put::<f32, 48, 8>, multiply: avx512::multiply });
    let usual = avx2::is_here().then_some(Product { put: put::<f32, 16, 6>, multiply: avx2::multiply });
    wide.into_iter().chain(usual).collect()
}

fn put<T: Copy, const TALL: usize, const FLAT: usize>(
    strips: &mut Strips<T>,
    first: usize,
    columns: &[T],
    height: usize,
) {
    lay_out::<T, TALL>(&mut strips.tall, (first, strips.width), columns, height);
    lay_out::<T, FLAT>(&mut strips.flat, (first, strips.width), columns, height);
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

/// The product of all strips, where `sums` is that of a tall one and a flat one over all features.
#[inline(always)]
fn strip_by_strip<const TALL: usize, const FLAT: usize>(
    (left, right): (&Strips<f32>, &Strips<f32>),
    task: Task,
    out: &mut [f32],
    sums: impl Fn(&[[f32; TALL]], &[[f32; FLAT]]) -> [[f32; TALL]; FLAT],
) {
    let (tall, flat) = (left.tall.as_chunks::<TALL>().0, right.flat.as_chunks::<FLAT>().0);
    let strips = flat.chunks_exact(right.width).enumerate().skip(task.first / FLAT);
    for ((c, right), out) in strips.zip(out.chunks_exact_mut(task.rows * FLAT)) {
        let height = if task.is_triangle { (c + 1) * FLAT } else { task.rows };
        for (r, left) in tall.chunks_exact(left.width).take(height.div_ceil(TALL)).enumerate() {
            for (out, found) in out.chunks_exact_mut(task.rows).zip(sums(left, right)) {
                let out = &mut out[r * TALL..][..TALL];
                if task.add {
                    out.iter_mut().zip(found).for_each(|(out, sum)| *out += sum);
                } else {
                    out.copy_from_slice(&found);
                }
            }
        }
    }
}

/// A product by the registers of a kind of machine: the name of the module, the machine as [`pulp`] calls it, its register with the
/// operations on it, rows of a tall strip, registers of these, rows of a flat strip.
#[cfg(target_arch = "x86_64")]
macro_rules! product {
    ($module:ident, $machine:ident, $register:ident, $splat:ident, $mul_add:ident, $tall:literal, $registers:literal, $flat:literal) => {
        mod $module {
            use pulp::x86::$machine;
            use pulp::{NullaryFnOnce, cast, $register};

            use super::{Strips, Task, strip_by_strip};

            /// Whether the machine has the instructions.
            pub(super) fn is_here() -> bool {
                $machine::try_new().is_some()
            }

            /// Nothing where the machine lacks the instructions.
            pub(super) fn multiply(left: &Strips<f32>, right: &Strips<f32>, task: Task, out: &mut [f32]) {
                if let Some(simd) = $machine::try_new() {
                    simd.vectorize(Multiply { simd, sides: (left, right), task, out });
                }
            }

            struct Multiply<'a> {
                simd: $machine,
                sides: (&'a Strips<f32>, &'a Strips<f32>),
                task: Task,
                out: &'a mut [f32],
            }

            impl NullaryFnOnce for Multiply<'_> {
                type Output = ();

                #[inline(always)]
                fn call(self) {
                    let Multiply { simd, sides, task, out } = self;
                    strip_by_strip(
                        sides,
                        task,
                        out,
                        #[inline(always)]
                        |left, right| sums(simd, left, right),
                    );
                }
            }

            #[inline(always)]
            fn sums(simd: $machine, left: &[[f32; $tall]], right: &[[f32; $flat]]) -> [[f32; $tall]; $flat] {
                let mut sums = [[simd.$splat(0.0); $registers]; $flat];
                for (rows, columns) in left.iter().zip(right) {
                    let rows: [$register; $registers] = cast(*rows);
                    for c in 0..$flat {
                        let column = simd.$splat(columns[c]);
                        for r in 0..$registers {
                            sums[c][r] = simd.$mul_add(rows[r], column, sums[c][r]);
                        }
                    }
                }
                sums.map(|sums| cast(sums))
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
product!(avx2, V3, f32x8, splat_f32x8, mul_add_f32x8, 16, 2, 6);
#[cfg(target_arch = "x86_64")]
product!(avx512, V4, f32x16, splat_f32x16, mul_add_f32x16, 48, 3, 8);

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    /// A block of samples, column-major, and in strips: laid out in two pieces.
    fn block(product: &Product<f32>, height: usize, width: usize, seed: usize) -> (Vec<f32>, Strips<f32>) {
        let values: Vec<f32> =
            (0..height * width).map(|p| ((p * 7919 + seed * 31) % 23) as f32 - 11.0).collect();
        let mut strips = Strips::default();
        strips.resize(height, width);
        let (some, others) = values.split_at(width / 2 * height);
        product.put(&mut strips, 0, some, height);
        product.put(&mut strips, width / 2, others, height);
        (values, strips)
    }

    /// Whole numbers, so that every order of the sums gives the same.
    #[test]
    fn the_product_is_that_of_the_textbook() {
        let sizes = [(48, 48, 4), (96, 48, 64), (240, 144, 52), (48, 240, 1)];
        for (product, (rows, columns, width)) in
            of_this_machine().into_iter().flat_map(|product| sizes.map(|size| (product, size)))
        {
            let (a, left) = block(&product, rows, width, 1);
            let (b, right) = block(&product, columns, width, 2);
            let naive = |i: usize, j: usize| -> f32 {
                (0..width).map(|k| a[k * rows + i] * b[k * columns + j]).sum()
            };
            for add in [false, true] {
                let mut out = vec![3.0; rows * columns];
                product.multiply(&left, &right, Task { rows, first: 0, is_triangle: false, add }, &mut out);
                for (p, &found) in out.iter().enumerate() {
                    let wanted = naive(p % rows, p / rows) + if add { 3.0 } else { 0.0 };
                    assert_eq!(found, wanted, "{rows} × {columns} × {width}, {p}");
                }
            }
        }
    }

    #[test]
    fn of_a_block_with_itself_all_above_the_diagonal_is_there() {
        let heights = [48, 144, 240];
        for (product, height) in
            of_this_machine().into_iter().flat_map(|product| heights.map(|height| (product, height)))
        {
            let (a, strips) = block(&product, height, 20, 3);
            let mut out = vec![f32::NAN; height * height];
            for (first, out) in (0..).step_by(height / 2).zip(out.chunks_exact_mut(height * height / 2)) {
                let task = Task { rows: height, first, is_triangle: true, add: false };
                product.multiply(&strips, &strips, task, out);
            }
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
