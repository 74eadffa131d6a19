"""Curves of 1NN and k-means along a ranking beside scikit-learn, in one run, one thread, CPU seconds.

    FIEDLER_DATA=DIR python bench/evaluate.py [SPLITS]      (needs numpy, scipy, scikit-learn)

Twenty counts (10 to 200 by ten) × ten halves of BASEHOCK, features by their variance, as the data come. scikit-learn is
asked at every count and partition, dense and sparse, and the faster of the two is compared with.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
import numpy as np
import scipy.sparse as sp
from scipy.io import loadmat
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.neighbors import KNeighborsClassifier

data_dir = os.environ.get("FIEDLER_DATA")
if not data_dir:
    sys.exit("skipped: set FIEDLER_DATA to the directory of the .mat files")
n_splits = int(sys.argv[1]) if len(sys.argv) > 1 else 10
file = loadmat(pathlib.Path(data_dir) / "BASEHOCK.mat")
X = np.asarray(file["X"].todense() if sp.issparse(file["X"]) else file["X"], float)
y = np.unique(file["Y"].ravel(), return_inverse=True)[1].astype(np.uint32)
order = np.argsort(-X.var(0), kind="stable").astype(np.uint32)
counts = list(range(10, 201, 10))
splits = list(StratifiedShuffleSplit(n_splits, test_size=0.5, random_state=0).split(X, y))


def accuracy(clusters, classes):
    table = np.zeros((2, 2))
    np.add.at(table, (clusters, classes), 1)
    return table[linear_sum_assignment(-table)].sum() / len(classes)


def nearest(A, train, test):
    return KNeighborsClassifier(n_neighbors=1, algorithm="brute").fit(A[train], y[train]).score(A[test], y[test])


def kmeans(A, train, test):
    return accuracy(KMeans(2, n_init=10, random_state=0).fit(A[test]).labels_, y[test])


def theirs(work, form):
    means, start = [], time.process_time()
    for count in counts:
        A = form(X[:, order[:count]])
        means.append(np.mean([work(A, *split) for split in splits]))
    return time.process_time() - start, means


def ours(metric):
    with tempfile.TemporaryDirectory() as tmp:
        names = [f"{tmp}/{n}" for n in ("X", "y", "order", "splits")]
        X.ravel(order="F").tofile(names[0])
        y.tofile(names[1])
        order.tofile(names[2])
        flags = np.zeros((len(splits), len(y)), np.uint8)
        for row, (train, _) in zip(flags, splits):
            row[train] = 1
        flags.tofile(names[3])
        command = ["cargo", "bench", "--quiet", "--package", "fiedler", "--bench", "evaluate", "--",
                   names[0], *map(str, X.shape), *names[1:], metric, ",".join(map(str, counts))]
        words = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    found = dict(zip(words[::2], words[1::2]))
    return float(found["seconds"]), [float(v) for v in found["means"].split(",")]


print("| metric | scikit-learn dense, s | sparse, s | fiedler, s | ratio to the faster | mean value, theirs | ours |\n|---|---|---|---|---|---|---|")
for metric, work in [("1nn", nearest), ("kmeans", kmeans)]:
    dense, means = theirs(work, np.ascontiguousarray)
    sparse, _ = theirs(work, sp.csr_matrix)
    mine, my_means = ours(metric)
    print(f"| {metric} | {dense:.2f} | {sparse:.2f} | {mine:.3f} | {min(dense, sparse) / mine:.1f} "
          f"| {np.mean(means):.4f} | {np.mean(my_means):.4f} |", flush=True)
