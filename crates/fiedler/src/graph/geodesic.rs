//! The geodesic graph (the "Dijkstra function" of the dissertation): distances along the data.
//!
//! g_ij is the length of the shortest path from i to j over the kNN graph, whose edges are as
//! long as the distance of their ends; S_ij = exp(-g_ij²/2σ²), 1 on the diagonal, 0 where no
//! path leads. Two ends of a bent sheet are far apart although space has them close.
//!
//! Automatic bandwidth: 2σ² = median of the squared lengths i < j, where there is a path.
//!
//! Cost: n searches of O(nk log n), in parallel, and n² memory.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use faer::Mat;
use rayon::prelude::*;

use super::dense::{self, Dense};
use super::knn::{Bandwidth, Searched, gaussian};
use super::rbf::median;
use super::vocabulary::{self, APPROXIMATE, BANDWIDTH, K, METRIC, MUTUAL, RECALL};
use super::{Graph, GraphInfo, GraphKind, Knn, Origin, Remedies, Similarity, Weighting};
use crate::Result;
use crate::dataset::Dataset;
use crate::monitor::{Monitor, Stage};
use crate::parameters::Parameters;

/// The kind.
pub(super) static INFO: GraphInfo = GraphInfo {
    name: "geodesic",
    title: "shortest paths",
    joins: "Samples that are near along the data: by the shortest path over the kNN graph, not through empty space.",
    called: "the geodesic graph",
    parameters: &[K, BANDWIDTH, METRIC, MUTUAL, APPROXIMATE, RECALL],
    formula: "exp(-g²/2σ²), g the shortest path over the kNN graph; 0 where there is none",
    remedies: Remedies { apart: Some("a larger k joins them"), ..Remedies::WIDTH },
    cost: "the kNN graph, then samples² x k and memory for samples² numbers",
    fails: "Where one wrong edge is a short cut between far ends of the data. Too large for many samples.",
    reference: "Zhao: Spectral Feature Selection for Mining Ultrahigh Dimensional Data, dissertation, 2010, ch. 5",
    ..GraphInfo::BLANK
};

/// Shortest paths over the kNN graph, then Gaussian weights.
///
/// ```
/// use fiedler::{Silent, dataset::demo, graph::Geodesic};
///
/// let graph = Geodesic::default().build(&demo::iris()?, &Silent)?;
/// assert!(graph.diagonal().iter().all(|&w| w == 1.0));
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Geodesic {
    /// Which samples are neighbors: its k, metric and rule. Edges are as long as the distance,
    /// so that weight and bandwidth of the kNN graph play no part.
    pub knn: Knn,
    /// σ.
    pub bandwidth: Bandwidth,
}

impl GraphKind for Geodesic {
    fn info() -> &'static GraphInfo {
        &INFO
    }

    fn of(parameters: &Parameters) -> Result<Self> {
        let bandwidth = vocabulary::bandwidth(parameters);
        Ok(Geodesic { knn: Knn { bandwidth: Bandwidth::Auto, ..vocabulary::knn(parameters)? }, bandwidth })
    }

    fn make(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        self.build(data, monitor)
    }
}

impl Geodesic {
    /// Makes the graph.
    ///
    /// # Errors
    /// As the kNN graph; n × n weights would not fit.
    pub fn build(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        self.bandwidth.check()?;
        let n = data.n_samples();
        dense::check_size("the geodesic graph", n, 3, monitor)?;
        let (edges, Searched { fitted, metric, shrinkage, found }) = self.knn.lengths(data, monitor)?;
        let lengths = all_paths(&edges, n, monitor)?;
        let above = || (0..n).flat_map(|i| lengths[i * n + i + 1..(i + 1) * n].iter().copied());
        let scale =
            self.bandwidth.scale(|| median(above().filter(|g| g.is_finite()).map(|g| g * g).collect()));
        // Rounding depends on the direction of a path, so the lower sample's search decides.
        let weights = Mat::from_fn(n, n, |i, j| {
            let length = lengths[i.min(j) * n + i.max(j)];
            if length.is_finite() { gaussian(length * length, scale) } else { 0.0 }
        });
        let parameters =
            [("k", fitted.k.into()), ("metric", metric.name().into()), ("mutual", self.knn.mutual.into())];
        let origin = Origin::new(&INFO, parameters)
            .with("recall", found.recall)
            .with("shrinkage", shrinkage)
            .weighted(Weighting::rbf(scale));
        let graph = Graph::new(Similarity::Dense(Dense::new(weights)), origin);
        Ok(graph.noted(fitted.note).noted(found.note).warned(found.warning))
    }
}

/// Lengths of the shortest paths between all samples, n × n, infinite where there is none.
fn all_paths(edges: &[(u32, u32, f64)], n: usize, monitor: &dyn Monitor) -> Result<Vec<f64>> {
    let adjacency = Adjacency::new(edges, n);
    let stage = Stage::new(monitor, "geodesic", n)?;
    let mut lengths = vec![f64::INFINITY; n * n];
    lengths.par_chunks_mut(n).enumerate().try_for_each(|(source, row)| {
        adjacency.paths_from(source, row);
        stage.advance(1)
    })?;
    Ok(lengths)
}

/// The neighbors of every sample with the length of the edge, 0 between duplicates.
struct Adjacency(Vec<Vec<(u32, f64)>>);

impl Adjacency {
    fn new(edges: &[(u32, u32, f64)], n: usize) -> Self {
        let mut neighbors = vec![Vec::new(); n];
        for &(i, j, length) in edges {
            neighbors[i as usize].push((j, length));
            neighbors[j as usize].push((i, length));
        }
        Adjacency(neighbors)
    }

    /// Dijkstra's algorithm; `lengths` comes in infinite.
    fn paths_from(&self, source: usize, lengths: &mut [f64]) {
        lengths[source] = 0.0;
        let mut queue = BinaryHeap::from([Stop { length: 0.0, sample: source as u32 }]);
        while let Some(Stop { length, sample }) = queue.pop() {
            // A sample is queued again when a shorter path is found; the older entry is stale.
            if length > lengths[sample as usize] {
                continue;
            }
            for &(next, edge) in &self.0[sample as usize] {
                let longer = length + edge;
                if longer < lengths[next as usize] {
                    lengths[next as usize] = longer;
                    queue.push(Stop { length: longer, sample: next });
                }
            }
        }
    }
}

/// A sample reached by a path of some length; the shortest is the greatest, as a heap wants it.
#[derive(PartialEq)]
struct Stop {
    length: f64,
    sample: u32,
}

impl Eq for Stop {}

impl Ord for Stop {
    fn cmp(&self, other: &Self) -> Ordering {
        other.length.total_cmp(&self.length).then(other.sample.cmp(&self.sample))
    }
}

impl PartialOrd for Stop {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
