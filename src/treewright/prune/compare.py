"""One grown tree, every way to prune it, side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

import numpy as np

from treewright.base.deprecated import renamed
from treewright.base.lines import Words, aligned, figure, harmless
from treewright.base.notebook import Shown
from treewright.base.numbers import count
from treewright.base.progress import Watcher
from treewright.prune.counts import Floats, UnsuitableError
from treewright.prune.critical_value import CriticalValue
from treewright.prune.cross_validation import Fold, cross_validation
from treewright.prune.dealing import folds_in
from treewright.prune.heldout import losses, mean_loss
from treewright.prune.mdl import MDL
from treewright.prune.method import CostComplexity, ErrorBased, ErrorComplexity, ReducedError
from treewright.prune.minimum_error import MinimumError
from treewright.prune.pessimistic import Pessimistic
from treewright.prune.regrow import Regrow
from treewright.prune.regularised import Regularised
from treewright.prune.risk import node_risk, staying_risk, total_weight
from treewright.prune.sample import Sample, sample_of
from treewright.table import Table
from treewright.table.frame import frame_of
from treewright.tree import Tree
from treewright.tree.losses import counts_errors

Figures = tuple[float, float]  # an error and its standard error
_UNKNOWN: Figures = (math.nan, math.nan)
Method = Callable[..., Tree]  # an object that says what it `needs` besides the tree, or a plain function

METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "reduced_error": ReducedError(),
        "cost_complexity": CostComplexity(),
        "error_complexity": ErrorComplexity(),
        "error_based": ErrorBased(),
        "pessimistic": Pessimistic(),
        "pessimistic (lecture)": Pessimistic(standard_errors=0.0),
        "mdl": MDL(),
        "mdl (sliq)": MDL(code="sliq"),
        "mdl (quinlan_rivest)": MDL(code="quinlan_rivest"),
        "minimum_error": MinimumError(),
        "minimum_error (m=2)": MinimumError(m=2.0),
        "critical_value": CriticalValue(),
        "regularised": Regularised(),
    }
)


@dataclass(frozen=True, repr=False)
class Pruned(Shown):
    """One line of a comparison: what a method made of the tree. NaN where no rows were given to tell.

    >>> Pruned("none", 5, 2, 0.0).collapsed
    ()
    """

    method: str
    n_leaves: int
    depth: int
    training_error: float
    training_se: float = math.nan
    validation_error: float = math.nan
    validation_se: float = math.nan
    cv_error: float = math.nan
    cv_se: float = math.nan
    collapsed: tuple[int, ...] = ()  # nodes of the grown tree whose tests are gone, the topmost ones

    went = renamed("went", "collapsed")

    def __str__(self) -> str:
        size = f"{count(self.n_leaves, 'leaf', 'leaves')}, depth {self.depth}"
        return harmless(
            f"{self.method}: {size}, training error {figure(self.training_error, self.training_se)}"
        )


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """What each pruning method made of one tree: a table to read, and columns for a data frame.

    >>> from treewright.tree.example import tennis
    >>> print(compare(tennis(), methods={"pessimistic": Pessimistic(2)}))
    method       leaves  depth  training error  collapsed
    none              5      2     0.0 % ± 0.0  -
    pessimistic       3      1   28.6 % ± 12.1  1, 5
    """

    rows: tuple[Pruned, ...]
    trees: Mapping[str, Tree]  # by method
    left_out: Mapping[str, str]  # methods that could not be used here, and why

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the comparison as columns of plain values.

        >>> from treewright.tree.example import tennis
        >>> compare(tennis(), methods={"pessimistic": Pessimistic(2)}).to_dict()["n_leaves"]
        [5, 3]
        """
        columns = {f.name: [getattr(row, f.name) for row in self.rows] for f in fields(Pruned)}
        columns["collapsed"] = [list(nodes) for nodes in columns["collapsed"]]
        return columns

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the comparison as a data frame: of pandas, polars or pyarrow, by name or what is installed.

        >>> from treewright.tree.example import tennis
        >>> frame = compare(tennis(), methods={"pessimistic": Pessimistic(2)}).to_frame("pandas")
        >>> frame[["method", "n_leaves"]].values.tolist()
        [['none', 5], ['pessimistic', 3]]
        """
        return frame_of(self.to_dict(), backend)

    def in_short(self) -> str:
        """Return the methods and the leaves they left, the first of many.

        >>> from treewright.tree.example import tennis
        >>> compare(tennis(), methods={"pessimistic": Pessimistic(2)})
        Comparison(leaves by method: none 5, pessimistic 3)
        """
        shown = [f"{row.method} {row.n_leaves}" for row in self.rows[:4]]
        return f"leaves by method: {', '.join(shown)}{' ...' if len(self.rows) > 4 else ''}"

    def __str__(self) -> str:
        is_share = all(map(counts_errors, self.trees.values()))
        return "\n".join(
            [*_aligned(self.rows, is_share), *(f"left out: {n} ({why})" for n, why in self.left_out.items())]
        )


def compare(
    tree: Tree,
    table: Table | Sample | None = None,
    validation: Table | Sample | None = None,
    *,
    methods: Mapping[str, Method] = METHODS,
    folds: Any = None,
    groups: Any = None,
    order: Any = None,
    weights: Any = None,
    seed: int = 0,
    n_jobs: int = 1,
    regrow: Regrow | None = None,
    progress: Watcher | None = None,
) -> Comparison:
    """Return what each method makes of a tree: leaves, depth, errors, and which subtrees were collapsed.

    `methods` are objects such as `Pessimistic()` or functions of the tree, by the names to show them under.
    `table` holds the training rows, `validation` others. Training errors are counted in the tree's own
    statistics. With `folds` (a number, the fold of each row of `table`, or the name of a column) the whole
    way, growing and pruning, is repeated on the rest of every fold and judged by the rows held out; with
    `groups` (a column, or one value per row) rows of one group stay in one fold, with `order` what judges
    comes after what is learned from;
    `weights` (of the rows of `table`), `seed`, `n_jobs`, `regrow` and `progress` are as in `choose_m`. An
    error is the share of wrong rows (their mean cost, where the tree has costs), or the mean squared error;
    its standard error is beside it. `collapsed` names nodes of the given tree.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> methods = {"pessimistic": Pessimistic(), "regularised": Regularised(lambda_=5)}
    >>> print(compare(tree, table, folds=[0, 1] * 7, methods=methods))
    method       leaves  depth  training error       cv error  collapsed
    none              6      2     0.0 % ± 0.0  28.6 % ± 12.1  -
    pessimistic       4      2    14.3 % ± 9.4  42.9 % ± 13.2  1
    regularised       1      0   35.7 % ± 12.8  71.4 % ± 12.1  0
    """
    usable, left_out = _usable(tree, methods, table, validation)
    rows = None if table is None else sample_of(tree, table, weights)
    others = None if validation is None else sample_of(tree, validation)
    trees = {"none": tree}
    for name, method in usable.items():
        try:
            trees[name] = _prune(method, tree, rows, others)
        except UnsuitableError as reason:
            left_out[name] = str(reason)
    if folds is None and (groups is not None or order is not None):
        raise ValueError("groups= and order= deal folds; say how many, such as folds=10.")
    if folds is not None and table is not None:
        folds = folds_in(table, folds, groups, order)
    more = {"folds": folds, "weights": weights, "seed": seed, "n_jobs": n_jobs, "regrow": regrow}
    more["progress"] = progress
    held, at = ({}, None) if folds is None else _held_out(tree, table, others, usable, trees, more)
    found = []
    for name, pruned in trees.items():
        checked = _UNKNOWN if others is None else mean_loss(losses(pruned, others), others.weights)
        crossed = _UNKNOWN if at is None or rows is None else mean_loss(held[name][at], rows.weights[at])
        found.append(_row(name, tree, pruned, checked, crossed))
    return Comparison(tuple(found), MappingProxyType(trees), MappingProxyType(left_out))


def _held_out(
    tree: Tree,
    table: Table | Sample | None,
    others: Sample | None,
    methods: Mapping[str, Method],
    trees: Mapping[str, Tree],
    more: Mapping[str, Any],
) -> tuple[dict[str, Floats], Any]:
    """Return the cross-validated loss of every training row, by method; and which rows were held out."""
    if table is None:
        raise ValueError(f"folds={more['folds']!r} needs the training table: compare(tree, table, folds=...)")
    n_rows = table.n_rows
    held = {name: np.zeros(n_rows) for name in trees}
    is_held = np.zeros(n_rows, dtype=bool)  # not the first in order of time

    def judge(fold: Fold) -> None:
        is_held[fold.rows] = True
        for name in trees:
            pruned = fold.tree if name == "none" else _prune(methods[name], fold.tree, fold.rest, others)
            held[name][fold.rows] = losses(pruned, fold.held)  # no two folds share a row

    cross_validation(judge, tree, table, **more)
    return held, np.flatnonzero(is_held)


def _usable(
    tree: Tree, methods: Mapping[str, Method], table: Any, validation: Any
) -> tuple[dict[str, Method], dict[str, str]]:
    """Return the methods whose evidence is at hand, and why the others are left out."""
    if not isinstance(tree, Tree):
        raise TypeError(
            f"compare takes a treewright.Tree, not {type(tree).__name__}; of an estimator, its tree_"
        )
    at_hand = {"nothing": True, "training": table is not None, "validation": validation is not None}
    usable, left_out = {}, {}
    for name, method in methods.items():
        needs = getattr(method, "needs", "nothing")
        if at_hand[needs]:
            usable[name] = method
        else:
            left_out[name] = f"needs a {needs} table"
    return usable, left_out


def _prune(method: Method, tree: Tree, rows: Sample | None, others: Sample | None) -> Tree:
    """Return the pruned tree; a function that does not say what it needs is given the tree alone."""
    needs = getattr(method, "needs", None)
    return method(tree) if needs is None else method(tree, others if needs == "validation" else rows)


def _row(name: str, tree: Tree, pruned: Tree, checked: Figures, crossed: Figures) -> Pruned:
    error, n = training_error(pruned)
    # Of squared errors and costs the statistics at the leaves do not tell the spread.
    spread = math.sqrt(error * (1 - error) / n) if counts_errors(tree) and n > 0 else math.nan
    gone = tuple(collapsed(tree, pruned))
    return Pruned(name, pruned.n_leaves, pruned.depth, error, spread, *checked, *crossed, collapsed=gone)


def training_error(tree: Tree) -> tuple[float, float]:
    """Return the error on the rows a tree was grown on, by its own statistics, and the weight of these rows.

    >>> from treewright.tree.example import tennis
    >>> training_error(tennis().collapse([1, 5]))
    (0.2857142857142857, 14.0)
    """
    total = total_weight(tree)
    made = float(np.where(tree.leaf_mask, node_risk(tree), staying_risk(tree)).sum())
    return (made / total if total > 0 else math.nan), total


def collapsed(tree: Tree, pruned: Tree) -> list[int]:
    """Return the nodes of a tree whose tests a pruned form of it no longer asks; of nested ones the topmost.

    Both trees are walked side by side. Where the pruned tree asks something else, a branch was raised to
    this place: the node counts as collapsed, and the walk goes on in its heaviest branch, the last on ties.

    >>> from treewright.tree.example import tennis
    >>> collapsed(tennis(), tennis().collapse([1, 5])), collapsed(tennis(), tennis())
    ([1, 5], [])
    """
    old_tests, new_tests = _Tests(tree), _Tests(pruned)
    weights: list[float] = tree.weights.tolist()
    gone = []
    places = [(0, 0)]  # a node of the tree, and the node of the pruned tree that stands there
    while places:
        old, new = places.pop()
        if new_tests.end[new] == new + 1:
            if old_tests.end[old] > old + 1:
                gone.append(old)
            continue
        if old_tests[old] != new_tests[new]:
            gone.append(old)
            while old_tests.end[old] > old + 1 and old_tests[old] != new_tests[new]:
                old = max(old_tests.children(old), key=lambda child: (weights[child], child))
            if old_tests.end[old] == old + 1:
                continue
        places += zip(old_tests.children(old), new_tests.children(new), strict=True)
    return sorted(gone)


class _Tests:
    """The tests of a tree as plain values, quick to compare one by one."""

    def __init__(self, tree: Tree) -> None:
        self.end: list[int] = tree.end.tolist()
        cut = np.where(np.isnan(tree.cut), -np.inf, tree.cut)  # NaN would differ from itself
        self.asked = list(zip(tree.column.tolist(), cut.tolist(), tree.branch_counts.tolist(), strict=True))
        self.start: list[int] = tree.code_start.tolist()
        self.term_start: list[int] = tree.term_start.tolist()
        held = (getattr(tree, f"term_{name}").tolist() for name in ("column", "form", "at", "weight"))
        self.terms = list(zip(*held, strict=True))
        self.codes = list(zip(tree.code.tolist(), tree.code_branch.tolist(), strict=True))

    def __getitem__(self, node: int) -> tuple[Any, ...]:
        terms = self.terms[self.term_start[node] : self.term_start[node + 1]]
        return self.asked[node], self.codes[self.start[node] : self.start[node + 1]], terms

    def children(self, node: int) -> list[int]:
        found, child, stop = [], node + 1, self.end[node]
        while child < stop:
            found.append(child)
            child = self.end[child]
        return found


# ---- as text ---------------------------------------------------------------------------------------

_MOST = 6  # nodes named in a line of text


def _aligned(rows: tuple[Pruned, ...], is_share: bool) -> Iterator[str]:
    """Return the lines of the table: names to the left, numbers to the right, empty columns left out."""
    columns = [
        Words("method", [row.method for row in rows], "<"),
        Words("leaves", [str(row.n_leaves) for row in rows]),
        Words("depth", [str(row.depth) for row in rows]),
    ]
    for name in ("training", "validation", "cv"):
        pairs = [(getattr(row, f"{name}_error"), getattr(row, f"{name}_se")) for row in rows]
        if not all(math.isnan(error) for error, _ in pairs):
            columns.append(Words(f"{name} error", [figure(*pair, is_share) for pair in pairs]))
    columns.append(Words("collapsed", [_nodes(row.collapsed) for row in rows], "<"))
    return aligned(columns)


def _nodes(nodes: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, nodes[:_MOST]))
    return (shown + (f", … {len(nodes) - _MOST} more" if len(nodes) > _MOST else "")) or "-"
