"""The command, Python and Rust give the same bits for the same question."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import fiedler

QUESTIONS = [
    ("laplacian", [], {}),
    ("laplacian", ["--k", "7", "--weight", "binary"], {"n_neighbors": 7, "weight": "binary"}),
    ("spec", ["--set", "gamma=r^3"], {"gamma": "r^3"}),
    ("mrsf", ["--top", "2"], {"n_features_to_select": 2}),
    ("evsc", [], {}),
    ("entropy", [], {}),
    ("variance", [], {}),
    ("fisher", ["--label", "kind"], {"y": True}),
    ("relieff", ["--label", "kind", "--set", "neighbors=4"], {"y": True, "n_neighbors": 4}),
    ("trace-ratio", ["--label", "kind", "--top", "2"], {"y": True, "n_features_to_select": 2}),
]


def command(*arguments):
    run = subprocess.run([sys.executable, "-m", "fiedler", *arguments], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize(("method", "options", "said"), QUESTIONS, ids=[f"{q[0]} {' '.join(q[1])}" for q in QUESTIONS])
def test_the_same_bits(iris, tmp_path, method, options, said):
    X, y = iris
    said = dict(said)
    labels = said.pop("y", False)
    table = X.assign(kind=y) if labels else X
    path = tmp_path / "flowers.csv"
    table.to_csv(path, index=False)
    answer = command("rank", str(path), "--method", method, *options, "--format", "json")
    found = fiedler.rank(X, y if labels else None, method=method, **said)
    assert found.goal == answer["goal"]
    listed = answer["ranking"]
    assert [line["index"] for line in listed] == found.order[: len(listed)].tolist()
    assert [line["score"] for line in listed] == [float(found.scores[line["index"]]) for line in listed]
    if "n_features_to_select" not in said:
        estimator = fiedler._estimators.ESTIMATORS[method](**said).fit(X, y if labels else None)
        np.testing.assert_array_equal(estimator.scores_, found.scores)


def test_the_command_is_there():
    for words in ([sys.executable, "-m", "fiedler"], ["fiedler"]):
        run = subprocess.run([*words, "--version"], capture_output=True, text=True, env=_path())
        assert run.stdout.split() == ["fiedler", fiedler.__version__]
    wrong = subprocess.run([sys.executable, "-m", "fiedler", "rank", "nothing.csv"], capture_output=True, text=True)
    assert wrong.returncode != 0 and "nothing.csv" in wrong.stderr


def _path():
    import os
    from pathlib import Path

    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def test_graphs_of_both(iris, tmp_path):
    path = tmp_path / "flowers.csv"
    pd.DataFrame(iris[0]).to_csv(path, index=False)
    answer = command("rank", str(path), "--k", "6", "--format", "json")["graph"]
    S = fiedler.knn_graph(iris[0], n_neighbors=6)
    assert answer["edges"] == S.nnz // 2
    assert answer["degree"]["max"] == pytest.approx(S.sum(1).max(), rel=1e-15)


def test_files_are_read_as_the_command_reads_them(iris, tmp_path):
    X, y = iris
    path = tmp_path / "flowers.csv"
    X.assign(kind=y.map({0: "a", 1: "b", 2: "c"})).to_csv(path, index=False)
    found = fiedler.rank(path, "kind", method="fisher")
    assert found.labels is not None and found.names == list(X)
    np.testing.assert_allclose(found.scores, fiedler.rank(X, y, method="fisher").scores, rtol=1e-12)
    answer = command("rank", str(path), "--label", "kind", "--method", "fisher", "--format", "json")
    assert [line["score"] for line in answer["ranking"]] == found.scores[found.order].tolist()
    with pytest.raises(OSError, match=r"nothing\.csv"):
        fiedler.rank(tmp_path / "nothing.csv")
    with pytest.raises(fiedler.FileError, match="flowers"):
        fiedler.rank(str(path), "colour", method="fisher")
