"""Many sources of knowledge into one ranking, and many rankings into one."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from . import _core, _data, _errors
from ._aggregation import joined_lists
from ._base import Selector, graph_question, question
from ._callbacks import with_callbacks
from ._functions import METHODS, labels, read
from ._html import bar, card, rows
from ._results import Findings, Reported, frame, plain
from ._source import Aim
from ._work import Terms, Work, warn
from .sources import Target, source

if TYPE_CHECKING:
    import pandas as pd
    from scipy import sparse


class Fusion(Reported):
    """Many sources joined into one graph, and the ranking of the features on it.

    Attributes
    ----------
    findings : Findings
        The ranking.
    shares : list of dict
        For every source: name, kind, weight (its share of the sum), with_labels (how it agrees with the labels, from -1
        to 1; None without), agreement (with every source), notes.
    """

    def __init__(self, findings: Findings, shares: list[dict[str, Any]], alone: Any, warnings: list[str]) -> None:
        self.findings, self.shares, self.warnings = findings, shares, warnings
        self._alone = alone

    @property
    def graph(self) -> sparse.csr_array:
        """The sum of the graphs, as a symmetric scipy CSR array."""
        return self.findings.graph

    def alone(self) -> list[Findings]:
        """The rankings that each source alone would give."""
        if self._alone is None:
            raise _errors.GraphNotKeptError(
                "this answer no longer has its data; ask fiedler.fuse again to see what a source alone would give"
            )
        return [self._alone(at) for at in range(len(self.shares))]

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_alone": None}

    def to_frame(self) -> pd.DataFrame:
        """A data frame, one line a source: what it contributes and how it agrees with the labels and the others."""
        keys = ["name", "kind", "weight", "with_labels"]
        columns: dict[str, Any] = {key: [share[key] for share in self.shares] for key in keys}
        for at, other in enumerate(self.shares):
            columns[f"with {other['name']}"] = [share["agreement"][at] for share in self.shares]
        return frame(columns)

    def to_dict(self) -> dict[str, Any]:
        """Everything in lists and numbers of Python."""
        return plain({"shares": self.shares, "findings": self.findings.to_dict(), "warnings": self.warnings})

    def plot(self, ax: Any = None) -> Any:
        """Draw what every source contributes."""
        from .plot import shares

        return shares(self, ax=ax)

    def __repr__(self) -> str:
        said = ", ".join(f"{share['name']} {share['weight']:.0%}" for share in self.shares)
        return f"<Fusion of {said}; best {', '.join(self.findings.top(3))}>"

    def _repr_html_(self) -> str:
        lines = [
            [
                html.escape(share["name"]),
                html.escape(share["kind"]),
                f"{share['weight']:.0%}",
                bar(share["weight"]),
                "" if share["with_labels"] is None else f"{share['with_labels']:.2f}",
            ]
            for share in self.shares
        ]
        titles = ["source", "graph", "share", "", "agreement with labels"]
        return card("<b>Sources</b>", [rows(titles, lines)]) + self.findings._repr_html_()


def fuse(
    X: Any,
    sources: Mapping[str, Any],
    y: Any = None,
    *,
    weights: str | Sequence[float] | Mapping[str, float] = "equal",
    normalize: bool = True,
    method: str = "laplacian",
    samples: Any = None,
    scale: str = "auto",
    n_jobs: int | None = None,
    verbose: int | bool = 0,
    memory: str | int | None = None,
    **parameters: Any,
) -> Fusion:
    """Rank the features of `X` on the sum of many graphs, each made of a source of knowledge.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n_samples, n_features)
        The data whose features are ranked.
    sources : dict of str to source
        The sources by name; see :mod:`fiedler.sources`. A square matrix is a similarity of the samples.
    y : array of shape (n_samples,), optional
        Class labels; None or NaN: no label.
    weights : str, list or dict
        ``"equal"``; ``"aligned"``: learned from `y`; or a number a source.
    normalize : bool
        Whether every graph is scaled to a mean degree of 1 first, so that a weight is what its source contributes.
    method : str
        A method that takes a graph, by name.
    samples : array of shape (n_samples,), optional
        Which rows of the sources the rows of `X` are; otherwise frames are matched by their index, others by position.
    scale : str
        What is done to every feature first: auto, standard, range or none.
    n_jobs : int, optional
        Threads.
    verbose : int or bool
        Whether to show how far the work is.
    memory : str or int, optional
        What a large piece of work may take, such as ``"2GB"``; otherwise as :func:`set_config` says.
    **parameters
        Parameters of the method.

    Returns
    -------
    Fusion
    """
    with Work(n_jobs, verbose, memory=memory) as terms:
        data, names = read(X, terms)
        data = labels(data, y, [method])
        rows = samples if samples is not None else getattr(X, "index", None)
        aim, mixed = Aim(data, names, rows, scale, terms), (weights, normalize)
        found = _fused(aim, sources, mixed, (method, list(parameters.items()), None))
    warn(found.warnings)
    return found


def _fused(
    aim: Aim,
    sources: Mapping[str, Any],
    mixed: tuple[Any, bool],
    asked: tuple[str, list[tuple[str, Any]], int | None],
) -> Fusion:
    method, settings, count = asked
    if not isinstance(sources, Mapping) or not sources:
        raise _errors.ParameterError(f"`sources` must be a dictionary of sources by name, got {sources!r}")
    if method in METHODS and METHODS[method]["graph"] is None:
        raise _errors.ParameterError(f"`method` must be one that takes a graph, got {method!r}")
    made, notes = [], []
    for name, said in sources.items():
        try:
            graph, told = source(said).make(str(name), aim)
        except _errors.FiedlerError as error:
            text = str(error)
            raise type(error)(text if f"source `{name}`" in text else f"source `{name}`: {text}") from error
        made.append((str(name), graph))
        notes.append(told)
    weights = _weights(mixed[0], list(sources)), bool(mixed[1])
    graph, shares, warnings = _core.combine(made, weights, aim.data, aim.terms)
    for share, told in zip(shares, notes, strict=True):
        share["notes"] = told

    def ranked(on: _core.Graph, terms: Terms) -> Findings:
        given = question([method], settings, graph_question(on, []), (aim.scale, "auto"), count)
        found, graphs = _core.run(aim.data, given, terms)
        return Findings(found, 0, graphs[0], aim.names)

    def alone(at: int) -> Findings:
        with Work(aim.terms[0] or None) as terms:
            return ranked(made[at][1], terms)

    def tell() -> _core.ReportSource:
        # The graph is made of the sources again: the report tells what each of them contributes.
        asked = question([method], settings, graph_question(None, []), (aim.scale, "auto"), count)
        with Work(aim.terms[0] or None) as terms:
            return _core.tell_of_sources(made, weights, aim.data, asked, terms)

    found = ranked(graph, aim.terms)
    fusion = Fusion(found, shares, alone, [*warnings, *found.warnings])
    fusion._tell = tell
    return fusion


def _weights(weights: Any, names: list[str]) -> str | list[float]:
    if isinstance(weights, str):
        return weights
    if isinstance(weights, Mapping):
        unknown, missing = [w for w in weights if w not in names], [n for n in names if n not in weights]
        if unknown or missing:
            raise _errors.ParameterError(f"`weights` must have a number for each of {names}, got {dict(weights)!r}")
        weights = [weights[name] for name in names]
    return [float(w) for w in weights]


class MultiSource(Selector):
    """Features that follow many sources of knowledge at once (MSFS).

    Every source makes a graph of the samples; features are ranked on the sum of the graphs, each of mean degree 1.
    Labels and whatever is known of features hold for any samples; sources that know samples must hold those of `X`:
    frames are matched by their index, arrays by `samples`, which cross-validation splits where metadata routing asks
    for it.

    ::

        S = Σ α_i S_i,  Σ α_i = 1

    Parameters
    ----------
    n_features_to_select : int or float or str or None, default None
        How many features to keep: a number, a share of all features, `auto` for those before the turning point of the
        scores, None for half of them (as scikit-learn's RFE).
    sources : dict of str to source, default None
        The sources by name; see :mod:`fiedler.sources`. None: the data themselves.
    weights : str, list or dict, default 'equal'
        `equal`; `aligned`: learned from `y`; or a number a source.
    normalize : bool, default True
        Whether every graph is scaled to a mean degree of 1 first, so that a weight is what its source contributes.
    method : str, default 'laplacian'
        A method that takes a graph, by name.
    method_params : dict, default None
        Its parameters.
    scale : str, default 'auto'
        What is done to every feature first: standard, range, none, or auto for what suits the method.
    n_jobs : int or None, default None
        Threads; None and -1 are all. The answer does not depend on it.
    verbose : int or bool, default 0
        Whether to show how far the work is.

    Attributes
    ----------
    scores_, ranking_, goal_, support_, n_features_, findings_, graph_
        As of all estimators.
    fusion_ : fiedler.Fusion
        What every source contributes, and how they agree.
    weights_ : dict of str to float
        The share of every source.

    Notes
    -----
    Cost: the graphs, one product of every pair of them, then the method.

    Equal weights let a source that misleads spoil the others. Learned weights follow the labels, and with few of them
    also their accidents; a source made from the same labels takes all weight.

    References
    ----------
    Zhao, Wang, Sharma, Agarwal, Liu, Chang: An Integrative Approach to Identifying Biologically Relevant Genes,
    SDM 2010.
    """

    _labels = "optional"

    def __init__(
        self,
        n_features_to_select: int | float | str | None = None,
        *,
        sources: Mapping[str, Any] | None = None,
        weights: str | Sequence[float] | Mapping[str, float] = "equal",
        normalize: bool = True,
        method: str = "laplacian",
        method_params: Mapping[str, Any] | None = None,
        scale: str = "auto",
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.sources = sources
        self.weights = weights
        self.normalize = normalize
        self.method = method
        self.method_params = method_params
        self.scale = scale
        self.n_jobs = n_jobs
        self.verbose = verbose

    @with_callbacks
    def fit(self, X: Any, y: Any = None, *, samples: Any = None) -> Self:
        """Rank the features of `X`.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
            The data.
        y : array of shape (n_samples,), optional
            Class labels, for learned weights, a source of labels, and methods that use them.
        samples : array of shape (n_samples,), optional
            Which rows of the sources the rows of `X` are: positions, or names of their index.

        Returns
        -------
        self
        """
        rows = samples if samples is not None else getattr(X, "index", None)
        X = self._validated(X)
        count = self._wanted(X.shape[1])
        settings = list((self.method_params or {}).items())
        names = self._names()
        with Work(self.n_jobs, self.verbose, self) as terms:
            data = self._with_labels(_data.data(X, names, terms), X, y)
            sources = {"data": Target()} if self.sources is None else self.sources
            aim = Aim(data, names, rows, self.scale, terms)
            mixed = (self.weights, self.normalize)
            self.fusion_ = _fused(aim, sources, mixed, (self.method, settings, count))
        # What a source alone would give is a question to `fuse`; estimators are pickled, and keep no data.
        self.fusion_._alone = self.fusion_._tell = None
        self.findings_ = self.fusion_.findings
        self.weights_ = {share["name"]: share["weight"] for share in self.fusion_.shares}
        self._keep(count)
        warn(self.fusion_.warnings)
        return self


class Consensus(Selector):
    """Features that many rankings agree on (KOGS).

    Parameters
    ----------
    n_features_to_select : int or float or str or None, default None
        How many features to keep: a number, a share of all features, `auto` for those before the turning point of the
        scores, None for half of them (as scikit-learn's RFE).
    methods : list of str or estimators, default ('laplacian', 'mrsf')
        What ranks: methods by name, which share their graph, or estimators that have `ranking_`, or
        `scores_` of which larger is better, after `fit`.
    aggregation : str, default 'borda'
        How ranks become one: borda (mean rank), median, rrf (reciprocal ranks), rra (robust) or mc4 (Markov chain).
    weights : list of float, default None
        One for every method; borda and rrf take weights.
    n_jobs : int or None, default None
        Threads; None and -1 are all. The answer does not depend on it.
    verbose : int or bool, default 0
        Whether to show how far the work is.

    Attributes
    ----------
    scores_, ranking_, goal_, support_, n_features_, findings_
        As of all estimators; scores are what the aggregation makes of the ranks.
    rankings_ : list of ndarray
        The features, best first, of every method; a feature that a method cannot score is left out.

    Notes
    -----
    Cost: that of the methods; mc4 takes the square of the number of features.

    A consensus of methods that fail in the same way fails in that way.

    References
    ----------
    Kolde, Laur, Adler, Vilo: Robust rank aggregation for gene list integration and meta-analysis, Bioinformatics 2012.
    """

    _labels = "optional"

    def __init__(
        self,
        n_features_to_select: int | float | str | None = None,
        *,
        methods: Sequence[Any] = ("laplacian", "mrsf"),
        aggregation: str = "borda",
        weights: Sequence[float] | None = None,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.methods = methods
        self.aggregation = aggregation
        self.weights = weights
        self.n_jobs = n_jobs
        self.verbose = verbose

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Rank the features of `X` by every method, and join the ranks.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
            The data.
        y : array of shape (n_samples,), optional
            Class labels, for methods that can use them.

        Returns
        -------
        self
        """
        given = X
        X = self._validated(X)
        count, names = self._wanted(X.shape[1]), self._names()
        methods = [self.methods] if isinstance(self.methods, str) else list(self.methods)
        by_name = [m for m in methods if isinstance(m, str)]
        asked = question(by_name, [], graph_question(None, []), ("auto", "auto"), count)
        with Work(self.n_jobs, self.verbose, self) as terms:
            data = _data.data(X, names, terms)
            if y is not None and any(METHODS[m]["labels"] != "never" for m in by_name if m in METHODS):
                data = self._with_labels(data, X, y)
            found = _core.run(data, asked, terms)[0]
        known = {m: one["order"][: one["n_scored"]] for m, one in zip(by_name, found["rankings"], strict=True)}
        rule = "`methods` must be names of methods, or estimators"
        self.rankings_ = [known[m] if isinstance(m, str) else ranked_by(clone(m).fit(given, y), rule) for m in methods]
        weights = None if self.weights is None else [float(w) for w in self.weights]
        joined = joined_lists(X.shape[1], self.rankings_, self.aggregation, weights)
        self.findings_ = Findings({**found, "rankings": [joined]}, 0, None, names)
        self._keep(count)
        warn([*found["warnings"], *joined["warnings"]])
        return self


def ranked_by(fitted: Any, rule: str) -> np.ndarray:
    """The features of a fitted estimator, best first; without those that it could not score. `rule`: what estimators
    must be, for who gave another.
    """
    check_is_fitted(fitted)
    if isinstance(fitted, Selector):
        found = fitted.findings_
        return found.order[: int(np.count_nonzero(~np.isnan(found.scores)))]
    if hasattr(fitted, "ranking_"):
        return np.argsort(np.asarray(fitted.ranking_), kind="stable")
    # The scores of scikit-learn's selectors: larger is better, NaN cannot be scored.
    scores = np.asarray(getattr(fitted, "scores_", None), dtype=float)
    if scores.ndim != 1:
        raise _errors.ParameterError(
            f"{rule} that have `ranking_` or `scores_` after `fit`, got {type(fitted).__name__}"
        )
    order = np.argsort(-scores, kind="stable")
    return order[: int(np.count_nonzero(~np.isnan(scores)))]


__all__ = ["Consensus", "Fusion", "MultiSource", "fuse"]
