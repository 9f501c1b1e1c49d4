"""One verb above growing and pruning: a table and its target in; the model with scores and verdict out."""

from treewright.model.contest import compare
from treewright.model.fitter import fit
from treewright.model.model import Model
from treewright.model.rivals import Rival, Rivals
from treewright.model.verdict import verdict

__all__ = ["Model", "Rival", "Rivals", "compare", "fit", "verdict"]


def __dir__() -> list[str]:
    return sorted(__all__)
