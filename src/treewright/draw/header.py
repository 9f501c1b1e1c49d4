"""What stands above a tree: its target, its size, what is folded, and how to read colours, bars and lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.draw.classes import MANY, OTHERS
from treewright.draw.view import View
from treewright.draw.words import Words, counted
from treewright.paint.colours import BRANCH, FAINT, INK, PALETTE, PAPER, PATTERNS, TRACK, look, mixed, swatch
from treewright.paint.font import fits, measure, wrapped
from treewright.paint.marks import Mark, Shape, Text, rectangle
from treewright.tree import split
from treewright.tree.certificate import Certificate
from treewright.tree.check import VALUES
from treewright.tree.losses import ANSWERS, loss_of

_TITLE, _NOTE, _KEY = 16.0, 11.0, 11.0
_LINE, _SWATCH, _GAP, _APART = 1.35, 11.0, 5.0, 16.0
_NAME_MOST, _NAME_FEW = 220.0, 480.0  # of many classes, of a few
_FEW = 6
_CLASSES_MOST = 24
_ROW = _KEY * _LINE + 2  # of the key
_LINES_MOST = 3  # of an entry
_CHARTS = {  # whether a test has a threshold -> what is said of the charts
    True: "histograms: rows by value, threshold at the dashed line",
    False: "bars: rows by category, a dashed line between branches",
}


@dataclass(frozen=True)
class Header:
    """The marks of a header, with its upper left corner at (0, 0), and the room it takes."""

    marks: tuple[Mark, ...]
    width: float
    height: float


def header(words: Words, view: View, title: str | None, room: float) -> Header:
    """Return the header of a picture, in lines that fit into a width.

    >>> from treewright.draw.view import items
    >>> from treewright.tree.example import tennis
    >>> found = header(Words(tennis()), items(tennis(), {0: (1, 4, 5)}), None, 600)
    >>> for mark in found.marks:
    ...     if isinstance(mark, Text):
    ...         print(mark.words)
    Play
    Decision tree: 5 leaves, depth 2, grown on 14 rows (training accuracy 100 %);
    folded: 1 of 5 leaves is shown
    No
    Yes
    width of a branch: share of rows
    """
    found: list[Mark] = []
    y = 0.0
    named = split.bare_name(words.tree.target.name) if title is None else title
    for line in wrapped(named, room, _TITLE, bold=True, most=2):
        found.append(Text(0, y + _TITLE * 0.95, line, _TITLE, bold=True))
        y += _TITLE * _LINE
    for line in _joined(_size(words, view), room):
        found.append(Text(0, y + _NOTE * 0.95, line, _NOTE, colour=FAINT))
        y += _NOTE * _LINE
    x, y, high = 0.0, y + 5, _ROW
    for entry in _entries(words, room):
        if x and x + entry.width > room:
            x, y, high = 0.0, y + high, _ROW
        found += entry.at(x, y)
        x, high = x + entry.width + _APART, max(high, entry.height)
    width = max(mark.box[2] for mark in found if isinstance(mark, Text))
    return Header(tuple(found), width, y + high)


def _size(words: Words, view: View) -> list[str]:
    """Return what is said of a tree, clause by clause: a line may end after each of them."""
    tree = words.tree
    leaves = counted(tree.n_leaves, "leaf", "leaves")
    grown = f"grown on {counted(int(tree.n_rows[0]), 'row')}"
    said = [f"Decision tree: {leaves}, depth {tree.depth},"]
    said.append(grown + _quality(words, "training", words.training_loss))
    if (proof := Certificate.of(tree.about)) is not None:
        said[-1] += ";"
        said.append(proof.in_short())
    if words.held is not None:
        said[-1] += ";"
        said.append(f"{counted(words.held.n_rows, 'row')} held out{_quality(words, 'test', words.held.loss)}")
    shown = sum(item.how == "leaf" for item in view)
    if shown < tree.n_leaves:
        said[-1] += ";"
        said.append(f"folded: {shown:,} of {tree.n_leaves:,} leaves {'is' if shown == 1 else 'are'} shown")
    return said


def _joined(clauses: list[str], room: float) -> list[str]:
    """Return clauses in lines: each whole on one line, unless it is longer than a line.

    >>> _joined(["a tree,", "grown on 14 rows"], 200), _joined(["a tree,", "grown on 14 rows"], 60)
    (['a tree, grown on 14 rows'], ['a tree,', 'grown on', '14 rows'])
    """
    lines: list[str] = []
    for clause in clauses:
        if lines and fits(f"{lines[-1]} {clause}", room, _NOTE):
            lines[-1] += f" {clause}"
        else:
            lines += wrapped(clause, room, _NOTE)
    return lines


def _quality(words: Words, kind: str, loss: float) -> str:
    said = words.quality(kind, loss)
    return f" ({said})" if said else ""


@dataclass(frozen=True)
class _Entry:
    """One entry of the key: a small picture and its words."""

    lines: tuple[str, ...]
    icon: str  # "class", "bar", "band", "branch", "path", "cut", "foreign"
    number: int = 0

    @property
    def width(self) -> float:
        return _SWATCH + _GAP + max(measure(line, _KEY) for line in self.lines)

    @property
    def height(self) -> float:
        return _ROW + (len(self.lines) - 1) * _KEY * _LINE

    def at(self, x: float, y: float) -> list[Mark]:
        marks: list[Mark] = []
        if self.icon == "class":
            marks += swatch(x, y + 1, _SWATCH, _SWATCH, look(self.number))
        elif self.icon in ("branch", "path"):
            fill = BRANCH if self.icon == "branch" else FAINT
            marks.append(Shape(rectangle(x + 3, y + 1, 6, _SWATCH), fill=fill))
        elif self.icon == "cut":
            line = (("M", x + 5.5, y + 1), ("L", x + 5.5, y + 1 + _SWATCH))
            marks.append(Shape(line, stroke=INK, width=1.2, dash=(3, 2)))
        elif self.icon == "foreign":
            marks.append(Shape(rectangle(x + 1, y + 1.5, 9, 9.5), stroke=INK, width=0.9))
            digits = [(left, top) for left in (x + 3, x + 6) for top in (y + 3, y + 7)]
            marks += [Shape(rectangle(left, top, 2, 2.8), stroke=INK, width=0.6) for left, top in digits]
        elif self.icon == "band":
            colour = look(0).colour
            marks.append(Shape(rectangle(x, y + 3.5, _SWATCH, 6), fill=TRACK))
            marks.append(Shape(rectangle(x + 1, y + 5, 7, 3), fill=mixed(colour, PAPER, 0.55)))
            marks.append(Shape(rectangle(x + 3.5, y + 2.5, 2, 8), fill=mixed(colour, INK, 0.7)))
        else:
            for i in range(2):
                fill = FAINT if i == self.number else BRANCH
                marks.append(Shape(rectangle(x, y + 1.5 + 5.5 * i, _SWATCH, 4.5), fill=fill))
        for i, words in enumerate(self.lines):
            base = y + _KEY * (0.95 + _LINE * i)
            marks.append(Text(x + _SWATCH + _GAP, base, words, _KEY, colour=INK))
        return marks


def _entries(words: Words, room: float) -> list[_Entry]:
    tree = words.tree
    room -= _SWATCH + _GAP
    found: list[tuple[str, str, int]] = []
    if tree.is_classifier:
        k = len(tree.classes)
        by_weight = np.argsort(-tree.stats[0], kind="stable")
        coloured = min(k, len(PALETTE) * len(PATTERNS))
        shown = sorted(c for c in by_weight.tolist() if c < coloured)
        if len(shown) > _CLASSES_MOST:
            shown = sorted([c for c in by_weight.tolist() if c < coloured][:_CLASSES_MOST])
        found = [(split.bare_name(tree.classes[c]), "class", c) for c in shown]
        if len(shown) < k:
            found.append((f"{k - len(shown)} more classes", "class", coloured))
        if k > MANY:
            found.append(("others: all but the top three of a node", "class", OTHERS))
    else:
        low, high = (words.mean(value) for value in words.scale)
        found.append((f"{ANSWERS[loss_of(tree)]} and spread, between {low} and {high}", "band", 0))
    if words.held is not None:
        found.append(("upper bar: trained on", "bar", 0))
        found.append(("lower bar: held out", "bar", 1))
    if tree.n_nodes > 1:
        found.append(("width of a branch: share of rows", "branch", 0))
    if words.path.shares:
        found.append(("path of the row", "path", 0))
    if words.distributions is not None and tree.n_nodes > 1:
        found.append((_CHARTS[bool((tree.kind[~tree.leaf_mask] != VALUES).any())], "cut", 0))
    if words.has_foreign:
        found.append(
            ("digits in a box: a character by its Unicode number, where no font has it", "foreign", 0)
        )
    name = min(_NAME_FEW if len(tree.classes) <= _FEW else _NAME_MOST, room)
    return [
        _Entry(wrapped(said, name if icon == "class" else room, _KEY, most=_LINES_MOST), icon, number)
        for said, icon, number in found
    ]
