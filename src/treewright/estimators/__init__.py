"""The scikit-learn contract: estimators that check, call the rooms below, and store what comes back."""

from treewright.estimators.discretise import (
    MDLP,
    BoundaryPoints,
    ByHand,
    EqualFrequency,
    EqualWidth,
    Kononenko,
)
from treewright.estimators.forest import RandomForestClassifier, RandomForestRegressor
from treewright.estimators.logistic import LogisticRegression
from treewright.estimators.margin import MaxMarginClassifier
from treewright.estimators.optimal import OptimalTreeClassifier, OptimalTreeRegressor
from treewright.estimators.perceptron import Perceptron
from treewright.estimators.rules import RuleClassifier
from treewright.estimators.separator import LinearSeparator
from treewright.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = [
    "MDLP",
    "BoundaryPoints",
    "ByHand",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "EqualFrequency",
    "EqualWidth",
    "Kononenko",
    "LinearSeparator",
    "LogisticRegression",
    "MaxMarginClassifier",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "Perceptron",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RuleClassifier",
]


def __dir__() -> list[str]:
    return sorted(__all__)
