"""The whole command `fiedler rank DATA.mat`, start to end, beside a Python that reads the file, builds the same kNN graph
and scores by scikit-feature: CPU seconds, the best of three, in one run, one thread.

    FIEDLER_DATA=folder/of/mat/files python bench/command.py [NAME] [PROGRAM]     (needs scipy, skfeature-chappers)
"""
import os
import resource
import subprocess
import sys

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
name, program = (sys.argv[1:] + ["BASEHOCK"])[0], sys.argv[2] if len(sys.argv) > 2 else "target/release/fiedler"
path = os.path.join(os.environ["FIEDLER_DATA"], name + ".mat")
python = f"""
import numpy as np, scipy.io
from skfeature.function.similarity_based import lap_score
from skfeature.utility import construct_W
X = scipy.io.loadmat({path!r})["X"]
X = np.asarray(X.todense() if hasattr(X, "todense") else X, float)
spread = X.std(0)
X = (X - X.mean(0)) / np.where(spread > 0, spread, 1)
W = construct_W.construct_W(X, metric="euclidean", neighbor_mode="knn", weight_mode="heat_kernel", k=5, t=float(X.shape[1]))
print(np.argsort(lap_score.lap_score(X, W=W))[:20])
"""


def best(command):
    seconds = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(seconds)


ours = best([program, "rank", path, "--label", "Y", "--method", "laplacian", "--quiet"])
theirs = best([sys.executable, "-c", python])
print(f"| data | Python with scikit-feature, s | fiedler, s | ratio |\n|---|---|---|---|\n| {name} | {theirs:.2f} | {ours:.2f} | {theirs / ours:.0f} |")
