//! How S depends on the weight of a feature: ∂S_ij/∂w_t at w = 1.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};

use super::pairs::Edge;
use crate::dataset::{BLOCK, Center, Dataset};
use crate::graph::dense::{self, Dense};
use crate::graph::{Graph, GraphInfo, Metric, Origin, Similarity, elsewhere, neighbors};
use crate::monitor::{Monitor, Stage};
use crate::{Error, Result};

/// ∂S_ij/∂w_t at w = 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Slope {
    /// -(2/scale) S_ij (x_ti - x_tj)² of S_ij = exp(-‖xᵢ-xⱼ‖²/scale).
    Gaussian {
        /// 2σ², or t of a heat kernel.
        scale: f64,
    },
    /// 2 (x_ti - x_tj)² of S_ij = ‖xᵢ-xⱼ‖².
    Euclidean,
    /// 2 x_ti x_tj of S_ij = xᵢ·xⱼ.
    Dot,
}

impl Slope {
    /// The slope of a graph whose weights are Gaussian in euclidean distance; an error for any
    /// other, which has no derivative, or none that the graph still knows.
    pub(super) fn of_gaussian(graph: &Graph) -> Result<Self> {
        let Origin { info, metric, weighting, .. } = graph.origin();
        match metric {
            Some(Metric::Euclidean) => {}
            Some(other) => {
                return Err(Error::parameter("metric", "euclidean for evsc", format!("`{}`", other.name())));
            }
            None => return Err(Error::parameter("graph", "rbf or knn for evsc", format!("`{}`", info.name))),
        }
        weighting.scale().map(|scale| Slope::Gaussian { scale }).ok_or_else(|| {
            let rule = "heat or rbf for evsc, which differentiates the weights of the graph";
            Error::parameter("weight", rule, format!("`{}`", weighting.name()))
        })
    }

    /// The pairs i < j whose similarity changes and how fast, up to [`factor`](Self::factor).
    pub(super) fn edges(&self, graph: &Graph) -> Vec<Edge> {
        let n = graph.n_samples();
        match (self, graph.similarity()) {
            (Slope::Gaussian { .. }, Similarity::Sparse(s)) => {
                let row = |i: usize| {
                    let (columns, weights) = s.upper_row(i);
                    columns.iter().zip(weights).map(move |(&j, &weight)| Edge { i: i as u32, j, weight })
                };
                (0..n).flat_map(row).collect()
            }
            (Slope::Gaussian { .. }, Similarity::Dense(s)) => {
                let matrix = s.matrix();
                all_pairs(n, |i, j| matrix[(i, j)])
            }
            _ => all_pairs(n, |_, _| 1.0),
        }
    }

    /// What every ∂S has in common; only its size matters to a score.
    pub(super) fn factor(&self) -> f64 {
        match *self {
            // All distances are 0 then, and so is everything that is multiplied with this.
            Slope::Gaussian { scale: 0.0 } => 0.0,
            Slope::Gaussian { scale } => 2.0 / scale,
            Slope::Euclidean | Slope::Dot => 2.0,
        }
    }
}

fn all_pairs(n: usize, weight: impl Fn(usize, usize) -> f64) -> Vec<Edge> {
    let weight = &weight;
    (0..n)
        .flat_map(|i| (i + 1..n).map(move |j| Edge { i: i as u32, j: j as u32, weight: weight(i, j) }))
        .filter(|e| e.weight != 0.0)
        .collect()
}

/// S_ij = ‖xᵢ-xⱼ‖².
pub(super) fn euclidean_graph(data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
    check_samples(data, monitor)?;
    let squares = neighbors::squared_distances(data, monitor)?;
    Ok(graph(&elsewhere::SQUARED_EUCLIDEAN, squares))
}

/// S_ij = xᵢ·xⱼ, features block by block. Every degree must be positive.
pub(super) fn dot_graph(data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
    check_samples(data, monitor)?;
    let (n, m) = (data.n_samples(), data.n_features());
    let stage = Stage::new(monitor, "similarities", m)?;
    let mut gram = Mat::zeros(n, n);
    let mut tile = vec![0.0; n * BLOCK];
    for start in (0..m).step_by(BLOCK) {
        let range = start..m.min(start + BLOCK);
        data.read(range.clone())?.pack(0..range.len(), BLOCK, Center::AsScaled, &mut tile);
        let columns = MatRef::from_column_major_slice(&tile, BLOCK, n);
        matmul(gram.as_mut(), Accum::Add, columns.transpose(), columns, 1.0, Par::Seq);
        stage.advance(range.len())?;
    }
    // One triangle decides, so that the matrix is symmetric to the bit.
    let gram = Mat::from_fn(n, n, |i, j| gram[(i.max(j), i.min(j))]);
    check_degrees(&gram)?;
    Ok(graph(&elsewhere::DOT, gram))
}

fn graph(info: &'static GraphInfo, weights: Mat<f64>) -> Graph {
    Graph::new(Similarity::Dense(Dense::new(weights)), Origin::new(info, []))
}

fn check_samples(data: &Dataset, monitor: &dyn Monitor) -> Result<()> {
    let n = data.n_samples();
    if n < 2 {
        return Err(Error::TooFewSamples { what: "a similarity of all pairs", needed: 2, got: n });
    }
    let advice = "use `similarity` rbf with a knn graph (`graph` knn), which stays sparse, or fewer samples";
    dense::check_size_or("a similarity of all pairs", n, 2, (monitor, advice))
}

fn check_degrees(gram: &Mat<f64>) -> Result<()> {
    for j in 0..gram.ncols() {
        let (sum, size) = gram.col(j).iter().fold((0.0, 0.0), |(sum, size), v| (sum + v, size + v.abs()));
        // Centered data have degrees of 0 up to rounding.
        let degree = if sum.abs() <= 1e-10 * size { 0.0 } else { sum };
        if degree <= 0.0 {
            let rule = "one that gives every sample a positive degree; dot products of centered data sum \
                        to 0, so scale to `range` or `none`";
            let degree = if degree == 0.0 { "0".to_owned() } else { format!("{degree:.3e}") };
            let got = format!("dot with a degree of {degree} at sample {} (counting from 1)", j + 1);
            return Err(Error::parameter("similarity", rule, got));
        }
    }
    Ok(())
}
