"""The circle: a boundary everyone sees, a tree that learns the noise, and what a test set says of it."""

from __future__ import annotations

from typing import Any

from treewright.evaluate.overfitting import overfitting_curve
from treewright.evaluate.verdict import is_overfitting
from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.points import circle
from treewright.lectures.slide import share
from treewright.table import Table
from treewright.tree import Tree

TARGET = "colour"
N_TRAINING, N_TEST, NOISE = 400, 1000, 0.1
SIZES = (1, 3, 7, 15, 31, 63, 127)  # nodes


def overfitting() -> Lesson:
    """Return training against test error along the size of the tree, on a noisy circle.

    >>> lesson = overfitting()
    >>> [step.value for step in lesson.steps if step.what.startswith("Does the full tree overfit")]
    ['yes']
    """
    training, test = circle(N_TRAINING, NOISE, seed=0), circle(N_TEST, NOISE, seed=1)
    about = (
        "Points in a square, blue inside a circle; one label in ten is wrong (lecture 003 shows such "
        "points without numbers; these are drawn). A tree that is grown to the end has no error on the "
        "rows it has seen. Rows that it has not seen tell the truth: the error falls, then rises again "
        "(lecture 001 has the definition)."
    )
    steps = [
        *_curve(training, test),
        *_definition(training, test),
        *_early(training, test),
        *_zero_one(training, test),
    ]
    return Lesson("overfitting", "Overfitting a circle", about, tuple(steps))


def _curve(training: Table, test: Table) -> list[Step]:
    part = f"{N_TRAINING} points to learn from, {N_TEST} others to test with"
    curve = overfitting_curve(training, TARGET, test=test, values=SIZES)
    steps = []
    for tree in curve.trees:
        rates = [_wrong(tree, rows) for rows in (training, test)]
        words = f"{tree.n_leaves} leaves" if tree.n_leaves > 1 else "a single leaf"
        filled = share(rates[0], N_TRAINING), share(rates[1], N_TEST)
        steps.append(
            Step(f"Training error of {words}", "wrong/rows", filled[0], rates[0] / N_TRAINING, part=part)
        )
        steps.append(Step(f"Test error of {words}", "wrong/rows", filled[1], rates[1] / N_TEST, part=part))
    best = curve.trees[curve.marks["lowest"]]
    return [*steps, Step("Leaves of the tree with the lowest test error", "", "", best.n_leaves, part=part)]


def _wrong(tree: Tree, rows: Table) -> int:
    return int((tree.predict(rows) != rows.labels(TARGET)).sum())


def _definition(training: Table, test: Table) -> list[Step]:
    part = "The definition: h overfits if some h' errs more on the training rows and less on all others"
    found = is_overfitting(grow(training, TARGET), test)
    rival = found.rival
    return [
        Step(
            f"Training error of h, the full tree ({found.tree.n_leaves} leaves)",
            "",
            "",
            found.training_error,
            part=part,
        ),
        Step(
            f"Training error of h' ({rival.n_leaves if rival else 0} leaves)",
            "",
            "",
            found.rival_training_error,
            part=part,
        ),
        Step("Test error of h", "", "", found.error.value, part=part),
        Step("Test error of h'", "", "", found.rival_error.value, part=part),
        Step(
            "Does the full tree overfit?", "", "", "yes" if found else "no", note=found.to_text(), part=part
        ),
    ]


def _early(training: Table, test: Table) -> list[Step]:
    part = "Stopping early"
    limits: dict[str, Any] = {"max_depth = 5": {"max_depth": 5}, "min_leaf = 10": {"min_leaf": 10}}
    full = _wrong(grow(training, TARGET), test)
    steps = [Step("Test errors of the full tree", "", "", full, part=part)]
    for name, limit in limits.items():
        tree = grow(training, TARGET, **limit)
        steps.append(
            Step(f"Test errors with {name} ({tree.n_leaves} leaves)", "", "", _wrong(tree, test), part=part)
        )
    return steps


def _zero_one(training: Table, test: Table) -> list[Step]:
    part = "Why not count errors while growing: trees of eight leaves"
    steps = []
    for criterion in ("error", "gini", "entropy"):
        tree = grow(training, TARGET, criterion=criterion, max_leaves=8, min_gain=1e-9)
        steps.append(
            Step(
                f"Test errors of a tree grown by {criterion}",
                "",
                "",
                _wrong(tree, test),
                note=f"{tree.n_leaves} leaves",
                part=part,
            )
        )
    return steps
