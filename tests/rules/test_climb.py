"""The climb among more than ten rules of a class: against all subsets, and against the program."""

from __future__ import annotations

import re

import numpy as np
import pytest

import treewright as tw
from tests.rules.test_c45rules import DRAWN, printed, twin_of, words
from tests.tables import FOLDER, n_errors, table, target
from treewright.rules import subset
from treewright.rules.subset import Choice, chosen

PAGE = (FOLDER.parents[1] / "docs" / "rules.md").read_text("utf-8")


def some_choice(seed: int, n_rules: int) -> Choice:
    """Return rules that overlap, each right a little more often than not."""
    rng = np.random.default_rng(seed)
    n_rows = 80
    is_class = (rng.random(n_rows) < 0.4).astype(np.float64)
    rows = [np.flatnonzero(rng.random(n_rows) < np.where(is_class, 0.3, 0.06)) for _ in range(n_rules)]
    return Choice(
        [found.astype(np.int32) for found in rows], rng.uniform(4, 20, n_rules), is_class, np.ones(n_rows)
    )


def cost_of(choice: Choice, places: np.ndarray) -> float:
    kept = np.zeros(len(choice.rows), dtype=bool)
    kept[places] = True
    return float(choice.costs(kept[None])[0])


def test_eleven_climbs_against_all_subsets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among 11 rules the climbs find the shortest description of all, each of 20 times."""
    for seed in range(20):
        choice = some_choice(seed, 11)
        found = cost_of(choice, chosen(choice, 0, 0))
        with monkeypatch.context() as wide:
            wide.setattr(subset, "MOST_FOR_ALL_SUBSETS", 11)
            least = cost_of(choice, chosen(choice, 0, 0))
        assert found == pytest.approx(least, abs=1e-9)


@pytest.mark.parametrize("name", DRAWN)
def test_where_draws_decide_ours_is_told_in_no_more_bits(name: str) -> None:
    """The program's own choice, priced by the same code, is no shorter than ours."""
    twin, candidates = twin_of(name)
    for number, label in enumerate(twin.tree.classes):
        mine = [rule for rule in candidates if rule.label == number]
        wanted = [rule for rule in printed(name, with_dropped=True) if rule[1] == label]
        theirs = twin.cost([rule for rule in mine if words(twin, rule) in wanted], number)
        choice = Choice(
            [np.flatnonzero(rule.mask).astype(np.int32) for rule in mine],
            np.array([twin.rule_bits(rule) for rule in mine]),
            (twin.labels == number).astype(np.float64),
            np.ones(twin.n),
        )
        ours = twin.cost([mine[place] for place in chosen(choice, 0, number)], number)
        assert ours <= theirs + 1e-9


@pytest.mark.slow
def test_the_figures_of_adult_on_the_page() -> None:
    rows = table("adult")
    tree = tw.grow(rows, target("adult"), "c4.5", prune="none")
    rules = tw.rules.c45rules(tree, rows)
    n_chosen = len(rules) + rules.about["n_dropped"]
    n_wrong = n_errors(rules, rows, "adult")
    row = re.search(r"^\| eleven climbs: `c45rules` \|.*$", PAGE, re.MULTILINE)
    assert row is not None
    assert row.group().endswith(f"| {n_chosen} | {len(rules)} | {n_wrong:,} |")
    assert f"{rules.about['n_candidates']:,} candidate rules" in PAGE
