//! The one pass: for every feature, the few sums from which most scores are arithmetic.
//!
//! With h = f - c the feature shifted to its mean c, one sweep over a graph gives
//!
//! | field | sum | |
//! |---|---|---|
//! | `laplacian` | hᵀLh = fᵀLf | Σ over edges of w (f_i - f_j)² |
//! | `degree` | hᵀDh | |
//! | `linear` | hᵀd | |
//! | `square` | hᵀh | |
//! | `sum` | hᵀ1 | near 0 where c is the plain mean |
//!
//! and the forms of f itself follow by expanding (h + c). Shifting first is what makes the
//! scores of x and of x + 10⁸ agree: fᵀDf - (fᵀd)²/1ᵀd computed from unshifted sums loses all
//! its digits there. The same happens where the mean under the degrees lies far from the plain one,
//! as when an outlier that hardly has neighbors pulls the mean away from everybody else; such a
//! feature, and it alone, is shifted on to its mean under the degrees and summed again.
//!
//! Features lie side by side in tiles (samples × 8 lanes), so that every edge touches one cache
//! line per end; blocks of tiles go to threads. A feature's sums never depend on its
//! neighbors in the tile, so the number of threads changes no bit. Sparse columns are summed
//! by their non-zeros.
//!
//! Cost: edges × features.

use crate::Result;
use crate::dataset::{Center, Dataset, ScaledBlock};
use crate::graph::sparse::Sparse;
use crate::graph::{Graph, LANES, Similarity};
use crate::monitor::Monitor;
use crate::simd::vectorized;

/// The sums of one feature on one graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// The shift c: f = h + c. The mean, or the mean under the degrees.
    pub center: f64,
    /// hᵀLh = fᵀLf.
    pub laplacian: f64,
    /// hᵀDh.
    pub degree: f64,
    /// hᵀd.
    pub linear: f64,
    /// hᵀh.
    pub square: f64,
    /// hᵀ1.
    pub sum: f64,
    /// 1ᵀd of the graph.
    pub volume: f64,
    /// Number of samples.
    pub n_samples: usize,
}

impl Moments {
    /// fᵀDf.
    pub fn degree_form(&self) -> f64 {
        self.degree + 2.0 * self.center * self.linear + self.center * self.center * self.volume
    }

    /// gᵀDg with g = f - (fᵀd/1ᵀd)1: the variance under the degrees, times 1ᵀd. Zero, exactly,
    /// where only rounding is left.
    pub fn centered_degree(&self) -> f64 {
        let centered = self.degree - self.linear * self.linear / self.volume;
        if centered > 1e-12 * self.degree.abs() { centered } else { 0.0 }
    }

    /// Whether gᵀDg is a small difference of large numbers.
    fn cancels(&self) -> bool {
        (self.degree - self.linear * self.linear / self.volume).abs() < 1e-6 * self.degree.abs()
    }

    /// Shifts h, whose values are `column`, on to its mean under the degrees and sums again. What
    /// rounding leaves of the first shift the second takes away, to the bit where all but an
    /// outlier are equal.
    fn recentered(mut self, column: &mut [f64], degrees: &[f64]) -> Self {
        for _ in 0..2 {
            let shift = self.linear / self.volume;
            column.iter_mut().for_each(|h| *h -= shift);
            self.center += shift;
            (self.degree, self.linear, self.square, self.sum) = (0.0, 0.0, 0.0, 0.0);
            for (&h, &d) in column.iter().zip(degrees) {
                self.degree += d * h * h;
                self.linear += d * h;
                self.square += h * h;
                self.sum += h;
            }
        }
        self
    }

    /// fᵀf.
    pub fn norm(&self) -> f64 {
        self.square + 2.0 * self.center * self.sum + self.center * self.center * self.n_samples as f64
    }

    /// Σ(f_i - f̄)².
    pub fn variance(&self) -> f64 {
        self.square - self.sum * self.sum / self.n_samples as f64
    }

    /// gᵀSg = gᵀDg - gᵀLg. On the label graph: Σ n_l (μ_l - μ)². Zero, exactly, where only rounding is left.
    pub fn centered_similarity(&self) -> f64 {
        let all = self.centered_degree();
        let similar = all - self.laplacian;
        if similar.abs() > 1e-14 * all { similar } else { 0.0 }
    }

    /// The unbiased HSIC of A = ffᵀ and S, on a graph without diagonal and n ≥ 4. It does not
    /// change when f is shifted, so h stands for f: with zeros on the diagonal of A,
    /// tr(AS) = hᵀDh - hᵀLh, 1ᵀA1 = (hᵀ1)² - hᵀh and 1ᵀAS1 = (hᵀ1)(hᵀd) - hᵀDh.
    pub fn hsic(&self) -> f64 {
        let n = self.n_samples as f64;
        let trace = self.degree - self.laplacian;
        let total = self.sum * self.sum - self.square;
        let joint = self.sum * self.linear - self.degree;
        (trace + total * self.volume / ((n - 1.0) * (n - 2.0)) - 2.0 / (n - 2.0) * joint) / (n * (n - 3.0))
    }
}

/// The moments of every feature of `data` on `graph`.
///
/// # Errors
/// The columns cannot be read, or the monitor says stop.
pub fn moments(data: &Dataset, graph: &Graph, monitor: &dyn Monitor) -> Result<Vec<Moments>> {
    let volume = graph.volume();
    data.map_blocks("scores", monitor, |block, _| Ok(block_moments(block, graph, volume, |_| {})))
}

/// Features side by side, as the one pass sees them.
pub(crate) struct Tile<'a> {
    /// h, samples × `lanes`, a multiple of [`LANES`]; lanes without a feature hold zeros.
    pub(crate) values: &'a [f64],
    pub(crate) lanes: usize,
    /// What the pass found, feature by feature.
    pub(crate) moments: &'a [Moments],
}

/// The moments of a block of features; `volume` is that of the graph. `visit` sees every tile
/// while it is still in the cache; sparse columns on a
/// sparse graph, on the label graph or on one through landmarks never lie in one.
pub(crate) fn block_moments(
    block: &ScaledBlock<'_>,
    graph: &Graph,
    volume: f64,
    visit: impl FnMut(Tile<'_>),
) -> Vec<Moments> {
    match graph.similarity() {
        Similarity::Sparse(edges) if block.is_sparse() => {
            let n = graph.n_samples();
            let mut scatter = Scatter { values: vec![0.0; n], present: vec![false; n] };
            by_entries(block, graph, volume, |entries| scatter.laplacian_form(edges, entries))
        }
        Similarity::Classes(classes) if block.is_sparse() => {
            by_entries(block, graph, volume, |entries| classes.within(entries))
        }
        Similarity::LowRank(low) if block.is_sparse() => {
            by_entries(block, graph, volume, |entries| low.form_of_entries(entries))
        }
        _ => by_tiles(block, graph, volume, visit),
    }
}

fn by_tiles(
    block: &ScaledBlock<'_>,
    graph: &Graph,
    volume: f64,
    mut visit: impl FnMut(Tile<'_>),
) -> Vec<Moments> {
    let (n, lanes) = (graph.n_samples(), graph.lanes());
    let mut storage = AlignedRows::new(n * lanes);
    let tile = storage.values();
    let mut laplacian = vec![0.0; lanes];
    let mut out = Vec::with_capacity(block.width());
    for start in (0..block.width()).step_by(lanes) {
        let range = start..block.width().min(start + lanes);
        block.pack(range.clone(), lanes, Center::Mean, tile);
        graph.laplacian_forms(tile, lanes, &mut laplacian);
        for (group, columns) in range.collect::<Vec<_>>().chunks(LANES).enumerate() {
            let sums = lane_sums(tile, lanes, group, graph.degrees());
            for (lane, &j) in columns.iter().enumerate() {
                out.push(Moments {
                    center: block.mean(j),
                    laplacian: laplacian[group * LANES + lane],
                    degree: sums.degree[lane],
                    linear: sums.linear[lane],
                    square: sums.square[lane],
                    sum: sums.sum[lane],
                    volume,
                    n_samples: n,
                });
            }
        }
        for (lane, found) in out[start..].iter_mut().enumerate().filter(|(_, m)| m.cancels()) {
            let mut column: Vec<f64> = tile.iter().skip(lane).step_by(lanes).copied().collect();
            *found = found.recentered(&mut column, graph.degrees());
            tile.iter_mut().skip(lane).step_by(lanes).zip(&column).for_each(|(h, moved)| *h = *moved);
        }
        visit(Tile { values: tile, lanes, moments: &out[start..] });
    }
    out
}

/// Room for a tile that begins at a cache line, so that eight lanes of a sample never straddle two.
struct AlignedRows {
    storage: Vec<f64>,
    len: usize,
}

impl AlignedRows {
    fn new(len: usize) -> AlignedRows {
        AlignedRows { storage: vec![0.0; len + LANES], len }
    }

    fn values(&mut self) -> &mut [f64] {
        let start = self.storage.as_ptr().align_offset(LANES * size_of::<f64>()).min(LANES);
        &mut self.storage[start..][..self.len]
    }
}

/// The sums of eight features that do not need the edges.
#[derive(Default)]
struct LaneSums {
    degree: [f64; LANES],
    linear: [f64; LANES],
    square: [f64; LANES],
    sum: [f64; LANES],
}

fn lane_sums(tile: &[f64], lanes: usize, group: usize, degrees: &[f64]) -> LaneSums {
    let rows = tile.as_chunks::<LANES>().0;
    vectorized!({
        let mut sums = LaneSums::default();
        for (h, &d) in rows.iter().skip(group).step_by(lanes / LANES).zip(degrees) {
            for l in 0..LANES {
                let (square, weighted) = (h[l] * h[l], d * h[l]);
                sums.degree[l] += d * square;
                sums.linear[l] += weighted;
                sums.square[l] += square;
                sums.sum[l] += h[l];
            }
        }
        sums
    })
}

/// Sparse columns on a graph that knows fᵀLf by their non-zeros: the zeros are never visited.
fn by_entries(
    block: &ScaledBlock<'_>,
    graph: &Graph,
    volume: f64,
    mut laplacian_form: impl FnMut(&[(usize, f64)]) -> f64,
) -> Vec<Moments> {
    let of = |j: usize| {
        let entries: Vec<(usize, f64)> = block.entries(j).into_iter().flatten().collect();
        let laplacian = laplacian_form(&entries);
        let found = entry_sums(&entries, block.mean(j), graph.degrees(), volume, laplacian);
        if !found.cancels() {
            return found;
        }
        let mut column = vec![-found.center; found.n_samples];
        entries.iter().for_each(|&(i, v)| column[i] = v - found.center);
        found.recentered(&mut column, graph.degrees())
    };
    (0..block.width()).map(of).collect()
}

/// The sums that do not need the edges. The zeros of the column lie at -c from its mean.
fn entry_sums(entries: &[(usize, f64)], c: f64, degrees: &[f64], volume: f64, laplacian: f64) -> Moments {
    let (n, zeros) = (degrees.len(), (degrees.len() - entries.len()) as f64);
    let covered: f64 = entries.iter().map(|&(i, _)| degrees[i]).sum();
    let rest = volume - covered;
    let mut found = Moments {
        center: c,
        laplacian,
        degree: c * c * rest,
        linear: -c * rest,
        square: c * c * zeros,
        sum: -c * zeros,
        volume,
        n_samples: n,
    };
    for &(i, v) in entries {
        let (h, d) = (v - c, degrees[i]);
        found.degree += d * h * h;
        found.linear += d * h;
        found.square += h * h;
        found.sum += h;
    }
    found
}

/// A sparse column spread out over the samples, zeros elsewhere.
struct Scatter {
    values: Vec<f64>,
    present: Vec<bool>,
}

impl Scatter {
    /// fᵀLf by the edges at a non-zero. One between a non-zero and a zero adds w f_i², one between
    /// two non-zeros is met twice and adds half each time; all terms have the sign of w, so
    /// nothing cancels.
    fn laplacian_form(&mut self, edges: &Sparse, entries: &[(usize, f64)]) -> f64 {
        for &(i, v) in entries {
            self.values[i] = v;
            self.present[i] = true;
        }
        let mut sum = 0.0;
        for &(i, v) in entries {
            for (neighbor, w) in edges.row(i) {
                let difference = v - self.values[neighbor];
                let share = if self.present[neighbor] { 0.5 } else { 1.0 };
                sum += share * w * difference * difference;
            }
        }
        for &(i, _) in entries {
            self.values[i] = 0.0;
            self.present[i] = false;
        }
        sum
    }
}
