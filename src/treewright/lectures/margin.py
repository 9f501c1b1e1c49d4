"""The plane with the widest margin between four points."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide
from treewright.linear.margin import Margin, max_margin

NEGATIVE = ((1.0, 5.0), (1.0, 3.0))
POSITIVE = ((3.0, 4.0), (3.0, 2.0))
MIDDLES = ("(2, 4.5)", "(2, 2.5)")
FACTOR = 3.0


def margin() -> Lesson:
    """Return Problem 6 of lecture 002: the maximum margin separator, its weights, and what scaling does.

    >>> [step.value for step in margin().steps if step.what.startswith("w")]
    [1.0, 0.0, -2.0]
    """
    about = (
        "Problem 6 of lecture 002: the points (1, 5) and (1, 3) against (3, 4) and (3, 2). The lecture goes "
        "through the middles of the nearest pairs; here the quadratic program is solved, with bounds that "
        "prove the margin."
    )
    return Lesson("margin", "The widest margin", about, (*_middles(), *_plane(), *_scaled()))


def widest(factor: float = 1.0) -> Margin:
    """Return the plane of the widest margin between the points, multiplied by a factor.

    >>> round(widest(2.0).margin, 9)
    2.0
    """
    found = max_margin(factor * np.array([*NEGATIVE, *POSITIVE]), [0, 0, 1, 1])
    assert isinstance(found, Margin)
    return found


def _middles() -> list[Step]:
    part = "The lecture's way"
    steps = []
    for a, b, printed in zip(NEGATIVE, POSITIVE, MIDDLES, strict=True):
        middle = (np.array(a) + np.array(b)) / 2
        what = f"Between ({a[0]:g}, {a[1]:g}) and ({b[0]:g}, {b[1]:g})"
        value = f"({middle[0]:g}, {middle[1]:g})"
        steps.append(Step(what, "(a + b)/2", "", value, Slide("002:248", printed), part=part))
    return steps


def _plane() -> list[Step]:
    part = "The quadratic program"
    found = widest()
    assert found.coef is not None
    w1, w2 = (round(float(value), 9) + 0.0 for value in found.coef)
    return [
        Step("w1", "", "", w1, Slide("002:248", "1"), part=part),
        Step("w2", "", "", w2, Slide("002:248", "0"), part=part),
        Step("w0", "", "", round(found.intercept, 9), Slide("002:248", "-2"), part=part),
        Step("Margin", "1/|w|", f"1/sqrt({w1:g}² + {w2:g}²)", found.margin, part=part),
        Step("The widest margin is at least", "", "", found.bounds[0], part=part),
        Step(
            "The widest margin is at most",
            "half the distance of two points of the hulls",
            "",
            found.bounds[1],
            note="The same: so the plane is the widest there is, and the points are the nearest.",
            part=part,
        ),
    ]


def _scaled() -> list[Step]:
    part = "Scaling"
    found = widest()
    assert found.coef is not None
    steps = []
    for k in (1.0, FACTOR):
        weights, bias = k * found.coef, k * found.intercept
        value = -bias / float(weights[0])
        what = f"Where {k:g} times the weights cut the x1 axis"
        steps.append(Step(what, "-k·w0/(k·w1)", f"{-bias:g}/{weights[0]:g}", value, part=part))
    assert all(abs(a.value - b.value) < 1e-9 for a, b in pairwise(steps))  # type: ignore[operator]
    steps.append(
        Step(
            f"Margin after all points are multiplied by {FACTOR:g}",
            "",
            "",
            widest(FACTOR).margin,
            note="Multiplied weights are the same plane; multiplied points have a wider margin.",
            part=part,
        )
    )
    return steps
