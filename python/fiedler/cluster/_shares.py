"""A matrix on a cluster, cut into shares of columns that workers hold and work on.

The library asks (`fiedler::afar`), every share answers, and the answers are joined in an order that does not depend on
who answered first::

    blocks of Dask ─► shares of columns, on the workers
    question ─► answer of every share ─► side by side, added a few at a time, or added row after row

Where the order does not matter, answers are added where they are first, so that a worker sends one sum and not many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from .. import _core, _errors
from .._blocks import Elsewhere, is_sparse
from .._work import Terms
from ._engine import DaskEngine, Engine

#: About how much memory a share takes.
SHARE = 128 * 2**20
#: At least so many shares, where there are enough columns.
SHARES = 16
#: Every share begins at a multiple of so many columns: those that the library computes with together.
TOGETHER = 64
#: About how many bytes of answers are added up by one task: with few, telling workers what to do takes longest.
ADDED = 64 * 2**20
#: The most numbers that a share answers with for a column, where answers are put side by side.
NUMBERS = 5
#: At least so many tasks for every thread of a worker, and at most so many shares in a task, no larger together than a
#: large one: to tell a worker of a task takes as long as some small shares take.
TASKS, TOLD = 6, 8
#: One thread a task: a worker has as many tasks at a time as it has threads.
ALONE: Terms = (1, None, None)

#: The worker that has each of some results, and how many tasks every worker has at a time.
Owners = Callable[[Sequence[Any]], tuple[list[str], dict[str, int]]]


class Shares(Elsewhere):
    """Columns on other machines, as the library sees them. `form`: shape, columns of a share, whether sparse.

    `owners` tells who has the blocks, where the engine knows: shares of one worker are then asked several at a time.
    """

    def __init__(
        self, engine: Engine, blocks: list[Any], form: tuple[tuple[int, int], int, bool], owners: Owners | None = None
    ) -> None:
        self._engine, self._blocks, self._owners = engine, blocks, owners
        self.shape, self._wide, self._sparse = form
        self._ends = [*range(0, self.shape[1], self._wide), self.shape[1]]
        self._widths = [int(count) for count in np.diff(self._ends)]
        #: What every share told of its columns: whose answer it is in, from which column on, of so many.
        self._known: list[tuple[Any, int, int]] = [(None, 0, 0)] * len(blocks)

    def data(self, names: list[str] | None, terms: Terms) -> _core.Data:
        """The data as the library sees them."""
        calls = (self._fetch, self._pick, self._ask)
        return _core.shared_data(calls, self.shape, (self._sparse, self._wide), names, terms)

    def _ask(self, question: str, join: str, width: int) -> Iterator[Any]:
        """The numbers of columns that are done, as they are, then the answer."""
        engine = self._engine
        (work,) = engine.submit(_core.ShareWork, [(engine.broadcast(question),)])
        # Where the order of sums matters every share answers for itself.
        in_order = join in ("add", "add rows")
        groups = [[place] for place in range(len(self._blocks))] if in_order else self._grouped()
        asked = [(work, self._sparse, join == "append", *self._told(group)) for group in groups]
        parts = engine.submit(answer, asked)
        columns = [sum(self._widths[place] for place in group) for group in groups]
        if self._known[0][0] is None:
            # The first thing that the library asks is what is known of the columns as they are.
            for part, group, count in zip(parts, groups, columns, strict=True):
                for at, place in enumerate(group):
                    self._known[place] = (part, sum(self._widths[p] for p in group[:at]), count)
        if join == "append":
            wholes = self._appended(parts, max(columns))
        elif join == "add rows":
            wholes = [self._added_by_rows(parts, width)]
        else:
            wholes = [self._added(parts) if join == "add" else self._added_where_they_are(parts, groups)]
        for place, _ in engine.gather(parts, values=False):
            yield columns[place]
        del parts
        found = dict(engine.gather(wholes))
        # To concatenate one would copy it.
        whole = found[0] if len(found) == 1 else np.concatenate([found[place] for place in range(len(found))])
        yield self._in_order(whole, groups) if join == "append" else whole

    def _told(self, group: list[int]) -> Iterator[Any]:
        """What shares are asked with: block, what is known of it and where that stands."""
        for place in group:
            known, first, count = self._known[place]
            yield from (self._blocks[place], known, first, self._widths[place], count)

    def _owned(self) -> tuple[list[str], dict[str, int]]:
        """The worker of every share, "" where nobody has it or knows who has."""
        return ([""] * len(self._blocks), {}) if self._owners is None else self._owners(self._blocks)

    def _grouped(self) -> list[list[int]]:
        """Shares that one worker has, some at a time; every one by itself as long as some are nowhere yet."""
        owners, threads = self._owned()
        if not all(owners):
            return [[place] for place in range(len(owners))]
        own: dict[str, list[int]] = {}
        for place, owner in enumerate(owners):
            own.setdefault(owner, []).append(place)
        most = min(TOLD, SHARE // (8 * self.shape[0] * self._wide))
        groups = []
        for owner, places in own.items():
            together = min(len(places) // (TASKS * threads.get(owner, 1)), most)
            groups += [list(run) for run in _runs(places, max(together, 1))]
        return groups

    def _in_order(self, whole: np.ndarray, groups: list[list[int]]) -> np.ndarray:
        """Answers side by side as the shares stand, of those that stand as they were asked."""
        places = [place for group in groups for place in group]
        if places == sorted(places):
            return whole
        numbers = len(whole) // self.shape[1]
        pieces = np.split(whole, np.cumsum([numbers * self._widths[place] for place in places])[:-1])
        return np.concatenate([piece for _, piece in sorted(zip(places, pieces, strict=True), key=lambda p: p[0])])

    def _appended(self, parts: list[Any], columns: int) -> list[Any]:
        """Many side by side, of at most so many columns each: to fetch one by one takes longer than what is in them."""
        together = max(ADDED // (8 * NUMBERS * columns), 1)
        return self._engine.submit(side_by_side, _runs(parts, together))

    def _added(self, parts: list[Any]) -> Any:
        """The sum, some neighbors at a time: the same order whoever is done first."""
        together = min(max(ADDED // (8 * self.shape[0] ** 2), 2), 8)
        while len(parts) > 1:
            parts = self._engine.submit(added, _runs(parts, together))
        return parts[0]

    def _added_where_they_are(self, parts: list[Any], groups: list[list[int]]) -> Any:
        """The sum: of every worker's own answers first."""
        owners, _ = self._owned()
        own: dict[str, list[Any]] = {}
        for part, group in zip(parts, groups, strict=True):
            own.setdefault(owners[group[0]], []).append(part)
        return self._added([self._added(some) for some in own.values()])

    def _added_by_rows(self, parts: list[Any], width: int) -> Any:
        """The sum of all rows, one after another. Where answers are large only a row goes from worker to worker."""
        together = max(ADDED // max(8 * width * -(-self._wide // TOGETHER), 1), 1)
        total = None
        for run in _runs(parts, together):
            (total,) = self._engine.submit(add_rows, [(width, total, *run)])
        return total

    def _fetch(self, first: int, last: int) -> Any:
        return self._columns_at(np.arange(first, last))

    def _pick(self, columns: list[int]) -> Any:
        return self._columns_at(np.asarray(columns, dtype=np.int64))

    def _columns_at(self, columns: np.ndarray) -> Any:
        """Some columns in the order that is asked for, brought here."""
        shares = columns // self._wide
        order = np.argsort(shares, kind="stable")
        runs = np.split(order, np.flatnonzero(np.diff(shares[order])) + 1)
        owners = [int(shares[run[0]]) for run in runs]
        places = [columns[run] - self._ends[at] for at, run in zip(owners, runs, strict=True)]
        cuts = [(self._sparse, self._blocks[at], some) for at, some in zip(owners, places, strict=True)]
        handles = self._engine.submit(cut, cuts)
        found: list[Any] = [None] * len(handles)
        for place, value in self._engine.gather(handles):
            found[place] = value
        back = np.argsort(np.concatenate(runs), kind="stable")
        if not self._sparse:
            return np.concatenate(found, axis=1)[:, back]
        whole = sparse.hstack([sparse.csc_array(part) for part in found], format="csc")[:, back]
        whole.sum_duplicates()
        return whole.data, whole.indices.astype(np.int64), whole.indptr.astype(np.int64)


def _runs(parts: list[Any], together: int) -> list[tuple[Any, ...]]:
    """Neighbors, so many at a time."""
    return [tuple(parts[at : at + together]) for at in range(0, len(parts), together)]


def columns_of_a_share(X: Any, wanted: int | None) -> int:
    """Columns of a share, a multiple of :data:`TOGETHER`: by the data and their blocks, never by the workers."""
    if wanted is not None:
        whole = isinstance(wanted, (int, np.integer)) and not isinstance(wanted, bool)
        if not whole or wanted < 1:
            raise _errors.ParameterError(f"`block_columns` must be a whole number from 1, got {wanted!r}")
        return -(-int(wanted) // TOGETHER) * TOGETHER
    own = columns_of_a_block(X)
    if own is not None:
        return own
    n, m = X.shape
    most = max(min(SHARE // (8 * max(n, 1)), -(-m // SHARES)), 1)
    # All shares alike: a small one at the end would be waited for as long as a large one.
    even = -(-m // -(-m // most))
    return -(-even // TOGETHER) * TOGETHER


def columns_of_a_block(X: Any) -> int | None:
    """Columns of the blocks that X has, where they make good shares: then nothing goes from worker to worker.

    A share answers with sums over all pairs of samples, so one of fewer columns than samples would send
    more than it has.
    """
    (rows, *more), columns = X.chunks
    n, m, width = X.shape[0], X.shape[1], columns[0]
    even = not more and rows == n and all(w == width for w in columns[:-1]) and columns[-1] <= width
    size = width % TOGETHER == 0 and n <= width and 8 * n * width <= SHARE
    return int(width) if even and size and m > (SHARES - 1) * width else None


def checked(X: Any) -> Any:
    """A Dask array of numbers with two axes of known lengths, or a sentence."""
    if hasattr(X, "to_dask_array"):
        raise _errors.ParameterError(
            f"`X` must be a Dask array, got a {type(X).__name__}: X.to_dask_array(lengths=True) is one"
        )
    if not f"{type(X).__module__}.".startswith("dask.array."):
        raise _errors.ParameterError(
            f"`X` must be a Dask array, AnnData with one, or a path, got {type(X).__name__}: fiedler.rank takes data "
            "of this machine; dask.array.from_array(X, chunks=(-1, 4096)) puts them on a cluster"
        )
    if X.ndim != 2:
        raise _errors.ParameterError(f"`X` must be samples × features, got an array of shape {X.shape}")
    if any(np.isnan(size) for size in X.shape):
        raise _errors.ParameterError("`X` has blocks of unknown size: call X.compute_chunk_sizes() first")
    if X.dtype.kind not in "fiub":
        raise _errors.ParameterError(f"`X` must be made of numbers, got {X.dtype}")
    if 0 in X.shape:
        raise _errors.EmptyDataError(f"`X` must have samples and features, got an array of shape {X.shape}")
    return X


def shares_of(X: Any, engine: DaskEngine, block_columns: int | None) -> Shares:
    """A Dask array in shares that the workers hold: all rows of some columns, whatever the blocks of the array are."""
    shape, as_sparse = (int(X.shape[0]), int(X.shape[1])), is_sparse(X)
    width = columns_of_a_share(X, block_columns)
    shares = X.rechunk((shape[0], width))
    told = not as_sparse and X.dtype in (np.float32, np.float64) and isinstance(X._meta, np.ndarray)
    if not told or shares.chunks != X.chunks:
        shares = shares.map_blocks(held, as_sparse, dtype=X.dtype, meta=X._meta)
    form = (shape, width, as_sparse)
    return Shares(engine, engine.computed(shares.to_delayed().ravel()), form, engine.owners)


# What follows runs on workers.


def held(block: Any, as_sparse: bool) -> Any:
    """A share as it is worked on: f32 or f64, dense in the order that it has or CSC."""
    if as_sparse:
        block = sparse.csc_array(block)
        if not block.has_canonical_format:
            # In a copy: the block is the user's.
            block = block.copy()
            block.sum_duplicates()
    else:
        block = block.toarray() if sparse.issparse(block) else np.asarray(block)
    if block.dtype not in (np.float32, np.float64):
        block = block.astype(np.float64)
    if as_sparse or block.flags.c_contiguous or block.flags.f_contiguous:
        return block
    return np.ascontiguousarray(block)


def answer(work: _core.ShareWork, as_sparse: bool, append: bool, *asked: Any) -> np.ndarray:
    """What shares answer, side by side or added: of each the block, what is known and where that stands."""
    shares = [asked[at : at + 5] for at in range(0, len(asked), 5)]
    answers = (answer_of_one(work, as_sparse, block, _part(*where)) for block, *where in shares)
    if len(shares) == 1:
        return next(answers)
    return side_by_side(*answers) if append else summed(answers)


def _part(known: np.ndarray | None, first: int, columns: int, count: int) -> np.ndarray | None:
    """What is known of some columns, of so many that something is known of."""
    if known is None:
        return None
    numbers = len(known) // count
    return known[numbers * first : numbers * (first + columns)]


def answer_of_one(work: _core.ShareWork, as_sparse: bool, block: Any, known: np.ndarray | None) -> np.ndarray:
    """What a share answers."""
    # A block may be something else than its array says.
    block = held(block, as_sparse)
    if not as_sparse:
        # What comes over the network may not be aligned.
        return work.answer(np.require(block, requirements=["A"]), known, ALONE)
    parts = (np.require(block.data, requirements=["C", "A"]), block.indices, block.indptr, block.shape[0])
    return work.answer(parts, known, ALONE)


def side_by_side(*parts: np.ndarray) -> np.ndarray:
    """All parts, one behind the other."""
    return np.concatenate(parts)


def added(*parts: np.ndarray) -> np.ndarray:
    """All parts, added one after another."""
    return summed(iter(parts))


def summed(parts: Iterator[np.ndarray]) -> np.ndarray:
    """All parts, added as they come: no two are held beside the sum."""
    total = next(parts).copy()
    for part in parts:
        total += part
    return total


def add_rows(width: int, total: np.ndarray | None, *parts: np.ndarray) -> np.ndarray:
    """`total` and all rows of the parts, added one after another."""
    total = np.zeros(width) if total is None else total.copy()
    for part in parts:
        for row in part.reshape(-1, width) if width else ():
            total += row
    return total


def cut(as_sparse: bool, block: Any, columns: np.ndarray) -> Any:
    """Some columns of a share."""
    return held(block, as_sparse)[:, columns]
