"""Out of core in features: a file that is larger than the memory it may take, against the same file held in memory and against the
matrix product that the work cannot do without.

    python bench/scale.py [--samples 1000] [--features 1000000] [--memory 1GB] [--folder DIR] [--program fiedler] [--only rank,mrsf]

Makes a row-major (C) and a column-major (Fortran) NPY file of float32, ranks each by Laplacian score with --memory, and removes them.
Peak memory is what the system counted (`os.wait4`), so pages of files would count. The limit is XXᵀ in single precision by NumPy's
BLAS on the same cores: one triangle of it, n²m/2 multiplications and additions.

Before every command its file is read and as much is written and removed: a virtual machine gets memory that it has not used for a while
from its host, at a tenth of the speed of memory that it has (`dd` twice in a row shows it), and that is not what is to be measured.
"""

import argparse
import multiprocessing
import os
import tempfile
import time
from pathlib import Path

import numpy as np
from process import run


def make(path, samples, features, order):
    """Four clusters in the first 1,000 features, noise elsewhere; written a piece at a time."""
    X = np.lib.format.open_memmap(path, "w+", np.float32, (samples, features), fortran_order=order == "F")
    rng = np.random.default_rng(0)
    clusters = rng.normal(size=(4, 1000)).astype(np.float32)
    step = 20_000
    for start in range(0, features, step):
        width = min(step, features - start)
        block = rng.standard_normal((samples, width), dtype=np.float32)
        if start == 0:
            block[:, : min(1000, width)] += clusters[np.arange(samples) % 4][:, :width]
        X[:, start : start + width] = block
    X.flush()


def product(samples, features):
    """Seconds that one triangle of XXᵀ takes, piece after piece for as long as it is: a moment alone would be luck on a machine that
    others use too. The pieces are made before the clock runs.

    NumPy knows X @ X.T as a product with itself and has BLAS compute one triangle (ssyrk).
    """
    width = min(features, 20_000)
    X = np.random.default_rng(0).standard_normal((samples, width), dtype=np.float32)
    X @ X.T
    start = time.perf_counter()
    for _ in range(features // width):
        X @ X.T
    return (time.perf_counter() - start) * features / (features // width * width)


def settle(path):
    """The file in the memory of the system, and as much memory beside it for a copy."""
    beside = path.with_suffix(".warm")
    with open(path, "rb") as file, open(beside, "wb") as copy:
        while piece := file.read(1 << 24):
            copy.write(piece)
    beside.unlink()


def apart(work, *arguments):
    """In a process of its own: the system counts the memory of whoever starts a command as that of the command."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--samples", type=int, default=1000)
    arguments.add_argument("--features", type=int, default=1_000_000)
    arguments.add_argument("--memory", default="1GB")
    arguments.add_argument("--folder", default=None)
    arguments.add_argument("--program", default="fiedler")
    arguments.add_argument("--only", default="rank", help="rank, memory (the same in memory), mrsf; separated by commas")
    given = arguments.parse_args()
    questions = {
        "rank": ["rank", "-m", "laplacian", "--memory", given.memory],
        "memory": ["rank", "-m", "laplacian", "--memory", "100GB"],
        "mrsf": ["rank", "-m", "mrsf", "--set", "count=100", "--memory", given.memory],
    }
    limit = apart(product, given.samples, given.features)
    print(f"{given.samples:,} x {given.features:,} float32, {given.samples * given.features * 4 / 1e9:.1f} GB; "
          f"{os.cpu_count()} cores; limit of the matrix product {limit:.1f} s")
    print(f"{'order':7}{'what':9}{'wall s':>9}{'CPU s':>9}{'peak MB':>9}{'limit/wall':>12}")
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        answers = {}
        for order in "CF":
            path = Path(folder) / f"{order}.npy"
            apart(make, path, given.samples, given.features, order)
            for name in given.only.split(","):
                _, *options = questions[name]
                command = [given.program, "rank", str(path), *options, "--top", "20", "--format", "csv", "-q"]
                apart(settle, path)
                done = run(command)
                if done.code:
                    raise SystemExit(f"{' '.join(command)}: {done.told}")
                print(f"{order:7}{name:9}{done.wall:9.1f}{done.cpu:9.1f}{done.peak / 1e6:9.0f}{limit / done.wall:12.2f}", flush=True)
                answers.setdefault("mrsf" if name == "mrsf" else "rank", set()).add(done.printed)
            path.unlink()
    assert all(len(printed) == 1 for printed in answers.values()), "the same bits in both orders, from disk and from memory"


if __name__ == "__main__":
    main()
