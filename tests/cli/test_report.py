"""`treewright report`: a page from a model and files."""

import json
import shutil

import pytest
from click.testing import CliRunner

import treewright as tw
from tests import tables
from treewright.cli.main import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    shutil.copy(tables.FOLDER / "vote.csv", tmp_path / "vote.csv")
    tw.grow(tables.table("vote"), target="Class", recipe="c4.5").save(tmp_path / "vote.treewright")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    return CliRunner().invoke(main, ["report", *map(str, words)])


def told(path):
    text = path.read_text("ascii")
    start = text.index('id="facts">') + len('id="facts">')
    return json.loads(text[start : text.index("</script>", start)])


def test_a_page_is_written_from_a_model_and_a_file(folder):
    done = run("vote.treewright", "--data", "vote.csv", "-o", "vote.html", "--title", "Votes")
    assert done.exit_code == 0, done.output
    assert "Report written: vote.html" in done.stderr
    assert done.stdout == ""
    facts = told(folder / "vote.html")
    assert facts["title"] == "Votes"
    assert facts["judged"]["rows"] == 435


def test_sizes_are_judged_by_folds_of_the_training_rows(folder):
    done = run("vote.treewright", "--train", "vote.csv", "--cv", 4, "-o", "vote.html", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["rows"] == {"data": None, "train": 435}
    facts = told(folder / "vote.html")
    assert facts["sizes"]["marks"]["by"] == "folds"
    assert facts["fingerprints"]["training"]


def test_without_rows_the_page_says_what_the_tree_knows(folder):
    done = run("vote.treewright", "-o", "vote.html")
    assert done.exit_code == 0, done.output
    assert "--data" in done.stderr
    assert told(folder / "vote.html")["judged"] is None


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["vote.treewright"], 2, "-o"),
        (["vote.treewright", "--cv", "3", "-o", "x.html"], 2, "--train"),
        (["none.treewright", "-o", "x.html"], 1, "There is no file"),
        (["vote.treewright", "--data", "none.csv", "-o", "x.html"], 1, "none.csv"),
        (["vote.csv", "-o", "x.html"], 1, "It looks like data"),
        (["vote.treewright", "-o", "no/such/x.html"], 1, "There is no folder"),
        (["vote.treewright", "--data", "vote.csv", "-o", "vote.csv"], 1, "write to another file"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(folder, words, code, says):
    done = run(*words)
    assert done.exit_code == code, done.output
    assert says in done.stderr
    assert not (folder / "x.html").exists()
