"""Policies for gaps on one tree, row by row in plain Python: the side of gaps at each node, and shares."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any


def branch(tree: Any, node: int, row: tuple[Any, ...]) -> int:
    """Return the branch a row takes at a node by its own value; -1 where it has none that the node knows."""
    place = int(tree.column[node])
    cell = row[place]
    if tree.schema.columns[place].is_numeric:
        return -1 if math.isnan(cell) else int(cell > tree.cut[node])
    if cell < 0:
        return -1
    if tree.kind[node] == 1:
        return int(cell > tree.cut[node])
    known = {
        int(tree.code[k]): int(tree.code_branch[k])
        for k in range(int(tree.code_start[node]), int(tree.code_start[node + 1]))
    }
    return known.get(int(cell), -1)


def gini(counts: Counter[int]) -> float:
    """Return weight times gini."""
    total = sum(counts.values())
    return total - sum(n * n for n in counts.values()) / total if total else 0.0


def sides(tree: Any, rows: list[tuple[Any, ...]], answers: list[int], school: str) -> list[set[int]]:
    """Return at each node the branches that gaps may take: by least gini, or of the most common value."""
    found: list[set[int]] = [set() for _ in range(tree.n_nodes)]

    def visit(node: int, here: list[int]) -> None:
        children = tree.children(node)
        if not children:
            return
        way = {row: branch(tree, node, rows[row]) for row in here}
        gaps = [row for row in here if way[row] < 0]
        known = [row for row in here if way[row] >= 0]
        if school == "learned" and gaps:
            costs = []
            for side in range(len(children)):
                parts = [Counter[int]() for _ in children]
                for row in here:
                    parts[way[row] if way[row] >= 0 else side][answers[row]] += 1
                costs.append(sum(map(gini, parts)))
            found[node] = {k for k, cost in enumerate(costs) if cost <= min(costs) + 1e-9}
        if school == "most_common" and known:
            place = int(tree.column[node])
            cells = sorted(rows[row][place] for row in known)
            if tree.schema.columns[place].is_numeric:
                values = {cells[(len(cells) - 1) // 2]}
            else:
                counts = Counter(cells)
                values = {value for value, n in counts.items() if n == max(counts.values())}
            found[node] = {way[row] for row in known if rows[row][place] in values}
        chosen = int(tree.about["gap_sides"][school][node])
        side = chosen if chosen >= 0 else int(tree.largest[node])
        for k, child in enumerate(children):
            visit(child, [row for row in here if (way[row] if way[row] >= 0 else side) == k])

    visit(0, list(range(len(rows))))
    return found


def shares(tree: Any, row: tuple[Any, ...], school: str, node: int = 0) -> dict[int, float]:
    """Return the nodes a row ends in, with its share in each, under a policy for gaps."""
    children = tree.children(node)
    if not children:
        return {node: 1.0}
    way = branch(tree, node, row)
    if way >= 0:
        return shares(tree, row, school, children[way])
    if school == "fractional":
        total = sum(float(tree.weights[child]) for child in children)
        found: dict[int, float] = {}
        for child in children:
            part = float(tree.weights[child]) / total
            for end, share in shares(tree, row, school, child).items() if part else ():
                found[end] = found.get(end, 0.0) + part * share
        return found
    kept = int(tree.about["gap_sides"][school][node])
    return shares(tree, row, school, children[kept if kept >= 0 else int(tree.largest[node])])
