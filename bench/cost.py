"""What a ranking costs, beyond what can be measured here: a cost model, fitted to runs, and a simulator that makes the tables of
docs/scale.md.

    python bench/cost.py [--program fiedler] [--quick] [--write docs/scale.md]

Measures the CPU seconds of the Laplacian score on a grid of sizes (`os.wait4`), fits the constants of the model by least squares with no
constant below 0, prints predicted beside measured, and predicts sizes and workers that are not at hand. With --write the part of the page
between its two marks is replaced.

The model, with n samples and m features in single precision:

    pairs        a n² m       products of all pairs of samples, one triangle
    columns      b n m        a look at every column, exact distances, scores; unpacking what was read
    neighbors    c n²         the nearest among all pairs
    many         d n m log2 n the approximate search, where n is too large for all pairs
    start        e            starting the program

    one machine  wall = max(CPU / cores, passes · 4nm / disk)
    k workers    wall = max((pairs + columns) / (k · cores), passes · 4nm / (k · disk)) + neighbors / cores
                        + (4n² + 8m) / network          sums of all pairs from every worker, added as they come; scores
                        + 12 · NEIGHBORS · n · log2(k + 1) / network       the graph to every worker

    passes       1 where the data stay in memory once they are read; else the look, exact distances and scores, and one for
                 every batch of sums over all pairs, 8 bytes each with what is added to them

Beyond SHARED samples workers do not make sums of pairs: columns come to one machine, which searches. The approximate search has to
hold the data, and is taken for at most HELD numbers.
"""

import argparse
import math
import os
import platform
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.optimize import nnls

MEMORY = 16e9  # bytes that a machine keeps of a file
BATCH = 128 * 2**20  # bytes of sums that are made in one pass
SHARED = 10_000  # samples; see MOST_SAMPLES in afar/mod.rs
HELD = 250e6  # numbers; see docs/scale.md
NEIGHBORS = 5
DISK = 500e6  # bytes a second, a common solid-state disk
NETWORK = 1.25e9  # bytes a second, ten gigabits
CORES = 2
MARKS = ("<!-- made by bench/cost.py -->", "<!-- end -->")

WIDE = [(200, 20_000), (500, 20_000), (500, 100_000), (1000, 20_000), (1000, 100_000), (2000, 20_000), (2000, 50_000), (4000, 5_000), (4000, 20_000)]
MANY = [(50_000, 50), (100_000, 50), (200_000, 50)]


def make(path, n, m):
    """Points in eight clusters; written a piece at a time."""
    X = np.lib.format.open_memmap(path, "w+", np.float32, (n, m), fortran_order=True)
    rng = np.random.default_rng(0)
    cluster = rng.integers(8, size=n)
    for start in range(0, m, 1000):
        width = min(1000, m - start)
        centers = rng.normal(size=(8, width)).astype(np.float32)
        X[:, start : start + width] = centers[cluster] + 0.7 * rng.standard_normal((n, width), dtype=np.float32)
    X.flush()


def cpu(program, path, *options):
    """CPU seconds of a ranking, the smaller of two."""
    command = [program, "rank", str(path), "-m", "laplacian", "--top", "5", "--format", "csv", "-q", *options]

    def once():
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status):
            raise SystemExit(f"{' '.join(command)} failed")
        return usage.ru_utime + usage.ru_stime

    return min(once(), once())


def terms(n, m):
    """What the constants of the wide model are multiplied by."""
    return [n * n * m / 2, n * m, n * n, 1.0]


def fit(rows):
    """Constants that are not below 0, by relative errors: the small runs count as much as the large ones."""
    A = np.array([terms(n, m) for n, m, _ in rows])
    y = np.array([seconds for *_, seconds in rows])
    found, _ = nnls(A / y[:, None], np.ones(len(y)))
    return found


def measure(program, sizes, folder, *options):
    rows = []
    for n, m in sizes:
        path = Path(folder) / "data.npy"
        make(path, n, m)
        rows.append((n, m, cpu(program, path, *options)))
        path.unlink()
        print(f"  {n:>9,} x {m:>9,}  {rows[-1][2]:8.2f} CPU s", flush=True)
    return rows


class Model:
    """The constants, and what they predict."""

    def __init__(self, wide, many):
        self.a, self.b, self.c, self.e = fit(wide)
        self.d = float(np.median([s / (n * m * math.log2(n)) for n, m, s in many]))

    def parts(self, n, m, workers=1):
        """CPU seconds that can be shared, those that cannot, and the way."""
        pairs, columns, neighbors = self.a * n * n * m / 2, self.b * n * m, self.c * n * n
        many = self.d * n * m * math.log2(max(n, 2))
        if many < pairs + neighbors and n > 20_000 and n * m <= HELD:
            return columns, many + self.e, "approximate"
        if workers > 1 and n > SHARED:
            return columns, pairs + neighbors + self.e, "all pairs"
        return pairs + columns, neighbors + self.e, "all pairs"

    def cpu(self, n, m):
        shared, alone, _ = self.parts(n, m)
        return shared + alone

    def wall(self, n, m, workers=1):
        """Seconds, and what takes most of them."""
        shared, alone, way = self.parts(n, m, workers)
        batches = math.ceil(4 * n * n / BATCH) if way == "all pairs" else 1
        elsewhere = workers > 1 and n > SHARED  # than where the columns are
        passes = 1 if 4 * n * m <= MEMORY * workers else 3 + (0 if elsewhere else batches)
        disk = passes * 4 * n * m / DISK / workers
        work = shared / CORES / workers
        steps = {"disk": disk if disk > work else 0, "arithmetic": work if work >= disk else 0}
        steps["graph"] = alone / CORES
        if workers > 1:
            sent = (1 + batches) * 4 * n * m if elsewhere else 4 * n * n
            steps["network"] = (sent + 8 * m + 12 * NEIGHBORS * n * math.log2(workers + 1)) / NETWORK
        return sum(steps.values()), max(steps, key=steps.get)


def seconds(s):
    """For people."""
    if s < 100:
        return f"{s:.2g} s" if s < 10 else f"{s:.0f} s"
    return f"{s / 60:.0f} min" if s < 6000 else f"{s / 3600:.0f} h" if s < 2e5 else f"{s / 86400:.0f} days"


def page(model, wide, many):
    """The part of the page that is made."""
    lines = [
        f"Fitted on {platform.machine()}, {time.strftime('%Y-%m-%d')}: products of all pairs {2e-9 / model.a:.1f} billion operations a second and core; "
        f"{model.b * 1e9:.1f} ns for every value; {model.c * 1e9:.0f} ns for every pair of samples; the approximate search "
        f"{model.d * 1e9:.2f} ns · log2 n for every value; {model.e * 1e3:.0f} ms to start.",
        "The approximate search was asked for (`--approximate`): the points fill 50 dimensions, the hardest case for it.",
        "",
        "| samples × features | measured, CPU s | predicted | way |",
        "|---|---|---|---|",
    ]
    for n, m, measured in [*wide, *many]:
        lines.append(f"| {n:,} × {m:,} | {measured:.2f} | {model.cpu(n, m):.2f} | {model.parts(n, m)[2]} |")
    lines += [
        "",
        f"Predicted time on the clock: {CORES} cores a machine; data on a disk of {DISK / 1e6:.0f} MB/s, of which a machine keeps "
        f"{MEMORY / 1e9:.0f} GB; workers joined by {NETWORK * 8 / 1e9:.0f} gigabits. In parentheses what most of it is.",
        "",
        "| samples × features | data | 1 machine | 4 workers | 16 workers |",
        "|---|---|---|---|---|",
    ]
    for n in (1_000, 10_000, 100_000, 1_000_000):
        for m in (10_000, 100_000, 1_000_000, 10_000_000):
            if n * m > 1e12:
                continue
            cells = [f"{seconds(t)} ({why})" for t, why in (model.wall(n, m, k) for k in (1, 4, 16))]
            lines.append(f"| {n:,} × {m:,} | {4 * n * m / 1e9:,.1f} GB | {' | '.join(cells)} |")
    return "\n".join(lines)


def write(path, text):
    page = Path(path).read_text()
    before, rest = page.split(MARKS[0])
    _, after = rest.split(MARKS[1])
    Path(path).write_text(f"{before}{MARKS[0]}\n\n{text}\n\n{MARKS[1]}{after}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", default="fiedler")
    arguments.add_argument("--quick", action="store_true", help="a few small sizes, to try it out")
    arguments.add_argument("--write", metavar="PAGE")
    given = arguments.parse_args()
    wide, many = (WIDE[:2] + [(1000, 20_000), (2000, 5_000), (400, 500)], [(30_000, 20)]) if given.quick else (WIDE, MANY)
    with tempfile.TemporaryDirectory() as folder:
        print("measured:")
        wide = measure(given.program, wide, folder)
        many = measure(given.program, many, folder, "--approximate")
    text = page(Model(wide, many), wide, many)
    print(text)
    if given.write:
        write(given.write, text)


if __name__ == "__main__":
    main()
