//! Arrays that numpy owns, read where they lie.

use std::sync::Arc;

use fiedler::dataset::{Scalar, Shared};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Numbers of an array, and the array, which is kept alive.
struct Lent<T> {
    first: *const T,
    length: usize,
    _owner: Py<PyAny>,
}

// The numbers are plain `f32` or `f64`; the owner is only dropped, which any thread may do.
#[allow(unsafe_code)]
unsafe impl<T: Sync> Send for Lent<T> {}
#[allow(unsafe_code)]
unsafe impl<T: Sync> Sync for Lent<T> {}

impl<T> AsRef<[T]> for Lent<T> {
    #[allow(unsafe_code)]
    fn as_ref(&self) -> &[T] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: `lend` made sure that so many aligned numbers lie there, numpy never moves an array that others refer
        // to, and the owner refers to it. Whoever writes into an array while it is analyzed gets an answer of no use:
        // that is said in the documentation, as everywhere where the interpreter is set free.
        unsafe { std::slice::from_raw_parts(self.first, self.length) }
    }
}

/// A matrix as it lies in memory: its numbers, shape and strides in numbers.
pub(crate) struct Matrix<T> {
    pub(crate) values: Shared<T>,
    pub(crate) shape: (usize, usize),
    pub(crate) strides: (usize, usize),
}

/// A matrix that numpy owns.
pub(crate) fn matrix<T: Scalar + Element>(array: &Bound<'_, PyArray2<T>>) -> PyResult<Matrix<T>> {
    let (shape, size) = ((array.shape()[0], array.shape()[1]), std::mem::size_of::<T>());
    let mut strides = [0; 2];
    for (axis, stride) in strides.iter_mut().enumerate() {
        let bytes = array.strides()[axis];
        let whole = usize::try_from(bytes).ok().filter(|b| b % size == 0).map(|b| b / size);
        *stride = whole.ok_or_else(|| PyValueError::new_err("`X` must not have negative strides"))?;
    }
    let length = if shape.0 == 0 || shape.1 == 0 {
        0
    } else {
        (shape.0 - 1) * strides[0] + (shape.1 - 1) * strides[1] + 1
    };
    let values = lend(array.data().cast_const(), length, array.as_any())?;
    Ok(Matrix { values, shape, strides: (strides[0], strides[1]) })
}

/// A list that numpy owns.
pub(crate) fn list<T: Scalar + Element>(array: &Bound<'_, PyArray1<T>>) -> PyResult<Shared<T>> {
    if !array.is_contiguous() {
        return Err(PyValueError::new_err("the values of a sparse matrix must lie side by side"));
    }
    lend(array.data().cast_const(), array.len(), array.as_any())
}

fn lend<T: Scalar>(first: *const T, length: usize, owner: &Bound<'_, PyAny>) -> PyResult<Shared<T>> {
    if !first.is_aligned() {
        return Err(PyValueError::new_err("arrays must be aligned"));
    }
    Ok(Arc::new(Lent { first, length, _owner: owner.clone().unbind() }))
}
