"""The golden values that the library is tested with: every method against literal Python, through this package."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import fiedler

FOLDER = Path(__file__).parents[2] / "crates" / "fiedler" / "tests" / "golden"
GRAPHS = {"knn_heat_auto": "knn", "rbf_full_auto": "rbf", "diffusion": "diffusion", "geodesic": "geodesic"}
pytestmark = pytest.mark.filterwarnings("ignore::fiedler.FiedlerWarning")


@pytest.fixture(params=["iris_jittered", "three_gaussians"])
def golden(request):
    found = json.loads((FOLDER / f"{request.param}.json").read_text(encoding="utf-8"))
    return np.array(found["X"]), np.array(found["y"]), found["outputs"]


def close(found, wanted):
    """As the library's own tests compare: relative to the value, or to 1e-5 of the largest."""
    found, wanted = np.asarray(found, dtype=float), np.array(wanted, dtype=float)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
    size = np.maximum(np.abs(wanted), 1e-5 * np.nanmax(np.abs(wanted)))
    assert (np.abs(found - wanted) <= 1e-9 * size)[~np.isnan(wanted)].all()


def ranked(X, y, method, **said):
    return fiedler.rank(X, y, method=method, scale="none", value_transform="none", **said).scores


def test_scores_of_single_features(golden):
    X, y, wanted = golden
    close(ranked(X, None, "variance"), wanted["variance"])
    close(ranked(X, y, "fisher"), wanted["fisher"])
    for graph in ("knn_heat_auto", "rbf_full_auto"):
        close(ranked(X, None, "laplacian", graph=GRAPHS[graph]), wanted[f"laplacian_score.{graph}"])


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("phi", [1, 2, 3])
def test_scores_of_spec(golden, graph, phi):
    X, _, wanted = golden
    for gamma, key in (("r", ""), ("r^3", ".r3")):
        said = wanted[f"spec.phi{phi}{key}.{graph}"]
        rest = {"clusters": said["k"] or "auto", "phi": phi, "gamma": gamma}
        if graph == "geodesic":
            rest["bandwidth"] = wanted["graph.geodesic"]["sigma"]
        close(ranked(X, None, "spec", graph=GRAPHS[graph], **rest), said["scores"])


def test_graphs_and_spectra(golden):
    X, _, wanted = golden
    S = fiedler.knn_graph(X, scale="none", value_transform="none")
    said = wanted["graph.knn_heat_auto"]
    close(S.sum(1), said["degrees"])
    assert S.nnz // 2 == said["edges"]
    values = wanted["spectrum.knn_heat_auto"]["eigenvalues"]
    np.testing.assert_allclose(fiedler.spectrum(S, 20).values, values, atol=1e-9)


def test_estimators_give_the_same(golden):
    X, y, wanted = golden
    close(fiedler.Variance().fit(X).scores_, wanted["variance"])
    close(fiedler.Fisher().fit(X, y).scores_, wanted["fisher"])
    found = fiedler.LaplacianScore(scale="none", value_transform="none").fit(X)
    close(found.scores_, wanted["laplacian_score.knn_heat_auto"])
