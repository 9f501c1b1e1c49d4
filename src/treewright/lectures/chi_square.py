"""Stopping early: is a split more than chance, is a node pure enough, is the best gain large enough?"""

from __future__ import annotations

import numpy as np

from treewright import measure
from treewright.fitting import grow
from treewright.lectures.blackboard import divided
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import share, shown
from treewright.table import Table, example

TARGET = "PlayTennis"


def chi_square() -> Lesson:
    """Return the three ways of lecture 001 to stop early, on play tennis.

    >>> [round(step.value, 4) for step in chi_square().steps if step.what.startswith("Chi-square")]
    [3.5467, 0.5704, 2.8, 0.9333]
    """
    table = example("tennis")
    about = (
        "Pre-pruning stops where a split is not statistically significant; lecture 001 also names two "
        "thresholds, on the share of the largest class and on the best gain. On fourteen rows no column "
        "passes a test at 5 %, and the thresholds show how hard they are to set."
    )
    return Lesson("chi_square", "Stopping early", about, (*_tests(table), *_thresholds(table)))


def _tests(table: Table) -> list[Step]:
    part = "Is a split more than chance?"
    steps = []
    for column in table.schema.names[:-1]:
        parts = divided(table, column, TARGET)
        counts = np.array([c for _, c in parts.known])
        n, totals = counts.sum(), counts.sum(axis=0)
        expected = counts.sum(axis=1, keepdims=True) * totals / n
        terms = " + ".join(
            f"({a:g} - {shown(float(e))})²/{shown(float(e))}"
            for a, e in zip(counts.ravel(), expected.ravel(), strict=True)
        )
        found = measure.chi_square(counts)
        words = ", ".join(
            f"{answer} {size:g}" for answer, size in zip(parts.answers, parts.sizes, strict=True) if size
        )
        steps.append(
            Step(
                f"Chi-square of {column}",
                "Σ (n - N_v·p_c)²/(N_v·p_c)",
                terms,
                float(found.statistic),
                note=f"Rows: {words}; expected are {share(totals[0], n)} Yes, {share(totals[1], n)} No.",
                part=part,
            )
        )
        steps.append(
            Step(
                f"p-value of {column}, degrees of freedom: {found.degrees}",
                "",
                "",
                float(found.p_value),
                part=part,
            )
        )
    for level in (0.05, 0.2):
        tree = grow(table, TARGET, "id3", significance=level)
        steps.append(Step(f"Leaves with significance = {level:g}", "", "", tree.n_leaves, part=part))
    return steps


def _thresholds(table: Table) -> list[Step]:
    part = "Is it pure enough, is the gain large enough?"
    root = grow(table, TARGET, "id3")
    largest = float(root.stats[0].max() / root.stats[0].sum())
    steps = [
        Step(
            "Share of the largest class at the root",
            "max p",
            share(root.stats[0].max(), root.weights[0]),
            largest,
            part=part,
        )
    ]
    for name, alpha in (
        ("0.64, below it", 0.64),
        ("9/14, the share itself", largest),
        ("0.65, above it", 0.65),
    ):
        tree = grow(table, TARGET, "id3", majority_share=alpha)
        steps.append(Step(f"Leaves with α = {name}", "leaf if share > α", "", tree.n_leaves, part=part))
    best = float(root.gain[0])
    steps.append(Step("Best gain at the root", "", "", best, part=part))
    for name, beta in (("0.24, below it", 0.24), ("0.25, above it", 0.25)):
        tree = grow(table, TARGET, "id3", min_gain=beta)
        steps.append(Step(f"Leaves with β = {name}", "leaf if best gain < β", "", tree.n_leaves, part=part))
    return steps
