"""What a blackboard shows: counts that the library counted, and formulas with these counts filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from treewright import measure
from treewright.fitting import grow
from treewright.lectures.lesson import Step
from treewright.lectures.slide import Slide, share, shown
from treewright.table import Table
from treewright.tree import Tree

ENTROPY = "H = -Σ p·log2(p)"
REMAINDER = "Σ N_v/N·H(v)"
GAIN = "H - Σ N_v/N·H(v)"


@dataclass(frozen=True)
class Divided:
    """The rows of a node divided by a column: the class counts of each answer."""

    column: str
    answers: tuple[str, ...]
    counts: tuple[tuple[float, ...], ...]  # branches x classes

    @property
    def sizes(self) -> tuple[float, ...]:
        """The rows of each answer."""
        return tuple(sum(branch) for branch in self.counts)

    @property
    def n_rows(self) -> float:
        """All rows."""
        return sum(self.sizes)

    @property
    def known(self) -> list[tuple[str, tuple[float, ...]]]:
        """Answers that some row gives, with their counts."""
        return [(a, c) for a, c in zip(self.answers, self.counts, strict=True) if sum(c)]


def divided(rows: Table, column: str, target: str) -> Divided:
    """Return the class counts of each answer, as growth counts them: the statistics of a tree of one test.

    >>> from treewright.table import example
    >>> divided(example("tennis"), "Outlook", "PlayTennis").counts
    ((2.0, 3.0), (4.0, 0.0), (3.0, 2.0))
    """
    tree = grow(rows.select([column, target]), target, "id3", max_depth=1)
    root = tree.node(0)
    answers = tuple(answer.removeprefix("= ") for answer in root.answers)
    return Divided(column, answers, tuple(tuple(tree.stats[i].tolist()) for i in root.branches))


def rows_at(tree: Tree, node: int, table: Table) -> Table:
    """Return the rows that pass a node.

    >>> from treewright.table import example
    >>> tree = grow(example("tennis"), "PlayTennis", "id3")
    >>> rows_at(tree, tree.children(0)[0], example("tennis")).n_rows
    5
    """
    leaves = np.asarray(tree.leaves(table))
    return table.take((leaves >= node) & (leaves < tree.end[node]))


def way_words(tree: Tree, node: int) -> str:
    """Return the answers on the way to a node.

    >>> from treewright.tree.example import tennis
    >>> way_words(tennis(), 2), way_words(tennis(), 0)
    ('Outlook = Sunny and Humidity = High', 'the root')
    """
    way = tree.path_to(node)
    words = [f"{tree.node(a).question} {tree.node(b).answer}" for a, b in pairwise(way)]
    return " and ".join(words) or "the root"


# ---- formulas with their numbers ----------------------------------------------------------------------


def entropy_text(counts: Sequence[float]) -> str:
    """Return the entropy of counts, written out.

    >>> entropy_text([9, 5])
    '-9/14·log2(9/14) - 5/14·log2(5/14)'
    >>> entropy_text([1] * 14)
    '-14·1/14·log2(1/14)'
    """
    total = sum(counts)
    if len(counts) > 6 and len(set(counts)) == 1:
        return f"-{len(counts)}·{share(counts[0], total)}·log2({share(counts[0], total)})"
    return " ".join(f"- {share(n, total)}·log2({share(n, total)})" for n in counts).replace("- ", "-", 1)


def gini_text(counts: Sequence[float]) -> str:
    """Return the Gini index of counts, written out.

    >>> gini_text([9, 5])
    '1 - (9/14)² - (5/14)²'
    """
    return "1 " + " ".join(f"- ({share(n, sum(counts))})²" for n in counts)


def mean_text(parts: Divided, impurities: Sequence[float]) -> str:
    """Return the mean of one figure per answer, weighted by rows, written out."""
    pairs = zip([sum(counts) for _, counts in parts.known], impurities, strict=True)
    return " + ".join(f"{share(n, parts.n_rows)}·{shown(figure)}" for n, figure in pairs)


def counts_words(counts: Sequence[float], classes: Sequence[str]) -> str:
    """Return counts in words.

    >>> counts_words([9.0, 5.0], ["Yes", "No"])
    '9 Yes, 5 No'
    """
    return ", ".join(f"{n:g} {name}" for n, name in zip(counts, classes, strict=True))


# ---- steps ---------------------------------------------------------------------------------------------


def entropy_step(what: str, counts: Sequence[float], slide: Slide | None = None, part: str = "") -> Step:
    """Return the step that computes an entropy."""
    return Step(what, ENTROPY, entropy_text(counts), measure.entropy(counts), slide, part=part)


def gain_steps(
    parts: Divided,
    whole: Sequence[float],
    gain: float,
    classes: Sequence[str],
    slides: Mapping[Any, Slide],
    part: str = "",
) -> list[Step]:
    """Return the steps to an information gain: each branch, their mean, the gain that growth found.

    `slides` has what is printed under each answer, under "mean" and under "gain".
    """
    entropies = [float(measure.entropy(counts)) for _, counts in parts.known]
    steps = [
        entropy_step(
            f"{parts.column} = {answer}: {sum(counts):g} of {parts.n_rows:g} rows, "
            f"{counts_words(counts, classes)}",
            counts,
            slides.get(answer),
            part,
        )
        for answer, counts in parts.known
    ]
    mean = float(measure.conditional_entropy(np.array([counts for _, counts in parts.known])))
    steps.append(
        Step(
            f"Expected entropy after {parts.column}",
            REMAINDER,
            mean_text(parts, entropies),
            mean,
            slides.get("mean"),
            part=part,
        )
    )
    filled = f"{shown(float(measure.entropy(whole)))} - {shown(mean)}"
    steps.append(Step(f"Gain of {parts.column}", GAIN, filled, gain, slides.get("gain"), part=part))
    return steps
