"""Good trees side by side: what each costs and asks, and which columns all of them need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from treewright.base.lines import Words, aligned, harmless
from treewright.base.notebook import Shown, html_table, preformatted
from treewright.base.numbers import count, number, percent
from treewright.base.verbs import kind_of_model
from treewright.table.frame import frame_of
from treewright.tree import Tree
from treewright.tree.certificate import WORDS

MOST_LINES, MOST_NAMES = 20, 8
_WHY_SHORT = {
    "watch": "the search was ended before the list was complete",
    "memory": "the list was ended by memory=",
    "count": "there are more",
}


@kind_of_model("good trees")
@dataclass(frozen=True, eq=False, repr=False)
class GoodTrees(Shown, Sequence[Tree]):
    """Different trees, the cheapest first, with the columns they ask; a sequence of Trees.

    Two trees are the same where they have the same leaves: each with the same training rows, and the same
    columns asked on its way. The order of tests, and where between two values a cut lies, makes no
    difference. Each test pays: made a leaf, its node would cost more.

    >>> import treewright as tw
    >>> found = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2, n_trees=3).trees
    >>> print(found)
    The 3 best trees for PlayTennis
    tree  errors  above best  leaves  depth  columns
       1       2                   3      2  Humidity, Outlook
       2       2                   3      2  Humidity, Outlook
       3       2                   3      2  Humidity, Outlook
    asked by all of them: Outlook, Humidity
    asked by none of them: Temperature, Wind
    >>> found[0].n_leaves, found.needed, found.unused
    (3, ('Outlook', 'Humidity'), ('Temperature', 'Wind'))
    """

    target: str
    trees: tuple[Tree, ...]
    costs: tuple[float, ...]
    objective: str
    uses: dict[str, int]  # column: how many of all trees that were found ask it
    n_found: int  # of which `trees` may be a sample
    within: float | None = None  # the share above the best that was asked for
    ended: str = "complete"  # or "count", "memory", "watch"

    @property
    def is_complete(self) -> bool:
        """Whether no tree is left out that was asked for: the best k, or all within the limit were found."""
        return self.ended == "complete" or (self.within is None and self.ended == "count")

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns that every tree found asks."""
        return tuple(name for name, n in self.uses.items() if n == self.n_found)

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns that no tree found asks."""
        return tuple(name for name, n in self.uses.items() if n == 0)

    def __len__(self) -> int:
        return len(self.trees)

    @overload
    def __getitem__(self, place: int) -> Tree: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Tree, ...]: ...
    def __getitem__(self, place: int | slice) -> Tree | tuple[Tree, ...]:
        return self.trees[place]

    def __iter__(self) -> Iterator[Tree]:
        return iter(self.trees)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return a line for each tree as columns of plain values.

        >>> import treewright as tw
        >>> found = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2, n_trees=3).trees
        >>> found.to_dict()["cost"]
        [2.0, 2.0, 2.0]
        """
        return {
            "tree": list(range(1, len(self) + 1)),
            "cost": list(self.costs),
            "above_best": [cost - self.costs[0] for cost in self.costs],
            "leaves": [tree.n_leaves for tree in self],
            "depth": [tree.depth for tree in self],
            "columns": [list(_asked(tree)) for tree in self],
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the same as a data frame of pandas, polars or pyarrow.

        >>> import treewright as tw
        >>> found = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2, n_trees=3).trees
        >>> found.to_frame("pandas")["leaves"].tolist()
        [3, 3, 3]
        """
        return frame_of(self.to_dict(), backend)

    def _columns(self, most: int | None = None) -> list[Words]:
        told = {name: cells[:most] for name, cells in self.to_dict().items()}
        slack = 1e-9 * max(1.0, abs(self.costs[0]))
        return [
            Words("tree", list(map(str, told["tree"]))),
            Words(WORDS.get(self.objective, self.objective), [number(cost, 6) for cost in told["cost"]]),
            Words("above best", [number(x, 6) if x > slack else "" for x in told["above_best"]]),
            Words("leaves", list(map(str, told["leaves"]))),
            Words("depth", list(map(str, told["depth"]))),
            Words("columns", [_listed(names) for names in told["columns"]], "<"),
        ]

    def title(self) -> str:
        """Return what the list is, and why it is not complete where it is not.

        >>> import treewright as tw
        >>> tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2, within=0.1).trees.title()
        '8 different trees within 10.0 % of the best for PlayTennis'
        """
        best = count(len(self), "tree")
        if self.within is None:
            few = "" if self.is_complete else f"; {_WHY_SHORT[self.ended]}"
            what = "The best tree" if len(self) == 1 else f"The {len(self):,} best trees"
            return harmless(f"{what} for {self.target}{few}")
        near = f"within {percent(self.within, 1)} of the best for {self.target}"
        if self.is_complete:
            what = f"{count(self.n_found, 'different tree')} {near}"
        else:
            more = "More than " if self.ended == "count" else "At least "
            what = f"{more}{count(self.n_found, 'different tree')} {near}: {_WHY_SHORT[self.ended]}; ask for "
            what += "a smaller within=, a leaf_price= or fewer levels"
        return harmless(what if len(self) == self.n_found else f"{what}; a sample of {best}")

    def _needs(self) -> list[str]:
        of = "of them" if len(self) == self.n_found else f"of the {self.n_found:,}"
        if self.n_found == 1:
            return []
        return [
            f"asked by all {of}: {_listed(self.needed) or 'no column'}",
            f"asked by none {of}: {_listed(self.unused) or 'no column'}",
        ]

    def to_text(self, most: int | None = None) -> str:
        """Return the table in lines, of the first `most` trees where a number is given.

        >>> import treewright as tw
        >>> found = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2, n_trees=3).trees
        >>> print(found.to_text(1).splitlines()[-3])
        (and 2 more: trees.to_frame() has all)
        """
        shown = len(self) if most is None else min(most, len(self))
        rest = [f"(and {len(self) - shown:,} more: trees.to_frame() has all)"] if shown < len(self) else []
        return harmless("\n".join([self.title(), *aligned(self._columns(shown)), *rest, *self._needs()]))

    def __str__(self) -> str:
        return self.to_text(MOST_LINES)

    def in_short(self) -> str:
        """Return how many trees there are, and what the best and the last cost.

        >>> import treewright as tw
        >>> tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2, n_trees=3).trees
        GoodTrees(3 trees, 2 errors)
        """
        costs = " to ".join(dict.fromkeys(number(cost, 6) for cost in (self.costs[0], self.costs[-1])))
        return f"{count(len(self), 'tree')}, {costs} {WORDS.get(self.objective, self.objective)}"

    def _repr_html_(self) -> str:
        return (
            preformatted(self.title()) + html_table(self._columns()) + preformatted("\n".join(self._needs()))
        )


def _asked(tree: Tree) -> list[str]:
    return sorted(tree.schema.names[place] for place in tree.used_columns.tolist())


def _listed(names: Sequence[str]) -> str:
    """Return names in a line, with how many more there are where they are many."""
    few = names if len(names) <= MOST_NAMES + 1 else [*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} more"]
    return ", ".join(few)
