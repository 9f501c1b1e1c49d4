"""The recursive twins of pruning by description length: one function per published code."""

from __future__ import annotations

import math
from dataclasses import replace

from tests.oracle.prune_nested import as_leaf, inner, is_at_most, n_errors, weight, with_children
from tests.oracle.tree import SCHEMA, Nested

Priced = tuple[float, Nested]


def complexity(counts: list[float]) -> float:
    """Return the stochastic complexity of class counts, in bits."""
    n, k = sum(counts), len(counts)
    if n == 0:
        return 0.0
    data = sum(c * math.log(n / c) for c in counts if c)
    model = (k - 1) / 2 * math.log(n / 2) + math.log(math.pi ** (k / 2) / math.gamma(k / 2))
    return (data + model) / math.log(2)


def value_bits(node: Nested) -> float:
    """Return what the value of a test costs when no table tells how many there are."""
    column = SCHEMA.columns[node.column]
    if node.kind == 1:
        v = node.n_rows if column.is_numeric else min(node.n_rows, len(column.categories))
        return math.log2(v - 1) if v > 2 else 0.0
    v, b = len(node.codes), len({branch for _, branch in node.codes})
    if b == v and v > 2:
        return 0.0
    return math.log2(b**v - b) if b > 1 else 0.0


def mehta(node: Nested) -> Nested:
    return _mehta(node)[1]


def _mehta(node: Nested) -> Priced:
    leaf = 1 + complexity(node.stats)
    if not node.children:
        return leaf, node
    below = [_mehta(child) for child in node.children]
    split = 1 + math.log2(len(SCHEMA.columns)) + value_bits(node) + sum(cost for cost, _ in below)
    return _cheaper(node, leaf, split, below)


def quinlan_rivest(node: Nested) -> Nested:
    return _quinlan_rivest(node, len(SCHEMA.columns))[1]


def _quinlan_rivest(node: Nested, n_columns: int) -> Priced:
    leaf = 1 + exceptions(float(weight(node)), float(n_errors(node)), len(node.stats))
    if not node.children:
        return leaf, node
    uses_up = node.kind == 2 and len({branch for _, branch in node.codes}) == len(node.codes)
    left = max(n_columns, 1)
    below = [_quinlan_rivest(child, n_columns - uses_up) for child in node.children]
    return _cheaper(node, leaf, 1 + math.log2(left) + sum(cost for cost, _ in below), below)


def exceptions(n: float, e: float, k: int) -> float:
    b = math.floor((n + 1) / 2)
    if k > 2:
        b = max(b, math.floor(n * (k - 1) / k))
    ways = math.lgamma(n + 1) - math.lgamma(e + 1) - math.lgamma(n - e + 1)
    return math.log2(b + 1) + ways / math.log(2) + e * math.log2(max(k - 1, 1))


def _cheaper(node: Nested, leaf: float, split: float, below: list[Priced]) -> Priced:
    if is_at_most(leaf, split):
        return leaf, as_leaf(node)
    return split, with_children(node, [child for _, child in below])


def sliq(root: Nested, structure: str = "full") -> Nested:
    if structure == "partial":
        return _partial(root, _tests(root), inner_bits=2.0, leaf_bits=2.0, may_be_leaf=True)[1]
    whole = _full(root, _tests(root))[1]
    if structure == "full":
        return whole
    return _partial(whole, _tests(whole), inner_bits=math.log2(3), leaf_bits=0.0, may_be_leaf=False)[1]


def _tests(root: Nested) -> dict[int, float]:
    """Return the cost of a test on each column."""
    asked = [node.column for node in inner(root)]
    return {c: 1.0 if SCHEMA.columns[c].is_numeric else math.log(asked.count(c)) for c in set(asked)}


def _full(node: Nested, tests: dict[int, float]) -> Priced:
    leaf = 1 + float(n_errors(node))
    if not node.children:
        return leaf, node
    below = [_full(child, tests) for child in node.children]
    return _cheaper(node, leaf, 1 + tests[node.column] + sum(cost for cost, _ in below), below)


def _partial(
    node: Nested, tests: dict[int, float], inner_bits: float, leaf_bits: float, may_be_leaf: bool
) -> Priced:
    if not node.children:
        return leaf_bits + float(n_errors(node)), node
    more = (tests, inner_bits, leaf_bits, may_be_leaf)
    (left_cost, left), (right_cost, right) = (_partial(child, *more) for child in node.children)
    test = inner_bits + tests[node.column]
    lost_left, lost_right = (_lost(child, node.label) for child in node.children)
    options = [
        (test + left_cost + lost_right[0], with_children(node, [left, lost_right[1]])),
        (test + lost_left[0] + right_cost, with_children(node, [lost_left[1], right])),
        (test + left_cost + right_cost, with_children(node, [left, right])),
    ]
    if may_be_leaf:
        options.insert(0, (inner_bits + float(n_errors(node)), as_leaf(node)))
    least = min(cost for cost, _ in options)
    return next((least, tree) for cost, tree in options if is_at_most(cost, least))


def _lost(child: Nested, label: int) -> Priced:
    """Return a branch that is no longer told: its rows get the parent's answer."""
    return float(n_errors(child, label)), replace(as_leaf(child), label=label)
