"""Columns drawn at every node: the search by ranks grows the very tree that trying every cut gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.amount import at_most, every
from treewright import _core
from treewright.growth.fixed import fixed_weights

FIELDS = ("end", "column", "kind", "cut", "missing", "largest", "label", "stats", "score", "gain", "n_rows")
CODES = ("code_start", "code", "code_branch")


def _column(rng, n_rows):
    """Return numbers of a shape that is hard on ranks: two values, few values, mostly one, far apart."""
    shapes = (
        lambda: rng.normal(size=n_rows),
        lambda: rng.integers(0, 2, n_rows).astype(float),
        lambda: rng.integers(0, 40, n_rows).astype(float),
        lambda: np.round(rng.gamma(1, 100, n_rows)),
        lambda: np.where(rng.random(n_rows) < 0.97, 0.0, rng.normal(size=n_rows)),
        lambda: np.exp(rng.normal(size=n_rows) * 5),
    )
    values = shapes[rng.integers(0, len(shapes))]()
    return np.ascontiguousarray(values.astype(np.float32) if rng.random() < 0.3 else values)


def _problem(seed):
    """Return columns, labels, the number of classes, weights, a criterion and settings, all drawn."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.choice([2, 5, 20, 33, 60, 200, 1000, 3000, 20000],
                            p=[0.05, 0.1, 0.15, 0.15, 0.15, 0.2, 0.1, 0.07, 0.03]))  # fmt: skip
    n_columns, n_classes = int(rng.integers(2, 9)), int(rng.choice([2, 2, 2, 3, 5, 12]))
    columns = [_column(rng, n_rows) for _ in range(n_columns)]
    label = rng.integers(0, n_classes, n_rows)
    if rng.random() < 0.6:
        above = [column > np.median(column) for column in columns[:2]]
        label = (above[0] * 1 + above[1] * 1 + (rng.random(n_rows) < 0.2) * 1) % n_classes
    weight = np.ones(n_rows, np.int64)
    if rng.random() < 0.6:
        weight = rng.integers(1, int(rng.choice([3, 10, 1000])), n_rows)
    settings = _core.Settings()
    settings.max_columns = int(rng.integers(1, n_columns))
    settings.seed, settings.tree = int(rng.integers(0, 2**40)), int(rng.integers(0, 100))
    if rng.random() < 0.3:
        settings.max_depth = int(rng.integers(1, 8))
    if rng.random() < 0.2:
        settings.min_split = float(rng.integers(2, 20))
    if rng.random() < 0.2:
        settings.min_gain = float(rng.choice([1e-9, 0.01]))
    if rng.random() < 0.1:
        settings.majority_share = 0.8
    if rng.random() < 0.1:
        settings.collapse_margin = 0.0
    # "error" has no quick growth, not for random cuts either: the greatest class is no sum of terms, and
    # entropy settles its ties.
    criterion = str(rng.choice(["gini", "entropy"]))
    return columns, label.astype(np.int32), n_classes, weight, criterion, settings


def _grown(problem):
    columns, label, n_classes, weight, criterion, settings = problem
    given = [_core.Column.of_numbers(values, place) for place, values in enumerate(columns)]
    return _core.grow_classes(given, label, n_classes, weight, criterion, settings, None, None)


def _assert_same(one, other):
    for field in FIELDS + CODES:
        np.testing.assert_array_equal(one[field], other[field], err_msg=field)


@pytest.mark.parametrize("block", every(2, range(20)))
def test_the_tree_is_that_of_every_cut(block):
    for seed in range(block * 12, block * 12 + 12):
        _assert_same_by_either_search(_problem(seed))


def test_rows_of_many_columns_are_brought_together():
    """Ranks lie side by side in a row, each in as few bits as its column needs."""
    for seed in range(6):
        _, _, n_classes, _, _, settings = _problem(seed)
        rng, n_rows = np.random.default_rng([seed, 5]), int(np.random.default_rng(seed).integers(300, 4000))
        columns = [_column(rng, n_rows) for _ in range(int(rng.integers(20, 90)))]
        label = ((columns[0] > np.median(columns[0])) + (rng.random(n_rows) < 0.2)) % n_classes
        weight = rng.integers(1, 4, n_rows)
        settings.max_columns = int(rng.integers(1, 8))
        problem = (columns, label.astype(np.int32), n_classes, weight, "gini", settings)
        _assert_same_by_either_search(problem)


def _problem_with_limits(seed):
    """Return a problem in which a side must have some rows, some weight, or both."""
    problem = _problem(seed)
    settings, rng = problem[-1], np.random.default_rng([seed, 2])
    n_rows = len(problem[1])
    kind = rng.integers(0, 4)
    if kind != 1:
        settings.min_leaf = float(rng.choice([2, 3, 5, 17, max(2, n_rows // 3)]))
    if kind == 1 or kind == 2:
        settings.min_leaf_weight = float(rng.choice([2, 7, 0.2 * problem[3].sum()]))
    if kind == 3:
        settings.min_branch = float(rng.choice([2, 6]))
    return problem


@pytest.mark.parametrize("block", every(2, range(20)))
def test_sides_that_are_too_small_are_refused(block):
    for seed in range(block * 12, block * 12 + 12):
        _assert_same_by_either_search(_problem_with_limits(seed))


def _with_gaps(problem, seed):
    """Return the problem with gaps in some columns; sometimes all that is known is one value."""
    rng = np.random.default_rng([seed, 3])
    columns = [column.copy() for column in problem[0]]
    for column in columns:
        if rng.random() < 0.6:
            share = rng.choice([0.01, 0.1, 0.5, 0.95])
            if rng.random() < 0.1:
                column[:] = 1.0
            where = rng.random(len(column)) < share
            if rng.random() < 0.3:
                where &= problem[1] == 0
            column[where] = np.nan
    problem[-1].missing = "learned"
    return (columns, *problem[1:])


@pytest.mark.parametrize("block", every(2, range(20)))
def test_gaps_try_both_sides(block):
    for seed in range(block * 12, block * 12 + 12):
        make = _problem_with_limits if seed % 3 == 0 else _problem
        _assert_same_by_either_search(_with_gaps(make(seed), seed))


@pytest.mark.parametrize("block", every(2, range(20)))
def test_a_budget_of_leaves_goes_to_the_best_nodes(block):
    for seed in range(block * 12, block * 12 + 12):
        problem = (_problem_with_limits if seed % 3 == 0 else _problem)(seed)
        problem[-1].max_leaves = int(np.random.default_rng([seed, 4]).choice([1, 2, 7, 40, 1000]))
        _assert_same_by_either_search(_with_gaps(problem, seed) if seed % 2 else problem)


def _real_weights(rng, n_rows):
    """Return weights that are no whole numbers: even, far apart, nearly all the same, next to nothing."""
    shapes = (
        lambda: rng.uniform(0.5, 1.5, n_rows),
        lambda: rng.exponential(1, n_rows) + 1e-12,
        lambda: np.where(rng.random(n_rows) < 0.9, 0.1, 0.3),
        lambda: np.where(rng.random(n_rows) < 0.9, 1.0, 1e-11),
        lambda: np.exp(rng.normal(size=n_rows) * 6),
        lambda: rng.uniform(0.5, 1.5, n_rows) * (rng.random(n_rows) < 0.8) + 1e-300,
    )
    return shapes[rng.integers(0, len(shapes))]()


def _weighed(problem, seed):
    """Return the problem with real or heavy weights, scaled classes, or a least impurity; or all of them."""
    columns, label, n_classes, weight, criterion, settings = problem
    rng = np.random.default_rng([seed, 7])
    kind = rng.integers(0, 6)
    if kind <= 2:
        weight, settings.weight_unit = fixed_weights(_real_weights(rng, len(label)), divides=False)
    if kind == 3:
        weight = rng.integers(1, (1 << 52) // len(label), len(label))
    if kind in (2, 4, 5):
        settings.class_scale = list(rng.choice([0.3, 1.0, 7.7, 1e-6], n_classes))
    if kind == 5 or rng.random() < 0.2:
        settings.min_impurity, settings.impurity = float(rng.choice([0.01, 0.2, 0.45])), criterion
    if settings.min_leaf_weight > 0:
        settings.min_leaf_weight = float(weight.sum()) * settings.weight_unit * 0.1
    return columns, label, n_classes, weight, criterion, settings


def _changed(seed, n_classes=None):
    """Return a problem with any of the changes above."""
    problem = (_problem_with_limits if seed % 3 == 0 else _problem)(seed)
    if n_classes:
        label = np.random.default_rng([seed, 8]).integers(0, n_classes, len(problem[1]))
        label = np.where(np.arange(len(label)) % 2 == 0, problem[1] % n_classes, label).astype(np.int32)
        problem = (problem[0], label, n_classes, *problem[3:])
    if seed % 4 == 1:
        problem = _with_gaps(problem, seed)
    if seed % 5 == 0:
        problem[-1].max_leaves = int(np.random.default_rng([seed, 4]).choice([2, 7, 40]))
    return problem


@settings(max_examples=at_most(150, 400), deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6), n_threads=st.sampled_from([1, 1, 2]))
def test_real_weights_scaled_classes_and_least_impurity(seed, n_threads):
    problem = _weighed(_changed(seed), seed)
    problem[-1].n_threads = n_threads
    _assert_same_by_either_search(problem)


@settings(max_examples=at_most(100, 300), deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6), n_classes=st.sampled_from([3, 4, 6, 10, 10, 33]), is_weighed=st.booleans())
def test_many_classes(seed, n_classes, is_weighed):
    problem = _changed(seed, n_classes)
    _assert_same_by_either_search(_weighed(problem, seed) if is_weighed else problem)


@settings(max_examples=at_most(25, 60), deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6))
def test_random_cuts_of_real_weights(seed):
    problem = _weighed(_problem(seed), seed)
    problem[-1].use_random_cuts = True
    assert _assert_same_by_either_search(problem)["is_quick"]


@settings(max_examples=at_most(25, 60), deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6))
def test_whole_numbers_that_are_weighed(seed):
    _assert_same_by_either_search(_weighed(_problem_of_whole_numbers(seed), seed))


@pytest.mark.parametrize("light", [1e-10, 1e-11, 5e-12, 2e-12])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_a_cut_beside_a_light_row_ties_with_the_edge_of_its_bucket(light, criterion):
    x = np.arange(2000.0)
    weights = np.ones(2000)
    weights[[500, 999, 1500]] = light
    settings = _core.Settings()
    settings.max_columns = 1
    units, settings.weight_unit = fixed_weights(weights, divides=False)
    label = (x >= 1000).astype(np.int32)
    for seed in range(3):
        settings.seed = seed
        _assert_same_by_either_search(([x, -x], label, 2, units, criterion, settings))
        _assert_same_by_either_search(([x, -x], label * 2, 3, units, criterion, settings))


def test_a_row_that_is_drawn_too_often_for_a_record():
    rng = np.random.default_rng(2)
    columns = [rng.integers(0, 5, 30).astype(float) for _ in range(4)]
    label = rng.integers(0, 3, 30).astype(np.int32)
    given_columns = [_core.Column.of_numbers(values, place) for place, values in enumerate(columns)]
    grown = []
    for weight, n_draws in ((np.full(30, 900), 20_000), (np.ones(30, np.int64), 20_000)):
        settings = _core.Settings()
        settings.max_columns, settings.seed = 2, 5
        grower = _core.ClassGrower(given_columns, label, 3, weight, "gini", settings, None, None)
        grown.append(grower.grow(0, 3, n_draws))
    for field in ("end", "column", "cut"):
        np.testing.assert_array_equal(grown[0][field], grown[1][field], err_msg=field)


def _targets(rng, problem):
    """Return numbers in fixed point, hard on sums: whole, far apart, nearly all the same."""
    columns, label, n_rows = problem[0], problem[1], len(problem[1])
    shapes = (
        lambda: rng.normal(size=n_rows) + (columns[0] > np.median(columns[0])),
        lambda: label / 16,
        lambda: np.where(rng.random(n_rows) < 0.95, 0.25, rng.random(n_rows)),
        lambda: 0.7 + 1e-13 * rng.normal(size=n_rows),
        lambda: np.exp(rng.normal(size=n_rows) * 6),
    )
    y = shapes[rng.integers(0, len(shapes))]()
    return np.rint(y / np.abs(y).max() * 2**59).astype(np.int64) if y.any() else label.astype(np.int64)


@pytest.mark.parametrize("block", every(2, range(30)))
def test_numbers_give_the_tree_of_every_cut(block):
    for seed in range(block * 12, block * 12 + 12):
        problem = (_problem_with_limits if seed % 3 == 0 else _problem)(seed)
        problem = _with_gaps(problem, seed) if seed % 4 == 1 else problem
        columns, _, _, weight, _, settings = problem
        rng = np.random.default_rng([seed, 5])
        value, settings.y_unit, settings.majority_share = _targets(rng, problem), 2.0**-60, 2.0
        if rng.random() < 0.2:
            settings.max_leaves = int(rng.choice([2, 9, 100]))
        if rng.random() < 0.4:
            weight, settings.weight_unit = fixed_weights(_real_weights(rng, len(weight)), divides=False)
            settings.min_leaf_weight = 0.0
        given = [_core.Column.of_numbers(values, place) for place, values in enumerate(columns)]
        grown = []
        for settings.search in ("by_data", "every"):
            settings.n_threads = 2 if settings.search == "by_data" and seed % 5 == 0 else 1
            grown.append(_core.grow_numbers(given, value, 15, weight, "squared_error", settings, None, None))
        _assert_same(*grown)


@pytest.mark.parametrize("block", every(2, range(20)))
def test_categories_among_the_columns(block):
    for seed in range(block * 12, block * 12 + 12):
        problem = (_problem_with_limits if seed % 3 == 0 else _problem)(seed)
        problem = _with_gaps(problem, seed) if seed % 4 == 1 else problem
        columns, label, n_classes, weight, criterion, settings = problem
        rng = np.random.default_rng([seed, 6])
        given = [_core.Column.of_numbers(values, place) for place, values in enumerate(columns)]
        for place in rng.permutation(len(columns))[: rng.integers(1, 3)]:
            n_codes = int(rng.choice([2, 3, 9, 40]))
            codes = rng.integers(-1 if seed % 4 == 1 else 0, n_codes, len(label)).astype(np.int32)
            if rng.random() < 0.5:
                codes = np.where(rng.random(len(label)) < 0.6, label % n_codes, codes).astype(np.int32)
            form = "subset" if n_classes == 2 and rng.random() < 0.6 else "one_vs_rest"
            given[place] = _core.Column.of_codes(codes, n_codes, form, int(place))
        if rng.random() < 0.2:
            settings.max_leaves = int(rng.choice([2, 9, 100]))
        value = (label.astype(np.int64) << 50) + rng.integers(0, 2**50, len(label))
        for numbers in (False, True):
            grown = []
            settings.y_unit, settings.majority_share = 2.0**-60, 2.0
            for settings.search in ("by_data", "every"):
                settings.n_threads = 2 if settings.search == "by_data" and seed % 5 == 0 else 1
                grown.append(
                    _core.grow_numbers(given, value, 15, weight, "squared_error", settings, None, None)
                    if numbers
                    else _core.grow_classes(given, label, n_classes, weight, criterion, settings, None, None)
                )
            _assert_same(*grown)


def _whole_numbers(rng, n_rows):
    """Return columns of whole numbers: indicators that exclude each other or not, few values, many."""
    one_of = rng.integers(0, int(rng.integers(2, 12)), n_rows)
    columns = [(one_of == k).astype(float) for k in range(one_of.max() + 1)]
    columns += [rng.integers(0, 2, n_rows).astype(float) for _ in range(rng.integers(0, 4))]
    columns += [
        rng.integers(-3, int(rng.choice([2, 9, 70, 900, 9000])), n_rows).astype(float)
        for _ in range(rng.integers(1, 5))
    ]
    columns += [columns[i].copy() for i in rng.integers(0, len(columns), rng.integers(0, 3))]  # ties
    return [columns[i] for i in rng.permutation(len(columns))]


def _problem_of_whole_numbers(seed):
    _, _, _, _, _, settings = _problem(seed)
    rng = np.random.default_rng([seed, 1])
    n_rows = int(rng.choice([2, 5, 12, 17, 33, 60, 200, 1000, 5000],
                            p=[0.05, 0.1, 0.15, 0.15, 0.15, 0.15, 0.15, 0.08, 0.02]))  # fmt: skip
    columns, n_classes = _whole_numbers(rng, n_rows), int(rng.integers(2, 10))
    label = (rng.integers(0, n_classes, n_rows) * (rng.random(n_rows) < 0.4)).astype(np.int32)
    label = (label + (columns[0] > np.median(columns[0]))) % n_classes
    most = int(rng.choice([1, 1, 3, 12, 900]))
    settings.max_columns = int(rng.integers(1, max(2, len(columns))))
    return columns, label.astype(np.int32), n_classes, rng.integers(1, most + 1, n_rows), "gini", settings


def _assert_same_by_either_search(problem):
    settings = problem[-1]
    settings.search = "by_data"
    quick = _grown(problem)
    settings.search = "every"
    _assert_same(quick, _grown(problem))
    return quick


@pytest.mark.parametrize("block", every(2, range(20)))
def test_whole_numbers_give_the_tree_of_every_cut(block):
    for seed in range(block * 20, block * 20 + 20):
        _assert_same_by_either_search(_problem_of_whole_numbers(seed))


def test_records_are_moved_by_several_threads_too():
    rng = np.random.default_rng(3)
    columns = _whole_numbers(rng, 8000)
    settings = _core.Settings()
    settings.max_columns, settings.seed = 3, 9
    problem = (
        columns,
        rng.integers(0, 5, 8000).astype(np.int32),
        5,
        np.ones(8000, np.int64),
        "gini",
        settings,
    )
    alone = _grown(problem)
    settings.n_threads = 3
    _assert_same(alone, _grown(problem))


@pytest.mark.parametrize("value", [np.nan, 0.5, 1e9, np.inf])
def test_one_odd_value_among_whole_numbers(value):
    rng = np.random.default_rng(4)
    columns = _whole_numbers(rng, 300)
    columns[1][250] = value
    settings = _core.Settings()
    settings.max_columns, settings.seed = 2, 9
    label = rng.integers(0, 4, 300).astype(np.int32)
    _assert_same_by_either_search((columns, label, 4, np.ones(300, np.int64), "gini", settings))


@pytest.mark.parametrize("block", every(2, range(20)))
def test_cuts_drawn_at_random_are_those_of_the_general_search(block):
    for seed in range(block * 12, block * 12 + 12):
        problem = (
            _problem(seed)
            if seed % 3
            else (*_problem_of_whole_numbers(seed)[:4], "entropy", _core.Settings())
        )
        settings = problem[-1]
        settings.use_random_cuts, settings.max_leaves = True, _core.Settings().max_leaves
        if seed % 5 == 0:
            settings.max_columns = len(problem[0])
        assert _assert_same_by_either_search(problem)["is_quick"]


@pytest.mark.parametrize("block", every(2, range(20)))
def test_random_cuts_of_float32_columns_are_those_of_the_general_search(block):
    for seed in range(5000 + block * 12, 5012 + block * 12):
        columns, label, n_classes, weight, criterion, settings = _problem(seed)
        columns = [column.astype(np.float32) for column in columns]
        if seed % 4 == 0:
            columns = columns * 6  # of many columns one is drawn
            settings.max_columns = 1 + seed % 5
        settings.use_random_cuts, settings.n_threads = True, 1 + seed % 3
        problem = (columns, label, n_classes, weight, criterion, settings)
        assert _assert_same_by_either_search(problem)["is_quick"]


@pytest.mark.parametrize("n_classes", [2, 7])
def test_random_cuts_of_more_rows_than_records_are_made_of(n_classes):
    rng = np.random.default_rng(n_classes)
    columns = [rng.normal(size=40_000).astype(np.float32) for _ in range(5)]
    columns += [rng.integers(0, 3, 40_000).astype(np.float32)]
    settings = _core.Settings()
    settings.max_columns, settings.seed, settings.use_random_cuts = 2, 3, True
    label = ((columns[0] > 0.3) * 1 + rng.integers(0, n_classes, 40_000) * (columns[1] < 0)) % n_classes
    weight = rng.integers(1, 5, 40_000)
    problem = (columns, label.astype(np.int32), n_classes, weight, "gini", settings)
    assert _assert_same_by_either_search(problem)["is_quick"]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_random_cuts_of_many_columns_become_records_straight_from_the_table(n_classes):
    rng = np.random.default_rng(n_classes)
    columns = [rng.normal(size=24_000).astype(np.float32) for _ in range(40)]
    settings = _core.Settings()
    settings.max_columns, settings.seed, settings.use_random_cuts, settings.max_depth = 5, 3, True, 9
    label = ((columns[0] > 0.3) * 1 + rng.integers(0, n_classes, 24_000) * (columns[1] < 0)) % n_classes
    problem = (columns, label.astype(np.int32), n_classes, np.ones(24_000, np.int64), "gini", settings)
    assert _assert_same_by_either_search(problem)["is_quick"]


@pytest.mark.parametrize("block", every(2, range(20)))
def test_random_cuts_of_whole_numbers_are_those_of_the_general_search(block):
    for seed in range(900 + block * 20, 920 + block * 20):
        problem = _problem_of_whole_numbers(seed)
        settings = problem[-1]
        settings.use_random_cuts, settings.max_leaves = True, _core.Settings().max_leaves
        settings.n_threads = 1 + seed % 3
        if seed % 5 == 0:
            settings.max_columns = len(problem[0])
        assert _assert_same_by_either_search(problem)["is_quick"]


@pytest.mark.parametrize("weight", [1, 1000])
def test_random_cuts_of_whole_numbers_in_nodes_that_weigh_much(weight):
    rng = np.random.default_rng(weight)
    columns = [rng.integers(0, 2, 9000).astype(float) for _ in range(3)]
    columns += [rng.integers(-40_000, 20_000, 9000).astype(float) for _ in range(3)]
    settings = _core.Settings()
    settings.max_columns, settings.seed, settings.use_random_cuts = 3, 5, True
    label = (columns[0] + (columns[3] > 0) + rng.integers(0, 3, 9000)) % 4
    problem = (columns, label.astype(np.int32), 4, rng.integers(1, weight + 1, 9000), "gini", settings)
    assert _assert_same_by_either_search(problem)["is_quick"]


@pytest.mark.parametrize("seed", range(20))
def test_random_cuts_between_float32_numbers_next_to_each_other(seed):
    rng = np.random.default_rng(seed)
    chain = np.float32([-3, -1e-45, -0.0, 0.0, 1e-45, 2.5, 1e30])
    steps = np.float32(1) + np.arange(5, dtype=np.float32) * np.float32(2**-23)
    columns = [rng.choice(chain, 150), rng.choice(steps, 150), rng.choice(-steps, 150).astype(float)]
    columns.append(rng.choice(np.arange(1, 4) + 1e-12, 150))  # no float32
    settings = _core.Settings()
    settings.max_columns, settings.seed, settings.use_random_cuts = 1 + seed % 3, seed, True
    label = rng.integers(0, 2 + seed % 2, 150).astype(np.int32)
    problem = (columns, label, 2 + seed % 2, np.ones(150, np.int64), "gini", settings)
    assert _assert_same_by_either_search(problem)["is_quick"]


def test_random_cuts_where_values_are_too_far_apart():
    rng = np.random.default_rng(5)
    columns = [rng.normal(size=200), rng.normal(size=200), rng.normal(size=200)]
    columns[0][:2] = -1.7e308, 1.7e308
    settings = _core.Settings()
    settings.max_columns, settings.seed, settings.use_random_cuts = 2, 7, True
    label = (columns[1] > 0).astype(np.int32)
    found = _assert_same_by_either_search((columns, label, 2, np.ones(200, np.int64), "gini", settings))
    assert not found["is_quick"]


@pytest.mark.parametrize("seed", range(400, 410))
def test_threads_give_the_same_tree(seed):
    rng = np.random.default_rng(seed)
    columns = [_column(rng, 9000) for _ in range(6)]
    label = ((columns[0] > np.median(columns[0])) ^ (rng.random(9000) < 0.3)).astype(np.int32)
    n_classes = int(rng.choice([2, 3]))
    settings = _core.Settings()
    settings.max_columns, settings.seed = 2, seed
    problem = (columns, label, n_classes, np.ones(9000, np.int64), "gini", settings)
    alone = _grown(problem)
    settings.n_threads = 3
    _assert_same(alone, _grown(problem))


def test_weights_too_large_for_ranks_are_served_too():
    rng = np.random.default_rng(1)
    columns = [rng.normal(size=300) for _ in range(4)]
    label = (columns[0] > 0).astype(np.int32)
    settings = _core.Settings()
    settings.max_columns, settings.seed = 2, 5
    light = _grown((columns, label, 2, np.full(300, 3), "gini", settings))
    heavy = _grown((columns, label, 2, np.full(300, 3 << 30), "gini", settings))
    np.testing.assert_array_equal(light["cut"], heavy["cut"])
    np.testing.assert_array_equal(light["stats"] * (1 << 30), heavy["stats"])
