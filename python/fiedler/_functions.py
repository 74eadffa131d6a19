"""For those who want no estimator: rankings, graphs, spectra, paths, evaluation, stability."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array

from . import _checks, _core, _data, _errors
from ._base import graph_question, plain_value, question, seed
from ._blocks import found_elsewhere
from ._results import Findings, Path, Spectrum, asked_again
from ._work import Terms, Work, warn

#: The library's names of the options of graphs, by keyword.
_GRAPH = {p["keyword"]: p["name"] for p in _core.describe()["graph"]}
#: What the registry says of every method.
METHODS = {m["name"]: m for m in _core.describe()["methods"]}


class Named(NamedTuple):
    """Data with names for their columns."""

    X: Any
    names: list[str]


def rank(
    X: Any,
    y: Any = None,
    *,
    method: str | Sequence[str] = "laplacian",
    n_features_to_select: int | None = None,
    feature_names: Sequence[str] | None = None,
    graph: Any = None,
    scale: str = "auto",
    value_transform: str = "auto",
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: int | bool = 0,
    memory: str | int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    **parameters: Any,
) -> Any:
    """Rank the features of `X`, best first.

    Parameters
    ----------
    X : array, sparse matrix, data frame, AnnData, or path of a file, of shape (n_samples, n_features)
        The data. A file is read as the command reads it: CSV, Parquet, NPY, MAT, .h5ad, 10x and others.
    y : array of shape (n_samples,), or str, optional
        Class labels; used by methods that can. None or NaN: no label. With a file: the column of the labels.
    method : str or list of str
        The method by name, or several, which then share their graph; `show_methods` lists them.
    n_features_to_select : int, optional
        For methods that choose features together: how many to choose with care.
    feature_names : list of str, optional
        The names of the columns, for data that bring none, such as sparse matrices.
    graph : str, scipy matrix or array, optional
        A kind of graph by name, or a similarity of your own; the method's usual one otherwise.
    scale : str
        What is done to every feature first: auto, standard, range or none.
    value_transform : str
        What is done to every value before that: none, ranks, log, or auto for what suits the data.
    random_state : int or generator, optional
        The seed of methods that draw.
    n_jobs : int, optional
        Threads; the answer does not depend on it.
    verbose : int or bool
        Whether to show how far the work is.
    memory : str or int, optional
        What the work may take, the data of a file included, such as ``"2GB"``; otherwise as :func:`set_config` says.
        A file that is larger stays on the disk.
    checkpoint : str or path, optional
        A folder in which unfinished work is kept. The same call, made again after the process was killed, goes on
        from there and gives the same bits; when the answer is there the folder is removed.
    **parameters
        Parameters of the method (`gamma`, `pairs`, …) and of its graph (`n_neighbors`, `weight`, `metric`, …).

    Returns
    -------
    Findings, or a list of them where several methods were asked for
    """
    X, names = named(X, feature_names), [method] if isinstance(method, str) else list(method)
    asked = asked_of(names, graph, (scale, value_transform), random_state, parameters)
    if n_features_to_select is not None:
        asked["count"] = _checks.whole("n_features_to_select", n_features_to_select, 1)
    folder = None if checkpoint is None else _checks.folder("checkpoint", checkpoint)
    found, graphs, features, data = _answer(X, y, asked, Work(n_jobs, verbose, memory=memory), folder)
    warn(found["warnings"])
    answers = [Findings(found, at, graphs[at], features) for at in range(len(names))]
    for answer in answers:
        answer._X = None if isinstance(X, (str, os.PathLike)) else X.X if isinstance(X, Named) else X
        answer._tell = asked_again(data, asked, n_jobs)
    return answers[0] if isinstance(method, str) else answers


def laplacian_score(X: Any, y: Any = None, **parameters: Any) -> np.ndarray:
    """The Laplacian score of every feature with its sign changed, so that larger is better.

    Made for ``SelectKBest(score_func=fiedler.laplacian_score)``.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n_samples, n_features)
        The data.
    y : ignored
        There for scikit-learn.
    **parameters
        As in :func:`rank`.

    Returns
    -------
    ndarray of shape (n_features,)
        NaN for features that have no score, or that too few samples carry to be judged.
    """
    found = rank(X, method="laplacian", **parameters)
    scores = -found.scores
    scores[list(found.reasons)] = np.nan
    return scores


def knn_graph(
    X: Any,
    *,
    n_neighbors: int | str = "auto",
    weight: str = "heat",
    bandwidth: float | str = "auto",
    metric: str = "auto",
    mutual: bool = False,
    approximate: bool | str = "auto",
    recall: float = 0.95,
    scale: str = "auto",
    value_transform: str = "auto",
    n_jobs: int | None = None,
    verbose: int | bool = 0,
    memory: str | int | None = None,
) -> sparse.csr_array:
    """The graph of nearest neighbors, as a symmetric scipy CSR array of similarities.

    It goes back in as ``graph=`` everywhere, and so does any other symmetric matrix.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n_samples, n_features)
        The data.
    n_neighbors : int or "auto"
        {n_neighbors}
    weight : str
        {weight}
    bandwidth : float or "auto"
        {bandwidth}
    metric : str
        {metric}
    mutual : bool
        {mutual}
    approximate : bool or "auto"
        {approximate}
    recall : float
        {recall}
    scale : str
        What is done to every feature first: auto, standard, range or none.
    value_transform : str
        What is done to every value before that: none, ranks, log, or auto for what suits the data.
    n_jobs : int, optional
        Threads.
    verbose : int or bool
        Whether to show how far the work is.
    memory : str or int, optional
        What a large piece of work may take, such as ``"2GB"``; otherwise as :func:`set_config` says.
    """
    said = {"k": n_neighbors, "weight": weight, "bandwidth": bandwidth, "metric": metric}
    said |= {"mutual": mutual, "approximate": approximate, "recall": recall}
    with Work(n_jobs, verbose, memory=memory) as terms:
        data, _ = read(X, terms)
        asked = question([], [], graph_question("knn", list(said.items())), (scale, value_transform))
        made, warnings = _core.build_graph(data, {**asked, "rank": False, "spectrum": 0}, terms)
    warn(warnings)
    return _data.matrix(made)


# What the registry says of the options is not typed again.
_SAID = {p["keyword"]: f"{p['help'][0].upper()}{p['help'][1:]} ({p['rule']})." for p in _core.describe()["graph"]}
knn_graph.__doc__ = (knn_graph.__doc__ or "").format(**_SAID)


def spectrum(
    graph: Any,
    n_pairs: int = 10,
    *,
    n_jobs: int | None = None,
    verbose: int | bool = 0,
    memory: str | int | None = None,
) -> Spectrum:
    """The leading eigenpairs of the normalized Laplacian N = D^-½ (D - S) D^-½ of a graph S.

    Parameters
    ----------
    graph : scipy matrix or array of shape (n_samples, n_samples)
        A symmetric similarity, as :func:`knn_graph` makes one.
    n_pairs : int
        How many pairs; the first is always (0, D^½1).
    n_jobs : int, optional
        Threads.
    verbose : int or bool
        Whether to show how far the work is.
    memory : str or int, optional
        What a large piece of work may take, such as ``"2GB"``; otherwise as :func:`set_config` says.
    """
    if isinstance(graph, str):
        raise _errors.ParameterError(f"`graph` must be a matrix, samples × samples, got {graph!r}; knn_graph makes one")
    n_pairs = _checks.whole("n_pairs", n_pairs, 1)
    with Work(n_jobs, verbose, memory=memory) as terms, _checks.renamed(pairs="n_pairs"):
        return Spectrum(_core.spectrum(_data.graph(graph), n_pairs, terms))


def l21_path(
    X: Any,
    Y: Any,
    *,
    count: int,
    gap: float = 1e-6,
    n_jobs: int | None = None,
    verbose: int | bool = 0,
    memory: str | int | None = None,
) -> Path:
    """The path of solutions of min_W ½‖Y - XW‖² + λ Σ‖wⁱ‖ from λ_max to `count` features.

    Columns of `X` are centered and scaled to length 1, `Y` is centered.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n_samples, n_features)
        The data.
    Y : array of shape (n_samples,) or (n_samples, n_targets)
        What the features are to explain.
    count : int
        How many features.
    gap : float
        The duality gap, relative to the objective, of every point.
    n_jobs : int, optional
        Threads.
    verbose : int or bool
        Whether to show how far the work is.
    memory : str or int, optional
        What a large piece of work may take, such as ``"2GB"``; otherwise as :func:`set_config` says.
    """
    targets, count = _targets(Y), _checks.whole("count", count, 1)
    with Work(n_jobs, verbose, memory=memory) as terms:
        data, names = read(X, terms)
        with _checks.renamed(n_features_to_select="count", targets="Y"):
            found = _core.l21_path(data, targets, count, _checks.number("gap", gap), terms)

    def solve(penalty: float) -> Any:
        with Work(n_jobs, memory=memory) as terms:
            return _core.l21_solve(data, targets, penalty, gap, terms)

    return Path(found, solve, names or [f"x{j}" for j in range(data.shape[1])])


def _targets(Y: Any) -> np.ndarray:
    """What features are to explain, one column a target."""
    try:
        targets = np.asarray(Y, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise _errors.ParameterError(f"`Y` must be made of numbers: {error}") from error
    targets = targets[:, None] if targets.ndim == 1 else targets
    if targets.ndim != 2:
        raise _errors.LengthError(f"`Y` must have one or two dimensions, got an array of shape {targets.shape}")
    return targets


def show_methods() -> Any:
    """A data frame of all methods: name, what it measures, labels, graph and cost."""
    from ._results import frame

    keys = ["name", "title", "measures", "labels", "graph", "goal", "cost", "reference"]
    return frame({key: [m[key] for m in METHODS.values()] for key in keys})


def asked_of(
    methods: list[str], graph: Any, prepared: tuple[Any, Any], random_state: Any, parameters: dict[str, Any]
) -> dict[str, Any]:
    """A question; every parameter goes to the methods, or to the graph where they have none of that name."""
    own: dict[str, list[str]] = {}
    for method in methods:
        for p in METHODS[method]["parameters"] if method in METHODS else []:
            own.setdefault(p["keyword"], []).append(p["name"])
    settings, options = [], []
    for keyword, value in parameters.items():
        if keyword in own:
            settings += [(name, value) for name in dict.fromkeys(own[keyword])]
        elif keyword in _GRAPH:
            options.append((_GRAPH[keyword], value))
        elif all(method in METHODS for method in methods):
            raise _unknown(methods, keyword)
    asked = question(methods, settings, graph_question(graph, options), prepared)
    asked["seed"] = None if random_state is None else seed(random_state)
    return asked


def varied_of(methods: list[str], vary: Mapping[str, Any] | None) -> list[tuple[str, list[Any]]]:
    """Parameters with several values, under the names that the library has for them."""
    varied: list[tuple[str, list[Any]]] = []
    for keyword, values in (vary or {}).items():
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise _errors.ParameterError(f"`vary` must have a list of values for `{keyword}`, got {values!r}")
        asked = asked_of(methods, None, ("auto", "auto"), None, {keyword: None})
        # Where a method does not exist that is told first, by the library.
        names = [name for name, _ in asked["settings"]] or [_GRAPH.get(keyword, keyword)]
        varied += [(name, [plain_value(value) for value in values]) for name in names]
    return varied


def _unknown(methods: list[str], keyword: str) -> _errors.UnknownParameterError:
    """The error of a keyword that neither the methods nor their graphs have."""
    own = dict.fromkeys(p["keyword"] for method in methods for p in METHODS[method]["parameters"])
    have, it_has = ("has", "it has") if len(methods) == 1 else ("have", "they have")
    text = f"{' and '.join(methods)} {have} no parameter `{keyword}`; {it_has}: {', '.join(own) or 'none'}"
    if any(METHODS[method]["graph"] is not None for method in methods):
        text += f"; graphs have: {', '.join(_GRAPH)}"
    meant = {name: known for known, name in _GRAPH.items()}.get(keyword)
    return _errors.UnknownParameterError(text + (f"; did you mean `{meant}`?" if meant else ""))


def _answer(
    X: Any, y: Any, asked: dict[str, Any], work: Work, checkpoint: str | None = None
) -> tuple[dict[str, Any], list[Any], list[str] | None, _core.Data]:
    notes: list[str] = []
    with work as terms:
        if isinstance(X, (str, os.PathLike)):
            column = y if isinstance(y, str) else None
            data, listed, notes = _core.Data.read(os.fspath(X), column, terms)
            names: list[str] | None = listed
            y = None if column is not None else y
        else:
            data, names = read(X, terms)
            y = labels_of(X, y)
        data = labels(data, y, asked["methods"])
        found, graphs = _core.run(data, asked, terms, checkpoint)
    for one in found["rankings"]:
        one["notes"] = [*notes, *one["notes"]]
    return found, graphs, names, data


def read(X: Any, terms: Terms) -> tuple[_core.Data, list[str] | None]:
    """Data for the library, and the names of the columns."""
    names = getattr(X, "columns", None)
    if hasattr(X, "var_names") and hasattr(X, "obs_names"):
        names, X = X.var_names, X.X
    elif isinstance(X, Named):
        X, names = X
    elsewhere = found_elsewhere(X)
    if elsewhere is not None:
        listed = None if names is None else [str(name) for name in names]
        return elsewhere.data(listed, terms), listed
    if names is not None and len(set(names)) < len(names) and hasattr(X, "to_numpy"):
        # scikit-learn refuses frames whose names repeat; here they are only shown.
        X = X.to_numpy()
    with _data.by_name(X):
        checked = check_array(X, accept_sparse=("csc", "csr"), dtype=_data.DTYPES, ensure_all_finite=False)
    listed = None if names is None else [str(name) for name in names]
    if listed is not None and len(listed) != checked.shape[1]:
        listed = None
    return _data.data(checked, listed, terms), listed


def named(X: Any, names: Sequence[str] | None) -> Any:
    """The data with the names that are given for their columns."""
    if names is None:
        return X
    if not hasattr(X, "shape") or isinstance(names, str):
        raise _errors.ParameterError("`feature_names` must be one name per column of an array or a matrix")
    if len(names) != X.shape[1]:
        raise _errors.LengthError(f"`feature_names` must be {X.shape[1]} names, one per column, got {len(names)}")
    X = X.X if hasattr(X, "var_names") else X.to_numpy() if hasattr(X, "to_numpy") else X
    return Named(X, [str(name) for name in names])


def labels_of(X: Any, y: Any) -> Any:
    """The labels: `y` itself, or the column of an AnnData object that it names."""
    if not isinstance(y, str) or not hasattr(X, "obs"):
        return y
    if y not in X.obs:
        raise _errors.ParameterError(f"`y` must be a column of adata.obs, or an array, got {y!r}")
    return X.obs[y]


def labels(data: _core.Data, y: Any, methods: list[str]) -> _core.Data:
    """The data with labels, where there are any."""
    if y is None:
        return data
    some = any(METHODS[m]["labels"] == "some" for m in methods if m in METHODS)
    return _data.labeled(data, y, unlabeled=some, name=_data.name_of(y))
