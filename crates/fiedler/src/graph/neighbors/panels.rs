//! Blocks of features in working precision, and the products of two blocks of samples.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::geometry::{Geometry, read_blocks};
use super::plan::Plan;
use super::real::Real;
use super::strips::{Columns, Product, Strips, Task};
use crate::Result;
use crate::dataset::{BLOCK, Dataset, Picked, ScaledBlock};
use crate::graph::metric::Adds;
use crate::simd::vectorized;

/// Numbers that vector instructions treat together.
pub(super) const LANES: usize = 16;
/// Features of one sweep of the Manhattan sums; panels are filled up with zeros to a multiple of it.
const TOGETHER: usize = 4;
/// Columns of a triangle that are multiplied together, with all above them: whole steps of the rows that faer multiplies at once.
const STRIP: usize = 48;
/// Numbers that a panel in strips has for each value.
pub(super) const COPIES: usize = 2;
/// Features that are swept for all pairs before the next ones: 16 × 240 numbers are 15 kB.
const DEEP: usize = 16;

/// What bounds are made of, for every sample.
#[derive(Debug, Clone)]
pub(super) struct Sizes {
    /// Σ x² or Σ |x|, by the metric.
    pub(super) norms: Vec<f64>,
    /// Σ (x - x̂)², where x̂ are [whole numbers](super::whole); zeros elsewhere.
    pub(super) lost: Vec<f64>,
}

impl Sizes {
    pub(super) fn zeros(n_samples: usize) -> Self {
        Sizes { norms: vec![0.0; n_samples], lost: vec![0.0; n_samples] }
    }
}

/// The product of two blocks of samples that is ours and not faer's, of `whole` numbers or not, where the machine has one and there
/// are bytes to `spare` for laying out a block of so many numbers.
pub(super) fn product_of_ours<T: Real>(
    geometry: &Geometry,
    numbers: usize,
    whole: bool,
    spare: usize,
) -> Option<Product<T>> {
    let fits = COPIES * numbers * size_of::<T>() <= spare;
    let is_product = geometry.metric.info().adds == Adds::Squares;
    let product = if whole { T::whole_product() } else { T::product() };
    product.filter(|_| is_product && fits)
}

/// A block of features of all samples in working precision, one panel for every block of samples. Block after block is read to
/// the same place: memory that is new costs more than to fill it.
pub(super) struct Panels<'a, T> {
    data: &'a Dataset,
    geometry: &'a Geometry,
    plan: &'a Plan,
    panels: Vec<Panel<T>>,
    width: usize,
    /// Where products are ours and not faer's: then panels are laid out in strips.
    product: Option<Product<T>>,
}

impl<'a, T: Real> Panels<'a, T> {
    /// Room for a block of features at a time, laid out for a product of ours if there is one.
    pub(super) fn new(
        data: &'a Dataset,
        geometry: &'a Geometry,
        plan: &'a Plan,
        product: Option<Product<T>>,
    ) -> Self {
        let panels = plan.blocks.iter().map(|_| Panel::default()).collect();
        Panels { data, geometry, plan, panels, width: 0, product }
    }

    /// Reads the features `range`.
    pub(super) fn read(&mut self, range: Range<usize>) -> Result<()> {
        let sources = read_blocks(self.data, range.clone())?;
        self.width = range.len().next_multiple_of(TOGETHER);
        let (geometry, plan, width) = (self.geometry, self.plan, self.width);
        let product = self.product;
        self.panels.par_iter_mut().zip(&plan.blocks).with_max_len(1).for_each(|(panel, block)| {
            let samples = &plan.order[block.positions.clone()];
            panel.fill(geometry, (samples, block.height()), (&sources, width), product);
        });
        Ok(())
    }

    /// How the samples are cut.
    pub(super) fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Adds what the features contribute to the sizes of the samples.
    pub(super) fn add_sizes(&self, sizes: &mut Sizes) {
        let mut first = 0;
        for panel in &self.panels {
            let end = first + panel.norms.len();
            sizes.norms[first..end].iter_mut().zip(&panel.norms).for_each(|(n, part)| *n += part);
            let lost = &panel.strips.rounded.lost;
            sizes.lost[first..end].iter_mut().zip(lost).for_each(|(n, part)| *n += part);
            first = end;
        }
    }

    /// `out` (added to, or replaced) = the products or sums of the two blocks of `tile`, column-major. Of a block with itself
    /// only what is above the diagonal, and some more, is computed.
    pub(super) fn multiply(&self, tile: (usize, usize), add: bool, out: &mut [T]) {
        self.multiply_some(tile, 0, add, &mut out[..self.plan.area(tile)]);
    }

    /// The same of as many columns of the tile as `out` has room for, from `first` on: a multiple of [`STEP`](super::plan) halved.
    pub(super) fn multiply_some(&self, tile: (usize, usize), first: usize, add: bool, out: &mut [T]) {
        let (rows, height) = (self.plan.blocks[tile.0].height(), self.plan.blocks[tile.1].height());
        let (left, right) = (&self.panels[tile.0], &self.panels[tile.1]);
        let (columns, is_triangle) = (out.len() / rows, tile.0 == tile.1);
        if let Some(product) = self.product {
            let task = Task { rows, first, is_triangle, add };
            return product.multiply(&left.strips, &right.strips, task, out);
        }
        let (left, right) = (&left.values, &right.values);
        if self.geometry.metric.info().adds == Adds::Magnitudes {
            if !add {
                out.fill(T::ZERO);
            }
            vectorized!(add_manhattan(left, (right, height, first), rows, out));
            return;
        }
        let left = MatRef::from_column_major_slice(left, rows, self.width);
        let right = MatRef::from_column_major_slice(right, height, self.width).subrows(first, columns);
        let accumulate = if add { Accum::Add } else { Accum::Replace };
        let strip = if is_triangle { STRIP } else { columns };
        for (s, out) in out.chunks_mut(rows * strip).enumerate() {
            let (start, width) = (s * strip, out.len() / rows);
            let height = if is_triangle { first + start + width } else { rows };
            let out = MatMut::from_column_major_slice_mut(out, rows, width).subrows_mut(0, height);
            let right = right.subrows(start, width).transpose();
            matmul(out, accumulate, left.subrows(0, height), right, T::narrow(1.0), Par::Seq);
        }
    }
}

/// One block of samples.
struct Panel<T> {
    /// Column-major, with zeros for rows beyond the last sample, which nobody writes to. Of panels in strips, the features that
    /// are being laid out.
    values: Vec<T>,
    strips: Strips,
    /// What the rows contribute to the norms that bounds are relative to, and what a run of features does.
    norms: Vec<f64>,
    run: Vec<f64>,
}

impl<T> Default for Panel<T> {
    fn default() -> Self {
        Panel { values: Vec::new(), strips: Strips::default(), norms: Vec::new(), run: Vec::new() }
    }
}

impl<T: Real> Panel<T> {
    /// Fills in `width` features of some samples, as many as fit `height` with zeros behind them.
    fn fill(
        &mut self,
        geometry: &Geometry,
        (samples, height): (&[u32], usize),
        (sources, width): (&[ScaledBlock<'_>], usize),
        product: Option<Product<T>>,
    ) {
        let in_strips = product.is_some();
        let factors: Vec<f64> = samples.iter().map(|&i| geometry.row_factor(i as usize)).collect();
        let picked = Picked { samples, factors: &factors, center: geometry.center() };
        self.norms.clear();
        self.norms.resize(samples.len(), 0.0);
        self.values.resize(height * if in_strips { BLOCK.min(width) } else { width }, T::ZERO);
        if let Some(product) = product {
            product.make_room(&mut self.strips, height, width);
        }
        for (at, source) in sources.iter().enumerate() {
            let first = at * BLOCK;
            let place = if in_strips { 0 } else { first };
            let columns = &mut self.values[place * height..][..BLOCK.min(width - first) * height];
            source.turn_rows(&picked, height, columns);
            let run = &mut self.run;
            run.clear();
            run.resize(samples.len(), 0.0);
            match geometry.metric.info().adds {
                Adds::Squares => vectorized!(add_norms(columns, height, run, |v| v * v)),
                Adds::Magnitudes => vectorized!(add_norms(columns, height, run, f64::abs)),
            }
            self.norms.iter_mut().zip(&*run).for_each(|(norm, part)| *norm += part);
            if let Some(product) = product {
                product.put(&mut self.strips, Columns { first, values: columns, height, squares: run });
            }
        }
    }
}

/// Adds what columns contribute to the norms of their rows.
#[inline(always)]
fn add_norms<T: Real>(columns: &[T], height: usize, norms: &mut [f64], term: impl Fn(f64) -> f64) {
    for column in columns.chunks_exact(height) {
        for (norm, v) in norms.iter_mut().zip(column) {
            *norm += term(v.wide());
        }
    }
}

/// Adds Σ |x - y| of every pair to `out`, [`TOGETHER`] features in one sweep over a column of
/// `out`, and [`DEEP`] features for all columns while they are in the first cache.
#[inline(always)]
fn add_manhattan<T: Real>(
    left: &[T],
    (right, height, first): (&[T], usize, usize),
    rows: usize,
    out: &mut [T],
) {
    for (xs, ys) in left.chunks(rows * DEEP).zip(right.chunks(height * DEEP)) {
        for (j, out) in (first..).zip(out.chunks_exact_mut(rows)) {
            for (x, y) in xs.chunks_exact(rows * TOGETHER).zip(ys.chunks_exact(height * TOGETHER)) {
                let column = |l: usize| &x[l * rows..(l + 1) * rows];
                let value = |l: usize| y[l * height + j];
                add_four([column(0), column(1), column(2), column(3)], [0, 1, 2, 3].map(value), out);
            }
        }
    }
}

#[inline(always)]
fn add_four<T: Real>(x: [&[T]; TOGETHER], y: [T; TOGETHER], out: &mut [T]) {
    let rows = out.len();
    let (a, b, c, d) = (&x[0][..rows], &x[1][..rows], &x[2][..rows], &x[3][..rows]);
    for i in 0..rows {
        let first = (a[i] - y[0]).magnitude() + (b[i] - y[1]).magnitude();
        let second = (c[i] - y[2]).magnitude() + (d[i] - y[3]).magnitude();
        out[i] += first + second;
    }
}

/// `N` numbers of a slice as an array, which the compiler keeps in registers.
#[inline(always)]
pub(super) fn lanes<T: Real, const N: usize>(values: &[T], at: usize) -> [T; N] {
    let mut out = [T::ZERO; N];
    out.copy_from_slice(&values[at..at + N]);
    out
}
