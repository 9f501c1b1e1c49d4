"""`tw.optimal`: the tree of least cost among all trees of a depth, and how much of that is proven."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright.base.progress import Watcher, watcher
from treewright.base.signature import advising
from treewright.growth.ahead.nodes import Node, grown_nodes, large_sets, nodes_of_answer
from treewright.growth.ahead.problem import MOST_LEVELS, Asked, problem_of
from treewright.growth.grower import grow_rows
from treewright.growth.settings import Settings
from treewright.lookahead.asking import settings_for
from treewright.lookahead.bounds import least_of_any
from treewright.lookahead.good_trees import GoodTrees
from treewright.lookahead.layout import tree_of_nodes
from treewright.lookahead.ledger import ledger_of, with_ledger
from treewright.lookahead.several import Wish, listed, nodes_of, sampled, uses_of
from treewright.route import route_columns
from treewright.table import NO_TERMS, ClassTerms, Rows, findings, table_with_target, warn_of
from treewright.tree import Tree
from treewright.tree.certificate import KEY, Certificate

MEMORY = 1 << 30  # bytes for sub-problems that are remembered
SMALLEST = 1e-9  # of the cost of one leaf: costs closer than this are equal
EACH = 1 / 16  # a search that has no end to show moves its bar by this share of what is left

Listener = Callable[[Certificate], object]


@dataclass(frozen=True)
class Effort:
    """What a search may take: seconds, sub-problems, bytes.

    >>> Effort().time_limit is None
    True
    """

    time_limit: float | None = None
    work_limit: int | None = None
    memory: int = MEMORY


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
    trees: GoodTrees

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
    min_leaf: float = 0,
    work_limit: int | None = None,
    splits: str = "binary",
    missing: str = "learned",
    weights: Any = None,
    class_weight: Any = None,
    priors: Any = None,
    costs: Any = None,
    memory: int = MEMORY,
    n_trees: int | None = None,
    within: float | None = None,
    seed: int = 0,
    ledger: bool = False,
    progress: Listener | None = None,
    warns: bool = True,
) -> Optimal:
    """Return the tree of least cost among all trees of at most this depth, with a certificate.

    The cost is summed over leaves: errors (`criterion="error"`, with weights and a cost matrix), for numbers
    squared error, or "gini", "entropy", "hellinger", "poisson", "absolute_error", "gaussian_entropy"; and
    `leaf_price` for each leaf, in the same unit (errors: weight of rows). Tests are all cuts of a number and
    of ordered categories, one category against the rest and, up to 8 levels, every subset of categories
    (`splits="binary"`; "one_vs_rest": single ones only; "multiway": a branch for each category). Rows with a
    missing value take the branch that serves best (`missing="learned"`) or have one of their own
    ("own_branch").

    `min_leaf` is how many rows every leaf must have.

    The search is exact. With a `time_limit` in seconds, a `work_limit` in sub-problems (the same on every
    machine), or at Ctrl-C, it ends with the best tree so far and says how much better a tree could be at
    most. `memory` bounds what is remembered, in bytes. `progress` is called with a Certificate a few times a
    second.

    With `n_trees=5` the result has the five best different trees in `trees`; with `within=0.01` all that cost
    at most 1 % more than the best (the Rashomon set), or, with both, a sample of so many, keyed by `seed`.

    With `ledger=True` the tree tells what each column would have cost at each node, and what the test of
    greedy growth: `tree.candidates(node)`, `tree.why_not(column, node)`.

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
    settings = settings_for(criterion, splits, missing, max_depth, max_leaves, min_leaf)
    terms = ClassTerms(class_weight, priors, costs)
    effort = Effort(time_limit, work_limit, memory)
    wish = Wish.of(n_trees, within, seed)
    return optimal_tree(rows, settings, terms, leaf_price, effort, progress, wish, ledger)


def optimal_tree(
    rows: Rows,
    settings: Settings,
    terms: ClassTerms = NO_TERMS,
    leaf_price: float = 0.0,
    effort: Effort | None = None,
    progress: Listener | None = None,
    wish: Wish | None = None,
    ledger: bool = False,
) -> Optimal:
    """Return the optimal tree for coded rows; settings are those of `asking.settings_for`."""
    effort = effort or Effort()
    _check(leaf_price, effort)
    started = time.monotonic()
    greedy = _greedy_trees(rows, settings, terms)
    sets = [found for tree in greedy for found in large_sets(tree, tree.schema, MOST_LEVELS)]
    keeps_twins, most = wish is not None or ledger, effort.work_limit
    asked = problem_of(rows, settings, terms, leaf_price, effort.memory, sets, keeps_twins, most)
    first = min((_nodes_of(asked, tree) for tree in greedy), key=lambda node: node.value(leaf_price))
    clock = _Clock(asked, started, effort.time_limit, progress)
    root, proof = _searched(asked, first, clock)
    if wish is not None:
        root, proof, trees = _several(asked, root, proof, wish, effort.memory, clock)
    else:
        trees = _alone(asked, tree_of_nodes(asked, root), proof)
    trees = replace(
        trees, trees=tuple(_with(tree, proof, at) for tree, at in zip(trees, trees.costs, strict=True))
    )
    if ledger:
        by_growth = _by_growth(rows, settings, terms, sets)
        told = ledger_of(asked, root, by_growth or asked, clock.goes_on)
        trees = replace(trees, trees=(with_ledger(trees[0], told), *trees[1:]))
    clock.tell(proof)
    return Optimal(trees[0], proof, trees)


def _by_growth(
    rows: Rows, settings: Settings, terms: ClassTerms, sets: list[tuple[int, tuple[int, ...]]]
) -> Asked | None:
    """Return the same question as greedy growth asks it, by an impurity; None where it is the same."""
    if settings.criterion_for(rows.is_classifier) != "error":
        return None
    return problem_of(rows, replace(settings, criterion="gini"), terms, 0.0, 0, sets, keeps_twins=True)


def _searched(asked: Asked, first: Node, clock: _Clock) -> tuple[Node, Certificate]:
    """Return the best tree, when `first` is known, and its certificate."""
    best = first.value(asked.leaf_price)
    every = np.arange(asked.n_rows, dtype=np.int32)
    slack = SMALLEST * (asked.cost(every) + asked.leaf_price)
    depth, leaves = int(asked.settings.max_depth or 0), int(asked.settings.max_leaves or 0)
    answer = asked.solver.best(every, depth, leaves, (best + slack) / asked.unit, clock)
    root = nodes_of_answer(asked, answer) if answer["has_tree"] else first
    if root.value(asked.leaf_price) > best + slack:
        root = first
    return root, clock.certificate(root, answer)


def _several(
    asked: Asked, root: Node, proof: Certificate, wish: Wish, memory: int, clock: _Clock
) -> tuple[Node, Certificate, GoodTrees]:
    """Return the first of the trees that are wished, whether the list is complete, and all of them."""
    found = None
    if proof.is_proven and asked.settings.max_depth:
        found = listed(asked, proof.upper, wish, memory, clock.goes_on)
    if found is None or not len(found):
        ended = found.ended if found is not None else "watch" if asked.settings.max_depth else "complete"
        trees = replace(_alone(asked, tree_of_nodes(asked, root), proof), within=wish.within, ended=ended)
    else:
        n = len(found) if wish.n_trees is None else wish.n_trees
        if wish.within is None:
            chosen = list(range(min(n, len(found))))
        else:
            chosen = sampled(found, n, wish.seed)
        nodes = nodes_of(asked, found, chosen)
        uses = dict(zip(asked.question.schema.names, uses_of(asked, found).tolist(), strict=True))
        costs = tuple(float(found.answer["cost"][i]) * asked.unit for i in chosen)
        trees = GoodTrees(
            asked.question.target.name,
            tuple(tree_of_nodes(asked, node) for node in nodes),
            costs,
            clock.objective,
            uses,
            len(found),
            wish.within,
            found.ended,
        )
        root = nodes[0]
    return root, replace(proof, n_listed=trees.n_found, is_list_complete=trees.is_complete), trees


def _alone(asked: Asked, tree: Tree, proof: Certificate) -> GoodTrees:
    used = set(tree.used_columns.tolist())
    uses = {name: int(place in used) for place, name in enumerate(asked.question.schema.names)}
    return GoodTrees(asked.question.target.name, (tree,), (proof.upper,), proof.objective, uses, 1)


def _with(tree: Tree, proof: Certificate, cost: float) -> Tree:
    """Return a tree with what is proven of it: that of the best, at its own cost."""
    if cost > proof.upper * (1 + SMALLEST) + 1e-300:
        proof = replace(proof, upper=cost, is_proven=False)
    return replace(tree, about={**tree.about, KEY: proof.to_dict()})


def _check(leaf_price: float, effort: Effort) -> None:
    time_limit, work_limit, memory = effort.time_limit, effort.work_limit, effort.memory
    if not (np.isfinite(leaf_price) and leaf_price >= 0):
        raise ValueError(f"leaf_price={leaf_price!r} must be a number from 0 up.")
    if time_limit is not None and not time_limit >= 0:
        raise ValueError(f"time_limit={time_limit!r} must be a number of seconds from 0 up, or None.")
    is_count = type(work_limit) is int or isinstance(work_limit, np.integer)
    if work_limit is not None and not (is_count and work_limit >= 1):
        raise ValueError(f"work_limit={work_limit!r} must be a number of sub-problems from 1 up, or None.")
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
        self.least: float | None = None  # no tree is below it; found when the search is not over at once
        settings, question = asked.settings, asked.question
        is_cost = question.criterion == "error" and question.about.get("costs") is not None
        self.objective = "cost" if is_cost else question.criterion
        self.depth, self.leaves = settings.max_depth, settings.max_leaves

    def __call__(self, upper: float, lower: float, n_solved: int) -> bool:
        """Hear how far the search is; False ends it."""
        seconds = time.monotonic() - self.started
        self.is_late = self.time_limit is not None and seconds >= self.time_limit
        if self.least is None:
            self.least = least_of_any(self.asked)
        upper, lower = upper * self.asked.unit, lower * self.asked.unit
        self.tell(self._made(upper, min(upper, max(lower, self.least)), False, n_solved, "time_limit"))
        return not self.is_late

    def goes_on(self, *_: float) -> bool:
        """Say whether there is time left, when the best tree is known and others are looked for."""
        return self.time_limit is None or time.monotonic() - self.started < self.time_limit

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
        lower = upper if is_proven else max(float(answer["lower"]) * self.asked.unit, self.least or 0.0)
        ended = "interrupt" if answer["is_interrupted"] else "time_limit" if self.is_late else "work_limit"
        ended = "proof" if is_proven else ended
        return self._made(upper, min(upper, lower), is_proven, int(answer["n_solved"]), ended)

    def _made(self, upper: float, lower: float, is_proven: bool, n_solved: int, ended: str) -> Certificate:
        seconds = round(time.monotonic() - self.started, 3)
        price = self.asked.leaf_price
        return Certificate(
            upper, lower, is_proven, n_solved, seconds, self.objective, price, self.depth, self.leaves, ended
        )
