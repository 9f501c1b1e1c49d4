"""A row as people give it, and what they get wrong."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treewright as tw
from treewright.explain.row import row_of

TABLE = tw.Table.from_dict(
    {
        "age": [20, 30, 30, 30, 40, 40, 40, 40],
        "job": list("abababab"),
        "member": [True, False, True, True, False, False, True, True],
        "idle": range(8),
        "y": list("stuvwxyz"),
    }
)
TREE = tw.grow(TABLE.drop("idle"), target="y")
ROW = {"age": 30, "job": "b", "member": False}
FRAME = {"age": [30], "job": ["b"], "member": [False]}


def test_all_columns_are_asked():
    assert TREE.used_columns.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "given",
    [
        ROW,
        {**ROW, "extra": "ignored", "y": "v"},
        [30, "b", False],
        (30.0, "b", "false"),
        np.array([30, "b", False], dtype=object),
        [["30", "b", "0"]],
        pd.Series(ROW),
        pd.DataFrame(FRAME),
        pl.DataFrame(FRAME),
        pa.table(FRAME),
        tw.Table.from_dict(FRAME),
        pl.Series([30, "b", False], dtype=pl.Object),
    ],
    ids=lambda given: type(given).__module__.partition(".")[0] + "." + type(given).__name__,
)
def test_all_ways_are_one(given):
    assert row_of(TREE, given).cells == row_of(TREE, ROW).cells


@pytest.mark.parametrize(
    "table",
    [
        TABLE,
        pd.DataFrame(TABLE.to_dict()),
        pl.DataFrame(TABLE.to_dict()),
        pa.table(TABLE.to_dict()),
        TABLE.to_dict(),
    ],
)
def test_a_row_number_with_its_table(table):
    assert row_of(TREE, 1, table).cells == row_of(TREE, ROW).cells
    assert row_of(TREE, np.int64(-7), table).cells == row_of(TREE, ROW).cells
    with pytest.raises(IndexError, match="There is no row 8: the table has 8, numbered 0 to 7"):
        row_of(TREE, 8, table)


def test_gaps_of_every_sort():
    for gap in (None, float("nan"), np.nan, pd.NA):
        assert row_of(TREE, {**ROW, "job": gap}).shown["job"] is None
    assert np.isnan(row_of(TREE, {**ROW, "age": None}).cells[0])


def test_columns_nobody_asks_about_may_be_absent():
    small = tw.grow(tw.Table.from_dict({"x": [1, 2], "z": [5, 5], "y": list("ab")}), target="y")
    assert row_of(small, {"x": 1}).shown == {"x": 1}


def test_numbers_where_categories_are():
    table = tw.Table.from_dict({"zip": ["10", "20"], "y": list("ab")})
    tree = tw.grow(table, target="y")
    assert row_of(tree, {"zip": 10}).cells == (0,)
    assert row_of(tree, {"zip": 10.0}).cells == (0,)
    assert row_of(tree, {"zip": 30}).cells == (-2,)


@pytest.mark.parametrize(
    ("given", "table", "error", "message"),
    [
        (7, None, TypeError, r"A row number needs its table: explain\(7, table\)"),
        (ROW, TABLE, TypeError, "With a table the row is given by its number"),
        (
            {"agee": 30, "job": "b", "member": False},
            None,
            ValueError,
            "no 'age', which is asked about; it has 'agee': write 'age'",
        ),
        (
            {"job": "b", "member": False},
            None,
            ValueError,
            "no 'age', which is asked about; give it, or None where",
        ),
        ([30, "b"], None, ValueError, "The row has 2 cells; the columns are 3: 'age', 'job', 'member'"),
        ("age=30", None, TypeError, "A row is a dict by column name"),
        (None, None, TypeError, "A row is a dict by column name"),
        (True, None, TypeError, "A row is a dict by column name"),
        (TABLE, None, ValueError, "One row is explained; this has 8"),
        ({**ROW, "age": "old"}, None, ValueError, "Column 'age' cannot be numeric: it holds the text 'old'"),
        ({**ROW, "age": [30]}, None, TypeError, r"Column 'age' holds \[30\]; a row has one cell"),
    ],
)
def test_what_is_wrong_is_said(given, table, error, message):
    with pytest.raises(error, match=message):
        TREE.explain(given, table)


def test_nothing_is_changed_in_place():
    row = dict(ROW)
    TREE.explain(row)
    assert row == ROW


def test_a_record_a_named_tuple_and_rows_of_arrow_are_rows():
    frame = pd.DataFrame({name: TABLE.to_dict()[name] for name in ("age", "job", "member")})
    said = str(TREE.explain(1, frame))
    arrow = pa.Table.from_pandas(frame)
    assert str(TREE.explain(1, arrow)) == str(TREE.explain(1, arrow.to_batches()[0])) == said
    assert str(TREE.explain(1, pl.from_pandas(frame).lazy())) == said
    assert str(TREE.explain(frame.to_records(index=False)[1])) == said
    assert str(TREE.explain(next(frame.iloc[1:].itertuples()))) == said
    gap = pa.table({"age": [30], "job": pa.array([None], pa.string()), "member": [False]})
    assert TREE.explain(0, gap).row["job"] is None
