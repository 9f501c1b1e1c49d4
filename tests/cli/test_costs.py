"""`--priors`, `--costs FILE` and `--column-costs FILE`: the same as in Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import treewright as tw
from tests.cli.running import DATA, good, refused

VOTE = DATA / "vote.csv"
QUICK = ("--target", "Class", "--recipe", "cart", "--prune", "none", "--cv", 0)
COSTS = {"democrat": {"republican": 5.0}, "republican": {"democrat": 1.0}}


@pytest.mark.parametrize("form", ["matrix", "list", "json", "words"])
def test_costs_are_read_in_each_form(form: str, tmp_path: Path) -> None:
    place = tmp_path / ("costs.json" if form == "json" else "costs.csv")
    given: object = place
    if form == "matrix":
        place.write_text("true,democrat,republican\ndemocrat,0,5\nrepublican,1,0\n", "utf-8")
    elif form == "list":
        place.write_text("true,answer,cost\ndemocrat,republican,5\nrepublican,democrat,1\n", "utf-8")
    elif form == "json":
        place.write_text(json.dumps(COSTS), "utf-8")
    else:
        given = "democrat:republican=5,republican:democrat=1"
    told = json.loads(good("fit", VOTE, *QUICK, "--costs", given, "--json").stdout)
    wanted = tw.grow(tw.read(VOTE), "Class", "cart", prune="none", costs=COSTS)
    assert told["tree"] == wanted.to_text()


def test_priors_and_costs_of_columns(tmp_path: Path) -> None:
    told = json.loads(good("fit", VOTE, *QUICK, "--priors", "democrat=0.1,republican=0.9", "--json").stdout)
    priors = {"democrat": 0.1, "republican": 0.9}
    assert told["tree"] == tw.grow(tw.read(VOTE), "Class", "cart", prune="none", priors=priors).to_text()
    place = tmp_path / "prices.csv"
    place.write_text("column,cost\nphysician-fee-freeze,1000\n", "utf-8")
    told = json.loads(good("fit", VOTE, *QUICK, "--column-costs", place, "--json").stdout)
    dear = {"physician-fee-freeze": 1000.0}
    assert told["tree"] == tw.grow(tw.read(VOTE), "Class", "cart", prune="none", column_costs=dear).to_text()


def test_what_is_refused(tmp_path: Path) -> None:
    assert "nor the name of a file" in refused("fit", VOTE, *QUICK, "--costs", "nofile.csv", code=2)
    assert "no number" in refused("fit", VOTE, *QUICK, "--costs", written(tmp_path, "a,b\nx,y\n"), code=2)
    assert "cells" in refused("fit", VOTE, *QUICK, "--costs", written(tmp_path, "t,a,b\na,0\n"), code=2)
    assert "name=number" in refused("fit", VOTE, *QUICK, "--priors", "democrat", code=2)
    numbers = ("--target", "Rings", "--costs", "a:b=1")
    assert "for classes" in refused("fit", DATA / "abalone.csv", *numbers)
    unknown = refused("fit", VOTE, *QUICK, "--costs", "demokrat:republican=5")
    assert "democrat" in unknown


def test_wrong_names_twice_named_classes_and_half_matrices_are_refused_by_name(tmp_path: Path) -> None:
    odd = written(tmp_path, "true,democrat,republicn\ndemocrat,0,5\nrepublican,1,0\n")
    assert "did you mean 'republican'" in refused("fit", VOTE, *QUICK, "--costs", odd)
    twice = written(tmp_path, "true,answer,cost\ndemocrat,republican,5\ndemocrat,republican,1\n")
    assert "stands there twice" in refused("fit", VOTE, *QUICK, "--costs", twice, code=2)
    again = "democrat=0.1,republican=0.5,democrat=0.4"
    assert "'democrat' stands there twice" in refused("fit", VOTE, *QUICK, "--priors", again, code=2)


def test_half_a_matrix_leaves_the_other_mistakes_at_one(tmp_path: Path) -> None:
    half = written(tmp_path, "true,democrat,republican\ndemocrat,0,5\n")
    told = json.loads(good("fit", VOTE, *QUICK, "--costs", half, "--json").stdout)
    wanted = tw.grow(tw.read(VOTE), "Class", "cart", prune="none", costs={"democrat": {"republican": 5.0}})
    assert told["tree"] == wanted.to_text()


def written(folder: Path, text: str) -> Path:
    place = folder / "bad.csv"
    place.write_text(text, "utf-8")
    return place
