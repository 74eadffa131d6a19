"""
Gene expression and shadow genes
================================

Eleven genes of blood cells that become one of four kinds (the model of Krumsiek and others, 2011, inside of
scanpy). Beside every gene stand twenty shadows: the same values in random order. A score that means something
puts genes before shadows.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import scanpy as sc

import fiedler

warnings.simplefilter("ignore")
sc.settings.verbosity = 0
cells = sc.datasets.krumsiek11()
genes = cells.to_df()
rng = np.random.default_rng(0)
shadows = {f"{gene} ({copy})": rng.permutation(genes[gene]) for gene in genes for copy in range(1, 21)}
X = pd.concat([genes, pd.DataFrame(shadows, index=genes.index)], axis=1)
print(f"{X.shape[0]} cells, {genes.shape[1]} genes and {len(shadows)} shadows")

# %%

found = fiedler.rank(X, n_neighbors=10)
found

# %%
# How many of the eleven genes each method has among its first eleven, and where the scores part.

methods = ["laplacian", "spec", "mcfs", "evsc", "variance"]
hits = {m: sum("(" not in name for name in fiedler.rank(X, method=m).top(11)) for m in methods}
is_gene = np.array(["(" not in name for name in found.names])[found.order]
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
ranks, scores = np.arange(1, len(is_gene) + 1), found.scores[found.order]
left.scatter(ranks[~is_gene], scores[~is_gene], s=9, color="0.75", label="shadow")
left.scatter(ranks[is_gene], scores[is_gene], s=40, color=fiedler.plot.ACCENT, label="gene")
left.set(xlabel="rank", ylabel="Laplacian score (smaller is better)", xscale="log")
left.legend(frameon=False)
right.barh(list(hits)[::-1], list(hits.values())[::-1], color=fiedler.plot.ACCENT)
right.set(xlabel="genes among the first eleven", xlim=(0, 11.5))
fig.show()

# %%
# What the genes say: the graph of the best eleven has four arms, one for every kind of cell.

best = X[found.top(11)]
kinds = cells.obs["cell_type"].astype(str).to_numpy()
ax = fiedler.plot.embedding(fiedler.knn_graph(best, n_neighbors=15), kinds)
_ = ax.set_title("cells by the best eleven features")
