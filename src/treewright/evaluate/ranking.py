"""ROC and precision-recall: how well chances put rows of one class before the others, at every threshold."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import paint
from treewright.base.lines import Words, aligned
from treewright.base.names import hint
from treewright.base.notebook import Shown
from treewright.evaluate.answers import Answers
from treewright.evaluate.confusion import need_classes
from treewright.evaluate.score import UNDEFINED, Score, Share
from treewright.paint import Axis, Chart
from treewright.paint.files import delivered
from treewright.table.frame import frame_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RankingLine:
    """The curve of one class: a point for each threshold, and the area under it with its standard error.

    >>> roc(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]])).line("b").x
    (0.0, 0.0, 1.0)
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    thresholds: tuple[float, ...]  # rows with at least this chance are called the class
    area: Score
    base: float  # the share of the rows that are of the class


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Shown):
    """A curve over all thresholds of a chance, for one class or for each.

    >>> chances = [[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.5, 0.5]]
    >>> answers = Answers.of(list("abab"), list("abbb"), chances=chances)
    >>> print(roc(answers))
    class  area under ROC
    b       75.0 % ± 25.0
    """

    title: str
    x_name: str
    y_name: str
    area_name: str
    lines: tuple[RankingLine, ...]

    def line(self, name: str) -> RankingLine:
        """Return the curve of a class.

        >>> curve = roc(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]]))
        >>> curve.line("b").area.value
        1.0
        """
        for line in self.lines:
            if line.name == name:
                return line
        raise ValueError(
            f"There is no curve of {name!r}; there are {', '.join(line.name for line in self.lines)}."
        )

    @property
    def area(self) -> Score:
        """The area under the only curve, or the mean of all; standard errors add up as independent."""
        known = [line.area for line in self.lines if line.area.value == line.area.value]
        if not known:
            return UNDEFINED
        spread = math.sqrt(sum(area.standard_error**2 for area in known)) / len(known)
        return Share(sum(area.value for area in known) / len(known), spread)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the points of all curves as columns: class, threshold, and the two figures.

        >>> curve = roc(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]]))
        >>> list(curve.to_dict())
        ['class', 'threshold', 'false_positive_rate', 'true_positive_rate']
        """
        columns: dict[str, list[Any]] = {"class": [], "threshold": [], self.x_name: [], self.y_name: []}
        for line in self.lines:
            for values in zip(line.thresholds, line.x, line.y, strict=True):
                for column, value in zip(columns.values(), (line.name, *values), strict=True):
                    column.append(value)
        return columns

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the points as a data frame of pandas, polars or pyarrow.

        >>> curve = roc(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]]))
        >>> len(curve.to_frame("pandas"))
        3
        """
        return frame_of(self.to_dict(), backend)

    def to_text(self) -> str:
        """Return the area under each curve as lines.

        >>> curve = roc(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]]))
        >>> curve.to_text().splitlines()[0]
        'class  area under ROC'
        """
        columns = [
            Words("class", [line.name for line in self.lines], "<"),
            Words(self.area_name, [str(line.area) for line in self.lines]),
        ]
        return "\n".join(aligned(columns))

    def plot(self, path: str | os.PathLike[str] | None = None, *, ax: Any = None) -> Chart:
        """Return the curves as a chart, with what chance alone would give.

        Args:
            path: where to save it: .svg, .pdf, .png or .txt.
            ax: matplotlib's axes to draw on as well.

        >>> roc(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]])).plot()
        Chart(ROC: rows of b before the others, 640 x 496 px)
        """
        is_roc = self.x_name == "false_positive_rate"
        layers: list[paint.layers.Layer] = []
        for look, line in enumerate(self.lines):
            words = f"{line.name}: {self.area_name} {line.area}"
            layers.append(paint.Line(words, line.x, line.y, look, is_step=False))
        if is_roc:
            layers.append(
                paint.Line("chance alone", (0, 1), (0, 1), 2, colour=paint.colours.OTHER, width=1.2)
            )
        elif len(self.lines) == 1:
            layers.append(
                paint.Rule(
                    "chance alone: share of the class", self.lines[0].base, False, colour=paint.colours.OTHER
                )
            )
        x, y = (Axis(_label(name), -0.02, 1.02, is_share=True) for name in (self.x_name, self.y_name))
        chart = Chart(self.title, x, y, tuple(layers), size=(640.0, 470.0), legend="below")
        return delivered(chart, path, ax)  # type: ignore[no-any-return]

    def in_short(self) -> str:
        """Return the area under the curve.

        >>> roc(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]]))
        Ranking(area under ROC 100.0 % ± 0.0)
        """
        return f"{self.area_name} {self.area}"

    def __str__(self) -> str:
        return self.to_text()


def roc(answers: Answers, positive: str | None = None) -> Ranking:
    """Return the ROC curve: the share of the class found against the share of the others mistaken for it.

    The area is the chance that a row of the class has a higher chance than a row of the others, ties counted
    half. Its standard error is DeLong's.

    Args:
        answers: right answers beside given ones, with chances.
        positive: the class to be found; of two classes the second, of more each against the others.

    >>> chances = [[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.5, 0.5]]
    >>> answers = Answers.of(list("abab"), list("abbb"), chances=chances)
    >>> line = roc(answers).line("b")
    >>> line.x, line.y
    ((0.0, 0.0, 0.5, 0.5, 1.0), (0.0, 0.5, 0.5, 1.0, 1.0))
    """
    lines = tuple(_roc_line(answers, code) for code in _class_numbers(answers, positive, "A ROC curve"))
    title = _title("ROC", lines)
    return Ranking(title, "false_positive_rate", "true_positive_rate", "area under ROC", lines)


def precision_recall(answers: Answers, positive: str | None = None) -> Ranking:
    """Return precision against recall: of the rows called the class those that are, of the class those found.

    The area is the average precision, the sum of precision times the gain in recall; its standard error is
    that of the infinitesimal jackknife.

    Args:
        answers: right answers beside given ones, with chances.
        positive: the class to be found; of two classes the second, of more each against the others.

    >>> chances = [[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.5, 0.5]]
    >>> answers = Answers.of(list("abab"), list("abbb"), chances=chances)
    >>> precision_recall(answers).line("b").y
    (1.0, 1.0, 0.5, 0.6666666666666666, 0.5)
    """
    lines = tuple(
        _precision_line(answers, code)
        for code in _class_numbers(answers, positive, "A precision-recall curve")
    )
    title = _title("Precision and recall", lines)
    return Ranking(title, "recall", "precision", "average precision", lines)


def class_number(answers: Answers, positive: str | None, who: str) -> int:
    """Return the number of one class: the one named, or of two classes the second.

    >>> class_number(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]]), "c", "It")
    Traceback (most recent call last):
    ValueError: positive='c' is not one of the classes 'a', 'b'.
    """
    k = need_classes(answers, who)
    if answers.chances is None:
        raise ValueError(f"{who} needs the chances of the classes; give Answers.of(..., chances=...).")
    if positive is None:
        return k - 1
    if str(positive) not in answers.classes:
        known = ", ".join(map(repr, answers.classes))
        way = hint(str(positive), answers.classes) or "."
        raise ValueError(f"positive={positive!r} is not one of the classes {known}{way}")
    return answers.classes.index(str(positive))


def _class_numbers(answers: Answers, positive: str | None, who: str) -> list[int]:
    code = class_number(answers, positive, who)
    return [code] if positive is not None or len(answers.classes) == 2 else list(range(len(answers.classes)))


def _title(what: str, lines: tuple[RankingLine, ...]) -> str:
    return f"{what}: rows of {lines[0].name if len(lines) == 1 else 'each class'} before the others"


@dataclass(frozen=True)
class _Ranked:
    """Rows in groups of the same chance, the highest first: weights of the class and of the others."""

    thresholds: Floats
    yes: Floats
    no: Floats

    @classmethod
    def of(cls, answers: Answers, code: int) -> _Ranked:
        assert answers.chances is not None
        is_in = answers.weights > 0
        chance, weight = answers.chances[is_in, code], answers.weights[is_in]
        is_yes = answers.truth[is_in] == code
        levels, group = np.unique(-chance, return_inverse=True)
        yes, no = (np.bincount(group, weight * side, len(levels)) for side in (is_yes, ~is_yes))
        return cls(-levels, np.asarray(yes, np.float64), np.asarray(no, np.float64))


def _roc_line(answers: Answers, code: int) -> RankingLine:
    ranked = _Ranked.of(answers, code)
    n_yes, n_no = float(ranked.yes.sum()), float(ranked.no.sum())
    base = n_yes / (n_yes + n_no)
    found, mistaken = np.cumsum(ranked.yes), np.cumsum(ranked.no)
    if not (n_yes > 0 and n_no > 0):
        return RankingLine(answers.classes[code], (), (), (), UNDEFINED, base)
    # The share of the others that a row of the class beats, and of the class that beats a row of the others.
    beaten = 1 - (mistaken - ranked.no / 2) / n_no
    beating = (found - ranked.yes / 2) / n_yes
    area = float((ranked.yes * beaten).sum() / n_yes)
    variance = float((ranked.yes * (beaten - area) ** 2).sum() / n_yes**2)
    variance += float((ranked.no * (beating - area) ** 2).sum() / n_no**2)
    x, y = (np.concatenate([[0.0], values]) for values in (mistaken / n_no, found / n_yes))
    thresholds = np.concatenate([[math.inf], ranked.thresholds])
    return _line(answers.classes[code], x, y, thresholds, Share(area, math.sqrt(variance)), base)


def _precision_line(answers: Answers, code: int) -> RankingLine:
    ranked = _Ranked.of(answers, code)
    found, called = np.cumsum(ranked.yes), np.cumsum(ranked.yes + ranked.no)
    n_yes = float(found[-1])
    base = n_yes / float(called[-1])
    if not n_yes > 0:
        return RankingLine(answers.classes[code], (), (), (), UNDEFINED, base)
    precision = found / called
    area = float((ranked.yes * precision).sum() / n_yes)
    # What a little more weight of a row adds: to its own term, and to those of all groups from its own on.
    tail_no = np.cumsum((ranked.yes * precision / called)[::-1])[::-1]
    tail_yes = np.cumsum((ranked.yes / called)[::-1])[::-1] - tail_no
    for_yes, for_no = (precision + tail_yes - area) / n_yes, -tail_no / n_yes
    variance = float((ranked.yes * for_yes**2).sum() + (ranked.no * for_no**2).sum())
    x = np.concatenate([[0.0], found / n_yes])
    y = np.concatenate([precision[:1], precision])
    thresholds = np.concatenate([[math.inf], ranked.thresholds])
    return _line(answers.classes[code], x, y, thresholds, Share(area, math.sqrt(variance)), base)


def _line(name: str, x: Floats, y: Floats, thresholds: Floats, area: Score, base: float) -> RankingLine:
    return RankingLine(name, tuple(x.tolist()), tuple(y.tolist()), tuple(thresholds.tolist()), area, base)


def _label(name: str) -> str:
    return {
        "false_positive_rate": "of the others, mistaken for it (false positive rate)",
        "true_positive_rate": "of the class, found (true positive rate)",
        "recall": "of the class, found (recall)",
        "precision": "of those called it, right (precision)",
    }[name]
