//! Knowledge of feature functions: sets of features that act together (DIS 5.2.2).
//!
//! A set's similarity is that of the data restricted to its features. Several sets are added up, each
//! scaled to a mean degree of 1, so that large sets do not outweigh small ones. Dense graphs are added
//! into one as they are made; sparse ones stay as they are.

use std::sync::Arc;

use faer::Mat;

use super::combine::unit_mean_degree;
use crate::dataset::Dataset;
use crate::graph::{Description, Graph, GraphRecipe, Origin, Similarity, dense, elsewhere};
use crate::monitor::Monitor;
use crate::{Error, Result};

/// Sets of features that are added up at most; a graph is made for each.
pub const SET_LIMIT: usize = 100;

/// A named set of features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureSet {
    /// Its name.
    pub name: String,
    /// Feature indices.
    pub features: Vec<usize>,
}

/// The graph of `data` restricted to `sets`: the mean of their graphs by `recipe`.
///
/// ```
/// use fiedler::fusion::{FeatureSet, feature_set_graph};
/// use fiedler::{GraphRecipe, Silent, dataset::demo};
///
/// let petals = FeatureSet { name: "petals".into(), features: vec![2, 3] };
/// let graph = feature_set_graph(&demo::iris()?, &[petals], &GraphRecipe::default(), &Silent)?;
/// assert_eq!(graph.description().kind, "knn");
/// # Ok::<(), fiedler::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parameter`] when there are no sets, more than [`SET_LIMIT`], or one is empty;
/// [`Error::Source`] when the similarities of one of several sets cancel; what the recipe reports.
pub fn feature_set_graph(
    data: &Dataset,
    sets: &[FeatureSet],
    recipe: &GraphRecipe,
    monitor: &dyn Monitor,
) -> Result<Arc<Graph>> {
    if sets.is_empty() || sets.len() > SET_LIMIT {
        let rule = format!("from 1 to {SET_LIMIT} (join them into one, or choose some)");
        return Err(Error::parameter("feature sets", rule, sets.len()));
    }
    if let [set] = sets {
        return graph_of(data, set, recipe, monitor);
    }
    let mut sum = Sum::default();
    for set in sets {
        let graph = graph_of(data, set, recipe, monitor)?;
        let scale = unit_mean_degree(&set.name, &graph)?;
        sum.add(scale / sets.len() as f64, graph);
    }
    sum.finish(sets)
}

fn graph_of(
    data: &Dataset,
    set: &FeatureSet,
    recipe: &GraphRecipe,
    monitor: &dyn Monitor,
) -> Result<Arc<Graph>> {
    if set.features.is_empty() {
        return Err(Error::parameter("feature sets", "not empty", format!("`{}`", set.name)));
    }
    let mut features = set.features.clone();
    features.sort_unstable();
    features.dedup();
    recipe.build(&data.subset(&features)?, monitor)
}

/// A sum of graphs in which all that are dense are one matrix.
#[derive(Default)]
struct Sum {
    dense: Option<Mat<f64>>,
    others: Vec<(f64, Arc<Graph>)>,
    made: Vec<Description>,
}

impl Sum {
    fn add(&mut self, weight: f64, graph: Arc<Graph>) {
        self.made.push(graph.description());
        let Similarity::Dense(part) = graph.similarity() else { return self.others.push((weight, graph)) };
        let n = graph.n_samples();
        let sum = self.dense.get_or_insert_with(|| Mat::zeros(n, n));
        for j in 0..n {
            sum.col_as_slice_mut(j).iter_mut().zip(part.column(j)).for_each(|(s, w)| *s += weight * w);
        }
    }

    fn finish(self, sets: &[FeatureSet]) -> Result<Arc<Graph>> {
        let origin = origin(sets, &self.made);
        let similarity = match self.dense {
            Some(matrix) if self.others.is_empty() => Similarity::Dense(dense::Dense::new(matrix)),
            Some(matrix) => {
                let dense = Graph::new(Similarity::Dense(dense::Dense::new(matrix)), origin.clone());
                let parts = self.others.into_iter().chain([(1.0, Arc::new(dense))]);
                Similarity::Sum(parts.collect())
            }
            None => Similarity::Sum(self.others),
        };
        Ok(Arc::new(Graph::new(similarity, origin)))
    }
}

/// The names of the sets and the parameters of their graphs: one value where they agree, else the
/// values of all in order.
fn origin(sets: &[FeatureSet], made: &[Description]) -> Origin {
    let names: Vec<&str> = sets.iter().map(|s| s.name.as_str()).collect();
    let first = &made[0];
    let own = [("sets", names.join(", ").into()), ("graph", first.kind.into())];
    let mut origin = Origin::new(&elsewhere::FEATURE_SETS, own);
    for (at, (name, value)) in first.parameters.iter().enumerate() {
        let of = |d: &Description| d.parameters.get(at).map_or(String::new(), |p| p.1.to_string());
        let all: Vec<String> = made.iter().map(of).collect();
        let agree = all.iter().all(|v| *v == all[0]);
        let value = if agree { value.clone() } else { all.join(", ").into() };
        origin.parameters.push((name.clone(), value));
    }
    origin
}

/// A sentence when a similarity has negative eigenvalues: it is no kernel, and distances that it
/// stands for do not exist. It can still be used. Not looked at above 2,000 samples.
pub fn indefinite(graph: &Graph) -> Option<String> {
    const LIMIT: usize = 2000;
    let n = graph.n_samples();
    if n > LIMIT {
        return None;
    }
    let mut matrix = faer::Mat::<f64>::zeros(n, n);
    (0..n).for_each(|i| graph.add_row(1.0, i, matrix.col_as_slice_mut(i)));
    let values = matrix.self_adjoint_eigenvalues(faer::Side::Lower).ok()?;
    let (smallest, largest) = (*values.first()?, *values.last()?);
    let tolerance = 1e-9 * largest.abs().max(smallest.abs());
    (smallest < -tolerance).then(|| {
        format!(
            "the similarity is not positive semidefinite (smallest eigenvalue {smallest:.3e}, largest \
             {largest:.3e}): it is used as it is, and its alignments may be negative"
        )
    })
}
