"""
Features that repeat each other
===============================

Thirty measurements of cell nuclei: radius, perimeter and area say nearly the same, three times each. A score
of single features takes all of them; a method that chooses features together takes one.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

import fiedler

X, y = load_breast_cancer(return_X_y=True, as_frame=True)

fig, (left, right) = plt.subplots(1, 2, figsize=(11, 3.9), layout="constrained")
one_by_one = fiedler.rank(X)
together = fiedler.rank(X, method="mrsf", n_features_to_select=8)
one_by_one.plot.redundancy(X, 8, left)
together.plot.redundancy(X, 8, right)
fig.show()

# %%
# MRSF is the path of a regression with groups: features enter as the penalty λ falls. Here the targets are
# the leading eigenvectors of the graph.

spectrum = fiedler.spectrum(fiedler.knn_graph(X), 6)
path = fiedler.l21_path(X, spectrum.vectors[:, 1:], count=8)
ax = path.plot()
ax.figure.set_size_inches(8, 4)

# %%
# Fewer repetitions leave more room: the same number of features says more about the diagnosis.

table = fiedler.evaluate(X, y, methods=["laplacian", "mrsf"], counts=[2, 4, 8, 16], repeats=5)
table

# %%
# A consensus asks several methods, and takes what they agree on.

fiedler.Consensus(6, methods=["laplacian", "mrsf", "mcfs", "spec"], aggregation="rra").fit(X).findings_
