"""A tree as rules: play tennis, and the movie of lecture 004."""

from __future__ import annotations

import numpy as np

from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide
from treewright.rules import Condition, RuleSet, from_tree
from treewright.table import Table, example
from treewright.tree import Tree

TARGET = "PlayTennis"

# As lecture 001 words them, in our order of words.
SLIDES = {
    rule: Slide(place, rule)
    for place, rule in (
        ("001:244", "IF Outlook = Sunny AND Humidity = High THEN No"),
        ("001:245", "IF Outlook = Sunny AND Humidity = Normal THEN Yes"),
        ("001:246", "IF Outlook = Overcast THEN Yes"),
    )
}


def rules() -> Lesson:
    """Return the rules of play tennis, one for each leaf, and those of the movie ratings.

    >>> [step.value for step in rules().steps][1]
    'IF Outlook = Sunny AND Humidity = Normal THEN Yes'
    """
    about = (
        "Every way from the root to a leaf is a rule. The rules of a tree exclude one another, and one of "
        "them holds for every row; they all ask about the root's column. Lectures 001 and 004."
    )
    return Lesson("rules", "A tree as rules", about, (*_tennis(), *_movie()))


def _tennis() -> list[Step]:
    part = "Play tennis"
    table = example("tennis")
    found = from_tree(grow(table, TARGET, "id3"))
    steps = []
    for rule in found:
        text = rule.to_text()
        held = "no day" if not rule.support else f"{rule.support:g} days, {rule.errors:g} wrong"
        steps.append(
            Step(f"Rule of leaf {rule.node}", "", "", text, SLIDES.get(text), f"It holds on {held}.", part)
        )
    root = sum(any("Outlook" in c.columns for c in rule.conditions) for rule in found)
    every = every_row(table)
    answers = found.predict(every)
    return [
        *steps,
        Step("Rules that ask about the root's column, of all", "", "", f"{root} of {len(found)}", part=part),
        Step("Rows that could be met, by each value of each column", "", "3·3·3·2", every.n_rows, part=part),
        Step(
            "Of these, rows with exactly one rule",
            "",
            "",
            int((n_matching(found, every) == 1).sum()),
            part=part,
        ),
        Step(
            "Rows where rules and tree differ",
            "",
            "",
            int((answers != grow(table, TARGET, "id3").predict(every)).sum()),
            part=part,
        ),
    ]


def every_row(table: Table) -> Table:
    """Return each combination of the values that the features may have, once.

    >>> every_row(example("tennis")).n_rows
    54
    """
    features = table.drop([TARGET]).schema.columns
    grid = np.meshgrid(*[np.array(column.categories, dtype=object) for column in features], indexing="ij")
    cells = {column.name: axis.ravel().tolist() for column, axis in zip(features, grid, strict=True)}
    return Table.from_dict(cells, categories={column.name: list(column.categories) for column in features})


def n_matching(found: RuleSet, table: Table) -> np.ndarray:
    """Return how many rules hold for each row, by the conditions alone.

    >>> tennis = example("tennis")
    >>> n_matching(from_tree(grow(tennis, TARGET, "id3")), tennis).tolist() == [1] * 14
    True
    """
    cells = table.to_dict()
    rows = range(table.n_rows)
    holds = [
        [all(cells[c.column][i] in (c.categories or ()) for c in plain) for i in rows]
        for plain in ([c for c in rule.conditions if isinstance(c, Condition)] for rule in found)
    ]
    return np.asarray(np.sum(holds, axis=0))


def movie() -> Table:
    """Return ratings of a movie that have the means of the slide.

    >>> movie().n_rows
    8
    """
    return Table.from_dict(
        {
            "Age": [12, 15, 18, 22, 30, 41, 25, 36],
            "Gender": ["Male", "Female", "Male", "Male", "Male", "Male", "Female", "Female"],
            "rating": [2.6, 2.8, 3.0, 4.7, 4.8, 4.9, 4.0, 4.2],
        }
    )


def _movie() -> list[Step]:
    part = "The rating of a movie (the ratings are ours, with the slide's means)"
    tree = grow(movie(), "rating", max_depth=2, min_leaf=2, max_leaves=3)
    mean = {way: float(tree.node(node).prediction) for way, node in _ends(tree).items()}
    return [
        Step("The tree", "", "", tree.to_text(), part=part),
        Step(
            "Asked first: Age, cut at",
            "(a + b)/2",
            "(18 + 22)/2",
            float(tree.cut[0]),
            Slide("004:612", "20"),
            part=part,
        ),
        Step(
            "Older, men",
            "avg(y)",
            "(4.7 + 4.8 + 4.9)/3",
            mean["older, Male"],
            Slide("004:614", "4.8"),
            part=part,
        ),
        Step(
            "Older, others",
            "avg(y)",
            "(4.0 + 4.2)/2",
            mean["older, Female"],
            Slide("004:616", "4.1"),
            part=part,
        ),
        Step(
            "Up to 20", "avg(y)", "(2.6 + 2.8 + 3.0)/3", mean["younger"], Slide("004:618", "2.8"), part=part
        ),
        Step("As rules", "", "", "\n".join(rule.to_text() for rule in from_tree(tree)), part=part),
    ]


def _ends(tree: Tree) -> dict[str, int]:
    """Return where men and women over 20, and all others, end."""
    rows = Table.from_dict({"Age": [30, 30, 15], "Gender": ["Male", "Female", "Male"]})
    leaves = np.asarray(tree.leaves(rows)).tolist()
    return dict(zip(("older, Male", "older, Female", "younger"), leaves, strict=True))
