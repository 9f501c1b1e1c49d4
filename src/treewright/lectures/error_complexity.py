"""Error-complexity: errors and a price per leaf, as on the slide; and what CART does instead."""

from __future__ import annotations

from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.reduced_error import GROWING, n_errors, rows_of
from treewright.lectures.slide import Slide, share
from treewright.prune.cost_complexity import cost_complexity_path
from treewright.prune.error_complexity import error_complexity as pruned

ALPHAS = (0.0, 0.05, 0.1)

# Place, colour, size -> rows of each class that were kept back.
KEPT_BACK = {
    ("in", "red", "big"): (2, 0),
    ("in", "red", "small"): (0, 2),
    ("in", "green", "big"): (2, 0),
    ("in", "green", "small"): (1, 1),
    ("in", "blue", "big"): (0, 2),
    ("in", "blue", "small"): (1, 0),
    ("out", "red", "big"): (0, 3),
}


def error_complexity() -> Lesson:
    """Return R = E + alpha L on rows kept back, for several prices of a leaf.

    >>> [step.value for step in error_complexity().steps if step.what.startswith("Leaves of the tree at")]
    [6, 6, 2]
    """
    tree, kept = grow(rows_of(GROWING), "y", "id3"), rows_of(KEPT_BACK)
    n = kept.n_rows
    steps: list[Step] = []
    for alpha in ALPHAS:
        smaller = pruned(tree, kept, alpha)
        part = f"α = {alpha:g}"
        for name, one in (("the whole tree", tree), ("the tree that the loop leaves", smaller)):
            e, leaves = n_errors(one, kept), one.n_leaves
            filled = f"{share(e, n)} + {alpha:g}·{leaves}"
            steps.append(
                Step(
                    f"R of {name}",
                    "E(T) + α·L(T)",
                    filled,
                    e / n + alpha * leaves,
                    Slide("001:189", "E(T) + α·L(T)", filled),
                    part=part,
                )
            )
        steps.append(Step(f"Leaves of the tree at α = {alpha:g}", "", "", smaller.n_leaves, part=part))
    part = "CART's own way: the sequence from the training rows"
    path = cost_complexity_path(tree)
    for alpha, leaves, risk in zip(
        path.alpha.tolist(), path.n_leaves.tolist(), path.risk.tolist(), strict=True
    ):
        steps.append(
            Step(
                f"From α = {alpha:.6f} on: leaves",
                "",
                "",
                leaves,
                note=f"training error {risk:.6f}",
                part=part,
            )
        )
    about = (
        "Lecture 001 splits rows off, fixes a price α per leaf and prunes greedily what makes E + α·L "
        "least on them; the root stays. The method that CART is known for is another one: nested trees "
        "from the training rows, and a choice among them by rows kept back or by cross-validation. The "
        "library has both, under two names."
    )
    return Lesson("error_complexity", "Errors and a price per leaf", about, tuple(steps))
