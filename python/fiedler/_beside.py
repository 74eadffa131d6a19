"""What is judged beside methods: estimators that are fitted on every training part, and rankings that are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from . import _checks, _errors
from ._functions import Named
from ._fusion import MultiSource, ranked_by

Beside = list[tuple[str, list[list[int]]]]


def rankings_of(rankings: Mapping[str, Sequence[int | str]] | None, names: list[str] | None) -> Beside:
    """Rankings by name: the features of each, best first, by column or by name."""
    found: Beside = []
    for name, ranking in _named("rankings", rankings).items():
        if isinstance(ranking, str) or not hasattr(ranking, "__iter__"):
            raise _errors.ParameterError(f"`rankings` must be lists of features, best first; `{name}` is {ranking!r}")
        found.append((name, [[place(feature, names or [], "rankings") for feature in ranking]]))
    return found


def orders_of(estimators: Mapping[str, Any] | None, X: Any, y: Any, parts: list[list[int]] | None) -> Beside:
    """The rankings of estimators by name, each fitted anew on every part of the samples, or once on all."""
    found: Beside = []
    seen: list[list[int] | None] = [None] if parts is None else [*parts]
    for name, estimator in _named("estimators", estimators).items():
        if not hasattr(estimator, "fit"):
            raise _errors.ParameterError(f"`estimators` must be estimators by name; `{name}` is {estimator!r}")
        found.append((name, [_order(estimator, X, y, part) for part in seen]))
    return found


def place(feature: Any, names: list[str], argument: str) -> int:
    """The column of a feature that is given by column or by name."""
    if not isinstance(feature, str):
        return _checks.whole(argument, feature)
    if feature not in names:
        raise _errors.UnknownNamesError(f"`{argument}` names the feature {feature!r}, which `X` does not have")
    return names.index(feature)


def _named(argument: str, given: Mapping[str, Any] | None) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise _errors.ParameterError(f"`{argument}` must be a dictionary by name, got {given!r}")
    return {str(name): one for name, one in given.items()}


def _order(estimator: Any, X: Any, y: Any, part: list[int] | None) -> list[int]:
    """All features, best first; those that the estimator cannot score come last."""
    X = X.X if isinstance(X, Named) else X
    rows = np.arange(X.shape[0]) if part is None else np.asarray(part)
    seen = X[rows] if hasattr(X, "obs_names") else _safe_indexing(X, rows)
    known = {} if y is None else {"y": _safe_indexing(y if hasattr(y, "iloc") else np.asarray(y), rows)}
    if isinstance(estimator, MultiSource) and getattr(X, "index", None) is None:
        # Sources that know samples are told which of them these are.
        known["samples"] = rows
    fitted = clone(estimator).fit(seen, **known)
    best = [int(j) for j in ranked_by(fitted, "`estimators` must be estimators")]
    listed = set(best)
    return [*best, *(j for j in range(X.shape[1]) if j not in listed)]
