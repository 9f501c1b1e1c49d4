"""The page that lists where trees differ from C4.5 and J48 says what the golden tests say."""

from __future__ import annotations

from tests.golden import agreement, test_c45, test_c45_pruned, test_fold_values, test_peers


def test_the_page_has_the_tables_that_the_tests_hold() -> None:
    page = agreement.PAGE.read_text("utf-8")
    assert page == agreement.filled(page), "run ./dev python -m tests.golden.agreement"


def test_every_difference_has_a_reason_and_every_reason_a_difference() -> None:
    assert set(agreement.BEFORE) == {*test_c45.ROUNDED_THERE, *test_c45.NOT_EXPLAINED}
    assert set(agreement.AFTER) == {*test_c45_pruned.ROUNDED_THERE, *test_c45_pruned.NOT_EXPLAINED}
    of_j48 = {(name, setting) for setting, name in test_peers.DIFFERS if setting.startswith("j48")}
    assert set(agreement.OF_J48) == of_j48
    in_folds = {run for run in test_fold_values.AGREE if not run[1].startswith("rpart")}
    assert set(agreement.OF_FOLDS) == in_folds
