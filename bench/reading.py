"""Reading files, beside pandas, NumPy and pyarrow. CPU seconds, best of three.

    python bench/reading.py [FOLDER]      (numpy, pandas, pyarrow; 2.3 GB of files are made in FOLDER)
"""

import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq


def make(folder):
    rng = np.random.default_rng(0)
    if not (folder / "a.csv").exists():
        names = [f"f{j}" for j in range(500)]
        pd.DataFrame(rng.standard_normal((5000, 500)), columns=names).to_csv(folder / "a.csv", index=False)
    if not (folder / "big.npy").exists():
        values = rng.standard_normal((125_000, 1000))
        np.save(folder / "big.npy", values)
        pq.write_table(pa.table({f"f{j}": values[:, j] for j in range(1000)}), folder / "big.parquet")


def best(run):
    times = []
    for _ in range(3):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(tempfile.mkdtemp())
    make(folder)
    print(f"pandas.read_csv   {best(lambda: pd.read_csv(folder / 'a.csv')):.3f}")
    print(f"numpy.load        {best(lambda: np.load(folder / 'big.npy')):.3f}")
    print(f"pyarrow to pandas {best(lambda: pq.read_table(folder / 'big.parquet').to_pandas()):.3f}")
    files = [str(folder / name) for name in ["a.csv", "big.npy", "big.parquet"]]
    subprocess.run(["cargo", "bench", "-q", "-p", "fiedler-io", "--bench", "reading", "--", *files], check=True)


main()
