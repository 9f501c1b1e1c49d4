"""Measures as plain functions: impurities, divergences, gains, chi-square, and cuts of numbers."""

from treewright.measure.chi_square import ChiSquare, chi_square
from treewright.measure.densities import (
    Gaussian,
    density_cross_entropy,
    density_entropy,
    density_kl_divergence,
)
from treewright.measure.discretiser import Discretiser
from treewright.measure.divergence import cross_entropy, kl_divergence
from treewright.measure.equal import equal_frequency_cuts, equal_width_cuts
from treewright.measure.every_cut import CutLosses, cut_losses
from treewright.measure.gain import (
    conditional_entropy,
    error_decrease,
    gain_ratio,
    gini_decrease,
    information_gain,
    joint_entropy,
    mutual_information,
    specific_conditional_entropy,
    split_information,
    symmetrical_uncertainty,
    variance_reduction,
)
from treewright.measure.impurity import entropy, error, gini, variance
from treewright.measure.intervals import interval_names, intervals
from treewright.measure.mdl import kononenko_cuts, mdlp_cuts, mdlp_needed
from treewright.measure.scan import CutGains, boundary_cuts, cut_gains

__all__ = [
    "ChiSquare",
    "CutGains",
    "CutLosses",
    "Discretiser",
    "Gaussian",
    "boundary_cuts",
    "chi_square",
    "conditional_entropy",
    "cross_entropy",
    "cut_gains",
    "cut_losses",
    "density_cross_entropy",
    "density_entropy",
    "density_kl_divergence",
    "entropy",
    "equal_frequency_cuts",
    "equal_width_cuts",
    "error",
    "error_decrease",
    "gain_ratio",
    "gini",
    "gini_decrease",
    "information_gain",
    "interval_names",
    "intervals",
    "joint_entropy",
    "kl_divergence",
    "kononenko_cuts",
    "mdlp_cuts",
    "mdlp_needed",
    "mutual_information",
    "specific_conditional_entropy",
    "split_information",
    "symmetrical_uncertainty",
    "variance",
    "variance_reduction",
]


def __dir__() -> list[str]:
    return sorted(__all__)
