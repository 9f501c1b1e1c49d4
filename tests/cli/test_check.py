"""`treewright check`, as somebody with a file of their own meets it."""

import json

import pytest
from click.testing import CliRunner

import treewright as tw
from treewright.cli.main import main


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def _run(text, *options, name="data.csv"):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return CliRunner().invoke(main, ["check", name, *options])

    return _run


TEXT = "id,age,size,when\n1,39,S,2020-01-01\n2,-9,M,2020-02-01\n3,x,L,2020-02-01\n4,50,?,2021-01-01\n5,5,M,\n"


def test_what_is_shown(run):
    result = run(TEXT)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[:2] == [
        "data.csv: 5 rows, 4 columns; text with commas between cells, UTF-8, names in the first line.",
        "Numbers: id. Dates: when. Categories: age (5), size (3).",
    ]
    assert "Column 'age' is text because of 'x' in line 4 (1 cell is not a number of 5)." in result.stdout
    assert "If it means missing, add it: --missing 'x'." in result.stdout
    assert "2020-01-01, 2020-02-01, 2021-01-01" in result.stdout


def test_what_it_proposes_works(run):
    options = [
        "--missing",
        "x",
        "--missing",
        "-9",
        "--ordinal",
        "size:S<M<L",
        "--ignore",
        "id",
        "--numeric",
        "when",
    ]
    result = run(TEXT, *options, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [(c["name"], c["kind"], c["gaps"]) for c in found["columns"]] == [
        ("age", "numeric", 2), ("size", "ordinal", 1), ("when", "numeric", 1),
    ]  # fmt: skip
    assert found["notes"] == []


def test_marks_on_the_command_line_are_added_to_the_usual_ones(run):
    shown = json.loads(run("a,b\n1,NA\n-9,x\n?,y\n", "--missing", "-9", "--json").stdout)
    assert [c["gaps"] for c in shown["columns"]] == [2, 1]
    only = json.loads(run("a,b\n1,NA\n-9,x\n,y\n", "--missing", "", "--json").stdout)
    assert [c["gaps"] for c in only["columns"]] == [1, 0]


def test_layouts_on_the_command_line(run):
    shown = json.loads(
        run("1:2,5\n3:4\n", "--separator", ":", "--decimal", ",", "--no-header", "--json").stdout
    )
    assert [(c["name"], c["max"]) for c in shown["columns"]] == [("c1", 3.0), ("c2", 4.0)]
    shown = json.loads(run("Größe;b\n1,5;x\n2;y\n".encode("latin-1"), "--json").stdout)
    assert shown["columns"][0]["name"] == "Größe"
    assert shown["layout"]["encoding"] == "cp1252"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "a,b\n1,2\n3\n",
            [],
            "line 3 has 1 cell, but the first line has 2: '3'. Complete the line or delete it",
        ),
        ("a,b\n1,2\n3\n", [], "say --separator ';'."),
        ("", [], "'data.csv' is empty"),
        ("a,b\n", [], "If its first line is a row, say --no-header."),
        ("a,b\n1,2\n", ["--ignore", "c"], "No column is named 'c'"),
        ("age,b\n1,2\n", ["--categorical", "agee"], "did you mean 'age'?"),
        ("a,b\nx,2\n", ["--numeric", "a"], "'a' cannot be numeric: it holds the text 'x' in line 2."),
        ('a,b\n1,"x\n', [], "say --quote ''."),
        ("a,b\n1,2\n", ["--encoding", "klingon"], "--encoding 'klingon' is not known"),
        (b"a,b\n1,\xe9\n", ["--encoding", "utf-8"], "Try --encoding 'latin-1'."),
    ],
)
def test_errors_say_what_to_type(run, text, options, message):
    result = run(text, *options)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert message in " ".join(result.stderr.split())


def test_a_file_that_is_not_there(run):
    run("a\n1\n")
    result = CliRunner().invoke(main, ["check", "dat.csv"])
    assert result.exit_code == 1
    assert "There is no file 'dat.csv'; did you mean 'data.csv'?" in result.stderr


def test_adult(tmp_path):
    from tests.tables import FOLDER

    result = CliRunner().invoke(main, ["check", str(FOLDER / "adult.csv.gz"), "--json"])
    found = json.loads(result.stdout)
    table = tw.read(FOLDER / "adult.csv.gz")
    assert found["n_rows"] == table.n_rows
    assert [c["kind"] for c in found["columns"]] == [c.kind.value for c in table.schema.columns]
    assert sum(c["gaps"] for c in found["columns"]) == sum(
        int((v != v).sum() if v.dtype.kind == "f" else (v < 0).sum()) for v in table.values
    )
