//! Graphs, to and from compressed rows.

use std::sync::Arc;

use fiedler::graph::Csr;
use fiedler::{GraphSummary, Limits};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::{in_words, summary};
use crate::data::Data;
use crate::errors::raise;
use crate::question::Question;
use crate::work::{self, Terms};

/// The places and values of compressed rows, as scipy names them: indptr, indices, data.
type Rows<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<f64>>);

/// A sample similarity.
#[pyclass(frozen, module = "fiedler._core")]
pub(crate) struct Graph {
    pub(crate) inner: Arc<fiedler::Graph>,
}

impl From<Arc<fiedler::Graph>> for Graph {
    fn from(inner: Arc<fiedler::Graph>) -> Self {
        Graph { inner }
    }
}

#[pymethods]
impl Graph {
    /// A graph from compressed rows, both triangles.
    #[staticmethod]
    fn from_rows(
        py: Python<'_>,
        offsets: PyReadonlyArray1<'_, i64>,
        columns: PyReadonlyArray1<'_, i64>,
        values: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<Self> {
        let rows = Csr {
            offsets: offsets.as_array().iter().map(|&v| v as usize).collect(),
            columns: columns.as_array().iter().map(|&v| v as u32).collect(),
            values: values.as_array().to_vec().into(),
        };
        let made = py.detach(|| fiedler::Graph::from_csr(&rows));
        made.map(|graph| Graph::from(Arc::new(graph))).map_err(|error| raise(py, error))
    }

    /// A graph from all pairs.
    #[staticmethod]
    fn from_dense(py: Python<'_>, values: PyReadonlyArray2<'_, f64>) -> PyResult<Self> {
        let view = values.as_array();
        let (n, all): (usize, Vec<f64>) = (view.nrows(), view.iter().copied().collect());
        let made = py.detach(|| fiedler::Graph::from_dense(&all, n));
        made.map(|graph| Graph::from(Arc::new(graph))).map_err(|error| raise(py, error))
    }

    /// The graph by compressed rows, where these are not unreasonably many.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py>> {
        let rows = py.detach(|| self.inner.csr_within(&Limits::default()));
        rows.map(|rows| arrays(py, rows)).map_err(|error| raise(py, error))
    }

    /// The links of every sample to the landmarks by compressed rows, and the number of landmarks; None for a graph that is not
    /// made through landmarks.
    fn links<'py>(&self, py: Python<'py>) -> Option<(Rows<'py>, usize)> {
        Some((arrays(py, self.inner.links()?), self.inner.n_landmarks()?))
    }

    /// What it is, and its vital signs.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        summary(py, &GraphSummary::of(&self.inner))
    }

    #[getter]
    fn n_samples(&self) -> usize {
        self.inner.n_samples()
    }
}

/// Compressed rows as scipy takes them.
fn arrays<'py>(py: Python<'py>, rows: Csr<'_>) -> Rows<'py> {
    let offsets = rows.offsets.iter().map(|&v| v as i64).collect();
    let columns = rows.columns.iter().map(|&v| v as i32).collect();
    (
        PyArray1::from_vec(py, offsets),
        PyArray1::from_vec(py, columns),
        PyArray1::from_vec(py, rows.values.into_owned()),
    )
}

/// Makes the graph of a question about a graph by itself, and tells what is warned of.
#[pyfunction]
pub(crate) fn build_graph<'py>(
    py: Python<'py>,
    data: &Bound<'py, Data>,
    question: Question<'py>,
    terms: Terms,
) -> PyResult<(Option<Graph>, Vec<String>)> {
    let analysis = question.analysis(py)?;
    let set = data.get().inner.clone();
    let found = work::run(py, &terms, move |monitor| analysis.run(&set, "X", monitor))?;
    Ok((found.graph.map(|alone| Graph::from(alone.similarity)), in_words(&found.warnings)))
}
