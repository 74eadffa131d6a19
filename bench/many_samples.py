"""Neighbors of very many samples: `fiedler graph` as it chooses by itself, beside pynndescent, one thread, CPU seconds.

    python bench/many_samples.py 1000000x50 200000x50:gauss [--k 10] [--fiedler PATH] [--beside pynndescent|exact|nothing]
        (needs numpy, pynndescent, and a built command: cargo build --release)
    python bench/many_samples.py 50000x50:fill10 50000x50:fill20 --beside exact --options=--approximate
        (where the approximate search pays)

Data are twenty clusters in ten dimensions, turned into so many features with some noise, as in neighbors.py;
`:gauss` are points of one Gaussian that fills all of them, in which no approximate search does well, and `:fill10`
those of one that fills ten dimensions, turned. fiedler's
figure is that of the whole command, reading included; pynndescent's that of the search alone, after it was compiled.
Recall is measured against all pairs of 500 samples; fiedler tells its own in the same way.
"""
import argparse
import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", NUMBA_NUM_THREADS="1", RAYON_NUM_THREADS="1")
import numpy as np
from process import measured


def points(n, m, kind):
    g = np.random.default_rng(0)
    if kind == "gauss":
        return g.normal(size=(n, m)).astype("f4")
    if kind.startswith("fill"):
        d = int(kind.removeprefix("fill"))
        return (g.normal(size=(n, d)) @ g.normal(size=(d, m))).astype("f4")
    centers, turn = g.random((20, 10)) - 0.5, g.random((10, m)) - 0.5
    inner = 2 * centers[np.arange(n) % 20] + g.random((n, 10)) - 0.5
    return (inner @ turn + 0.1 * (g.random((n, m)) - 0.5)).astype("f4")


def recall(X, found, k):
    """The share of the true neighbors of 500 samples among those found, which hold the samples themselves."""
    hits, n = 0, len(X)
    for i in np.arange(500) * n // 500:
        squares = ((X - X[i]) ** 2).sum(1)
        squares[i] = np.inf
        last = np.partition(squares, k - 1)[k - 1]
        others = [j for j in found[i] if j != i][:k]
        hits += (squares[others] <= last * (1 + 1e-6)).sum()
    return hits / (500 * k)


def peer(file, k):
    """In a process of its own, so that its memory is its own."""
    from pynndescent import NNDescent

    X = np.load(file)
    NNDescent(X[:2000], n_neighbors=k + 1, n_jobs=1)
    start = time.process_time()
    found = NNDescent(X, n_neighbors=k + 1, n_jobs=1).neighbor_graph[0]
    seconds, peak = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps([seconds, peak / 1e6 * 1.024, recall(X, found, k)]))


def told(text):
    """The recall that the command tells, and what it decided."""
    found = json.loads(text)
    share = found["graph"]["parameters"].get("recall")
    return ("exact" if share is None else f"{float(share):.4f}"), found["warnings"]


parser = argparse.ArgumentParser()
parser.add_argument("cases", nargs="*", default=["200000x50"])
parser.add_argument("--k", type=int, default=10)
parser.add_argument("--fiedler", default=str(Path(__file__).parent.parent / "target/release/fiedler"))
parser.add_argument("--options", default="", help="more options of the command, such as --exact")
parser.add_argument("--beside", choices=["pynndescent", "exact", "nothing"], default="pynndescent")
parser.add_argument("--peer", help=argparse.SUPPRESS)
args = parser.parse_args()
if args.peer:
    peer(args.peer, args.k)
    sys.exit()
print(f"| samples x features | {args.beside}, s | GB | recall | fiedler, s | GB | recall | ratio |")
print("|---|---|---|---|---|---|---|---|")
for case in args.cases:
    shape, _, kind = case.partition(":")
    n, m = map(int, shape.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/points.npy"
        np.save(file, points(n, m, kind))
        asked = ["graph", file, "--scale", "none", "--k", str(args.k), "--weight", "binary", "--eigenvalues", "0"]
        asked = [args.fiedler, *asked, "--format", "json", "--quiet"]
        seconds, memory, text = measured([*asked, *args.options.split()])
        theirs = [np.nan] * 3
        if args.beside == "exact":
            theirs = [*measured([*asked, "--exact"])[:2], 1.0]
        if args.beside == "pynndescent":
            own = [sys.executable, __file__, "--peer", file, "--k", str(args.k)]
            theirs = json.loads(measured(own)[2])
    mine, notes = told(text)
    print(f"| {case} | {theirs[0]:.1f} | {theirs[1]:.2f} | {theirs[2]:.4f} | {seconds:.1f} | {memory:.2f} | {mine} "
          f"| {theirs[0] / seconds:.2f} |", flush=True)
    for note in notes:
        print(f"    {note}", file=sys.stderr)
