"""Trees in files: versioned JSON with a digest, written whole or not at all; read by `reader`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from treewright.base.files import Path, write_whole
from treewright.tree import plain

if TYPE_CHECKING:
    from treewright.tree.tree import Tree


def save(tree: Tree, path: Path) -> None:
    """Write the tree to a file as JSON; on any error an older file of that name stays whole.

    >>> import os, tempfile
    >>> from treewright.tree.example import tennis
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(tennis(), os.path.join(folder, "tennis.treewright"))
    ...     os.listdir(folder)
    ['tennis.treewright']
    """
    write_whole(path, to_json(tree).encode("ascii"))


def to_json(tree: Tree) -> str:
    """Return the file of a tree: JSON text with its digest, one line per field."""
    lines = []
    for key, value in plain.KIND.signed(plain.to_dict(tree)).items():
        if key == "arrays":
            inner = ",\n".join(f"  {json.dumps(k)}: {_dumped(v)}" for k, v in value.items())
            lines.append(f' "{key}": {{\n{inner}\n }}')
        else:
            lines.append(f' "{key}": {_dumped(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _dumped(value: Any) -> str:
    return json.dumps(value, allow_nan=False)
