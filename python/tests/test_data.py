"""Data come in without copies where they can, converted where they must, and refused by name."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import fiedler


def scores(X, **said):
    return fiedler.rank(X, **said).scores


def laplacian_by_hand(X):
    """The Laplacian score with the graph that the library reports, in plain numpy."""
    found = fiedler.rank(X)
    S = found.graph.toarray()
    F = (X - X.mean(0)) / np.where(X.std(0) > 0, X.std(0), 1)
    d = S.sum(1)
    G = F - (d @ F) / d.sum()
    L = np.diag(d) - S
    with np.errstate(invalid="ignore"):
        return np.einsum("ij,ik,kj->j", G, L, G) / np.einsum("ij,i,ij->j", G, d, G), found.scores


def test_scores_are_those_of_the_formula(blobs):
    by_hand, found = laplacian_by_hand(blobs[0])
    assert np.isnan(found[7])
    np.testing.assert_allclose(found[:7], by_hand[:7], rtol=1e-10)


def test_orders_and_strides_give_the_same_bits(blobs):
    X = blobs[0]
    wanted = scores(X)
    wide = np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)
    for same in (np.asfortranarray(X), wide[::2, ::3], X[::-1][::-1], np.ascontiguousarray(X[:, ::-1])[:, ::-1]):
        np.testing.assert_array_equal(scores(same), wanted)


def test_single_precision_is_read_as_it_is(blobs):
    X = blobs[0].astype(np.float32)
    np.testing.assert_array_equal(scores(X), scores(np.asfortranarray(X)))
    np.testing.assert_allclose(scores(X)[:7], scores(X.astype(np.float64))[:7], rtol=1e-5)


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array, sparse.csr_matrix, sparse.coo_array])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sparse_formats_give_the_same_bits(kind, dtype):
    rng = np.random.default_rng(3)
    dense = rng.poisson(0.7, size=(40, 12)).astype(dtype)
    wanted = scores(sparse.csc_array(dense))
    np.testing.assert_array_equal(scores(kind(dense)), wanted)
    np.testing.assert_allclose(scores(dense), wanted, rtol=1e-5)


@pytest.mark.parametrize("places", [np.int32, np.int64, np.uint16, np.uint32])
@pytest.mark.parametrize("by_rows", [True, False])
def test_places_of_any_kind(places, by_rows):
    rng = np.random.default_rng(4)
    dense = rng.poisson(0.7, size=(30, 9)).astype(np.float64)
    S = sparse.csr_array(dense) if by_rows else sparse.csc_array(dense)
    parts = (S.data, S.indices.astype(places), S.indptr.astype(places if places != np.uint16 else np.int32))
    data = fiedler._core.Data.sparse(parts, S.shape, by_rows, None, (1, None, None))
    asked = fiedler._base.question(["laplacian"], [], fiedler._base.graph_question(None, []), ("auto", "auto"))
    found = fiedler._results.Findings(*_first(fiedler._core.run(data, asked, (1, None, None))), None)
    np.testing.assert_array_equal(found.scores, scores(S))


def _first(answer):
    return answer[0], 0, answer[1][0]


def test_duplicates_and_unsorted_places_are_summed():
    S = sparse.csr_array(
        (np.array([1.0, 2.0, 3.0, 5.0, 4.0]), np.array([2, 0, 0, 1, 2]), np.array([0, 3, 4, 5])), (3, 3)
    )
    np.testing.assert_allclose(scores(S, scale="none"), scores(S.toarray(), scale="none"), rtol=1e-14)
    assert S.nnz == 5  # not changed


def test_places_that_do_not_fit_are_refused():
    for indices, indptr in ([[0, 9], [0, 1, 2]], [[0, -1], [0, 1, 2]], [[0, 1], [0, 1, 7]]):
        parts = (np.ones(2), np.array(indices, dtype=np.int32), np.array(indptr, dtype=np.int32))
        for by_rows in (True, False):
            with pytest.raises(fiedler.FiedlerError):
                fiedler._core.Data.sparse(parts, (2, 2), by_rows, None, (1, None, None))


def test_frames_bring_their_names(iris):
    X, _ = iris
    found = fiedler.rank(X)
    assert found.top(1) == ["petal length (cm)"]
    other = fiedler.rank(pl.DataFrame({name: X[name].to_numpy() for name in X}))
    assert other.names == list(X.columns)
    np.testing.assert_array_equal(other.scores, found.scores)


def test_whole_numbers_and_booleans_are_converted(blobs):
    whole = np.round(blobs[0] * 10).astype(np.int16)
    np.testing.assert_array_equal(scores(whole), scores(whole.astype(float)))
    flags = blobs[0] > 0
    np.testing.assert_array_equal(scores(flags), scores(flags.astype(float)))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_missing_values_are_refused_by_name(iris, bad):
    X = iris[0].copy()
    X.iloc[4, 1] = bad
    with pytest.raises(fiedler.NotFiniteError, match=r"row 5 .*column `sepal width \(cm\)`"):
        fiedler.rank(X)
    with pytest.raises(ValueError, match="fill in or drop missing values"):
        fiedler.LaplacianScore().fit(X)


def test_hostile_frames():
    two = pd.DataFrame([[1.0, 2.0], [2.0, 5.0], [4.0, 1.0]], columns=["a", "a"])
    assert fiedler.rank(two, method="variance").names == ["a", "a"]
    for bad in (pd.DataFrame({"a": ["x", "y", "z"]}), pd.DataFrame(), np.zeros((0, 3)), np.zeros((3, 0))):
        with pytest.raises(ValueError):
            fiedler.rank(bad)


def test_frames_of_many_kinds(iris):
    X = iris[0].head(60).reset_index(drop=True)
    wanted = scores(X, scale="none")
    mixed = X.copy()
    mixed.iloc[:, 0] = mixed.iloc[:, 0].astype(np.float32)
    mixed["flag"] = np.arange(60) % 2 == 0
    mixed["whole"] = np.arange(60, dtype=np.int8)
    mixed["nullable"] = pd.array(np.arange(60), dtype="Int64")
    found = fiedler.rank(mixed, method="variance")
    assert found.names == list(mixed) and not np.isnan(found.scores).any()
    selected = fiedler.Variance(2).set_output(transform="pandas").fit_transform(mixed)
    assert list(selected) == ["whole", "nullable"]
    # Names on two levels are joined into one for showing.
    two = X.copy()
    two.columns = pd.MultiIndex.from_product([["petal", "sepal"], ["length", "width"]])
    np.testing.assert_array_equal(scores(two, scale="none"), wanted)
    assert len(set(fiedler.rank(two).names)) == 4
    # An index that repeats, or is of dates, is no matter.
    other = X.set_index(pd.date_range("2020", periods=60))
    np.testing.assert_array_equal(scores(other, scale="none"), wanted)
    np.testing.assert_array_equal(scores(X.set_index(np.zeros(60)), scale="none"), wanted)


def test_frames_that_are_refused(iris):
    X = iris[0].head(60).reset_index(drop=True)
    kinds = X.assign(kind=pd.Categorical(np.where(np.arange(60) % 2, "a", "b")))
    days = X.assign(day=pd.date_range("2020", periods=60))
    long = X.assign(long=pd.to_timedelta(np.arange(60), unit="D"), **{f"t{j}": "a" for j in range(4)})
    missing = X.assign(whole=pd.array([None, *range(59)], dtype="Int64"))
    for bad, text in (
        (kinds, "`kind` of `X` is not made of numbers: encode such columns"),
        (pl.DataFrame(kinds.astype({"kind": str}).to_dict("list")), "`kind` of `X` is not made of numbers"),
        (days, "`day` of `X` is not made of numbers"),
        (long, "`long`, `t0`, `t1` and 2 more of `X` are not made of numbers"),
        (missing, "NaN at row 1 .counting from 1., column `whole`"),
    ):
        for ask in (fiedler.rank, fiedler.LaplacianScore().fit, fiedler.Consensus().fit):
            with pytest.raises(ValueError, match=text):
                ask(bad)
    for empty in (X.iloc[:0], X.iloc[:, :0], pl.DataFrame()):
        for ask in (fiedler.rank, fiedler.LaplacianScore().fit):
            with pytest.raises(ValueError, match="sample"):
                ask(empty)


def test_names_that_repeat(iris):
    X = iris[0].set_axis(["a", "b", "a", "c"], axis=1)
    assert len(fiedler.rank(X).scores) == 4
    try:
        fiedler.LaplacianScore().fit(X)  # scikit-learn before 1.9 lets them through
    except fiedler.DuplicateNameError as error:
        assert "`a` is repeated: rename them" in str(error)


def test_masked_values_are_missing():
    values = np.random.default_rng(0).normal(size=(20, 3))
    np.testing.assert_array_equal(scores(np.ma.masked_array(values)), scores(values))
    for ask in (fiedler.rank, fiedler.LaplacianScore().fit):
        with pytest.raises(ValueError, match="`X` has masked values"):
            ask(np.ma.masked_array(values, mask=values > 1))


MEMORY = """
import numpy as np, fiedler

def status(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name))

n, m = 1000, 20000
{make}
fiedler.Variance().fit(np.eye(9))
open("/proc/self/clear_refs", "w").write("5")  # the peak begins again: making the data does not hide a copy
before = status("VmRSS")
fiedler.Variance().fit(X)
print((status("VmHWM") - before) / 1024 / (size / 2**20))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize(
    ("make", "most"),
    [
        ("X = np.random.default_rng(0).normal(size=(m, n)).T; size = X.nbytes", 0.25),
        ("X = np.random.default_rng(0).normal(size=(n, m)); size = X.nbytes", 0.25),
        ("from scipy import sparse; A = sparse.random(m, n, 0.5, 'csr', rng=0); X = A.T; size = A.data.nbytes", 0.7),
    ],
    ids=["F-ordered", "C-ordered", "CSC"],
)
def test_large_data_are_not_copied(make, most):
    """The peak of the process grows by little of the 160 MB; for CSC by the places, 4 bytes for 8 of a value."""
    run = subprocess.run([sys.executable, "-c", MEMORY.format(make=make)], capture_output=True, text=True, check=True)
    assert float(run.stdout) < most, run.stdout


def test_arrays_live_as_long_as_they_are_read(blobs):
    X = np.asfortranarray(blobs[0])
    before = sys.getrefcount(X)
    data = fiedler._core.Data.dense(X, None, (1, None, None))
    assert sys.getrefcount(X) == before + 1  # the array itself is held, no copy of it
    del data
    fiedler.rank(X)
    assert sys.getrefcount(X) == before
