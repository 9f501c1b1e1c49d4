"""How cuts are shown: a cut of many digits as the shortest number between the same two training values.

The cut itself stays what it is, half-way between its neighbours: rows to come are sent by that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.numbers import PLAIN, shortened
from treewright.growth.question import as_numbers
from treewright.tree import Tree
from treewright.tree.check import CUT
from treewright.tree.edit import alter

MOST_CUTS = 1_000  # a tree of more is not read
MOST_WORK = 50_000_000  # cuts x rows
Cut = tuple[int, float]  # the place of a column, and where it is cut


def with_short_cuts(tree: Tree, columns: Sequence[NDArray[Any]]) -> Tree:
    """Return the tree with `about["short_cuts"]`: pairs of a cut and the number that is shown for it.

    `columns` are those it was grown on. A number that stands for a cut of two columns separates both.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [7.8, 7.83, 9.0], "y": ["a", "b", "b"]})
    >>> tree = tw.grow(table, "y")
    >>> float(tree.cut[0]), tree.to_text().splitlines()[1]
    (7.8149999999999995, '├─ <= 7.81 → a  (1 row)')
    """
    n_rows = len(columns[0]) if len(columns) else 0
    return with_cuts_between(tree, n_rows, lambda cuts: _neighbours(cuts, columns))


def with_cuts_between(
    tree: Tree, n_rows: int, neighbours: Callable[[Sequence[Cut]], Iterable[tuple[float, float]]]
) -> Tree:
    """Return the same, for rows that lie elsewhere: `neighbours` gives the values at both sides of cuts.

    The cuts of a column come together, ascending.
    """
    ordered = _long_cuts(tree)
    if not ordered or len(ordered) > MOST_CUTS or len(ordered) * n_rows > MOST_WORK:
        return tree
    shown: dict[float, float] = {}
    for (_, cut), values in zip(ordered, neighbours(ordered), strict=True):
        word = shortened(cut, *values)
        if shown.setdefault(cut, word) != word:
            shown[cut] = cut  # in another column: no short number serves both
    pairs = [[cut, word] for cut, word in shown.items() if word != cut]
    return alter(tree, about={**tree.about, "short_cuts": pairs}) if pairs else tree


def _long_cuts(tree: Tree) -> list[Cut]:
    """Return the places of numeric columns and the cuts of many digits there, of surrogates too, in order.

    Of more than MOST_CUTS of them one more is enough to know.
    """
    nodes, others = tree.kind == CUT, tree.surrogate_kind == CUT
    places = np.concatenate([tree.column[nodes], tree.surrogate_column[others]])
    cuts = np.concatenate([tree.cut[nodes], tree.surrogate_cut[others]])
    numeric = np.array([column.is_numeric for column in tree.schema.columns], dtype=bool)
    asked = numeric[places] & np.isfinite(cuts) & ~_has_few_digits(cuts)
    order = np.lexsort((cuts[asked], places[asked]))
    pairs = zip(places[asked][order].tolist(), cuts[asked][order].tolist(), strict=True)
    distinct = (pair for pair, _ in groupby(pairs))
    long = ((place, cut) for place, cut in distinct if float(f"{cut:.{PLAIN}g}") != cut)
    return list(islice(long, MOST_CUTS + 1))


def _has_few_digits(cuts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which cuts are whole or half and of five digits before the point: midpoints of whole numbers."""
    with np.errstate(over="ignore"):
        few: NDArray[np.bool_] = (np.abs(cuts) < 10 ** (PLAIN - 1)) & (np.rint(2 * cuts) == 2 * cuts)
    return few


def _neighbours(cuts: Sequence[Cut], columns: Sequence[NDArray[Any]]) -> Iterator[tuple[float, float]]:
    """Yield for each cut the largest value of its column that is not above it, and the smallest above it.

    Where no value is below, the cut itself bounds what is shown.

    >>> values = np.array([5.0, 1.0, 2.0, np.nan, 3.0])
    >>> list(_neighbours([(0, 0.5), (0, 2.5), (0, 7.0)], [values]))
    [(0.5, 1.0), (2.0, 3.0), (5.0, inf)]
    """
    by_column = {place: np.array([cut for _, cut in some]) for place, some in groupby(cuts, itemgetter(0))}
    held = [_core.Column.of_numbers(as_numbers(columns[place]), 0) for place in by_column]
    for own, (below, above) in zip(
        by_column.values(), _core.neighbours(held, [*by_column.values()]), strict=True
    ):
        yield from zip(np.where(np.isinf(below), own, below).tolist(), above.tolist(), strict=True)
