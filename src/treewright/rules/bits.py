"""Description lengths in bits: of tests, of rules, and of the rows that rules get wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.rules.atom import Atom
from treewright.table import Column

Floats = NDArray[np.float64]
PROHIBITIVE = 1e6
_NONE = 1e-9  # a share of errors that counts as none


@dataclass(frozen=True)
class Code:
    """What it takes to tell a test: the bits to name a column, and those to name a branch of each.

    >>> from treewright.table import Kind
    >>> columns = (Column("Wind", Kind.nominal, ("Strong", "Weak")), Column("x", Kind.numeric))
    >>> code = Code.of(columns, [np.array([0, 1, 1, 0]), np.array([1.0, 2, 3, 4])], np.ones(4))
    >>> round(code.column, 3), code.branch
    (0.918, (1.0, 2.0))
    >>> round(code.rule([Atom(0, "in", codes=(1,)), Atom(1, "<=", 2.0)]), 3)
    4.837
    """

    column: float
    branch: tuple[float, ...]
    n_categories: tuple[int, ...]

    @classmethod
    def of(cls, columns: Sequence[Column], values: Sequence[NDArray[Any]], weights: Floats) -> Code:
        """Return the code for a table: rare answers take more bits, and so do columns with many."""
        branch = [_branch_bits(c, v, weights) for c, v in zip(columns, values, strict=True)]
        total = sum(branch)
        column = _entropy(np.array(branch) / total) if total > 0 else 0.0
        return cls(column, tuple(branch), tuple(len(c.categories) for c in columns))

    def rule(self, atoms: Sequence[Atom]) -> float:
        """Return the bits of a rule: its tests, in any order, and their number."""
        q = len(atoms)
        return sum(map(self._test, atoms)) + math.log2(q) - float(log2_factorial(q))

    def _test(self, atom: Atom) -> float:
        is_group = atom.sign == "in" and len(atom.codes) != 1
        return self.column + (self.n_categories[atom.column] if is_group else self.branch[atom.column])


def _branch_bits(column: Column, values: NDArray[Any], weights: Floats) -> float:
    if column.is_numeric:
        distinct = len(np.unique(values[~np.isnan(values)]))
        return 1 + 0.5 * math.log2(distinct) if distinct else 0.0
    known = values >= 0
    held = np.bincount(values[known], weights[known], len(column.categories))
    return _entropy(held / held.sum()) if held.sum() > 0 else 0.0


def _entropy(shares: Floats) -> float:
    some = shares[shares > 0]
    return float(-(some * np.log2(some)).sum())


def log2_factorial(n: Any) -> Floats:
    """Return log2 n! of whole numbers.

    >>> log2_factorial([0, 1, 4]).round(3).tolist()
    [0.0, 0.0, 4.585]
    """
    return np.asarray(np.vectorize(math.lgamma, otypes=[float])(np.asarray(n) + 1.0)) / math.log(2)


def exception_bits(n: float, fires: Any, wrong: Any, absent: Any) -> Floats:
    """Return the bits that name false positives among the rows that fire and false negatives among the rest.

    The smaller group's errors are expected to be what they are; of the larger one half of all errors.

    >>> exception_bits(14, [4, 9], [0, 0], [5, 0]).round(3).tolist()
    [15.883, 3.807]
    """
    fires, wrong, absent = (np.asarray(x, dtype=np.float64) for x in (fires, wrong, absent))
    half = (wrong + absent) / 2
    is_most = fires > n / 2
    expected_wrong, expected_absent = np.where(is_most, half, wrong), np.where(is_most, absent, half)
    found = math.log2(n) + _biased(fires, wrong, expected_wrong) + _biased(n - fires, absent, expected_absent)
    return np.asarray(found)


def _biased(n: Floats, errors: Floats, expected: Floats) -> Floats:
    """Return the bits that say which of n rows are errors when so many are expected."""
    share = np.divide(expected, n, out=np.zeros_like(expected), where=n > 0)
    is_none, is_all = share < _NONE, share > 1 - _NONE
    safe = np.where(is_none | is_all, 0.5, share)
    bits = -errors * np.log2(safe) - (n - errors) * np.log2(1 - safe)
    bits = np.where(is_none, np.where(errors > _NONE, PROHIBITIVE, 0.0), bits)
    bits = np.where(is_all, np.where(errors < n - _NONE, PROHIBITIVE, 0.0), bits)
    return np.where(n > 0, bits, 0.0)
