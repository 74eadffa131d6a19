"""scikit-learn's callbacks, where it has them (from 1.9 on): every stage of the work is a task of `fit`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

try:
    from sklearn import callback as _callback
except ImportError:
    _callback = None


class _Nothing:
    """Stands for the mixin in releases without it: `object` cannot come before other bases."""


#: The mixin of newer releases.
CallbackSupportMixin: Any = getattr(_callback, "CallbackSupportMixin", _Nothing)

_Method = TypeVar("_Method", bound=Callable[..., Any])


def with_callbacks(method: _Method) -> _Method:
    """The method with scikit-learn's callbacks around it, where it has them."""
    return method if _callback is None else _callback.with_callbacks(method)


class Tasks:
    """Tells the callbacks of an estimator, where it has some, that the work and its stages begin and end."""

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator
        begin = getattr(estimator, "_init_callback_context", None)
        self._root = None if begin is None else begin(max_subtasks=None)
        self._stage: Any = None
        self._name: str | None = None
        if self._root is not None:
            self._root.call_on_fit_task_begin(estimator=estimator)

    def stage(self, name: str) -> None:
        """The work is at the stage of that name."""
        if self._root is None or name == self._name:
            return
        self._end_stage()
        self._name, self._stage = name, self._root.subcontext(task_name=name, max_subtasks=0)
        self._stage.call_on_fit_task_begin(estimator=self._estimator)

    def end(self) -> None:
        """The work is done."""
        self._end_stage()
        if self._root is not None:
            self._root.call_on_fit_task_end(estimator=self._estimator)

    def _end_stage(self) -> None:
        if self._stage is not None:
            self._stage.call_on_fit_task_end(estimator=self._estimator)
            self._stage = None


__all__ = ["CallbackSupportMixin", "Tasks", "with_callbacks"]
