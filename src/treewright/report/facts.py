"""All that a report says, as plain JSON types: what the page is made from, and nothing else is in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.base.progress import Watcher
from treewright.explain import impurity_decrease
from treewright.prune.dealing import folds_in
from treewright.prune.sample import Sample, sample_of
from treewright.report import fingerprint
from treewright.report.baseline import baseline
from treewright.report.candidates import candidates
from treewright.report.distributions import distributions
from treewright.report.downloads import downloads
from treewright.report.judged import judged, scores_of
from treewright.report.nodes import nodes
from treewright.report.numbers import one, plain
from treewright.report.page_part import page_part
from treewright.report.provenance import provenance
from treewright.report.reading import reading_facts
from treewright.report.sentences import sentences
from treewright.report.sizes import sizes, training_risk
from treewright.route import gap_counts_of
from treewright.table import Column, Table
from treewright.tree import Tree

FORMAT, VERSION = "treewright report", 1
_LINES = 200  # of the listing for browsers without JavaScript

Rows = Table | Sample


def facts(
    tree: Tree,
    table: Rows | None = None,
    *,
    training: Rows | None = None,
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
) -> dict[str, Any]:
    """Return what a report says of a tree, as plain JSON types; see `treewright.report.report`.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> told = facts(tw.grow(table, target="PlayTennis", recipe="id3"), table)
    >>> told["title"], told["size"], told["judged"]["scores"]["accuracy"]
    ('PlayTennis', {'nodes': 9, 'leaves': 6, 'depth': 2, 'rows': 14}, [1, 0])
    """
    if not isinstance(tree, Tree):
        raise TypeError(
            f"A report is about a treewright.Tree, not {type(tree).__name__}; of an estimator, its tree_."
        )
    if folds is not None and training is None:
        raise ValueError("folds= asks for cross-validation, which needs training=, the rows of growth.")
    if folds is None and (groups is not None or order is not None):
        raise ValueError("groups= and order= deal folds; say how many, such as folds=10.")
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title={title!r} must be text, not {type(title).__name__}.")
    judges = None if table is None else _rows_that_judge(tree, table, weights, "table")
    rows = None if training is None else _rows_that_judge(tree, training, training_weights, "training")
    shown = page_part(tree)
    if training is not None and folds is not None:
        folds = folds_in(training, folds, groups, order)
    folded = {"folds": folds, "seed": seed, "n_jobs": n_jobs, "progress": _part(progress, 0.0, 0.9)}
    parts = {
        "sizes": sizes(shown, judges, rows, **folded),
        "judged": None if judges is None else judged(shown, judges) | {"scores": scores_of(tree, judges)},
        "baseline": baseline(tree, judges),
        "distributions": distributions(shown, rows if judges is None or rows is not None else judges),
    }
    parts |= nodes(shown) | {
        "importance": plain(impurity_decrease(tree)),
        "candidates": candidates(shown),
        "sentences": [*sentences(tree), *_of_gaps(tree, rows if judges is None else judges)],
        "gaps": _counted_gaps(tree, rows if judges is None else judges),
        "downloads": downloads(shown, judges),
        "made": provenance(tree),
        "reading": reading_facts(reading),
        "fingerprints": {
            "tree": fingerprint.of_tree(tree),
            "training": None if training is None else fingerprint.of_rows(training),
            "table": None if table is None else fingerprint.of_rows(table),
        },
        "text": _listing(tree),
    }
    if progress is not None:
        progress(1.0)
    return _head(tree, shown, title) | parts


def _counted_gaps(tree: Tree, rows: Sample | None) -> dict[str, int] | None:
    """Return how many rows met a missing value, and what became of them."""
    return None if rows is None else gap_counts_of(tree, list(rows.columns), rows.n_rows)._asdict()


def _of_gaps(tree: Tree, rows: Sample | None) -> list[str]:
    """Return the same in words, where some rows did."""
    counts = None if rows is None else gap_counts_of(tree, list(rows.columns), rows.n_rows)
    return [str(counts)] if counts is not None and counts.met else []


def _part(progress: Watcher | None, low: float, high: float) -> Watcher | None:
    """Return who hears of a part of the work, as a part of all."""
    return None if progress is None else lambda share: progress(low + (high - low) * share)


def _head(tree: Tree, shown: Tree, title: str | None) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": title or tree.target.name,
        "target": {"name": tree.target.name, "classes": list(tree.classes)},
        "size": {
            "nodes": tree.n_nodes,
            "leaves": tree.n_leaves,
            "depth": tree.depth,
            "rows": int(tree.n_rows[0]),
        },
        "shown": shown.n_nodes,  # fewer than there are where the tree is too large for a page
        "training_error": one(training_risk(tree)),
        "columns": _columns(shown),
    }


def _columns(tree: Tree) -> list[dict[str, Any]]:
    """Return the columns; categories only of those the tree asks about, for they may be names of people."""
    asked = set(tree.used_columns.tolist())
    return [_column(column, place in asked) for place, column in enumerate(tree.schema.columns)]


def _column(column: Column, is_asked: bool) -> dict[str, Any]:
    plain = column.to_dict() if is_asked else {"name": column.name}
    plain["kind"] = "numeric" if column.is_numeric else column.kind.value  # dates are days inside
    if column.is_temporal:
        plain["temporal"] = column.kind.value
    return plain


def _listing(tree: Tree) -> str:
    """Return the tree as text, down to the depth at which it still fits on a few pages."""
    sizes = np.cumsum(np.bincount(tree.depths))
    return tree.to_text(max_depth=max(1, int(np.searchsorted(sizes, _LINES, side="right")) - 1))


def _rows_that_judge(tree: Tree, rows: Rows, weights: Any, name: str) -> Sample:
    sample = sample_of(tree, rows, weights)
    if not float(sample.weights.sum()) > 0:
        raise ValueError(
            f"{name}= has no rows, or none with weight; leave it out, or give rows with answers."
        )
    return sample
