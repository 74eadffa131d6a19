"""Data that lie elsewhere: matrices of backed AnnData objects, of Dask, h5py and zarr, read some columns at a time.

Dense data in a file and columns of a CSC matrix are read as they lie. What lies by rows (a CSR matrix in a file, the
blocks of a Dask array) is read once, some rows at a time, and kept by columns in a temporary folder::

    rows  ─► 32 MB ─► by columns ─► temporary files ─► some columns of all of them ─► the library
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from threading import Lock
from typing import Any
from weakref import finalize

import numpy as np
from scipy import sparse

from . import _core, _errors
from ._work import Terms

#: About how much memory some columns or rows take at a time.
PIECE = 32 * 2**20
#: Columns that the library computes with together.
_TOGETHER = 64


class Elsewhere:
    """A matrix that is read some columns at a time."""

    def __init__(self, X: Any, rows: np.ndarray | None = None, columns: np.ndarray | None = None) -> None:
        self._X, self._rows, self._columns = X, rows, columns
        n, m = X.shape
        self.shape = (n if rows is None else len(rows), m if columns is None else len(columns))

    def part(self, rows: np.ndarray | None = None, columns: np.ndarray | None = None) -> Elsewhere:
        """Some rows, or some columns, of it."""
        return Elsewhere(self._X, _chosen(self._rows, rows), _chosen(self._columns, columns))

    def data(self, names: list[str] | None, terms: Terms) -> _core.Data:
        """The data as the library sees them."""
        if 0 in self.shape:
            raise _errors.EmptyDataError(f"`X` must have samples and features, got an array of shape {self.shape}")
        form = (is_sparse(self._X), self._width())
        return _core.Data.elsewhere(self._fetch, self.shape, form, names, terms)

    def _width(self) -> int:
        """How many columns are read at a time."""
        n, m = self._X.shape
        size = _stored(self._X) * 16 / max(m, 1) if is_sparse(self._X) else 8 * n
        return max(int(PIECE / max(size, 1)) // _TOGETHER, 1) * _TOGETHER

    def _fetch(self, first: int, last: int) -> Any:
        columns = np.arange(first, last) if self._columns is None else self._columns[first:last]
        low, high = int(columns.min()), int(columns.max()) + 1
        found = self._read(low, high)
        if len(columns) < high - low or (np.diff(columns) != 1).any():
            found = found[:, columns - low]
        if self._rows is not None:
            found = found[self._rows]
        dtype = np.float32 if found.dtype == np.float32 else np.float64
        if not sparse.issparse(found):
            return np.asarray(found, dtype=dtype)
        found = sparse.csc_array(found)
        found.sum_duplicates()
        return found.data.astype(dtype, copy=False), found.indices.astype(np.int64), found.indptr.astype(np.int64)

    def _read(self, low: int, high: int) -> Any:
        return self._X[:, low:high]


class Turned:
    """A matrix that lies by rows, turned into columns once, when it is first read."""

    def __init__(self, X: Any) -> None:
        self.shape, self.dtype = X.shape, X.dtype
        self.sparse, self.stored = is_sparse(X), _stored(X)
        self._X, self._folder, self._lock = X, tempfile.mkdtemp(prefix="fiedler-"), Lock()
        finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._parts: list[Any] = []

    def __getitem__(self, at: tuple[slice, slice]) -> Any:
        with self._lock:
            if not self._parts:
                self._parts = [self._kept(number, part) for number, part in enumerate(_by_rows(self._X))]
        found = [_columns_of(part, at[1]) for part in self._parts]
        return sparse.vstack(found, format="csc") if self.sparse else np.concatenate(found)

    def _kept(self, number: int, part: Any) -> Any:
        """Some rows by columns, in files that are looked into where they lie."""
        if not sparse.issparse(part):
            return self._saved(f"{number}", np.asfortranarray(part))
        part = sparse.csc_array(part)
        part.sum_duplicates()
        values, rows = self._saved(f"{number}-values", part.data), self._saved(f"{number}-rows", part.indices)
        return values, rows, part.indptr, part.shape[0]

    def _saved(self, name: str, array: np.ndarray) -> np.ndarray:
        path = os.path.join(self._folder, f"{name}.npy")
        np.save(path, array)
        return np.load(path, mmap_mode="r" if array.size else None)


def _columns_of(part: Any, columns: slice) -> Any:
    if isinstance(part, np.ndarray):
        return part[:, columns]
    values, rows, offsets, n_rows = part
    low, high = offsets[columns.start], offsets[columns.stop]
    places = offsets[columns.start : columns.stop + 1] - low
    return sparse.csc_array((values[low:high], rows[low:high], places), shape=(n_rows, columns.stop - columns.start))


def _by_rows(X: Any) -> Iterator[Any]:
    """The rows, some at a time: blocks of Dask as they are, others in pieces."""
    if hasattr(X, "compute"):
        ends = np.cumsum((0, *X.chunks[0]))
        for first, last in pairwise(ends):
            # Not by threads: the library waits inside one of its own.
            yield X[int(first) : int(last)].compute(scheduler="synchronous")
        return
    n = X.shape[0]
    step = max(int(PIECE / max(_stored(X) * 16 / max(n, 1), 1)), 1)
    for first in range(0, n, step):
        yield sparse.csr_array(X[first : min(first + step, n)])


def found_elsewhere(X: Any) -> Elsewhere | None:
    """The matrix as one that lies elsewhere, where it does."""
    if isinstance(X, Elsewhere):
        return X
    if sparse.issparse(X) or isinstance(X, np.ndarray):
        return None  # a view of an AnnData object in memory is of anndata's own classes
    kind = f"{type(X).__module__}.{type(X).__name__}"
    lazy = kind.startswith(("dask.array.", "h5py.", "zarr.")) or (kind.startswith("anndata.") and hasattr(X, "format"))
    if not lazy or len(getattr(X, "shape", ())) != 2:
        return None
    if X.dtype.kind not in "fiub":
        raise _errors.ParameterError(f"`X` must be made of numbers, got {X.dtype}")
    by_rows = hasattr(X, "compute") or getattr(X, "format", "") == "csr"
    return Elsewhere(Turned(X) if by_rows else X)


def is_sparse(X: Any) -> bool:
    """Whether columns of it are sparse."""
    if isinstance(X, Turned):
        return X.sparse
    return sparse.issparse(getattr(X, "_meta", None)) or getattr(X, "format", "") in ("csr", "csc")


def _stored(X: Any) -> int:
    """About how many values a sparse matrix has; a tenth of all where that is not known."""
    if isinstance(X, Turned):
        return X.stored
    group = getattr(X, "group", None)
    return int(group["data"].shape[0]) if group is not None else X.shape[0] * X.shape[1] // 10


def _chosen(before: np.ndarray | None, now: np.ndarray | None) -> np.ndarray | None:
    if before is None or now is None:
        return before if now is None else now
    return before[now]
