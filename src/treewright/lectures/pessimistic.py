"""The pessimistic rule: half an error for each leaf."""

from __future__ import annotations

from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide
from treewright.prune.pessimistic import pessimistic as pruned
from treewright.prune.pessimistic import pessimistic_errors
from treewright.table import Table
from treewright.tree import Tree

# Three leaves with 2 errors in 20 rows: class counts of the branches a, b and c.
FOUR = ((15, 1), (1, 2), (0, 1))  # as a leaf: 4 errors
FIVE = ((14, 1), (1, 2), (0, 2))  # as a leaf: 5 errors


def pessimistic() -> Lesson:
    """Return the rule of lecture 001 beside Quinlan's, on two trees of three leaves.

    >>> [step.value for step in pessimistic().steps if step.what.startswith("Leaves")]
    [3, 1, 3, 3]
    """
    about = (
        "No rows are kept back: a subtree pays half an error for each leaf. Lecture 001 makes it a leaf if "
        "E + 1/2 < J + L/2. Quinlan's rule of 1987 also grants it one standard error, and prunes on "
        "equality."
    )
    steps: list[Step] = []
    for branches in (FOUR, FIVE):
        steps += _steps(tree_of(branches))
    return Lesson("pessimistic", "The pessimistic rule", about, tuple(steps))


def tree_of(branches: tuple[tuple[int, int], ...]) -> Tree:
    """Return the tree of one test whose branches hold so many rows of each class.

    >>> tree_of(FOUR).stats[0].tolist()
    [16.0, 4.0]
    """
    cells = [
        (name, label)
        for name, counts in zip("abc", branches, strict=False)
        for label, n in zip(("no", "yes"), counts, strict=True)
        for _ in range(n)
    ]
    answers, labels = zip(*cells, strict=True)
    return grow(Table.from_dict({"x": list(answers), "y": list(labels)}), "y", "id3")


def _steps(tree: Tree) -> list[Step]:
    figures = pessimistic_errors(tree)
    as_leaf, as_tree, spread = (float(figure[0]) for figure in figures)
    e, j, n = as_leaf - 0.5, as_tree - tree.n_leaves / 2, tree.weights[0]
    part = f"{n:g} rows; as a leaf {e:g} errors, in three leaves {j:g}"
    is_less = "<" if as_leaf < as_tree else "≥"
    is_within = "≤" if as_leaf <= as_tree + spread else ">"
    return [
        Step(
            "As a leaf",
            "E + 1/2",
            f"{e:g} + 1/2",
            as_leaf,
            Slide("001:202", "E + 1/2", f"{e:g} + 1/2"),
            part=part,
        ),
        Step(
            "As a tree",
            "J + L/2",
            f"{j:g} + {tree.n_leaves}/2",
            as_tree,
            Slide("001:202", "J + L/2", f"{j:g} + {tree.n_leaves}/2"),
            part=part,
        ),
        Step(
            "Leaves that the lecture's form keeps",
            "leaf if E + 1/2 < J + L/2",
            "",
            pruned(tree, standard_errors=0).n_leaves,
            note=f"{as_leaf:g} {is_less} {as_tree:g}",
            part=part,
        ),
        Step(
            "Standard error",
            "√(n'·(N - n')/N), n' = J + L/2",
            f"√({as_tree:g}·({n:g} - {as_tree:g})/{n:g})",
            spread,
            part=part,
        ),
        Step(
            "Leaves that Quinlan's form keeps",
            "leaf if E + 1/2 ≤ J + L/2 + SE",
            "",
            pruned(tree).n_leaves,
            note=f"{as_leaf:g} {is_within} {as_tree + spread:.6f}",
            part=part,
        ),
    ]
