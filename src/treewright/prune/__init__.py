"""Pruning: a Tree and evidence in, a smaller Tree out; every way as a function and as an object."""

from treewright.prune.base import Evidence, Method
from treewright.prune.compare import Comparison, Pruned, compare
from treewright.prune.cost_complexity import (
    CostComplexityPath,
    JudgedPath,
    cost_complexity,
    cost_complexity_path,
    cross_validated,
    validated,
)
from treewright.prune.counts import UnsuitableError
from treewright.prune.critical_value import (
    CriticalValue,
    CriticalValuePath,
    choose_kappa,
    choose_kappa_by_cross_validation,
    critical_value,
    critical_value_path,
)
from treewright.prune.error_based import error_based, error_estimate, extra_errors
from treewright.prune.error_complexity import error_complexity
from treewright.prune.mdl import MDL, exception_bits, leaf_bits, mdl
from treewright.prune.merge import merge
from treewright.prune.method import (
    METHODS,
    CostComplexity,
    ErrorBased,
    ErrorComplexity,
    ReducedError,
    find,
    pruned,
)
from treewright.prune.minimum_error import MinimumError, choose_m, minimum_error, static_errors
from treewright.prune.pessimistic import Pessimistic, PessimisticErrors, pessimistic, pessimistic_errors
from treewright.prune.reduced_error import backfitted, reduced_error
from treewright.prune.regularised import Regularised, regularised
from treewright.prune.sample import Sample, sample_of
from treewright.prune.selection import Selection

__all__ = [
    "MDL",
    "METHODS",
    "Comparison",
    "CostComplexity",
    "CostComplexityPath",
    "CriticalValue",
    "CriticalValuePath",
    "ErrorBased",
    "ErrorComplexity",
    "Evidence",
    "JudgedPath",
    "Method",
    "MinimumError",
    "Pessimistic",
    "PessimisticErrors",
    "Pruned",
    "ReducedError",
    "Regularised",
    "Sample",
    "Selection",
    "UnsuitableError",
    "backfitted",
    "choose_kappa",
    "choose_kappa_by_cross_validation",
    "choose_m",
    "compare",
    "cost_complexity",
    "cost_complexity_path",
    "critical_value",
    "critical_value_path",
    "cross_validated",
    "error_based",
    "error_complexity",
    "error_estimate",
    "exception_bits",
    "extra_errors",
    "find",
    "leaf_bits",
    "mdl",
    "merge",
    "minimum_error",
    "pessimistic",
    "pessimistic_errors",
    "pruned",
    "reduced_error",
    "regularised",
    "sample_of",
    "static_errors",
    "validated",
]


def __dir__() -> list[str]:
    return sorted(__all__)
