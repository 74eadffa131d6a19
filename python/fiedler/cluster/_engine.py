"""What is asked of a cluster: three calls. Dask is one that can do them; another engine is another class like it.

========= ==========================================================================================================
broadcast puts a value where every worker can have it, once for each
submit    has a function called on workers, once for every list of arguments: values, or what earlier calls returned
gather    waits for what was submitted, and hands out the values as they are done
========= ==========================================================================================================
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from typing import Any, Protocol

from .. import _errors

#: What is installed where workers start.
SHIP = (
    "Install fiedler {version} where the workers start, or ship the wheel to them: "
    "`from distributed import PipInstall; client.register_plugin(PipInstall(packages=[WHEEL]))` "
    "with the path or address of a wheel that the workers can read"
)


class Engine(Protocol):
    """What is asked of a cluster."""

    def broadcast(self, value: Any) -> Any:
        """Puts a value where every worker can have it; the answer stands for it in :meth:`submit`."""

    def submit(self, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Has `function` called with all of these arguments, near them; an answer stands for what each call returns."""

    def gather(self, handles: Sequence[Any], values: bool = True) -> Iterator[tuple[int, Any]]:
        """Waits for what was submitted: place and value of each as it is done, None in place of values not wanted."""


class DaskEngine:
    """A cluster of Dask, behind a ``distributed.Client``."""

    def __init__(self, client: Any, patience: float = 60) -> None:
        self._client = client
        self._check(patience)

    def broadcast(self, value: Any) -> Any:
        """A value as a task of its own: where a worker is lost with its copy, the scheduler makes it again."""
        return self._client.submit(_itself, value, pure=False)

    def submit(self, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Tasks; Dask runs each where most of its arguments lie, and again where its worker is lost.

        Neighbors that take equally many arguments are told in one message: the scheduler takes longer for many.
        """
        alike = (list(run) for _, run in groupby(calls, len))
        return [task for run in alike for task in self._client.map(function, *zip(*run, strict=True), pure=False)]

    def computed(self, lazy: Iterable[Any]) -> list[Any]:
        """Lazy blocks of a Dask array. Workers keep them, on disk where need be; what they have stays where it is."""
        return self._client.compute(list(lazy))

    def owners(self, handles: Sequence[Any]) -> tuple[list[str], dict[str, int]]:
        """The worker that has each of these results, "" where nobody has yet, and the threads of every worker."""
        found = self._client.who_has(handles)
        return [min(found.get(handle.key, ()), default="") for handle in handles], dict(self._client.nthreads())

    def gather(self, handles: Sequence[Any], values: bool = True) -> Iterator[tuple[int, Any]]:
        """The results as they are done. What is not done when nobody asks any more is canceled."""
        from distributed import as_completed

        places = {handle.key: place for place, handle in enumerate(handles)}
        open_ = dict.fromkeys(places)
        try:
            for handle in as_completed(list(handles)):
                value = self._result(handle, values)
                open_.pop(handle.key, None)
                yield places[handle.key], value
        finally:
            if open_:
                self._client.cancel([handle for handle in handles if handle.key in open_])

    def _result(self, handle: Any, values: bool) -> Any:
        """The value of a task, or an exception that says what to do."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        try:
            if not values and handle.status == "finished":
                return None
            return handle.result()
        except KilledWorker as lost:
            raise _errors.ClusterError(
                f"several workers were lost with one block of columns ({lost.last_worker.address} last), most often "
                "for want of memory: give them more, or make blocks smaller with `block_columns`"
            ) from lost
        except CancelledError as lost:
            raise _errors.ClusterError("the work was canceled on the cluster, or its scheduler is gone") from lost
        except ImportError as missing:
            raise _errors.ClusterError(f"a worker cannot load what it is to run ({missing}). {_ship()}") from missing

    def _check(self, patience: float) -> None:
        """Whether there are workers, all with this version of the package."""
        client = self._client
        if getattr(client, "status", None) != "running":
            raise _errors.ClusterError(f"`client` must be connected to a scheduler, got {client!r}")
        from distributed import TimeoutError as TooLate

        try:
            client.wait_for_workers(1, timeout=patience)
        except TooLate as late:
            raise _errors.ClusterError(
                f"no worker has joined the scheduler {client.scheduler.address} within {patience:g} seconds: start "
                "some, or wait for the queue of your cluster and call again"
            ) from late
        ours = version("fiedler")
        # A function that every worker has, whatever is installed there.
        found = client.run(version, "fiedler", on_error="return")
        missing = sorted(name for name, said in found.items() if isinstance(said, PackageNotFoundError))
        if missing:
            raise _errors.ClusterError(f"{_workers(missing)} without fiedler. {_ship()}")
        others = {name: said for name, said in found.items() if said != ours}
        if others:
            said = ", ".join(sorted({str(v) for v in others.values()}))
            raise _errors.ClusterError(
                f"{_workers(sorted(others))} with fiedler {said}, and this machine has {ours}: answers could differ. "
                f"{_ship()}"
            )


def _workers(names: list[str]) -> str:
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return f"{len(names)} worker{'s are' if len(names) > 1 else ' is'} ({shown})"


def _ship() -> str:
    return SHIP.format(version=version("fiedler"))


def _itself(value: Any) -> Any:
    return value


def engine_of(client: Any) -> DaskEngine:
    """The engine behind a client, or behind the one that was made last where none is given."""
    try:
        import distributed
    except ImportError as missing:
        raise ImportError("a cluster needs Dask: pip install 'fiedler[cluster]'") from missing
    if client is None:
        try:
            client = distributed.default_client()
        except ValueError as none:
            raise _errors.ClusterError(
                "no client: pass `client=distributed.Client(ADDRESS)`, or make one first"
            ) from none
    if not isinstance(client, distributed.Client):
        raise _errors.ParameterError(f"`client` must be a distributed.Client, got {type(client).__name__}")
    if client.asynchronous:
        raise _errors.ParameterError("`client` must be one that waits, got an asynchronous one")
    return DaskEngine(client, patience())


def patience() -> float:
    """How many seconds workers are waited for."""
    text = os.environ.get("FIEDLER_CLUSTER_PATIENCE", "60")
    try:
        return float(text)
    except ValueError as wrong:
        raise _errors.ParameterError(f"FIEDLER_CLUSTER_PATIENCE must be a number of seconds, got {text!r}") from wrong
