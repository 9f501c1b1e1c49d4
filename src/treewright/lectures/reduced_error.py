"""Reduced-error pruning: the loop on the slide against one pass from the leaves up."""

from __future__ import annotations

from treewright.fitting import grow
from treewright.lectures.blackboard import way_words
from treewright.lectures.lesson import Lesson, Step
from treewright.prune.reduced_error import reduced_error as pruned
from treewright.prune.risk import leaf_errors
from treewright.prune.sample import sample_of
from treewright.table import Table
from treewright.tree import Tree

CLASSES = ["Yes", "No"]

# Place, colour, size -> rows of each class. `GROWING` gives a tree whose colours ask for the size once more.
GROWING = {
    ("in", "red", "big"): (8, 0),
    ("in", "red", "small"): (0, 2),
    ("in", "green", "big"): (8, 0),
    ("in", "green", "small"): (0, 2),
    ("in", "blue", "big"): (0, 8),
    ("in", "blue", "small"): (2, 0),
    ("out", "red", "big"): (0, 20),
    ("out", "green", "small"): (0, 20),
    ("out", "blue", "big"): (0, 20),
}
KEPT_BACK = {
    ("in", "red", "small"): (3, 1),
    ("in", "green", "small"): (3, 1),
    ("in", "blue", "small"): (1, 3),
}


def rows_of(groups: dict[tuple[str, str, str], tuple[int, int]]) -> Table:
    """Return the rows that such groups stand for.

    >>> rows_of(KEPT_BACK).n_rows
    12
    """
    cells = [
        (*asked, label)
        for asked, n in groups.items()
        for label, k in zip(CLASSES, n, strict=True)
        for _ in range(k)
    ]
    names = ("place", "colour", "size", "y")
    orders = {
        "place": ["in", "out"],
        "colour": ["red", "green", "blue"],
        "size": ["big", "small"],
        "y": CLASSES,
    }
    columns = dict(zip(names, map(list, zip(*cells, strict=True)), strict=True))
    return Table.from_dict(columns, categories=orders)


def reduced_error() -> Lesson:
    """Return a tree on which the greedy loop of the slide ends with 5 errors, one pass from below with 3.

    >>> [step.value for step in reduced_error().steps if step.what.startswith("Errors of the tree after")]
    [5, 3]
    """
    tree = grow(rows_of(GROWING), "y", "id3")
    kept = rows_of(KEPT_BACK)
    about = (
        "Rows that were kept back judge the tree. The slide prunes the one node that helps most, again and "
        "again, and says that this may be sub-optimal. Here is where: the node nearest the root helps most "
        "at once, but three prunes below it would help more together. One pass from the leaves up finds "
        "them; it is the default. Quinlan published it in 1987."
    )
    steps = [*_nodes(tree, kept), *_both_ways(tree, kept)]
    return Lesson("reduced_error", "Reduced error: greedy against bottom-up", about, tuple(steps))


def n_errors(tree: Tree, rows: Table) -> int:
    """Return how many rows a tree gets wrong.

    >>> n_errors(grow(rows_of(GROWING), "y", "id3"), rows_of(KEPT_BACK))
    9
    """
    return int((tree.predict(rows) != rows.labels("y")).sum())


def _nodes(tree: Tree, kept: Table) -> list[Step]:
    part = "What each prune would do to the rows kept back"
    as_leaf, _ = leaf_errors(tree, sample_of(tree, kept))
    steps = [
        Step("The tree", "", "", tree.to_text(), part=part),
        Step("Errors of the whole tree", "", "", n_errors(tree, kept), part=part),
    ]
    for node in range(1, tree.n_nodes):
        if tree.is_leaf(node):
            continue
        after = n_errors(tree.collapse(node), kept)
        note = (
            f"As a leaf it gets {as_leaf[node]:g} wrong; the prune is worth {n_errors(tree, kept) - after}."
        )
        steps.append(
            Step(
                f"Errors with node {node} ({way_words(tree, node)}) as a leaf",
                "",
                "",
                after,
                note=note,
                part=part,
            )
        )
    return steps


def _both_ways(tree: Tree, kept: Table) -> list[Step]:
    steps = []
    for part, strategy in (("The loop of the slide", "greedy"), ("One pass from the leaves up", "bottom_up")):
        smaller = pruned(tree, kept, strategy=strategy, allow_root=False)
        steps.append(Step(f"Errors of the tree after {strategy}", "", "", n_errors(smaller, kept), part=part))
        steps.append(Step("It leaves", "", "", smaller.to_text(), part=part))
    return steps
