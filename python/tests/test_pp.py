"""Genes of AnnData objects."""

from __future__ import annotations

import inspect

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


@pytest.mark.parametrize("count", [0, -5, 10.7, "five", True])
def test_a_wrong_number_of_genes(cells, count):
    with pytest.raises(ValueError, match="`n_top_genes` must be a whole number from 1, got"):
        fiedler.pp.select_genes(cells, n_top_genes=count)
    assert "highly_variable" not in cells.var


@pytest.mark.filterwarnings("default::fiedler.FiedlerWarning")
def test_more_genes_than_there_are(cells):
    with pytest.warns(fiedler.FiedlerWarning, match="`n_top_genes` is 99 and there are 30 genes"):
        fiedler.pp.laplacian_score(cells, n_top_genes=99)
    assert cells.var["highly_variable"].all()


def test_errors_speak_of_keys(cells):
    with pytest.raises(ValueError, match=r"name their column of adata\.obs as `label_key`"):
        fiedler.pp.select_genes(cells, method="fisher")
    with pytest.raises(ValueError, match=r"`layer` must be a key of adata\.layers \(log\), got 'raw'"):
        fiedler.pp.select_genes(cells, layer="raw")
    with pytest.raises(ValueError, match="`vals` goes with a bare graph"):
        fiedler.pp.laplacian_score(cells, cells.X.T)
    with pytest.raises(ValueError, match="`layer` goes with an AnnData object"):
        fiedler.pp.laplacian_score(cells.obsp["mine"], cells.X.T, layer="log")
    for ask in (fiedler.pp.select_genes, fiedler.pp.laplacian_score):
        with pytest.raises(ValueError, match="`adata` must be an AnnData object, got DataFrame"):
            ask(cells.to_df())


@pytest.mark.parametrize("missing", [None, np.nan])
def test_every_cell_must_have_a_batch(cells, missing):
    donors = cells.obs["donor"].to_numpy(dtype=object).copy()
    donors[:3] = missing
    cells.obs["donor"] = donors
    with pytest.raises(ValueError, match=r"`batch_key` must name a batch for every cell.*has none for 3"):
        fiedler.pp.laplacian_score(cells, batch_key="donor")


def test_batches_have_a_turning_point_too(cells):
    fiedler.pp.laplacian_score(cells, batch_key="donor", aggregation="borda")
    marked = cells.var["highly_variable"].to_numpy()
    assert marked[:5].all() and marked.sum() < 10


def test_what_was_asked_can_be_written(cells, tmp_path):
    cells.var["known"] = np.arange(30) < 29
    said = {"label_key": "kind", "batch_key": "donor", "aggregation": "borda", "mask_var": "known", "samples": 20}
    fiedler.pp.select_genes(
        cells, method="relieff", n_top_genes=4, key_added="r", random_state=np.random.default_rng(1), **said
    )
    asked = cells.uns["r"]
    assert {name: asked[name] for name in said} == said and "random_state" not in asked
    cells.write_h5ad(tmp_path / "cells.h5ad")
    assert anndata.read_h5ad(tmp_path / "cells.h5ad").uns["r"]["label_key"] == "kind"


def test_a_representation_has_neighbors(cells):
    found = fiedler.pp.laplacian_score(cells, use_rep="X_pca", n_neighbors=9, inplace=False)
    graph = fiedler.knn_graph(cells.obsm["X_pca"], n_neighbors=9, scale="none", value_transform="none")
    np.testing.assert_array_equal(found["laplacian_score"], fiedler.rank(cells.X, graph=graph).scores)


def test_keywords_are_in_the_signature():
    said = inspect.signature(fiedler.pp.select_genes).parameters
    own = inspect.signature(fiedler.pp.laplacian_score).parameters
    for name in said:
        if name not in ("adata", "method"):
            assert own[name].default == said[name].default


def test_labels_by_the_name_of_their_column(cells):
    named = fiedler.rank(cells, "kind", method="fisher")
    np.testing.assert_array_equal(named.scores, fiedler.rank(cells.X, cells.obs["kind"], method="fisher").scores)
    with pytest.raises(ValueError, match=r"`y` must be a column of adata\.obs"):
        fiedler.rank(cells, "sort", method="fisher")


def test_beside_scanpy():
    """The data and the neighbors of scanpy: markers come first, and its own functions take what is marked."""
    sc = pytest.importorskip("scanpy")
    cells = sc.datasets.pbmc68k_reduced()
    fiedler.pp.laplacian_score(cells, n_top_genes=50, neighbors_key="neighbors")
    best = set(cells.var_names[cells.var["highly_variable"]])
    assert len(best) == 50 and len(best & {"CD79A", "CD79B", "NKG7", "GNLY", "CST3", "LYZ", "CD74", "FCER1A"}) >= 4
    graph = cells.obsp[cells.uns["neighbors"].get("connectivities_key", "connectivities")]
    bare = fiedler.pp.laplacian_score(graph, cells.X.T)
    np.testing.assert_allclose(cells.var["laplacian_score"], bare, rtol=1e-6)
    sc.pp.pca(cells, n_comps=10, mask_var="highly_variable")
    assert cells.obsm["X_pca"].shape == (700, 10)
