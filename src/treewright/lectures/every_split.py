"""A stump by brute force: the loss of every split of every dimension."""

from __future__ import annotations

from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.measure.every_cut import cut_losses
from treewright.table import example

COLUMNS = ("petallength", "petalwidth")
TARGET = "class"


def every_split() -> Lesson:
    """Return how many splits are tried on two columns of iris, what each leaves, and which is the best.

    >>> [step.value for step in every_split().steps if step.what == "The test of the tree"]
    ['petallength <= 2.45']
    """
    table = example("iris")
    answers = table.labels(TARGET)
    part = "Sweep each dimension (003:518, 003:520)"
    steps, best = [], []
    for column in COLUMNS:
        found = cut_losses([float(value) for value in table.labels(column)], answers)
        near = sorted(zip(found.losses.tolist(), found.cuts.tolist(), strict=True))[:3]
        words = ", ".join(f"{cut:g}: {loss:.4f}" for loss, cut in near)
        steps += [
            Step(f"Splits of {column}", "", "", len(found.cuts), part=part, note=f"The best three: {words}."),
            Step(
                f"Least loss of {column}", "Σ n_side/n·gini(side)", "", float(found.losses.min()), part=part
            ),
        ]
        best.append((float(found.losses.min()), column, found.best))
    tree = grow(table.select([*COLUMNS, TARGET]), TARGET, max_depth=1, criterion="gini")
    _, column, cut = min(best)
    steps += [
        Step("Choose best", "", "", f"{column} at {cut:g}", part="Choose (003:521)"),
        Step(
            "The test of the tree",
            "",
            "",
            f"{tree.node(0).question} {tree.node(1).answer}",
            part="Choose (003:521)",
            note="Equal losses: the column that stands first.",
        ),
    ]
    about = (
        "Lecture 003 finds the stump by brute force: sweep each dimension, consider every split half way "
        "between neighbours, evaluate the loss of each, choose the best. Here on the petals of iris."
    )
    return Lesson("every_split", "The loss of every split", about, tuple(steps))
