"""Zips of one JSON text and named arrays: the other form of model files, read in pieces of known size."""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from treewright.tree.reader import ModelFile

MAGIC = b"PK\x03\x04"  # of a zip
_PIECE = 1 << 20
_LONGEST_HEADER = 2000
_ENTRY = 1500  # bytes that Python takes for an entry of a zip
# What the dtype of an array may be, by the kind of its field: whole numbers, or any.
DTYPES = {
    field: {f"{order}{kind}{n}" for order in "|<" for kind in kinds for n in (1, 2, 4, 8)}
    for field, kinds in {"i": "iu", "f": "iuf"}.items()
}
# The head of an .npy file of version 1.0 as NumPy writes it. It is a Python literal; it is not evaluated.
_HEADER = re.compile(
    rb"\{'descr': '([^']{1,40})', 'fortran_order': (False|True), "
    rb"'shape': \((\d{0,18}(?:, ?\d{1,18})*),?\), \} *\n"
)


class Archive:
    """A zip with exactly the entries that a model has; each is read once, into memory of its own size."""

    def __init__(self, file: ModelFile, head: str, required: set[str], optional: set[str]) -> None:
        content = file.content()
        self._file, self._what, self._head = file, file.kind.what, head
        if content[:4] != MAGIC:
            raise ValueError(f"Not {self._what}: the file is not a zip.")
        file.allowance.take(_ENTRY * content.count(b"PK\x01\x02"))
        with _damage_refused():
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        names = {info.filename for info in self._zip.infolist()}
        self.names = {name for name in required | optional if f"{name}.npy" in names}
        wanted = {head, *(f"{name}.npy" for name in self.names)}
        if not required <= self.names or names != wanted or len(self._zip.infolist()) != len(wanted):
            raise ValueError(f"Not {self._what}: the zip does not hold the entries of one.")
        if any(info.compress_type not in (0, zipfile.ZIP_DEFLATED) for info in self._zip.infolist()):
            raise ValueError(f"Not {self._what}: it is packed in a way that treewright does not use.")

    def head(self) -> dict[str, Any]:
        """Return what the JSON text says."""
        n = self._zip.getinfo(self._head).file_size
        self._file.allowance.take(n)
        content = bytearray(n)
        with _damage_refused(), self._zip.open(self._head) as source:
            _fill(memoryview(content), source)
        return self._file.head(bytes(content))

    def array(self, name: str, kind: str, n_axes: int) -> NDArray[Any]:
        """Return one array whose numbers are of a kind ("i", "f")."""
        with _damage_refused(), self._zip.open(f"{name}.npy") as source:
            dtype, found, n_header = self._header(name, kind, source)
            if len(found) != n_axes:
                self._fail(name, f"has the shape {found}.")
            n_bytes = dtype.itemsize
            for length in found:
                n_bytes *= length
            if n_header + n_bytes != self._zip.getinfo(f"{name}.npy").file_size:
                self._fail(name, "is cut short.")
            self._file.allowance.take(n_bytes)
            array: NDArray[Any] = np.empty(found, dtype)
            if n_bytes:
                _fill(memoryview(array.reshape(-1).view(np.uint8).data), source)
        return array.astype(dtype.newbyteorder("="), copy=False)

    def _header(self, name: str, kind: str, source: Any) -> tuple[np.dtype[Any], tuple[int, ...], int]:
        begin = source.read(10)
        n = int.from_bytes(begin[8:], "little")
        header = source.read(min(n, _LONGEST_HEADER))
        said = _HEADER.fullmatch(header)
        if begin[:8] != b"\x93NUMPY\x01\x00" or said is None:
            self._fail(name, "is no array of the kind that is written.")
        dtype = said[1].decode("ascii", "replace")
        if said[2] == b"True" or dtype not in DTYPES["f"]:
            self._fail(name, f"holds {dtype}.")
        if dtype not in DTYPES[kind]:
            self._fail(name, "must be an array of whole numbers.")
        return np.dtype(dtype), tuple(int(n) for n in re.findall(rb"\d+", said[3])), 10 + n

    def _fail(self, name: str, what: str) -> NoReturn:
        raise ValueError(f"Not {self._what}: field '{name}' {what}")


def body(head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Return what the digest of an archive is about: the head, and of each array dtype, shape and SHA-256.

    >>> list(body({"version": 3}, {"end": np.array([1, 2], np.int8)})["arrays"]["end"])[:2]
    ['|i1', [2]]
    """
    found = {}
    for name, array in arrays.items():
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        state = hashlib.sha256(little.reshape(-1).view(np.uint8).data)
        found[name] = [little.dtype.str, list(array.shape), state.hexdigest()]
    return {**head, "arrays": found}


@contextlib.contextmanager
def _damage_refused() -> Iterator[None]:
    """Tell what a damaged zip leads to as a ValueError."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, OSError) as error:
        raise ValueError(f"it is damaged or cut short ({error})") from None


def _fill(target: memoryview, source: Any) -> None:
    """Read as much as there is room for, in pieces, and then the end: a wrong check sum is told there."""
    at = 0
    while at < len(target):
        piece = source.read(min(_PIECE, len(target) - at))
        if not piece:
            raise EOFError("an entry is shorter than it says")
        target[at : at + len(piece)] = piece
        at += len(piece)
    if source.read(1):
        raise EOFError("an entry is longer than it says")
