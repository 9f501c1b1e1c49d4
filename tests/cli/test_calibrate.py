"""`treewright calibrate`, and folds of groups in `treewright prune` and `report`: the same as in Python."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import treewright as tw
from tests.cli.running import DATA, good, refused

VOTE = DATA / "vote.csv"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    place = tmp_path / "m.treewright"
    tw.grow(tw.read(VOTE), "Class", "cart", prune="none").save(place)
    return place


@pytest.mark.parametrize("method", ["isotonic", "beta"])
def test_it_is_calibrate_of_python(method: str, model: Path, tmp_path: Path) -> None:
    place = tmp_path / "sober.treewright"
    how = ("--data", VOTE, "--method", method, "--probabilities", "laplace", "-o", place)
    told = json.loads(good("calibrate", model, *how, "--json").stdout)
    rows, tree = tw.read(VOTE), tw.load(model)
    wanted = tw.evaluate.calibrate(tree, rows, method, probabilities="laplace")
    assert tw.load(place) == wanted
    assert told["before"]["brier"][0] == tw.evaluate.brier(tw.evaluate.answers(tree, rows)).value
    assert told["rows"] == 435


def test_a_forest_is_calibrated_and_it_says_what_to_do_next(tmp_path: Path) -> None:
    forest, place = tmp_path / "f.treewright", tmp_path / "sober.treewright"
    tw.forest.grow(tw.read(VOTE), "Class", 5).save(forest)
    shown = good("calibrate", forest, "--data", VOTE, "-o", place)
    assert "calibration error" in shown.stdout
    assert "to judge it by rows that calibrated nothing" in shown.stderr
    assert tw.load(place).about["calibration"]["method"] == "isotonic"


def test_what_is_refused(model: Path, tmp_path: Path) -> None:
    place = tmp_path / "out.treewright"
    assert "--data" in refused("calibrate", model, "-o", place, code=2)
    numbers = tmp_path / "n.treewright"
    tw.grow({"x": [1.0, 2.0], "y": [1.5, 2.5]}, "y").save(numbers)
    assert "for classes" in refused("calibrate", numbers, "--data", VOTE, "-o", place)
    forest = tmp_path / "f.treewright"
    tw.forest.grow(tw.read(VOTE), "Class", 3).save(forest)
    words = ("--data", VOTE, "-o", place, "--probabilities", "laplace")
    assert "single tree" in refused("calibrate", forest, *words, code=2)
    assert "did you mean 'beta'" in refused("calibrate", model, *words[:4], "--method", "bta", code=2)
    assert not place.exists()


def test_prune_and_report_deal_folds_by_groups(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(20), 6)
    x = rng.normal(size=20)[patient]
    answers = np.where(rng.permutation(20)[patient] < 10, "yes", "no")
    data, place = tmp_path / "d.csv", tmp_path / "m.treewright"
    lines = [f"p{p},{a:.3f},{b}" for p, a, b in zip(patient, x, answers, strict=True)]
    data.write_text("\n".join(["patient,x,y", *lines]), "utf-8")
    rows = tw.read(data)
    tw.grow(rows.drop("patient"), "y", "cart", prune="none", min_leaf=2, min_split=4).save(place)
    told = json.loads(
        good("prune", place, "--method", "cv", "--data", data, "--groups", "patient", "--json").stdout
    )
    wanted = tw.load(place).prune("cv", rows, groups="patient")
    assert told["after"]["leaves"] == wanted.n_leaves < told["before"]["leaves"]
    groups = ("--data", data, "--groups", "patient")
    assert "has no folds" in refused("prune", place, "--method", "mdl", *groups)
    page = tmp_path / "r.html"
    good("report", place, "--train", data, "--cv", 4, "--groups", "patient", "-o", page)
    one = tmp_path / "other.html"
    good("report", place, "--train", data, "--cv", 4, "-o", one)
    assert page.read_text("utf-8") != one.read_text("utf-8")
    without = ("report", place, "--train", data, "--groups", "patient", "-o", page)
    assert "add --cv K" in refused(*without, code=2)
