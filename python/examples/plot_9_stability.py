"""
How sure is a selection
=======================

The best ten of thirty measurements of cell nuclei, chosen again on a hundred versions of the data: on parts
of the samples, and with noise on every value. What is chosen nearly every time is safe to report.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import fiedler

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
sure = fiedler.stability(X, method="mrsf", count=10, repeats=50)
sure

# %%
# A method that chooses features together has to choose between twins (radius, perimeter, area), and which of
# them it takes is chance: that shows at the right. A score of single features takes all twins, every time.

fig, axes = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained", sharex=True)
single = fiedler.stability(X, method="laplacian", count=10, repeats=50)
for ax, found, name in zip(axes, (single, sure), ("Laplacian score", "MRSF"), strict=True):
    found.plot(ax)
    ax.set_title(f"{name}: {len(found.safe)} of 10 are safe, agreement {found.reports[0]['kuncheva']:.2f}")
fig.show()

# %%
# With fewer samples less is sure.

sizes = [60, 120, 240, 480]
rng = np.random.default_rng(1)
agreement: dict[str, list[float]] = {"laplacian": [], "mrsf": []}
for size in sizes:
    rows = rng.choice(len(X), size, replace=False)
    for method, values in agreement.items():
        part = fiedler.stability(X.iloc[rows], method=method, count=10, repeats=30, noise=0)
        values.append(part.reports[0]["kuncheva"])
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
for (method, values), color in zip(agreement.items(), ("0.6", fiedler.plot.ACCENT), strict=True):
    ax.plot(sizes, values, marker="o", color=color, label=method)
ax.set(xlabel="samples", ylabel="agreement of selections (Kuncheva)", ylim=(0, 1.05))
ax.legend(frameon=False)
fig.show()
