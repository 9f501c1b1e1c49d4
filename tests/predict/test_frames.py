"""Columns of pandas frames for a tree: those that are ready and those that are read come out alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from treewright.estimators import inputs

# Rows here hold categories that training never met on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*training never met:treewright.DataWarning")

TRAINING = pd.DataFrame(
    {
        "whole": [1, 2, 3, 4, 5, 6],
        "sky": pd.Categorical(["sun", "rain", "sun", None, "fog", "rain"]),
        "size": pd.Categorical(list("SMLSML"), categories=list("SML"), ordered=True),
        "digit": pd.Categorical([1, 2, 1, 2, 3, 3]),
        "wet": [True, False, True, False, True, True],
        "degrees": [0.5, np.nan, 1.5, 2.5, -1.0, 0.0],
        "text": ["u", "v", "u", "w", None, "v"],
    }
)
ODD = {
    "the same": {},
    "integers as floats": {"whole": np.arange(6.0)},
    "floats as integers": {"degrees": np.arange(6)},
    "small numbers": {"whole": np.arange(6, dtype=np.uint8), "degrees": np.arange(6, dtype=np.float16)},
    "truths as numbers": {"degrees": [True, False, True, True, False, True]},
    "numbers with gaps": {"whole": pd.array([1, None, 3, None, 5, 6], dtype="Int64")},
    "text of numbers": {"degrees": ["1", "2.5", None, "4", "5", "6"]},
    "another order": {"sky": pd.Categorical(["rain", "sun", "fog"] * 2, categories=["sun", "fog", "rain"])},
    "new categories": {"sky": pd.Categorical(["snow", "sun", None] * 2)},
    "no category at all": {"sky": pd.Categorical([None] * 6, categories=[])},
    "categories as text": {"sky": ["sun", "snow", None] * 2, "size": ["S", "XL", None] * 2},
    "numbers where categories were": {"digit": [1, 2, 9, 1, 2, 3]},
    "text where numbered categories were": {"digit": pd.Categorical(["1", "2", "9"] * 2)},
    "categories of truths": {"wet": pd.Categorical(["yes", "false", "True"] * 2)},
}


def trained() -> Any:
    """Return a tree that asks about every column."""
    random = np.random.default_rng(0)
    rows = pd.DataFrame({name: TRAINING[name].array[random.integers(0, 6, 300)] for name in TRAINING})
    model = tw.DecisionTreeClassifier(max_features=1, random_state=1).fit(rows, random.integers(0, 2, 300))
    assert set(model.tree_.column.tolist()) == set(range(-1, 7))
    return model


MODEL = trained()


@pytest.mark.parametrize("change", ODD)
def test_ready_and_read_columns_are_alike(change: str) -> None:
    frame = TRAINING.assign(**ODD[change])
    tree = MODEL.tree_
    found = inputs.columns_for(tree, frame)
    expected = inputs._read_columns(frame, tree.schema.columns)
    for column, mine, theirs in zip(tree.schema.columns, found, expected, strict=True):
        assert mine.dtype == theirs.dtype, column
        assert mine.flags.c_contiguous
        np.testing.assert_array_equal(mine, theirs)
    assert len(MODEL.predict(frame)) == 6


def test_most_columns_are_ready() -> None:
    assert sorted(inputs._ready_columns(MODEL.tree_, TRAINING)) == [0, 1, 2, 3, 5]


def test_columns_nobody_asks_about_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = TRAINING[["whole", "sky", "degrees"]]
    model = tw.DecisionTreeClassifier(max_depth=1).fit(frame, frame["whole"] > 3)
    assert model.tree_.column.tolist() == [0, -1, -1]
    monkeypatch.setattr(inputs, "_translated", lambda *_: pytest.fail("looked at"))
    assert [len(column) for column in inputs.columns_for(model.tree_, frame)] == [6, 6, 6]
    assert model.predict(frame).tolist() == [False] * 3 + [True] * 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"whole": [2**60 + 1] * 6}, "which no float64 equals"),
        ({"degrees": list("abcdef")}, "cannot be numeric"),
        ({"degrees": pd.Categorical(list("abcdef"))}, "cannot be numeric"),
        ({"sky": pd.Categorical([1, "1", 2] * 2)}, "several categories are written '1'"),
        ({"degrees": pd.date_range("2020", periods=6)}, "holds dates"),
    ],
)
def test_what_is_refused_stays_refused(change: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        MODEL.predict(TRAINING.assign(**change))


def test_no_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="no rows"):
        MODEL.predict(TRAINING.iloc[:0])
