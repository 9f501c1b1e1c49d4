"""Keywords that an estimator does not know: taken where they mean the same, else told what is meant."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from treewright.base.names import hint
from treewright.growth.settings import ELSEWHERE
from treewright.prune import CostComplexity

Model = TypeVar("Model")

# Our words for settings, to people who know `tw.grow`: what estimators call them.
_HERE = {ours: theirs for theirs, ours in ELSEWHERE.items()}
_ADVICE = {
    "ccp_alpha": "prune=tw.prune.CostComplexity(alpha=..., risk='impurity') does the same",
    "monotonic_cst": "name the columns: monotone={'age': 1, 'debt': -1}",
    "min_impurity_split": "here it is called min_impurity",
    "C": "l2 is the weight of the penalty",
    "penalty": "l2 is the weight of the penalty",
    "presort": "it is not needed: leave it out",
    "verbose": "it is not needed: leave it out",
    "weights": "give sample_weight to fit",
    "discretize": "here it is called discretise",
}
# Advice for estimators that have this parameter.
_SPEAKS_OF = {
    "ccp_alpha": "prune",
    "monotonic_cst": "monotone",
    "min_impurity_split": "min_impurity",
    "C": "l2",
    "penalty": "l2",
    "discretize": "discretise",
}


def with_advice(init: Callable[..., None]) -> Callable[..., None]:
    """Return an `__init__` that takes or explains unknown keywords; its signature stays what it is.

    >>> class Model:
    ...     @with_advice
    ...     def __init__(self, *, prune=None, max_depth=None): self.prune, self.max_depth = prune, max_depth
    >>> Model(ccp_alpha=0.01).prune
    CostComplexity(alpha=0.01, risk='impurity', ...)
    >>> Model(max_dept=3)
    Traceback (most recent call last):
    TypeError: Model has no parameter 'max_dept'; did you mean 'max_depth'?
    """
    known = tuple(inspect.signature(init).parameters)[1:]

    @functools.wraps(init)
    def advised(self: Any, *args: Any, **given: Any) -> None:
        unknown = [name for name in given if name not in known]
        if unknown:
            given = _translated(type(self).__name__, known, given, unknown)
        init(self, *args, **given)

    return advised


def explaining(cls: type[Model]) -> type[Model]:
    """Return a class of estimators that takes or explains unknown keywords, as `with_advice` does.

    >>> from dataclasses import dataclass
    >>> @explaining
    ... @dataclass
    ... class Model:
    ...     max_depth: int | None = None
    >>> Model(max_dept=3)
    Traceback (most recent call last):
    TypeError: Model has no parameter 'max_dept'; did you mean 'max_depth'?
    """
    cls.__init__ = with_advice(cls.__init__)  # type: ignore[method-assign]
    return cls


def _translated(
    who: str, known: tuple[str, ...], given: dict[str, Any], unknown: list[str]
) -> dict[str, Any]:
    """Return keywords in our words, or refuse those that have none."""
    found = {name: value for name, value in given.items() if name not in unknown}
    for name in unknown:
        meant = _same(name, given[name]) if {"prune", "monotone"} & set(known) else None
        if meant is None:
            is_meant = name not in _SPEAKS_OF or _SPEAKS_OF[name] in known
            advice = _ADVICE.get(name, "") if is_meant else ""
            if _HERE.get(name) in known:
                advice = advice or f"here it is called {_HERE[name]}"
            way = f"; {advice}." if advice else hint(name, known) or f"; it has {', '.join(known)}."
            raise TypeError(f"{who} has no parameter {name!r}{way}")
        for word, value in meant.items():
            if found.get(word) is not None:
                raise TypeError(f"{name} and {word} say the same of a {who} twice; give one of them.")
            if word not in known:
                raise TypeError(f"{who} has no parameter {name!r}; its trees are not pruned.")
            found[word] = value
    return found


def _same(name: str, value: Any) -> Mapping[str, Any] | None:
    """Return scikit-learn's keyword in ours where both mean the same; None where they do not."""
    is_number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if name == "ccp_alpha" and is_number and value >= 0:
        return {"prune": CostComplexity(alpha=float(value), risk="impurity")} if value > 0 else {}
    if name == "monotonic_cst" and (value is None or isinstance(value, Mapping)):
        return {"monotone": dict(value)} if value else {}
    if name == "monotonic_cst" and isinstance(value, (list, tuple, np.ndarray)):
        return {"monotone": value}
    return None
