"""What is to be chosen for: rows, what is said of classes and settings, and the folds that judge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright.base.draws import PARTS, row_shares
from treewright.base.numbers import count
from treewright.base.progress import Watcher
from treewright.evaluate.answers import Answers
from treewright.growth import Settings
from treewright.growth.question import counted_weights
from treewright.predict import chances, route_columns, values
from treewright.predict.vote import labels
from treewright.prune.dealing import Blocks
from treewright.prune.sample import Sample, sample_of_rows
from treewright.table import ClassTerms, Rows
from treewright.tree import Tree
from treewright.tree.losses import MEASURES, loss_of

FOLDS = 10
MOST_ROWS = 200_000  # that the choice is made on
# Rows up to which folds are dealt twice: few rows make folds a matter of luck. All of it takes at most four
# times the work of C4.5 with its folds; more dealings choose no better (docs/pruning_study.md).
FEW_ROWS, DEALINGS = 5_000, 2


@dataclass(frozen=True)
class Task:
    """What is to be chosen for: rows, what is said of classes, settings by name, folds, seed, threads."""

    rows: Rows
    terms: ClassTerms
    given: dict[str, Any]
    folds: int | Blocks = FOLDS
    seed: int = 0
    n_threads: int = 1
    progress: Watcher | None = None

    def settings(self, recipe: str) -> Settings:
        """Return a recipe's settings, without its own pruning."""
        return Settings.of(recipe, **{**self.given, "prune": "none", "n_threads": self.n_threads})


def sampled(task: Task) -> tuple[Task, tuple[str, ...]]:
    """Return the task on at most so many of its rows, drawn by their numbers, and the sentence about it.

    >>> import treewright as tw
    >>> sampled(Task(Rows.of(tw.example("tennis"), "PlayTennis"), ClassTerms(), {}))[1]
    ()
    """
    if task.rows.n_rows <= MOST_ROWS:
        return task, ()
    n_rows = task.rows.n_rows
    drawn = row_shares(task.seed, PARTS, 0, n_rows)
    kept = np.sort(np.argpartition(drawn, MOST_ROWS)[:MOST_ROWS])
    said = (
        f"Recipe and size were chosen on {count(MOST_ROWS)} of {count(n_rows, 'row')}, drawn by the seed; "
        "the tree is grown on all."
    )
    folds = task.folds.take(kept) if isinstance(task.folds, Blocks) else task.folds
    return replace(task, rows=task.rows.take(kept), folds=folds), (said,)


def counted_rows(rows: Rows, settings: Settings, task: Task) -> Sample:
    """Return rows as pruning takes them: with what each counts in growth.

    >>> import treewright as tw
    >>> task = Task(Rows.of(tw.example("tennis"), "PlayTennis"), ClassTerms("balanced"), {})
    >>> counted_rows(task.rows, task.settings("cart"), task).weights[:2].round(2).tolist()
    [1.4, 1.4]
    """
    counted = counted_weights(rows, settings, task.terms.class_weight)
    return sample_of_rows(rows.weighing(counted))


def repeats_for(n_rows: int) -> int:
    """Return how often folds are dealt.

    >>> repeats_for(150), repeats_for(100_000)
    (2, 1)
    """
    return DEALINGS if n_rows <= FEW_ROWS else 1


def measure_of(tree: Tree) -> str:
    """Return what the losses of a tree for numbers are called.

    >>> import treewright as tw
    >>> measure_of(tw.grow({"x": [1, 2], "y": [0.5, 1.5]}, "y"))
    'mse'
    """
    loss = loss_of(tree)
    return {"squared": "mse"}.get(loss, MEASURES[loss])


def answers_of_rows(tree: Tree, rows: Rows) -> Answers:
    """Return what a tree says about coded rows, beside the right answers.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> answers_of_rows(tw.grow(table, "PlayTennis"), Rows.of(table, "PlayTennis"))
    Answers(14 rows of 2 classes)
    """
    columns = list(rows.columns)
    routed = route_columns(tree, columns, rows.n_rows)
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    if not tree.is_classifier:
        return Answers(rows.answers, values(tree, routed, columns), weights, loss=loss_of(tree))
    given = labels(tree, routed, columns).astype(np.int64)
    shares = chances(tree, routed, "raw", columns)
    return Answers(rows.answers.astype(np.int64), given, weights, tree.classes, shares)
