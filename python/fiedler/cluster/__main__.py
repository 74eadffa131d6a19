"""``python -m fiedler.cluster rank DATA --scheduler tcp://HOST:8786``: rank a file by the workers of a cluster."""

from __future__ import annotations

import argparse
import csv
import io
import os
import sys
import tempfile
import warnings
from typing import Any

import numpy as np

from .. import _errors
from .._results import Findings
from . import rank
from ._engine import patience
from ._files import KINDS


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    asked = _parser().parse_args(arguments)
    try:
        text = _table(_ranked(asked), asked.top)
        if asked.output is None:
            sys.stdout.write(text)
        else:
            _written(asked.output, text)
    except (_errors.FiedlerError, ImportError, OSError) as wrong:
        print(f"error: {wrong}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fiedler.cluster", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("rank", help="rank the features of a file, best first, as CSV")
    one.add_argument("data", metavar="DATA", help=f"{KINDS}; workers must see it under the same path")
    one.add_argument("--scheduler", required=True, metavar="ADDRESS", help="of the cluster, such as tcp://HOST:8786")
    one.add_argument("--method", default="laplacian", help="the method by name (laplacian)")
    one.add_argument("--labels", metavar="FILE", help="a class for every sample, a line each")
    one.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter as fiedler.rank has it"
    )
    one.add_argument("--top", type=_whole, metavar="N", help="list the best N; all otherwise")
    one.add_argument("--block-columns", type=_whole, metavar="N", help="columns that a worker works on at a time")
    one.add_argument("-o", "--output", metavar="FILE", help="write there, whole or not at all; to the screen otherwise")
    one.add_argument("-v", "--verbose", action="store_true", help="show how far the work is")
    return parser


def _whole(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, got {text!r}")
    return int(text)


def _ranked(asked: argparse.Namespace) -> Findings:
    from distributed import Client

    y = None if asked.labels is None else _labels(asked.labels)
    parameters = dict(_setting(text) for text in asked.set)
    try:
        client = Client(asked.scheduler, timeout=min(patience(), 10), set_as_default=False)
    except (OSError, ValueError) as wrong:
        raise _errors.ClusterError(f"no scheduler answers at {asked.scheduler}: {wrong}") from wrong
    with client, warnings.catch_warnings():
        warnings.simplefilter("ignore", _errors.FiedlerWarning)
        said = {"method": asked.method, "block_columns": asked.block_columns, "verbose": asked.verbose}
        found = rank(asked.data, y, client=client, **said, **parameters)
    for sentence in [*found.notes, *found.warnings]:
        print(f"note: {sentence}", file=sys.stderr)
    return found


def _labels(path: str) -> np.ndarray:
    with open(path, encoding="utf-8") as file:
        return np.array([line.strip() or None for line in file.read().splitlines()], dtype=object)


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise _errors.ParameterError(f"`--set` must be NAME=VALUE, got {text!r}")
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            continue
    return name, {"true": True, "false": False}.get(value, value)


def _table(found: Findings, top: int | None) -> str:
    lines = io.StringIO()
    table = csv.writer(lines, lineterminator="\n")
    table.writerow(["rank", "feature", "index", "score"])
    for place, j in enumerate(found.order[:top], start=1):
        score = found.scores[j]
        table.writerow([place, found.names[j], int(j), "" if np.isnan(score) else repr(float(score))])
    return lines.getvalue()


def _written(path: str, text: str) -> None:
    """Writes a file whole, or not at all."""
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8") as file:
        file.write(text)
    try:
        os.replace(file.name, path)
    except OSError:
        os.unlink(file.name)
        raise


if __name__ == "__main__":
    sys.exit(main())
