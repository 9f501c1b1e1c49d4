"""What is read where a path names no single file, and workbooks."""

import datetime as dt
import http.server
import subprocess
import sys
import threading

import duckdb
import pytest

import treewright as tw
from tests.table.exports.workbooks import write_ods, write_xlsx
from treewright.table import read, reading


@pytest.fixture
def folder(tmp_path):
    for i in range(3):
        (tmp_path / f"p{i}.csv").write_text(f"a,b\n{i},x\n{i + 10},y")
    return tmp_path


def test_a_folder_and_a_pattern_are_one_table(folder):
    wanted = {"a": [0.0, 10.0, 1.0, 11.0, 2.0, 12.0], "b": ["x", "y"] * 3}
    assert read(folder).to_dict() == wanted
    assert read(str(folder / "p*.csv")).to_dict() == wanted
    assert read(str(folder / "p[01].csv")).n_rows == 4
    found = reading(folder)
    assert found.source == str(folder)
    assert found.lines[0].startswith(f"{folder.name}: 6 rows")


def test_a_file_with_signs_of_a_pattern_is_a_file(tmp_path):
    (tmp_path / "p[0].csv").write_text("a,b\n1,x\n")
    assert read(tmp_path / "p[0].csv").n_rows == 1


def test_several_files_must_fit(folder):
    (folder / "p9.csv").write_text("a,c\n1,x\n")
    with pytest.raises(
        ValueError, match=r"several layouts: '.*p0.csv' begins with 'a,b', '.*p9.csv' with 'a,c'"
    ):
        read(folder)
    (folder / "p9.csv").unlink()
    duckdb.sql(f"copy (select 1 as a, 'x' as b) to '{folder / 'q.parquet'}' (format parquet)")
    with pytest.raises(ValueError, match="files of several formats"):
        read(folder)
    with pytest.raises(FileNotFoundError, match=r"no file that '.*z.*csv' fits"):
        read(str(folder / "z*.csv"))


def test_several_parquet_files(tmp_path):
    for i in range(2):
        duckdb.sql(f"copy (select {i} as a, 'x{i}' as b) to '{tmp_path / f'{i}.parquet'}' (format parquet)")
    assert read(tmp_path).to_dict() == {"a": [0.0, 1.0], "b": ["x0", "x1"]}


def test_standard_input_is_copied():
    code = "import treewright as tw; print(tw.reading('-').lines[0], tw.__name__)"
    done = subprocess.run(
        [sys.executable, "-c", code], input=b"a;b\n1;x\n2;y\n", capture_output=True, check=True
    )
    assert done.stdout.startswith(b"standard input: 2 rows, 2 columns")
    code = "import treewright as tw; tw.read('-')"
    done = subprocess.run([sys.executable, "-c", code], input=b"", capture_output=True, check=False)
    assert b"nothing to read: standard input is empty" in done.stderr


def test_a_pipe_is_copied(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,x\n")
    code = "import treewright as tw; print(tw.read('/dev/stdin').n_rows)"
    command = f'cat {tmp_path / "a.csv"} | {sys.executable} -c "{code}"'
    done = subprocess.run(command, shell=True, capture_output=True, check=True)
    assert done.stdout.strip() == b"1"


def test_an_address_is_fetched_only_if_that_is_said(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,x\n")

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args, **more):
            super().__init__(*args, directory=str(tmp_path), **more)

        def log_message(self, *_args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/a.csv"
        with pytest.raises(
            ValueError, match="nothing is fetched from a network unless you say so: download=True"
        ):
            read(address)
        assert read(address, download=True).to_dict() == {"a": [1.0], "b": ["x"]}
        with pytest.raises(ValueError, match="cannot be fetched"):
            read(address.replace("a.csv", "b.csv"), download=True)
        server.shutdown()


# ---- workbooks ---------------------------------------------------------------------------------------------

ROWS = [
    ["n", "when", "word", "mixed"],
    [1, dt.date(2020, 1, 31), "a", 5],
    [2.5, dt.date(2020, 2, 1), "b", "6 %"],
    [None, None, None, None],
    [3, None, "a", None],
]


@pytest.mark.parametrize(("write", "name"), [(write_xlsx, "t.xlsx"), (write_ods, "t.ods")])
def test_sheets(tmp_path, write, name):
    path = tmp_path / name
    write(path, {"Empty": [], "One": ROWS, "Two": [["x"], [7]]})
    found = reading(path)
    assert found.table.to_dict() == {
        "n": [1.0, 2.5, 3.0],
        "when": [dt.date(2020, 1, 31), dt.date(2020, 2, 1), None],
        "word": ["a", "b", "a"],
        "mixed": [5.0, 6.0, None],
    }
    assert found.words == "sheet 'One' of a workbook"
    assert "The workbook has 3 sheets; 'One' is read." in found.notes[0]
    assert read(f"Two@{path}").to_dict() == {"x": [7.0]}
    with pytest.raises(ValueError, match="no sheet 'Tow'; did you mean 'Two'"):
        read(f"Tow@{path}")
    assert read(path, text="mixed").schema["mixed"].categories == ("5", "6 %")
    assert read(path, header=False, columns=["c1"]).n_rows == 4


def test_a_workbook_without_the_reader(tmp_path, monkeypatch):
    path = tmp_path / "t.xlsx"
    write_xlsx(path, {"One": ROWS})
    monkeypatch.setattr("treewright.table.files.workbook.find_spec", lambda _: None)
    with pytest.raises(ValueError, match=r"python-calamine is needed: pip install 'treewright\[excel\]'"):
        read(path)


def test_damaged_workbooks(tmp_path):
    path = tmp_path / "t.xlsx"
    write_xlsx(path, {"One": ROWS})
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ValueError, match="cannot be read as a workbook"):
        read(path)
    write_xlsx(path, {"One": []})
    with pytest.raises(ValueError, match="is empty: none of its 1 sheets has a cell"):
        read(path)


# ---- lines that are no rows --------------------------------------------------------------------------------


def lines(tmp_path, text, **options):
    path = tmp_path / "t.csv"
    path.write_text(text)
    found = reading(path, **options)
    return found.table.to_dict(), len(found.notes)


def test_a_separator_line(tmp_path):
    assert lines(tmp_path, "sep=;\na;b\n1,5;x\n") == ({"a": [1.5], "b": ["x"]}, 1)
    assert lines(tmp_path, "SEP=|\r\na|b\r\n1|x;y\r\n")[0] == {"a": [1.0], "b": ["x;y"]}


def test_titles(tmp_path):
    text = "Sales;;\nas of 2020;;\n;;\na;b;c\n1;x;2\n3;y;4\n"
    assert lines(tmp_path, text) == ({"a": [1.0, 3.0], "b": ["x", "y"], "c": [2.0, 4.0]}, 1)
    assert lines(tmp_path, text, skip=3) == ({"a": [1.0, 3.0], "b": ["x", "y"], "c": [2.0, 4.0]}, 0)
    assert lines(tmp_path, ",v\n0,5\n1,6\n")[0] == {
        "c1": [0.0, 1.0],
        "v": [5.0, 6.0],
    }  # a column without a name


def test_totals(tmp_path):
    text = "region,n\nnorth,1\nsouth,2\nTotal,3\n"
    assert lines(tmp_path, text) == ({"region": ["north", "south"], "n": [1.0, 2.0]}, 1)
    assert lines(tmp_path, text, trim=False)[0]["region"] == ["north", "south", "Total"]
    many = "region,n\nTotal,1\n" + "south,2\n" * 30 + "Total,3\n"  # a word like the others
    assert lines(tmp_path, many)[0]["region"].count("Total") == 2
    assert lines(tmp_path, "a,b,c\n1,2,3\n\nSource: the office\n")[0] == {"a": [1.0], "b": [2.0], "c": [3.0]}
    with pytest.raises(ValueError, match="line 3 has 2 cells, but the first line has 3"):
        lines(tmp_path, "a,b,c\n1,2,3\n4,5\n")
    with pytest.raises(ValueError, match="line 3 has 1 cell"):
        lines(tmp_path, "a,b,c\n1,2,3\nabc\n")  # cut short, not a remark


def test_names_again(tmp_path):
    text = "a,b\n" + "1,x\n" * 5 + "a,b\n" + "2,y\n" * 5 + "a,b\n3,z\n"
    found, n_notes = lines(tmp_path, text)
    assert (len(found["a"]), set(found["b"]), n_notes) == (11, {"x", "y", "z"}, 1)
    assert lines(tmp_path, "x,y\nx,y\na,b\n", header=False)[0] == {
        "c1": ["x", "x", "a"],
        "c2": ["y", "y", "b"],
    }


def test_lines_in_errors_are_those_of_the_file(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Title;;\n\na;b;c\n1;x;2\na;b;c\noops;y;3\n")
    with pytest.raises(ValueError, match="'oops' in line 6"):
        read(path, numeric="a")
    assert tw.read(path).n_rows == 2
