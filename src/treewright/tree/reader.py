"""The one reader of model files, whichever kind: bounded memory, every trouble a ValueError, nothing is run.

Reading a file of n bytes takes at most 20 n + 64 MiB, whatever the file claims. Sizes are compared with what
is left of that before anything of that size is made.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import stat
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn, TypeVar

from treewright.base import digest
from treewright.base.data_warning import DataWarning, callers_level
from treewright.base.files import Path
from treewright.table.files.source import no_file

Built = TypeVar("Built")

FACTOR, SLACK = 20, 64 << 20
_BEFORE_BUILDING = 0.75  # of the memory: what text and values may take, so that a model can be made of them
# Bytes that CPython takes for a list and for an object with their first entries, and for a name met first.
_LIST, _OBJECT, _NAME = 96, 240, 400
_LONG_NUMBER = re.compile(r"[0-9]{400}")  # none of ours; reading one can take quadratic time
_NAMES = re.compile(r'"((?:[^"\\]|\\.)*)"\s*:')
_TROUBLES = (ValueError, TypeError, KeyError, OverflowError, IndexError, AttributeError, ArithmeticError)


class Kind(NamedTuple):
    """A kind of model files: what `format` says in them, its name in a sentence, the versions there are."""

    format: str
    what: str
    newest: int
    signed_from: int  # the first version with a digest
    called: str = ""  # of a loader's error

    def check_header(self, plain: Any) -> None:
        """Refuse what is not a model of this kind, or is one of a format this version does not know."""
        if not isinstance(plain, Mapping) or plain.get("format") != self.format:
            raise ValueError(f"Not {self.what}: there is no entry 'format' that says '{self.format}'.")
        version = plain.get("version")
        if type(version) is not int or version < 1:
            raise ValueError(f"Not {self.what}: the format version must be 1, 2, ...; found {version!r:.80}.")
        if version > self.newest:
            raise ValueError(
                f"This is {self.what} of format version {version:.6g}, written by a newer treewright; this "
                f"one reads versions up to {self.newest}. Upgrade treewright, or save it again with the "
                "older one."
            )

    def signed(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is written to a file: the body with its digest."""
        return digest.signed(body, self.newest)

    def check_digest(self, plain: Mapping[str, Any]) -> None:
        """Refuse plain values that are not what was saved."""
        digest.check(plain, self.what, self.signed_from)


class Allowance:
    """The memory that reading a file may take; what is made is taken off it before it is made.

    >>> allowed = Allowance(1000)
    >>> allowed.take(64 << 20)
    >>> allowed.take(30_000)
    Traceback (most recent call last):
    ValueError: it would take more memory than a model of its size does (20 times the file and 64 MiB)
    """

    def __init__(self, n_bytes: int) -> None:
        self.left = FACTOR * n_bytes + SLACK

    def take(self, n_bytes: float) -> None:
        """Take some bytes off, or refuse."""
        if n_bytes > self.left:
            raise ValueError(
                f"it would take more memory than a model of its size does ({FACTOR} times the file and "
                f"{SLACK >> 20} MiB)"
            )
        self.left -= int(n_bytes)


class ModelFile:
    """What a file holds, on its way to a model."""

    def __init__(self, kind: Kind, content: bytes) -> None:
        self.kind, self._content = kind, content
        self.allowance = Allowance(len(content))
        self.version = kind.newest  # once the head is read, that of the file

    def content(self) -> bytes:
        """Return the bytes, which are then kept by nobody else."""
        content, self._content = self._content, b""
        return content

    def json(self) -> dict[str, Any]:
        """Return the object that the text of the file holds, of this kind."""
        return self.head(self.content())

    def head(self, content: bytes) -> dict[str, Any]:
        """Return the object that a JSON text holds, with the format and a version of this kind."""
        found = from_json(content, self.allowance)
        self.kind.check_header(found)
        self.version = found["version"]
        return found


def load(path: Path, kind: Kind, build: Callable[[ModelFile], Built]) -> Built:
    """Return what `build` makes of a file; every trouble is a ValueError that names the file.

    A file of a version before digests is read with a DataWarning: damage to it cannot be noticed.
    """
    try:
        file = ModelFile(kind, read_whole(path))
        built = build(file)
    except RecursionError:
        trouble = f"it is nested too deeply to be {kind.what}"
    except MemoryError:
        trouble = "it does not fit into memory"
    except _TROUBLES as error:
        trouble = str(error)
    else:
        if file.version < kind.signed_from:
            warnings.warn(
                f"'{os.fspath(path)}' was written by an older treewright and has no digest: nobody can tell "
                "whether it is damaged. Load it once from a copy that you trust and save it again.",
                DataWarning,
                stacklevel=callers_level(),
            )
        return built
    if len(trouble) > 500:  # it may quote what the file holds
        trouble = trouble[:497] + "..."
    raise ValueError(f"Cannot load {kind.called or kind.what} from '{os.fspath(path)}': {trouble}")


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


def from_json(content: bytes, allowance: Allowance | None = None) -> dict[str, Any]:
    """Return the object a JSON text holds; a ValueError says where the text stops making sense.

    >>> from_json(b'{"a": 1}')
    {'a': 1}
    """
    if not content.strip():
        raise ValueError("the file is empty")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not text (byte {error.start} is not UTF-8)") from None
    _check_costs(text, allowance or Allowance(len(content)))
    del content
    try:
        found = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_no_constant,
            parse_int=_short_int if _LONG_NUMBER.search(text) else None,
        )
    except json.JSONDecodeError as error:
        hint = "" if text.lstrip().startswith("{") else ", or no model at all; a table is read by tw.read"
        raise ValueError(f"it is damaged or cut short ({error})" + hint) from None
    if not isinstance(found, dict):
        raise ValueError("Not a tree: the file holds no JSON object.")
    return found


def _check_costs(text: str, allowance: Allowance) -> None:
    """Refuse a text whose lists, objects and names would take more memory than is left.

    Numbers and texts take at most 16 times what they are in the file; a list takes 64 bytes for 3.
    """
    room = _BEFORE_BUILDING * allowance.left - sys.getsizeof(text)
    costs = _LIST * text.count("[") + _OBJECT * text.count("{")
    most_names = int(max(room - costs, 0) / _NAME)
    if text.count(":") > most_names:
        names: set[str] = set()
        for found in _NAMES.finditer(text):
            names.add(found[1])
            if len(names) > most_names:
                break
        costs += _NAME * len(names)
    if costs > room:
        allowance.take(float("inf"))


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
