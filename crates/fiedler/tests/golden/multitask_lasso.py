"""Writes multitask_lasso.json: scikit-learn's MultiTaskLasso on small random problems.

    python crates/fiedler/tests/golden/multitask_lasso.py > crates/fiedler/tests/golden/multitask_lasso.json

scikit-learn minimizes |Y-XW|²/(2n) + α Σ|wⁱ|, so α = λ/n. Columns are centered with unit norm, targets centered, as
fiedler does it itself; the file holds the raw numbers.
"""
import json
import sys

import numpy as np
from sklearn.linear_model import MultiTaskLasso

rng = np.random.default_rng(5)


def case(name, n, m, q, shares, change=lambda X: X):
    X = change(rng.normal(size=(n, m)).round(3))
    Y = (X[:, :3] @ rng.normal(size=(3, q)) + 0.5 * rng.normal(size=(n, q))).round(3)
    Z = X - X.mean(0)
    Z = Z / np.linalg.norm(Z, axis=0)
    T = Y - Y.mean(0)
    top = np.linalg.norm(Z.T @ T, axis=1).max()
    solutions = []
    for share in shares:
        lam = share * top
        model = MultiTaskLasso(alpha=lam / n, fit_intercept=False, tol=1e-14, max_iter=1_000_000).fit(Z, T)
        W = model.coef_.T
        objective = 0.5 * ((T - Z @ W) ** 2).sum() + lam * np.linalg.norm(W, axis=1).sum()
        solutions.append({"lambda": lam, "objective": objective, "weights": W.tolist()})
    return {"name": name, "X": X.tolist(), "Y": Y.tolist(), "lambda_max": top, "solutions": solutions}


def correlated(X):
    X[:, 4:] = (0.9 * X[:, :1] + 0.3 * X[:, 4:]).round(3)
    return X


json.dump([
    case("more features than samples", 12, 20, 3, (0.8, 0.4, 0.1)),
    case("more samples than features", 30, 6, 2, (0.5, 0.1, 0.01)),
    case("one target", 15, 10, 1, (0.6, 0.2, 0.05)),
    case("more targets than samples", 8, 10, 12, (0.6, 0.2)),
    case("correlated columns", 20, 12, 2, (0.5, 0.1), correlated),
], sys.stdout)
print()
