"""Linear models: a table as a matrix with names, feature maps, planes with their proofs.

Growing some trees uses this room: scipy is imported inside functions only.
"""

from treewright.linear.chance import (
    OneUpdate,
    likelihood_gradient,
    log_likelihood,
    one_by_one,
    sigma,
)
from treewright.linear.coding import Coding
from treewright.linear.fit_warnings import CollinearWarning, SeparationWarning
from treewright.linear.given_plane import plane_margin
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
    "OneUpdate",
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
    "likelihood_gradient",
    "log_likelihood",
    "max_margin",
    "one_by_one",
    "plane_margin",
    "separate",
    "sigma",
]


def __dir__() -> list[str]:
    return sorted(__all__)
