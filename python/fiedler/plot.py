"""Pictures with matplotlib. Every function takes `ax` and returns it."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from . import _errors
from ._aggregation import Aggregation
from ._functions import spectrum as eigenpairs
from ._fusion import Fusion
from ._html import ACCENT as ACCENT
from ._results import Evaluation, Findings, Path, Spectrum, Stability

_ACCENT = ACCENT


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as missing:
        raise ImportError("pictures need matplotlib: pip install 'fiedler[plot]'") from missing
    return plt.subplots(layout="constrained")[1]


def scores(found: Findings | Any, ax: Any = None) -> Any:
    """The sorted scores of an answer or a fitted estimator, with the turning point where there is one.

    Gray: features that few samples carry.
    """
    found = found if isinstance(found, (Findings, Aggregation)) else found.findings_
    ax = _axes(ax)
    values = found.scores[found.judged]
    ax.plot(np.arange(1, len(values) + 1), values, color=_ACCENT, marker="." if len(values) <= 100 else "")
    aside = [j for j in found.order[len(values) :] if not np.isnan(found.scores[j])]
    if aside:
        ax.plot(len(values) + 1 + np.arange(len(aside)), found.scores[aside], ".", color="0.75")
    if found.elbow is not None:
        ax.axvline(found.elbow + 0.5, color="0.6", linestyle="--", linewidth=1)
    better = "smaller is better" if found.goal == "minimize" else "larger is better"
    ax.set(xlabel="rank", ylabel=f"score ({better})", title=found.title)
    return ax


def spectrum(spectrum: Spectrum, ax: Any = None) -> Any:
    """The eigenvalues, with the widest gap."""
    ax = _axes(ax)
    ax.plot(np.arange(1, len(spectrum.values) + 1), spectrum.values, "o", color=_ACCENT)
    if spectrum.eigengap is not None:
        ax.axvline(spectrum.eigengap + 0.5, color="0.6", linestyle="--", linewidth=1)
    ax.set(xlabel="pair", ylabel="eigenvalue λ", title="Spectrum of the normalized Laplacian")
    return ax


def embedding(graph: Any, color: Any = None, ax: Any = None, n_jobs: int | None = None) -> Any:
    """The samples by the second and third eigenvector of a graph, or of a Spectrum.

    Parameters
    ----------
    graph : scipy matrix, array or Spectrum
        A similarity of the samples, or its eigenpairs, three at least.
    color : array of shape (n_samples,), optional
        A number or a class for every sample.
    ax : matplotlib axes, optional
        Where to draw.
    n_jobs : int, optional
        Threads.
    """
    pairs = graph if isinstance(graph, Spectrum) else eigenpairs(graph, 3, n_jobs=n_jobs)
    ax = _axes(ax)
    x, y = pairs.vectors[:, 1], pairs.vectors[:, 2]
    values = None if color is None else np.asarray(color)
    if values is not None and values.dtype.kind not in "fiu":
        for name in np.unique(values.astype(str)):
            of_class = values.astype(str) == name
            ax.scatter(x[of_class], y[of_class], s=12, label=name)
        ax.legend(frameon=False)
    else:
        ax.scatter(x, y, s=12, c=_ACCENT if values is None else values)
    ax.set(xlabel="second eigenvector", ylabel="third eigenvector")
    return ax


def path(path: Path, ax: Any = None) -> Any:
    """The norms of the weights along the path of an L2,1 regression."""
    ax = _axes(ax)
    for feature, _ in path.entries:
        norms = [
            row[active.index(feature)] if feature in active else 0.0
            for active, row in zip(path.active, path.row_norms, strict=True)
        ]
        ax.plot(path.lambdas, norms, label=path.names[feature])
    ax.invert_xaxis()
    ax.set(xlabel="λ", ylabel="‖wⁱ‖", title="L2,1 path")
    if len(path.entries) <= 12:
        ax.legend(frameon=False)
    return ax


def stability(found: Stability, ax: Any = None, count: int = 20) -> Any:
    """How often the features are selected, those that are safe to report in color."""
    ax = _axes(ax)
    order = found.order[:count]
    first = found.reports[0]
    shares = first["times"][order] / first["repeats"]
    colors = [_ACCENT if int(j) in found.safe else "0.75" for j in order]
    # By place, not by name: names may repeat.
    places = np.arange(len(order))[::-1]
    ax.barh(places, shares, color=colors)
    ax.set_yticks(places, [found.names[j] for j in order])
    ax.axvline(first["threshold"], color="0.4", linestyle="--", linewidth=1)
    ax.set(xlabel="share of versions that select the feature", xlim=(0, 1))
    return ax


def accuracy(found: Evaluation, ax: Any = None) -> Any:
    """A measure against the number of features, for all methods, random selection and all features.

    Where methods know few labels, several numbers of them have a line each.
    """
    ax = _axes(ax)
    measure = found.points[0]["measure"]
    several = len({p["labeled"] for p in found.points}) > 1
    shown = [p for p in found.points if p["measure"] == measure]
    for name, labeled in dict.fromkeys((p["name"], p["labeled"]) for p in shown):
        points = [p for p in shown if p["name"] == name and p["labeled"] == labeled]
        if several and points[0]["kind"] in ("random", "all") and labeled != shown[0]["labeled"]:
            continue
        if several and points[0]["kind"] not in ("random", "all"):
            name = f"{name}, {labeled} labels a class"
        counts, means = [p["count"] for p in points], [p["mean"] for p in points]
        if points[0]["kind"] == "all":
            ax.axhline(means[0], color="0.4", linestyle=":", linewidth=1, label=name)
        else:
            ax.plot(counts, means, marker="o", color="0.6" if points[0]["kind"] == "random" else None, label=name)
    ax.set(xlabel="features", ylabel=measure)
    ax.legend(frameon=False)
    return ax


def pixels(found: Findings | Any, shape: tuple[int, int], ax: Any = None, count: int | None = None) -> Any:
    """The features as pixels of an image: good ones dark, those that are selected framed.

    Parameters
    ----------
    found : Findings, or a fitted estimator
        Whose scores are drawn.
    shape : (int, int)
        Rows and columns of the image.
    ax : matplotlib axes, optional
        Where to draw.
    count : int, optional
        How many features are framed; those of a fitted estimator unless given.
    """
    if not isinstance(found, Findings):
        count = found.n_features_ if count is None else count
        found = found.findings_
    ax = _axes(ax)
    good = np.full(found.n_features, np.nan)
    scored = found.order[~np.isnan(found.scores[found.order])]
    # Ranks, not scores: one outstanding score would leave all others in one shade.
    good[scored] = np.linspace(1, 0, len(scored))
    ax.imshow(good.reshape(shape), cmap="Blues", vmin=-0.1, vmax=1.1)
    for j in found.order[: count or 0]:
        row, column = divmod(int(j), shape[1])
        frame = {"fill": False, "edgecolor": "black", "linewidth": 1.5}
        ax.add_patch(_rectangle((column - 0.5, row - 0.5), **frame))
    ax.set(xticks=[], yticks=[], title=found.title)
    return ax


def _rectangle(corner: tuple[float, float], **look: Any) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle(corner, 1, 1, **look)


def redundancy(found: Findings | Any, X: Any, count: int = 10, ax: Any = None) -> Any:
    """How much the best features repeat each other: the sizes of their correlations, 0 to 1.

    Parameters
    ----------
    found : Findings, or a fitted estimator
        Whose best features are compared.
    X : array, sparse matrix or data frame of shape (n_samples, n_features)
        The data; of a sparse matrix only the columns of these features are made dense.
    count : int
        How many features.
    ax : matplotlib axes, optional
        Where to draw.
    """
    found = found if isinstance(found, Findings) else found.findings_
    ax = _axes(ax)
    best = found.order[:count]
    sizes = _correlations(X, best)
    picture = ax.imshow(sizes, cmap="Blues", vmin=0, vmax=1)
    ax.figure.colorbar(picture, ax=ax, shrink=0.8, label="|correlation|")
    mean = (sizes.sum() - len(best)) / max(len(best) * (len(best) - 1), 1)
    ax.set(xticks=[], yticks=range(len(best)), title=f"{found.title}: {mean:.2f} on average")
    ax.set_yticklabels([found.names[j] for j in best])
    return ax


def _correlations(X: Any, columns: np.ndarray) -> np.ndarray:
    """The sizes of the correlations of some columns; 0 with a column that is constant."""
    if sparse.issparse(X):
        values = X.tocsc()[:, columns].toarray().astype(float)
    else:
        values = np.asarray(X.iloc[:, columns] if hasattr(X, "iloc") else np.asarray(X)[:, columns], dtype=float)
    with np.errstate(invalid="ignore", divide="ignore"):
        sizes = np.abs(np.atleast_2d(np.corrcoef(values, rowvar=False)))
    sizes[np.isnan(sizes)] = 0
    np.fill_diagonal(sizes, 1)
    return sizes


def shares(found: Fusion, ax: Any = None) -> Any:
    """What every source contributes to a fusion."""
    ax = _axes(ax)
    names, weights = [s["name"] for s in found.shares][::-1], [s["weight"] for s in found.shares][::-1]
    ax.barh(names, weights, color=_ACCENT)
    for at, share in enumerate(found.shares[::-1]):
        if share["with_labels"] is not None:
            ax.text(share["weight"], at, f"  agrees with labels: {share['with_labels']:.2f}", va="center", fontsize=8)
    ax.set(xlabel="share of the combined graph", xlim=(0, 1))
    return ax


class Plots:
    """The pictures of an answer."""

    def __init__(self, found: Findings) -> None:
        self._found = found

    def __repr__(self) -> str:
        kinds = ", ".join(f".{name}" for name in vars(type(self)) if not name.startswith("_"))
        return f"<pictures of {self._found.title}: {kinds}>"

    def scores(self, ax: Any = None) -> Any:
        """The sorted scores."""
        return scores(self._found, ax)

    def pixels(self, shape: tuple[int, int], ax: Any = None, count: int | None = None) -> Any:
        """The features as pixels of an image."""
        return pixels(self._found, shape, ax, count)

    def redundancy(self, X: Any, count: int = 10, ax: Any = None) -> Any:
        """How much the best features repeat each other."""
        return redundancy(self._found, X, count, ax)

    def spectrum(self, n_pairs: int = 10, ax: Any = None) -> Any:
        """The eigenvalues of the graph."""
        return spectrum(eigenpairs(self._found._kept_graph(), n_pairs), ax)

    def embedding(self, color: Any = None, ax: Any = None) -> Any:
        """The samples by two eigenvectors of the graph; `color`: values, classes, or the name of a feature."""
        named = isinstance(color, str)
        ax = embedding(self._found._kept_graph(), self._feature(color) if named else color, ax)
        if named:
            ax.set_title(color)
        return ax

    def _feature(self, name: str) -> np.ndarray:
        """The values of a feature."""
        found = self._found
        if name not in found.names:
            raise _errors.UnknownNamesError(f"there is no feature {name!r}; the best are {', '.join(found.top(3))}")
        if found._X is None:
            raise _errors.GraphNotKeptError("this answer does not hold the data; give `color` as an array")
        X = found._X.X if hasattr(found._X, "var_names") else found._X
        at = found.names.index(name)
        column = X.iloc[:, at] if hasattr(X, "iloc") else X[:, [at]]
        return np.asarray(column.toarray() if sparse.issparse(column) else column, dtype=float).ravel()
