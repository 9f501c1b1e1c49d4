"""The ledger of an optimal tree: what each column would have cost, and what greedy growth would ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from treewright.growth.ahead.nodes import Ints, Node, nodes_of_answer
from treewright.growth.ahead.problem import Asked
from treewright.tree import Tree

SAME = 1e-9  # of the cost of one leaf: costs closer than this are equal
NO_LIMIT = float("inf")
Record = dict[str, Any]
GoesOn = Callable[..., bool]


def ledger_of(asked: Asked, root: Node, by_growth: Asked, goes_on: GoesOn) -> tuple[Record, ...]:
    """Return a record for each inner node and column, node by node.

    `cost` is what the best subtree costs that asks the column first, with as many levels as the node has
    left (and as many leaves, where there is a budget). The column that greedy growth would ask, by the
    criterion of `by_growth`, has `greedy_cost` besides: that of the best subtree under greedy's very test.
    Where time is up the nodes that are left have no records.
    """
    depth, found = int(asked.settings.max_depth or 0), []
    for place, node, level in _inner(root):
        try:
            records = _records(asked, node, depth - level, goes_on)
            greedy = _greedy(asked, node, by_growth, depth - level, goes_on)
        except _EndedError:
            break
        for record in records:
            if greedy is not None and record["column"] == greedy[0]:
                record["greedy_cost"] = greedy[1]
        found += [{"node": place, **record} for record in records]
    return tuple(found)


class _EndedError(Exception):
    """Time is up, or somebody interrupts."""


def _proven(answer: dict[str, Any]) -> dict[str, Any]:
    if not answer["is_proven"]:
        raise _EndedError
    return answer


def with_ledger(tree: Tree, records: Sequence[Record]) -> Tree:
    """Return the tree with its ledger."""
    return replace(tree, ledger=tuple(records), about={**tree.about, "ledger": True})


def _inner(root: Node) -> Iterator[tuple[int, Node, int]]:
    """Yield the nodes that ask: their places in preorder, and their levels."""
    waiting, place = [(root, 0)], 0
    while waiting:
        node, level = waiting.pop()
        if node.branches:
            yield place, node, level
        place += 1
        waiting += [(branch, level + 1) for branch in reversed(node.branches)]


def _leaves(asked: Asked, node: Node) -> int:
    """Return the leaves that a subtree may have: those of the node's own where leaves are counted; 0: any."""
    return 0 if asked.settings.max_leaves is None else len(node.leaves())


def _records(asked: Asked, node: Node, depth: int, goes_on: GoesOn) -> list[Record]:
    """Return the records of a node in the order of the table."""
    best = node.value(asked.leaf_price)
    alone = node.cost + asked.leaf_price
    slack = SAME * (alone + asked.leaf_price)
    weight = float(asked.weights[node.rows].sum())
    found = []
    for place, name in enumerate(asked.question.schema.names):
        record: Record = {"column": name, **dict.fromkeys(_EMPTY)}
        codes = asked.coded[place].codes[node.rows]
        here = asked.order.index(place)
        if not (codes >= 0).any():
            record["verdict"] = "all_missing"
        elif (codes == codes[0]).all():
            record["verdict"] = "one_value"
        else:
            leaves = _leaves(asked, node)
            answer = _proven(asked.solver.best_by(here, node.rows, depth, leaves, NO_LIMIT, goes_on))
            if not answer["has_tree"]:
                is_budget = asked.settings.max_leaves is not None
                record["verdict"] = "leaf_budget_spent" if is_budget else "branches_too_small"
            else:
                cost = best if place == node.column else float(answer["upper"]) * asked.unit
                record["cost"] = cost
                record["score"] = record["gain"] = (alone - cost) / weight
                record["verdict"] = "costs_more" if cost > best + slack else "costs_the_same"
            if place == node.column:
                record["verdict"] = "chosen"
        found.append(record)
    return found


_EMPTY = ("score", "gain", "split_info", "charge", "cut", "p_value")


def _greedy(
    asked: Asked, node: Node, by_growth: Asked, depth: int, goes_on: GoesOn
) -> tuple[str, float] | None:
    """Return the column that greedy growth would ask, and what the best subtree under its test costs."""
    answer = _proven(by_growth.solver.best(node.rows, 1, 0, NO_LIMIT, goes_on))
    if not answer["has_tree"] or answer["n_branches"][0] == 0:
        return None
    first = nodes_of_answer(by_growth, answer, node.rows)
    cost = _shared(
        asked, [branch.rows for branch in first.branches], depth - 1, _leaves(asked, node), goes_on
    )
    if cost is None:
        return None
    return asked.question.schema.names[first.column], cost


def _shared(asked: Asked, branches: list[Ints], depth: int, leaves: int, goes_on: GoesOn) -> float | None:
    """Return the least cost of branches that may have so many leaves together; None if there is no way."""

    def cost(rows: Ints, own: int) -> float:
        found = _proven(asked.solver.best(rows, depth, own, NO_LIMIT, goes_on))
        return float(found["upper"]) * asked.unit

    if not leaves:
        return sum(cost(rows, 0) for rows in branches)
    if leaves < len(branches):
        return None
    least = np.zeros(1)  # of the branches so far, by the leaves that they have together
    for rows in branches:
        room = leaves - len(branches) + 1
        own = np.array([cost(rows, n) for n in range(1, room + 1)])
        sums = np.full(len(least) + room, np.inf)
        for n, value in enumerate(own.tolist(), start=1):
            sums[n : n + len(least)] = np.minimum(sums[n : n + len(least)], least + value)
        least = sums
    found = float(least[: leaves + 1].min())
    return found if np.isfinite(found) else None
