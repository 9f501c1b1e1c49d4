"""What the trees of a forest say to one row: it has no single way, so the votes are what can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright.base.notebook import Shown
from treewright.base.numbers import number
from treewright.explain.row import columns_of, row_of
from treewright.explain.text import answer_words, ascii_of, percent
from treewright.forest import Forest
from treewright.forest.agreement import each_tree
from treewright.forest.vote import is_majority, labels
from treewright.forest.walker import arrived, voted
from treewright.tree.split import Style, name

_MOST = 5  # columns and classes that are told
_ENDS = (5, 95)  # per cent of the trees: what lies between is "most of them"


@dataclass(frozen=True, repr=False)
class Votes(Shown):
    """The answer of a forest to one row, how its trees voted, and what they asked on the way.

    >>> import treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), target="PlayTennis", n_trees=50, seed=1)
    >>> found = explain_votes(forest, 0, tw.example("tennis"))
    >>> found.prediction, found.votes, found.disagreement
    ('No', (3, 47), 0.06)
    """

    target: str
    classes: tuple[str, ...]  # () for numbers
    row: Mapping[str, Any]
    prediction: str | float
    n_trees: int
    votes: tuple[int, ...]  # trees that name each class; () for numbers
    shares: tuple[float, ...]  # the forest's probability of each class; () for numbers
    middle: tuple[float, float] | None  # of numbers: what 90 % of the trees say lies between
    disagreement: float  # share of trees that name another class than most; of numbers, standard deviation
    asked: tuple[tuple[str, int], ...]  # columns, and how many trees ask about them on the way; most first

    def to_text(self, ascii: bool = False) -> str:  # noqa: A002 (the word says it)
        """Return the votes to read.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> forest = tw.forest.grow(table, target="y", n_trees=4, bootstrap=False)
        >>> print(explain_votes(forest, {"x": 1}))
        y is a: 4 of 4 trees say so.
        <BLANKLINE>
        Their probabilities, on average: a 100 %.
        Asked on the way: x (by 4 trees).
        <BLANKLINE>
        A forest has no single way to an answer, and no least change. For one tree that stands for it, see
        tw.forest.nearest_tree and tw.forest.surrogate_tree: their .tree.explain(row) has both.
        """
        style = Style(ascii=ascii, longest=60)
        found = "\n".join([*self._answer(style), *self._ways(style), "", *_ADVICE])
        return ascii_of(found) if ascii else found

    def __str__(self) -> str:
        return self.to_text()

    def to_dict(self) -> dict[str, Any]:
        """Return the votes as plain JSON types.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> forest = tw.forest.grow(table, target="y", n_trees=4, bootstrap=False)
        >>> explain_votes(forest, {"x": 1}).to_dict()["votes"]
        {'a': 4, 'b': 0}
        """
        return {
            "target": self.target,
            "prediction": self.prediction,
            "row": dict(self.row),
            "n_trees": self.n_trees,
            "votes": dict(zip(self.classes, self.votes, strict=True)),
            "shares": dict(zip(self.classes, self.shares, strict=True)),
            "middle": None if self.middle is None else list(self.middle),
            "disagreement": self.disagreement,
            "asked": dict(self.asked),
        }

    def _answer(self, style: Style) -> list[str]:
        head = f"{name(self.target, style)} is {answer_words(self.prediction, style)}"
        if self.middle is not None:
            low, high = self.middle
            spread = f"{'+/-' if style.ascii else '±'} {number(self.disagreement, 3)}"
            most = f"{number(low, 6)} to {number(high, 6)}"
            return [
                f"{head}: the mean of {self.n_trees} trees, {spread}; most say {most}.",
                "",
            ]
        count = dict(zip(self.classes, self.votes, strict=True))
        others = sorted((c for c in count if count[c] and c != self.prediction), key=lambda c: -count[c])
        told = "".join(f", {count[c]} {name(c, style)}" for c in others[:_MOST])
        shares = sorted(zip(self.shares, self.classes, strict=True), key=lambda pair: -pair[0])
        shown = ", ".join(f"{name(c, style)} {percent(s)}" for s, c in shares[:_MOST] if s > 0)
        return [
            f"{head}: {count[str(self.prediction)]} of {self.n_trees} trees say so{told}.",
            "",
            f"Their probabilities, on average: {shown}.",
        ]

    def _ways(self, style: Style) -> list[str]:
        if not self.asked:
            return []
        shown = ", ".join(
            f"{name(column, style)} (by {n} tree{'s' * (n != 1)})" for column, n in self.asked[:_MOST]
        )
        return [f"Asked on the way: {shown}."]


_ADVICE = (
    "A forest has no single way to an answer, and no least change. For one tree that stands for it, see",
    "tw.forest.nearest_tree and tw.forest.surrogate_tree: their .tree.explain(row) has both.",
)


def explain_votes(forest: Forest, row: Any, table: Any = None, *, vote: str = "mean") -> Votes:
    """Return what the trees of a forest say to one row; the row as in `explain_row`.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": [10.0, 10.0, 20.0, 20.0]})
    >>> forest = tw.forest.grow(table, target="y", n_trees=4, bootstrap=False, min_leaf=1)
    >>> explain_votes(forest, {"x": 1}).prediction
    10.0
    """
    given = row_of(forest, row, table)
    cells = columns_of(forest.schema, [given.cells])
    mean = voted(forest, cells, 1, is_majority=is_majority(vote)).mean
    found: dict[str, Any] = {"votes": (), "shares": (), "middle": None}
    if forest.is_classifier:
        counts = voted(forest, cells, 1, is_majority=True).sum[0].astype(int)
        found |= {"votes": tuple(counts.tolist()), "shares": tuple(mean[0].tolist())}
        found["prediction"] = forest.classes[int(labels(forest, mean)[0])]
        found["disagreement"] = float((forest.n_trees - counts.max()) / forest.n_trees)
    else:
        answers = np.array([one[0] for one in each_tree(forest, cells, 1)])
        found["prediction"], found["disagreement"] = float(mean[0, 0]), float(answers.std())
        found["middle"] = tuple(np.percentile(answers, _ENDS).tolist())
    return Votes(
        target=forest.target.name,
        classes=forest.classes,
        row=given.shown,
        n_trees=forest.n_trees,
        asked=_column_counts(forest, cells),
        **found,
    )


def _column_counts(forest: Forest, cells: Any) -> tuple[tuple[str, int], ...]:
    """Return how many trees ask about each column on the row's way; of a divided row, its heaviest part's."""
    nodes = arrived(forest, cells, 1)[0].tolist()
    start = forest.starts["node"].tolist()
    end, column = forest.arrays["end"], forest.arrays["column"]
    count = np.zeros(len(forest.schema), dtype=np.int64)
    for first, node in zip(start, nodes, strict=False):
        way = first + np.flatnonzero(end[first : first + node] > node)  # ancestors end after the node
        count[np.unique(column[way])] += 1
    order = sorted(np.flatnonzero(count).tolist(), key=lambda place: (-count[place], place))
    return tuple((forest.schema.columns[place].name, int(count[place])) for place in order)
