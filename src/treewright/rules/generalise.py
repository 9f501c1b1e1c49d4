"""Making the rule of a leaf more general: conditions that do not lower its error are taken away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.growth.significance import fisher_p_value
from treewright.rules.atom import Atom, Leaf

Floats = NDArray[np.float64]
ALIKE = 1e-12  # error rates that are equal but for rounding are equal


class Candidate(NamedTuple):
    """A rule to choose from: its tests, its class, the rows it matches, and the error expected of it."""

    atoms: tuple[Atom, ...]
    label: int
    error: float
    rows: NDArray[np.int32]
    node: int


def class_sums(labels: NDArray[Any], weights: Floats, n_classes: int) -> Floats:
    """Return the weight of each class.

    >>> class_sums(np.array([0, 2, 2]), np.array([1.0, 1.0, 0.5]), 3)
    array([1. , 0. , 1.5])
    """
    return np.bincount(labels, weights, n_classes).astype(np.float64)


@dataclass(frozen=True)
class Judge:
    """The training rows, and the error that is expected of n rows with e errors among them.

    >>> judge = Judge(np.array([0, 0, 1]), np.ones(3), np.array([2.0, 1.0]), lambda n, e: (e + 1) / (n + 2))
    >>> judge.default_error(0)
    0.4
    """

    labels: NDArray[np.int32]
    weights: Floats
    class_weights: Floats
    estimate: Callable[[Floats, Floats], Floats]
    significance: float | None = None

    def default_error(self, label: int) -> float:
        """Return the error expected of saying a class to every row."""
        return float(1 - (self.class_weights[label] + 1) / (self.class_weights.sum() + 2))

    def expected(self, n: Floats, errors: Floats, label: int) -> Floats:
        """Return the errors expected of rules for a class; where no row matches, the default error."""
        some = n > 0
        found = np.full(len(n), self.default_error(label))
        found[some] = self.estimate(n[some], errors[some])
        return found


def generalised(leaf: Leaf, label: int, judge: Judge) -> Candidate | None:
    """Return the rule of a leaf without the conditions that do not help; None if nothing good is left.

    For each condition, the rule without it matches the rows that fail no test and those that fail this one
    only; so it takes one look at the rows to judge every removal.
    """
    if not leaf.atoms:
        return None
    fails = np.array(leaf.fails)
    left = list(range(len(fails)))
    n_failed = fails.sum(axis=0, dtype=np.int32)
    wrong = np.where(judge.labels != label, judge.weights, 0.0)
    while left:
        n, errors = _counts(fails, left, n_failed, judge.weights, wrong)
        expected = judge.expected(n, errors, label)
        plain = np.divide(errors, n, out=np.full(len(n), judge.default_error(label)), where=n > 0)
        helps = (expected[1:] > expected[0] + ALIKE) & (plain[1:] > plain[0] + ALIKE)
        if judge.significance is not None:
            helps &= ~_is_chance(n, errors, judge.significance)
        if helps.all():
            break
        least = expected[1:].min()
        place = int(np.flatnonzero(expected[1:] <= least + ALIKE)[-1])
        n_failed -= fails[left.pop(place)]
    rows = np.flatnonzero(n_failed == 0).astype(np.int32)
    if not left or not judge.weights[rows].sum() > 0 or expected[0] >= judge.default_error(label) - ALIKE:
        return None
    return Candidate(tuple(leaf.atoms[d] for d in left), label, float(expected[0]), rows, leaf.node)


def _counts(
    fails: NDArray[np.bool_], left: list[int], n_failed: NDArray[np.int32], weights: Floats, wrong: Floats
) -> tuple[Floats, Floats]:
    """Return weight and errors of the rule as it is, then without each of its conditions."""
    here = n_failed == 0
    once = np.flatnonzero(n_failed == 1)
    which = fails[np.ix_(np.array(left), once)].argmax(axis=0)
    n, e = float(weights[here].sum()), float(wrong[here].sum())
    more = np.bincount(which, weights[once], len(left))
    more_wrong = np.bincount(which, wrong[once], len(left))
    return np.append(n, n + more), np.append(e, e + more_wrong)


def _is_chance(n: Floats, errors: Floats, significance: float) -> NDArray[np.bool_]:
    """Return which conditions part right from wrong rows no better than chance may (Fisher's exact test)."""
    right, wrong = n[0] - errors[0], errors[0]
    p = [fisher_p_value(right, wrong, n[d] - errors[d] - right, errors[d] - wrong) for d in range(1, len(n))]
    return np.array(p) > significance
