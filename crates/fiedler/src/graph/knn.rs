//! The k-nearest-neighbor graph (LS §2, DIS ch. 2).
//!
//! An edge joins i and j where i is among the k nearest of j **or** j among those of i (with
//! `mutual`: **and**). No self-loops: they would change D and so the scores. Where several samples tie for the last
//! place among the neighbors, all of them are neighbors and share it: the weight of such an edge is multiplied by
//! its share, so that the order of the rows does not matter and the sum of a neighborhood stays what it is.
//!
//! | weight | w_ij | automatic bandwidth |
//! |---|---|---|
//! | `heat` | exp(-d²/t) | t = mean of d² over the edges |
//! | `rbf` | exp(-d²/2σ²) | 2σ² = that mean |
//! | `binary` | 1 | – |
//! | `cosine` | cosine of xᵢ and xⱼ | – |
//! | `self-tuning` | exp(-d²/σᵢσⱼ), σᵢ the distance to the k-th neighbor (to the nearest other, where that is a duplicate) | – |
//!
//! With the Manhattan and cosine metrics, d is that distance and d² its square.
//!
//! Cost: the search is O(n²m) in matrix products, or [less](Approximate) for very many samples; the graph has at
//! most nk edges.

use std::str::FromStr;

use super::diagnostics::VANISHED;
use super::metric::Looked;
use super::neighbor_count::Fitted;
use super::neighbors::{self, Approximate, Effort, Found, Neighbor, NeighborLists};
use super::sparse::Sparse;
use super::vocabulary::{self, APPROXIMATE, BANDWIDTH, K, METRIC, MUTUAL, RECALL, WEIGHT};
use super::{
    Graph, GraphInfo, GraphKind, Metric, MetricChoice, Neighbors, Origin, Remedies, Similarity, Weighting,
};
use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::parameters::{Parameters, words};
use crate::{Error, Result};

/// The kind.
pub(super) static INFO: GraphInfo = GraphInfo {
    name: "knn",
    title: "nearest neighbors",
    joins: "Every sample with its k nearest others, the more strongly the nearer they are. Samples that are as near \
            as the k-th share its place, so that the order of the rows does not matter.",
    called: "the knn graph",
    formula: "exp(-d²/t) where i is among the k nearest of j or j among those of i, else 0",
    parameters: &[K, WEIGHT, BANDWIDTH, METRIC, MUTUAL, APPROXIMATE, RECALL],
    remedies: Remedies {
        apart: Some("a larger k joins them"),
        faint: "`weight=binary` or a wider bandwidth joins them",
        ..Remedies::WIDTH
    },
    cost: "samples² x features for the search, less from 50,000 samples on where the data have few dimensions of their \
           own; at most samples x k edges",
    fails: "Where many noise features blur who is near, and where groups of more than k samples lie far apart: \
            the graph then falls into pieces.",
    reference: "He, Cai, Niyogi: Laplacian Score for Feature Selection, NIPS 2005",
    ..GraphInfo::BLANK
};

/// The weight of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weight {
    /// exp(-d²/t).
    #[default]
    Heat,
    /// exp(-d²/2σ²).
    Rbf,
    /// 1.
    Binary,
    /// The cosine of the two samples.
    Cosine,
    /// exp(-d²/σᵢσⱼ).
    SelfTuning,
}

words!(
    Weight,
    "weight",
    Heat = "heat",
    Rbf = "rbf",
    Binary = "binary",
    Cosine = "cosine",
    SelfTuning = "self-tuning"
);

/// The width of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Bandwidth {
    /// From the data.
    #[default]
    Auto,
    /// Given: t for `heat`, σ for `rbf`.
    Given(f64),
}

/// Two samples, the lower first, and how far they are apart, or how similar they are.
type Edge = (u32, u32, f64);

/// Two samples, the lower first, one of which is a neighbor of the other.
#[derive(Debug, Clone, Copy)]
struct Pair {
    i: u32,
    j: u32,
    distance: f64,
    /// What the edge counts: 1, or less where several tie for the last place among the neighbors.
    share: f64,
}

/// The k-nearest-neighbor graph.
///
/// ```
/// use fiedler::dataset::demo;
/// use fiedler::graph::{Knn, Weight};
/// use fiedler::Silent;
///
/// let graph = Knn { k: 10.into(), weight: Weight::Binary, ..Knn::default() }.build(&demo::iris()?, &Silent)?;
/// assert!(graph.degrees().iter().all(|&d| d >= 10.0));
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Knn {
    /// Neighbors per sample, 1 to n - 1; automatic: 5, or fewer where there are fewer others.
    pub k: Neighbors,
    /// The weight of an edge.
    pub weight: Weight,
    /// The width of `heat` and `rbf`.
    pub bandwidth: Bandwidth,
    /// How distance is measured; automatic: as suits the data.
    pub metric: MetricChoice,
    /// Keep an edge only where each is a neighbor of the other.
    pub mutual: bool,
    /// Search for most of the neighbors, not for all: for very many samples. The share found is
    /// measured, and told in the description of the graph as `recall`. Fewer than 4,096 samples and
    /// sparse data are searched exactly all the same.
    pub approximate: Approximate,
    /// The share of the true neighbors that an approximate search is to find, above 0 and at most 1.
    pub recall: f64,
}

impl Default for Knn {
    fn default() -> Self {
        Knn {
            k: Neighbors::Auto,
            weight: Weight::Heat,
            bandwidth: Bandwidth::Auto,
            metric: MetricChoice::Auto,
            mutual: false,
            approximate: Approximate::Auto,
            recall: USUAL_RECALL,
        }
    }
}

impl GraphKind for Knn {
    fn info() -> &'static GraphInfo {
        &INFO
    }

    fn of(parameters: &Parameters) -> Result<Self> {
        vocabulary::knn(parameters)
    }

    fn make(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        self.build(data, monitor)
    }
}

/// Neighbors per sample where the user does not say.
const USUAL: usize = 5;
/// The share of them that is found at least.
pub(super) const USUAL_RECALL: f64 = 0.95;

/// What a search found.
pub(super) struct Searched {
    /// The number of neighbors, and a note where it is not the usual one.
    pub(super) fitted: Fitted,
    /// How distance was measured.
    pub(super) metric: Metric,
    /// The neighbors of every sample, and how many of the true ones were found.
    pub(super) found: Found,
    /// How much the covariance was shrunk, where the metric looks at one.
    pub(super) shrinkage: Option<f64>,
}

impl Knn {
    /// Makes the graph.
    ///
    /// # Errors
    /// `k` is not from 1 to n - 1, the bandwidth is not positive, or the monitor says stop.
    pub fn build(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        self.bandwidth.check()?;
        let n = data.n_samples();
        if n < 2 {
            return Err(Error::TooFewSamples { what: "a kNN graph", needed: 2, got: n });
        }
        let found = self.search(data, monitor)?;
        let pairs = self.pairs(&found.found.lists, n);
        let (weighting, entries) = self.weigh(data, &found, &pairs, monitor)?;
        let Searched { fitted: Fitted { k, note }, metric, shrinkage, found } = found;
        let (joined, crowded) = (pairs.len(), found.lists.warning());
        // Of very many samples each of these takes as much as the graph.
        drop((pairs, found.lists));
        let sparse = Sparse::from_upper(n, entries);
        // What underflows is no edge, so that the few that are left may look as good as any.
        let vanished = sparse.edges() > 0 && sparse.edges() < joined / 2;
        // A cosine of 0 is no similarity that was too small to tell.
        let lost = Some(joined - sparse.edges()).filter(|&lost| lost > 0 && self.weight != Weight::Cosine);
        let origin = self.origin(k, metric, found.recall).with("shrinkage", shrinkage).with(VANISHED, lost);
        let graph = Graph::new(Similarity::Sparse(sparse), origin.weighted(weighting));
        let graph = if vanished { graph.degenerate_as(MOST_VANISHED) } else { graph };
        Ok(graph.noted(note).noted(found.note).warned(found.warning).warned(crowded))
    }

    /// The weights of the edges, and as what function of the distance.
    fn weigh(
        &self,
        data: &Dataset,
        found: &Searched,
        pairs: &[Pair],
        monitor: &dyn Monitor,
    ) -> Result<(Weighting, Vec<Edge>)> {
        let (metric, lists) = (found.metric, &found.found.lists);
        let square = |d: f64| metric.square(d);
        let weighed = |weight: &dyn Fn(&Pair) -> f64| -> Vec<Edge> {
            pairs.iter().map(|p| (p.i, p.j, p.share * weight(p))).collect()
        };
        Ok(match self.weight {
            Weight::Binary => (Weighting::Binary, weighed(&|_| 1.0)),
            Weight::Heat | Weight::Rbf => {
                let mean = || {
                    let total: f64 = pairs.iter().map(|p| p.share * square(p.distance)).sum();
                    total / pairs.iter().map(|p| p.share).sum::<f64>().max(f64::MIN_POSITIVE)
                };
                let (scale, weighting) = match (self.weight, self.bandwidth) {
                    (Weight::Rbf, bandwidth) => {
                        let scale = bandwidth.scale(mean);
                        (scale, Weighting::rbf(scale))
                    }
                    (_, Bandwidth::Given(t)) => (t, Weighting::Heat { t }),
                    (_, Bandwidth::Auto) => {
                        let t = mean();
                        (t, Weighting::Heat { t })
                    }
                };
                (weighting, weighed(&|p| gaussian(square(p.distance), scale)))
            }
            Weight::SelfTuning => {
                let reach = |i: usize| reach(lists.of(i, 0), lists.k(), square);
                let sigma: Vec<f64> = (0..data.n_samples()).map(reach).collect();
                let width = |p: &Pair| sigma[p.i as usize] * sigma[p.j as usize];
                (Weighting::SelfTuning, weighed(&|p| gaussian(square(p.distance), width(p))))
            }
            Weight::Cosine => {
                let cosines = neighbors::cosines(data, pairs.iter().map(|p| (p.i, p.j)), monitor)?;
                let weigh = |(p, cosine): (&Pair, f64)| (p.i, p.j, p.share * cosine);
                (Weighting::Cosine, pairs.iter().zip(cosines).map(weigh).collect())
            }
        })
    }

    /// How the graph is made, but for its weights.
    fn origin(&self, k: usize, metric: Metric, recall: Option<f64>) -> Origin {
        let parameters = [
            ("k", k.into()),
            ("weight", self.weight.name().into()),
            ("metric", metric.name().into()),
            ("mutual", self.mutual.into()),
        ];
        Origin { metric: Some(metric), ..Origin::new(&INFO, parameters).with("recall", recall) }
    }

    fn search(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Searched> {
        let fitted = self.k.among_all("k", USUAL, data);
        let Looked { metric, data: turned, shrinkage } = self.metric.fitted(data, monitor)?;
        let data = turned.as_ref().unwrap_or(data);
        let effort = Effort { approximate: self.approximate, recall: self.recall };
        // Differences of samples do not depend on where zero lies, cosines do.
        let as_it_is = metric.info().angles || self.approximate == Approximate::Always;
        let thin = if as_it_is { None } else { data.sparsified(monitor)? };
        let found = neighbors::search(thin.as_ref().unwrap_or(data), metric, fitted.k, effort, monitor)?;
        Ok(Searched { fitted, metric, shrinkage, found })
    }

    /// Edges (i, j, length) with i < j, sorted, and the search they come from. An edge is as long as the
    /// distance of its ends.
    pub(super) fn lengths(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<(Vec<Edge>, Searched)> {
        let found = self.search(data, monitor)?;
        let pairs = self.pairs(&found.found.lists, data.n_samples());
        Ok((pairs.into_iter().map(|p| (p.i, p.j, found.metric.length(p.distance))).collect(), found))
    }

    /// Who is joined, sorted. Where each is a neighbor of the other, the edge counts as it does for the one that
    /// counts it more; in mutual graphs less.
    fn pairs(&self, lists: &NeighborLists, n: usize) -> Vec<Pair> {
        let directed = |i: usize| {
            lists.shares_of(i, 0).map(move |(nb, share)| {
                let (i, j) = (nb.index.min(i as u32), nb.index.max(i as u32));
                Pair { i, j, distance: nb.distance, share }
            })
        };
        let mut pairs: Vec<Pair> = Vec::with_capacity(lists.len());
        pairs.extend((0..n).flat_map(directed));
        pairs.sort_unstable_by(|a, b| (a.i, a.j).cmp(&(b.i, b.j)).then(a.share.total_cmp(&b.share)));
        let mut kept = 0;
        let mut at = 0;
        while at < pairs.len() {
            let (less, next) = (pairs[at], pairs.get(at + 1));
            let more = next.filter(|p| (p.i, p.j) == (less.i, less.j)).copied();
            at += if more.is_some() { 2 } else { 1 };
            let edge = if self.mutual { more.map(|_| less) } else { Some(more.unwrap_or(less)) };
            if let Some(edge) = edge {
                pairs[kept] = edge;
                kept += 1;
            }
        }
        pairs.truncate(kept);
        pairs.shrink_to_fit();
        pairs
    }
}

const MOST_VANISHED: &str = "most similarities between neighbors are 0";

/// exp(-d²/scale), 1 where both are 0 (duplicate samples), 0 below the smallest number of full
/// precision.
pub(crate) fn gaussian(square: f64, scale: f64) -> f64 {
    let weight = if square == 0.0 { 1.0 } else { (-square / scale).exp() };
    if weight >= f64::MIN_POSITIVE { weight } else { 0.0 }
}

/// The distance of a sample to its k-th neighbor; to the nearest that is no duplicate, where the
/// k-th still is one, or else every edge to another sample would weigh nothing.
fn reach(list: &[Neighbor], k: usize, square: impl Fn(f64) -> f64) -> f64 {
    let distances = || list.iter().map(|nb| square(nb.distance).sqrt());
    match distances().nth(k - 1) {
        Some(distance) if distance > 0.0 => distance,
        _ => distances().find(|d| *d > 0.0).unwrap_or(0.0),
    }
}

impl FromStr for Bandwidth {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "auto" {
            return Ok(Bandwidth::Auto);
        }
        let rule = || Error::parameter("bandwidth", "`auto` or a number above 0", format!("`{text}`"));
        let given = Bandwidth::Given(text.parse().map_err(|_| rule())?);
        given.check().map(|()| given)
    }
}

impl Bandwidth {
    /// 2σ²: of the given σ, or what `automatic` makes of the data.
    pub(crate) fn scale(self, automatic: impl FnOnce() -> f64) -> f64 {
        match self {
            Bandwidth::Given(sigma) => 2.0 * sigma * sigma,
            Bandwidth::Auto => automatic(),
        }
    }

    pub(crate) fn check(self) -> Result<()> {
        match self {
            Bandwidth::Given(v) if !(v.is_finite() && v > 0.0) => {
                Err(Error::parameter("bandwidth", "`auto` or a number above 0", v))
            }
            _ => Ok(()),
        }
    }
}
