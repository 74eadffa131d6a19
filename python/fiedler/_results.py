"""Answers: small objects that can be looked at, turned into a frame or a dictionary, and drawn."""

from __future__ import annotations

import html
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _data, _errors
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


def table(head: str, columns: list[str], rows: list[list[str]], said: list[str]) -> str:
    """An HTML table with a headline above it and sentences below. Cells are HTML already."""
    cells = "".join(f"<th style='text-align:left'>{html.escape(c)}</th>" for c in columns)
    lines = "".join("<tr>" + "".join(f"<td style='text-align:left'>{c}</td>" for c in row) + "</tr>" for row in rows)
    notes = "".join(f"<div style='color:#8a5a00'>⚠ {html.escape(s)}</div>" for s in said)
    return f"<div><div>{head}</div><table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>{notes}</div>"


def bar(share: float) -> str:
    """A bar of that share of the width."""
    width = 0 if np.isnan(share) else round(120 * min(max(share, 0.0), 1.0))
    return f"<div style='background:#3b6ea5;height:0.8em;width:{width}px'></div>"


class Findings:
    """What a method found: a score for every feature, best first.

    Attributes
    ----------
    method : str
        The method's name.
    goal : str
        ``"minimize"`` or ``"maximize"``: which way scores are better.
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
        one = self._one
        self.method: str = one["method"]
        self.title: str = one["title"]
        self.goal: str = one["goal"]
        self.order: np.ndarray = one["order"]
        self.n_features: int = found["data"]["n_features"]
        self.scores = np.full(self.n_features, np.nan)
        self.scores[self.order] = one["scores"]
        self.ranking = np.zeros(self.n_features, dtype=np.int64)
        self.ranking[self.order] = np.arange(1, len(self.order) + 1)
        self.elbow: int | None = one["elbow"]
        self.parameters: dict[str, Any] = one["parameters"]
        self.labels: str | None = one["labels"]
        self.scale: str = one["scale"]
        self.value_transform: str = one["transform"]
        self.names = names if names is not None else [f"x{j}" for j in range(self.n_features)]
        self._asked: tuple[_core.Data, dict[str, Any], int | None] | None = None
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
    def details(self) -> dict[str, dict[str, Any]]:
        """What the method tells beyond scores: tables by name, each a dictionary of columns."""
        return {detail["key"]: detail["columns"] for detail in self._one["details"]}

    @cached_property
    def graph(self) -> sparse.csr_array:
        """The graph as a symmetric scipy CSR array. It is not kept in pickles."""
        if self._core_graph is None:
            raise _errors.GraphNotKeptError(
                f"{self.method} has no graph to show: it uses none, or this answer was unpickled (fit again to have it)"
            )
        return _data.matrix(self._core_graph)

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

    def report(self, path: str | os.PathLike[str], *, image_shape: tuple[int, int] | None = None) -> None:
        """Write a report to look at: one HTML file with sentences, charts and tables, whole or not at all.

        Parameters
        ----------
        path : str or path
            The file, such as ``"iris.html"``.
        image_shape : (height, width), optional
            Where the features are the pixels of images, row by row: shows where the good ones are.
        """
        if self._asked is None:
            raise _errors.GraphNotKeptError("this answer no longer has its data; ask fiedler.rank again to have its report")
        data, asked, n_jobs = self._asked
        with Work(n_jobs, 0) as terms:
            _core.report(data, asked, terms, os.fspath(path), image_shape)

    def to_dict(self) -> dict[str, Any]:
        """Everything that was found, in lists and numbers of Python: what JSON can hold."""
        said = {"format": self._found["format"], "version": self._found["version"], "data": self._found["data"]}
        return plain({**said, **self._one, "names": self.names, "warnings": self.warnings})

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state.pop("graph", None)
        return {**state, "_core_graph": None, "_asked": None}

    def __repr__(self) -> str:
        best = ", ".join(self.top(3))
        return f"<{self.title}: {self.n_features} features, best {best}; {self._better()}>"

    def _better(self) -> str:
        return "smaller is better" if self.goal == "minimize" else "larger is better"

    def _repr_html_(self) -> str:
        data = self._found["data"]
        head = (
            f"<b>{html.escape(self.title)}</b>: {data['n_samples']:,} samples × {data['n_features']:,} features; "
            f"{self._better()}"
        )
        if self.elbow is not None:
            head += f"; the scores turn after {self.elbow}"
        sorted_scores = self.scores[self.order]
        scored = sorted_scores[~np.isnan(sorted_scores)]
        ends = (scored[0], scored[-1]) if len(scored) else (0.0, 0.0)
        span = ends[0] - ends[1]
        rows = []
        for rank, j in enumerate(self.order[:10], start=1):
            score = self.scores[j]
            share = (score - ends[1]) / span if span else 1.0
            rows.append([str(rank), html.escape(self.names[j]), f"{score:.4g}", bar(float(share))])
        return table(head, ["rank", "feature", "score", ""], rows, self.warnings)


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
        How many clusters the largest gap suggests.
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
        return f"<Spectrum: {len(self.values)} pairs of {self.vectors.shape[0]} samples, eigengap {self.eigengap}>"

    def _repr_html_(self) -> str:
        rows = [[str(i + 1), f"{v:.6g}", bar(v / 2)] for i, v in enumerate(self.values[:20])]
        head = f"<b>Spectrum</b>: the widest gap comes after {self.eigengap} pairs"
        return table(head, ["pair", "λ", ""], rows, [])


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

    def coef(self, point: int = -1) -> np.ndarray:
        """The weights at a point, features × targets, for columns that are centered and of length 1.

        The weights of the last point are kept; those of others are computed when they are asked for.
        """
        point = range(len(self.lambdas))[point]
        weights = np.zeros((len(self.names), self._weights.shape[1]))
        if point == len(self.lambdas) - 1:
            weights[self.active[point]] = self._weights
        elif self.active[point]:
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
        rows = [[html.escape(self.names[j]), f"{at:.4g}", bar(at / top)] for j, at in self.entries[:20]]
        head = f"<b>L2,1 path</b>: {len(self.entries)} features, {self.end}"
        return table(head, ["feature", "λ of entry", ""], rows, [])


class Evaluation:
    """How good selections are: a measure for every method and number of features.

    Attributes
    ----------
    points : list of dict
        measure, goal, name, kind, count, mean, sd, low, high, p_value, best, level: ``level`` tells that a method is
        the best at its count or not significantly worse.
    """

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found["evaluation"]
        self.points: list[dict[str, Any]] = self._found["points"]
        self.metric: str = self._found["metric"]
        self.warnings: list[str] = found["warnings"]

    def to_frame(self) -> pd.DataFrame:
        """A data frame, one line a measure, method and number of features."""
        names = ["measure", "name", "kind", "count", "mean", "sd", "low", "high", "p_value", "best", "level"]
        return frame({name: [point[name] for point in self.points] for name in names})

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
        rows = [
            [html.escape(p["name"]), str(p["count"]), f"{p['mean']:.3f} ± {p['sd']:.3f}", bar(p["mean"])]
            for p in self.points
        ]
        head = f"<b>{html.escape(self.points[0]['measure'] if self.points else self.metric)}</b>"
        return table(head, ["method", "features", "mean", ""], rows, self.warnings)


class Stability:
    """How sure a selection is: how often every feature is selected when the data change a little.

    Attributes
    ----------
    reports : list of dict
        One for every kind of change (subsample, noise): times, lower_bound, kuncheva, spearman, safe, ….
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
        rows = [
            [
                html.escape(self.names[j]),
                f"{first['times'][j] / first['repeats']:.0%}",
                bar(first["times"][j] / first["repeats"]),
                "safe" if int(j) in self.safe else "",
            ]
            for j in self.order[:15]
        ]
        head = f"<b>{html.escape(repr(self).strip('<>'))}</b>; Kuncheva {first['kuncheva']:.2f}"
        return table(head, ["feature", "selected", "", ""], rows, self.warnings)
