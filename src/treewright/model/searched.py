"""Optimal trees as a learner, so that folds judge them as they judge what is grown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import refusal
from treewright.evaluate.answers import Answers
from treewright.evaluate.cross_validation import CrossValidation, cross_validate_learner
from treewright.evaluate.learner import Grower
from treewright.evaluate.parts import dealing_by_row
from treewright.lookahead import optimal
from treewright.table import Table
from treewright.tree import Tree

Ints = NDArray[np.int64]

NAME = "optimal"
DEPTH = 3
# Settings of growth that the search understands, beside what is said of classes.
TAKEN = ("max_depth", "max_leaves", "min_leaf", "criterion", "splits", "missing")
OF_CLASSES = ("class_weight", "priors", "costs")
OF_SEARCH = ("leaf_price", "time_limit", "work_limit", "memory")
# Grown by `plain` with look-ahead and as deep as the optimal tree, unless a depth is given.
AHEAD: dict[str, dict[str, Any]] = {
    "lookahead": {"lookahead": 2, "lookahead_rows": 5_000},
    "polished": {"lookahead": "polish", "lookahead_rows": 5_000},
}
# Rows visited by a search that nobody limits: enough for a proof on small tables, and no clock.
WORK = {"classes": 40_000_000, "numbers": 4_000_000}


@dataclass(frozen=True, eq=False)
class Searcher:
    """The search with its options on one table.

    >>> import treewright as tw
    >>> searcher = Searcher.of(tw.example("tennis"), "PlayTennis", max_depth=2)
    >>> searcher.fit(np.arange(14)).n_leaves
    3
    """

    grower: Grower  # the same table, weights and ways to answer
    options: dict[str, Any]
    whole: Table  # with columns that are no features: folds are dealt by it
    weights: Any = None  # as they were given

    @classmethod
    def of(
        cls,
        table: Table,
        target: str,
        *,
        weights: Any = None,
        leave_out: tuple[str, ...] = (),
        **options: Any,
    ) -> Searcher:
        """Return a searcher; options that it does not understand are refused by name."""
        known = (*TAKEN, *OF_CLASSES, *OF_SEARCH)
        if others := [name for name in options if name not in known]:
            raise refusal(
                f"An optimal tree has no use for {', '.join(others)}; it understands {', '.join(TAKEN)}."
            )
        grower = Grower.of(table, target, weights=weights, leave_out=leave_out)
        return cls(grower, {"max_depth": DEPTH} | options, table, weights)

    def fit(self, rows: Ints) -> Tree:
        """Return the optimal tree of these rows."""
        weights = None if self.grower.weights is None else self.grower.weights[rows]
        table = self.grower.table.take(rows)
        return optimal(table, self.grower.target, weights=weights, warns=False, **self.options).tree

    def answers(self, fitted: Tree, rows: Ints) -> Answers:
        """Return what a tree says about these rows.

        >>> import treewright as tw
        >>> searcher = Searcher.of(tw.example("tennis"), "PlayTennis")
        >>> searcher.answers(searcher.fit(np.arange(14)), np.arange(3))
        Answers(3 rows of 2 classes)
        """
        return self.grower.answers(fitted, rows)

    def within(self, work: Mapping[str, int]) -> Searcher:
        """Return the same with a limit of work that suits the table, where there is no other limit.

        >>> import treewright as tw
        >>> Searcher.of(tw.example("tennis"), "PlayTennis").within({"classes": 1400}).options["work_limit"]
        100
        """
        if {"time_limit", "work_limit"} & set(self.options):
            return self
        of = work["classes" if self.grower.is_classifier else "numbers"]
        limit = max(1, of // max(1, self.grower.table.n_rows))
        return replace(self, options=self.options | {"work_limit": limit})


def judged_search(
    searcher: Searcher,
    *,
    folds: Any = 10,
    groups: Any = None,
    order: Any = None,
    seed: int = 0,
    **more: Any,
) -> CrossValidation:
    """Return how well optimal trees do on rows that they have not seen.

    >>> import treewright as tw
    >>> searcher = Searcher.of(tw.example("tennis"), "PlayTennis", max_depth=2)
    >>> round(judged_search(searcher, folds=2, scores="error").overall["error"].value, 3)
    0.357
    """
    grower = searcher.grower
    dealing = dealing_by_row(searcher.whole, grower.target, folds, seed, searcher.weights, groups, order)
    return cross_validate_learner(searcher, grower.table, grower.target, folds=dealing, **more)
