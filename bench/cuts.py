"""The four cut values by which `sselect` chooses λ, beside each other.

    FIEDLER_DATA=folder/of/mat/files python bench/cuts.py [PROGRAM]

PROGRAM is `fiedler` unless said. Two labels a class are known to the method, λ is `auto`, and the accuracy of the nearest
neighbor with 50 features is a mean over ten halves, in percent. The last column is the largest difference of two cuts.
"""

import json
import os
import subprocess
import sys

DATA = ["colon", "TOX-171", "warpPIE10P", "warpAR10P", "orlraws10P"]
CUTS = ["eigenvalue", "normalized", "ratio", "min-max"]

program = sys.argv[1] if len(sys.argv) > 1 else "fiedler"
print("| data | " + " | ".join(CUTS) + " | random | apart |")
print("|---|" + "---|" * (len(CUTS) + 2))
for name in DATA:
    data = os.path.join(os.environ["FIEDLER_DATA"], name + ".mat")
    options = ["--set", "lambda=auto", "--vary", "cut=" + ",".join(CUTS), "--labeled", "2", "--counts", "50"]
    command = [program, "evaluate", data, "-m", "sselect", *options, "--format", "json", "--quiet"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{name}: {run.stderr.strip()}")
    curves = json.loads(run.stdout)["tables"][0]["curves"]
    by_cut = {c["variant"]["values"]["cut"]: c for c in curves if c["variant"]}
    random = next(c for c in curves if c["kind"] == "random")
    found = [100 * curve["points"][0]["mean"] for curve in [*map(by_cut.get, CUTS), random]]
    apart = max(found[:-1]) - min(found[:-1])
    print(f"| {name} | " + " | ".join(f"{v:.1f}" for v in found) + f" | {apart:.1f} |", flush=True)
