"""Forests in files: a zip of one JSON text with a digest and one array a field, written whole."""

from __future__ import annotations

import io
import json
import os
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.base import digest
from treewright.base.files import write_whole
from treewright.forest.compact import FIELDS, LATER, checking_bytes, completed
from treewright.table import Column, Schema
from treewright.tree import plain, reader
from treewright.tree.archive import Archive, body

if TYPE_CHECKING:
    from collections.abc import Callable

    from treewright.forest.forest import Forest

FORMAT, VERSION = "treewright forest", 3  # 3 is 1 or 2 with a digest; 4 has tests on several columns
KIND = reader.Kind(FORMAT, "a forest", newest=max(LATER.values()), signed_from=VERSION)
HEAD = "forest.json"
_HEAD_GROWS = 24  # times its size that the text of the head may take
_MOMENT = (1980, 1, 1, 0, 0, 0)  # the same forest gives the same bytes


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
    """Return the file of a forest.

    It is not packed where that would make it so small that a reader must take it for a trap.
    """
    arrays = {name: forest.arrays[name] for name in FIELDS if name not in LATER or len(forest.arrays[name])}
    head = {
        "format": FORMAT,
        "version": max([VERSION, *(LATER[name] for name in arrays if name in LATER)]),
        "schema": forest.schema.to_dict(),
        "target": forest.target.to_dict(),
        "about": plain.encode(forest.about),
    }
    head = {**head, digest.NAME: digest.of(body(head, arrays))}
    parts = {HEAD: json.dumps(head, allow_nan=False).encode("ascii")}
    for name, array in arrays.items():
        content = io.BytesIO()
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        np.lib.format.write_array(content, little, version=(1, 0), allow_pickle=False)
        parts[f"{name}.npy"] = content.getvalue()
    packed = _zipped(parts, zipfile.ZIP_DEFLATED)
    n_read = checking_bytes(forest.arrays) + _HEAD_GROWS * len(parts[HEAD])
    n_read += sum(len(part) for part in parts.values())
    return packed if n_read < reader.Allowance(len(packed)).left else _zipped(parts, zipfile.ZIP_STORED)


def _zipped(parts: dict[str, bytes], way: int) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.compress_type = way
            entry.external_attr = 0o600 << 16
            file.writestr(entry, content, compresslevel=1)
    return target.getvalue()


def load(path: str | os.PathLike[str], build: Callable[..., Forest]) -> Forest:
    """Return what `build` makes of a file's fields; every trouble is a ValueError that names the file."""
    return reader.load(path, KIND, lambda file: _built(file, build))


def _built(file: reader.ModelFile, build: Callable[..., Forest]) -> Forest:
    """Return what `build` makes of the head and the arrays of a file."""
    archive = Archive(file, HEAD, set(FIELDS) - set(LATER), set(LATER))
    head = archive.head()
    fields = _fields_of(head)
    arrays = {
        name: archive.array(name, kind, 2 if owner == "importance" else 1)
        for name, (kind, owner) in FIELDS.items()
        if name in archive.names
    }
    del archive
    held = completed(arrays)
    file.allowance.take(checking_bytes(held, with_trees=False))
    file.allowance.take(checking_bytes(held))
    forest = build(**fields, arrays=held)
    KIND.check_digest(body(head, arrays) if "digest" in head else head)
    return forest


def _fields_of(head: dict[str, Any]) -> dict[str, Any]:
    if set(head) - {"digest"} != {"format", "version", "schema", "target", "about"}:
        raise ValueError("Not a forest: its description does not have the entries of one.")
    if not isinstance(head["about"], dict):
        raise ValueError("Not a forest: 'about' must be an object.")
    return {
        "schema": Schema.from_dict(head["schema"]),
        "target": Column.from_dict(head["target"]),
        "about": plain.copied(head["about"], "about", decode=True),
    }
