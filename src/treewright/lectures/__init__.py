"""Lecture mode: the examples of five lectures on trees, step by step, with the library's arithmetic."""

from treewright.lectures.boolean import boolean
from treewright.lectures.catalogue import all, lesson, names  # noqa: A004 (the word says it)
from treewright.lectures.chess import chess
from treewright.lectures.chi_square import chi_square
from treewright.lectures.claims import claims
from treewright.lectures.date import date
from treewright.lectures.divergence import divergence
from treewright.lectures.entropy import entropy
from treewright.lectures.error_complexity import error_complexity
from treewright.lectures.every_split import every_split
from treewright.lectures.forest import forest
from treewright.lectures.formula import formula
from treewright.lectures.gini import gini
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.logistic import logistic
from treewright.lectures.look_ahead import look_ahead
from treewright.lectures.margin import margin
from treewright.lectures.mdl import mdl
from treewright.lectures.minimum_error import minimum_error
from treewright.lectures.overfitting import overfitting
from treewright.lectures.perceptron import perceptron
from treewright.lectures.pessimistic import pessimistic
from treewright.lectures.pictures import pictures
from treewright.lectures.planes import planes
from treewright.lectures.reduced_error import reduced_error
from treewright.lectures.regression import regression
from treewright.lectures.regularised import regularised
from treewright.lectures.restaurant import restaurant
from treewright.lectures.rules import rules
from treewright.lectures.separators import separators
from treewright.lectures.slide import Slide
from treewright.lectures.smallest import smallest
from treewright.lectures.statements import Statement, statements
from treewright.lectures.stopping import stopping
from treewright.lectures.stump import stump
from treewright.lectures.temperature import temperature
from treewright.lectures.tennis import tennis
from treewright.lectures.weather import weather
from treewright.lectures.weighted_entropy import weighted_entropy

__all__ = [
    "Lesson",
    "Slide",
    "Statement",
    "Step",
    "all",
    "boolean",
    "chess",
    "chi_square",
    "claims",
    "date",
    "divergence",
    "entropy",
    "error_complexity",
    "every_split",
    "forest",
    "formula",
    "gini",
    "lesson",
    "logistic",
    "look_ahead",
    "margin",
    "mdl",
    "minimum_error",
    "names",
    "overfitting",
    "perceptron",
    "pessimistic",
    "pictures",
    "planes",
    "reduced_error",
    "regression",
    "regularised",
    "restaurant",
    "rules",
    "separators",
    "smallest",
    "statements",
    "stopping",
    "stump",
    "temperature",
    "tennis",
    "weather",
    "weighted_entropy",
]


def __dir__() -> list[str]:
    return sorted(__all__)
