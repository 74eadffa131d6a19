"""How good selections are, and how sure: evaluation and stability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _checks, _core, _errors
from ._base import seed
from ._beside import orders_of, place, rankings_of
from ._functions import asked_of, labels, labels_of, named, read, varied_of
from ._results import Evaluation, Stability, asked_again
from ._work import Terms, Work, warn

USUAL = ("laplacian", "mrsf")
"""Judged where nobody says what."""


def evaluate(
    X: Any,
    y: Any = None,
    *,
    methods: str | Sequence[str] = USUAL,
    estimators: Mapping[str, Any] | None = None,
    rankings: Mapping[str, Sequence[int | str]] | None = None,
    judge_on: tuple[Any, Any] | None = None,
    counts: Sequence[int] | None = None,
    metric: str | None = None,
    folds: int | None = None,
    repeats: int | None = None,
    classes: int | None = None,
    labeled: int | Sequence[int] | None = None,
    vary: Mapping[str, Sequence[Any]] | None = None,
    select_on: str = "training",
    draws: int = 5,
    worst: bool = False,
    significance: float = 0.05,
    known: Sequence[int | str] = (),
    feature_names: Sequence[str] | None = None,
    graph: Any = None,
    scale: str = "auto",
    value_transform: str = "auto",
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: int | bool = 0,
    memory: str | int | None = None,
    **parameters: Any,
) -> Evaluation:
    """Judge what methods select: on samples that selection did not see, with random selection and all features beside.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n_samples, n_features)
        The data.
    y : array of shape (n_samples,), optional
        Class labels; 1nn, svm and kmeans need them. Or a number to be predicted, which knn needs.
    methods : str or list of str
        The methods by name; none unless they are named where estimators or rankings are given.
    estimators : dict of str to estimator, optional
        Estimators that have `ranking_` or `scores_` after `fit`, by the names they have in the answer, such as a
        :class:`MultiSource` (many sources of knowledge) or a :class:`Consensus`. Each is fitted anew on the training
        part of every partition.
    rankings : dict of str to list, optional
        Rankings made elsewhere, judged as they are: features, best first, by column or by name, at least as many as the
        largest of `counts`.
    judge_on : tuple of (X, y), optional
        Other samples with the same features, matched by name: they judge what was selected on all of `X`.
    counts : list of int, optional
        How many features are kept, one point of the curve each; otherwise 1, 2, 5, 10, ….
    metric : str
        1nn, knn (R² of nearest neighbors), svm, kmeans, jaccard, redundancy or hits; None: 1nn, or knn where `y` is a
        number to be predicted.
    folds, repeats : int, optional
        Cross-validation with so many parts, so often; otherwise halves, drawn ten times.
    classes : int, optional
        Draw that many classes at random, select and judge on their samples, and begin anew; for kmeans, jaccard,
        redundancy and hits. `repeats` times, otherwise 20.
    labeled : int or list of int, optional
        So many labels a class are all that methods see; judging sees all. Several numbers are judged one by one:
        points have theirs as ``labeled``.
    vary : dict of str to list, optional
        Several values of parameters of the methods, such as ``{"lam": [0.1, 0.5, 0.9]}``: every combination is judged,
        and points have theirs as ``varied``. Keys are the keywords of the parameters.
    select_on : str
        Which samples selection sees: training, or all, which flatters supervised methods.
    draws : int
        Random rankings a partition.
    worst : bool
        Whether the last features of every ranking are judged too.
    significance : float
        A p-value below this is a difference.
    known : list of int or str
        The features that are known to matter, by column or by name: what the metric hits counts, and a table of hits
        beside any other metric.
    feature_names, graph, scale, value_transform, random_state, n_jobs, verbose, memory, **parameters
        As in :func:`rank`.
    """
    if methods is USUAL and (estimators or rankings):
        methods = []
    X, methods = named(X, feature_names), [methods] if isinstance(methods, str) else list(methods)
    if estimators and labeled is not None:
        raise _errors.ParameterError("`labeled`: estimators see the labels of all samples; leave one of them out")
    asked = asked_of(methods, graph, (scale, value_transform), None, parameters)
    asked["vary"] = varied_of(methods, vary)
    said = {"folds": folds, "repeats": repeats, "classes": classes, "draws": draws}
    sizes = {name: None if value is None else _checks.whole(name, value) for name, value in said.items()}
    if classes is not None and folds is not None:
        raise _errors.ParameterError("`classes` draws classes in place of parts; leave `folds` out")
    chosen = None if counts is None else [_checks.whole("counts", c, 1) for c in counts]
    renamed = {"n_features_to_select": "counts", "protocol": "metric", "select-on": "select_on"}
    asked |= {"rank": False, "seed": None if random_state is None else seed(random_state)}
    with Work(n_jobs, verbose, memory=memory) as terms, _checks.renamed(**renamed):
        data, names = read(X, terms)
        y = labels_of(X, y)
        data = labels(data, y, methods)
        judging: dict[str, Any] = {
            "metric": metric or _core.usual_metric(data.has_target),
            "counts": chosen or [],
            **sizes,
            "labeled": _labels_known(labeled),
            "select_on": str(select_on),
            "worst": bool(worst),
            "significance": _checks.number("significance", significance),
            "seed": asked["seed"],
            "known": [place(feature, names or [], "known") for feature in known],
            "beside": rankings_of(rankings, names),
            "judge_on": None if judge_on is None else _other(judge_on, feature_names, methods, terms),
        }
        once = judge_on is not None or select_on == "all"
        parts = None if once or not estimators else _core.training_parts(data, judging)
    judging["beside"] += orders_of(estimators, X, y, parts)
    asked["evaluate"] = judging
    with Work(n_jobs, verbose, memory=memory) as terms, _checks.renamed(**renamed):
        found, _ = _core.run(data, asked, terms)
    warn(found["warnings"])
    answer = Evaluation(found)
    answer._tell = asked_again(data, asked, n_jobs)
    return answer


def _labels_known(labeled: int | Sequence[int] | None) -> list[int]:
    """The numbers of labels a class."""
    if labeled is None:
        return []
    several = labeled if isinstance(labeled, (list, tuple, range, np.ndarray)) else [labeled]
    return [_checks.whole("labeled", each) for each in several]


def _other(judge_on: Any, feature_names: Sequence[str] | None, methods: list[str], terms: Terms) -> _core.Data:
    """The data that judge."""
    if not isinstance(judge_on, tuple) or len(judge_on) != 2:
        raise _errors.ParameterError(f"`judge_on` must be (X, y), other samples with their labels, got {judge_on!r}")
    X, y = named(judge_on[0], feature_names), judge_on[1]
    return labels(read(X, terms)[0], labels_of(X, y), methods)


def stability(
    X: Any,
    y: Any = None,
    *,
    method: str = "mrsf",
    count: int | None = None,
    repeats: int = 50,
    fraction: float = 0.8,
    noise: float = 0.1,
    threshold: float = 0.8,
    feature_names: Sequence[str] | None = None,
    graph: Any = None,
    scale: str = "auto",
    value_transform: str = "auto",
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: int | bool = 0,
    memory: str | int | None = None,
    **parameters: Any,
) -> Stability:
    """How sure a selection is: how often every feature is selected when the data change a little.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n_samples, n_features)
        The data.
    y : array of shape (n_samples,), optional
        Class labels, for methods that can use them.
    method : str
        The method by name.
    count : int, optional
        How many features are selected; otherwise 10, or half of them where there are fewer than 20.
    repeats : int
        How many versions of the data are ranked, for every kind of change.
    fraction : float
        The part of the samples in a subsample; 1: no subsamples.
    noise : float
        The noise on every value, in standard deviations of its feature; 0: no noise.
    threshold : float
        Which share of all versions must select a feature, with 95 % confidence, for it to be safe to report.
    feature_names, graph, scale, value_transform, random_state, n_jobs, verbose, memory, **parameters
        As in :func:`rank`.
    """
    X = named(X, feature_names)
    asked = asked_of([_checks.one_method(method)], graph, (scale, value_transform), random_state, parameters)
    fraction, noise = _checks.number("fraction", fraction), _checks.number("noise", noise)
    said: dict[str, Any] = {"repeats": _checks.whole("repeats", repeats), "fraction": fraction, "noise": noise}
    said["threshold"] = _checks.number("threshold", threshold)
    with Work(n_jobs, verbose, memory=memory) as terms, _checks.renamed(n_features_to_select="count"):
        data, names = read(X, terms)
        n_features = data.shape[1]
        said["count"] = _core.usual_selection(n_features) if count is None else _checks.whole("count", count, 1)
        said["seed"] = 0 if random_state is None else seed(random_state)
        asked |= {"rank": False, "stability": said}
        data = labels(data, labels_of(X, y), [method])
        found, _ = _core.run(data, asked, terms)
    warn(found["warnings"])
    answer = Stability(found, names or [f"x{j}" for j in range(n_features)])
    answer._tell = asked_again(data, {**asked, "count": said["count"]}, n_jobs)
    return answer
