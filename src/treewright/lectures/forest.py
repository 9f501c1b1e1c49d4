"""Bootstrap samples, and how much a tree changes when its data change a little."""

from __future__ import annotations

import math

import numpy as np

from treewright.evaluate.stability import stability
from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.table import example
from treewright.tree import Tree

TARGET = "PlayTennis"
N_TREES = 500  # the slide's example


def forest() -> Lesson:
    """Return what a bootstrap sample holds, and how unstable the tree of play tennis is.

    >>> [round(step.value, 3) for step in forest().steps if step.what.startswith("Share of rows")]
    [0.646, 0.632, 0.632]
    """
    about = (
        "A forest grows each tree on N rows drawn with replacement from N (lecture 001, which takes 500 "
        "trees as its example). Some rows come twice, others not at all. Single trees change a lot with "
        "such samples; that is why many of them vote."
    )
    return Lesson("forest", "Bootstrap samples", about, (*_shares(), *_left_out(), *_samples()))


def _shares() -> list[Step]:
    part = "How many rows a sample holds"
    steps = [
        Step(
            f"Share of rows in a sample of {n}, on average",
            "1 - (1 - 1/N)^N",
            f"1 - (1 - 1/{n})^{n}",
            1 - (1 - 1 / n) ** n,
            part=part,
        )
        for n in (14, 1000)
    ]
    return [
        *steps,
        Step("Share of rows, for ever more rows", "1 - 1/e", "1 - 1/2.718281828", 1 - 1 / math.e, part=part),
    ]


def _left_out() -> list[Step]:
    part = "One day left out"
    table = example("tennis")
    whole = tests_of(grow(table, TARGET, "id3"))
    others = [tests_of(grow(table.take(np.arange(14) != row), TARGET, "id3")) for row in range(14)]
    days = [f"D{row + 1}" for row, tests in enumerate(others) if tests != whole]
    return [
        Step(
            "Of 14 trees, each without one day: those that ask otherwise",
            "",
            "",
            len(days),
            part=part,
            note=", ".join(days),
        ),
        Step("Different trees among them", "", "", len(set(others)), part=part),
    ]


def tests_of(tree: Tree) -> tuple[str, ...]:
    """Return what a tree asks, node by node; "" in a leaf.

    >>> from treewright.tree.example import tennis
    >>> tests_of(tennis())
    ('Outlook', 'Humidity', '', '', '', 'Wind', '', '')
    """
    return tuple(tree.node(i).question for i in range(tree.n_nodes))


def _samples() -> list[Step]:
    part = f"{N_TREES} trees, each grown on a bootstrap sample of the 14 days"
    found = stability(example("tennis"), TARGET, "id3", n_trees=N_TREES, depth=0)
    asked = found.places[0].columns
    words = ", ".join(f"{column} {n}" for column, n in asked.items())
    return [
        Step("Trees that ask Outlook first", "", "", asked["Outlook"], note=f"All: {words}.", part=part),
        Step(
            "Smallest and largest number of leaves",
            "",
            "",
            f"{min(found.n_leaves)}, {max(found.n_leaves)}",
            part=part,
        ),
        Step("How often two of the trees say the same of a day", "", "", found.agreement, part=part),
    ]
