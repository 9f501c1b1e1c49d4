"""`tw.optimal`: the tree of least cost among all trees of a depth, and how much of that is proven."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright.base.progress import Watcher, watcher
from treewright.base.signature import advising
from treewright.growth.grower import grow_rows
from treewright.growth.settings import Settings
from treewright.lookahead.layout import tree_of_nodes
from treewright.lookahead.nodes import Node, found_nodes, grown_nodes, large_sets
from treewright.lookahead.problem import MOST_LEVELS, Asked, problem_of, settings_for
from treewright.route import route_columns
from treewright.table import NO_TERMS, ClassTerms, Rows, findings, table_with_target, warn_of
from treewright.tree import Tree
from treewright.tree.certificate import KEY, Certificate

MEMORY = 1 << 30  # bytes for sub-problems that are remembered
SMALLEST = 1e-9  # of the cost of one leaf: costs closer than this are equal
EACH = 1 / 16  # a search that has no end to show moves its bar by this share of what is left

Listener = Callable[[Certificate], object]


@dataclass(frozen=True, eq=False)
class Optimal:
    """What the search found: the best tree, and the certificate that tells how good it is.

    >>> import treewright as tw
    >>> found = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2)
    >>> found.certificate.upper, found.certificate.is_proven, found.tree.n_leaves
    (2.0, True, 3)
    """

    tree: Tree
    certificate: Certificate
    trees: tuple[Tree, ...] = ()

    def __str__(self) -> str:
        return str(self.tree)

    def __repr__(self) -> str:
        return f"Optimal({self.certificate})"


@advising("optimal")
def optimal(
    table: Any,
    target: Any,
    max_depth: int = 3,
    max_leaves: int | None = None,
    leaf_price: float = 0.0,
    criterion: str | None = None,
    time_limit: float | None = None,
    *,
    splits: str = "binary",
    missing: str = "learned",
    weights: Any = None,
    class_weight: Any = None,
    priors: Any = None,
    costs: Any = None,
    memory: int = MEMORY,
    progress: Listener | None = None,
    warns: bool = True,
) -> Optimal:
    """Return the tree of least cost among all trees of at most this depth, with a certificate.

    The cost is summed over leaves: errors (`criterion="error"`, with weights and a cost matrix), for numbers
    squared error, or "gini", "entropy", "hellinger", "poisson", "gaussian_entropy"; and `leaf_price` for each
    leaf, in the same unit (errors: weight of rows). Tests are all cuts of a number and of ordered
    categories, one category against the rest and, up to 8 levels, every subset of categories
    (`splits="binary"`; "one_vs_rest": single ones only; "multiway": a branch for each category). Rows with a
    missing value take the branch that serves best (`missing="learned"`) or have one of their own
    ("own_branch").

    The search is exact. With a `time_limit` in seconds, or at Ctrl-C, it ends with the best tree so far and
    says how much better a tree could be at most. `memory` bounds what is remembered, in bytes. `progress` is
    called with a Certificate a few times a second.

    >>> import treewright as tw
    >>> found = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=3)
    >>> found.certificate.upper, found.certificate.lower, found.certificate.is_proven
    (0.0, 0.0, True)
    """
    table, target = table_with_target(table, target, "optimal")
    rows = Rows.of(table, target, weights)
    if warns:
        warn_of(findings(rows))
    if criterion is None:
        criterion = "error" if rows.is_classifier else "squared_error"
    settings = settings_for(criterion, splits, missing, max_depth, max_leaves)
    terms = ClassTerms(class_weight, priors, costs)
    return optimal_tree(rows, settings, terms, leaf_price, time_limit, memory, progress)


def optimal_tree(
    rows: Rows,
    settings: Settings,
    terms: ClassTerms = NO_TERMS,
    leaf_price: float = 0.0,
    time_limit: float | None = None,
    memory: int = MEMORY,
    progress: Listener | None = None,
) -> Optimal:
    """Return the optimal tree for coded rows; settings are those of `problem.settings_for`."""
    _check(leaf_price, time_limit, memory)
    started = time.monotonic()
    greedy = _greedy_trees(rows, settings, terms)
    sets = [found for tree in greedy for found in large_sets(tree, MOST_LEVELS)]
    asked = problem_of(rows, settings, terms, leaf_price, memory, sets)
    first = min((_nodes_of(asked, tree) for tree in greedy), key=lambda node: node.value(leaf_price))
    clock = _Clock(asked, started, time_limit, progress)
    best = first.value(leaf_price)
    slack = SMALLEST * (asked.cost(np.arange(asked.n_rows, dtype=np.int32)) + leaf_price)
    answer = asked.solver.best(
        np.arange(asked.n_rows, dtype=np.int32),
        int(settings.max_depth or 0),
        int(settings.max_leaves or 0),
        (best + slack) / asked.unit,
        clock,
    )
    root = found_nodes(asked, answer) if answer["has_tree"] else first
    if root.value(leaf_price) > best + slack:
        root = first
    proof = clock.certificate(root, answer)
    tree = tree_of_nodes(asked, root)
    tree = replace(tree, about={**tree.about, KEY: proof.to_dict()})
    clock.tell(proof)
    return Optimal(tree, proof, (tree,))


def _check(leaf_price: float, time_limit: float | None, memory: int) -> None:
    if not (np.isfinite(leaf_price) and leaf_price >= 0):
        raise ValueError(f"leaf_price={leaf_price!r} must be a number from 0 up.")
    if time_limit is not None and not time_limit >= 0:
        raise ValueError(f"time_limit={time_limit!r} must be a number of seconds from 0 up, or None.")
    if memory < 0:
        raise ValueError(f"memory={memory!r} must be a number of bytes from 0 up.")


def _greedy_trees(rows: Rows, settings: Settings, terms: ClassTerms) -> list[Tree]:
    """Return the trees that growth makes: by the objective itself and, of errors, by impurities as well."""
    criterion = settings.criterion_for(rows.is_classifier)
    others = ["gini", "entropy"] if criterion == "error" else []
    return [grow_rows(rows, replace(settings, criterion=name), terms) for name in [criterion, *others]]


def _nodes_of(asked: Asked, tree: Tree) -> Node:
    return grown_nodes(asked, tree, route_columns(tree, asked.columns, asked.n_rows).node)


class _Clock:
    """Listens to the search: tells how far it is, and ends it when its time is up."""

    def __init__(
        self, asked: Asked, started: float, time_limit: float | None, progress: Listener | None
    ) -> None:
        self.asked, self.started, self.time_limit, self.progress = asked, started, time_limit, progress
        self.bar: Watcher | None = watcher()
        self.is_late = False
        self.first_gap: float | None = None
        settings, question = asked.settings, asked.question
        is_cost = question.criterion == "error" and question.about.get("costs") is not None
        self.objective = "cost" if is_cost else question.criterion
        self.depth, self.leaves = settings.max_depth, settings.max_leaves

    def __call__(self, upper: float, lower: float, n_solved: int) -> bool:
        """Hear how far the search is; False ends it."""
        seconds = time.monotonic() - self.started
        self.is_late = self.time_limit is not None and seconds >= self.time_limit
        unit = self.asked.unit
        self.tell(self._made(upper * unit, lower * unit, False, n_solved, "time_limit"))
        return not self.is_late

    def tell(self, proof: Certificate) -> None:
        """Pass the state on to whoever watches: the certificate, or the share of the gap that is closed."""
        if self.progress is not None:
            self.progress(proof)
        if self.bar is not None:
            self.first_gap = self.first_gap or proof.gap
            share = 1 - proof.gap / self.first_gap if self.first_gap and np.isfinite(self.first_gap) else 0.0
            self.bar(1.0 if proof.is_proven else min(share, 1 - EACH))

    def certificate(self, root: Node, answer: dict[str, Any]) -> Certificate:
        """Return what is known of the tree in the end."""
        upper = root.value(self.asked.leaf_price)
        is_proven = bool(answer["is_proven"])
        lower = upper if is_proven else min(upper, float(answer["lower"]) * self.asked.unit)
        ended = "proof" if is_proven else "interrupt" if answer["is_interrupted"] else "time_limit"
        return self._made(upper, lower, is_proven, int(answer["n_solved"]), ended)

    def _made(self, upper: float, lower: float, is_proven: bool, n_solved: int, ended: str) -> Certificate:
        seconds = round(time.monotonic() - self.started, 3)
        price = self.asked.leaf_price
        return Certificate(
            upper, lower, is_proven, n_solved, seconds, self.objective, price, self.depth, self.leaves, ended
        )
