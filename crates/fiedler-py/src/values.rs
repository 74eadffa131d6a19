//! Values of parameters, to and from Python.

use fiedler::{Cells, Detail, ParameterValue, Parameters};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyList, PyString};

/// A value as the user wrote it. What is none of the kinds goes on as text, and the parameter's own rule refuses it.
pub(crate) fn value(object: &Bound<'_, PyAny>) -> PyResult<ParameterValue> {
    if let Ok(flag) = object.cast::<PyBool>() {
        return Ok(ParameterValue::Bool(flag.is_true()));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(text.to_str()?.to_owned().into());
    }
    if !object.is_instance_of::<PyFloat>()
        && let Ok(whole) = object.extract::<usize>()
    {
        return Ok(whole.into());
    }
    if let Ok(number) = object.extract::<f64>() {
        return Ok(number.into());
    }
    Ok(object.str()?.to_str()?.to_owned().into())
}

/// A value for Python.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &ParameterValue) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        ParameterValue::Integer(v) => v.into_pyobject(py)?.into_any(),
        ParameterValue::Real(v) => v.into_pyobject(py)?.into_any(),
        ParameterValue::Bool(v) => v.into_pyobject(py)?.to_owned().into_any(),
        other => other.to_string().into_pyobject(py)?.into_any(),
    })
}

/// Values by name.
pub(crate) fn dictionary<'py, 'n, 'v>(
    py: Python<'py>,
    values: impl Iterator<Item = (&'n str, &'v ParameterValue)>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in values {
        dict.set_item(name, to_python(py, value)?)?;
    }
    Ok(dict)
}

/// Parameters by name.
pub(crate) fn parameters<'py>(py: Python<'py>, parameters: &Parameters) -> PyResult<Bound<'py, PyDict>> {
    dictionary(py, parameters.iter())
}

/// A table that a method tells beyond scores.
pub(crate) fn detail<'py>(py: Python<'py>, detail: &Detail) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("key", &detail.key)?;
    dict.set_item("title", &detail.title)?;
    dict.set_item("sentence", &detail.sentence)?;
    let columns = PyDict::new(py);
    for column in &detail.columns {
        columns.set_item(&column.key, cells(py, &column.values)?)?;
    }
    dict.set_item("columns", columns)?;
    Ok(dict)
}

fn cells<'py>(py: Python<'py>, cells: &Cells) -> PyResult<Bound<'py, PyAny>> {
    Ok(match cells {
        Cells::Numbers(v) => v.into_pyobject(py)?.into_any(),
        Cells::Bars(v) => v.into_pyobject(py)?.into_any(),
        Cells::Counts(v) | Cells::Features(v) => v.into_pyobject(py)?.into_any(),
        Cells::Words(v) => v.into_pyobject(py)?.into_any(),
        Cells::Marks(v) => v.into_pyobject(py)?.into_any(),
        Cells::FeatureLists(v) => v.into_pyobject(py)?.into_any(),
        Cells::NumberLists(v) => v.into_pyobject(py)?.into_any(),
        _ => PyList::empty(py).into_any(),
    })
}
