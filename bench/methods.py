"""Methods beside scikit-feature on the papers' data, in one run, one thread, CPU seconds; where it has none, alone.

    FIEDLER_DATA=DIR python bench/methods.py [METHOD …]      (needs numpy, scipy, skfeature-chappers)
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
import numpy as np
from scipy.io import loadmat
from skfeature.function.information_theoretical_based import MRMR
from skfeature.function.similarity_based import SPEC, fisher_score, lap_score, trace_ratio
from skfeature.function.sparse_learning_based import MCFS
from skfeature.utility import construct_W

data_dir = os.environ.get("FIEDLER_DATA")
if not data_dir:
    sys.exit("skipped: set FIEDLER_DATA to the directory of the .mat files")


def load(name):
    file = loadmat(pathlib.Path(data_dir) / f"{name}.mat")
    X, y = np.asarray(file["X"].todense() if hasattr(file["X"], "todense") else file["X"], float), file["Y"].ravel().astype(np.uint32)
    return (X - X.mean(0)) / np.where(X.std(0) > 0, X.std(0), 1), y


def ours(X, y, method, *settings):
    with tempfile.TemporaryDirectory() as tmp:
        x_file, y_file = f"{tmp}/X.f64", f"{tmp}/y.u32"
        np.asarray(X, order="F").ravel(order="F").tofile(x_file)
        y.tofile(y_file)
        command = ["cargo", "bench", "--quiet", "--package", "fiedler", "--bench", "methods", "--",
                   x_file, *map(str, X.shape), y_file, method, *settings]
        words = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return {k: float(v) for k, v in zip(words[::2], words[1::2])}


def cpu(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def knn(X):
    return construct_W.construct_W(X, metric="euclidean", neighbor_mode="knn", weight_mode="heat_kernel", k=5, t=float(X.shape[1]))


def levels(X):
    """Three levels, cut at mean ± σ/2; X is standardized."""
    return np.digitize(X, [-0.5, 0.5])


print("| data | method | scikit-feature, s | fiedler, s | ratio | fiedler's peak memory / data |\n|---|---|---|---|---|---|")
for name, method, settings, theirs in [
    ("BASEHOCK", "laplacian", [], lambda X, y, W: lap_score.lap_score(X, W=W)),
    ("BASEHOCK", "spec", ["phi=2"], lambda X, y, W: SPEC.spec(X, style=0, W=W.toarray())),
    ("BASEHOCK", "fisher", [], lambda X, y, W: fisher_score.fisher_score(X, y)),
    ("pixraw10P", "trace-ratio", ["type=fisher", "count=200"], lambda X, y, W: trace_ratio.trace_ratio(X, y, 200, style="fisher")),
    ("pixraw10P", "mrmr", ["count=5"], lambda X, y, W: MRMR.mrmr(levels(X), y, mode="index", n_selected_features=5)),
    ("pixraw10P", "mcfs", ["clusters=5", "count=50"], lambda X, y, W: MCFS.mcfs(X, n_selected_features=50, mode="raw", W=W, n_clusters=5)),
    ("BASEHOCK", "mrmr", ["count=50"], None),
    ("BASEHOCK", "mrmr", ["count=50", "criterion=fcq"], None),
    ("BASEHOCK", "mcfs", ["clusters=5", "count=50"], None),
    ("BASEHOCK", "path-spca", ["count=50"], None),
    ("BASEHOCK", "arom-svm", ["count=50"], None),
    ("BASEHOCK", "entropy", [], None),
    ("pixraw10P", "entropy", [], None),
    ("pixraw10P", "path-spca", ["count=50"], None),
    ("pixraw10P", "arom-svm", ["count=50"], None),
]:
    if sys.argv[1:] and method not in sys.argv[1:]:
        continue
    X, y = load(name)
    mine = ours(X, y, method, *settings)
    share = mine["peak_mib"] / (X.nbytes / 2**20)
    peer, ratio = "–", "–"
    if theirs:
        W = knn(X)
        seconds = cpu(lambda: theirs(X, y, W))
        peer, ratio = f"{seconds:.2f}", f"{seconds / mine['scores']:.0f}"
    print(f"| {name} | {method} {' '.join(settings)} | {peer} | {mine['scores']:.4f} | {ratio} | {share:.2f} |", flush=True)
