"""Leading eigenpairs of a kNN graph: fiedler beside scipy's eigsh on the same matrix, one thread, CPU seconds.

    python bench/spectrum.py 20000:10 100000:50      (needs numpy, scipy, scikit-learn)

eigsh is called as most people do, and with the tolerance of fiedler's residuals. Both find the trivial pair too, which
fiedler knows. The best of three runs counts.
"""
import os
import subprocess
import sys
import tempfile
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh
from sklearn.neighbors import kneighbors_graph


def mixture_graph(n):
    """Heat weights on the ten nearest neighbors in a mixture of twenty Gaussians."""
    g = np.random.default_rng(0)
    X = g.normal(size=(20, 10))[g.integers(20, size=n)] + g.normal(size=(n, 10))
    W = kneighbors_graph(X, 10, mode="distance")
    W.data = np.exp(-W.data**2 / np.mean(W.data**2))
    return sp.csr_matrix(W.maximum(W.T))


def write(W, path):
    """The edges as benches/spectrum.rs reads them."""
    upper = sp.triu(W, 1).tocoo()
    with open(path, "wb") as file:
        np.array([W.shape[0], upper.nnz], "<u8").tofile(file)
        upper.row.astype("<u4").tofile(file)
        upper.col.astype("<u4").tofile(file)
        upper.data.astype("<f8").tofile(file)


def by_scipy(W, k, tolerance):
    h = 1 / np.sqrt(np.asarray(W.sum(1)).ravel())
    M = sp.csr_matrix(sp.diags(h) @ W @ sp.diags(h))
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        values, vectors = eigsh(M, k=k, which="LA", tol=tolerance)
        best = min(best, time.process_time() - start)
    return best, np.linalg.norm(M @ vectors - vectors * values, axis=0).max(), 1 - values.min()


print("| samples : pairs | eigsh, s | residual | eigsh with tol=1e-10, s | residual | fiedler, s | residual | ratios | last eigenvalues differ by |")
print("|---|---|---|---|---|---|---|---|---|")
for case in sys.argv[1:] or ["20000:10", "20000:50"]:
    n, k = map(int, case.split(":"))
    W = mixture_graph(n)
    with tempfile.NamedTemporaryFile(suffix=".edges") as file:
        write(W, file.name)
        cargo = ["cargo", "bench", "--quiet", "--package", "fiedler", "--bench", "spectrum", "--", *[f"{file.name}:{k}"] * 3]
        run = subprocess.run(cargo, capture_output=True, text=True, check=True)
    mine, residual, last = min(tuple(map(float, line.split()[-3:])) for line in run.stdout.splitlines()[-3:])
    (plain, exact, _), (loose, rough, their_last) = by_scipy(W, k, 0), by_scipy(W, k, 1e-10)
    print(f"| {case} | {plain:.3f} | {exact:.0e} | {loose:.3f} | {rough:.0e} | {mine:.3f} | {residual:.0e} "
          f"| {plain / mine:.2f}, {loose / mine:.2f} | {abs(last - their_last):.0e} |", flush=True)
