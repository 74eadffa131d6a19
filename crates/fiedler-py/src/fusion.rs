//! Many sources of knowledge, many rankings.

use std::sync::Arc;

use fiedler::fusion::{
    self, Aggregation, Coefficients, Covariance, FeatureNetwork, FeatureSet, Lists, Names, Overlap, Share,
    Source,
};
use fiedler::graph::Bandwidth;
use fiedler::{Dataset, Error, GraphUse, Scaling};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::answer::in_words;
use crate::data::Data;
use crate::errors::raise;
use crate::graph::Graph;
use crate::question::GraphAsked;
use crate::values::parameters;
use crate::words::sentence;
use crate::work::{self, Terms};

/// Where names stand among others, and the names that were dropped.
type Matched = (Vec<Option<usize>>, Vec<String>);

/// Finds the names `asked` of what is called `source` among `known`, the names of what is called `target`.
#[pyfunction]
pub(crate) fn match_names(
    py: Python<'_>,
    target: (String, Vec<String>),
    source: (String, Vec<String>),
    of_samples: bool,
    drop: bool,
) -> PyResult<Matched> {
    let kind = if of_samples { "sample" } else { "feature" };
    let known = Names { source: &target.0, kind, names: &target.1 };
    let asked = Names { source: &source.0, kind, names: &source.1 };
    let found = fusion::match_features(known, asked, drop).map_err(|error| raise(py, error))?;
    Ok((found.found, found.dropped))
}

/// The graph of labels.
#[pyfunction]
pub(crate) fn label_graph(py: Python<'_>, data: &Bound<'_, Data>) -> PyResult<Graph> {
    let missing = Error::LabelsMissing { what: "the label graph" };
    let labels = data.get().inner.labels().ok_or_else(|| raise(py, missing))?;
    made(py, fusion::label_graph(labels))
}

/// The graph of a hierarchy: one path `a/b/c` a sample.
#[pyfunction]
pub(crate) fn hierarchy_graph(
    py: Python<'_>,
    paths: Vec<String>,
    weights: Option<Vec<f64>>,
) -> PyResult<Graph> {
    made(py, fusion::hierarchy_graph(&paths, weights.as_deref()))
}

/// The graph of the data restricted to sets of features.
#[pyfunction]
pub(crate) fn set_graph(
    py: Python<'_>,
    data: &Bound<'_, Data>,
    sets: Vec<(String, Vec<usize>)>,
    graph: GraphAsked<'_>,
    scale: &str,
    terms: Terms,
) -> PyResult<Graph> {
    let recipe = graph.options()?.recipe(GraphUse::Knn).map_err(|error| raise(py, error))?;
    let seen = scaled(py, data, scale)?;
    let sets: Vec<_> = sets.into_iter().map(|(name, features)| FeatureSet { name, features }).collect();
    let graph =
        work::run(py, &terms, move |monitor| fusion::feature_set_graph(&seen, &sets, &recipe, monitor))?;
    Ok(Graph::from(graph))
}

/// What a network of features stands for, and how wide its kernel is.
#[derive(FromPyObject)]
pub(crate) struct Kernel(String, String);

/// The graph of samples by a network of their features, and what to know of the network.
#[pyfunction]
pub(crate) fn network_graph(
    py: Python<'_>,
    data: &Bound<'_, Data>,
    edges: Vec<(usize, usize, f64)>,
    kernel: Kernel,
    scale: &str,
    terms: Terms,
) -> PyResult<(Graph, Vec<String>)> {
    let set = &data.get().inner;
    let name = |j: usize| set.feature_name(j).into_owned();
    let network = FeatureNetwork::with_names(set.n_features(), &edges, &name);
    let network = network.map_err(|error| raise(py, error))?;
    of_network(py, network, scaled(py, data, scale)?, &kernel, &terms)
}

/// (feature, term), how features that share terms are alike, up to how many features a term tells something, and what every
/// term tells where that is known.
type Annotated = (Vec<(usize, usize)>, String, Option<usize>, Option<Vec<f64>>);

/// The graph of samples by annotations (feature, term) of their features, and what to know of it.
#[pyfunction]
pub(crate) fn annotation_graph(
    py: Python<'_>,
    data: &Bound<'_, Data>,
    annotations: Annotated,
    kernel: Kernel,
    scale: &str,
    terms: Terms,
) -> PyResult<(Graph, Vec<String>)> {
    let (pairs, overlap, most, information) = annotations;
    let overlap: Overlap = overlap.parse().map_err(|error| raise(py, error))?;
    let n_features = data.get().inner.n_features();
    // What a term tells is known from all features of a file, not only those of the target.
    let network = match information {
        Some(told) => FeatureNetwork::from_informed(n_features, &pairs, (overlap, &told), most),
        None => FeatureNetwork::from_annotations(n_features, &pairs, overlap, most),
    };
    let network = network.map_err(|error| raise(py, error))?;
    of_network(py, network, scaled(py, data, scale)?, &kernel, &terms)
}

/// The graph of a network, and what to know of the network.
pub(crate) fn of_network(
    py: Python<'_>,
    network: FeatureNetwork,
    seen: Dataset,
    kernel: &Kernel,
    terms: &Terms,
) -> PyResult<(Graph, Vec<String>)> {
    let covariance: Covariance = kernel.0.parse().map_err(|error| raise(py, error))?;
    let width: Bandwidth = kernel.1.parse().map_err(|error| raise(py, error))?;
    let notes = in_words(network.notes());
    let graph = work::run(py, terms, move |monitor| network.graph(&seen, covariance, width, monitor))?;
    Ok((Graph::from(Arc::new(graph)), notes))
}

/// The weights of sources: a word, or given.
#[derive(FromPyObject)]
pub(crate) enum Weights {
    Word(String),
    Given(Vec<f64>),
}

/// The weights of sources, and whether every graph is first scaled to a mean degree of 1.
pub(crate) type Mixed = (Weights, bool);

/// How much each of so many sources counts.
pub(crate) fn coefficients(py: Python<'_>, mixed: Mixed, n_sources: usize) -> PyResult<Coefficients> {
    let (weights, normalize) = mixed;
    let how = match weights {
        Weights::Given(given) => Coefficients::Given(given),
        Weights::Word(word) => match word.as_str() {
            "equal" => Coefficients::Equal,
            "aligned" => Coefficients::Aligned,
            other => return Err(wrong(py, "weights", "equal, aligned, or one number a source", other)),
        },
    };
    if normalize { Ok(how) } else { how.as_printed(n_sources).map_err(|error| raise(py, error)) }
}

/// One graph of many: the graph, what every source contributes, and what to know.
#[pyfunction]
pub(crate) fn combine<'py>(
    py: Python<'py>,
    sources: Vec<(String, Bound<'py, Graph>)>,
    mixed: Mixed,
    data: &Bound<'py, Data>,
    terms: Terms,
) -> PyResult<(Graph, Vec<Bound<'py, PyDict>>, Vec<String>)> {
    let how = coefficients(py, mixed, sources.len())?;
    let of =
        |(name, graph): (String, Bound<'_, Graph>)| Source { name, graph: Arc::clone(&graph.get().inner) };
    let sources: Vec<Source> = sources.into_iter().map(of).collect();
    let set = data.get().inner.clone();
    let found = work::run(py, &terms, move |monitor| fusion::combine(&sources, &how, set.labels(), monitor))?;
    let shares = found.shares.iter().map(|s| share(py, s)).collect::<PyResult<_>>()?;
    Ok((Graph::from(found.graph), shares, in_words(&found.notes)))
}

fn share<'py>(py: Python<'py>, share: &Share) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", &share.source.name)?;
    dict.set_item("kind", share.source.graph.description().kind)?;
    dict.set_item("weight", share.weight)?;
    dict.set_item("scale", share.scale)?;
    dict.set_item("with_labels", share.with_labels)?;
    dict.set_item("agreement", PyList::new(py, &share.agreement)?)?;
    dict.set_item("warnings", in_words(share.source.graph.warnings()))?;
    Ok(dict)
}

/// One ranking of many, as a dictionary. Every list is best first and may leave features out; `known` features teach
/// the weights.
#[pyfunction]
#[pyo3(signature = (n_features, orders, how, weights, known=None))]
pub(crate) fn aggregate<'py>(
    py: Python<'py>,
    n_features: usize,
    orders: Vec<Vec<usize>>,
    how: &str,
    weights: Option<Vec<f64>>,
    known: Option<Vec<usize>>,
) -> PyResult<Bound<'py, PyDict>> {
    let found = Aggregation::ALL.iter().find(|a| a.name() == how).copied();
    let aggregation = found.ok_or_else(|| {
        let names = Aggregation::ALL.map(Aggregation::name).join(", ");
        wrong(py, "aggregation", &format!("one of {names}"), how)
    })?;
    let lists = Lists::from_orders(n_features, &orders);
    let lists = lists.and_then(|lists| match (weights, &known) {
        (Some(weights), _) => lists.weighted(weights),
        (None, Some(known)) => lists.learned(aggregation, known),
        (None, None) => Ok(lists),
    });
    let lists = lists.map_err(|error| raise(py, error))?;
    let ranking = aggregation.aggregate(&lists).map_err(|error| raise(py, error))?;
    let dict = PyDict::new(py);
    dict.set_item("weights", PyArray1::from_slice(py, lists.weights()))?;
    if let Some(known) = known {
        let told = lists.agreement(&known).and_then(|with| Ok((with, lists.left_out(aggregation, &known)?)));
        let (with_known, left_out) = told.map_err(|error| raise(py, error))?;
        dict.set_item("with_known", PyArray1::from_vec(py, with_known))?;
        dict.set_item("left_out", left_out)?;
    }
    dict.set_item("method", aggregation.name())?;
    dict.set_item("measures", aggregation.measures())?;
    dict.set_item("goal", ranking.goal().name())?;
    dict.set_item("parameters", parameters(py, &ranking.parameters)?)?;
    let order: Vec<i64> = ranking.order().iter().map(|&j| j as i64).collect();
    dict.set_item("scores", PyArray1::from_iter(py, ranking.order().iter().map(|&j| ranking.scores()[j])))?;
    dict.set_item("order", PyArray1::from_vec(py, order))?;
    dict.set_item("n_scored", ranking.n_scored())?;
    dict.set_item("elbow", ranking.elbow())?;
    dict.set_item("warnings", in_words(&ranking.warnings))?;
    Ok(dict)
}

/// The data as a graph of them sees them.
pub(crate) fn scaled(py: Python<'_>, data: &Bound<'_, Data>, scale: &str) -> PyResult<Dataset> {
    let scaling: Scaling = scale.parse().map_err(|error| raise(py, error))?;
    Ok(data.get().inner.clone().scaled(scaling))
}

fn made(py: Python<'_>, graph: fiedler::Result<fiedler::Graph>) -> PyResult<Graph> {
    graph.map(|graph| Graph::from(Arc::new(graph))).map_err(|error| raise(py, error))
}

fn wrong(py: Python<'_>, name: &str, rule: &str, got: &str) -> PyErr {
    raise(py, Error::parameter(name, sentence(rule), format!("`{got}`")))
}
