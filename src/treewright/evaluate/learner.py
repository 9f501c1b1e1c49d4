"""What is judged: a recipe with its settings, or a model of anybody's, fitted on some rows of one table."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treewright.evaluate.answers import Answers, answers
from treewright.evaluate.parts import answers_of
from treewright.fitting import grow
from treewright.growth import RECIPES, Settings
from treewright.growth.question import counted_weights
from treewright.prune.base import Method
from treewright.prune.dealing import units_by_name
from treewright.prune.method import among_blocks
from treewright.prune.regrow import settings_of
from treewright.prune.sample import Sample, sample_of
from treewright.table import Rows, Table
from treewright.table.frame import typed_frame
from treewright.table.rows import row_weights
from treewright.tree import Tree

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Learner(Protocol):
    """Something that is fitted on some rows of its table and answers about others."""

    def fit(self, rows: Ints) -> Any:
        """Return what was learned from these rows."""

    def answers(self, fitted: Any, rows: Ints) -> Answers:
        """Return what it says about these rows, beside the right answers."""


@dataclass(frozen=True, eq=False)
class Grower:
    """A recipe with its settings on one table; fitting is growing and pruning.

    >>> import treewright as tw
    >>> grower = Grower.of(tw.example("tennis"), "PlayTennis", "id3")
    >>> grower.fit(np.arange(14)).n_leaves
    6
    """

    table: Table  # features and target
    target: str
    recipe: str
    weights: Floats | None
    options: dict[str, Any]  # class_weight, priors, costs and settings
    probabilities: str = "raw"

    @classmethod
    def of(
        cls,
        table: Table,
        target: str,
        recipe: str = "plain",
        *,
        weights: Any = None,
        leave_out: tuple[str, ...] = (),
        probabilities: str = "raw",
        **options: Any,
    ) -> Grower:
        """Return a grower; the columns of the weights and in `leave_out` are no features.

        >>> import treewright as tw
        >>> Grower.of(tw.example("tennis"), "PlayTennis", leave_out=("Wind",)).table.n_columns
        4
        """
        answers_of(table, target)
        counted = row_weights(table, weights)
        named = (weights,) if isinstance(weights, str) else ()
        of_classes = ("class_weight", "priors", "costs")
        Settings.of(recipe, **{name: value for name, value in options.items() if name not in of_classes})
        return cls(table.drop([*leave_out, *named]), target, recipe, counted, options, probabilities)

    def fit(self, rows: Ints) -> Tree:
        """Return the tree grown on these rows, which may be repeated.

        >>> import treewright as tw
        >>> Grower.of(tw.example("tennis"), "PlayTennis", "id3").fit(np.zeros(5, dtype=int)).n_leaves
        1
        """
        weights = None if self.weights is None else self.weights[rows]
        options = self.options | {"prune": _on_rows(self.options.get("prune"), rows, self.table.n_rows)}
        return grow(self.table.take(rows), self.target, self.recipe, weights=weights, warns=False, **options)

    def answers(self, fitted: Tree, rows: Ints) -> Answers:
        """Return what a tree says about these rows.

        >>> import treewright as tw
        >>> grower = Grower.of(tw.example("tennis"), "PlayTennis", "id3")
        >>> grower.answers(grower.fit(np.arange(14)), np.arange(3))
        Answers(3 rows of 2 classes)
        """
        weights = None if self.weights is None else self.weights[rows]
        return answers(fitted, self.table.take(rows), weights=weights, probabilities=self.probabilities)

    def sample(self, tree: Tree, rows: Ints) -> Sample:
        """Return these rows in a tree's codes, with their weights.

        >>> import treewright as tw
        >>> grower = Grower.of(tw.example("tennis"), "PlayTennis", "id3")
        >>> grower.sample(grower.fit(np.arange(14)), np.arange(3)).n_rows
        3
        """
        weights = None if self.weights is None else self.weights[rows]
        return sample_of(tree, self.table.take(rows), weights)

    def evidence(self, tree: Tree, rows: Ints) -> Sample:
        """Return the rows a tree was grown on as pruning takes them: with what each counted in growth.

        That is its weight times its class's, and nothing where `missing="drop"` left it out.

        >>> import treewright as tw
        >>> grower = Grower.of(tw.example("tennis"), "PlayTennis", class_weight="balanced")
        >>> grower.evidence(grower.fit(np.arange(14)), np.arange(14)).weights[:3].round(4).tolist()
        [1.4, 1.4, 0.7778]
        """
        sample = self.sample(tree, rows)
        grown_on = Rows(tree.schema, tuple(sample.columns), tree.target, sample.answers, sample.weights)
        counted = counted_weights(grown_on, settings_of(tree), self.options.get("class_weight"))
        return sample if counted is None else sample.weighing(counted)

    def with_options(self, **options: Any) -> Grower:
        """Return the same with other settings.

        >>> import treewright as tw
        >>> Grower.of(tw.example("tennis"), "PlayTennis").with_options(max_depth=1).fit(np.arange(14)).depth
        1
        """
        return replace(self, options=self.options | options)

    def among(self, table: Table, groups: Any = None, order: Any = None) -> Grower:
        """Return the same whose pruning deals its folds by groups or order: a column of `table`, or values.

        >>> import treewright as tw
        >>> tennis = tw.example("tennis")
        >>> grower = Grower.of(tennis, "PlayTennis", "cart", leave_out=("Outlook",))
        >>> grower.among(tennis, "Outlook").options["prune"].groups.tolist()[:4]
        [0, 0, 1, 2]
        """
        codes = units_by_name(table, groups, order)
        if not codes:
            return self
        usual = RECIPES[self.recipe].get("prune", "none")
        method = among_blocks(self.options.get("prune"), usual, codes.get("groups"), codes.get("order"))
        return self.with_options(prune=method)

    @property
    def is_classifier(self) -> bool:
        """Whether the target is classes."""
        return not self.table.column(self.target)[0].is_numeric


def _on_rows(method: Any, rows: Ints, n_rows: int) -> Any:
    """Return a way to prune whose folds, groups or order, if given row by row, are those of these rows."""
    if not isinstance(method, Method):
        return method
    given: dict[str, Any] = {name: getattr(method, name, None) for name in ("folds", "groups", "order")}
    taken = {
        name: np.asarray(of)[rows]
        for name, of in given.items()
        if of is not None and np.shape(of) == (n_rows,)
    }
    return replace(method, **taken) if taken else method


@dataclass(frozen=True, eq=False)
class Outsider:
    """A model with `fit(X, y)` and `predict(X)`; X is a data frame that keeps kinds and categories.

    >>> import treewright as tw
    >>> model = Outsider.of(tw.example("tennis"), "PlayTennis", tw.DecisionTreeClassifier(recipe="id3"))
    >>> model.answers(model.fit(np.arange(14)), np.arange(3))
    Answers(3 rows of 2 classes)
    """

    table: Table
    target: str
    model: Any
    weights: Floats | None

    @classmethod
    def of(
        cls, table: Table, target: str, model: Any, *, weights: Any = None, leave_out: tuple[str, ...] = ()
    ) -> Outsider:
        """Return the model with its table; it is copied before it is fitted."""
        for verb in ("fit", "predict"):
            if isinstance(model, type) or not callable(getattr(model, verb, None)):
                raise TypeError(
                    f"model={model!r} has no {verb}; give an object with fit(X, y) and predict(X), "
                    "such as tw.DecisionTreeClassifier(), or a recipe by name."
                )
        answers_of(table, target)
        counted = row_weights(table, weights)
        named = (weights,) if isinstance(weights, str) else ()
        return cls(table.drop([*leave_out, *named]), target, model, counted)

    @cached_property
    def _frame(self) -> Any:
        return typed_frame(self.table.drop(self.target))

    @cached_property
    def _wanted(self) -> NDArray[Any]:
        """The target as models take it: text for classes, else numbers."""
        column, values = self.table.column(self.target)
        return values if column.is_numeric else self.table.labels(self.target)

    def fit(self, rows: Ints) -> Any:
        """Return a fitted copy of the model."""
        more = {} if self.weights is None else {"sample_weight": self.weights[rows]}
        model = copy.deepcopy(self.model)
        model.fit(_rows_of(self._frame, rows), self._wanted[rows], **more)
        return model

    def answers(self, fitted: Any, rows: Ints) -> Answers:
        """Return what the fitted model says about these rows."""
        column, _ = self.table.column(self.target)
        X = _rows_of(self._frame, rows)
        weights = None if self.weights is None else self.weights[rows]
        said = np.asarray(fitted.predict(X))
        if column.is_numeric:
            return Answers.of(self._wanted[rows], said.astype(np.float64), weights=weights)
        chances = None
        if callable(getattr(fitted, "predict_proba", None)):
            place = {name: code for code, name in enumerate(column.categories)}
            chances = np.zeros((len(rows), len(place)))
            chances[:, [place[str(name)] for name in fitted.classes_]] = fitted.predict_proba(X)
        return Answers.of(
            self._wanted[rows], said, classes=column.categories, chances=chances, weights=weights
        )


def _rows_of(frame: Any, rows: Ints) -> Any:
    return frame.iloc[rows] if hasattr(frame, "iloc") else frame[rows]
