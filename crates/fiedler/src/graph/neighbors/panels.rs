//! Blocks of features in working precision, and the products of two blocks of samples.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::geometry::{Geometry, read_blocks};
use super::plan::Plan;
use super::real::Real;
use crate::Result;
use crate::dataset::{BLOCK, Dataset, ScaledBlock};
use crate::graph::metric::Adds;
use crate::simd::vectorized;

/// Numbers that vector instructions treat together.
pub(super) const LANES: usize = 16;
/// Features of one sweep of the Manhattan sums; panels are filled up with zeros to a multiple of it.
const TOGETHER: usize = 4;
/// Rows and columns that are turned together.
const SQUARE: usize = 8;
/// Columns of a triangle that are multiplied together, with all above them.
const STRIP: usize = 64;
/// Features that are swept for all pairs before the next ones: 16 × 240 numbers are 15 kB.
const DEEP: usize = 16;

/// A block of features of all samples in working precision, one panel for every block of samples. Block after block is read to
/// the same place: memory that is new costs more than to fill it.
pub(super) struct Panels<'a, T> {
    data: &'a Dataset,
    geometry: &'a Geometry,
    plan: &'a Plan,
    panels: Vec<Panel<T>>,
    width: usize,
}

impl<'a, T: Real> Panels<'a, T> {
    pub(super) fn new(data: &'a Dataset, geometry: &'a Geometry, plan: &'a Plan) -> Self {
        let panels = plan.blocks.iter().map(|_| Panel::default()).collect();
        Panels { data, geometry, plan, panels, width: 0 }
    }

    /// Reads the features `range` and adds their share to `norms`.
    pub(super) fn read(&mut self, range: Range<usize>, norms: Option<&mut [f64]>) -> Result<()> {
        let sources = read_blocks(self.data, range.clone())?;
        self.width = range.len().next_multiple_of(TOGETHER);
        let (geometry, plan, width) = (self.geometry, self.plan, self.width);
        self.panels.par_iter_mut().zip(&plan.blocks).for_each(|(panel, block)| {
            let samples = &plan.order[block.positions.clone()];
            panel.values.resize(block.height() * width, T::ZERO);
            panel.fill(geometry, samples, block.height(), &sources);
        });
        if let Some(norms) = norms {
            let parts = self.panels.iter().flat_map(|panel| &panel.norms);
            norms.iter_mut().zip(parts).for_each(|(n, part)| *n += part);
        }
        Ok(())
    }

    /// `out` (added to, or replaced) = the products or sums of the two blocks of `tile`, column-major. Of a block with itself
    /// only what is above the diagonal, and some more, is computed.
    pub(super) fn multiply(&self, tile: (usize, usize), add: bool, out: &mut [T]) {
        let (rows, columns) = (self.plan.blocks[tile.0].height(), self.plan.blocks[tile.1].height());
        let (left, right) = (&self.panels[tile.0].values, &self.panels[tile.1].values);
        let out = &mut out[..rows * columns];
        if self.geometry.metric.info().adds == Adds::Magnitudes {
            if !add {
                out.fill(T::ZERO);
            }
            vectorized!(add_manhattan(left, right, rows, columns, out));
            return;
        }
        let left = MatRef::from_column_major_slice(left, rows, self.width);
        let right = MatRef::from_column_major_slice(right, columns, self.width);
        let accumulate = if add { Accum::Add } else { Accum::Replace };
        let is_triangle = tile.0 == tile.1;
        let strip = if is_triangle { STRIP } else { columns };
        for (s, out) in out.chunks_mut(rows * strip).enumerate() {
            let (start, width) = (s * strip, out.len() / rows);
            let height = if is_triangle { start + width } else { rows };
            let out = MatMut::from_column_major_slice_mut(out, rows, width).subrows_mut(0, height);
            let right = right.subrows(start, width).transpose();
            matmul(out, accumulate, left.subrows(0, height), right, T::round(1.0), Par::Seq);
        }
    }
}

/// One block of samples.
struct Panel<T> {
    /// Column-major, with zeros for rows beyond the last sample, which nobody writes to.
    values: Vec<T>,
    /// What the rows contribute to the norms that bounds are relative to.
    norms: Vec<f64>,
    /// Room for some features, row by row.
    tile: Vec<f64>,
}

impl<T> Default for Panel<T> {
    fn default() -> Self {
        Panel { values: Vec::new(), norms: Vec::new(), tile: Vec::new() }
    }
}

impl<T: Real> Panel<T> {
    fn fill(&mut self, geometry: &Geometry, samples: &[u32], height: usize, sources: &[ScaledBlock<'_>]) {
        self.tile.resize(samples.len() * BLOCK, 0.0);
        self.norms.clear();
        self.norms.resize(samples.len(), 0.0);
        let factors: Vec<f64> = samples.iter().map(|&i| geometry.row_factor(i as usize)).collect();
        for (source, columns) in sources.iter().zip(self.values.chunks_mut(height * BLOCK)) {
            source.pack_rows(0..source.width(), samples, BLOCK, geometry.center(), &mut self.tile);
            let rows = self.tile.as_chunks::<BLOCK>().0;
            match geometry.metric.info().adds {
                Adds::Squares => vectorized!(add_norms(rows, &factors, &mut self.norms, |v| v * v)),
                Adds::Magnitudes => vectorized!(add_norms(rows, &factors, &mut self.norms, f64::abs)),
            }
            vectorized!(turn(rows, &factors, height, columns));
        }
    }
}

/// Adds what the rows of a tile contribute to their norms.
#[inline(always)]
fn add_norms(rows: &[[f64; BLOCK]], factors: &[f64], norms: &mut [f64], term: impl Fn(f64) -> f64) {
    for ((row, factor), norm) in rows.iter().zip(factors).zip(norms) {
        let mut lanes = [0.0; LANES];
        for run in row.as_chunks::<LANES>().0 {
            for l in 0..LANES {
                lanes[l] += term(run[l] * factor);
            }
        }
        *norm += lanes.iter().sum::<f64>();
    }
}

/// Turns the rows of a tile into columns of a panel, in squares that fit the registers.
#[inline(always)]
fn turn<T: Real>(rows: &[[f64; BLOCK]], factors: &[f64], height: usize, columns: &mut [T]) {
    let (whole, rest) = rows.as_chunks::<SQUARE>();
    let width = columns.len() / height;
    for (at, rows) in whole.iter().enumerate() {
        for lane in (0..width).step_by(SQUARE) {
            let mut square = [[T::ZERO; SQUARE]; SQUARE];
            for r in 0..SQUARE {
                for l in 0..SQUARE {
                    square[l][r] = T::round(rows[r][lane + l] * factors[at * SQUARE + r]);
                }
            }
            for (l, square) in square.iter().enumerate().take(width - lane) {
                columns[(lane + l) * height + at * SQUARE..][..SQUARE].copy_from_slice(square);
            }
        }
    }
    for (r, row) in (whole.len() * SQUARE..).zip(rest) {
        for lane in 0..width {
            columns[lane * height + r] = T::round(row[lane] * factors[r]);
        }
    }
}

/// Adds Σ |x - y| of every pair to `out`, [`TOGETHER`] features in one sweep over a column of
/// `out`, and [`DEEP`] features for all columns while they are in the first cache.
#[inline(always)]
fn add_manhattan<T: Real>(left: &[T], right: &[T], rows: usize, columns: usize, out: &mut [T]) {
    for (xs, ys) in left.chunks(rows * DEEP).zip(right.chunks(columns * DEEP)) {
        for (j, out) in out.chunks_exact_mut(rows).enumerate() {
            for (x, y) in xs.chunks_exact(rows * TOGETHER).zip(ys.chunks_exact(columns * TOGETHER)) {
                let column = |l: usize| &x[l * rows..(l + 1) * rows];
                let value = |l: usize| y[l * columns + j];
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
