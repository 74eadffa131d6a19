"""The Python package: what a call costs, the Laplacian score beside its peers, memory. Ratios of one run.

    python bench/python.py [text|command]

With `text` the table of sparse text alone, with `command` the estimator beside the command. Needs the built wheel and
scikit-learn; the other tables also scikit-feature (skfeature-chappers) and faiss-cpu.

One thread, CPU seconds, the best of three.
"""
import os

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

warnings.simplefilter("ignore")
N, M, K = 10_000, 1_000, 5


def cpu(work, times=3):
    """The best CPU seconds of some runs."""
    found = []
    for _ in range(times):
        begun = time.process_time()
        work()
        found.append(time.process_time() - begun)
    return min(found)


def data():
    """Ten clusters in a thousand features."""
    rng = np.random.default_rng(0)
    centers = rng.normal(size=(10, M)) * (np.arange(M) < 100)
    return np.asfortranarray(rng.normal(size=(N, M)) + centers[rng.integers(10, size=N)])


def faiss_scipy(X):
    """The score as an expert writes it: exact neighbors by faiss, sparse products by scipy."""
    import faiss
    from scipy import sparse
    faiss.omp_set_num_threads(1)
    Z = (X - X.mean(0)) / X.std(0)
    index = faiss.IndexFlatL2(M)
    F = np.ascontiguousarray(Z, dtype=np.float32)
    index.add(F)
    distances, near = index.search(F, K + 1)
    weights = np.exp(-distances[:, 1:] / distances[:, 1:].mean())
    rows = np.repeat(np.arange(N), K)
    S = sparse.csr_array((weights.ravel().astype(float), (rows, near[:, 1:].ravel())), shape=(N, N))
    S = S.maximum(S.T)
    d = S.sum(1)
    G = Z - (d @ Z) / d.sum()
    dg = np.einsum("ij,i,ij->j", G, d, G)
    return (dg - np.einsum("ij,ij->j", G, S @ G)) / dg


def scikit_feature(X):
    """The score as scikit-feature has it."""
    from skfeature.function.similarity_based import lap_score
    from skfeature.utility.construct_W import construct_W
    Z = np.ascontiguousarray((X - X.mean(0)) / X.std(0))
    W = construct_W(Z, metric="euclidean", neighbor_mode="knn", weight_mode="heat_kernel", k=K, t=1.0)
    return lap_score.lap_score(Z, W=W)


def beside_the_command(X, rounds=5):
    """The command on the same data without its reading, and the estimator, by turns: the machine's moods meet both.

    CPU seconds of one thread; those of the command are beyond those of the variance, which is nearly all reading.
    """
    import fiedler
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.npy"
        np.save(path, X)
        words = [sys.executable, "-m", "fiedler", "rank", str(path), "--threads", "1", "--format", "json", "--top", "5"]

        def seconds(method):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([*words, "--method", method], capture_output=True, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        fit = fiedler.LaplacianScore(n_jobs=1).fit
        turns = [(seconds("variance"), seconds("laplacian"), cpu(lambda: fit(X), 1)) for _ in range(rounds)]
    reading, whole, ours = (min(column) for column in zip(*turns, strict=True))
    ratios = sorted(fitted / (ranked - read) for read, ranked, fitted in turns)
    print(f"\nthe command beyond reading: {whole - reading:.2f} CPU s at best; the estimator: {ours:.2f}; ratios of the turns: ", end="")
    print(", ".join(f"{ratio:.2f}" for ratio in ratios), flush=True)


#: Texts × words: as many as in a collection of newsgroups, with its usual number of words in a text.
TEXTS, WORDS, IN_A_TEXT = 5_000, 20_000, 60


def words():
    """Counts of words by their usual frequencies (Zipf), in ten topics with words of their own."""
    from scipy import sparse
    rng = np.random.default_rng(0)
    usual = 1 / np.arange(1, WORDS + 1)
    topics = usual * np.where(rng.random((10, WORDS)) < 0.02, 20.0, 1.0)
    drawn = [rng.choice(WORDS, IN_A_TEXT, p=topics[i % 10] / topics[i % 10].sum()) for i in range(TEXTS)]
    rows = np.repeat(np.arange(TEXTS), IN_A_TEXT)
    counts = sparse.csr_matrix((np.ones(TEXTS * IN_A_TEXT), (rows, np.concatenate(drawn))), shape=(TEXTS, WORDS))
    counts.sum_duplicates()
    return counts


def sparse_scipy(X):
    """The score as an expert writes it without densifying: cosine neighbors and products by scikit-learn and scipy."""
    from scipy import sparse
    from sklearn.neighbors import NearestNeighbors
    found = NearestNeighbors(n_neighbors=K, metric="cosine", algorithm="brute", n_jobs=1).fit(X)
    S = found.kneighbors_graph(mode="connectivity")
    S = S.maximum(S.T)
    d = np.asarray(S.sum(1)).ravel()
    shift = (X.T @ d) / d.sum()
    square = X.multiply(X).T @ d - shift**2 * d.sum()
    smooth = np.asarray(X.multiply(sparse.diags(d) @ X - S @ X).sum(0)).ravel()
    with np.errstate(invalid="ignore"):
        return smooth / square, S


def grown(work):
    """By how many MB the peak of this process grows."""
    def status(name):
        return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name))
    Path("/proc/self/clear_refs").write_text("5")
    before = status("VmRSS")
    work()
    return (status("VmHWM") - before) / 1024


def text():
    """The table of sparse text."""
    import fiedler
    X = words()
    said = {"n_neighbors": K, "metric": "cosine", "weight": "binary", "n_jobs": 1}
    said |= {"scale": "none", "value_transform": "none"}
    work = {"fiedler": lambda: fiedler.LaplacianScore(**said).fit(X), "scikit-learn + scipy": lambda: sparse_scipy(X)}
    ours = None
    whole = TEXTS * WORDS * 8 / 2**20
    title = f"sparse text, {TEXTS} × {WORDS}, {X.nnz} counts (dense: {whole:.0f} MB)"
    print(f"\n| {title} | CPU s | ratio | peak grows by, MB |")
    print("|---|---|---|---|")
    for name, one in work.items():
        more, took = grown(one), cpu(one, 2)
        ours = took if ours is None else ours
        print(f"| {name} | {took:.2f} | {took / ours:.1f} | {more:.0f} |", flush=True)
    # On one graph: texts at the same distance leave a choice of neighbors.
    theirs, S = sparse_scipy(X)
    mine = fiedler.rank(X, graph=S, scale="none", value_transform="none").scores
    both = ~np.isnan(mine) & ~np.isnan(theirs)
    print(f"\non the same graph the scores differ by {np.abs(mine - theirs)[both].max():.1e} at most", flush=True)


MEMORY = """
import numpy as np, fiedler
from scipy import sparse

def status(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name))

n, m = 2000, 20000
{make}
fiedler.Variance().fit(np.eye(9))
open("/proc/self/clear_refs", "w").write("5")  # the peak begins again
before = status("VmRSS")
fiedler.Variance(n_jobs=1).fit(X)
print((status("VmHWM") - before) / 1024, size / 2**20)
"""
KINDS = {
    "dense f64, F-ordered": "X = np.random.default_rng(0).normal(size=(m, n)).T; size = X.nbytes",
    "dense f64, C-ordered": "X = np.random.default_rng(0).normal(size=(n, m)); size = X.nbytes",
    "dense f32, F-ordered": "X = np.random.default_rng(0).normal(size=(m, n)).astype('f4').T; size = X.nbytes",
    "CSC f64": "X = sparse.random(m, n, 0.2, 'csr', rng=0).T; size = X.data.nbytes + X.indices.nbytes",
    "CSR f64": "X = sparse.random(n, m, 0.2, 'csr', rng=0); size = X.data.nbytes + X.indices.nbytes",
}


def main():
    """The tables."""
    import fiedler
    if sys.argv[1:] == ["command"]:
        beside_the_command(data())
        return
    text()
    if sys.argv[1:] == ["text"]:
        return
    small = np.random.default_rng(0).normal(size=(20, 5))
    for name, work in {
        "fiedler.rank(20 × 5)": lambda: fiedler.rank(small),
        "LaplacianScore().fit": lambda: fiedler.LaplacianScore().fit(small),
        "Variance().fit": lambda: fiedler.Variance().fit(small),
    }.items():
        found = []
        for _ in range(500):
            begun = time.perf_counter()
            work()
            found.append(time.perf_counter() - begun)
        print(f"{name}: {min(found) * 1000:.2f} ms at best, {np.median(found) * 1000:.2f} ms in the middle")
    X = data()
    ours = cpu(lambda: fiedler.LaplacianScore(n_neighbors=K, n_jobs=1).fit(X))
    print(f"\n| LaplacianScore().fit, {N} × {M} | CPU s | ratio |\n|---|---|---|\n| fiedler | {ours:.2f} | |", flush=True)
    peers = {"faiss + scipy": faiss_scipy, "scikit-feature": scikit_feature}
    for name, peer in peers.items():
        took = cpu(lambda peer=peer: peer(X), 2 if name == "faiss + scipy" else 1)
        print(f"| {name} | {took:.2f} | {took / ours:.1f} |", flush=True)
    beside_the_command(X)
    print("\n| data | size, MB | peak grows by, MB |\n|---|---|---|")
    for name, make in KINDS.items():
        run = subprocess.run([sys.executable, "-c", MEMORY.format(make=make)], capture_output=True, text=True, check=True)
        grown, size = map(float, run.stdout.split())
        print(f"| {name} | {size:.0f} | {grown:.0f} |", flush=True)


if __name__ == "__main__":
    main()
