"""How the bytes of a file become text: UTF-8 where it can be, else UTF-16 by its marks, else Windows-1252."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from treewright.base.advice import read_with, refusal, sentence

from .source import Source

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
WORDS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with a byte order mark",
    "cp1252": "Windows-1252 (Latin-1)",
    "iso8859-1": "Latin-1",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
}
_UTF8 = ("utf-8", "utf-8-sig")  # what DuckDB reads as it is


def checked_encoding(name: str) -> str:
    """Return Python's name of an encoding.

    >>> checked_encoding("Latin-1"), checked_encoding("UTF8")
    ('iso8859-1', 'utf-8')
    """
    try:
        return codecs.lookup(name).name
    except LookupError:
        raise refusal(
            read_with("encoding", name),
            " is not known; say 'utf-8', 'latin-1', 'cp1252', 'utf-16' or another of Python's names.",
        ) from None


def guess_encoding(source: Source) -> str:
    """Return the encoding of a text file by its first bytes; bytes that no text has are a ValueError."""
    head = source.head()
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    zeros = head[:4096].count(0)
    if zeros:
        odd = head[1:4096:2].count(0)
        if len(head) % 2 == 0 and zeros > len(head[:4096]) // 4 and odd in (0, zeros):
            return "utf-16-le" if odd else "utf-16-be"
        raise ValueError(not_text(source, head.index(0)))
    if is_utf8(head):
        return "utf-8"
    strange = sum(head.count(sign) for sign in range(32) if sign not in b"\t\n\r\f\x1a")
    if strange * 50 > len(head):
        raise ValueError(
            not_text(source, next(i for i, b in enumerate(head) if b < 32 and b not in b"\t\n\r\f"))
        )
    return one_byte(source)


def is_utf8(head: bytes) -> bool:
    """Return whether bytes are UTF-8; a letter that is cut off at the end does not count against it."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def one_byte(source: Source) -> str:
    """Return the encoding of a file with one byte a letter: Windows-1252, unless it has bytes that lacks."""
    with source.opened() as stream:
        while block := stream.read(1 << 22):
            if any(sign in block for sign in (b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d")):
                return "iso8859-1"
    return "cp1252"


def is_plain(encoding: str) -> bool:
    """Return whether DuckDB can read a file of this encoding without a copy."""
    return encoding in _UTF8


@contextmanager
def text_of(source: Source, encoding: str) -> Iterator[TextIO]:
    """Open a file as text with its line ends; bytes that the encoding has not are a ValueError."""
    with source.opened() as stream:
        # newline="" keeps the line ends, and divides at each sort of them.
        text = io.TextIOWrapper(stream, encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline="")
        try:
            yield text
        except UnicodeDecodeError as error:
            raise ValueError(not_decoded(source, encoding, error)) from None
        finally:
            text.detach()


def not_decoded(source: Source, encoding: str, error: UnicodeDecodeError | None = None) -> str:
    """Return the sentence for a file that is not of the encoding, with its first line that is not."""
    reason = "" if error is None else f" ({error.reason})"
    if is_plain(encoding):
        with source.opened() as stream:
            for number, line in enumerate(stream, start=1):
                if not is_utf8(line.rstrip(b"\r\n") + b"\n"):
                    reason = f": line {number:,} is not ({line.strip()[:40]!r})"
                    break
    return sentence(
        f"{source} cannot be read as {WORDS.get(encoding, encoding)} text{reason}. Try ",
        read_with("encoding", "latin-1"),
        ".",
    )


def not_text(source: Source, place: int) -> str:
    """Return the sentence for a file of bytes that are no text."""
    return (
        f"{source} cannot be read as a table: it is not text (byte {place + 1:,} is none of a text). Files "
        "of text (CSV, TSV, JSON lines, also packed by gzip), Parquet, Arrow, DuckDB and SQLite can be read."
    )
