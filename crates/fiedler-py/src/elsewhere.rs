//! Data that lie elsewhere (a file, a task graph) and are fetched by Python, some columns at a time.

use std::ops::Range;

use fiedler::dataset::{Block, Columns, DenseBlock, SparseBlock, Values};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// A matrix that is fetched by `fetch(first, last)`: an array in any order where it is dense, otherwise the parts of
/// a CSC matrix in canonical form.
pub(crate) struct Elsewhere {
    pub(crate) shape: (usize, usize),
    pub(crate) is_sparse: bool,
    /// How many columns are fetched at a time.
    pub(crate) width: usize,
    pub(crate) fetch: Py<PyAny>,
}

/// The parts of a CSC matrix: values, rows, offsets.
type Parts<'py> = (Bound<'py, PyAny>, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>);

impl Columns for Elsewhere {
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
        Python::attach(|py| {
            let found = self.fetch.bind(py).call1((range.start, range.end))?;
            block(&found, self.is_sparse)
        })
        .map_err(|error| fiedler::Error::Columns(error.to_string().into()))
    }

    fn preferred_block(&self) -> usize {
        self.width
    }
}

/// Columns that were fetched.
pub(crate) fn block(found: &Bound<'_, PyAny>, is_sparse: bool) -> PyResult<Block<'static>> {
    if is_sparse { sparse(found.extract()?) } else { dense(found) }
}

fn dense(found: &Bound<'_, PyAny>) -> PyResult<Block<'static>> {
    let array = found.cast::<PyArray2<f64>>();
    let (values, rows) = if let Ok(array) = array {
        (Values::F64(by_columns(array).into()), array.shape()[0])
    } else {
        let array = found.cast::<PyArray2<f32>>()?;
        (Values::F32(by_columns(array).into()), array.shape()[0])
    };
    Ok(Block::Dense(DenseBlock { values, row_stride: 1, column_stride: rows }))
}

fn by_columns<T: Element + Copy>(array: &Bound<'_, PyArray2<T>>) -> Vec<T> {
    array.readonly().as_array().t().iter().copied().collect()
}

fn sparse((values, rows, offsets): Parts<'_>) -> PyResult<Block<'static>> {
    let values = if let Ok(array) = values.cast::<PyArray1<f64>>() {
        Values::F64(array.readonly().as_array().to_vec().into())
    } else {
        Values::F32(values.cast::<PyArray1<f32>>()?.readonly().as_array().to_vec().into())
    };
    // A place below 0 becomes one beyond all samples, which the library refuses with the rest of what does not fit.
    let place = |&v: &i64| u32::try_from(v).unwrap_or(u32::MAX);
    let rows: Vec<u32> = rows.as_array().iter().map(place).collect();
    let offsets: Vec<usize> =
        offsets.as_array().iter().map(|&v| usize::try_from(v).unwrap_or(usize::MAX)).collect();
    Ok(Block::Sparse(SparseBlock { offsets: offsets.into(), rows: rows.into(), values }))
}
