"""Data that lie elsewhere are read some columns at a time, and give the same bits as in memory."""

from __future__ import annotations

import gc
import subprocess
import sys

import anndata
import h5py
import numpy as np
import pytest
from scipy import sparse

import fiedler
from fiedler import _blocks

da = pytest.importorskip("dask.array")
pytestmark = pytest.mark.filterwarnings("ignore::fiedler.FiedlerWarning", "ignore::FutureWarning")


@pytest.fixture
def counts():
    rng = np.random.default_rng(5)
    dense = rng.poisson(0.4, size=(90, 300)).astype(np.float32)
    dense[:45, :6] += 4
    return dense


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    """So that there are several pieces of these data."""
    monkeypatch.setattr(_blocks, "PIECE", 20_000)


def backed(tmp_path, X):
    adata = anndata.AnnData(X)
    adata.var_names = [f"gene{j}" for j in range(X.shape[1])]
    adata.obs_names = [f"cell{i}" for i in range(X.shape[0])]
    adata.obs["donor"] = np.where(np.arange(X.shape[0]) % 2, "a", "b")
    adata.write_h5ad(tmp_path / "cells.h5ad")
    return adata, anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, sparse.csc_matrix], ids=["dense", "CSR", "CSC"])
def test_backed_data_give_the_same_bits(counts, tmp_path, kind):
    whole, lying = backed(tmp_path, kind(counts))
    for method in ("laplacian", "mrsf", "variance"):
        wanted = fiedler.pp.select_genes(whole, method=method, n_top_genes=6, inplace=False)
        found = fiedler.pp.select_genes(lying, method=method, n_top_genes=6, inplace=False)
        np.testing.assert_array_equal(found.to_numpy(dtype=float), wanted.to_numpy(dtype=float))
    mask = np.arange(300) % 3 != 1
    said = {"mask_var": mask, "batch_key": "donor", "n_top_genes": 6, "inplace": False}
    wanted = fiedler.pp.laplacian_score(whole, **said)
    np.testing.assert_array_equal(
        fiedler.pp.laplacian_score(lying, **said).to_numpy(dtype=float), wanted.to_numpy(dtype=float)
    )
    np.testing.assert_array_equal(fiedler.rank(lying).scores, fiedler.rank(whole).scores)


def test_pieces_are_smaller_than_the_data(counts, tmp_path):
    _, lying = backed(tmp_path, sparse.csc_matrix(counts))
    asked = []
    elsewhere = _blocks.found_elsewhere(lying.X)
    read = elsewhere._read
    elsewhere._read = lambda low, high: asked.append(high - low) or read(low, high)
    fiedler.rank(elsewhere)
    assert len(asked) > 4 and max(asked) < 300


@pytest.mark.parametrize("of_rows", [30, 90])
@pytest.mark.parametrize("kind", [None, sparse.csr_matrix, sparse.csr_array], ids=["dense", "matrix", "array"])
def test_dask_arrays_give_the_same_bits(counts, kind, of_rows):
    lazy = da.from_array(counts, chunks=(of_rows, 70))
    lazy = lazy if kind is None else lazy.rechunk((of_rows, 300)).map_blocks(kind)
    wanted = fiedler.rank(counts if kind is None else kind(counts))
    np.testing.assert_array_equal(fiedler.rank(lazy).scores, wanted.scores)
    adata = anndata.AnnData(lazy)
    found = fiedler.pp.laplacian_score(adata, inplace=False)
    np.testing.assert_array_equal(found["laplacian_score"], wanted.scores)


def test_rows_are_read_once_and_leave_nothing(counts, tmp_path, monkeypatch):
    monkeypatch.setattr(_blocks.tempfile, "tempdir", str(tmp_path))
    read = []
    lazy = da.from_array(counts, chunks=(30, 300)).map_blocks(lambda x: read.append(x.shape) or x, meta=counts[:0])
    fiedler.rank(lazy, method="mrsf", n_features_to_select=4)
    assert read == [(30, 300)] * 3 and list(tmp_path.iterdir()) == []


def test_h5py_datasets_go_in(counts, tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["x"] = counts
        np.testing.assert_array_equal(fiedler.rank(file["x"]).scores, fiedler.rank(counts).scores)
        file["words"] = np.full((4, 2), b"a")
        with pytest.raises(ValueError, match="must be made of numbers"):
            fiedler.rank(file["words"])
        file["none"] = np.zeros((0, 3))
        with pytest.raises(fiedler.EmptyDataError):
            fiedler.rank(file["none"])


def test_what_cannot_be_read_is_told(counts, tmp_path):
    _, lying = backed(tmp_path, counts)
    elsewhere = _blocks.found_elsewhere(lying.X)
    lying.file.close()
    with pytest.raises(OSError):
        fiedler.rank(elsewhere)


def test_missing_values_are_named_there_too(counts, tmp_path):
    counts[7, 200] = np.nan
    _, lying = backed(tmp_path, counts)
    with pytest.raises(fiedler.NotFiniteError, match=r"row 8 .*`gene200`"):
        fiedler.pp.laplacian_score(lying)


MEMORY = """
import resource, sys, warnings
warnings.simplefilter("ignore")
import anndata, numpy as np, fiedler
from scipy import sparse
adata = anndata.read_h5ad(sys.argv[1], backed="r")
S = sparse.load_npz(sys.argv[2])
fiedler.rank(np.eye(20))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
fiedler.rank(adata, graph=S)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


def test_a_file_is_never_held_as_a_whole(tmp_path):
    """200 MB of columns in a file: the peak of the process grows by less."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 25_000))
    anndata.AnnData(X).write_h5ad(tmp_path / "wide.h5ad")
    sparse.save_npz(tmp_path / "s.npz", sparse.csr_matrix(fiedler.knn_graph(X[:, :50])))
    words = [sys.executable, "-c", MEMORY, str(tmp_path / "wide.h5ad"), str(tmp_path / "s.npz")]
    run = subprocess.run(words, capture_output=True, text=True, check=True)
    assert float(run.stdout) < 150, run.stdout


def test_views_in_memory_are_read_where_they_are(counts, tmp_path, monkeypatch):
    monkeypatch.setattr(_blocks.tempfile, "mkdtemp", lambda **_: pytest.fail("a view was written to a file"))
    for kind in (np.asarray, sparse.csr_matrix, sparse.csc_matrix):
        view = anndata.AnnData(kind(counts))[:60, 10:]
        assert view.is_view and _blocks.found_elsewhere(view.X) is None
        np.testing.assert_array_equal(fiedler.rank(view).scores, fiedler.rank(kind(counts)[:60, 10:]).scores)
        assert fiedler.pp.laplacian_score(view, inplace=False).shape[0] == 290


@pytest.mark.filterwarnings("error::ResourceWarning")
def test_temporary_folders_are_closed(counts, tmp_path, monkeypatch):
    monkeypatch.setattr(_blocks.tempfile, "tempdir", str(tmp_path))
    found = fiedler.rank(da.from_array(counts, chunks=(30, 300)))
    assert len(list(tmp_path.iterdir())) == 1  # kept as long as the answer may write its report
    del found
    gc.collect()
    assert list(tmp_path.iterdir()) == []
