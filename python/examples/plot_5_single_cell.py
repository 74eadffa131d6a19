"""
Single cells, in scanpy's manner
================================

700 blood cells and 765 genes (scanpy's ``pbmc68k_reduced``). One line writes a score for every gene into
``adata.var``; the graph is the one that ``sc.pp.neighbors`` has left.
"""

import warnings

import matplotlib.pyplot as plt
import scanpy as sc

import fiedler

warnings.simplefilter("ignore")
adata = sc.datasets.pbmc68k_reduced()
adata.X = adata.raw[:, adata.var_names].X  # logarithms of counts, sparse

# %%

fiedler.pp.laplacian_score(adata, n_top_genes=50, neighbors_key="neighbors")
columns = ["laplacian_score", "laplacian_score_rank", "highly_variable"]
adata.var.sort_values("laplacian_score_rank")[columns].head(8)

# %%
# The three best genes and the last, on the map of the cells: good genes belong to neighborhoods.

order = adata.var["laplacian_score_rank"].sort_values().index
x, y = adata.obsm["X_umap"].T
fig, axes = plt.subplots(1, 4, figsize=(11, 2.9), layout="constrained")
for gene, ax in zip([*order[:3], order[-1]], axes, strict=True):
    ax.scatter(x, y, s=5, c=adata[:, gene].X.toarray().ravel(), cmap="viridis")
    ax.set(title=f"{gene} (rank {adata.var['laplacian_score_rank'][gene]:.0f})", xticks=[], yticks=[])
fig.show()

# %%
# Good genes are mostly genes of the same few kinds of cells. ``select_genes`` takes genes that are good
# together: twelve of them, and in which kinds of cells they are on.

fiedler.pp.select_genes(adata, method="mrsf", n_top_genes=12, neighbors_key="neighbors", key_added="together")
panel = adata.var_names[adata.var["together_rank"] <= 12]
means = adata[:, panel].to_df().groupby(adata.obs["bulk_labels"], observed=True).mean()
means = means[means.idxmax().sort_values().index] / means.max()
fig, ax = plt.subplots(figsize=(7.5, 4), layout="constrained")
ax.imshow(means, cmap="Blues", aspect="auto")
ax.set_xticks(range(len(means.columns)), means.columns, rotation=60, ha="right")
ax.set_yticks(range(len(means)), means.index)
ax.set_title("mean expression, relative to the highest")
fig.show()
