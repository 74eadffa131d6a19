"""Genes of single cells: ours beside scanpy's, in one run.

    python bench/single_cell.py [FOLDER]        (Python 3.12; needs scanpy, scikit-misc and fiedler; Linux)

Without FOLDER: pbmc68k_reduced, which is inside scanpy. With FOLDER also the three batches of lung cells (Liao and others,
2020) that are inside scirpy's source package: `pip download --no-deps --no-binary :all: scirpy`, unpack, and
FOLDER is docs/tutorials/example_data/liao-2019-covid19.

markers: how many known marker genes of blood and lung cells are among the chosen. kept: the share of the 15 nearest
neighbors (50 principal components of all genes) that are found again with the chosen genes alone. CPU seconds; memory is
what the peak of a process of its own grows by.
"""
import json
import subprocess
import sys
import time
import warnings
from pathlib import Path

warnings.simplefilter("ignore")
# Markers of the kinds of cells in blood and lung, as of the reviews that tutorials cite.
MARKERS = (
    "CD3D CD3E CD8A CD8B CD4 IL7R CCR7 S100A4 FOXP3 CD79A CD79B MS4A1 CD19 IGHM MZB1 JCHAIN GNLY NKG7 GZMB GZMA PRF1 KLRD1 "
    "CD14 LYZ S100A8 S100A9 FCGR3A MS4A7 CST3 FCER1A CLEC10A LILRA4 IL3RA PPBP PF4 CD34 HBB FABP4 MARCO C1QA C1QB APOE SPP1 "
    "EPCAM KRT18 SFTPC SFTPB FOXJ1 SCGB3A1 TPSAB1 CPA3 MKI67 TOP2A"
).split()
METHODS = (
    "fiedler laplacian", "fiedler laplacian, their graph", "fiedler laplacian, their graph, values as they are", "fiedler mrsf",
    "seurat_v3", "cell_ranger", "Moran's I", "random",
)
#: Those that rank every batch by itself where there are several.
BY_BATCH = ("fiedler laplacian", "seurat_v3", "cell_ranger")


def load(name):
    """Counts in a layer, logarithms in X, and the usual neighbors."""
    import anndata
    import numpy as np
    import scanpy as sc
    if name == "pbmc68k":
        cells = sc.datasets.pbmc68k_reduced()
        genes = cells.raw.var_names.intersection(cells.var_names)
        data = anndata.AnnData(cells.raw[:, genes].X.tocsr(), obs=cells.obs[["bulk_labels"]].copy())
        data.var_names = genes
        data.layers["counts"] = data.X.copy()
        data.layers["counts"].data = np.round(np.expm1(data.layers["counts"].data))
        data.obs["batch"] = "one"
        return data
    parts = {p.name.split("_")[1]: sc.read_10x_h5(p) for p in sorted(Path(name).glob("*.h5"))}
    for part in parts.values():
        part.var_names_make_unique()
    data = anndata.concat(parts, label="batch", index_unique="-")
    sc.pp.filter_cells(data, min_genes=200)
    sc.pp.filter_genes(data, min_cells=10)
    data.layers["counts"] = data.X.copy()
    sc.pp.normalize_total(data, target_sum=1e4)
    sc.pp.log1p(data)
    return data


def reference(data):
    """Neighbors by all genes."""
    import scanpy as sc
    sc.pp.pca(data, n_comps=50, mask_var=None)
    sc.pp.neighbors(data, n_neighbors=15)


def choose(data, method, count):
    """The genes that a method chooses."""
    import numpy as np
    import scanpy as sc

    import fiedler
    several = data.obs["batch"].nunique() > 1
    batch = {"batch_key": "batch"} if several else {}
    if method == "fiedler laplacian":
        return fiedler.pp.laplacian_score(data, n_top_genes=count, inplace=False, **batch)["highly_variable"].to_numpy()
    if method.startswith("fiedler laplacian, their graph"):
        values = {"value_transform": "none"} if method.endswith("as they are") else {}
        found = fiedler.pp.laplacian_score(data, n_top_genes=count, neighbors_key="neighbors", inplace=False, **values)
        return found["highly_variable"].to_numpy()
    if method == "fiedler mrsf":
        found = fiedler.pp.select_genes(data, n_top_genes=count, neighbors_key="neighbors", inplace=False)
        return found["highly_variable"].to_numpy()
    if method == "seurat_v3":
        said = {"flavor": "seurat_v3", "layer": "counts"}
        return sc.pp.highly_variable_genes(data, n_top_genes=count, inplace=False, **said, **batch)["highly_variable"].to_numpy()
    if method == "cell_ranger":
        found = sc.pp.highly_variable_genes(data, n_top_genes=count, flavor="cell_ranger", inplace=False, **batch)
        return found["highly_variable"].to_numpy()
    chosen = np.zeros(data.n_vars, dtype=bool)
    if method == "Moran's I":
        scores = sc.metrics.morans_i(data.obsp["connectivities"], data.X.T.tocsr())
        chosen[np.argsort(-np.nan_to_num(scores, nan=-1))[:count]] = True
    else:
        chosen[np.random.default_rng(0).choice(data.n_vars, count, replace=False)] = True
    return chosen


def kept(data, chosen):
    """The share of neighbors by all genes that are neighbors by the chosen ones."""
    import numpy as np
    import scanpy as sc
    part = data[:, chosen].copy()
    sc.pp.pca(part, n_comps=min(50, int(chosen.sum()) - 1))
    sc.pp.neighbors(part, n_neighbors=15)
    before, after = data.obsp["distances"] > 0, part.obsp["distances"] > 0
    return float(np.mean(before.multiply(after).sum(1) / before.sum(1)))


def status(name):
    """A figure of this process, in KB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


def one(name, method, count, folder):
    """A method, in a process of its own."""
    import anndata
    data = anndata.read_h5ad(Path(folder) / f"{name}.h5ad")
    # What is compiled when it is first called is not counted.
    choose(data[:300].copy(), "random" if "fiedler" in method else method, min(count, 50))
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins again
    before, begun = status("VmRSS"), time.process_time()
    chosen = choose(data, method, count)
    seconds = time.process_time() - begun
    memory = (status("VmHWM") - before) / 1024
    hits = sum(gene in set(data.var_names[chosen]) for gene in MARKERS)
    there = sum(gene in set(data.var_names) for gene in MARKERS)
    print(json.dumps([method, hits, there, kept(data, chosen), seconds, memory]))


def main():
    """The tables."""
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        for name, source, count in [("pbmc68k", "pbmc68k", 100), *([("lung", sys.argv[1], 1000)] if len(sys.argv) > 1 else [])]:
            data = load(source)
            reference(data)
            data.write_h5ad(Path(folder) / f"{name}.h5ad")
            print(f"\n**{name}**: {data.n_obs:,} cells × {data.n_vars:,} genes, {data.obs['batch'].nunique()} batches, {count} genes chosen\n")
            print("| genes by | markers | neighbors kept | CPU s | memory, MB |\n|---|---|---|---|---|", flush=True)
            for method in METHODS:
                words = [sys.executable, __file__, "--one", name, method, str(count), folder]
                run = subprocess.run(words, capture_output=True, text=True)
                if run.returncode:
                    print(f"| {method} | failed: {run.stderr.strip().splitlines()[-1][:80]} | | | |", flush=True)
                    continue
                method, hits, there, share, seconds, memory = json.loads(run.stdout.splitlines()[-1])
                title = f"{method}, by batch" if method in BY_BATCH and data.obs["batch"].nunique() > 1 else method
                print(f"| {title} | {hits} of {there} | {share:.0%} | {seconds:.2f} | {memory:.0f} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5])
    else:
        main()
