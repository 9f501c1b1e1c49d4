"""What a file is, told by its first bytes: a name may lie, and files without an extension are common."""

from __future__ import annotations

import gzip
import mmap
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, cast

from treewright.base.names import nearest

HEAD = 1 << 20  # bytes that are looked at before a file is read

_FORMATS = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"FEA1", "arrow"),
    (b"\xff\xff\xff\xff", "arrow"),  # an IPC stream
    (b"SQLite format 3\0", "sqlite"),
    (b"\xd0\xcf\x11\xe0", "workbook"),  # .xls
)
# A zip archive is a workbook if it begins with one of these members.
_IN_WORKBOOKS = (
    b"[Content_Types].xml",
    b"xl/",
    b"_rels/",
    b"docProps/",
    b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
)
_AS_TABLE = "Open it in a spreadsheet and save it as .xlsx or CSV."
_FOREIGN = (
    (b"PK\x03\x04", "a zip archive", "Unpack it first."),
    (b"BZh", "packed by bzip2", "Unpack it first: bunzip2 FILE."),
    (b"\xfd7zXZ", "packed by xz", "Unpack it first: unxz FILE."),
    (b"\x28\xb5\x2f\xfd", "packed by zstd", "Unpack it first: unzstd FILE."),
    (b"%PDF", "a PDF document", "Export its table as CSV first."),
    (b"\x89PNG", "a picture", "Name a file that holds a table."),
    (b"\x89HDF", "an HDF5 file", "Write it as Parquet or CSV first."),
    (b"\x7fELF", "a program", "Name a file that holds a table."),
    (b"<!DOCTYPE", "a page of HTML", _AS_TABLE),
    (b"<!doctype", "a page of HTML", _AS_TABLE),
    (b"<html", "a page of HTML", _AS_TABLE),
    (b"<table", "a page of HTML", _AS_TABLE),
    (b"<?xml", "XML", _AS_TABLE),
)
_JSON_NAMES = (".json", ".jsonl", ".ndjson")


@dataclass(frozen=True)
class Source:
    """A file that holds a table: where it lies, its format, whether it is packed, the table's name inside."""

    path: Path
    format: str  # "text", "json", "parquet", "arrow", "duckdb", "sqlite", "workbook"
    is_packed: bool = False
    table: str | None = None
    named: Path | None = None  # the file that this is a copy of
    others: tuple[Path, ...] = ()  # more files with the same columns, to be read behind this one

    def __str__(self) -> str:
        return repr(str(self.named or self.path))

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Open the file, unpacked; what is wrong with the packing is a ValueError."""
        try:
            with gzip.open(self.path, "rb") if self.is_packed else self.path.open("rb") as stream:
                yield cast(BinaryIO, stream)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ValueError(
                f"{self} cannot be read: it begins like a gzip file, but cannot be unpacked ({error}). "
                "Fetch or pack it again."
            ) from None

    @contextmanager
    def mapped(self) -> Iterator[mmap.mmap]:
        """Open the file as it lies on the disk, as one long run of bytes; it must not be empty."""
        with self.path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as view:
            yield view

    def head(self) -> bytes:
        """Return the first bytes, unpacked."""
        with self.opened() as stream:
            return stream.read(HEAD)


def locate(path: str | PathLike[str]) -> Source:
    """Return what a path names: a file, or with "table@file" a table of a database file.

    >>> from importlib.resources import files
    >>> locate(str(files("treewright.table") / "data" / "tennis.csv")).format
    'text'
    """
    place, table = _parts_of(fspath(path))
    if not place.is_file():
        raise no_file(place)
    with place.open("rb") as stream:
        start = stream.read(16)
    is_packed = start[:2] == b"\x1f\x8b"
    packed = Source(place, "text", is_packed)
    head = packed.head() if is_packed else start
    known = next((name for sign, name in _FORMATS if head.startswith(sign)), None)
    if known is None and is_workbook(place):
        known = "workbook"
    if known is None:
        _refuse_foreign(packed, head)
        known = "duckdb" if head[8:12] == b"DUCK" else "json" if _is_json(packed) else "text"
    if is_packed and known not in ("text", "json"):
        raise ValueError(
            f"{packed} is a packed {known} file, which cannot be read as it is. Unpack it first."
        )
    if table is not None and known not in ("duckdb", "sqlite", "workbook"):
        raise ValueError(
            f"{packed} is no DuckDB or SQLite file and no workbook, so it holds no table {table!r}; leave "
            f"out '{table}@'."
        )
    return Source(place, known, is_packed, table)


def is_workbook(place: Path) -> bool:
    """Return whether a file is a workbook of Excel or LibreOffice: a zip archive with certain members."""
    with place.open("rb") as stream:
        start = stream.read(200)
    return start.startswith(b"PK\x03\x04") and start[30:].startswith(_IN_WORKBOOKS)


def _parts_of(text: str) -> tuple[Path, str | None]:
    """Return the file and the table in it; an @ may also be part of a file's name."""
    if not Path(text).exists():
        for place, letter in enumerate(text):
            if letter == "@" and place and Path(text[place + 1 :]).is_file():
                return Path(text[place + 1 :]), text[:place]
        table, sign, file = text.partition("@")
        if sign and Path(file).suffix in (".duckdb", ".db", ".sqlite", ".sqlite3", ".xlsx", ".xls", ".ods"):
            return Path(file), table
    return Path(text), None


def no_file(place: Path) -> FileNotFoundError:
    """Return the error for a path that names no file to read, with the name that may have been meant.

    >>> no_file(Path("nowhere/m.treewright"))
    FileNotFoundError("There is no file 'nowhere/m.treewright': there is no folder 'nowhere' either.")
    """
    folder = place.parent
    if str(place) == "-":
        return FileNotFoundError(
            "There is no file '-': a model cannot come from standard input. Save what it gives as a file."
        )
    if place.is_dir():
        inside = sorted(p for p in place.iterdir() if p.is_file() and not p.name.startswith("."))
        hint = f", such as {str(inside[0])!r}" if inside else ""
        return FileNotFoundError(f"There is no file {str(place)!r}: it is a folder. Name a file in it{hint}.")
    if place.exists():
        return FileNotFoundError(
            f"There is no file {str(place)!r} that could be read twice: it is a pipe or a device. "
            "Save what it gives as a file first."
        )
    if not folder.is_dir():
        return FileNotFoundError(
            f"There is no file {str(place)!r}: there is no folder {str(folder)!r} either."
        )
    files = sorted(p for p in folder.iterdir() if p.is_file())
    only_ending_lacks = (p.name for p in files if p.stem == place.name)
    near = next(only_ending_lacks, None) or nearest(place.name, [p.name for p in files])
    hint = f"; did you mean {str(folder / near)!r}?" if near else f"; look into {str(folder.resolve())!r}."
    return FileNotFoundError(f"There is no file {str(place)!r}{hint}")


def _refuse_foreign(source: Source, head: bytes) -> None:
    for sign, what, way in _FOREIGN:
        if head.lstrip(b"\xef\xbb\xbf \r\n").startswith(sign):
            raise ValueError(f"{source} cannot be read as a table: it is {what}. {way}")


def is_json_array(source: Source) -> bool:
    """Return whether a JSON file is one array, not an object in each line."""
    return _start(source)[:1] == b"["


def _start(source: Source) -> bytes:
    return source.head()[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")


def _is_json(source: Source) -> bool:
    start = _start(source)
    name = source.path.name.lower().removesuffix(".gz")
    return start[:2] in (b'{"', b"{}") or (name.endswith(_JSON_NAMES) and start[:1] in (b"{", b"["))
