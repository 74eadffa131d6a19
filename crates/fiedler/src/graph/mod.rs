//! Who is similar to whom: the sample-similarity graph S.
//!
//! Everything downstream needs three things of a graph, and only these: the degrees d = S1,
//! products S·X with a few columns at a time, and the quadratic forms fᵀLf with L = D - S. Five
//! shapes answer them: sparse (kNN), dense (full RBF,
//! diffusion, geodesic), classes (the label graph) and low rank (through landmarks), neither of which is
//! ever written out as n × n, and a weighted sum of graphs.
//!
//! A [`Graph`] is symmetric and finite by construction. Weights may be negative (Relief).
//!
//! | recipe | S | source |
//! |---|---|---|
//! | [`Knn`] | neighbors, five weights, three metrics | LS §2 |
//! | [`Rbf`] | exp(-‖xᵢ-xⱼ‖²/2σ²), all pairs | SPEC eq. 1 |
//! | [`Landmarks`] | ZΛ⁻¹Zᵀ, Z the links to a few landmarks | Liu, He & Chang |
//! | [`GraphRecipe::Labels`] | 1/n_l inside class l | LS eq. 5 |
//! | [`ClassHeat`] | exp(-‖xᵢ-xⱼ‖²/t) inside classes | LS section 2 |
//! | [`Relief`] | near hits +, near misses -, signed | SPEC eq. 12 |
//! | [`Diffusion`] | exp(-βL) of the kNN graph | Kondor & Lafferty |
//! | [`Geodesic`] | exp(-g²/2σ²), g the shortest path over the kNN graph | DIS §5 |
//! | [`Graph::from_dense`], [`from_edges`](Graph::from_edges) | the user's similarity | – |
//! | [`Graph::from_distances`], [`from_distance_edges`](Graph::from_distance_edges) | Gaussian of the user's distances | – |
//! | [`Graph::sum`] | Σ αᵢ Sᵢ | DIS ch. 5 |

mod class_heat;
pub(crate) mod classes;
mod data;
pub(crate) mod dense;
mod diagnostics;
mod diffusion;
pub(crate) mod elsewhere;
mod geodesic;
mod given;
mod info;
mod knn;
mod landmarks;
pub(crate) mod low_rank;
mod mahalanobis;
mod metric;
mod neighbor_count;
pub(crate) mod neighbors;
mod options;
mod origin;
mod rbf;
mod recipe;
pub(crate) mod relief;
pub(crate) mod sparse;
mod stars;
#[cfg(feature = "serde")]
mod stored;
mod sum;
mod vocabulary;

use std::sync::Arc;

pub use class_heat::ClassHeat;
pub use data::Csr;
pub use diagnostics::Diagnostics;
pub use diffusion::Diffusion;
pub use geodesic::Geodesic;
pub use info::{GraphInfo, Remedies};
pub(crate) use knn::gaussian;
pub use knn::{Bandwidth, Knn, Weight};
pub use landmarks::Landmarks;
pub use metric::{Metric, MetricChoice, MetricInfo};
pub use neighbor_count::Neighbors;
pub use neighbors::Approximate;
pub use options::GraphOptions;
pub use origin::{Description, Origin, Weighting};
pub use rbf::Rbf;
pub(crate) use rbf::median;
use recipe::GraphKind;
pub use recipe::{GraphRecipe, kinds, parameters};
pub use relief::Relief;

use self::diagnostics::Components;

/// Features side by side in a tile: one cache line of `f64`.
pub(crate) const LANES: usize = 8;
/// Features side by side where a matrix product does the work.
pub(crate) const WIDE_LANES: usize = 64;

/// How far from 1 rounding moves a degree that is 1 by design.
const UNIT_ROUNDING: f64 = 1e-12;

/// How S is stored.
#[derive(Debug, Clone)]
pub(crate) enum Similarity {
    Sparse(sparse::Sparse),
    Dense(dense::Dense),
    Classes(classes::Classes),
    LowRank(low_rank::LowRank),
    /// Σ αᵢ Sᵢ.
    Sum(Vec<(f64, Arc<Graph>)>),
}

/// A symmetric, finite sample similarity S with its degrees d = S1.
#[derive(Debug, Clone)]
pub struct Graph {
    similarity: Similarity,
    degrees: Vec<f64>,
    origin: Origin,
    notes: Vec<String>,
    warnings: Vec<String>,
}

/// Kinds of graph that cannot be asked for by name: given ones, sums, and those of other parts of the library.
static UNNAMED: [&GraphInfo; 7] = [
    &given::INFO,
    &sum::INFO,
    &elsewhere::HIERARCHY,
    &elsewhere::FEATURE_SETS,
    &elsewhere::FEATURE_NETWORK,
    &elsewhere::SQUARED_EUCLIDEAN,
    &elsewhere::DOT,
];

impl Graph {
    /// Assembles a graph, looks at it, and notes what a user should be warned of.
    pub(crate) fn new(similarity: Similarity, origin: Origin) -> Self {
        let mut graph = Graph::assemble(similarity, origin);
        graph.warnings = graph.examine();
        graph
    }

    /// Assembles a graph without looking at it.
    fn assemble(similarity: Similarity, origin: Origin) -> Self {
        let mut degrees = similarity.degrees();
        if origin.info.unit_degrees {
            // What only rounding has moved away from 1 is 1.
            degrees.iter_mut().filter(|d| (**d - 1.0).abs() < UNIT_ROUNDING).for_each(|d| *d = 1.0);
        }
        Graph { degrees, similarity, origin, notes: Vec::new(), warnings: Vec::new() }
    }

    /// The same graph with what its maker decided, nothing twice.
    pub(crate) fn noted(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        self
    }

    /// The same graph with what its maker warns of, nothing twice.
    pub(crate) fn warned(mut self, warnings: impl IntoIterator<Item = String>) -> Self {
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        self
    }

    /// Number of samples.
    pub fn n_samples(&self) -> usize {
        self.degrees.len()
    }

    /// The degrees d = S1.
    pub fn degrees(&self) -> &[f64] {
        &self.degrees
    }

    /// The volume 1ᵀd.
    pub fn volume(&self) -> f64 {
        self.degrees.iter().sum()
    }

    /// Σ |S_ij|; of a sum of graphs an upper bound, the sum of theirs.
    pub(crate) fn absolute_volume(&self) -> f64 {
        match &self.similarity {
            Similarity::Sparse(s) => s.absolute_sum(),
            Similarity::Dense(s) => (0..self.n_samples()).flat_map(|j| s.column(j)).map(|w| w.abs()).sum(),
            Similarity::Classes(_) | Similarity::LowRank(_) => self.volume(),
            Similarity::Sum(parts) => parts.iter().map(|(w, g)| w.abs() * g.absolute_volume()).sum(),
        }
    }

    /// What was decided for the user when the graph was made, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What a user should know before trusting scores on this graph.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// `out` = S·`x`, both samples × `lanes`, row after row.
    pub fn apply(&self, x: &[f64], lanes: usize, out: &mut [f64]) {
        self.similarity.apply(x, lanes, out);
    }

    /// The diagonal of S.
    pub fn diagonal(&self) -> Vec<f64> {
        self.similarity.diagonal(self.n_samples())
    }

    /// Adds `weight`·(row `i` of S) to `out`.
    pub(crate) fn add_row(&self, weight: f64, i: usize, out: &mut [f64]) {
        match &self.similarity {
            Similarity::Sparse(s) => s.row(i).for_each(|(j, w)| out[j] += weight * w),
            Similarity::Dense(s) => s.column(i).iter().zip(out).for_each(|(w, o)| *o += weight * w),
            Similarity::Classes(s) => s.add_row(weight, i, out),
            Similarity::LowRank(s) => s.add_row(weight, i, out),
            Similarity::Sum(parts) => parts.iter().for_each(|(part, g)| g.add_row(weight * part, i, out)),
        }
    }

    pub(crate) fn similarity(&self) -> &Similarity {
        &self.similarity
    }

    /// Tile width that suits the graph.
    pub(crate) fn lanes(&self) -> usize {
        self.similarity.lanes()
    }

    /// fᵀLf for every lane of a tile (samples × `lanes`), `lanes` a multiple of [`LANES`].
    pub(crate) fn laplacian_forms(&self, tile: &[f64], lanes: usize, out: &mut [f64]) {
        out.fill(0.0);
        self.similarity.add_laplacian_forms(1.0, &self.degrees, tile, lanes, out);
    }
}

impl Similarity {
    fn degrees(&self) -> Vec<f64> {
        match self {
            Similarity::Sparse(s) => s.degrees(),
            Similarity::Dense(s) => s.degrees(),
            Similarity::Classes(s) => vec![1.0; s.n_samples()],
            Similarity::LowRank(s) => s.degrees(),
            Similarity::Sum(parts) => {
                let mut sum = vec![0.0; parts[0].1.n_samples()];
                for (weight, graph) in parts {
                    sum.iter_mut().zip(graph.degrees()).for_each(|(s, d)| *s += weight * d);
                }
                sum
            }
        }
    }

    fn diagonal(&self, n: usize) -> Vec<f64> {
        match self {
            Similarity::Sparse(s) => s.diagonal(),
            Similarity::Dense(s) => s.diagonal(),
            Similarity::Classes(s) => s.diagonal(),
            Similarity::LowRank(s) => s.diagonal(),
            Similarity::Sum(parts) => {
                let mut sum = vec![0.0; n];
                for (weight, graph) in parts {
                    sum.iter_mut().zip(graph.diagonal()).for_each(|(s, d)| *s += weight * d);
                }
                sum
            }
        }
    }

    fn lanes(&self) -> usize {
        match self {
            Similarity::Sparse(_) | Similarity::Classes(_) | Similarity::LowRank(_) => LANES,
            Similarity::Dense(_) => WIDE_LANES,
            Similarity::Sum(parts) => parts.iter().map(|(_, g)| g.lanes()).max().unwrap_or(LANES),
        }
    }

    fn apply(&self, x: &[f64], lanes: usize, out: &mut [f64]) {
        match self {
            Similarity::Sparse(s) => s.apply(x, lanes, out),
            Similarity::Dense(s) => s.apply(x, lanes, out),
            Similarity::Classes(s) => s.apply(x, lanes, out),
            Similarity::LowRank(s) => s.apply(x, lanes, out),
            Similarity::Sum(parts) => {
                out.fill(0.0);
                let mut part = vec![0.0; out.len()];
                for (weight, graph) in parts {
                    graph.apply(x, lanes, &mut part);
                    out.iter_mut().zip(&part).for_each(|(o, p)| *o += weight * p);
                }
            }
        }
    }

    /// Adds `weight`·fᵀLf of every lane to `out`.
    fn add_laplacian_forms(&self, weight: f64, degrees: &[f64], tile: &[f64], lanes: usize, out: &mut [f64]) {
        match self {
            Similarity::Sparse(s) => s.add_laplacian_forms(weight, tile, lanes, out),
            Similarity::Dense(s) => s.add_laplacian_forms(weight, degrees, tile, lanes, out),
            Similarity::Classes(s) => s.add_laplacian_forms(weight, tile, lanes, out),
            Similarity::LowRank(s) => s.add_laplacian_forms(weight, tile, lanes, out),
            Similarity::Sum(parts) => {
                for (part, graph) in parts {
                    graph.similarity.add_laplacian_forms(weight * part, graph.degrees(), tile, lanes, out);
                }
            }
        }
    }

    fn edges(&self) -> usize {
        match self {
            Similarity::Sparse(s) => s.edges(),
            Similarity::Dense(s) => s.edges(),
            Similarity::Classes(s) => s.edges(),
            Similarity::LowRank(s) => s.edges(),
            Similarity::Sum(parts) => parts.iter().map(|(_, g)| g.similarity.edges()).sum(),
        }
    }

    fn connect(&self, sets: &mut Components) {
        match self {
            Similarity::Sparse(s) => s.connect(sets),
            Similarity::Dense(s) => s.connect(sets),
            Similarity::Classes(s) => s.connect(sets),
            Similarity::LowRank(s) => s.connect(sets),
            Similarity::Sum(parts) => {
                parts.iter().filter(|(w, _)| *w != 0.0).for_each(|(_, g)| g.similarity.connect(sets));
            }
        }
    }
}
