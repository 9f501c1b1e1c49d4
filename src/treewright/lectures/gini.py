"""The Gini index: two items that differ, the columns of play tennis, one category against the rest."""

from __future__ import annotations

import numpy as np

from treewright import measure
from treewright.fitting import grow
from treewright.lectures.blackboard import divided, gini_text, mean_text
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide, share, shown
from treewright.table import Table, example
from treewright.tree import Tree

TARGET = "PlayTennis"


def gini() -> Lesson:
    """Return the Gini index of play tennis: its forms, each column, each category against the rest.

    >>> [round(step.value, 6) for step in gini().steps if step.what.startswith("Decrease by")]
    [0.116327, 0.018707, 0.091837, 0.030612]
    """
    table = example("tennis")
    tree = grow(table, TARGET, "id3", criterion="gini", ledger=True)
    about = (
        "The chance that two examples, drawn with replacement, are of different classes. Lectures 001, 003 "
        "and 004 use it to choose tests; it ranks the columns of play tennis as entropy does."
    )
    steps = [*_forms(tree), *_columns(tree, table), *_one_against_the_rest(table), *_against_errors()]
    return Lesson("gini", "The Gini index", about, tuple(steps))


def _forms(tree: Tree) -> list[Step]:
    part = "Of 9 Yes and 5 No"
    counts = tree.stats[0].tolist()
    value, n = float(measure.gini(counts)), sum(counts)
    p, q = (share(count, n) for count in counts)
    several = [1.0] * 14
    return [
        Step(
            "One minus the squares",
            "1 - Σ p²",
            gini_text(counts),
            value,
            _formula("004:535", "1 - Σ p²", gini_text(counts)),
            part=part,
        ),
        Step(
            "Σ over pairs of different classes",
            "Σ p_i·p_j",
            f"{p}·{q} + {q}·{p}",
            value,
            _formula("001:63", "Σ P(C_j)·P(C_i)", f"{p}·{q} + {q}·{p}"),
            part=part,
        ),
        Step(
            "Each class against the others",
            "Σ p·(1 - p)",
            f"{p}·(1 - {p}) + {q}·(1 - {q})",
            value,
            _formula("003:718", "Σ p·(1 - p)", f"{p}·(1 - {p}) + {q}·(1 - {q})"),
            part=part,
        ),
        Step(
            "Of two classes",
            "2·p·(1 - p)",
            f"2·{p}·(1 - {p})",
            value,
            _formula("004:548", "2·p·(1 - p)", f"2·{p}·(1 - {p})"),
            part=part,
        ),
        Step(
            "Lowest: one class only",
            "1 - Σ p²",
            gini_text([14, 0]),
            float(measure.gini([14, 0])),
            Slide("003:710", "0"),
            part=part,
        ),
        Step(
            "Highest: 14 items of 14 classes",
            "1 - 1/n",
            "1 - 1/14",
            float(measure.gini(several)),
            part=part,
            note="Lecture 003: highest when every data point has a different class.",
        ),
    ]


def _formula(place: str, printed: str, written: str) -> Slide:
    return Slide(place, printed, written)


def _columns(tree: Tree, table: Table) -> list[Step]:
    part = "Decrease of each column, one branch a value"
    found = {record["column"]: record["gain"] for record in tree.candidates(0)}
    whole = float(measure.gini(tree.stats[0]))
    steps = []
    for column in tree.schema.names:
        parts = divided(table, column, TARGET)
        inner = [float(measure.gini(counts)) for _, counts in parts.known]
        filled = f"{shown(whole)} - ({mean_text(parts, inner)})"
        steps.append(Step(f"Decrease by {column}", "i(S) - Σ N_v/N·i(S_v)", filled, found[column], part=part))
    ranking = ", ".join(record["column"] for record in tree.candidates(0))
    by_entropy = grow(table, TARGET, "id3", ledger=True).candidates(0)
    other = ", ".join(record["column"] for record in by_entropy)
    note = "Lecture 003: gini and information gain are basically identical under normal conditions."
    steps.append(Step("Best first", "", "", ranking, part=part))
    steps.append(Step("Best first by information gain", "", "", other, note=note, part=part))
    return steps


def _one_against_the_rest(table: Table) -> list[Step]:
    part = "CART's question: one category against the rest"
    tree = grow(table, TARGET, splits="one_vs_rest", max_depth=1)
    steps = []
    for column in table.schema.names[:-1]:
        parts = divided(table, column, TARGET)
        whole = np.sum(parts.counts, axis=0)
        for answer, counts in parts.known:
            two = np.array([counts, whole - counts])
            sizes, inner = two.sum(axis=1), measure.gini(two)
            terms = " + ".join(
                f"{share(n, whole.sum())}·{shown(float(g))}" for n, g in zip(sizes, inner, strict=True)
            )
            left = float(measure.gini(whole) - measure.gini_decrease(two))
            steps.append(
                Step(f"Gini left by {column} = {answer}", "N_1/N·G_1 + N_2/N·G_2", terms, left, part=part)
            )
    root = tree.node(0)
    steps.append(Step("Least is left by", "argmin", "", f"{root.question} {root.answers[0]}", part=part))
    return steps


def _against_errors() -> list[Step]:
    """Two tests of 400 + 400 rows that make 200 errors each; one has a pure branch."""
    part = "Partial success: why errors are not enough in a tree"
    even, pure = np.array([[300, 100], [100, 300]]), np.array([[200, 400], [200, 0]])
    steps = []
    for name, counts in (("300:100 and 100:300", even), ("200:400 and 200:0", pure)):
        errors = float(measure.error(counts.sum(axis=0)) - measure.error_decrease(counts))
        left = float(measure.gini(counts.sum(axis=0)) - measure.gini_decrease(counts))
        sides = " + ".join(f"{share(side.min(), counts.sum())}" for side in counts)
        halves = " + ".join(
            f"{share(side.sum(), counts.sum())}·({gini_text(side.tolist())})" for side in counts
        )
        steps.append(Step(f"Errors left by {name}", "Σ N_v/N·(1 - max p)", sides, errors, part=part))
        steps.append(Step(f"Gini left by {name}", "Σ N_v/N·G_v", halves, left, part=part))
    return steps
