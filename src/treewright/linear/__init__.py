"""Linear models: a table as a matrix with names, feature maps, planes with their proofs.

Growing some trees uses this room: scipy is imported inside functions only.
"""

from treewright.linear.coding import Coding
from treewright.linear.fit_warnings import CollinearWarning, SeparationWarning
from treewright.linear.kernels import PolynomialKernel, Radial
from treewright.linear.logistic import LogisticFit, fit_logistic
from treewright.linear.maps import Function, Interactions, Polynomial, SquaredDifference
from treewright.linear.margin import Margin, NoMargin, max_margin
from treewright.linear.perceptron import PerceptronFit, fit_perceptron
from treewright.linear.proof import Certificate, Separation
from treewright.linear.separation import separate
from treewright.linear.slacks import least_slacks

__all__ = [
    "Certificate",
    "Coding",
    "CollinearWarning",
    "Function",
    "Interactions",
    "LogisticFit",
    "Margin",
    "NoMargin",
    "PerceptronFit",
    "Polynomial",
    "PolynomialKernel",
    "Radial",
    "Separation",
    "SeparationWarning",
    "SquaredDifference",
    "fit_logistic",
    "fit_perceptron",
    "least_slacks",
    "max_margin",
    "separate",
]


def __dir__() -> list[str]:
    return sorted(__all__)
