"""Several classes as questions of two: every two classes, or every class and the rest."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.table.raw import label

WAYS = ("pairwise", "one_vs_rest")


class Question(NamedTuple):
    """Two classes: which rows are asked, and which of them are positive."""

    name: str
    rows: NDArray[np.intp]
    is_positive: NDArray[np.bool_]


def questions(codes: NDArray[np.intp], classes: NDArray[Any], multi_class: str) -> list[Question]:
    """Return the questions; of two classes there is one, and the second is positive.

    >>> [q.name for q in questions(np.array([0, 1, 2]), np.array(["a", "b", "c"]), "pairwise")]
    ['a and b', 'a and c', 'b and c']
    >>> [q.name for q in questions(np.array([0, 1, 2]), np.array(["a", "b", "c"]), "one_vs_rest")]
    ['a and the rest', 'b and the rest', 'c and the rest']
    """
    if multi_class not in WAYS:
        raise ValueError(f"multi_class={multi_class!r} must be 'pairwise' or 'one_vs_rest'.")
    names = [label(value) for value in classes.tolist()]
    n, everything = len(names), np.arange(len(codes))
    if n > 2 and multi_class == "one_vs_rest":
        return [Question(f"{name} and the rest", everything, codes == c) for c, name in enumerate(names)]
    found = []
    for a in range(n):
        for b in range(a + 1, n):
            rows = np.flatnonzero((codes == a) | (codes == b)) if n > 2 else everything
            found.append(Question(f"{names[a]} and {names[b]}", rows, codes[rows] == b))
    return found


def votes(scores: NDArray[np.float64], n_classes: int) -> NDArray[np.float64]:
    """Return a column for each class: its votes, and less than half a vote for the size of scores.

    >>> votes(np.array([[-1.0, -2.0, 3.0]]), 3).round(3)
    array([[ 2.25 , -0.267,  1.167]])
    """
    pairs = [(a, b) for a in range(n_classes) for b in range(a + 1, n_classes)]
    won, total = np.zeros((len(scores), n_classes)), np.zeros((len(scores), n_classes))
    for (a, b), score in zip(pairs, scores.T, strict=True):
        won[score < 0, a] += 1
        won[score >= 0, b] += 1
        total[:, a] -= score
        total[:, b] += score
    return np.asarray(won + total / (3 * (np.abs(total) + 1)))
