import datetime as dt
import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import at_most
from treewright.table import Table, read
from treewright.table.read import MISSING_CELLS


@pytest.fixture
def write(tmp_path):
    def _write(text, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return _write


def test_numbers_text_and_gaps(write):
    path = write("n,t,e\n1,yes,\n 2.5 ,no,NA\n,?,\n-inf,TRUE,null\n1e3,None,\n")
    table = read(path)
    assert table.to_dict() == {
        "n": [1.0, 2.5, None, float("-inf"), 1000.0],
        "t": ["yes", "no", None, "TRUE", "None"],
        "e": [None] * 5,
    }
    assert [c.kind.value for c in table.schema.columns] == ["numeric", "nominal", "numeric"]


@pytest.mark.parametrize("cell", ["1_000", "0x1F", "1e", "<5"])
def test_a_late_word_makes_text(write, cell):
    path = write("n,m\n" + "1,2\n" * 30_000 + f'"{cell}",2\n')
    table = read(path)
    assert table.schema["n"].categories == tuple(sorted(["1", cell]))
    assert table.n_rows == 30_001


@pytest.mark.parametrize(("cell", "value"), [("abc", None), ("TRUE", None), ("unknown", None), ("1,5", 1.5)])
def test_a_stray_word_is_a_gap(write, cell, value):
    path = write("n,m\n" + "1,2\n" * 30_000 + f'"{cell}",2\n')
    assert read(path).to_dict()["n"][-2:] == [1.0, value]
    assert read(path, text="n").schema["n"].categories == tuple(sorted(["1", cell]))


def test_missing_is_the_callers_word(write):
    path = write("a,b\n-9,x\n1,NA\n")
    assert read(path, missing=["-9"]).to_dict() == {"a": [None, 1.0], "b": ["x", "NA"]}


def test_kinds_and_orders(write):
    path = write("zip,size,truth,n\n01234,M,true,2\n1234,S,0,10\n")
    wishes = {
        "kinds": {"zip": "nominal", "truth": "boolean", "n": "ordinal"},
        "ordinal": {"size": ["S", "M", "L"]},
    }
    table = read(path, **wishes)
    assert table.to_dict() == {
        "zip": ["01234", "1234"],
        "size": ["M", "S"],
        "truth": [True, False],
        "n": ["2", "10"],
    }
    assert table.schema["size"].categories == ("S", "M", "L")
    assert read(path, categories={"size": ["M", "S"]}).schema["size"].categories == ("M", "S")
    assert read(path, columns=["size", "zip"]).names == ("size", "zip")
    with pytest.raises(KeyError, match="did you mean 'size'"):
        read(path, columns=["sizes"])
    with pytest.raises(KeyError, match="did you mean 'size'"):
        read(path, kinds={"sizes": "nominal"})


def test_dates(write):
    path = write("d,t\n1970-01-03,1970-01-02T12:00:00Z\n,\n")
    with pytest.raises(TypeError, match="'d' holds dates"):
        read(path, dates="refuse")
    assert read(path).to_dict()["d"] == [dt.date(1970, 1, 3), None]
    assert read(path).to_dict()["t"] == [dt.datetime(1970, 1, 2, 12), None]
    assert read(path, dates="number").to_dict() == {"d": [2.0, None], "t": [1.5, None]}
    assert read(path, kinds={"d": "nominal", "t": "nominal"}).to_dict()["d"] == ["1970-01-03", None]
    assert read(write("d\n2020-02-30\n")).to_dict() == {"d": ["2020-02-30"]}


def test_large_integers(write):
    path = write(f"id,n\n{2**53 + 1},{2**60}\n")
    with pytest.raises(ValueError, match=f"'id' holds the integer {2**53 + 1}.*'nominal'"):
        read(path)
    assert read(path, kinds={"id": "nominal"}).to_dict() == {"id": [str(2**53 + 1)], "n": [2.0**60]}
    assert read(path, columns=["n"]).names == ("n",)
    with pytest.raises(ValueError, match="'n' holds the integer 1000"):
        read(write("n\n1" + "0" * 400 + "\n"))


@pytest.mark.parametrize(
    "name", ["a.tsv", "a.tsv.gz", "a.csv.gz", "a.csv", "a[1]*?.csv", "it's a table.csv", "a.txt"]
)
def test_names_and_packing(write, name):
    sign = "\t" if "tsv" in name else ","
    text = f'\ufeffa{sign}b c\n"x{sign}y"{sign}1\n"say ""hi"""{sign}2\n'.encode()
    path = write(gzip.compress(text) if name.endswith("gz") else text, name)
    assert read(path) == Table.from_dict({"a": [f"x{sign}y", 'say "hi"'], "b c": [1, 2]})
    assert read(str(path)).n_rows == 2


def test_other_separators_and_line_ends(write):
    assert read(write("a;b\r\n1;x\r\n2;y\r\n")).to_dict() == {"a": [1.0, 2.0], "b": ["x", "y"]}
    assert read(write('a,b\n1,"two\nlines"\n')).to_dict() == {"a": [1.0], "b": ["two\nlines"]}
    assert read(write("name\nbo ann\ncy\n")).to_dict() == {"name": ["bo ann", "cy"]}
    assert read(write("1,2\n3,4\n"), header=True).names == ("1", "2")
    assert read(write("a,b\n1,2")).n_rows == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,a\n1,2\n", "2 columns are named 'a'"),
        ("a,b\n", "no rows"),
        ("", "has no first line"),
        ("\n1,2\n", "has no first line"),
        ('a,b\n1,"x\n2,3\n', "line 2: a quote is opened here and never closed"),
        ("a,b\n1\n", "line 2 has 1 cell, but the first line has 2"),
        ("a,b\n" + "1,2\n" * 10 + "1,2,3\n", "cannot be read: line 12 has 3 cells"),
        (b"\x1f\x8bnot gzip", "cannot be read"),
    ],
)
def test_bad_files_are_value_errors(write, text, message):
    path = write(text, "data.csv.gz" if text[:1] == b"\x1f" else "data.csv")
    with pytest.raises(ValueError, match=message):
        read(path)


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no file"):
        read(tmp_path / "none.csv")
    with pytest.raises(FileNotFoundError, match="There is no file"):
        read(tmp_path)


words = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), max_size=5)


@settings(deadline=None, max_examples=at_most(20, 50))
@given(st.lists(st.tuples(words, st.none() | st.floats(allow_nan=False)), min_size=1, max_size=20))
def test_a_written_table_is_read_back(tmp_path_factory, rows):
    import csv

    path = tmp_path_factory.mktemp("csv") / "data.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(["word", "number"])
        writer.writerows([word, "" if number is None else repr(number)] for word, number in rows)
    expected = {
        "word": [None if word.strip(" ") in MISSING_CELLS else word for word, _ in rows],
        "number": [number for _, number in rows],
    }
    assert read(path, kinds={"word": "nominal"}).to_dict() == expected
