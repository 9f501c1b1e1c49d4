"""Rows of exports that hold no values, and words among money: left out or named, and said."""

import numpy as np
import pytest

from tests.table.exports.workbooks import write_xlsx
from treewright.table import Rows, Table, findings, read, reading

NAMES = ["region", "sum", "n", "day"]
CELLS = [
    ["north" if i % 2 else "south", f"{i}.25", str(i % 7), f"2020-01-{i % 28 + 1:02d}"] for i in range(60)
]


@pytest.fixture
def write(tmp_path):
    def _write(rows, end="\n"):
        path = tmp_path / "data.csv"
        path.write_text(end.join(map(",".join, rows)) + end, encoding="utf-8", newline="")
        return path

    return _write


def between(row, *places):
    """Return the rows with another behind some of them."""
    rows = []
    for i, cells in enumerate(CELLS):
        rows += [cells, row] if i in places else [cells]
    return [NAMES, *rows]


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        ([[""], [""], NAMES, *CELLS], "Lines 1 to 2 above the names are empty (trim=False)."),
        (
            between(["Subtotal", "12.5", "", ""], 9, 29),
            "Lines 12, 33 between the rows are totals, and left out",
        ),
        (between(["", "", "", ""], 9, 59), "Lines 12, 63 have nothing between separators, and are left out"),
        (
            [NAMES, ["-", "EUR", "pieces", "date"], *CELLS],
            "Line 2 below the names has no values and is left out",
        ),
        ([["Place", "", "Sales", ""], NAMES, *CELLS], "Line 1 above the names is left out: 'Place,,Sales,'"),
    ],
)
def test_rows_without_values_are_left_out(write, rows, note):
    path = write(rows)
    found = reading(path)
    assert found.table == read(write([NAMES, *CELLS]))
    assert any(note in said for said in found.notes), found.notes


def test_trim_false_keeps_them(write):
    assert read(write(between(["Subtotal", "12.5", "", ""], 9, 29)), trim=False).n_rows == 62


def test_a_category_named_total_stays(write):
    rows = [["total" if i % 9 == 0 else "part", *cells[1:]] for i, cells in enumerate(CELLS)]
    assert read(write([NAMES, *rows])).n_rows == 60


def test_a_row_of_words_for_nothing_is_no_line_of_units(write):
    assert read(write([NAMES, ["north", "NA", "NA", "NA"], *CELLS])).n_rows == 61


def test_names_of_two_lines_are_joined(write):
    rows = [["old", "", "new", ""], ["a", "b", "a", "b"], *[["1", "2", "3", str(i)] for i in range(9)]]
    found = reading(write(rows))
    assert found.table.names == ("old a", "old b", "new a", "new b")
    assert "Line 1 above the names is taken into the names: 'old,,new,' (trim=False)." in found.notes


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_name_over_two_lines(write, end):
    rows = [["region", '"sum\nEUR"', "n", "day"], *CELLS]
    table = read(write(rows, end))
    assert table.names == ("region", "sum EUR", "n", "day")
    assert table.n_rows == 60


def test_the_first_sheet_with_a_table_is_read(tmp_path):
    path = tmp_path / "t.xlsx"
    rows = [["Place", None, "Sales"], ["region", "n", "sum"]]
    rows += [["north", i, i / 4] for i in range(20)] + [["Subtotal", None, None]] + [["south", 1, 2.5]] * 9
    write_xlsx(path, {"Cover": [["Report"]], "Data": rows})
    found = reading(path)
    assert found.layout["sheet"] == "Data"
    assert found.table.names == ("region", "n", "sum")
    assert found.table.n_rows == 29
    assert "1 row above the names is left out: 'Place' (trim=False)." in found.notes
    assert "1 row of totals is left out (trim=False)." in found.notes


def test_a_page_of_html_is_said(tmp_path):
    path = tmp_path / "export.xls"
    path.write_text("<html><table><tr><td>1</td></tr></table></html>", encoding="utf-8")
    with pytest.raises(ValueError, match=r"it is a page of HTML\. Open it in a spreadsheet"):
        read(path)


def test_the_word_that_keeps_money_from_being_numbers_is_named(write):
    cells = [[f"{i}.50 $" if i % 10 else "see below", "a"] for i in range(100)]
    path = write([["price", "y"], *cells])
    found = reading(path)
    assert (
        "Column 'price' is text because of 'see below' in line 2 (10 cells are not money of 100)"
        in found.notes[0]
    )
    assert read(path, missing=["see below"]).schema["price"].kind.value == "numeric"
    with pytest.raises(ValueError, match="it holds the text 'see below' in line 2"):
        read(path, numeric=["price"])


def test_cells_without_a_unit_and_noughts_are_said(write):
    cells = [[f"{i} kg" if i % 4 else str(i), f"$ {i}.00" if i % 5 else "$ -"] for i in range(40)]
    notes = reading(write([["weight", "cost"], *cells])).notes
    assert notes[0].startswith("Column 'weight': 10 cells have no 'kg', such as '0', and")
    assert (
        "Column 'cost': '$ -' is taken as 0, as accounts show it; missing=[..., '$ -'] makes it a gap"
        in notes[1]
    )


def test_years_of_two_digits_in_front_may_be_said(write):
    cells = [[f"{10 + i % 12}-0{i % 9 + 1}-0{i % 9 + 1}", "a"] for i in range(30)]
    path = write([["d", "y"], *cells])
    assert "date={'d': " in reading(path).notes[0]
    assert read(path, date={"d": "ymd"}).to_dict()["d"][0].isoformat() == "2010-01-01"


def test_columns_that_say_the_same():
    rng = np.random.default_rng(2)
    x, city = rng.normal(size=200), rng.integers(0, 3, 200)
    table = Table.from_dict({
        "c": x, "f": x * 1.8 + 32, "city": [f"town {i}" for i in city], "place": ["bca"[i] for i in city],
        "y": rng.choice(["a", "b"], 200),
    })  # fmt: skip
    found = {f.column: f.what for f in findings(Rows.of(table, "y"))}
    assert found == {
        "f": "is column 'c' in another unit", "place": "says the same as column 'city' in other words",
    }  # fmt: skip


def test_a_column_of_words_beside_many_numbers(write):
    names = [*(f"x{i}" for i in range(9)), "word"]
    rows = [[*(str(i + k) for i in range(9)), "NA" if k % 7 == 0 else "yn"[k % 2]] for k in range(50)]
    table = read(write([names, *rows]))
    assert table.to_dict()["word"] == [None if k % 7 == 0 else "yn"[k % 2] for k in range(50)]
    assert table.schema["x3"].kind.value == "numeric"
