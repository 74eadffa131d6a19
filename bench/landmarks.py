"""The landmark graph beside the kNN graph of very many samples: `fiedler rank`, one thread, CPU seconds.

    python bench/landmarks.py 50000x50 200000x50:graded 1000000x50 [--landmarks 1000] [--spectrum] [--fiedler PATH]
        (needs numpy, scipy, and a built command: cargo build --release)

Data are twenty clusters in ten dimensions, turned into so many features with some noise, as in many_samples.py; with
`:graded` every second feature is mixed with noise, more and more of it, so that there is something to rank. Figures are those of the whole
command, reading and scores included. The kNN graph is as the command chooses it by itself, exact or approximate; the rank correlation is that
of all Laplacian scores on the two graphs, and `told` what the command says of itself after it looked at 1,000 samples.
With --spectrum eight eigenpairs of the landmark graph are timed too.
"""
import argparse
import json
import os
import tempfile
from pathlib import Path

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
import numpy as np
from process import measured
from scipy.stats import spearmanr


def points(n, m, kind):
    g = np.random.default_rng(0)
    centers, turn = g.random((20, 10)) - 0.5, g.random((10, m)) - 0.5
    X = np.empty((n, m), "f4")
    for rows in np.array_split(np.arange(n), max(1, n // 100_000)):
        inner = 2 * centers[rows % 20] + g.random((len(rows), 10)) - 0.5
        X[rows] = inner @ turn + 0.1 * (g.random((len(rows), m)) - 0.5)
    if kind == "graded":
        X /= X.std(0)
        for j in range(0, m, 2):
            X[:, j] = (1 - j / m) * X[:, j] + j / m * g.normal(size=n)
    return X


def asked(command):
    """CPU seconds, peak memory in GB and the answer."""
    *costs, text = measured(command)
    return *costs, json.loads(text)


def scores(answer):
    return np.array([one["score"] for one in sorted(answer["ranking"], key=lambda one: one["index"])])


def told(answer, name):
    share = answer["graph"]["parameters"].get(name)
    return "-" if share is None else f"{float(share):.3f}"


def compare(case, given, folder):
    shape, _, kind = case.partition(":")
    n, m = map(int, shape.split("x"))
    file = str(Path(folder) / "points.npy")
    np.save(file, points(n, m, kind))
    ask = [given.fiedler, "rank", file, "--format", "json", "--quiet"]
    through = ["--graph", "landmarks", *(["--landmarks", given.landmarks] if given.landmarks else [])]
    seconds, memory, near = asked(ask)
    seconds_l, memory_l, low = asked(ask + through)
    rank = spearmanr(scores(near), scores(low))[0]
    print(f"{case:>18}  kNN {seconds:6.1f} s {memory:.2f} GB recall {told(near, 'recall'):>5}   "
          f"landmarks {seconds_l:6.1f} s {memory_l:.2f} GB   rank correlation {rank:.3f}, told {told(low, 'agreement')}", flush=True)
    if given.spectrum:
        seconds, memory, found = asked([given.fiedler, "graph", file, "--format", "json", "--quiet", "--eigenvalues", "8", *through])
        values = " ".join(f"{value:.4f}" for value in found["spectrum"]["eigenvalues"])
        print(f"{'':>18}  eight eigenpairs {seconds:.1f} s {memory:.2f} GB: {values}", flush=True)


parser = argparse.ArgumentParser()
parser.add_argument("cases", nargs="*", default=["50000x50", "50000x50:graded"])
parser.add_argument("--landmarks")
parser.add_argument("--spectrum", action="store_true")
parser.add_argument("--fiedler", default=str(Path(__file__).parent.parent / "target/release/fiedler"))

if __name__ == "__main__":
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for case in given.cases:
            compare(case, given, folder)
