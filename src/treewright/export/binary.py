"""A tree as tests with two ways each, which is what engines know: sets of categories one after the other.

Categories are codes from 0; one that nobody knows is the code after the last, and a gap is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from treewright.export.outline import Cut, Node, Outline, Sum, Values
from treewright.table import Column, Kind

REFUSED = -1  # the number of the node where refused rows end


@dataclass(frozen=True, slots=True)
class Leaf:
    """Where rows end: the number of the node that answers."""

    node: int


@dataclass(frozen=True, slots=True)
class Fork:
    """Rows go to `yes` where the number is at most `threshold`, or the code among `codes`; gaps as told."""

    node: int
    column: int
    threshold: float
    codes: tuple[int, ...] | None  # None: a test of the threshold
    gap_is_yes: bool
    yes: Part
    no: Part


Part = Leaf | Fork


def two_ways(outline: Outline) -> Part:
    """Return a tree as tests with two ways; a way that none can say is a ValueError.

    >>> import treewright as tw
    >>> from treewright.export.outline import outline_of
    >>> root = two_ways(outline_of(tw.grow(tw.example("tennis"), "PlayTennis", "stump")))
    >>> root.codes, root.yes, root.no, root.gap_is_yes
    ((1,), Leaf(node=2), Leaf(node=1), False)
    """
    made: dict[int, Part] = {}
    for node in reversed(outline.nodes):  # children come after their parents
        if node.is_leaf:
            made[node.number] = Leaf(node.number)
            continue
        ends: dict[int | str, Part] = {b: made.pop(child) for b, child in enumerate(node.children)}
        ends |= {"stop": Leaf(node.number), "refuse": Leaf(REFUSED)}
        made[node.number] = _test(node, outline.columns, ends)
    return made[0]


def in_preorder(root: Part) -> Iterator[tuple[int, Part, int, int]]:
    """Yield the parts with their places and those of what hangs below, -1 for leaves.

    >>> [(place, yes, no) for place, _, yes, no in in_preorder(Fork(0, 0, 1.0, None, True, Leaf(1), Leaf(2)))]
    [(0, 1, 2), (1, -1, -1), (2, -1, -1)]
    """
    sizes: dict[int, int] = {}
    stack: list[tuple[Part, bool]] = [(root, False)]
    while stack:  # how many parts each has below it, itself included; each stands in the tree once
        part, is_done = stack.pop()
        if isinstance(part, Leaf):
            sizes[id(part)] = 1
        elif is_done:
            sizes[id(part)] = 1 + sizes[id(part.yes)] + sizes[id(part.no)]
        else:
            stack += [(part, True), (part.yes, False), (part.no, False)]
    open_parts = [(root, 0)]
    while open_parts:
        part, place = open_parts.pop()
        if isinstance(part, Leaf):
            yield place, part, -1, -1
            continue
        no = place + 1 + sizes[id(part.yes)]
        yield place, part, place + 1, no
        open_parts += [(part.no, no), (part.yes, place + 1)]


def _test(node: Node, columns: tuple[Column, ...], ends: dict[int | str, Part]) -> Part:
    if isinstance(node.test, Sum):
        raise ValueError("a test on a sum of columns cannot be said with two ways")
    gap = _target(node, node.gap.kind, node.gap.branch)
    if isinstance(node.test, Cut):
        column = node.test.column
        fork = Fork(node.number, column, node.test.threshold, None, gap == 0, ends[0], ends[1])
        return fork if isinstance(gap, int) and gap < 2 else _only_gaps(node, columns, fork, ends[gap])
    assert isinstance(node.test, Values)
    column = node.test.column
    codes: dict[int | str, tuple[int, ...]] = dict(enumerate(node.test.branches))
    rest = _rest(node, node.test, columns[column])
    found = ends[rest]
    for target, mine in reversed(codes.items()):
        if target != rest and mine:
            sent = tuple(sorted(mine))
            found = Fork(node.number, column, math.nan, sent, gap == target, ends[target], found)
    if gap != rest and not codes.get(gap):
        return _only_gaps(node, columns, found, ends[gap])
    return found


def _rest(node: Node, test: Values, column: Column) -> int | str:
    """Return the target of all values that no set names."""
    known = {code for codes in test.branches for code in codes}
    is_closed = column.kind is Kind.boolean or column.edges is not None
    if is_closed and len(known) == len(column.categories):  # no value is left: the largest set is not named
        return max(range(len(test.branches)), key=lambda b: (len(test.branches[b]), b))
    return _target(node, node.unseen.kind, node.unseen.branch)


def _only_gaps(node: Node, columns: tuple[Column, ...], known: Part, gap: Part) -> Part:
    """Return a test that only gaps fail."""
    assert isinstance(node.test, (Cut, Values))
    place = node.test.column
    if columns[place].is_numeric:
        return Fork(node.number, place, math.inf, None, False, known, gap)
    every = tuple(range(len(columns[place].categories) + 1))
    return Fork(node.number, place, math.nan, every, False, known, gap)


def _target(node: Node, kind: str, branch: int | None) -> int | str:
    if kind == "branch" and branch is not None:
        return branch
    if kind == "surrogate" and not node.stand_ins:
        return "stop" if branch is None else branch
    if kind == "divide":
        raise ValueError("a row that missing values divide cannot be said with two ways")
    if kind == "surrogate":
        raise ValueError("a test that others stand in for cannot be said with two ways")
    return kind
