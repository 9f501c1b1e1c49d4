"""Surprises of exports: totals without numbers, midnight as 24:00, zones, minus before currency, codes."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import treewright as tw
from treewright.cli.main import main
from treewright.table.rows import Rows
from treewright.table.suspects import findings


def written(folder: Path, names: str, *lines: str) -> Path:
    path = folder / "export.csv"
    path.write_text("\n".join([names, *lines]) + "\n", encoding="utf-8")
    return path


def test_a_total_without_numbers_is_no_row(tmp_path: Path) -> None:
    rows = [f"{i},{i % 7},{'no' if i % 3 else 'yes'}" for i in range(40)]
    path = written(tmp_path, "a,b,y", *rows, "Total,,")
    table = tw.read(path)
    assert table.n_rows == 40
    assert table.schema["a"].is_numeric


def test_the_end_of_a_day_is_the_start_of_the_next(tmp_path: Path) -> None:
    rows = ["2020-01-31 24:00;1", "2020-02-01 00:00;2", "2020-02-01 08:30;3"]
    table = tw.read(written(tmp_path, "at;y", *rows))
    column, values = table.column("at")
    assert column.kind.value == "date"
    assert values[0] == values[1] < values[2]


def test_check_says_that_zones_are_taken_to_utc(tmp_path: Path) -> None:
    path = written(tmp_path, "at,y", *(f"2020-01-{day}T10:00:00+02:00,{day}" for day in range(10, 29)))
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 0
    assert "taken to UTC" in result.output


@pytest.mark.parametrize("cell", ["1.234,50- €", "1.234,50 €-", "-1.234,50 €"])
def test_a_minus_stands_before_or_behind_the_currency(cell: str, tmp_path: Path) -> None:
    table = tw.read(written(tmp_path, "m;y", f"{cell};1", "2.000,00 €;2", "17,25 €;3"))
    assert table.column("m")[1].tolist() == [-1234.5, 2000.0, 17.25]


def test_codes_with_zeros_in_front_are_not_proposed_as_numbers() -> None:
    codes = [f"{i * 531:05d}" for i in range(100)]
    table = tw.Table.from_dict({"zip": codes, "y": ["a", "b"] * 50}, kinds={"zip": "nominal"})
    assert [found.word for found in findings(Rows.of(table, "y"))] == ["id"]


def test_rules_show_the_cuts_that_the_tree_shows() -> None:
    table = tw.Table.from_dict({"x": [7.8, 7.83, 9.0], "y": ["a", "b", "b"]})
    tree = tw.grow(table, "y")
    assert "<= 7.81 " in tree.to_text()
    assert "x <= 7.81\n" in tree.rules().to_text()


def test_what_is_said_of_letters_is_true_of_a_file_with_a_title(tmp_path: Path) -> None:
    path = tmp_path / "kunden.csv"
    rows = "".join(f"{i};{i},5 €;Zürich\n" for i in range(30))
    path.write_text("Export für 2026;;\nNummer;Umsatz;Ort\n" + rows, encoding="cp1252")
    found = tw.reading(path)
    assert found.to_dict()["layout"]["encoding"] == "cp1252"
    assert "Windows-1252" in str(found)
