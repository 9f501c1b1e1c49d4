"""The confusion matrix, and what it says of each class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.evaluate.answers import Answers
from treewright.evaluate.score import UNDEFINED, Score, share_score
from treewright.table.frame import frame_of
from treewright.table.lines import Words, aligned

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Confusion:
    """How often each class was taken for each: a row per true class, a column per class given.

    >>> found = confusion(Answers.of(list("aabb"), list("abbb")))
    >>> print(found)
    true  a  b
    a     1  1
    b     0  2
    >>> found.counts
    ((1.0, 1.0), (0.0, 2.0))
    """

    classes: tuple[str, ...]
    counts: tuple[tuple[float, ...], ...]

    @property
    def array(self) -> Floats:
        """The counts as an array, true class x class given."""
        return np.array(self.counts, dtype=np.float64).reshape(len(self.classes), len(self.classes))

    def per_class(self) -> tuple[ClassScores, ...]:
        """Return precision, recall and F1 of each class.

        >>> [c.recall.value for c in confusion(Answers.of(list("aabb"), list("abbb"))).per_class()]
        [0.5, 1.0]
        """
        return tuple(_class_scores(self, i) for i in range(len(self.classes)))

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns true, and for each class "predicted ...".

        >>> confusion(Answers.of(list("aabb"), list("abbb"))).to_dict()
        {'true': ['a', 'b'], 'predicted a': [1.0, 0.0], 'predicted b': [1.0, 2.0]}
        """
        columns: dict[str, list[Any]] = {"true": list(self.classes)}
        for name, column in zip(self.classes, self.array.T.tolist(), strict=True):
            columns[f"predicted {name}"] = column
        return columns

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the matrix as a data frame of pandas, polars or pyarrow.

        >>> confusion(Answers.of(list("aabb"), list("abbb"))).to_frame("pandas")["predicted b"].tolist()
        [1.0, 2.0]
        """
        return frame_of(self.to_dict(), backend)

    def to_text(self) -> str:
        """Return the matrix as lines: rows are true classes, columns those that were given.

        >>> confusion(Answers.of(list("ab"), list("bb"))).to_text().splitlines()[1]
        'a     0  1'
        """
        columns = [Words("true", self.classes, "<")]
        for name, column in zip(self.classes, self.array.T.tolist(), strict=True):
            columns.append(Words(name, [f"{count:.6g}" for count in column]))
        return "\n".join(aligned(columns))

    def __str__(self) -> str:
        return self.to_text()


@dataclass(frozen=True)
class ClassScores:
    """Precision, recall and F1 of one class, and the weight of its rows.

    Precision is NaN for a class never given, recall for one without rows; F1 only where both are so.

    >>> print(confusion(Answers.of(list("aabb"), list("abbb"))).per_class()[0].precision)
    1.000 ± 0.000
    """

    name: str
    precision: Score
    recall: Score
    f1: Score
    support: float


def confusion(answers: Answers) -> Confusion:
    """Return how often each class was taken for each, by weight.

    >>> confusion(Answers.of(list("aab"), list("abb"))).array.tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    k = need_classes(answers, "A confusion matrix")
    counts = np.bincount(answers.truth * k + answers.given, answers.weights, k * k).reshape(k, k)
    return Confusion(answers.classes, tuple(map(tuple, counts.tolist())))


def need_classes(answers: Answers, who: str) -> int:
    """Return the number of classes; an error for numbers."""
    if not answers.is_classes:
        raise ValueError(f"{who} is for classes; these answers are numbers. Use rmse, mae or r2.")
    return len(answers.classes)


def class_table(scores: Sequence[ClassScores]) -> str:
    """Return the scores of classes as lines.

    >>> print(class_table(confusion(Answers.of(list("aabb"), list("abbb"))).per_class()))
    class      precision         recall             f1  support
    a      1.000 ± 0.000  0.500 ± 0.354  0.667 ± 0.314        2
    b      0.667 ± 0.272  1.000 ± 0.000  0.800 ± 0.196        2
    """
    columns = [Words("class", [c.name for c in scores], "<")]
    names = ("precision", "recall", "f1")
    columns += [Words(name, [str(getattr(c, name)) for c in scores]) for name in names]
    columns.append(Words("support", [f"{c.support:.6g}" for c in scores]))
    return "\n".join(aligned(columns))


def _class_scores(matrix: Confusion, i: int) -> ClassScores:
    counts = matrix.array
    right, given, there = counts[i, i], counts[:, i].sum(), counts[i].sum()
    return ClassScores(
        matrix.classes[i],
        share_score(right, given),
        share_score(right, there),
        _f1(matrix, [i]),
        float(there),
    )


def macro_f1(matrix: Confusion) -> Score:
    """Return the mean F1 of the classes that occur or were given, with its standard error.

    >>> macro_f1(confusion(Answers.of(list("aabb"), list("abbb")))).value.__round__(6)
    0.733333
    """
    counts = matrix.array
    return _f1(matrix, np.flatnonzero(counts.sum(axis=0) + counts.sum(axis=1) > 0).tolist())


def _f1(matrix: Confusion, chosen: Sequence[int]) -> Score:
    """Return the mean F1 of some classes.

    F1 = 2t / (2t + s), t the share of rows rightly given to the class, s of those wrongly given or withheld.
    Delta method: a row adds (2s t' - 2t s') / (2t + s)^2 to it, t' and s' its own counts; the standard error
    is the root of the mean of its square over n. That is a sum over the cells of the matrix.
    """
    counts = matrix.array
    n = counts.sum()
    share = counts / n
    value, influence = 0.0, np.zeros_like(share)
    for i in chosen:
        t = share[i, i]
        s = share[i].sum() + share[:, i].sum() - 2 * t
        if not 2 * t + s > 0:
            return UNDEFINED
        value += 2 * t / (2 * t + s)
        slope = np.zeros_like(share)
        slope[i], slope[:, i] = -2 * t, -2 * t
        slope[i, i] = 2 * s
        influence += slope / (2 * t + s) ** 2
    if not len(chosen):
        return UNDEFINED
    k = len(chosen)
    return Score(float(value / k), math.sqrt(float((share * influence**2).sum()) / n) / k)
