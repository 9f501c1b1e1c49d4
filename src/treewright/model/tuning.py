"""What tuning found: the model, all that was tried, an honest error, and the calls that give it again."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treewright.base.lines import Words, aligned, figure, harmless
from treewright.base.notebook import Shown, html_table
from treewright.base.numbers import count, number
from treewright.evaluate.curve import SHARES, Curve, Line
from treewright.evaluate.score import Score
from treewright.model.model import Model
from treewright.model.race import Found
from treewright.paint import Chart
from treewright.table.frame import frame_of

_SHOWN = 10


@dataclass(frozen=True, eq=False, repr=False)
class Tried(Shown):
    """All settings that were tried: for each way to prune the best strength, and the chosen one.

    >>> import treewright as tw
    >>> table = tw.tune(tw.example("vote"), "Class", n_fits=20, outer=0).table
    >>> len(table) >= 5, table.choice.recipe in ("c4.5", "cart", "plain")
    (True, True)
    """

    target: str
    rows: tuple[Found, ...]
    choice_at: int
    measure: str = "error"

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Found]:
        return iter(self.rows)

    @property
    def best(self) -> Found:
        """The settings of the least error, of those that all folds judged."""
        return next(row for row in self.rows if row.is_whole)

    @property
    def choice(self) -> Any:
        """The trial that was chosen: the smallest tree within one standard error of the least error."""
        return self.rows[self.choice_at].trial

    def to_dict(self) -> dict[str, list[Any]]:
        """Return what was tried as columns of plain values, the best first.

        >>> import treewright as tw
        >>> columns = tw.tune(tw.example("vote"), "Class", n_fits=20, outer=0).table.to_dict()
        >>> list(columns)[:4], sum(columns["is_choice"])
        (['recipe', 'settings', 'prune', 'leaves'], 1)
        """
        return {
            "recipe": [row.trial.recipe for row in self.rows],
            "settings": [", ".join(f"{k}={v!r}" for k, v in row.trial.settings) for row in self.rows],
            "prune": [row.method.words() for row in self.rows],
            "leaves": [row.leaves for row in self.rows],
            "error": [row.error for row in self.rows],
            "standard_error": [row.standard_error for row in self.rows],
            "folds": [row.n_heats for row in self.rows],
            "is_whole": [row.is_whole for row in self.rows],
            "is_choice": [place == self.choice_at for place in range(len(self.rows))],
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the same as a data frame of pandas, polars or pyarrow.

        >>> import treewright as tw
        >>> found = tw.tune(tw.example("vote"), "Class", n_fits=20, outer=0).table
        >>> found.to_frame("pandas")["is_choice"].sum().item()
        1
        """
        return frame_of(self.to_dict(), backend)

    def _columns(self, rows: Sequence[int]) -> list[Words]:
        found = [self.rows[place] for place in rows]
        is_share = self.measure == "error"
        notes = [", ".join(self._notes(place)) for place in rows]
        return [
            Words("recipe", [row.trial.recipe for row in found], "<"),
            Words("settings", [str(row.trial).partition(", ")[2] or "-" for row in found], "<"),
            Words("pruning", [row.method.words() for row in found], "<"),
            Words("leaves", [number(round(row.leaves, 1)) for row in found]),
            Words(self.measure, [figure(row.error, row.standard_error, is_share) for row in found]),
            Words("folds", [str(row.n_heats) for row in found]),
            Words("", notes, "<"),
        ]

    def _notes(self, place: int) -> Iterator[str]:
        row = self.rows[place]
        if row is self.best:
            yield "lowest error"
        if place == self.choice_at:
            yield "chosen"
        if not row.is_whole:
            yield "out early"

    def _places(self) -> list[int]:
        places = list(range(min(_SHOWN, len(self.rows))))
        return places if self.choice_at in places else [*places, self.choice_at]

    def to_text(self) -> str:
        """Return the best ten and the chosen one as lines.

        >>> import treewright as tw
        >>> tw.tune(tw.example("vote"), "Class", n_fits=20, outer=0).table.to_text().split()[:3]
        ['recipe', 'settings', 'pruning']
        """
        lines = list(aligned(self._columns(self._places())))
        left = len(self.rows) - len(self._places())
        return "\n".join([*lines, f"and {count(left)} more (to_frame() has all)"] if left else lines)

    def __str__(self) -> str:
        return self.to_text()

    def in_short(self) -> str:
        """Return how much was tried.

        >>> import treewright as tw
        >>> tw.tune(tw.example("vote"), "Class", n_fits=4, outer=0).table
        Tried(... ways to Class)
        """
        return f"{count(len(self.rows), 'way')} to {harmless(self.target)}"

    def _repr_html_(self) -> str:
        return html_table(self._columns(self._places()))


@dataclass(frozen=True)
class OuterFold:
    """What the search chose without the rows of one outer fold, and its error on them.

    >>> print(OuterFold("cart", "cost_complexity(alpha=0.01)", 5, 0.25, 40))
    cart, cost_complexity(alpha=0.01): 5 leaves, error 0.25 in 40 rows
    """

    trial: str
    prune: str
    leaves: int
    error: float
    n_rows: int

    def __str__(self) -> str:
        size = count(self.leaves, "leaf", "leaves")
        judged = f"error {number(self.error, 3)} in {count(self.n_rows, 'row')}"
        return f"{self.trial}, {self.prune}: {size}, {judged}"


@dataclass(frozen=True, eq=False, repr=False)
class Tuning(Shown):
    """What `tw.tune` found.

    `error` was measured on rows that no choice has seen: the whole search was gone through without each of
    the outer folds. `repeat` grows the tree again, `search` goes through the same search again.

    >>> import treewright as tw
    >>> found = tw.tune(tw.example("vote"), "Class", n_fits=20)
    >>> found.repeat.startswith("tw.grow(data, 'Class', "), found.search
    (True, "tw.tune(data, 'Class', n_fits=20)")
    >>> tree = eval(found.repeat, {"tw": tw, "data": tw.example("vote")})
    >>> tree == found.model.tree
    True
    """

    model: Model
    table: Tried
    error: Score  # nested; NaN without outer folds
    repeat: str
    search: str
    n_fits: int  # trees grown in the search on all rows
    n_settings: int
    seconds: float
    outer: tuple[OuterFold, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # by reason: what could not be grown

    @property
    def tree(self) -> Any:
        """The tree."""
        return self.model.tree

    def curve(self) -> Curve:
        """Return the least error that was found at each size of the tree, as a curve.

        >>> import treewright as tw
        >>> curve = tw.tune(tw.example("vote"), "Class", n_fits=20, outer=0).curve()
        >>> curve.x_label, sorted(curve.marks)
        ('leaves (mean of the folds)', ['chosen', 'lowest'])
        """
        front: dict[float, Found] = {}
        rows = sorted((row for row in self.table if row.is_whole), key=lambda row: (row.leaves, row.error))
        choice = self.table.rows[self.table.choice_at]
        for row in rows:
            size = float(round(row.leaves))
            if size not in front or row.error < front[size].error or row is choice:
                front[size] = row if front.get(size) is not choice else choice
        found = list(front.values())
        best = min(range(len(found)), key=lambda i: (found[i].error, found[i].leaves))
        is_share = self.table.measure == "error"
        return Curve(
            title=f"Tuning for {self.table.target}",
            x_name="n_leaves",
            x_label="leaves (mean of the folds)",
            x=tuple(front),
            lines=(Line("cv_error", tuple(Score(row.error, row.standard_error) for row in found)),),
            y_label=SHARES if is_share else self.table.measure,
            columns={"settings": [f"{row.trial}, {row.method.words()}" for row in found]},
            marks={"lowest": best, "chosen": found.index(choice)},
        )

    def plot(self, path: str | os.PathLike[str] | None = None, *, ax: Any = None) -> Chart:
        """Return the least error at each size of the tree as a chart, saved where a path is given.

        >>> import treewright as tw
        >>> tw.tune(tw.example("vote"), "Class", n_fits=4, outer=0).plot()
        Chart(Tuning for Class, 640 x 420 px)
        """
        return self.curve().plot(path, ax=ax)

    def to_text(self) -> str:
        """Return the tree, the table, the honest error and the calls that give it again.

        >>> import treewright as tw
        >>> print(tw.tune(tw.example("vote"), "Class", n_fits=20).to_text().splitlines()[0])
        Tree for Class: ...
        """
        lines = [str(self.model.tree), "", self.table.to_text(), "", *self.sentences(), *self.notes]
        return "\n".join([*lines, f"Again: {self.repeat}", f"The search again: {self.search}"])

    def sentences(self) -> list[str]:
        """Return what was tried and how good the result is, in words.

        >>> import treewright as tw
        >>> tw.tune(tw.example("vote"), "Class", n_fits=20, outer=0).sentences()[-1]
        'No outer folds: the least error above was used to choose, and is too good to be true.'
        """
        is_share = self.table.measure == "error"
        tried = f"{count(self.n_settings, 'setting')} tried with {count(self.n_fits, 'tree')}"
        told = [f"{tried} in {number(self.seconds, 3)} s."]
        if math.isnan(self.error.value):
            return [
                *told,
                "No outer folds: the least error above was used to choose, and is too good to be true.",
            ]
        honest = figure(*self.error, is_share=is_share)
        sizes = sorted(fold.leaves for fold in self.outer)
        repeated = f"the search was repeated without each of {count(len(self.outer), 'fold')}"
        trees = f"its trees have {sizes[0]} to {sizes[-1]} leaves"
        return [*told, f"Error on rows that no choice has seen: {honest} ({repeated}; {trees})."]

    def __str__(self) -> str:
        return harmless(self.to_text())

    def in_short(self) -> str:
        """Return the tree and its error.

        >>> import treewright as tw
        >>> tw.tune(tw.example("vote"), "Class", n_fits=4, outer=0)
        Tuning(Tree(...), error -)
        """
        return f"{self.model.tree!r}, error {figure(*self.error, is_share=self.table.measure == 'error')}"
