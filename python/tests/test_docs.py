"""What is documented is there, and what is there is documented."""

from __future__ import annotations

import doctest
import inspect
import re

import pytest

import fiedler

ESTIMATORS = fiedler._estimators.ESTIMATORS
PUBLIC = {name: getattr(fiedler, name) for name in fiedler.__all__ if not inspect.ismodule(getattr(fiedler, name))}
for module in (fiedler.pp, fiedler.sources):
    names = getattr(module, "__all__", ["select_genes", "laplacian_score"])
    PUBLIC |= {f"{module.__name__}.{name}": getattr(module, name) for name in names}
ANSWERS = (fiedler.Findings, fiedler.Evaluation, fiedler.Stability, fiedler.Spectrum, fiedler.Path, fiedler.Fusion)
ANSWERS += (fiedler.Aggregation,)
ASKED = {
    name: thing
    for name, thing in PUBLIC.items()
    if not (inspect.isclass(thing) and issubclass(thing, (Exception, Warning, *ANSWERS)))
}


@pytest.mark.parametrize("name", ASKED)
def test_every_parameter_is_documented(name):
    thing = ASKED[name]
    text = thing.__doc__
    told = set()
    for line in re.findall(r"^ *([\w*, ]+?)(?: :.*)?$", text, re.M):
        told |= {part.strip().strip("*") for part in line.split(",")}
    missing = [p for p in inspect.signature(thing).parameters if p != "self" and p not in told and f"`{p}`" not in text]
    assert not missing, f"{name} does not tell of {missing}"


@pytest.mark.parametrize("estimator", [*ESTIMATORS.values(), fiedler.MultiSource, fiedler.Consensus])
def test_an_estimator_tells_cost_failure_and_source(estimator):
    text = estimator.__doc__
    for section in ("Parameters\n", "Attributes\n", "Notes\n", "References\n", "Cost: "):
        assert section in text, section
    assert all(len(line) <= 120 for line in text.splitlines())


def test_what_fit_leaves_is_documented(blobs):
    X, y = blobs
    for estimator in ESTIMATORS.values():
        fitted = estimator().fit(X, y)
        left = [name for name in vars(fitted) if name.endswith("_") and not name.startswith("_")]
        assert not [name for name in left if f"{name} :" not in estimator.__doc__], estimator


def test_examples_in_docstrings_are_right():
    found = doctest.testmod(fiedler)
    assert found.attempted >= 4 and found.failed == 0


def test_everything_public_has_a_docstring():
    for name, thing in PUBLIC.items():
        assert thing.__doc__, name
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"{name}.{member}"


def test_options_of_graphs_are_those_of_the_registry():
    known = {p["keyword"]: p for p in fiedler._core.describe()["graph"]}
    said = inspect.signature(fiedler.knn_graph).parameters
    for name in ("n_neighbors", "weight", "bandwidth", "metric", "mutual", "approximate", "recall"):
        assert said[name].default == known[name]["default"]
        assert known[name]["rule"] in fiedler.knn_graph.__doc__
