"""Many sources and many rankings, against the command and by hand."""

from __future__ import annotations

import inspect
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn
import sklearn.utils.estimator_checks as checks
from sklearn.base import clone
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline

import fiedler
from fiedler import sources

FUSE = Path(__file__).parents[2] / "examples" / "fuse"
pytestmark = pytest.mark.filterwarnings("ignore::fiedler.FiedlerWarning")


def column(file):
    return pd.read_csv(FUSE / file, sep="\t", index_col=0).iloc[:, 0]


@pytest.fixture(scope="module")
def patients():
    """The example of the command: expression of patients, their classes, and seven sources."""
    table = pd.read_csv(FUSE / "expression.csv", index_col=0)
    y = table.pop("class")
    lines = (FUSE / "pathways.gmt").read_text().splitlines()
    sets = {line.split("\t")[0]: line.split("\t")[2:] for line in lines}
    edges = [line.split()[::2] for line in (FUSE / "interactions.sif").read_text().splitlines() if line.strip()]
    return (
        table,
        y,
        {
            "expression": sources.Target("rbf"),
            "miRNA": sources.Data(pd.read_csv(FUSE / "mirna.csv", index_col=0), n_neighbors=6),
            "site": sources.Hierarchy(column("sites.tsv"), level_weights=[1.0, 1.0]),
            "day of measurement": sources.Labels(column("days.tsv")),
            "pathways": sources.Sets(sets, "rbf"),
            "interactions": sources.Network(edges),
            "annotations": sources.Annotations(pd.read_csv(FUSE / "annotations.tsv", sep="\t").to_numpy().tolist()),
        },
    )


def test_the_same_answer_as_the_command(patients):
    words = [sys.executable, "-m", "fiedler", "fuse", str(FUSE / "sources.toml"), "--format", "json", "--top", "40"]
    answer = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    X, y, known = patients
    found = fiedler.fuse(X, known, y, weights="aligned")
    assert [share["weight"] for share in found.shares] == [source["weight"] for source in answer["sources"]]
    assert [line["feature"] for line in answer["ranking"]] == found.findings.top(len(answer["ranking"]))
    scores = [line["score"] for line in answer["ranking"]]
    assert scores == found.findings.scores[found.findings.order][: len(scores)].tolist()


def test_files_of_knowledge_are_read_as_the_command_reads_them(patients):
    words = [sys.executable, "-m", "fiedler", "fuse", str(FUSE / "knowledge.toml"), "--format", "json", "--top", "40"]
    answer = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    X, y, _ = patients
    gaf, obo = FUSE / "genes.gaf", FUSE / "terms.obo"
    known = {
        "ontology": sources.Annotations(gaf, ontology=obo, overlap="information"),
        "cell cycle": sources.Sets(gaf, "rbf", ontology=obo, only=["EX:0002"]),
        "pathway": sources.Network(str(FUSE / "pathway.kgml"), types=["activation", "inhibition"]),
        "interactions": sources.Network(FUSE / "biogrid.tab3.txt", types=["physical"]),
        "sequences": sources.Sequences(FUSE / "genes.fasta", n_neighbors=5),
    }
    names = [source["name"] for source in answer["sources"]]
    found = fiedler.fuse(X, {name: known[name] for name in names}, y, weights="aligned")
    assert [share["weight"] for share in found.shares] == [source["weight"] for source in answer["sources"]]
    assert [line["feature"] for line in answer["ranking"]] == found.findings.top(len(answer["ranking"]))


def test_other_files_and_wrong_ones(patients, tmp_path):
    X, _, known = patients
    by_hand = fiedler.fuse(X, {"pathways": known["pathways"], "interactions": known["interactions"]})
    files = {
        "pathways": sources.Sets(FUSE / "pathways.gmt", "rbf"),
        "interactions": sources.Network(FUSE / "interactions.sif"),
    }
    np.testing.assert_array_equal(fiedler.fuse(X, files).findings.order, by_hand.findings.order)
    genes = sources.Sets(FUSE / "pathway.kgml", drop=True)
    assert fiedler.fuse(X, {"genes": genes}).graph.shape == (len(X), len(X))
    letters = {name: "ACGT" * (3 + j) for j, name in enumerate(X.columns[:6])}
    assert fiedler.fuse(X, {"letters": sources.Sequences(letters, k_mer=3)}).graph.shape[0] == len(X)
    broken = tmp_path / "broken.gaf"
    broken.write_text("a\tb\n")
    with pytest.raises(fiedler.FileError, match=r"broken\.gaf"):
        fiedler.fuse(X, {"terms": sources.Annotations(broken)})
    with pytest.raises(fiedler.FileError, match="GAF file"):
        fiedler.fuse(X, {"terms": sources.Annotations(FUSE / "annotations.tsv", evidence=["IDA"])})
    with pytest.raises(ValueError, match="belong to annotations in a file"):
        fiedler.fuse(X, {"terms": sources.Annotations([("a", "b")], ontology="x.obo")})
    with pytest.raises(ValueError, match="a list of words"):
        fiedler.fuse(X, {"terms": sources.Annotations(FUSE / "genes.gaf", aspect="P")})
    with pytest.raises(ValueError, match="no set `nothing`"):
        fiedler.fuse(X, {"sets": sources.Sets(FUSE / "pathways.gmt", only=["nothing"])})
    with pytest.raises(ValueError, match="`types` belong to a file"):
        fiedler.fuse(X, {"net": sources.Network([("a", "b")], types=["physical"])})


def test_the_sum_is_that_of_the_graphs(patients):
    X, _y, known = patients
    found = fiedler.fuse(X, {name: known[name] for name in ("expression", "miRNA", "site")}, weights=[2, 1, 1])
    S = 0
    for weight, (name, source) in zip([0.5, 0.25, 0.25], list(known.items())[:3], strict=True):
        one = fiedler.fuse(X, {name: source}).graph.toarray()
        S = S + weight * one / one.sum(1).mean()
    np.testing.assert_allclose(found.graph.toarray(), S, rtol=1e-12)
    np.testing.assert_allclose(found.findings.scores, fiedler.rank(X, graph=(S + S.T) / 2).scores, rtol=1e-9)


def test_what_an_answer_shows(patients):
    X, y, known = patients
    found = fiedler.fuse(X, known, y, weights="aligned")
    table = found.to_frame()
    assert table["weight"].sum() == pytest.approx(1) and "with miRNA" in table
    assert json.dumps(found.to_dict()) and "miRNA" in found._repr_html_() and "Fusion" in repr(found)
    assert len(found.alone()) == 7 and found.alone()[1].top(2) != found.alone()[0].top(2)
    assert found.plot().get_xlabel() == "share of the combined graph"


def test_samples_are_matched_by_index_or_by_rows(patients):
    X, _, known = patients
    some = {name: known[name] for name in ("miRNA", "site", "day of measurement")}
    whole = fiedler.MultiSource(sources=some).fit(X)
    mixed = fiedler.MultiSource(sources=some).fit(X.iloc[::-1])
    np.testing.assert_allclose(mixed.scores_, whole.scores_, rtol=1e-9)
    by_row = {
        "miRNA": sources.Data(known["miRNA"].X.loc[X.index].to_numpy(), n_neighbors=6),
        "site": sources.Hierarchy(known["site"].paths.loc[X.index].to_numpy(), level_weights=[1.0, 1.0]),
        "day of measurement": sources.Labels(known["day of measurement"].y.loc[X.index].to_numpy()),
    }
    rows = np.arange(len(X))[::-1]
    again = fiedler.MultiSource(sources=by_row).fit(X.to_numpy()[rows], samples=rows)
    np.testing.assert_allclose(again.scores_, whole.scores_, rtol=1e-9)
    with pytest.raises(fiedler.LengthError, match="pass `samples`"):
        fiedler.MultiSource(sources=by_row).fit(X.to_numpy()[:20])
    with pytest.raises(fiedler.UnknownNamesError, match="miRNA"):
        fiedler.MultiSource(sources=some).fit(X.rename(index={"patient_01": "stranger"}))
    with pytest.raises(ValueError, match="`samples` must be below 30"):
        fiedler.MultiSource(sources=by_row).fit(X.to_numpy(), samples=np.arange(30) + 5)


def test_metadata_are_routed_into_cross_validation(patients):
    """Cross-validation splits `samples` with the data, so that every training part finds its rows of the sources."""
    X, _, known = patients
    y = np.arange(len(X)) % 3
    by_row = {"miRNA": sources.Data(known["miRNA"].X.loc[X.index].to_numpy(), n_neighbors=6)}
    with sklearn.config_context(enable_metadata_routing=True):
        chosen = fiedler.MultiSource(8, sources=by_row).set_fit_request(samples=True)
        pipe = make_pipeline(chosen, LogisticRegression())
        rows = np.arange(len(X))
        done = cross_validate(pipe, X.to_numpy(), y, params={"samples": rows}, cv=3, return_estimator=True)
        assert len(done["test_score"]) == 3
        assert done["estimator"][0][0].graph_.shape == (20, 20)
        with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError):
            make_pipeline(fiedler.MultiSource(8, sources=by_row), LogisticRegression()).fit(X, y, samples=rows)
    # Frames bring their names and need no routing.
    by_name = fiedler.MultiSource(8, sources={"miRNA": known["miRNA"]})
    assert len(cross_val_score(make_pipeline(by_name, LogisticRegression()), X, y, cv=3)) == 3


def test_features_of_sources_are_matched_by_name(patients):
    X, _, _ = patients
    with pytest.raises(fiedler.UnknownNamesError, match="GENE99"):
        fiedler.fuse(X, {"sets": sources.Sets({"a": ["GENE01", "GENE99"]})})
    dropped = fiedler.fuse(X, {"sets": sources.Sets({"a": ["GENE01", "GENE02", "GENE99"]}, drop=True)})
    exact = fiedler.fuse(X, {"sets": sources.Sets({"a": [0, 1]})})
    np.testing.assert_array_equal(dropped.findings.scores, exact.findings.scores)
    assert dropped.shares[0]["notes"] == ["1 feature name is not in X and was dropped"]
    with pytest.raises(fiedler.SourceError, match="no feature 40"):
        fiedler.fuse(X, {"sets": sources.Sets({"a": [40]})})


def test_graphs_can_be_left_as_they_came(patients):
    X, _y, _known = patients
    given = {"all": sources.Target(graph="rbf"), "near": sources.Target(graph="knn")}
    scaled = fiedler.fuse(X, given, weights=[1, 1])
    printed = fiedler.fuse(X, given, weights=[1, 1], normalize=False)
    assert [share["weight"] for share in scaled.shares] == [0.5, 0.5]
    assert all(share["scale"] == 1 for share in printed.shares)
    assert printed.shares[0]["weight"] > 0.5 > printed.shares[1]["weight"]
    with pytest.raises(ValueError, match="`normalize` must be true"):
        fiedler.fuse(X, given, _y, weights="aligned", normalize=False)


def test_wrong_sources_are_refused_by_name(patients):
    X, _y, _known = patients
    for wrong, text in [
        ({}, "dictionary of sources"),
        ({"a": 3}, "fiedler.sources"),
        ({"a": sources.Hierarchy(["x"] * 30)}, "source `a`"),
        ({"a": sources.Network([(0, 1)], covariance="odd")}, "kernel, printed, repaired"),
        ({"a": sources.Annotations([(0, "t"), (1, "t")], overlap="odd")}, "jaccard, cosine, information, resnik"),
    ]:
        with pytest.raises(ValueError, match=text):
            fiedler.fuse(X, wrong)
    with pytest.raises(ValueError, match="`weights` must be equal, aligned"):
        fiedler.fuse(X, {"a": sources.Target()}, weights="odd")
    with pytest.raises(fiedler.LabelsMissingError):
        fiedler.fuse(X, {"a": sources.Target()}, weights="aligned")
    with pytest.raises(ValueError, match="takes a graph"):
        fiedler.fuse(X, {"a": sources.Target()}, method="variance")
    with pytest.raises(TypeError, match="no parameter `colour`"):
        fiedler.fuse(X, {"a": sources.Target(colour=1)})


@checks.parametrize_with_checks([fiedler.MultiSource(), fiedler.Consensus()])
def test_every_check_of_scikit_learn(estimator, check):
    check(estimator)


def test_clones_and_pickles(patients):
    X, _y, known = patients
    first = fiedler.MultiSource(5, sources=known, weights="equal").fit(X)
    assert clone(first).sources["miRNA"] is known["miRNA"]
    again = pickle.loads(pickle.dumps(first))
    assert again.weights_ == first.weights_ and again.transform(X).shape == (30, 5)


def test_terms_are_weighed_by_their_information():
    X = np.random.default_rng(3).normal(size=(20, 6))
    terms = {"x0": ["a", "b"], "x1": ["a"], "x2": ["b", "c"], "x3": ["c", "a"], "x4": ["a"], "x5": ["a", "c"]}
    found = [
        fiedler.fuse(X, {"terms": sources.Annotations(terms, overlap=overlap, max_features=6)}).findings.scores
        for overlap in ("jaccard", "cosine", "information", "resnik")
    ]
    for one in range(4):
        assert not any(np.array_equal(found[one], found[other]) for other in range(one))
    with pytest.raises(ValueError, match="jaccard, cosine, information, resnik"):
        fiedler.fuse(X, {"terms": sources.Annotations(terms, overlap="love")})


def test_known_features_teach_the_weights_of_rankings():
    good, bad = list(range(12)), list(range(11, -1, -1))
    found = fiedler.aggregate([good, bad], known=[0, 1, 2])
    assert found.weights.tolist() == [1.0, 0.0] and found.with_known.tolist() == [1.0, 0.0]
    assert found.left_out == {"x0": 1, "x1": 2, "x2": 3} and found.order.tolist() == good
    assert fiedler.aggregate([good, bad]).left_out is None
    ranked = fiedler.rank(np.random.default_rng(0).normal(size=(20, 12)))
    by_name = fiedler.aggregate([ranked], known=[*ranked.top(2), int(ranked.order[2])])
    assert list(by_name.left_out) == ranked.top(3) and by_name.weights.tolist() == [1.0]
    with pytest.raises(ValueError, match="cannot both be given"):
        fiedler.aggregate([good], weights=[1], known=[0, 1, 2])
    with pytest.raises(ValueError, match="these are not: nobody"):
        fiedler.aggregate([good], known=["x0", "x1", "nobody"])
    with pytest.raises(ValueError, match="at least 3"):
        fiedler.aggregate([good], known=[0])
    with pytest.raises(ValueError, match="borda and rrf take weights"):
        fiedler.aggregate([good, bad], "median", known=[0, 1, 2])


def test_a_consensus_is_the_aggregate(digits):
    X, y = digits[0][:300], digits[1][:300]
    found = fiedler.Consensus(12, methods=["laplacian", "spec", "fisher"], aggregation="median").fit(X, y)
    assert found.support_.sum() == 12 and found.goal_ == "minimize" and len(found.rankings_) == 3
    alone = [fiedler.rank(X, y, method=m) for m in ("laplacian", "spec", "fisher")]
    for order, one in zip(found.rankings_, alone, strict=True):
        assert order.tolist() == one.order[: len(order)].tolist()
    ranks = np.full((3, 64), np.nan)
    for at, order in enumerate(found.rankings_):
        ranks[at, order] = np.arange(1, len(order) + 1)
    everywhere = ~np.isnan(ranks).any(0)
    np.testing.assert_allclose(found.scores_[everywhere], np.median(ranks, 0)[everywhere])
    assert found.findings_.title == "Consensus by median" and "Consensus" in found.findings_._repr_html_()


def test_a_consensus_takes_estimators_and_weights(digits):
    X, y = digits[0][:200], digits[1][:200]
    others = [fiedler.Fisher(), RFE(LogisticRegression(max_iter=500), n_features_to_select=20, step=8)]
    both = fiedler.Consensus(10, methods=["laplacian", *others], weights=[1, 2, 1]).fit(X, y)
    assert both.support_.sum() == 10
    one = fiedler.Consensus(10, methods=["laplacian", fiedler.Fisher()], weights=[0, 1]).fit(X, y)
    fisher = fiedler.Fisher().fit(X, y)
    assert set(one.get_support(indices=True)) <= set(fisher.findings_.order[:10])
    with pytest.raises(ValueError, match="borda and rrf take weights"):
        fiedler.Consensus(methods=["laplacian", "spec"], aggregation="mc4", weights=[1, 2]).fit(X)


def test_words_are_those_of_the_registry():
    about = fiedler._core.describe()
    usual = {p.name: p.default for p in inspect.signature(fiedler.stability).parameters.values()}
    assert {name: usual[name] for name in about["stability"]} == about["stability"]
    assert usual["method"] == about["selection"]
    assert inspect.signature(fiedler.evaluate).parameters["methods"].default == (about["ranking"], about["selection"])
    assert fiedler.Consensus().methods == (about["ranking"], about["selection"])
    for name, _ in about["aggregations"]:
        assert name in fiedler.Consensus.__doc__ and name in fiedler.aggregate.__doc__
