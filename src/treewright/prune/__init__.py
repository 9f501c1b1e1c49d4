"""Pruning: a Tree and evidence in, a smaller Tree out; every way as a function and as an object."""

from treewright.prune.cost_complexity import (
    CostComplexityPath,
    JudgedPath,
    cost_complexity,
    cost_complexity_path,
    cross_validated,
    validated,
)
from treewright.prune.error_based import error_based, error_estimate, extra_errors
from treewright.prune.error_complexity import error_complexity
from treewright.prune.method import (
    METHODS,
    CostComplexity,
    ErrorBased,
    ErrorComplexity,
    Evidence,
    Method,
    ReducedError,
    find,
    pruned,
)
from treewright.prune.reduced_error import backfitted, reduced_error
from treewright.prune.sample import Sample, sample_of

__all__ = [
    "METHODS",
    "CostComplexity",
    "CostComplexityPath",
    "ErrorBased",
    "ErrorComplexity",
    "Evidence",
    "JudgedPath",
    "Method",
    "ReducedError",
    "Sample",
    "backfitted",
    "cost_complexity",
    "cost_complexity_path",
    "cross_validated",
    "error_based",
    "error_complexity",
    "error_estimate",
    "extra_errors",
    "find",
    "pruned",
    "reduced_error",
    "sample_of",
    "validated",
]
