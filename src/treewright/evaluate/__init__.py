"""Evaluation: how good a recipe or a tree is on rows it has not seen, and how far that can be trusted."""

from treewright.evaluate.answers import Answers, answers
from treewright.evaluate.calibration import (
    Smoothing,
    calibrate,
    choose_probabilities,
    with_probabilities,
)
from treewright.evaluate.confusion import ClassScores, Confusion, class_table, confusion
from treewright.evaluate.corrupt import corrupt
from treewright.evaluate.cross_validation import CrossValidation, FoldScores, cross_validate
from treewright.evaluate.curve import Curve, Line
from treewright.evaluate.gaps import Gaps, School, gaps
from treewright.evaluate.learning import LearningCurve, learning_curve
from treewright.evaluate.limited import reduced_error_by_folds, rows_needed
from treewright.evaluate.measures import (
    MEASURES,
    accuracy,
    balanced_accuracy,
    brier,
    calibration_error,
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
from treewright.evaluate.ranking import Ranking, precision_recall, roc
from treewright.evaluate.reliability import Reliability, reliability
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
    "Gaps",
    "LearningCurve",
    "Line",
    "Overfitting",
    "OverfittingCurve",
    "Parts",
    "Place",
    "PruningCurve",
    "Ranking",
    "Reliability",
    "School",
    "Score",
    "Smoothing",
    "Stability",
    "accuracy",
    "answers",
    "balanced_accuracy",
    "brier",
    "calibrate",
    "calibration_error",
    "choose_probabilities",
    "class_table",
    "confusion",
    "corrupt",
    "cross_validate",
    "error",
    "f1",
    "folds_by_row",
    "gaps",
    "is_overfitting",
    "learning_curve",
    "log_loss",
    "mae",
    "mcnemar",
    "mse",
    "overfitting_curve",
    "poisson_deviance",
    "precision_recall",
    "pruning_curve",
    "r2",
    "reduced_error_by_folds",
    "reliability",
    "rmse",
    "roc",
    "rows_needed",
    "scores",
    "split",
    "stability",
    "with_probabilities",
]


def __dir__() -> list[str]:
    return sorted(__all__)
