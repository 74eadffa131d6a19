"""What every source of knowledge is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from . import _core
from ._base import graph_question, question
from ._work import Terms

#: The library's names of the options of graphs, by keyword.
_GRAPH = {p["keyword"]: p["name"] for p in _core.describe()["graph"]}


class Aim(NamedTuple):
    """The data whose features are ranked, and how a source is matched with them."""

    data: _core.Data
    names: list[str] | None
    samples: Any
    scale: str
    terms: Terms


class Source(ABC):
    """What every source is: it makes a graph for the samples of the target."""

    @abstractmethod
    def make(self, name: str, target: Aim) -> tuple[_core.Graph, list[str]]:
        """The graph, and what to know of it."""

    def __deepcopy__(self, memo: Any) -> Source:
        # Sources are never changed, and clones of an estimator need no copies of their data.
        return self

    def __repr__(self) -> str:
        said = ", ".join(f"{key}={short(value)}" for key, value in self.__dict__.items() if value is not None)
        return f"{type(self).__name__}({said})"


class OfNumbers(Source):
    """A source that makes a graph of numbers: its kind and options are those of the estimators."""

    def __init__(self, kind: str, options: dict[str, Any]) -> None:
        self.kind, self.options = kind, options

    def _asked(self) -> dict[str, Any]:
        # What is no option is refused by the library, with a list of those that are.
        said = [(_GRAPH.get(keyword, keyword), value) for keyword, value in self.options.items()]
        return graph_question(self.kind, said)

    def _build(self, data: _core.Data, scale: str, terms: Terms) -> tuple[_core.Graph, list[str]]:
        asked = {**question([], [], self._asked(), (scale, "auto")), "rank": False, "spectrum": 0}
        return _core.build_graph(data, asked, terms)


def short(value: Any) -> str:
    """A value as an error shows it."""
    shape = getattr(value, "shape", None)
    text = f"{type(value).__name__} of shape {tuple(shape)}" if shape is not None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
