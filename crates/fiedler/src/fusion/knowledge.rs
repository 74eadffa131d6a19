//! What a source knows, before it is a graph: so that a graph can be made of any of the samples.
//!
//! Where selections are judged, selection sees the samples of a training part alone. What is **known of features** (sets,
//! networks) and **of samples** (classes, paths, similarities) is knowledge that was there before, and stays as it is; of the
//! latter the part about these samples is used. What is **measured** (the target, other data) is looked at on these samples
//! alone: widths, neighbors, scalings and learned weights are those of the training part.

use std::sync::Arc;

use super::{Covariance, FeatureNetwork, FeatureSet, feature_set_graph, hierarchy_graph, label_graph};
use crate::dataset::{Dataset, Labels};
use crate::graph::{Bandwidth, Graph, GraphRecipe};
use crate::monitor::Monitor;
use crate::{Error, Result};

/// What a source knows of the samples of a target, all of them in its order, or of its features.
#[derive(Debug, Clone)]
pub enum Knowledge {
    /// The numbers of the target.
    Target(GraphRecipe),
    /// Other numbers of the same samples.
    Data(Dataset, GraphRecipe),
    /// The labels of the target.
    OwnLabels,
    /// Classes from elsewhere.
    Labels(Labels),
    /// A path `a/b/c` of every sample, and the weights of the levels.
    Hierarchy(Vec<String>, Option<Vec<f64>>),
    /// A similarity of all pairs, row after row.
    Similarity(Vec<f64>),
    /// A similarity of some pairs.
    Edges(Vec<(usize, usize, f64)>),
    /// Sets of features.
    Sets(Vec<FeatureSet>, GraphRecipe),
    /// Interactions, similarity or annotations of features.
    Network(FeatureNetwork, Covariance, Bandwidth),
}

impl Knowledge {
    /// The graph of some samples: `target` has these alone, and `samples` says which of all they are.
    ///
    /// ```
    /// use fiedler::fusion::Knowledge;
    /// use fiedler::{Silent, dataset::demo};
    ///
    /// let iris = demo::iris()?;
    /// let paths = (0..150).map(|i| format!("garden/{}", i / 50)).collect();
    /// let some: Vec<usize> = (0..150).step_by(3).collect();
    /// let graph = Knowledge::Hierarchy(paths, None).graph(&iris.samples(&some, &Silent)?, &some, &Silent)?;
    /// assert_eq!(graph.n_samples(), 50);
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::LabelsMissing`] where the target has none; what the recipes and graphs report.
    pub fn graph(&self, target: &Dataset, samples: &[usize], monitor: &dyn Monitor) -> Result<Arc<Graph>> {
        match self {
            Knowledge::Target(recipe) => recipe.build(target, monitor),
            Knowledge::Data(data, recipe) => recipe.build(&part_of(data, samples, monitor)?, monitor),
            Knowledge::OwnLabels => {
                let labels = target.labels().ok_or(Error::LabelsMissing { what: "a source of labels" })?;
                label_graph(labels).map(Arc::new)
            }
            Knowledge::Labels(labels) => {
                let class = |&i: &usize| labels.codes()[i].map(|code| &labels.classes()[code as usize]);
                label_graph(&Labels::new(samples.iter().map(class))).map(Arc::new)
            }
            Knowledge::Hierarchy(paths, weights) => {
                let paths: Vec<String> = samples.iter().map(|&i| paths[i].clone()).collect();
                hierarchy_graph(&paths, weights.as_deref()).map(Arc::new)
            }
            Knowledge::Similarity(values) => {
                let n = values.len().isqrt();
                let row = |&i: &usize| samples.iter().map(move |&j| values[i * n + j]);
                let picked: Vec<f64> = samples.iter().flat_map(row).collect();
                Graph::from_dense_with(&picked, samples.len(), monitor).map(Arc::new)
            }
            Knowledge::Edges(edges) => Graph::from_edges(&among(edges, samples), samples.len()).map(Arc::new),
            Knowledge::Sets(sets, recipe) => feature_set_graph(target, sets, recipe, monitor),
            Knowledge::Network(network, covariance, width) => {
                network.graph(target, *covariance, *width, monitor).map(Arc::new)
            }
        }
    }
}

/// Some samples of data, or the data themselves where that is all of them in their order.
fn part_of(data: &Dataset, samples: &[usize], monitor: &dyn Monitor) -> Result<Dataset> {
    let all = samples.len() == data.n_samples() && samples.iter().enumerate().all(|(at, &i)| at == i);
    if all { Ok(data.clone()) } else { data.samples(samples, monitor) }
}

/// The edges among some samples, by their new places.
fn among(edges: &[(usize, usize, f64)], samples: &[usize]) -> Vec<(usize, usize, f64)> {
    let most = samples.iter().max().map_or(0, |&i| i + 1);
    let mut new = vec![None; most];
    samples.iter().enumerate().for_each(|(at, &old)| new[old] = Some(at));
    let place = |i: usize| new.get(i).copied().flatten();
    edges.iter().filter_map(|&(a, b, weight)| Some((place(a)?, place(b)?, weight))).collect()
}
