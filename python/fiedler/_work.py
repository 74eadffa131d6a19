"""On which terms work runs: threads, memory, progress, warnings."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable
from types import FrameType, TracebackType
from typing import Any

import joblib
import numpy as np
import sklearn

from . import _errors
from ._callbacks import Tasks
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


#: The folders of code that may stand between a caller and the work: a search over parameters calls `fit` many times
#: from one line of the user, who is told once.
_BETWEEN = tuple(os.path.join(os.path.dirname(str(module.__file__)), "") for module in (_errors, sklearn, joblib))


class Work:
    """A call into the library: shows a bar where asked, hands on what is noted, tells the callbacks of an estimator."""

    def __init__(
        self,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
        estimator: Any = None,
        memory: str | int | None = None,
    ) -> None:
        self._memory = get_config()["memory"] if memory is None else memory
        self._threads = n_threads(n_jobs)
        self._bar = _Bar() if verbose else None
        self._tasks = None if estimator is None else Tasks(estimator)

    def __enter__(self) -> Terms:
        return self._threads, None if self._memory is None else str(self._memory), self._tell

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
            self._stage = stage
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
        elif self._tqdm is None and self._stage is not None:
            print(file=sys.stderr, flush=True)
            self._stage = None


#: Where one line of a user fits many times.
_REPEATING = (os.path.join(_BETWEEN[1], "model_selection", ""), _BETWEEN[2])
#: A number by itself: `x3` is a name.
_NUMBER = re.compile(r"\b\d[\d.,]*\b")
#: What was told at which line, with the registry of warnings of that module: a notebook has a new one for every cell.
_told: dict[tuple[str, str, int], Any] = {}


def warn(sentences: Iterable[str]) -> None:
    """Warn with every sentence, as if the caller outside of the package had done it; once a line, as Python does."""
    level, repeating = 1, False
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_BETWEEN):
        repeating |= frame.f_code.co_filename.startswith(_REPEATING)
        frame = frame.f_back
        level += 1
    for sentence in sentences:
        # In a search, what differs by its numbers alone is no news.
        said = _NUMBER.sub("0", sentence) if repeating else sentence
        place = said, frame.f_code.co_filename, frame.f_lineno
        registry = frame.f_globals.get("__warningregistry__")
        if registry is not None and _told.get(place) is registry and _is_shown_once(sentence, frame):
            continue
        warnings.warn(sentence, _errors.FiedlerWarning, stacklevel=level)
        _told[place] = frame.f_globals.get("__warningregistry__")


def _is_shown_once(sentence: str, frame: FrameType) -> bool:
    """Whether Python's filters want such a warning once a line.

    Python forgets what it has shown where as soon as anybody changes a filter, and scikit-learn does in every fit.
    """
    module = frame.f_globals.get("__name__") or "<unknown>"
    filters = getattr(warnings, "_get_filters", lambda: warnings.filters)()  # 3.14 has them by context
    for action, text, category, where, line in filters:
        fits = issubclass(_errors.FiedlerWarning, category) and line in (0, frame.f_lineno)
        if fits and _matches(text, sentence) and _matches(where, module):
            return action == "default"
    return True


def _matches(pattern: Any, text: str) -> bool:
    """As Python's own filters match: an expression, a plain text, or nothing for all."""
    return pattern is None or (pattern == text if isinstance(pattern, str) else pattern.match(text) is not None)
