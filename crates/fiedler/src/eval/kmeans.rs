//! k-means: Lloyd's iteration from several starts chosen by k-means++, the best of them by inertia.
//!
//! # Formula
//! ```text
//! min  Σᵢ ‖xᵢ - μ_c(i)‖²      μ_c the mean of the samples of cluster c
//! ```
//! Samples go to the nearest mean and means to the middle of their samples, in turns, until nobody moves. A start
//! chooses its first mean among the samples, and every further one with a probability that grows with the squared
//! distance to the nearest mean there is (Arthur & Vassilvitskii 2007).
//!
//! # How
//! All starts go in step: the products of the samples with the means of all of them are one matrix product, and a
//! start that has come to rest leaves it. Sums of clusters change by the samples that move.
//!
//! # When it fails
//! The minimum is local. Clusters that are not round, or of very different size, are cut in the wrong places.

use rand_chacha::ChaCha8Rng;

use super::table::Rows;
use crate::random::{below, generator, unit};
use crate::{Error, Result};

/// Distances closer than this share of the squares they are made of are the same.
const ROUNDING: f64 = 1e-13;

/// What to minimize, and how hard to try.
///
/// ```
/// use fiedler::eval::KMeans;
///
/// let rows = [0.0, 0.1, 0.2, 5.0, 5.1, 5.2];
/// let found = KMeans { clusters: 2, ..KMeans::default() }.fit(&rows, 1)?;
/// assert_eq!(found.clusters[0], found.clusters[2]);
/// assert_ne!(found.clusters[0], found.clusters[3]);
/// assert!((found.inertia - 0.04).abs() < 1e-12);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KMeans {
    /// Number of clusters.
    pub clusters: usize,
    /// Number of starts.
    pub starts: usize,
    /// Steps of one start before an error.
    pub max_iterations: usize,
    /// Seed of the starts.
    pub seed: u64,
}

impl Default for KMeans {
    fn default() -> Self {
        KMeans { clusters: 2, starts: 10, max_iterations: 10_000, seed: 0 }
    }
}

/// Clusters of samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Clustering {
    /// The cluster of every sample.
    pub clusters: Vec<u32>,
    /// Σ ‖x - μ‖².
    pub inertia: f64,
    /// Steps until nobody moved.
    pub iterations: usize,
}

impl KMeans {
    /// Clusters plain rows, samples × `n_features`.
    ///
    /// # Errors
    /// [`Error::Parameter`] or [`Error::Length`] when numbers do not fit together, [`Error::NotConverged`].
    pub fn fit(&self, rows: &[f64], n_features: usize) -> Result<Clustering> {
        if n_features == 0 || rows.is_empty() || !rows.len().is_multiple_of(n_features) {
            let expected = rows.len().next_multiple_of(n_features.max(1)).max(1);
            return Err(Error::Length { what: "values of whole rows", expected, got: rows.len() });
        }
        if let Some(bad) = rows.iter().find(|v| !v.is_finite()) {
            return Err(Error::parameter("rows", "finite numbers", bad));
        }
        self.fit_rows(&Rows::centered(rows, n_features), n_features)
    }

    /// Clusters by the first `count` features.
    pub(super) fn fit_rows(&self, rows: &Rows, count: usize) -> Result<Clustering> {
        let n = rows.n_samples;
        if self.clusters == 0 || self.clusters > n {
            return Err(Error::parameter(
                "clusters",
                format!("from 1 to the number of samples ({n})"),
                self.clusters,
            ));
        }
        if self.starts == 0 {
            return Err(Error::parameter("starts", "at least 1", self.starts));
        }
        let squares = rows.squares(count);
        let mut runs = self.begin(rows, count, &squares);
        for iteration in 1..=self.max_iterations {
            if step(&mut runs, rows, count, &squares) == 0 {
                return Ok(best(&runs, &squares, iteration));
            }
        }
        Err(Error::NotConverged {
            what: "k-means",
            iterations: self.max_iterations,
            residual: f64::NAN,
            tolerance: 0.0,
            advice: "allow more iterations",
        })
    }

    /// Starts by k-means++, in step: the next mean of all of them at once.
    fn begin(&self, rows: &Rows, count: usize, squares: &[f64]) -> Vec<Run> {
        let (n, starts) = (rows.n_samples, self.starts);
        let lanes = starts.next_multiple_of(8);
        let mut rngs: Vec<ChaCha8Rng> = (0..starts).map(|s| generator(self.seed, &[s as u64])).collect();
        let mut chosen: Vec<Vec<usize>> = rngs.iter_mut().map(|rng| vec![below(rng, n)]).collect();
        let mut nearest = vec![f64::INFINITY; n * starts];
        let (mut means, mut products) = (vec![0.0; count * lanes], vec![0.0; n * lanes]);
        for _ in 1..self.clusters {
            means.fill(0.0);
            for (s, list) in chosen.iter().enumerate() {
                let last = list[list.len() - 1];
                rows.each(last, count, |f, v| means[f * lanes + s] = v);
            }
            rows.multiply(&means, lanes, count, &mut products);
            for i in 0..n {
                for (s, list) in chosen.iter().enumerate() {
                    let mean = list[list.len() - 1];
                    let distance = if mean == i {
                        0.0
                    } else {
                        squares[i] + squares[mean] - 2.0 * products[i * lanes + s]
                    };
                    let slot = &mut nearest[s * n + i];
                    *slot = slot.min(distance.max(0.0));
                }
            }
            for ((list, rng), nearest) in chosen.iter_mut().zip(&mut rngs).zip(nearest.chunks_exact(n)) {
                list.push(draw(nearest, rng));
            }
        }
        chosen.iter().map(|means| Run::new(rows, count, means)).collect()
    }
}

/// A sample, with a probability proportional to its weight; any, where all weights are 0.
fn draw(weights: &[f64], rng: &mut ChaCha8Rng) -> usize {
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return below(rng, weights.len());
    }
    let mut left = unit(rng) * total;
    for (i, w) in weights.iter().enumerate() {
        left -= w;
        if left < 0.0 {
            return i;
        }
    }
    weights.iter().rposition(|&w| w > 0.0).unwrap_or(0)
}

/// A start on its way.
struct Run {
    /// Features × clusters: sums over the samples of a cluster.
    sums: Vec<f64>,
    sizes: Vec<usize>,
    clusters: Vec<u32>,
    /// The means before anybody has a cluster.
    first: Option<Vec<f64>>,
    resting: bool,
}

impl Run {
    fn new(rows: &Rows, count: usize, means: &[usize]) -> Self {
        let k = means.len();
        let mut first = vec![0.0; count * k];
        for (c, &i) in means.iter().enumerate() {
            rows.each(i, count, |f, v| first[f * k + c] = v);
        }
        Run {
            sums: vec![0.0; count * k],
            sizes: vec![0; k],
            clusters: vec![u32::MAX; rows.n_samples],
            first: Some(first),
            resting: false,
        }
    }

    /// Writes the means into the columns `at..` of a matrix with `lanes` columns, and returns ½‖μ‖².
    fn means(&self, lanes: usize, at: usize, out: &mut [f64]) -> Vec<f64> {
        let k = self.sizes.len();
        let mut halves = vec![0.0; k];
        let factors: Vec<f64> = self.sizes.iter().map(|&s| 1.0 / s.max(1) as f64).collect();
        for (f, out) in out.chunks_exact_mut(lanes).enumerate() {
            for c in 0..k {
                let mean = match &self.first {
                    Some(first) => first[f * k + c],
                    None => self.sums[f * k + c] * factors[c],
                };
                out[at + c] = mean;
                halves[c] += 0.5 * mean * mean;
            }
        }
        halves
    }

    /// Moves sample `i`.
    fn put(&mut self, rows: &Rows, count: usize, i: usize, cluster: usize) {
        let k = self.sizes.len();
        let before = self.clusters[i];
        if before != u32::MAX {
            self.sizes[before as usize] -= 1;
            rows.each(i, count, |f, v| self.sums[f * k + before as usize] -= v);
        }
        self.sizes[cluster] += 1;
        rows.each(i, count, |f, v| self.sums[f * k + cluster] += v);
        self.clusters[i] = cluster as u32;
    }

    /// Gives every empty cluster the sample that is furthest from its mean, of a cluster that can spare it.
    fn fill(&mut self, rows: &Rows, count: usize, far: &[f64]) -> usize {
        let mut filled = 0;
        while let Some(empty) = self.sizes.iter().position(|&s| s == 0) {
            let spare = |i: &usize| self.sizes[self.clusters[*i] as usize] > 1;
            let mut furthest: Option<usize> = None;
            for i in (0..far.len()).filter(spare) {
                if furthest.is_none_or(|f| far[i] > far[f]) {
                    furthest = Some(i);
                }
            }
            // There are no more clusters than samples, so one has two of them.
            let Some(i) = furthest else { break };
            self.put(rows, count, i, empty);
            filled += 1;
        }
        filled
    }
}

/// One step of all starts that still move; answers how many of them moved.
fn step(runs: &mut [Run], rows: &Rows, count: usize, squares: &[f64]) -> usize {
    let k = runs[0].sizes.len();
    let mut moving: Vec<&mut Run> = runs.iter_mut().filter(|r| !r.resting).collect();
    let lanes = (moving.len() * k).next_multiple_of(8);
    let mut means = vec![0.0; count * lanes];
    let halves: Vec<f64> =
        moving.iter().enumerate().flat_map(|(r, run)| run.means(lanes, r * k, &mut means)).collect();
    let mut products = vec![0.0; rows.n_samples * lanes];
    rows.multiply(&means, lanes, count, &mut products);
    let mut moved = 0;
    let mut far = vec![0.0; rows.n_samples];
    for (r, run) in moving.iter_mut().enumerate() {
        let halves = &halves[r * k..(r + 1) * k];
        let begun = run.first.take().is_some();
        let mut moves = 0;
        for i in 0..rows.n_samples {
            let products = &products[i * lanes + r * k..i * lanes + (r + 1) * k];
            let stay = run.clusters[i] as usize;
            // Half the squared distance, less half of ‖x‖²; who is as near to where it is stays.
            let mut best = (if begun { 0 } else { stay }, 0.0);
            best.1 = halves[best.0] - products[best.0];
            for c in 0..k {
                let distance = halves[c] - products[c];
                // What rounding alone makes nearer is no reason to move, or samples would go to and fro.
                if distance < best.1 - ROUNDING * (squares[i] + halves[c]) {
                    best = (c, distance);
                }
            }
            far[i] = squares[i] + 2.0 * best.1;
            if best.0 != stay {
                run.put(rows, count, i, best.0);
                moves += 1;
            }
        }
        moves += run.fill(rows, count, &far);
        run.resting = moves == 0;
        moved += usize::from(moves > 0);
    }
    moved
}

/// The run with the smallest inertia, the first where several are equal.
fn best(runs: &[Run], squares: &[f64], iterations: usize) -> Clustering {
    let total: f64 = squares.iter().sum();
    let inertia = |run: &Run| {
        // Σ‖x - μ‖² = Σ‖x‖² - Σ_c ‖sum_c‖²/size_c.
        let k = run.sizes.len();
        let mut between = vec![0.0; k];
        run.sums.chunks_exact(k).for_each(|s| between.iter_mut().zip(s).for_each(|(b, s)| *b += s * s));
        total - between.iter().zip(&run.sizes).map(|(b, &s)| b / s.max(1) as f64).sum::<f64>()
    };
    let mut found = (0, f64::INFINITY);
    for (r, run) in runs.iter().enumerate() {
        let value = inertia(run).max(0.0);
        if value < found.1 {
            found = (r, value);
        }
    }
    Clustering { clusters: runs[found.0].clusters.clone(), inertia: found.1, iterations }
}
