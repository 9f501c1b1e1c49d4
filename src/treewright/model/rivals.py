"""Ways to make a tree side by side: their error on rows held out, their size, and which is chosen."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from treewright.base.lines import Words, aligned, figure, harmless
from treewright.base.notebook import Shown, html_table
from treewright.base.numbers import count, number, percent
from treewright.table.frame import frame_of


@dataclass(frozen=True, repr=False)
class Rival(Shown):
    """One way: a recipe and a pruning, the size of the tree of all rows, and the error on rows held out.

    >>> Rival("cart", "cv", 5, 3, 0.2, 0.01).leaves
    5
    """

    recipe: str
    prune: str
    leaves: int
    depth: int
    error: float  # share of wrong answers, or mean squared error, or the loss of the criterion
    standard_error: float = math.nan
    seconds: float = math.nan
    is_tree: bool = True

    def __str__(self) -> str:
        size = f"{count(self.leaves, 'leaf', 'leaves')}, depth {self.depth}"
        return f"{self.recipe}, {self.prune}: {size}, error {figure(self.error, self.standard_error)}"


@dataclass(frozen=True, repr=False)
class Rivals:
    """All that were tried, the best first; `choice` is the smallest tree within one standard error of it.

    >>> found = Rivals("y", (Rival("c4.5", "none", 9, 4, 0.2, 0.05), Rival("cart", "cv", 2, 1, 0.24, 0.05)))
    >>> found.best.recipe, found.choice.recipe
    ('c4.5', 'cart')
    >>> print(found)
    recipe  pruning  leaves  depth   error  ± SE
    c4.5    none          9      4  20.0 %   5.0  lowest error
    cart    cv            2      1  24.0 %   5.0  smallest tree within one standard error
    """

    target: str
    rows: tuple[Rival, ...]
    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by reason: the ways
    measure: str = "error"  # or "mse", "mae", "poisson_deviance"

    def __post_init__(self) -> None:
        ordered = sorted(self.rows, key=lambda row: (row.error, row.leaves))
        object.__setattr__(self, "rows", tuple(ordered))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Rival]:
        return iter(self.rows)

    @property
    def best(self) -> Rival:
        """The tree of least error."""
        return next((row for row in self.rows if row.is_tree), self.rows[0])

    @property
    def choice(self) -> Rival:
        """The smallest tree whose error is within one standard error of the least."""
        best = self.best
        spread = 0.0 if math.isnan(best.standard_error) else best.standard_error
        near = [row for row in self.rows if row.is_tree and row.error <= best.error + spread]
        return min(near or [best], key=lambda row: (row.leaves, row.error))

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the ways as columns of plain values.

        >>> Rivals("y", (Rival("cart", "cv", 2, 1, 0.24),)).to_dict()["leaves"]
        [2]
        """
        names = [f.name for f in fields(Rival) if f.name != "is_tree"]
        columns = {name: [getattr(row, name) for row in self.rows] for name in names}
        columns["is_best"] = [row is self.best for row in self.rows]
        columns["is_choice"] = [row is self.choice for row in self.rows]
        return columns

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the ways as a data frame of pandas, polars or pyarrow.

        >>> Rivals("y", (Rival("cart", "cv", 2, 1, 0.24),)).to_frame("pandas")["recipe"].tolist()
        ['cart']
        """
        return frame_of(self.to_dict(), backend)

    def _columns(self) -> list[Words]:
        shown = [_figures(self.measure, row) for row in self.rows]
        title = {"error": "error", "mse": "RMSE", "mae": "MAE"}.get(self.measure, "deviance")
        columns = [
            Words("recipe", [row.recipe for row in self.rows], "<"),
            Words("pruning", [row.prune for row in self.rows], "<"),
            Words("leaves", [count(row.leaves) for row in self.rows]),
            Words("depth", [str(row.depth) if row.is_tree else "" for row in self.rows]),
            Words(title, [error for error, _ in shown]),
            Words("± SE", [spread for _, spread in shown]),
        ]
        if any(row.seconds >= 1 for row in self.rows):  # else it is quick, whatever is chosen
            columns.append(Words("seconds", [f"{row.seconds:.1f}" for row in self.rows]))
        columns.append(Words("", [", ".join(self._notes(row)) for row in self.rows], "<"))
        return columns

    def _notes(self, row: Rival) -> Iterator[str]:
        if not row.is_tree:
            yield "for comparison: a forest cannot be read"
        if row is self.best:
            yield "lowest error" if row is not self.choice else "lowest error, and chosen"
        elif row is self.choice:
            yield "smallest tree within one standard error"

    def _left_out_lines(self, word: Callable[[str], str] = str) -> list[str]:
        return [f"left out: {', '.join(ways)} ({word(reason)})" for reason, ways in self.left_out.items()]

    def to_text(self, word: Callable[[str], str] = str) -> str:
        """Return the table in lines; each reason why something was left out once, as `word` says it.

        >>> print(Rivals("y", (Rival("cart", "cv", 2, 1, 0.24),), {"no numbers": ("id3", "c4.5")}).to_text())
        recipe  pruning  leaves  depth   error  ± SE
        cart    cv            2      1  24.0 %     -  lowest error, and chosen
        left out: id3, c4.5 (no numbers)
        """
        return "\n".join([*aligned(self._columns()), *self._left_out_lines(word)])

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        best = self.choice
        return harmless(
            f"Rivals({count(len(self), 'way')} to {self.target}; chosen: {best.recipe}, {best.prune})"
        )

    def _repr_html_(self) -> str:
        said = [Words("", self._left_out_lines(), "<")] if self.left_out else []
        return html_table(self._columns()) + (html_table(said) if said else "")


def _figures(measure: str, row: Rival) -> tuple[str, str]:
    """Return the error and its standard error as people read them: per cent, or in the target's own unit."""
    if measure == "error":
        spread = row.standard_error
        return percent(row.error, 1), "-" if math.isnan(spread) else f"{100 * spread:.1f}"
    value, spread = row.error, row.standard_error
    if measure == "mse":  # the root, and what that may be off by: d sqrt(x) = dx / (2 sqrt(x))
        root = math.sqrt(max(value, 0.0))
        value, spread = root, spread / (2 * root) if root > 0 else 0.0
    return number(value), number(spread, 3)
