"""A directory of blocks: a matrix cut by columns into NumPy files, with a manifest that tells what they are."""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _errors

#: Bytes of a block that is cut from a matrix.
BYTES = 16 * 2**20
#: Columns that the library computes with together: such blocks have a multiple of it.
TOGETHER = 64


def write_blocks(
    folder: str | os.PathLike[str],
    X: Any,
    *,
    feature_names: Sequence[str] | None = None,
    sample_names: Sequence[str] | None = None,
    y: Sequence[Any] | None = None,
    label: str = "label",
) -> Path:
    """Write data as a directory of blocks, which ``fiedler rank FOLDER`` and `fiedler.cluster` read by columns.

    Only one block is in memory at a time, so that the data may be larger than that. The directory is made under
    another name and moved to its place when all of it is written.

    Parameters
    ----------
    folder : path
        The directory, which must not be there yet.
    X : array of shape (n_samples, n_features), or an iterable of such arrays
        A matrix that gives columns by ``X[:, a:b]`` (an array, a memory map, an HDF5 data set, a Dask array), or blocks
        of columns one after the other, all of the same samples. Single precision stays single, all other numbers
        become double; scipy's sparse matrices are written with their zeros.
    feature_names, sample_names : list of str, optional
        Names; features are otherwise called by their positions.
    y : list, optional
        A class or a number for every sample; None: unlabeled.
    label : str
        What ``y`` is called.

    Returns
    -------
    Path
        The directory.

    Examples
    --------
    >>> import tempfile
    >>> rng = np.random.default_rng(0)
    >>> blocks = (rng.normal(size=(20, 100)).astype("float32") for _ in range(3))
    >>> folder = fiedler.write_blocks(tempfile.mkdtemp() + "/wide.blocks", blocks)
    >>> sorted(file.name for file in folder.iterdir())
    ['00000.npy', '00001.npy', '00002.npy', 'manifest.json']
    """
    place = Path(folder)
    if place.exists():
        raise _errors.FileError(
            f"{place} is there already and is not replaced; name another directory, or remove it first"
        )
    temporary = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        temporary.mkdir()
    except OSError as wrong:
        raise _errors.FileError(f"{place} cannot be made: {wrong}") from wrong
    try:
        manifest = _fill(temporary, X)
        _add_texts(temporary, manifest, "feature_names", "features", feature_names)
        _add_texts(temporary, manifest, "sample_names", "samples", sample_names)
        if y is not None:
            _add_texts(temporary, manifest, "labels", "samples", [_text(value) for value in y])
            manifest["label"] = label
        (temporary / "manifest.json").write_text(json.dumps(manifest))
        temporary.rename(place)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return place


def _fill(folder: Path, X: Any) -> dict[str, Any]:
    """Writes the blocks, and tells what they are."""
    parts: list[dict[str, Any]] = []
    samples, dtype = None, None
    for at, block in enumerate(_cut(X)):
        array = _numbers(block, at)
        dtype = dtype or ("<f4" if array.dtype == np.float32 else "<f8")
        if samples not in (None, array.shape[0]):
            raise _errors.ParameterError(
                f"`X` must have blocks of the same samples: block {at} has {array.shape[0]}, those before {samples}"
            )
        samples = array.shape[0]
        if array.shape[1] == 0:
            continue
        name = f"{len(parts):05}.npy"
        np.save(folder / name, np.asfortranarray(array, dtype=dtype))
        parts.append({"features": array.shape[1], **_part(folder, name)})
    if not parts or not samples:
        raise _errors.ParameterError("`X` must have samples and features, got none")
    features = sum(part["features"] for part in parts)
    about = {"format": "fiedler-blocks", "version": 1, "samples": samples, "features": features, "dtype": dtype}
    return {**about, "blocks": parts}


def _cut(X: Any) -> Iterator[Any]:
    """Blocks as they come, or a matrix in blocks."""
    shape = getattr(X, "shape", None)
    if shape is None:
        if not isinstance(X, Iterable) or isinstance(X, (str, bytes)):
            raise _errors.ParameterError(f"`X` must be a matrix or blocks of columns, got {type(X).__name__}")
        yield from X
        return
    if len(shape) != 2:
        raise _errors.ParameterError(f"`X` must be samples × features, got an array of shape {tuple(shape)}")
    width = max(BYTES // (8 * max(int(shape[0]), 1) * TOGETHER), 1) * TOGETHER
    columns = X.tocsc() if hasattr(X, "tocsc") else X
    for first in range(0, int(shape[1]), width):
        yield columns[:, first : first + width]


def _numbers(block: Any, at: int) -> np.ndarray:
    """A block as numbers in one of two precisions."""
    if hasattr(block, "compute"):
        block = block.compute()
    if hasattr(block, "toarray"):
        block = block.toarray()
    array = np.asarray(block)
    if array.ndim != 2 or array.dtype.kind not in "fiub":
        raise _errors.ParameterError(
            f"`X` must be numbers, samples × features: block {at} has shape {array.shape} and type {array.dtype}"
        )
    return array if array.dtype in (np.float32, np.float64) else array.astype(np.float64)


def _text(value: Any) -> str | None:
    missing = value is None or (isinstance(value, (float, np.floating)) and bool(np.isnan(value)))
    return None if missing else str(value)


def _add_texts(folder: Path, manifest: dict[str, Any], key: str, of: str, texts: Sequence[str | None] | None) -> None:
    if texts is None:
        return
    if len(texts) != manifest[of]:
        named = {"labels": "y"}.get(key, key)
        raise _errors.ParameterError(
            f"`{named}` must have one entry for each of the {manifest[of]} {of}, got {len(texts)}"
        )
    file = {"feature_names": "features.json", "sample_names": "samples.json", "labels": "labels.json"}[key]
    (folder / file).write_text(json.dumps([None if text is None else str(text) for text in texts]))
    manifest[key] = _part(folder, file)


def _part(folder: Path, name: str) -> dict[str, Any]:
    """A file, by its size and checksum."""
    content = (folder / name).read_bytes()
    return {"file": name, "bytes": len(content), "crc32": f"{zlib.crc32(content):08x}"}


def read_manifest(folder: Path) -> dict[str, Any]:
    """What a directory says that it holds."""
    try:
        manifest = json.loads((folder / "manifest.json").read_text())
        known = manifest["format"] == "fiedler-blocks" and manifest["version"] == 1 and manifest["blocks"]
    except (OSError, ValueError, KeyError, TypeError) as wrong:
        raise _errors.FileError(f"{folder / 'manifest.json'} is no manifest of blocks: {wrong!r}") from wrong
    if not known:
        raise _errors.FileError(f"{folder / 'manifest.json'} is no manifest of blocks of version 1")
    return dict(manifest)


def checked(folder: Path, part: dict[str, Any]) -> bytes:
    """The bytes of a file of a directory, where they are those that were written."""
    try:
        content = (folder / part["file"]).read_bytes()
    except OSError as wrong:
        raise _errors.FileError(f"{folder / part['file']} cannot be read: {wrong}") from wrong
    if len(content) != part["bytes"] or f"{zlib.crc32(content):08x}" != part["crc32"]:
        raise _errors.FileError(f"{folder / part['file']} is not what was written; write the blocks again")
    return content
