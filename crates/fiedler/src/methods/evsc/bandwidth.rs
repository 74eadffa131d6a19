//! The σ of the Gaussian: the graph's own, given, or chosen.
//!
//! The grid is judged by the widest gap λ_{k+1} - λ_k of the graph's spectrum with
//! 2 ≤ k ≤ 50. Where σ is far too small all samples are alone and every λ but the first is 1;
//! where it is far too large all are alike and the same happens. Both ends have one gap, after
//! the first eigenvalue, and none later; between them lies the σ whose graph falls into groups
//! most clearly (Azran & Ghahramani 2006 read scales off eigengaps in the same way).
//!
//! Of equally wide gaps the graph's own σ wins, then the one nearest to it: a grid that cannot tell
//! changes nothing.
//!
//! S at another σ is a power of S at this one, so the distances are computed once; each grid
//! point costs one spectrum.

use std::sync::Arc;

use faer::Mat;

use super::WidthGap;
use super::{Sigma, Slope};
use crate::dataset::Dataset;
use crate::graph::dense::Dense;
use crate::graph::sparse::Sparse;
use crate::graph::{Bandwidth, Graph, GraphRecipe, Knn, Rbf, Similarity, Weight, gaussian, neighbors};
use crate::monitor::Monitor;
use crate::spectrum::{EQUAL, Spectrum};
use crate::{Error, Result};

/// The grid: σ² is the graph's own times 2 to these powers, from a quarter of σ to four times it.
const STEPS: std::ops::RangeInclusive<i32> = -4..=4;
/// Eigengaps are searched up to this many groups.
const MAX_GROUPS: usize = 50;

/// The graph of a recipe with the σ that was asked for, and what a grid was chosen by.
pub(super) fn build(
    recipe: &GraphRecipe,
    sigma: Sigma,
    data: &Dataset,
    monitor: &dyn Monitor,
) -> Result<(Arc<Graph>, Vec<WidthGap>)> {
    let plain = |graph| (graph, Vec::new());
    let recipe = &recipe.clone().in_euclidean_distance();
    match sigma {
        Sigma::Auto => recipe.build(data, monitor).map(plain),
        Sigma::Given(sigma) => with_sigma(recipe, sigma)?.build(data, monitor).map(plain),
        Sigma::Grid => {
            let graph = recipe.build(data, monitor)?;
            match Slope::of_gaussian(&graph)? {
                Slope::Gaussian { scale } if scale > 0.0 => {
                    let squares = edge_squares(&graph, data, monitor)?;
                    clearest(graph, scale, &squares, monitor)
                }
                _ => Ok(plain(graph)),
            }
        }
    }
}

fn with_sigma(recipe: &GraphRecipe, sigma: f64) -> Result<GraphRecipe> {
    if !(sigma > 0.0 && sigma.is_finite()) {
        return Err(Error::parameter("sigma", "`auto`, `grid` or a finite number above 0", sigma));
    }
    match recipe {
        GraphRecipe::Rbf(Rbf { bandwidth: Bandwidth::Given(_) })
        | GraphRecipe::Knn(Knn { bandwidth: Bandwidth::Given(_), .. }) => Err(Error::parameter(
            "sigma",
            "`auto` where the graph's bandwidth is given; leave one out",
            sigma,
        )),
        GraphRecipe::Rbf(_) => Ok(GraphRecipe::Rbf(Rbf { bandwidth: Bandwidth::Given(sigma) })),
        GraphRecipe::Knn(knn) => {
            let width = if knn.weight == Weight::Heat { 2.0 * sigma * sigma } else { sigma };
            Ok(GraphRecipe::Knn(Knn { bandwidth: Bandwidth::Given(width), ..knn.clone() }))
        }
        _ => Err(Error::parameter("sigma", "`auto` on a graph that is neither rbf nor knn", sigma)),
    }
}

/// The graph of the grid with the widest eigengap, and the table.
fn clearest(
    graph: Arc<Graph>,
    scale: f64,
    squares: &[f64],
    monitor: &dyn Monitor,
) -> Result<(Arc<Graph>, Vec<WidthGap>)> {
    let mut table = Vec::new();
    let (mut best, mut widest, mut best_step) = (Arc::clone(&graph), f64::NEG_INFINITY, 0);
    for step in STEPS {
        let ratio = 2f64.powi(step);
        let candidate = match step {
            0 => Arc::clone(&graph),
            _ => Arc::new(rescaled(&graph, scale, ratio, squares)),
        };
        let gap = widest_gap(&candidate, monitor)?;
        table.push(WidthGap { sigma: (scale * ratio / 2.0).sqrt(), gap, chosen: false });
        // Gaps that differ by what a solver cannot tell are equally wide.
        let nearer = step.abs() < i32::abs(best_step);
        if gap > widest + EQUAL || (gap > widest - EQUAL && nearer) {
            (best, widest, best_step) = (candidate, gap, step);
        }
    }
    table[(best_step - STEPS.start()) as usize].chosen = true;
    Ok((best, table))
}

fn widest_gap(graph: &Graph, monitor: &dyn Monitor) -> Result<f64> {
    let count = graph.n_samples().min(MAX_GROUPS + 1);
    let spectrum = Spectrum::leading(graph, count, monitor)?;
    Ok(spectrum.values().windows(2).skip(1).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max))
}

/// The squared lengths of the edges of a sparse graph. Their weights alone do not tell them: an edge may count
/// less than 1 (see [`Knn`]).
fn edge_squares(graph: &Graph, data: &Dataset, monitor: &dyn Monitor) -> Result<Vec<f64>> {
    let Similarity::Sparse(edges) = graph.similarity() else { return Ok(Vec::new()) };
    neighbors::pair_distances(data, edges.upper_entries().map(|e| (e.0, e.1)), monitor)
}

/// The graph at `ratio` times its scale 2σ²: every Gaussian to the power 1/`ratio`.
fn rescaled(graph: &Graph, scale: f64, ratio: f64, squares: &[f64]) -> Graph {
    let n = graph.n_samples();
    let similarity = match graph.similarity() {
        Similarity::Sparse(s) => {
            let weigh = |((i, j, w), square): ((u32, u32, f64), &f64)| {
                (i, j, w / gaussian(*square, scale).max(f64::MIN_POSITIVE) * gaussian(*square, scale * ratio))
            };
            let entries = s.upper_entries().zip(squares).map(weigh);
            Similarity::Sparse(Sparse::from_upper(n, entries.collect()))
        }
        Similarity::Dense(s) => {
            let (matrix, power) = (s.matrix(), |w: f64| w.powf(1.0 / ratio));
            Similarity::Dense(Dense::new(Mat::from_fn(n, n, |i, j| power(matrix[(i, j)]))))
        }
        other => other.clone(),
    };
    let origin = graph.origin().clone();
    let weighting = origin.weighting.with_scale(scale * ratio);
    Graph::new(similarity, origin.weighted(weighting)).noted(graph.notes().to_vec())
}
