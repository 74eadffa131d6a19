"""EVSC with all eigenvalues: fiedler beside numpy, in one run, one thread, CPU seconds.

    FIEDLER_DATA=folder/of/mat/files python bench/evsc.py orlraws10P TOX-171     (needs numpy, scipy)

numpy is timed in two ways: the fast form batched over features (`matmul`), and batched over
eigenvalues, whichever is faster on the data. The literal sums of the paper's algorithm are timed on a few features and
scaled up, in two ways: as arrays over all pairs, and pair by pair (on one feature and two eigenvalues). The last row is random data on a kNN graph.
"""
import os
import subprocess
import sys
import tempfile
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
import numpy as np
from scipy.io import loadmat
from scipy.linalg import eigh


def system(X):
    """S, σ², and the pairs of Lq = λDq, for the automatic bandwidth."""
    square = (X * X).sum(1)
    d2 = np.maximum(square[:, None] + square[None] - 2 * X @ X.T, 0)
    np.fill_diagonal(d2, 0)
    sigma2 = np.median(d2[np.triu_indices(len(X), 1)]) / 2
    S = np.exp(-d2 / (2 * sigma2))
    d = S.sum(1)
    return S, d, sigma2, *eigh(np.diag(d) - S, np.diag(d))


def linear_part(X, S, d, lam, Q):
    p = X * X * d[:, None] + S @ (X * X) - 2 * X * (S @ X)
    return (1 - lam)[:, None] * ((Q * Q).T @ p - 2 * (Q * Q * d[:, None]).T @ (X * X))


def by_features(X, block=64):
    """(x∘q)ᵀS(x∘q) for a block of features and all q at once."""
    S, d, sigma2, lam, Q = system(X)
    forms = linear_part(X, S, d, lam, Q)
    for a in range(0, X.shape[1], block):
        V = X.T[a : a + block, :, None] * Q
        forms[:, a : a + block] += 2 * (V * (S @ V)).sum(1).T
    return np.abs(forms).sum(0) / sigma2


def by_eigenvalues(X):
    """xᵀ(S∘qqᵀ)x for all features and one q after the other."""
    S, d, sigma2, lam, Q = system(X)
    forms = linear_part(X, S, d, lam, Q)
    for r in range(len(lam)):
        forms[r] += 2 * (X * ((S * np.outer(Q[:, r], Q[:, r])) @ X)).sum(0)
    return np.abs(forms).sum(0) / sigma2


def literal(X, features):
    """The sums of the paper as they stand, on some of the features."""
    S, d, sigma2, lam, Q = system(X)
    start = time.process_time()
    scores = np.zeros(len(features))
    for f, t in enumerate(features):
        g = -S * np.subtract.outer(X[:, t], X[:, t]) ** 2 / sigma2
        for r in range(len(lam)):
            difference = np.subtract.outer(Q[:, r], Q[:, r]) ** 2
            total = np.add.outer(Q[:, r] ** 2, Q[:, r] ** 2)
            scores[f] += abs((g * (difference - lam[r] * total)).sum() / 2)
    return scores, (time.process_time() - start) / len(features) * X.shape[1]


def pair_by_pair(X, feature, modes=2):
    """The same as the formula reads, without arrays: Σ_ij over all pairs."""
    S, d, sigma2, lam, Q = system(X)
    n, x = len(X), X[:, feature].tolist()
    S, Q, lam = S.tolist(), Q.tolist(), lam.tolist()
    start = time.process_time()
    total = 0.0
    for r in range(modes):
        change = 0.0
        for i in range(n):
            for j in range(n):
                g = -S[i][j] * (x[i] - x[j]) ** 2 / sigma2
                change += g * ((Q[i][r] - Q[j][r]) ** 2 - lam[r] * (Q[i][r] ** 2 + Q[j][r] ** 2)) / 2
        total += abs(change)
    return (time.process_time() - start) / modes * n * X.shape[1]


def best(work, X):
    seconds = np.inf
    for _ in range(3):
        start = time.process_time()
        scores = work(X)
        seconds = min(seconds, time.process_time() - start)
    return scores, seconds


print("| data | pair by pair, s | literal numpy, s | numpy, s | fiedler, s | x pair by pair | x literal | x numpy |")
print("|---|---|---|---|---|---|---|---|")
for name in sys.argv[1:] or ["orlraws10P"]:
    X = loadmat(os.path.join(os.environ["FIEDLER_DATA"], name + ".mat"))["X"].astype(float)
    spread = X.std(0)
    X = np.ascontiguousarray((X - X.mean(0)) / np.where(spread > 0, spread, 1))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data.f64")
        X.astype("<f8").tofile(path)
        jobs = [f"{path}:{X.shape[0]}x{X.shape[1]}", "2000x5000:knn:50"]
        cargo = ["cargo", "bench", "--quiet", "--package", "fiedler", "--bench", "evsc", "--", *jobs]
        run = subprocess.run(cargo, capture_output=True, text=True, check=True)
    ours, knn = (float(line.split()[-2]) for line in run.stdout.splitlines()[1:])
    (a, by_feature), (b, by_eigenvalue) = best(by_features, X), best(by_eigenvalues, X)
    few = np.linspace(0, X.shape[1] - 1, 5).astype(int)
    scores, slow = literal(X, few)
    slowest = pair_by_pair(X, X.shape[1] // 2)
    assert np.allclose(a, b, rtol=1e-9) and np.allclose(scores, a[few], rtol=1e-9)
    fast = min(by_feature, by_eigenvalue)
    ratios = f"{slowest / ours:.0f} | {slow / ours:.0f} | {fast / ours:.1f}"
    print(f"| {name} {X.shape[0]}x{X.shape[1]} | {slowest:.0f} | {slow:.0f} | {fast:.2f} | {ours:.3f} | {ratios} |")
print(f"| random 2000x5000, kNN, rank 50 | – | – | – | {knn:.2f} | – | – | – |")
