"""Data larger than a machine: rankings, selections and spectra of Dask arrays, by the workers of a cluster.

>>> from distributed import Client, LocalCluster                                       # doctest: +SKIP
>>> client = Client(LocalCluster(n_workers=2, threads_per_worker=1))                   # doctest: +SKIP
>>> found = fiedler.cluster.rank(dask_array, client=client, method="laplacian")        # doctest: +SKIP

The answers are those of :func:`fiedler.rank`, to the bit wherever the order of sums does not depend on the shares (see
``docs/cluster.md``). Workers keep the columns, make the graph's sums and score; this machine finds the neighbors, sorts
and tells.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from .. import _errors, _functions
from .._functions import METHODS, Named
from .._results import Findings, Spectrum
from ._engine import Engine, engine_of
from ._files import labels_of, opened
from ._shares import Shares, checked, shares_of

__all__ = ["Engine", "Selected", "knn_graph", "rank", "select", "spectrum"]


class Selected(NamedTuple):
    """What :func:`select` answers."""

    #: The data with the selected columns alone, in their old order: as lazy as they were.
    X: Any
    #: The selected columns, best first.
    features: np.ndarray
    #: The whole ranking.
    findings: Findings


def rank(
    X: Any,
    y: Any = None,
    *,
    client: Any = None,
    block_columns: int | None = None,
    method: str | Sequence[str] = "laplacian",
    n_features_to_select: int | None = None,
    graph: Any = None,
    scale: str = "auto",
    value_transform: str = "auto",
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: int | bool = 0,
    **parameters: Any,
) -> Any:
    """Rank the features of a Dask array, best first, by the workers of a cluster.

    Methods that judge features one by one are computed by the workers altogether: laplacian, spec, fisher, correlation,
    variance, relief-spec, hsic (linear) and sselect. Others have their graph and their first correlations from the
    workers and then read columns: they come to this machine a block at a time.

    Parameters
    ----------
    X : dask.array of shape (n_samples, n_features), AnnData with one as X, or path
        The data, in blocks of any shape, dense or of scipy's sparse matrices. A path is that of an .npy file, a
        directory of blocks (:func:`fiedler.write_blocks`), a folder of .npy files (blocks of columns, in the order of
        their names), a .zarr folder or an .h5ad file, which workers see under the same path and read by themselves.
    y : array of shape (n_samples,), optional
        Class labels, or a number to be predicted; on this machine. Methods that cannot do without, where all of them
        are such, take those of a directory of blocks that has some.
    client : distributed.Client, optional
        The cluster; the client that was made last, where none is given.
    block_columns : int, optional
        How many columns a worker works on at a time, rounded up to a multiple of 64. Otherwise those of the blocks of
        X, where there are at least 16 of equal width, each with all rows, at least as many columns as rows (a multiple
        of 64) and at most 128 MB; else at most 128 MB and a sixteenth of the columns.
    method, n_features_to_select, graph, scale, value_transform, random_state, verbose, **parameters
        As in :func:`fiedler.rank`.
    n_jobs : int, optional
        Threads of this machine. A worker uses one for every task: as many at a time as it has threads.

    Returns
    -------
    Findings, or a list of them where several methods were asked for
    """
    said = {"method": method, "n_features_to_select": n_features_to_select, "graph": graph, "scale": scale}
    said |= {"value_transform": value_transform, "random_state": random_state, "n_jobs": n_jobs, "verbose": verbose}
    found = _functions.rank(_shared(X, client, block_columns), _labels(X, y, method), **said, **parameters)
    for one in [found] if isinstance(found, Findings) else found:
        # The workers let go of the columns with the last that refers to them.
        one._X, one._tell = X, None
    return found


def select(X: Any, y: Any = None, *, n_features_to_select: int, client: Any = None, **parameters: Any) -> Selected:
    """Select the best features of a Dask array, by the workers of a cluster.

    Parameters
    ----------
    X : dask.array of shape (n_samples, n_features), AnnData with one as X, or path
        The data, as in :func:`rank`.
    y : array of shape (n_samples,), optional
        Class labels, or a number to be predicted.
    n_features_to_select : int
        How many.
    client : distributed.Client, optional
        The cluster.
    **parameters
        As in :func:`rank`.

    Returns
    -------
    Selected
        The data with those columns, still lazy; the columns, best first; the whole ranking.
    """
    y = _labels(X, y, parameters.get("method", "laplacian"))
    columns, names = _columns(X)
    if isinstance(X, (str, os.PathLike)):
        X = columns if names is None else Named(columns, names)
    n_features = int(columns.shape[1])
    whole = isinstance(n_features_to_select, (int, np.integer)) and not isinstance(n_features_to_select, bool)
    if not whole or not 1 <= n_features_to_select <= n_features:
        raise _errors.ParameterError(
            f"`n_features_to_select` must be a whole number from 1 to {n_features}, got {n_features_to_select!r}"
        )
    if not isinstance(parameters.get("method", ""), str):
        raise _errors.ParameterError("`method` must be one method here: a selection is made by one")
    found = rank(X, y, client=client, n_features_to_select=n_features_to_select, **parameters)
    features = found.order[:n_features_to_select]
    lazy = columns if isinstance(X, Named) else X
    return Selected(lazy[:, np.sort(features)], features, found)


def knn_graph(X: Any, *, client: Any = None, block_columns: int | None = None, **parameters: Any) -> sparse.csr_array:
    """The graph of nearest neighbors of the rows of a Dask array, as :func:`fiedler.knn_graph` makes it.

    Parameters
    ----------
    X : dask.array of shape (n_samples, n_features), AnnData with one as X, or path
        The data, as in :func:`rank`.
    client, block_columns
        As in :func:`rank`.
    **parameters
        As in :func:`fiedler.knn_graph`.
    """
    return _functions.knn_graph(_shared(X, client, block_columns), **parameters)


def spectrum(X: Any, n_pairs: int = 10, *, client: Any = None, **parameters: Any) -> Spectrum:
    """The leading eigenpairs of the normalized Laplacian of the graph of a Dask array.

    The workers make the graph; the eigenpairs, of a sparse matrix of samples × samples, are found on this machine.

    Parameters
    ----------
    X : dask.array of shape (n_samples, n_features), AnnData with one as X, or path
        The data, as in :func:`rank`.
    n_pairs : int
        How many pairs; the first is always (0, D^½1).
    client : distributed.Client, optional
        The cluster.
    **parameters
        As in :func:`knn_graph`.
    """
    return _functions.spectrum(knn_graph(X, client=client, **parameters), n_pairs)


def _labels(X: Any, y: Any, method: str | Sequence[str]) -> Any:
    """The labels: `y`, or where no method can do without and there are none, those of the directory of blocks.

    Nobody named these: a method that can go either way must not see them because of its neighbor in the list.
    """
    methods = [method] if isinstance(method, str) else method
    needed = all(name in METHODS and METHODS[name]["labels"] in ("all", "some") for name in methods)
    return labels_of(os.fspath(X)) if y is None and needed and isinstance(X, (str, os.PathLike)) else y


def _shared(X: Any, client: Any, block_columns: int | None) -> Shares | Named:
    """The data on the workers of a cluster, with the names of the features where they have some."""
    columns, names = _columns(X)
    shares = shares_of(columns, engine_of(client), block_columns)
    return shares if names is None else Named(shares, names)


def _columns(X: Any) -> tuple[Any, list[str] | None]:
    if isinstance(X, (str, os.PathLike)):
        found, names = opened(os.fspath(X))
        return checked(found), names
    if isinstance(X, Named):
        return checked(X.X), X.names
    if hasattr(X, "var_names") and hasattr(X, "obs_names"):
        return checked(X.X), [str(name) for name in X.var_names]
    return checked(X), None
