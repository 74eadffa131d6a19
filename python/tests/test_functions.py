"""Functions that answer without an estimator, against references in numpy and scikit-learn."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import time

import matplotlib
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import MultiTaskLasso

import fiedler

matplotlib.use("Agg")


def normalized_laplacian(S):
    d = np.asarray(S.sum(1)).ravel()
    root = np.diag(d**-0.5)
    return root @ (np.diag(d) - S.toarray()) @ root


def test_a_ranking_as_a_frame_and_as_json(iris):
    found = fiedler.rank(iris[0], method="laplacian")
    table = found.to_frame()
    assert table["feature"].tolist()[:2] == ["petal length (cm)", "petal width (cm)"]
    assert table["rank"].tolist() == [1, 2, 3, 4] and table["score"].is_monotonic_increasing
    said = json.loads(json.dumps(found.to_dict()))
    assert said["method"] == "laplacian" and said["graph"]["kind"] == "knn"
    assert "petal length" in found._repr_html_() and "petal length" in repr(found)


def test_a_report_is_one_file_that_tells_the_best(iris, tmp_path):
    X, y = iris[0], iris[1]
    found = fiedler.rank(X, y, method=["laplacian", "fisher"])[1]
    found.report(tmp_path / "iris.html")
    page = (tmp_path / "iris.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "petal length" in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert [file.name for file in tmp_path.iterdir()] == ["iris.html"]
    with pytest.raises(OSError):
        found.report(tmp_path / "no such folder" / "iris.html")
    with pytest.raises(fiedler.FiedlerError, match="ask"):
        pickle.loads(pickle.dumps(found)).report(tmp_path / "again.html")


def test_every_answer_has_a_report_and_what_it_draws(iris, tmp_path):
    X, y = iris[0], iris[1]
    answers = {
        "rank": fiedler.rank(X, y, method="mrsf", n_features_to_select=2),
        "evaluate": fiedler.evaluate(X, y, methods=["laplacian"], counts=[1, 2], repeats=2),
        "stability": fiedler.stability(X, method="laplacian", count=2, repeats=5),
        "fuse": fiedler.fuse(X, {"flowers": fiedler.sources.Target()}),
    }
    panels = {"rank": "path", "evaluate": "accuracy", "stability": "stability", "fuse": "sources"}
    for name, answer in answers.items():
        answer.report(tmp_path / f"{name}.html")
        page = (tmp_path / f"{name}.html").read_text(encoding="utf-8")
        assert f'<section id="{panels[name]}"' in page, name
        assert len(answer.portrait["features"]) == 4 and len(answer.portrait["map"]["axes"]) > 1
    for name in ("rank", "evaluate", "stability"):
        with pytest.raises(fiedler.FiedlerError, match="again to have its report"):
            pickle.loads(pickle.dumps(answers[name])).report(tmp_path / "again.html")
    with pytest.raises(ValueError, match="image_shape"):
        answers["rank"].report(tmp_path / "pixels.html", image_shape=(3, 3))


def test_very_many_features_are_beside_the_report(tmp_path):
    X = np.random.default_rng(0).normal(size=(6, 10_020))
    fiedler.rank(X, method="variance").report(tmp_path / "wide.html")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["wide.features.csv", "wide.html"]
    assert len((tmp_path / "wide.features.csv").read_text().splitlines()) == 10_021
    assert "wide.features.csv" in (tmp_path / "wide.html").read_text(encoding="utf-8")


def test_several_methods_share_their_graph(iris):
    one, other = fiedler.rank(iris[0], method=["laplacian", "spec"])
    assert (one.method, other.method) == ("laplacian", "spec")
    np.testing.assert_array_equal(one.scores, fiedler.rank(iris[0]).scores)


def test_parameters_reach_whom_they_concern(blobs):
    found = fiedler.rank(blobs[0], method="spec", gamma="r^2", n_neighbors=4, weight="binary")
    assert found.parameters["gamma"] == "r^2"
    assert set(found.graph.data) == {1.0}
    with pytest.raises(fiedler.UnknownParameterError, match="spec has no parameter `gama`; it has: phi, gamma"):
        fiedler.rank(blobs[0], method="spec", gama="r^2")
    with pytest.raises(fiedler.UnknownMethodError, match="did you mean `laplacian`"):
        fiedler.rank(blobs[0], method="laplacan")


def test_text_in_a_repr_is_escaped():
    import pandas as pd

    table = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 2)), columns=["<b>", "&"])
    assert "<b></td>" not in fiedler.rank(table)._repr_html_()


def test_neighbors_are_those_of_a_full_search(blobs):
    X = blobs[0]
    S = fiedler.knn_graph(X, n_neighbors=4, weight="binary", scale="none")
    distances = ((X[:, None] - X[None]) ** 2).sum(-1)
    np.fill_diagonal(distances, np.inf)
    near = np.zeros((60, 60))
    np.put_along_axis(near, np.argsort(distances, 1)[:, :4], 1.0, 1)
    np.testing.assert_array_equal(S.toarray(), np.maximum(near, near.T))
    assert S.has_canonical_format and S.indices.dtype == np.int32


def test_eigenpairs_are_those_of_numpy(blobs):
    S = fiedler.knn_graph(blobs[0], n_neighbors=8)
    found = fiedler.spectrum(S, 5)
    wanted = np.linalg.eigvalsh(normalized_laplacian(S))[:5]
    np.testing.assert_allclose(found.values, wanted, atol=1e-8)
    np.testing.assert_allclose(normalized_laplacian(S) @ found.vectors, found.vectors * found.values, atol=1e-7)
    gaps = np.diff(wanted)
    widest, next_widest = np.sort(gaps)[::-1][:2]
    assert found.eigengap == (int(np.argmax(gaps)) + 1 if widest >= 1.5 * next_widest else None)
    assert found.residuals.max() < 1e-7
    assert "Spectrum" in repr(found) and "<table>" in found._repr_html_()
    assert len(found.to_frame()) == 5 and json.dumps(found.to_dict())
    with pytest.raises(fiedler.ParameterError, match="`n_pairs` must be from 1"):
        fiedler.spectrum(S, 1000)


def test_the_path_solves_the_problem_of_multitasklasso(blobs):
    rng = np.random.default_rng(1)
    X = blobs[0][:, :7]
    Y = X[:, :2] @ rng.normal(size=(2, 3)) + 0.1 * rng.normal(size=(60, 3))
    found = fiedler.l21_path(X, Y, count=4)
    assert found.end == "complete" and len(found.active[-1]) == 4 and found.gaps.max() <= 1e-6
    unit = (X - X.mean(0)) / np.linalg.norm(X - X.mean(0), axis=0)
    for point in (-1, 2):
        lasso = MultiTaskLasso(alpha=found.lambdas[point] / 60, fit_intercept=False, tol=1e-12, max_iter=100_000)
        wanted = lasso.fit(unit, Y - Y.mean(0)).coef_.T
        np.testing.assert_allclose(found.coef(point), wanted, atol=1e-3)
    assert found.to_frame()["lambda"].is_monotonic_decreasing and json.dumps(found.to_dict())
    assert found.plot().get_xlabel() == "λ"


def test_evaluation_knows_good_features(iris):
    X, y = iris
    found = fiedler.evaluate(X, y, methods=["fisher", "laplacian"], counts=[1, 2], repeats=5, random_state=1)
    table = found.to_frame()
    best = table[(table["name"] == "fisher") & (table["count"] == 2)]["mean"].item()
    chance = table[(table["kind"] == "random") & (table["count"] == 1)]["mean"].item()
    assert best > 0.9 > chance
    again = fiedler.evaluate(X, y, methods=["fisher", "laplacian"], counts=[1, 2], repeats=5, random_state=1)
    assert again.to_dict() == found.to_dict()
    assert found.plot().get_xlabel() == "features" and "fisher" in found._repr_html_()
    with pytest.raises(ValueError, match="`metric` must be one of 1nn"):
        fiedler.evaluate(X, y, metric="auc")
    drawn = fiedler.evaluate(X, y, methods=["laplacian"], counts=[2], metric="kmeans", classes=2, repeats=3)
    assert drawn.to_dict()["n_partitions"] == 3
    few = fiedler.evaluate(X, y, methods=["sselect"], counts=[2], labeled=2, repeats=3, random_state=0).to_frame()
    assert few[few["name"] == "sselect"]["mean"].item() > 0.8
    for wrong, words in [({"classes": 2}, "must be kmeans"), ({"classes": 2, "folds": 3}, "leave `folds` out")]:
        with pytest.raises(ValueError, match=words):
            fiedler.evaluate(X, y, methods=["laplacian"], **wrong)
    with pytest.raises(fiedler.LabelsMissingError, match="pass them as `y`"):
        fiedler.evaluate(X, methods=["laplacian"])


def test_labels_and_parameters_make_a_grid(iris):
    X, y = (np.asarray(part) for part in iris)
    said = {"methods": ["sselect", "laplacian"], "counts": [1, 2], "repeats": 3, "random_state": 0}
    found = fiedler.evaluate(X, y, labeled=[5, 2], vary={"lam": [0.1, 0.9]}, **said)
    grid = found.to_frame()
    for labeled in (2, 5):
        for lam in (0.1, 0.9):
            alone = fiedler.evaluate(X, y, labeled=labeled, lam=lam, **said).to_frame()
            cell = grid[(grid["labeled"] == labeled) & (grid["lambda"] == lam)]
            assert list(cell["mean"]) == list(alone[alone["name"] == "sselect"]["mean"])
            same = grid[(grid["labeled"] == labeled) & (grid["name"] == "laplacian")]
            assert list(same["mean"]) == list(alone[alone["name"] == "laplacian"]["mean"])
    assert {point["method"] for point in found.points} >= {"sselect", "laplacian", "random"}
    assert "sselect lambda=0.1, 5 labels a class" in found.plot().get_legend_handles_labels()[1]
    assert "lambda" not in fiedler.evaluate(X, y, **said).to_frame()
    for wrong, words in [
        ({"vary": {"lam": 0.1}}, "`vary` must have a list of values for `lam`"),
        ({"vary": {"lam": [0.1, 2]}}, "must be a number from 0 to 1"),
        ({"vary": {"lam": [0.1, 0.1]}}, "values without repetitions"),
        ({"vary": {"lam": [0.1]}, "lam": 0.2}, "both ways"),
        ({"vary": {"lambada": [1]}}, "no parameter `lambada`"),
        ({"vary": {"n_neighbors": [3, 500]}}, "`n_neighbors`"),
        ({"labeled": [2, "x"]}, "`labeled` must be"),
    ]:
        with pytest.raises((ValueError, TypeError), match=words):
            fiedler.evaluate(X, y, **said, **wrong)


def test_parameters_of_the_graph_vary(iris):
    X, y = (np.asarray(part) for part in iris)
    said = {"methods": ["laplacian"], "counts": [1, 2], "repeats": 3, "random_state": 0}
    grid = fiedler.evaluate(X, y, vary={"n_neighbors": [3, 10]}, **said).to_frame()
    for k in (3, 10):
        alone = fiedler.evaluate(X, y, n_neighbors=k, **said).to_frame()
        assert list(grid[grid["k"] == k]["mean"]) == list(alone[alone["name"] == "laplacian"]["mean"])


def test_estimators_and_rankings_stand_beside_methods(iris):
    X, y = (np.asarray(part) for part in iris)
    sources = {"data": fiedler.sources.Target(graph="rbf")}
    said = {"counts": [1, 2], "repeats": 4, "random_state": 0, "known": [2, 3]}
    estimators = {
        "fused": fiedler.MultiSource(sources=sources),
        "f": SelectKBest(f_classif, k=2),
        "own": fiedler.LaplacianScore(graph="rbf"),
    }
    rankings = {"petals": [2, 3], "sepals": np.array([1, 0])}
    found = fiedler.evaluate(
        X, y, methods=["laplacian"], graph="rbf", estimators=estimators, rankings=rankings, **said
    ).to_frame()
    assert set(found["measure"]) == {"1NN accuracy", "hit ratio"}

    def curve(name, measure="1NN accuracy"):
        line = found[(found["name"] == name) & (found["measure"] == measure)]
        return line["mean"].tolist()

    # The method by name, as an estimator of ours, and as a fusion of the data alone, on the same halves.
    assert curve("laplacian") == curve("own") == curve("fused")
    assert curve("petals", "hit ratio") == [1.0, 1.0] and curve("sepals", "hit ratio") == [0.0, 0.0]
    assert curve("f")[0] > 0.85 > curve("sepals")[0]
    alone = fiedler.evaluate(X, y, rankings={"petals": [2, 3]}, **said).to_frame()
    assert set(alone["name"]) == {"petals", "random", "all features"}, "the usual methods are not asked for"
    once = fiedler.evaluate(X, y, estimators=estimators, select_on="all", **said).to_frame()
    by_name = fiedler.evaluate(X, y, methods=["laplacian"], graph="rbf", select_on="all", **said).to_frame()
    assert once[once["name"] == "own"]["mean"].tolist() == by_name[by_name["name"] == "laplacian"]["mean"].tolist()


def test_a_selection_is_judged_on_other_samples(iris):
    X, y = (np.asarray(part) for part in iris)
    said = {"counts": [1, 2], "repeats": 3, "random_state": 0}
    frame = pd.DataFrame(X, columns=list("abcd"))
    other = (frame[1::2][list("dcba")], y[1::2])
    found = fiedler.evaluate(frame[::2], y[::2], methods=["fisher"], judge_on=other, **said)
    assert found.to_dict()["select_on"] == "elsewhere" and found.to_dict()["n_samples"] == 75
    by_hand = {"own": list(fiedler.rank(frame[::2], y[::2], method="fisher").order)}
    placed = {"own": ["abcd"[j] for j in by_hand["own"]]}
    judged = fiedler.evaluate(*other, rankings=placed, **said).to_frame()
    means = lambda table, name: table[table["name"] == name]["mean"].tolist()  # noqa: E731
    assert means(found.to_frame(), "fisher") == means(judged, "own")
    fitted = {"own": fiedler.Fisher()}
    fitted = fiedler.evaluate(frame[::2], y[::2], estimators=fitted, judge_on=other, **said).to_frame()
    assert means(fitted, "own") == means(judged, "own")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"rankings": {"x": [0, 9]}}, "the ranking `x` must be a list of features below 4"),
        ({"rankings": {"x": [0]}, "counts": [2]}, "as long as the largest count"),
        ({"rankings": {"x": ["petal"]}}, "`rankings` names the feature 'petal'"),
        ({"rankings": [0, 1]}, "`rankings` must be a dictionary"),
        ({"rankings": {"x": "ab"}}, "must be lists of features"),
        ({"estimators": {"x": 3}}, "must be estimators by name"),
        ({"estimators": {"x": PCA()}}, "`estimators` must be estimators that have `ranking_`.*got PCA"),
        ({"estimators": {"x": fiedler.Fisher()}, "labeled": 2}, "leave one of them out"),
        ({"methods": ["fisher"], "rankings": {"fisher": [0, 1]}}, "`fisher` twice"),
        ({"judge_on": 3}, r"`judge_on` must be \(X, y\)"),
        ({"methods": ["fisher"], "labeled": 2, "judge_on": "other"}, "left out where other data judge"),
        ({"methods": ["fisher"], "select_on": "all", "judge_on": "other"}, "`select_on` must be left out"),
        ({"methods": ["fisher"], "judge_on": "short"}, "are not there"),
    ],
)
def test_what_cannot_stand_beside_methods_is_told(iris, said, words):
    X, y = (np.asarray(part) for part in iris)
    others = {"other": (X, y), "short": (X[:, :3], y)}
    if isinstance(said.get("judge_on"), str):
        said = {**said, "judge_on": others[said["judge_on"]]}
    with pytest.raises(ValueError, match=words):
        fiedler.evaluate(X, y, **{"counts": [1, 2], "repeats": 2, **said})


def test_few_labels_are_of_classes(iris):
    X = np.asarray(iris[0])
    with pytest.raises(ValueError, match="`labeled` must be left out where a number is to be predicted"):
        fiedler.evaluate(X[:, :3], X[:, 3] + 1e-3 * X[:, 2], methods=["laplacian"], labeled=2)


def test_stability_knows_safe_features(iris):
    found = fiedler.stability(iris[0], method="laplacian", count=2, repeats=20)
    assert found.safe == [2, 3] and [r["change"] for r in found.reports] == ["subsample", "noise"]
    assert found.to_frame()["safe"].tolist() == [True, True, False, False]
    assert found.plot().get_xlabel().startswith("share") and json.dumps(found.to_dict())
    assert "safe" in found._repr_html_()
    with pytest.raises(ValueError, match="nothing to measure"):
        fiedler.stability(iris[0], fraction=1, noise=0)
    with pytest.raises(ValueError, match="`fraction` must be"):
        fiedler.stability(iris[0], fraction=0)


def test_pictures_return_their_axes(iris):
    import matplotlib.pyplot as plt

    from fiedler import plot

    X, y = iris
    found = fiedler.rank(X)
    ax = plt.subplots()[1]
    assert plot.scores(found, ax) is ax and found.plot.scores().get_xlabel() == "rank"
    assert found.plot.spectrum(5).get_ylabel().startswith("eigenvalue")
    assert found.plot.embedding(y).get_xlabel() == "second eigenvector"
    assert found.plot.embedding(color="petal length (cm)").get_title() == "petal length (cm)"
    with pytest.raises(ValueError, match="the best are petal length"):
        found.plot.embedding(color="stem")
    ax = found.plot.redundancy(X, 3)
    assert [t.get_text() for t in ax.get_yticklabels()] == found.top(3)
    framed = plot.pixels(fiedler.LaplacianScore(2).fit(X), (2, 2)).patches
    assert sorted((p.get_y(), p.get_x()) for p in framed) == [(0.5, -0.5), (0.5, 0.5)]
    assert len(plot.embedding(found.graph, y.map(str).to_numpy()).get_legend().get_texts()) == 3
    plt.close("all")


def test_many_rankings_become_one(iris):
    orders = [[2, 0, 1, 3], [2, 1, 0, 3], [1, 2, 0, 3]]
    assert fiedler.aggregate(orders).tolist() == [2, 1, 0, 3]
    found = fiedler.rank(iris[0], method=["laplacian", "variance"])
    assert sorted(fiedler.aggregate(found, "median")) == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="`aggregation` must be one of borda"):
        fiedler.aggregate(orders, "vote")


def test_the_methods_are_listed():
    table = fiedler.show_methods()
    assert set(table["name"]) == set(fiedler._estimators.ESTIMATORS)


def test_every_error_is_a_builtin_too():
    for name in fiedler._errors.__all__:
        error = getattr(fiedler, name)
        assert issubclass(error, (fiedler.FiedlerError, UserWarning)), name
        if name not in ("FiedlerError", "FiedlerWarning"):
            kinds = (ValueError, TypeError, MemoryError, RuntimeError, OSError, AttributeError)
            assert issubclass(error, kinds), name


def test_a_sparse_graph_of_distances_is_refused_where_not_square():
    with pytest.raises(ValueError, match="square matrix"):
        fiedler.spectrum(sparse.csr_array(np.ones((3, 4))))


def test_unknown_keywords_are_answered_with_those_there_are(blobs):
    said = r"laplacian has no parameter `k`; it has: normalization; graphs have: n_neighbors, .*mean `n_neighbors`"
    with pytest.raises(TypeError, match=said):
        fiedler.rank(blobs[0], k=3)
    with pytest.raises(TypeError, match=r"variance has no parameter `gama`; it has: none$"):
        fiedler.rank(blobs[0], method="variance", gama=3)
    with pytest.raises(TypeError, match=r"laplacian and mrsf have no parameter `gama`; they have: .*pairs"):
        fiedler.rank(blobs[0], method=["laplacian", "mrsf"], gama=3)


def test_values_of_numpy_and_floats_that_are_whole(blobs):
    X = blobs[0]
    wanted = fiedler.rank(X, n_neighbors=4, mutual=True).scores
    np.testing.assert_array_equal(fiedler.rank(X, n_neighbors=4.0, mutual=np.bool_(True)).scores, wanted)
    same = fiedler.LaplacianScore(n_neighbors=np.float64(4), mutual=np.bool_(True)).fit(X)
    np.testing.assert_array_equal(same.scores_, wanted)
    with pytest.raises(ValueError, match="`n_neighbors` must be a whole number"):
        fiedler.rank(X, n_neighbors=4.5)


def test_paths_and_fusions_are_pickled(blobs):
    X, y = blobs
    path = fiedler.l21_path(X[:, :7], y, count=3)
    again = pickle.loads(pickle.dumps(path))
    assert again.to_dict() == path.to_dict() and again.gap == path.gap <= 1e-6
    np.testing.assert_array_equal(again.coef(), path.coef())
    with pytest.raises(fiedler.GraphNotKeptError, match="last point"):
        again.coef(1)
    fusion = fiedler.fuse(X, {"data": fiedler.sources.Target(), "labels": fiedler.sources.Labels()}, y)
    same = pickle.loads(pickle.dumps(fusion))
    assert same.to_dict() == fusion.to_dict()
    with pytest.raises(fiedler.GraphNotKeptError, match=r"ask fiedler\.fuse again"):
        same.alone()


def test_an_aggregation_is_an_answer_and_an_array(iris):
    found = fiedler.rank(iris[0], method=["laplacian", "variance"])
    joined = fiedler.aggregate(found)
    assert joined.top(1) == ["petal length (cm)"] and joined[0] == 2 and len(joined) == 4
    np.testing.assert_array_equal(np.asarray(joined), joined.order)
    np.testing.assert_array_equal(iris[0].to_numpy()[:, joined], iris[0].to_numpy()[:, joined.order])
    wanted = np.mean([one.ranking for one in found], axis=0)
    np.testing.assert_allclose(joined.scores, wanted)
    table = joined.to_frame()
    assert table["rank"].tolist() == [1, 2, 3, 4] and table["score"].is_monotonic_increasing
    assert json.dumps(joined.to_dict()) and "petal length" in joined._repr_html_() and "borda" in repr(joined)
    assert joined.plot().get_title() == "Consensus by borda"


def test_memory_of_one_call(blobs):
    X, y = blobs[0], blobs[1]
    S = fiedler.knn_graph(X, memory="1GB")
    for ask in (
        lambda said: fiedler.rank(X, memory=said),
        lambda said: fiedler.knn_graph(X, memory=said),
        lambda said: fiedler.spectrum(S, 3, memory=said),
        lambda said: fiedler.l21_path(X, y, count=2, memory=said),
        lambda said: fiedler.evaluate(X, y, counts=[1], memory=said),
        lambda said: fiedler.stability(X, repeats=2, memory=said),
        lambda said: fiedler.fuse(X, {"data": fiedler.sources.Target()}, memory=said),
    ):
        with pytest.raises(ValueError, match="much"):
            ask("much")
    wide = np.random.default_rng(0).normal(size=(3000, 2))
    with pytest.raises(MemoryError):
        fiedler.rank(wide, graph="rbf", memory="1MB")


def test_names_for_data_that_bring_none(blobs):
    names = [f"word{j}" for j in range(8)]
    found = fiedler.rank(sparse.csr_array(blobs[0]), feature_names=names)
    assert found.names == names and found.top(1)[0] in names
    assert fiedler.stability(blobs[0], repeats=2, count=2, feature_names=names).names == names
    with pytest.raises(ValueError, match="`feature_names` must be 8 names"):
        fiedler.rank(blobs[0], feature_names=names[:3])
    with pytest.raises(ValueError, match="`feature_names` must be one name per column"):
        fiedler.rank("table.csv", feature_names=names)


def test_pictures_of_hostile_data(blobs):
    import matplotlib.pyplot as plt

    from fiedler import plot

    X = blobs[0]
    fitted = fiedler.LaplacianScore().fit(X)
    assert plot.scores(fitted).get_xlabel() == "rank"
    dense = plot.redundancy(fitted, X, 3).images[0].get_array()
    np.testing.assert_allclose(plot.redundancy(fitted, sparse.csr_array(X), 3).images[0].get_array(), dense)
    assert plot.redundancy(fitted, X, 1).images[0].get_array().shape == (1, 1)
    every = plot.redundancy(fitted, X, 8).images[0].get_array()
    assert np.isfinite(every).all() and every[7, 7] == 1 and every[7, 0] == 0
    found = fiedler.stability(X, count=2, repeats=3, feature_names=["same"] * 8)
    assert len({bar.get_y() for bar in found.plot().patches}) == 8
    plt.close("all")


def test_nothing_scored_has_no_bars():
    with pytest.warns(fiedler.FiedlerWarning):
        shown = fiedler.rank(np.ones((10, 4)))._repr_html_()
    assert "No feature can be scored" in shown and "width:120px" not in shown and "width:0px" in shown


def test_reports_that_are_refused(blobs, tmp_path):
    found = fiedler.rank(blobs[0])
    with pytest.raises(ValueError, match=r"`image_shape` must have as many pixels .* \(8\), got 7 × 9"):
        found.report(tmp_path / "a.html", image_shape=(7, 9))
    fitted = fiedler.LaplacianScore().fit(blobs[0])
    with pytest.raises(fiedler.FiedlerError, match="estimators and pickles keep none; ask"):
        fitted.findings_.report(tmp_path / "a.html")
    assert list(tmp_path.iterdir()) == []


def test_a_graph_of_landmarks_goes_in_and_its_links_come_out(iris):
    found = fiedler.rank(iris[0], graph="landmarks", landmarks=20, n_neighbors=4)
    Z, S = found.links, found.graph
    assert Z.shape == (150, 20) and np.allclose(Z.sum(1), 1)
    assert np.allclose((Z @ sparse.diags_array(1 / Z.sum(0)) @ Z.T).toarray(), S.toarray(), atol=1e-13)
    assert found.to_dict()["graph"]["parameters"]["landmarks"] == 20
    assert pickle.loads(pickle.dumps(found)).order.tolist() == found.order.tolist()
    assert fiedler.rank(iris[0]).links is None
    with pytest.raises(fiedler.FiedlerError, match="number of samples"):
        fiedler.rank(iris[0], graph="landmarks", landmarks=151)


def test_a_file_that_stays_on_the_disk_gives_the_same_bits(tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 3000)).astype(np.float32)
    names = [f"f{j}" for j in range(X.shape[1])]
    np.save(tmp_path / "wide.npy", X)
    pa = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    table = pa.table(dict(zip(names, X.T, strict=True)))
    feather.write_feather(table, tmp_path / "wide.feather")
    parquet.write_table(table, tmp_path / "wide.parquet")
    with pa.ipc.new_file(tmp_path / "wide.arrow", table.schema) as out:
        out.write_table(table)
    files = [tmp_path / f"wide.{kind}" for kind in ("npy", "feather", "parquet", "arrow")]
    for file in files:
        found = fiedler.rank(file, memory="500kB")
        assert any("larger than half of the memory" in note for note in found.notes), file
        held = fiedler.rank(str(file), memory="1GB")
        assert not any("larger than half of the memory" in note for note in held.notes)
        assert np.array_equal(found.scores, held.scores)
    with pytest.raises(fiedler.FiedlerError, match="memory"):
        fiedler.rank(files[0], memory="a lot")


_KILLED = """
import sys, fiedler
found = fiedler.rank(sys.argv[1], method=["laplacian", "spec"], memory="40MB", checkpoint=sys.argv[2])
print([one.scores.tobytes().hex() for one in found])
"""


def test_a_process_that_is_killed_goes_on(tmp_path):
    X = np.random.default_rng(0).normal(size=(300, 40_000)).astype(np.float32)
    np.save(tmp_path / "wide.npy", X)
    file, folder = tmp_path / "wide.npy", tmp_path / "work"
    whole = fiedler.rank(file, method=["laplacian", "spec"])
    command = [sys.executable, "-c", _KILLED, str(file), str(folder)]
    with subprocess.Popen(command) as process:
        while process.poll() is None and not list(folder.glob("*.part")):
            time.sleep(0.001)
        process.kill()
    if process.returncode == 0:
        pytest.skip("it was faster than the look")
    with pytest.raises(fiedler.FiedlerError, match=r"`checkpoint`: .*another question"):
        fiedler.rank(file, method="variance", checkpoint=folder)
    again = fiedler.rank(file, method=["laplacian", "spec"], checkpoint=folder)
    assert all(np.array_equal(a.scores, b.scores) for a, b in zip(whole, again, strict=True))
    assert any("went on from the unfinished work" in note for note in again[0].notes)
    assert not folder.exists()


def test_a_checkpoint_is_a_folder(tmp_path):
    X = np.random.default_rng(0).normal(size=(30, 20))
    (tmp_path / "file").write_text("mine")
    with pytest.raises(fiedler.FiedlerError, match=r"`checkpoint`: .*it is a file"):
        fiedler.rank(X, checkpoint=tmp_path / "file")
    with pytest.raises(fiedler.ParameterError, match="`checkpoint` must be the path of a folder, got 3"):
        fiedler.rank(X, checkpoint=3)
    assert fiedler.rank(X, checkpoint=str(tmp_path / "new")).scores.shape == (20,)
    assert not (tmp_path / "new").exists()
