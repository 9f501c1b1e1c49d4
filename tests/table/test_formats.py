"""Parquet, JSON lines, Arrow, DuckDB and SQLite: taken at their word, and all to the same table."""

import gzip
import json
import sqlite3

import duckdb
import numpy as np
import polars as pl
import pytest

from treewright.table import Kind, Table, read, reading
from treewright.table.files import arrow

ROWS = {
    "n": [1, 2, None],
    "x": [0.5, None, -1e-300],
    "word": ["yes", "?", None],
    "digits": ["007", "12", "3"],
    "flag": [True, False, None],
}
FRAME = pl.DataFrame(ROWS)
TABLE = Table.from_dict(ROWS)


def to_parquet(path):
    FRAME.write_parquet(path)


def to_arrow(path):
    FRAME.write_ipc(path)


def to_stream(path):
    FRAME.write_ipc_stream(path)


def to_json(path):
    path.write_text("".join(json.dumps(row) + "\n" for row in FRAME.to_dicts()))


def to_json_array(path):
    path.with_suffix(".json").write_text(json.dumps(FRAME.to_dicts(), indent=1))
    path.with_suffix(".json").rename(path)


def to_duckdb(path):
    with duckdb.connect(str(path)) as database:
        frame = FRAME  # noqa: F841  (found by its name)
        database.execute("create table rows as select * from frame")


WRITERS = {
    "data.parquet": to_parquet,
    "data.arrow": to_arrow,
    "data.arrows": to_stream,
    "data.jsonl": to_json,
    "data.json": to_json_array,
    "data.duckdb": to_duckdb,
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_table(tmp_path, name):
    path = tmp_path / name
    WRITERS[name](path)
    assert read(path) == TABLE
    assert read(path, categorical=["n"], ignore=["x"]).to_dict()["n"] == ["1", "2", None]
    assert read(path, columns=["x", "n"]).names == ("x", "n")
    assert read(path, ordinal={"word": ["yes", "?"]}).schema["word"].kind is Kind.ordinal
    assert read(path, numeric=["digits"]).to_dict()["digits"] == [7.0, 12.0, 3.0]
    with pytest.raises(KeyError, match=r"did you mean 'word'\?"):
        read(path, ignore=["wird"])
    with pytest.raises(ValueError, match="'word' cannot be numeric: it holds the text"):
        read(path, numeric=["word"])


@pytest.mark.parametrize("name", WRITERS)
def test_marks_of_missing_are_taken_where_they_are_said(tmp_path, name):
    path = tmp_path / name
    WRITERS[name](path)
    assert read(path, missing=["?", "2"]).to_dict() == {
        **TABLE.to_dict(), "n": [1.0, None, None], "word": ["yes", None, None],
    }  # fmt: skip


# --- Arrow without a library ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["data.arrow", "data.arrows"])
def test_arrow_through_polars_alone(tmp_path, monkeypatch, name):
    path = tmp_path / name
    WRITERS[name](path)
    real = arrow.find_spec
    monkeypatch.setattr(arrow, "find_spec", lambda library: None if library == "pyarrow" else real(library))
    assert read(path) == TABLE


def test_arrow_without_a_library_says_what_to_install(tmp_path, monkeypatch):
    to_arrow(tmp_path / "data.arrow")
    monkeypatch.setattr(arrow, "find_spec", lambda _: None)
    with pytest.raises(ValueError, match=r"pip install pyarrow.*Parquet"):
        read(tmp_path / "data.arrow")


# --- Parquet and DuckDB -----------------------------------------------------------------------------------


def test_types_of_duckdb(tmp_path):
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("create type size as enum ('S', 'M', 'L')")
        database.execute(
            "create table one as select 'M'::size as size, 3::hugeint as h, 1.25::decimal(10, 2) as price, "
            "date '1970-01-03' as d, timestamptz '1970-01-02 12:00:00+00' as t, interval 36 hours as lag, "
            "'550e8400-e29b-41d4-a716-446655440000'::uuid as id, null as nothing, 1.5::float as f"
        )
    table = read(path, dates="number")
    assert table.to_dict() == {
        "size": ["M"], "h": [3.0], "price": [1.25], "d": [2.0], "t": [1.5], "lag": [1.5],
        "id": ["550e8400-e29b-41d4-a716-446655440000"], "nothing": [None], "f": [1.5],
    }  # fmt: skip
    assert table.schema["size"].categories == ("S", "M", "L")
    with pytest.raises(TypeError, match="'d' holds dates"):
        read(path, dates="refuse")
    assert [read(path).schema[name].kind.value for name in ("d", "t", "lag")] == ["date", "date", "duration"]
    with duckdb.connect(str(path)) as database:
        database.execute("create or replace table one as select (2::hugeint ** 100)::hugeint + 1 as h")
    with pytest.raises(ValueError, match=f"'h' holds the integer {2**100 + 1}"):
        read(path)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("[1, 2]", r"'c' holds lists or records.*ignore=\['c'\]"),
        ("{'a': 1}", "'c' holds lists or records"),
        ("'a'::blob", "'c' holds bytes"),
        ("9007199254740993", "'c' holds the integer 9007199254740993"),
    ],
)
def test_what_no_tree_can_ask_about(tmp_path, cell, message):
    path = tmp_path / "a.parquet"
    duckdb.sql(f"copy (select {cell} as c, 1 as n) to '{path}' (format parquet)")
    with pytest.raises((TypeError, ValueError), match=message):
        read(path)
    assert read(path, ignore=["c"]).to_dict() == {"n": [1.0]}


def test_large_integers_can_be_categories(tmp_path):
    path = tmp_path / "a.parquet"
    duckdb.sql(f"copy (select 9007199254740993 as id, 1 as n) to '{path}' (format parquet)")
    assert read(path, categorical=["id"]).to_dict()["id"] == ["9007199254740993"]


def test_tables_of_a_database_are_named(tmp_path):
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("create schema old; create table old.orders as select 1 as n")
        database.execute('create table customers as select 2 as n; create view "a@b" as select 3 as n')
    assert read(f"customers@{path}").to_dict() == {"n": [2.0]}
    assert read(f"old.orders@{path}").to_dict() == {"n": [1.0]}
    assert reading(f"customers@{path}").lines[0].startswith("shop.duckdb: 1 row, 1 column; table 'customers'")
    with pytest.raises(
        ValueError, match=r"holds 3 tables \('a@b', 'customers', 'old.orders'\); name one: 'a@b@"
    ):
        read(path)
    with pytest.raises(ValueError, match=r"no table 'custmers'; did you mean 'customers'\?"):
        read(f"custmers@{path}")
    with pytest.raises(FileNotFoundError, match="There is no file"):
        read(f"customers@{tmp_path / 'shopp.duckdb'}")
    with duckdb.connect(str(tmp_path / "none.duckdb")):
        pass
    with pytest.raises(ValueError, match="holds no table"):
        read(tmp_path / "none.duckdb")


def test_rows_of_parquet_stay_in_order(tmp_path):
    values = np.arange(500_000, dtype=np.int64)
    path = tmp_path / "long.parquet"
    pl.DataFrame({"n": values, "word": [f"w{i % 7}" for i in values]}).write_parquet(
        path, row_group_size=10_000
    )
    table = read(path)
    assert np.array_equal(table.values[0], values)
    assert np.array_equal(table.values[1], values % 7)


# --- JSON lines -------------------------------------------------------------------------------------------


def test_json_of_several_shapes(tmp_path):
    path = tmp_path / "data.jsonl.gz"
    lines = '{"n": 1, "mixed": 3}\n\n{"mixed": "NA", "a/b~c": "x"}\n{"mixed": 4.5, "N": true, "n": 2}\n'
    path.write_bytes(gzip.compress(lines.encode()))
    assert read(path).to_dict() == {
        "n": [1.0, None, 2.0], "mixed": [3.0, None, 4.5], "a/b~c": [None, "x", None], "N": [None, None, True],
    }  # fmt: skip


def test_a_late_word_among_json_numbers_is_named(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text('{"n": 1}\n' * 30_000 + '{"n": "oops"}\n')
    found = reading(path)
    assert found.table.schema["n"].kind == "numeric"
    assert "'oops' in row 30,001" in found.notes[0]
    assert reading(path, text="n").table.schema["n"].categories == ("1", "oops")


def test_json_numbers_are_exact(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text('{"n": 9007199254740993}\n')
    with pytest.raises(ValueError, match="'n' holds the integer 9007199254740993"):
        read(path)
    path.write_text('{"n": 0.1}\n{"n": 1e22}\n{"n": 123456789.12345679}\n')
    assert read(path).values[0].tolist() == [0.1, 1e22, 123456789.12345679]
    path.write_text('{"l": [1]}\n')
    with pytest.raises(TypeError, match="'l' holds lists or records"):
        read(path)


# --- SQLite -----------------------------------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path):
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("create table people (n, x, word, mixed, big, raw)")
        database.executemany(
            "insert into people values (?, ?, ?, ?, ?, ?)",
            [
                (1, 0.5, "yes", 3, 2**53 + 1, b"a"),
                (None, 2, "", "NA", 4, None),
                (3, -1.5, None, "4.5", 5, None),
            ],
        )
    database.close()
    return path


def test_sqlite(shop):
    table = read(f"people@{shop}", ignore=["big", "raw"])
    assert table.to_dict() == {
        "n": [1.0, None, 3.0], "x": [0.5, 2.0, -1.5], "word": ["yes", "", None], "mixed": [3.0, None, 4.5],
    }  # fmt: skip
    assert read(shop, columns=["n"], missing=["3"]).to_dict() == {"n": [1.0, None, None]}
    assert read(shop, columns=["word"], missing=[""]).to_dict() == {"word": ["yes", None, None]}
    assert read(shop, columns=["n"], categorical=["n"]).to_dict() == {"n": ["1", None, "3"]}
    with pytest.raises(ValueError, match="'big' holds the integer"):
        read(shop, columns=["big"])
    with pytest.raises(TypeError, match="'raw' holds bytes"):
        read(shop, columns=["raw"])
    with pytest.raises(ValueError, match="did you mean 'people'"):
        read(f"peple@{shop}")
    heard = []
    read(shop, columns=["n"], progress=heard.append)
    assert heard[-1] == 1.0


def test_nothing_is_fetched_from_elsewhere(tmp_path):
    from treewright.table.files.duck import connected

    with connected() as connection:
        for name in ("autoinstall_known_extensions", "autoload_known_extensions"):
            assert connection.execute(f"select current_setting('{name}')").fetchone() == (False,)


# --- the same wishes in every format ---------------------------------------------------------------------


DAYS = pl.DataFrame({"joined": ["2019-01-01", None, "2020-02-29"], "amount": ["12", "7.5", None]})


def days_in_sqlite(path):
    with sqlite3.connect(path) as database:
        database.execute("create table t (joined text, amount text)")
        database.executemany("insert into t values (?, ?)", DAYS.rows())
    database.close()


def days_in_duckdb(path):
    with duckdb.connect(str(path)) as database:
        database.register("days", DAYS.to_arrow())
        database.execute("create table t as select * from days")


FORMS = {
    "csv": DAYS.write_csv,
    "feather": DAYS.write_ipc,
    "arrow": DAYS.write_ipc_stream,
    "dictionary.feather": DAYS.cast(pl.Categorical).write_ipc,
    "parquet": DAYS.write_parquet,
    "jsonl": DAYS.write_ndjson,
    "json": DAYS.write_json,
    "sqlite": days_in_sqlite,
    "duckdb": days_in_duckdb,
}


@pytest.mark.parametrize("form", FORMS)
def test_dates_and_numbers_as_text_can_be_numeric(tmp_path, form):
    path = tmp_path / f"data.{form}"
    FORMS[form](path)
    table = read(path, numeric=["joined", "amount"])
    assert table.to_dict() == {"joined": [17897.0, None, 18321.0], "amount": [12.0, 7.5, None]}


@pytest.mark.parametrize("form", ["feather", "parquet"])
def test_a_word_among_dates_is_named(tmp_path, form):
    frame = pl.DataFrame({"joined": ["2019-01-01", "soon", "2020-02-29"]})
    path = tmp_path / f"data.{form}"
    frame.write_ipc(path) if form == "feather" else frame.write_parquet(path)
    with pytest.raises(
        ValueError, match=r"Column 'joined' cannot be numeric: it holds the text '.*' in row 1"
    ):
        read(path, numeric=["joined"])


@pytest.mark.parametrize(("text", "words"), [('[{"a": 1}]', "JSON array"), ('\n{"a": 1}\n', "JSON lines")])
@pytest.mark.parametrize("packed", [False, True])
def test_json_is_called_what_it_is(tmp_path, text, words, packed):
    path = tmp_path / ("data.json.gz" if packed else "data.json")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    assert f"; {words}" in reading(path).lines[0]


def test_an_array_without_objects_is_refused_as_an_array(tmp_path):
    path = tmp_path / "data.json"
    path.write_text("[1, 2]")
    with pytest.raises(ValueError, match="cannot be read as JSON array: each entry"):
        read(path)
