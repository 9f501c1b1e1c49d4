"""Sums by fitting: on few columns, what tells two super-classes apart, or follows a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.growth.projected.field import Field, Floats, Sum
from treewright.growth.projected.likely import likeliest

RIDGE = 1e-3  # of the spread of a column: columns that say the same share their weight
L2 = 0.01  # of the logistic fits, on scaled columns
MOST_CLASSES = 6  # that are set against all others, the heaviest first


def fitted_sums(field: Field, target: NDArray[Any], n_classes: int, most: int) -> Iterator[Sum]:
    """Yield sums of `most` columns down to two, for each way to see the rows as two groups or one number.

    By least squares, which on two groups is Fisher's discriminant, and by logistic regression. The column
    that matters least goes, the others are fitted again, and so on.

    >>> from treewright.growth.projected.field import field_of
    >>> from treewright.table import Column, Kind, Schema
    >>> schema = Schema((Column("a", Kind.numeric), Column("b", Kind.numeric)))
    >>> cells = [np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0, 1.0])]
    >>> field = field_of(schema, cells, np.arange(4), np.ones(4, dtype=np.int64))
    >>> next(fitted_sums(field, np.array([0, 1, 1, 1], dtype=np.int32), 2, 2)).weights
    (1.0, 1.0)
    """
    if len(field.terms) < 2:
        return
    weighed = field.scaled * field.weight[:, None]
    squares = np.einsum("ij,ik->jk", weighed, field.scaled) + RIDGE * np.eye(len(field.terms))
    for goal in goals_of(field, target, n_classes):
        centred = goal - float((field.weight * goal).sum())
        side = np.where(goal > 0, 1.0, -1.0) if n_classes else None
        yield from _nested(field, squares, np.einsum("ij,i->j", weighed, centred), side, most)


def goals_of(field: Field, target: NDArray[Any], n_classes: int) -> Iterator[Floats]:
    """Yield what sums may follow: the number itself, or 1 for a class or a group of classes, else 0."""
    if not n_classes:
        largest = float(np.abs(target).max()) or 1.0
        yield np.asarray(target, dtype=np.float64) / largest
        return
    held = np.bincount(target, field.weight, n_classes)
    present = np.flatnonzero(held)
    if len(present) > 2 and len(field.terms):
        yield _two_sides(field, target, held, present)[target]
    for label in present[np.argsort(-held[present], kind="stable")][:MOST_CLASSES]:
        yield (target == label).astype(np.float64)
        if len(present) == 2:
            return


def _two_sides(field: Field, target: NDArray[Any], held: NDArray[Any], present: NDArray[Any]) -> Floats:
    """Return 0 or 1 by class: on which side its mean lies along the direction in which means differ most."""
    means = (
        np.stack(
            [np.bincount(target, field.weight * column, len(held)) for column in field.scaled.T], axis=1
        )[present]
        / held[present, None]
    )
    between = np.einsum("ij,ik->jk", means * held[present, None], means)
    _, axes = np.linalg.eigh(between)
    along = np.einsum("ij,j->i", means, axes[:, -1])
    order = np.argsort(along, kind="stable")
    at = int(np.argmax(np.diff(along[order]))) + 1
    side = np.zeros(len(held))
    side[present[order[at:]]] = 1.0
    return side


def _nested(field: Field, squares: Floats, goal: Floats, side: Floats | None, most: int) -> Iterator[Sum]:
    used = np.arange(len(goal))
    last = _Last(used, np.zeros(len(goal) + 1))
    while len(used) >= 2:
        weights = np.linalg.solve(squares[np.ix_(used, used)], goal[used])
        if len(used) <= most:
            fits = [weights]
            if side is not None:
                last = _logistic(field, used, side, last)
                fits.append(last.theta[:-1])
            for fit in fits:
                full = np.zeros(len(goal))
                full[used] = fit
                if (found := field.in_units(full)) is not None:
                    yield found
        n_gone = 1 if len(used) <= 2 * most else len(used) - 2 * most
        used = np.sort(used[np.argsort(-np.abs(weights), kind="stable")][:-n_gone])


class _Last(NamedTuple):
    """The fit before: its columns, their weights and the bias; the next one starts there."""

    used: NDArray[np.int64]
    theta: Floats


def _logistic(field: Field, used: NDArray[np.int64], side: Floats, last: _Last) -> _Last:
    """Return a logistic fit: where a plane separates the sides, it lies between them."""
    design = np.ones((len(side), len(used) + 1))
    design[:, :-1] = field.scaled[:, used]
    penalty = np.full(len(used) + 1, L2)
    penalty[-1] = 0.0
    start = np.append(last.theta[:-1][np.isin(last.used, used)], last.theta[-1])
    return _Last(used, likeliest(design, side, field.weight * field.amount, penalty, start))
