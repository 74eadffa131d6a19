//! What a search needs to know of the data before it starts: the metric, a scale that keeps
//! squares in range, and how far off a computed distance can be.

use rayon::prelude::*;

use super::candidates::Bounds;
use super::exact;
use super::panels::Sizes;
use super::real::Real;
use super::sparse::SparseRows;
use super::whole;
use crate::Result;
use crate::dataset::{BLOCK, Center, Dataset, ScaledBlock, Scaling};
use crate::graph::Metric;
use crate::graph::metric::Term;
use crate::monitor::Monitor;

/// The metric on one data set.
pub(super) struct Geometry {
    pub(super) metric: Metric,
    /// A power of two by which values are multiplied: rows then have norms near 1 at most, so that
    /// squares neither overflow nor all vanish, and no bit of a distance changes.
    pub(super) scale: f64,
    /// Σ x² of every row, scaled; for the cosine metric alone.
    squares: Vec<f64>,
    /// The rows of sparse data.
    pub(super) rows: Option<SparseRows>,
    /// Whether sums over the features are asked of other machines.
    pub(super) afar: bool,
    n_features: usize,
    /// Whether values are rounded relative to 1 although they lie close together: range scaling
    /// subtracts the smallest value, not the mean.
    rounded_in_range: bool,
}

impl Geometry {
    pub(super) fn new(data: &Dataset, metric: Metric, monitor: &dyn Monitor) -> Result<Self> {
        let centered = !metric.info().angles && !data.is_sparse();
        let largest = (0..data.n_features()).map(|j| extent(data, j, centered)).fold(0.0, f64::max);
        let norm = largest * (data.n_features() as f64).sqrt();
        let mut geometry = Geometry {
            metric,
            scale: power_of_two_below(1.0 / norm),
            squares: Vec::new(),
            rows: None,
            afar: data.far_pairs().is_some(),
            n_features: data.n_features(),
            rounded_in_range: centered && data.scaling() == Scaling::Range,
        };
        if data.is_sparse() && !geometry.afar {
            // Too many non-zeros are read as if they were dense, a few features at a time: the same neighbors, later.
            geometry.rows = SparseRows::read(data, geometry.scale, monitor)?;
        }
        if metric.info().angles {
            geometry.squares = match &geometry.rows {
                Some(rows) => rows.squares(),
                None => exact::row_squares(data, &geometry, monitor)?,
            };
        }
        Ok(geometry)
    }

    /// What a share of the columns needs to know of the geometry of all of them.
    pub(super) fn of_share(data: &Dataset, metric: Metric, scale: f64, squares: Vec<f64>) -> Self {
        let n_features = data.n_features();
        Geometry { metric, scale, squares, rows: None, afar: false, n_features, rounded_in_range: false }
    }

    /// Σ x² of every row, scaled; none but for the cosine metric.
    pub(super) fn squares(&self) -> &[f64] {
        &self.squares
    }

    /// Where the zero of the values lies in working precision. Distances do not depend on it, but
    /// what rounding does to them is relative to the norms.
    pub(super) fn center(&self) -> Center {
        if self.metric.info().angles { Center::AsScaled } else { Center::Mean }
    }

    /// The factor of row `i` in working precision. For the cosine metric rows get norm √½, so that
    /// 1 - cosine = ½ + ½ - 2 x·y has the form of a squared distance; rows of zeros stay zeros and
    /// come out at distance 1, as they should.
    pub(super) fn row_factor(&self, i: usize) -> f64 {
        if self.metric.info().angles && self.squares[i] > 0.0 {
            return self.scale * (0.5 / self.squares[i]).sqrt();
        }
        self.scale
    }

    /// Bounds of the distances computed in `T` from rows of these `sizes`, when at most `depth`
    /// numbers are added one after another.
    ///
    /// With u the rounding of `T` and D = ‖x‖² + ‖y‖² - 2x·y, the classical bounds are u·d·(‖x‖ + ‖y‖)
    /// twice for rounding x and y, 2·depth·u·‖x‖‖y‖ for the product and a few u for the rest. As
    /// d ≤ ‖x‖ + ‖y‖ and 2‖x‖‖y‖ ≤ ‖x‖² + ‖y‖², all of it is below (depth + 24)·u·(‖x‖² + ‖y‖²).
    /// The exact distances are sums in double precision, whose own rounding is added, and so is that of the norms, which are
    /// as deep. What rounding to [whole numbers](whole) takes is known for every row, and a part of it in a
    /// thousand, by which those may be longer than the rows, is within the 24.
    pub(super) fn bounds<T: Real>(&self, sizes: &Sizes, depth: usize) -> Bounds<T> {
        let (norms, whole) = (&sizes.norms, whole::slack(sizes));
        let m = self.n_features as f64;
        let error = self.relative_error::<T>(depth) + f64::ROUNDING * depth as f64;
        let underflow = 2.0 * m * T::SMALLEST;
        let blur = if self.rounded_in_range { 8.0 * f64::ROUNDING * self.scale } else { 0.0 };
        match self.metric.term() {
            Term::Square => {
                let blur = blur * m.sqrt();
                let slack = |i: usize| underflow + blur * (2.0 * norms[i].sqrt() + blur) + whole[i];
                Bounds::of_products(norms, error, slack)
            }
            Term::Product => Bounds::of_products(&vec![0.5; norms.len()], error, |i| underflow + whole[i]),
            Term::Magnitude => {
                let conversion = 2.0 * (T::ROUNDING + f64::ROUNDING);
                Bounds::of_sums(norms.len(), error, |i| underflow + blur * m + conversion * norms[i])
            }
        }
    }

    /// Bounds for sparse rows, whose distances are n_i + n_j - 2 G_ij in every metric (see
    /// [`SparseRows`]); the norms too are sums of up to `depth` terms here.
    pub(super) fn sparse_bounds(&self, norms: &[f64], depth: usize) -> Bounds<f64> {
        let underflow = 2.0 * self.n_features as f64 * f64::SMALLEST;
        Bounds::of_products(norms, self.relative_error::<f64>(2 * depth), |_| underflow)
    }

    fn relative_error<T: Real>(&self, depth: usize) -> f64 {
        let exact = 4.0 * f64::ROUNDING * (self.n_features as f64 / BLOCK as f64 + 16.0);
        T::ROUNDING * (depth as f64 + 24.0) + exact
    }

    /// The distance of `i` and `j`, scaled, from the sum over their features (see [`exact`]).
    pub(super) fn distance(&self, sum: f64, i: u32, j: u32) -> f64 {
        if self.metric.info().angles { (1.0 - self.cosine(sum, i, j)).max(0.0) } else { sum }
    }

    /// The cosine of `i` and `j` from their inner product; 0 where one of them is all zeros.
    pub(super) fn cosine(&self, product: f64, i: u32, j: u32) -> f64 {
        let norms = (self.squares[i as usize] * self.squares[j as usize]).sqrt();
        if norms > 0.0 { product / norms } else { 0.0 }
    }

    /// A distance of scaled values in the units of the data.
    pub(super) fn unscaled(&self, distance: f64) -> f64 {
        match self.metric.term() {
            Term::Square => distance / self.scale / self.scale,
            Term::Magnitude => distance / self.scale,
            Term::Product => distance,
        }
    }
}

/// The largest magnitude that a value of feature `j` can have once scaled (and centered).
fn extent(data: &Dataset, j: usize, centered: bool) -> f64 {
    let stats = &data.stats()[j];
    let (shift, factor) = stats.affine(data.scaling(), data.is_sparse());
    if centered {
        return (stats.max - stats.min) * factor;
    }
    (stats.max - shift).abs().max((stats.min - shift).abs()) * factor
}

/// The largest power of two that is not above `value`, within what leaves room for squares of squares.
fn power_of_two_below(value: f64) -> f64 {
    if value.is_finite() && value > 0.0 { value.log2().floor().clamp(-1000.0, 1000.0).exp2() } else { 1.0 }
}

/// The columns `range` in blocks of [`BLOCK`] features, as the data have them.
pub(super) fn read_blocks(data: &Dataset, range: std::ops::Range<usize>) -> Result<Vec<ScaledBlock<'_>>> {
    let starts: Vec<usize> = range.clone().step_by(BLOCK).collect();
    let read = |start: usize| data.read(start..range.end.min(start + BLOCK));
    // The first by itself: of a file more than a block is read, and whoever asked for the others would only wait for it.
    let first = read(range.start);
    // The others in parallel, for what does not lie in memory may be copied.
    let others: Vec<Result<ScaledBlock<'_>>> = starts[1..].par_iter().map(|&start| read(start)).collect();
    std::iter::once(first).chain(others).collect()
}

/// The columns `range` in tiles of [`BLOCK`] features: value (i, j) of a tile is `tile[i·BLOCK + j]`, zeros
/// beyond the last feature.
pub(super) fn read_tiles(
    data: &Dataset,
    range: std::ops::Range<usize>,
    center: Center,
) -> Result<Vec<Vec<f64>>> {
    let starts: Vec<usize> = range.clone().step_by(BLOCK).collect();
    starts
        .into_par_iter()
        .map(|start| {
            let block = data.read(start..range.end.min(start + BLOCK))?;
            let mut tile = vec![0.0; data.n_samples() * BLOCK];
            block.pack(0..block.width(), BLOCK, center, &mut tile);
            Ok(tile)
        })
        .collect()
}
