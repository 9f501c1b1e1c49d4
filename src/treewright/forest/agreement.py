"""Where trees disagree; the tree that stands nearest to all; a small tree that stands for all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.notebook import Shown
from treewright.base.numbers import percent
from treewright.forest import walker
from treewright.forest.forest import Forest
from treewright.forest.vote import labels
from treewright.growth import Settings
from treewright.growth.grower import grow_rows
from treewright.growth.keywords import Common, with_settings
from treewright.predict.vote import predict as predict_by_tree
from treewright.route.route import readable, threads
from treewright.table import Rows, Table, coded
from treewright.tree import Tree

if TYPE_CHECKING:
    from typing_extensions import Unpack

Floats = NDArray[np.float64]


def disagreement(forest: Forest, table: Table, n_threads: int = 1) -> Floats:
    """Return how much the trees disagree on each row: 0, they all say the same.

    For classes the share of trees that do not name the class most of them name; for numbers the standard
    deviation of what they say.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> tw.forest.disagreement(tw.forest.grow(table, target="y", n_trees=9, bootstrap=False), table)
    array([0., 0., 0., 0.])
    """
    table = walker.table_for(forest, table)
    if forest.is_classifier:
        votes = forest.votes(table, n_threads)
        return np.asarray(1 - votes.max(axis=1) / forest.n_trees)
    mean, squares, n = np.zeros(table.n_rows), np.zeros(table.n_rows), 0
    cells = walker.cells_of(forest, table)
    for said in each_tree(
        forest, cells, table.n_rows, n_threads
    ):  # Welford 1962: one tree after the other, without loss
        n += 1
        away = said - mean
        mean += away / n
        squares += away * (said - mean)
    return np.sqrt(squares / n)


def each_tree(forest: Forest, cells: Any, n_rows: int, n_threads: int = 1) -> Iterator[Any]:
    """Yield what every tree says: class numbers or numbers, one array a tree."""
    n, width = n_rows, max(1, len(forest.classes))
    given = readable(forest.schema, coded(forest.schema.columns, cells))
    for tree in range(forest.n_trees):
        sums, counts = np.zeros(n * width), np.zeros(n, np.int32)
        laid_out = walker.one_tree(forest, tree)
        laid_out.vote(given, n, threads(n_threads), True, np.empty(0, np.uint8), sums, counts)
        yield sums.reshape(n, width).argmax(axis=1) if forest.is_classifier else sums


@dataclass(frozen=True, eq=False, repr=False)
class Stand(Shown):
    """A single tree that speaks for a forest, and how well.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> tw.forest.nearest_tree(tw.forest.grow(table, target="y", n_trees=9), table).fidelity
    1.0
    """

    tree: Tree
    fidelity: float  # share of rows with the forest's class; or of the variance of its answers explained
    number: int | None = None  # of the tree in the forest, if it is one of its trees

    def __str__(self) -> str:
        who = (
            "A tree grown to say what the forest says"
            if self.number is None
            else f"Tree {self.number} of the forest"
        )
        what = "agrees with it on" if self.tree.is_classifier else "explains of its answers"
        return f"{who}: it {what} {percent(self.fidelity, 1)}.\n{self.tree}"


def nearest_tree(forest: Forest, table: Table, n_threads: int = 1) -> Stand:
    """Return the tree that most often says what the forest says of the rows of a table; the first of equals.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> found = tw.forest.nearest_tree(tw.forest.grow(table, target="PlayTennis", n_trees=50), table)
    >>> found.fidelity > 0.8, found.tree.n_leaves > 1
    (True, True)
    """
    table = walker.table_for(forest, table)
    goal = _forest_answers(forest, table, n_threads)
    best, number = -np.inf, 0
    cells = walker.cells_of(forest, table)
    for tree, said in enumerate(each_tree(forest, cells, table.n_rows, n_threads)):
        found = _fidelity(forest.is_classifier, goal, said)
        if found > best + 1e-12:
            best, number = found, tree
    return Stand(forest.tree(number), float(best), number)


@with_settings
def surrogate_tree(
    forest: Forest,
    table: Any,
    max_leaves: int = 8,
    *,
    validation: Table | None = None,
    n_threads: int = 1,
    **settings: Unpack[Common],
) -> Stand:
    """Return a small tree grown to say what the forest says, and its fidelity: how often it does.

    It is grown on the rows of a table with the forest's answers in place of their own. The fidelity is that
    on `validation`, rows kept back, where they are given; on the table's rows it flatters.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> forest = tw.forest.grow(table, target="PlayTennis", n_trees=50)
    >>> found = tw.forest.surrogate_tree(forest, table, max_leaves=3)
    >>> found.tree.n_leaves, 0.7 < found.fidelity <= 1
    (3, True)
    """
    table = walker.table_for(forest, table)
    given = {"missing": forest.about.get("missing"), "unseen": forest.about.get("unseen"), **settings}
    chosen = Settings.of("plain", max_leaves=max_leaves, **given)
    if chosen.missing == "drop":
        chosen = Settings.of("plain", max_leaves=max_leaves, **{**given, "missing": "learned"})
    cells = coded(forest.schema.columns, walker.cells_of(forest, table))
    answers = _forest_answers(forest, table, n_threads)
    kind = np.int32 if forest.is_classifier else np.float64
    tree = grow_rows(
        Rows(forest.schema, tuple(_known(forest, cells)), forest.target, answers.astype(kind)), chosen
    )
    judge = table if validation is None else walker.table_for(forest, validation)
    goal = answers if validation is None else _forest_answers(forest, judge, n_threads)
    said = predict_by_tree(tree, judge, n_threads)
    if forest.is_classifier:
        code = {name: i for i, name in enumerate(forest.classes)}
        said = np.array([code[name] for name in said])
    return Stand(tree, _fidelity(forest.is_classifier, goal, said))


def _known(forest: Forest, cells: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """Return the cells with a gap where a category was never trained."""
    pairs = zip(forest.schema.columns, cells, strict=True)
    return [c if column.is_numeric else np.maximum(c, -1) for column, c in pairs]


def _forest_answers(forest: Forest, table: Table, n_threads: int) -> NDArray[Any]:
    ballots = walker.voted(forest, walker.cells_of(forest, table), table.n_rows, n_threads)
    return labels(forest, ballots.mean) if forest.is_classifier else ballots.mean[:, 0]


def _fidelity(is_classifier: bool, goal: NDArray[Any], said: NDArray[Any]) -> float:
    if not len(goal):
        raise ValueError("The table has no rows to compare a tree with the forest on.")
    if is_classifier:
        return float(np.count_nonzero(goal == said) / len(goal))
    variance = float(((goal - goal.mean()) ** 2).sum())
    lost = float(((goal - said) ** 2).sum())
    return 1 - lost / variance if variance > 0 else float(lost == 0)
