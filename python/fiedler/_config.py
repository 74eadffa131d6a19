"""What holds for all calls: memory, and where the documentation is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_CONFIG: ContextVar[dict[str, Any]] = ContextVar("fiedler_config")
_USUAL: dict[str, Any] = {"memory": None, "documentation": None}
#: Stands for a setting that stays as it is.
_AS_IT_IS: Any = object()


def get_config() -> dict[str, Any]:
    """The settings that hold now.

    Returns
    -------
    dict
        ``memory``: what a large piece of work may take, such as ``"2GB"``; None: half of what is available.
        ``documentation``: where notebooks link to; None: nowhere.
    """
    return dict(_CONFIG.get(_USUAL))


def set_config(*, memory: str | int | None = None, documentation: str | None = _AS_IT_IS) -> None:
    """Set what holds for all further calls of this thread and of those that it starts with its context.

    Parameters
    ----------
    memory : str, int or None
        What a large piece of work (a matrix of all pairs of samples, a copy of the data) may take: ``"2GB"``,
        ``"512MiB"`` or bytes. None: half of what the machine has available. What needs more is refused before it
        begins.
    documentation : str or None
        The address of the documentation site, as ``cargo xtask site`` builds it, that estimators link to in notebooks;
        None: no link. It stays as it is unless given.
    """
    _CONFIG.set(_with(memory, documentation))


@contextmanager
def config_context(*, memory: str | int | None = None, documentation: str | None = _AS_IT_IS) -> Iterator[None]:
    """Settings that hold inside a ``with`` block.

    Parameters
    ----------
    memory : str, int or None
        As in :func:`set_config`.
    documentation : str or None
        As in :func:`set_config`.
    """
    token = _CONFIG.set(_with(memory, documentation))
    try:
        yield
    finally:
        _CONFIG.reset(token)


def _with(memory: str | int | None, documentation: str | None) -> dict[str, Any]:
    before = get_config()["documentation"]
    return {"memory": memory, "documentation": before if documentation is _AS_IT_IS else documentation}
