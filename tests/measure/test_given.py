"""What the measures take, what they refuse, and in which words."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treewright as tw
from treewright import measure

TEXTS = ["a", "b", None, "a"]


@pytest.mark.parametrize(
    "column",
    [
        TEXTS,
        tuple(TEXTS),
        ["a", "b", float("nan"), "a"],
        np.array(TEXTS, dtype=object),
        pd.Series(TEXTS),
        pd.Series(TEXTS, dtype="category"),
        pd.Series([1, 2, None, 1], dtype="Int64").astype(object),
        pd.Series(TEXTS, dtype="string"),
        pl.Series(TEXTS),
        pl.Series(TEXTS, dtype=pl.Categorical),
        pa.array(TEXTS),
        np.array(["2020-01-01", "2021-01-01", "NaT", "2020-01-01"], dtype="M8[D]"),
        tw.Table.from_dict({"x": TEXTS}).labels("x"),
        [True, False, None, True],
    ],
)
def test_columns_come_in_any_form_with_gaps_of_any_sort(column):
    options = {} if not isinstance(column, pd.Series) or column.dtype != object else {"given": "labels"}
    with pytest.raises(ValueError, match=r"p is missing in 1 of 4 rows, and missing='error'"):
        measure.entropy(column, **options)
    assert measure.entropy(column, missing="drop", **options) == measure.entropy([2, 1])
    assert measure.entropy(column, missing="own_branch", **options) == measure.entropy([2, 1, 1])
    y = ["no", "yes", "no", "yes"]
    assert measure.information_gain(column, y, missing="drop") == measure.information_gain([[1, 1], [0, 1]])
    assert measure.information_gain(column, y, missing="own_branch") == measure.information_gain(
        [[1, 1], [0, 1], [1, 0]]
    )


def test_numbers_are_counts_unless_they_are_said_to_be_labels():
    assert measure.entropy([2, 2, 0]) == 1.0
    assert measure.entropy([2, 2, 0], given="labels") == measure.entropy([2, 1])
    assert measure.entropy([5, 5], given="labels", weights=[1, 3]) == 0.0
    assert measure.entropy(np.array([True, True, False])) == measure.entropy([2, 1])
    assert measure.kl_divergence([1, 1, 2], [1, 2], given="labels") == measure.kl_divergence([2, 1], [1, 1])


def test_gaps_are_divided_as_the_known_rows_are():
    x, y = ["a", "a", "b", None], ["no", "yes", "yes", "yes"]
    assert measure.information_gain(x, y, missing="fractional") == pytest.approx(
        measure.information_gain([[1, 1 + 2 / 3], [0, 1 + 1 / 3]])
    )
    x, y = ["a", "a", "b", "b"], ["no", "yes", "yes", None]
    assert measure.information_gain(x, y, missing="fractional") == pytest.approx(
        measure.information_gain([[1, 1], [1 / 3, 1 + 2 / 3]])
    )
    x, y = ["a", "a", "b", None], ["no", "yes", "yes", None]
    assert measure.information_gain(x, y, missing="fractional") == pytest.approx(
        measure.information_gain([[1, 1], [0, 1]])
    )
    assert measure.entropy(x, missing="fractional") == measure.entropy([2, 1])


def test_gaps_without_weight_do_not_matter():
    assert measure.entropy(["a", "b", None], weights=[1, 1, 0]) == 1.0
    assert measure.information_gain(["a", "b", None], ["c", "d", "c"], weights=[1, 1, 0]) == 1.0


def test_branches_that_are_empty_count_for_nothing():
    table = [[2, 3, 0], [0, 0, 0], [4, 0, 0]]
    assert measure.information_gain(table) == measure.information_gain([[2, 3], [4, 0]])
    assert measure.chi_square(table) == measure.chi_square([[2, 3], [4, 0]])
    assert measure.chi_square([[2, 3]]) == (0.0, 0, 1.0)
    assert measure.gain_ratio([[2, 3], [0, 0]]) == 0.0


WRONG = {
    "negative": (
        lambda: measure.entropy([1, -1]),
        ValueError,
        r"p\[1\] is -1.0; counts and probabilities are",
    ),
    "gap among counts": (lambda: measure.gini([1, None]), ValueError, r"p\[1\] is nan"),
    "infinite": (lambda: measure.error([[1, np.inf]]), ValueError, r"p\[\(0, 1\)\] is inf"),
    "nothing": (lambda: measure.entropy([0, 0]), ValueError, "p adds up to 0"),
    "nothing somewhere": (lambda: measure.entropy([[1, 1], [0, 0]]), ValueError, r"p\[1\] adds up to 0"),
    "too much": (lambda: measure.entropy([1e308, 1e308]), ValueError, "more than float64 can hold"),
    "too much in a table": (
        lambda: measure.chi_square([[1e308, 1e308]]),
        ValueError,
        "table adds up to inf",
    ),
    "heavy rows": (
        lambda: measure.gini(["a", "b"], weights=[1e308, 1e308]),
        ValueError,
        "weights adds up to inf",
    ),
    "half an axis": (lambda: measure.gini([[1, 2]], axis=0.5), ValueError, "axis=0.5 is not an axis"),
    "huge numbers": (lambda: measure.variance([1e200, 2]), ValueError, "scale it down"),
    "a huge count": (lambda: measure.gini([10**400, 1]), ValueError, "p holds a number beyond float64"),
    "no probabilities": (
        lambda: measure.entropy([9, 5], given="probabilities"),
        ValueError,
        "p adds up to 14; probabilities add up to 1",
    ),
    "no probabilities somewhere": (
        lambda: measure.kl_divergence([[0.5, 0.5], [0.5, 0.6]], [0.5, 0.5], given="probabilities"),
        ValueError,
        r"p\[1\] adds up to 1.1",
    ),
    "empty": (lambda: measure.entropy([]), ValueError, "p has no outcomes"),
    "empty column": (lambda: measure.information_gain([], []), ValueError, "x has no rows"),
    "text": (
        lambda: measure.entropy("aab"),
        TypeError,
        "p must be a column, counts or probabilities; found str",
    ),
    "a table of texts": (lambda: measure.gini([["a"]]), ValueError, "one dimension"),
    "ragged": (lambda: measure.gini([[1], [1, 2]]), ValueError, "not an array of one shape"),
    "complex": (lambda: measure.gini([1j]), TypeError, "complex128"),
    "lists as labels": (
        lambda: measure.gini(np.array([[1], "a"], dtype=object)),
        TypeError,
        "A label must be text, a number",
    ),
    "given": (lambda: measure.entropy([1], given="count"), ValueError, "did you mean 'counts'"),
    "missing": (lambda: measure.entropy(["a"], missing="dorp"), ValueError, "did you mean 'drop'"),
    "missing of counts": (lambda: measure.entropy([1], missing="dorp"), ValueError, "did you mean 'drop'"),
    "weights of counts": (lambda: measure.entropy([1, 2], weights=[1, 1]), ValueError, "given='labels'"),
    "weights of a table": (
        lambda: measure.gain_ratio([[1, 2]], weights=[1]),
        ValueError,
        "weights= is for two columns",
    ),
    "too few weights": (lambda: measure.gini(["a"], weights=[1, 2]), ValueError, "for 1 rows"),
    "weights of 0": (lambda: measure.gini(["a"], weights=[0]), ValueError, "weights are all 0"),
    "negative weight": (lambda: measure.gini(["a"], weights=[-1]), ValueError, r"weights\[0\] is -1.0"),
    "base 1": (lambda: measure.entropy([1, 1], base=1), ValueError, "above 1"),
    "base e": (lambda: measure.entropy([1, 1], base="e"), TypeError, "math.e"),
    "axis": (lambda: measure.entropy([1, 1], axis=1), ValueError, "axis=1 is not an axis of p"),
    "lengths": (lambda: measure.gain_ratio(["a"], ["b", "c"]), ValueError, "x has 1 rows and y has 2"),
    "one column": (lambda: measure.gain_ratio(["a", "b"]), ValueError, "give two"),
    "a column of tables": (lambda: measure.gain_ratio([["a"]], ["b"]), ValueError, "one dimension"),
    "gaps only": (
        lambda: measure.entropy([None, "a"], weights=[1, 0], missing="drop"),
        ValueError,
        "gaps only",
    ),
    "no pair": (
        lambda: measure.gain_ratio(["a", None], [None, "b"], missing="drop"),
        ValueError,
        "No row has both x and y",
    ),
    "outcomes": (lambda: measure.kl_divergence([1, 1], [1]), ValueError, "p has 2 outcomes and q has 1"),
    "shapes": (
        lambda: measure.kl_divergence(np.ones((2, 2)), np.ones((3, 2))),
        ValueError,
        "cannot be matched",
    ),
    "labels and counts": (lambda: measure.kl_divergence(["a"], [1]), TypeError, "One of p and q is labels"),
    "gap in p": (
        lambda: measure.kl_divergence(["a", None], ["a"]),
        ValueError,
        "p is missing in 1 of 2 rows",
    ),
    "variance of texts": (lambda: measure.variance(["a"]), TypeError, "y must be numbers"),
    "variance of infinity": (lambda: measure.variance([1, np.inf]), ValueError, r"y\[1\] is inf"),
    "variance with gaps": (lambda: measure.variance([1, None]), ValueError, "y is missing in 1 of 2 rows"),
    "reduction with gaps": (
        lambda: measure.variance_reduction(["a", None], [1, 2]),
        ValueError,
        "x is missing in 1 of 2 rows",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_measured_is_refused_in_words(name):
    call, kind, words = WRONG[name]
    with pytest.raises(kind, match=words):
        call()


def test_reduction_of_variance_with_gaps():
    x, y = ["a", None, "b", "b"], [1, 2, 5, None]
    assert measure.variance_reduction(x, y, missing="drop") == 4.0
    assert measure.variance_reduction(x, y, missing="own_branch") == pytest.approx(
        measure.variance([1, 2, 5])
    )
    assert measure.variance([1, None, 3], missing="drop") == 1.0
