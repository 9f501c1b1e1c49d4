import pytest

from treewright.table import Column, Kind, Schema


def test_a_column_checks_itself():
    with pytest.raises(ValueError, match="'a' is listed twice"):
        Column("c", Kind.nominal, ("a", "a"))
    with pytest.raises(ValueError, match="'age' is numeric and can have no categories"):
        Column("age", Kind.numeric, ("a",))
    with pytest.raises(TypeError, match="categories are texts; found 3"):
        Column("c", Kind.nominal, (3,))
    with pytest.raises(ValueError, match=r"'categorical' is not a kind.*'nominal'"):
        Column("c", "categorical")
    with pytest.raises(TypeError, match="not 'abc'"):
        Column("c", Kind.nominal, "abc")
    with pytest.raises(ValueError, match="is boolean"):
        Column("c", Kind.boolean, ("no", "yes"))
    with pytest.raises(TypeError, match="must be text; found 3"):
        Column(3, Kind.numeric)


def test_a_schema_survives_its_dict():
    schema = Schema(
        (
            Column("n", Kind.numeric),
            Column("c", Kind.nominal, ("b", "a")),
            Column("o", Kind.ordinal, ("S", "M")),
            Column("t", Kind.boolean),
            Column("empty", Kind.nominal),
        )
    )
    assert Schema.from_dict(schema.to_dict()) == schema
    assert hash(Schema.from_dict(schema.to_dict())) == hash(schema)


@pytest.mark.parametrize(
    "plain",
    [
        None,
        [],
        {},
        {"columns": 3},
        {"columns": [3]},
        {"columns": [{"name": "a"}]},
        {"columns": [{"name": "a", "kind": "odd"}]},
        {"columns": [{"name": 1, "kind": "numeric"}]},
        {"columns": [{"name": "a", "kind": ["numeric"]}]},
        {"columns": [{"name": "a", "kind": "nominal", "categories": [1]}]},
        {"columns": [{"name": "a", "kind": "nominal", "categories": "ab"}]},
        {"columns": [{"name": "a", "kind": "nominal", "categories": [[]]}]},
        {"columns": [{"name": "a", "kind": "numeric"}] * 2},
    ],
)
def test_a_damaged_dict_is_a_value_error(plain):
    with pytest.raises(ValueError):  # noqa: PT011
        Schema.from_dict(plain)


def test_unknown_names_get_a_hint():
    schema = Schema((Column("Outlook", Kind.numeric), Column("Wind", Kind.numeric)))
    with pytest.raises(KeyError, match="did you mean 'Wind'"):
        schema.index("wind")
    with pytest.raises(KeyError, match="the columns are 'Outlook', 'Wind'"):
        schema.index("zzz")
    assert "Wind" in schema
    assert schema["Wind"].name == "Wind"


def test_duplicate_names_are_refused():
    with pytest.raises(ValueError, match="2 columns are named 'a'"):
        Schema((Column("a", Kind.numeric), Column("a", Kind.numeric)))
