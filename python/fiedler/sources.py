"""Sources of knowledge for :func:`fiedler.fuse` and :class:`fiedler.MultiSource`: each makes a graph of the samples.

=================== ==============================================================
source              what it knows
=================== ==============================================================
:class:`Target`     the data themselves
:class:`Data`       other measurements of the same samples
:class:`Labels`     the classes of the samples: `y`, or others
:class:`Hierarchy`  a path ``a/b/c`` of every sample
:class:`Similarity` who is similar to whom
:class:`Sets`       features that act together
:class:`Network`    features that interact, or are alike
:class:`Annotations` terms of features
:class:`Sequences`  sequences of features
=================== ==============================================================

Samples of frames are matched by their index, others by position; features are matched by name, or by position where
they are numbers. Sets, networks, annotations and sequences may be files as public collections write them (GMT, KGML,
SIF, BioGRID and STRING tables, GAF with OBO, FASTA; gzip is looked through), read as ``fiedler fuse`` reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from . import _core, _data, _errors
from ._knowledge import Annotations, Network, Sequences, Sets
from ._source import Aim, OfNumbers, Source, short

__all__ = [
    "Annotations",
    "Data",
    "Hierarchy",
    "Labels",
    "Network",
    "Sequences",
    "Sets",
    "Similarity",
    "Source",
    "Target",
]


class Target(OfNumbers):
    """The data themselves.

    Parameters
    ----------
    graph : str
        The kind of graph: knn, rbf, ….
    **options
        Options of that graph: `n_neighbors`, `weight`, `bandwidth`, ….
    """

    def __init__(self, graph: str = "knn", **options: Any) -> None:
        super().__init__(graph, options)

    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The graph of the target."""
        return self._build(target.data, target.scale, target.terms)


class Data(OfNumbers):
    """Other measurements of the same samples.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n_samples, any)
        The measurements.
    graph : str
        The kind of graph: knn, rbf, ….
    scale : str
        What is done to every feature first: auto, standard, range or none.
    **options
        Options of that graph: `n_neighbors`, `weight`, `bandwidth`, ….
    """

    def __init__(self, X: Any, graph: str = "knn", *, scale: str = "auto", **options: Any) -> None:
        super().__init__(graph, options)
        self.X, self.scale = X, scale

    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The graph of the measurements."""
        from ._functions import read

        rows = _places(name, self.X, target)
        X = self.X.iloc[rows] if hasattr(self.X, "iloc") else _rows(self.X, rows)
        return self._build(read(X, target.terms)[0], self.scale, target.terms)


class Labels(Source):
    """The classes of the samples.

    Parameters
    ----------
    y : array of shape (n_samples,), optional
        The classes; otherwise the `y` that the target comes with.
    """

    def __init__(self, y: Any = None) -> None:
        self.y = y

    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The graph inside the classes."""
        if self.y is None:
            return _core.label_graph(target.data), []
        y = _picked(name, self.y, target)
        return _core.label_graph(_data.labeled(target.data, y)), []


class Hierarchy(Source):
    """A path ``a/b/c`` of every sample: the longer the beginning that two share, the more similar they are.

    Parameters
    ----------
    paths : array of str of shape (n_samples,)
        The paths.
    level_weights : list of float, optional
        One for each level from the top; equal unless given.
    """

    def __init__(self, paths: Any, *, level_weights: Sequence[float] | None = None) -> None:
        self.paths, self.level_weights = paths, level_weights

    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The graph of the paths."""
        paths = [str(path) for path in _picked(name, self.paths, target)]
        weights = None if self.level_weights is None else [float(w) for w in self.level_weights]
        return _core.hierarchy_graph(paths, weights), []


class Similarity(Source):
    """Who is similar to whom.

    Parameters
    ----------
    S : scipy matrix, array or square data frame of shape (n_samples, n_samples)
        A symmetric similarity.
    """

    def __init__(self, S: Any) -> None:
        self.S = S

    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The graph of the similarities."""
        rows = _places(name, self.S, target)
        S = self.S.tocsr() if sparse.issparse(self.S) else np.asarray(self.S)
        whole = len(rows) == S.shape[0] and (rows == np.arange(len(rows))).all()
        return _data.graph(S if whole else S[rows][:, rows]), []


def source(said: Any) -> Source:
    """A source as the user gives it: one of these classes, or a similarity of samples."""
    if isinstance(said, Source):
        return said
    if getattr(said, "ndim", 0) == 2 and said.shape[0] == said.shape[1]:
        return Similarity(said)
    raise _errors.ParameterError(
        "`sources` must be made of fiedler.sources.Target, Data, Labels, Hierarchy, Similarity, Sets, Network, "
        f"Annotations or Sequences, or of square matrices, got {short(said)}"
    )


def _places(name: str, values: Any, target: Aim) -> np.ndarray:
    """Where a source has the samples of the target: by the index of frames, by position otherwise."""
    n_samples = target.data.shape[0]
    size = values.shape[0] if hasattr(values, "shape") else len(values)
    samples = target.samples
    index = getattr(values, "index", None) if hasattr(values, "iloc") else None
    if samples is None or (index is None and hasattr(samples, "to_numpy") and size == n_samples):
        if size != n_samples:
            raise _errors.LengthError(
                f"source `{name}` has {size} samples and X has {n_samples}; pass `samples`, the rows of the sources "
                "that X is made of, or give frames, whose index is matched"
            )
        return np.arange(size)
    if index is not None:
        known, sought = (f"source `{name}`", [str(i) for i in index]), ("X", [str(i) for i in samples])
        return np.array(_core.match_names(known, sought, True, False)[0], dtype=np.int64)
    places = np.asarray(samples)
    if places.dtype.kind not in "iu" or places.shape != (n_samples,):
        raise _errors.ParameterError(
            f"`samples` must be {n_samples} rows of source `{name}`, which has no index, got {short(samples)}"
        )
    if len(places) and (places.min() < 0 or places.max() >= size):
        raise _errors.ParameterError(
            f"`samples` must be below {size}, the length of source `{name}`, got {places.max()}"
        )
    return places.astype(np.int64)


def _picked(name: str, values: Any, target: Aim) -> np.ndarray:
    return np.asarray(values, dtype=object)[_places(name, values, target)]


def _rows(X: Any, rows: np.ndarray) -> Any:
    X = X.tocsr() if sparse.issparse(X) else np.asarray(X)
    return X if len(rows) == X.shape[0] and (rows == np.arange(len(rows))).all() else X[rows]
