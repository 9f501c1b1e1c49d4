import datetime as dt
import string
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import at_most
from treewright.table import Kind, Table


class Stream:
    """An Arrow stream of a library nobody knows."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


KNOWN = {
    "text": st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=4),
    "number": st.floats(allow_nan=False),
    "integer": st.integers(-(2**53), 2**53),
    "truth": st.booleans(),
}
KINDS = {name: st.none() | cells for name, cells in KNOWN.items()}
ARROW = {"text": pa.string(), "number": pa.float64(), "integer": pa.int64(), "truth": pa.bool_()}
POLARS = {"text": pl.String, "number": pl.Float64, "integer": pl.Int64, "truth": pl.Boolean}
PANDAS = {"text": "string", "number": "Float64", "integer": "Int64", "truth": "boolean"}


@st.composite
def columns(draw):
    n_rows = draw(st.integers(1, 8))
    names = draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=4, unique=True))
    cells = {name: draw(st.lists(KINDS[name], min_size=n_rows, max_size=n_rows)) for name in names}
    # One cell is known: an all-missing list has no dtype to be found.
    return {name: [draw(KNOWN[name]), *c[1:]] for name, c in cells.items()}


@settings(deadline=None, max_examples=at_most(20, 50))
@given(columns())
def test_every_library_gives_the_same_table(cells):
    arrow = pa.table({name: pa.array(values, ARROW[name]) for name, values in cells.items()})
    expected = Table.from_dict(cells)
    frames = {
        "polars": pl.DataFrame(cells, schema={name: POLARS[name] for name in cells}),
        "pandas nullable": pd.DataFrame({n: pd.array(v, dtype=PANDAS[n]) for n, v in cells.items()}),
        "pandas arrow": arrow.to_pandas(types_mapper=pd.ArrowDtype),
        "pandas object": pd.DataFrame({n: pd.Series(v, dtype=object) for n, v in cells.items()}),
        "arrow": arrow,
        "stream": Stream(arrow),
        "series": {name: pl.Series(v, dtype=POLARS[name]) for name, v in cells.items()},
        "arrow arrays": {name: pa.array(v, ARROW[name]) for name, v in cells.items()},
        "objects": {name: np.array(v, dtype=object) for name, v in cells.items()},
        "rows": None,
    }
    for library, frame in frames.items():
        if library == "rows":
            array = np.array(list(zip(*cells.values(), strict=True)), dtype=object)
            assert Table.from_arrays(array, names=list(cells)) == expected
        else:
            assert Table.of(frame) == expected, library
    assert Table.from_frame(frames["pandas object"].astype(object)) == expected


@settings(deadline=None, max_examples=at_most(20, 50))
@given(columns())
def test_to_dict_comes_back(cells):
    table = Table.from_dict(cells)
    assert Table.from_dict(table.to_dict()) == table


@settings(deadline=None, max_examples=at_most(20, 50))
@given(st.lists(st.sampled_from(string.ascii_letters) | st.none(), min_size=1))
def test_categories_without_order_follow_bytes(cells):
    expected = Table.from_dict({"c": [*cells, "a"]})
    text = pl.Series("c", [*cells, "a"])
    assert Table.from_frame(pl.DataFrame({"c": text.cast(pl.Categorical)})) == expected
    assert Table.from_frame(pa.table({"c": pa.array([*cells, "a"]).dictionary_encode()})) == expected


def test_declared_categories_keep_their_order():
    declared = pd.Categorical(["u", "v", None], categories=["v", "u", "w"])
    for table in (
        Table.from_frame(pd.DataFrame({"c": declared})),
        Table.from_frame(pl.DataFrame({"c": pl.Series(["u", "v", None], dtype=pl.Enum(["v", "u", "w"]))})),
        Table.from_dict({"c": declared}),
        Table.from_dict({"c": pd.Series(declared)}),
    ):
        assert table.schema["c"].kind is Kind.nominal
        assert table.schema["c"].categories == ("v", "u", "w")
        assert table.values[0].tolist() == [1, 0, -1]


def test_ordered_categories_are_ordinal():
    ordered = pd.Categorical(["u", None], categories=["v", "u"], ordered=True)
    dictionary = pa.DictionaryArray.from_arrays(pa.array([1, None], pa.int8()), ["v", "u"], ordered=True)
    for frame in (pd.DataFrame({"c": ordered}), pa.table({"c": dictionary})):
        table = Table.from_frame(frame)
        assert table.schema["c"].kind is Kind.ordinal
        assert table.schema["c"].categories == ("v", "u")
        assert table.values[0].tolist() == [1, -1]
    enum = pl.DataFrame({"c": pl.Series(["u", None], dtype=pl.Enum(["v", "u"]))})
    assert Table.from_frame(enum, kinds={"c": "ordinal"}).values[0].tolist() == [1, -1]
    back = Table.from_frame(pd.DataFrame({"c": ordered}), kinds={"c": "nominal"})
    assert back.schema["c"].categories == ("v", "u")


def test_categories_that_are_not_text():
    assert Table.from_frame(pd.DataFrame({"c": pd.Categorical([10, 9.0])})).schema["c"].categories == (
        "9",
        "10",
    )
    cut = pd.cut(pd.Series([1.0, 5.0]), [0, 2, 6])
    assert Table.from_frame(pd.DataFrame({"c": cut})).schema["c"].categories == ("(0, 2]", "(2, 6]")
    mixed = pd.Categorical([1, "1"], categories=[1, "1"])
    with pytest.raises(ValueError, match="'c': several categories are written '1'"):
        Table.from_frame(pd.DataFrame({"c": mixed}))


def test_dictionaries_in_several_chunks():
    chunks = pa.chunked_array(
        [pa.array(["b", None]).dictionary_encode(), pa.array(["a"]).dictionary_encode()]
    )
    assert Table.from_frame(pa.table({"c": chunks})).values[0].tolist() == [1, -1, 0]


def test_missing_values_of_every_library():
    frame = pd.DataFrame(
        {
            "object": pd.Series(["a", None, np.nan, pd.NA, pd.NaT], dtype=object),
            "str": ["a", None, np.nan, pd.NA, None],
            "Int64": pd.array([1, None, pd.NA, None, None], dtype="Int64"),
            "boolean": pd.array([True, None, pd.NA, None, None], dtype="boolean"),
            "float": [1.0, None, np.nan, np.nan, np.nan],
            "arrow": pd.array(["a", None, None, None, None], dtype="string[pyarrow]"),
            "truths": pd.Series([True, None, np.nan, pd.NA, None], dtype=object),
            "numbers": pd.Series([1, None, np.nan, pd.NA, Decimal("nan")], dtype=object),
        }
    )
    for name, cells in Table.from_frame(frame).to_dict().items():
        assert cells[0] is not None, name
        assert cells[1:] == [None] * 4, name


def test_columns_without_any_value():
    nothing = pl.DataFrame({"null": [None], "text": pl.Series([None], dtype=pl.String)})
    assert [c.kind.value for c in Table.from_frame(nothing).schema.columns] == ["numeric", "nominal"]
    assert Table.from_frame(pa.table({"c": pa.nulls(2)})).schema["c"].kind is Kind.numeric
    assert Table.from_frame(pd.DataFrame({"c": [None, None]})).schema["c"].kind is Kind.numeric
    assert Table.from_frame(Stream(pa.table({"c": pa.nulls(2)}))).schema["c"].kind is Kind.numeric


def test_other_numbers():
    frame = pl.DataFrame(
        {"d": pl.Series(["1.5", None]).cast(pl.Decimal(10, 2)), "f": pl.Series([1.5, 2], dtype=pl.Float32)}
    )
    assert Table.from_frame(frame).to_dict() == {"d": [1.5, None], "f": [1.5, 2.0]}
    sparse = pd.DataFrame({"c": pd.arrays.SparseArray([1.0, 0.0])})
    assert Table.from_frame(sparse).to_dict() == {"c": [1.0, 0.0]}
    for frame in (pl.DataFrame({"c": [2**53 + 1, None]}), pa.table({"c": [2**53 + 1, None]})):
        with pytest.raises(ValueError, match=f"'c' holds the integer {2**53 + 1}"):
            Table.from_frame(frame)
        assert Table.from_frame(frame, kinds={"c": "nominal"}).to_dict()["c"] == [str(2**53 + 1), None]
    with pytest.raises(ValueError, match=f"'c' holds the integer {2**53 + 1}"):
        Table.from_frame(pd.DataFrame({"c": pd.array([2**53 + 1, None], dtype="Int64")}))


DAYS = [dt.date(1970, 1, 3), None]
MOMENTS = [dt.datetime(1970, 1, 2, 12), None]
ZONED = [dt.datetime(1970, 1, 2, 12, tzinfo=dt.timezone.utc), None]
SPANS = [dt.timedelta(hours=36), None]
CLOCK = [dt.time(12), None]


@pytest.mark.parametrize(
    ("cells", "days"), [(DAYS, 2.0), (MOMENTS, 1.5), (ZONED, 1.5), (SPANS, 1.5), (CLOCK, 0.5)]
)
def test_dates_of_every_library(cells, days):
    arrow = pa.table({"c": pa.array(cells)})
    frames = [pl.DataFrame({"c": cells}), pd.DataFrame({"c": cells}), arrow, Stream(arrow)]
    frames.append(arrow.to_pandas(types_mapper=pd.ArrowDtype))
    for frame in frames:
        with pytest.raises(TypeError, match=r"'c' holds (dates|durations|times).*dates='number'"):
            Table.from_frame(frame, dates="refuse")
        assert Table.from_frame(frame).values[0][0] == days
        assert Table.from_frame(frame).schema["c"].is_temporal
        assert Table.from_frame(frame, dates="number").to_dict() == {"c": [days, None]}


@pytest.mark.parametrize(
    ("frame", "error", "text"),
    [
        (pl.DataFrame({"c": [[1], [2]]}), TypeError, "'c' holds lists or records"),
        (pl.DataFrame({"c": [{"a": 1}]}), TypeError, "'c' holds lists or records"),
        (pl.DataFrame({"c": [b"a"]}), TypeError, "'c' holds bytes"),
        (pl.DataFrame({"c": []}), ValueError, "no rows.*'c'"),
        (pl.DataFrame(), ValueError, "no columns"),
        (pl.DataFrame({"c": [1]}).lazy(), TypeError, "LazyFrame holds no rows yet; call .collect"),
        (pd.DataFrame({"c": [[1], [2]]}), TypeError, "'c' holds lists or records"),
        (pd.DataFrame({"c": [1j]}), TypeError, "'c' holds complex numbers"),
        (pd.DataFrame({"c": pd.Series([1, "a"], dtype=object)}), TypeError, "'c' mixes"),
        (
            pd.DataFrame({"c": pd.period_range("2020", periods=2, freq="D")}),
            TypeError,
            "'c' holds cells of type Period",
        ),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), ValueError, "2 columns are named 'a'"),
        (pd.DataFrame([[1, 2]], columns=[0, "0"]), ValueError, "2 columns are named '0'"),
        (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), ValueError, "several levels"),
        (pd.DataFrame(index=[0, 1]), ValueError, "no columns"),
        (pa.Table.from_arrays([pa.array([1])] * 2, names=["a", "a"]), ValueError, "2 columns are named 'a'"),
        (Stream(pa.table({"c": [[1]]})), TypeError, "'c' holds lists or records"),
        (
            Stream(pa.Table.from_arrays([pa.array([1])] * 2, names=["a", "a"])),
            ValueError,
            "2 columns are named 'a'",
        ),
        (Stream(pa.table({"c": [b"a"]})), TypeError, "'c' holds bytes"),
        (np.zeros((2, 2)), TypeError, "ndarray is not a data frame.*from_arrays"),
        (3, TypeError, "int is not a data frame"),
    ],
)
def test_refusals(frame, error, text):
    with pytest.raises(error, match=text):
        Table.from_frame(frame)


def test_frames_are_not_arrays():
    with pytest.raises(TypeError, match=r"use Table\.from_frame"):
        Table.from_arrays(pl.DataFrame({"a": [1]}))


def test_a_stream_is_asked_for_once():
    class Once(Stream):
        def __arrow_c_stream__(self, requested_schema=None):
            table, self.table = self.table, None
            return table.__arrow_c_stream__(requested_schema)

    table = Table.from_frame(Once(pa.table({"a": [1, None], "b": ["x", "y"]})))
    assert table.to_dict() == {"a": [1.0, None], "b": ["x", "y"]}


def test_other_shapes_of_arrow():
    batch = pa.record_batch({"a": [1, 2]})
    reader = pa.RecordBatchReader.from_batches(batch.schema, [batch])
    expected = Table.from_dict({"a": [1, 2]})
    assert Table.of(batch) == expected
    assert Table.of(reader) == expected
    assert Table.of(pd.DataFrame({"a": [1, 2]}, index=[7, 7])) == expected
    assert Table.from_frame(pd.DataFrame([[1, 2]])).names == ("0", "1")


def test_frame_libraries_stay_out():
    import subprocess
    import sys

    code = (
        "import sys, polars, treewright.table as t; t.Table.from_frame(polars.DataFrame({'a': [1, 2]})); "
        "print([m for m in ('pandas', 'pyarrow', 'duckdb') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
