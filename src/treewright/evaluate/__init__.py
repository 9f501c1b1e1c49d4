"""Evaluation: how good a recipe or a tree is on rows it has not seen, and how far that can be trusted."""

from treewright.evaluate.answers import Answers, answers
from treewright.evaluate.confusion import ClassScores, Confusion, class_table, confusion
from treewright.evaluate.corrupt import corrupt
from treewright.evaluate.cross_validation import CrossValidation, FoldScores, cross_validate
from treewright.evaluate.curve import Curve, Line
from treewright.evaluate.learning import LearningCurve, learning_curve
from treewright.evaluate.measures import (
    MEASURES,
    accuracy,
    balanced_accuracy,
    brier,
    error,
    f1,
    log_loss,
    mae,
    mse,
    poisson_deviance,
    r2,
    rmse,
    scores,
)
from treewright.evaluate.overfitting import OverfittingCurve, overfitting_curve
from treewright.evaluate.parts import Parts, folds_by_row, split
from treewright.evaluate.pruning import PruningCurve, pruning_curve
from treewright.evaluate.score import Score
from treewright.evaluate.stability import Place, Stability, stability
from treewright.evaluate.verdict import Overfitting, is_overfitting, mcnemar

__all__ = [
    "MEASURES",
    "Answers",
    "ClassScores",
    "Confusion",
    "CrossValidation",
    "Curve",
    "FoldScores",
    "LearningCurve",
    "Line",
    "Overfitting",
    "OverfittingCurve",
    "Parts",
    "Place",
    "PruningCurve",
    "Score",
    "Stability",
    "accuracy",
    "answers",
    "balanced_accuracy",
    "brier",
    "class_table",
    "confusion",
    "corrupt",
    "cross_validate",
    "error",
    "f1",
    "folds_by_row",
    "is_overfitting",
    "learning_curve",
    "log_loss",
    "mae",
    "mcnemar",
    "mse",
    "overfitting_curve",
    "poisson_deviance",
    "pruning_curve",
    "r2",
    "rmse",
    "scores",
    "split",
    "stability",
]


def __dir__() -> list[str]:
    return sorted(__all__)
