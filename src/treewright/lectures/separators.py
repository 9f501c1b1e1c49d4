"""Which of several given planes has the widest margin?"""

from __future__ import annotations

import numpy as np

from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.margin import NEGATIVE, POSITIVE, widest
from treewright.linear.given_plane import plane_margin

# The lecture draws its planes without numbers; these divide its points.
PLANES = {
    "x1 = 2": (1.0, 0.0, -2.0),
    "x1 = 1.5": (1.0, 0.0, -1.5),
    "x1 = 2 + (x2 - 3.5)/5": (1.0, -0.2, -1.3),
}


def separators() -> Lesson:
    """Return the margins of three planes between the points of problem 6 of lecture 002.

    >>> [round(step.value, 3) for step in separators().steps if step.what.startswith("Margin of")]
    [1.0, 0.5, 0.883]
    """
    x, y = np.array([*NEGATIVE, *POSITIVE]), [0, 0, 1, 1]
    part = "Three planes (002:238)"
    margins = {name: plane_margin(x, y, (a, b), c) for name, (a, b, c) in PLANES.items()}
    steps = [
        Step(f"Margin of {name}", "the least y·(w·x + w0)/|w|", "", value, part=part)
        for name, value in margins.items()
    ]
    found = widest()
    steps += [
        Step("The widest of them", "", "", max(margins, key=lambda name: margins[name]), part=part),
        Step("The widest there is", "", "", found.margin, part="All planes (002:236)"),
        Step(
            "Points on its margin",
            "",
            "",
            len(found.support),
            part="All planes (002:236)",
            note="All four: each holds the plane, or would not be missed.",
        ),
    ]
    about = (
        "Problem 6 of lecture 002 asks which of the separators drawn is the maximum margin separator. A "
        "plane is judged by its nearest point; the points are (1, 5) and (1, 3) against (3, 4) and (3, 2)."
    )
    return Lesson("separators", "Which separator is the widest?", about, tuple(steps))
