"""One verb above growing and pruning: a table and its target in; the model with scores and verdict out."""

from treewright.model.contest import compare
from treewright.model.fitter import fit
from treewright.model.model import Model
from treewright.model.rivals import Rival, Rivals
from treewright.model.tuner import Standing, tune
from treewright.model.tuning import OuterFold, Tried, Tuning
from treewright.model.verdict import verdict
from treewright.model.windowing import windowed

__all__ = [
    "Model",
    "OuterFold",
    "Rival",
    "Rivals",
    "Standing",
    "Tried",
    "Tuning",
    "compare",
    "fit",
    "tune",
    "verdict",
    "windowed",
]


def __dir__() -> list[str]:
    return sorted(__all__)
