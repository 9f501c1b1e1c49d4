"""Planes for AND and OR, the proof that XOR has none, and the map that gives it one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide, shown
from treewright.linear.maps import SquaredDifference
from treewright.linear.proof import Separation
from treewright.linear.separation import separate
from treewright.table import example

INPUTS = ("x1", "x2")

# The lecture's planes: w1, w2, w0, and the scores it prints, by the number of ones in a row.
PLANES = {"and": (1.0, 1.0, -1.5), "or": (1.0, 1.0, -0.5)}
SLIDES = {
    "and": ("002:196", {2: "1/2", 1: "-1/2", 0: "-3/2"}),
    "or": ("002:202", {2: "3/2", 1: "1/2", 0: "-1/2"}),
}


def planes() -> Lesson:
    """Return Problems 4 and 7 of lecture 002: planes for AND, OR and XOR, or the proof that there is none.

    >>> [step.value for step in planes().steps if step.what.startswith("A point")]
    ['(1/2, 1/2)']
    """
    about = (
        "Problems 4 and 7 of lecture 002. A plane is right where w·x + w0 is at least 0 for True and below 0 "
        "for False. The lecture's planes are put in; then the linear program is asked for its own, or for "
        "the proof that there is none: a point that is a weighted mean of True rows and of False rows."
    )
    return Lesson(
        "planes", "AND, OR, XOR and planes", about, (*_plane("and"), *_plane("or"), *_xor(), *_mapped())
    )


def bits(name: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the four rows of inputs and the output of an operator.

    >>> bits("and")[1].tolist()
    [True, False, False, False]
    """
    table = example("and_or_xor")
    x = np.column_stack([table.labels(column).astype(float) for column in INPUTS])
    return x, table.labels(name).astype(float) > 0


def plane_text(found: Separation, names: tuple[str, ...] = INPUTS) -> str:
    """Return a plane as a sum; columns without a weight are left out.

    >>> plane_text(separate(*bits("or")))
    '2·x1 + 2·x2 - 1'
    """
    assert found.coef is not None
    assert found.intercept is not None
    terms = [(weight, f"·{name}") for weight, name in zip(found.coef.tolist(), names, strict=True)]
    parts = [
        (weight, f"{shown(abs(weight))}{name}") for weight, name in [*terms, (found.intercept, "")] if weight
    ]
    first, *rest = [("- " if weight < 0 else "+ ") + text for weight, text in parts]
    return " ".join([first.removeprefix("+ ").replace("- ", "-"), *rest])


def _plane(name: str) -> list[Step]:
    part = f"{name.upper()}, with the lecture's weights"
    x, y = bits(name)
    w1, w2, w0 = PLANES[name]
    place, printed = SLIDES[name]
    bias = f"- {Fraction(-w0)}"
    steps = []
    for row, is_true in zip(x, y, strict=True):
        filled = f"{w1:g}·{row[0]:g} + {w2:g}·{row[1]:g} {bias}"
        steps.append(
            Step(
                f"({row[0]:g}, {row[1]:g}), which is {is_true}",
                "w1·x1 + w2·x2 + w0",
                filled,
                float(row @ [w1, w2] + w0),
                Slide(place, printed[int(row.sum())], filled),
                part=part,
            )
        )
    found = separate(x, y)
    note = "Twice the lecture's plane, so that the nearest rows have the scores 1 and -1."
    steps.append(Step("The plane of the linear program", "", "", plane_text(found), note=note, part=part))
    return steps


def _xor() -> list[Step]:
    part = "XOR"
    x, y = bits("xor")
    found = separate(x, y)
    certificate = found.certificate
    assert certificate is not None
    assert certificate.exact_weights is not None
    assert certificate.exact_point is not None
    point = f"({', '.join(map(str, certificate.exact_point))})"
    steps = []
    for what, side in (("True", True), ("False", False)):
        weights = [(w, x[row]) for row, w in certificate.exact_weights.items() if y[row] == side]
        mean = " + ".join(f"{w}·({row[0]:g}, {row[1]:g})" for w, row in weights)
        steps.append(Step(f"Mean of {what} rows", "Σ weight·x", "", f"{mean} = {point}", part=part))
    steps.append(
        Step(
            "A point in both hulls",
            "",
            "",
            point,
            note="A plane would have to have it on both sides, so there is none. "
            f"The weights are fractions: the proof is {found.proof}.",
            part=part,
        )
    )
    return steps


def _mapped() -> list[Step]:
    part = "XOR after the map (x1, x2, (x1 - x2)²)"
    x, y = bits("xor")
    terms = SquaredDifference().on(INPUTS, (None, None))
    mapped = terms.matrix(x)
    steps = [
        Step(
            f"Third column of ({row[0]:g}, {row[1]:g}), which is {is_true}",
            "(x1 - x2)²",
            f"({row[0]:g} - {row[1]:g})²",
            float(row[2]),
            Slide("002:260", "1" if is_true else "0"),
            part=part,
        )
        for row, is_true in zip(mapped, y, strict=True)
    ]
    names = (*INPUTS, "z")
    found = plane_text(separate(mapped, y), names)
    note = "z is the third column. It lies between the two heights, as the lecture says."
    steps.append(Step("The plane of the linear program", "", "", found, note=note, part=part))
    return steps
