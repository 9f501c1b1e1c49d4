"""Fitting on files that are larger than memory: what a target of classes is called, and the features."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from sklearn.base import is_classifier

from treewright.estimators import targets, words
from treewright.estimators.base import become, still
from treewright.fitting import grow_from_files
from treewright.growth import Settings
from treewright.predict.smoothing import estimate_of
from treewright.shards import shards_of
from treewright.shards.layout import Layout
from treewright.shards.way import Way
from treewright.table import NO_TERMS, ClassTerms, Column, Kind
from treewright.tree import Tree

Self = TypeVar("Self", bound="FromFiles")


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


class FromFiles:
    """An estimator of one tree, which is grown on files that are larger than memory too."""

    tree_: Tree

    def fit_files(
        self: Self,
        data: Any,
        target: str,
        *,
        memory: Any = "2GB",
        sample_weight: str | None = None,
        spool: Any = None,
        progress: Any = None,
    ) -> Self:
        """Return self, with the tree grown on files that may be larger than memory; the tree of `fit`.

        Args:
            data: a path, a folder, a pattern, a list of files, or frames in pieces.
            target: the name of the column of classes, or of numbers; all others are features.
            memory: about how much may be taken, such as "2GB".
            sample_weight: the name of a column of weights.
            spool: a folder to keep the coded rows in, for the next tree; else they are removed.
            progress: called with the share that is done.

        >>> import treewright as tw
        >>> iris = tw.example("iris")
        >>> pieces = [iris.take(range(75)), iris.take(range(75, 150))]
        >>> model = tw.DecisionTreeClassifier(max_depth=2).fit_files(pieces, "class")
        >>> model.classes_.tolist(), model.predict(iris)[:1].tolist()
        (['Iris-setosa', 'Iris-versicolor', 'Iris-virginica'], ['Iris-setosa'])
        >>> tw.DecisionTreeRegressor(max_depth=1).fit_files(pieces, "petallength").n_features_in_
        4
        """
        fitted, of_classes = still(self), is_classifier(self)
        if of_classes:
            estimate_of(vars(fitted)["probabilities"])
        way = Way.of(kinds={target: Kind.nominal}) if of_classes else Way()

        def terms_for(layout: Layout) -> tuple[Settings, ClassTerms]:
            terms = _terms(fitted, layout.coding(target).column)
            return _settings(fitted, layout, target, sample_weight), terms

        with words.in_parameters():
            n_threads = words.threads_of(vars(fitted)["n_jobs"])
            given = (shards_of(data, way), target, terms_for, memory, sample_weight, spool, progress)
            tree = grow_from_files(*given, n_threads=n_threads)
        known: dict[str, Any] = {"tree_": tree, "n_features_in_": len(tree.schema.names)}
        known["feature_names_in_"] = np.array(tree.schema.names, dtype=object)
        if of_classes:
            classes = classes_named(tree.target)
            known |= {"classes_": classes.sorted, "_class_order": classes.order}
        vars(fitted).update(known)
        return become(self, fitted)


def _settings(model: Any, layout: Layout, target: str, sample_weight: str | None) -> Settings:
    names = [name for name in layout.schema.names if name not in (target, sample_weight)]
    return words.settings_of(vars(model), layout.n_rows, len(names), names=names)


def _terms(model: Any, goal: Column) -> ClassTerms:
    """Return what is said of the classes; a target of the other kind is refused."""
    if is_classifier(model) == goal.is_numeric:
        raise ValueError(
            f"Column {goal.name!r} is {goal.kind}; a regressor needs numbers. "
            "Classes: DecisionTreeClassifier."
        )
    return targets.terms_of(model, classes_named(goal)) if is_classifier(model) else NO_TERMS
