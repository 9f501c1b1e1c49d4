"""Decision stumps: one test, judged by 0-1 loss."""

from __future__ import annotations

import numpy as np

from treewright import measure
from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.points import sides
from treewright.lectures.slide import Slide, share
from treewright.table import Table

N_POINTS = 1000

# Column, split, what the slide prints for its own points.
SPLITS = (
    ("y", 0.5, Slide("003:457", "50.8%", own_points=True)),
    ("y", 0.3, Slide("003:468", "52.1%", own_points=True)),
    ("x", -0.5, Slide("003:480", "83.2%", own_points=True)),
    ("x", 0.2, Slide("003:494", "92.4%", own_points=True)),
    ("x", 0.0, Slide("003:510", "100%")),
)


def stump() -> Lesson:
    """Return the stumps of lecture 003: on truth values, and on points in a square.

    >>> [step.value for step in stump().steps if step.what.startswith("Accuracy of x < 0:")]
    [1.0]
    """
    about = (
        "A stump asks once. Lecture 003 counts its errors (0-1 loss): accuracy is one minus their average. "
        "The slides show points without their coordinates; ours are drawn evenly from a square of the same "
        "kind, so the accuracies differ within chance, and the perfect cut is perfect in both."
    )
    steps = [*_truth_values(), *_points()]
    return Lesson("stump", "Decision stumps", about, tuple(steps))


def animals() -> Table:
    """Return eight animals by truth values; does it eat meat?

    >>> animals().n_rows
    8
    """
    return Table.from_dict(
        {
            "teeth": [True, True, True, True, False, False, False, False],
            "fur": [True, True, False, True, False, True, False, False],
            "swims": [False, True, True, False, True, False, False, True],
            "meat": ["yes", "yes", "yes", "yes", "no", "no", "no", "yes"],
        }
    )


def _truth_values() -> list[Step]:
    part = "On truth values"
    table = animals()
    answers = table.labels("meat")
    steps = []
    features = table.schema.names[:-1]
    for feature in features:
        values = np.asarray(table.to_dict()[feature])
        counts = np.array(
            [[np.sum((values == v) & (answers == a)) for a in ("yes", "no")] for v in (True, False)]
        )
        n = int(counts.sum())
        wrong = " + ".join(share(int(side.min()), n) for side in counts)
        loss = float(measure.error(counts.sum(axis=0)) - measure.error_decrease(counts))
        steps.append(
            Step(
                f"Accuracy of the stump on {feature}",
                "1 - average 0-1 loss",
                f"1 - ({wrong})",
                1 - loss,
                part=part,
            )
        )
    tree = grow(table, "meat", "stump")
    note = (
        "The loop on the slide compares with `best` but never sets it. Run as printed it keeps the last "
        "feature that is right at all; the line `best = accuracy` is missing."
    )
    steps.append(
        Step(
            "The stump that growth takes",
            "argmax accuracy",
            "",
            tree.node(0).question,
            Slide("003:408", as_printed(table)),
            note,
            part,
        )
    )
    return steps


def as_printed(table: Table) -> str:
    """Return the feature at which the loop of the slide ends, line by line as it is printed.

    >>> as_printed(animals())
    'swims'
    """
    answers = table.labels("meat") == "yes"
    feature, best = "teeth", 0.0
    for f in table.schema.names[:-1]:
        for m in (False, True):
            accuracy = float(((np.asarray(table.to_dict()[f]) == m) == answers).mean())
            if accuracy > best:
                feature = f
    return feature


def _points() -> list[Step]:
    part = f"On {N_POINTS} points, blue where x ≥ 0"
    table = sides(N_POINTS)
    is_blue = table.labels("colour") == "blue"
    steps = []
    for column, split, slide in SPLITS:
        values = np.asarray(table.column(column)[1])
        counts = np.array(
            [[np.sum(side & is_blue), np.sum(side & ~is_blue)] for side in (values < split, values >= split)]
        )
        loss = float(measure.error(counts.sum(axis=0)) - measure.error_decrease(counts))
        wrong = " + ".join(share(int(side.min()), N_POINTS) for side in counts)
        steps.append(
            Step(
                f"Accuracy of {column} < {split:g}: {N_POINTS} points",
                "1 - average 0-1 loss",
                f"1 - ({wrong})",
                1 - loss,
                slide,
                part=part,
            )
        )
    tree = grow(table, "colour", "stump")
    n_wrong = int((tree.predict(table) != table.labels("colour")).sum())
    steps += [
        Step(
            "Cuts that brute force tries, half way between neighbours",
            "2·(n - 1)",
            f"2·({N_POINTS} - 1)",
            _n_cuts(table),
            part=part,
        ),
        Step("The column that growth takes", "", "", tree.node(0).question, Slide("003:509", "x"), part=part),
        Step(
            "Errors of its cut",
            "",
            "",
            n_wrong,
            note=f"x <= {float(tree.cut[0]):.6f}; points on a cut go left.",
            part=part,
        ),
    ]
    return steps


def _n_cuts(table: Table) -> int:
    return sum(len(np.unique(table.column(name)[1])) - 1 for name in ("x", "y"))
