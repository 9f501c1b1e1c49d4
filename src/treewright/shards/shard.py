"""One shard: some rows of a data set, where they lie, and the mark by which a changed file is known."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

_ENDS = 1 << 16  # bytes at both ends of a file that its mark is made of: the footer of a Parquet file is one


class ChangedError(ValueError):
    """A shard that is not what it was when the data set was listed."""


@dataclass(frozen=True)
class Shard:
    """Rows of a data set: `part` of the file, table or frame that is called `name`.

    `first` and `stop` are rows, or bytes where the format has blocks of text; `n_rows` is None where that is
    not known before the shard is read. `held` is the frame itself, where no file has it.
    """

    name: str
    part: int
    format: str
    first: int = 0
    stop: int = -1  # -1: to the end
    n_rows: int | None = None
    mark: bytes = b""
    detail: Any = None  # what the format needs besides: a table's name
    held: Any = None

    def __str__(self) -> str:
        return repr(self.name) if self.first == 0 and self.stop == -1 else f"{self.name!r}, part {self.part}"

    def check(self) -> None:
        """Refuse a file that has changed since it was listed."""
        if not self.mark:
            return
        if not os.path.isfile(self.name):
            raise ChangedError(f"The shard {self.name!r} is gone since the data set was listed.")
        if mark_of(self.name) != self.mark:
            raise ChangedError(
                f"The shard {self.name!r} has changed since the data set was listed: its size, its time or "
                "its content is another. List the data set again."
            )


def mark_of(path: str | os.PathLike[str]) -> bytes:
    """Return 16 bytes by which a change of a file is known: its size, its time, and both of its ends."""
    place = Path(path)
    facts = place.stat()
    digest = blake2b(f"{facts.st_size} {facts.st_mtime_ns}".encode(), digest_size=16)
    with place.open("rb") as file:
        digest.update(file.read(_ENDS))
        file.seek(max(0, facts.st_size - _ENDS))
        digest.update(file.read(_ENDS))
    return digest.digest()


def in_order(shards: Sequence[Shard]) -> list[Shard]:
    """Return shards by name, by its bytes, and part: the order by which rows have their numbers.

    >>> found = in_order([Shard("b", 0, "frame"), Shard("a", 1, "frame"), Shard("a", 0, "frame")])
    >>> [(shard.name, shard.part) for shard in found]
    [('a', 0), ('a', 1), ('b', 0)]
    """
    return sorted(shards, key=lambda shard: (shard.name.encode("utf-8", "surrogatepass"), shard.part))
