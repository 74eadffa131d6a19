"""Peak memory of a ranking with `--memory`, format by format: what was asked for, and what the system counted.

    python bench/memory.py [--samples 1000] [--features 50000] [--memory 60MB] [--method laplacian] [--folder DIR] [--program fiedler]
                           [--only npy-c,arrow]

Writes the same numbers in every format that stays on the disk, features in columns and features in rows, ranks each, and compares
the scores with those of the same file in memory. Peak memory is `ru_maxrss` (`os.wait4`): pages of files that are mapped would count.
The last column is the peak less `--memory`: what the program itself takes. The files are kept if --folder is given.
"""

import argparse
import functools
import multiprocessing
import subprocess
import tempfile
from pathlib import Path

from process import run

CLUSTERED = 1000


def numbers(samples, features):
    """Four clusters in the first features, noise elsewhere."""
    import numpy as np

    rng = np.random.default_rng(0)
    X = rng.standard_normal((samples, features), dtype=np.float32)
    clusters = rng.normal(size=(4, CLUSTERED)).astype(np.float32)
    X[:, :CLUSTERED] += clusters[np.arange(samples) % 4][:, : X[:, :CLUSTERED].shape[1]]
    return X


def genotypes(samples, features):
    import numpy as np

    rng = np.random.default_rng(0)
    common = rng.uniform(0.1, 0.9, size=(4, features))
    return rng.binomial(2, common[np.arange(samples) % 4]).astype(np.uint8)


def write_npy(path, X, order="C"):
    import numpy as np

    np.save(path, np.asarray(X, order=order))


def write_table(path, X, kind):
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    table = pa.table({f"f{j}": X[:, j] for j in range(X.shape[1])})
    if kind == "parquet":
        pa.parquet.write_table(table, path)
    elif kind == "feather":
        pa.feather.write_feather(table, path, compression="lz4")
    else:
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)


def write_h5ad(path, X, kind):
    import anndata

    anndata.AnnData(X if kind == "dense" else sparse(X, kind)).write_h5ad(path)


def sparse(X, kind):
    import numpy as np
    import scipy.sparse

    X = np.where(X > 1.3, X, 0).astype(np.float32)
    return scipy.sparse.csc_matrix(X) if kind == "csc" else scipy.sparse.csr_matrix(X)


def write_zarr(path, X, kind):
    """One array in the chunks that the library chooses, or AnnData with a sparse matrix."""
    import anndata
    import zarr

    if kind == "zarr":
        zarr.create_array(path, data=X)
    else:
        anndata.settings.zarr_write_format = 3
        anndata.AnnData(sparse(X, kind)).write_zarr(path)


def write_bed(path, samples, features):
    """Two bits a genotype, feature after feature: 0 is two of the first allele, 2 one, 3 none."""
    import numpy as np

    codes = np.array([3, 2, 0], np.uint8)[genotypes(samples, features)].T
    codes = np.pad(codes, ((0, 0), (0, -samples % 4))).reshape(features, -1, 4)
    packed = codes[..., 0] | codes[..., 1] << 2 | codes[..., 2] << 4 | codes[..., 3] << 6
    Path(path).write_bytes(b"\x6c\x1b\x01" + packed.tobytes())
    stem = Path(path).with_suffix("")
    stem.with_suffix(".bim").write_text("".join(f"1\tsnp{j}\t0\t{j + 1}\tA\tG\n" for j in range(features)))
    stem.with_suffix(".fam").write_text("".join(f"f{i} s{i} 0 0 0 -9\n" for i in range(samples)))


def write(name, path, samples, features):
    kind, _, turned = name.partition("/")
    if kind == "bed":
        return write_bed(path, samples, features)
    X = numbers(samples, features)
    X = X.T if turned else X
    if kind.startswith("npy"):
        return write_npy(path, X, kind[-1].upper())
    if kind.startswith("h5ad"):
        return write_h5ad(path, X, kind.rpartition("-")[2])
    if kind.startswith("zarr"):
        return write_zarr(path, X, kind.rpartition("-")[2])
    return write_table(path, X, kind)


SUFFIX = {"npy-c": "npy", "npy-f": "npy", "h5ad-csc": "h5ad", "h5ad-csr": "h5ad", "h5ad-dense": "h5ad"}
SUFFIX |= {"zarr-csc": "zarr", "zarr-csr": "zarr"}
ZARR = ["zarr", "zarr-csc", "zarr-csr", "zarr/rows"]
FORMATS = ["npy-c", "npy-f", "parquet", "arrow", "feather", "h5ad-csc", "h5ad-csr", "h5ad-dense", "bed", "blocks"]
TURNED = ["npy-c/rows", "npy-f/rows", "parquet/rows", "arrow/rows", "feather/rows"]


def apart(work, *arguments):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        pool.apply(work, arguments)


def make(name, folder, given):
    kind = name.partition("/")[0]
    path = folder / f"{name.replace('/', '-')}.{SUFFIX.get(kind, kind)}"
    if path.exists():
        return path
    if kind == "blocks":
        source = make("npy-f", folder, given)
        subprocess.run([given.program, "blocks", source, path, "-q"], check=True)
    else:
        apart(write, name, path, given.samples, given.features)
    return path


@functools.cache
def reads_zarr(program):
    """Whether the command was built with Zarr: without it a store is refused unread, with the way to build it."""
    with tempfile.TemporaryDirectory() as store:
        (Path(store) / "zarr.json").write_text("{}")
        return "leaves Zarr" not in run([program, "rank", store]).told


def in_bytes(text):
    units = {"kB": 1e3, "MB": 1e6, "GB": 1e9}
    return float(text[:-2]) * units[text[-2:]]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--samples", type=int, default=1000)
    arguments.add_argument("--features", type=int, default=50_000)
    arguments.add_argument("--memory", default="60MB")
    arguments.add_argument("--method", default="laplacian")
    arguments.add_argument("--folder", default=None)
    arguments.add_argument("--program", default="fiedler")
    arguments.add_argument("--only", default=",".join(FORMATS + TURNED + ZARR))
    given = arguments.parse_args()
    asked = in_bytes(given.memory) / 1e6
    print(f"{given.samples:,} x {given.features:,}, -m {given.method}, --memory {given.memory}")
    print(f"{'format':16}{'file MB':>9}{'CPU s':>8}{'peak MB':>9}{'beyond':>8}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(given.folder or temporary)
        for name in given.only.split(","):
            if name.startswith("zarr") and not reads_zarr(given.program):
                print(f"{name:16}skipped: this command is built without Zarr (cargo build --release -p fiedler-cli --features zarr)")
                continue
            path = make(name, folder, given)
            files = [path] if path.is_file() else path.rglob("*")
            size = sum(file.stat().st_size for file in files if file.is_file()) / 1e6
            command = [given.program, "rank", path, "-m", given.method, "--format", "csv", "-q"]
            command += ["--features", "rows"] if name.endswith("/rows") else []
            tight, ample = (run([*command, "--memory", memory]) for memory in (given.memory, "8GB"))
            peak = tight.peak / 1e6
            same = "" if tight.printed == ample.printed else "  OTHER SCORES"
            word = f"  {tight.told.strip()}" if tight.code else same
            print(f"{name:16}{size:9.0f}{tight.cpu:8.1f}{peak:9.0f}{peak - asked:8.0f}{word}", flush=True)


if __name__ == "__main__":
    main()
