"""A column of one shard as it lies there, before anything is decided about the whole."""

from __future__ import annotations

from typing import NamedTuple

from treewright.table.files.judge import Words
from treewright.table.kind import Kind
from treewright.table.raw import Raw, Values

# How what is found becomes a column, once all shards are seen.
AS_IS = "as is"  # it says itself what it is
STORED = "stored"  # words that are text unless all of them spell more
JUDGED = "judged"  # words that are numbers if all of them are


class Found(NamedTuple):
    """What a column holds in one shard; `how` says whether its words are still to be judged."""

    raw: Raw
    how: str = AS_IS
    why: str = ""

    @property
    def has_words(self) -> bool:
        """True where the column is codes into words or categories."""
        return not self.raw.kind.is_numeric and self.raw.kind is not Kind.boolean

    @property
    def values(self) -> Values:
        """Numbers, with NaN for gaps where they are floats, or codes."""
        return self.raw.values


def of_words(words: Words, how: str, why: str = "") -> Found:
    """Return a column of words that are not judged yet."""
    return Found(Raw(Kind.nominal, words.codes, tuple(words.texts)), how, why)
