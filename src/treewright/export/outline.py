"""What a tree asks and answers, node by node, in names and raw values: what formats are written from.

Everything is decided here that the walk decides at every row: the branch of a gap, of a category that the
node does not know, the shares of a divided row. So a format has nothing to know of policies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from treewright.predict.smoothing import shares
from treewright.table import Column
from treewright.tree import Tree
from treewright.tree.policy import gap_policy, unseen_policy
from treewright.tree.terms import Term, terms_at

_CUT, _SUM = 1, 3


class Cut(NamedTuple):
    """Branch 0 where the value is at most `threshold`, else branch 1."""

    column: int
    threshold: float


class Values(NamedTuple):
    """By branch: the categories, as their places in the column; others are unknown to the node."""

    column: int
    branches: tuple[tuple[int, ...], ...]


class Sum(NamedTuple):
    """Branch 0 where the sum of weight x term is at most `threshold`, else 1; terms in order.

    A term is the value of a column, or 1 where a condition on it holds and 0 elsewhere. A value is a number,
    the rank of an ordinal column, 0 or 1 of a boolean one. The first that is not there makes the answer a
    gap, or a category never seen.
    """

    parts: tuple[tuple[Term, float], ...]
    threshold: float

    @property
    def terms(self) -> tuple[tuple[int, float], ...]:
        """The columns and weights, for formats that carry no conditions."""
        return tuple((term.column, weight) for term, weight in self.parts)


Test = Cut | Values | Sum


class Way(NamedTuple):
    """What becomes of a row without an answer to the test.

    `kind` is "branch" (with its place), "divide" (by the shares of the node), "stop" (the node answers),
    "refuse", or "surrogate": the stand-ins are asked, and without an answer of theirs the row takes `branch`,
    or stops where that is None.
    """

    kind: str
    branch: int | None = None


class StandIn(NamedTuple):
    """A test that answers in place of another; `flip`: its branches are the other way round."""

    test: Cut | Values
    flip: bool


class Model(NamedTuple):
    """Sums that a node answers with: bias, and for each term its column and a weight for every sum.

    `gaps` has for each term what a missing value adds to every sum; not a number where the model then says
    nothing.
    """

    bias: tuple[float, ...]
    terms: tuple[tuple[int, tuple[float, ...]], ...]
    gaps: tuple[tuple[float, ...], ...]


class Answer(NamedTuple):
    """What a node says of a row that ends there."""

    label: int  # place of the class; 0 for numbers
    chances: tuple[float, ...]  # by class; of numbers the one number
    model: Model | None  # where it has one with columns
    n_rows: int


@dataclass(frozen=True)
class Node:
    """A node: its test and children (none in a leaf), the ways of gaps and unknown categories, its answer."""

    number: int
    test: Test | None
    children: tuple[int, ...]
    gap: Way
    unseen: Way
    stand_ins: tuple[StandIn, ...]
    shares: tuple[float, ...]  # of a divided row, by branch; 0: none of it
    answer: Answer

    @property
    def is_leaf(self) -> bool:
        """True where nothing is asked."""
        return self.test is None


@dataclass(frozen=True)
class Outline:
    """A tree as its nodes in preorder; made by `outline_of`.

    >>> import treewright as tw
    >>> outline = outline_of(tw.grow(tw.example("tennis"), "PlayTennis", "stump"))
    >>> root = outline.nodes[0]
    >>> outline.columns[root.test.column].name, root.test.branches, root.children
    ('Humidity', ((0,), (1,)), (1, 2))
    >>> root.gap, outline.nodes[1].answer.chances
    (Way(kind='branch', branch=0), (0.42857142857142855, 0.5714285714285714))
    """

    tree: Tree
    nodes: tuple[Node, ...]

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns of the model; tests have their places."""
        return self.tree.schema.columns

    @cached_property
    def used(self) -> tuple[int, ...]:
        """The places of the columns that are looked at."""
        return tuple(self.tree.used_columns.tolist())

    @cached_property
    def may_divide(self) -> bool:
        """True where a row may end in several leaves."""
        ways = [way.kind for node in self.nodes if not node.is_leaf for way in (node.gap, node.unseen)]
        return "divide" in ways

    @property
    def costs(self) -> Any:
        """The costs of errors, rows true classes; None without."""
        return self.tree.about.get("costs")


def outline_of(tree: Tree) -> Outline:
    """Return a tree as formats read it."""
    chances = shares(tree).tolist() if tree.is_classifier else [[mean] for mean in tree.stats[:, 1].tolist()]
    reader = _Reader(tree, chances)
    return Outline(tree, tuple(reader.node(i) for i in range(tree.n_nodes)))


class _Reader:
    """Reads the nodes of one tree; arrays are lists here, which are quick to look into one by one."""

    def __init__(self, tree: Tree, chances: list[list[float]]) -> None:
        self.tree, self.chances = tree, chances
        self.gap, self.unseen = gap_policy(tree.about).way, unseen_policy(tree.about).way
        self.weights = tree.weights.tolist()

    def node(self, i: int) -> Node:
        tree = self.tree
        children = tree.children(i)
        test = self.test(i)
        if test is None:
            return Node(i, None, (), Way("stop"), Way("stop"), (), (), self.answer(i))
        share = self.shares(children)
        gap = self.gap_way(i)
        unseen = gap if self.unseen == "as_missing" else self.plain_way(self.unseen, i)
        if not any(share):  # nothing to divide by: the row stays
            gap = Way("stop") if gap.kind == "divide" else gap
            unseen = Way("stop") if unseen.kind == "divide" else unseen
        return Node(i, test, children, gap, unseen, self.stand_ins(i), share, self.answer(i))

    def test(self, i: int) -> Test | None:
        tree = self.tree
        kind = int(tree.kind[i])
        if kind == 0:
            return None
        if kind == _SUM:
            return Sum(tuple(terms_at(tree, i)), float(tree.cut[i]))
        span = slice(int(tree.code_start[i]), int(tree.code_start[i + 1]))
        codes = zip(tree.code[span].tolist(), tree.code_branch[span].tolist(), strict=True)
        return self.single(int(tree.column[i]), kind, float(tree.cut[i]), list(codes), len(tree.children(i)))

    def single(
        self, column: int, kind: int, cut: float, codes: list[tuple[int, int]], n_branches: int
    ) -> Cut | Values:
        place = self.tree.schema.columns[column]
        if kind == _CUT and place.is_numeric:
            return Cut(column, cut)
        if kind == _CUT:  # an ordinal column is cut by rank
            codes = [(code, int(not code <= cut)) for code in range(len(place.categories))]
            n_branches = max(n_branches, 2)
        parts = [tuple(code for code, at in codes if at == branch) for branch in range(n_branches)]
        return Values(column, tuple(parts))

    def stand_ins(self, i: int) -> tuple[StandIn, ...]:
        tree = self.tree
        if self.gap != "surrogate":
            return ()
        found = []
        for s in range(int(tree.surrogate_start[i]), int(tree.surrogate_start[i + 1])):
            span = slice(int(tree.surrogate_code_start[s]), int(tree.surrogate_code_start[s + 1]))
            branch = tree.surrogate_code_branch[span].tolist()
            codes = list(zip(tree.surrogate_code[span].tolist(), branch, strict=True))
            column, kind = int(tree.surrogate_column[s]), int(tree.surrogate_kind[s])
            test = self.single(column, kind, float(tree.surrogate_cut[s]), codes, 2)
            found.append(StandIn(test, bool(tree.surrogate_flip[s])))
        return tuple(found)

    def gap_way(self, i: int) -> Way:
        missing = int(self.tree.missing[i])
        if self.gap == "surrogate":
            return Way("surrogate", None if missing < 0 else missing)
        if self.gap == "branch":
            return Way("branch", int(self.tree.largest[i]) if missing < 0 else missing)
        return Way(self.gap)

    def plain_way(self, way: str, i: int) -> Way:
        return Way(way, int(self.tree.largest[i])) if way == "branch" else Way(way)

    def shares(self, children: tuple[int, ...]) -> tuple[float, ...]:
        weights = [self.weights[child] for child in children]
        total = 0.0
        for weight in weights:
            total += weight
        if not (total > 0) or math.isinf(total):
            return tuple(0.0 for _ in weights)
        return tuple(weight / total for weight in weights)

    def answer(self, i: int) -> Answer:
        tree = self.tree
        model = None
        if tree.has_models and tree.model_start[i] < tree.model_start[i + 1]:
            span = slice(int(tree.model_start[i]), int(tree.model_start[i + 1]))
            weights = [tuple(each) for each in tree.model_weight[span].tolist()]
            terms = tuple(zip(tree.model_column[span].tolist(), weights, strict=True))
            gaps = tuple(tuple(each) for each in tree.model_gap[span].tolist())
            model = Model(tuple(tree.model_bias[i].tolist()), terms, gaps)
        return Answer(int(tree.label[i]), tuple(self.chances[i]), model, int(tree.n_rows[i]))
