"""The blackboard version of C4.5's value grouping: groups of categories, joined two by two."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import Any


def entropy(counts: list[int]) -> float:
    """Return the bits of some counts."""
    total = sum(counts)
    return -sum(c / total * math.log2(c / total) for c in counts if c)


def worth(groups: list[set[Any]], values: list[Any], answers: list[Any]) -> tuple[float, float]:
    """Return gain and gain ratio of a test with a branch for each group; None is a missing value."""
    known = [(v, y) for v, y in zip(values, answers, strict=True) if v is not None]
    inside = [[y for v, y in known if v in group] for group in groups]
    before = entropy(list(Counter(y for _, y in known).values()))
    after = sum(len(part) / len(known) * entropy(list(Counter(part).values())) for part in inside if part)
    gain = len(known) / len(values) * (before - after)
    sizes = [*(len(part) for part in inside), len(values) - len(known)]
    info = entropy(sizes)
    return gain, gain / info if info > 0 else 0.0


def grouped(values: list[Any], answers: list[Any], least: int) -> list[set[Any]]:
    """Return the groups that the rules leave, in no order."""
    held = {
        v: Counter(y for x, y in zip(values, answers, strict=True) if x == v) for v in values if v is not None
    }
    groups: list[set[Any]] = []
    for value in sorted(held):
        classes = set(held[value])
        mate = next(
            (g for g in groups if len(classes) == 1 and all(set(held[v]) == classes for v in g)), None
        )
        groups.append({value}) if mate is None else mate.add(value)
    first_gain, ratio = worth(groups, values, answers)
    while len(groups) > 2:
        sizes = [sum(held[v].total() for v in group) for group in groups]
        barred = sizes.index(max(sizes)) if sum(size >= least for size in sizes) < 3 else -1
        offers = []
        for i, j in combinations(range(len(groups)), 2):
            if barred in (i, j):
                continue
            joined = [g for k, g in enumerate(groups) if k not in (i, j)] + [groups[i] | groups[j]]
            gain, its_ratio = worth(joined, values, answers)
            offers.append((gain >= first_gain / 2 - 1e-12, its_ratio, joined))
        if not offers:
            break
        _, best, joined = max(offers, key=lambda offer: offer[:2])
        if not best > ratio + 1e-5:
            break
        groups, ratio = joined, best
    return groups
