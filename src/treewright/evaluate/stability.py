"""How much of a tree is chance: the same recipe on bootstrap samples of its rows."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import paint
from treewright.base.draws import BOOTSTRAP, row_shares
from treewright.base.lines import Words, aligned, harmless
from treewright.base.notebook import Shown
from treewright.base.numbers import percent
from treewright.base.progress import Watcher
from treewright.base.work import each
from treewright.evaluate.learner import Grower
from treewright.growth.keywords import ForFolds, with_settings
from treewright.paint import Axis, Chart
from treewright.paint.colours import PAPER, mixed
from treewright.paint.files import delivered
from treewright.predict import route_columns, values
from treewright.predict.vote import labels
from treewright.table import coded, table_with_target
from treewright.table.frame import frame_of
from treewright.tree import Tree, split
from treewright.tree.check import CUT

if TYPE_CHECKING:
    from typing_extensions import Unpack

Ints = NDArray[np.int64]
LEAF = "(leaf)"
_SHORT = split.Style(most=8)  # a place names so many categories of a set


class Cuts(NamedTuple):
    """Where a column was cut: how often, and the quartiles of the cuts; NaN where it was not."""

    n: int
    low: float = math.nan
    median: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, repr=False)
class Place(Shown):
    """A place of the tree: what it asks, and what the bootstrap trees ask there.

    A bootstrap tree has the place if it asks the same columns on the way to it. `columns` counts what they
    ask there, most often first; "(leaf)" where they stop.

    >>> Place(0, "root", "Wind", 4, {"Wind": 3, "(leaf)": 1}, {}).share("Wind")
    0.75
    """

    node: int
    way: str
    column: str  # of the tree grown on all rows; "(leaf)" in a leaf
    n_trees: int  # bootstrap trees that have the place
    columns: Mapping[str, int]
    cuts: Mapping[str, Cuts]

    def __str__(self) -> str:
        asked = ", ".join(f"{column} {n} of {self.n_trees}" for column, n in self.columns.items())
        return harmless(f"{self.way}: {asked}")

    def share(self, column: str) -> float:
        """Return how often a column is asked here, as a share of the trees that have the place.

        >>> Place(0, "root", "Wind", 0, {}, {}).share("Wind")
        nan
        """
        return self.columns.get(column, 0) / self.n_trees if self.n_trees else math.nan


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Shown):
    """What bootstrap trees have in common with a tree, and with each other.

    `agreement` is, for classes, how often two bootstrap trees say the same of a row of the table; for
    numbers, the standard deviation of what they say (0 is full agreement). `agreement_with_tree` is the same
    between them and the tree grown on all rows.

    >>> import treewright as tw
    >>> found = stability(tw.example("tennis"), "PlayTennis", "id3", n_trees=20, depth=0)
    >>> found.places[0].column, found.places[0].n_trees
    ('Outlook', 20)
    """

    tree: Tree
    n_trees: int
    places: tuple[Place, ...]
    agreement: float
    agreement_with_tree: float
    n_leaves: tuple[int, ...]
    trees: tuple[Tree, ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return one line for each place and column asked there.

        >>> import treewright as tw
        >>> found = stability(tw.example("tennis"), "PlayTennis", "id3", n_trees=20, depth=0).to_dict()
        >>> found["column"][0], found["n_times"][0] > 10, found["is_of_tree"][0]
        ('Outlook', True, True)
        """
        rows = [
            {
                "node": place.node,
                "place": place.way,
                "n_trees": place.n_trees,
                "column": column,
                "n_times": n,
                "share": n / place.n_trees,
                "is_of_tree": column == place.column,
                "cut_low": place.cuts.get(column, Cuts(0)).low,
                "cut_median": place.cuts.get(column, Cuts(0)).median,
                "cut_high": place.cuts.get(column, Cuts(0)).high,
            }
            for place in self.places
            for column, n in place.columns.items()
        ]
        names = ("node", "place", "n_trees", "column", "n_times", "share", "is_of_tree")
        return {name: [row[name] for row in rows] for name in (*names, "cut_low", "cut_median", "cut_high")}

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the same as a data frame of pandas, polars or pyarrow.

        >>> import treewright as tw
        >>> found = stability(tw.example("tennis"), "PlayTennis", "id3", n_trees=20, depth=0)
        >>> found.to_frame("pandas")["place"][0]
        'root'
        """
        return frame_of(self.to_dict(), backend)

    def to_text(self) -> str:
        """Return places and columns as lines; "*" is what the tree grown on all rows asks.

        >>> import treewright as tw
        >>> print(stability(tw.example("tennis"), "PlayTennis", "id3", n_trees=20, depth=0).to_text())
        place  asks            trees
        root   Outlook *    14 of 20
               Humidity      2 of 20
               Temperature   2 of 20
               Wind          2 of 20
        20 bootstrap trees of 3 to 11 leaves; the tree of all rows has 6.
        Two of them say the same of 79.9 % of the rows; one of them and the tree of 87.5 %.
        """
        lines = [(place, column, n) for place in self.places for column, n in place.columns.items()]
        first = {place.node: next(iter(place.columns), None) for place in self.places}
        ways = [place.way if column == first[place.node] else "" for place, column, _ in lines]
        asks = [
            f"{_in_words(column)} *" if column == place.column else _in_words(column)
            for place, column, _ in lines
        ]
        cuts = [_cuts_in_words(self.tree, column, place.cuts.get(column)) for place, column, _ in lines]
        columns = [
            Words("place", ways, "<"),
            Words("asks", asks, "<"),
            Words("trees", [f"{n} of {place.n_trees}" for place, _, n in lines]),
        ]
        if any(cuts):
            columns.append(Words("cut (quartiles)", cuts, "<"))
        return "\n".join([*aligned(columns), *self._sentences()])

    def _sentences(self) -> Iterator[str]:
        low, high = min(self.n_leaves), max(self.n_leaves)
        own = self.tree.n_leaves
        yield f"{self.n_trees} bootstrap trees of {low} to {high} leaves; the tree of all rows has {own}."
        if self.tree.is_classifier:
            yield (
                f"Two of them say the same of {percent(self.agreement, 1)} of the rows; "
                f"one of them and the tree of {percent(self.agreement_with_tree, 1)}."
            )
        else:
            yield (
                f"What they say of a row spreads by {self.agreement:.4g} about its mean, "
                f"and by {self.agreement_with_tree:.4g} about what the tree says."
            )

    def __str__(self) -> str:
        return self.to_text()

    def in_short(self) -> str:
        """Return how many trees there are, and how far they agree.

        >>> import treewright as tw
        >>> stability(tw.example("tennis"), "PlayTennis", "id3", n_trees=20, depth=0)
        Stability(20 bootstrap trees of 3 to 11 leaves; the tree of all rows has 6.)
        """
        return next(self._sentences())

    def plot(self, path: str | os.PathLike[str] | None = None, *, place: int = 0, ax: Any = None) -> Chart:
        """Return as a chart how often each column is asked at a place; 0 is the root.

        Args:
            path: where to save it: .svg, .pdf, .png or .txt.
            place: the number of a place, as in `places`.
            ax: matplotlib's axes to draw on as well.

        >>> import treewright as tw
        >>> found = stability(tw.example("tennis"), "PlayTennis", "id3", n_trees=20, depth=0)
        >>> found.plot().x.label
        'of 20 bootstrap trees (* asked by the tree of all rows)'
        """
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(self.places):
            raise ValueError(
                f"place={place!r} is not one of the {len(self.places)} places, 0 to {len(self.places) - 1}."
            )
        here = self.places[place]
        names = list(here.columns)[::-1]
        bars = [(0.0, i - 0.36, float(here.columns[name]), i + 0.36) for i, name in enumerate(names)]
        is_own = [name == here.column for name in names]
        own, others = paint.layers.LINES[0], mixed(paint.layers.LINES[0], PAPER, 0.35)
        chart = Chart(
            f"Asked at: {here.way}",
            Axis(
                f"of {here.n_trees} bootstrap trees (* asked by the tree of all rows)",
                high=float(max(here.n_trees, 1)),
                is_whole=True,
            ),
            Axis.of_names(
                "", [f"{name} *" if mine else name for name, mine in zip(names, is_own, strict=True)]
            ),
            (
                paint.Cells(
                    bars, [own if mine else others for mine in is_own], [4 if m else 2 for m in is_own]
                ),
            ),
            size=(640.0, max(200.0, 130.0 + 22.0 * len(names))),
        )
        return delivered(chart, path, ax)  # type: ignore[no-any-return]


@with_settings
def stability(
    table: Any,
    target: Any,
    recipe: str = "plain",
    *,
    n_trees: int = 100,
    depth: int = 2,
    weights: Any = None,
    seed: int = 0,
    n_jobs: int | None = 1,
    progress: Watcher | None = None,
    **settings: Unpack[ForFolds],
) -> Stability:
    """Return how often bootstrap trees ask what the tree of all rows asks, where they cut, how they agree.

    Args:
        table: features and target.
        target: the column to predict.
        recipe: an algorithm by name, with its pruning.
        n_trees: bootstrap samples: as many rows as the table, drawn with replacement.
        depth: places are looked at down to this depth; the root is 0.
        weights: one number per row or the name of a column.
        seed: of the samples and of growth.
        n_jobs: trees grown at once.
        progress: called with the share that is done.
        settings: of the recipe, as in `tw.grow`.

    >>> import treewright as tw
    >>> found = stability(tw.example("vote"), "Class", "c4.5", n_trees=20)
    >>> found.places[0].share("physician-fee-freeze")
    1.0
    """
    table, target = table_with_target(table, target, "stability")
    for name, value, low in (("n_trees", n_trees, 2), ("depth", depth, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            raise ValueError(f"{name}={value!r} must be a whole number of at least {low}.")
    grower = Grower.of(table, target, recipe, weights=weights, seed=seed, **settings)
    n = table.n_rows
    tree = grower.fit(np.arange(n))
    sample = grower.sample(tree, np.arange(n))

    def grown(number: int) -> tuple[Tree, NDArray[Any]]:
        drawn = np.minimum((row_shares(seed, BOOTSTRAP, number, n) * n).astype(np.int64), n - 1)
        found = grower.fit(np.sort(drawn))
        return found, _answers(found, sample.columns, n)

    trees, said = zip(*each(grown, range(n_trees), n_jobs, progress), strict=True)
    measure = _same if tree.is_classifier else _apart
    agreement, with_tree = measure(np.array(said), _answers(tree, sample.columns, n), len(tree.classes))
    return Stability(
        tree,
        n_trees,
        tuple(_places(tree, trees, depth)),
        agreement,
        with_tree,
        tuple(t.n_leaves for t in trees),
        trees,
    )


def _answers(tree: Tree, columns: Any, n_rows: int) -> NDArray[Any]:
    given = coded(tree.schema.columns, list(columns))
    routed = route_columns(tree, given, n_rows)
    return labels(tree, routed, given) if tree.is_classifier else values(tree, routed, given)


def _same(said: NDArray[Any], own: NDArray[Any], n_classes: int) -> tuple[float, float]:
    """Return how often two trees say the same of a row, and how often they say what the tree says."""
    b = len(said)
    votes = np.array([(said == c).sum(axis=0) for c in range(n_classes)], dtype=np.float64)
    pairs = (votes * (votes - 1)).sum(axis=0) / (b * (b - 1))
    return float(pairs.mean()), float((said == own).mean())


def _apart(said: NDArray[Any], own: NDArray[Any], _: int) -> tuple[float, float]:
    """Return the root mean square of the spread between trees, and about what the tree says."""
    between = said.var(axis=0, ddof=1).mean()
    return math.sqrt(float(between)), math.sqrt(float(((said - own) ** 2).mean()))


def _places(tree: Tree, trees: tuple[Tree, ...], depth: int) -> Iterator[Place]:
    """Yield the places of the tree down to a depth, in its order, with what the others ask there."""
    # A bootstrap tree is at the same place as long as both ask the same column, branch by branch.
    beside: dict[int, list[tuple[Tree, int]]] = {0: [(other, 0) for other in trees]}
    for node in range(tree.n_nodes):
        if tree.depths[node] > depth:
            continue
        here = beside.pop(node)
        yield _place(tree, node, here)
        for branch, child in enumerate(tree.children(node)):
            beside[child] = [
                (other, other.children(i)[found])
                for other, i in here
                if (found := _branch_like(tree, node, branch, other, i)) is not None
            ]


def _branch_like(tree: Tree, node: int, branch: int, other: Tree, i: int) -> int | None:
    """Return the branch of another tree's node that stands for this one; None where another column is asked.

    Of a cut it is the branch of the same number. Of categories it is the one that most of the branch's
    categories take; the one of the same number on ties.
    """
    if _asks(tree, node) != _asks(other, i) or tree.branch_counts[node] != other.branch_counts[i]:
        return None
    own = slice(int(tree.code_start[node]), int(tree.code_start[node + 1]))
    theirs = slice(int(other.code_start[i]), int(other.code_start[i + 1]))
    codes = tree.code[own][tree.code_branch[own] == branch]
    taken = other.code_branch[theirs][np.isin(other.code[theirs], codes)]
    votes = 2 * np.bincount(taken, minlength=int(other.branch_counts[i]))
    votes[branch] += 1
    return int(np.argmax(votes))


def _place(tree: Tree, node: int, here: list[tuple[Tree, int]]) -> Place:
    asked = Counter(_asks(other, i) for other, i in here)
    cuts = {}
    for name in asked:
        found = [float(t.cut[i]) for t, i in here if t.kind[i] == CUT and _asks(t, i) == name]
        if found and _is_numeric(tree, name):
            cuts[name] = Cuts(len(found), *np.quantile(found, [0.25, 0.5, 0.75]).tolist())
    order = sorted(asked, key=lambda name: (-asked[name], name))
    counts = MappingProxyType({name: asked[name] for name in order})
    return Place(node, _way(tree, node), _asks(tree, node), len(here), counts, MappingProxyType(cuts))


def _asks(tree: Tree, node: int) -> str:
    if tree.term_start[node + 1] > tree.term_start[node]:
        asked = tree.term_column[int(tree.term_start[node]) : int(tree.term_start[node + 1])].tolist()
        return " + ".join(tree.schema.names[column] for column in asked)
    column = int(tree.column[node])
    return LEAF if column < 0 else tree.schema.names[column]


def _is_numeric(tree: Tree, name: str) -> bool:
    return name in tree.schema and tree.schema.columns[tree.schema.index(name)].is_numeric


def _way(tree: Tree, node: int) -> str:
    """Return the tests on the way to a node, in words."""
    steps = []
    while node:
        parent, branch = int(tree.parents[node]), int(tree.branches[node])
        steps.append(f"{split.question(tree, parent)} {split.answers(tree, parent, _SHORT)[branch]}")
        node = parent
    return " and ".join(reversed(steps)) or "root"


def _in_words(column: str) -> str:
    return column if column == LEAF else split.name(column)


def _cuts_in_words(tree: Tree, column: str, cuts: Cuts | None) -> str:
    if cuts is None:
        return ""
    is_number = column not in tree.schema or not tree.schema[column].shows_moments
    low, median, high = (
        f"{cut:.4g}" if is_number else tree.schema.text_of(column, cut)
        for cut in (cuts.low, cuts.median, cuts.high)
    )
    return f"{median} ({low} to {high})"
