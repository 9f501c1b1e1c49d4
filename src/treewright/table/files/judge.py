"""What a column of text holds, from its distinct words: numbers, dates, codes or categories, and why."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.table.found import EXACT, MISSING, Found, check_utf8, factorise, from_days, not_exact, nothing
from treewright.table.schema import Kind

from .numbers import DATE, WHOLE, is_code, number_of, numbers_of

LineOf = Callable[[int], str]  # a row of the table -> "line 17", for people


@dataclass(frozen=True)
class Words:
    """The cells of a column of text: its distinct words by their bytes, and each row's place there, or -1."""

    texts: list[str]
    codes: NDArray[np.int32]

    def first(self, chosen: NDArray[np.bool_]) -> int:
        """Return the first row whose word is among the chosen."""
        return int(np.argmax(np.append(chosen, False)[self.codes]))

    def count(self, chosen: NDArray[np.bool_]) -> int:
        """Return how many rows have a word among the chosen."""
        return int(np.count_nonzero(np.append(chosen, False)[self.codes]))


@dataclass(frozen=True)
class Rule:
    """How words are taken: which mean a gap, the sign in numbers, whether spaces in front belong to them."""

    missing: frozenset[str]
    decimal: str = "."
    is_spaced: bool = False
    blank_is_gap: bool = True


@dataclass(frozen=True)
class Seen:
    """A column as found, the reason in words, and a note if the reader should look at it."""

    found: Found
    why: str
    note: str = ""


def judge(name: str, words: Words, rule: Rule, asked: Kind | None, line_of: LineOf) -> Seen:
    """Return what the words of a column are. A column asked to be numeric that is not is a ValueError."""
    known = _without_gaps(words, rule)
    _refuse_nul(name, known, line_of)
    if asked not in (None, Kind.numeric):
        return Seen(_categories(name, known, rule), f"{asked} as asked")
    if not known.texts:
        return Seen(nothing(len(known.codes)), "no cell has a value")
    sizes = numbers_of(known.texts, rule.decimal)
    is_word = np.array([size is None for size in sizes])
    if not is_word.any():
        if asked is None and is_code(known.texts):
            why = f"codes of {len(known.texts[0])} digits with zeros in front, such as {_zero(known.texts)!r}"
            note = f"Column {name!r} holds {why}; if they are amounts: numeric=[{name!r}]."
            return Seen(_categories(name, known, rule), why, note)
        return Seen(_numbers(name, known, sizes), "every cell is a number")
    if (days := _days(known)) is not None:
        return Seen(days, f"every cell is a date, as {known.texts[0]!r}")
    if asked is Kind.numeric:
        raise ValueError(_not_numeric(name, known, is_word, rule, line_of))
    return Seen(_categories(name, known, rule), *_why_text(name, known, is_word, rule, line_of))


def _without_gaps(words: Words, rule: Rule) -> Words:
    gaps = rule.missing | {""} if rule.blank_is_gap else rule.missing
    is_gap = np.array([text.strip(" ") in gaps for text in words.texts] + [True])
    place = np.cumsum(~is_gap, dtype=np.int32) - 1
    place[is_gap] = MISSING
    kept = [text for text, gap in zip(words.texts, is_gap.tolist()[:-1], strict=True) if not gap]
    return Words(kept, place[words.codes])


def _refuse_nul(name: str, known: Words, line_of: LineOf) -> None:
    has_nul = np.array(["\0" in text for text in known.texts], dtype=bool)
    if has_nul.any():
        place = line_of(known.first(has_nul))
        raise ValueError(
            f"Column {name!r} holds a zero byte in {place}, which no text has; the file is damaged there. "
            "Correct the line, or leave the column out."
        )


def _categories(name: str, known: Words, rule: Rule) -> Found:
    if not rule.is_spaced:  # the words are distinct and sorted already
        check_utf8(name, known.texts)
        return Found(Kind.nominal, known.codes, tuple(known.texts))
    found = factorise(name, [text.lstrip(" ") for text in known.texts])
    return Found(Kind.nominal, np.append(found.values, np.int32(MISSING))[known.codes], found.categories)


def _zero(texts: list[str]) -> str:
    return next(text for text in texts if text[0] == "0")


def _numbers(name: str, known: Words, sizes: list[float | None]) -> Found:
    values = np.array([*sizes, np.nan], dtype=np.float64)
    for place in np.flatnonzero(np.abs(values) >= EXACT).tolist():
        text, size = known.texts[place], float(values[place])
        if WHOLE.fullmatch(text) and (np.isinf(size) or int(size) != int(text)):
            raise ValueError(not_exact(name, int(text)))
        if np.isinf(size) and "inf" not in text.lower():
            raise ValueError(
                f"Column {name!r} holds {text.strip()}, beyond the largest number of 64 bits (1.8e308). "
                f"Scale it down, or take the column as categories: categorical=[{name!r}]."
            )
    return Found(Kind.numeric, values[known.codes])


def _days(known: Words) -> Found | None:
    """Return ISO dates and times as days, or None where a word is no such date; zones are counted in UTC."""
    pattern = re.compile(DATE, re.ASCII)
    if not all(len(text) >= 10 and text[4] == "-" and pattern.fullmatch(text) for text in known.texts):
        return None
    whole = all(len(text) == 10 for text in known.texts)
    try:
        days = np.array([_plain_date(text) for text in known.texts], dtype="M8[D]" if whole else "M8[us]")
    except ValueError:
        return None
    shifts = [_shift(text) for text in known.texts] if not whole else []
    if any(shifts):
        days = days - np.array(shifts, dtype="m8[s]")
    table = np.append(days, np.datetime64("NaT"))
    return from_days(table[known.codes])


_ZONE = re.compile(r"(Z|[+-]\d\d(:?\d\d)?)$")
_PARTS = re.compile(r"([+-])(\d\d):?(\d\d)?$")


def _plain_date(text: str) -> str:
    return text if len(text) == 10 else _ZONE.sub("", text[:10] + "T" + text[11:])[:26]


def _shift(text: str) -> int:
    found = _PARTS.search(text, 16)
    if found is None:
        return 0
    seconds = int(found[2]) * 3600 + int(found[3] or 0) * 60
    return -seconds if found[1] == "-" else seconds


# --- words for people -------------------------------------------------------------------------------------


def _why_text(
    name: str, known: Words, is_word: NDArray[np.bool_], rule: Rule, line_of: LineOf
) -> tuple[str, str]:
    """Return why a column is text, and a note if a few words alone keep it from being numeric."""
    row = known.first(is_word)
    word = known.texts[known.codes[row]]
    word = word.lstrip(" ") if rule.is_spaced else word
    n_known, n_words = int(np.count_nonzero(known.codes >= 0)), known.count(is_word)
    if n_words * 2 > n_known:
        return f"holds words, such as {word!r:.40}", ""
    place = line_of(row)
    cells = "1 cell is" if n_words == 1 else f"{n_words:,} cells are"
    why = f"{cells} not a number of {n_known:,}: first {word!r:.40} in {place}"
    note = (
        f"Column {name!r} is text because of {word!r:.40} in {place} ({cells} not a number of {n_known:,}). "
        f"If it means missing, add it: missing=[..., {word!r:.40}]."
    )
    return why, note


def _not_numeric(name: str, known: Words, is_word: NDArray[np.bool_], rule: Rule, line_of: LineOf) -> str:
    row = known.first(is_word)
    word = known.texts[known.codes[row]]
    n_words = known.count(is_word)
    more = f" (and {n_words - 1:,} more cells are no numbers)" if n_words > 1 else ""
    other = "." if rule.decimal == "," else ","
    way = f"If numbers have a decimal {'point' if other == '.' else 'comma'}, say decimal={other!r}. "
    return (
        f"Column {name!r} cannot be numeric: it holds the text {word!r:.40} in {line_of(row)}{more}. "
        f"If it means missing, add it: missing=[..., {word!r:.40}]. "
        f"{way if number_of(word, other) is not None else ''}Else correct the cells, or leave it categorical."
    )
