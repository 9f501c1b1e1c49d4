"""Critical value pruning: tests that scored too little, with nothing better below, go (Mingers 1987)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.lines import Words, aligned
from treewright.base.names import choice
from treewright.base.numbers import number
from treewright.base.progress import Watcher
from treewright.prune.backward import greatest_below
from treewright.prune.base import Evidence, Method
from treewright.prune.counts import Floats, UnsuitableError
from treewright.prune.cross_validation import N_FOLDS, Fold, folds_for, losses_over_folds
from treewright.prune.heldout import losses_here, node_losses
from treewright.prune.regrow import Regrow
from treewright.prune.risk import node_risk, staying_risk, total_weight
from treewright.prune.sample import Sample, Spread, sample_of, spread
from treewright.prune.selection import Selection, choose
from treewright.table import Table
from treewright.tree import Tree, walk

MEASURES = ("score", "gain", "risk")
CHOICES = ("validation", "cv")


def critical_value(tree: Tree, kappa: float, measure: str = "score") -> Tree:
    """Return the tree without the tests below the critical value `kappa` that have no better test under them.

    A node becomes a leaf if the value its own test had while growing is below `kappa` and no test under it
    has a value of `kappa` or more (Mingers 1987). `measure="score"` reads what the criterion gave (gain,
    gain ratio, ...), "gain" the impurity decrease, both as growth saw them, with priors and costs; "risk" is
    what the test takes off the training errors, at their costs, per unit of all weight. Larger
    values prune more, and the trees are nested. Works for classes and numbers.

    >>> from treewright.tree.example import tennis
    >>> [critical_value(tennis(), kappa).n_leaves for kappa in (0.2, 0.5, 0.98)]
    [5, 5, 1]
    """
    if math.isnan(kappa):
        raise ValueError("kappa is not a number; critical_value_path(tree) lists the values worth trying")
    strongest = _strongest(tree, measure)
    return tree.collapse(np.flatnonzero((strongest < kappa) & ~tree.leaf_mask))


def _strongest(tree: Tree, measure: str) -> Floats:
    """Return the greatest value of a test in each node's subtree; -inf at a leaf."""
    choice("measure", measure, MEASURES)
    given = _risk_reduction(tree) if measure == "risk" else getattr(tree, measure)
    values = np.where(tree.leaf_mask, -np.inf, given)
    if np.isnan(values).any():
        node = int(np.argmax(np.isnan(values)))
        raise UnsuitableError(
            f"critical_value needs the {measure} that each test had while growing, and node {node} has none; "
            "grow the tree with treewright, or prune by another method"
        )
    return greatest_below(tree, values)


def _risk_reduction(tree: Tree) -> Floats:
    """Return what each test takes off the risk of its node, per unit of the tree's weight."""
    risk, below = node_risk(tree), np.zeros(tree.n_nodes)
    np.add.at(below, tree.parents[1:], risk[1:])
    total = total_weight(tree)
    return np.asarray((risk - below - staying_risk(tree)) / (total if total > 0 else 1.0))


class CriticalValuePath(NamedTuple):
    """The family of trees for a rising critical value: columns of equal length, one row per tree.

    >>> from treewright.tree.example import tennis
    >>> critical_value_path(tennis()).n_leaves.tolist()
    [5, 1]
    """

    kappa: Floats
    n_leaves: NDArray[np.int64]

    def __str__(self) -> str:
        kappa = Words("kappa", [number(value) for value in self.kappa.tolist()])
        return "\n".join(aligned([kappa, Words("leaves", [str(n) for n in self.n_leaves.tolist()])]))


def critical_value_path(tree: Tree, measure: str = "score") -> CriticalValuePath:
    """Return every critical value that gives another tree, rising, and the leaves of that tree.

    Candidates are the values of the tests; those that give the same tree as the one before are left out. The
    first gives the whole tree; the last, infinity, a single leaf.

    >>> from treewright.tree.example import tennis
    >>> critical_value_path(tennis()).kappa.round(3).tolist()
    [0.971, inf]
    """
    strongest = _strongest(tree, measure)
    # At kappa, nodes with less are leaves or gone. So only the values of `strongest` divide the trees.
    kappa = np.append(np.unique(strongest[~tree.leaf_mask]), np.inf)
    return CriticalValuePath(kappa, _sums(tree, strongest, kappa, np.ones(tree.n_nodes)).astype(np.int64))


def _sums(tree: Tree, strongest: Floats, kappa: Floats, values: Floats) -> Floats:
    """Return the sum of `values` over the leaves of each tree of the family.

    Node t is a leaf of the tree at kappa when strongest[t] < kappa <= strongest[parent of t]. So it adds its
    value to one run of the rising kappas, and one cumulative sum adds up all runs of all nodes.
    """
    # kappa    k0  k1  k2  k3  k4        strongest[t] = k1, of its parent k3
    # change            +v      -v       t is a leaf at k2 and k3
    above = np.append(np.inf, strongest[tree.parents[1:]])
    first = np.searchsorted(kappa, strongest, side="right")
    after = np.searchsorted(kappa, above, side="right")
    change = np.bincount(first, values, len(kappa) + 1) - np.bincount(after, values, len(kappa) + 1)
    return np.asarray(np.cumsum(change)[:-1])


def choose_kappa(
    tree: Tree,
    table: Table | Sample,
    measure: str = "score",
    *,
    weights: Any = None,
    one_se: bool = False,
) -> Selection:
    """Return the critical value whose tree makes the fewest errors on a pruning set, with those of all.

    `table` holds rows the tree has not grown on. Errors of rows that gaps divide are counted by their parts.
    Ties go to the smaller tree; with `one_se`, so does all within one standard error of the least.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> choose_kappa(tree, table).error
    (0.0, 0.35714285714285715)
    """
    kappa = critical_value_path(tree, measure).kappa
    sample = sample_of(tree, table, weights)
    return choose(kappa, *_judged(tree, sample, measure, kappa), float(sample.weights.sum()), one_se)


def choose_kappa_by_cross_validation(
    tree: Tree,
    table: Table | Sample,
    measure: str = "score",
    *,
    folds: Any = N_FOLDS,
    weights: Any = None,
    seed: int = 0,
    n_jobs: int = 1,
    regrow: Regrow | None = None,
    progress: Watcher | None = None,
    one_se: bool = False,
) -> Selection:
    """Return the critical value that pruned best in cross-validation; options as in `choose_m`.

    `table` holds the rows the tree was grown on. The values tried are those of this tree's own family.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> choose_kappa_by_cross_validation(tree, table, folds=[0, 1] * 7).error[-1]
    0.7142857142857143
    """
    kappa = critical_value_path(tree, measure).kappa

    def judge(fold: Fold) -> tuple[Floats, Floats]:
        return _judged(fold.tree, fold.held, measure, kappa)

    more = {"folds": folds, "weights": weights, "seed": seed, "n_jobs": n_jobs, "regrow": regrow}
    found = losses_over_folds(judge, tree, table, progress=progress, **more)
    return choose(kappa, found.total, found.squares, found.weight, one_se)


def _judged(tree: Tree, sample: Sample, measure: str, kappa: Floats) -> tuple[Floats, Floats]:
    """Return the losses of rows, and their squares, summed for the tree at each kappa."""
    strongest, parts = _strongest(tree, measure), spread(tree, sample)
    stays = ~tree.leaf_mask[parts.node]
    staying = losses_here(tree, sample, Spread(parts.row[stays], parts.node[stays], parts.weight[stays]))
    # A row that stays at a node which asks is in no leaf below. So what stays in a subtree is taken off its
    # root as a leaf, and counts once for all: as in `cost_complexity_path`.
    total, squares = (
        _sums(tree, strongest, kappa, passing - below) + below[0]
        for passing, below in zip(
            node_losses(tree, sample, parts),
            (walk.subtree_sums(tree.end, here) for here in staying),
            strict=True,
        )
    )
    return total, squares


@dataclass(frozen=True)
class CriticalValue(Method):
    """Critical value pruning with its options, to be called with a tree.

    `kappa` is a number, or "validation" or "cv": chosen from the tree's family by the errors on a validation
    table, or by cross-validation on the training table; that table is then the evidence.

    >>> from treewright.tree.example import tennis
    >>> CriticalValue(kappa=0.98)(tennis()).n_leaves, CriticalValue().needs
    (1, 'validation')
    """

    name: ClassVar[str] = "critical_value"

    kappa: float | str = "validation"
    measure: str = "score"
    one_se: bool = False
    folds: Any = field(default=N_FOLDS, compare=False)  # may be one number per row
    seed: int = 0
    groups: Any = field(default=None, compare=False)  # whose rows stay together: a column, or one per row
    order: Any = field(default=None, compare=False)  # in time: each fold is judged by what came before it

    def __post_init__(self) -> None:
        if isinstance(self.kappa, str) and self.kappa not in CHOICES:
            raise ValueError(
                f"kappa={self.kappa!r} must be a number, 'validation' (chosen on a validation table) or 'cv'"
            )

    @property
    def needs(self) -> str:
        """What the evidence must be: the validation table, the training table, or nothing."""
        return {"validation": "validation", "cv": "training"}.get(str(self.kappa), "nothing")

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:
        """Return the pruned tree; see the function of this name."""
        if not isinstance(self.kappa, str):
            return critical_value(tree, self.kappa, self.measure)
        if self.kappa == "validation":
            found = choose_kappa(
                tree, evidence.rows, self.measure, weights=evidence.weights, one_se=self.one_se
            )
        else:
            found = choose_kappa_by_cross_validation(
                tree,
                evidence.rows,
                self.measure,
                folds=folds_for(self, tree, evidence),
                weights=evidence.weights,
                seed=self.seed,
                one_se=self.one_se,
                **evidence.over_folds,
            )
        return critical_value(tree, found.value, self.measure)
