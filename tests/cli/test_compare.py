"""`treewright compare`: algorithms and prunings side by side."""

from __future__ import annotations

import json
import re

import pytest

import treewright as tw
from tests.cli.running import DATA, good, refused

VOTE = DATA / "vote.csv"


def test_figures_are_those_of_cross_validation():
    words = ("--recipe", "c4.5", "--recipe", "plain", "--prune", "none", "--prune", "error_based", "--cv", 4)
    told = json.loads(good("compare", VOTE, "--target", "Class", *words, "--json").stdout)
    assert sorted((way["recipe"], way["prune"]) for way in told["ways"]) == [
        ("c4.5", "error_based"), ("c4.5", "none"), ("plain", "error_based"), ("plain", "none")
    ]  # fmt: skip
    assert [way["error"] for way in told["ways"]] == sorted(way["error"] for way in told["ways"])
    assert told["forest"]["recipe"] == "forest"
    rows = tw.read(VOTE)
    for way in told["ways"]:
        judged = tw.evaluate.cross_validate(
            rows, "Class", way["recipe"], prune=way["prune"], folds=4, scores="error"
        )
        assert way["error"] == pytest.approx(judged.overall["error"].value)
        assert way["standard_error"] == pytest.approx(judged.overall["error"].standard_error)
        assert way["leaves"] == tw.grow(rows, "Class", way["recipe"], prune=way["prune"]).n_leaves
    best = min(told["ways"], key=lambda way: way["error"])
    assert best["is_best"]
    choice = next(way for way in told["ways"] if way["is_choice"])
    assert choice["error"] <= best["error"] + best["standard_error"]


def test_every_usual_way_is_gone_and_the_rest_is_explained():
    shown = good("compare", DATA / "weather_numeric.csv", "--target", "play", "--cv", 2)
    for recipe in ("plain", "c4.5", "cart", "sliq", "stump"):
        assert re.search(rf"^  {re.escape(recipe)} ", shown.stdout, re.MULTILINE)
    assert shown.stdout.count("left out: ") == 1
    assert "left out: id3 (Column" in shown.stdout
    assert "--discretise mdlp" in shown.stdout
    assert "lowest error" in shown.stdout
    assert re.search(r"^  forest +100 trees", shown.stdout, re.MULTILINE)
    alone = good("compare", DATA / "weather_numeric.csv", "--target", "play", "--cv", 2, "--no-forest")
    assert "forest" not in alone.stdout


def test_the_next_command_keeps_the_options(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("--prune", "error_based:confidence=0.1", "--max-depth", 3, "--cv", 2, "--recipe", "c4.5")
    shown = good("compare", VOTE, "--target", "Class", *words)
    line = shown.stderr.splitlines()[-1]
    assert "--prune error_based:confidence=0.1" in line
    assert "--max-depth 3" in line
    good(*line.split()[1:])
    assert tw.load("model.treewright").about["prune"] == "error_based(confidence=0.1)"


def test_numbers():
    words = ("--recipe", "cart", "--prune", "none", "--prune", "cost_complexity", "--cv", 3)
    shown = good("compare", DATA / "cu_summary.csv", "--target", "Price", *words)
    assert "Price: root mean squared error (RMSE), 3 folds" in shown.stdout


def test_what_cannot_be_compared():
    said = refused("compare", DATA / "iris.csv", "--target", "class", "--recipe", "id3", "--prune", "none")
    assert "Nothing could be compared." in said
    assert "--target says which column" in refused("compare", VOTE, code=2)
    assert "did you mean 'Class'?" in refused("compare", VOTE, "--target", "class_")
    assert "did you mean 'cart'?" in refused(
        "compare", VOTE, "--target", "Class", "--recipe", "cartt", code=2
    )
