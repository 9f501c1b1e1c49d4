"""All walks by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from treewright.base.names import nearest
from treewright.lectures.boolean import boolean
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
from treewright.lectures.lesson import Lesson
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
from treewright.lectures.smallest import smallest
from treewright.lectures.stopping import stopping
from treewright.lectures.stump import stump
from treewright.lectures.temperature import temperature
from treewright.lectures.tennis import tennis
from treewright.lectures.weather import weather
from treewright.lectures.weighted_entropy import weighted_entropy

# A new walk is a file of its own and a row here, in the order in which a course meets them.
_WALKS: tuple[Callable[[], Lesson], ...] = (
    entropy,
    divergence,
    tennis,
    restaurant,
    weather,
    weighted_entropy,
    date,
    gini,
    boolean,
    temperature,
    stump,
    every_split,
    regression,
    overfitting,
    stopping,
    chi_square,
    reduced_error,
    error_complexity,
    pessimistic,
    minimum_error,
    mdl,
    regularised,
    smallest,
    look_ahead,
    rules,
    chess,
    formula,
    forest,
    planes,
    perceptron,
    margin,
    separators,
    logistic,
    pictures,
    claims,
)

WALKS: Mapping[str, Callable[[], Lesson]] = MappingProxyType({walk.__name__: walk for walk in _WALKS})


def names() -> list[str]:
    """Return the names of all walks, in the order of a course.

    >>> names()[:4]
    ['entropy', 'divergence', 'tennis', 'restaurant']
    """
    return list(WALKS)


def lesson(name: str) -> Lesson:
    """Return one walk by its name.

    >>> lesson("tennis").title
    'Play tennis by ID3'
    >>> lesson("tenis")
    Traceback (most recent call last):
    ValueError: No lesson is named 'tenis'; did you mean 'tennis'? The lessons are entropy, divergence, ...
    """
    if name not in WALKS:
        near = nearest(name, list(WALKS))
        hint = f"did you mean {near!r}? " if near else ""
        raise ValueError(f"No lesson is named {name!r}; {hint}The lessons are {', '.join(WALKS)}.")
    return WALKS[name]()


def all() -> list[Lesson]:  # noqa: A001 (the word says it)
    """Return all walks, in the order of a course.

    >>> sum(len(lesson.steps) for lesson in all()) > 200
    True
    """
    return [walk() for walk in WALKS.values()]
