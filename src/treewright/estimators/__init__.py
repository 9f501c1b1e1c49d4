"""The scikit-learn contract: estimators that check, call the rooms below, and store what comes back."""

from treewright.estimators.rules import RuleClassifier
from treewright.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = ["DecisionTreeClassifier", "DecisionTreeRegressor", "RuleClassifier"]
