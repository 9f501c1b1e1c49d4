"""Where to cut a number: the six temperatures."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from treewright import measure
from treewright.fitting import grow
from treewright.lectures.blackboard import GAIN, entropy_step
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide, share, shown
from treewright.table import example

TARGET = "PlayTennis"

CUTS = {54.0: Slide("001:277", "54", "(48 + 60)/2"), 85.0: Slide("001:277", "85", "(80 + 90)/2")}


def temperature() -> Lesson:
    """Return every cut of the six temperatures with its gain, and the cut that growth takes.

    >>> [round(step.value, 6) for step in temperature().steps if step.what.startswith("Gain of")]
    [0.190875, 0.459148, 0.081704, 0.0, 0.190875]
    """
    table = example("temperature")
    tree = grow(table, TARGET, criterion="entropy")
    degrees, answers = np.asarray(table.column("Temperature")[1]), table.labels(TARGET)
    cut, part = float(tree.cut[0]), "The choice"
    about = (
        "Six days, sorted by temperature. A best cut by information gain lies between neighbours of "
        "different answers, so that two of the five cuts need a look (lecture 001). With a least leaf size "
        "that is no longer so; the library therefore tries them all."
    )
    steps = [
        *_boundaries(degrees, answers),
        *_gains(degrees, answers),
        Step("The cut that growth takes", "argmax gain", "", cut, CUTS.get(cut), part=part),
        Step("The whole tree", "", "", tree.to_text(), part=part),
        *_worth(degrees, answers, cut),
    ]
    return Lesson("temperature", "Where to cut a temperature", about, tuple(steps))


def _boundaries(degrees: np.ndarray, answers: np.ndarray) -> list[Step]:
    part = "Cuts between neighbours of different answers"
    steps = []
    for cut in measure.boundary_cuts(degrees, answers).tolist():
        low, high = degrees[degrees <= cut].max(), degrees[degrees > cut].min()
        before, after = (answers[degrees == value][0] for value in (low, high))
        filled = f"({low:g} + {high:g})/2"
        steps.append(
            Step(f"Between {before} and {after}", "(a + b)/2", filled, cut, CUTS.get(cut), part=part)
        )
    return steps


def _counts(degrees: np.ndarray, answers: np.ndarray, cut: float) -> Any:
    """Return the rows of each answer on either side of a cut."""
    sides, classes = (degrees <= cut, degrees > cut), list(dict.fromkeys(answers))
    return np.array([[np.sum(side & (answers == answer)) for answer in classes] for side in sides])


def _gains(degrees: np.ndarray, answers: np.ndarray) -> list[Step]:
    part = "The gain of every cut"
    cuts = [float(low + (high - low) / 2) for low, high in pairwise(degrees)]
    whole = entropy_step(f"Entropy of {TARGET}", _counts(degrees, answers, cuts[0]).sum(axis=0), part=part)
    steps = [whole]
    for cut in cuts:
        counts = _counts(degrees, answers, cut)
        pairs = zip(counts.sum(axis=1), measure.entropy(counts), strict=True)
        terms = " + ".join(f"{share(n, len(degrees))}·{shown(float(h))}" for n, h in pairs)
        filled, gain = f"{shown(whole.value)} - ({terms})", float(measure.information_gain(counts))
        steps.append(Step(f"Gain of Temperature <= {cut:g}", GAIN, filled, gain, part=part))
    return steps


def _worth(degrees: np.ndarray, answers: np.ndarray, cut: float) -> list[Step]:
    part = "Before growing: is the best cut worth its description?"
    left, right = _counts(degrees, answers, cut)
    n, (h, h1, h2) = len(degrees), measure.entropy(np.array([left + right, left, right]))
    k, k1, k2 = (int((side > 0).sum()) for side in (left + right, left, right))
    told = f"{k}·{shown(float(h))} - {k1}·{shown(float(h1))} - {k2}·{shown(float(h2))}"
    return [
        Step(
            f"Gain that {cut:g} would need (Fayyad and Irani)",
            "(log2(n - 1) + log2(3^k - 2) - (k·H - k_1·H_1 - k_2·H_2))/n",
            f"(log2({n} - 1) + log2(3^{k} - 2) - ({told}))/{n}",
            measure.mdlp_needed(left, right),
            note="Lecture 001 names discretisation before learning, without a rule for it.",
            part=part,
        ),
        Step("Cuts that this rule makes", "", "", len(measure.mdlp_cuts(degrees, answers)), part=part),
    ]
