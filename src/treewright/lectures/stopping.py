"""When to stop: thresholds set while growing, beside pruning afterwards; and settings that are tuned."""

from __future__ import annotations

from treewright.evaluate.cross_validation import cross_validate
from treewright.fitting import grow
from treewright.lectures.boolean import truth_table
from treewright.lectures.claims import TARGET, errors, halves
from treewright.lectures.lesson import Lesson, Step
from treewright.predict import predict
from treewright.table import example

THRESHOLDS = (0.0, 0.01, 0.03, 0.1, 0.3, 0.8)  # of the gain
XOR = 0b0110
DEPTHS, CRITERIA = (1, 3, 5), ("gini", "entropy")


def stopping() -> Lesson:
    """Return how trees fare that stop at thresholds, and pruned ones; and settings chosen by folds.

    >>> [step.value for step in stopping().steps if step.what.startswith("Leaves for XOR")]
    ['1, 1, 4']
    """
    about = (
        "Lecture 001 stops growth at thresholds, says why that is hard, and prunes instead; lecture 003 "
        "calls such settings hyperparameters, which are optimised too. Measured on the votes of 1984 that "
        "ship here; a figure shows what a sentence means and proves nothing for other data."
    )
    return Lesson("stopping", "Stop early, or prune; and tune", about, (*_thresholds(), *_tuned()))


def by_threshold() -> list[tuple[float, int, int]]:
    """Return for each threshold of the gain how many leaves there are and how many rows held out are wrong.

    >>> [leaves for _, leaves, _ in by_threshold()][-1]
    1
    """
    learn, judge = halves()
    found = []
    for least in THRESHOLDS:
        tree = grow(learn, TARGET, criterion="entropy", min_gain=least)
        found.append((least, tree.n_leaves, errors(predict(tree, judge), judge)))
    return found


def _thresholds() -> list[Step]:
    part = "Thresholds and pruning (001:137 to 001:147)"
    rows = by_threshold()
    learn, judge = halves()
    pruned = grow(learn, TARGET, criterion="entropy", prune="cv")
    xor = truth_table(XOR, 2)
    trees = (
        grow(xor, "y", "id3", min_gain=0.01),
        grow(xor, "y", "id3", significance=0.05),
        grow(xor, "y", "id3"),
    )
    leaves = [tree.n_leaves for tree in trees]
    return [
        Step(
            "Wrong of 145 at gains of at least 0, 0.01, 0.03, 0.1, 0.3, 0.8",
            "",
            "",
            ", ".join(str(wrong) for _, _, wrong in rows),
            part=part,
            note="With " + ", ".join(str(n) for _, n, _ in rows) + " leaves: too far, or too soon.",
        ),
        Step(
            "Leaves for XOR: a least gain of 0.01, the chi-square test, neither",
            "",
            "",
            ", ".join(map(str, leaves)),
            part=part,
            note="No first test of XOR gains anything: any rule that looks at one test stops too soon.",
        ),
        Step(
            "Wrong of 145, grown in full and pruned by cross-validation",
            "",
            "",
            errors(predict(pruned, judge), judge),
            part=part,
            note=f"{pruned.n_leaves} leaves; no threshold was set.",
        ),
    ]  # fmt: skip


def tried() -> list[tuple[str, int, float]]:
    """Return criterion, depth and error by five folds of every setting.

    >>> len(tried())
    6
    """
    votes = example("vote")
    found = []
    for criterion in CRITERIA:
        for depth in DEPTHS:
            judged = cross_validate(votes, TARGET, folds=5, criterion=criterion, max_depth=depth)
            found.append((criterion, depth, round(1 - judged.overall["accuracy"].value, 6)))
    return found


def _tuned() -> list[Step]:
    part = "Hyperparameters (003:848 to 003:850)"
    rows = tried()
    best = min(rows, key=lambda row: row[2])
    return [
        Step(
            "Settings tried: criterion and depth",
            "",
            "",
            len(rows),
            part=part,
            note="; ".join(f"{criterion}, depth {depth}: {error:.4f}" for criterion, depth, error in rows),
        ),
        Step("The best by five folds", "", "", f"{best[0]}, depth {best[1]}", part=part,
             note="tw.tune does this for all settings, and reports an honest error."),
        Step("Its error", "", "", best[2], part=part),
    ]  # fmt: skip
