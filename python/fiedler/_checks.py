"""Checks of what was given, so that errors name what the caller wrote."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from . import _errors

#: No number of samples, features or draws is as large.
_MOST = 2**63 - 1


def whole(name: str, value: Any, least: int = 0) -> int:
    """A whole number, as an int; 5.0 is one."""
    real = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not real or value != value or not least <= value <= _MOST or int(value) != value:
        raise _errors.ParameterError(f"`{name}` must be a whole number from {least}, got {value!r}")
    return int(value)


def folder(name: str, value: Any) -> str:
    """The path of a folder, as a text."""
    if not isinstance(value, (str, os.PathLike)):
        raise _errors.ParameterError(f"`{name}` must be the path of a folder, got {value!r}")
    return os.fsdecode(value)


def number(name: str, value: Any) -> float:
    """A number, as a float."""
    if isinstance(value, (bool, str)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise _errors.ParameterError(f"`{name}` must be a number, got {value!r}")
    return float(value)


def one_method(method: Any) -> str:
    """The name of one method."""
    if not isinstance(method, str):
        raise _errors.ParameterError(f"`method` must be the name of one method, got {method!r}")
    return method


@contextmanager
def renamed(**names: str) -> Iterator[None]:
    """Errors of the library inside the block name parameters as the caller knows them: ``renamed(pairs="n_pairs")``."""
    with said_otherwise({f"`{known}`": f"`{name}`" for known, name in names.items()}):
        yield


@contextmanager
def said_otherwise(words: dict[str, str]) -> Iterator[None]:
    """Errors of the library inside the block with words in place of others."""
    try:
        yield
    except _errors.FiedlerError as error:
        text = told = str(error)
        for known, word in words.items():
            told = told.replace(known, word)
        if told == text:
            raise
        raise type(error)(told) from error
