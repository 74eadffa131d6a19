"""Answers: small objects that can be looked at, turned into a frame or a dictionary, and drawn."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _data, _errors
from ._html import bar, card, curve, listed, rows
from ._work import Work

if TYPE_CHECKING:
    import pandas as pd
    from scipy import sparse


def frame(columns: dict[str, Any]) -> pd.DataFrame:
    """A data frame, where pandas is installed."""
    try:
        import pandas as pd
    except ImportError as missing:
        raise ImportError("a data frame needs pandas: pip install 'fiedler[frames]'") from missing
    return pd.DataFrame(columns)


def plain(value: Any) -> Any:
    """Lists and numbers of Python in place of numpy's, so that JSON can have them."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return value.item()
    return None if isinstance(value, float) and np.isnan(value) else value


class Reported:
    """An answer that has a report."""

    #: What the report tells, once it was asked for; not kept in pickles.
    _told: _core.ReportSource | None = None
    #: Asks for it.
    _tell: Callable[[], _core.ReportSource] | None = None

    def report(self, path: str | os.PathLike[str], *, image_shape: tuple[int, int] | None = None) -> None:
        """Write a report to look at: one HTML file with sentences, charts and tables, whole or not at all.

        Of more than 10,000 features the best are in it, and all of them in a CSV file beside it
        (``iris.features.csv``). What it draws is computed when it is first asked for.

        Parameters
        ----------
        path : str or path
            The file, such as ``"iris.html"``.
        image_shape : (height, width), optional
            Where the features are the pixels of images, row by row: shows where the good ones are.
        """
        n_features = getattr(self, "n_features", None)
        if image_shape is not None and n_features is not None and image_shape[0] * image_shape[1] != n_features:
            raise _errors.ParameterError(
                f"`image_shape` must have as many pixels as there are features ({n_features}), "
                f"got {image_shape[0]} × {image_shape[1]}"
            )
        self._what_is_told().write(os.fspath(path), image_shape)

    @property
    def portrait(self) -> dict[str, Any]:
        """What the report draws: samples in the leading eigenvectors, α² of features, redundancy, distributions, …."""
        told: dict[str, Any] = json.loads(self._what_is_told().json())
        return told["portrait"]

    def _what_is_told(self) -> _core.ReportSource:
        if self._told is None:
            if self._tell is None:
                raise _errors.GraphNotKeptError(
                    "this answer has no data: estimators and pickles keep none; ask fiedler.rank, evaluate or "
                    "stability again to have its report"
                )
            self._told = self._tell()
        return self._told

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_told": None, "_tell": None}


def asked_again(data: _core.Data, asked: dict[str, Any], n_jobs: int | None) -> Callable[[], _core.ReportSource]:
    """Asks the same question for the sake of its report."""

    def tell() -> _core.ReportSource:
        with Work(n_jobs, 0) as terms:
            return _core.run_and_tell(data, asked, terms)[2]

    return tell


class Findings(Reported):
    """What a method found: a score for every feature, best first.

    Attributes
    ----------
    method : str
        The method's name.
    goal : str
        ``"minimize"`` or ``"maximize"``: which way scores are better.
    ordered_by : str
        ``"score"``, or ``"choice"`` where the method chose one feature after the other: scores then tell what was
        measured at entry, and `order` is the order of choice.
    scores : ndarray of shape (n_features,)
        In the order of the columns, NaN where a feature has none.
    order : ndarray of shape (n_features,)
        The columns, best first.
    ranking : ndarray of shape (n_features,)
        The rank of every column; 1 is best.
    elbow : int or None
        How many features come before the turning point of the scores, where they have one.
    names : list of str
        The names of the columns; x0, x1, … where they have none.
    notes, warnings : list of str
        What was decided for you; what to know before trusting the answer.
    """

    def __init__(self, found: dict[str, Any], at: int, graph: _core.Graph | None, names: list[str] | None) -> None:
        self._found, self._at, self._core_graph = found, at, graph
        #: The data, where the answer may refer to them; not kept in pickles.
        self._X: Any = None
        one = self._one
        self.method: str = one["method"]
        self.title: str = one["title"]
        self.goal: str = one["goal"]
        self.ordered_by: str = one.get("ordered_by", "score")
        self.order: np.ndarray = one["order"]
        self.n_features: int = found["data"]["n_features"]
        self.scores = np.full(self.n_features, np.nan)
        self.scores[self.order] = one["scores"]
        self.ranking = np.zeros(self.n_features, dtype=np.int64)
        self.ranking[self.order] = np.arange(1, len(self.order) + 1)
        self.elbow: int | None = one["elbow"]
        self.parameters: dict[str, Any] = one["parameters"]
        self.labels: str | None = one["labels"]
        self.target: str | None = one.get("target")
        self.scale: str = one["scale"]
        self.value_transform: str = one["transform"]
        self.names = names if names is not None else [f"x{j}" for j in range(self.n_features)]
        self.notes: list[str] = one["notes"]
        self.warnings: list[str] = found["warnings"]

    @property
    def _one(self) -> dict[str, Any]:
        return self._found["rankings"][self._at]

    @property
    def reasons(self) -> dict[int, str]:
        """Why a feature has no score, or ranks where its score alone would not put it, by column."""
        return self._one["reasons"]

    @property
    def judged(self) -> np.ndarray:
        """The features that have a score by which they rank, best first."""
        return np.array(
            [j for j in self.order if int(j) not in self.reasons and not np.isnan(self.scores[j])], dtype=int
        )

    @property
    def details(self) -> dict[str, dict[str, Any]]:
        """What the method tells beyond scores: tables by name, each a dictionary of columns."""
        return {detail["key"]: detail["columns"] for detail in self._one["details"]}

    @cached_property
    def graph(self) -> sparse.csr_array:
        """The graph as a symmetric scipy CSR array. It is not kept in pickles.

        A graph of landmarks joins so many pairs that it is refused where it would not fit; `links` are few.
        """
        return _data.matrix(self._kept_graph())

    @cached_property
    def links(self) -> sparse.csr_array | None:
        """The links of samples to landmarks as a scipy CSR array, samples × landmarks; None for every other graph.

        Every row sums to 1. With Z these links, the graph is Z diag(1 / Z.sum(axis=0)) Zᵀ. They are not in pickles.
        """
        return _data.links(self._kept_graph())

    @cached_property
    def spectrum(self) -> Spectrum:
        """The leading eigenpairs of the graph: ten, or those that the method was asked for (`pairs`, `rank`).

        They are computed when they are first looked at, and not kept in pickles.
        """
        kept = self._kept_graph()
        asked = [self.parameters.get(key) for key in ("pairs", "rank")]
        wanted = max((n for n in asked if isinstance(n, int) and n > 1), default=10)
        with Work() as terms:
            return Spectrum(_core.spectrum(kept, min(wanted, kept.n_samples), terms))

    def _kept_graph(self) -> _core.Graph:
        if self._core_graph is None:
            raise _errors.GraphNotKeptError(
                f"{self.method} has no graph to show: it uses none, or this answer was unpickled (fit again to have it)"
            )
        return self._core_graph

    @property
    def plot(self) -> Any:
        """Pictures: ``found.plot.scores()``, ``found.plot.spectrum()``, ``found.plot.embedding()``."""
        from .plot import Plots

        return Plots(self)

    def top(self, count: int) -> list[str]:
        """The names of the best features."""
        return [self.names[j] for j in self.order[:count]]

    def to_frame(self) -> pd.DataFrame:
        """A data frame, best first: feature, index, score, rank, reason (why a feature has no score)."""
        return frame(
            {
                "feature": [self.names[j] for j in self.order],
                "index": self.order,
                "score": self.scores[self.order],
                "rank": np.arange(1, len(self.order) + 1),
                "reason": [self.reasons.get(int(j), "") for j in self.order],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything that was found, in lists and numbers of Python: what JSON can hold."""
        said = {"format": self._found["format"], "version": self._found["version"], "data": self._found["data"]}
        return plain({**said, **self._one, "names": self.names, "warnings": self.warnings})

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        state.pop("graph", None)
        state.pop("links", None)
        state.pop("spectrum", None)
        return {**state, "_core_graph": None, "_X": None}

    def __repr__(self) -> str:
        best = ", ".join(self.top(3))
        return f"<{self.title}: {self.n_features} features, best {best}; {self._better()}>"

    def _better(self) -> str:
        said: str | None = self._one.get("in_words")
        return said or ("smaller is better" if self.goal == "minimize" else "larger is better")

    def _repr_html_(self) -> str:
        data = self._found["data"]
        size = f"{data['n_samples']:,} samples × {data['n_features']:,} features · {self._better()}"
        head = f"<b>{html.escape(self.title)}</b> <span class='soft'>{size}</span><div>{self._verdict()}</div>"
        scored = self.scores[self.judged]
        worst, span = (scored[-1], scored[0] - scored[-1]) if len(scored) else (0.0, 0.0)
        lines = []
        for rank, j in enumerate(self.order[:10], start=1):
            share = (self.scores[j] - worst) / span if span else self.scores[j] * 0 + 1
            number = "–" if np.isnan(self.scores[j]) else f"{self.scores[j]:.4g}"
            lines.append([str(rank), html.escape(self.names[j]), number, bar(float(share))])
        bend = "" if self.elbow is None else f"; the curve bends most after {self.elbow}"
        caption = f"all scores, best first{bend}"
        aside = self.n_features - len(scored)
        caption += f"; {aside} features cannot be judged" if aside else ""
        parts = [rows(["rank", "feature", "score", ""], lines), curve(scored, self.elbow, caption)]
        return card(f"{head}<div class='soft'>{html.escape(self._made_of())}</div>", parts, self.warnings)

    def _verdict(self) -> str:
        """Which features matter, in a sentence."""
        scored = int(np.count_nonzero(~np.isnan(self.scores)))
        if scored == 0:
            return "No feature can be scored."
        if self.elbow is not None and self.elbow <= 5:
            verb = "stands" if self.elbow == 1 else "stand"
            return f"{listed(self.top(self.elbow))} {verb} before the turning point of the scores."
        rest = "" if self.elbow is None else f" {self.elbow} features stand before the turning point of the scores."
        return f"{listed(self.top(min(3, scored)))} come first.{rest}"

    def _made_of(self) -> str:
        """What the method saw, in a few words."""
        graph, said = self._one["graph"], []
        if graph is not None:
            # Not what is switched off, nor lists that nobody reads.
            short = {k: v for k, v in graph["parameters"].items() if v is not False and len(_shown(v)) <= 40}
            options = [f"{key} {_shown(value)}" for key, value in short.items()]
            said.append(f"graph: {', '.join([graph['kind'], *options])}")
            if graph["components"] > 1:
                said.append(f"{graph['components']} components")
        said += [f"scaled: {self.scale}"] if self.scale != "none" else []
        said += [f"values: {self.value_transform}"] if self.value_transform != "none" else []
        said += [f"labels: {self.labels}"] if self.labels else []
        return " · ".join(said)


def _shown(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


class Spectrum:
    """The leading eigenpairs of the normalized Laplacian of a graph, smallest first.

    Attributes
    ----------
    values : ndarray of shape (n_pairs,)
        Eigenvalues.
    vectors : ndarray of shape (n_samples, n_pairs)
        Eigenvectors, in columns.
    residuals : ndarray of shape (n_pairs,)
        ‖Nξ - λξ‖ of every pair.
    eigengap : int or None
        How many clusters the largest gap suggests; None where no gap stands out.
    """

    def __init__(self, found: dict[str, Any]) -> None:
        self.values: np.ndarray = found["values"]
        self.vectors: np.ndarray = found["vectors"]
        self.residuals: np.ndarray = found["residuals"]
        self.eigengap: int | None = found["eigengap"]

    def to_frame(self) -> pd.DataFrame:
        """A data frame: value and residual of every pair."""
        return frame({"value": self.values, "residual": self.residuals})

    def to_dict(self) -> dict[str, Any]:
        """Everything in lists and numbers of Python."""
        return plain(dict(self.__dict__))

    def plot(self, ax: Any = None) -> Any:
        """Draw the eigenvalues."""
        from .plot import spectrum

        return spectrum(self, ax=ax)

    def __repr__(self) -> str:
        gap = "no gap stands out" if self.eigengap is None else f"widest gap after {self.eigengap}"
        return f"<Spectrum: {len(self.values)} pairs of {self.vectors.shape[0]} samples, {gap}>"

    def _repr_html_(self) -> str:
        top = max(float(self.values.max(initial=0.0)), 1e-300)
        lines = [[str(i + 1), f"{v:.4g}", bar(v / top)] for i, v in enumerate(self.values[:20])]
        size = f"{len(self.values)} pairs of {self.vectors.shape[0]:,} samples"
        head = f"<b>Spectrum of the normalized Laplacian</b> <span class='soft'>{size}</span>"
        if self.eigengap is not None:
            head += f"<div>The widest gap comes after <b>{self.eigengap}</b>: so many clusters are suggested.</div>"
        caption = "eigenvalues"
        return card(head, [rows(["pair", "λ", ""], lines), curve(self.values, self.eigengap, caption)])


class Path:
    """The solutions of an L2,1 regression from λ_max downwards.

    Attributes
    ----------
    lambdas, gaps : ndarray
        λ and duality gap of every point.
    active : list of list of int
        The features that are used at every point, in the order in which they came in.
    entries : list of (int, float)
        The features at the end, with the λ at which each entered.
    copies : list of (int, int)
        Features that repeat another one, each with that one.
    end : str
        ``"complete"``: as many as asked; ``"together"``: more, because several entered at the same λ;
        ``"exhausted"``: fewer, because nothing is left to explain.
    """

    def __init__(self, found: dict[str, Any], solve: Any, names: list[str]) -> None:
        self.lambdas: np.ndarray = found["lambdas"]
        self.gaps: np.ndarray = found["gaps"]
        self.active: list[list[int]] = found["active"]
        self.row_norms: list[list[float]] = found["row_norms"]
        self.entries: list[tuple[int, float]] = found["entries"]
        self.copies: list[tuple[int, int]] = found["copies"]
        self.end: str = found["end"]
        self.names = names
        self._weights: np.ndarray = found["weights"]
        self._solve = solve

    @property
    def gap(self) -> float:
        """The largest duality gap of all points."""
        return float(self.gaps.max(initial=0.0))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_solve": None}

    def coef(self, point: int = -1) -> np.ndarray:
        """The weights at a point, features × targets, for columns that are centered and of length 1.

        The weights of the last point are kept; those of others are computed when they are asked for.
        """
        point = range(len(self.lambdas))[point]
        weights = np.zeros((len(self.names), self._weights.shape[1]))
        if point == len(self.lambdas) - 1:
            weights[self.active[point]] = self._weights
        elif self.active[point]:
            if self._solve is None:
                raise _errors.GraphNotKeptError("a path from a pickle has the weights of its last point only")
            active, found, _ = self._solve(float(self.lambdas[point]))
            weights[active] = found
        return weights

    def to_frame(self) -> pd.DataFrame:
        """A data frame: the features that are used at the end and the λ at which each entered."""
        features, entered = [j for j, _ in self.entries], [at for _, at in self.entries]
        return frame({"feature": [self.names[j] for j in features], "index": features, "lambda": entered})

    def to_dict(self) -> dict[str, Any]:
        """Everything in lists and numbers of Python."""
        return plain({key: value for key, value in self.__dict__.items() if not key.startswith("_")})

    def plot(self, ax: Any = None) -> Any:
        """Draw the norms of the weights against λ."""
        from .plot import path

        return path(self, ax=ax)

    def __repr__(self) -> str:
        return f"<Path: {len(self.lambdas)} points, {len(self.entries)} features, {self.end}>"

    def _repr_html_(self) -> str:
        top = self.entries[0][1] if self.entries else 1.0
        lines = [[html.escape(self.names[j]), f"{at:.4g}", bar(at / top)] for j, at in self.entries[:20]]
        size = f"{len(self.lambdas)} points, {len(self.entries)} features, {self.end}"
        head = f"<b>L2,1 path</b> <span class='soft'>{size}</span>"
        return card(head, [rows(["feature", "λ of entry", ""], lines)])


class Evaluation(Reported):
    """How good selections are: a measure for every method and number of features.

    Attributes
    ----------
    points : list of dict
        measure, goal, name, method, kind, labeled, varied, count, mean, sd, low, high, p_value, best, level:
        ``level`` tells that a method is the best at its count (and number of labels) or not significantly worse.
        ``less_random`` is the difference to random selection of as many features, with its interval
        (``less_random_low``, ``less_random_high``) and what follows (``than_random``: better, worse or level);
        ``less_best`` and so on compare with the best at that count.
    tells_apart : dict
        For every measure the smallest difference that these partitions can tell apart in half of the comparisons (with
        the fewest labels, where there are several numbers of them); None where no partitions tell.
    """

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found["evaluation"]
        self.points: list[dict[str, Any]] = self._found["points"]
        self.tells_apart: dict[str, float | None] = dict(self._found["tells_apart"])
        self.metric: str = self._found["metric"]
        self.warnings: list[str] = found["warnings"]

    def to_frame(self) -> pd.DataFrame:
        """A data frame, one line a measure, method and number of features; what varies has columns."""
        names = ["measure", "name", "kind", "count", "mean", "sd", "low", "high", "p_value", "best", "level"]
        for than in ("random", "best"):
            names += [f"less_{than}", f"less_{than}_low", f"less_{than}_high", f"than_{than}"]
        columns = {name: [point[name] for point in self.points] for name in names}
        if any(point["labeled"] is not None for point in self.points):
            columns["labeled"] = [point["labeled"] for point in self.points]
        for parameter in dict.fromkeys(name for point in self.points for name in point["varied"]):
            columns[parameter] = [point["varied"].get(parameter) for point in self.points]
        return frame(columns)

    def to_dict(self) -> dict[str, Any]:
        """Everything in lists and numbers of Python."""
        return plain({**self._found, "warnings": self.warnings})

    def plot(self, ax: Any = None) -> Any:
        """Draw the measure against the number of features."""
        from .plot import accuracy

        return accuracy(self, ax=ax)

    def __repr__(self) -> str:
        names = dict.fromkeys(point["name"] for point in self.points)
        return f"<Evaluation by {self.metric}: {', '.join(names)}>"

    def _repr_html_(self) -> str:
        measure = self.points[0]["measure"] if self.points else self.metric
        labeled = self.points[0]["labeled"] if self.points else None
        points = [p for p in self.points if p["measure"] == measure and p["labeled"] == labeled]
        counts = sorted({p["count"] for p in points if p["kind"] != "all"})
        lines = []
        for name in dict.fromkeys(p["name"] for p in points):
            of_name = {p["count"]: p for p in points if p["name"] == name}
            if len(of_name) == 1 and not set(of_name) & set(counts):
                of_name = dict.fromkeys(counts, next(iter(of_name.values())))
            lines.append([html.escape(name), *(_cell(of_name.get(count)) for count in counts)])
        head = f"<b>{html.escape(measure)}</b> <span class='soft'>against the number of features; mean ± sd</span>"
        return card(head, [rows(["", *(str(count) for count in counts)], lines)], self.warnings)


def _cell(point: dict[str, Any] | None) -> str:
    """A mean; in bold where a method is the best of its count."""
    if point is None:
        return ""
    text = f"{point['mean']:.3f} <span class='soft'>± {point['sd']:.3f}</span>"
    return f"<b>{text}</b>" if point["best"] else text


class Stability(Reported):
    """How sure a selection is: how often every feature is selected when the data change a little.

    Attributes
    ----------
    reports : list of dict
        One for every kind of change (subsample, noise): times, lower_bound, upper_bound, kuncheva, spearman, safe, ….
    safe : list of int
        The features that are safe to report under every change, best first.
    """

    def __init__(self, found: dict[str, Any], names: list[str]) -> None:
        self.reports: list[dict[str, Any]] = found["stability"]
        self.warnings: list[str] = found["warnings"]
        self.names = names
        first, others = self.reports[0], self.reports[1:]
        self.safe: list[int] = [j for j in first["safe"] if all(j in other["safe"] for other in others)]

    @property
    def order(self) -> np.ndarray:
        """The features, most often selected first, then as the data rank them."""
        times = sum(report["times"] for report in self.reports)
        order: np.ndarray = self.reports[0]["order"]
        return order[np.argsort(-times[order], kind="stable")]

    def to_frame(self) -> pd.DataFrame:
        """A data frame: feature, index, how often it is selected under every change, whether it is safe."""
        columns: dict[str, Any] = {"feature": [self.names[j] for j in self.order], "index": self.order}
        for report in self.reports:
            columns[report["change"]] = report["times"][self.order] / report["repeats"]
        return frame({**columns, "safe": [int(j) in self.safe for j in self.order]})

    def to_dict(self) -> dict[str, Any]:
        """Everything in lists and numbers of Python."""
        return plain({"reports": self.reports, "safe": self.safe, "names": self.names, "warnings": self.warnings})

    def plot(self, ax: Any = None) -> Any:
        """Draw how often the features are selected."""
        from .plot import stability

        return stability(self, ax=ax)

    def __repr__(self) -> str:
        return f"<Stability: {len(self.safe)} of {self.reports[0]['count']} features are safe to report>"

    def _repr_html_(self) -> str:
        first = self.reports[0]
        lines = [
            [
                html.escape(self.names[j]),
                f"{first['times'][j] / first['repeats']:.0%}",
                bar(first["times"][j] / first["repeats"]),
                "safe" if int(j) in self.safe else "",
            ]
            for j in self.order[:15]
        ]
        size = f"{first['repeats']} versions of the data · agreement (Kuncheva) {first['kuncheva']:.2f}"
        count = first["count"]
        head = f"<b>{len(self.safe)} of {count} features are safe to report</b> <span class='soft'>{size}</span>"
        return card(head, [rows(["feature", "selected", "", ""], lines)], self.warnings)
