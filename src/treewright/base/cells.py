"""Words in a terminal: how many cells they take, and where they are cut."""

from __future__ import annotations

import unicodedata


def cells(words: str) -> int:
    """Return how many cells of a terminal words take: wide characters two, marks on others none.

    >>> cells("ab"), cells("日本")
    (2, 4)
    """
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in words
    )


def cut(words: str, room: int, ascii: bool = False) -> str:  # noqa: A002
    """Return words cut to so many cells, with dots where something is left out.

    >>> cut("Temperature", 6), cut("Wind", 6)
    ('Tempe…', 'Wind')
    """
    dots = "..." if ascii else "…"
    if fitting(words, room) == len(words):
        return words
    return words[: fitting(words, room - len(dots))] + dots


def fitting(words: str, room: int) -> int:
    """Return how many characters of the words fit into some cells; no further ones are looked at.

    >>> fitting("日本", 3), fitting("ab", 3)
    (1, 2)
    """
    taken = 0
    for i, character in enumerate(words):
        taken += cells(character)
        if taken > room:
            return i
    return len(words)
