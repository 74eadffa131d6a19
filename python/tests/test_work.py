"""Ctrl-C, threads, memory, silence, warnings."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import fiedler

INTERRUPTED = """
import _thread, sys, threading, time, signal, os
import numpy as np, fiedler
X = np.random.default_rng(0).normal(size=(3000, 400))
y = np.arange(3000) % 3
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begun = time.time()
try:
    while True:
        {work}
except KeyboardInterrupt:
    print(time.time() - begun - 1.0)
"""


@pytest.mark.parametrize(
    "work",
    [
        "fiedler.EntropyRank().fit(X)",
        "fiedler.LaplacianScore().fit(X)",
        "fiedler.stability(X, method='mrsf', repeats=500)",
        "fiedler.HSIC(search='backward').fit(X, y)",
    ],
)
def test_ctrl_c_is_heard_within_half_a_second(work):
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(work=work)], capture_output=True, text=True, timeout=120
    )
    assert run.stderr == "" and run.returncode == 0, run.stderr
    assert float(run.stdout) < 0.5, run.stdout


STOPPED = """
import os, signal, threading, time
import numpy as np, fiedler
X = np.random.default_rng(0).normal(size=(8000, 300))
y = np.arange(8000) % 3
threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    {work}
except KeyboardInterrupt:
    fiedler.rank(X[:50])  # does not wait for what was interrupted
    for _ in range(10):
        begun = time.process_time()
        time.sleep(1)
        if time.process_time() - begun < 0.1:
            print("idle")
            break
"""


@pytest.mark.parametrize(
    "work",
    [
        "fiedler.evaluate(X, y, methods=['laplacian', 'fisher'])",
        "fiedler.evaluate(X, methods=['laplacian'], metric='jaccard')",
        "fiedler.stability(X, method='laplacian', repeats=500)",
    ],
)
def test_what_was_interrupted_does_not_go_on(work):
    """Soon there is a second that takes no processor, on a busy machine too; what goes on takes minutes."""
    run = subprocess.run([sys.executable, "-c", STOPPED.format(work=work)], capture_output=True, text=True, timeout=300)
    assert run.stderr == "" and run.returncode == 0, run.stderr
    assert run.stdout == "idle\n"


def test_other_threads_run_meanwhile():
    X = np.random.default_rng(0).normal(size=(1500, 300))
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    other = threading.Thread(target=tick)
    other.start()
    begun = time.perf_counter()
    fiedler.EntropyRank(n_jobs=1).fit(X)
    took = time.perf_counter() - begun
    done.set()
    other.join()
    during = [t for t in ticks if begun < t < begun + took]
    assert took > 0.1 and len(during) > took / 0.1


def test_threads_may_fit_at_once(blobs):
    wanted = fiedler.LaplacianScore().fit(blobs[0]).scores_
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(fiedler.LaplacianScore(n_jobs=2).fit(blobs[0]).scores_))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    for scores in found:
        np.testing.assert_array_equal(scores, wanted)


def _forked(pipe, X):
    pipe.send(fiedler.LaplacianScore().fit(X).scores_)


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_works_too(blobs):
    wanted = fiedler.LaplacianScore().fit(blobs[0]).scores_
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    child = context.Process(target=_forked, args=(there, blobs[0]))
    child.start()
    assert here.poll(30), "the child hangs"
    np.testing.assert_array_equal(here.recv(), wanted)
    child.join()


def test_memory_is_asked_for_first(blobs):
    X = np.random.default_rng(0).normal(size=(500, 5))
    with fiedler.config_context(memory="100kB"), pytest.raises(MemoryError, match="the limit is 100 kB") as refused:
        fiedler.EntropyRank().fit(X)
    assert isinstance(refused.value, fiedler.TooLargeError)
    fiedler.EntropyRank().fit(X)
    with fiedler.config_context(memory="lots"), pytest.raises(ValueError, match="such as 2GB"):
        fiedler.EntropyRank().fit(X)


def test_nothing_is_printed_unless_asked(capfd):
    X = np.random.default_rng(0).normal(size=(1500, 200))
    fiedler.EntropyRank().fit(X)
    out = capfd.readouterr()
    assert (out.out, out.err) == ("", "")
    fiedler.EntropyRank(verbose=1).fit(X)
    assert capfd.readouterr().err != ""


def test_a_bar_of_text_ends_its_line(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    bar = fiedler._work._Bar()
    bar.show("graph", 1, 3)
    bar.show("scores", 2, 3)
    bar.close()
    told = capsys.readouterr().err
    assert told.startswith("\rgraph 1/3") and told.endswith("\n") and told.count("\n") == 1
    bar.close()
    assert capsys.readouterr().err == ""


def ours(told, text):
    return [w for w in told if issubclass(w.category, fiedler.FiedlerWarning) and text in str(w.message)]


def search(X, y, **said):
    pipe = make_pipeline(fiedler.LaplacianScore(n_neighbors=1000), LogisticRegression())
    # Parts of 29 and 30 samples, and then all: the numbers in the sentence change.
    GridSearchCV(pipe, {"logisticregression__C": [0.1, 1, 10]}, cv=2, **said).fit(X[:59], y[:59])


@pytest.mark.parametrize(("action", "count"), [("default", 1), ("always", 7)])
def test_a_search_warns_once_at_the_line_that_began_it(blobs, action, count):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter(action, fiedler.FiedlerWarning)
        search(*blobs)
    told = ours(told, "`n_neighbors` is 1000")
    assert len(told) == count and {w.filename for w in told} == {__file__}


def test_warnings_are_told_again_where_python_would(blobs):
    X, _ = blobs
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        for n_neighbors in (100, 200, 200):  # one line, and other numbers are news where no search is at work
            fiedler.LaplacianScore(n_neighbors=n_neighbors).fit(X)
        fiedler.LaplacianScore(n_neighbors=200).fit(X)
    assert len(ours(told, "is 100 and")) == 1 and len(ours(told, "is 200 and")) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error", fiedler.FiedlerWarning)
        for _ in range(2):
            with pytest.raises(fiedler.FiedlerWarning, match="is 300 and"):
                fiedler.LaplacianScore(n_neighbors=300).fit(X)
