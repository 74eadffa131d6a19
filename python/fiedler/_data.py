"""Arrays, sparse matrices and frames for the library, copied only where there is no other way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import type_of_target

from . import _core, _errors
from ._work import Terms

#: What the library computes with; other kinds of numbers are converted to the first.
DTYPES = [np.float64, np.float32]


def data(X: Any, names: list[str] | None, terms: Terms) -> _core.Data:
    """The data as the library sees them. `X` is what scikit-learn's ``check_array`` lets through.

    Dense arrays of float32 and float64 are read where they lie, in either order; so are the values of a CSC
    matrix. A CSR matrix is turned into columns once.
    """
    if not sparse.issparse(X):
        if any(stride < 0 or stride % X.itemsize for stride in X.strides) or not X.flags.aligned:
            X = X.copy()
        return _core.Data.dense(X, names, terms)
    if X.format not in ("csc", "csr"):
        X = X.tocsc()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    parts = (np.ascontiguousarray(X.data), X.indices, X.indptr)
    return _core.Data.sparse(parts, X.shape, X.format == "csr", names, terms)


@contextmanager
def by_name(X: Any) -> Iterator[None]:
    """While scikit-learn checks `X`: what it refuses of a table is told by the names of the columns."""
    if np.ma.is_masked(X):
        raise _errors.NotFiniteError("`X` has masked values, which are missing: fill in or drop missing values first")
    try:
        yield
    except Exception as error:
        said = _fault(X)
        if said is None:
            raise
        raise said from error


def _fault(X: Any) -> _errors.FiedlerError | None:
    """What is wrong with a table that was refused, where its columns tell it."""
    if not hasattr(X, "columns") or len(getattr(X, "shape", ())) != 2:
        return None
    if X.shape[1] == 0:
        return _errors.EmptyDataError(f"`X` must have samples and features, got a table of shape {X.shape}")
    names = [str(name) for name in X.columns]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        return _errors.DuplicateNameError(
            f"the columns of `X` must have names of their own, and {_listed(twice)} {_are(twice)} repeated: "
            "rename them, or pass an array"
        )
    columns = [X.iloc[:, j] if hasattr(X, "iloc") else X[:, j] for j in range(len(names))]
    bad = [name for name, column in zip(names, columns, strict=True) if not _is_of_numbers(column)]
    if not bad:
        return None
    return _errors.ParameterError(
        f"{_listed(bad)} of `X` {_are(bad)} not made of numbers: encode such columns (as scikit-learn's OneHotEncoder "
        "does) or leave them out"
    )


def _is_of_numbers(column: Any) -> bool:
    try:
        return np.asarray(column).dtype.kind not in "mMc" and bool(np.asarray(column, dtype=np.float64).ndim)
    except (TypeError, ValueError):
        return False


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:3])
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def labeled(found: _core.Data, y: Any, *, unlabeled: bool = False, name: str | None = None) -> _core.Data:
    """The same data with labels, or with a number to be predicted where `y` is one.

    A missing label is None or NaN, and -1 where few labels are expected.
    """
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise _errors.LengthError(f"`y` must be a list of one label per sample, got an array of shape {values.shape}")
    missing = _missing(values)
    if unlabeled:
        missing |= _unlabeled(values)
    present = values[~missing]
    texts = np.array([_text(v) for v in present], dtype=str)
    if values.dtype.kind == "f" and is_number(present, texts):
        return found.targeted(values.astype(np.float64).tolist(), name)
    classes, inverse = np.unique(texts, return_inverse=True)
    codes = np.full(len(values), -1, dtype=np.int64)
    codes[~missing] = inverse
    return found.labeled(classes.tolist(), codes.tolist(), name)


def is_number(y: np.ndarray, texts: np.ndarray) -> bool:
    """Whether `y` is the target of a regression: methods of classes would take every value for a class."""
    return len(y) > 0 and (type_of_target(y).startswith("continuous") or _core.Data.look_like_a_number(texts.tolist()))


def name_of(y: Any) -> str | None:
    """What a series is called."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else None


def _unlabeled(values: np.ndarray) -> np.ndarray:
    """Where -1 stands for no label; the text "-1" is a class."""
    if values.dtype.kind == "O":
        numbers = (int, float, np.integer, np.floating)
        return np.array([isinstance(v, numbers) and v == -1 for v in values], dtype=bool)
    return values == -1 if values.dtype.kind in "if" else np.zeros(len(values), dtype=bool)


def _missing(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind == "O":
        return np.array([_is_missing(v) for v in values], dtype=bool)
    return np.zeros(len(values), dtype=bool)


def _is_missing(value: Any) -> bool:
    """None, NaN, and the missing value of pandas, which is neither equal to itself nor different."""
    if value is None or type(value).__name__ == "NAType":
        return True
    return bool(isinstance(value, (float, np.floating, np.datetime64)) and value != value)


def _text(value: Any) -> str:
    """A class as text, such that 1 and 1.0 are the same class."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    return str(value)


def graph(S: Any) -> _core.Graph:
    """A similarity of the user's as a graph: a scipy matrix, or all pairs in an array."""
    if isinstance(S, _core.Graph):
        return S
    shape = getattr(S, "shape", None)
    if shape is None or len(shape) != 2 or shape[0] != shape[1]:
        raise _errors.LengthError(
            f"`graph` must be a kind by name or a square matrix, samples by samples, got {_shape_or_value(S)}"
        )
    if not sparse.issparse(S):
        return _core.Graph.from_dense(np.asarray(S, dtype=np.float64))
    rows = S.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    return _core.Graph.from_rows(
        rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data.astype(np.float64)
    )


def _shape_or_value(S: Any) -> str:
    shape = getattr(S, "shape", None)
    return repr(S) if shape is None else f"one of shape {tuple(shape)}"


def matrix(found: _core.Graph) -> sparse.csr_array:
    """A graph as scipy's CSR."""
    return _compressed(found.rows(), (found.n_samples, found.n_samples))


def links(found: _core.Graph) -> sparse.csr_array | None:
    """The links of samples to landmarks as scipy's CSR, samples × landmarks."""
    linked = found.links()
    return None if linked is None else _compressed(linked[0], (found.n_samples, linked[1]))


def _compressed(rows: tuple[np.ndarray, np.ndarray, np.ndarray], shape: tuple[int, int]) -> sparse.csr_array:
    indptr, indices, values = rows
    if len(values) <= np.iinfo(np.int32).max:
        indptr = indptr.astype(np.int32)
    made = sparse.csr_array((values, indices, indptr), shape=shape)
    made.has_canonical_format = True
    return made
