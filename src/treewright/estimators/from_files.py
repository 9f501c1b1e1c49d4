"""Fitting on files that are larger than memory: what a target of classes is called, and the features."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.estimators import targets, words
from treewright.fitting import grow_from_files
from treewright.shards import shards_of
from treewright.shards.layout import Layout
from treewright.shards.way import Way
from treewright.table import NO_TERMS, ClassTerms, Column, Kind
from treewright.tree import Tree


def classes_named(column: Column) -> targets.Classes:
    """Return the classes of a column of files: numbers, where all their names are whole numbers.

    >>> found = classes_named(Column("y", Kind.nominal, ("-1", "10", "2")))
    >>> found.sorted.tolist(), found.order.tolist()
    ([-1, 2, 10], [0, 2, 1])
    """
    names: Any = column.categories
    values = np.array(names, dtype=object)
    if all(name.removeprefix("-").isdecimal() and str(int(name)) == name for name in names):
        values = np.array([int(name) for name in names])
    found = np.sort(values)
    nothing = np.zeros(0, dtype=np.int32)
    return targets.Classes(column, nothing, found, np.searchsorted(found, values))


def fit_on_files(
    model: Any,
    data: Any,
    target: str,
    memory: Any,
    sample_weight: str | None,
    spool: Any,
    progress: Any,
    *,
    of_classes: bool,
) -> Tree:
    """Return the tree for the rows of files, and give the estimator what it knows after `fit`."""
    way = Way.of(kinds={target: Kind.nominal}) if of_classes else Way()

    def terms_for(layout: Layout) -> Any:
        goal = layout.coding(target).column
        if of_classes == goal.is_numeric:
            raise ValueError(
                f"Column {target!r} is {goal.kind}; a regressor needs numbers. Classes: "
                "DecisionTreeClassifier."
            )
        names = [name for name in layout.schema.names if name not in (target, sample_weight)]
        settings, terms = words.settings_of(vars(model), layout.n_rows, len(names), names=names), NO_TERMS
        if of_classes:
            known = classes_named(goal)
            terms = ClassTerms(
                targets.by_class_name("class_weight", model.class_weight, known),
                targets.by_class_name("priors", model.priors, known),
                targets.costs_by_class_name(model.costs, known),
            )
        return settings, terms

    with words.in_parameters():
        n_threads = words.threads_of(model.n_jobs)
        tree = grow_from_files(
            shards_of(data, way),
            target,
            terms_for,
            memory,
            sample_weight,
            spool,
            progress,
            n_threads=n_threads,
        )
    model.feature_names_in_ = np.array(tree.schema.names, dtype=object)
    model.n_features_in_ = len(tree.schema.names)
    return tree
