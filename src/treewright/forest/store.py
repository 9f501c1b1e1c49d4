"""Forests in files: a zip of one JSON text and one array a field, written whole, read with suspicion."""

from __future__ import annotations

import io
import json
import os
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.files import write_whole
from treewright.forest.compact import FIELDS, LATER, completed
from treewright.table import Column, Schema
from treewright.tree import plain
from treewright.tree.plain import check_header
from treewright.tree.store import from_json, read_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from treewright.forest.forest import Forest

FORMAT, VERSION = "treewright forest", 2
HEAD = "forest.json"
MAGIC = b"PK\x03\x04"  # of a zip
_DTYPES = {f"{order}{kind}{size}" for order in "|<" for kind in "iuf" for size in (1, 2, 4, 8)}
_MOMENT = (1980, 1, 1, 0, 0, 0)  # the same forest gives the same bytes
_MOST_BYTES = 1 << 36
_MOST_HEAD = 1 << 28


def save(forest: Forest, path: str | os.PathLike[str]) -> None:
    """Write a forest to a file; on any error an older file of that name stays whole.

    >>> import tempfile, treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), target="PlayTennis", n_trees=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(forest, os.path.join(folder, "tennis.forest"))
    ...     zipfile.ZipFile(os.path.join(folder, "tennis.forest")).namelist()[:2]
    ['forest.json', 'tree_size.npy']
    """
    write_whole(path, to_bytes(forest))


def to_bytes(forest: Forest) -> bytes:
    """Return the file of a forest."""
    fields = [name for name in FIELDS if name not in LATER or len(forest.arrays[name])]
    head = {
        "format": FORMAT,
        "version": max(LATER.get(name, 1) for name in fields),
        "schema": forest.schema.to_dict(),
        "target": forest.target.to_dict(),
        "about": plain.encode(forest.about),
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        _put(file, HEAD, json.dumps(head, allow_nan=False).encode("ascii"))
        for name in fields:
            content = io.BytesIO()
            array = forest.arrays[name]
            little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
            np.lib.format.write_array(content, little, allow_pickle=False)
            _put(file, f"{name}.npy", content.getvalue())
    return target.getvalue()


def _put(file: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _MOMENT)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    file.writestr(entry, content, compresslevel=1)


def load(path: str | os.PathLike[str], build: Callable[..., Forest]) -> Forest:
    """Return what `build` makes of a file's fields; every trouble is a ValueError that names the file."""
    try:
        return build(**fields_of(read_whole(path)))
    except RecursionError:
        trouble = "it is nested too deeply to be a forest"
    except MemoryError:
        trouble = "it does not fit into memory"
    except (ValueError, TypeError, KeyError, OverflowError, IndexError) as error:
        trouble = str(error)
    if len(trouble) > 500:
        trouble = trouble[:497] + "..."
    raise ValueError(f"Cannot load a forest from '{os.fspath(path)}': {trouble}")


def fields_of(content: bytes) -> dict[str, Any]:
    """Return the constructor's arguments for the bytes of a file."""
    if content[:4] != MAGIC:
        raise ValueError("Not a forest: the file is not a zip.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            absent = {name for name in LATER if f"{name}.npy" not in file.namelist()}
            names = [name for name in FIELDS if name not in absent]
            if sorted(file.namelist()) != sorted([HEAD, *(f"{name}.npy" for name in names)]):
                raise ValueError("Not a forest: the zip does not hold the entries of one.")
            if sum(entry.file_size for entry in file.infolist()) > _MOST_BYTES:
                raise ValueError("Not a forest: it claims to be larger than any.")
            if file.getinfo(HEAD).file_size > _MOST_HEAD:
                raise ValueError("Not a forest: its description is too long.")
            head = _head(file.read(HEAD))
            arrays = {name: _array(name, file.read(f"{name}.npy")) for name in names}
    except (zipfile.BadZipFile, NotImplementedError, EOFError, RuntimeError, OSError) as error:
        raise ValueError(f"it is damaged or cut short ({error})") from None
    except Exception as error:
        if type(error).__module__ == "zlib":
            raise ValueError(f"it is damaged ({error})") from None
        raise
    return {**head, "arrays": completed(arrays)}


def _head(content: bytes) -> dict[str, Any]:
    found = from_json(content)
    check_header(found, "a forest", FORMAT, VERSION)
    if set(found) != {"format", "version", "schema", "target", "about"}:
        raise ValueError("Not a forest: its description does not have the entries of one.")
    if not isinstance(found["about"], dict):
        raise ValueError("Not a forest: 'about' must be an object.")
    return {
        "schema": Schema.from_dict(found["schema"]),
        "target": Column.from_dict(found["target"]),
        "about": plain.copied(found["about"], "about", decode=True),
    }


def _array(name: str, content: bytes) -> NDArray[Any]:
    source = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(source)
        if version != (1, 0):
            raise ValueError("it has another version")
        shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(source, max_header_size=2000)
    except (ValueError, TypeError, SyntaxError) as error:
        raise ValueError(f"Not a forest: field '{name}' is no array ({error!s:.100}).") from None
    if dtype.str not in _DTYPES or is_fortran:
        raise ValueError(f"Not a forest: field '{name}' holds {dtype.str:.40}.")
    n = 1
    for length in shape:
        n *= length
    body = content[source.tell() :]
    if len(body) != n * dtype.itemsize:
        raise ValueError(f"Not a forest: field '{name}' is cut short.")
    return np.frombuffer(body, dtype).reshape(shape).astype(dtype.newbyteorder("="), copy=False)
