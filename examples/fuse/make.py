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
