"""Minimum description length: is a split worth the bits it takes to tell?"""

from __future__ import annotations

import numpy as np

from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import share
from treewright.prune.mdl import CODES, exception_bits, leaf_bits
from treewright.prune.mdl import mdl as pruned
from treewright.table import example

TARGET = "PlayTennis"
COUNTS = ((9, 5), (4, 0), (2, 3), (3, 0))


def mdl() -> Lesson:
    """Return what leaves cost in bits under two codes, and what three codes leave of play tennis.

    >>> [round(step.value, 6) for step in mdl().steps if step.what.startswith("Bits of a leaf")]
    [16.219177, 2.151496, 7.167213, 1.943977]
    """
    part = "A leaf by Mehta, Rissanen and Agrawal (1995)"
    steps: list[Step] = []
    for counts in COUNTS:
        n = sum(counts)
        data = " + ".join(f"{c}·log2({share(n, c)})" for c in counts if c)
        # pi^(k/2) / Gamma(k/2) is pi for two classes.
        filled = f"{data} + 1/2·log2({n}/2) + log2(3.14159265)"
        value = float(leaf_bits(np.array([counts], dtype=np.float64))[0])
        words = ", ".join(f"{c} {name}" for c, name in zip(counts, ("Yes", "No"), strict=True))
        formula = "Σ n_c·log2(n/n_c) + (k - 1)/2·log2(n/2) + log2(π^(k/2)/Γ(k/2))"
        steps.append(Step(f"Bits of a leaf with {words}", formula, filled, value, part=part))
    steps.append(_exceptions())
    tree = grow(example("tennis"), TARGET, "id3")
    part = "Play tennis by ID3, pruned"
    steps.append(Step("Leaves before", "", "", tree.n_leaves, part=part))
    for code in CODES:
        left = pruned(tree, code=code).n_leaves
        steps.append(Step(f"Leaves after, code {code}", "", "", left, part=part))
    about = (
        "A tree and its exceptions are a message; the shortest message wins. Lecture 001 names SLIQ's "
        "pruning by description length. Three codes are published, and they differ; on fourteen rows a "
        "split hardly pays."
    )
    return Lesson("mdl", "Description length", about, tuple(steps))


def _exceptions() -> Step:
    n, e = 14.0, 5.0
    bits = float(exception_bits(np.array([n]), np.array([e]))[0])
    ways = f"lgamma({n + 1:g}) - lgamma({e + 1:g}) - lgamma({n - e + 1:g})"
    filled = f"log2({(n + 1) // 2:g} + 1) + ({ways})/ln(2)"
    return Step(
        "Which 5 of 14 rows are exceptions (Quinlan and Rivest 1989)",
        "log2(b + 1) + log2(C(n, e)), b = floor((n + 1)/2)",
        filled,
        bits,
        part="Exceptions",
    )
