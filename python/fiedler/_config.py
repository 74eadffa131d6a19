"""What holds for all calls: memory, and whether warnings are given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_CONFIG: ContextVar[dict[str, Any]] = ContextVar("fiedler_config")
_USUAL: dict[str, Any] = {"memory": None}


def get_config() -> dict[str, Any]:
    """The settings that hold now.

    Returns
    -------
    dict
        ``memory``: what a large piece of work may take, such as ``"2GB"``; None: half of what is available.
    """
    return dict(_CONFIG.get(_USUAL))


def set_config(*, memory: str | int | None = None) -> None:
    """Set what holds for all further calls of this thread and of those that it starts with its context.

    Parameters
    ----------
    memory : str, int or None
        What a large piece of work (a matrix of all pairs of samples, a copy of the data) may take: ``"2GB"``,
        ``"512MiB"`` or bytes. None: half of what the machine has available. What needs more is refused before it
        begins.
    """
    _CONFIG.set({"memory": memory})


@contextmanager
def config_context(*, memory: str | int | None = None) -> Iterator[None]:
    """Settings that hold inside a ``with`` block.

    Parameters
    ----------
    memory : str, int or None
        As in :func:`set_config`.
    """
    token = _CONFIG.set({"memory": memory})
    try:
        yield
    finally:
        _CONFIG.reset(token)
