import numpy as np
import pytest

from treewright.table import Column, Kind, Table, align

AGE = Column("age", Kind.numeric)
WIND = Column("Wind", Kind.nominal, ("Weak", "Strong"))


def codes(column, cells, **wishes):
    return align(Table.from_dict({column.name: cells}, **wishes), [column])[0].tolist()


def test_numbers_stay_numbers():
    assert codes(AGE, [1, 2]) == [1.0, 2.0]
    assert codes(AGE, [True, False, None])[:2] == [1.0, 0.0]
    assert np.isnan(codes(AGE, np.array([None, None], dtype=object))).all()


def test_codes_follow_the_trained_order():
    assert codes(WIND, ["Strong", "Weak", None, "Storm"]) == [1, 0, -1, -2]
    assert codes(WIND, [None, None]) == [-1, -1]
    assert codes(Column("n", Kind.nominal, ("3", "0.5")), [3.0, 0.5, 4, None]) == [0, 1, -2, -1]
    assert codes(Column("b", Kind.boolean), ["true", "FALSE", None, "maybe"]) == [1, 0, -1, -2]
    assert codes(Column("b", Kind.boolean), [1, 0, 2]) == [1, 0, -2]
    assert codes(Column("b", Kind.nominal, ("True", "x")), [True, False]) == [0, -2]


def test_extra_columns_and_order_do_not_matter():
    table = Table.from_dict({"more": [1], "Wind": ["Weak"], "age": [3]})
    age, wind = align(table, [AGE, WIND])
    assert age.dtype == np.float64
    assert wind.dtype == np.int32
    assert (age.tolist(), wind.tolist()) == ([3.0], [0])


def test_absent_columns_get_a_hint():
    with pytest.raises(ValueError, match=r"not in this table: 'age'.*did you mean 'Age'"):
        align(Table.from_dict({"Age": [1]}), [AGE])
    with pytest.raises(
        ValueError, match="2 columns of the training data are not in this table: 'age', 'Wind'"
    ):
        align(Table.from_dict({"zzz": [1]}), [AGE, WIND])


def test_text_where_numbers_were_trained():
    with pytest.raises(ValueError, match=r"'age' was numeric in training.*'unknown'"):
        codes(AGE, ["3", "unknown"])
    with pytest.raises(ValueError, match=r"'age' was numeric.*kinds="):
        codes(AGE, ["3", "4"])
    table = Table.from_dict({"age": ["3"]}, categories={"age": ["3", "never met"]})
    with pytest.raises(ValueError, match="'3'"):
        align(table, [AGE])
