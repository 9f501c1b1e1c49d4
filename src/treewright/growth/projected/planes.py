"""Sums by planes between two groups of rows: the linear separator, the perceptron, the widest margin.

The linear separator is the plane of least slacks (Bennett, Mangasarian 1992), found by linear programming: it
divides two groups cleanly where any plane does. The perceptron is the average of its weights over some
passes (Freund, Schapire 1999), which goes on where no plane divides them. The margin is that of a support
vector machine with squared slacks, by Newton's method on its columns: slacks are dear, so it comes close to
the plane with the widest margin where one divides the groups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.draws import PROJECTIONS, row_draws
from treewright.growth.projected.field import Field, Floats, Sum
from treewright.growth.projected.fitted import goals_of

MOST_ROWS = 800  # that a linear program is solved on
MOST_PASSES = 12
SLACK_PRICE = 100.0  # of squared slacks, in rows, beside half the squared weights of scaled columns
MOST_STEPS = 30

Fit = Callable[[Floats, NDArray[np.bool_], Floats], Floats]  # rows x columns, side, weight -> weights


def plane_sums(field: Field, target: NDArray[Any], n_classes: int, most: int, fit: Fit) -> Iterator[Sum]:
    """Yield sums of `most` columns down to two, for each way to see the rows as two groups.

    A plane through all columns says which of them matter; those of least weight go, and it is found again.
    A number is seen as two groups: below and above its mean.

    >>> from treewright.growth.projected.field import field_of
    >>> from treewright.table import Column, Kind, Schema
    >>> schema = Schema((Column("a", Kind.numeric), Column("b", Kind.numeric)))
    >>> cells = [np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0, 1.0])]
    >>> field = field_of(schema, cells, np.arange(4), np.ones(4, dtype=np.int64))
    >>> next(plane_sums(field, np.array([0, 1, 1, 1], dtype=np.int32), 2, 2, FITS["separator"])).weights
    (1.0, 1.0)
    """
    if len(field.terms) < 2:
        return
    for goal in goals_of(field, target, n_classes):
        side = goal > (0 if n_classes else float((field.weight * goal).sum()))
        if side.all() or not side.any():
            continue
        used = np.arange(len(field.terms))
        while len(used) >= 2:
            weights = fit(field.scaled[:, used], side, field.weight * field.amount)
            full = np.zeros(len(field.terms))
            full[used] = weights
            if len(used) <= most and (found := field.in_units(full)) is not None:
                yield found
            n_left = len(used) - 1 if len(used) <= most else max(most, len(used) // 2)
            used = np.sort(used[np.argsort(-np.abs(weights), kind="stable")][:n_left])


def _separator(x: Floats, side: NDArray[np.bool_], _weight: Floats) -> Floats:
    """Return the plane of least slacks; the rows count alike."""
    from treewright.linear.slacks import least_slacks  # scipy, on first use

    some = _both_sides(side)
    return np.asarray(least_slacks(x[some], np.where(side[some], 1, 0)).coef)


def _both_sides(side: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the places of some rows of either side, evenly spread."""
    parts = [np.flatnonzero(side), np.flatnonzero(~side)]
    return np.concatenate([part[:: -(-2 * len(part) // MOST_ROWS)] for part in parts])


def _perceptron(x: Floats, side: NDArray[np.bool_], weight: Floats) -> Floats:
    """Return the averaged weights; the rows come in an order that is theirs alone."""
    design = np.column_stack([x, np.ones(len(x))])
    signed = (np.where(side, 1.0, -1.0) * weight / weight.mean())[:, None] * design
    order = np.argsort(row_draws(0, PROJECTIONS, 0, len(x)), kind="stable")
    w, total = np.zeros(design.shape[1]), np.zeros(design.shape[1])
    for _ in range(MOST_PASSES):
        mistakes = 0
        place = 0
        while place < len(order):
            rest = order[place:]
            wrong = np.flatnonzero((signed[rest] * w).sum(axis=1) <= 0)
            n_right = int(wrong[0]) if wrong.size else len(rest)
            total += n_right * w
            if wrong.size:
                w = w + signed[rest[n_right]]
                total += w
                mistakes += 1
            place += n_right + 1
        if not mistakes:
            return w[:-1]
    return total[:-1]


def _margin(x: Floats, side: NDArray[np.bool_], weight: Floats) -> Floats:
    """Return least |w|^2 / 2 + price x squared slacks, by Newton with halved steps."""
    design = np.column_stack([x, np.ones(len(x))])
    y = np.where(side, 1.0, -1.0)
    ridge = np.ones(design.shape[1])
    ridge[-1] = 1e-9  # the bias is free
    w = np.zeros(design.shape[1])

    def loss(at: Floats) -> tuple[float, Floats]:
        slack = np.maximum(0.0, 1.0 - y * (design * at).sum(axis=1))
        return float(0.5 * (ridge * at * at).sum() + SLACK_PRICE * (weight * slack**2).sum()), slack

    value, slack = loss(w)
    for _ in range(MOST_STEPS):
        pull = 2 * SLACK_PRICE * weight * (slack > 0)
        slope = ridge * w - np.einsum("i,ij->j", pull * slack * y, design)
        hessian = np.diag(ridge) + np.einsum("ij,ik->jk", design * pull[:, None], design)
        step = np.linalg.solve(hessian, slope)
        size = 1.0
        while size > 1e-6:
            after, its_slack = loss(w - size * step)
            if after < value:
                break
            size /= 2
        else:
            break
        is_done = value - after <= 1e-10 * abs(value)
        w, value, slack = w - size * step, after, its_slack
        if is_done:
            break
    return w[:-1]


FITS: Mapping[str, Fit] = {"separator": _separator, "perceptron": _perceptron, "margin": _margin}
