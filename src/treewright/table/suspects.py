"""What must not be learned from: columns that name rows, say nothing, or give the answer away."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import Ask, missing_word, read_with, sentence, wording
from treewright.base.data_warning import DataWarning

from .kind import Kind
from .notations import find, nearly
from .raw import Values
from .rows import Rows
from .schema import Column
from .table import Table

LEAST_ROWS = 50  # in a smaller table all of this happens by chance
_MANY_COLUMNS = 500  # beyond, single columns are not compared with the target
_FEW, _MANY = 200, 2000  # rows that rule out most columns; a class may have a few of the latter by chance
_RARE = 10  # rows of a class that are too few to be told apart by more than chance
_WORDS = 4  # in a cell, on average, that make a text of it
_IDS = "id ids uid uuid guid key nr no num number nummer index idx row rowid rownum unnamed"
_ENDS_OF_IDS = ("nummer", "number", "nr")  # Kundennummer, ordernumber, Kundennr
_TIMES = "year jahr date day tag week month time t step period epoch age"
_ANSWERS_OF_OTHERS = "prediction predicted pred target label outcome response groundtruth"
_ID, _TIME, _ANSWERS = (frozenset(words.split()) for words in (_IDS, _TIMES, _ANSWERS_OF_OTHERS))
_TOKEN = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|\d+")


@dataclass(frozen=True)
class Finding:
    """A column to look at: what it is (`word`), in a sentence, and whether it is certain that it is useless.

    Where that is certain the command line leaves the column out; elsewhere it is only said.

    >>> Finding("nr", "id", "numbers the rows", is_certain=True).sentence
    "Column 'nr' numbers the rows."
    """

    column: str
    word: str
    what: str  # "numbers the rows", ...: what it does
    is_certain: bool = False
    way: str = ""  # a sentence: what to do about it

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> str:
        """The finding as a sentence, with what to do."""
        return sentence(f"Column {self.column!r} {self.what}.", *((" ", self.way) if self.way else ()))


Look = Callable[[Column, Values], "Finding | None"]


def findings(rows: Rows) -> tuple[Finding, ...]:
    """Return what is suspicious about columns: identifiers, free text, constants, copies, leaks; one each.

    >>> from treewright.table import Table
    >>> table = Table.from_dict({"nr": range(1, 101), "same": [1] * 100, "y": ["a", "b"] * 50})
    >>> [(found.column, found.word, found.is_certain) for found in findings(Rows.of(table, "y"))]
    [('nr', 'id', True), ('same', 'constant', True)]
    """
    if rows.n_rows < LEAST_ROWS:
        return ()
    found = {}
    looks: list[Look] = [*_ALONE, *(partial(look, rows=rows) for look in _BESIDE)]
    with _endless_values():
        for column, values in zip(rows.schema.columns, rows.columns, strict=True):
            if finding := next(filter(None, (look(column, values) for look in looks)), None):
                found[column.name] = finding
    for finding in _copies(rows):
        found.setdefault(finding.column, finding)
    return tuple(found[name] for name in rows.schema.names if name in found)


def _endless_values() -> np.errstate:
    """Differences of infinite or very large numbers are none, and no match is found by them."""
    return np.errstate(over="ignore", invalid="ignore")


def useless(table: Table) -> tuple[Finding, ...]:
    """Return the columns that are certainly useless, whatever the target is.

    >>> from treewright.table import Table
    >>> [found.sentence for found in useless(Table.from_dict({"nr": range(100), "x": [1, 2] * 50}))]
    ["Column 'nr' numbers the rows."]
    """
    if table.n_rows < LEAST_ROWS:
        return ()
    columns = [*zip(table.schema.columns, table.values, strict=True)]
    with _endless_values():
        found = [finding for pair in columns for look in _ALONE if (finding := look(*pair)) is not None]
    return tuple(finding for finding in found if finding.is_certain)


def parted(table: Table, target: str, named: Container[str]) -> tuple[list[Finding], list[Finding]]:
    """Return the columns that are certainly useless, to be left out, and other findings, to be warned of.

    Columns in `named` are wanted and stay; and something always stays to grow on.

    >>> from treewright.table import Table
    >>> table = Table.from_dict({"nr": range(100), "x": [1, 2, 5, 7] * 25, "y": ["a", "b"] * 50})
    >>> [found.column for found in parted(table, "y", ())[0]], parted(table, "y", ["nr"])
    (['nr'], ([], []))
    """
    found = [finding for finding in findings(Rows.of(table, target)) if finding.column not in named]
    certain = [finding for finding in found if finding.is_certain]
    if len(certain) == table.n_columns - 1:
        return [], found
    return certain, [finding for finding in found if not finding.is_certain]


def warn_of(found: Sequence[Finding], stacklevel: int = 3) -> None:
    """Warn of findings, all in one DataWarning; of nothing where there are none.

    >>> warn_of(())
    """
    if not found:
        return
    said = []
    for finding in found[:8]:
        by_heart = finding.is_certain and finding.word != "constant"
        way = f" A tree on it learns rows by heart: table.drop([{finding.column!r}])." if by_heart else ""
        said.append(wording(finding.sentence, _in_python) + way)
    if len(found) > 8:
        said.append(
            f"{len(found) - 8} more columns are suspicious: treewright.table.suspects.findings lists them."
        )
    warnings.warn(" ".join(said), DataWarning, stacklevel=stacklevel)


def _in_python(asked: Ask) -> str:
    """Return what is done with a table that is read already."""
    return f"table.drop({asked.values[0]!r})" if asked.name == "ignore" else str(asked)


# --- one column by itself -----------------------------------------------------------------------------------


def _some(values: Values, n: int) -> Values:
    """Return values from all over a column: they rule out most of what all of them would be asked for."""
    return values[:: max(1, len(values) // n)]


def _constant(column: Column, values: Values) -> Finding | None:
    first = values[0]
    is_gap = bool(np.isnan(first)) if column.is_numeric else bool(first < 0)
    if is_gap:
        is_same = bool(np.isnan(values).all() if column.is_numeric else (values < 0).all())
        what = "has no value in any row"
    else:
        is_same = bool((_some(values, _MANY) == first).all() and (values == first).all())
        shown = column.text_of(float(first)) if column.is_numeric else column.categories[first]
        what = f"is {shown!r:.40} in every row"
    return Finding(column.name, "constant", what, True) if is_same else None


def _words(column: Column, values: Values) -> Finding | None:
    """Text that is different in nearly every row, or long enough to be prose."""
    if column.kind is not Kind.nominal:
        return None
    counts = np.bincount(values[values >= 0], minlength=len(column.categories))
    used, n_known = np.flatnonzero(counts), int(counts.sum())
    if len(used) < LEAST_ROWS / 2 or 10 * len(used) < 3 * n_known:
        return None
    some = [column.categories[i] for i in used[:: max(1, len(used) // 200)].tolist()]
    n_words = sum(len(text.split()) for text in some) / len(some)
    counted = f"{len(used):,} different values in {n_known:,} rows"
    if n_words >= _WORDS:
        return Finding(column.name, "free text", f"is free text, {counted}", True)
    match = None if _are_codes(some) else find(some, np.ones(len(some), dtype=np.int64))
    if match is not None:
        way = sentence("To take it so: ", read_with("kinds", {column.name: match.notation.kind.value}), ".")
        return Finding(column.name, "readable text", f"is text that reads as {match.notation.word}", way=way)
    if not _are_codes(some) and (most := nearly(some)) is not None and most[1].any():
        odd = some[int(np.argmax(most[1]))]
        what = f"is text that reads mostly as {most[0].word}, but for words such as {odd!r:.40}"
        way = sentence("If that means missing, add it: ", missing_word(odd), ".")
        return Finding(column.name, "readable text", what, way=way)
    if 10 * len(used) >= 9 * n_known:
        return Finding(column.name, "id", f"names nearly every row, {counted}", True)
    if 2 * len(used) > n_known:
        return Finding(
            column.name,
            "many values",
            f"has {counted}",
            way=sentence(read_with("ignore", [column.name]), " leaves it out."),
        )
    return None


def _are_codes(texts: Sequence[str]) -> bool:
    """Whether texts are digits, some with zeros in front: zip codes, which are no numbers."""
    return all(map(str.isdigit, texts)) and any(text[0] == "0" and len(text) > 1 for text in texts)


def _numbers(column: Column, values: Values) -> Finding | None:
    """Numbers that count the rows, or differ in nearly every row and are named like an identifier."""
    if column.kind is not Kind.numeric or column.origin is not None:
        return None
    head = values[:100]
    words = set(tokens(column.name))
    is_named = bool(words & _ID) or any(word.endswith(_ENDS_OF_IDS) for word in words)
    is_running = bool((np.diff(head) == 1).all()) and not words & _TIME
    if not is_named and not is_running:
        return None
    if not (values == np.floor(values)).all():  # a gap is no whole number either
        return None
    if is_running and (np.diff(values) == 1).all() and (is_named or values[0] in (0, 1)):
        return Finding(column.name, "id", "numbers the rows", True)
    if is_named and 2 * len(np.unique(values)) > len(values):
        return Finding(
            column.name, "id", "is named like an identifier and different in nearly every row", True
        )
    return None


def _name(column: Column, _: Values, rows: Rows) -> Finding | None:
    """A name that sounds like the answer, or like what somebody predicted."""
    words, target = tokens(column.name), "".join(tokens(rows.target.name))
    stem = target[: max(4, len(target) - 2)]
    is_like = len(target) >= 4 and any(word.startswith(stem) for word in (*words, "".join(words)))
    if not is_like and not set(words) & _ANSWERS:
        return None
    return _leak(column, "name", "is named like the target")


# --- a column and the target --------------------------------------------------------------------------------


def _answers(column: Column, values: Values, rows: Rows) -> Finding | None:
    """A column that is the target in other words, or decides it alone."""
    if len(rows.schema) > _MANY_COLUMNS:
        return None
    decide, may_decide = (_decides, _is_parted) if rows.is_classifier else (_is_line, _is_line)
    if not may_decide(column, _some(values, _FEW), _some(rows.answers, _FEW)):
        return None
    if not decide(column, values, rows.answers):
        return None
    if not rows.is_classifier:
        return _leak(column, "copy of the target", f"is a copy of the target {rows.target.name!r}")
    if not column.is_numeric and len(np.unique(values)) == len(np.unique(rows.answers)):
        return _leak(column, "copy of the target", f"says the target {rows.target.name!r} in other words")
    return _leak(column, "decides", f"alone decides {rows.target.name!r} in every row")


def _leak(column: Column, word: str, what: str) -> Finding:
    way = sentence("If it is known only afterwards, leave it out: ", read_with("ignore", [column.name]), ".")
    return Finding(column.name, word, what, way=way)


def _decides(column: Column, values: Values, answers: NDArray[np.int32]) -> bool:
    """Whether equal values have equal classes, and each class is one run of numbers, or a few categories."""
    counts = np.bincount(answers[answers >= 0])
    counts = counts[counts > 0]
    if len(counts) < 2 or (len(values) > _MANY and counts.min() < _RARE):
        return False
    if counts.min() < 2:
        return False
    known = ~np.isnan(values) if column.is_numeric else values >= 0
    if not known.all():
        return False
    if not _is_parted(column, values, answers):
        return False
    if column.is_numeric or column.kind is Kind.ordinal:
        return True
    return 10 * len(np.unique(values)) <= len(values) or len(np.unique(values)) == len(counts)


def _is_parted(column: Column, values: Values, answers: NDArray[np.int32]) -> bool:
    """Whether equal values have equal classes, and along numbers each class is one run."""
    order = np.lexsort((answers, values))
    sizes, classes = values[order], answers[order]
    changes = np.flatnonzero(classes[1:] != classes[:-1])
    if (sizes[1:][changes] == sizes[:-1][changes]).any():
        return False
    is_ordered = column.is_numeric or column.kind is Kind.ordinal
    return not is_ordered or len(changes) == len(np.unique(classes)) - 1


def _is_line(column: Column, values: Values, answers: NDArray[np.float64]) -> bool:
    """Whether numbers are the target, perhaps in another unit."""
    if not column.is_numeric or not np.isfinite(values).all() or not np.isfinite(answers).all():
        return False
    low, high = int(np.argmin(values)), int(np.argmax(values))
    if values[low] == values[high] or answers[low] == answers[high]:
        return False
    with np.errstate(over="ignore", invalid="ignore"):  # beyond what floats hold nothing is a line
        slope = (answers[high] - answers[low]) / (values[high] - values[low])
        error = np.abs(answers[low] + slope * (values - values[low]) - answers)
    return bool((error <= 1e-9 * np.abs(answers).max()).all())


def _copies(rows: Rows) -> Iterator[Finding]:
    """Yield columns that hold the same values as one before, perhaps under other names or in another unit."""
    seen: dict[tuple[bytes, bool], int] = {}
    for place, (column, values) in enumerate(zip(rows.schema.columns, rows.columns, strict=True)):
        some = _some(values, _MANY)
        key = ((_steps(some) if column.is_numeric else _first_come(some)).tobytes(), column.is_numeric)
        first = seen.setdefault(key, place)
        if first != place and (what := _likeness(column, values, rows, first)):
            way = sentence("One of them is enough: ", read_with("ignore", [column.name]), ".")
            yield Finding(column.name, "copy", what, way=way)


def _likeness(column: Column, values: Values, rows: Rows, place: int) -> str:
    """Return in words how a column says the same as the one at a place; nothing where it does not."""
    other, given = rows.schema.columns[place], rows.columns[place]
    if column.kind is not other.kind:
        return ""
    if np.array_equal(values, given, equal_nan=column.is_numeric):
        return f"is a copy of column {other.name!r}"
    if column.is_numeric:
        return f"is column {other.name!r} in another unit" if _is_line(column, values, given) else ""
    is_same = np.array_equal(values < 0, given < 0) and np.array_equal(
        _first_come(values), _first_come(given)
    )
    return f"says the same as column {other.name!r} in other words" if is_same else ""


def _first_come(codes: Values) -> Values:
    """Return codes numbered as they come, so that equal columns are equal under any names."""
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    found: Values = np.argsort(np.argsort(first))[place].astype(np.int32)
    return found


def _steps(values: Values) -> Values:
    """Return numbers in steps from the first to the farthest from it, so that units do not count."""
    if not np.isfinite(values).all():
        return values
    with np.errstate(over="ignore"):
        away = values - values[0]
    farthest = away[int(np.argmax(np.abs(away)))]
    if not np.isfinite(farthest):
        return values
    found: Values = np.round(away / farthest, 6) + 0.0 if farthest else away
    return found


def tokens(name: str) -> list[str]:
    """Return the words of a column's name in lower case.

    >>> tokens("customerID"), tokens("order_nr"), tokens("Unnamed: 0")
    (['customer', 'id'], ['order', 'nr'], ['unnamed', '0'])
    """
    return list(_tokens(name))


@lru_cache(1 << 12)
def _tokens(name: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in _TOKEN.findall(name))


_ALONE: tuple[Look, ...] = (_constant, _words, _numbers)
_BESIDE: tuple[Callable[..., Finding | None], ...] = (_answers, _name)
