"""Files as people bring them: a good result, or an error that says what to type next."""

from __future__ import annotations

import gzip
import json
import random

import pytest

import treewright as tw
from tests.cli.running import DATA, good, refused


def test_adult():
    told = json.loads(
        good("fit", DATA / "adult.csv.gz", "--target", "income", "--test", 0.3, "--json").stdout
    )
    assert 0.84 < told["figures"]["test"]["accuracy"]["value"] < 0.88
    assert told["classes"] == ["<=50K", ">50K"]


def test_semicolons_decimal_commas_and_latin_1(tmp_path):
    draws = random.Random(1)
    prices = [draws.random() * 100 for _ in range(60)]
    lines = [f"{'Zürich' if p % 2 < 1 else 'Genève'};{p:.2f};{'ja' if p > 50 else 'nein'}" for p in prices]
    text = "\n".join(["Ort;Preis;Kauf", *(line.replace(".", ",") for line in lines)])
    (tmp_path / "läden.csv").write_bytes(text.encode("latin-1"))
    shown = good("fit", tmp_path / "läden.csv", "--target", "Kauf")
    assert "semicolons between cells, decimal comma" in shown.stderr
    assert "Numbers: Preis. Categories: Ort (2), Kauf (2)." in shown.stderr
    assert "ja" in shown.stdout


def test_no_line_of_names(tmp_path):
    lines = [f"{i / 7:.3f},{i % 5},{'a' if i % 10 < 5 else 'b'}" for i in range(50)]
    (tmp_path / "plain.csv").write_text("\n".join(lines))
    shown = good("fit", tmp_path / "plain.csv", "--target", "c3", "-o", tmp_path / "m.treewright")
    assert "say --header" in shown.stderr
    assert "There are c1, c2, c3." in refused("fit", tmp_path / "plain.csv", "--target", "klass")
    answers = good("predict", tmp_path / "m.treewright", tmp_path / "plain.csv").stdout.splitlines()
    assert len(answers) == 51


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x,y\n1,a\n2,b,extra\n3,b\n", "line 3 has 3 cells"),
        ("x,y\n1,a\n2\n3,b\n", "line 3 has 1 cell"),
        ("", "is empty"),
        ("\n\n\n", "is empty but for blank lines"),
        ("x,y\n1,a\n", "is 'a' in its only row"),
        ("y\na\nb\n", "or does --ignore name too much?"),
        ("x,y\n", "no rows"),
        ("x,x,y\n1,2,a\n3,4,b\n", "2 columns are named 'x'"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, text, said):
    (tmp_path / "data.csv").write_text(text)
    assert said in refused("fit", tmp_path / "data.csv", "--target", "y")


def test_a_folder_and_bytes_that_are_no_text(tmp_path):
    assert "it is a folder" in refused("fit", tmp_path, "--target", "y")
    (tmp_path / "bytes.csv").write_bytes(bytes(range(256)) * 4)
    assert "not text" in refused("fit", tmp_path / "bytes.csv", "--target", "y")


def test_a_late_word_among_numbers_is_named(tmp_path):
    lines = ["x,y", *(f"{i},{'ab'[i > 150]}" for i in range(300)), "oops,a"]
    (tmp_path / "data.csv").write_text("\n".join(lines))
    words = ("--target", "y", "--cv", 0)
    assert "'oops' in line 302" in good("fit", tmp_path / "data.csv", *words).stderr
    place = tmp_path / "m.treewright"
    good("fit", tmp_path / "data.csv", *words, "--missing", "oops", "-o", place)
    assert tw.load(place).schema["x"].is_numeric
    # The mark holds for later files too; so do the usual ones.
    (tmp_path / "new.csv").write_text("x\n7\noops\n\n?\n200\n")
    answers = good("predict", place, tmp_path / "new.csv").stdout.splitlines()[1:]
    assert (answers[0], answers[-1]) == ("a", "b")
    (tmp_path / "new.csv").write_text("x\n7\nouch\n")
    assert "'ouch'" in refused("predict", place, tmp_path / "new.csv")


def test_words_that_steer_a_terminal_stay_words(tmp_path):
    lines = ["\x1b[31mred,y", *(f"{i},{'a' if i < 9 else chr(27) + '[1mb'}" for i in range(20))]
    (tmp_path / "data.csv").write_text("\n".join(lines))
    shown = good("fit", tmp_path / "data.csv", "--target", "y")
    assert "\x1b" not in shown.output
    assert "\\x1b[31mred" in shown.output
    assert "\x1b" not in refused("fit", tmp_path / "data.csv", "--target", "\x1b[5my")


def test_a_report_in_the_same_go(tmp_path):
    name = "<script>alert(1)</script>"
    lines = [f"{name},y", *(f"{i},{'ab'[i > 25]}" for i in range(50))]
    (tmp_path / "data.csv").write_text("\n".join(lines))
    page, model = tmp_path / "r.html", tmp_path / "m.treewright"
    shown = good("fit", tmp_path / "data.csv", "--target", "y", "--report", page, "-o", model)
    assert "Report written" in shown.stderr
    text = page.read_text("utf-8")
    assert "data.csv" in text
    assert name not in text
    assert tw.load(model).ledger is None  # the page has it; the model was not asked to keep one


def test_a_single_leaf_is_explained(tmp_path):
    lines = ["x,y", *(f"{i % 2},{'aab'[i % 3]}" for i in range(30))]
    (tmp_path / "data.csv").write_text("\n".join(lines))
    assert (
        "a single leaf: no split was worth its price"
        in good("fit", tmp_path / "data.csv", "--target", "y").stdout
    )


def test_packed_files(tmp_path):
    (tmp_path / "vote.csv.gz").write_bytes(gzip.compress((DATA / "vote.csv").read_bytes()))
    packed = good("fit", tmp_path / "vote.csv.gz", "--target", "Class", "--cv", 0).stdout
    assert packed == good("fit", DATA / "vote.csv", "--target", "Class", "--cv", 0).stdout


def test_standard_input_may_be_empty():
    assert "There is nothing to read: standard input is empty" in refused("check", "-")
