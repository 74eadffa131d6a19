//! All derivatives at once, by what is known of their sum and of their signs.
//!
//! With the Gaussian on all pairs let P_ij = S_ij (x_i - x_j)², D_P its degrees, u = D^½q and
//! μ = 1-λ. Up to a common factor the derivatives are
//!
//! ```text
//! a_r = μ_r q_rᵀD_P q_r - q_rᵀP q_r          Σ_r a_r = Σ_i (D_P)_ii S_ii / d_i²
//! Σ_r |a_r| = Σ_r a_r + 2 Σ_{a_r<0} |a_r|
//! ```
//!
//! The sum over *all* eigenvalues needs none of them: QQᵀ = D^-1 and P has no diagonal. So a feature costs n² operations, and
//! then 2n² for every a_r that may be negative. These are few: a larger weight makes samples less alike, which
//! takes from the leading μ and gives to all others. Which ones may be negative is told by bounds, each dearer and sharper than the
//! one before. P_ij = S_ij (x_i² + x_j² - 2x_i x_j), Su = μu in the right units and μ ≥ floor for every eigenvalue give
//!
//! ```text
//! a_r = Σ_i u_ri² [μ_r (D_P)_ii/d_i - 2μ_r x_i²] + 2 (x∘u_r)ᵀM(x∘u_r)         M = D^-½SD^-½
//!     ≥ Σ_i u_ri² [μ_r (D_P)_ii/d_i - 2μ_r x_i² + 2 floor x_i²]                for all r one product a block of features
//!       + 2 Σ_{s≤k} (μ_s - floor) (u_sᵀ(x∘u_r))²                              for those r that are left, 2nk each
//! ```
//!
//! What neither shows to be positive is summed as it stands, P written out a few columns at a time. Bounds decide which sums are
//! taken, never what a sum is: the scores are exact, and nothing cancels in them. A group of equal eigenvalues is summed always.
//!
//! **Without all eigenpairs.** With the R smallest pairs alone the first line still holds for all, and the second can miss
//! the negative a_r beyond R alone. The bound above limits what is missed, r by r, and so, with Σ_{r>R} u_ri² = 1 - Σ_{r≤R} u_ri²
//! and floor ≤ μ_r ≤ μ_R, all of it: no probes and no luck. The Gaussian being a positive definite kernel, floor = 0 then.

use std::ops::Range;
use std::sync::Arc;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};

use super::modes::Modes;
use super::pairs::nuclear_norm;
use crate::Result;
use crate::dataset::{BLOCK, Center, ScaledBlock};
use crate::graph::{Graph, Similarity};
use crate::simd::vectorized;

/// Columns of P that are written out together.
const PANEL: usize = 64;
/// Of so many eigenvectors one enters the second bound, which then costs that part of a sum.
const LEADING_SHARE: usize = 8;

/// The scores by trace and negative parts.
pub(super) struct TraceForms {
    graph: Arc<Graph>,
    modes: Arc<Modes>,
    /// What every ∂S has in common.
    factor: f64,
    /// No μ is smaller.
    floor: f64,
    /// What a unit of (D_P)_ii adds to the sum of all a_r.
    weights: Vec<f64>,
    /// u², samples × pairs.
    shares: Mat<f64>,
    /// (μ_s - floor)^½ u_s of the leading pairs, the constant one first.
    leading: Mat<f64>,
}

/// A feature: its values and the degrees of P.
struct Feature<'a> {
    x: &'a [f64],
    change: &'a [f64],
}

impl TraceForms {
    /// Whether a graph has what is needed: all pairs in memory.
    pub(super) fn fits(graph: &Graph) -> bool {
        matches!(graph.similarity(), Similarity::Dense(_))
    }

    /// Prepares the forms of `modes`, all of a graph's or its smallest, on a graph that [`fits`](Self::fits).
    pub(super) fn new(graph: &Arc<Graph>, modes: &Arc<Modes>, factor: f64) -> Self {
        let (n, d) = (graph.n_samples(), graph.degrees());
        let complete = modes.rank() == n;
        let mut forms = TraceForms {
            graph: Arc::clone(graph),
            modes: Arc::clone(modes),
            factor,
            floor: 0.0,
            weights: Vec::new(),
            shares: Mat::from_fn(n, modes.len(), |i, r| d[i] * modes.vector(r)[i] * modes.vector(r)[i]),
            leading: Mat::new(),
        };
        forms.floor = if complete {
            (0..modes.len()).map(|r| forms.mu(r)).fold(1.0, f64::min)
        } else {
            // S with ones on its diagonal is positive semidefinite.
            (0..n).map(|i| (forms.column(i)[i] - 1.0) / d[i]).fold(0.0, f64::min)
        };
        forms.weights = forms.sum_weights();
        let total: f64 = d.iter().sum();
        let scale = |mu: f64| (mu - forms.floor).max(0.0).sqrt();
        let count = (n / LEADING_SHARE).max(16).min(modes.len());
        forms.leading = Mat::from_fn(n, count + 1, |i, s| match s {
            0 => scale(1.0) * (d[i] / total).sqrt(),
            s => scale(forms.mu(s - 1)) * d[i].sqrt() * modes.vector(s - 1)[i],
        });
        forms
    }

    fn mu(&self, r: usize) -> f64 {
        1.0 - self.modes.value(r)
    }

    /// S of a sample with all others.
    fn column(&self, j: usize) -> &[f64] {
        match self.graph.similarity() {
            Similarity::Dense(s) => s.column(j),
            _ => unreachable!("asked for on graphs of all pairs alone"),
        }
    }

    /// The score of every feature of a block.
    pub(super) fn scores(&self, block: &ScaledBlock<'_>) -> Result<Vec<f64>> {
        let (tile, changes) = self.tiles(block);
        let bounds = self.bounds(&tile, &changes);
        let n = self.graph.n_samples();
        let (mut x, mut change) = (vec![0.0; n], vec![0.0; n]);
        let score = |lane: usize| {
            pick(&tile, lane, &mut x);
            pick(&changes, lane, &mut change);
            let feature = Feature { x: &x, change: &change };
            let open = self.open(&feature, |r| bounds[(lane, r)]);
            let negative = self.negative_parts(&feature, &open)?;
            Ok(self.factor * (self.trace(&change) + 2.0 * negative))
        };
        (0..block.width()).map(score).collect()
    }

    /// At most how much of its size a score can be too small, for every feature of a block; NaN where no sample differs.
    pub(super) fn shortfalls(&self, block: &ScaledBlock<'_>) -> Vec<f64> {
        let (tile, changes) = self.tiles(block);
        let (n, d) = (self.graph.n_samples(), self.graph.degrees());
        let total: f64 = d.iter().sum();
        let beyond: Vec<f64> = (0..n)
            .map(|i| {
                let taken: f64 = (0..self.modes.len()).map(|r| self.shares[(i, r)]).sum();
                (1.0 - d[i] / total - taken).max(0.0)
            })
            .collect();
        let last = self.modes.len().checked_sub(1).map_or(1.0, |r| self.mu(r));
        let (mut x, mut change) = (vec![0.0; n], vec![0.0; n]);
        (0..block.width())
            .map(|lane| {
                pick(&tile, lane, &mut x);
                pick(&changes, lane, &mut change);
                let missed = |i: usize| {
                    let square = x[i] * x[i];
                    let excess = 2.0 * square - change[i] / d[i];
                    let most = (last * excess).max(self.floor * excess) - 2.0 * self.floor * square;
                    beyond[i] * most.max(0.0)
                };
                let missed: f64 = (0..n).map(missed).sum();
                2.0 * missed / (self.trace(&change) + 2.0 * missed)
            })
            .collect()
    }

    /// The values of a block, and the degrees of P of each of its features, sample after sample.
    fn tiles(&self, block: &ScaledBlock<'_>) -> (Vec<f64>, Vec<f64>) {
        let n = self.graph.n_samples();
        let mut tile = vec![0.0; n * BLOCK];
        block.pack(0..block.width(), BLOCK, Center::Mean, &mut tile);
        let mut changes = vec![0.0; n * BLOCK];
        for (i, out) in changes.chunks_exact_mut(BLOCK).enumerate() {
            let own = &tile[i * BLOCK..(i + 1) * BLOCK];
            let weights = self.column(i);
            vectorized!({
                for (weight, other) in weights.iter().zip(tile.chunks_exact(BLOCK)) {
                    for l in 0..BLOCK {
                        out[l] += weight * (own[l] - other[l]) * (own[l] - other[l]);
                    }
                }
            });
        }
        (tile, changes)
    }

    /// S_ii/d_i² by the sum over all eigenvalues; and, since a group is taken to have the eigenvalue of its first pair, what
    /// that adds.
    fn sum_weights(&self) -> Vec<f64> {
        let d = self.graph.degrees();
        let mut weights: Vec<f64> = (0..d.len()).map(|i| self.column(i)[i] / (d[i] * d[i])).collect();
        for group in self.modes.groups().iter().filter(|g| g.len() > 1) {
            for r in group.clone() {
                let raised = self.mu(group.start) - self.mu(r);
                weights.iter_mut().zip(self.modes.vector(r)).for_each(|(w, q)| *w += raised * q * q);
            }
        }
        weights
    }

    /// Σ_r a_r.
    fn trace(&self, change: &[f64]) -> f64 {
        change.iter().zip(&self.weights).map(|(c, w)| c * w).sum()
    }

    /// The first bound of every a_r of every feature, features × pairs.
    fn bounds(&self, tile: &[f64], changes: &[f64]) -> Mat<f64> {
        let (n, pairs) = (self.graph.n_samples(), self.modes.len());
        let squares: Vec<f64> = tile.iter().map(|x| x * x).collect();
        let mut own = changes.to_vec();
        for ((own, squares), d) in
            own.chunks_exact_mut(BLOCK).zip(squares.chunks_exact(BLOCK)).zip(self.graph.degrees())
        {
            own.iter_mut().zip(squares).for_each(|(c, x)| *c = *c / d - 2.0 * x);
        }
        let product = |factor: &[f64]| {
            let mut out = Mat::zeros(BLOCK, pairs);
            let factor = MatRef::from_column_major_slice(factor, BLOCK, n);
            matmul(out.as_mut(), Accum::Replace, factor, &self.shares, 1.0, Par::Seq);
            out
        };
        let (own, squares) = (product(&own), product(&squares));
        Mat::from_fn(BLOCK, pairs, |l, r| self.mu(r) * own[(l, r)] + 2.0 * self.floor * squares[(l, r)])
    }

    /// The groups of which no bound shows that every a_r is positive.
    fn open(&self, feature: &Feature<'_>, bound: impl Fn(usize) -> f64) -> Vec<Range<usize>> {
        let mut open: Vec<Range<usize>> = Vec::new();
        let mut doubtful = Vec::new();
        for group in self.modes.groups() {
            match group.len() {
                1 if bound(group.start) >= 0.0 => {}
                1 => doubtful.push(group.start),
                _ => open.push(group.clone()),
            }
        }
        let gains = self.gains(feature, &doubtful);
        let left = doubtful.iter().zip(gains).filter(|&(&r, gain)| bound(r) + gain < 0.0);
        open.extend(left.map(|(&r, _)| r..r + 1));
        open
    }

    /// What the second bound adds to the first.
    fn gains(&self, feature: &Feature<'_>, rows: &[usize]) -> Vec<f64> {
        let d = self.graph.degrees();
        let products = Mat::from_fn(d.len(), rows.len(), |i, c| {
            feature.x[i] * d[i].sqrt() * self.modes.vector(rows[c])[i]
        });
        let mut inner = Mat::zeros(self.leading.ncols(), rows.len());
        matmul(inner.as_mut(), Accum::Replace, self.leading.transpose(), &products, 1.0, Par::Seq);
        (0..rows.len()).map(|c| 2.0 * inner.col(c).iter().map(|g| g * g).sum::<f64>()).collect()
    }

    /// Σ |a_r| over the negative ones of some groups.
    fn negative_parts(&self, feature: &Feature<'_>, groups: &[Range<usize>]) -> Result<f64> {
        let rows: Vec<usize> = groups.iter().cloned().flatten().collect();
        let vectors = Mat::from_fn(feature.x.len(), rows.len(), |i, c| self.modes.vector(rows[c])[i]);
        let product = self.product(feature.x, &vectors);
        let (mut sum, mut first) = (0.0, 0);
        for group in groups {
            let (mu, size) = (self.mu(group.start), group.len());
            let (q, changed) = (vectors.subcols(first, size), product.subcols(first, size));
            let turned =
                Mat::from_fn(q.nrows(), size, |i, b| mu * feature.change[i] * q[(i, b)] - changed[(i, b)]);
            let mut projected = Mat::zeros(size, size);
            matmul(projected.as_mut(), Accum::Replace, q.transpose(), &turned, 1.0, Par::Seq);
            sum += match size {
                1 => (-projected[(0, 0)]).max(0.0),
                _ => {
                    let trace: f64 = (0..size).map(|a| projected[(a, a)]).sum();
                    ((nuclear_norm(&projected)? - trace) / 2.0).max(0.0)
                }
            };
            first += size;
        }
        Ok(sum)
    }

    /// P times some vectors.
    fn product(&self, x: &[f64], vectors: &Mat<f64>) -> Mat<f64> {
        let n = x.len();
        let mut product = Mat::zeros(n, vectors.ncols());
        if vectors.ncols() == 0 {
            return product;
        }
        let mut panel = vec![0.0; n * PANEL.min(n)];
        for start in (0..n).step_by(PANEL) {
            let columns = PANEL.min(n - start);
            let panel = &mut panel[..n * columns];
            for (j, out) in (start..).zip(panel.chunks_exact_mut(n)) {
                let (own, weights) = (x[j], self.column(j));
                vectorized!({
                    for ((out, weight), other) in out.iter_mut().zip(weights.iter()).zip(x) {
                        *out = weight * (own - other) * (own - other);
                    }
                });
            }
            let panel = MatRef::from_column_major_slice(panel, n, columns);
            let out = product.as_mut().subrows_mut(start, columns);
            matmul(out, Accum::Replace, panel.transpose(), vectors, 1.0, Par::Seq);
        }
        product
    }
}

/// A column of a tile.
fn pick(tile: &[f64], lane: usize, out: &mut [f64]) {
    out.iter_mut().zip(tile.iter().skip(lane).step_by(BLOCK)).for_each(|(out, v)| *out = *v);
}
