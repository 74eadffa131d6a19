//! What can be asked without a method: eigenpairs and L2,1 regressions.

use fiedler::Dataset;
use fiedler::solve::{self, End, Options, Problem};
use fiedler::spectrum::Spectrum;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::data::Data;
use crate::graph::Graph;
use crate::work::{self, Terms};

/// The leading eigenpairs of the normalized Laplacian of a graph.
#[pyfunction]
pub(crate) fn spectrum<'py>(
    py: Python<'py>,
    graph: &Bound<'py, Graph>,
    n_pairs: usize,
    terms: Terms,
) -> PyResult<Bound<'py, PyDict>> {
    let inner = graph.get().inner.clone();
    let found = work::run(py, &terms, move |monitor| Spectrum::leading(&inner, n_pairs, monitor))?;
    let dict = PyDict::new(py);
    let vectors: Vec<&[f64]> = (0..found.len()).map(|j| found.vector(j)).collect();
    let n_samples = vectors.first().map_or(0, |vector| vector.len());
    let by_rows: Vec<f64> =
        (0..n_samples).flat_map(|i| vectors.iter().map(move |vector| vector[i])).collect();
    dict.set_item("values", PyArray1::from_slice(py, found.values()))?;
    dict.set_item("vectors", table(py, by_rows, vectors.len())?)?;
    dict.set_item("residuals", PyArray1::from_slice(py, found.residuals()))?;
    dict.set_item("eigengap", found.eigengap())?;
    Ok(dict)
}

/// The path of an L2,1 regression from λ_max to `count` active features.
#[pyfunction]
pub(crate) fn l21_path<'py>(
    py: Python<'py>,
    data: &Bound<'py, Data>,
    targets: PyReadonlyArray2<'py, f64>,
    count: usize,
    gap: f64,
    terms: Terms,
) -> PyResult<Bound<'py, PyDict>> {
    let regression = Regression::new(data, &targets, gap);
    let q = regression.n_targets;
    let found = work::run(py, &terms, move |monitor| {
        solve::path(&regression.problem()?, count, &regression.options, monitor)
    })?;
    let dict = PyDict::new(py);
    let points = &found.points;
    dict.set_item("lambdas", PyArray1::from_vec(py, points.iter().map(|p| p.lambda).collect()))?;
    dict.set_item("gaps", PyArray1::from_vec(py, points.iter().map(|p| p.gap).collect()))?;
    dict.set_item("active", PyList::new(py, points.iter().map(|p| p.active.clone()))?)?;
    dict.set_item("row_norms", PyList::new(py, points.iter().map(|p| p.row_norms.clone()))?)?;
    let last = points.last().map_or(Vec::new(), |p| p.weights.clone());
    dict.set_item("weights", table(py, last, q)?)?;
    dict.set_item("entries", found.entries)?;
    dict.set_item("copies", found.copies)?;
    let end = match found.end {
        End::Complete => "complete",
        End::Together => "together",
        End::Exhausted => "exhausted",
    };
    dict.set_item("end", end)?;
    Ok(dict)
}

/// The solution of an L2,1 regression at one λ: active features, their weights, the duality gap.
#[pyfunction]
pub(crate) fn l21_solve<'py>(
    py: Python<'py>,
    data: &Bound<'py, Data>,
    targets: PyReadonlyArray2<'py, f64>,
    penalty: f64,
    gap: f64,
    terms: Terms,
) -> PyResult<(Vec<usize>, Bound<'py, PyArray2<f64>>, f64)> {
    let regression = Regression::new(data, &targets, gap);
    let q = regression.n_targets;
    let found = work::run(py, &terms, move |monitor| {
        solve::solve(&regression.problem()?, penalty, &regression.options, monitor)
    })?;
    Ok((found.active, table(py, found.weights, q)?, found.gap))
}

/// What an L2,1 regression is made of.
struct Regression {
    data: Dataset,
    targets: Vec<f64>,
    n_targets: usize,
    options: Options,
}

impl Regression {
    fn new(data: &Bound<'_, Data>, targets: &PyReadonlyArray2<'_, f64>, gap: f64) -> Self {
        let view = targets.as_array();
        Regression {
            data: data.get().inner.clone(),
            targets: view.iter().copied().collect(),
            n_targets: view.ncols(),
            options: Options { gap, ..Options::default() },
        }
    }

    fn problem(&self) -> fiedler::Result<Problem<'_>> {
        Problem::new(&self.data, self.targets.clone(), self.n_targets)
    }
}

/// Numbers, row after row, as a table of so many columns.
fn table(py: Python<'_>, values: Vec<f64>, columns: usize) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let rows = values.len().checked_div(columns).unwrap_or(0);
    PyArray1::from_vec(py, values).reshape([rows, columns])
}
