"""A tree as one formula of logic, and as nested IF and ELSE."""

from __future__ import annotations

from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.predict import predict
from treewright.rules.formula import formula as formula_of
from treewright.rules.formula import nested
from treewright.table import Table

SHAPES = {"triangle": "B", "square": "A", "circle": "C"}  # of blue things, as on the slide
OTHERS = {"red": "B", "green": "A"}
MOVIE = {
    "Age": [15.0, 18.0, 25.0, 30.0, 25.0, 30.0],
    "Gender": ["Male", "Female", "Male", "Male", "Female", "Female"],
    "Rating": [2.8, 2.8, 4.8, 4.8, 4.1, 4.1],
}


def formula() -> Lesson:
    """Return the tree of coloured shapes as a formula, and the tree of ratings as nested IFs.

    >>> [step.value for step in formula().steps if step.what.startswith("Rows that")]
    [9, 6]
    """
    shapes = things()
    tree = grow(shapes, "Label", "id3")
    part = "One formula (000:166)"
    steps = [
        Step("Implications, one for each leaf", "", "", tree.n_leaves, part=part),
        Step("The tree", "", "", formula_of(tree), part=part),
        Step(
            "Rows that it holds for",
            "",
            "",
            int((predict(tree, shapes) == shapes.labels("Label")).sum()),
            part=part,
        ),
    ]
    ratings = Table.from_dict(MOVIE)
    movie = grow(ratings, "Rating", splits="binary")
    part = "Nested IF and ELSE (004:611)"
    answers = [float(value) for value in predict(movie, ratings)]
    wanted = [2.8, 2.8, 4.8, 4.8, 4.1, 4.1]
    right = sum(abs(a - b) < 1e-9 for a, b in zip(answers, wanted, strict=True))
    steps += [
        Step("The tree", "", "", nested(movie), part=part),
        Step("Rows that it answers as on the slide", "", "", int(right), part=part),
    ]
    about = (
        "A tree is a conjunction of implications, one for each leaf (lecture 000), and a program of nested "
        "IFs (lecture 004). `tree.export(format='python')` writes the program so that it runs."
    )
    return Lesson("formula", "A tree as a formula and as a program", about, tuple(steps))


def things() -> Table:
    """Return coloured shapes with the labels of the slide.

    >>> things().n_rows
    9
    """
    rows = [("blue", shape, label) for shape, label in SHAPES.items()]
    rows += [(colour, shape, label) for colour, label in OTHERS.items() for shape in SHAPES]
    colour, shape, label = (list(cells) for cells in zip(*rows, strict=True))
    return Table.from_dict({"Color": colour, "Shape": shape, "Label": label})
