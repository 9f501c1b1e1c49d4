"""What must hold of a linear model that is read from plain values, so that a bad one cannot exist."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

_NONSENSE = (TypeError, LookupError, AttributeError, ArithmeticError, AssertionError)


@contextlib.contextmanager
def nonsense_refused(name: str) -> Iterator[None]:
    """Tell whatever goes wrong with values of a shape nobody thought of as a ValueError."""
    try:
        yield
    except _NONSENSE as error:
        raise ValueError(f"These values are no {name}: {type(error).__name__}, {error!s:.100}.") from error


def check_fit(model: Any) -> None:
    """Raise a ValueError that names the field where classes, names and weights do not go together."""
    n_columns, n_terms = len(model.coding_.schema), len(model.terms_)
    _need(model.n_features_in_ == n_columns, "n_features_in_", f"must be {n_columns}")
    names = getattr(model, "feature_names_in_", None)
    if names is not None:
        is_text = isinstance(names, np.ndarray) and set(map(type, names.tolist())) <= {str}
        _need(is_text and names.shape == (n_columns,), "feature_names_in_", f"must be {n_columns} texts")
    classes = model.classes_
    is_listed = isinstance(classes, np.ndarray) and classes.ndim == 1 and len(classes) > 1
    _need(is_listed and len(set(classes.tolist())) == len(classes), "classes_", "must be two or more, unlike")
    if model.coef_ is None and hasattr(model, "separations_"):  # no plane, and no other was wanted
        return
    shapes = _planes(len(classes))
    has_kernel = getattr(model, "kernel", "linear") != "linear"
    _need_floats(model.coef_, [(n, 0 if has_kernel else n_terms) for n in shapes], "coef_")
    _need_floats(model.intercept_, [(len(model.coef_),)], "intercept_")
    if has_kernel:
        n_support = len(model.support_)
        _need_floats(model.dual_coef_, [(len(model.coef_), n_support)], "dual_coef_")
        _need_floats(model.support_vectors_, [(n_support, n_terms)], "support_vectors_")


def _planes(n_classes: int) -> set[int]:
    """Return how many planes there may be: one, one for each class, one for every two."""
    return {1} if n_classes == 2 else {n_classes, n_classes * (n_classes - 1) // 2}


def _need(is_so: bool, field: str, words: str) -> None:
    if not is_so:
        raise ValueError(f"The stored field '{field}' {words}.")


def _need_floats(found: Any, shapes: list[tuple[int, ...]], field: str) -> None:
    is_float = isinstance(found, np.ndarray) and found.dtype == np.float64
    is_right = is_float and found.shape in shapes and bool(np.isfinite(found).all())
    _need(is_right, field, f"must hold finite numbers in the shape {' or '.join(map(str, shapes))}")
