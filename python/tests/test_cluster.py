"""Workers of a cluster give the answers of one machine, and what goes wrong there is told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import anndata
import numpy as np
import pytest
from scipy import sparse

import fiedler
from fiedler.cluster import _shares
from fiedler.cluster.__main__ import main

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore::fiedler.FiedlerWarning", "ignore::FutureWarning")


@pytest.fixture(scope="module")
def client():
    said = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "host": "127.0.0.1", "protocol": "tcp"}
    with distributed.LocalCluster(**said, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def table():
    """Two clusters along the first features; 700 features are several shares, the last one not full."""
    X = np.random.default_rng(3).normal(size=(80, 700))
    X[:40, :9] += 3
    X[:, 5] = 1
    return X


@pytest.fixture(scope="module")
def counts():
    """Counts, most of them 0: few samples carry most features, so that values are taken as ranks."""
    X = np.random.default_rng(4).poisson(0.03, size=(80, 300)).astype(np.float32)
    X[:40, :6] += 2
    return X


def same(found, wanted):
    np.testing.assert_array_equal(found.scores, wanted.scores)
    np.testing.assert_array_equal(found.order, wanted.order)
    assert found.parameters == wanted.parameters
    assert (found.scale, found.value_transform, found.labels) == (wanted.scale, wanted.value_transform, wanted.labels)
    assert (found.notes, found.warnings, found.reasons) == (wanted.notes, wanted.warnings, wanted.reasons)


@pytest.mark.parametrize("chunks", [(80, 128), (25, 700), (30, 90)], ids=["columns", "rows", "both"])
def test_blocks_of_any_shape_give_the_same_bits(client, table, chunks):
    lazy = da.from_array(table, chunks=chunks)
    same(fiedler.cluster.rank(lazy, client=client, block_columns=128), fiedler.rank(table))
    same(fiedler.cluster.rank(lazy.astype("f4"), client=client, block_columns=256), fiedler.rank(table.astype("f4")))


def test_good_blocks_stay_where_they_are(client, table):
    # Sixteen blocks of 128 columns, no fewer than samples; the last one is shorter.
    wide = np.tile(table, 3)[:, :2040]
    lazy = da.from_array(wide, chunks=(80, 128))
    assert _shares.columns_of_a_block(lazy) == 128
    same(fiedler.cluster.rank(lazy, client=client), fiedler.rank(wide))


@pytest.mark.parametrize("method", ["laplacian", "variance", "spec"])
def test_blocks_of_one_worker_are_asked_together(client, table, method, monkeypatch):
    wide = np.tile(table, 6)[:, :4190]
    # What is there already; blocks that are nowhere yet are asked one by one.
    lazy = da.from_array(wide, chunks=(80, 128)).persist()
    distributed.wait(lazy)
    groups, grouped = [], _shares.Shares._grouped

    def seen(self):
        groups.append(grouped(self))
        return groups[-1]

    monkeypatch.setattr(_shares.Shares, "_grouped", seen)
    monkeypatch.setattr(_shares, "TASKS", 3)
    same(fiedler.cluster.rank(lazy, client=client, method=method), fiedler.rank(wide, method=method))
    assert max(map(len, groups[0])) > 2
    assert sorted(place for group in groups[0] for place in group) == list(range(33))
    shares = _shares.Shares(None, [None] * 33, ((80, 4190), 128, False))
    told = np.concatenate([np.full(2 * min(128, 4190 - 128 * p), p) for group in groups[0] for p in group])
    assert (np.diff(shares._in_order(told, groups[0])) >= 0).all()


@pytest.mark.parametrize("method", ["laplacian", "mrsf"])
@pytest.mark.parametrize("kind", ["sparse", "integers", "views", "columns first", "read only"])
def test_blocks_that_are_not_what_their_array_says(client, kind, method):
    from dask import delayed

    X = np.random.default_rng(6).poisson(2.0, size=(60, 2048)).astype(np.float64)
    X[:30, :9] += 3
    if kind == "views":
        lazy = da.from_array(X, chunks=(60, 1500))
    else:
        made = {"sparse": sparse.csr_array, "integers": np.int64, "columns first": np.asfortranarray}
        make = delayed(made.get(kind, _locked))
        blocks = [da.from_delayed(make(X[:, at : at + 128]), (60, 128), dtype=float) for at in range(0, 2048, 128)]
        lazy = da.concatenate(blocks, axis=1)
    wanted = fiedler.rank(X, method=method, n_features_to_select=5) if method == "mrsf" else fiedler.rank(X)
    asked = {"method": method, "n_features_to_select": 5} if method == "mrsf" else {}
    found = fiedler.cluster.rank(lazy, client=client, **asked)
    np.testing.assert_array_equal(found.scores, wanted.scores)


def _locked(block):
    block = block.copy()
    block.flags.writeable = False
    return block


def test_blocks_of_users_are_not_changed(client):
    # Rows in no order, and one of them twice.
    rng = np.random.default_rng(8)
    rows = np.concatenate([rng.integers(60, size=40 * 256), [3, 3]]).astype(np.int32)
    ends = np.append(np.arange(256) * 40, len(rows)).astype(np.int32)
    block = sparse.csc_array((rng.normal(size=len(rows)), rows, ends), shape=(60, 256))
    (kept,) = client.scatter([block])
    lazy = da.from_delayed(kept, (60, 256), dtype=float, meta=sparse.csc_array((0, 0)))
    fiedler.cluster.rank(lazy, client=client)
    for before, after in zip([block.data, block.indices], client.submit(_parts, kept).result(), strict=True):
        np.testing.assert_array_equal(before, after)


def _parts(block):
    return block.data, block.indices


def test_answers_are_put_side_by_side_in_order(client, table, monkeypatch):
    monkeypatch.setattr(_shares, "ADDED", 1)
    lazy = da.from_array(table, chunks=(80, 128))
    same(fiedler.cluster.rank(lazy, client=client, block_columns=64), fiedler.rank(table))


@pytest.mark.parametrize(
    ("shape", "chunks"),
    [
        ((80, 1900), (80, 128)),
        ((80, 2040), (40, 128)),
        ((80, 2040), (80, 120)),
        ((80, 2040), (80, 64)),
        ((80, 2040), (80, (128,) * 14 + (120, 128))),
        ((80, 8_000_000), (80, 524_288)),
    ],
    ids=["few", "rows", "no multiple of 64", "narrow", "uneven", "large"],
)
def test_other_blocks_are_put_together(shape, chunks):
    assert _shares.columns_of_a_block(da.zeros(shape, chunks=chunks)) is None


@pytest.mark.parametrize(
    "method", ["spec", "fisher", "correlation", "variance", "relief-spec", "sselect", "mrsf", "relieff"]
)
def test_methods_give_the_same_bits(client, table, method):
    y = np.repeat(["a", "b"], 40)
    lazy = da.from_array(table, chunks=(80, 256))
    said = {"method": method, "n_features_to_select": 4}
    same(fiedler.cluster.rank(lazy, y, client=client, block_columns=256, **said), fiedler.rank(table, y, **said))


def test_several_methods_share_their_graph(client, table):
    lazy = da.from_array(table, chunks=(80, 256))
    said = {"method": ["laplacian", "spec"], "n_neighbors": 7, "metric": "manhattan", "scale": "range"}
    found = fiedler.cluster.rank(lazy, client=client, block_columns=256, **said)
    for one, wanted in zip(found, fiedler.rank(table, **said), strict=True):
        same(one, wanted)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, sparse.csc_array], ids=["dense", "CSR", "CSC"])
def test_counts_and_sparse_blocks_are_seen_as_on_one_machine(client, counts, kind):
    lazy = da.from_array(counts, chunks=(20, 300))
    lazy = lazy if kind is np.asarray else lazy.map_blocks(kind)
    wanted = fiedler.rank(kind(counts))
    assert wanted.value_transform == "ranks"
    same(fiedler.cluster.rank(lazy, client=client, block_columns=128), wanted)
    said = {"value_transform": "none", "metric": "cosine"}
    same(fiedler.cluster.rank(lazy, client=client, block_columns=128, **said), fiedler.rank(kind(counts), **said))


def test_a_full_graph_agrees_to_rounding_whatever_the_workers(client, table):
    lazy = da.from_array(table, chunks=(80, 256))
    said = {"graph": "rbf", "block_columns": 128}
    found = fiedler.cluster.rank(lazy, client=client, **said)
    np.testing.assert_allclose(found.scores, fiedler.rank(table, graph="rbf").scores, rtol=1e-9)
    np.testing.assert_array_equal(fiedler.cluster.rank(lazy, client=client, **said).scores, found.scores)


def test_anndata_names_its_genes(client, counts):
    adata = anndata.AnnData(da.from_array(counts, chunks=(20, 300)).map_blocks(sparse.csr_matrix))
    adata.var_names = [f"gene{j}" for j in range(300)]
    found = fiedler.cluster.select(adata, n_features_to_select=6, client=client)
    wanted = fiedler.rank(sparse.csr_matrix(counts))
    assert found.findings.top(6) == [f"gene{j}" for j in wanted.order[:6]]
    np.testing.assert_array_equal(found.features, wanted.order[:6])
    assert found.X.shape == (80, 6) and list(found.X.var_names) == [f"gene{j}" for j in np.sort(wanted.order[:6])]


def test_a_selection_stays_lazy(client, table):
    lazy = da.from_array(table, chunks=(80, 256))
    found = fiedler.cluster.select(lazy, n_features_to_select=4, client=client, scale="range")
    wanted = fiedler.rank(table, scale="range")
    assert isinstance(found.X, da.Array)
    np.testing.assert_array_equal(found.X.compute(), table[:, np.sort(wanted.order[:4])])


def test_the_graph_and_its_spectrum(client, table):
    lazy = da.from_array(table, chunks=(30, 256))
    graph = fiedler.knn_graph(table, n_neighbors=6)
    assert (fiedler.cluster.knn_graph(lazy, n_neighbors=6, client=client, block_columns=256) != graph).nnz == 0
    found = fiedler.cluster.spectrum(lazy, 5, n_neighbors=6, client=client, block_columns=256)
    np.testing.assert_array_equal(found.values, fiedler.spectrum(graph, 5).values)


def test_a_killed_worker_costs_a_retry_and_not_the_answer(client, table, monkeypatch):
    lazy = da.from_array(np.tile(table, 2), chunks=(80, 400))
    wanted = fiedler.rank(np.tile(table, 2))
    workers = client.run(os.getpid)
    asked, ask = [], _shares.Shares._ask

    def killing(self, *question):
        asked.append(question[1])
        for at, step in enumerate(ask(self, *question)):
            if question[1] == "add in any order" and at == 1:
                # The sums of the graph are under way: two shares are done, others are not.
                os.kill(next(iter(workers.values())), signal.SIGKILL)
            yield step

    monkeypatch.setattr(_shares.Shares, "_ask", killing)
    found = fiedler.cluster.rank(lazy, client=client, block_columns=64)
    assert asked.count("add in any order") == 1 and "add rows" in asked
    np.testing.assert_array_equal(found.scores, wanted.scores)
    client.wait_for_workers(2, timeout=60)
    assert set(client.run(os.getpid).values()) != set(workers.values())


def test_nothing_is_left_on_the_workers(client, table):
    fiedler.cluster.rank(da.from_array(table, chunks=(80, 256)), client=client)
    for _ in range(100):
        held = sum(len(keys) for keys in client.has_what().values())
        if held == 0:
            break
        time.sleep(0.1)
    assert held == 0


def test_progress_is_told(client, table):
    seen = []
    data = fiedler.cluster._shared(da.from_array(table, chunks=(80, 256)), client, 64)
    ask = data._ask
    data._ask = lambda *question: (seen.append(step) or step for step in ask(*question))
    fiedler.rank(data)
    steps = [step for step in seen if isinstance(step, int)]
    assert sum(steps) == 700 * sum(not isinstance(step, int) for step in seen) and max(steps) <= 64


def told(said):
    """Functions that make a worker tell another version, or none, and its own again; local ones travel."""

    def change():
        import importlib.metadata

        real = importlib.metadata.version

        def version(name):
            if name != "fiedler":
                return real(name)
            if said is None:
                raise importlib.metadata.PackageNotFoundError(name)
            return said

        importlib.metadata._real, importlib.metadata.version = real, version

    def back():
        import importlib.metadata

        importlib.metadata.version = importlib.metadata._real

    return change, back


@pytest.mark.parametrize(
    ("said", "sentence"), [("9.9.9", "with fiedler 9.9.9, and this machine has"), (None, "without fiedler")]
)
def test_workers_of_another_version_are_told_with_what_to_do(client, table, said, sentence):
    one = sorted(client.scheduler_info()["workers"])[:1]
    change, back = told(said)
    client.run(change, workers=one)
    try:
        with pytest.raises(fiedler.ClusterError, match=sentence) as wrong:
            fiedler.cluster.rank(da.from_array(table), client=client)
        assert one[0] in str(wrong.value) and "PipInstall(packages=[WHEEL])" in str(wrong.value)
        assert "1 worker is" in str(wrong.value)
    finally:
        client.run(back, workers=one)


def test_wrong_data_are_named_as_on_one_machine(client, table):
    bad = table.copy()
    bad[3, 600] = np.nan
    with pytest.raises(fiedler.NotFiniteError) as wanted:
        fiedler.rank(bad)
    with pytest.raises(fiedler.NotFiniteError) as found:
        fiedler.cluster.rank(da.from_array(bad, chunks=(80, 100)), client=client)
    assert str(found.value) == str(wanted.value)
    with pytest.raises(fiedler.LengthError):
        fiedler.cluster.rank(da.from_array(table), np.zeros(3), client=client, method="fisher")
    with pytest.raises(fiedler.UnknownMethodError):
        fiedler.cluster.rank(da.from_array(table), client=client, method="laplacien")


def test_wrong_arguments_are_refused_in_a_sentence(client, table):
    lazy = da.from_array(table)
    cases = [
        (table, {}, "must be a Dask array"),
        (lazy[0], {}, "samples × features"),
        (lazy[lazy[:, 0] > 0], {}, "compute_chunk_sizes"),
        (lazy.astype(complex), {}, "made of numbers"),
        (lazy[:0], {}, "must have samples and features"),
        (lazy, {"block_columns": 0}, "block_columns"),
        (lazy, {"client": "tcp://127.0.0.1:1"}, "must be a distributed.Client"),
        (anndata.AnnData(table), {}, "must be a Dask array"),
    ]
    for X, said, sentence in cases:
        with pytest.raises(ValueError, match=sentence):
            fiedler.cluster.rank(X, **{"client": client, **said})
    with pytest.raises(ValueError, match="from 1 to 700"):
        fiedler.cluster.select(lazy, n_features_to_select=701, client=client)


def test_a_client_without_workers_is_told(monkeypatch, table):
    monkeypatch.setenv("FIEDLER_CLUSTER_PATIENCE", "0.5")
    said = {"n_workers": 0, "host": "127.0.0.1", "protocol": "tcp", "dashboard_address": None}
    with distributed.LocalCluster(**said) as empty:
        with distributed.Client(empty, set_as_default=False) as lonely:
            with pytest.raises(fiedler.ClusterError, match="no worker has joined"):
                fiedler.cluster.rank(da.from_array(table), client=lonely)
        with pytest.raises(fiedler.ClusterError, match="must be connected"):
            fiedler.cluster.rank(da.from_array(table), client=lonely)


def test_a_block_that_cannot_be_made_is_told(client, table):
    def broken(block, block_info=None):
        if block_info[0]["chunk-location"][1] == 2:
            raise OSError("the disk of this worker is gone")
        return block

    lazy = da.from_array(table, chunks=(80, 128)).map_blocks(broken, dtype=float, meta=np.empty((0, 0)))
    with pytest.raises(OSError, match="the disk of this worker is gone"):
        fiedler.cluster.rank(lazy, client=client, block_columns=128)


def test_stopping_cancels_what_the_workers_do(client, table):
    def slow(block):
        time.sleep(0.3)
        return block

    lazy = da.from_array(np.tile(table, 8), chunks=(80, 64)).map_blocks(slow, meta=np.empty((0, 0)))
    begun, stopped = time.monotonic(), threading.Event()

    def press():
        # Again and again, as people do: Python drops one that arrives while an object is being deleted.
        while not stopped.wait(1.5):
            signal.raise_signal(signal.SIGINT)

    def interrupt(*_):
        if not stopped.is_set():
            raise KeyboardInterrupt

    before, keys = signal.signal(signal.SIGINT, interrupt), threading.Thread(target=press)
    keys.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            fiedler.cluster.rank(lazy, client=client, block_columns=64)
    finally:
        stopped.set()
        keys.join()
        signal.signal(signal.SIGINT, before)
    # All blocks would take 13 seconds.
    assert time.monotonic() - begun < 10


def test_the_command_ranks_files_that_workers_read(client, table, counts, tmp_path, capsys):
    np.save(tmp_path / "table.npy", np.asfortranarray(table))
    (tmp_path / "blocks").mkdir()
    for at in range(0, 700, 250):
        np.save(tmp_path / "blocks" / f"{at:04}.npy", table[:, at : at + 250])
    da.from_array(table, chunks=(80, 100)).to_zarr(str(tmp_path / "table.zarr"))
    cells = anndata.AnnData(sparse.csr_matrix(counts))
    cells.var_names = [f"gene{j}" for j in range(300)]
    cells.write_h5ad(tmp_path / "cells.h5ad")
    (tmp_path / "labels.txt").write_text("a\n" * 40 + "b\n" * 40)

    def asked(*said):
        code = main(["rank", *map(str, said), "--scheduler", client.scheduler.address])
        return code, *capsys.readouterr()

    wanted = fiedler.rank(table)
    for name in ("table.npy", "blocks", "table.zarr"):
        code, out, error = asked(tmp_path / name)
        assert code == 0, error
        lines = [line.split(",") for line in out.splitlines()]
        assert lines[0] == ["rank", "feature", "index", "score"]
        assert [int(line[2]) for line in lines[1:]] == wanted.order.tolist()
        assert float(lines[1][3]) == wanted.scores[wanted.order[0]]
    code, out, error = asked(tmp_path / "cells.h5ad", "--top", 3, "-o", tmp_path / "out.csv")
    assert code == 0 and out == "", error
    best = fiedler.rank(sparse.csr_matrix(counts)).order[:3]
    assert [line.split(",")[1] for line in (tmp_path / "out.csv").read_text().splitlines()[1:]] == [
        f"gene{j}" for j in best
    ]
    kept = fiedler.cluster.select(tmp_path / "blocks", n_features_to_select=5, client=client)
    np.testing.assert_array_equal(kept.X.compute(), table[:, np.sort(wanted.order[:5])])
    assert fiedler.cluster.select(tmp_path / "cells.h5ad", n_features_to_select=3, client=client).X.shape == (80, 3)
    _, out, _ = asked(tmp_path / "table.npy", "--method", "fisher", "--labels", tmp_path / "labels.txt", "--top", 2)
    best = fiedler.rank(table, np.repeat(["a", "b"], 40), method="fisher").order[:2]
    assert [int(line.split(",")[2]) for line in out.splitlines()[1:]] == best.tolist()
    for said, sentence in [
        ((tmp_path / "none.npy",), "there is no"),
        ((tmp_path / "labels.txt",), "none of what a cluster reads"),
        ((tmp_path / "table.npy", "--set", "n_neighbors"), "NAME=VALUE"),
        ((tmp_path / "table.npy", "--set", "neighbours=3"), "neighbours"),
    ]:
        code, out, error = asked(*said)
        assert code == 1 and out == "" and sentence in error
    line = [
        sys.executable,
        "-m",
        "fiedler.cluster",
        "rank",
        str(tmp_path / "table.npy"),
        "--scheduler",
        "tcp://127.0.0.1:9",
    ]
    hasty = {**os.environ, "FIEDLER_CLUSTER_PATIENCE": "1"}
    found = subprocess.run(line, capture_output=True, text=True, check=False, env=hasty)
    assert found.returncode == 1 and "no scheduler answers at tcp://127.0.0.1:9" in found.stderr
    assert "Traceback" not in found.stderr


def test_blocks_from_python_are_read_by_the_command_and_by_workers(client, table, tmp_path):
    names = [f"gene {j}" for j in range(table.shape[1])]
    classes = ["a", "b", None, "b"] * 20
    folder = fiedler.write_blocks(
        tmp_path / "wide.blocks",
        (table[:, at : at + 250].astype(np.float32) for at in range(0, table.shape[1], 250)),
        feature_names=names,
        y=classes,
        label="state",
    )
    wanted = fiedler.rank(table.astype(np.float32))
    found = fiedler.cluster.rank(folder, client=client)
    np.testing.assert_array_equal(found.scores, wanted.scores)
    assert found.top(3) == [names[j] for j in wanted.order[:3]]
    wanted = fiedler.rank(table.astype(np.float32), np.array(classes, dtype=object), method="sselect")
    found = fiedler.cluster.rank(folder, client=client, method="sselect")
    np.testing.assert_array_equal(found.scores, wanted.scores)
    kept = fiedler.cluster.select(folder, client=client, method="sselect", n_features_to_select=4)
    np.testing.assert_array_equal(kept.features, wanted.order[:4])
    found = fiedler.cluster.rank(folder, client=client)
    line = [
        sys.executable,
        "-m",
        "fiedler",
        "rank",
        str(folder),
        "--format",
        "json",
        "--label",
        "state",
        "-m",
        "laplacian",
    ]
    said = json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)
    assert [feature["feature"] for feature in said["ranking"][:3]] == found.top(3)
    whole = fiedler.write_blocks(tmp_path / "whole.blocks", table)
    np.testing.assert_array_equal(fiedler.cluster.rank(whole, client=client).scores, fiedler.rank(table).scores)
    block = folder / "00001.npy"
    block.write_bytes(block.read_bytes()[:-1] + b"\x01")
    with pytest.raises(fiedler.FiedlerError, match="not what was written"):
        fiedler.cluster.rank(folder, client=client)


def test_blocks_that_cannot_be_written_leave_nothing(table, tmp_path):
    for X, said, sentence in [
        ([table[:, :5], table[:9, 5:]], {}, "block 1 has 9"),
        ([], {}, "got none"),
        (table[0], {}, "samples × features"),
        ("table.npy", {}, "got str"),
        (table, {"feature_names": ["a"]}, "`feature_names` must have one entry"),
        (table, {"y": [1, 2]}, "`y` must have one entry"),
    ]:
        with pytest.raises(fiedler.FiedlerError, match=sentence):
            fiedler.write_blocks(tmp_path / "wide.blocks", X, **said)
        assert list(tmp_path.iterdir()) == []
    (tmp_path / "there").mkdir()
    with pytest.raises(fiedler.FiedlerError, match="there already"):
        fiedler.write_blocks(tmp_path / "there", table)
    with pytest.raises(fiedler.FiedlerError, match="cannot be made"):
        fiedler.write_blocks(tmp_path / "no" / "such", table)
