"""Genes for AnnData objects, in scanpy's manner: answers are written into ``adata.var`` and ``adata.uns``."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from . import _checks, _core, _errors
from ._blocks import Elsewhere, found_elsewhere
from ._functions import Named, knn_graph, rank
from ._results import Findings
from ._work import warn

#: How far the two values of a pair may be apart in single precision.
_SINGLE = 1e-6
#: Options of the graph of nearest neighbors in a representation.
_NEIGHBORS = ("n_neighbors", "weight", "bandwidth", "metric", "mutual", "approximate", "recall")
#: What the library calls otherwise.
_WORDS = {
    "`n_features_to_select`": "`n_top_genes`",
    "pass them as `y`": "name their column of adata.obs as `label_key`",
}


def select_genes(
    adata: Any,
    *,
    method: str = "mrsf",
    n_top_genes: int | None = None,
    layer: str | None = None,
    use_rep: str | None = None,
    neighbors_key: str | None = None,
    obsp: str | None = None,
    label_key: str | None = None,
    batch_key: str | None = None,
    aggregation: str = "median",
    mask_var: Any = None,
    key_added: str | None = None,
    subset: bool = False,
    inplace: bool = True,
    **parameters: Any,
) -> Any:
    """Rank the genes, and mark the best as highly variable.

    Parameters
    ----------
    adata : anndata.AnnData
        Cells × genes. Sparse data stay sparse; data in a file (``backed="r"``) or of Dask are read some genes at a
        time and never held as a whole.
    method : str
        The method by name; `fiedler.show_methods` lists them.
    n_top_genes : int, optional
        How many genes are marked; otherwise those before the turning point of the scores.
    layer : str, optional
        The layer to rank in place of ``adata.X``.
    use_rep : str, optional
        The graph is made of the nearest neighbors in ``adata.obsm[use_rep]``.
    neighbors_key : str, optional
        The graph is the one that ``sc.pp.neighbors`` left under that key of ``adata.uns`` (mostly ``"neighbors"``).
    obsp : str, optional
        The graph is ``adata.obsp[obsp]``. Without any of the three, the method makes its own from the data.
    label_key : str, optional
        The column of ``adata.obs`` with class labels, for methods that use them.
    batch_key : str, optional
        The column of ``adata.obs`` with batches: genes are ranked in every batch by itself, and the ranks are combined.
    aggregation : str
        How: borda (mean rank), median, rrf, rra or mc4.
    mask_var : str or array, optional
        Which genes are ranked: a boolean column of ``adata.var``, or booleans.
    key_added : str, optional
        Under which name answers are written; otherwise the method's name and ``_score``.
    subset : bool
        Whether to keep only the genes that were marked.
    inplace : bool
        Whether to write into `adata`; otherwise the columns are returned.
    **parameters
        As in :func:`fiedler.rank`. On a graph that is given, ``value_transform="none"`` takes logarithms of counts as
        they are and not as ranks, which finds more of the markers of rare kinds of cells.

    Returns
    -------
    None, or a data frame where `inplace` is false
        ``var[key]``: the scores (with batches: the combined ranks); ``var[key + "_rank"]``: 1 is best;
        ``var["highly_variable"]``: the genes that are marked; ``uns[key]``: what was asked.
    """
    if "graph" in parameters:
        raise _errors.UnknownParameterError("give the graph as `obsp`, `neighbors_key` or `use_rep`, not as `graph`")
    if not hasattr(adata, "obsm") or not hasattr(adata, "var_names"):
        raise _errors.ParameterError(
            f"`adata` must be an AnnData object, got {type(adata).__name__}; fiedler.rank takes tables and arrays"
        )
    key = key_added or f"{_checks.one_method(method).replace('-', '_')}_score"
    genes = _mask(adata, mask_var)
    near = {name: parameters.pop(name) for name in _NEIGHBORS if use_rep is not None and name in parameters}
    graph = _graph(adata, (use_rep, neighbors_key, obsp), near)
    labels = None if label_key is None else _column(adata, label_key, "label_key")
    X = _matrix(adata, layer)
    X = X if genes.all() else _part(X, columns=np.flatnonzero(genes))
    names = [str(name) for name in adata.var_names[genes]]
    if n_top_genes is not None:
        n_top_genes = _count(n_top_genes, len(names))
        parameters["n_features_to_select"] = n_top_genes
    if batch_key is None:
        found = _rank(X, graph, labels, method, names, parameters)
        scores, order, elbow, goal = found.scores, found.order, found.elbow, found.goal
    else:
        batches = _batches(adata, batch_key)
        scores, order, elbow, goal = _by_batch(X, graph, labels, batches, (method, names, aggregation), parameters)
    columns = _columns(key, genes, scores, order, n_top_genes if n_top_genes is not None else elbow)
    said = {"method": method, "goal": goal, "n_top_genes": n_top_genes, "layer": layer, "label_key": label_key}
    said |= {"use_rep": use_rep, "neighbors_key": neighbors_key, "obsp": obsp, "batch_key": batch_key}
    said |= {"aggregation": None if batch_key is None else aggregation, "mask_var": mask_var, **near, **parameters}
    if not inplace:
        import pandas as pd

        answer = pd.DataFrame(columns, index=adata.var_names)
        return answer[answer["highly_variable"]] if subset else answer
    for name, values in columns.items():
        adata.var[name] = values
    adata.uns[key] = {name: value for name, value in said.items() if _can_be_written(value)}
    if subset:
        adata._inplace_subset_var(columns["highly_variable"])
    return None


def laplacian_score(
    adata_or_graph: Any,
    vals: Any = None,
    *,
    n_top_genes: int | None = None,
    layer: str | None = None,
    use_rep: str | None = None,
    neighbors_key: str | None = None,
    obsp: str | None = None,
    label_key: str | None = None,
    batch_key: str | None = None,
    aggregation: str = "median",
    mask_var: Any = None,
    key_added: str | None = None,
    subset: bool = False,
    inplace: bool = True,
    **parameters: Any,
) -> Any:
    """The Laplacian score of genes: small where neighboring cells have similar values.

    Parameters
    ----------
    adata_or_graph : anndata.AnnData, or scipy matrix of shape (n_cells, n_cells)
        The data; or a bare graph, as ``scanpy.metrics.morans_i`` takes it, and then `vals` too.
    vals : array or sparse matrix of shape (n_cells,) or (n_vars, n_cells), optional
        With a bare graph: the values to judge.
    n_top_genes, layer, use_rep, neighbors_key, obsp, label_key, batch_key, aggregation, mask_var, key_added, subset
        As in :func:`select_genes`; not with a bare graph.
    inplace : bool
        Whether to write into the AnnData object; otherwise the columns are returned.
    **parameters
        As in :func:`fiedler.rank`.

    Returns
    -------
    None or a data frame, as :func:`select_genes`; with a bare graph the scores
    """
    about: dict[str, Any] = {"n_top_genes": n_top_genes, "layer": layer, "use_rep": use_rep}
    about |= {"neighbors_key": neighbors_key, "obsp": obsp, "label_key": label_key, "batch_key": batch_key}
    about |= {"mask_var": mask_var, "key_added": key_added}
    if not sparse.issparse(adata_or_graph) and not isinstance(adata_or_graph, np.ndarray):
        if vals is not None:
            raise _errors.ParameterError("`vals` goes with a bare graph; of an AnnData object name a `layer`")
        about |= {"aggregation": aggregation, "subset": subset, "inplace": inplace}
        return select_genes(adata_or_graph, method="laplacian", **about, **parameters)
    said = [name for name, value in about.items() if value is not None]
    if said:
        raise _errors.ParameterError(f"`{said[0]}` goes with an AnnData object, and a bare graph was given")
    if vals is None:
        raise _errors.ParameterError(
            "`vals` must be the values to judge, variables × cells, where a bare graph is given"
        )
    single = getattr(vals, "ndim", 1) == 1
    X = np.asarray(vals, dtype=np.float64)[:, None] if single else vals.T
    scores = rank(X, graph=_symmetric(adata_or_graph), method="laplacian", **parameters).scores
    return float(scores[0]) if single else scores


def _rank(X: Any, graph: Any, labels: Any, method: str, names: list[str], parameters: dict[str, Any]) -> Findings:
    with _checks.said_otherwise(_WORDS):
        found: Findings = rank(Named(X, names), labels, method=method, graph=graph, **parameters)
    return found


def _by_batch(
    X: Any, graph: Any, labels: Any, batches: np.ndarray, how: tuple[str, list[str], str], parameters: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray, int | None, str]:
    """The ranks of every batch, combined. A gene that has no score in a batch is left out there."""
    method, names, aggregation = how
    orders = []
    for batch in dict.fromkeys(batches.tolist()):
        cells = np.flatnonzero(batches == batch)
        part = None if graph is None else graph[cells][:, cells]
        seen = None if labels is None else labels[cells]
        try:
            found = _rank(_part(X, rows=cells), part, seen, method, names, parameters)
        except _errors.FiedlerError as error:
            raise type(error)(f"batch {batch!r}: {error}") from error
        scored = int(np.count_nonzero(~np.isnan(found.scores)))
        if scored == 0:
            warn([f"batch {batch!r} tells nothing about any gene and is left out"])
            continue
        orders.append(found.order[:scored].tolist())
    if not orders:
        raise _errors.ParameterError("`batch_key` must name batches that tell something, and none does")
    joined = _core.aggregate(len(names), orders, aggregation, None)
    scores = np.full(len(names), np.nan)
    scores[joined["order"]] = joined["scores"]
    return scores, joined["order"], joined["elbow"], joined["goal"]


def _columns(key: str, genes: np.ndarray, scores: np.ndarray, order: np.ndarray, count: int | None) -> dict[str, Any]:
    at = np.flatnonzero(genes)
    all_scores = np.full(len(genes), np.nan)
    all_scores[at] = scores
    ranks = np.full(len(genes), np.nan)
    ranks[at[order]] = np.arange(1, len(order) + 1)
    if count is None:
        warn(["the scores have no turning point: all genes are marked; `n_top_genes` says how many to mark"])
        count = len(order)
    marked = np.zeros(len(genes), dtype=bool)
    marked[at[order[:count]]] = True
    return {key: all_scores, f"{key}_rank": ranks, "highly_variable": marked}


def _matrix(adata: Any, layer: str | None) -> Any:
    if layer is not None and layer not in adata.layers:
        # From anndata 0.13 on, X is among them, under None.
        known = ", ".join(key for key in adata.layers.keys() if key is not None) or "there are none"
        raise _errors.ParameterError(f"`layer` must be a key of adata.layers ({known}), got {layer!r}")
    X = adata.X if layer is None else adata.layers[layer]
    if X is None:
        raise _errors.EmptyDataError("`adata.X` is empty; name a `layer`")
    elsewhere = found_elsewhere(X)
    if elsewhere is not None:
        return elsewhere
    return X if sparse.issparse(X) else np.asarray(X)


def _part(X: Any, rows: np.ndarray | None = None, columns: np.ndarray | None = None) -> Any:
    if isinstance(X, Elsewhere):
        return X.part(rows, columns)
    return X[rows] if rows is not None else X[:, columns]


def _mask(adata: Any, mask_var: Any) -> np.ndarray:
    if mask_var is None:
        return np.ones(adata.n_vars, dtype=bool)
    if isinstance(mask_var, str):
        if mask_var not in adata.var:
            raise _errors.ParameterError(f"`mask_var` must be a column of adata.var, got {mask_var!r}")
        mask_var = adata.var[mask_var]
    mask = np.asarray(mask_var)
    if mask.dtype != bool or mask.shape != (adata.n_vars,):
        raise _errors.ParameterError(f"`mask_var` must be {adata.n_vars} booleans, got {mask.dtype} of {mask.shape}")
    return mask


def _column(adata: Any, key: str, keyword: str) -> np.ndarray:
    if key not in adata.obs:
        raise _errors.ParameterError(f"`{keyword}` must be a column of adata.obs, got {key!r}")
    return np.asarray(adata.obs[key], dtype=object)


def _batches(adata: Any, key: str) -> np.ndarray:
    batches = _column(adata, key, "batch_key")
    missing = sum(batch is None or batch != batch for batch in batches)
    if missing:
        raise _errors.ParameterError(
            f"`batch_key` must name a batch for every cell, and adata.obs[{key!r}] has none for {missing}; fill them in"
        )
    return batches


def _count(n_top_genes: Any, n_genes: int) -> int:
    count = _checks.whole("n_top_genes", n_top_genes, 1)
    if count > n_genes:
        warn([f"`n_top_genes` is {count} and there are {n_genes} genes: all are marked"])
    return min(count, n_genes)


def _can_be_written(value: Any) -> bool:
    """Whether a file of AnnData can hold it: not generators, nor what was not said."""
    return isinstance(value, (str, int, float, np.generic, np.ndarray))


def _graph(adata: Any, where: tuple[str | None, str | None, str | None], near: dict[str, Any]) -> Any:
    use_rep, neighbors_key, obsp = where
    given = {"use_rep": use_rep, "neighbors_key": neighbors_key, "obsp": obsp}
    said = [name for name, value in given.items() if value is not None]
    if len(said) > 1:
        raise _errors.ParameterError(f"only one of `use_rep`, `neighbors_key` and `obsp` can say the graph, got {said}")
    if use_rep is not None:
        if use_rep not in adata.obsm:
            raise _errors.ParameterError(f"`use_rep` must be a key of adata.obsm, got {use_rep!r}")
        return knn_graph(np.asarray(adata.obsm[use_rep]), scale="none", value_transform="none", **near)
    if neighbors_key is not None:
        if neighbors_key not in adata.uns:
            raise _errors.ParameterError(
                f"`neighbors_key` must be a key of adata.uns, got {neighbors_key!r}; run sc.pp.neighbors first"
            )
        obsp = adata.uns[neighbors_key].get("connectivities_key", "connectivities")
    if obsp is None:
        return None
    if obsp not in adata.obsp:
        raise _errors.ParameterError(f"`obsp` must be a key of adata.obsp, got {obsp!r}")
    return _symmetric(adata.obsp[obsp])


def _symmetric(S: Any) -> Any:
    """The same similarities in double precision, where single precision has left pairs slightly different."""
    S = S.tocsr().astype(np.float64) if sparse.issparse(S) else np.asarray(S, dtype=np.float64)
    difference = abs(S - S.T).max()
    if 0 < difference <= _SINGLE * abs(S).max():
        return (S + S.T) / 2
    return S
