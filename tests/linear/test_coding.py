"""Tables as matrices: names kept, categories coded, later tables coded the same way."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from treewright.linear import coding as module
from treewright.linear.coding import Coding

TABLE = tw.Table.from_dict(
    {
        "sky": ["grey", "blue", "grey"],
        "windy": [True, False, True],
        "size": ["M", "S", "L"],
        "n": [1.5, 2, 3],
    },
    ordinal={"size": ["S", "M", "L"]},
)


def test_every_kind_has_its_terms():
    coding = Coding.of(TABLE)
    assert coding.terms == ("sky=blue", "sky=grey", "windy", "size", "n")
    assert coding.origin == (0, 0, 1, 2, 3)
    assert coding.groups == (0, 0, 1, None, None)
    x = coding.matrix(TABLE)
    assert x.tolist() == [[0, 1, 1, 1, 1.5], [1, 0, 0, 0, 2], [0, 1, 1, 2, 3]]
    assert x.dtype == np.float64
    assert x.flags.c_contiguous


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(-3, 3)), min_size=1, max_size=20), st.booleans()
)
def test_rows_are_coded_one_by_one(rows, has_reference):
    table = tw.Table.from_dict({"c": [c for c, _ in rows], "n": [float(n) for _, n in rows]})
    coding = Coding.of(table, "first" if has_reference else None)
    met = sorted({c for c, _ in rows})
    levels = met[1:] if has_reference else met
    expected = [[*(float(c == level) for level in levels), float(n)] for c, n in rows]
    np.testing.assert_array_equal(coding.matrix(table), np.array(expected).reshape(len(rows), -1))
    assert coding.terms == (*(f"c={level}" for level in levels), "n")


def test_reference_categories():
    assert Coding.of(TABLE, "first").terms == ("sky=grey", "windy", "size", "n")
    assert Coding.of(TABLE, {"sky": "grey"}).terms == ("sky=blue", "windy", "size", "n")
    with pytest.raises(ValueError, match="did you mean 'grey'"):
        Coding.of(TABLE, {"sky": "gray"})
    with pytest.raises(ValueError, match="did you mean 'sky'"):
        Coding.of(TABLE, {"skye": "grey"})
    with pytest.raises(ValueError, match="'n' is numeric"):
        Coding.of(TABLE, {"n": "1"})
    with pytest.raises(ValueError, match="reference='last'"):
        Coding.of(TABLE, "last")


def test_categories_that_no_row_has_get_no_term():
    table = tw.Table.from_dict({"c": ["b", "c"]}, categories={"c": ["a", "b", "c"]})
    coding = Coding.of(table, "first")
    assert coding.terms == ("c=c",)
    later = tw.Table.from_dict({"c": ["a"]}, categories={"c": ["a", "b", "c"]})
    with pytest.raises(ValueError, match="Column 'c' holds the category 'a' that no row of training had"):
        coding.matrix(later)


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        ({"sky": ["green"]}, r"the category 'green' .*did you mean 'grey'"),
        ({"sky": [None]}, r"Column 'sky' is missing \(NaN\) in 1 of 1 rows"),
        ({"n": [float("nan")]}, r"Column 'n' is missing"),
        ({"n": [float("inf")]}, r"Column 'n' holds inf \(row 0\)"),
        ({"windy": [None]}, "Column 'windy' is missing"),
        ({"size": [None]}, "Column 'size' is missing"),
    ],
)
def test_cells_without_a_number_are_refused_by_name(columns, text):
    whole = {"sky": ["blue"], "windy": [True], "size": ["M"], "n": [1.0], **columns}
    kinds = {"n": "numeric", "windy": "boolean", "sky": "nominal"}
    table = tw.Table.from_dict(whole, ordinal={"size": ["S", "M", "L"]}, kinds=kinds)
    with pytest.raises(ValueError, match=text):
        Coding.of(TABLE).matrix(table)


def test_columns_are_found_by_name():
    whole = TABLE.select(["n", "size", "windy", "sky"])
    np.testing.assert_array_equal(Coding.of(TABLE).matrix(whole), Coding.of(TABLE).matrix(TABLE))
    with pytest.raises(ValueError, match="not in this table: 'n'"):
        Coding.of(TABLE).matrix(TABLE.drop("n"))


NOMINAL = {"name": "a", "kind": "nominal", "categories": ["x"]}


def test_it_survives_json():
    for reference in (None, "first", {"sky": "grey"}):
        coding = Coding.of(TABLE, reference)
        assert Coding.from_dict(json.loads(json.dumps(coding.to_dict()))) == coding


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"columns": [], "levels": [[]], "reference": []},
        {"columns": [NOMINAL], "levels": ["x"], "reference": [None]},
        {"columns": [NOMINAL], "levels": [["y"]], "reference": [None]},
        {"columns": [{"name": "a", "kind": "numeric"}], "levels": [["y"]], "reference": [None]},
    ],
)  # fmt: skip
def test_what_is_no_coding_is_refused(plain):
    with pytest.raises(ValueError, match=r"stored|no category|'levels'"):
        Coding.from_dict(plain)


def test_too_many_categories_are_named(monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 100)
    with pytest.raises(ValueError, match="Column 'sky' has 2 categories"):
        Coding.of(TABLE).matrix(TABLE)


def test_two_terms_of_one_name_are_refused():
    table = tw.Table.from_dict({"a": ["x"], "a=x": [1.0]})
    with pytest.raises(ValueError, match="'a=x'"):
        Coding.of(table)
