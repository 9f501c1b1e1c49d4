"""What must hold of a linear model that is read from plain values, so that a bad one cannot exist."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.files import write_whole

# What arrays of a stored model may hold: truths, numbers, moments, texts, anything plain.
_DTYPE = re.compile(
    r"[|<>=]?(?:b1|[iu][1248]|f[248]|[mM]8\[(?:Y|M|W|D|h|m|s|ms|us|ns)\]|U([0-9]{1,9}))|object"
)
_WIDE = 1 << 16  # bytes that texts may be given beyond their own
_NAMED = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}  # as trees store them
_DEEPEST = 32
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
        gamma = vars(model).get("gamma_", 0.0)  # of kernels that have none it is None
        is_width = isinstance(gamma, float) and np.isfinite(gamma) and gamma > 0
        _need(gamma is None or is_width, "gamma_", "must be a positive number, or null")


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


# ---- plain values -------------------------------------------------------------------------------------


def array_of(values: Any, dtype: Any) -> NDArray[Any]:
    """Return a stored array; its dtype must be one that is written, and no wider than the values need.

    >>> array_of(["a", "bc"], "<U2").tolist()
    ['a', 'bc']
    >>> array_of(["a"], "S2000000000")
    Traceback (most recent call last):
    ValueError: An array of 'S2000000000' is not one that is stored.
    """
    known = _DTYPE.fullmatch(dtype) if isinstance(dtype, str) else None
    if known is None or not isinstance(values, list):
        raise ValueError(f"An array of {dtype!r:.40} is not one that is stored.")
    if known[1] is not None:
        if not all(isinstance(text, str) for text in values):
            raise ValueError("An array of texts holds something else.")
        if 4 * int(known[1]) * len(values) > _WIDE and int(known[1]) > max(map(len, values)):
            raise ValueError(f"An array of {dtype!r:.40} is wider than its texts.")
        "".join(values).encode()  # a lone surrogate is no text
    return np.array(values, dtype=np.dtype(dtype))


def decoded(plain: Any, level: int = 0) -> Any:
    """Return plain values with their numbers that are not finite, which have names in JSON.

    >>> decoded({"a": [1, {"$float": "inf"}]})
    {'a': [1, inf]}
    """
    if level > _DEEPEST:
        raise ValueError(f"Not a linear model: nested more than {_DEEPEST} levels deep.")
    if isinstance(plain, list):
        return [decoded(item, level + 1) for item in plain]
    if not isinstance(plain, Mapping):
        return plain
    if set(plain) == {"$float"}:
        name = plain["$float"]
        if not isinstance(name, str) or name not in _NAMED:
            raise ValueError(f"Not a linear model: {name!r:.40} for a number; the names are nan, inf, -inf.")
        return _NAMED[name]
    return {key: decoded(item, level + 1) for key, item in plain.items()}


def save(signed: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a model with its digest to a file, a line for each entry, whole or not at all."""
    lines = [f" {json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in signed.items()]
    write_whole(path, ("{\n" + ",\n".join(lines) + "\n}\n").encode("ascii"))
