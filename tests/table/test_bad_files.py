"""What cannot be read: the error names the file, the line, what was found, and what to type."""

import gzip

import pytest

from treewright.table import read


@pytest.fixture
def write(tmp_path):
    def _write(text, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return _write


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a,b,c\n1,2,3\n4,5\n6,7,8\n",
            r"line 3 has 2 cells, but the first line has 3: '4,5'\. Complete the line",
        ),
        ("a,b\n1,2\n1,2,3\n", r"line 3 has 3 cells, but the first line has 2: '1,2,3'\. Correct the line"),
        ("a b\n1 2 3\n2 4 5\n", "line 2 has 3 cells.*name that column in the first line too"),
        ('a,b\n"x\ny",1\n\n3\n', "line 5 has 1 cell"),
        ('a,b\n1,"x\n2,3\n', "line 2: a quote is opened here and never closed.*say quote=''"),
        ('a,b\n1,2\n3,"x"y\n', "line 3: text after a closing quote: 'y'"),
        ('a,b\n"x \\"y\\"",1\n', "line 2: text after a closing quote"),
        ("a,b\n1,2\n  \n", "line 3 has 1 cell"),
        ('a,b\n1,2\n""\n', "line 3 has 1 cell"),
        ("a,a\n1,x\n", "2 columns are named 'a'"),
        ("", "is empty"),
        ("\ufeff", "is empty"),
        ("a,b\n", "no rows, only the names"),
        ("a,b\r\n", "no rows, only the names"),
        (b"a,b\n1,x\0y\n2,z\n", "is not text"),
        (b"\x00\x01\x02\x03" * 100, "is not text"),
        (bytes(range(1, 256)) * 20, "is not text"),
        (b"\x89PNG\r\n\x1a\n", "it is a picture"),
        (b"PK\x03\x04...", r"zip archive\. Unpack it first"),
        (b"BZh91AY", "bzip2"),
        (b"PAR1 but nothing more", "cannot be read"),
        (b"ARROW1 but nothing more", "cannot be read as an Arrow file"),
        (b"SQLite format 3\0 but nothing more", "SQLite"),
        (b"\1" * 8 + b"DUCK" + b"\0" * 5000, "cannot be read"),
        ('{"a": 1}\n{"a": 2\n', "cannot be read"),
        ('{"a": 1}\n[2]\n', "each line is to be an object"),
    ],
)
def test_the_error_says_what_and_where(write, text, message):
    path = write(text)
    with pytest.raises(ValueError, match=message) as raised:
        read(path)
    assert "Possible fixes" not in str(raised.value)


def test_late_zero_bytes(write):
    path = write(b"a,b\n" + b"1,x\n" * 5000 + b"2,y\0z\n")
    with pytest.raises(ValueError, match=r"'b' holds a zero byte in line 5,002"):
        read(path)


def test_packed_files(write):
    whole = gzip.compress(b"a,b\n" + b"1,x\n" * 100_000)
    assert read(write(whole[:10] + whole[10:], "data.csv")).n_rows == 100_000  # the name does not matter
    assert read(write(b"a,b\n1,x\n", "data.csv.gz")).n_rows == 1
    assert read(write(gzip.compress(b"a,b\n1,x\n") + gzip.compress(b"2,y\n"), "two.gz")).n_rows == 2
    for broken in (whole[:-20], whole[:100], whole[:50] + b"garbage" + whole[57:]):
        with pytest.raises(ValueError, match=r"begins like a gzip file, but cannot be unpacked"):
            read(write(broken, "data.csv.gz"))


def test_an_encoding_that_does_not_fit(write):
    with pytest.raises(ValueError, match=r"cannot be read as UTF-8 text: line 3 is not.*encoding='latin-1'"):
        read(write(b"a,b\n1,x\n2,\xe9\n"), encoding="utf-8")
    with pytest.raises(ValueError, match="cannot be read as utf-32"):
        read(write(b"a,b\n1,x\n2,\xe9\n"), encoding="utf-32")


@pytest.mark.parametrize("n", [2_500_000, pytest.param(5_000_000, marks=pytest.mark.slow)])
def test_huge_fields_are_read(write, n):
    """The first is longer than a line that DuckDB takes untold, the second than a block that is read."""
    long = "x" * n
    table = read(write(f"a,b\n1,{long}\n2,y\n"))
    assert table.to_dict() == {"a": [1.0, 2.0], "b": [long, "y"]}


def test_no_such_file(write, tmp_path):
    write("a\n1\n", "customers.csv")
    with pytest.raises(
        FileNotFoundError, match=r"There is no file '.*custmers\.csv'; did you mean '.*customers\.csv'\?"
    ):
        read(tmp_path / "custmers.csv")
    assert read(tmp_path).n_rows == 1
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match=r"it is a folder\. Name a file in it"):
        read(tmp_path / "empty")
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        read(tmp_path / "nowhere" / "a.csv")
    with pytest.raises(ValueError, match=r"is no DuckDB or SQLite file.*leave out 't@'"):
        read(f"t@{tmp_path / 'customers.csv'}")
