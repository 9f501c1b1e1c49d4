"""The best cut of a regression tree by running sums."""

from __future__ import annotations

import numpy as np

from treewright import measure
from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide, shown
from treewright.table import Table
from treewright.tree import Tree

# Twelve points of our own: the slides draw theirs without numbers.
Y = (1, 2, 1, 3, 2, 3, 8, 9, 8, 7, 9, 8)


def points() -> Table:
    """Return twelve points, x = 1 to 12.

    >>> points()
    Table(12 rows; x: numeric, y: numeric)
    """
    return Table.from_dict({"x": list(range(1, len(Y) + 1)), "y": list(Y)})


def regression() -> Lesson:
    """Return the scan over all cuts of twelve points, by running sums as in lecture 004.

    >>> [step.value for step in regression().steps if step.what == "The cut that growth takes"]
    [6.5]
    """
    about = (
        "A regression tree predicts the mean of a leaf; a cut leaves the squared deviations on its two "
        "sides. Sorted by x, every cut takes one addition and one subtraction: only the sums of both sides "
        "change (lecture 004). The slides draw their twelve points without numbers; these are ours."
    )
    table = points()
    tree = grow(table, "y", max_depth=1)
    steps = [*_at_six(), *_scan(), *_choice(tree)]
    return Lesson("regression", "A regression tree by running sums", about, tuple(steps))


def loss_of(k: int) -> float:
    """Return the squared deviations that the cut after the k-th point leaves.

    >>> round(loss_of(6), 6)
    6.833333
    """
    side = np.arange(len(Y)) < k
    return float(len(Y) * (measure.variance(Y) - measure.variance_reduction(side, Y)))


def _sums(k: int) -> tuple[int, int]:
    return sum(Y[:k]), sum(Y[k:])


def _at_six() -> list[Step]:
    part = "The cut between the 6th and the 7th point"
    left, right = _sums(6)
    squares = sum(y * y for y in Y)
    mean = left / 6
    constant = f"{squares}"
    deviations = " + ".join(
        f"({y} - {shown(m)})²" for m, side in ((mean, Y[:6]), (right / 6, Y[6:])) for y in side
    )
    sides = grow(points(), "y", max_depth=1)
    right_form = f"-1/6·{left}² - 1/6·{right}² + {constant}"
    wrong_form = f"-(1/6·{left})² - (1/6·{right})² + {constant}"
    return [
        Step(
            "Prediction on the left: the mean",
            "avg(y)",
            f"{left}/6",
            float(sides.node(1).prediction),
            Slide("004:414", "avg(y)", f"{left}/6"),
            part=part,
        ),
        Step(
            "Σ y² of all points, the constant C", "Σ y²", " + ".join(f"{y}²" for y in Y), squares, part=part
        ),
        Step(
            "Loss as squared deviations",
            "Σ (y - c_1)² + Σ (y - c_2)²",
            deviations,
            loss_of(6),
            part=part,
        ),
        Step(
            "Loss by sums",
            "-1/6·(Σ y)² - 1/6·(Σ y)² + C",
            right_form,
            loss_of(6),
            Slide("004:458", "-1/6·(Σ y)² - 1/6·(Σ y)² + C", right_form),
            part=part,
        ),
        Step(
            "The next slide has the bracket in another place",
            "-1/6·(Σ y)² - 1/6·(Σ y)² + C",
            right_form,
            loss_of(6),
            Slide("004:472", "-(1/6·Σ y)² - (1/6·Σ y)² + C", wrong_form),
            "The square belongs to the sum alone, as on the slides before and after.",
            part,
        ),
    ]


def _scan() -> list[Step]:
    part = "All cuts, one after the other"
    printed = {
        6: ("004:484", "-1/6·(Σ y)² - 1/6·(Σ y)² + C"),
        7: ("004:486", "-1/7·(Σ y)² - 1/5·(Σ y)² + C"),
    }
    squares, n = sum(y * y for y in Y), len(Y)
    steps = []
    for k in range(1, n):
        left, right = _sums(k)
        filled = f"-1/{k}·{left}² - 1/{n - k}·{right}² + {squares}"
        slide = Slide(*printed[k], filled) if k in printed else None
        moved = f"y = {Y[k - 1]} moves to the left: sums {left} and {right}."
        steps.append(
            Step(
                f"Loss {k},{k + 1}",
                "-1/k·Sum(R1)² - 1/(n - k)·Sum(R2)² + C",
                filled,
                loss_of(k),
                slide,
                moved,
                part,
            )
        )
    return steps


def _choice(tree: Tree) -> list[Step]:
    part = "The choice"
    best = min(range(1, len(Y)), key=loss_of)
    return [
        Step("Least loss after point", "argmin", "", best, part=part),
        Step(
            "The cut that growth takes",
            "(a + b)/2",
            f"({best} + {best + 1})/2",
            float(tree.cut[0]),
            part=part,
        ),
        Step(
            "Decrease of the variance that growth notes",
            "variance - loss/n",
            f"{shown(float(measure.variance(Y)))} - {shown(loss_of(best))}/{len(Y)}",
            float(tree.gain[0]),
            part=part,
        ),
        Step("The tree", "", "", tree.to_text(), part=part),
    ]
