"""The report as a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypedDict

from treewright.base.files import write_whole
from treewright.base.progress import Watcher
from treewright.forest import Forest
from treewright.linear.summary import Summary
from treewright.prune.sample import rows_for
from treewright.report.facts import facts
from treewright.report.html import page
from treewright.report.of_forest import forest_page
from treewright.report.of_rules import rules_page
from treewright.report.of_weights import weights_page
from treewright.rules.ruleset import RuleSet
from treewright.tree import Tree


class PageOptions(TypedDict, total=False):
    """The options of `report` but for the rows of training, for functions that hand them on."""

    folds: Any
    groups: Any
    order: Any
    reading: Any
    title: str | None
    weights: Any
    training_weights: Any
    seed: int
    n_jobs: int
    progress: Watcher | None


class ReportOptions(PageOptions, total=False):
    """All of them."""

    training: Any


def report(
    model: Tree | Forest | RuleSet | Summary,
    path: str | os.PathLike[str],
    table: Any = None,
    *,
    training: Any = None,
    folds: Any = None,
    groups: Any = None,
    order: Any = None,
    reading: Any = None,
    title: str | None = None,
    weights: Any = None,
    training_weights: Any = None,
    seed: int = 0,
    n_jobs: int = 1,
    progress: Watcher | None = None,
) -> None:
    """Write one HTML page about a model: it opens offline, asks nothing of the network and holds no rows.

    A tree can be explored. A forest shows its out-of-bag error, importance with intervals, partial dependence
    and a tree that stands for it; rules and the weights of a linear model are listed with their figures.

    The same input gives the same bytes. On any error an older file of that name stays whole.

    Args:
        model: a tree, a forest, a set of rules, or the summary of a linear model.
        path: of the page.
        table: rows that were not used for growing, with the target: test error, mistakes, overfitting.
        training: the rows of growth; only their fingerprint is kept.
        folds: cross-validate the sizes of the tree on `training`: a number, one per row, or a column.
        groups: whose rows stay in one fold: a column of `training`, or one value per row.
        order: of its rows in time, likewise: each fold is judged by what came before it.
        reading: what `tw.reading` gives, to tell how the file was read.
        title: of the page; by default the name of the target.
        weights: of the rows of `table`: a number each, or the name of a column.
        training_weights: of the rows of `training`.
        seed: of the folds.
        n_jobs: folds grown at once.
        progress: called with the share that is done.

    >>> import os, tempfile
    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3", ledger=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report(tree, os.path.join(folder, "tennis.html"), table)
    ...     os.listdir(folder)
    ['tennis.html']
    """
    if isinstance(model, Tree):
        table, training = rows_for(model, table), rows_for(model, training)
    given: dict[str, Any] = {
        "training": training,
        "folds": folds,
        "groups": groups,
        "order": order,
        "reading": reading,
        "title": title,
        "weights": weights,
        "training_weights": training_weights,
        "seed": seed,
        "n_jobs": n_jobs,
        "progress": progress,
    }
    write_whole(path, _page(model, table, given))


def _page(model: Any, table: Any, given: dict[str, Any]) -> bytes:
    """Return the page of a model; options that mean nothing for its kind are refused."""
    kind = next((kind for kind in _KINDS if isinstance(model, kind)), None)
    if kind is None:
        return page(facts(model, table, **given))
    name, known, write = _KINDS[kind]
    usual = {"seed": 0, "n_jobs": 1, "progress": None}
    odd = [key for key, value in given.items() if key not in known and key not in usual and value is not None]
    if odd or (table is not None and kind is Summary):
        raise ValueError(f"{odd[0] if odd else 'table'}= means nothing for {name}; leave it out.")
    options = {key: value for key, value in given.items() if key in known}
    return write(model, **options) if kind is Summary else write(model, table, **options)


def _of_forest(forest: Forest, table: Any, *, training_weights: Any, **options: Any) -> bytes:
    return forest_page(forest, table, weights=training_weights, **options)


_KINDS: dict[Any, tuple[str, tuple[str, ...], Callable[..., bytes]]] = {
    Forest: (
        "a forest",
        ("training", "title", "training_weights", "seed", "n_jobs", "progress"),
        _of_forest,
    ),
    RuleSet: ("rules", ("title",), rules_page),
    Summary: ("a linear model", ("title",), weights_page),
}
