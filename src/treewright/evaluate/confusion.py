"""The confusion matrix, and what it says of each class."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.lines import Words, aligned
from treewright.base.notebook import Shown
from treewright.base.numbers import number, percent
from treewright.evaluate.answers import Answers, check_answers
from treewright.evaluate.score import UNDEFINED, Score, Share, share_score
from treewright.paint import Axis, Cells, Chart, Note
from treewright.paint.colours import INK, PAPER, mixed
from treewright.paint.files import delivered
from treewright.paint.font import measure
from treewright.table.frame import frame_of
from treewright.tree.split import name

Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Confusion(Shown):
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
        return tuple(_class_scores(self))

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns true, and for each class "predicted ...".

        >>> confusion(Answers.of(list("aabb"), list("abbb"))).to_dict()
        {'true': ['a', 'b'], 'predicted a': [1.0, 0.0], 'predicted b': [1.0, 2.0]}
        """
        columns: dict[str, list[Any]] = {"true": list(self.classes)}
        for label, column in zip(self.classes, self.array.T.tolist(), strict=True):
            columns[f"predicted {label}"] = column
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
        columns = [Words("true", [*map(name, self.classes)], "<")]
        for label, column in zip(self.classes, self.array.T.tolist(), strict=True):
            columns.append(Words(name(label), [number(count, 6) for count in column]))
        return "\n".join(aligned(columns))

    def plot(
        self, path: str | os.PathLike[str] | None = None, *, as_shares: bool = False, ax: Any = None
    ) -> Chart:
        """Return the matrix as a chart: a cell is the darker, the more rows of its true class it has.

        Args:
            path: where to save it: .svg, .pdf, .png or .txt.
            as_shares: whether cells hold shares of their true class instead of counts.
            ax: matplotlib's axes to draw on as well.

        >>> confusion(Answers.of(list("aabb"), list("abbb"))).plot()
        Chart(Confusion matrix, 300 x 300 px)
        """
        return delivered(_chart(self, as_shares), path, ax)  # type: ignore[no-any-return]

    def in_short(self) -> str:
        """Return the number of classes and rows.

        >>> confusion(Answers.of(list("aab"), list("abb")))
        Confusion(2 classes, 3 rows)
        """
        return f"{len(self.classes)} classes, {number(float(self.array.sum()), 6)} rows"

    def __str__(self) -> str:
        return self.to_text()


@dataclass(frozen=True)
class ClassScores:
    """Precision, recall and F1 of one class, and the weight of its rows.

    Precision is NaN for a class never given, recall for one without rows; F1 only where both are so.

    >>> print(confusion(Answers.of(list("aabb"), list("abbb"))).per_class()[0].precision)
    100.0 % ± 0.0
    """

    name: str
    precision: Score
    recall: Score
    f1: Score
    support: float

    def __str__(self) -> str:
        return class_table([self])


_RIGHT, _WRONG = "#0072B2", "#D55E00"
_CELL, _WIDEST = 62.0, 120.0  # pixels


def _chart(matrix: Confusion, as_shares: bool) -> Chart:
    """Return a matrix as a chart: true classes from top to bottom, those given from left to right."""
    k, counts = len(matrix.classes), matrix.array
    totals = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    boxes, colours, shades, notes = [], [], [], []
    for i in range(k):
        for j in range(k):
            up, share = k - 1 - i, float(shares[i, j])
            boxes.append((j - 0.5, up - 0.5, j + 0.5, up + 0.5))
            colours.append(mixed(_RIGHT if i == j else _WRONG, PAPER, 0.04 + 0.9 * share))
            shades.append(-1)
            words = percent(share) if as_shares else number(float(counts[i, j]), 6)
            ink = PAPER if share > 0.7 else INK
            notes.append(Note(words, j, up, room=1.0, colour=ink, is_bold=i == j))
    names = [name(label) for label in matrix.classes]
    longest = min(max(measure(label, 10.0) for label in names), 170.0)
    total, right = float(counts.sum()), float(np.trace(counts))
    cell = min(_CELL, max(26.0, 900.0 / k))
    word = max((measure(part, 11.0) for label in names for part in label.split()), default=0.0)
    across = max(cell, 44.0, min(word + 8.0, _WIDEST, 900.0 / k))  # no word of a name is broken if it can be
    return Chart(
        "Confusion matrix",
        Axis.of_names("class given", names),
        Axis.of_names("true class", names[::-1]),
        (Cells(boxes, colours, shades, edge=PAPER), *notes),
        about=() if as_shares else (f"{number(total, 6)} rows, {number(right, 6)} of them right",),
        size=(max(300.0, longest + 60 + k * across), max(300.0, 150.0 + k * cell)),
    )  # fmt: skip


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
    check_answers(answers, who)
    if not answers.is_classes:
        raise ValueError(f"{who} is for classes; these answers are numbers. Use rmse, mae or r2.")
    return len(answers.classes)


def class_table(scores: Sequence[ClassScores]) -> str:
    """Return the scores of classes as lines.

    >>> print(class_table(confusion(Answers.of(list("aabb"), list("abbb"))).per_class()))
    class      precision         recall             f1  support
    a      100.0 % ± 0.0  50.0 % ± 35.4  66.7 % ± 31.4        2
    b      66.7 % ± 27.2  100.0 % ± 0.0  80.0 % ± 19.6        2
    """
    columns = [Words("class", [name(c.name) for c in scores], "<")]
    figures = ("precision", "recall", "f1")
    columns += [Words(figure, [str(getattr(c, figure)) for c in scores]) for figure in figures]
    columns.append(Words("support", [number(c.support, 6) for c in scores]))
    return "\n".join(aligned(columns))


def _class_scores(matrix: Confusion) -> Iterator[ClassScores]:
    counts = matrix.array
    given, there = counts.sum(axis=0), counts.sum(axis=1)
    parts = _F1.of(counts)
    for i, label in enumerate(matrix.classes):
        right = counts[i, i]
        yield ClassScores(
            label, share_score(right, given[i]), share_score(right, there[i]), parts.score(i), float(there[i])
        )


def macro_f1(matrix: Confusion) -> Score:
    """Return the mean F1 of the classes that occur or were given, with its standard error.

    >>> macro_f1(confusion(Answers.of(list("aabb"), list("abbb")))).value.__round__(6)
    0.733333
    """
    return _F1.of(matrix.array).mean()


class _F1(NamedTuple):
    """F1 = 2t / (2t + s) by class, t the share of rows rightly given to it, s wrongly given or withheld.

    Delta method: a row adds (2s t' - 2t s') / (2t + s)^2 to it, t' and s' its own counts; the standard error
    is the root of the mean of its square over n. That is a sum over the cells of the matrix.
    """

    share: Floats  # of each cell
    n: float
    t: Floats
    s: Floats
    for_right: Floats  # what a row rightly given to the class adds
    for_wrong: Floats  # what a row wrongly given or withheld does

    @classmethod
    def of(cls, counts: Floats) -> _F1:
        n = float(counts.sum())
        share = counts / n if n > 0 else counts
        t = np.diagonal(share)
        s = share.sum(axis=0) + share.sum(axis=1) - 2 * t
        scale = np.where(2 * t + s > 0, 2 * t + s, np.inf) ** 2
        return cls(share, n, t, s, 2 * s / scale, -2 * t / scale)

    def score(self, i: int) -> Score:
        """Return F1 of one class."""
        t, s = float(self.t[i]), float(self.s[i])
        if not 2 * t + s > 0:
            return UNDEFINED
        spread = t * self.for_right[i] ** 2 + s * self.for_wrong[i] ** 2
        return Share(2 * t / (2 * t + s), math.sqrt(float(spread) / self.n))

    def mean(self) -> Score:
        """Return the mean over the classes that occur or were given."""
        some = 2 * self.t + self.s > 0
        k = int(some.sum())
        if not k:
            return UNDEFINED
        influence = self.for_wrong[:, None] + self.for_wrong[None, :]  # withheld from one, given to the other
        np.fill_diagonal(influence, self.for_right)
        values = 2 * self.t[some] / (2 * self.t[some] + self.s[some])
        spread = float((self.share * influence**2).sum())
        return Share(float(values.sum() / k), math.sqrt(spread / self.n) / k)
