"""What a path, a list of them, or frames in pieces mean: a list of shards, and how they are read."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treewright.base.numbers import count
from treewright.table.files.cells import literal
from treewright.table.files.delimited import sample_of
from treewright.table.files.duck import connected
from treewright.table.files.encoding import guess_encoding, is_plain
from treewright.table.files.judge import Rule
from treewright.table.files.places import files_inside
from treewright.table.files.source import Source, is_json_array, locate
from treewright.table.frames import is_frame
from treewright.table.table import Table

from .readers import Head, naming, tables_of
from .shard import Shard, in_order, mark_of
from .way import Way

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

LEAST_ROWS, BLOCK_BYTES = 1 << 17, 1 << 26  # row groups are put together, text is cut


@dataclass(frozen=True)
class Listing:
    """The shards of a data set in the order of their rows, and how they are read."""

    shards: tuple[Shard, ...]
    way: Way

    def __repr__(self) -> str:
        return f"Listing({count(len(self.shards), 'shard')})"


def shards_of(
    data: Any, way: Way | None = None, *, block_bytes: int = BLOCK_BYTES, least_rows: int = LEAST_ROWS
) -> Listing:
    """Return the shards of a path, a folder, a pattern, a list of these, a frame, or frames in pieces.

    >>> import treewright as tw
    >>> shards_of([tw.example("tennis").take(range(7)), tw.example("tennis").take(range(7, 14))])
    Listing(2 shards)
    """
    way = way or Way()
    if isinstance(data, Listing):
        return data
    if isinstance(data, (str, PathLike)):
        data = [data]
    if isinstance(data, Table) or is_frame(data):
        data = [data]
    if not isinstance(data, Iterable):
        raise TypeError(f"Shards come as paths, or as frames in pieces, not as {type(data).__name__}.")
    pieces = list(data)
    if not pieces:
        raise ValueError("There are no shards: the list is empty.")
    if not all(isinstance(piece, (str, PathLike)) for piece in pieces):
        return Listing(tuple(_held(piece, i) for i, piece in enumerate(pieces)), way)
    sources = _sources(pieces)
    if sources[0].format == "text":
        way = _text_way(sources[0], way)
    with connected() as connection:
        cut = _Cutter(connection, way, block_bytes, least_rows)
        shards = [shard for source in sources for shard in cut.shards(source)]
    return Listing(tuple(in_order(shards)), way)


def _held(piece: Any, part: int) -> Shard:
    if not isinstance(piece, Table) and not is_frame(piece):
        raise TypeError(
            f"Shards are all paths, or all frames or tables; number {part + 1} is a {type(piece).__name__}."
        )
    n_rows = piece.n_rows if isinstance(piece, Table) else len(piece)
    return Shard("frame", part, "frame", n_rows=n_rows, held=piece)


def _sources(paths: Sequence[str | PathLike[str]]) -> list[Source]:
    found = [source for path in paths for source in _files(fspath(path))]
    found.sort(key=lambda source: str(source.path).encode("utf-8", "surrogatepass"))
    for source in found[1:]:
        if source.format != found[0].format:
            first, odd = found[0], source
            _refuse_empty(first, odd)
            raise ValueError(
                f"The shards are of several formats: {first} is {first.format}, {odd} is {odd.format}. Name "
                f"those of one, such as {str(first.path.parent / f'*{first.path.suffix}')!r}."
            )
    twice = next((a for a, b in pairwise(found) if (a.path, a.table) == (b.path, b.table)), None)
    if twice is not None:
        raise ValueError(f"The shard {twice} is named twice; its rows would count twice.")
    return found


def _refuse_empty(*sources: Source) -> None:
    """Refuse a file without a byte, which has no format at all."""
    for source in sources:
        if source.path.stat().st_size == 0:
            raise ValueError(
                f"The shard {source} is empty: it has not one byte. Write it again, or remove it."
            )


def _files(text: str) -> Iterator[Source]:
    place = Path(text)
    if place.is_dir():
        inside = files_inside(place)
        if not inside:
            raise FileNotFoundError(f"The folder {text!r} has no file with rows, such as part-0.parquet.")
        yield from map(locate, inside)
    elif not place.exists() and glob.has_magic(text):
        fitting = sorted(glob.glob(text, recursive=True))
        if not fitting:
            raise FileNotFoundError(f"There is no file that {text!r} fits.")
        yield from (locate(name) for name in fitting if os.path.isfile(name))
    else:
        yield locate(text)


def _text_way(source: Source, way: Way) -> Way:
    """Return the way with the layout of the first file of text."""
    sample, names, numeric = sample_of(source, way.wanted)
    dialect = sample.dialect
    wanted = replace(
        way.wanted,
        separator=dialect.separator,
        quote=dialect.quote,
        decimal=dialect.decimal,
        header=dialect.has_header,
        trim=False,
    )
    rule = Rule(frozenset(wanted.missing), dialect.decimal, dialect.is_spaced)
    return replace(way, wanted=wanted, names=tuple(names), numeric=frozenset(numeric), rule=rule)


class _Cutter:
    """Cuts files into shards."""

    def __init__(self, connection: DuckDBPyConnection, way: Way, block_bytes: int, least_rows: int) -> None:
        self.connection, self.way = connection, way
        self.block_bytes, self.least_rows = block_bytes, least_rows

    def shards(self, source: Source) -> Iterator[Shard]:
        cut = {
            "parquet": self._parquet,
            "duckdb": self._duckdb,
            "text": self._text,
            "json": self._json,
            "arrow": self._whole,
        }.get(source.format, self._by_reading)
        return cut(source)

    def _whole(self, source: Source) -> Iterator[Shard]:
        yield Shard(str(source.path), 0, source.format, mark=mark_of(source.path), detail=source)

    def _by_reading(self, source: Source) -> Iterator[Shard]:
        name = str(source.path) if source.table is None else f"{source.table}@{source.path}"
        yield Shard(name, 0, "whole", mark=b"", detail=source)

    def _parquet(self, source: Source) -> Iterator[Shard]:
        name, mark = str(source.path), mark_of(source.path)
        query = (
            "select distinct row_group_id, row_group_num_rows from "
            f"parquet_metadata({literal(glob.escape(name))}) order by row_group_id"
        )
        with naming(Shard(name, 0, "parquet")):
            groups = self.connection.execute(query).fetchall()
        first = stop = part = 0
        for place, (_, n_rows) in enumerate(groups):
            stop += int(n_rows)
            if stop - first >= self.least_rows or (place == len(groups) - 1 and stop > first):
                yield Shard(name, part, "parquet", first, stop, stop - first, mark)
                first, part = stop, part + 1

    def _duckdb(self, source: Source) -> Iterator[Shard]:
        name, mark = str(source.path), mark_of(source.path)
        with naming(Shard(name, 0, "duckdb")):
            schema, table, is_table, n_rows = tables_of(self.connection, source)
        if not is_table:
            yield Shard(name, 0, "duckdb", mark=mark, detail=(schema, table))
            return
        for part, first in enumerate(range(0, n_rows, self.least_rows)):
            stop = min(first + self.least_rows, n_rows)
            yield Shard(name, part, "duckdb", first, stop, None, mark, (schema, table))

    def _text(self, source: Source) -> Iterator[Shard]:
        whole = next(self._whole(source))
        if (
            source.is_packed
            or not is_plain(guess_encoding(source))
            or os.path.getsize(source.path) <= self.block_bytes
        ):
            yield whole
            return
        wanted = self.way.wanted
        quote = (wanted.quote or "").encode()
        head = _end_of_line(source.path, 0, quote) if wanted.header else 0
        for part, (first, stop) in enumerate(_blocks(source.path, head, self.block_bytes, quote)):
            yield replace(whole, part=part, first=first, stop=stop, held=Head(head))

    def _json(self, source: Source) -> Iterator[Shard]:
        whole = next(self._whole(source))
        size = os.path.getsize(source.path)
        if source.is_packed or size <= self.block_bytes or is_json_array(source):
            yield whole
            return
        for part, (first, stop) in enumerate(_blocks(source.path, 0, self.block_bytes, b"")):
            yield replace(whole, part=part, first=first, stop=stop)


def _end_of_line(path: Path, start: int, quote: bytes) -> int:
    """Return where the first record from `start` on ends; a line end in quotes ends none."""
    is_open = False
    with path.open("rb") as file:
        file.seek(start)
        for line in file:
            start += len(line)
            is_open ^= bool(quote) and line.count(quote) % 2 == 1
            if not is_open:
                break
    return start


def _blocks(path: Path, first: int, n_bytes: int, quote: bytes) -> Iterator[tuple[int, int]]:
    """Yield stretches of bytes of about a size that end where a record ends."""
    size = os.path.getsize(path)
    with path.open("rb") as file:
        while first < size:
            file.seek(first)
            n_quotes = 0
            left = min(n_bytes, size - first)
            while left > 0 and (some := file.read(min(left, 1 << 22))):
                n_quotes += some.count(quote) if quote else 0
                left -= len(some)
            stop = file.tell()
            while stop < size:
                line = file.readline()
                stop += len(line)
                n_quotes += line.count(quote) if quote else 0
                if n_quotes % 2 == 0:
                    break
            yield first, stop
            first = stop
