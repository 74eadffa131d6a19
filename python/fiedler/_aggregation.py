"""Many rankings into one."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _checks, _core, _errors
from ._html import bar, card, rows
from ._results import Findings, frame, plain
from ._work import warn

if TYPE_CHECKING:
    import pandas as pd


class Aggregation:
    """One ranking made of many. It can be used as an array of columns, best first.

    Attributes
    ----------
    method : str
        How the rankings were joined.
    elbow : int or None
        How many features come before the turning point of the scores, where they have one.
    goal : str
        ``"minimize"`` or ``"maximize"``: which way scores are better.
    order : ndarray of shape (n_features,)
        The columns, best first.
    scores : ndarray of shape (n_features,)
        What the aggregation makes of the ranks, in the order of the columns; NaN for those that no ranking names.
    names : list of str
        The names of the columns; x0, x1, … where the rankings have none.
    weights : ndarray of shape (n_rankings,)
        How much every ranking counts.
    with_known : ndarray of shape (n_rankings,) or None
        Where features are known: the chance that each ranking puts one of them before another (1/2 by chance).
    left_out : dict of str to int, or None
        Where weights were learned from known features: the rank of each by weights that were learned without it.
    warnings : list of str
        What to know before trusting the answer.
    """

    def __init__(self, found: dict[str, Any], names: list[str]) -> None:
        self.method: str = found["method"]
        self.title = f"Consensus by {self.method}"
        self.elbow: int | None = found["elbow"]
        self.goal: str = found["goal"]
        self.order: np.ndarray = found["order"]
        self.scores = np.full(len(names), np.nan)
        self.scores[self.order] = found["scores"]
        self.names = names
        self.weights: np.ndarray = found["weights"]
        self.with_known: np.ndarray | None = found.get("with_known")
        self.left_out: dict[str, int] | None = found.get("left_out")
        self.warnings: list[str] = found["warnings"]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.order, dtype=dtype)

    def __len__(self) -> int:
        return len(self.order)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.order)

    def __getitem__(self, at: Any) -> Any:
        return self.order[at]

    @property
    def judged(self) -> np.ndarray:
        """The features that have a score, best first."""
        return self.order[~np.isnan(self.scores[self.order])]

    def plot(self, ax: Any = None) -> Any:
        """Draw the sorted scores."""
        from .plot import scores

        return scores(self, ax=ax)

    def tolist(self) -> list[int]:
        """The columns, best first, as a list."""
        return self.order.tolist()

    def top(self, count: int) -> list[str]:
        """The names of the best features."""
        return [self.names[j] for j in self.order[:count]]

    def to_frame(self) -> pd.DataFrame:
        """A data frame, best first: feature, index, score, rank."""
        names, ranks = [self.names[j] for j in self.order], np.arange(1, len(self.order) + 1)
        return frame({"feature": names, "index": self.order, "score": self.scores[self.order], "rank": ranks})

    def to_dict(self) -> dict[str, Any]:
        """Everything in lists and numbers of Python."""
        return plain(dict(self.__dict__))

    def __repr__(self) -> str:
        return f"<Aggregation by {self.method}: {len(self.order)} features, best {', '.join(self.top(3))}>"

    def _repr_html_(self) -> str:
        scored = self.scores[~np.isnan(self.scores)]
        best, worst = (scored.min(), scored.max()) if self.goal == "minimize" else (scored.max(), scored.min())
        span = best - worst
        lines = []
        for rank, j in enumerate(self.order[:10], start=1):
            share = (self.scores[j] - worst) / span if span else np.nan
            number = "–" if np.isnan(self.scores[j]) else f"{self.scores[j]:.4g}"
            lines.append([str(rank), html.escape(self.names[j]), number, bar(float(share))])
        head = f"<b>{html.escape(self.title)}</b> <span class='soft'>{len(self.order):,} features</span>"
        return card(head, [rows(["rank", "feature", "score", ""], lines)], self.warnings)


def joined_lists(
    n_features: int, orders: Sequence[Any], aggregation: str, weights: list[float] | None = None
) -> dict[str, Any]:
    """One ranking of many, as a part of findings."""
    lists = [[int(j) for j in order] for order in orders]
    found = _core.aggregate(n_features, lists, aggregation, weights)
    title = f"Consensus by {found['method']}"
    rest: dict[str, Any] = {
        "labels": None,
        "scale": "none",
        "transform": "none",
        "graph": None,
        "reasons": {},
        "details": [],
    }
    return {**found, **rest, "title": title, "notes": [], "seconds": None}


def aggregate(
    rankings: Sequence[Any],
    aggregation: str = "borda",
    *,
    weights: Sequence[float] | None = None,
    known: Sequence[Any] | None = None,
) -> Aggregation:
    """One ranking of many: the features, best first. The answer can be used as an array of their columns.

    Parameters
    ----------
    rankings : list of Findings, or of arrays of feature indices, best first
        The rankings of the same features. An array may leave features out.
    aggregation : str
        borda (mean rank), median, rrf (reciprocal ranks), rra (robust) or mc4 (Markov chain).
    weights : list of float, optional
        One for every ranking; borda and rrf take weights.
    known : list of str or int, optional
        Features that are known to matter, by name or column: the weights are learned from them, so that they come out
        as far in front as the rankings can put them.

    Examples
    --------
    Every source ranks, and features that are known to matter tell which to trust (KOGS):

    >>> from fiedler import sources
    >>> fused = fiedler.fuse(X, {"own": sources.Target(), "more": sources.Data(Z)})  # doctest: +SKIP
    >>> fiedler.aggregate(fused.alone(), known=["TP53", "EGFR", "KRAS"]).top(10)  # doctest: +SKIP
    """
    orders = [
        r.order.tolist() if isinstance(r, Findings) else [_checks.whole("rankings", j) for j in r] for r in rankings
    ]
    n_features = max((max(order, default=-1) + 1 for order in orders), default=0)
    given = None if weights is None else [float(w) for w in weights]
    if given is not None and known is not None:
        raise _errors.ParameterError("weights and known cannot both be given: known features teach the weights")
    named = [r.names for r in rankings if isinstance(r, Findings)]
    names = list(named[0]) if named else [f"x{j}" for j in range(n_features)]
    taught = None if known is None else _columns(known, names)
    with _checks.renamed(lists="rankings"):
        found = _core.aggregate(n_features, orders, aggregation, given, taught)
    if taught is not None:
        found["left_out"] = {names[j]: rank for j, rank in zip(taught, found["left_out"], strict=True)}
    warn(found["warnings"])
    return Aggregation(found, names)


def _columns(known: Sequence[Any], names: list[str]) -> list[int]:
    """The columns of features that are named or given as columns, each once."""
    place = {name: at for at, name in enumerate(names)}
    missing = [name for name in known if isinstance(name, str) and name not in place]
    if missing:
        raise _errors.ParameterError(
            f"known features must be among those ranked; these are not: {', '.join(missing[:4])}"
        )
    found = [place[name] if isinstance(name, str) else _checks.whole("known", name) for name in known]
    return list(dict.fromkeys(found))
