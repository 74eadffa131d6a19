"""Every method on the papers' data at 20, 50, 100 and 200 features, beside random selection: the tables of docs/choosing.md.

    FIEDLER_DATA=folder/of/mat/files python bench/choosing.py RESULTS [PROGRAM]

RESULTS is a folder: what is there already is not computed again. PROGRAM is `fiedler` unless said. Halves ten times,
selection and scaling on the training half alone, accuracy of the nearest neighbor. It takes an hour or so on one core.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

COUNTS = [20, 50, 100, 200]
SMALL = ["lung_small", "colon", "TOX-171", "warpPIE10P", "warpAR10P", "pixraw10P", "orlraws10P"]
TEXT = ["RELATHE", "PCMAC", "BASEHOCK"]
UNSUPERVISED = ["mrsf", "laplacian", "spec", "trace-ratio", "mcfs", "path-spca", "variance"]
# Samples² or samples³ times features: not for the thousand samples of a half of a text.
SLOW = ["evsc", "entropy"]
SUPERVISED = ["mrsf", "fisher", "relieff", "relief-spec", "trace-ratio", "hsic", "mrmr", "arom-svm"]

folder, program = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "fiedler"
folder.mkdir(exist_ok=True)


def judged(name, kind, methods, options):
    path = folder / f"{name}.{kind}.json"
    if not path.exists():
        data = os.path.join(os.environ["FIEDLER_DATA"], name + ".mat")
        counts = ",".join(map(str, COUNTS))
        command = [program, "evaluate", data, "--methods", ",".join(methods), "--counts", counts]
        run = subprocess.run(command + options + ["--format", "json", "--quiet"], capture_output=True, text=True)
        if run.returncode:
            print(f"{name}, {kind}: {run.stderr.strip()}", file=sys.stderr)
            return {}
        path.write_text(run.stdout)
    return {c["name"]: c for c in json.loads(path.read_text())["tables"][0]["curves"] if c["kind"] != "worst"}


def at(curve, count):
    return next((p for p in curve["points"] if p["count"] == count), None) if curve else None


def table(title, results, methods):
    print(f"\n{title}\n")
    print("| method | " + " | ".join(f"{c}: above random | points" for c in COUNTS) + " | among the best |")
    print("|---|" + "---|" * (2 * len(COUNTS) + 1))
    for method in methods:
        cells, best, lines = [], 0, 0
        for count in COUNTS:
            pairs = [(at(r.get(method), count), at(r.get("random"), count)) for r in results.values()]
            pairs = [(a, b) for a, b in pairs if a and b]
            over = [100 * (a["mean"] - b["mean"]) for a, b in pairs]
            best += sum(a["not_worse"] for a, _ in pairs)
            lines += len(pairs)
            cells.append(f"{sum(o > 0 for o in over)} of {len(over)} | {sum(over) / max(len(over), 1):+.1f}")
        print(f"| `{method}` | " + " | ".join(cells) + f" | {best} of {lines} |", flush=True)
    print("\n| data | " + " | ".join(methods) + " | random | all |")
    print("|---|" + "---|" * (len(methods) + 2))
    for name, result in results.items():
        cells = []
        for method in methods + ["random"]:
            points = [at(result.get(method), c) for c in COUNTS]
            cells.append(" ".join(f"{p['mean']:.2f}"[1:] + "*" * p["not_worse"] if p else "–" for p in points))
        everything = result.get("all features") or next((c for c in result.values() if c["kind"] == "all"), None)
        cells.append(f"{everything['points'][0]['mean']:.2f}"[1:] if everything else "–")
        print(f"| {name} | " + " | ".join(cells) + " |")


without = {n: judged(n, "unsupervised", UNSUPERVISED + (SLOW if n in SMALL else []), []) for n in SMALL + TEXT}
table("Without labels", without, UNSUPERVISED + SLOW)
options = ["--set", "targets=labels", "--set", "type=fisher"]
with_labels = {n: judged(n, "supervised", SUPERVISED, options) for n in SMALL + TEXT}
table("With labels", with_labels, SUPERVISED)
