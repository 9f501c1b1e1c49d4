"""Which rules of a class to keep: those that, with their exceptions, are told in the fewest bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.base.draws import RULES, row_shares
from treewright.rules.bits import exception_bits, log2_factorial

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
MOST_FOR_ALL_SUBSETS = 10
N_STARTS = 11
ALIKE = 1e-9  # bits


@dataclass(frozen=True)
class Choice:
    """The rules of one class to choose from: the rows each matches, and the bits that tell it.

    >>> choice = Choice([np.array([0, 1]), np.array([1, 2])], np.array([3.0, 3.0]), np.array([1.0, 1, 0]),
    ...                 np.ones(3))
    >>> choice.costs(np.array([[True, False], [True, True]])).round(3).tolist()
    [3.085, 7.196]
    """

    rows: Sequence[NDArray[np.int32]]
    bits: Floats
    is_class: Floats  # 1 for a row of the class, else 0
    weights: Floats

    def costs(self, subsets: NDArray[np.bool_]) -> Floats:
        """Return the bits of subsets, one a line: half of those of the rules, and the exceptions."""
        fires, wrong = [], []
        for chosen in subsets:
            covered = np.zeros(len(self.weights), dtype=bool)
            for place in np.flatnonzero(chosen).tolist():
                covered[self.rows[place]] = True
            fires.append(self.weights[covered].sum())
            wrong.append((self.weights * (1 - self.is_class))[covered].sum())
        return self.priced(np.array(fires), np.array(wrong), subsets @ self.bits, subsets.sum(axis=1))

    def priced(self, fires: Floats, wrong: Floats, bits: Floats, size: NDArray[np.intp]) -> Floats:
        """Return the bits of subsets of which it is known where they fire, and how often wrongly."""
        n = float(self.weights.sum())
        of_class = float((self.weights * self.is_class).sum())
        absent = np.maximum(of_class - (fires - wrong), 0.0)
        return 0.5 * (bits - _FACTORIALS.upto(size)) + exception_bits(n, fires, wrong, absent)


class _Factorials:
    """log2 n! by table, which grows as it is asked."""

    def __init__(self) -> None:
        self._known = log2_factorial(np.arange(64))

    def upto(self, size: NDArray[np.intp]) -> Floats:
        most = int(np.max(size, initial=0))
        if most >= len(self._known):
            self._known = log2_factorial(np.arange(2 * most))
        return self._known[size]


_FACTORIALS = _Factorials()


def chosen(choice: Choice, seed: int, path: int, tell: Callable[[float], object] = lambda _: None) -> Ints:
    """Return the places of the rules to keep: the best of all subsets, of eleven climbs where rules are many.

    `path` keys the draws of this class; `tell` hears what share of the work is done.
    """
    n_rules = len(choice.rows)
    if n_rules <= MOST_FOR_ALL_SUBSETS:
        return _best_of_all(choice)
    best: Ints = np.zeros(0, dtype=np.intp)
    best_cost = np.inf
    climber = Climber(choice)
    for start in range(N_STARTS):
        drawn = row_shares(seed, RULES, path * N_STARTS + start, n_rules) < start / (N_STARTS - 1)
        subset, cost = climber.climbed(drawn)
        if cost < best_cost - ALIKE:
            best, best_cost = np.flatnonzero(subset), cost
        tell((start + 1) / N_STARTS)
    return best


def _best_of_all(choice: Choice) -> Ints:
    """Return the cheapest subset; of equal ones that with fewer rules, then with the earlier ones."""
    n_rules = len(choice.rows)
    # Rows that the same rules match are one group: at most 1024, whatever the table.
    signature = np.zeros(len(choice.weights), dtype=np.int64)
    for place, rows in enumerate(choice.rows):
        signature[rows] |= 1 << (n_rules - 1 - place)  # the first rule is the highest bit
    n_subsets = 1 << n_rules
    held = np.bincount(signature, choice.weights, n_subsets)
    wrong_held = np.bincount(signature, choice.weights * (1 - choice.is_class), n_subsets)
    subset = np.arange(n_subsets)
    is_covered = (subset[:, None] & subset[None, :]) != 0
    members = (subset[:, None] >> np.arange(n_rules - 1, -1, -1)) & 1
    size = members.sum(axis=1)
    costs = choice.priced(is_covered @ held, is_covered @ wrong_held, members @ choice.bits, size)
    order = np.lexsort((-subset, size))
    best = order[int(np.argmax(costs[order] <= costs.min() + ALIKE))]
    return np.flatnonzero(members[best])


class Climber:
    """Climbs from a subset: the change of one rule that lowers the cost most, again and again.

    For every rule it keeps what would fire newly if it came in, and no longer if it went out. A change moves
    these figures only for rules that share rows with the one that changed.
    """

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self._wrong = choice.weights * (1 - choice.is_class)
        n_rows, n_rules = len(choice.weights), len(choice.rows)
        sizes = [len(rows) for rows in choice.rows]
        row = np.concatenate(choice.rows)
        rule = np.repeat(np.arange(n_rules), sizes)
        order = np.argsort(row, kind="stable")
        self._rules = rule[order]  # of row i: rules[start[i]:start[i + 1]]
        self._start = np.searchsorted(row[order], np.arange(n_rows + 1))

    def climbed(self, is_in: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], float]:
        """Return where a climb ends, and what that costs."""
        choice, is_in = self._choice, is_in.copy()
        depth = np.zeros(len(choice.weights), dtype=np.int64)  # how many rules in the subset match a row
        for place in np.flatnonzero(is_in).tolist():
            depth[choice.rows[place]] += 1
        edge = {level: self._sums(np.flatnonzero(depth == level)) for level in (0, 1)}
        while True:
            fires = float(choice.weights[depth > 0].sum())
            wrong = float(self._wrong[depth > 0].sum())
            bits, size = float(choice.bits[is_in].sum()), int(is_in.sum())
            cost = float(
                choice.priced(np.array([fires]), np.array([wrong]), np.array([bits]), np.array([size]))[0]
            )
            sign = np.where(is_in, -1, 1)
            change = np.where(is_in, edge[1], edge[0])
            costs = choice.priced(
                fires + sign * change[0], wrong + sign * change[1], bits + sign * choice.bits, size + sign
            )
            place = int(np.argmax(costs <= costs.min() + ALIKE))
            if costs[place] >= cost - ALIKE:
                return is_in, cost
            step = int(sign[place])
            is_in[place] = step > 0
            self._move(edge, depth, choice.rows[place], step)

    def _move(
        self, edge: dict[int, Floats], depth: NDArray[np.int64], rows: NDArray[np.int32], step: int
    ) -> None:
        before = depth[rows]
        depth[rows] += step
        for level in (0, 1):
            edge[level] += self._sums(rows[before + step == level]) - self._sums(rows[before == level])

    def _sums(self, rows: NDArray[np.intp] | NDArray[np.int32]) -> Floats:
        """Return by rule the weight of these rows that it matches, and the weight of other classes."""
        length = self._start[rows + 1] - self._start[rows]
        place = np.arange(length.sum()) + np.repeat(self._start[rows] - np.cumsum(length) + length, length)
        rules, n_rules = self._rules[place], len(self._choice.rows)
        return np.array(
            [
                np.bincount(rules, np.repeat(weights[rows], length), n_rules)
                for weights in (self._choice.weights, self._wrong)
            ],
            dtype=np.float64,
        )
