"""What is at a node: its rows, and the problem in which they weigh what they weigh there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright import _core
from treewright.growth.ahead.problem import Asked, Ints


@dataclass(frozen=True, eq=False)
class Part:
    """Rows of a problem: its own where rows are at a node in part, else that of the whole tree."""

    asked: Asked
    rows: Ints


def part_at(asked: Asked, held: _core.Node) -> Part:
    """Return what is at a node, its rows in their order, whatever way they came."""
    if not asked.divides:
        return Part(asked, np.sort(held.rows))
    order = np.argsort(held.rows)
    return Part(asked.of_part(held.rows[order], held.weights[order]), np.arange(len(order), dtype=np.int32))


def alone_of(part: Part) -> float:
    """Return what the rows cost as one leaf, without its price."""
    return part.asked.solver.leaf(part.rows)


def by_rule(part: Part, offer: _core.Offer) -> list[list[Part]]:
    """Return the branches of a test whose gaps take the heavier side; both ways where both weigh the same."""
    asked, rows = part.asked, part.rows
    coded = asked.coded[offer.column]
    codes = coded.codes[rows]
    if coded.form == "cut":
        is_left = codes <= offer.place
    else:
        is_left = np.isin(codes, offer.codes[offer.branches == 0])
    is_known = codes >= 0
    left, right = (float(asked.mass[rows[is_known & side]].sum()) for side in (is_left, ~is_left))
    slack, found = asked.mass_step * len(rows), []
    for to_left in (True, False):
        if (left + slack >= right) if to_left else (right + slack >= left):
            takes = np.where(is_known, is_left, to_left)
            found.append([Part(asked, rows[takes]), Part(asked, rows[~takes])])
    return found[: 1 if is_known.all() else 2]
