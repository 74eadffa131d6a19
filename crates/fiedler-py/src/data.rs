//! Data and labels (or targets) of Python as a [`Dataset`], read where they lie.

use std::fmt::Display;
use std::path::PathBuf;

use fiedler::dataset::{Columns, Dense, Scalar, Shared, Sparse};
use fiedler::{Dataset, Labels, Target};
use fiedler_io::ReadOptions;
use numpy::{Element, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::answer::in_words;
use crate::arrays;
use crate::elsewhere::Elsewhere;
use crate::errors::{raise, raise_class};
use crate::work::{self, Terms};

/// Samples × features, looked at once: every value is finite.
#[pyclass(frozen, module = "fiedler._core")]
pub(crate) struct Data {
    pub(crate) inner: Dataset,
}

#[pymethods]
impl Data {
    /// A dense matrix of f32 or f64, in any order, not copied.
    #[staticmethod]
    fn dense(
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        names: Option<Vec<String>>,
        terms: Terms,
    ) -> PyResult<Self> {
        if let Ok(array) = x.cast::<PyArray2<f64>>() {
            return looked_at(py, dense(py, array)?, names, &terms);
        }
        let array = x.cast::<PyArray2<f32>>()?;
        looked_at(py, dense(py, array)?, names, &terms)
    }

    /// A matrix compressed by columns (`by_rows` false), whose values are not copied, or by rows, which is turned into
    /// columns once.
    #[staticmethod]
    fn sparse(
        py: Python<'_>,
        parts: (Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>),
        shape: (usize, usize),
        by_rows: bool,
        names: Option<Vec<String>>,
        terms: Terms,
    ) -> PyResult<Self> {
        Places::read(&parts.1, &parts.2, |places| {
            if let Ok(values) = parts.0.cast::<PyArray1<f64>>() {
                let columns = places.columns(py, arrays::list(values)?, shape, by_rows)?;
                return looked_at(py, columns, names, &terms);
            }
            let values = parts.0.cast::<PyArray1<f32>>()?;
            let columns = places.columns(py, arrays::list(values)?, shape, by_rows)?;
            looked_at(py, columns, names, &terms)
        })
    }

    /// A matrix that `fetch(first, last)` hands out, some columns at a time (about `width`).
    #[staticmethod]
    fn elsewhere(
        py: Python<'_>,
        fetch: Py<PyAny>,
        shape: (usize, usize),
        form: (bool, usize),
        names: Option<Vec<String>>,
        terms: Terms,
    ) -> PyResult<Self> {
        let (is_sparse, width) = form;
        looked_at(py, Elsewhere { shape, is_sparse, width, fetch }, names, &terms)
    }

    /// A file, as the command reads it: the data, the names of the features, and what the reader decided on its own.
    /// `label` is the column of the classes.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        label: Option<String>,
        terms: Terms,
    ) -> PyResult<(Self, Vec<String>, Vec<String>)> {
        let options = ReadOptions { label: label.as_deref().map(Into::into), ..ReadOptions::default() };
        let read = work::run(py, &terms, move |monitor| match fiedler_io::read(&path, &options, monitor) {
            Err(fiedler_io::Error::Canceled) => Err(fiedler::Error::Canceled),
            read => Ok(read),
        })?;
        let table = read.map_err(|error| raise_class(py, "FileError", &error.to_string()))?;
        let names = (0..table.data.n_features()).map(|j| table.data.feature_name(j).into_owned()).collect();
        Ok((Data { inner: table.data }, names, in_words(&table.notes)))
    }

    /// The same data with labels: a class for every sample, -1 for none.
    fn labeled(
        &self,
        py: Python<'_>,
        classes: Vec<String>,
        codes: Vec<i64>,
        name: Option<String>,
    ) -> PyResult<Self> {
        let class = |code: &i64| usize::try_from(*code).ok().and_then(|c| classes.get(c));
        let labels = Labels::new(codes.iter().map(class));
        let labels = if let Some(name) = name { labels.called(name) } else { labels };
        let inner = self.inner.clone().labeled(labels).map_err(|error| raise(py, error))?;
        Ok(Data { inner })
    }

    /// The same data with a number to be predicted for every sample.
    fn targeted(&self, py: Python<'_>, values: Vec<f64>, name: Option<String>) -> PyResult<Self> {
        let target = Target::new(values).map_err(|error| raise(py, error))?;
        let target = if let Some(name) = name { target.called(name) } else { target };
        let inner = self.inner.clone().targeted(target).map_err(|error| raise(py, error))?;
        Ok(Data { inner })
    }

    /// Whether these labels are a number to be predicted by all signs.
    #[staticmethod]
    fn look_like_a_number(labels: Vec<String>) -> bool {
        Labels::new(labels.iter().map(Some)).look_continuous()
    }

    #[getter]
    fn has_target(&self) -> bool {
        self.inner.target().is_some()
    }

    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.inner.n_samples(), self.inner.n_features())
    }
}

pub(crate) fn dense<T: Scalar + Element>(
    py: Python<'_>,
    array: &Bound<'_, PyArray2<T>>,
) -> PyResult<Dense<T>> {
    let matrix = arrays::matrix(array)?;
    Dense::strided(matrix.values, matrix.shape, matrix.strides).map_err(|error| raise(py, error))
}

pub(crate) fn looked_at(
    py: Python<'_>,
    columns: impl Columns + 'static,
    names: Option<Vec<String>>,
    terms: &Terms,
) -> PyResult<Data> {
    let inner = work::run(py, terms, move |monitor| Dataset::named(columns, names, monitor))?;
    Ok(Data { inner })
}

/// Where the values of a compressed matrix stand: indices and offsets.
#[derive(Clone, Copy)]
pub(crate) enum Places<'a> {
    I32(&'a [i32], &'a [i32]),
    I64(&'a [i64], &'a [i64]),
}

impl Places<'_> {
    /// Reads the places where they lie if both are int32 or both int64, as scipy has them, and as int64 otherwise.
    pub(crate) fn read<R>(
        indices: &Bound<'_, PyAny>,
        offsets: &Bound<'_, PyAny>,
        then: impl FnOnce(Places<'_>) -> PyResult<R>,
    ) -> PyResult<R> {
        if let (Some(indices), Some(offsets)) = (lying::<i32>(indices), lying::<i32>(offsets))
            && let (Ok(indices), Ok(offsets)) = (indices.as_slice(), offsets.as_slice())
        {
            return then(Places::I32(indices, offsets));
        }
        if let (Some(indices), Some(offsets)) = (lying::<i64>(indices), lying::<i64>(offsets))
            && let (Ok(indices), Ok(offsets)) = (indices.as_slice(), offsets.as_slice())
        {
            return then(Places::I64(indices, offsets));
        }
        then(Places::I64(&widened(indices)?, &widened(offsets)?))
    }

    /// The matrix by columns.
    pub(crate) fn columns<T: Scalar>(
        self,
        py: Python<'_>,
        values: Shared<T>,
        (n_samples, n_features): (usize, usize),
        by_rows: bool,
    ) -> PyResult<Sparse<T>> {
        let made = py.detach(|| match (self, by_rows) {
            (Places::I32(rows, offsets), false) => Sparse::shared(offsets, rows, values, n_samples),
            (Places::I64(rows, offsets), false) => Sparse::shared(offsets, rows, values, n_samples),
            (Places::I32(columns, offsets), true) => turned(columns, offsets, (*values).as_ref(), n_features),
            (Places::I64(columns, offsets), true) => turned(columns, offsets, (*values).as_ref(), n_features),
        });
        made.map_err(|error| raise(py, error))
    }
}

/// An array of exactly that kind.
fn lying<'py, I: Element>(array: &Bound<'py, PyAny>) -> Option<PyReadonlyArray1<'py, I>> {
    array.extract().ok()
}

/// The numbers of an array of exactly that kind.
fn as_vec<I: Element + Copy>(array: &Bound<'_, PyAny>) -> Option<Vec<I>> {
    Some(lying::<I>(array)?.as_array().to_vec())
}

fn widened(array: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    fn from<I: Element + Copy + Into<i64>>(array: &Bound<'_, PyAny>) -> Option<Vec<i64>> {
        Some(as_vec::<I>(array)?.into_iter().map(Into::into).collect())
    }
    as_vec::<i64>(array)
        .or_else(|| from::<i32>(array))
        .or_else(|| from::<u32>(array))
        .or_else(|| from::<u16>(array))
        .ok_or_else(|| {
            PyTypeError::new_err("places of a sparse matrix must be int32, int64, uint16 or uint32")
        })
}

/// A matrix compressed by rows, compressed by columns: entries are counted, then put where they belong. Going through the
/// rows in their order, the rows of every column come out ascending.
fn turned<I, T>(columns: &[I], offsets: &[I], values: &[T], n_features: usize) -> fiedler::Result<Sparse<T>>
where
    I: Copy + Display + TryInto<usize>,
    T: Scalar,
{
    let wrong = |what: I| fiedler::Error::parameter("X", "a sparse matrix whose places fit its shape", what);
    let place = |at: I, end: usize| at.try_into().ok().filter(|v: &usize| *v < end).ok_or_else(|| wrong(at));
    let mut starts = vec![0_usize; n_features + 1];
    for &column in columns {
        starts[place(column, n_features)? + 1] += 1;
    }
    for j in 0..n_features {
        starts[j + 1] += starts[j];
    }
    let mut next = starts.clone();
    let mut rows = vec![0_u32; columns.len()];
    let Some(&first) = values.first() else {
        return Sparse::new(starts, rows, Vec::new(), offsets.len().saturating_sub(1));
    };
    let mut turned = vec![first; columns.len()];
    for (i, pair) in offsets.windows(2).enumerate() {
        let (from, to) = (place(pair[0], usize::MAX)?, place(pair[1], columns.len().min(values.len()) + 1)?);
        for at in from..to {
            let slot = &mut next[place(columns[at], n_features)?];
            let place = rows.get_mut(*slot).ok_or_else(|| wrong(columns[at]))?;
            *place = i as u32;
            turned[*slot] = values[at];
            *slot += 1;
        }
    }
    Sparse::new(starts, rows, turned, offsets.len().saturating_sub(1))
}
