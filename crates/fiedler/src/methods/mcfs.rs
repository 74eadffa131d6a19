//! MCFS: multi-cluster feature selection (Cai, Zhang, He).
//!
//! # What it measures
//! The leading eigenvectors of the graph tell the clusters of the samples apart, each vector some of them. Every one is
//! explained by few features, by a regression of its own; a feature counts as much as the regression that uses it most.
//!
//! # Formula
//! ```text
//! Ly = λDy,  y_1 … y_K the leading vectors after the constant one,  centered, of unit length
//! a_k = min ½‖y_k - Xa‖² + β_k Σ|a_j|,  β_k where the next feature would make more than `count` coefficients
//! score of j = max_k |a_kj|
//! ```
//! Larger is better. Columns of X are centered and of unit length. A feature that no regression uses scores max_k |f_jᵀr_k|/β_k - 1, r_k what
//! is left to explain at the end: at most 0, and nearer to 0 the nearer it is to being used.
//!
//! # Symbols → code
//! y = D^-½ξ [`Spectrum`]; the regressions [`path`], which with one target is the path of the lasso.
//!
//! # Cost
//! The graph and its eigenvectors, then K paths of `count` entries.
//!
//! # When it fails
//! Coefficients are large where features cancel each other, so that with nearly as many coefficients as
//! samples the largest ones follow noise: keep `count` well below the number of samples. Copies of a used feature are not used. Where many
//! features depend on each other exactly (rare words, in texts) the path cannot be followed from knot to knot; β_k is then found by a search, and
//! a warning tells.
//!
//! # Differences from the paper
//! The paper asks for LARS with a bounded number of coefficients and leaves open whether a coefficient that reaches 0 leaves
//! (the lasso) or not; here it leaves, so that every a_k is the optimum that the formula says. It is taken just before the next
//! feature would come in, where LARS stops. The lengths of y and of the columns are put to 1, so that no vector and no unit owns the maximum. Where
//! eigenvalues are equal, as the zeros of a graph that falls apart, the basis of their space is arbitrary: those
//! vectors are explained together, by rows of coefficients (the L2,1 path), and |a_kj| is the length of the row.
//!
//! # References
//! Cai, Zhang, He: Unsupervised Feature Selection for Multi-Cluster Data, KDD 2010.

use std::ops::Range;

use rayon::prelude::*;

use crate::dataset::{Dataset, Scaling};
use crate::graph::{Graph, GraphRecipe};
use crate::limits::announce;
use crate::monitor::Monitor;
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role};
use crate::ranking::{Goal, Ranking};
use crate::selector::{GraphUse, Judges, LabelUse, Method, MethodInfo, Selector, Supervision, ranking_on};
use crate::solve::{Options, Problem, Solution, Solver, path};
use crate::spectrum::{EQUAL, NormalizedLaplacian, Spectrum};
use crate::{Error, Result};

/// The steps of the search for β where the path cannot be followed: from the first factor to the last, and β/β_max
/// below which everything is explained.
const COARSE: f64 = 0.8;
const FINE: f64 = 0.999;
const FLOOR: f64 = 1e-6;
/// The score of a feature that no regression uses, or less.
const UNUSED: f64 = 0.0;
/// Values that a thread multiplies in a second.
const VALUES_PER_SECOND: f64 = 4e8;

/// Multi-cluster feature selection.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::Mcfs};
///
/// let ranking = Mcfs { clusters: 2, count: 2, ..Mcfs::default() }.rank(&demo::iris()?)?;
/// assert_eq!(ranking.order()[0], 2); // petal length explains who is near whom
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Mcfs {
    /// K, how many eigenvectors are explained.
    pub clusters: usize,
    /// How many features explain each of them, at most.
    pub count: usize,
    /// The graph.
    pub graph: GraphRecipe,
}

impl Default for Mcfs {
    fn default() -> Self {
        Self::usual()
    }
}

impl Method for Mcfs {
    const INFO: MethodInfo = MethodInfo {
        name: "mcfs",
        title: "MCFS",
        measures: "How much a feature is used where the leading eigenvectors of the graph, which tell clusters \
                   apart, are each explained by a few features.",
        formula: "max_k |a_kj|,  a_k = min ½‖y_k - Xa‖² + β Σ|a_j| with `count` coefficients, y_k eigenvectors;  \
                  below 0 where none uses the feature: how near it is to being used",
        goal: Goal::Maximize,
        supervision: Supervision::Unsupervised,
        takes_number: false,
        judges: Judges::Together,
        graph: GraphUse::Knn,
        scaling: Scaling::Standard,
        parameters: &[
            ParameterInfo {
                name: "clusters",
                kind: Kind::Integer { min: 1, max: usize::MAX },
                default: ParameterValue::Integer(5),
                role: Role::Own,
                only_with: None,
                help: "how many leading eigenvectors to explain; the number of clusters, where it is known",
            },
            ParameterInfo {
                name: "count",
                kind: Kind::Integer { min: 1, max: usize::MAX },
                default: ParameterValue::Integer(50),
                role: Role::Count,
                only_with: None,
                help: "how many features explain each of them, at most",
            },
        ],
        cost: "the graph and its eigenvectors, then a path of `count` features for each of them",
        fails: "With `count` near the number of samples the largest coefficients follow noise. Copies of a used \
                feature are not used.",
        reference: "Cai, Zhang, He: Unsupervised Feature Selection for Multi-Cluster Data, KDD 2010",
    };

    fn build(parameters: &Parameters, graph: GraphRecipe) -> Result<Self> {
        Ok(Mcfs { clusters: parameters.whole("clusters"), count: parameters.whole("count"), graph })
    }
}

impl Selector for Mcfs {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn labels(&self) -> LabelUse {
        self.graph.labels()
    }

    fn rank_view(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        for (name, value) in [("clusters", self.clusters), ("count", self.count)] {
            if value == 0 {
                return Err(Error::parameter(name, "at least 1", 0));
            }
        }
        self.announce(data, monitor);
        let graph = self.graph.build(data, monitor)?;
        let targets = embedding(&graph, self.clusters, monitor)?;
        let parts: Result<Vec<Part>> =
            targets.par_iter().map(|target| Part::explain(data, target, self.count, monitor)).collect();
        let parts = parts?;
        let mut parameters = Parameters::default();
        parameters.set("clusters", targets.iter().map(|t| t.width).sum::<usize>());
        parameters.set("count", self.count);
        let scores = (0..data.n_features()).map(|j| score(data, &parts, j)).collect();
        let mut ranking =
            ranking_on(self.info(), &graph, Goal::Maximize, scores, parameters).with_floor(UNUSED);
        if let Some(group) = targets.iter().map(|t| t.width).filter(|&width| width > 1).max() {
            ranking.warnings.push(format!(
                "{group} eigenvalues are equal, so that their vectors are arbitrary: they are explained together"
            ));
        }
        let searched = parts.iter().filter(|p| !p.exact).count();
        if searched > 0 {
            ranking.warnings.push(format!(
                "for {searched} of {} eigenvectors the path could not be followed to its end (features that depend on \
                 each other, or nothing left to explain); their coefficients are those at the smallest β that a search found",
                parts.len()
            ));
        }
        Ok(ranking)
    }
}

impl Mcfs {
    /// Where the paths will take long: a path of `count` features reads the data about count/8 times.
    fn announce(&self, data: &Dataset, monitor: &dyn Monitor) {
        let passes = self.clusters as f64 * (2.0 + self.count as f64 / 8.0);
        let values = passes * data.n_samples() as f64 * data.n_features() as f64;
        let advice = "set `count` or `clusters` to less, or use fewer samples";
        announce(monitor, "mcfs", values / VALUES_PER_SECOND, advice);
    }
}

/// What a feature may lack to being used and yet be as near as rounding can tell.
const ROUNDING: f64 = 1e-12;

/// Eigenvectors of one eigenvalue, samples × `width`, sample after sample.
struct Target {
    values: Vec<f64>,
    width: usize,
}

/// y = D^-½ξ of the leading eigenvalues after the trivial one; a group of equal ones together. A vector that is
/// constant has nothing to explain.
fn embedding(graph: &Graph, clusters: usize, monitor: &dyn Monitor) -> Result<Vec<Target>> {
    let n = graph.n_samples();
    if n < 3 {
        return Err(Error::TooFewSamples { what: "mcfs", needed: 3, got: n });
    }
    let spectrum = Spectrum::leading_whole(graph, clusters.saturating_add(1).min(n), monitor)?;
    let operator = NormalizedLaplacian::new(graph);
    let targets = groups(spectrum.values()).into_iter();
    Ok(targets.filter_map(|group| target(&spectrum, operator.inverse_root_degrees(), group)).collect())
}

/// Ranges of equal eigenvalues, the trivial pair left out.
fn groups(values: &[f64]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for j in 1..values.len() {
        match groups.last_mut() {
            Some(group) if values[j] - values[j - 1] <= EQUAL => group.end = j + 1,
            _ => groups.push(j..j + 1),
        }
    }
    groups
}

/// The vectors of a group, centered and with the mean square length of 1, which no rotation among them changes.
fn target(spectrum: &Spectrum, inverse_roots: &[f64], group: Range<usize>) -> Option<Target> {
    let (n, width) = (inverse_roots.len(), group.len());
    let vectors = spectrum.vectors();
    let mut values = vec![0.0; n * width];
    for (l, j) in group.enumerate() {
        let y: Vec<f64> = (0..n).map(|i| inverse_roots[i] * vectors[(i, j)]).collect();
        let mean = y.iter().sum::<f64>() / n as f64;
        (0..n).for_each(|i| values[i * width + l] = y[i] - mean);
    }
    let largest = values.iter().fold(0.0f64, |a, v| a.max(v.abs()));
    let length = values.iter().map(|v| (v / largest).powi(2)).sum::<f64>().sqrt() * largest;
    let scale = (width as f64).sqrt() / length;
    values.iter_mut().for_each(|v| *v *= scale);
    (largest > 0.0 && scale.is_finite()).then_some(Target { values, width })
}

/// How one target is explained.
struct Part {
    /// |a_j| of the features that are used.
    used: Vec<(usize, f64)>,
    /// |f_jᵀr|/β of every feature at the end.
    near: Vec<f64>,
    /// Whether the knots of the path could be followed.
    exact: bool,
}

impl Part {
    fn explain(data: &Dataset, target: &Target, count: usize, monitor: &dyn Monitor) -> Result<Self> {
        let problem = Problem::new(data, target.values.clone(), target.width)?;
        // One feature more, for the point before it enters is the one that is wanted.
        let found = match path(&problem, count.saturating_add(1), &Options::default(), monitor) {
            Err(Error::NotConverged { .. } | Error::PathStuck { .. }) => {
                return Self::search(&problem, count, monitor);
            }
            found => found?,
        };
        let last = found.points.last().map_or(1.0, |p| p.lambda);
        let wanted = found.points.iter().rev().find(|p| p.active.len() <= count);
        Ok(Part {
            used: wanted.map_or(Vec::new(), coefficients),
            near: found.norms.iter().map(|norm| (norm / last).min(1.0)).collect(),
            exact: true,
        })
    }

    /// The optimum at the smallest β of a search that leaves no more than `count` coefficients, for data in which so many features
    /// depend on each other that they come and go without end on the path.
    fn search(problem: &Problem<'_>, count: usize, monitor: &dyn Monitor) -> Result<Self> {
        let mut solver = Solver::new(problem, Options::default(), monitor)?;
        let mut above = problem.lambda_max(monitor)?;
        let mut best = solver.at(above, monitor)?;
        let (floor, mut factor) = (FLOOR * above, COARSE);
        while above > floor && factor < FINE {
            let found = match solver.at(factor * above, monitor) {
                // So little is left to explain that its digits are rounding.
                Err(Error::NotConverged { .. }) => break,
                found => found?,
            };
            if found.active.len() <= count {
                above = found.lambda;
                best = found;
            } else {
                factor = factor.sqrt();
            }
        }
        let norms = problem.all_norms(&residual(problem, &best)?, monitor)?;
        let near = norms.iter().map(|norm| (norm / best.lambda).min(1.0)).collect();
        Ok(Part { used: coefficients(&best), near, exact: false })
    }
}

fn coefficients(solution: &Solution) -> Vec<(usize, f64)> {
    solution.active.iter().copied().zip(solution.row_norms.iter().copied()).collect()
}

/// Y - XW, sample after sample.
fn residual(problem: &Problem<'_>, solution: &Solution) -> Result<Vec<f64>> {
    let (data, q) = (problem.data(), problem.n_targets());
    let mut residual = problem.targets().to_vec();
    let mut column = vec![0.0; data.n_samples()];
    data.each_column(&solution.active, |place, block, at| {
        block.unit_column(at, &mut column);
        let weights = &solution.weights[place * q..(place + 1) * q];
        for (row, x) in residual.chunks_exact_mut(q).zip(&column) {
            row.iter_mut().zip(weights).for_each(|(r, w)| *r -= x * w);
        }
    })?;
    Ok(residual)
}

/// The largest coefficient of a feature or, where none has one, how near it is to getting one, less 1.
fn score(data: &Dataset, parts: &[Part], j: usize) -> f64 {
    if data.constant(j) {
        return f64::NAN;
    }
    let used = parts.iter().flat_map(|p| p.used.iter().filter(|u| u.0 == j).map(|u| u.1)).fold(0.0, f64::max);
    match used {
        0.0 => {
            let short = parts.iter().map(|p| p.near[j]).fold(0.0, f64::max) - 1.0;
            // Near by all but rounding is as near as can be.
            if short > -ROUNDING { 0.0 } else { short }
        }
        coefficient => coefficient,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use crate::graph::Knn;

    #[test]
    fn equal_eigenvalues_go_together() {
        assert_eq!(groups(&[0.0, 0.0, 0.0, 0.3, 0.5, 0.5]), [1..3, 3..4, 4..6]);
        assert_eq!(groups(&[0.0]), []);
    }

    /// Three clusters far apart on two columns: the graph falls apart, and the basis of its eigenvalue 0 is arbitrary.
    #[test]
    fn a_graph_in_pieces_is_explained_by_what_tells_the_pieces_apart() {
        let center = [[0.0, 0.0], [90.0, 0.0], [0.0, 90.0]];
        let noise = |i: usize, s: usize| ((i * s * 37) % 11) as f64 - 5.0;
        let rows: Vec<[f64; 4]> = (0..30)
            .map(|i| {
                let c = center[i % 3];
                [noise(i, 1), c[0] + 0.1 * noise(i, 2), c[1] + 0.1 * noise(i, 3), noise(i, 5)]
            })
            .collect();
        let data = Dataset::from_rows(&rows).expect("finite").scaled(crate::Scaling::None);
        let graph = GraphRecipe::Knn(Knn { k: 4.into(), ..Knn::default() });
        let method = Mcfs { clusters: 2, count: 2, graph };
        let targets = embedding(&method.graph.build(&data, &Silent).expect("a graph"), 2, &Silent);
        assert_eq!(targets.expect("an embedding").iter().map(|t| t.width).collect::<Vec<_>>(), [2]);
        let ranking = method.rank(&data).expect("a ranking");
        let mut best = ranking.top(2).to_vec();
        best.sort_unstable();
        assert_eq!(best, [1, 2]);
        assert!(
            ranking.warnings.iter().any(|w| w.contains("2 eigenvalues are equal")),
            "{:?}",
            ranking.warnings
        );
    }

    /// Three rows, ten times each: one feature explains a vector exactly, and there the path ends.
    #[test]
    fn repeated_rows_leave_nothing_to_explain() {
        let rows: Vec<[f64; 4]> = (0..30)
            .map(|i| [[1.0, 5.0, 2.0, 0.3], [2.0, 1.0, 9.0, 0.1], [7.0, 3.0, 4.0, 0.9]][i % 3])
            .collect();
        let ranking = Mcfs::default().rank(&Dataset::from_rows(&rows).expect("finite")).expect("a ranking");
        assert!(ranking.scores().iter().all(|s| s.is_finite()));
    }
}
