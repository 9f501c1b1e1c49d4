"""One node of a tree as a small value, for people and for the rooms that draw and explain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.base.lines import harmless
from treewright.base.notebook import Shown
from treewright.base.numbers import count, number
from treewright.tree import losses, models, split

if TYPE_CHECKING:
    from treewright.tree.tree import Tree


@dataclass(frozen=True, repr=False)
class Node(Shown):
    """What a node asks, what it holds and what it says.

    >>> from treewright.tree.example import tennis
    >>> root = tennis().node(0)
    >>> root.question, root.answers, root.branches
    ('Outlook', ('= Sunny', '= Overcast', '= Rain'), (1, 4, 5))
    >>> root.prediction, root.errors, [round(share, 3) for share in root.shares]
    ('Yes', 5.0, [0.357, 0.643])
    """

    id: int
    parent: int | None
    depth: int
    answer: str  # the words of the branch that leads here; empty for the root
    is_leaf: bool
    question: str  # the column asked about; empty in a leaf
    answers: tuple[str, ...]  # one per branch
    branches: tuple[int, ...]  # the child behind each answer
    missing: int | None  # branch of a missing value
    largest: int | None  # branch with most training weight
    n_rows: int
    weight: float
    prediction: str | float  # a class name, or a mean
    shares: tuple[float, ...]  # of each class, priors applied; all 0 where no row came; () for regression
    errors: float | None  # training weight of the other classes; None for regression
    spread: float | None  # standard deviation of the target; None for classification
    score: float  # NaN in a leaf, as is gain
    gain: float
    is_exact: bool
    model: str = ""  # what the node answers with, if that is a model: "2 + 0.5 height"

    def __str__(self) -> str:
        place = "the root" if self.parent is None else f"{self.answer} of node {self.parent}"
        said = self.prediction if isinstance(self.prediction, str) else number(self.prediction)
        if self.errors:
            said = f"{said}, {count(self.errors, 'error')}"
        elif self.spread is not None:
            said = f"{said} ± {number(self.spread, 3)}"
        lines = [f"Node {self.id}, {place}: {count(self.n_rows, 'row')}, {self.model or said}"]
        if not self.is_leaf:
            lines.append(f"asks {self.question}")
            lines += [f"  {words}: node {i}" for words, i in zip(self.answers, self.branches, strict=True)]
        return harmless("\n".join(lines))

    @property
    def is_empty(self) -> bool:
        """True where no training weight came; the prediction is then the parent's."""
        return self.weight == 0


def describe(tree: Tree, i: int) -> Node:
    """Return node i of a tree as a value."""
    parent = int(tree.parents[i]) if i else None
    leaf = bool(tree.end[i] == i + 1)
    classes = tree.is_classifier
    return Node(
        id=i,
        parent=parent,
        depth=int(tree.depths[i]),
        answer="" if parent is None else split.answers(tree, parent)[int(tree.branches[i])],
        is_leaf=leaf,
        question=split.question(tree, i),
        answers=split.answers(tree, i),
        branches=tree.children(i),
        missing=_branch(int(tree.missing[i])),
        largest=_branch(int(tree.largest[i])),
        n_rows=int(tree.n_rows[i]),
        weight=float(tree.weights[i]),
        prediction=tree.classes[int(tree.label[i])] if classes else float(tree.stats[i, 1]),
        shares=tuple(shares(tree, i).tolist()) if classes else (),
        errors=errors(tree, i) if classes else None,
        spread=None if classes else spread(tree, i),
        score=float(tree.score[i]),
        gain=float(tree.gain[i]),
        is_exact=bool(tree.exact[i]),
        model=models.words(tree, i),
    )


def _branch(branch: int) -> int | None:
    return branch if branch >= 0 else None


def shares(tree: Tree, i: int) -> NDArray[np.float64]:
    """Return the share of each class at node i, priors applied; zeros where no weight came."""
    largest = tree.stats[i].max()
    if largest == 0:
        return np.zeros_like(tree.stats[i])
    parts = tree.stats[i] / largest  # first, so that no scale can overflow
    if (scale := tree.about.get("class_scale")) is not None:
        parts = parts * (np.asarray(scale) / max(scale))
    total = parts.sum()
    return np.asarray(parts / total if total > 0 else parts)


def errors(tree: Tree, i: int) -> float:
    """Return the training weight at node i that is not of the class it predicts."""
    return float(np.delete(tree.stats[i], tree.label[i]).sum())


def spread(tree: Tree, i: int) -> float:
    """Return the standard deviation of the target at node i, or its like (`losses.spread`); 0 of no rows."""
    return float(losses.spread(tree, i)[0])
