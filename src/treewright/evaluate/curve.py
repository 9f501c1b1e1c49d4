"""A curve: figures with their spread along one quantity, to read, to draw, and as a data frame."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treewright.base import numbers
from treewright.base.lines import Words, aligned, figure
from treewright.base.notebook import Shown
from treewright.evaluate.picture import axes_for, colours, look, whole_ticks
from treewright.evaluate.score import Score
from treewright.table.frame import frame_of

SHARES = "error (share of rows)"  # what is shown in per cent
_MOST_LINEAR = 50  # beyond this ratio of its ends a quantity is drawn on a logarithmic scale


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

    def plot(self, ax: Any = None) -> Any:
        """Return matplotlib axes with the lines, their bands and marks; new ones unless `ax` is given.

        >>> axes = Curve("", "n", "rows", (1.0, 2.0), (Line("error", (Score(0.5, 0.1),) * 2),)).plot()
        >>> axes.get_xlabel(), axes.get_ylabel()
        ('rows', 'error')
        """
        axes = axes_for(ax)
        order = sorted(range(len(self)), key=lambda i: self.x[i])
        x = [self.x[i] for i in order]
        for number, line in enumerate(self.lines):
            y = [line.values[i] for i in order]
            spread = [0.0 if math.isnan(line.spreads[i]) else line.spreads[i] for i in order]
            style = look(number)
            band = f" ± {self.spread_name.upper()}" if any(spread) else ""
            axes.plot(x, y, label=line.name.replace("_", " ") + band, **style)
            if band:
                low, high = zip(*((v - s, v + s) for v, s in zip(y, spread, strict=True)), strict=True)
                axes.fill_between(x, low, high, color=style["color"], alpha=0.15, linewidth=0)
        self._draw_marks(axes)
        _scale(axes, x)
        axes.set(xlabel=self.x_label, ylabel=self.y_label, title=self.title)
        axes.legend()
        return axes

    def _draw_marks(self, axes: Any) -> None:
        """Draw a vertical line at every marked point, dashed in its own way, named in the legend."""
        by_place: dict[int, list[str]] = {}
        for mark, place in self.marks.items():
            by_place.setdefault(place, []).append(mark)
        for number, (place, marks) in enumerate(by_place.items()):
            name = f"{', '.join(marks)}: {_word(self.x[place])}"
            dash = (":", "-.", "--")[number % 3]
            axes.axvline(self.x[place], color=colours()[-1], linestyle=dash, linewidth=1, label=name)


def _scale(axes: Any, x: Sequence[float]) -> None:
    """Choose a logarithmic scale for what spans orders of magnitude; 0 stays on it, by a linear piece."""
    positive = [value for value in x if value > 0]
    if len(positive) < 2 or max(positive) < _MOST_LINEAR * min(positive):
        if all(value == int(value) for value in x):
            whole_ticks(axes.xaxis)
        return
    if min(x) == 0:
        low = min(positive)
        axes.set_xscale("symlog", linthresh=low, linscale=0.5)
        axes.set_xlim(-0.2 * low, 1.2 * max(x))
        powers = range(math.ceil(math.log10(low)), math.floor(math.log10(max(x))) + 1)
        axes.set_xticks([0.0, *(10.0**power for power in powers)])
        axes.set_xticks([], minor=True)
    else:
        axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")


def _plain(words: str) -> str:
    return words.lower().replace(" ", "_").replace("-", "_")


def _word(value: Any) -> str:
    return numbers.number(value) if isinstance(value, (int, float)) else str(value)
