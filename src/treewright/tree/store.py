"""Trees in files: versioned JSON, written whole or not at all, read with suspicion."""

from __future__ import annotations

import json
import os
import pathlib
import re
import stat
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from treewright.base.files import Path, write_whole
from treewright.table.files.source import no_file
from treewright.tree import plain

if TYPE_CHECKING:
    from treewright.tree.tree import Tree

Built = TypeVar("Built")

_LONG_NUMBER = re.compile(r"[0-9]{400}")  # none of ours; reading one can take quadratic time


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
    """Return the tree as JSON text, one line per field."""
    lines = []
    for key, value in plain.to_dict(tree).items():
        if key == "arrays":
            inner = ",\n".join(f"  {json.dumps(k)}: {_dumped(v)}" for k, v in value.items())
            lines.append(f' "{key}": {{\n{inner}\n }}')
        else:
            lines.append(f' "{key}": {_dumped(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _dumped(value: Any) -> str:
    return json.dumps(value, allow_nan=False)


def load(path: Path, build: Callable[[dict[str, Any]], Built], what: str = "a tree") -> Built:
    """Return what `build` makes of the JSON object in a file; every trouble is a ValueError naming the file.

    `treewright.load` calls this with `Tree.from_dict`. Nothing in a file is ever run.
    """
    try:
        return build(from_json(read_whole(path)))
    except RecursionError:
        trouble = "it is nested too deeply to be a tree"
    except MemoryError:
        trouble = "it does not fit into memory"
    except ValueError as error:
        trouble = str(error)
    if len(trouble) > 500:  # it may quote what the file holds
        trouble = trouble[:497] + "..."
    raise ValueError(f"Cannot load {what} from '{os.fspath(path)}': {trouble}")


def read_whole(path: Path) -> bytes:
    """Return the bytes of a regular file; an error names the file that may have been meant."""
    place = pathlib.Path(path)
    if not place.exists():
        raise no_file(place)
    if place.is_dir():
        raise ValueError(f"it is not a regular file. {no_file(place)}")
    if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe or a device might never end
        raise ValueError("it is not a regular file")
    with open(path, "rb") as file:
        return file.read()


def from_json(content: bytes) -> dict[str, Any]:
    """Return the object a JSON text holds; a ValueError says where the text stops making sense."""
    if not content.strip():
        raise ValueError("the file is empty")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not text (byte {error.start} is not UTF-8)") from None
    try:
        found = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_no_constant,
            parse_int=_short_int if _LONG_NUMBER.search(text) else None,
        )
    except json.JSONDecodeError as error:
        hint = "" if text.lstrip().startswith("{") else ", or no model at all; a table is read by tw.read"
        raise ValueError(f"it is damaged or cut short ({error}){hint}") from None
    if not isinstance(found, dict):
        raise ValueError("Not a tree: the file holds no JSON object.")
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an entry is there twice; no tree is written so")
    return found


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON; treewright writes such numbers as texts")


def _short_int(digits: str) -> int:
    if len(digits) > 60:
        raise ValueError(f"a whole number of {len(digits)} digits is no part of a tree")
    return int(digits)
