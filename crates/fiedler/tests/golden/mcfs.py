"""Writes mcfs.json: MCFS scores by numpy's eigensolver and scikit-learn's lars_path on small random problems.

    python crates/fiedler/tests/golden/mcfs.py > crates/fiedler/tests/golden/mcfs.json

kNN graph (union), heat weights with t = mean squared length of the edges; y = D^-1/2 xi of the leading eigenvectors of
the normalized Laplacian after the trivial one, centered, of unit length; columns centered, of unit length; one path of the
lasso for each y, at the knot before coefficient count + 1 comes in. scikit-learn's alpha is lambda/n.
"""
import json
import sys

import numpy as np
from sklearn.linear_model import lars_path

rng = np.random.default_rng(11)


def graph(X, k):
    n = len(X)
    d = ((X[:, None] - X[None]) ** 2).sum(-1)
    edge = np.zeros((n, n), bool)
    for i in range(n):
        order = [j for j in np.argsort(d[i], kind="stable") if j != i]
        edge[i, order[:k]] = True
    edge |= edge.T
    return np.where(edge, np.exp(-d / d[edge].mean()), 0.0)


def case(name, n, m, k, clusters, count):
    centers = 0.6 * rng.normal(size=(3, m))
    X = (centers[np.arange(n) % 3] * (np.arange(m) < m // 2) + rng.normal(size=(n, m))).round(3)
    S = graph(X, k)
    d = S.sum(1)
    N = np.eye(n) - S / np.sqrt(np.outer(d, d))
    values, vectors = np.linalg.eigh(N)
    assert values[1] > 1e-6 and np.diff(values[1:clusters + 2]).min() > 1e-6
    Z = X - X.mean(0)
    Z /= np.linalg.norm(Z, axis=0)
    coefficients = []
    for j in range(1, clusters + 1):
        y = vectors[:, j] / np.sqrt(d)
        y -= y.mean()
        y /= np.linalg.norm(y)
        alphas, _, path = lars_path(Z, y, method="lasso")
        sizes = (path != 0).sum(0)
        # The last knot at which no more than `count` are active before more come.
        first_beyond = int(np.argmax(sizes > count)) if (sizes > count).any() else len(sizes)
        coefficients.append(path[:, first_beyond - 1].tolist())
    return {"name": name, "X": X.tolist(), "k": k, "clusters": clusters, "count": count, "coefficients": coefficients}


json.dump([
    case("more features than samples", 24, 40, 5, 3, 6),
    case("more samples than features", 45, 12, 6, 2, 4),
    case("all coefficients but a few", 45, 12, 6, 4, 9),
    case("one each", 30, 15, 5, 5, 1),
], sys.stdout)
print()
