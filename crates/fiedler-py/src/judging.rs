//! Evaluations: the question, and the answer as a dictionary.

use fiedler::eval::{Candidate, Curve, Evaluation, Measure, Point, Protocol, Selection};
use fiedler::stability::Stability;
use fiedler::{Dataset, Error};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::data::Data;
use crate::errors::raise;
use crate::values::to_python;

/// How selections are judged, as a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Judging<'py> {
    metric: String,
    counts: Vec<usize>,
    folds: Option<usize>,
    repeats: Option<usize>,
    classes: Option<usize>,
    labeled: Vec<usize>,
    select_on: String,
    draws: usize,
    worst: bool,
    significance: f64,
    seed: Option<u64>,
    known: Vec<usize>,
    /// Rankings that are there: one for all partitions, or one for each.
    beside: Vec<(String, Vec<Vec<usize>>)>,
    /// Other data that judge.
    judge_on: Option<Bound<'py, Data>>,
}

impl Judging<'_> {
    /// What is judged beside the methods.
    pub(crate) fn candidates(&self) -> Vec<Candidate> {
        let candidate = |(name, orders): &(String, Vec<Vec<usize>>)| match orders.as_slice() {
            [one] => Candidate::order(name, one.clone()),
            several => Candidate::orders(name, several.to_vec()),
        };
        self.beside.iter().map(candidate).collect()
    }

    /// The data that judge, with what they are called.
    pub(crate) fn other(&self) -> Option<(String, Dataset)> {
        self.judge_on.as_ref().map(|data| ("judge_on".to_owned(), data.get().inner.clone()))
    }

    /// The protocol; what is not said is the metric's own.
    pub(crate) fn protocol(&self, py: Python<'_>) -> PyResult<Protocol> {
        let wrong =
            |name: &str, rule: String, got: &str| raise(py, Error::parameter(name, rule, format!("`{got}`")));
        let metric = match Measure::named(&self.metric).map_err(|error| raise(py, error))? {
            Measure::Hits { .. } => Measure::Hits { known: self.known.clone() },
            other => other,
        };
        let selection = match self.select_on.as_str() {
            "training" => Selection::Training,
            "all" => Selection::All,
            other => return Err(wrong("select_on", "training or all".to_owned(), other)),
        };
        let usual = Protocol::new(metric);
        let usual = match self.classes {
            Some(classes) => usual.of_classes(classes, self.repeats),
            None => usual.parted(self.folds, self.repeats),
        };
        let known = if let Measure::Hits { .. } = usual.metric { Vec::new() } else { self.known.clone() };
        Ok(Protocol {
            selection,
            known,
            counts: self.counts.clone(),
            random: self.draws,
            worst: self.worst,
            significance: self.significance,
            labeled: self.labeled.clone(),
            seed: self.seed.unwrap_or(usual.seed),
            ..usual
        })
    }
}

/// The samples of the training part of every partition.
#[pyfunction]
pub(crate) fn training_parts(
    py: Python<'_>,
    data: &Bound<'_, Data>,
    judging: Judging<'_>,
) -> PyResult<Vec<Vec<usize>>> {
    let parts = judging.protocol(py)?.partitions(&data.get().inner).map_err(|error| raise(py, error))?;
    Ok(parts.into_iter().map(|part| part.training).collect())
}

/// How selections are judged where the user does not say: of classes, or of a number to be predicted.
#[pyfunction]
pub(crate) fn usual_metric(has_target: bool) -> &'static str {
    Measure::usual(has_target).name()
}

/// Whether a graph of that kind is made of the labels.
#[pyfunction]
pub(crate) fn made_of_labels(graph: &str) -> bool {
    fiedler::graph::kinds().iter().any(|kind| kind.name == graph && kind.needs_labels)
}

/// How many features are selected for stability where the user does not say.
#[pyfunction]
pub(crate) fn usual_selection(n_features: usize) -> usize {
    Stability::usual_count(n_features)
}

/// What an evaluation found: one line a measure, candidate and count.
pub(crate) fn evaluation<'py>(py: Python<'py>, found: &Evaluation) -> PyResult<Bound<'py, PyDict>> {
    let lines = PyList::empty(py);
    for table in &found.tables {
        for curve in &table.curves {
            for point in &curve.points {
                let line = point_line(py, point)?;
                line.set_item("measure", table.measure)?;
                line.set_item("goal", table.goal.name())?;
                line.set_item("name", &curve.name)?;
                line.set_item("kind", curve.kind.name())?;
                line.set_item("labeled", table.labeled)?;
                line.set_item("method", curve.variant.as_ref().map_or(&curve.name, |variant| &variant.of))?;
                line.set_item("varied", varied(py, curve)?)?;
                lines.append(line)?;
            }
        }
    }
    let dict = PyDict::new(py);
    dict.set_item("metric", found.protocol.metric.name())?;
    dict.set_item("n_samples", found.n_samples)?;
    dict.set_item("n_features", found.n_features)?;
    dict.set_item("n_partitions", found.n_partitions)?;
    dict.set_item("select_on", found.protocol.selection.name())?;
    // One for every measure: where there are several numbers of labels, that of the first.
    let first = found.tables.first().and_then(|table| table.labeled);
    let tables = found.tables.iter().filter(|table| table.labeled == first);
    let tells_apart: Vec<(&str, Option<f64>)> = tables.map(|t| (t.measure, t.tells_apart)).collect();
    dict.set_item("tells_apart", tells_apart)?;
    dict.set_item("points", lines)?;
    Ok(dict)
}

/// The values that set a curve apart, by parameter.
fn varied<'py>(py: Python<'py>, curve: &Curve) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in curve.variant.iter().flat_map(|variant| &variant.values) {
        dict.set_item(name, to_python(py, value)?)?;
    }
    Ok(dict)
}

fn point_line<'py>(py: Python<'py>, point: &Point) -> PyResult<Bound<'py, PyDict>> {
    let line = PyDict::new(py);
    line.set_item("count", point.count)?;
    line.set_item("mean", point.summary.mean)?;
    line.set_item("sd", point.summary.sd)?;
    line.set_item("low", point.summary.low)?;
    line.set_item("high", point.summary.high)?;
    line.set_item("p_value", point.p_value())?;
    for (name, difference) in [("random", point.than_random), ("best", point.than_best)] {
        line.set_item(format!("less_{name}"), difference.map(|d| d.mean))?;
        line.set_item(format!("less_{name}_low"), difference.and_then(|d| d.interval).map(|(low, _)| low))?;
        line.set_item(
            format!("less_{name}_high"),
            difference.and_then(|d| d.interval).map(|(_, high)| high),
        )?;
        line.set_item(format!("than_{name}"), difference.map(|d| d.standing.name()))?;
    }
    line.set_item("best", point.best)?;
    line.set_item("level", point.level)?;
    Ok(line)
}
