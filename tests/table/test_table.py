import copy
import datetime as dt
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from treewright.table import Column, Kind, Schema, Table


def one(values, **wishes):
    return Table.from_dict({"c": values}, **wishes)


def kind(values, **wishes):
    return one(values, **wishes).schema["c"].kind.value


def cells(values, **wishes):
    return one(values, **wishes).to_dict()["c"]


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ([1, 2], "numeric"),
        ([1.5, None], "numeric"),
        ([1, 2.5, np.nan], "numeric"),
        ([Decimal("1.5"), Fraction(1, 2), np.int8(3), np.float32(0.5)], "numeric"),
        ([None, None], "numeric"),
        ([float("inf"), -float("inf")], "numeric"),
        ([True, False, None], "boolean"),
        ([np.True_, float("nan")], "boolean"),
        (["a", None, float("nan")], "nominal"),
        (np.array([1, 2], dtype=np.uint8), "numeric"),
        (np.array([1, 2], dtype=np.float16), "numeric"),
        (np.array([True, False]), "boolean"),
        (np.array(["a", "b"]), "nominal"),
        (np.array(["a", None], dtype=object), "nominal"),
        (np.array([1, None], dtype=object), "numeric"),
        (range(3), "numeric"),
        ((x for x in "ab"), "nominal"),
    ],
)
def test_kinds_follow_the_cells(values, word):
    assert kind(values) == word


def test_missing_cells_of_plain_values():
    assert cells(["a", None, float("nan"), np.float32("nan"), np.ma.masked]) == ["a", None, None, None, None]
    assert cells([True, None, float("nan")]) == [True, None, None]
    assert cells([1, None, float("nan"), Decimal("NaN")]) == [1.0, None, None, None]
    assert cells(["", "a"]) == ["", "a"]  # an empty text in a list is a value


def test_missing_cells_of_masked_arrays():
    masked = np.ma.array([2**60 + 1, 2], mask=[True, False])
    assert cells(masked) == [None, 2.0]
    assert cells(np.ma.array([1.0, 2.0], mask=[False, True])) == [1.0, None]
    assert cells(np.ma.array([True, True], mask=[False, True])) == [True, None]
    assert cells(np.ma.array(["a", "b"], mask=[False, True])) == ["a", None]


def test_infinities_are_numbers():
    assert cells([float("inf"), -float("inf"), 0]) == [float("inf"), -float("inf"), 0.0]


def test_text_categories_follow_bytes():
    found = one(["é", "z", "Z", "10", "9", "😀", "￿"]).schema["c"].categories
    assert list(found) == sorted(found, key=str.encode)
    with pytest.raises(ValueError, match=r"Column 'c'.*not valid Unicode"):
        one(["\ud800"])


def test_text_subclasses_are_plain_text():
    class Colour(str):
        __slots__ = ()

    table = one([Colour("red"), np.str_("red"), "blue"])
    assert table.schema["c"].categories == ("blue", "red")
    assert all(type(c) is str for c in table.schema["c"].categories)


def test_numbers_made_nominal():
    table = one([3.0, 10.0, 0.5, None, float("inf"), -0.0], kinds={"c": "nominal"})
    assert table.to_dict()["c"] == ["3", "10", "0.5", None, "inf", "0"]
    assert table.schema["c"].categories == ("0", "0.5", "10", "3", "inf")
    assert cells([2**60 + 1, 3], kinds={"c": "nominal"}) == [str(2**60 + 1), "3"]
    assert cells([10**30, 3, None], kinds={"c": "nominal"}) == [str(10**30), "3", None]


def test_ordinal_columns():
    assert one(["M", "S", None], ordinal={"c": ["S", "M", "L"]}).values[0].tolist() == [1, 0, -1]
    assert one([10, 9], kinds={"c": "ordinal"}).schema["c"].categories == ("9", "10")
    assert one([2, 1.0], ordinal={"c": [1, 2, 3]}).schema["c"].categories == ("1", "2", "3")
    assert one([True, False], kinds={"c": "ordinal"}).values[0].tolist() == [1, 0]
    with pytest.raises(ValueError, match=r"'c' cannot be ordinal without an order.*ordinal=\{'c'"):
        one(["a", "b"], kinds={"c": "ordinal"})
    with pytest.raises(ValueError, match="'c' holds 'XL', not among its declared values"):
        one(["S", "XL"], ordinal={"c": ["S", "M"]})


def test_other_casts():
    assert cells(["1", "2.5", None], kinds={"c": "numeric"}) == [1.0, 2.5, None]
    assert cells([True, None], kinds={"c": "numeric"}) == [1.0, None]
    assert cells([True, None], kinds={"c": "nominal"}) == ["True", None]
    assert cells([1, 0, None], kinds={"c": "boolean"}) == [True, False, None]
    assert cells(["TRUE", "false", None], kinds={"c": "boolean"}) == [True, False, None]
    with pytest.raises(ValueError, match="'c' cannot be numeric: it holds the text 'x'"):
        one(["1", "x"], kinds={"c": "numeric"})
    with pytest.raises(ValueError, match="'c' cannot be boolean: it holds '2'"):
        one([1, 2], kinds={"c": "boolean"})


def test_wishes_are_checked():
    with pytest.raises(KeyError, match="kinds=: No column is named 'cc'; did you mean 'c'"):
        one([1], kinds={"cc": "nominal"})
    with pytest.raises(KeyError, match="ordinal="):
        one([1], ordinal={"zzz": [1]})
    with pytest.raises(ValueError, match="'number' is not a kind"):
        one([1], kinds={"c": "number"})
    with pytest.raises(ValueError, match="dates='x'"):
        one([1], dates="x")
    with pytest.raises(ValueError, match="say it once"):
        one(["a"], kinds={"c": "numeric"}, ordinal={"c": ["a"]})
    with pytest.raises(ValueError, match="say it once"):
        one(["a"], categories={"c": ["a"]}, ordinal={"c": ["a"]})
    with pytest.raises(TypeError, match="must be a list of values"):
        one(["a"], ordinal={"c": "SML"})
    with pytest.raises(TypeError, match="must be a dict by column name"):
        one(["a"], kinds=["nominal"])
    with pytest.raises(ValueError, match="'a' is listed twice"):
        one(["a"], categories={"c": ["a", "a"]})


@pytest.mark.parametrize(
    ("values", "error", "text"),
    [
        ([1, "a"], TypeError, r"'c' mixes a number \(1\) and a text \('a'\)"),
        ([1.0, "a", float("nan")], TypeError, "'c' mixes"),
        ([True, 2], TypeError, "'c' mixes a truth value"),
        ([[1], [2]], TypeError, "'c' holds lists or records"),
        ([{"a": 1}], TypeError, "'c' holds lists or records"),
        ([(1, 2)], TypeError, "'c' holds lists or records"),
        ([1j], TypeError, "'c' holds complex numbers"),
        (np.array([1j]), TypeError, "'c' holds complex numbers"),
        ([b"a"], TypeError, "'c' holds bytes"),
        (np.array([b"a"]), TypeError, "'c' holds bytes"),
        ([object()], TypeError, "'c' holds cells of type object"),
        ("abc", TypeError, "'c' is the single value 'abc'"),
        (3, TypeError, "'c' is the single value 3"),
        (np.zeros((2, 2)), ValueError, "'c' has 2 dimensions"),
        ([], ValueError, "no rows"),
        ([2**53 + 1], ValueError, f"'c' holds the integer {2**53 + 1}.*nominal"),
        ([2**53 + 1, 0.5], ValueError, f"'c' holds the integer {2**53 + 1}"),
        ([10**400], ValueError, "'c' holds the integer 1000"),
        (np.array([2**63 + 1], dtype=np.uint64), ValueError, "'c' holds the integer"),
    ],
)
def test_refusals_name_the_column_and_the_way_out(values, error, text):
    with pytest.raises(error, match=text):
        one(values)


def test_large_integers_that_are_exact_are_kept():
    assert cells([2**53, 2**60, 2**70]) == [2.0**53, 2.0**60, 2.0**70]
    assert cells(np.array([2**63], dtype=np.uint64)) == [2.0**63]
    assert cells(np.array([-(2**63)])) == [-(2.0**63)]


NOON = dt.datetime(1970, 1, 2, 12)


@pytest.mark.parametrize(
    ("values", "days"),
    [
        ([dt.date(1970, 1, 3), None], [2.0, None]),
        ([NOON, None], [1.5, None]),
        ([NOON.replace(tzinfo=dt.timezone(dt.timedelta(hours=12)))], [1.0]),
        ([dt.timedelta(hours=36), None], [1.5, None]),
        ([dt.time(6), None], [0.25, None]),
        (np.array(["1970-01-03", "NaT"], dtype="M8[D]"), [2.0, None]),
        (np.array(["1971", "NaT"], dtype="M8[Y]"), [365.0, None]),
        (np.array(["1970-01-02T12"], dtype="M8[ns]"), [1.5]),
        (np.array([36], dtype="m8[h]"), [1.5]),
        (np.array([1], dtype="m8[W]"), [7.0]),
        ([np.datetime64("1970-01-03")], [2.0]),
    ],
)
def test_dates_are_refused_or_become_days(values, days):
    with pytest.raises(TypeError, match=r"'c' holds (dates|durations|times).*dates='number'"):
        one(values, dates="refuse")
    assert kind(values) in ("date", "time", "duration")
    assert cells(values, dates="number") == days
    assert cells(values, kinds={"c": "numeric"}) == days
    assert kind(values, kinds={"c": "nominal"}) == "nominal"


def test_dates_as_categories_keep_their_text():
    assert cells([dt.date(1970, 1, 3), None], kinds={"c": "nominal"}) == ["1970-01-03", None]


def test_arrays():
    table = Table.from_arrays(np.array([[1.0, np.nan], [3.0, 4.0]]), names=["a", "b"])
    assert table.to_dict() == {"a": [1.0, 3.0], "b": [None, 4.0]}
    assert Table.from_arrays(np.array([[1, "x"], [None, "y"]], dtype=object)).names == ("x0", "x1")
    assert Table.from_arrays(np.array([["a", "b"]])).schema["x0"].kind is Kind.nominal
    assert Table.from_arrays(np.array([[True]])).schema["x0"].kind is Kind.boolean
    assert Table.from_arrays([[1, "a"], [2, None]]).to_dict() == {"x0": [1.0, 2.0], "x1": ["a", None]}
    with pytest.raises(ValueError, match=r"shape \(3,\).*reshape\(-1, 1\)"):
        Table.from_arrays(np.arange(3))
    with pytest.raises(ValueError, match="3 names were given for 2 columns"):
        Table.from_arrays(np.zeros((1, 2)), names=["a", "b", "c"])
    with pytest.raises(ValueError, match="2 columns are named 'a'"):
        Table.from_arrays(np.zeros((1, 2)), names=["a", "a"])
    with pytest.raises(ValueError, match="no columns"):
        Table.from_arrays(np.zeros((3, 0)))
    with pytest.raises(ValueError, match="no rows"):
        Table.from_arrays(np.zeros((0, 3)))
    with pytest.raises(TypeError, match="holds records"):
        Table.from_arrays(np.zeros(3, dtype=[("a", float)]))
    with pytest.raises(ValueError, match=r"not equally long|two dimensions"):
        Table.from_arrays([[1, 2], [3]])


def test_sparse_matrices_are_refused():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError, match="toarray"):
        Table.from_arrays(scipy_sparse.csr_matrix(np.eye(2)))


def test_the_source_array_is_copied():
    source = np.array([1.0, 2.0])
    table = one(source)
    source[0] = 9
    assert table.values[0].tolist() == [1.0, 2.0]
    whole = np.array([[1.0], [2.0]], order="F")
    table = Table.from_arrays(whole)
    whole[0, 0] = 9
    assert table.values[0].tolist() == [1.0, 2.0]


def test_a_table_is_frozen_and_checks_itself():
    table = one([1, 2])
    with pytest.raises(ValueError, match="read-only"):
        table.values[0][0] = 3
    with pytest.raises(AttributeError):
        table.schema = None
    with pytest.raises(ValueError, match="'b' has 2 rows, column 'a' has 1"):
        Table.from_dict({"a": [1], "b": [1, 2]})
    with pytest.raises(ValueError, match="codes from 0 to 2"):
        Table(Schema((Column("c", Kind.nominal, ("a",)),)), (np.array([0, 2], dtype=np.int32),))
    with pytest.raises(TypeError, match=r"'c' .* float64"):
        Table(Schema((Column("c", Kind.numeric),)), (np.array([0, 2]),))
    with pytest.raises(ValueError, match="1 columns, but 0"):
        Table(Schema((Column("c", Kind.numeric),)), ())
    with pytest.raises(ValueError, match="no columns"):
        Table.from_dict({})
    with pytest.raises(TypeError, match="dict of columns"):
        Table.from_dict([1, 2])
    with pytest.raises(ValueError, match="at least one column"):
        table.drop("c")


def test_equality_and_copies():
    table = Table.from_dict({"a": [1, None], "b": ["x", None]})
    assert table == pickle.loads(pickle.dumps(table)) == copy.deepcopy(table)
    assert not pickle.loads(pickle.dumps(table)).values[0].flags.writeable
    assert table != Table.from_dict({"a": [1, 2], "b": ["x", None]})
    assert table != 3
    assert len(table) == table.n_rows == 2
    assert table.n_columns == 2


def test_rows_and_columns_are_chosen():
    table = Table.from_dict({"a": [1, 2, 3], "b": ["x", "y", None]})
    assert table.take(np.array([True, False, True])).to_dict() == {"a": [1.0, 3.0], "b": ["x", None]}
    assert table.take(slice(1)).n_rows == 1
    assert table.take([]).n_rows == 0
    assert table.drop("a").names == ("b",)
    assert table.labels("a").tolist() == ["1", "2", "3"]
    with pytest.raises(KeyError, match="No column is named 'c'"):
        table.select(["c"])
    assert repr(Table.from_dict({f"c{i}": [1] for i in range(12)})).endswith(", ... 4 more)")


def test_of_takes_whatever_holds_a_table():
    table = Table.from_dict({"x0": [1, 2]})
    assert Table.of(table) is table
    with pytest.raises(ValueError, match="a Table already"):
        Table.of(table, kinds={"x0": "nominal"})
    assert Table.of({"x0": [1, 2]}) == Table.of([[1], [2]]) == Table.of(np.array([[1], [2]])) == table


def test_a_million_texts():
    words = [f"word {i % 1000}" for i in range(1_000_000)]
    table = one(words)
    assert len(table.schema["c"].categories) == 1000
