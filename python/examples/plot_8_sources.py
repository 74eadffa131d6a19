"""
Many sources of knowledge
=========================

Thirty patients, the expression of forty genes, and six more sources: measurements of miRNA, where and when
the samples were taken, pathways, interactions and annotations of genes. One of them misleads. Weights are
learned from fifteen diagnoses.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

import fiedler
from fiedler import sources

# The folder ``examples/fuse`` of the repository.
above = [Path.cwd(), *Path.cwd().parents]
here = next(folder / "examples" / "fuse" for folder in above if (folder / "examples" / "fuse").exists())


def column(name: str) -> pd.Series:
    """A column of a table, by patient."""
    return pd.read_csv(here / name, sep="\t", index_col=0).iloc[:, 0]


expression = pd.read_csv(here / "expression.csv", index_col=0)
diagnosis = expression.pop("class")
pathways = {line.split("\t")[0]: line.split("\t")[2:] for line in (here / "pathways.gmt").read_text().splitlines()}
edges = [line.split()[::2] for line in (here / "interactions.sif").read_text().splitlines()]

# %%
# Samples are matched by the index of the frames, genes by name.

known = {
    "expression": sources.Target("rbf"),
    "miRNA": sources.Data(pd.read_csv(here / "mirna.csv", index_col=0), n_neighbors=6),
    "site": sources.Hierarchy(column("sites.tsv")),
    "day": sources.Labels(column("days.tsv")),
    "pathways": sources.Sets(pathways, "rbf"),
    "interactions": sources.Network(edges),
}
found = fiedler.fuse(expression, known, diagnosis, weights="aligned")
found

# %%
# The day of measurement agrees with nothing that matters, and gets no weight. What each source alone would
# have found: the first eight genes are those that matter in truth.

truth = {f"GENE{i:02d}" for i in range(1, 9)}
hits = {share["name"]: len(truth & set(alone.top(8))) for share, alone in zip(found.shares, found.alone(), strict=True)}
hits["all, equal"] = len(truth & set(fiedler.fuse(expression, known, diagnosis).findings.top(8)))
hits["all, learned"] = len(truth & set(found.findings.top(8)))
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 3.4), layout="constrained")
fiedler.plot.shares(found, left)
colors = ["0.75"] * len(known) + [fiedler.plot.ACCENT] * 2
right.barh(list(hits)[::-1], list(hits.values())[::-1], color=colors[::-1])
right.set(xlabel="true genes among the first eight", xlim=(0, 8))
fig.show()

# %%
# As an estimator, for pipelines and searches.

selector = fiedler.MultiSource(8, sources=known, weights="aligned").fit(expression, diagnosis)
selector.get_feature_names_out()
