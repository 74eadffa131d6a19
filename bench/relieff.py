"""ReliefF: fiedler beside scikit-feature, in one run, one thread, CPU seconds.

    python bench/relieff.py DATA.mat [NEIGHBORS]      (needs numpy, scipy, skfeature-chappers)

DATA.mat has X and Y, as the data sets of scikit-feature do.
"""
import os
import subprocess
import sys
import tempfile
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
import numpy as np
import scipy.io
from skfeature.function.similarity_based.reliefF import reliefF

path, neighbors = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
mat = scipy.io.loadmat(path)
X, y = mat["X"], mat["Y"].ravel()
X = np.asarray(X.todense() if hasattr(X, "todense") else X, float)
n, m = X.shape
with tempfile.NamedTemporaryFile(suffix=".f64") as file:
    file.write(np.asarray(X, "<f8").tobytes("F") + y.astype("<f8").tobytes())
    file.flush()
    cargo = ["cargo", "bench", "--quiet", "--package", "fiedler", "--bench", "relieff", "--"]
    run = subprocess.run([*cargo, file.name, f"{n}x{m}", str(neighbors)], capture_output=True, text=True, check=True)
ours = dict(line.split() for line in run.stdout.splitlines()[1:])
start = time.process_time()
reliefF(X, y, mode="raw", k=neighbors)
theirs = time.process_time() - start
print("| data | samples x features | scikit-feature, s | fiedler, s | ratio |\n|---|---|---|---|---|")
for kind, seconds in ours.items():
    print(f"| {os.path.basename(path)}, {kind} | {n} x {m} | {theirs:.2f} | {seconds} | {theirs / float(seconds):.0f} |")
