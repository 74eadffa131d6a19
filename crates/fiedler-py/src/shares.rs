//! Columns that other machines hold in shares: questions out as text, numbers back. See `fiedler::afar`.

use std::ops::Range;
use std::sync::Arc;

use fiedler::afar::{Afar, Join, Question, Worker};
use fiedler::dataset::{Block, Columns, Piece};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::data::{Data, Places, dense, looked_at};
use crate::work::{self, Terms};
use crate::{arrays, elsewhere};

/// A matrix whose columns lie on other machines.
struct Shares {
    shape: (usize, usize),
    is_sparse: bool,
    /// How many columns are fetched at a time.
    width: usize,
    /// `fetch(first, last)`: some columns, to be read here all the same.
    fetch: Py<PyAny>,
    /// `pick(columns)`: some columns in any order.
    pick: Py<PyAny>,
    /// `ask(question, join, width)`: an iterator of the numbers of columns that are done, and at last of the answer.
    ask: Py<PyAny>,
}

impl Columns for Shares {
    fn n_samples(&self) -> usize {
        self.shape.0
    }

    fn n_features(&self) -> usize {
        self.shape.1
    }

    fn is_sparse(&self) -> bool {
        self.is_sparse
    }

    fn block(&self, range: Range<usize>) -> fiedler::Result<Block<'_>> {
        self.fetched(|py| self.fetch.call1(py, (range.start, range.end)))
    }

    fn gather(&self, list: &[usize]) -> fiedler::Result<Vec<Piece<'_>>> {
        let block = self.fetched(|py| self.pick.call1(py, (list.to_vec(),)))?;
        Ok(vec![Piece { width: list.len(), block }])
    }

    fn preferred_block(&self) -> usize {
        self.width
    }

    fn afar(&self) -> Option<&dyn Afar> {
        Some(self)
    }
}

impl Shares {
    /// The columns that a call hands out.
    fn fetched(
        &self,
        call: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>>,
    ) -> fiedler::Result<Block<'static>> {
        Python::attach(|py| elsewhere::block(call(py)?.bind(py), self.is_sparse)).map_err(reported)
    }
}

impl Afar for Shares {
    fn ask(
        &self,
        question: &Question,
        tell: &dyn Fn(usize) -> fiedler::Result<()>,
    ) -> fiedler::Result<Vec<f64>> {
        let text = serde_json::to_string(question).map_err(|error| fiedler::Error::Columns(error.into()))?;
        let (join, width) = join(question.join());
        Python::attach(|py| {
            let steps = self.ask.bind(py).call1((text, join, width)).map_err(reported)?;
            let answer = followed(&steps, tell);
            if answer.is_err() {
                // Whoever is still at work is told that nobody waits any more.
                steps.call_method0("close").map_err(reported)?;
            }
            answer
        })
    }
}

/// The last of what comes; what comes before is told.
fn followed(
    steps: &Bound<'_, PyAny>,
    tell: &dyn Fn(usize) -> fiedler::Result<()>,
) -> fiedler::Result<Vec<f64>> {
    let mut answer = Vec::new();
    for step in steps.try_iter().map_err(reported)? {
        let step = step.map_err(reported)?;
        match step.extract::<usize>() {
            Ok(columns) => tell(columns)?,
            Err(_) => {
                let found: PyReadonlyArrayDyn<'_, f64> = step.extract().map_err(reported)?;
                answer = found.as_array().iter().copied().collect();
            }
        }
    }
    Ok(answer)
}

/// An exception on its way through the library, which comes out as it was.
fn reported(error: PyErr) -> fiedler::Error {
    fiedler::Error::Columns(Box::new(error))
}

/// How answers are joined, in words, and how many numbers are in a row.
fn join(join: Join) -> (&'static str, usize) {
    match join {
        Join::Append => ("append", 0),
        Join::Add => ("add", 0),
        Join::AddInAnyOrder => ("add in any order", 0),
        Join::AddRows(width) => ("add rows", width),
    }
}

/// Data whose columns lie on other machines; `calls` are `fetch(first, last)`, `pick(columns)` and
/// `ask(question, join, width)`, `form` tells whether columns are sparse and how many are fetched at a time.
#[pyfunction]
pub(crate) fn shared_data(
    py: Python<'_>,
    calls: (Py<PyAny>, Py<PyAny>, Py<PyAny>),
    shape: (usize, usize),
    form: (bool, usize),
    names: Option<Vec<String>>,
    terms: Terms,
) -> PyResult<Data> {
    let (fetch, pick, ask) = calls;
    let (is_sparse, width) = form;
    looked_at(py, Shares { shape, is_sparse, width, fetch, pick, ask }, names, &terms)
}

/// A question to shares of columns, on the machine that answers. What the shares have in common is prepared once.
#[pyclass(frozen, module = "fiedler._core")]
pub(crate) struct ShareWork {
    text: String,
    worker: Arc<Worker>,
}

#[pymethods]
impl ShareWork {
    #[new]
    fn new(text: String) -> PyResult<Self> {
        let question = serde_json::from_str(&text)
            .map_err(|error| PyValueError::new_err(format!("no question of this version: {error}")))?;
        Ok(ShareWork { text, worker: Arc::new(Worker::new(question)) })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<ShareWork>(), (self.text.clone(),))
    }

    /// What a share answers: a dense matrix, or the parts of a CSC matrix and its number of rows.
    fn answer<'py>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyAny>,
        known: Option<PyReadonlyArray1<'py, f64>>,
        terms: Terms,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (worker, columns) = (Arc::clone(&self.worker), source(py, columns)?);
        let known = known.map(|numbers| numbers.as_array().to_vec());
        let answer = work::run(py, &terms, move |monitor| worker.answer(columns, known.as_deref(), monitor))?;
        Ok(PyArray1::from_vec(py, answer))
    }
}

/// The parts of a CSC matrix, values, rows and offsets, and its number of rows.
type Parts<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>, usize);

/// A matrix of this machine, read where it lies.
fn source(py: Python<'_>, columns: &Bound<'_, PyAny>) -> PyResult<Arc<dyn Columns>> {
    if let Ok(array) = columns.cast::<PyArray2<f64>>() {
        return Ok(Arc::new(dense(py, array)?));
    }
    if let Ok(array) = columns.cast::<PyArray2<f32>>() {
        return Ok(Arc::new(dense(py, array)?));
    }
    let (values, rows, offsets, n_samples): Parts<'_> = columns.extract()?;
    let shape = (n_samples, offsets.len()?.saturating_sub(1));
    Places::read(&rows, &offsets, |places| -> PyResult<Arc<dyn Columns>> {
        if let Ok(values) = values.cast::<PyArray1<f64>>() {
            return Ok(Arc::new(places.columns(py, arrays::list(values)?, shape, false)?));
        }
        let values = values.cast::<PyArray1<f32>>()?;
        Ok(Arc::new(places.columns(py, arrays::list(values)?, shape, false)?))
    })
}
