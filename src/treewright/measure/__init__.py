"""Measures as plain functions: impurities, divergences, and what one column tells of another."""

from treewright.measure.chi_square import ChiSquare, chi_square
from treewright.measure.divergence import cross_entropy, kl_divergence
from treewright.measure.gain import (
    conditional_entropy,
    error_decrease,
    gain_ratio,
    gini_decrease,
    information_gain,
    mutual_information,
    split_information,
    symmetrical_uncertainty,
    variance_reduction,
)
from treewright.measure.impurity import entropy, error, gini, variance

__all__ = [
    "ChiSquare",
    "chi_square",
    "conditional_entropy",
    "cross_entropy",
    "entropy",
    "error",
    "error_decrease",
    "gain_ratio",
    "gini",
    "gini_decrease",
    "information_gain",
    "kl_divergence",
    "mutual_information",
    "split_information",
    "symmetrical_uncertainty",
    "variance",
    "variance_reduction",
]
