"""`treewright plot`: files of every form, the terminal, held-out rows, and words for what cannot be."""

from __future__ import annotations

import json
import sys

import pytest
from click.testing import CliRunner

import treewright as tw
from tests import tables
from treewright.cli.main import main


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "tennis.treewright"
    tw.grow(tables.table("tennis"), target="PlayTennis", recipe="id3").save(path)
    return path


def run(*words, env=None):
    return CliRunner().invoke(main, ["plot", *map(str, words)], env=env)


@pytest.mark.parametrize("end", ["svg", "pdf", "png", "txt"])
def test_a_picture_is_written(model, tmp_path, end):
    done = run(model, tmp_path / f"tree.{end}")
    assert done.exit_code == 0, done.output
    assert done.stdout == ""
    assert "all 6 leaves" in done.stderr
    tw.load(model).plot(tmp_path / f"same.{end}")
    assert (tmp_path / f"tree.{end}").read_bytes() == (tmp_path / f"same.{end}").read_bytes()


def test_without_a_file_it_is_drawn_in_the_terminal(model):
    wide = run(model, env={"COLUMNS": "100"})
    assert wide.exit_code == 0
    assert wide.stdout.rstrip("\n") == tw.load(model).plot().to_text(columns=100)
    narrow = run(model, env={"COLUMNS": "40"})
    assert narrow.stdout.splitlines()[0] == "Outlook"
    short = run(model, "--depth", "1", env={"COLUMNS": "100"})
    assert "+ 3 leaves, 5 rows" in short.stdout


def test_held_out_rows_have_a_bar(model, tmp_path):
    data = tmp_path / "new.csv"
    data.write_text(
        "Outlook,Temperature,Humidity,Wind,PlayTennis\nSunny,Hot,High,Weak,No\nRainy,Hot,High,Weak,\n"
    )
    done = run(model, tmp_path / "tree.svg", "--data", data)
    assert done.exit_code == 0, done.output
    assert "1 rows have no PlayTennis" in done.stderr
    assert "1 held out" in (tmp_path / "tree.svg").read_text("utf-8")


def test_json_says_what_was_drawn(model, tmp_path):
    done = run(model, tmp_path / "tree.svg", "--depth", "1", "--json")
    found = json.loads(done.stdout)
    assert (found["leaves"], found["shown"], found["folded"]) == (6, [0, 5], [1, 6])
    assert "folded" in done.stderr


def test_size_and_direction(model, tmp_path):
    done = run(model, tmp_path / "a.svg", "--width", "300", "--height", "300", "--json")
    found = json.loads(done.stdout)
    assert found["width"] <= 300
    assert found["folded"]
    assert not json.loads(run(model, tmp_path / "a.svg", "--all", "--json").stdout)["folded"]
    assert json.loads(run(model, "--direction", "right", "--json").stdout)["direction"] == "right"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["tree.gif"], 1, "saved as .svg, .pdf, .png or .txt"),
        (["tree.svg", "--direction", "donw"], 2, "did you mean 'down'?"),
        (["tree.svg", "--all", "--width", "500"], 2, "leave out --width"),
        (["tree.svg", "--width", "10"], 2, "--width"),
        (["no_such_folder/tree.svg"], 1, "There is no folder"),
        (["tree.svg", "--data", "absent.csv"], 1, "absent.csv"),
    ],
)
def test_what_cannot_be_done_is_said(model, tmp_path, monkeypatch, words, code, said):
    monkeypatch.chdir(tmp_path)
    done = run(model, *words)
    assert done.exit_code == code
    assert said in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["tennis.treewright"]


def test_a_png_needs_no_matplotlib(model, tmp_path, monkeypatch):
    loaded = [name for name in sys.modules if name.startswith("matplotlib.")]
    for name in ["matplotlib", *loaded]:
        monkeypatch.setitem(sys.modules, name, None)
    done = run(model, tmp_path / "tree.png")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")


def test_distributions_and_the_path_of_a_row_are_drawn(model, tmp_path):
    data = tmp_path / "new.csv"
    data.write_text("Outlook,Temperature,Humidity,Wind,PlayTennis\nSunny,Hot,High,Weak,No\n")
    picture = tmp_path / "tree.svg"
    done = run(model, picture, "--data", data, "--distributions", data, "--row", "1")
    assert done.exit_code == 0, done.output
    text = picture.read_text("utf-8")
    assert "Outlook? Sunny" in text
    assert "path of the row" in text
    assert "bars: rows by category" in text


def test_a_row_needs_a_file_that_has_it(model, tmp_path):
    assert "add --data FILE" in run(model, tmp_path / "tree.svg", "--row", "1").stderr
    data = tmp_path / "new.csv"
    data.write_text("Outlook,Temperature,Humidity,Wind,PlayTennis\nSunny,Hot,High,Weak,No\n")
    done = run(model, tmp_path / "tree.svg", "--data", data, "--row", "7")
    assert done.exit_code == 2
    assert "has 1 rows with an answer" in done.stderr
