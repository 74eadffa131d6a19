from __future__ import annotations

import os
from importlib.metadata import version

# The checks of scikit-learn 1.6 cannot be imported otherwise, where array-api-compat is installed.
if version("scikit-learn").startswith("1.6."):
    os.environ.setdefault("SCIPY_ARRAY_API", "1")

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris

import fiedler


@pytest.fixture(scope="session")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="session")
def digits():
    return load_digits(return_X_y=True)


@pytest.fixture
def blobs():
    """Two clusters along the first three of eight features; the last feature is constant."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(60, 8))
    X[:30, :3] += 6
    X[:, 7] = 1
    return X, np.repeat([0, 1], 30)


ESTIMATORS = fiedler._estimators.ESTIMATORS
