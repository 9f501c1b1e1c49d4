"""One rule per leaf: what a tree asks on the way there, column by column."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask, message
from treewright.prune import UnsuitableError
from treewright.rules.condition import Condition, Proxy, StandIn
from treewright.rules.rule import Rule
from treewright.rules.ruleset import RuleSet
from treewright.rules.several import Pairs, SumCondition, terms_of
from treewright.table import Column, Schema
from treewright.tree import Tree
from treewright.tree.check import CUT, SUM
from treewright.tree.losses import loss_of, spread
from treewright.tree.policy import gap_policy, unseen_policy
from treewright.tree.terms import terms_at

Floats = NDArray[np.float64]
_NOWHERE = -1  # no branch: what stays at a node
_TOLD = ("recipe", "missing", "unseen", "gaps", "class_scale", "costs", "prune", "short_cuts")


def from_tree(tree: Tree) -> RuleSet:
    """Return the rules of a tree: one per leaf, of which exactly one holds for every row.

    Tests on one column are merged into one interval or one set, those on one sum of columns into one
    interval. Where a policy divides a row, its shares go to several rules, as in the tree; where it asks
    surrogates, so does the condition. Rows that a policy stops at an inner node have rules too: `fallbacks`,
    without an answer where the tree refuses such rows. So the rules answer every row as the tree does.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="c4.5")
    >>> print(tw.rules.from_tree(tree))
    6 rules for PlayTennis, one for each leaf of the tree
    <BLANKLINE>
    1. IF Outlook = Sunny AND Humidity = High
       THEN No  (3 rows, confidence 100 %, lift 2.800)
    ...
    """
    if not isinstance(tree, Tree):
        raise TypeError(
            f"Rules are made of a treewright.Tree, not {type(tree).__name__}; of an estimator, its tree_."
        )
    check_plain(tree, "rules")
    leaves: list[Rule] = []
    fallbacks: list[Rule] = []
    for node, state, question in _ways(tree):
        if question is None:
            leaves.append(_rule(tree, node, state))
            continue
        for way in ("stop", "refuse"):
            if (staying := question.staying(way)) is not None:
                fallback = _staying(tree, node, state, question.about, staying, way)
                fallbacks += [] if any(map(_is_void, fallback.conditions)) else [fallback]
    return RuleSet(
        rules=tuple(leaves),
        schema=tree.schema,
        target=tree.target,
        decision="shares",
        fallbacks=tuple(fallbacks),
        about={"method": "leaves", **{key: tree.about[key] for key in _TOLD if key in tree.about}},
    )


def conditions_by_node(tree: Tree) -> list[Condition | None]:
    """Return for every node what all tests on the way ask of the column that its parent asks about.

    The root has None. The rule of a node, were it a leaf, is made of these: for each column the last one met
    on the way, in the order in which the columns were first met. Below a test on several columns it is None,
    too: that asks nothing of one column.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"x": [1, 2, 3], "y": ["a", "b", "a"]}), target="y")
    >>> [condition.to_text() for condition in conditions_by_node(tree)[1:]]
    ['x <= 1.5', 'x > 1.5 or missing', '1.5 < x <= 2.5 or missing', 'x > 2.5']
    """
    found: list[Condition | None] = []
    for node, state, _ in _ways(tree):
        parent = int(tree.parents[node])
        if not node or tree.kind[parent] == SUM:
            found.append(None)
            continue
        column = int(tree.column[parent])
        found.append(state[column].of_column(tree.schema.columns[column]))
    return found


def _ways(tree: Tree) -> Iterator[tuple[int, _State, _Question | None]]:
    """Yield every node, what is left of each column and sum on the way to it, and what it asks."""
    # to nodes not yet met: what leads to the parent, and a branch
    ways: dict[int, tuple[_State, _Question | None, int]] = {}
    for node in range(tree.n_nodes):
        state, asked, taken = ways.pop(node) if node else ({}, None, 0)
        state = state if asked is None else _after(state, asked, taken)
        question = None if tree.kind[node] == 0 else _Question.of(tree, node)
        if tree.kind[node] != 0:
            for branch, child in enumerate(tree.children(node)):
                ways[child] = (state, question, branch)
        yield node, state, question


def _is_void(condition: Condition | SumCondition) -> bool:
    """Whether nothing at all passes."""
    return not (condition.has_known or condition.missing or condition.unseen)


# ---- pieces: what is left of a column on the way down ----------------------------------------------


@dataclass(frozen=True)
class _Piece:
    """Of numbers and sums bounds, of another column the share by code, then unseen and missing."""

    low: float | None = None
    high: float | None = None
    missing: float = 1.0
    unseen: float = 1.0  # of sums
    shares: Any = None
    proxies: tuple[Proxy, ...] = ()

    def __and__(self, other: _Piece) -> _Piece:
        """Return what passes both, one after the other."""
        proxies = self.proxies + other.proxies
        if self.shares is not None:
            return _Piece(shares=self.shares * other.shares, proxies=proxies)
        lows = [low for low in (self.low, other.low) if low is not None]
        highs = [high for high in (self.high, other.high) if high is not None]
        low, high = max(lows, default=None), min(highs, default=None)
        return _Piece(low, high, self.missing * other.missing, self.unseen * other.unseen, proxies=proxies)

    def condition(self, about: _About, schema: Schema) -> Condition | SumCondition:
        """Return what it says of a column, by its place, or of a sum."""
        if isinstance(about, int):
            return self.of_column(schema.columns[about])
        missing, unseen = self.missing, self.unseen if _has_news(about, schema) else 0.0
        proxies = tuple(_live_proxies(self.proxies, missing > 0, unseen > 0, set()))
        return SumCondition(terms_of(about, schema), self.low, self.high, missing, unseen, proxies)

    def of_column(self, column: Column) -> Condition:
        if self.shares is None:
            proxies = self.proxies if self.missing > 0 else ()
            return Condition(column.name, self.low, self.high, missing=self.missing, proxies=proxies)
        known = self.shares[:-2]
        unseen, missing = self.shares[-2:].tolist()
        names = column.categories
        passing = {code: names[code] for code in np.flatnonzero(known > 0).tolist()}
        return Condition(
            column.name,
            categories=tuple(name for code, name in passing.items() if known[code] == 1),
            partly=tuple((name, float(known[code])) for code, name in passing.items() if known[code] < 1),
            missing=missing,
            unseen=unseen,
            proxies=tuple(_live_proxies(self.proxies, missing > 0, unseen > 0, set(passing.values()))),
        )


_About: TypeAlias = "int | Pairs"  # a column by its place, or a sum by its terms
_State: TypeAlias = "dict[_About, _Piece]"


def _after(state: _State, question: _Question, branch: int) -> _State:
    return _with(state, question.about, question.piece(branch))


def _with(state: _State, about: _About, piece: _Piece) -> _State:
    return {**state, about: state[about] & piece if about in state else piece}


def _has_news(pairs: Pairs, schema: Schema) -> bool:
    """Whether a sum may meet a category that training never had: no number is one."""
    return any(
        not column.is_numeric and column.edges is None
        for column in (schema.columns[term.column] for term, _ in pairs)
    )


def _live_proxies(
    proxies: tuple[Proxy, ...], missing: bool, unseen: bool, passing: set[str]
) -> Iterator[Proxy]:
    """Yield the stand-ins that something can still ask."""
    for proxy in proxies:
        alive = replace(
            proxy,
            missing=proxy.missing and missing,
            unseen=proxy.unseen and unseen,
            categories=tuple(category for category in proxy.categories if category in passing),
        )
        if alive.missing or alive.unseen or alive.categories:
            yield alive


# ---- questions: how one node sends every value there is --------------------------------------------


@dataclass(frozen=True)
class _Question:
    """One test of a tree: the branch of each known code, and the ways of gaps and of unknown categories."""

    tree: Tree
    node: int
    about: _About
    branch_of: NDArray[np.int64] | None  # by code, -1 for a category the node does not know; None: numbers
    gap: str
    unseen: str

    @classmethod
    def of(cls, tree: Tree, node: int) -> _Question:
        gap = gap_policy(tree.about).way
        unseen = unseen_policy(tree.about).way
        if tree.kind[node] == SUM:
            return cls(tree, node, tuple(terms_at(tree, node)), None, gap, unseen)
        return cls(tree, node, int(tree.column[node]), _branch_by_code(tree, node), gap, unseen)

    @property
    def is_sum(self) -> bool:
        return not isinstance(self.about, int)

    @property
    def _column(self) -> Column:
        """The column that it asks about, of those with categories."""
        return self.tree.schema.columns[int(self.tree.column[self.node])]

    @property
    def n_branches(self) -> int:
        return int(self.tree.branch_counts[self.node])

    def piece(self, branch: int) -> _Piece:
        """Return what goes down one branch."""
        missing, asks_when_missing = self._share(branch, is_gap=True)
        unseen, asks_when_unseen = self._share(branch, is_gap=False)
        if self.branch_of is None:
            proxies = self._proxies(branch, asks_when_missing, asks_when_unseen and self.is_sum, ())
            cut = float(self.tree.cut[self.node])
            if branch > 1:
                return _Piece(math.inf, None, missing, unseen, proxies=proxies)
            low, high = (None, cut) if branch == 0 else (cut, None)
            return _Piece(low, high, missing, unseen, proxies=proxies)
        shares = self._whole((self.branch_of == branch).astype(np.float64), unseen, missing)
        unknown = np.flatnonzero(self.branch_of < 0)
        shares[unknown] = unseen
        names = self._column.categories
        asking = tuple(names[code] for code in unknown) if asks_when_unseen else ()
        return _Piece(
            shares=shares, proxies=self._proxies(branch, asks_when_missing, asks_when_unseen, asking)
        )

    def staying(self, way: str) -> _Piece | None:
        """Return what ends at this node because its way is to stop or to be refused; None if nothing does."""
        at_gap, at_unseen = (float(self._ends(way, is_gap)) for is_gap in (True, False))
        asks_at_gap, asks_at_unseen = (
            self._ends(way, is_gap) and self._way(is_gap) == "surrogate" and self._n_surrogates > 0
            for is_gap in (True, False)
        )
        if self.branch_of is None:
            ends = at_gap or (self.is_sum and at_unseen)
            proxies = self._proxies(_NOWHERE, asks_at_gap, asks_at_unseen and self.is_sum, ())
            return _Piece(math.inf, None, at_gap, at_unseen, proxies=proxies) if ends else None
        if not at_gap and not at_unseen:
            return None
        unknown = np.flatnonzero(self.branch_of < 0)
        shares = self._whole(np.where(self.branch_of < 0, at_unseen, 0.0), at_unseen, at_gap)
        names = self._column.categories
        asking = tuple(names[code] for code in unknown) if asks_at_unseen else ()
        return _Piece(shares=shares, proxies=self._proxies(_NOWHERE, asks_at_gap, asks_at_unseen, asking))

    def _ends(self, way: str, is_gap: bool) -> bool:
        """Whether a row without a known value may end here in this way."""
        mine = self._way(is_gap)
        return mine == way or (way == "stop" and mine == "surrogate" and self._detour(is_gap) == _NOWHERE)

    def _way(self, is_gap: bool) -> str:
        way = self.gap if is_gap or self.unseen == "as_missing" else self.unseen
        return "stop" if way == "divide" and not self._parts.any() else way

    def _whole(self, known: NDArray[Any], unseen: float, missing: float) -> Floats:
        """Return shares by code, then of unseen and missing; no number is outside all intervals."""
        is_cut = self._column.edges is not None
        return np.append(known, [0.0 if is_cut else unseen, missing])

    def _share(self, branch: int, is_gap: bool) -> tuple[float, bool]:
        """Return the share that a row without a known value sends here, and whether it asks stand-ins."""
        way = self._way(is_gap)
        if way in ("stop", "refuse"):
            return 0.0, False
        if way == "divide":
            return float(self._parts[branch]), False
        if way == "surrogate" and self._n_surrogates:
            return 1.0, True
        return float(branch == self._detour(is_gap)), False

    def _detour(self, is_gap: bool) -> int:
        """Return the one branch of values without an answer; nowhere, if no stand-in nor weight decides."""
        missing = int(self.tree.missing[self.node])
        as_gap = is_gap or self.unseen == "as_missing"
        if as_gap and (missing >= 0 or self.gap == "surrogate"):
            return missing
        return int(self.tree.largest[self.node])

    @cached_property
    def _parts(self) -> Floats:
        """Return each branch's share of the training weight; zeros where the row stays."""
        held = self.tree.weights[list(self.tree.children(self.node))]
        total = float(np.cumsum(held)[-1])  # in the order in which rows are sent
        if not 0 < total < math.inf:
            return np.zeros(len(held))
        return np.asarray(held / total)

    # ---- stand-ins

    @property
    def _n_surrogates(self) -> int:
        start = self.tree.surrogate_start
        return int(start[self.node + 1] - start[self.node])

    def _proxies(
        self, branch: int, missing: bool, unseen: bool, categories: tuple[str, ...]
    ) -> tuple[Proxy, ...]:
        if not (missing or unseen or categories):
            return ()
        otherwise = float(branch == self._detour(is_gap=True))
        start = int(self.tree.surrogate_start[self.node])
        tests = tuple(
            stand_in(self.tree, place, branch, bool(otherwise))
            for place in range(start, start + self._n_surrogates)
        )
        return (Proxy(tests, otherwise, missing, unseen, categories),)


def _branch_by_code(tree: Tree, node: int) -> NDArray[np.int64] | None:
    column = tree.schema.columns[int(tree.column[node])]
    if column.is_numeric:
        return None
    codes = np.arange(len(column.categories))
    if tree.kind[node] == CUT:  # an ordinal column is cut by rank
        return np.where(codes <= tree.cut[node], 0, 1)
    found = np.full(len(codes), -1)
    span = slice(int(tree.code_start[node]), int(tree.code_start[node + 1]))
    found[tree.code[span]] = tree.code_branch[span]
    return found


def stand_in(tree: Tree, place: int, branch: int, is_detour: bool) -> StandIn:
    """Return a surrogate as a test for one branch."""
    column = tree.schema.columns[int(tree.surrogate_column[place])]
    flip = bool(tree.surrogate_flip[place])
    cut = float(tree.surrogate_cut[place])
    if column.is_numeric and branch not in (0, 1):  # no side of a cut leads to a third branch, or nowhere
        return StandIn(column.name, cut=math.inf, is_below=False)
    if column.is_numeric:
        return StandIn(column.name, cut=cut, is_below=(branch == 0) != flip)
    if tree.surrogate_kind[place] == CUT:
        codes = np.arange(len(column.categories))
        side = np.where(codes <= cut, 0, 1)
    else:
        span = slice(int(tree.surrogate_code_start[place]), int(tree.surrogate_code_start[place + 1]))
        codes, side = tree.surrogate_code[span], tree.surrogate_code_branch[span]
    said = 1 - side if flip else side
    passes = np.where(said < 0, is_detour, said == branch)  # an answer that names no branch: the detour
    names = [column.categories[code] for code in codes.tolist()]
    return StandIn(
        column.name,
        passing=tuple(name for name, ok in zip(names, passes.tolist(), strict=True) if ok),
        failing=tuple(name for name, ok in zip(names, passes.tolist(), strict=True) if not ok),
    )


# ---- rules ----------------------------------------------------------------------------------------


def _rule(tree: Tree, node: int, state: _State) -> Rule:
    conditions = tuple(piece.condition(about, tree.schema) for about, piece in state.items())
    distribution = tuple(tree.stats[node].tolist())
    support = float(tree.weights[node])
    if not tree.is_classifier:
        if loss_of(tree) != "squared":  # a rule keeps what its spread is the root of
            distribution = (*distribution[:2], support * float(spread(tree, node)[0]) ** 2)
        return Rule(conditions, float(tree.stats[node, 1]), distribution, support, node=node)
    label = int(tree.label[node])
    errors = float(np.delete(tree.stats[node], label).sum())
    return Rule(
        conditions,
        tree.classes[label],
        distribution,
        support,
        errors,
        lift(support - errors, support, float(tree.stats[0, label]), float(tree.weights[0])),
        node=node,
    )


def _staying(tree: Tree, node: int, state: _State, about: _About, piece: _Piece, way: str) -> Rule:
    """Return the rule of rows that end at an inner node; the condition that makes them stands last."""
    others = {c: p for c, p in state.items() if c != about}
    rule = _rule(tree, node, {**others, about: _with(state, about, piece)[about]})
    return rule if way == "stop" else Rule(rule.conditions, None, node=node)


def check_plain(tree: Tree, name: str) -> None:
    """Refuse a tree that rules cannot say: an answer is a class or a number.

    >>> from treewright.tree.example import tennis
    >>> check_plain(tennis(), "rules")
    """
    if tree.has_models:
        raise message(
            UnsuitableError,
            f"{name}: a rule answers with a class or a number, but nodes of this tree answer with models. "
            "Grow it with ",
            ask("leaves", "constant"),
            " for rules; ",
            ask("to_text", python="tree.to_text()"),
            " shows the models.",
        )


def lift(correct: float, support: float, of_class: float, total: float) -> float | None:
    """Return how many times as frequent a class is among matching rows as among all; None if unknown.

    >>> lift(3.0, 5.0, 5.0, 14.0)
    1.68
    """
    return None if not (support > 0 and of_class > 0) else (correct / support) / (of_class / total)
