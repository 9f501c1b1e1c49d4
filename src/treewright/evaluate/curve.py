"""A curve: figures with their spread along one quantity, to read, to draw, and as a data frame."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treewright import paint
from treewright.base import numbers
from treewright.base.lines import Words, aligned, figure
from treewright.base.notebook import Shown
from treewright.evaluate.score import Score
from treewright.paint import Chart, axis_over
from treewright.paint.files import delivered, form_of
from treewright.paint.layers import Layer
from treewright.table.frame import frame_of

SHARES = "error (share of rows)"  # what is shown in per cent
_MOST_DOTS = 40  # points of a line that have a mark each


@dataclass(frozen=True)
class Line:
    """One line of a curve: a score at each point; the spread is drawn as a band.

    >>> Line("test", (Score(0.5, 0.1), Score(0.25, 0.1))).values
    (0.5, 0.25)
    """

    name: str
    scores: tuple[Score, ...]

    @property
    def values(self) -> tuple[float, ...]:
        """The figures."""
        return tuple(score.value for score in self.scores)

    @property
    def spreads(self) -> tuple[float, ...]:
        """Their standard errors, or what else the curve says."""
        return tuple(score.standard_error for score in self.scores)


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Shown):
    """Lines along one quantity.

    >>> line = Line("test_error", (Score(0.5, 0.1), Score(0.25, 0.1)))
    >>> print(Curve("A curve", "n_rows", "rows", (10.0, 20.0), (line,), marks={"best": 1}))
    rows     test error
      10  0.500 ± 0.100
      20  0.250 ± 0.100  best
    """

    title: str
    x_name: str  # of the column
    x_label: str
    x: tuple[float, ...]
    lines: tuple[Line, ...]
    y_label: str = "error"
    spread_name: str = "se"  # what the spread is: _se, _sd
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # more of each point
    marks: Mapping[str, int] = field(default_factory=dict)  # points with a name

    def __len__(self) -> int:
        return len(self.x)

    def line(self, name: str) -> Line:
        """Return a line by its name.

        >>> Curve("", "n", "n", (1.0,), (Line("test_error", (Score(0.5),)),)).line("test_error").values
        (0.5,)
        """
        for line in self.lines:
            if line.name == name:
                return line
        raise ValueError(
            f"There is no line {name!r}; there are {', '.join(line.name for line in self.lines)}."
        )

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the points as columns; a mark is a column of truth values.

        >>> Curve("", "n", "n", (1.0,), (Line("error", (Score(0.5, 0.1),)),), marks={"best": 0}).to_dict()
        {'n': [1.0], 'error': [0.5], 'error_se': [0.1], 'is_best': [True]}
        """
        found: dict[str, list[Any]] = {self.x_name: list(self.x)}
        found |= {name: list(values) for name, values in self.columns.items()}
        for line in self.lines:
            found[line.name] = list(line.values)
            found[f"{line.name}_{self.spread_name}"] = list(line.spreads)
        for mark, place in self.marks.items():
            found[f"is_{_plain(mark)}"] = [i == place for i in range(len(self))]
        return found

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the points as a data frame of pandas, polars or pyarrow.

        >>> Curve("", "n", "n", (1.0,), (Line("error", (Score(0.5),)),)).to_frame("pandas")["error"].tolist()
        [0.5]
        """
        return frame_of(self.to_dict(), backend)

    def to_text(self) -> str:
        """Return the points as lines, with their marks.

        >>> Curve("", "n", "rows", (1.0,), (Line("error", (Score(0.5),)),)).to_text().splitlines()
        ['rows  error', '   1  0.500']
        """
        columns = [Words(self.x_label, [numbers.number(x) for x in self.x])]
        for name, values in self.columns.items():
            columns.append(Words(name.removeprefix("n_"), [_word(value) for value in values]))
        for line in self.lines:
            cells = [figure(*score, is_share=self.y_label == SHARES) for score in line.scores]
            columns.append(Words(line.name.replace("_", " "), cells))
        notes = [", ".join(m for m, place in self.marks.items() if place == i) for i in range(len(self))]
        if any(notes):
            columns.append(Words("", notes, "<"))
        return "\n".join(aligned(columns))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} points along {self.x_label})"

    def plot(self, path: str | os.PathLike[str] | None = None, *, ax: Any = None) -> Chart:
        """Return the curve as a chart: lines, their bands and marks; saved where a path is given.

        Args:
            path: where to save it: .svg, .pdf, .png or .txt.
            ax: matplotlib's axes to draw on as well.

        >>> Curve("", "n", "rows", (1.0, 2.0), (Line("error", (Score(0.5, 0.1),) * 2),)).plot()
        Chart(error by rows, 640 x 420 px)
        """
        if path is not None:
            form_of(path)  # refused before the work
        order = sorted(range(len(self)), key=lambda i: self.x[i])
        x = [self.x[i] for i in order]
        is_share = self.y_label == SHARES
        layers: list[Layer] = []
        for look, line in enumerate(self.lines):
            y = [line.values[i] for i in order]
            spread = [0.0 if math.isnan(line.spreads[i]) else line.spreads[i] for i in order]
            band = f" ± {self.spread_name.upper()}" if any(spread) else ""
            low, high = ([v + side * s for v, s in zip(y, spread, strict=True)] for side in (-1, 1))
            name = line.name.replace("_", " ") + band
            low, high = (low, high) if band else ([], [])
            layers.append(paint.Line(name, x, y, look, low, high, has_dots=len(x) <= _MOST_DOTS))
        values = [
            v
            for layer in layers
            if isinstance(layer, paint.Line)
            for v in (*layer.y, *layer.low, *layer.high)
        ]
        chart = Chart(
            self.title, axis_over(self.x_label, x), axis_over(self.y_label, values, is_share=is_share),
            (*layers, *self._rules()),
        )  # fmt: skip
        return delivered(chart, path, ax)  # type: ignore[no-any-return]

    def _rules(self) -> Iterator[paint.Rule]:
        """Yield a vertical line for every marked point, dashed in its own way, named in the legend."""
        by_place: dict[int, list[str]] = {}
        for mark, place in self.marks.items():
            by_place.setdefault(place, []).append(mark)
        for i, (place, marks) in enumerate(by_place.items()):
            yield paint.Rule(f"{', '.join(marks)}: {_word(self.x[place])}", self.x[place], look=2 + i % 3)


def _plain(words: str) -> str:
    return words.lower().replace(" ", "_").replace("-", "_")


def _word(value: Any) -> str:
    return numbers.number(value) if isinstance(value, (int, float)) else str(value)
