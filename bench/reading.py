"""Reading files, beside pandas, NumPy, pyarrow, anndata and SciPy. CPU and wall seconds, best of three.

    python bench/reading.py [FOLDER]           (numpy, pandas, pyarrow; 2.3 GB of files are made in FOLDER)
    python bench/reading.py --sparse [FOLDER]  (numpy, scipy, anndata; 50,000 × 2,000, 5 % not zero, 0.2 GB)
"""

import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np


def make(folder):
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    if not (folder / "a.csv").exists():
        names = [f"f{j}" for j in range(500)]
        pd.DataFrame(rng.standard_normal((5000, 500)), columns=names).to_csv(folder / "a.csv", index=False)
    if not (folder / "big.npy").exists():
        values = rng.standard_normal((125_000, 1000))
        np.save(folder / "big.npy", values)
        pq.write_table(pa.table({f"f{j}": values[:, j] for j in range(1000)}), folder / "big.parquet")


def make_sparse(folder):
    import anndata
    import scipy.io
    import scipy.sparse

    if (folder / "cells.mtx").exists():
        return
    cells = scipy.sparse.random(50_000, 2_000, 0.05, "csr", np.float32, random_state=0)
    cells.data = np.ceil(-3 * np.log1p(-cells.data)) + 1
    data = anndata.AnnData(cells)
    data.write(folder / "cells.h5ad")
    data.write(folder / "cells_gzip.h5ad", compression="gzip")
    scipy.sparse.save_npz(folder / "cells.npz", cells)
    scipy.io.mmwrite(folder / "cells.mtx", cells.astype(int))


def best(name, run):
    times = []
    for _ in range(3):
        cpu, wall = time.process_time(), time.perf_counter()
        run()
        times.append((time.process_time() - cpu, time.perf_counter() - wall))
    cpu, wall = (min(column) for column in zip(*times))
    print(f"{'':21} {cpu:10.3f} {wall:10.3f}  {name}", flush=True)


def variances(x):
    square = x.copy()
    square.data **= 2
    return np.asarray(square.mean(0)) - np.asarray(x.mean(0)) ** 2


def tables(folder):
    import pandas as pd
    import pyarrow.parquet as pq

    make(folder)
    best("pandas.read_csv", lambda: pd.read_csv(folder / "a.csv"))
    best("numpy.load", lambda: np.load(folder / "big.npy"))
    best("pyarrow to pandas", lambda: pq.read_table(folder / "big.parquet").to_pandas())
    return ["a.csv", "big.npy", "big.parquet"]


def cells(folder):
    import anndata
    import scipy.io
    import scipy.sparse

    make_sparse(folder)
    names = ["cells.h5ad", "cells_gzip.h5ad", "cells.npz", "cells.mtx"]
    readers = [anndata.read_h5ad, anndata.read_h5ad, scipy.sparse.load_npz, scipy.io.mmread]
    for name, read in zip(names, readers):
        best(f"{read.__module__.split('.')[0]}.{read.__name__} {name}", lambda: read(folder / name))
    # Features are wanted by column, with their statistics: what our reader hands out too.
    best("the first, then X.tocsc() and the variances", lambda: variances(anndata.read_h5ad(folder / names[0]).X.tocsc()))
    return names


def main():
    arguments = [a for a in sys.argv[1:] if a != "--sparse"]
    folder = pathlib.Path(arguments[0]) if arguments else pathlib.Path(tempfile.mkdtemp())
    names = cells(folder) if "--sparse" in sys.argv else tables(folder)
    files = [str(folder / name) for name in names]
    command = ["cargo", "bench", "-q", "--workspace", "--bench", "reading", "--", *files]
    subprocess.run(command, check=True)


main()
