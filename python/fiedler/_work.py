"""On which terms work runs: threads, memory, progress, warnings."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any

import numpy as np

from . import _errors
from ._callbacks import FOLDER, Tasks
from ._config import get_config

Terms = tuple[int, str | None, Callable[[str, int, int, list[str]], None] | None]


def n_threads(n_jobs: int | None) -> int:
    """The number of threads of scikit-learn's ``n_jobs``: None and -1 are all, -2 all but one; 0 for all."""
    if n_jobs is None or n_jobs == -1:
        return 0
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise _errors.ParameterError(f"`n_jobs` must be None, a whole number from 1, or below 0, got {n_jobs!r}")
    count = int(n_jobs)
    return count if count > 0 else max((os.cpu_count() or 1) + 1 + count, 1)


class Work:
    """A call into the library: shows a bar where asked, hands on what is noted, tells the callbacks of an estimator."""

    def __init__(self, n_jobs: int | None = None, verbose: int | bool = 0, estimator: Any = None) -> None:
        self._threads = n_threads(n_jobs)
        self._bar = _Bar() if verbose else None
        self._tasks = None if estimator is None else Tasks(estimator)

    def __enter__(self) -> Terms:
        memory = get_config()["memory"]
        return self._threads, None if memory is None else str(memory), self._tell

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.close()
        if self._tasks is not None and kind is None:
            self._tasks.end()

    def _tell(self, stage: str, done: int, total: int, notes: list[str]) -> None:
        warn(notes)
        if self._tasks is not None and stage:
            self._tasks.stage(stage)
        if self._bar is not None and stage:
            self._bar.show(stage, done, total)


class _Bar:
    """A bar by tqdm where it is installed, a line of text otherwise."""

    def __init__(self) -> None:
        self._stage: str | None = None
        self._bar: Any = None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._tqdm = tqdm

    def show(self, stage: str, done: int, total: int) -> None:
        if self._tqdm is None:
            print(f"\r{stage} {done}/{total}   ", end="", file=sys.stderr, flush=True)
            return
        if stage != self._stage:
            self.close()
            self._bar = self._tqdm(total=total or None, desc=stage, leave=False)
            self._stage = stage
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def warn(sentences: Iterable[str]) -> None:
    """Warn with every sentence, as if the caller outside of the package had done it."""
    ours = (os.path.dirname(__file__), FOLDER)
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) in ours:
        frame = frame.f_back
        level += 1
    for sentence in sentences:
        warnings.warn(sentence, _errors.FiedlerWarning, stacklevel=level)
