"""Cost-complexity pruning (Breiman, Friedman, Olshen, Stone 1984): nested trees, and a choice among them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.draws import checked_seed
from treewright.base.lines import Words, aligned, figure
from treewright.base.notebook import Shown
from treewright.base.numbers import count, number
from treewright.base.progress import Watcher, part_of
from treewright.prune.cross_validation import N_FOLDS, Fold, dealings, losses_over_folds
from treewright.prune.error_complexity import check_price
from treewright.prune.regrow import Regrow
from treewright.prune.risk import losses, node_risk, staying_risk, total_weight
from treewright.prune.sample import Sample, sample_of, spread
from treewright.table import Table
from treewright.tree import Tree, walk
from treewright.tree.losses import counts_errors

Floats = NDArray[np.float64]

# Prices within this are one price: rounding of the sums they are made of.
_RELATIVE, _ABSOLUTE = 1e-12, 1e-15


def cost_complexity(
    tree: Tree,
    alpha: float | None = None,
    *,
    risk: str = "error",
    validation: Table | Sample | None = None,
    table: Table | Sample | None = None,
    folds: Any = N_FOLDS,
    repeats: int = 1,
    one_se: bool | float = True,
    weights: Any = None,
    seed: int = 0,
    n_jobs: int = 1,
    progress: Watcher | None = None,
    regrow: Regrow | None = None,
) -> Tree:
    """Return the smallest subtree whose cost, risk + alpha per leaf, is least.

    alpha is given; or chosen from the tree's sequence by a `validation` table; or by cross-validation on
    `table`, the one the tree was grown on. Both choices take the smallest tree within one standard error of
    the best, unless `one_se` says otherwise.

    Args:
        tree: the tree to prune, for classes or for numbers.
        alpha: the price of a leaf, as a share: 0.01 is one row in a hundred.
        risk: "error" (share of errors, or mean squared error) or "impurity" (scikit-learn's).
        validation: rows that were not used for growing.
        table: the training table, for cross-validation.
        folds: a number of folds, one whole number per row, or the name of a column of `table`.
        repeats: how often a number of folds is dealt.
        one_se: the smallest tree within so many standard errors: True one, False none (the best tree), or a
            number such as 0.5.
        weights: of the rows of either table: a number each, or the name of a column.
        seed: of the folds.
        n_jobs: folds grown at once.
        progress: called with the share that is done.
        regrow: how to grow on some rows; by default with the settings the tree tells.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> [tw.prune.cost_complexity(tree, alpha).n_leaves for alpha in (0.0, 0.1, 1.0)]
    [4, 2, 1]
    """
    path = cost_complexity_path(tree, risk)
    if sum(given is not None for given in (alpha, validation, table)) != 1:
        raise ValueError(
            "cost_complexity needs one of: alpha; validation, rows that were not used for growing; "
            "table, the training table, for cross-validation."
        )
    if alpha is not None:
        return path.tree_at(alpha)
    if validation is not None:
        return validated(path, sample_of(tree, validation, weights)).choice(one_se)
    if len(path) == 1:
        return path.tree_at(0.0)  # nothing to choose from
    judged = cross_validated(
        tree,
        table,  # type: ignore[arg-type]
        risk=risk,
        folds=folds,
        repeats=repeats,
        weights=weights,
        seed=seed,
        n_jobs=n_jobs,
        progress=progress,
        regrow=regrow,
    )
    return judged.choice(one_se)


@dataclass(frozen=True, eq=False, repr=False)
class CostComplexityPath(Shown):
    """The sequence of nested trees of weakest-link pruning, as columns: from the largest to the root alone.

    Row i is the smallest tree of least cost for `alpha[i]` up to the next alpha, with `n_leaves[i]` leaves
    and the training risk `risk[i]`.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> path = cost_complexity_path(tw.grow(table, target="y"))
    >>> path
    CostComplexityPath(3 trees of 4 to 1 leaves)
    >>> path.tree_at(0.1).n_leaves
    2
    """

    tree: Tree
    kind: str  # the risk: "error" or "impurity"
    price: Floats  # per node: the alpha from which on it is a leaf, or gone; 0 in leaves
    alpha: Floats
    n_leaves: NDArray[np.int64]
    risk: Floats

    def __len__(self) -> int:
        return len(self.alpha)

    def in_short(self) -> str:
        """Return how many trees there are, and their sizes.

        >>> from treewright.tree.example import tennis
        >>> cost_complexity_path(tennis())
        CostComplexityPath(2 trees of 5 to 1 leaves)
        """
        return f"{len(self)} trees of {self.n_leaves[0]} to {self.n_leaves[-1]} leaves"

    def _words(self) -> list[Words]:
        """Return the columns as they are printed."""
        return [
            Words("alpha", [number(value) for value in self.alpha.tolist()]),
            Words("leaves", [count(n) for n in self.n_leaves.tolist()]),
            Words("training risk", [number(value) for value in self.risk.tolist()]),
        ]

    def __str__(self) -> str:
        return "\n".join(aligned(self._words()))

    @cached_property
    def root_risk(self) -> float:
        """The risk of the root as a leaf."""
        return float(self.risk[-1])

    def tree_at(self, alpha: float) -> Tree:
        """Return the smallest tree of least cost for an alpha.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
        >>> tree = tw.grow(table, target="y")
        >>> cost_complexity_path(tree).tree_at(1.0).n_leaves
        1
        """
        price = check_price("alpha", alpha)
        is_gone = self.price <= price + _slack(price, self.root_risk)
        return self.tree.collapse(np.flatnonzero(is_gone & (self.tree.kind != 0)))

    def to_table(self) -> Table:
        """Return the columns alpha, n_leaves and risk as a Table.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
        >>> tree = tw.grow(table, target="y")
        >>> cost_complexity_path(tree).to_table().names
        ('alpha', 'n_leaves', 'risk')
        """
        return Table.from_dict({"alpha": self.alpha, "n_leaves": self.n_leaves, "risk": self.risk})


def cost_complexity_path(tree: Tree, risk: str = "error", least: float = 0.0) -> CostComplexityPath:
    """Return the whole sequence of weakest-link pruning, with the columns alpha, n_leaves and risk.

    The link of a node costs (risk as a leaf - risk of its subtree) / (leaves of its subtree - 1) per leaf;
    the cheapest go first, all of one price together. The sequence begins at `least` (rpart's cp times the
    root's risk).

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> path = cost_complexity_path(tw.grow(table, target="y"))
    >>> path.alpha.round(4).tolist(), path.n_leaves.tolist(), path.risk.round(4).tolist()
    ([0.0, 0.0625, 0.375], [4, 2, 1], [0.0, 0.125, 0.5])
    """
    # Rows that stay at a node which asks cost the same whatever is pruned below it. So each subtree's part of
    # that is taken off the risk of its root as a leaf: the differences, which prices are made of, stay.
    whole, staying = node_risk(tree, risk), walk.subtree_sums(tree.end, staying_risk(tree, risk))
    raw = whole - staying
    total = total_weight(tree)
    scale = 1.0 / total if total > 0 else 1.0
    price = np.maximum(_core.link_prices(tree.end, raw) * scale, check_price("least", least))
    steps, price = _grouped(price, tree.kind != 0, float(whole[0]) * scale, float(least))
    # A node is a leaf from its own price (a leaf: always) up to its parent's.
    first = np.where(tree.kind != 0, np.searchsorted(steps, price), 0)
    last = np.full(tree.n_nodes, len(steps))
    last[1:] = first[tree.parents[1:]]
    n_leaves = _running(first, last, np.ones(tree.n_nodes), len(steps)).astype(np.int64)
    at_risk = _running(first, last, raw, len(steps), float(staying[0])) * scale
    return CostComplexityPath(tree, risk, price, steps, n_leaves, at_risk)


def _slack(price: float, root: float) -> float:
    return _RELATIVE * price + _ABSOLUTE * abs(root)


def _grouped(price: Floats, is_inner: NDArray[np.bool_], root: float, least: float) -> tuple[Floats, Floats]:
    """Return the steps, the least first, and every inner node's price as one of them."""
    found = np.unique(price[is_inner])
    slack = _RELATIVE * found + _ABSOLUTE * abs(root)
    before = np.concatenate([[least], found[:-1]])
    is_new = found - before > slack  # beyond rounding from the one before
    steps = np.concatenate([[least], found[is_new]])
    of_found = np.cumsum(is_new)
    grouped = np.zeros_like(price)
    grouped[is_inner] = steps[of_found[np.searchsorted(found, price[is_inner])]]
    return steps, grouped


def _running(first: NDArray[Any], last: NDArray[Any], values: Floats, n: int, base: float = 0.0) -> Floats:
    """Return at each step the base and the sum of the values whose span, first to before last, holds it."""
    change = np.bincount(first, values, n + 1) - np.bincount(last, values, n + 1)
    sums = np.cumsum(change.astype(np.longdouble))[:n]  # differences of sums: a few digits more to lose
    return np.asarray(np.maximum(sums + base, 0.0), dtype=np.float64)


# ---- judged by other rows ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class JudgedPath(Shown):
    """A sequence of trees with the error of each on rows that did not grow it, and its standard error.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> judged = cross_validated(tree, table, folds=4)
    >>> judged.error.shape == judged.standard_error.shape == judged.path.alpha.shape
    True
    """

    path: CostComplexityPath
    error: Floats  # per unit of weight
    standard_error: Floats

    def in_short(self) -> str:
        """Return how many trees there are, and the least error.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
        >>> cross_validated(tw.grow(table, target="y"), table, folds=4)
        JudgedPath(3 trees of 4 to 1 leaves, least error 25.0 % ± 15.3)
        """
        best = int(np.argmin(self.error))
        least = figure(
            float(self.error[best]), float(self.standard_error[best]), counts_errors(self.path.tree)
        )
        return f"{self.path.in_short()}, least error {least}"

    def __str__(self) -> str:
        judged = zip(self.error.tolist(), self.standard_error.tolist(), strict=True)
        is_share = counts_errors(self.path.tree)
        held = Words("error held out", [figure(*pair, is_share) for pair in judged])
        return "\n".join(aligned([*self.path._words(), held]))

    def chosen(self, one_se: bool | float = True) -> int:
        """Return the row of the smallest tree within so many standard errors of the best: True 1, False 0.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
        >>> judged = cross_validated(tw.grow(table, target="y"), table, folds=4)
        >>> judged.chosen() >= judged.chosen(one_se=False)
        True
        """
        width = checked_width(one_se)
        slack = 1e-12 * (1.0 + float(np.abs(self.error).max()))
        best = int(np.flatnonzero(self.error <= self.error.min() + slack)[-1])
        bound = self.error[best] + (width * self.standard_error[best] if width else 0.0)
        return int(np.flatnonzero(self.error <= bound + slack)[-1])

    def choice(self, one_se: bool | float = True) -> Tree:
        """Return the tree of the chosen row.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
        >>> cross_validated(tw.grow(table, target="y"), table, folds=4).choice().n_leaves
        2
        """
        return self.path.tree_at(float(self.path.alpha[self.chosen(one_se)]))

    def to_table(self) -> Table:
        """Return the columns alpha, n_leaves, risk, error and standard_error as a Table.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
        >>> tree = tw.grow(table, target="y")
        >>> cross_validated(tree, table, folds=4).to_table().names
        ('alpha', 'n_leaves', 'risk', 'error', 'standard_error')
        """
        path = self.path
        return Table.from_dict(
            {
                "alpha": path.alpha,
                "n_leaves": path.n_leaves,
                "risk": path.risk,
                "error": self.error,
                "standard_error": self.standard_error,
            }
        )


def checked_width(one_se: Any) -> float:
    """Return a number of standard errors.

    >>> checked_width(True), checked_width(0.5)
    (1.0, 0.5)
    >>> checked_width(-1)
    Traceback (most recent call last):
    ValueError: one_se=-1 must be True, False or a number of standard errors of at least 0.
    """
    is_number = isinstance(one_se, (bool, int, float, np.bool_, np.integer, np.floating))
    if not is_number or not 0 <= one_se < np.inf:
        raise ValueError(
            f"one_se={one_se!r} must be True, False or a number of standard errors of at least 0."
        )
    return float(one_se)


def validated(path: CostComplexityPath, table: Table | Sample, weights: Any = None) -> JudgedPath:
    """Return the sequence judged by a table that was not used for growing.

    The standard error of a share e of n rows is sqrt(e (1 - e) / n).

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> path = cost_complexity_path(tw.grow(table, target="y"))
    >>> validated(path, table).error.round(4).tolist()
    [0.0, 0.125, 0.5]
    """
    sample = sample_of(path.tree, table, weights)
    total = float(sample.weights.sum())
    if not total > 0:
        raise ValueError("The validation table has no rows to judge the trees by.")
    first, second = _losses_at(path, path.alpha, sample)
    mean = first / total
    return JudgedPath(path, mean, np.sqrt(np.maximum(second / total - mean * mean, 0.0) / total))


def cross_validated(
    tree: Tree,
    table: Table | Sample,
    *,
    risk: str = "error",
    folds: Any = N_FOLDS,
    repeats: int = 1,
    weights: Any = None,
    seed: int = 0,
    n_jobs: int = 1,
    progress: Watcher | None = None,
    regrow: Regrow | None = None,
    least: float = 0.0,
) -> JudgedPath:
    """Return the sequence of a tree judged by cross-validation on the table it was grown on.

    For each fold a tree is grown on the others and pruned at the geometric means of neighbouring alphas; the
    rows left out are sent through each of these trees. Folds are stratified, and keyed by `seed`; or given,
    one whole number per row or the name of a column. A number of folds is dealt `repeats` times, by
    `seed` and the seeds that follow it; losses are averaged, and the standard error stays that of one
    dealing, for the rows are the same. `n_jobs` folds are grown at once, `progress` is called with the share
    that is done, `least` is where the sequence begins.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> judged = cross_validated(tree, table, folds=[0, 1] * 4)
    >>> judged.error.round(4).tolist()
    [0.375, 0.25, 0.5]
    """
    path = cost_complexity_path(tree, risk, least)
    between = prices_between(path)

    def judge(fold: Fold) -> tuple[Floats, Floats]:
        return _losses_at(cost_complexity_path(fold.tree, risk), between, fold.held)

    more = {"folds": folds, "weights": weights, "n_jobs": n_jobs, "regrow": regrow}
    n, first = dealings(folds, repeats), checked_seed(seed)
    found = [
        losses_over_folds(
            judge, tree, table, seed=first + k, progress=part_of(progress, k / n, (k + 1) / n), **more
        )
        for k in range(n)
    ]
    weight = found[0].weight
    total, squares = (
        np.mean(sums, axis=0) for sums in zip(*((f.total, f.squares) for f in found), strict=True)
    )
    spread_of_sum = np.sqrt(np.maximum(squares - total**2 / weight, 0.0))
    return JudgedPath(path, total / weight, spread_of_sum / weight)


def prices_between(path: CostComplexityPath) -> Floats:
    """Return an alpha inside the span of each tree: geometric means; beyond all for the root alone.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> prices_between(cost_complexity_path(tw.grow(table, target="y"))).round(4).tolist()
    [0.0, 0.1531, inf]
    """
    alpha = path.alpha
    return np.concatenate([np.sqrt(alpha[:-1] * alpha[1:]), [np.inf]])


def _losses_at(path: CostComplexityPath, alphas: Floats, sample: Sample) -> tuple[Floats, Floats]:
    """Return the sums of losses, and of squared losses, through the tree of each alpha (ascending)."""
    found = [
        losses_by_block(path, alphas, some, np.zeros(some.n_rows, dtype=np.int64), 1)
        for some in sample.blocks()
    ]
    total, squares = (reduce(np.add, parts) for parts in zip(*found, strict=True))
    return total[:, 0], squares[:, 0]


def losses_by_block(
    path: CostComplexityPath, alphas: Floats, sample: Sample, block: NDArray[np.int64], n_blocks: int
) -> tuple[Floats, Floats]:
    """Return sums of losses, and of squared losses, through the tree of each alpha, by block of rows.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> path = cost_complexity_path(tw.grow(table, target="y"))
    >>> sums = losses_by_block(path, path.alpha, sample_of(path.tree, table), np.arange(8) // 4, 2)
    >>> sums[0].tolist()  # alphas x blocks
    [[0.0, 0.0], [1.0, 0.0], [1.0, 3.0]]

    Row by row up the tree: at each node on its way, a row has that node's loss for the alphas from the node's
    price up to its parent's; the node where it ends serves all alphas below that.
    """
    tree = path.tree
    n = len(alphas)
    parts = spread(tree, sample)
    slack = _ABSOLUTE * path.root_risk
    first = np.searchsorted(alphas, path.price * (1 - _RELATIVE) - slack)
    above = np.concatenate([[n], first[tree.parents[1:]]])
    sums = np.zeros((2, n + 1, n_blocks))
    size = (n + 1) * n_blocks
    row, node, weight = parts
    of = block[row]
    start = np.zeros(len(node), dtype=np.int64)
    while len(node):
        loss = losses(tree, sample, row, node)
        stop = above[node]
        for power, total in enumerate(sums, start=1):
            value = weight * loss**power
            change = np.bincount(start * n_blocks + of, value, size)
            change = change - np.bincount(stop * n_blocks + of, value, size)
            total += change.reshape(n + 1, n_blocks)
        goes_on = (node > 0) & (stop < n)
        row, weight, of, start = row[goes_on], weight[goes_on], of[goes_on], stop[goes_on]
        node = tree.parents[node[goes_on]]
    found = np.maximum(np.cumsum(sums[:, :n].astype(np.longdouble), axis=1), 0.0).astype(np.float64)
    return found[0], found[1]
