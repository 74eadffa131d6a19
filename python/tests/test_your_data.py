"""The commands of docs/your-data.md on files that pandas, anndata, SciPy and h5py write here and now."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import anndata
import h5py
import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse as sp

PAGE = Path(__file__).parents[2] / "docs" / "your-data.md"
CHANGES = {
    "--top 200": "--top 5",
    "--top 50": "--top 5",
    "--min-samples 20": "--min-samples 2",
    "--sample 5000": "--sample 40",
}


def commands():
    blocks = [rest.split("```")[0] for rest in PAGE.read_text(encoding="utf-8").split("```sh\n")[1:]]
    return [line for block in blocks for line in block.splitlines()]


def tables(folder, rng, n):
    kinds = np.array(["setosa", "versicolor", "virginica"])[rng.integers(0, 3, n)]
    flowers = pd.DataFrame(rng.normal(size=(n, 3)), columns=["length", "width", "height"]).assign(species=kinds)
    flowers.to_csv(folder / "flowers.csv", index=False)
    cars = pd.DataFrame(
        {
            "mpg": rng.normal(20, 5, n),
            "maker": np.array(["audi", "bmw", "fiat"])[rng.integers(0, 3, n)],
            "turbo": rng.random(n) < 0.5,
            "built": pd.date_range("2020-01-31", periods=n),
            "price": rng.normal(100, 20, n),
        }
    )
    cars.loc[[2, 7], "mpg"] = np.nan
    cars.loc[5, "price"] = np.nan
    cars.to_csv(folder / "cars.csv", index=False)
    samples = [f"s{i}" for i in range(n)]
    genes = pd.DataFrame(rng.normal(size=(20, n)), index=[f"GENE{j}" for j in range(20)], columns=samples)
    genes.to_csv(folder / "expression.tsv", sep="\t", index_label="gene")
    pd.Series(kinds, index=samples).to_csv(folder / "classes.csv", header=False)
    flowers.rename(columns={"species": "class"}).to_parquet(folder / "table.parquet")


def arrays(folder, rng, n, counts):
    X, y = rng.normal(size=(n, 4)), rng.integers(0, 2, n)
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", y)
    (folder / "names.txt").write_text("a\nb\nc\nd\n")
    with (folder / "words.libsvm").open("w") as file:
        for label, row in zip(y, X, strict=True):
            print(label, *(f"{j + 1}:{v:.3f}" for j, v in enumerate(row)), file=file)
    sp.save_npz(folder / "documents.npz", counts)
    scipy.io.savemat(folder / "faces.mat", {"X": X, "Y": y[:, None] + 1})
    with h5py.File(folder / "measured.h5", "w") as file:
        file["group/table"] = X
        file["group/times"] = np.arange(n, dtype=float)
    scipy.io.mmwrite(folder / "counts.mtx", counts.T.tocoo())


def genotypes(folder, rng, n):
    """Two bits a genotype, four in a byte, one variant after the other, as PLINK writes them; 1 is not called."""
    codes = rng.choice([0, 1, 2, 3], size=(12, n), p=[0.3, 0.05, 0.4, 0.25]).astype(np.uint8).reshape(12, n // 4, 4)
    packed = (codes << np.array([0, 2, 4, 6], dtype=np.uint8)).sum(axis=2, dtype=np.uint8)
    (folder / "cohort.bed").write_bytes(bytes([0x6C, 0x1B, 1]) + packed.tobytes())
    (folder / "cohort.bim").write_text("".join(f"1 rs{j} 0 {j} A G\n" for j in range(12)))
    (folder / "cohort.fam").write_text("".join(f"f s{i} 0 0 1 {1 + i % 2}\n" for i in range(n)))


def cells(folder, rng, counts):
    n, m = counts.shape
    graph = sp.random(n, n, 0.1, random_state=1)
    adata = anndata.AnnData(counts.astype(np.float32))
    adata.obs_names = [f"ACGTACGTAC{i}-1" for i in range(n)]
    adata.var_names = [f"GENE{j}" for j in range(m)]
    adata.obs["cell_type"] = pd.Categorical(np.array(["B", "T"])[rng.integers(0, 2, n)])
    adata.obsp["connectivities"] = (graph + graph.T).tocsr()
    adata.write_h5ad(folder / "cells.h5ad")
    tenx = folder / "filtered_feature_bc_matrix"
    tenx.mkdir()
    scipy.io.mmwrite(tenx / "matrix.mtx", counts.T.tocoo())
    (tenx / "barcodes.tsv").write_text("\n".join(adata.obs_names) + "\n")
    (tenx / "features.tsv").write_text("".join(f"ENSG{j}\tGENE{j}\tGene Expression\n" for j in range(m)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder, rng, n = tmp_path_factory.mktemp("data"), np.random.default_rng(7), 60
    counts = sp.csr_matrix(rng.poisson(0.4, (n, 30)))
    tables(folder, rng, n)
    arrays(folder, rng, n, counts)
    genotypes(folder, rng, n)
    cells(folder, rng, counts)
    shutil.copytree(PAGE.parents[1] / "examples", folder / "examples")
    return folder


@pytest.mark.parametrize("line", commands())
def test_every_command_of_the_page_works(folder, line):
    for shown, small in CHANGES.items():
        line = line.replace(shown, small)
    line = line.replace("fiedler ", f"'{sys.executable}' -m fiedler ")
    run = subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_what_is_selected_is_read_by_anndata(folder):
    line = [sys.executable, "-m", "fiedler", "select", "cells.h5ad", "-m", "laplacian", "--top", "5", "-o", "best.h5ad"]
    run = subprocess.run(line, cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    best = anndata.read_h5ad(folder / "best.h5ad")
    assert best.shape == (60, 5)
    assert sorted(best.var["laplacian_score_rank"]) == [1, 2, 3, 4, 5]
    by_score = best.var.sort_values("laplacian_score")["laplacian_score_rank"]
    assert by_score.is_monotonic_increasing
