"""What a slide prints beside what the library computes, and the verdict on the two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction

from treewright.lectures.arithmetic import worked_out

Value = float | int | str

EXACT = 1e-9  # figures this close are the same figure
FILLED = 2e-5  # what six digits of each figure in a formula may add up to


@dataclass(frozen=True)
class Slide:
    """A statement of a slide: where it stands, what is printed, and the arithmetic that it gives for it.

    `place` is the number of the lecture and the line of its text. `printed` is kept as text, so that its
    digits are known. `written` is the arithmetic on the slide, with the slide's own (rounded) numbers.

    >>> Slide("000:715", "0.1515", written="0.940 - 0.7885").verdict(0.151836)
    'from rounded numbers'
    """

    place: str
    printed: str
    written: str = ""
    own_points: bool = False  # of data that the slide shows without their numbers

    @property
    def lecture(self) -> str:
        """The number of the lecture, such as 000."""
        return self.place.partition(":")[0]

    def verdict(self, value: Value) -> str:
        """Return how our value and the slide agree.

        "as printed": the same. "rounded" and "truncated": the same in the digits that are printed. "from
        rounded numbers": what the slide's arithmetic gives with its own, rounded numbers. "misprint: ...":
        none of these, or the arithmetic on the slide does not lead to the number printed after it. "of its
        own points": the slide shows its data as a picture, so that ours are others of the same kind.

        >>> slide = Slide("000:721", "0.246")
        >>> slide.verdict(0.246), slide.verdict(0.24601), slide.verdict(0.24675), slide.verdict(0.25)
        ('as printed', 'rounded', 'truncated', 'misprint: should be 0.250')
        >>> Slide("000:413", "4/4").verdict("0/4")
        'misprint: should be 0/4'
        """
        if self.own_points:
            return "of its own points"
        number = _number(self.printed)
        if number is None or isinstance(value, str):
            return self._verdict_on_words(value)
        if not math.isfinite(value):
            return f"misprint: should be {value}"
        digits, printed = number
        ours = Decimal(repr(float(value))) * _scale(self.printed)
        written = Decimal(float(worked_out(self.written))) if self.written else None
        if abs(ours - printed) < Decimal(EXACT):
            found = "as printed"
        elif _at(ours, digits, ROUND_HALF_UP) == printed:
            found = "rounded"
        elif _at(ours, digits, ROUND_DOWN) == printed:
            found = "truncated"
        elif written is not None and _at(written, digits, ROUND_HALF_UP) == printed:
            return "from rounded numbers"
        else:
            return f"misprint: should be {_at(ours, digits, ROUND_HALF_UP)}{'%' * ('%' in self.printed)}"
        # The slide's own rounding may move its result by one in the last digit, no further.
        if written is not None and abs(_at(written, digits, ROUND_HALF_UP) - printed) > _unit(digits):
            return f"misprint: the terms give {_at(written, digits, ROUND_HALF_UP)}, the result is right"
        return found

    def _verdict_on_words(self, value: Value) -> str:
        """Of words, or of a formula with our numbers in it."""
        if isinstance(value, str):
            return "as printed" if value == self.printed else f"misprint: should be {value}"
        if not self.written:
            raise ValueError(
                f"{self.printed!r} is no number; give the formula with its numbers as `written`."
            )
        result = float(worked_out(self.written))
        if math.isclose(result, value, rel_tol=1e-9, abs_tol=FILLED):
            return "as printed"
        return f"misprint: it gives {shown(result)}, should be {shown(value)}"


def shown(value: Value) -> str:
    """Return a value for reading: whole numbers whole, others with six digits after the point.

    >>> shown(0.24674981977443933), shown(3.0), shown("Outlook"), shown(1e-17)
    ('0.246750', '3', 'Outlook', '0')
    """
    if isinstance(value, str):
        return value
    if abs(value - round(value)) < EXACT:
        return str(round(value))
    return f"{value:.6f}"


def _number(printed: str) -> tuple[int, Decimal] | None:
    """Return the digits after the point and the number, or None for words and fractions."""
    text = printed.strip().removesuffix("%").strip()
    try:
        number = Decimal(text)
    except ArithmeticError:
        return None
    return len(text.partition(".")[2]), number


def _scale(printed: str) -> int:
    return 100 if "%" in printed else 1


def _at(number: Decimal, digits: int, rounding: str) -> Decimal:
    return number.quantize(_unit(digits), rounding=rounding)


def _unit(digits: int) -> Decimal:
    return Decimal(1).scaleb(-digits)


def share(part: float, whole: float) -> str:
    """Return a share as a fraction, not reduced, as slides write it.

    >>> share(6.0, 12.0), share(0.5, 4.0)
    ('6/12', '0.5/4')
    """
    return f"{_plain(part)}/{_plain(whole)}"


def _plain(number: float) -> str:
    exact = Fraction(number).limit_denominator(1000)
    return str(round(number)) if exact.denominator == 1 else f"{number:g}"
