"""Genes of AnnData objects."""

from __future__ import annotations

import anndata
import numpy as np
import pytest
from scipy import sparse

import fiedler

pytestmark = pytest.mark.filterwarnings("ignore::fiedler.FiedlerWarning")


@pytest.fixture
def cells():
    """Two kinds of cells in two batches; the first five of thirty genes tell the kinds apart."""
    rng = np.random.default_rng(0)
    counts = rng.poisson(1.0, size=(120, 30)).astype(np.float32)
    kind = np.tile([0, 1], 60)
    counts[:, :5] += 6 * kind[:, None]
    counts[:, 29] = 0
    adata = anndata.AnnData(sparse.csr_matrix(counts))
    adata.var_names = [f"gene{j}" for j in range(30)]
    adata.obs["donor"] = np.repeat(["a", "b"], 60)
    adata.obs["kind"] = kind.astype(str)
    adata.layers["log"] = np.log1p(counts)
    adata.obsm["X_pca"] = rng.normal(size=(120, 3)) + 5 * kind[:, None]
    adata.obsp["mine"] = sparse.csr_matrix(fiedler.knn_graph(counts, n_neighbors=6).astype(np.float32))
    adata.uns["neighbors"] = {"connectivities_key": "mine"}
    return adata


def test_scores_are_written_as_scanpy_does(cells):
    assert fiedler.pp.laplacian_score(cells, n_top_genes=5) is None
    assert set(np.flatnonzero(cells.var["highly_variable"])) == {0, 1, 2, 3, 4}
    assert cells.var["highly_variable"].dtype == bool
    ranks = cells.var["laplacian_score_rank"]
    assert set(ranks[:5]) == {1, 2, 3, 4, 5} and ranks.iloc[29] == 30
    np.testing.assert_array_equal(cells.var["laplacian_score"], fiedler.rank(cells.X).scores)
    assert cells.uns["laplacian_score"]["method"] == "laplacian"
    assert sparse.issparse(cells.X)


def test_graphs_that_are_there_are_reused(cells):
    mine = fiedler.pp.laplacian_score(cells, obsp="mine", inplace=False)
    key = fiedler.pp.laplacian_score(cells, neighbors_key="neighbors", inplace=False)
    np.testing.assert_array_equal(mine["laplacian_score"], key["laplacian_score"])
    bare = fiedler.pp.laplacian_score(cells.obsp["mine"], cells.X.T)
    np.testing.assert_array_equal(bare, mine["laplacian_score"])
    one = fiedler.pp.laplacian_score(cells.obsp["mine"], cells.X.toarray()[:, 3])
    assert one == pytest.approx(bare[3], rel=1e-5)
    rep = fiedler.pp.laplacian_score(cells, use_rep="X_pca", inplace=False)
    assert (rep["laplacian_score"] != mine["laplacian_score"]).any()
    with pytest.raises(ValueError, match="only one of"):
        fiedler.pp.laplacian_score(cells, obsp="mine", use_rep="X_pca")
    for wrong in ({"obsp": "no"}, {"use_rep": "no"}, {"neighbors_key": "no"}, {"batch_key": "no"}, {"mask_var": "no"}):
        with pytest.raises(ValueError, match="must be a"):
            fiedler.pp.laplacian_score(cells, **wrong)


def test_batches_are_ranked_by_themselves(cells):
    fiedler.pp.laplacian_score(cells, batch_key="donor", n_top_genes=5, aggregation="borda")
    assert set(np.flatnonzero(cells.var["highly_variable"])) == {0, 1, 2, 3, 4}
    parts = [fiedler.rank(cells.X[cells.obs["donor"].to_numpy() == donor]) for donor in ("a", "b")]
    wanted = np.mean([part.ranking for part in parts], axis=0)
    np.testing.assert_allclose(cells.var["laplacian_score"][:29], wanted[:29])
    assert np.isnan(cells.var["laplacian_score"].iloc[29])


def test_functions_take_the_object_too(cells):
    found = fiedler.rank(cells)
    assert found.names == list(cells.var_names)
    np.testing.assert_array_equal(found.scores, fiedler.rank(cells.X).scores)


def test_layers_masks_labels_and_subsets(cells):
    mask = np.arange(30) >= 3
    fiedler.pp.select_genes(
        cells, method="fisher", label_key="kind", layer="log", mask_var=mask, n_top_genes=2, key_added="f", subset=True
    )
    assert cells.n_vars == 2 and set(cells.var_names) == {"gene3", "gene4"}
    assert cells.uns["f"]["layer"] == "log"


def test_genes_that_are_good_together(cells):
    found = fiedler.pp.select_genes(cells, n_top_genes=3, inplace=False)
    assert found["highly_variable"].sum() == 3 and found["mrsf_score_rank"].min() == 1
    with pytest.raises(TypeError, match="not as `graph`"):
        fiedler.pp.select_genes(cells, graph="rbf")
