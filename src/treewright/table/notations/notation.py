"""What every notation is: a frozen value that turns texts into numbers, and a number into its text."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from treewright.measure.intervals import number
from treewright.table.files.numbers import number_of
from treewright.table.kind import Kind

Self = TypeVar("Self", bound="Notation")

# Spaces and signs that exports use in place of the plain ones.
_PLAIN = str.maketrans({
    "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2007": " ",
    "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u2019": "'", "\u00b4": "'", "`": "'",
})  # fmt: skip


@dataclass(frozen=True)
class Notation:
    """How the cells of a column spell its values; `strays` are words that mean a gap in this column.

    The base reads plain numbers, with a point for decimals.

    >>> Notation(strays=("unknown",)).numbers(["1.5", "unknown", "x"])
    [1.5, nan, None]
    """

    strays: tuple[str, ...] = ()

    word: ClassVar[str] = "number"
    kind: ClassVar[Kind] = Kind.numeric

    def __post_init__(self) -> None:
        object.__setattr__(self, "strays", tuple(self.strays))
        if not all(isinstance(stray, str) for stray in self.strays):
            raise TypeError(f"Stray words are texts; found {self.strays!r:.100}.")

    def numbers(self, texts: Sequence[str]) -> list[float | None]:
        """Return the number of each text: None where it is not so written, NaN where it means a gap."""
        gaps = set(self.strays)
        return [float("nan") if text in gaps else self.number(plain(text)) for text in texts]

    def number(self, text: str) -> float | None:
        """Return the number of one text without unusual spaces and signs, or None."""
        return number_of(text)

    def of_number(self, value: float) -> float:
        """Return the value of a cell that is a number already, not a text."""
        return value

    def to_text(self, value: float) -> str:
        """Return a value as it is shown."""
        return number(value)

    def floor(self, value: float) -> float:
        """Return the largest value of the notation's resolution that is not above a value."""
        return value

    def with_strays(self: Self, strays: Sequence[str]) -> Self:
        """Return the same notation with these stray words."""
        return dataclasses.replace(self, strays=tuple(strays))

    def why(self, example: str) -> str:
        """Return the reason in words, with an example of a cell."""
        return f"every cell is a number, such as {example!r:.40}"

    def doubts(self, texts: Sequence[str], counts: Sequence[int]) -> list[str]:  # noqa: ARG002
        """Return what a reader should know of how these words, in so many cells each, were taken."""
        return []

    @property
    def remark(self) -> str:
        """A word or two beside the column's name: its unit, the order of its dates; often empty."""
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Return the notation as plain JSON values; what is as usual is left out."""
        found: dict[str, Any] = {"word": self.word}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                found[field.name] = list(value) if isinstance(value, tuple) else value
        return found

    @classmethod
    def from_dict(cls: type[Self], stored: Mapping[str, Any]) -> Self:
        """Return the notation that `to_dict` wrote; anything else is a ValueError."""
        given = {name: value for name, value in stored.items() if name != "word"}
        known = {field.name: field for field in dataclasses.fields(cls)}
        for name, value in given.items():
            if name not in known:
                raise ValueError(f"A notation {cls.word!r} has no entry {name!r:.60}.")
            if isinstance(known[name].default, tuple):
                if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in value):
                    raise ValueError(f"A notation {cls.word!r}: {name!r} must be a list of texts.")
                given[name] = tuple(value)
            elif not isinstance(value, str):
                raise ValueError(f"A notation {cls.word!r}: {name!r} must be a text, not {value!r:.60}.")
        try:
            return cls(**given)
        except TypeError as error:
            raise ValueError(str(error)) from None


def plain(text: str) -> str:
    r"""Return a text without spaces at its ends, and with plain spaces, minus signs and apostrophes.

    >>> plain(" \u22121\u202f234 ")
    '-1 234'
    """
    return text.translate(_PLAIN).strip() if not text.isascii() or "`" in text else text.strip()
