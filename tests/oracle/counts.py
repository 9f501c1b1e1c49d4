"""The blackboard version of tests that count conditions: all of them, tried one after the other."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

from .sums import gain

Literal = list[bool]  # in which rows a condition holds


def cuts(values: list[float]) -> list[Literal]:
    """Return the conditions x <= t and x > t for every t between two neighbouring values."""
    ends = sorted(set(values))[:-1]
    below = [[v <= end for v in values] for end in ends]
    return below + [[not holds for holds in literal] for literal in below]


def categories(values: list[Any]) -> list[Literal]:
    """Return the conditions x = c and x != c for every category."""
    own = [[v == c for v in values] for c in sorted(set(values))]
    return own + [[not holds for holds in literal] for literal in own]


def best_gain(
    literals: list[Literal], answers: list[Any], most: int, is_conjunction: bool
) -> tuple[Fraction, int]:
    """Return what the best test of two to `most` conditions gains, and how few conditions reach it."""
    weights = [Fraction(1)] * len(answers)
    best, fewest = Fraction(-1), 0
    seen: dict[tuple[bool, ...], Fraction] = {}
    for n in range(2, most + 1):
        for chosen in itertools.combinations(literals, n):
            count = [sum(row) for row in zip(*chosen, strict=True)]
            for least in (n,) if is_conjunction else range(1, n + 1):
                passes = tuple(c >= least for c in count)
                if all(passes) or not any(passes):
                    continue
                if passes not in seen:
                    seen[passes] = gain(list(passes), answers, weights, True)
                if seen[passes] > best:
                    best, fewest = seen[passes], n
    return best, fewest
