"""Pruning: a Tree in, a smaller Tree out; one file a method, nothing changed in place."""

from treewright.prune.compare import Comparison, Pruned, compare
from treewright.prune.counts import UnsuitableError
from treewright.prune.critical_value import (
    CriticalValue,
    CriticalValuePath,
    choose_kappa,
    choose_kappa_by_cross_validation,
    critical_value,
    critical_value_path,
)
from treewright.prune.mdl import MDL, exception_bits, leaf_bits, mdl
from treewright.prune.merge import merge
from treewright.prune.minimum_error import MinimumError, choose_m, minimum_error, static_errors
from treewright.prune.pessimistic import Pessimistic, PessimisticErrors, pessimistic, pessimistic_errors
from treewright.prune.regularised import Regularised, regularised
from treewright.prune.sample import Sample, sample_of
from treewright.prune.selection import Selection

__all__ = [
    "MDL",
    "Comparison",
    "CriticalValue",
    "CriticalValuePath",
    "MinimumError",
    "Pessimistic",
    "PessimisticErrors",
    "Pruned",
    "Regularised",
    "Sample",
    "Selection",
    "UnsuitableError",
    "choose_kappa",
    "choose_kappa_by_cross_validation",
    "choose_m",
    "compare",
    "critical_value",
    "critical_value_path",
    "exception_bits",
    "leaf_bits",
    "mdl",
    "merge",
    "minimum_error",
    "pessimistic",
    "pessimistic_errors",
    "regularised",
    "sample_of",
    "static_errors",
]
