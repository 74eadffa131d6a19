"""The k-nearest-neighbor graph: fiedler beside faiss (exact, flat), in one run, one thread, CPU seconds.

    python bench/neighbors.py 10000x50 20000x50 10000x784      (needs numpy, faiss-cpu)
"""
import os
import subprocess
import sys
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
import faiss
import numpy as np

faiss.omp_set_num_threads(1)


def clusters(n, m):
    """As benches/neighbors.rs makes them: twenty clusters in ten dimensions, and some noise."""
    g = np.random.default_rng(0)
    centers, turn = g.random((20, 10)) - 0.5, g.random((10, m)) - 0.5
    inner = 2 * centers[np.arange(n) % 20] + g.random((n, 10)) - 0.5
    return (inner @ turn + 0.1 * (g.random((n, m)) - 0.5)).astype("f4")


def by_faiss(X, k=10):
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        index = faiss.IndexFlatL2(X.shape[1])
        index.add(X)
        index.search(X, k + 1)
        best = min(best, time.process_time() - start)
    return best


def ours(n, m, kind):
    bench = ["cargo", "bench", "--quiet", "--package", "fiedler", "--bench", "neighbors", "--"]
    run = subprocess.run([*bench, str(n), str(m), "10", "euclidean", kind], capture_output=True, text=True, check=True)
    recall, seconds = run.stdout.splitlines()[-1].split()[-2:]
    return float(seconds), recall


print("| samples x features | faiss, s | fiedler exact, s | ratio | fiedler approximate, s | recall | ratio |")
print("|---|---|---|---|---|---|---|")
for shape in sys.argv[1:] or ["10000x50", "20000x50", "10000x784"]:
    n, m = map(int, shape.split("x"))
    exact, _ = ours(n, m, "dense")
    theirs = by_faiss(clusters(n, m))
    rough, recall = ours(n, m, "approximate")
    print(f"| {shape} | {theirs:.2f} | {exact:.2f} | {theirs / exact:.2f} | {rough:.2f} | {recall} | {theirs / rough:.2f} |", flush=True)
