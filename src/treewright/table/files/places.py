"""What is read where a path names no single file: standard input, an address, a folder, a pattern."""

from __future__ import annotations

import glob
import shutil
import stat
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO

from treewright.base.advice import read_with, refusal

from .encoding import guess_encoding, text_of
from .source import Source, locate, no_file

_SUFFIXES = (".csv", ".tsv", ".txt", ".data", ".json", ".jsonl", ".ndjson", ".parquet", ".gz")
_SECONDS = 60  # that a server may take to answer


def source_of(path: str | PathLike[str], download: bool, stack: ExitStack) -> Source:
    """Return the file that a path means; what cannot be read twice is copied first.

    "-" is standard input, "https://..." an address that is fetched if `download` is said, a folder or a
    pattern such as "sales/*.csv" several files with the same columns.
    """
    text = fspath(path)
    if text == "-":
        return _spool(sys.stdin.buffer, "standard input", stack)
    if text.startswith(("http://", "https://")):
        return _fetch(text, download, stack)
    place = Path(text)
    if place.exists() and not place.is_dir() and not stat.S_ISREG(place.stat().st_mode):
        with place.open("rb") as stream:
            return _spool(stream, text, stack)
    if place.is_dir():
        return _together(place, files_inside(place), stack)
    if not place.exists() and glob.has_magic(text):
        return _together(place, sorted(map(Path, glob.glob(text, recursive=True))), stack)
    return locate(path)


def _spool(stream: BinaryIO, name: str, stack: ExitStack) -> Source:
    copy = _new_place(Path(name).name.replace(" ", "_") or "copy", stack)
    with copy.open("wb") as out:
        shutil.copyfileobj(stream, out, 1 << 22)
    if not copy.stat().st_size:
        raise ValueError(f"There is nothing to read: {name} is empty.")
    return replace(locate(copy), named=Path(name))


def _new_place(name: str, stack: ExitStack) -> Path:
    return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="treewright-"))) / name


def _fetch(address: str, download: bool, stack: ExitStack) -> Source:
    if not download:
        raise refusal(
            f"{address!r} is an address, and nothing is fetched from a network unless you say so: ",
            read_with("download", True),
            ". Or fetch it yourself and name the file.",
        )
    import urllib.error  # here: they are slow to import
    import urllib.parse
    import urllib.request

    name = Path(urllib.parse.urlsplit(address).path).name or "table"
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer:
            source = _spool(answer, name, stack)
    except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
        raise ValueError(f"{address!r} cannot be fetched: {getattr(error, 'reason', error)}.") from None
    return replace(source, named=Path(name))


# --- several files ------------------------------------------------------------------------------------------


def files_inside(folder: Path) -> list[Path]:
    """Return the files of a folder that may hold rows, by name."""
    return sorted(
        p
        for p in folder.iterdir()
        if p.is_file() and p.name.lower().endswith(_SUFFIXES) and p.name[0] not in "._"
    )


def _together(given: Path, places: Sequence[Path], stack: ExitStack) -> Source:
    if not places:
        if given.is_dir():
            raise no_file(given)
        raise FileNotFoundError(f"There is no file that {str(given)!r} fits.")
    sources = [locate(place) for place in places]
    first = sources[0]
    other = next((source for source in sources if source.format != first.format), None)
    if other is not None:
        raise ValueError(
            f"{str(given)!r} names files of several formats: {first} is {first.format}, {other} is "
            f"{other.format}. Name those of one: {str(given / '*.csv') if given.is_dir() else '*.csv'!r}."
        )
    if len(sources) == 1:
        return first
    if first.format == "parquet":
        return replace(first, others=tuple(places[1:]), named=given)
    if first.format not in ("text", "json"):
        raise ValueError(
            f"{str(given)!r} names {len(sources)} files of the format {first.format}, which are read one by "
            f"one; name one: {first}."
        )
    return _join(given, sources, stack)


def _join(given: Path, sources: Sequence[Source], stack: ExitStack) -> Source:
    """Return a copy of text files, one behind the other; the line of names only once."""
    suffix = "".join(sources[0].path.suffixes).removesuffix(".gz")
    copy = _new_place(f"joined{suffix}", stack)
    is_text = sources[0].format == "text"
    names = ""
    with copy.open("w", encoding="utf-8", newline="") as out:
        for source in sources:
            with text_of(source, guess_encoding(source)) as text:
                if is_text:
                    first = text.readline().rstrip("\r\n")
                    if names and first != names:
                        raise ValueError(
                            f"{str(given)!r} names files of several layouts: {sources[0]} begins with "
                            f"{names!r:.100}, {source} with {first!r:.100}. Name those with the same columns."
                        )
                    if not names:
                        out.write(first + "\n")
                    names = first
                last = "\n"
                for line in text:
                    out.write(line)
                    last = line
                if not last.endswith(("\n", "\r")):
                    out.write("\n")
    return replace(locate(copy), named=given)
