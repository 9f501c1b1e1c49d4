"""What no tree can cost less than, before any search: rows alike stay together, and leaves are few."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from treewright.growth.ahead.problem import Asked

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

GROUPED = ("squared_error", "poisson", "absolute_error")  # groups of least cost are neighbours on the line
MOST_GROUPS = 64  # of numbers: beyond so many leaves their bound is hardly above zero
ROUNDING = 1e-9  # of the cost of one leaf: what rounding may have added


def least_of_any(asked: Asked) -> float:
    """Return a bound below every tree of the problem: the greater one of two.

    Rows with the same values in all columns end in the same leaf, whatever is asked. And a tree of k leaves
    divides numbers into k groups: it costs no less than the best k groups of neighbouring numbers
    (k-means on a line), which is found exactly.
    """
    leaves = most_leaves(asked)
    bound = least_of_alike(asked) + asked.leaf_price
    if leaves is not None and leaves <= MOST_GROUPS and asked.question.criterion in GROUPED:
        groups = asked.leaf_price * np.arange(1, leaves + 1) + least_of_groups(asked, leaves)
        bound = max(bound, float(groups.min()))
    return max(0.0, bound - ROUNDING * asked.cost(np.arange(asked.n_rows, dtype=np.int32)))


def most_leaves(asked: Asked) -> int | None:
    """Return how many leaves a tree may have; None where a test may have many branches."""
    settings = asked.settings
    limits = [] if settings.max_leaves is None else [int(settings.max_leaves)]
    is_wide = any(coded.form == "each" for coded in asked.coded) or settings.missing == "own_branch"
    if not is_wide and settings.max_depth is not None and settings.max_depth < 30:
        limits.append(1 << int(settings.max_depth))
    return min(limits) if limits else None


def least_of_alike(asked: Asked) -> float:
    """Return what rows cost if all that differ were apart."""
    codes = np.column_stack([coded.codes for coded in asked.coded]) if asked.coded else None
    if codes is None:
        return asked.cost(np.arange(asked.n_rows, dtype=np.int32))
    _, group = np.unique(codes, axis=0, return_inverse=True)
    group = group.ravel()
    order = np.argsort(group, kind="stable").astype(np.int32)
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    sizes = np.diff([*starts, len(order)])
    parts = zip(starts[sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True)
    return float(sum(asked.cost(np.sort(order[start : start + size])) for start, size in parts))


GroupCost = Callable[[Ints, Ints], Floats]  # of the values first to last - 1 as one group


def least_of_groups(asked: Asked, most: int) -> Floats:
    """Return what the best 1, 2, ... groups of the target's numbers cost."""
    values, place = np.unique(asked.numbers, return_inverse=True)
    is_absolute = asked.question.criterion == "absolute_error"
    place = place.ravel()
    cost = _distances(asked, values, place) if is_absolute else _deviations(asked, place)
    n = len(values)
    best = cost(np.zeros(n + 1, dtype=np.int64), np.arange(n + 1))
    found = [best[n]]
    while len(found) < min(most, n):
        best = _one_more(best, cost)
        found.append(best[n])
    return np.asarray(found + [found[-1]] * (most - len(found))) * asked.unit


def _running(place: Ints, *parts: Floats) -> list[Floats]:
    """Return running sums by value, from 0 on."""
    return [np.concatenate([[0.0], np.cumsum(np.bincount(place, part))]) for part in parts]


def _deviations(asked: Asked, place: Ints) -> GroupCost:
    """Groups answer their mean: squared distances from it, or the deviance."""
    y, weights, is_poisson = asked.numbers, asked.weights, asked.question.criterion == "poisson"
    sums = _running(place, weights, weights * y, weights * y * (np.log(y) if is_poisson else y))

    def cost(first: Ints, last: Ints) -> Floats:
        w, s, q = (part[last] - part[first] for part in sums)
        mean = np.divide(s, w, out=np.ones_like(s), where=w > 0)
        less = s * np.log(np.maximum(mean, 1e-300)) if is_poisson else s * mean
        return np.asarray(np.maximum(q - less, 0.0))

    return cost


def _distances(asked: Asked, values: Floats, place: Ints) -> GroupCost:
    """Groups answer their median, the first value at which half of their weight is reached."""
    weight, sums = _running(place, asked.weights, asked.weights * asked.numbers)

    def cost(first: Ints, last: Ints) -> Floats:
        half = (weight[first] + weight[last]) / 2
        middle = np.minimum(np.searchsorted(weight[1:], half), np.maximum(last, first + 1) - 1)
        middle = np.minimum(np.maximum(middle, first), len(values) - 1)
        below, above = sums[middle] - sums[first], sums[last] - sums[middle]
        more_above = weight[first] + weight[last] - 2 * weight[middle]
        return np.asarray(np.maximum(above - below - more_above * values[middle], 0.0))

    return cost


def _one_more(best: Floats, cost: GroupCost) -> Floats:
    """Return the cost of the first 0, 1, ... values with one group more.

    Where the last group begins never moves back when values are added (the costs are a Monge array), so that
    a value half-way between two that are solved looks between their beginnings alone.
    """
    n = len(best) - 1
    found, begin = np.zeros(n + 1), np.zeros(n + 1, dtype=np.int64)
    step = 1 << (n.bit_length() - 1)
    while step:
        ends = np.arange(step, n + 1, 2 * step)
        after = ends + step
        low = begin[ends - step]
        high = np.where(after <= n, np.minimum(begin[np.minimum(after, n)], ends), ends)
        sizes = np.maximum(high - low, 0) + 1
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        place = np.arange(int(sizes.sum())) - np.repeat(starts - low, sizes)
        costs = best[place] + cost(place, np.repeat(ends, sizes))
        found[ends] = np.minimum.reduceat(costs, starts)
        is_least = np.flatnonzero(costs <= np.repeat(found[ends], sizes))
        begin[ends] = place[is_least[np.searchsorted(is_least, starts)]]
        step //= 2
    return found
