"""Cross-validation with the folds of other programs: the rows that C4.5, J48 and rpart get right in each."""

from __future__ import annotations

import csv
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.golden.test_c45_pruned import grown_in_single_precision
from tests.tables import FOLDER, n_errors, table, target
from treewright.evaluate import CrossValidation, cross_validate
from treewright.prune import ErrorBased, cost_complexity_path, error_based
from treewright.tree import Tree


def at_cp(tree: Tree) -> Tree:
    """Prune as rpart's usual cp = 0.01 does, a share of the root's risk."""
    path = cost_complexity_path(tree)
    return path.tree_at(0.01 * path.root_risk)


RPART: dict[str, Any] = {"recipe": "cart", "ties": "order", "prune": "none"}
SETTINGS: dict[str, dict[str, Any]] = {
    "default": {"recipe": "c4.5"},
    "gain": {"recipe": "c4.5", "criterion": "entropy"},
    "j48": {"recipe": "c4.5", "prune": ErrorBased(z="exact")},
    "j48_noraise": {"recipe": "c4.5", "prune": ErrorBased(z="exact", raising=False)},
    "j48_unpruned": {"recipe": "c4.5", "prune": "none"},
    "rpart": RPART | {"prune": at_cp},
    "rpart_info": RPART | {"prune": at_cp, "criterion": "entropy"},
}
# How many of the ten folds agree, where not all do. Why trees of whole tables differ from theirs is said in
# test_c45.py and test_peers.py, of C4.5 and J48 also on the page docs/programs.md; the trees of single folds
# of rpart were not looked into.
#
# By ruling 3.14.3 (the first class on ties, also after raising) fold 3 of adult came to agree with release 8
# and fold 8 no longer does: 2,813 rows right instead of 2,812. J48 has 2,813 there too.
AGREE = {
    ("crx", "gain"): 9,
    ("monk2", "rpart"): 9,
    ("monk2", "rpart_info"): 9,
    ("soybean", "rpart"): 6,
    ("soybean", "rpart_info"): 7,
    ("crx", "rpart"): 9,
    ("crx", "rpart_info"): 9,
    ("credit_g", "rpart"): 7,
    ("credit_g", "rpart_info"): 9,
    ("abalone", "rpart"): 7,
    ("adult", "default"): 7,
    ("adult", "gain"): 6,
    ("adult", "j48_unpruned"): 9,
}
SLOW = "adult"


@cache
def theirs() -> dict[tuple[str, str], list[float]]:
    """Return the values of the folds by data and setting."""
    with (FOLDER / "fold_values.csv").open(newline="") as file:
        return {
            (r["data"], r["setting"]): list(map(float, r["values"].split())) for r in csv.DictReader(file)
        }


@cache
def folds() -> dict[str, Any]:
    with (FOLDER / "folds.csv").open(newline="") as file:
        return {row["data"]: np.array(list(row["folds"]), dtype=int) for row in csv.DictReader(file)}


def values_of(found: CrossValidation) -> list[float]:
    """Return the right rows of each fold, or the sum of its squared errors."""
    answers, fold = found.answers, found.fold
    good = answers.truth == answers.given if answers.is_classes else (answers.truth - answers.given) ** 2
    return [float(good[fold == k].sum()) for k in range(10)]


@pytest.mark.parametrize(
    ("name", "setting"),
    [pytest.param(*case, marks=[pytest.mark.slow] if case[0] == SLOW else []) for case in theirs()],
)
def test_folds_agree(name: str, setting: str) -> None:
    found = cross_validate(table(name), target(name), folds=folds()[name], **SETTINGS[setting])
    same = np.isclose(values_of(found), theirs()[name, setting], rtol=1e-6)
    assert same.sum() == AGREE.get((name, setting), 10)


def test_single_precision_explains_the_fold_of_crx() -> None:
    """One fold differs by gain (-g); from the twin's tree in single precision it is the program's."""
    fold = folds()["crx"]
    found = cross_validate(table("crx"), target("crx"), folds=fold, **SETTINGS["gain"])
    (other,) = np.flatnonzero(~np.isclose(values_of(found), theirs()["crx", "gain"]))
    train, test = table("crx").take(fold != other), table("crx").take(fold == other)
    tree = error_based(grown_in_single_precision("crx", "gain", train), train)
    assert test.n_rows - n_errors(tree, test, "crx") == theirs()["crx", "gain"][other]


def agreement() -> dict[str, tuple[int, int]]:
    """Return by program how many folds agree, and of how many."""
    by_program = {
        "C4.5": ("default", "gain"),
        "J48": ("j48", "j48_noraise", "j48_unpruned"),
        "rpart": ("rpart", "rpart_info"),
    }
    return {
        name: (sum(AGREE.get(case, 10) for case in cases), 10 * len(cases))
        for name, settings in by_program.items()
        if (cases := [case for case in theirs() if case[1] in settings])
    }


def test_how_many_agree_in_all() -> None:
    assert agreement() == {"C4.5": (292, 300), "J48": (449, 450), "rpart": (302, 320)}
