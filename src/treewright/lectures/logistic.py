"""Logistic regression step by step: the curve, the likelihood, its gradient, and the way up."""

from __future__ import annotations

import math

import numpy as np

from treewright.lectures.lesson import Lesson, Step
from treewright.linear.chance import likelihood_gradient, log_likelihood, one_by_one, sigma
from treewright.linear.logistic import fit_logistic

# x, with a column of ones before it for the bias, and the labels; no plane divides them.
ROWS = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0], [1.0, 3.0]])
LABELS = np.array([0, 1, 0, 1])
WEIGHTS = np.array([-1.5, 1.0])


def logistic() -> Lesson:
    """Return logistic regression on four rows: every formula of lectures 002 and 004 with its numbers.

    >>> [step.value for step in logistic().steps if step.what == "σ(0)"]
    [0.5]
    """
    about = (
        "The threshold of a plane made soft (lectures 002 and 004): σ(w·x) is read as the chance of a "
        "positive label. Four rows, x = 0, 1, 2, 3 with the labels 0, 1, 0, 1; w0 = -1.5, w1 = 1."
    )
    return Lesson(
        "logistic", "Logistic regression", about, (*_curve(), *_likelihood(), *_gradient(), *_ascent())
    )


def _curve() -> list[Step]:
    part = "The curve (002:272, 004:166, 004:184)"
    steps = [
        Step(
            f"σ({z:g})",
            "1/(1 + e^-z)",
            f"1/(1 + 2.718281828^({-z:g}))" if z else "1/(1 + 1)",
            float(sigma(z)),
            part=part,
        )
        for z in (0.0, 2.0, -2.0)
    ]
    two = float(sigma(2.0))
    h = 1e-6
    slope = float(sigma(2.0 + h) - sigma(2.0 - h)) / (2 * h)
    return [
        *steps,
        Step(
            "Chance of the other label at z = 2",
            "e^-z/(1 + e^-z) = 1 - σ(z)",
            f"1 - {two:.9f}",
            1 - two,
            part=part,
        ),
        Step(
            "Slope at z = 2",
            "σ(z)·(1 - σ(z))",
            f"{two:.9f}·(1 - {two:.9f})",
            two * (1 - two),
            part=part,
            note=f"Measured on the curve, 10^-6 to either side: {slope:.6f}.",
        ),
    ]


def _likelihood() -> list[Step]:
    part = "How likely the labels are (002:278, 002:282, 004:174)"
    chances = sigma(ROWS @ WEIGHTS)
    own = np.where(LABELS == 1, chances, 1 - chances)
    words = [f"{value:.9f}" for value in own]
    total = log_likelihood(ROWS, LABELS, WEIGHTS)
    loss = -math.log(float(own[1]))
    return [
        Step(
            "The chance of all four labels",
            "Π σ^y·(1 - σ)^(1-y)",
            "·".join(words),
            float(np.prod(own)),
            part=part,
        ),
        Step(
            "LL(w)",
            "Σ y·ln σ + (1 - y)·ln(1 - σ)",
            " + ".join(f"ln({word})" for word in words),
            total,
            part=part,
        ),
        Step(
            "Loss of the row x = 1, y = 1", "-y·ln σ - (1 - y)·ln(1 - σ)", f"-ln({words[1]})", loss, part=part
        ),
    ]


def _gradient() -> list[Step]:
    part = "Where it rises (004:178)"
    found = likelihood_gradient(ROWS, LABELS, WEIGHTS)
    h = 1e-6
    steps = []
    for i, word in enumerate(("w0", "w1")):
        aside = np.zeros(2)
        aside[i] = h
        rise = log_likelihood(ROWS, LABELS, WEIGHTS + aside) - log_likelihood(ROWS, LABELS, WEIGHTS - aside)
        terms = [
            f"({y} - {c:.9f})·{x:g}"
            for y, c, x in zip(LABELS, sigma(ROWS @ WEIGHTS), ROWS[:, i], strict=True)
        ]
        steps.append(
            Step(
                f"∂LL/∂{word}",
                "Σ (y - σ)·x",
                " + ".join(terms),
                float(found[i]),
                part=part,
                note=f"Measured, 10^-6 to either side: {rise / (2 * h):.6f}.",
            )
        )
    return steps


def _ascent() -> list[Step]:
    part = "The way up (002:284, 004:182)"
    updates = one_by_one(ROWS, LABELS, WEIGHTS)
    steps = [
        Step(
            f"w after row {update.row + 1}",
            "w + (y - σ)·x",
            "",
            _shown(update.weights),
            part=part,
            note=f"Its chance was {update.chance:.6f}, its label is {LABELS[update.row]}.",
        )
        for update in updates
    ]
    climb = fit_logistic(ROWS[:, 1:], LABELS, solver="gradient", tolerance=1e-10, max_iterations=1000)
    best = fit_logistic(ROWS[:, 1:], LABELS)
    return [
        *steps,
        Step(
            "Up the gradient until it is level: is it?",
            "",
            "",
            "yes" if climb.is_converged else "no",
            part=part,
            note="Each as long as would be right for a bowl (Barzilai and Borwein), halved until LL rises.",
        ),
        Step("LL there", "", "", climb.log_likelihood, part=part),
        Step(
            "The maximum, by Newton's steps",
            "",
            "",
            best.log_likelihood,
            part=part,
            note="The same: the maximum is reached, and proven to exist.",
        ),
    ]


def _shown(weights: tuple[float, ...]) -> str:
    return f"({', '.join(f'{value:.6f}' for value in weights)})"
