"""How cuts are shown: a cut of many digits as the shortest number between the same two training values.

The cut itself stays what it is, half-way between its neighbours: rows to come are sent by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.numbers import PLAIN, shortened
from treewright.tree import Tree
from treewright.tree.check import CUT
from treewright.tree.edit import alter

MOST_CUTS = 1_000  # a tree of more is not read
MOST_WORK = 50_000_000  # cuts x rows
SAMPLE = 2_000  # values of a column


def with_short_cuts(tree: Tree, columns: Sequence[NDArray[Any]]) -> Tree:
    """Return the tree with `about["short_cuts"]`: pairs of a cut and the number that is shown for it.

    `columns` are those it was grown on. A number that stands for a cut of two columns separates both.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [7.8, 7.83, 9.0], "y": ["a", "b", "b"]})
    >>> tree = tw.grow(table, "y")
    >>> float(tree.cut[0]), tree.to_text().splitlines()[1]
    (7.8149999999999995, '├─ <= 7.81 → a  (1 row)')
    """
    long = _long_cuts(tree)
    if not long or len(long) > MOST_CUTS or len(long) * len(columns[0]) > MOST_WORK:
        return tree
    shown: dict[float, float] = {}
    samples: dict[int, NDArray[Any]] = {}
    for place, cut in sorted(long):
        if place not in samples:
            samples[place] = np.sort(columns[place][:: 1 + len(columns[place]) // SAMPLE])
        word = shortened(cut, *_neighbours(columns[place], samples[place], cut))
        if shown.setdefault(cut, word) != word:
            shown[cut] = cut  # in another column: no short number serves both
    pairs = [[cut, word] for cut, word in shown.items() if word != cut]
    return alter(tree, about={**tree.about, "short_cuts": pairs}) if pairs else tree


def _long_cuts(tree: Tree) -> set[tuple[int, float]]:
    """Return the places of numeric columns and the cuts of many digits there, of surrogates too."""
    nodes, others = tree.kind == CUT, tree.surrogate_kind == CUT
    places = np.concatenate([tree.column[nodes], tree.surrogate_column[others]])
    cuts = np.concatenate([tree.cut[nodes], tree.surrogate_cut[others]])
    numeric = np.array([column.is_numeric for column in tree.schema.columns], dtype=bool)[places]
    pairs = zip(places[numeric].tolist(), cuts[numeric].tolist(), strict=True)
    return {(place, cut) for place, cut in pairs if np.isfinite(cut) and float(f"{cut:.{PLAIN}g}") != cut}


def _neighbours(values: NDArray[Any], sample: NDArray[Any], cut: float) -> tuple[float, float]:
    """Return the largest value that is not above a cut, and the smallest above it.

    The sorted sample of the values brackets both, so that few of them are looked at.

    >>> values = np.array([5.0, 1.0, 2.0, np.nan, 3.0])
    >>> _neighbours(values, np.sort(values[::2]), 2.5), _neighbours(values, np.sort(values[::2]), 7.0)
    ((2.0, 3.0), (5.0, inf))
    """
    place = int(np.searchsorted(sample, cut, side="right"))
    is_near = values >= sample[place - 1] if place else ~np.isnan(values)
    if place < len(sample) and not np.isnan(sample[place]):
        is_near &= values <= sample[place]
    near = values[np.flatnonzero(is_near)].astype(np.float64)
    below, above = near[near <= cut], near[near > cut]
    return (float(below.max()) if len(below) else cut), (float(above.min()) if len(above) else np.inf)
