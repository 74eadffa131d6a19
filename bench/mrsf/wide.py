"""m = 100,000 features, n = 500 samples, 20 targets: time and memory of the path to 100 features.

    python bench/mrsf/wide.py [N M COUNT]

Fifty hidden factors, each seen by features of its neighborhood with noise; the targets are mixtures of twenty of them.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from run import binary

n, m, count = map(int, sys.argv[1:4]) if len(sys.argv) > 3 else (500, 100_000, 100)
rng = np.random.default_rng(0)
factors = rng.normal(size=(n, 50))
targets = factors[:, :20] @ rng.normal(size=(20, 20)) + 0.3 * rng.normal(size=(n, 20))
with tempfile.TemporaryDirectory() as folder:
    x, y = os.path.join(folder, "X.f64"), os.path.join(folder, "Y.f64")
    with open(x, "wb") as file:
        for start in range(0, m, 1000):
            block = factors @ (rng.normal(size=(50, 1000)) * (rng.random((50, 1000)) < 0.05)) + rng.normal(size=(n, 1000))
            np.ascontiguousarray(block.T[: m - start]).tofile(file)
    targets.tofile(y)
    program = binary()
    command = [program, x, str(n), y, "20", "path", str(count)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
answer = found["answer"]
print(f"{n} x {m}: {answer['active']} features ({answer['end']}), {found['seconds']:.1f} s, {found['cpu_seconds']:.1f} CPU s, "
      f"worst gap {answer['worst_gap']:.1e}, peak {found['peak_kib'] * 1024 / (8 * n * m):.2f}x the data")
