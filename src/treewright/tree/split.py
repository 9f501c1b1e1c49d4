"""A node's test in words: what is asked, and the answer each branch stands for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.measure.intervals import number
from treewright.table.schema import Column, Kind
from treewright.tree import conditions, terms
from treewright.tree.check import CUT, SUM
from treewright.tree.policy import unseen_policy

if TYPE_CHECKING:
    from treewright.tree.tree import Tree

_MARKS = (",", "{", "}", "→", "->")  # with one of these inside, a name is quoted


@dataclass(frozen=True)
class Style:
    """How words are written: in ASCII only, at most so many categories of a set, names cut at a length.

    `digits` is how many a number may have that is long when written in full.
    """

    ascii: bool = False
    most: int | None = None
    longest: int | None = None
    digits: int | None = None
    parts: bool = True  # whether shares of rows are told that a missing value divides
    short: Mapping[float, float] = field(default_factory=dict, hash=False)  # cuts, and how they are shown

    @property
    def dots(self) -> str:
        """The sign for what is left out."""
        return "..." if self.ascii else "…"

    def name(self, text: str) -> str:
        """Return a name as it stands, or quoted where it could be misread."""
        return name(text, self)

    def number(self, x: float) -> str:
        """Return a number in full, or with as many digits as this style has where that is shorter.

        >>> Style().number(0.1 + 0.2), Style(digits=5).number(0.1 + 0.2), Style(digits=5).number(1998.5)
        ('0.30000000000000004', '0.3', '1998.5')
        """
        full = number(self.short.get(x, x))
        if self.digits is None or len(full) <= self.digits + 2:
            return full
        return min(number(float(f"{x:.{self.digits}g}")), full, key=len)

    def value(self, column: Column, x: float) -> str:
        """Return a value of a numeric column in words: a date as a date, a number as this style has it.

        >>> Style().value(Column("joined", Kind.date), 17920.5), Style().value(Column("age", Kind.numeric), 7)
        ('2019-01-24', '7')
        """
        return column.text_of(x) if column.shows_moments else self.number(x)


FULL = Style()


def short_cuts(about: Mapping[str, Any]) -> dict[float, float]:
    """Return how cuts of many digits are shown: a short number between the same two neighbours.

    >>> short_cuts({"short_cuts": [[7.8149999999999995, 7.81]]})
    {7.8149999999999995: 7.81}
    """
    return {float(cut): float(shown) for cut, shown in about.get("short_cuts", ())}


def question(tree: Tree, node: int, style: Style = FULL) -> str:
    """Return the name of the column a node asks about, or what it asks of several; empty for a leaf.

    >>> from treewright.tree.example import tennis
    >>> question(tennis(), 0), question(tennis(), 2)
    ('Outlook', '')
    """
    column = int(tree.column[node])
    if tree.kind[node] == SUM:
        return _of_several(tree, node, style)
    return "" if column < 0 else name(tree.schema.columns[column].name, style)


def _of_several(tree: Tree, node: int, style: Style) -> str:
    """Return a sum of columns, or the conditions that a node counts."""
    columns = tree.schema.columns
    if not style.short and "short_cuts" in tree.about:
        style = replace(style, short=short_cuts(tree.about))
    if (count := conditions.count_at(tree, node)) is not None:
        return conditions.joined(
            count, [conditions.in_words(columns, part, style) for part in count.conditions]
        )
    found = terms.terms_at(tree, node)
    places = sorted({term.column for term, _ in found})
    named = dict(zip(places, summed(tree, np.array(places), style), strict=True))
    return terms.words(*conditions.with_categories(columns, found, style, named))


def summed(tree: Tree, columns: NDArray[np.int32], style: Style = FULL) -> list[str]:
    """Return what columns are called in a sum: an ordinal one stands there with its rank.

    >>> from treewright.tree.example import tennis
    >>> summed(tennis(), np.array([3]))
    ['Wind']
    """
    return summed_names([tree.schema.columns[c] for c in columns.tolist()], style)


def summed_names(columns: Sequence[Column], style: Style = FULL) -> list[str]:
    """Return what these columns are called in a sum.

    >>> summed_names([Column("size", Kind.ordinal, ("S", "M")), Column("age", Kind.numeric)])
    ['rank(size)', 'age']
    """
    words = [(column.kind == Kind.ordinal, name(column.name, style)) for column in columns]
    return [f"rank({word})" if is_rank else word for is_rank, word in words]


def answers(tree: Tree, node: int, style: Style = FULL) -> tuple[str, ...]:
    """Return the words for every branch of a node; empty for a leaf.

    >>> from treewright.tree.example import tennis
    >>> answers(tennis(), 0)
    ('= Sunny', '= Overcast', '= Rain')
    """
    if tree.column[node] < 0:
        return ()
    if not style.short and "short_cuts" in tree.about:
        style = replace(style, short=short_cuts(tree.about))
    cut = tree.kind[node] in (CUT, SUM)
    words = _cut_answers(tree, node, style) if cut else _value_answers(tree, node, style)
    missing = int(tree.missing[node])
    if missing >= 0 and words[missing] != "is missing" and _may_be_missing(tree, node):
        words[missing] += " or missing"
    return tuple(words)


def _may_be_missing(tree: Tree, node: int) -> bool:
    """Say whether gaps are worth a word: not where the tree knows that training had none in the column."""
    if tree.surrogate_start[node + 1] > tree.surrogate_start[node]:
        return False  # surrogates place the gaps, on either side
    gaps = tree.about.get("gaps")
    if tree.kind[node] == SUM:
        asked = tree.term_column[int(tree.term_start[node]) : int(tree.term_start[node + 1])].tolist()
    else:
        asked = [int(tree.column[node])]
    return gaps is None or any(tree.schema.columns[column].name in gaps for column in asked)


def name(text: str, style: Style = FULL) -> str:
    r"""Return a name as it stands, or quoted when it could be misread; control characters are escaped.

    >>> name("High"), name("a, b"), name(""), name("x\n")
    ('High', "'a, b'", "''", "'x\\n'")
    """
    if style.longest is not None and len(text) > style.longest:
        text = text[: style.longest - 1] + style.dots
    bare = text.isprintable() and text == text.strip() != "" and not text.startswith(("'", '"'))
    if bare and not any(mark in text for mark in _MARKS) and (text.isascii() or not style.ascii):
        return text
    return ascii(text) if style.ascii else repr(text)


def bare_name(text: str, style: Style = FULL) -> str:
    r"""Return a name that stands alone: quoted only where it would be nothing, or has what is not printed.

    >>> bare_name("a, b"), bare_name(""), bare_name("x\n")
    ('a, b', "''", "'x\\n'")
    """
    if text.isprintable() and text == text.strip() != "" and (text.isascii() or not style.ascii):
        return text
    return name(text, style)


def _cut_answers(tree: Tree, node: int, style: Style) -> list[str]:
    cut, missing = float(tree.cut[node]), int(tree.missing[node])
    if tree.kind[node] == SUM:
        words = [f"<= {style.number(cut)}", f"> {style.number(cut)}"]
        words = ["is false", "is true"] if conditions.count_at(tree, node) is not None else words
        return [*words, "is missing"] if missing == 2 else words
    column = tree.schema.columns[int(tree.column[node])]
    last = math.inf if column.is_numeric else len(column.categories) - 1
    if cut >= last and missing == 1:  # every value there is goes left: the test is "is it known?"
        return ["is known", "is missing"]
    if column.is_numeric or not 0 <= cut < last:
        words = [f"<= {style.value(column, cut)}", f"> {style.value(column, cut)}"]
    else:
        words = _rank_answers(column, int(cut), style)
    return [*words, "is missing"] if missing == 2 else words


def _rank_answers(column: Column, rank: int, style: Style) -> list[str]:
    """Words for `rank <= cut` with the categories' own names, or with the number that is the edge."""
    if column.edges is not None:
        return [
            f"<= {style.value(column, column.edges[rank])}",
            f"> {style.value(column, column.edges[rank])}",
        ]
    if column.kind == Kind.boolean or len(column.categories) == 2:
        return [f"= {name(category, style)}" for category in column.categories]
    at = name(column.categories[rank], style)
    return [f"<= {at}", f"> {at}"]


def _value_answers(tree: Tree, node: int, style: Style) -> list[str]:
    span = slice(int(tree.code_start[node]), int(tree.code_start[node + 1]))
    codes, branch = tree.code[span], tree.code_branch[span]
    column = tree.schema.columns[int(tree.column[node])]
    whole = len(codes) == len(column.categories)
    counts = np.bincount(branch, minlength=int(tree.branch_counts[node]))
    order = codes[np.argsort(branch, kind="stable")]
    words, first = [], 0
    for b, count in enumerate(counts.tolist()):
        mine = order[first : first + count]
        first += count
        if not count:
            words.append("is missing")
        elif whole and count == len(codes) and len(counts) > 1:
            words.append("is known")
        elif column.edges is None and whole and len(codes) - count < count and _takes_unseen(tree, node, b):
            words.append(_members(column, codes[branch != b], style, "!= ", "not in "))
        else:
            words.append(_members(column, mine, style, "= ", "in "))
    return words


def _takes_unseen(tree: Tree, node: int, branch: int) -> bool:
    """Whether "not in {...}" is true of this branch for categories the training rows never had, too."""
    goes = {"refuse": branch, "branch": tree.largest[node], "as_missing": tree.missing[node]}
    return bool(goes.get(unseen_policy(tree.about).way, -1) == branch)


def _members(column: Column, codes: NDArray[np.int32], style: Style, one: str, many: str) -> str:
    if column.edges is not None and (words := _between(column, column.edges, codes, style)):
        return words
    shown = len(codes) if style.most is None or len(codes) <= style.most + 1 else style.most
    names = [name(column.categories[code], style) for code in codes[:shown]]
    if shown < len(codes):
        names.append(f"{style.dots} {len(codes) - shown} more")
    return one + names[0] if len(codes) == 1 else many + "{" + ", ".join(names) + "}"


def _between(column: Column, edges: tuple[float, ...], codes: NDArray[np.int32], style: Style) -> str:
    """Words for neighbouring intervals: together they are one; empty where they are no neighbours."""
    first, last = int(codes[0]), int(codes[-1])
    if last - first + 1 != len(codes) or last - first == len(edges):
        return ""
    if first == 0:
        return f"<= {style.value(column, edges[last])}"
    low = style.value(column, edges[first - 1])
    return f"> {low}" if last == len(edges) else f"in ({low}, {style.value(column, edges[last])}]"
