//! The registry as Python sees it, from which the estimators are written.

use fiedler::fusion::Aggregation;
use fiedler::stability::Stability;
use fiedler::{GraphUse, Kind, MethodInfo, ParameterInfo, Role, Supervision, graph, methods};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyList};

use crate::values::to_python;
use crate::words::{keyword, sentence};

/// Every method and every option of graphs.
#[pyfunction]
pub(crate) fn describe(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    let all: Vec<_> = methods::all().iter().map(|m| method(py, m.info)).collect::<PyResult<_>>()?;
    dict.set_item("methods", PyList::new(py, all)?)?;
    dict.set_item("graph", parameters(py, graph::parameters())?)?;
    let kinds: Vec<&str> = graph::kinds().iter().map(|info| info.name).collect();
    dict.set_item("kinds", kinds)?;
    dict.set_item("ranking", methods::DEFAULT_RANKING)?;
    dict.set_item("selection", methods::DEFAULT_SELECTION)?;
    let stability = [
        ("repeats", Stability::REPEATS as f64),
        ("fraction", Stability::FRACTION),
        ("noise", Stability::NOISE),
        ("threshold", Stability::THRESHOLD),
    ];
    dict.set_item("stability", stability.into_py_dict(py)?)?;
    let aggregations = Aggregation::ALL.map(|a| (a.name(), a.measures()));
    dict.set_item("aggregations", PyList::new(py, aggregations)?)?;
    dict.set_item("version", env!("CARGO_PKG_VERSION"))?;
    Ok(dict)
}

fn method<'py>(py: Python<'py>, info: &MethodInfo) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", info.name)?;
    dict.set_item("title", info.title)?;
    dict.set_item("measures", info.measures)?;
    dict.set_item("formula", info.formula)?;
    dict.set_item("goal", info.goal.in_words())?;
    let labels = match info.supervision {
        Supervision::Unsupervised => "never",
        Supervision::SemiSupervised => "some",
        Supervision::Supervised => "all",
        Supervision::Optional => "optional",
    };
    dict.set_item("labels", labels)?;
    dict.set_item("takes_number", info.takes_number)?;
    let graph = match info.graph {
        GraphUse::None => None,
        GraphUse::Knn => Some("knn"),
        GraphUse::Rbf => Some("rbf"),
        GraphUse::Labels => Some("labels"),
    };
    dict.set_item("graph", graph)?;
    dict.set_item("scale", info.scaling.name())?;
    dict.set_item("parameters", parameters(py, info.parameters)?)?;
    dict.set_item("cost", info.cost)?;
    dict.set_item("fails", sentence(info.fails))?;
    dict.set_item("reference", info.reference)?;
    Ok(dict)
}

fn parameters<'py>(
    py: Python<'py>,
    all: impl IntoIterator<Item = &'static ParameterInfo>,
) -> PyResult<Bound<'py, PyList>> {
    let all: Vec<_> = all.into_iter().map(|p| parameter(py, p)).collect::<PyResult<_>>()?;
    PyList::new(py, all)
}

fn parameter<'py>(py: Python<'py>, info: &ParameterInfo) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", info.name)?;
    dict.set_item("keyword", keyword(info))?;
    dict.set_item("rule", info.kind.to_string())?;
    let kind = match info.kind {
        Kind::Integer { .. } => "int",
        Kind::IntegerOr { .. } => "int | str",
        Kind::Real { .. } => "float",
        Kind::RealOr { .. } => "float | str",
        Kind::Bool => "bool",
        // True and False are such words too.
        Kind::Choice(words) if words.contains(&"true") => "bool | str",
        _ => "str",
    };
    dict.set_item("type", kind)?;
    dict.set_item("default", to_python(py, &info.default)?)?;
    let role = match info.role {
        Role::Count => "count",
        Role::Neighbors => "neighbors",
        Role::Seed => "seed",
        _ => "own",
    };
    dict.set_item("role", role)?;
    dict.set_item("help", sentence(info.help))?;
    Ok(dict)
}
