"""Two workers beside one: the Laplacian score of a Dask array, by worker processes over TCP on this machine.

    python bench/cluster.py [SAMPLES FEATURES RUNS]        (needs fiedler[cluster]; 1000 200000 3 otherwise)

The array is drawn by the workers in blocks of columns before the clock starts, so that what is timed is the whole job:
shares, graph, scores, gathering, ranking. Wall seconds, and CPU seconds of the busiest worker and of this process (it
runs the scheduler too); other work on the machine stretches the former only. The least of all runs each. `one machine`
is fiedler.rank on the same numbers in memory. Scores must be the same to the bit.
"""
import os
import sys
import time
import warnings

import dask
import dask.array as da
import numpy as np
from distributed import Client, LocalCluster, wait

import fiedler

warnings.simplefilter("ignore")
BLOCK = 4096


def drawn(number, shape):
    """A block of columns; a few of them part the samples."""
    X = np.random.default_rng(number).standard_normal(shape, dtype=np.float32)
    X[: shape[0] // 2, :40] += 2
    return X


def blocks(n, m):
    """The whole array, lazy."""
    shapes = [(n, min(BLOCK, m - first)) for first in range(0, m, BLOCK)]
    draw = dask.delayed(drawn)
    return da.concatenate([da.from_delayed(draw(at, s), s, np.float32) for at, s in enumerate(shapes)], axis=1)


def timed(call, runs, workers=dict):
    """The least wall time, CPU time of the busiest worker and of this process of all runs, and the answer."""
    least = [float("inf")] * 3
    for _ in range(runs):
        before, own, begun = workers(), time.process_time(), time.perf_counter()
        found = call()
        wall, own, after = time.perf_counter() - begun, time.process_time() - own, workers()
        busiest = max((after[name] - before[name] for name in before), default=0.0)
        least = [min(pair) for pair in zip(least, (wall, busiest, own), strict=True)]
    return least, found


def by_workers(count, n, m, runs):
    """The job by so many worker processes of one thread."""
    said = {"processes": True, "host": "127.0.0.1", "protocol": "tcp", "dashboard_address": None, "memory_limit": 0}
    with LocalCluster(n_workers=count, threads_per_worker=1, **said) as cluster, Client(cluster) as client:
        X = blocks(n, m).persist()
        wait(X)
        return timed(
            lambda: fiedler.cluster.rank(X, client=client),
            runs,
            lambda: client.run(time.process_time),
        )


def main():
    """Runs all, and prints the table."""
    given = [int(text) for text in sys.argv[1:]]
    n, m, runs = given + [1000, 200_000, 3][len(given) :]
    rows, scores = [], []
    for count in (1, 2):
        times, found = by_workers(count, n, m, runs)
        rows.append((f"{count} worker{'s' if count > 1 else ''}", *times))
        scores.append(found.scores)
    X = blocks(n, m).compute(scheduler="synchronous")
    for threads in (1, 2):
        times, found = timed(lambda threads=threads: fiedler.rank(X, n_jobs=threads), runs)
        rows.append((f"one machine, {threads} thread{'s' if threads > 1 else ''}", *times))
        scores.append(found.scores)
    for other in scores[1:]:
        np.testing.assert_array_equal(other, scores[0])
    print(f"Laplacian score, {n:,} × {m:,} f32, {os.cpu_count()} cores\n")
    print("| who | wall s | against one worker | CPU s, busiest worker | CPU s, this process |\n|---|---|---|---|---|")
    for name, wall, busiest, own in rows:
        print(f"| {name} | {wall:.2f} | {rows[0][1] / wall:.2f} | {busiest:.2f} | {own:.2f} |")


if __name__ == "__main__":
    main()
