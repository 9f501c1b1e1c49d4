"""Growing one tree: ask the core, give its arrays their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.progress import watcher
from treewright.growth import ledger
from treewright.growth.question import Question, question_of, unscale_stats
from treewright.growth.schools import with_schools
from treewright.growth.settings import Settings
from treewright.growth.surrogates import asks_surrogates, with_every_surrogate, with_needed_surrogates
from treewright.table import NO_TERMS, ClassTerms, Column, Rows, Schema
from treewright.tree import Tree
from treewright.tree.weights import ClassWeights

Floats = NDArray[np.float64]


def grow_rows(rows: Rows, settings: Settings, terms: ClassTerms = NO_TERMS) -> Tree:
    """Return the tree for coded rows, before any pruning (`tw.grow` grows and prunes).

    >>> import treewright as tw
    >>> grow_rows(Rows.of(tw.example("tennis"), "PlayTennis"), Settings.of("c4.5")).n_leaves
    6
    """
    return grown(rows, settings, terms).finished()


@dataclass(frozen=True)
class Grown:
    """A tree as growth leaves it, and the rows by which its surrogates are found in the end."""

    tree: Tree
    question: Question
    settings: Settings
    rows: Rows
    terms: ClassTerms = NO_TERMS

    def finished(self, tree: Tree | None = None) -> Tree:
        """Return the tree, or what pruning left of it, with all that rows to come may ask."""
        found = with_every_surrogate(self.tree if tree is None else tree, self.question, self.settings)
        return with_schools(found, self.rows, self.settings, self.terms)

    def for_rows(self, values: Sequence[NDArray[Any]]) -> Tree:
        """Return the tree with all that these rows may ask: columns like those it was grown on."""
        return with_needed_surrogates(self.tree, self.question, self.settings, values)

    def for_all_but(self, kept: NDArray[Any], rows: Rows) -> Tree:
        """Return the tree with all that rows may ask which it was not grown on: those with other numbers."""
        asks = asks_surrogates(self.tree, self.settings)
        return self.for_rows(rows.all_but(kept).columns) if asks else self.tree


def grown(rows: Rows, settings: Settings, terms: ClassTerms = NO_TERMS) -> Grown:
    """Return what growth makes of coded rows, to be pruned and finished."""
    question = question_of(rows, settings, terms)
    arrays = _arrays(question, rows, settings)
    question.check_scores()
    tree = tree_of(arrays, question, settings)
    if settings.is_polished:
        from treewright.growth.ahead import polished  # on first use

        again = polished(tree, question, rows, settings, watcher())
        tree = tree if again is None else tree_of(again, question, settings)
    if (listener := watcher()) is not None:
        listener(1.0)
    if settings.leaves != "constant":
        from treewright.growth.modelled import with_models  # on first use

        tree = with_models(tree, question, rows, settings)
    return Grown(tree, question, settings, rows, terms)


def _arrays(question: Question, rows: Rows, settings: Settings) -> dict[str, Any]:
    """Return the arrays of the tree that grows on the rows of a question."""
    if settings.asks_several:
        from treewright.growth.projected import grow_projected  # on first use, as all that few trees need

        return grow_projected(question, rows.columns, settings, watcher())
    listener = None if settings.looks_ahead else watcher()
    core = _core.grow_classes if question.is_classifier else _core.grow_numbers
    arrays: dict[str, Any] = question.put_to(core, listener)
    if settings.looks_ahead:
        from treewright.growth.ahead import grow_ahead  # on first use

        return grow_ahead(question, rows, settings, arrays, watcher())
    return arrays


def tree_of(arrays: dict[str, Any], question: Question, settings: Settings) -> Tree:
    """Return the tree whose arrays growth returned, in the units and names of its table."""
    if not question.is_classifier:
        _unscale(arrays, question)
    schema, about = question.schema, question.about
    about["gaps"] = [name for name, has_gaps in zip(schema.names, arrays["gaps"], strict=True) if has_gaps]
    return _tree(arrays, schema, question.target, about, settings.ledger)


def _unscale(arrays: dict[str, Any], question: Question) -> None:
    """Give answers, losses and gains the target's own unit again; the core works on |y| < 1."""
    unscale_stats(arrays["stats"], question.exponent, question.loss_degree)
    if question.degree:
        for name in ("score", "gain", "ledger_score", "ledger_gain"):
            arrays[name] = np.ldexp(arrays[name], question.degree * question.exponent)


def _tree(
    arrays: Mapping[str, Any], schema: Schema, target: Column, about: dict[str, Any], keeps_ledger: bool
) -> Tree:
    other = ("n_stats", "gaps", "is_quick", "stats_start", "stats_class")
    fields = {k: v for k, v in arrays.items() if not k.startswith("ledger_") and k not in other}
    arrays["stats"].setflags(write=False)
    if "stats_start" in arrays:  # without the zeros
        fields["stats"] = ClassWeights(
            arrays["stats_start"], arrays["stats_class"], arrays["stats"], arrays["n_stats"]
        )
    else:
        fields["stats"] = arrays["stats"].reshape(-1, arrays["n_stats"])
    for name in ("exact", "surrogate_flip"):
        fields[name] = arrays[name].astype(bool)
    records = ledger.records(arrays, schema) if keeps_ledger else None
    return Tree.of_growth(schema=schema, target=target, about=about, ledger=records, **fields)
