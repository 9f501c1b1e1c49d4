"""`treewright tune`: the same as `tw.tune`, and `--groups` and `--order` where folds are dealt."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import treewright as tw
from tests.cli.running import DATA, good, refused

VOTE = DATA / "vote.csv"
QUICK = ("--target", "Class", "--fits", 6, "--outer", 2, "--cv", 3, "--recipe", "cart", "--max-depth", 3)


def test_it_is_tune_of_python(tmp_path: Path) -> None:
    place = tmp_path / "m.treewright"
    told = json.loads(good("tune", VOTE, *QUICK, "-o", place, "--json").stdout)
    rows = tw.read(VOTE)
    wanted = tw.tune(rows, "Class", n_fits=6, outer=2, folds=3, recipes=["cart"], max_depth=3)
    assert told["error"] == wanted.error.value
    assert told["tree"] == wanted.tree.to_text()
    assert told["ways"][0]["error"] == wanted.table.best.error
    assert tw.load(place).to_text() == wanted.tree.to_text()


def test_it_says_what_it_tried_how_good_it_is_and_how_to_have_it_again() -> None:
    shown = good("tune", VOTE, *QUICK)
    assert "chosen" in shown.stdout
    assert "Error on rows that no choice has seen" in shown.stdout
    assert "--recipe cart --prune" in shown.stderr
    assert "--max-depth 3 --fits 4" in shown.stderr


def test_what_is_typed_next_grows_the_same_tree() -> None:
    shown = good("tune", VOTE, *QUICK)
    line = next(line for line in shown.stderr.splitlines() if line.strip().startswith("treewright fit"))
    words = line.split("      to ")[0].split()[1:]
    told = json.loads(good(*words, "--cv", 0, "--json").stdout)
    assert told["tree"] == json.loads(good("tune", VOTE, *QUICK, "--json").stdout)["tree"]


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(30), 5)
    sick = np.where(rng.integers(0, 2, 30)[patient] == 1, "yes", "no")
    reading = rng.normal(size=30)[patient]
    lines = [
        f"p{p},{r:.6f},{day},{s}" for day, (p, r, s) in enumerate(zip(patient, reading, sick, strict=True))
    ]
    place = tmp_path / "visits.csv"
    place.write_text("\n".join(["patient,reading,day,sick", *lines]) + "\n", "utf-8")
    return place


def test_groups_stay_together_in_fit_compare_and_tune(visits: Path) -> None:
    words = ("--target", "sick", "--ignore", "day", "--groups", "patient")
    fit = json.loads(good("fit", visits, *words, "--recipe", "plain", "--json").stdout)
    assert fit["columns"] == ["reading"]
    told = json.loads(
        good("compare", visits, *words, "--recipe", "plain", "--prune", "none", "--json").stdout
    )
    assert told["ways"][0]["error"] > 0.3
    assert told["forest"] is None
    tuned = json.loads(good("tune", visits, *words, "--fits", 5, "--cv", 3, "--outer", 2, "--json").stdout)
    assert tuned["error"] >= 0.3


def test_order_is_time(visits: Path) -> None:
    words = ("--target", "sick", "--ignore", "patient", "--order", "day", "--recipe", "plain")
    fit = json.loads(good("fit", visits, *words, "--cv", 4, "--json").stdout)
    assert fit["columns"] == ["reading"]


def test_what_is_refused(visits: Path) -> None:
    assert "give one of them" in refused(
        "fit", visits, "--target", "sick", "--groups", "patient", "--order", "day", code=2
    )
    assert "patient" in refused("tune", visits, "--target", "sick", "--groups", "patent")
    assert "folds judge" in refused(
        "fit", visits, "--target", "sick", "--groups", "patient", "--forest", 5, code=2
    )
    assert "2 or more" in refused("tune", VOTE, "--target", "Class", "--fits", 5, "--outer", 1)
