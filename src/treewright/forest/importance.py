"""What each column is worth to a forest: by impurity, corrected impurity, and out-of-bag permutation."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.draws import SHADOWS, SHUFFLES, item_named
from treewright.base.lines import harmless
from treewright.base.notebook import Shown
from treewright.base.numbers import number
from treewright.base.progress import Watcher, watched_by, watcher
from treewright.base.work import each
from treewright.forest import walker
from treewright.forest.draws import permutation, times_drawn
from treewright.forest.forest import Forest
from treewright.forest.grower import Trees, draws_for, grow_rows, settings_of
from treewright.forest.training import training_of
from treewright.growth.keywords import ForForests, with_settings
from treewright.route.route import threads
from treewright.table import ClassTerms, Rows, Schema, Table, table_with_target
from treewright.table.frame import frame_of
from treewright.tree.losses import row_losses

if TYPE_CHECKING:
    from typing_extensions import Unpack

Floats = NDArray[np.float64]
N_SHUFFLES = 50


@dataclass(frozen=True, eq=False, repr=False)
class Importances(Shown):
    """A figure for every column, with its standard error.

    >>> found = Importances("permutation", ("a", "b"), np.array([0.0, 0.5]), np.array([0.1, 0.2]))
    >>> print(found)
    permutation importance
    b  0.5000 ± 0.2000
    a  0.0000 ± 0.1000
    """

    kind: str
    names: tuple[str, ...]
    value: Floats
    standard_error: Floats

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns of a table.

        >>> Importances("impurity", ("a",), np.array([1.0]), np.array([0.0])).to_dict()
        {'column': ['a'], 'importance': [1.0], 'standard_error': [0.0]}
        """
        figures = {"importance": self.value.tolist(), "standard_error": self.standard_error.tolist()}
        return {"column": list(self.names), **figures}

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the figures as a data frame of pandas, polars or pyarrow.

        >>> found = Importances("impurity", ("a",), np.array([1.0]), np.array([0.0]))
        >>> found.to_frame("pandas")["importance"].tolist()
        [1.0]
        """
        return frame_of(self.to_dict(), backend)

    def __str__(self) -> str:
        names = list(map(harmless, self.names))
        width = max(map(len, names), default=0)
        order = np.argsort(-self.value, kind="stable").tolist()
        lines = [f"{names[i]:<{width}}  {self.value[i]:.4f} ± {self.standard_error[i]:.4f}" for i in order]
        return "\n".join([f"{self.kind} importance", *lines])

    def in_short(self) -> str:
        """Return the three columns of most importance.

        >>> Importances("permutation", ("a", "b"), np.array([0.0, 0.5]), np.array([0.1, 0.2]))
        Importances(permutation: b 0.5, a 0)
        """
        order = np.argsort(-self.value, kind="stable").tolist()
        most = ", ".join(f"{self.names[i]} {number(float(self.value[i]))}" for i in order[:3])
        return harmless(f"{self.kind}: {most}{' ...' if len(order) > 3 else ''}")


def impurity_shares(forest: Forest) -> Floats:
    """Return each column's share of the impurity decrease, the mean over the trees that split at all."""
    total = forest.arrays["importance"].sum(axis=1, keepdims=True)
    splits = total[:, 0] > 0
    if not splits.any():
        return np.zeros(len(forest.schema))
    shares = (forest.arrays["importance"][splits] / total[splits]).mean(axis=0)
    return np.asarray(shares / shares.sum())


def impurity(forest: Forest) -> Importances:
    """Return the mean decrease of impurity by tests on each column, per row of the table.

    Columns with many values are favoured, even noise; see `corrected` and `permutation`.

    >>> import treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), target="PlayTennis", n_trees=50)
    >>> tw.forest.impurity(forest).names
    ('Outlook', 'Temperature', 'Humidity', 'Wind')
    """
    return _over("impurity", forest.schema.names, np.asarray(forest.arrays["importance"], np.float64))


def _over(kind: str, names: tuple[str, ...], rows: Floats) -> Importances:
    n = len(rows)
    spread = rows.std(axis=0, ddof=1) / math.sqrt(n) if n > 1 else np.full(rows.shape[1], math.nan)
    return Importances(kind, names, rows.mean(axis=0), spread)


# ---- corrected impurity ----------------------------------------------------------------------------------


@with_settings
def corrected(
    table: Any,
    target: Any,
    n_trees: int = 100,
    recipe: str = "plain",
    *,
    max_columns: int | str | None = None,
    bootstrap: bool = True,
    max_samples: float | None = None,
    weights: Any = None,
    class_weight: Any = None,
    progress: Watcher | None = None,
    **settings: Unpack[ForForests],
) -> Importances:
    """Return impurity importance without its favour for columns of many values (Nembrini et al. 2018).

    A forest of its own is grown, in which every column stands beside a shadow: its values in a shuffled
    order. What tests on the shadow take off the impurity is taken from what tests on the column do, so that
    noise comes out near zero, on either side of it. Shadows are shuffled anew up to fifty times,
    and half of the trees are twins of the others in which columns and shadows have changed places.

    >>> import treewright as tw
    >>> rows = {"x": list(range(60)), "noise": [i * 7 % 60 for i in range(60)], "y": ["a"] * 30 + ["b"] * 30}
    >>> found = tw.forest.corrected(tw.Table.from_dict(rows), target="y", n_trees=40)
    >>> bool(found.value[0] > 10 * abs(found.value[1]))
    True
    """
    rows = Rows.of(*table_with_target(table, target, "corrected"), weights)
    chosen = settings_of(
        recipe, len(rows.schema), rows.is_classifier, max_columns, {**settings, "ties": "order"}
    )
    n_parts = max(1, min(N_SHUFFLES, n_trees // 2))
    bounds = [math.ceil(n_trees / 2) * i // n_parts for i in range(n_parts + 1)]
    listener = progress or watcher()
    found = []
    for part, (first, last) in enumerate(pairwise(bounds)):
        shadows = _Shadows(rows, chosen.seed, part)
        for is_swapped in (False, True):
            done, step = (2 * part + is_swapped) / (2 * n_parts), 1 / (2 * n_parts)
            beside, order = shadows.beside(is_swapped)
            with watched_by(None if listener is None else _share_of(listener, done, step)):
                trees = Trees(last - first, first, draws_for(bootstrap, max_samples))
                forest = grow_rows(beside, chosen, trees, ClassTerms(class_weight))
            found.append(_differences(forest, order))
    by_part = np.array(found).reshape(n_parts, 2, -1).mean(axis=1)
    return _over("corrected impurity", rows.schema.names, by_part)


def _differences(forest: Forest, order: NDArray[np.intp]) -> Floats:
    """Return by column what its tests took off the impurity, less what those of its shadow did."""
    worth = np.empty(len(order))
    worth[order] = forest.arrays["importance"].mean(axis=0)
    p = len(order) // 2
    return np.asarray(worth[:p] - worth[p:])


def _share_of(listener: Watcher, done: float, step: float) -> Watcher:
    return lambda share: listener(done + share * step)


class _Shadows:
    """Every column and its shadow, in a drawn order.

    Columns are drawn by their place, and equal tests go to the place that comes first. So every forest has a
    twin, in which each column stands where its shadow stood: what a place gives away cancels out.
    """

    def __init__(self, rows: Rows, seed: int, part: int) -> None:
        shadows, shuffled = [], []
        for i, (c, values) in enumerate(zip(rows.schema.columns, rows.columns, strict=True)):
            key = item_named("shadow", c.name, str(part))
            shuffled.append(values[permutation(seed, key, SHADOWS, rows.n_rows)])
            shadows.append(replace(c, name=f"shadow {i} of {c.name}\0"))
        self.rows = rows
        self.columns, self.values = [*rows.schema.columns, *shadows], [*rows.columns, *shuffled]
        self.order = permutation(seed, part, SHADOWS, 2 * len(shadows))

    def beside(self, is_swapped: bool) -> tuple[Rows, NDArray[np.intp]]:
        """Return the rows, and which column (or shadow, counted behind all) stands at each place."""
        n = len(self.columns)
        order = (self.order + n // 2) % n if is_swapped else self.order
        schema = Schema(tuple(self.columns[i] for i in order))
        return replace(self.rows, schema=schema, columns=tuple(self.values[i] for i in order)), order


# ---- out-of-bag permutation ------------------------------------------------------------------------------


def permutation_importance(
    forest: Forest,
    table: Table,
    *,
    weights: Any = None,
    n_threads: int = 1,
    progress: Watcher | None = None,
) -> Importances:
    """Return how much worse trees get on rows they have not seen when a column is shuffled among these.

    The figure is the mean over trees of the rise of the error (share of wrong classes, or mean squared
    error), with its standard error over trees. `table` is the table the forest was grown on.

    >>> import treewright as tw
    >>> rows = {"x": list(range(60)), "noise": [i * 7 % 60 for i in range(60)], "y": ["a"] * 30 + ["b"] * 30}
    >>> table = tw.Table.from_dict(rows)
    >>> found = tw.forest.permutation_importance(tw.forest.grow(table, target="y", n_trees=20), table)
    >>> bool(found.value[0] > 0.1 > found.value[1])
    True
    """
    if not forest.about["n_draws"]:
        raise ValueError("No row is out of bag: the forest was grown with bootstrap=False on all rows.")
    rows = training_of(forest, table, weights).rows
    by_tree = each(lambda t: _rises(forest, rows, t), range(forest.n_trees), threads(n_threads), progress)
    rises = np.array(by_tree).reshape(forest.n_trees, len(forest.schema))
    has_out = ~np.isnan(rises[:, 0]) if len(forest.schema) else np.ones(forest.n_trees, bool)
    return _over("permutation", forest.schema.names, rises[has_out] if has_out.any() else rises)


def _rises(forest: Forest, rows: Rows, tree: int) -> Floats:
    """Return the rise of one tree's error by column; 0 for those it does not ask about."""
    out = np.flatnonzero(times_drawn(forest, tree) == 0)
    if not len(out):
        return np.full(len(forest.schema), np.nan)
    cells, answers = [column[out] for column in rows.columns], rows.answers[out]
    laid_out = walker.one_tree(forest, tree)
    before = _error(forest, laid_out, cells, answers)
    found = np.zeros(len(forest.schema))
    start = forest.starts
    nodes = slice(start["node"][tree], start["node"][tree + 1])
    spare = slice(start["surrogate"][tree], start["surrogate"][tree + 1])
    asked = np.union1d(forest.arrays["column"][nodes], forest.arrays["surrogate_column"][spare])
    number = int(forest.about["first"]) + tree
    for place in asked[asked >= 0].tolist():
        key = item_named("shuffle", forest.schema.names[place], str(number))
        order = permutation(int(forest.about["seed"]), key, SHUFFLES, len(out))
        shuffled = [column[order] if i == place else column for i, column in enumerate(cells)]
        found[place] = _error(forest, laid_out, shuffled, answers) - before
    return found


def _error(
    forest: Forest, laid_out: _core.ForestWalker, cells: list[NDArray[Any]], answers: NDArray[Any]
) -> float:
    n, width = len(answers), max(1, len(forest.classes))
    said, counts = np.zeros(n * width), np.zeros(n, np.int32)
    laid_out.vote(cells, n, 1, True, np.empty(0, np.uint8), said, counts)
    if not forest.is_classifier:
        return float(row_losses(forest.about.get("loss", "squared"), answers, said).mean())
    return float(np.count_nonzero(said.reshape(n, width).argmax(axis=1) != answers) / n)
