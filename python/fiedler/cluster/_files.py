"""Files as Dask arrays: workers read their own part, so paths travel and not data. They must see what you see."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from .. import _errors
from .._block_files import checked, read_manifest

#: What can be opened, for messages.
KINDS = (
    "an .npy file, a directory of blocks (fiedler blocks, fiedler.write_blocks), a folder of .npy files (blocks of "
    "columns, in the order of their names), a .zarr folder or an .h5ad file"
)


def opened(path: str) -> tuple[Any, list[str] | None]:
    """A file as a Dask array, and the names of its features where it has some."""
    place = Path(path).resolve()
    if not place.exists():
        raise _errors.FileError(f"there is no {path}")
    if (place / "manifest.json").exists():
        return _blocks(place)
    if place.is_dir() and not _is_zarr(place):
        return _folder(place), None
    if place.suffix == ".npy":
        return _npy(place), None
    if place.suffix == ".h5ad":
        return _h5ad(place)
    if _is_zarr(place):
        import dask.array as da

        return da.from_zarr(str(place)), None
    raise _errors.FileError(f"{path} is none of what a cluster reads by itself: {KINDS}; numpy.save writes the first")


def labels_of(path: str) -> np.ndarray | None:
    """The labels that came with a directory of blocks; None where there are none."""
    place = Path(path).resolve()
    if not (place / "manifest.json").exists():
        return None
    part = read_manifest(place).get("labels")
    return None if part is None else np.array(json.loads(checked(place, part)), dtype=object)


def _is_zarr(place: Path) -> bool:
    return place.suffix == ".zarr" or (place / ".zarray").exists() or (place / "zarr.json").exists()


def _npy(place: Path) -> Any:
    """A matrix in a file, some columns a task."""
    import dask.array as da

    found = _mapped(str(place))
    width = max(32 * 2**20 // max(found.shape[0] * found.itemsize, 1), 1)
    chunks = ((found.shape[0],), _pieces(found.shape[1], width))

    def read(block_info: Any = None) -> np.ndarray:
        first, last = block_info[None]["array-location"][1]
        return np.array(_mapped(str(place))[:, first:last])

    return da.map_blocks(read, dtype=found.dtype, chunks=chunks, meta=np.empty((0, 0), found.dtype))


def _blocks(place: Path) -> tuple[Any, list[str] | None]:
    """A directory of blocks with its manifest: a block a task, each compared with its checksum where it is read."""
    import dask.array as da

    manifest = read_manifest(place)
    parts, dtype = manifest["blocks"], np.dtype(manifest["dtype"])
    chunks = ((manifest["samples"],), tuple(part["features"] for part in parts))

    def read(block_id: tuple[int, int] | None = None) -> np.ndarray:
        part = parts[0 if block_id is None else block_id[1]]
        found = np.load(io.BytesIO(checked(place, part)))
        if found.shape != (manifest["samples"], part["features"]):
            raise _errors.FileError(f"{place / part['file']} has shape {found.shape}, and the manifest says otherwise")
        return np.asarray(found, dtype)

    names = manifest.get("feature_names")
    names = None if names is None else [str(name) for name in json.loads(checked(place, names))]
    return da.map_blocks(read, dtype=dtype, chunks=chunks, meta=np.empty((0, 0), dtype)), names


def _folder(place: Path) -> Any:
    """Blocks of columns side by side, a file each."""
    import dask.array as da

    files = sorted(place.glob("*.npy"))
    if not files:
        raise _errors.FileError(f"{place} holds no .npy files; {KINDS} can be opened")
    blocks = [_npy(file) for file in files]
    rows = {block.shape[0] for block in blocks}
    if len(rows) > 1:
        wrong = next(file for file, block in zip(files, blocks, strict=True) if block.shape[0] != blocks[0].shape[0])
        raise _errors.FileError(
            f"{wrong} has another number of rows than {files[0]}: blocks must be of the same samples, side by side"
        )
    return da.concatenate(blocks, axis=1)


def _h5ad(place: Path) -> tuple[Any, list[str]]:
    """The X of an AnnData file, some rows a task."""
    import h5py
    from anndata.experimental import read_elem_lazy
    from anndata.io import read_elem

    with h5py.File(place) as file:
        X, var = read_elem_lazy(file["X"]), read_elem(file["var"])
    return X, [str(name) for name in var.index]


def _mapped(path: str) -> np.ndarray:
    try:
        found = np.load(path, mmap_mode="r")
    except (OSError, ValueError) as wrong:
        raise _errors.FileError(f"{os.fspath(path)} cannot be read as a matrix of numbers: {wrong}") from wrong
    if found.ndim != 2:
        raise _errors.FileError(f"{path} must be samples × features, got an array of shape {found.shape}")
    return found


def _pieces(total: int, width: int) -> tuple[int, ...]:
    return tuple(min(width, total - first) for first in range(0, total, width))
