"""Where to cut a number: the six temperatures."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from treewright import measure
from treewright.lectures.blackboard import GAIN, entropy_step
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide, share, shown
from treewright.prune.grown import grow
from treewright.table import example

TARGET = "PlayTennis"

CUTS = {54.0: Slide("001:277", "54", "(48 + 60)/2"), 85.0: Slide("001:277", "85", "(80 + 90)/2")}


def temperature() -> Lesson:
    """Return every cut of the six temperatures with its gain, and the cut that growth takes.

    >>> [round(step.value, 6) for step in temperature().steps if step.what.startswith("Gain of")]
    [0.190875, 0.459148, 0.081704, 0.0, 0.190875]
    """
    table = example("temperature")
    tree = grow(table, TARGET, criterion="entropy", ledger=True)
    degrees, answers = np.asarray(table.column("Temperature")[1]), table.labels(TARGET)
    part = "Cuts between neighbours of different answers"
    steps: list[Step] = []
    for low, high, before, after in zip(degrees, degrees[1:], answers, answers[1:], strict=False):
        if before != after:
            cut = float(low + (high - low) / 2)
            filled = f"({low:g} + {high:g})/2"
            steps.append(
                Step(f"Between {before} and {after}", "(a + b)/2", filled, cut, CUTS.get(cut), part=part)
            )
    steps += _gains(degrees, answers)
    about = (
        "Six days, sorted by temperature. A best cut by information gain lies between neighbours of "
        "different answers, so that two of the five cuts need a look (lecture 001). With a least leaf size "
        "that is no longer so; the library therefore tries them all."
    )
    chosen = Step(
        "The cut that growth takes", "argmax gain", "", float(tree.cut[0]), CUTS[54.0], part="The choice"
    )
    steps += [chosen, Step("The whole tree", "", "", tree.to_text(), part="The choice")]
    return Lesson("temperature", "Where to cut a temperature", about, tuple(steps))


def _gains(degrees: np.ndarray, answers: np.ndarray) -> list[Step]:
    part = "The gain of every cut"
    classes = list(dict.fromkeys(answers))
    whole = [int((answers == c).sum()) for c in classes]
    first = entropy_step(f"Entropy of {TARGET}", whole, part=part)
    steps = [first]
    for low, high in pairwise(degrees):
        cut = float(low + (high - low) / 2)
        counts = np.array(
            [[np.sum((answers == c) & side) for c in classes] for side in (degrees <= cut, degrees > cut)]
        )
        entropies = measure.entropy(counts)
        terms = " + ".join(
            f"{share(n, len(degrees))}·{shown(float(h))}"
            for n, h in zip(counts.sum(axis=1), entropies, strict=True)
        )
        gain = float(measure.information_gain(counts))
        steps.append(
            Step(
                f"Gain of Temperature <= {cut:g}", GAIN, f"{shown(first.value)} - ({terms})", gain, part=part
            )
        )
    return steps
