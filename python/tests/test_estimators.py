"""scikit-learn's contract, and what the estimators add to it."""

from __future__ import annotations

import importlib.util
import inspect
import pickle
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn.utils.estimator_checks as checks
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import fiedler

ESTIMATORS = fiedler._estimators.ESTIMATORS
QUIET = pytest.mark.filterwarnings("ignore::fiedler.FiedlerWarning", "ignore::FutureWarning", "ignore::RuntimeWarning")


@QUIET
@checks.parametrize_with_checks([estimator() for estimator in ESTIMATORS.values()])
def test_every_check_of_scikit_learn(estimator, check):
    check(estimator)


BY_HAND = [
    "check_dataframe_column_names_consistency",
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
    "check_set_output_transform",
    "check_set_output_transform_pandas",
    "check_set_output_transform_polars",
    "check_global_output_transform_pandas",
    "check_inplace_ensure_writeable",
]


@QUIET
@pytest.mark.parametrize("name", BY_HAND)
@pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=lambda e: e.__name__)
def test_checks_that_are_not_among_them(estimator, name):
    getattr(checks, name)(estimator.__name__, estimator())


def test_the_estimators_are_those_of_the_registry():
    spec = importlib.util.spec_from_file_location("generate", Path(__file__).parents[1] / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert generate.TARGET.read_text(encoding="utf-8") == generate.source(), "run python python/generate.py"


def test_defaults_are_in_the_signature():
    said = inspect.signature(fiedler.MRSF).parameters
    assert said["targets"].default == "auto" and said["pairs"].default == 20
    assert said["n_neighbors"].default == "auto" and said["n_features_to_select"].default is None
    assert "random_state" in inspect.signature(fiedler.ReliefF).parameters
    for estimator in ESTIMATORS.values():
        assert "Parameters" in estimator.__doc__ and "References" in estimator.__doc__


def test_what_fit_leaves(iris):
    X, _ = iris
    found = fiedler.LaplacianScore(n_features_to_select=2).fit(X)
    assert found.ranking_.tolist() == [3, 4, 1, 2] and found.goal_ == "minimize"
    assert found.support_.tolist() == [False, False, True, True]
    assert found.get_feature_names_out().tolist() == ["petal length (cm)", "petal width (cm)"]
    assert found.feature_names_in_.tolist() == list(X.columns) and found.n_features_in_ == 4
    assert isinstance(found.graph_, sparse.csr_array) and found.graph_.shape == (150, 150)
    assert abs(found.graph_ - found.graph_.T).max() == 0
    assert found.findings_.parameters == {} and found.findings_.scale == "standard"


@pytest.mark.parametrize(("wanted", "kept"), [(3, 3), (0.5, 4), (None, 4), (0.01, 1), (8, 8), (np.int64(2), 2)])
def test_how_many_are_selected(blobs, wanted, kept):
    assert fiedler.LaplacianScore(n_features_to_select=wanted).fit(blobs[0]).support_.sum() == kept


def test_as_many_as_come_before_the_turning_point(blobs):
    found = fiedler.LaplacianScore(n_features_to_select="auto").fit(blobs[0])
    assert found.get_support(indices=True).tolist() == [0, 1, 2] and found.n_features_ == found.findings_.elbow
    with pytest.warns(fiedler.FiedlerWarning, match="no turning point"):
        assert fiedler.Variance(n_features_to_select="auto").fit(np.eye(3)).support_.all()


@pytest.mark.parametrize("wrong", [0, -1, 1.5, 0.0, "all", True, [3]])
def test_a_wrong_number_of_features(blobs, wrong):
    with pytest.raises(ValueError, match="`n_features_to_select` must be"):
        fiedler.LaplacianScore(n_features_to_select=wrong).fit(blobs[0])


def test_more_than_there_are(blobs):
    with pytest.warns(fiedler.FiedlerWarning, match="there are 8 features"):
        assert fiedler.Variance(n_features_to_select=20).fit(blobs[0]).support_.all()


def test_a_graph_of_ones_own(blobs):
    X, y = blobs
    S = sparse.csr_array((y[:, None] == y[None, :]).astype(float))
    given = fiedler.LaplacianScore(graph=S).fit(X)
    assert abs(given.graph_ - S).max() == 0
    dense = fiedler.LaplacianScore(graph=S.toarray()).fit(X)
    np.testing.assert_allclose(given.scores_, dense.scores_, rtol=1e-12)
    again = fiedler.LaplacianScore(graph=fiedler.LaplacianScore(n_neighbors=7).fit(X).graph_).fit(X)
    np.testing.assert_array_equal(again.scores_, fiedler.LaplacianScore(n_neighbors=7).fit(X).scores_)
    with pytest.raises(fiedler.UnknownParameterError, match="a given graph has no parameter `weight`"):
        fiedler.LaplacianScore(graph=S, weight="binary").fit(X)
    with pytest.raises(fiedler.AsymmetricError):
        fiedler.LaplacianScore(graph=np.triu(np.ones((60, 60)))).fit(X)
    with pytest.raises(fiedler.LengthError, match="samples of the given graph: 2 given where 60"):
        fiedler.LaplacianScore(graph=np.eye(2)).fit(X)


def test_errors_speak_of_the_keywords(blobs):
    X, y = blobs
    with pytest.raises(ValueError, match="`n_neighbors` must be"):
        fiedler.LaplacianScore(n_neighbors=0).fit(X)
    with pytest.raises(ValueError, match="`n_neighbors` must be"):
        fiedler.ReliefF(n_neighbors=-3).fit(X, y)
    with pytest.raises(ValueError, match="`metric` must be one of auto, euclidean"):
        fiedler.LaplacianScore(metric="haversine").fit(X)
    with pytest.raises(TypeError, match="the rbf graph has no parameter `n_neighbors`; it has: bandwidth"):
        fiedler.LaplacianScore(graph="rbf", n_neighbors=4).fit(X)
    with pytest.raises(ValueError, match="`graph` must be one of knn"):
        fiedler.LaplacianScore(graph="mesh").fit(X)
    with pytest.raises(ValueError, match="`scale` must be"):
        fiedler.LaplacianScore(scale=3).fit(X)
    with pytest.raises(ValueError, match="`n_jobs` must be"):
        fiedler.LaplacianScore(n_jobs=0).fit(X)


def test_labels_are_used_where_the_method_can(blobs):
    X, y = blobs
    assert fiedler.MRSF(n_features_to_select=2).fit(X, y).findings_.labels == "labels"
    assert fiedler.MRSF(n_features_to_select=2).fit(X).findings_.labels is None
    assert fiedler.LaplacianScore().fit(X, y).findings_.labels is None
    assert fiedler.Fisher().fit(X, pd.Series(y, name="kind")).findings_.labels == "kind"
    words = np.where(y == 1, "yes", "no")
    for same in (words, words.astype(object), y.astype(float), y.astype(bool), pd.Series(words, dtype="category")):
        np.testing.assert_array_equal(fiedler.Fisher().fit(X, same).scores_, fiedler.Fisher().fit(X, y).scores_)


def test_the_target_of_a_regression_is_used_or_refused(blobs):
    X, y = blobs[0], pd.Series(3 * blobs[0][:, 1] + 0.01 * blobs[0][:, 4], name="price")
    for method in (fiedler.Fisher(), fiedler.TraceRatio(), fiedler.AROMSVM(), fiedler.SSelect()):
        with pytest.raises(fiedler.NotClassesError, match=r"`price` is a number to be predicted.*correlation"):
            method.fit(X, y)
    for method in (fiedler.Correlation(), fiedler.ReliefF(), fiedler.HSIC(), fiedler.MRSF(), fiedler.MRMR()):
        found = method.set_params(n_features_to_select=2).fit(X, y)
        assert found.ranking_[1] == 1, method
        assert (found.findings_.target, found.findings_.labels) == ("price", None)
    assert fiedler.LaplacianScore().fit(X, y).findings_.target is None
    # Whole numbers as floats, as scikit-learn's diabetes has them: so many values are no classes.
    whole = np.round(1000 * X[:, 1])
    assert fiedler.Correlation().fit(X, whole).findings_.target == "target"
    judged = fiedler.evaluate(X, y, methods=["correlation"], counts=[1])
    assert "R²" in judged.to_frame()["measure"].iloc[0]


@pytest.mark.parametrize("missing", [-1, np.nan, None])
def test_a_few_labels_are_enough_for_sselect(blobs, missing):
    X, y = blobs
    few = y.astype(object)
    few[5:25] = missing
    few[40:] = missing
    if missing == -1:
        few = few.astype(int)
    found = fiedler.SSelect(n_features_to_select=3).fit(X, few)
    assert set(found.get_support(indices=True)) == {0, 1, 2}
    if missing != -1:
        with pytest.raises(fiedler.LabelsPartialError, match="40 have none"):
            fiedler.Fisher().fit(X, few)


def test_labels_are_demanded(blobs):
    with pytest.raises(fiedler.LabelsMissingError, match="requires y"):
        fiedler.ReliefF().fit(blobs[0])
    with pytest.raises(fiedler.OneClassError):
        fiedler.Fisher().fit(blobs[0], np.zeros(60))


def test_fisher_is_the_f_statistic(digits):
    X, y = digits
    found = fiedler.Fisher().fit(X, y).scores_
    with np.errstate(all="ignore"):
        wanted = f_classif(X, y)[0] * 9 / (len(X) - 10)
    scored = ~np.isnan(found)
    np.testing.assert_allclose(found[scored], wanted[scored], rtol=1e-9)


def test_a_pipeline_and_a_search(digits):
    X, y = digits[0][:400], digits[1][:400]
    pipe = make_pipeline(fiedler.MRSF(n_features_to_select=20), LogisticRegression(max_iter=200))
    search = GridSearchCV(pipe, {"mrsf__n_features_to_select": [5, 20]}, cv=2, n_jobs=2).fit(X, y)
    assert search.best_params_ == {"mrsf__n_features_to_select": 20} and search.best_score_ > 0.7


def test_selectkbest_and_columns(iris):
    X, y = iris
    chosen = SelectKBest(fiedler.laplacian_score, k=2).set_output(transform="pandas").fit(X, y)
    assert list(chosen.transform(X)) == ["petal length (cm)", "petal width (cm)"]
    both = ColumnTransformer([("best", fiedler.Variance(n_features_to_select=1), list(X.columns[2:]))])
    assert both.set_output(transform="pandas").fit_transform(X).columns.tolist() == ["best__petal length (cm)"]


def test_outputs_are_frames_where_asked(iris):
    X, _ = iris
    found = fiedler.LaplacianScore(n_features_to_select=1).set_output(transform="pandas").fit_transform(X)
    assert found.columns.tolist() == ["petal length (cm)"]
    polars = fiedler.LaplacianScore(n_features_to_select=1).set_output(transform="polars").fit_transform(X)
    assert polars.columns == ["petal length (cm)"]


def test_clones_and_pickles(blobs):
    X, _ = blobs
    first = fiedler.LaplacianScore(n_neighbors=4, n_features_to_select=3).fit(X)
    assert clone(first).get_params() == first.get_params()
    again = pickle.loads(pickle.dumps(first))
    np.testing.assert_array_equal(again.transform(X), first.transform(X))
    assert again.findings_.to_dict() == first.findings_.to_dict()
    with pytest.raises(AttributeError, match="fit again"):
        _ = again.graph_


def test_pickles_of_other_formats_are_refused(blobs):
    state = fiedler.Variance().fit(blobs[0]).__getstate__()
    for foreign in ({**state, "_fiedler_pickle": 99}, {k: v for k, v in state.items() if k != "_fiedler_pickle"}):
        with pytest.raises(fiedler.PickleError, match="fit the estimator again"):
            fiedler.Variance().__setstate__(foreign)


def test_threads_do_not_change_a_bit(digits):
    X, _ = digits
    one = fiedler.LaplacianScore(n_jobs=1).fit(X)
    np.testing.assert_array_equal(one.scores_, fiedler.LaplacianScore(n_jobs=3).fit(X).scores_)
    np.testing.assert_array_equal(one.scores_, fiedler.LaplacianScore(n_jobs=-1).fit(X).scores_)


def test_seeds(blobs):
    X, y = blobs

    def drawn(seed):
        return fiedler.ReliefF(samples=10, random_state=seed).fit(X, y).scores_

    np.testing.assert_array_equal(drawn(1), drawn(1))
    assert (drawn(1)[:7] != drawn(2)[:7]).any()
    drawn(np.random.RandomState(3))
    drawn(np.random.default_rng(3))


def test_warnings_point_at_the_caller(blobs):
    X = np.vstack([blobs[0][:30], blobs[0][30:] + 1000])
    with pytest.warns(fiedler.FiedlerWarning) as told:
        fiedler.LaplacianScore(n_neighbors=2).fit(X)
    assert told[0].filename == __file__


class Heard:
    """A callback of scikit-learn's that writes down what it hears."""

    def __init__(self):
        self.names = []

    def setup(self, estimator, context):
        self.names.append("setup")

    def on_fit_task_begin(self, estimator, context):
        self.names.append(context.task_name)

    def on_fit_task_end(self, estimator, context):
        self.names.append(f"end of {context.task_name}")

    def teardown(self, estimator, context):
        self.names.append("teardown")


def test_callbacks_hear_the_stages():
    pytest.importorskip("sklearn.callback")
    X = np.random.default_rng(0).normal(size=(1500, 200))
    heard = Heard()
    fiedler.EntropyRank(n_jobs=1).set_callbacks(heard).fit(X)
    assert heard.names[:2] == ["setup", "fit"] and heard.names[-2:] == ["end of fit", "teardown"]
    stages = heard.names[2:-2]
    assert len(stages) >= 2 and stages[1::2] == [f"end of {name}" for name in stages[::2]]


def test_the_html_links_to_the_documentation_where_it_is_set():
    assert not re.search("""href=["']?http""", fiedler.LaplacianScore()._repr_html_())
    with fiedler.config_context(documentation="https://docs.local/fiedler/"):
        link = "https://docs.local/fiedler/api/fiedler.LaplacianScore.html"
        assert link in fiedler.LaplacianScore()._repr_html_()
        with fiedler.config_context(memory="2GB"):
            assert fiedler.get_config() == {"memory": "2GB", "documentation": "https://docs.local/fiedler/"}
    assert fiedler.get_config()["documentation"] is None


def test_pickles_of_this_format_stay_readable(blobs):
    """The file was written when the format was new; whoever breaks it must raise PICKLE_FORMAT."""
    with open(Path(__file__).parent / "data" / "laplacian-1.pkl", "rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        old = pickle.load(file)
    X = old.findings_.to_dict()
    assert old.n_features_in_ == 4 and old.ranking_.tolist() == [3, 4, 1, 2] and X["method"] == "laplacian"
    assert old.transform(np.eye(4)).shape == (4, 2) and "petal length" in old.findings_._repr_html_()


def test_more_neighbors_than_there_are_others(blobs):
    X = blobs[0]
    with pytest.warns(fiedler.FiedlerWarning, match="`n_neighbors` is 1000 and a sample has 59 others"):
        found = fiedler.LaplacianScore(n_neighbors=1000).fit(X)
    np.testing.assert_array_equal(found.scores_, fiedler.LaplacianScore(n_neighbors=59).fit(X).scores_)
    with pytest.raises(ValueError, match="`n_neighbors` must be"):
        fiedler.rank(X, n_neighbors=1000)


@pytest.mark.parametrize("graph", ["labels", "relief"])
def test_a_graph_of_labels_sees_them(blobs, graph):
    X, y = blobs
    found = fiedler.LaplacianScore(graph=graph).fit(X, y)
    np.testing.assert_array_equal(found.scores_, fiedler.rank(X, y, graph=graph).scores)
    with pytest.raises(fiedler.LabelsMissingError, match="pass them as `y`"):
        fiedler.LaplacianScore(graph=graph).fit(X)


@pytest.mark.parametrize("dtype", ["string", object])
def test_missing_labels_of_pandas(blobs, dtype):
    X, y = blobs
    few = pd.Series(np.where(y == 1, "yes", "no"), dtype=dtype)
    few[np.r_[5:25, 40:60]] = pd.NA
    found = fiedler.SSelect(n_features_to_select=3).fit(X, few)
    assert set(found.get_support(indices=True)) == {0, 1, 2}
    with pytest.raises(fiedler.LabelsPartialError, match="40 have none"):
        fiedler.Fisher().fit(X, few)


def test_minus_one_among_objects_is_no_class(blobs):
    X, y = blobs
    few = np.where(y == 1, "yes", "no").astype(object)
    few[np.r_[5:25, 40:60]] = -1
    wanted = few.copy()
    wanted[few == -1] = None
    found = fiedler.SSelect().fit(X, few)
    np.testing.assert_array_equal(found.scores_, fiedler.SSelect().fit(X, wanted).scores_)


def test_a_consensus_with_a_selector_of_scikit_learn(iris):
    X, y = iris
    found = fiedler.Consensus(2, methods=["fisher", SelectKBest(f_classif, k=1)]).fit(X, y)
    np.testing.assert_array_equal(*found.rankings_)
    with pytest.raises(ValueError, match=r"`methods` must be names of methods.*got LogisticRegression"):
        fiedler.Consensus(methods=[LogisticRegression(max_iter=500)]).fit(X, y)


def test_annotated_data_are_refused():
    anndata = pytest.importorskip("anndata")
    for estimator in (fiedler.LaplacianScore(), fiedler.Consensus(), fiedler.MultiSource()):
        with pytest.raises(ValueError, match=r"fit\(adata\.X\), or fiedler\.pp\.select_genes"):
            estimator.fit(anndata.AnnData(np.eye(4)))
