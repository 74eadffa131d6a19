"""Laplacian scores alone: fiedler beside scipy's sparse form, in one run, one thread, CPU seconds.

    python bench/scores.py 10000x1000 1000x100000      (needs numpy, scipy, scikit-learn)
"""
import os
import subprocess
import sys
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import kneighbors_graph


def scipy_scores(X, W):
    """The Laplacian score with a sparse W, as an expert would write it."""
    d = np.asarray(W.sum(1)).ravel()
    fd = d @ X
    fdf = np.einsum("ij,i,ij->j", X, d, X)
    fsf = np.einsum("ij,ij->j", X, W @ X)
    var = fdf - fd * fd / d.sum()
    return (fdf - fsf) / var


shapes = sys.argv[1:] or ["10000x1000", "1000x100000"]
cargo = ["cargo", "bench", "--quiet", "--package", "fiedler", "--bench", "scores", "--", *shapes]
run = subprocess.run(cargo, capture_output=True, text=True, check=True)
ours = [float(line.split()[-1]) for line in run.stdout.splitlines()[1:]]
print("| samples x features | scipy, s | fiedler, s | ratio |\n|---|---|---|---|")
for shape, mine in zip(shapes, ours):
    n, m = map(int, shape.split("x"))
    g = np.random.default_rng(0)
    W = kneighbors_graph(g.random((n, 10)), 10, mode="distance")
    W.data = np.exp(-W.data**2 / np.mean(W.data**2))
    W = sp.csr_matrix(W.maximum(W.T))
    best = np.inf
    for order in "CF":  # scipy is given the order that suits it best
        X = np.asarray(g.random((n, m)), order=order)
        for _ in range(3):
            start = time.process_time()
            scipy_scores(X, W)
            best = min(best, time.process_time() - start)
    print(f"| {shape} | {best:.3f} | {mine:.4f} | {best / mine:.1f} |", flush=True)
