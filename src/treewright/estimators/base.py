"""What estimators that grow share: how training data are read, and what they tell scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from treewright.estimators import inputs, targets, words
from treewright.growth import RECIPES
from treewright.table import NO_TERMS, ClassTerms, Rows, findings, warn_of
from treewright.table.rows import check_weights

Model = TypeVar("Model")


def still(model: Model) -> Model:
    """Return an estimator that stays what this one is now, whoever fits this one meanwhile."""
    kept = object.__new__(type(model))
    kept.__dict__ = dict(vars(model))
    return kept


def become(model: Model, fitted: Model) -> Model:
    """Let an estimator be the fitted one, in one step: who asks meanwhile hears what was or what is."""
    model.__dict__ = vars(fitted)
    return model


def recipe_row(recipe: Any) -> Mapping[str, Any]:
    """Return the row of a recipe; an empty one for what is no recipe, which Settings refuses in words."""
    return RECIPES.get(recipe, {}) if isinstance(recipe, str) else {}


class Training(NamedTuple):
    """What an estimator was given to fit, checked and coded."""

    rows: Rows
    terms: ClassTerms  # by class name
    kept: NDArray[np.bool_] | None  # which rows of X count; None: all


class Grown(BaseEstimator):
    """An estimator that grows on any table, with the words `recipe`, `missing` and `categorical_features`."""

    def _target(self, y: Any, n_rows: int) -> tuple[Any, ClassTerms]:
        """Return the coded target, and what is said of its classes."""
        raise NotImplementedError

    def _training(self, X: Any, y: Any, sample_weight: Any) -> Training:
        """Return what is grown on."""
        if y is None:
            name = type(self).__name__
            raise ValueError(f"This {name} estimator requires y to be passed, but the target y is None.")
        data = inputs.checked(self, X, reset=True)
        target, terms = self._target(y, inputs.n_rows_of(data))
        answers, kept = target.answers, None
        weights = None if sample_weight is None else check_weights(sample_weight, len(answers))
        if weights is not None and not weights.any():
            raise ValueError("All sample weights are zero: there is no row to grow on.")
        if weights is not None and not weights.all():
            kept = weights > 0  # a row of weight 0 is no row: not even its categories count
            data, answers, weights = inputs.without(data, kept), answers[kept], weights[kept]
        with words.in_parameters():
            schema, columns = inputs.features(data, self.categorical_features, self.ordinal)
        rows = Rows(schema, columns, target.column, answers, weights)
        warn_of(findings(rows), stacklevel=5)
        return Training(rows, terms, kept)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        policy = self.missing or recipe_row(self.recipe).get("missing")
        tags.input_tags.allow_nan = policy != "error"
        tags.input_tags.categorical = self.categorical_features is not None
        return tags


class OfClasses:
    """A classifier's target: classes of any dtype, sorted as scikit-learn sorts them."""

    classes_: NDArray[Any]

    def _target(self, y: Any, n_rows: int) -> tuple[targets.Classes, ClassTerms]:
        is_faithful = recipe_row(self.recipe).get("ties") == "order"  # type: ignore[attr-defined]
        target = targets.classes_of(y, n_rows, by_declared_order=is_faithful)
        self.classes_, self._class_order = target.sorted, target.order
        return target, targets.terms_of(self, target)

    def _named(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Return class codes as values of `classes_`."""
        return np.asarray(self.classes_[self._class_order].take(codes))

    def _in_order(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return probabilities with columns in the order of `classes_`."""
        if (np.diff(self._class_order) > 0).all():
            return shares
        found = np.empty_like(shares)
        found[:, self._class_order] = shares
        return found


def numbers_target(estimator: Any, y: Any, n_rows: int) -> tuple[targets.Numbers, ClassTerms]:
    """Return a regressor's target; a recipe that grows classes only is refused."""
    if "numbers" not in recipe_row(estimator.recipe).get("tasks", ("numbers",)):
        other = type(estimator).__name__.replace("Regressor", "Classifier")
        raise ValueError(
            f"recipe={estimator.recipe!r} grows classes. For numbers use recipe='plain' or 'cart'; "
            f"for classes use {other}."
        )
    return targets.numbers_of(y, n_rows), NO_TERMS
