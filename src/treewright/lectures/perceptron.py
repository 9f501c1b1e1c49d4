"""The perceptron on four points, row by row, and how many mistakes it can make."""

from __future__ import annotations

import numpy as np

from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide
from treewright.linear.perceptron import PerceptronFit, fit_perceptron, threshold

POINTS = np.array([[4.0, 3.0], [1.0, 3.0], [-2.0, 0.0], [2.0, 2.0]])
SIDES = np.array([1, -1, -1, 1])
START = (1.0, 1.0)
SCORES = ("7", "4", "0", "0")  # what the lecture prints, row by row
AFTER = {1: "(0, -2)", 2: "(2, -2)"}
SCALE = 0.01


def perceptron() -> Lesson:
    """Return Problem 5 of lecture 002: the learning rule from (1, 1), and the bound on mistakes.

    >>> [step.value for step in perceptron().steps if step.what.startswith("Weights")]
    ['(0, -2)', '(2, -2)']
    """
    about = (
        "Problem 5 of lecture 002: four points, the weights (1, 1), no bias. A row with the wrong "
        "Threshold(w·x) is added to the weights, or taken off. The bound on the number of mistakes is "
        "printed with R²/γ; it is R²/γ²."
    )
    fit = fit_perceptron(POINTS, SIDES, start=START, bias=False)
    return Lesson("perceptron", "The perceptron", about, (*_first_pass(fit), *_after(fit), *_bound()))


def _first_pass(fit: PerceptronFit) -> list[Step]:
    part = "First pass, from (1, 1)"
    steps = [
        Step(
            "Threshold(0)",
            "+1 if z ≥ 0, -1 if z < 0",
            "",
            int(threshold(0.0)),
            Slide("002:156", "+1"),
            part=part,
        )
    ]
    updates = {update.row: update for update in fit.trace if update.n_pass == 1}
    w = np.array(START)
    for row, (x, side, printed) in enumerate(zip(POINTS, SIDES, SCORES, strict=True)):
        is_wrong = row in updates
        steps.append(
            Step(
                f"Score of ({x[0]:g}, {x[1]:g}), which is {side:+d}",
                "w·x",
                f"{w[0]:g}·{x[0]:g} + {w[1]:g}·{x[1]:g}".replace("·-2", "·(-2)"),
                float(w @ x),
                Slide("002:232", printed),
                "Threshold +1: wrong." if is_wrong else "Threshold +1: right.",
                part,
            )
        )
        if is_wrong:
            w = np.array(updates[row].weights)
            what = f"Weights after ({x[0]:g}, {x[1]:g})"
            steps.append(Step(what, "w + y·x", "", _shown(w), Slide("002:232", AFTER[row]), part=part))
    return steps


def _after(fit: PerceptronFit) -> list[Step]:
    part = "After that"
    on_plane = [f"({x[0]:g}, {x[1]:g})" for x in POINTS if fit.weights @ x == 0]
    note = f"{', '.join(on_plane)} lies on the plane: right by Threshold(0) = +1, with no margin at all."
    return [
        Step("Mistakes in the first pass", "", "", fit.mistakes_by_pass[0], part=part),
        Step("Mistakes in the second pass", "", "", fit.mistakes_by_pass[1], part=part),
        Step("Every row is right", "", "", _yes(fit.is_consistent), part=part),
        Step("Every row is strictly on its side", "", "", _yes(fit.is_strict), note=note, part=part),
    ]


def _bound() -> list[Step]:
    part = "How many mistakes there can be"
    fit = fit_perceptron(POINTS, SIDES, bias=False)
    small = fit_perceptron(POINTS * SCALE, SIDES, bias=False)
    assert fit.margin is not None
    assert fit.bound is not None
    assert small.margin is not None
    return [
        Step("R, the longest row", "|x|", "sqrt(4² + 3²)", fit.radius, part=part),
        Step("γ, the widest margin through the origin", "", "", fit.margin, part=part),
        Step("The bound", "", "", "R²/γ²", Slide("002:218", "R²/γ"), part=part),
        Step(
            "Most mistakes from weights of zero",
            "R²/γ²",
            f"5²/{fit.margin:.9f}²",
            round(fit.bound, 9),
            part=part,
        ),
        Step("Mistakes from weights of zero", "", "", fit.mistakes, part=part),
        Step(f"Mistakes after all points are multiplied by {SCALE:g}", "", "", small.mistakes, part=part),
        Step(
            "Most mistakes there by the formula of the slide",
            "R²/γ",
            f"{small.radius:g}²/{small.margin:.9f}",
            small.radius**2 / small.margin,
            note="Fewer than were made: the printed form cannot be right.",
            part=part,
        ),
    ]


def _shown(w: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> str:
    return f"({', '.join(f'{value:g}' for value in w)})"


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"
