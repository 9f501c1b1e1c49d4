"""`treewright export`: formats by name and by the end of the file, their options, and what is refused."""

from __future__ import annotations

import json
import re

import pytest

import treewright as tw
from tests.cli.running import good, refused
from treewright.cli.export import check_stdout
from treewright.cli.failure import Failure
from treewright.export.export import in_file
from treewright.export.format import BYTES, Format


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "tennis.treewright"
    tw.grow(tw.example("tennis"), "PlayTennis", "id3").save(path)
    return path


def test_every_format_of_the_table(model, tmp_path) -> None:
    tree = tw.load(model)
    for name, row in tw.export.FORMATS.items():
        if row.reason_against(tree) is not None:
            assert "has no word for" in refused("export", model, "--to", name, "-o", tmp_path / "refused")
            continue
        written = tree.export(format=name)
        if row.content != BYTES:
            shown = good("export", model, "--to", name).stdout
            assert shown.rstrip("\n") == written.rstrip("\n")
        for suffix in row.suffixes:
            target = tmp_path / f"tennis{suffix}"
            assert good("export", model, "-o", target).stdout == ""
            assert target.read_bytes() == in_file(written)
        assert f"{name}" in good("export", "--help").stdout


def test_options_reach_the_writer(model) -> None:
    words = ("--to", "sql", "--dialect", "mysql", "--table", "days", "--name", "play")
    shown = good("export", model, *words).stdout
    assert shown.startswith("SELECT *,\nCASE")
    assert shown.endswith("END AS `play`\nFROM `days`\n")
    assert "1 row" not in good("export", model, "--to", "text", "--max-depth", 1, "--ascii").stdout


def test_rules_are_a_model_too(model, tmp_path) -> None:
    tw.load(model).rules().save(tmp_path / "tennis.rules")
    assert good("export", tmp_path / "tennis.rules", "--to", "sql").stdout.startswith("CASE")
    assert "max_depth" in refused("export", tmp_path / "tennis.rules", "--to", "text", "--max-depth", 1)


def test_a_format_is_named_by_how_its_files_end(model) -> None:
    assert good("export", model, "--to", "js").stdout == good("export", model, "--to", "javascript").stdout
    assert "did you mean 'javascript'?" in refused("export", model, "--to", "javascrpt", code=2)


def test_verified_rows_are_counted(model, tmp_path) -> None:
    """What is written is run beside the model; a format that is not run says so."""
    rows = tmp_path / "tennis.csv"
    rows.write_text(good("example", "tennis").stdout)
    said = good("export", model, "-o", tmp_path / "m.py", "--verify", rows)
    assert re.search(r"verified: \d+ rows, the same answers", said.stdout + said.stderr)
    assert "is not run" in refused("export", model, "-o", tmp_path / "m.dot", "--verify", rows)


def test_json_has_the_text(model) -> None:
    said = json.loads(good("export", model, "--to", "sql", "--json").stdout)
    assert said == {"format": "sql", "file": None, "text": tw.load(model).export(format="sql")}


def test_what_is_refused(model, tmp_path) -> None:
    assert "Say the format with --to (text, md, json, sql" in refused("export", model, code=2)
    assert "--dialect is for the format sql, not md" in refused(
        "export", model, "--to", "md", "--dialect", "mysql", code=2
    )
    assert "did you mean 'sql'" in refused("export", model, "--to", "SQL", code=2)
    assert "drawn by plot" in refused("export", model, "-o", tmp_path / "tree.svg")
    assert "is what is read from" in refused("export", model, "--to", "sql", "-o", model)
    tw.forest.grow(tw.example("tennis"), "PlayTennis", n_trees=2).save(tmp_path / "forest")
    assert "not for a forest" in refused("export", tmp_path / "forest", "--to", "md")


def test_code_that_standard_output_would_change_goes_to_a_file(tmp_path) -> None:
    table = tw.Table.from_dict({"x\x1b": [1, 2], "y": ["a", "b"]})
    tw.grow(table, "y").save(tmp_path / "m.treewright")
    assert "-o model.sql" in refused("export", tmp_path / "m.treewright", "--to", "sql")
    good("export", tmp_path / "m.treewright", "-o", tmp_path / "m.sql")
    assert "x\x1b" in (tmp_path / "m.sql").read_text()


def test_bytes_go_to_a_file(model, tmp_path, monkeypatch) -> None:
    row = Format("leaves", (".n",), {"tree": lambda tree: bytes([tree.n_leaves])}, "Bytes.", BYTES)
    more = {**tw.export.FORMATS, "leaves": row}
    monkeypatch.setattr("treewright.export.formats.FORMATS", more)
    monkeypatch.setattr("treewright.cli.export.FORMATS", more)
    good("export", model, "-o", tmp_path / "model.n")
    assert (tmp_path / "model.n").read_bytes() == b"\x06"
    monkeypatch.setattr("treewright.cli.export.format_for", lambda _: row)
    said = json.loads(good("export", model, "-o", tmp_path / "model.n", "--json").stdout)
    assert said == {"format": "leaves", "file": str(tmp_path / "model.n"), "text": None}
    with pytest.raises(Failure, match=r"no text\. Write it to a file: -o model\.n"):
        check_stdout(row, b"\x06")
