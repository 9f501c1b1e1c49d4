"""The parameters of estimators that grow, each once: dataclasses make every `__init__` of these lists.

A new parameter is a line here; what the estimators have in common stands in one list. None means: what the
recipe says. What each parameter does is told by `DecisionTreeClassifier` and `RandomForestClassifier`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False, repr=False, kw_only=True)
class GrowthParameters:
    """What trees and forests take."""

    recipe: str = "plain"
    criterion: Any = None
    splits: str | None = None
    missing: str | None = None
    unseen: str | None = None
    max_depth: int | None = None
    min_samples_split: float | None = None
    min_samples_leaf: float | None = None
    min_weight_fraction_leaf: float | None = None
    max_leaf_nodes: int | None = None
    min_impurity_decrease: float | None = None
    min_impurity: float | None = None
    split_price: float | None = None
    column_costs: Any = None
    cost_form: str | None = None
    cost_power: float | None = None
    monotone: Any = None
    max_features: Any = None
    splitter: str = "best"
    categorical_features: Any = "from_dtype"
    ordinal: Any = None
    random_state: Any = None
    n_jobs: int | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class TreeParameters(GrowthParameters):
    """What single trees take besides."""

    linear_attributes: int | None = None
    linear_search: str | None = None
    linear_penalty: float | None = None
    linear_tries: int | None = None
    linear_lookahead: int | None = None
    leaves: str | None = None
    leaf_attributes: int | None = None
    discretise: Any = None
    prune: Any = None
    min_samples_branch: float | None = None
    min_gain: float | None = None
    ledger: bool = False


@dataclass(eq=False, repr=False, kw_only=True)
class ForestParameters(GrowthParameters):
    """What forests take besides."""

    n_estimators: int = field(default=100, kw_only=False)
    bootstrap: bool = True
    max_samples: float | None = None
    oob_score: Any = False
    warm_start: bool = False


@dataclass(eq=False, repr=False, kw_only=True)
class ClassParameters:
    """What classifiers take besides: what is said of the classes."""

    class_weight: Any = None
    priors: Any = None
    costs: Any = None
