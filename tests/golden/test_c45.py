"""C4.5 release 8 before pruning: the golden table, golf in full, the program's results on real tables."""

from __future__ import annotations

from typing import Any

import pytest

import treewright as tw
from tests.oracle import grow as twin
from tests.oracle.settings import settings_for
from tests.tables import n_errors, parts, peers, table, target
from treewright.table import Table

SETTINGS: dict[str, dict[str, Any]] = {
    "default": {"prune": "none"},
    "gain": {"criterion": "entropy", "prune": "none"},
    "m1": {"min_branch": 1, "prune": "none"},
    "m5": {"min_branch": 5, "prune": "none"},
}


def growing(setting: str) -> dict[str, Any]:
    """Return a setting for the twin, which knows nothing of pruning."""
    return {name: value for name, value in SETTINGS[setting].items() if name != "prune"}


# Table: nodes, training errors and test errors before pruning, with default, m = 5 and gain instead of ratio.
# The starred cell (crx, gain) is a five-way tie that the program's single precision decides; see below.
GOLDEN = {
    "labor": {"default": (11, 1, 4), "m5": (5, 4, 3), "gain": (16, 2, 3)},
    "crx": {"default": (90, 19, 34), "m5": (59, 38, 31)},
    "monk1": {"default": (43, 12, 101), "m5": (20, 24, 129), "gain": (38, 13, 101)},
    "monk2": {"default": (73, 24, 150), "m5": (27, 43, 160), "gain": (72, 24, 150)},
    "monk3": {"default": (25, 4, 32), "m5": (17, 7, 24), "gain": (24, 5, 12)},
    "hypothyroid": {"default": (21, 6, 8), "m5": (17, 11, 11), "gain": (37, 5, 6)},
}


def published_parts(name: str) -> tuple[Table, Table]:
    """Return training and test part; labor-neg came as 40 and 17 rows."""
    if name == "labor":
        whole = table(name)
        return whole.take(range(40)), whole.take(range(40, 57))
    return parts(name)


@pytest.mark.parametrize(("name", "setting"), [(n, s) for n, cells in GOLDEN.items() for s in cells])
def test_golden_table(name: str, setting: str) -> None:
    train, test = published_parts(name)
    tree = tw.grow(train, target(name), "c4.5", **SETTINGS[setting])
    assert (tree.n_nodes, n_errors(tree, train, name), n_errors(tree, test, name)) == GOLDEN[name][setting]


def test_the_starred_cell_is_a_tie() -> None:
    """The program has 116 nodes and 25 errors here, an exact restatement 125 and 26.

    At one node five tests gain exactly the same; the first column wins here, single precision picks another.
    """
    train, test = published_parts("crx")
    tree = tw.grow(train, target("crx"), "c4.5", criterion="entropy", prune="none", ledger=True)
    assert (tree.n_nodes, n_errors(tree, train, "crx"), n_errors(tree, test, "crx")) == (125, 26, 38)
    assert any(record["verdict"] == "tie_lost" and record["gain"] > 0.15 for record in tree.ledger or ())


def test_golf_in_full() -> None:
    golf = table("weather_numeric")
    tree = tw.grow(golf, "play", "c4.5", ledger=True)
    root = {c["column"]: c for c in tree.candidates(0)}
    assert root["temperature"]["verdict"] == root["humidity"]["verdict"] == "no_gain_after_charge"
    assert root["windy"]["gain"] == pytest.approx(0.048, abs=5e-4)
    assert root["outlook"]["gain"] == pytest.approx(0.247, abs=5e-4)
    sunny = tree.children(0)[0]
    cut = next(c for c in tree.candidates(sunny) if c["column"] == "humidity")
    assert cut["cut"] == 75  # the middle is 77.5; 75 is the largest training value below it
    assert cut["gain"] == pytest.approx(0.970951 - 1 / 5, abs=1e-6)
    assert (tree.n_nodes, n_errors(tree, golf, "weather_numeric")) == (8, 0)
    assert tw.grow(golf, "play", "c4.5", min_branch=5, prune="none").n_nodes == 4


# 72 of the 85 rows agree. The program works in single precision; here sums are exact, so that the order of
# rows cannot matter. (nodes, errors) here; the program's are in peers.csv.
#
# Seven rows differ by rounding alone: the twin, told to add up row by row in single precision, grows trees
# of the program's size (test_single_precision_explains_the_difference).
ROUNDED_THERE = {
    # A side of the cut weighs 2 exactly; in single precision 1.9999995, which is under m.
    ("labor", "default"): (22, 2),
    ("labor", "m1"): (25, 1),
    # Gain and split information are equal, so several ratios are exactly 1. The first column wins here.
    ("mushroom", "default"): (30, 0),
    ("mushroom", "m1"): (30, 0),
    ("mushroom", "m5"): (30, 0),
    ("soybean", "default"): (175, 15),
    ("soybean", "m5"): (122, 44),
}
# Six rows differ for a reason that is not proved: the twin in single precision does not give the program's
# size either. Rounding is likely (J48, which works in double precision, grows our trees on all three tables:
# see test_peers.py): ties in soybean, a gain of 1e-6 in 3,366 cases in hypothyroid, thousands of small nodes
# with divided rows in adult.
NOT_EXPLAINED = {
    ("soybean", "m1"): (257, 2),
    ("hypothyroid", "m1"): (75, 0),
    ("adult", "default"): (7618, 3124),
    ("adult", "gain"): (6151, 3436),
    ("adult", "m1"): (16323, 2294),
    ("adult", "m5"): (3407, 3687),
}
ROWS = [
    (r["data"], r["setting"]) for r in peers() if r["peer"].startswith("C4.5") and r["setting"] in SETTINGS
]


@pytest.mark.parametrize(("name", "setting"), ROWS)
def test_size_and_errors_of_release_8(name: str, setting: str) -> None:
    row = next(r for r in peers() if (r["data"], r["setting"]) == (name, setting))
    theirs = (int(row["nodes_before_pruning"]), int(row["train_errors_before_pruning"]))
    tree = tw.grow(table(name), target(name), "c4.5", **SETTINGS[setting])
    ours = (tree.n_nodes, n_errors(tree, table(name), name))
    assert ours == {**ROUNDED_THERE, **NOT_EXPLAINED}.get((name, setting), theirs)


@pytest.mark.parametrize(("name", "setting"), list(ROUNDED_THERE))
def test_single_precision_explains_the_difference(name: str, setting: str) -> None:
    """The twin, told to round as single precision does, grows a tree of the program's own size."""
    rules = settings_for("c4.5", single=True, **growing(setting))
    goal, y = table(name).column(target(name))
    grown = twin.grow(table(name).drop([goal.name]), y, rules, len(goal.categories))
    row = next(r for r in peers() if (r["data"], r["setting"]) == (name, setting))
    assert twin.n_nodes(grown) == int(row["nodes_before_pruning"])
