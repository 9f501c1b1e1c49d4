"""What was understood of a file, in three lines, as text and as a dict; progress; the same on any thread."""

import json
import threading

import duckdb
import numpy as np
import pytest

from treewright.table import Reading, read, reading
from treewright.table.files import duck

TEXT = """\
id,age,zip,job,when
1,39,01234,clerk,2020-01-01
2,?,98765,smith,2020-02-01
3,oops,00000,"a
b",
4,50,11111,clerk,2021-01-01
5,51.5,11111,clerk,2021-01-01
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "people.csv"
    file.write_text(TEXT)
    return file


@pytest.fixture
def found(path):
    return reading(path, ignore=["id"], numeric=["when"], ordinal={"job": ["clerk", "smith", "a\nb"]})


def test_three_lines(found):
    assert found.lines == (
        "people.csv: 5 rows, 4 columns; text with commas between cells, UTF-8, names in the first line.",
        "Numbers: when. Categories: age (4), zip (4). In order: job (3). Left out: id.",
        " ".join(["Missing: 2 of 20 cells (10 %), most in age (20 % of rows).", *found.notes]),
    )


def test_notes(found):
    text, codes = found.notes
    assert text == (
        "Column 'age' is text because of 'oops' in line 4 (1 cell is not a number of 4). "
        "If it means missing, add it: missing=[..., 'oops']."
    )
    assert codes == (
        "Column 'zip' holds codes of 5 digits with zeros in front, such as '00000'; "
        "if they are amounts: numeric=['zip']."
    )


def test_all_of_it_as_text(found):
    lines = found.to_text().splitlines()
    assert lines[:2] == list(found.lines[:2])
    assert lines[4].split() == ["column", "kind", "distinct", "missing", "examples", "why"]
    assert lines[5].startswith("age     nominal         4        1  39, 50, 51.5 ")
    assert lines[5].endswith("  1 cell is not a number of 4: first 'oops' in line 4")
    assert lines[7].startswith("job     ordinal         3        0  clerk, smith, a\\nb")
    assert lines[-2:] == list(found.notes)


def test_all_of_it_as_plain_values(found, path):
    plain = found.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["file"] == str(path)
    assert (plain["format"], plain["n_rows"], plain["n_columns"], plain["ignored"]) == ("text", 5, 4, ["id"])
    assert plain["layout"] == {
        "separator": ",", "quote": '"', "decimal": ".", "encoding": "utf-8", "header": True,
    }  # fmt: skip
    assert plain["columns"][3] == {
        "name": "when", "kind": "numeric", "distinct": 3, "gaps": 1, "min": 18262.0, "max": 18628.0,
        "examples": ["18262", "18293", "18628"], "why": "dates, such as '2020-01-01'",
    }  # fmt: skip
    assert plain["notes"] == list(found.notes)


def test_a_reading_is_frozen_and_holds_the_table(found, path):
    assert isinstance(found, Reading)
    with pytest.raises(AttributeError):
        found.table = None
    assert found.table == read(
        path, ignore=["id"], numeric=["when"], ordinal={"job": ["clerk", "smith", "a\nb"]}
    )


def test_dates_that_nobody_named_are_listed(path):
    assert reading(path, dates="number").dates == ("when",)
    assert reading(path, numeric=["when"]).dates == ()


def test_many_columns_and_notes_are_cut_short(tmp_path):
    file = tmp_path / "wide.csv"
    names = [f"n{i}" for i in range(12)]
    file.write_text("\n".join([",".join(names), ",".join("1" * 12), ",".join("2" * 12), ",".join("x" * 12)]))
    lines = reading(file).lines
    assert lines[1].endswith("n7 (3) and 4 more.")
    assert lines[2].endswith("10 more notes: treewright check.")


def test_progress_is_told_and_can_stop(tmp_path):
    file = tmp_path / "long.csv"
    file.write_text("a,b\n" + "1.5,x\n" * 200_000)
    heard = []
    table = read(file, progress=heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0
    assert 0 <= heard[0] < 1
    assert table == read(file)

    def stop(_share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read(file, progress=stop)
    assert not [thread for thread in threading.enumerate() if thread.name == "treewright reading"]


def test_no_copies_are_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    file = tmp_path / "a.csv"
    file.write_bytes("a;b\n1,5;é\n".encode("utf-16"))
    assert read(file).to_dict() == {"a": [1.5], "b": ["é"]}
    file.write_bytes(b"a b\n1  2\n3 4 5\n")
    with pytest.raises(ValueError, match="line 3"):
        read(file, separator=" ")
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.slow
def test_the_same_table_on_any_number_of_threads(tmp_path, monkeypatch):
    """A file of several of DuckDB's buffers, with cells over two lines: rows stay whole and in order."""
    n_rows = 1_500_000
    file = tmp_path / "long.csv"
    with file.open("w") as out:
        out.write("n,word,x\n")
        out.writelines(f'{i},"w{i % 5}\nand ""more"", or not",{i / 7!r}\n' for i in range(n_rows))
    real = duckdb.connect
    tables = []
    for n_threads in (1, 2, 5):
        monkeypatch.setattr(
            duckdb, "connect", lambda config, n=n_threads: real(config={**config, "threads": n})
        )
        tables.append(read(file))
    table = tables[0]
    assert all(other == table for other in tables[1:])
    assert np.array_equal(table.values[0], np.arange(n_rows))
    assert np.array_equal(table.values[1], np.arange(n_rows) % 5)
    assert np.array_equal(table.values[2], np.arange(n_rows) / 7)


def test_many_distinct_words_and_few_give_the_same_codes(tmp_path, monkeypatch):
    file = tmp_path / "a.csv"
    file.write_text("w\n" + "".join(f"é{i * 7919 % 3001}z\n" for i in range(5000)) + "\n")
    few = read(file)
    monkeypatch.setattr("treewright.table.files.cells._MANY", 10)
    assert read(file) == few
    assert list(few.schema["w"].categories) == sorted(few.schema["w"].categories)


def test_work_that_fails_says_why():
    with duck.connected() as connection, pytest.raises(duckdb.Error, match="nowhere"):
        duck.run(connection, "create table a as select * from nowhere", watcher=lambda share: None)


class InANotebook:
    """A connection as DuckDB gives it in a notebook without ipywidgets."""

    def __init__(self, connection):
        self._connection = connection

    def __getattr__(self, name):
        return getattr(self._connection, name)

    def execute(self, query, *args):
        if "progress_bar" in query:
            raise duckdb.InvalidInputException("Could not change the progress bar setting")
        return self._connection.execute(query, *args)


def test_files_are_read_in_a_notebook_without_widgets(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,x\n2,y\n")
    connect = duckdb.connect
    monkeypatch.setattr(duckdb, "connect", lambda *args, **options: InANotebook(connect(*args, **options)))
    seen = []
    assert read(path, progress=seen.append).to_dict() == {"a": [1.0, 2.0], "b": ["x", "y"]}
