//! What a report tells, kept: to write it, or to look at what it draws.

use std::path::PathBuf;
use std::sync::Arc;

use fiedler::fusion::{self, Source};
use fiedler::{Analysis, Error, Findings};
use fiedler_report::{Story, csv};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::findings;
use crate::data::Data;
use crate::errors::raise;
use crate::fusion::{Mixed, coefficients};
use crate::graph::Graph;
use crate::question::Question;
use crate::work::{self, Terms};

/// What a report tells.
#[pyclass(frozen, module = "fiedler._core")]
pub(crate) struct ReportSource {
    story: Story,
    /// All features as CSV, where the report leaves some out.
    all: Option<String>,
}

impl From<&Findings> for ReportSource {
    fn from(found: &Findings) -> Self {
        ReportSource { story: Story::of(found), all: csv::every_feature(found) }
    }
}

#[pymethods]
impl ReportSource {
    /// Writes the report, an HTML file, whole or not at all; all features beside it, where it leaves some out.
    fn write(&self, py: Python<'_>, path: PathBuf, image_shape: Option<(usize, usize)>) -> PyResult<()> {
        let pixels = |(height, width): (usize, usize)| height.checked_mul(width);
        let features = self.story.data.n_features;
        if let Some(shape) = image_shape.filter(|shape| pixels(*shape) != Some(features)) {
            let rule = format!("height and width of images of {features} pixels, one a feature");
            return Err(raise(py, Error::parameter("image_shape", rule, format!("{shape:?}"))));
        }
        let mut story = Story { image_shape, ..self.story.clone() };
        if let Some(all) = &self.all {
            let beside = path.with_extension("features.csv");
            write(&beside, all)?;
            story.full_table = beside.file_name().map(|name| name.to_string_lossy().into_owned());
        }
        write(&path, &fiedler_report::html(&story))
    }

    /// All that it tells, as JSON: what `fiedler report` and `fiedler plot` read.
    fn json(&self) -> String {
        self.story.to_json()
    }
}

fn write(path: &std::path::Path, text: &str) -> PyResult<()> {
    let written = fiedler_io::write_whole(path, |out| out.write_all(text.as_bytes()));
    written.map_err(|error| PyOSError::new_err(error.to_string()))
}

/// Answers a question about data as `run` does, and keeps what a report tells.
#[pyfunction]
pub(crate) fn run_and_tell<'py>(
    py: Python<'py>,
    data: &Bound<'py, Data>,
    question: Question<'py>,
    terms: Terms,
) -> PyResult<(Bound<'py, PyDict>, Vec<Option<Graph>>, ReportSource)> {
    let analysis = Analysis { portrait: true, rank: true, ..question.analysis(py)? };
    let set = data.get().inner.clone();
    let found = work::run(py, &terms, move |monitor| analysis.run(&set, "X", monitor))?;
    let graphs = found.rankings.iter().map(|r| r.similarity.clone().map(Graph::from)).collect();
    Ok((findings(py, &found)?, graphs, ReportSource::from(&found)))
}

/// What a report tells of a ranking on many sources.
#[pyfunction]
pub(crate) fn tell_of_sources<'py>(
    py: Python<'py>,
    sources: Vec<(String, Bound<'py, Graph>)>,
    mixed: Mixed,
    data: &Bound<'py, Data>,
    question: Question<'py>,
    terms: Terms,
) -> PyResult<ReportSource> {
    let how = coefficients(py, mixed, sources.len())?;
    let asked = Analysis { portrait: true, ..question.analysis(py)? };
    let of =
        |(name, graph): (String, Bound<'_, Graph>)| Source { name, graph: Arc::clone(&graph.get().inner) };
    let sources: Vec<Source> = sources.into_iter().map(of).collect();
    let set = data.get().inner.clone();
    let found = work::run(py, &terms, move |monitor| {
        fusion::combine(&sources, &how, set.labels(), monitor)?.answer(&asked, &set, "X", monitor)
    })?;
    Ok(ReportSource::from(&found))
}
