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
=================== ==============================================================

Samples of frames are matched by their index, others by position; features are matched by name, or by position where
they are numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from . import _core, _data, _errors
from ._base import graph_question, question
from ._work import Terms

#: The library's names of the options of graphs, by keyword.
_GRAPH = {p["keyword"]: p["name"] for p in _core.describe()["graph"]}


class Aim(NamedTuple):
    """The data whose features are ranked, and how a source is matched with them."""

    data: _core.Data
    names: list[str] | None
    samples: Any
    scale: str
    terms: Terms


class Source(ABC):
    """What every source is: it makes a graph for the samples of the target."""

    @abstractmethod
    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The graph, and what to know of it."""

    def __deepcopy__(self, memo: Any) -> Source:
        # Sources are never changed, and clones of an estimator need no copies of their data.
        return self

    def __repr__(self) -> str:
        said = ", ".join(f"{key}={_short(value)}" for key, value in self.__dict__.items() if value is not None)
        return f"{type(self).__name__}({said})"


class _OfNumbers(Source):
    """A source that makes a graph of numbers: its kind and options are those of the estimators."""

    def __init__(self, kind: str, options: dict[str, Any]) -> None:
        self.kind, self.options = kind, options

    def _asked(self) -> dict[str, Any]:
        # What is no option is refused by the library, with a list of those that are.
        said = [(_GRAPH.get(keyword, keyword), value) for keyword, value in self.options.items()]
        return graph_question(self.kind, said)

    def _build(self, data: _core.Data, scale: str, terms: Terms) -> tuple[_core.Graph, list[str]]:
        asked = {**question([], [], self._asked(), (scale, "auto")), "rank": False, "spectrum": 0}
        return _core.build_graph(data, asked, terms)


class Target(_OfNumbers):
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


class Data(_OfNumbers):
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


class Sets(_OfNumbers):
    """Features that act together: the target is looked at through each of the sets.

    Parameters
    ----------
    sets : dict of str to list
        The features of every set, by name or position.
    graph : str
        The kind of graph: knn, rbf, ….
    join : bool
        One set of all features in place of a graph for each set.
    drop : bool
        Whether features that the target lacks are dropped; otherwise they are an error.
    **options
        Options of that graph: `n_neighbors`, `weight`, `bandwidth`, ….
    """

    def __init__(
        self,
        sets: Mapping[str, Iterable[Any]],
        graph: str = "knn",
        *,
        join: bool = False,
        drop: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(graph, options)
        self.sets, self.join, self.drop = sets, join, drop

    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The mean of the graphs of the sets."""
        sets = {str(key): list(members) for key, members in self.sets.items()}
        found, notes = _features(name, [f for members in sets.values() for f in members], target, self.drop)
        places, matched = iter(found), []
        for key, members in sets.items():
            inside = [place for _, place in zip(members, places, strict=False) if place is not None]
            if inside:
                matched.append((key, inside))
        if self.join:
            matched = [(name, sorted({j for _, members in matched for j in members}))]
        made = _core.set_graph(target.data, matched, self._asked(), target.scale, target.terms)
        return made, notes


class Network(Source):
    """Features that interact, or are alike: samples are near that differ in features of the same neighborhood.

    Parameters
    ----------
    edges : list of (feature, feature) or (feature, feature, weight); scipy matrix or square data frame
        The network, of feature names or positions; a matrix is features × features.
    covariance : str
        ``"kernel"``; ``"printed"``: proposition 4 of the dissertation to the letter; ``"repaired"``: with K to the
        power ½, as the covariance of an embedding is.
    bandwidth : float or "auto"
        The width of the kernel on the distances.
    drop : bool
        Whether features that the target lacks are dropped; otherwise they are an error.
    """

    def __init__(
        self, edges: Any, *, covariance: str = "kernel", bandwidth: float | str = "auto", drop: bool = False
    ) -> None:
        self.edges, self.covariance, self.bandwidth, self.drop = edges, covariance, bandwidth, drop

    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The graph of the samples by the network."""
        ends, weights = _ends(self.edges)
        found, notes = _features(name, ends, target, self.drop)
        pairs = zip(found[::2], found[1::2], weights, strict=True)
        edges = [(a, b, w) for a, b, w in pairs if a is not None and b is not None]
        kernel = (self.covariance, str(self.bandwidth))
        made, told = _core.network_graph(target.data, edges, kernel, target.scale, target.terms)
        return made, notes + told


class Annotations(Source):
    """Terms of features: features are alike that share terms.

    Parameters
    ----------
    terms : dict of feature to list of terms, or list of (feature, term)
        The annotations.
    overlap : str
        How features that share terms are alike: jaccard and cosine count them; information (simGIC) and resnik weigh
        them by -ln of the share of annotated features that have a term.
    max_features : int, optional
        Terms of more features tell nothing and are left out; otherwise 200 or a quarter of all features, whichever is
        more.
    covariance : str
        ``"kernel"``; ``"printed"``: proposition 4 of the dissertation to the letter; ``"repaired"``: with K to the
        power ½, as the covariance of an embedding is.
    bandwidth : float or "auto"
        The width of the kernel on the distances.
    drop : bool
        Whether features that the target lacks are dropped; otherwise they are an error.
    """

    def __init__(
        self,
        terms: Any,
        *,
        overlap: str = "jaccard",
        max_features: int | None = None,
        covariance: str = "kernel",
        bandwidth: float | str = "auto",
        drop: bool = False,
    ) -> None:
        self.terms, self.overlap, self.max_features = terms, overlap, max_features
        self.covariance, self.bandwidth, self.drop = covariance, bandwidth, drop

    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The graph of the samples by the terms of their features."""
        said = self.terms
        pairs = [(f, t) for f, terms in said.items() for t in terms] if isinstance(said, Mapping) else list(said)
        found, notes = _features(name, [feature for feature, _ in pairs], target, self.drop)
        numbers = {term: at for at, term in enumerate(sorted({str(term) for _, term in pairs}))}
        known = [(j, numbers[str(term)]) for j, (_, term) in zip(found, pairs, strict=True) if j is not None]
        about = (known, self.overlap, self.max_features)
        kernel = (self.covariance, str(self.bandwidth))
        made, told = _core.annotation_graph(target.data, about, kernel, target.scale, target.terms)
        return made, notes + told


def source(said: Any) -> Source:
    """A source as the user gives it: one of these classes, or a similarity of samples."""
    if isinstance(said, Source):
        return said
    if getattr(said, "ndim", 0) == 2 and said.shape[0] == said.shape[1]:
        return Similarity(said)
    raise _errors.ParameterError(
        "`sources` must be made of fiedler.sources.Target, Data, Labels, Hierarchy, Similarity, Sets, Network or "
        f"Annotations, or of square matrices, got {_short(said)}"
    )


def _features(name: str, asked: list[Any], target: Aim, drop: bool) -> tuple[list[int | None], list[str]]:
    """Where features stand in the target: by name, or by position where they are numbers."""
    n_features = target.data.shape[1]
    if asked and all(isinstance(f, (int, np.integer)) and not isinstance(f, bool) for f in asked):
        wrong = [f for f in asked if not 0 <= f < n_features]
        if wrong:
            raise _errors.SourceError(f"source `{name}`: there is no feature {wrong[0]}; there are {n_features}")
        return [int(f) for f in asked], []
    names = target.names if target.names is not None else [f"x{j}" for j in range(n_features)]
    known, sought = ("X", names), (f"source `{name}`", [str(f) for f in asked])
    found, dropped = _core.match_names(known, sought, False, drop)
    told = "1 feature name is not in X and was dropped"
    if len(dropped) > 1:
        told = f"{len(dropped)} feature names are not in X and were dropped"
    return found, [told] if dropped else []


def _ends(edges: Any) -> tuple[list[Any], list[float]]:
    """The ends of all edges, one after the other, and their weights."""
    if hasattr(edges, "columns") and hasattr(edges, "to_numpy") and edges.shape[0] == edges.shape[1]:
        names, S = list(edges.columns), sparse.coo_array(edges.to_numpy())
    elif getattr(edges, "ndim", 0) == 2 and edges.shape[0] == edges.shape[1]:
        names, S = None, sparse.coo_array(edges)
    else:
        listed = [tuple(edge) for edge in (edges.itertuples(index=False) if hasattr(edges, "itertuples") else edges)]
        return [end for edge in listed for end in edge[:2]], [float(e[2]) if len(e) > 2 else 1.0 for e in listed]
    ends = [int(j) if names is None else names[j] for pair in zip(S.row, S.col, strict=True) for j in pair]
    return ends, [float(w) for w in S.data]


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
            f"`samples` must be {n_samples} rows of source `{name}`, which has no index, got {_short(samples)}"
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


def _short(value: Any) -> str:
    shape = getattr(value, "shape", None)
    text = f"{type(value).__name__} of shape {tuple(shape)}" if shape is not None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


__all__ = ["Annotations", "Data", "Hierarchy", "Labels", "Network", "Sets", "Similarity", "Source", "Target"]
