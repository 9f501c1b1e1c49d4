"""Optimal trees beside others: judged on the same folds, within a limit that knows no clock."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import treewright as tw
from tests.lookahead.test_optimal import parity
from treewright.model import contest, searched


def test_optimal_trees_stand_beside_greedy_ones() -> None:
    table = tw.example("vote")
    found = tw.compare(
        table, "Class", ["cart", "optimal"], ["none", "cv"], folds=4, forest=False, max_depth=2
    )
    assert sorted((row.recipe, row.prune) for row in found) == [
        ("cart", "cv"), ("cart", "none"), ("optimal", "depth 2")
    ]  # fmt: skip
    (row,) = [row for row in found if row.recipe == "optimal"]
    fold = tw.evaluate.folds_by_row(table, "Class", 4, seed=0)
    wrong = 0
    for k in range(4):
        tree = tw.optimal(table.take(np.flatnonzero(fold != k)), "Class", max_depth=2).tree
        held = table.take(np.flatnonzero(fold == k))
        wrong += int((tree.predict(held) != held.labels("Class")).sum())
    assert row.error == pytest.approx(wrong / table.n_rows)


def test_weights_and_folds_by_column_are_no_features() -> None:
    table = tw.example("tennis")
    columns = {**table.to_dict(), "fold": [0, 1] * 7, "n": [1.0, 2.0] * 7}
    data = tw.Table.from_dict(columns)
    ways: dict[str, Any] = {"folds": "fold", "weights": "n", "forest": False, "max_depth": 2}
    (row,) = tw.compare(data, "PlayTennis", ["optimal"], **ways).rows
    wrong = 0.0
    for k in range(2):
        grown, held = (np.flatnonzero(np.array(columns["fold"]) == side) for side in (1 - k, k))
        weights = np.array(columns["n"])
        tree = tw.optimal(table.take(grown), "PlayTennis", max_depth=2, weights=weights[grown]).tree
        errors = tree.predict(table.take(held)) != table.labels("PlayTennis")[held]
        wrong += float(weights[held][errors].sum())
    assert row.error == pytest.approx(wrong / 21.0)


def test_it_is_among_what_fits_every_target() -> None:
    for is_classifier in (True, False):
        assert ("optimal", "none") in contest.ways_for(is_classifier, None, ["none"])


def test_work_is_limited_by_the_size_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "WORK", {"classes": 1000, "numbers": 1000})
    found = tw.compare(tw.example("vote"), "Class", ["optimal"], folds=2, forest=False)
    assert "gap" in found.rows[0].prune
    again = tw.compare(tw.example("vote"), "Class", ["optimal"], folds=2, forest=False)
    assert (found.rows[0].error, found.rows[0].prune) == (again.rows[0].error, again.rows[0].prune)


def test_settings_that_it_does_not_understand_are_named() -> None:
    found = tw.compare(
        tw.example("vote"), "Class", ["plain", "optimal"], ["none"], folds=2, forest=False, min_impurity=0.1
    )
    (reason,) = found.left_out
    assert found.left_out[reason] == ("optimal",)
    assert "An optimal tree has no use for min_impurity" in reason
    with pytest.raises(ValueError, match="no use for ties"):
        searched.Searcher.of(tw.example("vote"), "Class", ties="order")


def test_trees_with_look_ahead_stand_beside_optimal_ones() -> None:
    table = parity(2, weak=4)
    found = tw.compare(
        table, "y", ["plain", "optimal", "lookahead", "polished"], ["none"], folds=4, forest=False
    )
    rows = {row.recipe: row for row in found.rows}
    assert [rows[name].leaves for name in ("optimal", "lookahead", "polished")] == [4, 4, 4]
    assert rows["plain"].leaves > 4
    assert rows["lookahead"].error == 0
    for is_classifier in (True, False):
        ways = contest.ways_for(is_classifier, None, ["cv"])
        assert {("lookahead", "none"), ("polished", "none"), ("plain", "cv")} <= set(ways)
    assert contest.ways_for(True, ["lookahead"], ["none", "cv"]) == [
        ("lookahead", "none"),
        ("lookahead", "cv"),
    ]
    assert contest.grower_of("lookahead", {"max_depth": 5, "lookahead": 3})[1]["lookahead"] == 2


def test_fit_with_look_ahead_grows_plain_trees_and_repeats_the_call() -> None:
    table = parity(2, weak=4)
    model = tw.fit(table, "y", lookahead=2, folds=4)
    assert model.tree.n_leaves == 4
    assert "lookahead=2" in model.repeat
    again = eval(model.repeat, {"tw": tw, "data": table})
    assert again.to_text() == model.tree.to_text()
    pruned = tw.fit(table, "y", lookahead="polish", prune="pessimistic", folds=0)
    assert pruned.tree.about["recipe"] == "plain"
