"""What a column of text holds, from its distinct words: numbers, dates, codes or categories, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import joined, missing_word, read_with, refusal, sentence
from treewright.table.kind import Kind
from treewright.table.notations import Notation
from treewright.table.notations.catalogue import Match, find, match_by, nearly
from treewright.table.notations.date import ORDERS, Date, other_order
from treewright.table.notations.truth import are_truths, as_truth
from treewright.table.raw import EXACT, MISSING, Raw, check_utf8, factorise, not_exact, nothing

from .numbers import WHOLE, is_code, number_of, numbers_of

_MOST_TRUTHS = 50  # ways to spell yes and no in one column
LineOf = Callable[[int], str]  # a row of the table -> "line 17", for people


@dataclass(frozen=True)
class Words:
    """The cells of a column of text: its distinct words by their bytes, and each row's place there, or -1."""

    texts: list[str]
    codes: NDArray[np.int32]

    def first(self, chosen: NDArray[np.bool_]) -> int:
        """Return the first row whose word is among the chosen."""
        return int(np.argmax(np.append(chosen, False)[self.codes]))

    @property
    def n_known(self) -> int:
        """The cells that have a word."""
        return int(np.count_nonzero(self.codes >= 0))

    @property
    def counts(self) -> NDArray[np.int64]:
        """The cells of each distinct word."""
        return np.bincount(self.codes + 1, minlength=len(self.texts) + 1)[1:]

    def count(self, chosen: NDArray[np.bool_]) -> int:
        """Return how many rows have a word among the chosen."""
        return int(np.count_nonzero(np.append(chosen, False)[self.codes]))


@dataclass(frozen=True)
class Rule:
    """How words are taken: which mean a gap, the sign in numbers, whether spaces in front belong to them.

    `date_order` is what the caller says of the dates of this column: "dmy", "excel", ...; `notation` is the
    one that is tried first.
    """

    missing: frozenset[str]
    decimal: str = "."
    is_spaced: bool = False
    blank_is_gap: bool = True
    date_order: str = ""
    notation: Notation | None = None


@dataclass(frozen=True)
class Verdict:
    """A column as found, the reason in words, and a note if the reader should look at it."""

    raw: Raw
    why: str
    note: str = ""


def judge(name: str, words: Words, rule: Rule, asked: Kind | None, line_of: LineOf) -> Verdict:
    """Return what the words of a column are. A column asked to be numbers that is not is a ValueError."""
    known = _without_gaps(words, rule)
    _refuse_nul(name, known, line_of)
    if asked is not None and not asked.is_numeric:
        return Verdict(_categories(name, known, rule), f"{asked} as asked")
    if not known.texts:
        return Verdict(nothing(len(known.codes)), "no cell has a value")
    if (
        rule.notation is not None
        and (match := match_by(rule.notation, known.texts, known.counts)) is not None
    ):
        return _read(name, known, match, line_of)
    sizes = numbers_of(known.texts, rule.decimal)
    is_word = np.array([size is None for size in sizes])
    if not is_word.any():
        if asked is None and is_code(known.texts):
            return _codes(name, known, rule, known.texts)
        why = "every cell is a number" if asked in (None, Kind.numeric) else f"{asked} as asked"
        return Verdict(_numbers(name, known, sizes), why)
    if (match := _match(known, rule, asked)) is not None:
        read = [text for i, text in enumerate(known.texts) if i not in match.strays]
        if asked is None and match.strays and is_code(read):  # "-" among postcodes
            return _codes(name, known, rule, read)
        return _read(name, known, match, line_of)
    most = nearly(known.texts, rule.decimal) if is_word.sum() * 2 > len(is_word) else None
    word = "number" if most is None else most[0].word
    is_word = is_word if most is None or not most[1].any() else most[1]
    if asked is not None:
        raise ValueError(_not_so(name, asked, known, is_word, rule, line_of))
    if 2 < len(known.texts) <= _MOST_TRUTHS and are_truths(known.texts):
        return _truths(known)
    return Verdict(_categories(name, known, rule), *_why_text(name, known, is_word, rule, line_of, word))


def _codes(name: str, known: Words, rule: Rule, digits: list[str]) -> Verdict:
    """Return digits with zeros in front as what they are: names, not amounts."""
    why = f"codes of {len(digits[0])} digits with zeros in front, such as {_zero(digits)!r}"
    note = sentence(f"Column {name!r} holds {why}; if they are amounts: ", read_with("numeric", [name]), ".")
    return Verdict(_categories(name, known, rule), why, note)


def judge_stored(
    name: str, words: Words, rule: Rule, asked: Kind | None, line_of: LineOf, why: str
) -> Verdict:
    """Return what a column is that is stored as text: that, unless every word spells more than digits.

    Dates, money and the like are read; bare numbers stay what they were declared to be.
    """
    if asked is not None:
        return judge(name, words, rule, asked, line_of)
    known = _without_gaps(words, rule)
    if known.texts and rule.notation is not None:
        return judge(name, words, rule, None, line_of)
    if known.texts and any(number_of(text) is None for text in known.texts):
        match = _match(known, rule, None)
        if match is not None and match.notation.word != "number":
            read = _read(name, known, match, line_of)
            return Verdict(read.raw, f"{read.why} ({why})", read.note)
    return Verdict(judge(name, words, rule, Kind.nominal, line_of).raw, why)


def _match(known: Words, rule: Rule, asked: Kind | None) -> Match | None:
    """Return the notation that reads the words; as asked, where the caller says what they are."""
    if asked is Kind.date and rule.date_order:
        return match_by(Date(order=rule.date_order), known.texts, known.counts)
    kinds = () if asked is None or asked is Kind.numeric else (asked,)
    return find(known.texts, known.counts, rule.decimal, kinds)


def _read(name: str, known: Words, match: Match, line_of: LineOf) -> Verdict:
    """Return a column as a notation reads it, with a note where cells were left out or could mean more."""
    raw = Raw(match.notation.kind, np.append(match.numbers, np.nan)[known.codes], notation=match.notation)
    strays = [known.texts[i] for i in match.strays]
    example = next(text for text in known.texts if text not in match.notation.strays)
    notes = []
    if strays:
        is_stray = np.zeros(len(known.texts), dtype=bool)
        is_stray[list(match.strays)] = True
        n, place = known.count(is_stray), line_of(known.first(is_stray))
        cells = "1 cell" if n == 1 else f"{n:,} cells"
        notes.append(
            sentence(
                f"Column {name!r}: {' and '.join(map(repr, strays))} in {place} ({cells} of "
                f"{known.n_known:,}) is taken as missing, for all others are "
                f"{_plural(match.notation.word)}; ",
                read_with("text", [name]),
                " keeps words.",
            )
        )
    if isinstance(match.notation, Date) and (other := other_order(match.notation, known.texts)):
        notes.append(
            sentence(
                f"Column {name!r}: {ORDERS[match.notation.order]} is taken, but {ORDERS[other]} would do for "
                f"every cell, such as {example!r}; ",
                read_with("date", {name: other}),
                " says so.",
            )
        )
    said = match.notation.doubts(known.texts, known.counts.tolist())
    as_words = ("; ", read_with("text", [name]), " keeps words.")
    notes += [sentence(f"Column {name!r}: ", doubt, *as_words) for doubt in said]
    why = match.notation.why(example) + ("; stray words are missing" if strays else "")
    return Verdict(raw, why, joined(" ", notes))


def _plural(word: str) -> str:
    return {"money": "money", "per cent": "per cent", "grouped": "numbers", "unit": "amounts"}.get(
        word, f"{word}s"
    )


def _truths(known: Words) -> Verdict:
    truth = np.array([*(as_truth(text) for text in known.texts), MISSING], dtype=np.int32)
    shown = ", ".join(known.texts[:6])
    return Verdict(Raw(Kind.boolean, truth[known.codes]), f"yes or no in words: {shown:.60}")


def _without_gaps(words: Words, rule: Rule) -> Words:
    gaps = rule.missing | {""} if rule.blank_is_gap else rule.missing
    is_gap = np.array([text.strip(" ") in gaps for text in words.texts] + [True])
    place = np.cumsum(~is_gap, dtype=np.int32) - 1
    place[is_gap] = MISSING
    kept = [text for text, gap in zip(words.texts, is_gap.tolist()[:-1], strict=True) if not gap]
    return replace(words, texts=kept, codes=place[words.codes])


def _refuse_nul(name: str, known: Words, line_of: LineOf) -> None:
    has_nul = np.array(["\0" in text for text in known.texts], dtype=bool)
    if has_nul.any():
        place = line_of(known.first(has_nul))
        raise ValueError(
            f"Column {name!r} holds a zero byte in {place}, which no text has; the file is damaged there. "
            "Correct the line, or leave the column out."
        )


def _categories(name: str, known: Words, rule: Rule) -> Raw:
    if not rule.is_spaced:  # the words are distinct and sorted already
        check_utf8(name, known.texts)
        return Raw(Kind.nominal, known.codes, tuple(known.texts))
    found = factorise(name, [text.lstrip(" ") for text in known.texts])
    return Raw(Kind.nominal, np.append(found.values, np.int32(MISSING))[known.codes], found.categories)


def _zero(texts: list[str]) -> str:
    return next(text for text in texts if text[0] == "0")


def _numbers(name: str, known: Words, sizes: list[float | None]) -> Raw:
    values = np.array([*sizes, np.nan], dtype=np.float64)
    for place in np.flatnonzero(np.abs(values) >= EXACT).tolist():
        text, size = known.texts[place], float(values[place])
        if WHOLE.fullmatch(text) and (np.isinf(size) or int(size) != int(text)):
            raise ValueError(not_exact(name, int(text)))
        if np.isinf(size) and "inf" not in text.lower():
            raise refusal(
                f"Column {name!r} holds {text.strip()}, beyond the largest number of 64 bits (1.8e308). "
                "Scale it down, or take the column as categories: ",
                read_with("categorical", [name]),
                ".",
            )
    return Raw(Kind.numeric, values[known.codes])


# --- words for people -------------------------------------------------------------------------------------


def _why_text(
    name: str, known: Words, is_word: NDArray[np.bool_], rule: Rule, line_of: LineOf, wanted: str
) -> tuple[str, str]:
    """Return why a column is text, and a note if a few words alone keep it from being what is wanted."""
    row = known.first(is_word)
    word = known.texts[known.codes[row]]
    word = word.lstrip(" ") if rule.is_spaced else word
    n_known, n_words = int(np.count_nonzero(known.codes >= 0)), known.count(is_word)
    if n_words * 2 > n_known:
        return f"holds words, such as {word!r:.40}", ""
    place = line_of(row)
    cells = "1 cell is" if n_words == 1 else f"{n_words:,} cells are"
    wanted = {"number": "a number", "grouped": "a number", "unit": "an amount", "date": "a date"}.get(
        wanted, wanted
    )
    why = f"{cells} not {wanted} of {n_known:,}: first {word!r:.40} in {place}"
    note = sentence(
        f"Column {name!r} is text because of {word!r:.40} in {place} ({cells} not {wanted} of {n_known:,}). "
        "If it means missing, add it: ",
        missing_word(word),
        ".",
    )
    return why, note


def _not_so(
    name: str, asked: Kind, known: Words, is_word: NDArray[np.bool_], rule: Rule, line_of: LineOf
) -> str:
    row = known.first(is_word)
    word = known.texts[known.codes[row]]
    n_words = known.count(is_word)
    what = "numeric" if asked is Kind.numeric else f"a {asked}"
    more = (
        f" (and {n_words - 1:,} more cells are no numbers)" if n_words > 1 and asked is Kind.numeric else ""
    )
    other = "." if rule.decimal == "," else ","
    sign = f"If numbers have a decimal {'point' if other == '.' else 'comma'}, say "
    way = (sign, read_with("decimal", other), ". ") if number_of(word, other) is not None else ()
    return sentence(
        f"Column {name!r} cannot be {what}: it holds the text {word!r:.40} in {line_of(row)}{more}. "
        "If it means missing, add it: ",
        missing_word(word),
        ". ",
        *way,
        "Else correct the cells, or leave it categorical.",
    )
