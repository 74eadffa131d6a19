//! Knowledge of feature functions: sets of features that act together (DIS 5.2.2).
//!
//! A set's similarity is that of the data restricted to its features. Several sets are added up, each
//! scaled to a mean degree of 1, so that large sets do not outweigh small ones.

use std::sync::Arc;

use crate::dataset::Dataset;
use crate::graph::{Graph, GraphRecipe};
use crate::monitor::Monitor;
use crate::{Error, Result};

/// Sets of features that are added up at most; each has a graph of its own.
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
/// what the recipe reports.
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
    let mut graphs = Vec::with_capacity(sets.len());
    for set in sets {
        if set.features.is_empty() {
            return Err(Error::parameter("feature sets", "not empty", format!("`{}`", set.name)));
        }
        let mut features = set.features.clone();
        features.sort_unstable();
        features.dedup();
        graphs.push(recipe.build(&data.subset(&features)?, monitor)?);
    }
    if let [graph] = &graphs[..] {
        return Ok(Arc::clone(graph));
    }
    let share = 1.0 / graphs.len() as f64;
    let scaled = |graph: Arc<Graph>| (share * graph.n_samples() as f64 / graph.volume(), graph);
    Ok(Arc::new(Graph::sum(graphs.into_iter().map(scaled).collect())?))
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
