//! Eigenpairs of the normalized Laplacian N = D^-½ (D - S) D^-½, smallest first.
//!
//! N's small eigenvalues belong to the smooth directions of the graph: vectors that change
//! little between similar samples. The first is always (0, ξ₁) with ξ₁ = D^½1/‖D^½1‖, also when
//! the graph is disconnected; it says nothing about the samples and is never searched for, the
//! others are orthogonal to it. A sample of degree 0 contributes 0 wherever D^-½ appears, which
//! gives it an eigenvalue 0 of its own.
//!
//! Every pair comes with its residual ‖Nξ - λξ‖; a solver that does not reach its tolerance is
//! an error, not a wrong answer.

mod chebyshev;
mod dense;
mod filter;
mod iterative;
mod krylov;
mod lanczos;
mod laplacian;
mod low_rank;
mod null;
mod perturbation;
mod simple;
mod walk;

use faer::{Mat, MatRef};

pub(crate) use filter::Way;
pub use filter::{Filter, FilterPlan};
pub(crate) use filter::{lowest, products, weighted_squares};
pub use laplacian::NormalizedLaplacian;
pub(crate) use laplacian::has_negative_weights;
pub use perturbation::{
    Claim, Mixing, PairChange, Perturbation, PhiScores, ScoreChange, Study, StudyRow, Summary,
};

use null::NullSpace;

use crate::graph::{Graph, Similarity};
use crate::monitor::Monitor;
use crate::{Error, Result};

/// Eigenvalues that lie closer than this, or than this share of their size, are taken as equal.
pub(crate) const EQUAL: f64 = 1e-9;

/// Pairs beyond those asked for that are computed to complete a group.
const MAX_GROUP: usize = 512;
/// Entries of a vector whose sizes differ by less than this share are taken as equally large.
const SAME_SIZE: f64 = 1e-6;
/// The most clusters that a gap is looked for between.
const MOST_CLUSTERS: usize = 50;
/// A gap that is so many times as wide as every other stands out.
const STANDS_OUT: f64 = 1.5;
/// Below this many samples the dense solver is as fast.
const DENSE_BELOW: usize = 500;
/// A larger share of all pairs than one in this many is the dense solver's.
const ITERATIVE_SHARE: usize = 8;

/// Leading eigenpairs of the normalized Laplacian, the trivial one first.
///
/// ```
/// use fiedler::{GraphRecipe, Silent, dataset::demo, spectrum::Spectrum};
///
/// let graph = GraphRecipe::default().build(&demo::iris()?, &Silent)?;
/// let spectrum = Spectrum::leading(&graph, 5, &Silent)?;
/// assert_eq!(spectrum.len(), 5);
/// assert_eq!(spectrum.values()[0], 0.0);
/// assert!(spectrum.residuals().iter().all(|&r| r < 1e-8));
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Spectrum {
    values: Vec<f64>,
    vectors: Mat<f64>,
    residuals: Vec<f64>,
}

impl Spectrum {
    /// Puts the pairs together; of the two signs of a vector the one is taken that makes its
    /// largest entry positive, the first of them where several are as large.
    fn new(values: Vec<f64>, mut vectors: Mat<f64>, residuals: Vec<f64>) -> Self {
        for j in 0..vectors.ncols() {
            let column = vectors.col_as_slice_mut(j);
            let largest = column.iter().fold(0.0f64, |a, v| a.max(v.abs()));
            // Entries that differ by rounding count as equal.
            let first = column.iter().find(|v| v.abs() >= (1.0 - SAME_SIZE) * largest);
            if first.is_some_and(|&v| v < 0.0) {
                column.iter_mut().for_each(|v| *v = -*v);
            }
        }
        Spectrum { values, vectors, residuals }
    }

    /// The `count` smallest eigenpairs.
    ///
    /// # Errors
    /// `count` is not from 1 to the number of samples, the solver does not converge, or the
    /// monitor says stop.
    pub fn leading(graph: &Graph, count: usize, monitor: &dyn Monitor) -> Result<Self> {
        let n = graph.n_samples();
        if count == 0 || count > n {
            return Err(Error::parameter("pairs", format!("from 1 to the number of samples ({n})"), count));
        }
        if is_dense_work(graph, count) {
            let mut spectrum = Self::complete(graph, monitor)?;
            spectrum.truncate(count);
            return Ok(spectrum);
        }
        let operator = NormalizedLaplacian::new(graph);
        if let Similarity::LowRank(low) = graph.similarity()
            && let Some(spectrum) = low_rank::solve(&operator, low, count, monitor)?
        {
            return Ok(spectrum);
        }
        iterative::solve(&operator, &NullSpace::new(&operator), count, monitor)
    }

    /// The `count` smallest eigenpairs, and as many more as have the same eigenvalue as the last:
    /// inside a group of equal eigenvalues the basis is arbitrary, so a part of it means nothing.
    ///
    /// # Errors
    /// As [`leading`](Self::leading); the group has more than 512 members beyond `count` on a
    /// graph too large for all pairs.
    pub fn leading_whole(graph: &Graph, count: usize, monitor: &dyn Monitor) -> Result<Self> {
        let n = graph.n_samples();
        let mut asked = count.saturating_add(1);
        loop {
            // A dense solver has all pairs anyway, so that no group is cut short.
            let found = if count <= n && is_dense_work(graph, asked.min(n)) {
                Self::complete(graph, monitor)?
            } else {
                Self::leading(graph, asked.min(n.max(count)), monitor)?
            };
            if let Some(whole) = found.cut_whole(count) {
                return Ok(whole);
            }
            if asked > count + MAX_GROUP {
                let rule = format!("outside a group of more than {MAX_GROUP} equal eigenvalues");
                return Err(Error::parameter("pairs", rule, count));
            }
            asked = count + 4 * (asked - count);
        }
    }

    /// All eigenpairs, by a dense solver: O(n³) time, O(n²) memory.
    ///
    /// # Errors
    /// n × n numbers would not fit, or the solver fails.
    pub fn complete(graph: &Graph, monitor: &dyn Monitor) -> Result<Self> {
        dense::solve(graph, monitor)
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no pairs; never, in a spectrum that was computed.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Eigenvalues: the trivial 0 first, the others ascending. On a graph without negative weights
    /// all lie in 0..2 and rounding below 0 is put to 0; with negative weights those that come after
    /// the trivial one may be below 0.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The eigenvector of pair `i`, one number a sample.
    ///
    /// # Panics
    /// There is no such pair.
    pub fn vector(&self, i: usize) -> &[f64] {
        self.vectors.col_as_slice(i)
    }

    /// Eigenvectors, samples × pairs.
    pub(crate) fn vectors(&self) -> MatRef<'_, f64> {
        self.vectors.as_ref()
    }

    /// ‖Nξ - λξ‖ of every pair.
    pub fn residuals(&self) -> &[f64] {
        &self.residuals
    }

    /// How many clusters the eigenvalues suggest: the k of the [widest gap](Self::widest_gap), where that stands out: it
    /// is half as wide again as every other. There are never fewer than components, for every component has an eigenvalue
    /// of 0. `None` where no gap stands out, so that one more pair or one less would change the answer, and where there are
    /// negative eigenvalues, of which no gap counts clusters.
    pub fn eigengap(&self) -> Option<usize> {
        let k = self.widest_gap().filter(|_| !self.has_negative())?;
        let gap = |k: usize| self.values[k] - self.values[k - 1];
        let others = (1..self.len().min(MOST_CLUSTERS + 1)).filter(|&other| other != k);
        let next = others.map(gap).fold(0.0, f64::max);
        (gap(k) >= STANDS_OUT * next).then_some(k)
    }

    /// The k with the largest gap λ_{k+1} - λ_k, 1 ≤ k ≤ 50, among the pairs at hand. `None` with fewer than two
    /// pairs, and where all are 0: the graph then has at least as many components, and more pairs are needed to see a gap.
    pub fn widest_gap(&self) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for (i, pair) in self.values.windows(2).enumerate().take(MOST_CLUSTERS) {
            let gap = pair[1] - pair[0];
            if best.is_none_or(|(widest, _)| gap > widest) {
                best = Some((gap, i + 1));
            }
        }
        best.filter(|_| self.n_zero() < self.len()).map(|(_, k)| k)
    }

    /// Whether an eigenvalue is negative, as on graphs with negative weights alone.
    pub fn has_negative(&self) -> bool {
        lowest(self) < -EQUAL
    }

    /// How many eigenvalues are 0, one for every component among the pairs at hand.
    pub fn n_zero(&self) -> usize {
        self.values.iter().take_while(|&&value| are_equal(value, 0.0)).count()
    }

    /// The smallest number of pairs, at least `k`, that does not cut through a group of equal
    /// eigenvalues: inside a group the basis is arbitrary. `None` when the group reaches the end
    /// of the pairs at hand and more would have to be computed to know.
    pub fn whole_group(&self, k: usize) -> Option<usize> {
        let mut end = k.max(1);
        while end < self.len() && are_equal(self.values[end], self.values[end - 1]) {
            end += 1;
        }
        let complete = self.len() == self.vectors.nrows();
        (end < self.len() || complete).then_some(end.min(self.len()))
    }

    /// The first `k` pairs, and the rest of the group of equal eigenvalues that the last is in.
    pub(crate) fn cut_whole(mut self, k: usize) -> Option<Self> {
        let end = self.whole_group(k)?;
        self.truncate(end);
        Some(self)
    }

    fn truncate(&mut self, count: usize) {
        self.values.truncate(count);
        self.residuals.truncate(count);
        self.vectors.truncate(self.vectors.nrows(), count);
    }
}

/// Whether two eigenvalues differ by no more than a solver can tell. Sizes beyond 2 occur on graphs
/// with negative weights alone.
pub(crate) fn are_equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= EQUAL * a.abs().max(1.0)
}

/// Whether all pairs by a dense solver are faster, or the only way.
fn is_dense_work(graph: &Graph, count: usize) -> bool {
    let n = graph.n_samples();
    let has_own_solver = match graph.similarity() {
        // Of more pairs than landmarks there are none to compute, however they are computed.
        Similarity::LowRank(low) => low_rank::is_small(low) || count > low.count(),
        _ => false,
    };
    n < DENSE_BELOW || count > n / ITERATIVE_SHARE && !has_own_solver || has_negative_weights(graph)
}
