"""The parameters of trees, forests and linear models, once each: dataclasses make every `__init__` of them.

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
    honest: float | None = None
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
    linear_categories: str | None = None
    linear_penalty: float | None = None
    linear_tries: int | None = None
    linear_lookahead: int | None = None
    lookahead: int | str | None = None
    lookahead_rows: int | None = None
    leaves: str | None = None
    leaf_attributes: int | None = None
    discretise: Any = None
    prune: Any = None
    min_samples_branch: float | None = None
    min_gain: float | None = None
    schools: str | None = None
    ledger: bool = False


@dataclass(eq=False, repr=False, kw_only=True)
class OptimalParameters:
    """What optimal trees take."""

    max_depth: int = 3
    max_leaf_nodes: int | None = None
    min_samples_leaf: float | None = None
    leaf_price: float = 0.0
    criterion: str | None = None
    splits: str = "binary"
    missing: str = "learned"
    time_limit: float | None = None
    memory: int = 1 << 30
    categorical_features: Any = "from_dtype"
    ordinal: Any = None
    n_jobs: int | None = None


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


@dataclass(eq=False, repr=False, kw_only=True)
class ColumnParameters:
    """What linear models take: the terms made of the columns, and which columns are categories."""

    features: Any = None
    categorical_features: Any = "from_dtype"
    ordinal: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class PairParameters(ColumnParameters):
    """What planes between two classes take besides."""

    otherwise: str = "discriminant"
    multi_class: str = "pairwise"


@dataclass(eq=False, repr=False, kw_only=True)
class SeparatorParameters(PairParameters):
    """The parameters of `LinearSeparator`."""

    bias: bool = True
    objective: str = "feasibility"


@dataclass(eq=False, repr=False, kw_only=True)
class MarginParameters(PairParameters):
    """The parameters of `MaxMarginClassifier`."""

    C: float | None = None
    kernel: str = "linear"
    gamma: float | None = None
    degree: int = 3
    constant: float = 1.0
    solver: str = "libsvm"
    tol: float = 1e-4


@dataclass(eq=False, repr=False, kw_only=True)
class PerceptronParameters(ColumnParameters):
    """The parameters of `Perceptron`."""

    start: Any = None
    bias: bool = True
    order: Any = None
    max_passes: int = 1000
    variant: str = "last"
    certify: bool = False
    max_trace: int = 10_000
    random_state: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class LogisticParameters(ColumnParameters):
    """The parameters of `LogisticRegression`."""

    l2: float = 0.0
    solver: str = "newton"
    multi_class: str = "softmax"
    reference_class: Any = None
    bias: bool = True
    reference: Any = "first"
    class_weight: Any = None
    strict: bool = False
    step: float | None = None
    tol: float = 1e-8
    max_iter: int | None = None
