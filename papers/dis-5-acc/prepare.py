# /// script
# requires-python = ">=3.11"
# dependencies = ["rdata==1.1.0"]
# ///
"""Write a public study of human tumors as the files that `fiedler reproduce dis-5-acc` reads.

Two Debian packages hold it: 79 adrenocortical carcinomas of The Cancer Genome Atlas with expression and microRNA
(`miniACC` of r-bioc-multiassayexperiment), and what is known of human genes: ontology, pathways (r-bioc-org.hs.eg.db).

    apt-get download r-bioc-multiassayexperiment r-bioc-org.hs.eg.db
    for package in *.deb; do dpkg-deb -x "$package" packages; done
    pip install rdata==1.1.0
    python papers/dis-5-acc/prepare.py packages DATA
    fiedler reproduce dis-5-acc --data DATA

DATA is the folder of all data sets of the papers (`FIEDLER_DATA`); the files go to `dis-5-acc` in it. The versions that the page was
made of: r-bioc-multiassayexperiment 1.24.0, r-bioc-org.hs.eg.db 3.16.0, rdata 1.1.0.

Nothing of it is chosen by what comes out: the classes are two that no source was made of (methylation, survival), and
the coefficients are those of the chapter.
"""

import csv
import math
import sqlite3
import sys
from pathlib import Path

import rdata

# What the chapter calls its sources, and its two combinations of them (2C-DATA).
SOURCES = ["mRNA", "miRNA", "Function", "Pathway", "GO Terms"]
COMBINED = {"comb-1": [0.0, 0.5, 0.5, 0.0, 0.0], "comb-2": [0.1, 0.3, 0.3, 0.2, 0.1]}
# Genes of a function: growth of cell populations. Pathways of signals. Genes that are known: KEGG's pathways in cancer.
FUNCTIONS = ["GO:0008283"]
PATHWAYS = ["04010", "04012", "04110", "04115", "04150", "04310", "04350"]
CANCER = "05200"


def followed(item):
    """What a reference stands for."""
    while item is not None and item.info.type.name == "REF":
        item = item.referenced_object
    return item


def pairs(item):
    """The names and values of an R pair list."""
    item = followed(item)
    while item is not None and item.info.type.name == "LIST":
        tag = followed(item.tag)
        yield (tag.value.value.decode() if tag is not None else ""), followed(item.value[0])
        item = followed(item.value[1])


def slot(item, *names):
    """An attribute of an R object, of an attribute, and so on."""
    for name in names:
        item = dict(pairs(item.attributes))[name]
    return item


def texts(item):
    """An R vector of text."""
    return [None if cell.value is None else cell.value.decode() for cell in item.value]


def inside(item):
    """Everything that an R object holds directly."""
    kind = item.info.type.name
    if kind in ("VEC", "LIST"):
        yield from item.value
    elif kind == "ENV":
        yield from (part for part in (item.value.hash_table, item.value.frame) if part is not None)
    if item.attributes is not None:
        yield item.attributes


def matrix(item, seen):
    """The first matrix of numbers inside an R object."""
    item = followed(item)
    if item is None or id(item) in seen:
        return None
    seen.add(id(item))
    if item.info.type.name == "REAL" and item.attributes is not None and "dim" in dict(pairs(item.attributes)):
        return item
    return next((found for found in (matrix(part, seen) for part in inside(item)) if found is not None), None)


def assay(study, name):
    """An assay as {patient: {feature: log2(value + 1)}}; patients with two samples keep the first."""
    found = slot(study, "ExperimentList", "listData")
    values = matrix(slot(followed(found.value[texts(slot(found, "names")).index(name)]), "assays"), set())
    features, samples = (texts(followed(part)) for part in slot(values, "dimnames").value)
    numbers = values.value.reshape(len(samples), len(features))
    table = {}
    for sample, row in zip(samples, numbers, strict=True):
        # TCGA-OR-A5J1-01A-…: the patient, and 01 for a primary tumor.
        table.setdefault(sample[:12], {f: math.log2(v + 1) for f, v in zip(features, row, strict=True)})
    return table


def clinical(study, name):
    """A column of the table of patients."""
    data = slot(study, "colData", "listData")
    column = followed(data.value[texts(slot(data, "names")).index(name)])
    values = texts(column) if column.info.type.name == "STR" else [int(v) for v in column.value]
    return dict(zip(texts(slot(study, "colData", "rownames")), values, strict=True))


def write_table(path, samples, table, classes=None):
    """Samples × features, with the classes after the names."""
    features = list(next(iter(table.values())))
    with path.open("w", newline="") as out:
        lines = csv.writer(out)
        lines.writerow(["sample", *(["class"] if classes else []), *features])
        for sample in samples:
            values = [f"{table[sample][feature]:.6g}" for feature in features]
            lines.writerow([sample, *([classes[sample]] if classes else []), *values])


def genes_of(known, table, column, wanted):
    """The symbols of genes that have one of some terms."""
    marks = ",".join("?" * len(wanted))
    query = f"select distinct symbol from {table} join gene_info using (_id) where {column} in ({marks})"
    return {symbol for (symbol,) in known.execute(query, wanted)}


def configuration(weights, how="given"):
    """SPEC with φ2 on the sum of graphs, as a file of `fiedler fuse`."""
    text = f'method = "spec"\nset = {{ phi = 2 }}\nweights = "{how}"\n'
    text += '[target]\nfile = "expression.csv"\nlabel = "class"\n'
    kinds = {
        "mRNA": 'kind = "target"\ngraph = "rbf"\n',
        "miRNA": 'kind = "data"\nfile = "mirna.csv"\ngraph = "rbf"\n',
        "Function": 'kind = "sets"\nfile = "function.txt"\ngraph = "rbf"\n',
        "Pathway": 'kind = "sets"\nfile = "pathway.txt"\ngraph = "rbf"\n',
        "GO Terms": 'kind = "annotations"\nfile = "terms.tsv"\n',
    }
    for source, weight in zip(SOURCES, weights, strict=True):
        if weight > 0:
            text += f'[[source]]\nname = "{source}"\n{kinds[source]}'
            text += f"weight = {weight}\n" if how == "given" else ""
    return text


def write_configurations(out):
    """Every source alone, the chapter's combinations, and coefficients that are learned from the classes."""
    for at, source in enumerate(SOURCES):
        alone = [float(at == other) for other in range(len(SOURCES))]
        (out / f"{source.split()[0].lower()}.toml").write_text(configuration(alone))
    for name, weights in COMBINED.items():
        (out / f"{name}.toml").write_text(configuration(weights))
    (out / "aligned.toml").write_text(configuration([1.0] * len(SOURCES), "aligned"))


def write_knowledge(out, known, genes):
    """What is known of the genes: lists, and the terms of each."""
    lists = {
        "function": genes_of(known, "go_bp_all", "go_id", FUNCTIONS),
        "pathway": genes_of(known, "kegg", "path_id", PATHWAYS),
        "known": genes_of(known, "kegg", "path_id", [CANCER]),
    }
    for name, found in lists.items():
        (out / f"{name}.txt").write_text("".join(f"{gene}\n" for gene in genes if gene in found))
    query = "select distinct symbol, go_id from go_bp join gene_info using (_id) order by symbol, go_id"
    with (out / "terms.tsv").open("w") as file:
        file.writelines(f"{symbol}\t{term}\n" for symbol, term in known.execute(query) if symbol in genes)
    return {name: sum(gene in found for gene in genes) for name, found in lists.items()}


def main(packages, out):
    """Reads the packages, writes the study: a folder for each way to part the tumors."""
    study = dict(pairs(rdata.parser.parse_file(next(packages.rglob("miniACC.RData"))).object))["miniACC"]
    known = sqlite3.connect(next(packages.rglob("org.Hs.eg.sqlite")))
    expression, micro = assay(study, "RNASeq2GeneNorm"), assay(study, "miRNASeqGene")
    survival = {p: ["alive", "dead"][value] for p, value in clinical(study, "vital_status").items()}
    for name, classes in [("methylation", clinical(study, "MethyLevel")), ("survival", survival)]:
        folder = out / "dis-5-acc" / name
        folder.mkdir(parents=True, exist_ok=True)
        samples = [p for p in expression if p in micro and classes.get(p) is not None]
        write_table(folder / "expression.csv", samples, expression, classes)
        write_table(folder / "mirna.csv", samples, micro)
        genes = dict.fromkeys(expression[samples[0]])
        sizes = write_knowledge(folder, known, genes)
        write_configurations(folder)
        print(f"{name}: {len(samples)} tumors, {len(genes)} genes, {len(micro[samples[0]])} microRNA; {sizes}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: prepare.py PACKAGES DATA (the folder of the unpacked packages, that of the data sets)")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
