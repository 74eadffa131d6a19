//! [`Findings`] as dictionaries and arrays.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fiedler::checkpoint::Checkpointed;
use fiedler::stability::{Change, Report};
use fiedler::{Analysis, Dataset, Findings, GraphSummary, RankingFound};
use fiedler_io::{CheckpointFolder, TakenFolder};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::data::Data;
use crate::errors::raise_class;
use crate::graph::Graph;
use crate::judging::evaluation;
use crate::question::Question;
use crate::values::{detail, dictionary, parameters};
use crate::words::sentence;
use crate::work::{self, Terms};

/// Answers a question about data: the findings, and the graph of every ranking that has one. Unfinished work is kept in the folder
/// `checkpoint`, if there is one.
#[pyfunction]
#[pyo3(signature = (data, question, terms, checkpoint=None))]
pub(crate) fn run<'py>(
    py: Python<'py>,
    data: &Bound<'py, Data>,
    question: Question<'py>,
    terms: Terms,
    checkpoint: Option<PathBuf>,
) -> PyResult<(Bound<'py, PyDict>, Vec<Option<Graph>>)> {
    let analysis = question.analysis(py)?;
    let set = data.get().inner.clone();
    let found = match checkpoint {
        None => work::run(py, &terms, move |monitor| analysis.run(&set, "X", monitor))?,
        Some(folder) => kept(py, &terms, (analysis, set), &folder)?,
    };
    let graphs = found.rankings.iter().map(|r| r.similarity.clone().map(Graph::from)).collect();
    Ok((findings(py, &found)?, graphs))
}

/// The answer, with what an earlier run left in the folder, and kept there as it is found. It goes when the answer is there.
fn kept(
    py: Python<'_>,
    terms: &Terms,
    (analysis, set): (Analysis, Dataset),
    folder: &Path,
) -> PyResult<Findings> {
    let wrong = |error: fiedler_io::Error| raise_class(py, "FileError", &format!("`checkpoint`: {error}"));
    let (asked, columns) = (analysis.clone(), set.clone());
    let taken = TakenFolder::take(folder).map_err(wrong)?;
    let fingerprint = work::run(py, terms, move |monitor| asked.fingerprint(&columns, monitor))?;
    let keeper = Arc::new(taken.work_on(fingerprint).map_err(wrong)?);
    let checkpoint = Arc::clone(&keeper);
    let mut found = work::run(py, terms, move |monitor| {
        analysis.run(&set, "X", &Checkpointed { monitor, checkpoint: &*checkpoint })
    })?;
    if keeper.resumed() > 0 {
        let note = format!("went on from the unfinished work in {}", fiedler_io::shown(folder));
        found.rankings.iter_mut().for_each(|ranking| ranking.notes.push(note.clone()));
    }
    // The thread of the work has let go of it by now.
    Arc::into_inner(keeper).map_or(Ok(()), CheckpointFolder::finish).map_err(wrong)?;
    Ok(found)
}

/// What was found, as a dictionary.
pub(crate) fn findings<'py>(py: Python<'py>, found: &Findings) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("format", found.format)?;
    dict.set_item("version", found.card.version)?;
    dict.set_item("asked", dictionary(py, found.card.asked.iter().map(|(name, v)| (name.as_str(), v)))?)?;
    dict.set_item("data", data(py, found)?)?;
    let rankings: Vec<_> = found.rankings.iter().map(|r| ranking(py, r)).collect::<PyResult<_>>()?;
    dict.set_item("rankings", PyList::new(py, rankings)?)?;
    dict.set_item("evaluation", found.evaluation.as_ref().map(|e| evaluation(py, e)).transpose()?)?;
    let reports: Vec<_> = found.stability.iter().map(|r| stability(py, r)).collect::<PyResult<_>>()?;
    dict.set_item("stability", PyList::new(py, reports)?)?;
    dict.set_item("notes", in_words(&found.notes))?;
    dict.set_item("warnings", in_words(&found.warnings))?;
    dict.set_item("seconds", found.seconds)?;
    Ok(dict)
}

fn data<'py>(py: Python<'py>, found: &Findings) -> PyResult<Bound<'py, PyDict>> {
    let (card, dict) = (&found.card.data, PyDict::new(py));
    dict.set_item("n_samples", card.n_samples)?;
    dict.set_item("n_features", card.n_features)?;
    dict.set_item("n_constant", card.n_constant)?;
    dict.set_item("is_sparse", card.is_sparse)?;
    Ok(dict)
}

fn ranking<'py>(py: Python<'py>, found: &RankingFound) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("method", found.method.name)?;
    dict.set_item("title", found.method.title)?;
    dict.set_item("measures", found.method.measures)?;
    dict.set_item("goal", found.goal.name())?;
    dict.set_item("ordered_by", found.ordered_by.name())?;
    dict.set_item("in_words", found.ordered_by.in_words(found.goal))?;
    dict.set_item("parameters", parameters(py, &found.parameters)?)?;
    dict.set_item("scale", found.scaling.name())?;
    dict.set_item("transform", found.transform.name())?;
    dict.set_item("labels", &found.labels)?;
    dict.set_item("target", &found.target)?;
    dict.set_item("graph", found.graph.as_deref().map(|g| summary(py, g)).transpose()?)?;
    let order = found.places.iter().map(|p| p.index as i64).collect();
    dict.set_item("order", PyArray1::from_vec(py, order))?;
    let scores = found.places.iter().map(|p| p.score.unwrap_or(f64::NAN)).collect();
    dict.set_item("scores", PyArray1::from_vec(py, scores))?;
    let reasons = PyDict::new(py);
    for place in &found.places {
        if let Some(reason) = &place.reason {
            reasons.set_item(place.index, &**reason)?;
        }
    }
    dict.set_item("reasons", reasons)?;
    dict.set_item("n_scored", found.n_scored)?;
    dict.set_item("elbow", found.elbow)?;
    let details: Vec<_> = found.details.iter().map(|d| detail(py, d)).collect::<PyResult<_>>()?;
    dict.set_item("details", PyList::new(py, details)?)?;
    dict.set_item("notes", in_words(&found.notes))?;
    dict.set_item("warnings", in_words(&found.warnings))?;
    dict.set_item("seconds", found.seconds)?;
    Ok(dict)
}

/// What a graph is, and its vital signs, under the names that the command's JSON has.
pub(crate) fn summary<'py>(py: Python<'py>, graph: &GraphSummary) -> PyResult<Bound<'py, PyDict>> {
    let (dict, health) = (PyDict::new(py), &graph.health);
    dict.set_item("kind", &graph.kind)?;
    dict.set_item("parameters", dictionary(py, graph.parameters.iter().map(|(name, v)| (&**name, v)))?)?;
    dict.set_item("edges", health.edges)?;
    dict.set_item("components", health.components)?;
    dict.set_item("isolated", health.isolated)?;
    let degree = PyDict::new(py);
    degree.set_item("min", health.min_degree)?;
    degree.set_item("median", health.median_degree)?;
    degree.set_item("max", health.max_degree)?;
    dict.set_item("degree", degree)?;
    Ok(dict)
}

fn stability<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let (change, size) = match report.change {
        Change::Subsample { fraction } => ("subsample", fraction),
        Change::Noise { level } => ("noise", level),
    };
    dict.set_item("change", change)?;
    dict.set_item("size", size)?;
    dict.set_item("repeats", report.repeats)?;
    dict.set_item("count", report.count)?;
    dict.set_item("n_samples", report.n_samples)?;
    dict.set_item("times", PyArray1::from_vec(py, report.times.iter().map(|&t| t as i64).collect()))?;
    let lower = (0..report.times.len()).map(|j| report.lower_bound(j)).collect();
    dict.set_item("lower_bound", PyArray1::from_vec(py, lower))?;
    let upper = (0..report.times.len()).map(|j| report.upper_bound(j)).collect();
    dict.set_item("upper_bound", PyArray1::from_vec(py, upper))?;
    dict.set_item("kuncheva", report.kuncheva)?;
    dict.set_item("spearman", report.spearman)?;
    dict.set_item("threshold", report.threshold)?;
    dict.set_item("needed", report.needed)?;
    dict.set_item("safe", &report.safe)?;
    dict.set_item("expected_false", report.expected_false)?;
    let order = report.ranking.order().iter().map(|&j| j as i64).collect();
    dict.set_item("order", PyArray1::from_vec(py, order))?;
    dict.set_item("method", report.ranking.method)?;
    Ok(dict)
}

/// Sentences in Python's words.
pub(crate) fn in_words(sentences: &[String]) -> Vec<String> {
    sentences.iter().map(|text| sentence(text)).collect()
}
