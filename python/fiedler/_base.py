"""What all estimators share: how they ask, what they keep, how they select."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from . import _core, _data, _errors
from ._callbacks import CallbackSupportMixin, with_callbacks
from ._config import get_config
from ._results import Findings, Spectrum
from ._work import Work, warn

#: Changes when estimators of older pickles would be misread.
PICKLE_FORMAT = 1


class Selector(CallbackSupportMixin, SelectorMixin, BaseEstimator):
    """The base of all estimators: `fit` ranks the features, `transform` keeps the best.

    Subclasses are generated from the registry of methods (`_estimators.py`).
    """

    #: The method's name in the registry.
    _method: ClassVar[str]
    #: Its parameters: keyword and the library's name.
    _settings: ClassVar[dict[str, str]] = {}
    #: Options of its graph: keyword, the library's name and the default, which is not said.
    _graph_options: ClassVar[dict[str, tuple[str, Any]]] = {}
    #: The library's name of the number of features, for methods that choose features together.
    #: The library's name of the seed, for methods that draw.
    _seed: ClassVar[str | None] = None
    #: Whether it looks at labels: never, optional, some or all.
    _labels: ClassVar[str]

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Rank the features of `X`.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
            The data. Not copied where they are float32 or float64, and never changed.
        y : array of shape (n_samples,), optional
            Class labels, or a number to be predicted (floats that are not classes), for methods that can use them.

        Returns
        -------
        self
        """
        X = self._validated(X)
        count = self._wanted(X.shape[1])
        question = self._question(count, X.shape[0])
        names = self._names()
        with Work(self.n_jobs, self.verbose, self) as terms:
            data = self._with_labels(_data.data(X, names, terms), X, y)
            found, graphs = _core.run(data, question, terms)
        self.findings_ = Findings(found, 0, graphs[0], names)
        self._keep(count)
        warn(found["warnings"])
        return self

    def _validated(self, X: Any) -> Any:
        if hasattr(X, "obs_names") and hasattr(X, "var_names"):
            raise _errors.ParameterError(
                "`X` must be a table or an array, got an AnnData object: use fit(adata.X), or "
                "fiedler.pp.select_genes(adata)"
            )
        kinds = ("csc", "csr")
        with _data.by_name(X):
            return validate_data(
                self, X, accept_sparse=kinds, dtype=_data.DTYPES, ensure_all_finite=False, ensure_min_samples=2
            )

    def _names(self) -> list[str] | None:
        return self.feature_names_in_.tolist() if hasattr(self, "feature_names_in_") else None

    def _keep(self, count: int | None) -> None:
        """Keeps what was found."""
        found = self.findings_
        self.scores_, self.goal_ = found.scores, found.goal
        self.ranking_ = found.ranking
        if count is None:
            count = found.elbow
        if count is None:
            count = len(self.scores_)
            warn(["the scores have no turning point: all features are selected"])
        self.support_ = np.zeros(len(self.scores_), dtype=bool)
        self.support_[found.order[:count]] = True
        self.n_features_ = count

    def _wanted(self, n_features: int) -> int | None:
        """How many features to select; None: up to the turning point of the scores."""
        wanted = self.n_features_to_select
        if wanted is None:
            return max(n_features // 2, 1)
        if isinstance(wanted, str) and wanted == "auto":
            return None
        whole = isinstance(wanted, (int, np.integer)) and not isinstance(wanted, bool)
        if whole and wanted >= 1:
            if wanted > n_features:
                there = "is 1 feature" if n_features == 1 else f"are {n_features} features"
                warn([f"`n_features_to_select` is {wanted} and there {there}: all are selected"])
            return min(int(wanted), n_features)
        if isinstance(wanted, (float, np.floating)) and 0 < wanted <= 1:
            return max(int(wanted * n_features), 1)
        raise _errors.ParameterError(
            "`n_features_to_select` must be a whole number from 1, a share above 0 and up to 1, `auto` or None, "
            f"got {wanted!r}"
        )

    def _question(self, count: int | None, n_samples: int) -> dict[str, Any]:
        settings = [(name, getattr(self, keyword)) for keyword, name in self._settings.items()]
        if self._seed is not None and self.random_state is not None:
            settings.append((self._seed, seed(self.random_state)))
        prepared = getattr(self, "scale", "auto"), getattr(self, "value_transform", "auto")
        return question([self._method], settings, self._graph(n_samples), prepared, count)

    def _graph(self, n_samples: int) -> dict[str, Any]:
        if not self._graph_options:
            return graph_question(None, [])
        said = [(keyword, *self._graph_options[keyword]) for keyword in self._graph_options]
        given = [(name, getattr(self, keyword)) for keyword, name, usual in said if getattr(self, keyword) != usual]
        return graph_question(self.graph, [(name, _neighbors(name, value, n_samples)) for name, value in given])

    def _with_labels(self, data: _core.Data, X: Any, y: Any) -> _core.Data:
        # A graph of the labels looks at them where the method does not.
        if self._labels == "never" and (y is None or not self._graph_of_labels()):
            return data
        if y is None:
            if self._labels == "optional":
                return data
            raise _errors.LabelsMissingError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        name = _data.name_of(y)
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y)
        if y.dtype.kind == "f" and np.isinf(y).any():
            raise _errors.ParameterError("Input y contains infinity or a value too large for dtype('float64').")
        return _data.labeled(data, y, unlabeled=self._labels == "some", name=name)

    def _graph_of_labels(self) -> bool:
        graph = getattr(self, "graph", None)
        return isinstance(graph, str) and _core.made_of_labels(graph)

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        return self.support_

    @property
    def graph_(self) -> sparse.csr_array:
        """The graph that the features were judged on, as a symmetric scipy CSR array."""
        check_is_fitted(self)
        return self.findings_.graph

    @property
    def spectrum_(self) -> Spectrum:
        """The leading eigenpairs of the normalized Laplacian of the graph: values, vectors, residuals."""
        check_is_fitted(self)
        return self.findings_.spectrum

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = self._labels in ("all", "some")
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_fiedler_pickle": PICKLE_FORMAT}

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        found = state.pop("_fiedler_pickle", None)
        if found != PICKLE_FORMAT:
            raise _errors.PickleError(
                f"this pickle of {type(self).__name__} has format {found} and this version reads {PICKLE_FORMAT}; "
                "fit the estimator again"
            )
        super().__setstate__(state)

    def _get_doc_link(self) -> str:
        """Where scikit-learn's HTML of an estimator links to: the page of its class where a site is set."""
        site = get_config()["documentation"]
        return "" if site is None else f"{str(site).rstrip('/')}/api/fiedler.{type(self).__name__}.html"


def _neighbors(name: str, value: Any, n_samples: int) -> Any:
    """No more neighbors than there are others: a part of cross-validation may be smaller than what a search tries."""
    count = plain_value(value)
    if name != "k" or not isinstance(count, int) or count < n_samples:
        return value
    warn([f"`n_neighbors` is {value} and a sample has {n_samples - 1} others: all are its neighbors"])
    return n_samples - 1


def question(
    methods: list[str],
    settings: list[tuple[str, Any]],
    graph: dict[str, Any],
    prepared: tuple[Any, Any],
    count: int | None = None,
) -> dict[str, Any]:
    """A question about a ranking of all features, for the library; `prepared`: scale and value_transform; `count`: how
    many features are chosen by methods that choose them together.
    """
    scale, transform = ("none" if said is None else said for said in prepared)
    if not isinstance(scale, str):
        raise _errors.ParameterError(f"`scale` must be auto, standard, range or none, got {scale!r}")
    if not isinstance(transform, str):
        raise _errors.ParameterError(f"`value_transform` must be auto, none, ranks or log, got {transform!r}")
    return {
        "methods": methods,
        "settings": _plain(settings),
        "vary": [],
        "graph": graph,
        "scale": scale,
        "transform": None if transform == "auto" else transform,
        "spectrum": None,
        "count": count,
        "seed": None,
        "rank": True,
        "evaluate": None,
        "stability": None,
    }


def graph_question(graph: Any, options: list[tuple[str, Any]]) -> dict[str, Any]:
    """What is said of a graph: its kind by name, or a similarity of the user's."""
    if graph is None or isinstance(graph, str):
        return {"kind": None if graph == "auto" else graph, "set": _plain(options), "given": None}
    return {"kind": None, "set": _plain(options), "given": _data.graph(graph)}


def _plain(said: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Values as the library reads them: numpy's as Python's, and 5.0 as 5, which is as good where a share is asked."""
    return [(name, plain_value(value)) for name, value in said]


def plain_value(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


def seed(random_state: Any) -> int:
    """The seed of scikit-learn's ``random_state``: itself where it is a number, drawn where it is a generator."""
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        if not 0 <= random_state < 2**63:
            raise _errors.ParameterError(
                f"`random_state` must be a whole number from 0 and below 2**63, got {random_state}"
            )
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    return int(check_random_state(random_state).randint(2**31 - 1))
