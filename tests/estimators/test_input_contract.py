"""The same values give the same model, whatever holds them: every estimator, pruner and number of threads.

What is compared: an estimator fitted to float64, and one fitted to the same values in another dtype, order,
memory or library. Their trees are equal, node by node, and so is what they say of rows in either form.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treewright as tw
from tests.amount import IS_FULL
from treewright.growth import Settings
from treewright.prune.method import find

# Rows here hold categories that training never met on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*training never met:treewright.DataWarning")

N, WIDTH = 36, 3
NAMES = [f"x{i}" for i in range(WIDTH)]
rng = np.random.default_rng(14)
WHOLE = rng.integers(0, 12, (N, WIDTH)).astype(np.float64)
ROUGH = rng.normal(size=(N, WIDTH)).astype(np.float32).astype(np.float64)  # no float16, and no short decimals
CLASSES = np.where(
    WHOLE[:, 0] + (rng.random(N) < 0.2) * 9 > 8, "yes", np.where(ROUGH[:, 1] > 0.4, "no", "so")
)
TARGETS = {"classes": CLASSES, "numbers": WHOLE[:, 0] + np.round(ROUGH[:, 1], 2), "sides": CLASSES == "yes"}

WHOLE_TYPES = [
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    ">i4",
    ">u2",
]
FLOAT_TYPES = ["float32", ">f4", ">f8", "longdouble"]


def strided(X, step=2):
    wide = np.zeros((len(X) * 2, X.shape[1] * 2), X.dtype)
    wide[::2, ::2] = X
    return wide[::step, ::step]


def backwards(X):
    return np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1]


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def mapped(X, folder):
    path = folder / f"{X.dtype.name}.npy"
    np.save(path, X)
    return np.load(path, mmap_mode="r")


def misaligned(X):
    raw = np.zeros(X.nbytes + 1, np.uint8)
    shifted = raw[1:].view(X.dtype).reshape(X.shape)
    shifted[:] = X
    assert not shifted.flags.aligned
    return shifted


def field_of_records(X):
    """A column of numbers in records of 13 bytes: steps that are no multiple of the number's size."""
    records = np.zeros(X.shape, np.dtype([("x", X.dtype), ("note", "S5")]))
    records["x"] = X
    return records["x"]


FORMS: dict[str, Callable[..., Any]] = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "strided": strided,
    "backwards": backwards,
    "read-only": read_only,
    "mapped": mapped,
    "misaligned": misaligned,
    "records": field_of_records,
    "object": lambda X: X.astype(object),
    "list": lambda X: X.tolist(),
    "masked": np.ma.MaskedArray,
    "pandas": lambda X: pd.DataFrame(X, columns=NAMES),
    "pandas, column by column": lambda X: pd.DataFrame({n: X[:, i].copy() for i, n in enumerate(NAMES)}),
    "pandas, nullable": lambda X: pd.DataFrame(X, columns=NAMES).convert_dtypes(),
    "polars": lambda X: pl.DataFrame({n: X[:, i] for i, n in enumerate(NAMES)}),
    "pyarrow": lambda X: pa.table({n: X[:, i].copy() for i, n in enumerate(NAMES)}),
    "Table": lambda X: tw.Table.from_frame(pd.DataFrame(X, columns=NAMES)),
}


LAID_OUT = (
    "Fortran",
    "strided",
    "backwards",
    "read-only",
    "mapped",
    "misaligned",
    "records",
    "object",
    "Table",
)


def inputs(folder) -> dict[str, tuple[str, Any]]:
    """Every form: the values it holds, by name, and what holds them."""
    found: dict[str, tuple[str, Any]] = {
        f"float32, {name}": ("rough", make(ROUGH.astype(np.float32))) for name, make in forms(folder).items()
    }
    found |= {f"float64, {name}": ("rough", forms(folder)[name](ROUGH)) for name in LAID_OUT}
    found |= {dtype: ("rough", ROUGH.astype(dtype)) for dtype in FLOAT_TYPES}
    found |= {dtype: ("whole", WHOLE.astype(dtype)) for dtype in WHOLE_TYPES}
    found["int64, polars"] = "whole", FORMS["polars"](WHOLE.astype(np.int64))
    found["uint8, pyarrow"] = "whole", FORMS["pyarrow"](WHOLE.astype(np.uint8))
    found["mixed widths"] = (
        "whole",
        pd.DataFrame(
            {
                n: WHOLE[:, i].astype(t)
                for i, (n, t) in enumerate(zip(NAMES, ("float32", "int8", "float64"), strict=True))
            }
        ),
    )
    return found


def forms(folder) -> dict[str, Callable[[Any], Any]]:
    return {name: partial(make, folder=folder) if name == "mapped" else make for name, make in FORMS.items()}


VALUES = {"rough": ROUGH, "whole": WHOLE}
PRUNERS = [
    "none",
    "cv",
    "cost_complexity",
    "reduced_error",
    "error_complexity",
    "error_based",
    "pessimistic",
    "mdl",
    "sliq",
    "minimum_error",
    "critical_value",
    "regularised",
]
FOR_NUMBERS = ["none", "cv", "reduced_error"]
Tree, Number = tw.DecisionTreeClassifier, tw.DecisionTreeRegressor

# What is fitted: the estimator, what it predicts, and its parameters.
CASES: dict[str, tuple[Any, str, dict[str, Any]]] = {
    **{f"tree, prune={p}": (Tree, "classes", {"prune": p}) for p in PRUNERS},
    **{f"numbers, prune={p}": (Number, "numbers", {"prune": p}) for p in FOR_NUMBERS},
    "cart": (Tree, "classes", {"recipe": "cart"}),
    "cart for numbers": (Number, "numbers", {"recipe": "cart"}),
    "c4.5": (Tree, "classes", {"recipe": "c4.5"}),
    "id3 on intervals": (Tree, "classes", {"recipe": "id3", "discretise": "mdlp"}),
    "sums": (
        Tree,
        "classes",
        {"splits": "linear", "max_depth": 2, "linear_tries": 1, "prune": "reduced_error"},
    ),
    "models": (Number, "numbers", {"leaves": "linear", "max_depth": 2, "prune": "reduced_error"}),
    "logistic models": (Tree, "classes", {"leaves": "logistic", "max_depth": 1}),
    "drawn columns": (Tree, "classes", {"max_features": 1, "prune": "cv"}),
    "forest": (tw.RandomForestClassifier, "classes", {"n_estimators": 3, "oob_score": True}),
    "forest for numbers": (tw.RandomForestRegressor, "numbers", {"n_estimators": 3, "oob_score": True}),
    "rules": (tw.RuleClassifier, "classes", {}),
    "logistic": (tw.LogisticRegression, "sides", {}),
    "perceptron": (tw.Perceptron, "sides", {"max_passes": 20}),
    "margin": (tw.MaxMarginClassifier, "sides", {"C": 1.0}),
    "separator": (tw.LinearSeparator, "sides", {}),
}
THREADED = [name for name, (kind, _, _) in CASES.items() if "n_jobs" in kind().get_params()]


def fitted(case: str, X: Any, n_jobs: int | None = None) -> Any:
    kind, target, parameters = CASES[case]
    model = kind(**parameters)
    known = model.get_params()
    more = {"random_state": 0, "n_jobs": n_jobs}
    model.set_params(**{name: value for name, value in more.items() if name in known and value is not None})
    return model.fit(X, TARGETS[target])


@cache
def plainly(case: str, values: str) -> Any:
    return fitted(case, VALUES[values])


def grown(model: Any) -> Any:
    """What was grown, or found: equal for equal models."""
    for name in ("tree_", "forest_", "rules_"):
        if hasattr(model, name):
            return getattr(model, name)
    return model.coef_.tolist(), model.intercept_.tolist()


def same(model: Any, plain: Any, X: Any, values: str) -> None:
    assert grown(model) == grown(plain)
    with_names = hasattr(model, "feature_names_in_")
    rows = pd.DataFrame(VALUES[values], columns=NAMES) if with_names else VALUES[values]
    for word in ("predict", "predict_proba", "apply"):
        if hasattr(plain, word):
            expected = getattr(plain, word)(VALUES[values])
            np.testing.assert_array_equal(getattr(model, word)(X), expected)
            np.testing.assert_array_equal(getattr(model, word)(rows), expected)
    if hasattr(plain, "oob_score_"):
        assert model.oob_score_ == plain.oob_score_


@pytest.mark.parametrize("case", CASES)
def test_the_model_does_not_depend_on_what_holds_the_values(case, tmp_path):
    """In the short run every other form, the others with the next case."""
    forms = list(inputs(tmp_path).items())
    for name, (values, X) in forms if IS_FULL else forms[list(CASES).index(case) % 2 :: 2]:
        try:
            same(fitted(case, X), plainly(case, values), X, values)
        except Exception as trouble:
            raise AssertionError(f"{case} on {name}: {type(trouble).__name__}: {trouble}") from trouble


@pytest.mark.parametrize("case", THREADED)
@pytest.mark.parametrize("n_jobs", [2, 3])
def test_nor_on_the_number_of_threads(case, n_jobs, tmp_path):
    forms = inputs(tmp_path)
    for name in ("float32, C", "float32, Fortran", "float32, pandas", "float64, strided", "int8"):
        values, X = forms[name]
        same(fitted(case, X, n_jobs), plainly(case, values), X, values)


@pytest.mark.parametrize("method", [p for p in PRUNERS if p not in ("none", "cv", "sliq")])
def test_a_fitted_model_is_pruned_alike(method, tmp_path):
    """`model.prune(method, X, y)` takes the rows in any form as well."""
    plain = plainly("tree, prune=none", "rough").prune(method, ROUGH, CLASSES)
    for name, (values, X) in inputs(tmp_path).items():
        if values == "rough":
            model = fitted("tree, prune=none", X).prune(method, X, CLASSES)
            assert model.tree_ == plain.tree_, name


@pytest.mark.parametrize("case", CASES)
def test_truths_are_asked_like_numbers(case):
    """Of bool an array makes categories: the questions read otherwise, the answers are the same.

    Where rows are dealt into parts, by what they hold (semantics 3.14.9), the same categories are compared.
    """
    truths = WHOLE > 5
    if case == "id3 on intervals":
        pytest.skip("there is nothing to cut into intervals")
    model, X = fitted(case, truths), truths.astype(np.float64)
    if deals_rows(CASES[case][2]):
        X = np.where(truths, "True", "False").astype(object)
    if case not in ("sums", "models", "logistic models"):  # which are sums of numbers only
        np.testing.assert_array_equal(model.predict(truths), fitted(case, X).predict(X))
    assert len(model.predict(truths[:, ::-1][:, ::-1])) == N


def deals_rows(parameters: dict[str, Any]) -> bool:
    """Does the way to prune keep rows back, or deal them into folds?"""
    named = {name: parameters[name] for name in ("prune",) if name in parameters}
    method = find(Settings.of(parameters.get("recipe", "plain"), **named).prune)
    return method is not None and (method.needs == "validation" or hasattr(method, "folds"))


@pytest.mark.parametrize("way", ["EqualWidth", "EqualFrequency", "MDLP", "Kononenko", "BoundaryPoints"])
def test_intervals_do_not_depend_on_what_holds_the_values(way, tmp_path):
    kind = getattr(tw.discretise, way)
    plain = {values: kind().fit(X, CLASSES) for values, X in VALUES.items()}
    for name, (values, X) in inputs(tmp_path).items():
        model = kind().fit(X, CLASSES)
        np.testing.assert_equal(model.edges_, plain[values].edges_, name)
