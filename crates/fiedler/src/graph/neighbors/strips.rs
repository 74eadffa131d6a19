//! Products of blocks of samples, by registers.
//!
//! A product wants its left side in strips of some rows and its right side in strips of fewer, each feature after feature, so that all
//! that is read lies in a line. A library has to copy both sides to such an order for every product. Here one block of samples is
//! multiplied by many others, so it is laid out once, in both orders; of AVX2, where strips have sixteen rows and six:
//!
//! ```text
//! tall, word 0: rows 0 … 15 │ word 1: rows 0 … 15 │ … │ word 0: rows 16 … 31 │ …
//! flat, word 0: rows 0 … 5  │ word 1: rows 0 … 5  │ … │ word 0: rows 6 … 11  │ …
//! ```
//!
//! A word is 32 bits: a number in single precision, or two [whole numbers](super::whole), which are two features of a sample. How
//! many rows a strip has is a matter of the [registers](super::registers). Processors that have none which we know are faer's.
//!
//! What is computed here names candidates, with a bound that covers any order of the sums, fused or not, and no result depends on it.

use pulp::bytemuck::{Pod, cast_slice};

use super::whole::Rounded;

/// A block of samples in both orders. The number of samples is a multiple of 48.
#[derive(Default)]
pub(super) struct Strips {
    tall: Vec<u32>,
    flat: Vec<u32>,
    /// Words of a sample.
    width: usize,
    /// What rounding to whole numbers made of it, where that is what it is made of.
    pub(super) rounded: Rounded,
}

/// Some features of a block of samples, all samples of a feature lying together.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a, T> {
    /// The first feature.
    pub(super) first: usize,
    pub(super) values: &'a [T],
    /// Numbers of a feature.
    pub(super) height: usize,
    /// Σ x² of every sample over these features.
    pub(super) squares: &'a [f64],
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
    /// Features of a word.
    pub(super) features: usize,
    /// Features that are added up without a rounding; one, where every sum is rounded.
    pub(super) exact: usize,
    pub(super) put: fn(&mut Strips, Columns<'_, T>),
    pub(super) multiply: fn(&Strips, &Strips, Task, &mut [T]),
}

impl<T> Product<T> {
    /// Room for so many samples and features.
    pub(super) fn make_room(&self, strips: &mut Strips, height: usize, features: usize) {
        strips.width = features.div_ceil(self.features);
        strips.tall.resize(height * strips.width, 0);
        strips.flat.resize(height * strips.width, 0);
        strips.rounded.clear();
    }

    /// Lays out some features.
    pub(super) fn put(&self, strips: &mut Strips, columns: Columns<'_, T>) {
        (self.put)(strips, columns);
    }

    /// `out` = left · rightᵀ, column-major, or that added to it.
    pub(super) fn multiply(&self, left: &Strips, right: &Strips, task: Task, out: &mut [T]) {
        (self.multiply)(left, right, task, out);
    }
}

impl Strips {
    /// Lays out some words of every sample, from number `first` on, of which all samples lie together.
    pub(super) fn lay_out<const TALL: usize, const FLAT: usize>(
        &mut self,
        first: usize,
        words: &[u32],
        height: usize,
    ) {
        lay_out::<TALL>(&mut self.tall, (first, self.width), words, height);
        lay_out::<FLAT>(&mut self.flat, (first, self.width), words, height);
    }
}

fn lay_out<const ROWS: usize>(
    strips: &mut [u32],
    (first, width): (usize, usize),
    words: &[u32],
    height: usize,
) {
    for (s, strip) in strips.as_chunks_mut::<ROWS>().0.chunks_exact_mut(width).enumerate() {
        for (to, column) in strip[first..].iter_mut().zip(words.chunks_exact(height)) {
            to.copy_from_slice(&column[s * ROWS..][..ROWS]);
        }
    }
}

/// The product of this machine in single precision, where it has what that takes.
pub(super) fn product() -> Option<Product<f32>> {
    of_this_machine().into_iter().next()
}

/// All that this machine can do, the fastest first.
fn of_this_machine() -> Vec<Product<f32>> {
    #[cfg(target_arch = "x86_64")]
    return super::registers::of_singles();
    #[cfg(not(target_arch = "x86_64"))]
    Vec::new()
}

/// Numbers as they are, each a word.
pub(super) fn put<T: Pod, const TALL: usize, const FLAT: usize>(
    strips: &mut Strips,
    columns: Columns<'_, T>,
) {
    strips.lay_out::<TALL, FLAT>(columns.first, cast_slice(columns.values), columns.height);
}

/// The product of all strips, where `sums` is that of a tall one and a flat one over all features.
#[inline(always)]
pub(super) fn strip_by_strip<const TALL: usize, const FLAT: usize>(
    (left, right): (&Strips, &Strips),
    task: Task,
    out: &mut [f32],
    sums: impl Fn(&[[u32; TALL]], &[[u32; FLAT]]) -> [[f32; TALL]; FLAT],
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

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    /// A block of samples, column-major, and in strips: laid out in two pieces.
    fn block(product: &Product<f32>, height: usize, width: usize, seed: usize) -> (Vec<f32>, Strips) {
        let values: Vec<f32> =
            (0..height * width).map(|p| ((p * 7919 + seed * 31) % 23) as f32 - 11.0).collect();
        let mut strips = Strips::default();
        product.make_room(&mut strips, height, width);
        let (some, others) = values.split_at(width / 2 * height);
        for (first, values) in [(0, some), (width / 2, others)] {
            product.put(&mut strips, Columns { first, values, height, squares: &[] });
        }
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
