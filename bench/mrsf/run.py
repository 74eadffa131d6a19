"""The L2,1 path against celer, skglm and scikit-learn, on the same data, targets, grid and gap.

    FIEDLER_DATA=DIR python bench/mrsf/run.py [--targets spectral|labels] [--peers celer,skglm,sklearn] [NAME ...]

DIR holds the public .mat files (variables X and Y). Needs numpy, scipy, scikit-learn and the peers.
X is centered with unit-norm columns, Y centered. fiedler walks the exact path to 100 features; the
grid is 25 values of λ, evenly spaced in the logarithm, from λ_max to the end of that path. Every
solver is asked for a gap of 1e-6 of its own kind, one thread, CPU seconds; the gap reached, relative to the objective as
fiedler defines it, is computed here for all of them from their W.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
from scipy.io import loadmat
from scipy.spatial.distance import cdist

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
COUNT, STEPS, GAP = 100, 25, 1e-6


def load(name):
    data = loadmat(os.path.join(os.environ["FIEDLER_DATA"], name + ".mat"))
    X = data["X"]
    X = np.asarray(X.todense() if hasattr(X, "todense") else X, float)
    X = X[:, X.std(0) > 0]
    X = (X - X.mean(0)) / X.std(0)
    return X, data["Y"].ravel()


def spectral_targets(X, pairs=20, k=5):
    """sqrt(2 - λ_j) ξ_j of the union kNN graph with heat weights, the trivial pair left out."""
    D = cdist(X, X, "sqeuclidean")
    np.fill_diagonal(D, np.inf)
    nearest = np.argsort(D, axis=1, kind="stable")[:, :k]
    mask = np.zeros(D.shape, bool)
    mask[np.arange(len(X))[:, None], nearest] = True
    mask |= mask.T
    W = np.where(mask, np.exp(-np.where(mask, D, 0) / D[mask].mean()), 0)
    root = np.sqrt(W.sum(1))
    trivial = root / np.linalg.norm(root)
    N = np.eye(len(X)) - W / np.outer(root, root) + 3 * np.outer(trivial, trivial)
    values, vectors = np.linalg.eigh(N)
    return vectors[:, :pairs] * np.sqrt(2 - values[:pairs])


def label_targets(y):
    classes, counts = np.unique(y, return_counts=True)
    return (y[:, None] == classes) / np.sqrt(counts)


def objective_and_gap(X, Y, W, lam):
    R = Y - X @ W
    norms = np.linalg.norm(X.T @ R, axis=1)
    primal = 0.5 * (R ** 2).sum() + lam * np.linalg.norm(W, axis=1).sum()
    scale = min(1, lam / norms.max())
    dual = scale * (Y * R).sum() - 0.5 * scale ** 2 * (R ** 2).sum()
    return primal, (primal - dual) / primal


def fiedler(binary, files, *task):
    n, q = files["shape"]
    command = [binary, files["X"], str(n), files["Y"], str(q), *map(str, task)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def run_celer(X, Y, grid):
    from celer.homotopy import mtl_path
    return mtl_path(X, Y, alphas=grid / len(X), tol=GAP)[1].transpose(2, 1, 0)


def run_skglm(X, Y, grid):
    from skglm.datafits import QuadraticMultiTask
    from skglm.penalties import L2_1
    from skglm.solvers import MultiTaskBCD
    solver = MultiTaskBCD(tol=GAP, max_iter=200, max_epochs=50_000, fit_intercept=False)
    found = solver.path(X, Y, QuadraticMultiTask(), L2_1(1.0), alphas=grid / len(X))
    return np.asarray(found[1]).transpose(2, 1, 0)  # from targets x features x steps


def run_sklearn(X, Y, grid):
    from sklearn.linear_model import MultiTaskLasso
    model = MultiTaskLasso(warm_start=True, fit_intercept=False, tol=GAP, max_iter=100_000)
    out = []
    for lam in grid:
        model.set_params(alpha=lam / len(X)).fit(X, Y)
        out.append(model.coef_.T.copy())
    return out


PEERS = {"celer": run_celer, "skglm": run_skglm, "sklearn": run_sklearn}


def binary():
    found = subprocess.run(["cargo", "bench", "--bench", "mrsf", "-p", "fiedler", "--no-run", "--profile", "release",
                            "--message-format", "json"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    built = [json.loads(line) for line in found.splitlines()]
    return next(b["executable"] for b in built if b.get("executable") and b["target"]["name"] == "mrsf")


def compare(name, targets, peers, program, repeats):
    X, y = load(name)
    Y = spectral_targets(X) if targets == "spectral" else label_targets(y)
    X = np.asfortranarray(X / np.sqrt(len(X)))
    Y = np.asfortranarray(Y - Y.mean(0))
    with tempfile.TemporaryDirectory() as folder:
        files = {"X": os.path.join(folder, "X.f64"), "Y": os.path.join(folder, "Y.f64"), "shape": Y.shape}
        X.T.tofile(files["X"])
        np.ascontiguousarray(Y).tofile(files["Y"])
        best = lambda *task: min((fiedler(program, files, *task) for _ in range(repeats)), key=lambda a: a["cpu_seconds"])
        path = best("path", COUNT)
        answer = path["answer"]
        top = np.linalg.norm(X.T @ Y, axis=1).max()
        grid = np.geomspace(top, answer["lambda"], STEPS + 1)[1:]
        grid.tofile(os.path.join(folder, "grid.f64"))
        ours = best("grid", os.path.join(folder, "grid.f64"))
        one = fiedler(program, files, "fista", answer["lambda"])
    print(f"{name} {X.shape[0]}x{X.shape[1]}, {targets} targets ({Y.shape[1]})")
    print(f"  fiedler path  {path['cpu_seconds']:8.3f} s  {answer['active']} features ({answer['end']}), {answer['points']} points, "
          f"worst gap {answer['worst_gap']:.1e}, lambda/max {answer['lambda'] / top:.3f}")
    print(f"  fiedler grid  {ours['cpu_seconds']:8.3f} s  worst gap {ours['answer']['worst_gap']:.1e}, active at the end {ours['answer']['active'][-1]}")
    print(f"  fiedler fista {one['cpu_seconds']:8.3f} s  one λ, the last; {one['answer']['iterations']} steps, gap {one['answer']['gap']:.1e}")
    for peer in peers:
        PEERS[peer](X[:, :200].copy("F"), Y, grid[:2])  # compile first
        seconds = np.inf
        for _ in range(repeats):
            start = time.process_time()
            found = PEERS[peer](X, Y, grid)
            seconds = min(seconds, time.process_time() - start)
        checks = [objective_and_gap(X, Y, W, lam) for W, lam in zip(found, grid)]
        gaps = max(g for _, g in checks)
        excess = max(p / o - 1 for (p, _), o in zip(checks, ours["answer"]["objectives"]))
        print(f"  {peer:13s} {seconds:8.3f} s  worst gap {gaps:.1e}, objective over ours {excess:+.1e}; "
              f"ours is {seconds / ours['cpu_seconds']:.1f}x on the grid, {seconds / path['cpu_seconds']:.1f}x by the exact path")
    sys.stdout.flush()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("names", nargs="*", default=["warpPIE10P", "TOX-171", "pixraw10P"])
    arguments.add_argument("--targets", choices=["spectral", "labels"], default="spectral")
    arguments.add_argument("--peers", default="celer,skglm,sklearn")
    arguments.add_argument("--repeats", type=int, default=3)
    given = arguments.parse_args()
    warnings.filterwarnings("ignore")
    program = binary()
    for name in given.names:
        compare(name, given.targets, [p for p in given.peers.split(",") if p], program, given.repeats)


if __name__ == "__main__":
    main()
