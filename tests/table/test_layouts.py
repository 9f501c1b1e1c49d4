"""Files of text as people send them: separators, decimal commas, quotes, encodings, headers or none."""

import gzip

import pytest

from treewright.table import Table, read, reading


@pytest.fixture
def write(tmp_path):
    def _write(text, name="data.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    return _write


TOWNS = {"Straße": ["Müller", "Jäger", "Köln"], "Größe": [1.5, -2.75, 3.0], "Preis": [2.0, 3.0, None]}


@pytest.mark.parametrize(
    "encoding", ["latin-1", "cp1252", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]
)
@pytest.mark.parametrize("packed", [False, True])
def test_semicolons_and_decimal_commas_in_any_encoding(write, encoding, packed):
    raw = "Straße;Größe;Preis\r\nMüller;1,5;2\r\nJäger;-2,75;3\r\nKöln;3;\r\n".encode(encoding)
    found = reading(write(gzip.compress(raw) if packed else raw))
    assert found.table == Table.from_dict(TOWNS)
    assert found.layout | {"encoding": ""} == {
        "separator": ";", "quote": '"', "decimal": ",", "encoding": "", "header": True,
    }  # fmt: skip
    assert "semicolons between cells, decimal comma" in found.lines[0]


def test_one_byte_encodings(write):
    assert read(write("a,b\n1,x €\n", encoding="cp1252")).to_dict()["b"] == ["x €"]
    assert reading(write(b"a,b\n1,\x81\xe4\n")).layout["encoding"] == "iso8859-1"
    assert read(write("a,b\n1,ж\n", encoding="koi8-r"), encoding="koi8-r").to_dict()["b"] == ["ж"]
    late = "a,b\n" + "1,x\n" * 400_000 + "1,é\n"  # far beyond what is looked at first
    found = reading(write(late, encoding="latin-1"))
    assert (found.layout["encoding"], found.table.schema["b"].categories) == ("cp1252", ("x", "é"))


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a\tb\n1\t2,5\n", "\t"),
        ("a|b\n1|x\n2|y\n", "|"),
        ("a,b\n1,x;y\n2,z\n", ","),
        ("1,5;2,5\n3,5;4\n", ";"),
        ("x,y,a;b\nu,v,c;d\n", ","),
        ('a;b\n"1;2";x\n', ";"),
        ("  a    b   c\n 1.5  10  x\n 2    200 y\n", " "),
        ("name\nbo ann\ncy\n", ","),
        ("first last\nbo ann\ncy dee\n", ","),
        ("a\n1\n2\n", ","),
    ],
)
def test_the_separator_is_found_out(write, text, separator):
    assert reading(write(text)).layout["separator"] == separator


def test_separators_that_are_said(write):
    assert read(write("a:b\n1:x\n"), separator=":").to_dict() == {"a": [1.0], "b": ["x"]}
    assert read(write("a||b\n1||x\n"), separator="||").to_dict() == {"a": [1.0], "b": ["x"]}
    assert read(write("a\tb c\n1\t2\n", "t.txt"), separator="tab").names == ("a", "b c")
    assert read(write("a   b\n1 x\n"), separator="spaces").to_dict() == {"a": [1.0], "b": ["x"]}
    with pytest.raises(ValueError, match="separator='' is no sign"):
        read(write("a,b\n1,2\n"), separator="")
    with pytest.raises(ValueError, match=r"decimal=';' is not known; it is '\.' or ','"):
        read(write("a,b\n1,2\n"), decimal=";")
    with pytest.raises(ValueError, match="quote='ab' is no quote sign"):
        read(write("a,b\n1,2\n"), quote="ab")
    with pytest.raises(ValueError, match="encoding='klingon' is not known"):
        read(write("a,b\n1,2\n"), encoding="klingon")


def test_spaces_between_cells_keep_quoted_words_together(write):
    path = write('name   size\n"bo ann"  1\n  cy     2.5  \n')
    assert read(path).to_dict() == {"name": ["bo ann", "cy"], "size": [1.0, 2.5]}


def test_decimal_commas_are_said_or_strict(write):
    assert read(write('a,b\n"1,5",x\n"2,25",y\n'), decimal=",").to_dict()["a"] == [1.5, 2.25]
    found = reading(write("a;b\n1,5;x\n2,5;y\n1.234;z\n"))
    assert found.table.to_dict()["a"] == [1.5, 2.5, 1234.0]
    assert found.whys[0] == "numbers, such as '1,5', a comma for decimals and a point for thousands"
    assert read(write("a;b\n1,5;x\n2,5;y\n1.23;z\n")).schema["a"].categories == ("1,5", "1.23", "2,5")


def test_quotes(write):
    assert read(write("a,b\n'x,y',1\n'it''s',2\n")).to_dict()["a"] == ["x,y", "it's"]
    assert read(write('a,b\n5" pipe,1\n"6"" pipe",2\n')).to_dict()["a"] == ['5" pipe', '6" pipe']
    assert read(write('a,b\n"x,1\ny,2\n'), quote="").to_dict()["a"] == ['"x', "y"]
    assert read(write("a,b\n's-Hage,1\n't Zand,2\n")).to_dict()["a"] == ["'s-Hage", "'t Zand"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends(write, line_end):
    text = line_end.join(["a,b", "1,x", '2,"y', 'z"', "3,w"])
    assert read(write(text)).to_dict() == {"a": [1.0, 2.0, 3.0], "b": ["x", f"y{line_end}z", "w"]}


def test_line_ends_inside_quotes_are_no_line_ends(write):
    assert read(write('"\r"\n'), header=False).to_dict() == {"c1": ["\r"]}
    assert read(write('a,b\n"x\ry",1\r\n"z\r\nw",2\n')).to_dict() == {
        "a": ["x\ry", "z\r\nw"],
        "b": [1.0, 2.0],
    }


def test_mixed_line_ends(write):
    assert read(write('a,b\r\n1,x\n2,"y\nz"\r\n\n3,w\r')).to_dict() == {
        "a": [1.0, 2.0, 3.0],
        "b": ["x", "y\nz", "w"],
    }


def test_empty_lines_are_skipped_except_in_a_single_column(write):
    assert read(write("a,b\n1,x\n\n\n2,y\n\n")).to_dict() == {"a": [1.0, 2.0], "b": ["x", "y"]}
    assert read(write("a\n1\n\n3\n")).to_dict() == {"a": [1.0, None, 3.0]}


def test_separators_at_the_end_of_lines_are_no_cells(write):
    assert read(write("a,b\n1,x,\n2,y,,\n")).to_dict() == {"a": [1.0, 2.0], "b": ["x", "y"]}


# --- names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "has_header"),
    [
        ("age,job\n39,clerk\n50,smith\n", True),
        ("39,clerk\n50,smith\n", False),
        ("1,2\n3,4\n", False),
        ("?,clerk\n50,smith\n51,clerk\n", False),
        ("vhigh,small,acc\nvhigh,big,unacc\nlow,small,acc\n", False),
        ("Outlook,Wind\nSunny,Weak\nRainy,Strong\n", True),
        ("a,2019\nx,1\ny,2\n", False),
        ("a,b\n", True),
        ("name,age\nbo,?\ncy,NA\n", True),
    ],
)
def test_whether_the_first_line_has_names(write, text, has_header):
    path = write(text)
    if text == "a,b\n":
        with pytest.raises(ValueError, match=r"no rows, only the names of columns \(a, b\).*header=False"):
            read(path)
        assert read(path, header=False).to_dict() == {"c1": ["a"], "c2": ["b"]}
        return
    found = reading(path)
    assert found.layout["header"] is has_header
    assert found.table.names[0] == ("c1" if not has_header else text.split(",")[0])
    assert any("first line looks like a row" in note for note in found.notes) is not has_header
    assert reading(path, header=True).table.n_rows + 1 == reading(path, header=False).table.n_rows


def test_a_space_after_each_separator_is_no_part_of_a_cell(write):
    path = write("39, State-gov, <=50K\n50, ?, >50K\n38, State-gov, <=50K\n", "adult.data")
    assert read(path).to_dict() == {
        "c1": [39.0, 50.0, 38.0],
        "c2": ["State-gov", None, "State-gov"],
        "c3": ["<=50K", ">50K", "<=50K"],
    }
    assert read(write("a,b\n1, x\n2,y\n")).to_dict()["b"] == [" x", "y"]


def test_a_column_without_a_name_is_named_by_its_place(write):
    found = reading(write(",a,\n0,x,\n1,y,\n"))
    assert found.table.to_dict() == {"c1": [0.0, 1.0], "a": ["x", "y"], "c3": [None, None]}
    assert found.notes[0] == "Column 1 has no name in the first line; it is named 'c1'."


# --- kinds ------------------------------------------------------------------------------------------------


def test_codes_with_zeros_in_front_stay_text(write):
    path = write("zip,agent,flag,year\n01234,007,0,1998\n98765,7,1,2003\n")
    found = reading(path)
    assert found.table.to_dict() == {
        "zip": ["01234", "98765"], "agent": [7.0, 7.0], "flag": [0.0, 1.0], "year": [1998.0, 2003.0],
    }  # fmt: skip
    assert found.whys[0] == "codes of 5 digits with zeros in front, such as '01234'"
    assert read(path, numeric=["zip"]).to_dict()["zip"] == [1234.0, 98765.0]
    late = "zip\n" + "98765\n" * 2000 + "01234\n"
    assert read(write(late)).schema["zip"].categories == ("01234", "98765")


def test_a_late_word_is_named_with_its_line(write):
    rows = "".join(f'{i}.5,"a\nb"\n' for i in range(3000))  # every row stands in two lines
    found = reading(write(f"n,m\n{rows}oops,x\n7.5,y\n"))
    assert found.table.schema["n"].kind == "numeric"
    assert found.whys[0] == "every cell is a number, such as '0.5'; stray words are missing"
    (note,) = found.notes
    assert note == (
        "Column 'n': 'oops' in line 6,002 (1 cell of 3,002) is taken as missing, for all others are numbers; "
        "text=['n'] keeps words."
    )
    few = reading(write("n,m\n1,x\n2,x\noops,x\n"))
    assert few.whys[0] == "1 cell is not a number of 3: first 'oops' in line 4"
    (note,) = few.notes
    assert note == (
        "Column 'n' is text because of 'oops' in line 4 (1 cell is not a number of 3). "
        "If it means missing, add it: missing=[..., 'oops']."
    )
    assert "'oops' in line 6,002" in found.lines[2]
    plain = "n\n" + "1.5\n" * 5000 + "oops\n"
    assert "'oops' in line 5,002" in reading(write(plain)).notes[0]


def test_numeric_as_asked_or_an_error_with_the_line(write):
    path = write("n,m\n1,2\n1 000,3\nx,4\n")
    with pytest.raises(ValueError, match=r"'n' cannot be numeric.*'1 000' in line 3 \(and 1 more cell"):
        read(path, numeric=["n"])
    assert read(path, numeric="n", missing=["1 000", "x"]).to_dict()["n"] == [1.0, None, None]
    with pytest.raises(ValueError, match=r"decimal comma, say decimal=','"):
        read(write("n|m\n1.5|x\n1,5|y\n"), numeric=["n"])


def test_marks_of_missing(write):
    path = write("a,b\n-9,x\n1,NA\n -9 ,*\n2,\n")
    assert read(path).to_dict() == {"a": [-9.0, 1.0, -9.0, 2.0], "b": ["x", None, "*", None]}
    assert read(path, missing=["-9", "*"]).to_dict() == {
        "a": [None, 1.0, None, 2.0],
        "b": ["x", "NA", None, None],
    }
    assert read(path, missing="NA").to_dict()["b"] == ["x", None, "*", None]
    assert read(write("a,b\n1,x\n 2,?\n ?,y\n")).to_dict() == {"a": [1.0, 2.0, None], "b": ["x", None, "y"]}


def test_numbers_beyond_float64_are_refused(write):
    with pytest.raises(ValueError, match="'n' holds 1e999, beyond the largest number"):
        read(write("n\n1.5\n1e999\n"))
    assert read(write("n\n1.5\n-Inf\n")).to_dict()["n"] == [1.5, float("-inf")]
    assert read(write("n\n1.5\n9007199254740993.5\n")).to_dict()["n"] == [1.5, 9007199254740993.5]


def test_dates(write):
    path = write("d,n\n2020-01-01,1\n2020-01-03,2\n")
    with pytest.raises(
        TypeError, match=r"'d' holds dates.*numeric=\['d'\].*categorical=\['d'\].*ignore=\['d'\]"
    ):
        read(path, dates="refuse")
    assert read(path).schema["d"].kind == "date"
    assert read(path, numeric=["d"]).to_dict()["d"] == [18262.0, 18264.0]
    assert read(path, categorical=["d"]).to_dict()["d"] == ["2020-01-01", "2020-01-03"]
    assert read(path, ignore=["d"]).names == ("n",)
    times = write("t\n2020-01-01T12:00:00+02:00\n2020-01-01 06:00:00.5\n2020-01-01T00:00Z\n2020-01-01\n")
    assert read(times, dates="number").to_dict()["t"] == [
        18262 + 10 / 24, 18262 + (6 * 3600 + 0.5) / 86400, 18262.0, 18262.0,
    ]  # fmt: skip
    assert read(write("d\n31.12.2020\n01.01.2021\n"), numeric="d").to_dict()["d"] == [18627.0, 18628.0]


def test_said_kinds(write):
    path = write("id,size,n\n1,M,2\n2,S,10\n")
    table = read(path, ordinal={"size": ["S", "M", "L"]}, categorical=["n"], ignore="id")
    assert table.to_dict() == {"size": ["M", "S"], "n": ["2", "10"]}
    assert table.schema["size"].categories == ("S", "M", "L")
    with pytest.raises(KeyError, match=r"No column is named 'sise'; did you mean 'size'\?"):
        read(path, ignore=["sise"])
    with pytest.raises(KeyError, match=r"did you mean 'size'\?"):
        read(path, categorical=["sise"])
    with pytest.raises(ValueError, match="say it once"):
        read(path, categorical=["n"], numeric=["n"])
    with pytest.raises(ValueError, match="No column is left"):
        read(path, ignore=["id", "size", "n"])


def test_many_columns_each_keep_their_own_cells(write):
    """Columns are fetched some at a time; none is lost or taken for another."""
    n = 200
    cells = {f"v{c}": [float(r * n + c) if c % 7 else f"w{r % 3}" for r in range(5)] for c in range(n)}
    cells["v50"][4] = None
    lines = [
        ",".join("late" if cell is None else str(cell) for cell in row)
        for row in zip(*cells.values(), strict=True)
    ]
    assert read(write("\n".join([",".join(cells), *lines])), missing=["late"]).to_dict() == cells
