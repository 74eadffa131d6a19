"""Makes the small data files of this folder. Plain Python, no packages: `python3 make.py`."""
import random

random.seed(5)
SAMPLES = [f"patient_{i:02d}" for i in range(1, 31)]
CLASSES = [("healthy", "tumour/early", "tumour/late")[i % 3] for i in range(30)]
DAYS = [random.choice("ABC") for _ in SAMPLES]
TRUE = [f"GENE{i:02d}" for i in range(1, 9)]
GENES = TRUE + [f"GENE{i:02d}" for i in range(9, 41)]


def follows(groups, strength):
    """A number per sample: a level of its own for every group, and noise."""
    level = {g: strength * random.choice((-1, 0, 1)) + random.gauss(0, 0.3) for g in sorted(set(groups))}
    while max(level.values()) - min(level.values()) < strength:
        level = {g: strength * random.choice((-1, 0, 1)) + random.gauss(0, 0.3) for g in sorted(set(groups))}
    return [level[g] + random.gauss(0, 1) for g in groups]


def table(path, corner, names, columns, extra=None, order=None):
    """Samples in rows, in the order `order`."""
    with open(path, "w") as out:
        out.write(",".join([corner, *names, *(["class"] if extra else [])]) + "\n")
        for i in order or range(len(SAMPLES)):
            cells = [f"{c[i]:.2f}" for c in columns]
            out.write(",".join([SAMPLES[i], *cells, *([extra[i]] if extra else [])]) + "\n")


expression = [follows(CLASSES, 1.0) for _ in TRUE]
expression += [follows(DAYS, 1.2) for _ in range(6)]
expression += [[random.gauss(0, 1) for _ in SAMPLES] for _ in range(26)]
# Only half of the samples have a label.
labels = [c.split("/")[0] if i < 15 else "" for i, c in enumerate(CLASSES)]
table("expression.csv", "sample", GENES, expression, labels)

# The second assay lists the patients in another order; names decide, not lines.
mirna = [follows(CLASSES, 1.6) for _ in range(6)] + [[random.gauss(0, 1) for _ in SAMPLES] for _ in range(4)]
shuffled = random.sample(range(30), 30)
table("mirna.csv", "sample", [f"miR-{i}" for i in range(1, 11)], mirna, order=shuffled)

# Where the sample was taken goes with the class most of the time.
SITES = {"healthy": "skin/arm", "tumour/early": "skin/back", "tumour/late": "lung/left"}
with open("sites.tsv", "w") as out:
    out.write("sample\tpath\n")
    for s, c in zip(SAMPLES, CLASSES):
        out.write(f"{s}\t{SITES[c if random.random() < 0.6 else random.choice(CLASSES)]}\n")
with open("days.tsv", "w") as out:
    out.write("sample\tclass\n")
    out.writelines(f"{s}\t{d}\n" for s, d in zip(SAMPLES, DAYS))
with open("pathways.gmt", "w") as out:
    out.write("GROWTH\tgenes of growth\t" + "\t".join(TRUE[:5] + GENES[20:23]) + "\n")
    out.write("REPAIR\tgenes of repair\t" + "\t".join(TRUE[4:] + GENES[30:32]) + "\n")
with open("interactions.sif", "w") as out:
    out.writelines(f"{a} activates {b}\n" for a, b in zip(TRUE, TRUE[1:]))
    for _ in range(12):
        a, b = random.sample(GENES, 2)
        out.write(f"{a} binds {b}\n")
with open("annotations.tsv", "w") as out:
    out.write("gene\tterm\n")
    out.writelines(f"{g}\tcell cycle\n" for g in TRUE)
    for g in GENES:
        out.write(f"{g}\tterm {random.randint(1, 12)}\n")
with open("known.txt", "w") as out:
    out.write("# genes that are known to matter\n" + "\n".join(TRUE) + "\n")

for number, known in enumerate((6, 5, 7), 1):
    good = random.sample(TRUE, known)
    rest = random.sample([g for g in GENES if g not in good], 14 - known)
    ranked = sorted(good + rest, key=lambda g: random.random() + (g not in good) * 0.6)
    with open(f"study_{number}.txt", "w") as out:
        out.write("# best first\n" + "\n".join(ranked) + "\n")

# Knowledge as public collections write it (knowledge.toml). A draw of its own, so that the files above stay as they are.
random.seed(6)
TERMS = {
    "EX:0001": ("process", []),
    "EX:0002": ("cell cycle", ["EX:0001"]),
    "EX:0003": ("G1 phase", ["EX:0002"]),
    "EX:0004": ("mitosis", ["EX:0002"]),
    "EX:0005": ("transport", ["EX:0001"]),
    "EX:0006": ("import", ["EX:0005"]),
    "EX:0007": ("export", ["EX:0005"]),
    "EX:0008": ("signaling", ["EX:0001"]),
    "EX:0009": ("growth", ["EX:0008", "EX:0002"]),
}
with open("terms.obo", "w") as out:
    out.write("format-version: 1.2\nontology: ex\n")
    for term, (name, parents) in TERMS.items():
        out.write(f"\n[Term]\nid: {term}\nname: {name}\n")
        out.writelines(f"is_a: {p} ! {TERMS[p][0]}\n" for p in parents)


def annotation(gene, term, evidence, qualifier="involved_in"):
    """A line of a GAF file."""
    cells = ["EX", f"id-{gene}", gene, qualifier, term, "PMID:1", evidence, "", "P", "", "", "protein", "taxon:9606"]
    return "\t".join([*cells, "20240101", "EX", "", ""]) + "\n"


with open("genes.gaf", "w") as out:
    out.write("!gaf-version: 2.2\n")
    for g in TRUE:
        out.write(annotation(g, random.choice(["EX:0003", "EX:0004", "EX:0009"]), "IDA"))
    for g in GENES[8:]:
        out.write(annotation(g, random.choice(["EX:0006", "EX:0007", "EX:0008"]), random.choice(["IDA", "IEA"])))
    out.write(annotation(GENES[12], "EX:0003", "IDA", "NOT|involved_in"))

with open("pathway.kgml", "w") as out:
    out.write('<?xml version="1.0"?>\n<pathway name="path:ex00001" org="ex" title="Growth">\n')
    for i, g in enumerate(TRUE[:6], 1):
        out.write(f'  <entry id="{i}" name="ex:{100 + i}" type="gene"><graphics name="{g}, alias{i}"/></entry>\n')
    out.write('  <entry id="7" name="undefined" type="group"><component id="5"/><component id="6"/></entry>\n')
    for a, b in [(1, 2), (2, 3), (3, 4), (4, 7)]:
        kind = random.choice(["activation", "inhibition"])
        out.write(f'  <relation entry1="{a}" entry2="{b}" type="PPrel"><subtype name="{kind}" value="--"/></relation>\n')
    out.write("</pathway>\n")

with open("biogrid.tab3.txt", "w") as out:
    head = ["BioGRID Interaction ID", "Official Symbol Interactor A", "Official Symbol Interactor B"]
    out.write("#" + "\t".join([*head, "Experimental System", "Experimental System Type", "Score"]) + "\n")
    pairs = [random.sample(TRUE, 2) for _ in range(14)] + [random.sample(GENES, 2) for _ in range(16)]
    for i, (a, b) in enumerate(pairs):
        kind = random.choice([("Two-hybrid", "physical"), ("Negative Genetic", "genetic")])
        out.write("\t".join([str(i), a, b, *kind, "-"]) + "\n")

# Genes that matter have grown from one sequence, the others from four.
with open("genes.fasta", "w") as out:
    ancestors = ["".join(random.choice("ACGT") for _ in range(120)) for _ in range(5)]
    for i, g in enumerate(GENES):
        letters = list(ancestors[0 if g in TRUE else 1 + i % 4])
        for _ in range(12):
            letters[random.randrange(120)] = random.choice("ACGT")
        out.write(f">{g} made up\n{''.join(letters[:60])}\n{''.join(letters[60:])}\n")
