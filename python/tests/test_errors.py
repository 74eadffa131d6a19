"""Errors name what the caller wrote, and are the built-in that one would catch."""

from __future__ import annotations

import numpy as np
import pytest

import fiedler

pytestmark = pytest.mark.filterwarnings("ignore::fiedler.FiedlerWarning")


@pytest.mark.parametrize("count", [0, -1, 2.5, "three", True, 2**70])
def test_counts_are_called_as_they_are(blobs, count):
    X, y = blobs
    with pytest.raises(ValueError, match="`count` must be a whole number from 1, got"):
        fiedler.stability(X, count=count)
    with pytest.raises(ValueError, match="`count` must be a whole number from 1, got"):
        fiedler.l21_path(X, y, count=count)
    with pytest.raises(ValueError, match="`counts` must be a whole number from 1, got"):
        fiedler.evaluate(X, y, counts=[count])
    with pytest.raises(ValueError, match="`n_pairs` must be a whole number from 1, got"):
        fiedler.spectrum(np.ones((5, 5)), count)
    with pytest.raises(ValueError, match="`n_features_to_select` must be a whole number from 1, got"):
        fiedler.rank(X, method="mrsf", n_features_to_select=count)


def test_rules_of_the_library_name_the_same(blobs):
    X, y = blobs
    with pytest.raises(ValueError, match="`n_pairs` must be from 1 to the number of samples"):
        fiedler.spectrum(np.ones((5, 5)), 1000)
    for ask in (lambda: fiedler.stability(X, count=99), lambda: fiedler.evaluate(X, y, counts=[99])):
        with pytest.raises(ValueError, match=r"`counts?`") as told:
            ask()
        assert "n_features_to_select" not in str(told.value)
    with pytest.raises(ValueError, match="`Y` must be finite numbers"):
        fiedler.l21_path(X, np.full(60, np.nan), count=2)
    for bad in (["a"] * 60, np.zeros((60, 2, 2))):
        with pytest.raises(ValueError, match="`Y` must"):
            fiedler.l21_path(X, bad, count=2)
    with pytest.raises(ValueError, match="`rankings` must be at least one"):
        fiedler.aggregate([])
    with pytest.raises(ValueError, match="`rankings` must be a whole number from 0, got -1"):
        fiedler.aggregate([[0, -1]])


@pytest.mark.parametrize("wrong", [-1, 2**70, "ten", 1.5])
def test_numbers_are_refused_in_a_sentence(blobs, wrong):
    X, y = blobs
    for name in ("folds", "repeats", "draws"):
        with pytest.raises(ValueError, match=f"`{name}` must be a whole number from 0, got"):
            fiedler.evaluate(X, y, **{name: wrong})
    with pytest.raises(ValueError, match="`repeats` must be a whole number from 0, got"):
        fiedler.stability(X, repeats=wrong)


def test_other_wrong_kinds(blobs):
    X, y = blobs
    with pytest.raises(ValueError, match="`random_state` must be a whole number from 0 and below"):
        fiedler.rank(X, y, method="relieff", random_state=2**70)
    for name in ("fraction", "noise", "threshold"):
        with pytest.raises(ValueError, match=f"`{name}` must be a number, got 'much'"):
            fiedler.stability(X, **{name: "much"})
    with pytest.raises(ValueError, match="`significance` must be a number"):
        fiedler.evaluate(X, y, significance="low")
    with pytest.raises(ValueError, match="`method` must be the name of one method, got"):
        fiedler.stability(X, method=["mrsf"])


def test_whole_numbers_that_could_be_classes(blobs):
    """Whole numbers are taken for classes; so many of them are no classes."""
    X = blobs[0]
    with pytest.raises(fiedler.NotClassesError, match="pass it as floats"):
        fiedler.Fisher().fit(X, np.round(1000 * X[:, 1]).astype(int))
    assert issubclass(fiedler.NotClassesError, ValueError)
    assert fiedler.Correlation().fit(X, np.round(1000 * X[:, 1])).findings_.target == "target"


def test_methods_and_features_by_name(iris):
    X, y = iris
    one = fiedler.evaluate(X, y, methods="fisher", counts=[1])
    assert one.to_dict() == fiedler.evaluate(X, y, methods=["fisher"], counts=[1]).to_dict()
    said = {"methods": "fisher", "metric": "hits", "counts": [2]}
    by_name = fiedler.evaluate(X, y, known=["petal length (cm)", "petal width (cm)"], **said)
    assert by_name.to_dict() == fiedler.evaluate(X, y, known=[2, 3], **said).to_dict()
    with pytest.raises(fiedler.UnknownNamesError, match="`known` names the feature 'stem'"):
        fiedler.evaluate(X, y, known=["stem"], **said)
