"""How good selections are, and how sure: evaluation and stability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _checks, _core, _errors
from ._base import seed
from ._functions import asked_of, labels, labels_of, named, read
from ._results import Evaluation, Stability, asked_again
from ._work import Work, warn


def evaluate(
    X: Any,
    y: Any = None,
    *,
    methods: str | Sequence[str] = ("laplacian", "mrsf"),
    counts: Sequence[int] | None = None,
    metric: str | None = None,
    folds: int | None = None,
    repeats: int | None = None,
    classes: int | None = None,
    labeled: int | None = None,
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
        The methods by name.
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
    labeled : int, optional
        So many labels a class are all that methods see; judging sees all.
    select_on : str
        Which samples selection sees: training, or all, which flatters supervised methods.
    draws : int
        Random rankings a partition.
    worst : bool
        Whether the last features of every ranking are judged too.
    significance : float
        A p-value below this is a difference.
    known : list of int or str
        For hits: the features that are known to matter, by column or by name.
    feature_names, graph, scale, value_transform, random_state, n_jobs, verbose, memory, **parameters
        As in :func:`rank`.
    """
    X, methods = named(X, feature_names), [methods] if isinstance(methods, str) else list(methods)
    asked = asked_of(methods, graph, (scale, value_transform), None, parameters)
    said = {"folds": folds, "repeats": repeats, "classes": classes, "labeled": labeled, "draws": draws}
    sizes = {name: None if value is None else _checks.whole(name, value) for name, value in said.items()}
    if classes is not None and folds is not None:
        raise _errors.ParameterError("`classes` draws classes in place of parts; leave `folds` out")
    chosen = None if counts is None else sorted({_checks.whole("counts", c, 1) for c in counts})
    with (
        Work(n_jobs, verbose, memory=memory) as terms,
        _checks.renamed(n_features_to_select="counts", protocol="metric"),
    ):
        data, names = read(X, terms)
        data = labels(data, labels_of(X, y), methods)
        metric = metric or _core.usual_metric(data.has_target)
        if labeled is not None and data.has_target:
            raise _errors.ParameterError("`labeled` counts labels of classes, and `y` is a number to be predicted")
        asked["rank"] = False
        asked["seed"] = None if random_state is None else seed(random_state)
        asked["evaluate"] = {
            "metric": metric,
            "counts": chosen or [],
            **sizes,
            "select_on": str(select_on),
            "worst": bool(worst),
            "significance": _checks.number("significance", significance),
            "seed": asked["seed"],
            "known": [_place(feature, names or []) for feature in known],
        }
        found, _ = _core.run(data, asked, terms)
    warn(found["warnings"])
    answer = Evaluation(found)
    answer._tell = asked_again(data, asked, n_jobs)
    return answer


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


def _place(feature: Any, names: list[str]) -> int:
    """The column of a feature that is given by column or by name."""
    if not isinstance(feature, str):
        return _checks.whole("known", feature)
    if feature not in names:
        raise _errors.UnknownNamesError(f"`known` names the feature {feature!r}, which `X` does not have")
    return names.index(feature)
