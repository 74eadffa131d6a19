"""The golden values that the library is tested with: every one of them that an estimator or a function can give."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import fiedler

FOLDER = Path(__file__).parents[2] / "crates" / "fiedler" / "tests" / "golden"
RAW = {"scale": "none", "value_transform": "none"}
#: How the graphs are asked for; the widths that are written down are given where the papers leave them open.
GRAPHS = {
    "knn_heat_auto": {"graph": "knn"},
    "knn_binary": {"graph": "knn", "weight": "binary"},
    "knn_mutual_binary": {"graph": "knn", "weight": "binary", "mutual": True},
    "rbf_full_auto": {"graph": "rbf"},
    "diffusion": {"graph": "diffusion", "beta": 0.5},
    "geodesic": {"graph": "geodesic"},
}
#: What no estimator and no function gives: the parts of it are inside of others, and tested there.
INSIDE = {"cut_value", "jaccard", "redundancy.scored"}
pytestmark = pytest.mark.filterwarnings("ignore::fiedler.FiedlerWarning")


def read(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


FILES = {name: read(name) for name in ("iris_jittered", "three_gaussians")}
ENTRIES = [(name, key) for name, file in FILES.items() for key in file["outputs"] if key not in INSIDE]


def close(found, wanted, relative=1e-9):
    """As the library's own tests compare: relative to the value, or to 1e-5 of the largest."""
    found, wanted = np.asarray(found, dtype=float), np.array(wanted, dtype=float)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
    size = np.maximum(np.abs(wanted), 1e-5 * np.nanmax(np.abs(wanted)))
    assert (np.abs(found - wanted) <= relative * size)[~np.isnan(wanted)].all()


def graph_of(key, outputs):
    said = GRAPHS[key]
    return {**said, "bandwidth": outputs["graph.geodesic"]["sigma"]} if key == "geodesic" else said


def estimator(key, said, outputs):
    """The estimator that answers an entry."""
    kind, _, rest = key.partition(".")
    if kind == "spec":
        phi, graph = rest[3], rest.rpartition(".")[2]
        gamma = "r^3" if ".r3." in rest else "r"
        return fiedler.SPEC(phi=phi, gamma=gamma, clusters=said["k"] or "auto", **graph_of(graph, outputs), **RAW)
    if kind == "trace_ratio":
        by = "fisher" if rest == "fisher" else "laplacian"
        return fiedler.TraceRatio(said["count"], type=by, **RAW)
    made = {
        "variance": lambda: fiedler.Variance(),
        "laplacian_score": lambda: fiedler.LaplacianScore(**graph_of(rest, outputs), **RAW),
        "fisher": lambda: fiedler.Fisher(**RAW),
        "relieff": lambda: fiedler.ReliefF(n_neighbors=said["k"], **RAW),
        "relief_spec": lambda: fiedler.ReliefSPEC(n_neighbors=said["k"], **RAW),
        "hsic": lambda: fiedler.HSIC(**({} if rest == "labels" else graph_of(rest, outputs)), **RAW),
        "sselect": lambda: fiedler.SSelect(lam=said["lambda"], **RAW),
        "evsc": lambda: fiedler.EVSC(rank=said.get("rank", "all"), **RAW),
        # The classes as eigenvectors of their graph, or the eigenvectors of another.
        "l21": lambda: fiedler.MRSF(
            targets="spectral", graph="rbf" if said["targets"] else "labels", pairs=said["targets"] or 99, **RAW
        ),
    }
    return made[kind]()


def same_graph(key, said, X, outputs):
    S = fiedler.LaplacianScore(**graph_of(key, outputs), **RAW).fit(X).graph_
    close(S.sum(1), said["degrees"])
    if "diagonal" in said:
        close(S.diagonal(), said["diagonal"])
    if "edges" in said:
        assert S.nnz // 2 == said["edges"]


@pytest.mark.parametrize(("name", "key"), ENTRIES)
def test_every_entry(name, key):
    file = FILES[name]
    X, y, outputs = np.array(file["X"]), np.array(file["y"]), file["outputs"]
    said = outputs[key] if isinstance(outputs[key], dict) else {"scores": outputs[key]}
    kind, _, rest = key.partition(".")
    if kind == "graph":
        return same_graph(rest, said, X, outputs)
    if kind == "spectrum":
        found = fiedler.LaplacianScore(**graph_of(rest, outputs), **RAW).fit(X)
        values = fiedler.spectrum(found.graph_, len(said["eigenvalues"])).values
        return np.testing.assert_allclose(values, said["eigenvalues"], atol=1e-9)
    if kind == "sselect":
        y = np.array(said["labels"], dtype=float)
    found = estimator(key, said, outputs).fit(X, y)
    if kind == "l21":  # the first feature enters at the largest penalty that lets any in
        return close(np.nanmax(found.scores_), said["lambda_max"])
    close(found.scores_, said["scores"])
    if "selected" in said:
        assert sorted(found.get_support(indices=True)) == said["selected"]


@pytest.mark.parametrize("case", read("multitask_lasso"), ids=lambda case: case["name"])
def test_every_regression_of_scikit_learn(case):
    path = fiedler.l21_path(np.array(case["X"]), np.array(case["Y"]), count=1, gap=1e-12)
    close(path.lambdas[0], case["lambda_max"])
    for said in case["solutions"]:
        active, weights, _ = path._solve(said["lambda"])
        found = np.zeros_like(said["weights"])
        found[active] = weights
        assert np.abs(found - said["weights"]).max() <= 1e-5 * case["lambda_max"]


@pytest.mark.parametrize("case", read("mcfs"), ids=lambda case: case["name"])
def test_every_cluster_regression_of_scikit_learn(case):
    said = {"n_neighbors": case["k"], "clusters": case["clusters"], **RAW}
    found = fiedler.MCFS(case["count"], **said).fit(np.array(case["X"])).scores_
    wanted = np.abs(case["coefficients"]).max(axis=0)
    # Features without a coefficient are told apart by numbers below 0.
    assert ((found[wanted == 0] >= -1) & (found[wanted == 0] <= 0)).all()
    assert np.abs(found - wanted)[wanted > 0].max() < 2e-4
