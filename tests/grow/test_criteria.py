"""The table of criteria: what each declares, values computed by hand, refusals, the same tree every way."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.grow.engines import first_difference, general_engine
from tests.oracle.criteria import CLASS_CRITERIA as CLASS_TWINS
from tests.oracle.criteria import NUMBER_CRITERIA as NUMBER_TWINS
from treewright import _core
from treewright.growth.setting import CRITERIA
from treewright.growth.settings import CLASS_CRITERIA, NUMBER_CRITERIA, Settings

QUICK = [name for name, row in CRITERIA.items() if row["is_quick"]]
ln = math.log


def one_test(x: list[Any], y: list[Any], criterion: str, **more: Any) -> tw.Tree:
    return tw.grow(tw.Table.from_dict({"x": x, "y": y}), "y", criterion=criterion, max_depth=1, **more)


# ---- the table -----------------------------------------------------------------------------------------


def test_every_criterion_has_a_twin() -> None:
    assert set(CLASS_CRITERIA) == set(CLASS_TWINS)
    assert set(NUMBER_CRITERIA) == set(NUMBER_TWINS)


@pytest.mark.parametrize("name", CRITERIA)
def test_what_a_criterion_declares_fits_together(name: str) -> None:
    row = CRITERIA[name]
    assert row["bound"] in ("corners", "ratio", "none")
    assert not row["is_quick"] or row["bound"] == "corners"
    assert row["is_ratio"] == (row["bound"] == "ratio")
    assert row["has_classes"] == (row["reads"] == "class_counts") == ("loss" not in row)
    assert row["has_level_order"] <= (row["bound"] == "corners")


def test_the_quick_search_serves_what_declares_it() -> None:
    assert {"gini", "entropy", "squared_error"} <= set(QUICK)
    rng = np.random.default_rng(0)
    columns = [_core.Column.of_numbers(rng.normal(size=50), 0)]
    weight, label = np.ones(50, np.int64), (rng.random(50) < 0.4).astype(np.int32)
    for name in CLASS_CRITERIA:
        core = Settings.of("plain").to_core()
        grown = _core.grow_classes(columns, label, 2, weight, name, core, None, None)
        assert grown["is_quick"] == CRITERIA[name]["is_quick"], name
    for name in NUMBER_CRITERIA:
        core = Settings.of("plain").to_core()
        core.y_unit = 2.0**-60
        value = label.astype(np.int64) << 58
        grown = _core.grow_numbers(columns, value, 8, weight, name, core, None, None)
        assert grown["is_quick"] == CRITERIA[name]["is_quick"], name


def test_an_unknown_name_is_told_all_names() -> None:
    with pytest.raises(ValueError, match="not one of " + ", ".join(map(repr, CRITERIA))):
        Settings.of("plain", criterion="best")


# ---- by hand -------------------------------------------------------------------------------------------


def test_hellinger_by_hand() -> None:
    assert "hellinger" in QUICK
    tree = one_test([0, 0, 0, 0, 1, 1, 1, 1], list("aaababbb"), "hellinger")
    assert tree.gain[0] == pytest.approx((4 - 2 * math.sqrt(3)) / 8, rel=1e-12)
    assert tree.n_leaves == 2


def test_hellinger_does_not_care_how_rare_a_class_is() -> None:
    """The cut with the largest distance stays so when one class weighs a thousand times more."""
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=200), rng.random(200) < 0.3
    x[y] += 1
    table = tw.Table.from_dict({"x": x, "y": np.where(y, "b", "a").tolist()})
    cuts = {
        criterion: [
            float(tw.grow(table, "y", criterion=criterion, max_depth=1, weights=np.where(y, w, 1.0)).cut[0])
            for w in (1.0, 1000.0)
        ]
        for criterion in ("hellinger", "gini")
    }
    assert cuts["hellinger"][0] == cuts["hellinger"][1]
    assert cuts["gini"][0] != cuts["gini"][1]


def test_poisson_by_hand() -> None:
    tree = one_test([0, 0, 1, 1], [1.0, 3.0, 6.0, 10.0], "poisson")
    assert tree.gain[0] == pytest.approx((-20 * ln(5) + 4 * ln(2) + 16 * ln(8)) / 4, rel=1e-12)
    assert tree.stats[:, 1].tolist() == pytest.approx([5.0, 2.0, 8.0])
    left = 2 * (1 * ln(1 / 2) + 3 * ln(3 / 2))
    right = 2 * (6 * ln(6 / 8) + 10 * ln(10 / 8))
    assert tree.stats[1:, 2].tolist() == pytest.approx([left, right], rel=1e-12)
    # The deviance of the root falls by twice the gain, for each unit of weight.
    assert tree.stats[0, 2] - left - right == pytest.approx(2 * 4 * tree.gain[0], rel=1e-12)


def test_poisson_has_no_side_without_an_event() -> None:
    tree = one_test([0, 1, 2, 3], [0.0, 0.0, 5.0, 1.0], "poisson")
    assert tree.cut[0] == 2.5  # at 1.5 the left side would have a rate of 0
    assert one_test([0, 0, 1], [0.0, 0.0, 5.0], "poisson").n_leaves == 1


def test_poisson_is_about_ratios() -> None:
    """Counts in another unit give the same cuts; about another zero they do not."""
    rng = np.random.default_rng(2)
    x = rng.uniform(size=300)
    y = rng.poisson(np.exp(3 * x)).astype(float)
    table = {"x": x, "z": rng.uniform(size=300)}
    trees = [
        tw.grow(tw.Table.from_dict(table | {"y": counts}), "y", criterion="poisson", max_depth=4)
        for counts in (y, 1024 * y, y + 1000)
    ]
    assert np.array_equal(trees[0].cut, trees[1].cut, equal_nan=True)
    np.testing.assert_allclose(trees[1].gain, 1024 * trees[0].gain)
    assert not np.array_equal(trees[0].cut, trees[2].cut, equal_nan=True)


def test_gaussian_entropy_by_hand() -> None:
    """Lecture 003: I(split) = H(parent) - n_l / n H(left) - n_r / n H(right), of normal distributions."""
    tree = one_test([0, 0, 1, 1], [0.0, 2.0, 10.0, 14.0], "gaussian_entropy")

    def entropy(variance: float) -> float:
        return 0.5 * ln(2 * math.pi * math.e * variance)

    wanted = entropy(32.75) - (2 / 4) * entropy(1) - (2 / 4) * entropy(4)
    assert tree.gain[0] == pytest.approx(wanted, abs=1e-7)
    assert tree.stats[:, 1].tolist() == [6.5, 1.0, 12.0]
    assert tree.stats[:, 2].tolist() == pytest.approx([131.0, 2.0, 8.0])


@pytest.mark.parametrize("shift", [0.0, 1e6, -1e6])
@pytest.mark.parametrize("scale", [1.0, 2.0**20, 2.0**-20])
def test_gaussian_entropy_knows_no_unit_and_no_zero(shift: float, scale: float) -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(0, 9, size=200).astype(float)
    y = np.round(np.where(x < 4, rng.normal(size=200), 5 * rng.normal(size=200)) * 64) / 64
    table = tw.Table.from_dict({"x": x, "y": y})
    moved = tw.Table.from_dict({"x": x, "y": (y + shift) * scale})
    first, second = (tw.grow(t, "y", criterion="gaussian_entropy", max_depth=3) for t in (table, moved))
    assert np.array_equal(first.cut, second.cut, equal_nan=True)
    np.testing.assert_allclose(second.gain, first.gain, rtol=1e-6)


def test_gaussian_entropy_sees_a_change_of_spread_that_means_do_not_show() -> None:
    y = [1.0, -1.0, 1.0, -1.0, 9.0, -9.0, 9.0, -9.0]
    x = list(range(8))
    assert one_test(x, y, "gaussian_entropy", min_leaf=2).cut[0] == 3.5


def test_twoing_by_hand() -> None:
    tree = tw.grow(tw.example("iris"), "class", criterion="twoing", max_depth=1)
    assert (tree.cut[0], tree.score[0]) == (2.45, pytest.approx(1e8 / 4.5e8, rel=1e-12))


def test_twoing_is_half_of_gini_for_two_classes() -> None:
    rng = np.random.default_rng(4)
    table = tw.Table.from_dict(
        {"x": rng.integers(0, 6, 90), "c": rng.choice(list("pqrs"), 90), "y": rng.choice(["a", "b"], 90)}
    )
    twoing, gini = (tw.grow(table, "y", criterion=c, max_depth=3) for c in ("twoing", "gini"))
    assert np.array_equal(twoing.cut, gini.cut, equal_nan=True)
    np.testing.assert_allclose(2 * twoing.gain, gini.gain, rtol=1e-9)


def test_absolute_error_by_hand() -> None:
    tree = one_test([0, 0, 0, 1, 1], [1.0, 2.0, 9.0, 4.0, 5.0], "absolute_error")
    assert tree.gain[0] == pytest.approx((11 - 8 - 1) / 5, rel=1e-12)
    assert tree.stats.tolist() == [[5.0, 4.0, 11.0], [3.0, 2.0, 8.0], [2.0, 4.0, 1.0]]


def test_the_median_is_the_lower_weighted_one() -> None:
    table = tw.Table.from_dict({"x": [0, 0, 0], "y": [1.0, 2.0, 3.0]})
    for weights, median in (([1, 1, 2], 2.0), ([1, 1, 3], 3.0), ([2, 1, 1], 1.0), ([0.1, 0.1, 0.2], 2.0)):
        tree = tw.grow(table, "y", criterion="absolute_error", weights=np.array(weights, dtype=float))
        assert tree.stats[0, 1] == median, weights
        assert tree.predict(table).tolist() == [median] * 3


def test_an_outlier_moves_means_and_not_medians() -> None:
    x, y = list(range(10)), [0.0, 1.0, 0.0, 1.0, 1000.0, 7.0, 8.0, 7.0, 8.0, 7.0]
    tree = one_test(x, y, "absolute_error", min_leaf=2)
    assert tree.stats[1:, 1].max() < 10
    assert one_test(x, y, "squared_error", min_leaf=2).stats[:, 1].max() > 100


# ---- refusals ------------------------------------------------------------------------------------------

NUMBERS = tw.Table.from_dict({"x": [1, 2, 3], "y": [1.0, 2.0, 4.0]})
CLASSES = tw.Table.from_dict({"x": [1, 2, 3], "y": list("abc")})


@pytest.mark.parametrize("name", NUMBER_CRITERIA)
def test_a_criterion_for_numbers_refuses_classes(name: str) -> None:
    with pytest.raises(ValueError, match=f"criterion='{name}' does not score classes; use one of 'gini'"):
        tw.grow(CLASSES, "y", criterion=name)


@pytest.mark.parametrize("name", CLASS_CRITERIA)
def test_a_criterion_for_classes_refuses_numbers(name: str) -> None:
    with pytest.raises(ValueError, match=f"criterion='{name}' does not score numbers; use one of 'squared_e"):
        tw.grow(NUMBERS, "y", criterion=name)


def test_hellinger_refuses_three_classes_by_name() -> None:
    words = "criterion='hellinger' is for 2 classes; column 'y' has 3: 'a', 'b', 'c'. Use criterion='gini'"
    with pytest.raises(ValueError, match=words):
        tw.grow(CLASSES, "y", criterion="hellinger")
    with pytest.raises(ValueError, match=words):
        tw.forest.grow(CLASSES, "y", criterion="hellinger", n_trees=2)


def test_poisson_refuses_what_is_no_count() -> None:
    below = tw.Table.from_dict({"x": [1, 2, 3], "y": [1.0, -2.5, 4.0]})
    with pytest.raises(ValueError, match=r"column 'y' is -2\.5 in row 1\. Use criterion='squared_error'"):
        tw.grow(below, "y", criterion="poisson")
    nothing = tw.Table.from_dict({"x": [1, 2, 3], "y": [0.0, 0.0, 0.0]})
    with pytest.raises(ValueError, match="needs a value above 0; column 'y' is 0 in every row"):
        tw.grow(nothing, "y", criterion="poisson")


@pytest.mark.parametrize(("setting", "value"), [("splits", "multiway"), ("missing", "own_branch")])
def test_twoing_refuses_more_than_two_branches(setting: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"'twoing' scores tests with two branches; {setting}='{value}'"):
        tw.grow(CLASSES, "y", criterion="twoing", **{setting: value})


@pytest.mark.parametrize("criterion", [n for n in NUMBER_CRITERIA if CRITERIA[n]["loss"] != "squared"])
def test_models_and_collapse_are_for_squared_errors(criterion: str) -> None:
    with pytest.raises(ValueError, match="are fitted by least squares"):
        tw.grow(NUMBERS, "y", criterion=criterion, leaves="linear")
    with pytest.raises(ValueError, match=r"has another loss\. Prune with"):
        tw.grow(NUMBERS, "y", criterion=criterion, collapse=0)


def test_gaussian_entropy_refuses_sums() -> None:
    with pytest.raises(ValueError, match="asks for the variance of all rows"):
        tw.grow(NUMBERS, "y", criterion="gaussian_entropy", splits="linear")


def test_medians_are_for_single_trees() -> None:
    with pytest.raises(ValueError, match="is for single trees"):
        tw.forest.grow(NUMBERS, "y", criterion="absolute_error", n_trees=2)


# ---- the same tree every way ---------------------------------------------------------------------------


def table_of(seed: int, n: int, is_classes: bool) -> tw.Table:
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=n), rng.integers(0, 40, n).astype(float)
    z[rng.random(n) < 0.1] = np.nan
    level = rng.choice(list("abcdefghijklmno"), n)
    drift = np.exp(0.5 * x + 0.02 * np.nan_to_num(z) + (level < "f"))
    y: Any = np.round(rng.gamma(2.0, drift), 2)
    if is_classes:
        y = np.where(rng.random(n) < drift / (2 + drift), "yes", "no").tolist()
    return tw.Table.from_dict({"x": x, "z": z, "level": level.tolist(), "y": y})


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("missing", ["learned", "fractional"])
def test_rows_in_any_order_and_threads_in_any_number(criterion: str, missing: str) -> None:
    table = table_of(5, 400, CRITERIA[criterion]["has_classes"])
    asked: dict[str, Any] = {"criterion": criterion, "missing": missing, "min_leaf": 5, "max_depth": 4}
    weights = np.round(np.random.default_rng(6).uniform(0.5, 2, 400), 3)
    tree = tw.grow(table, "y", weights=weights, **asked)
    order = np.random.default_rng(7).permutation(400)
    other = tw.grow(table.take(order), "y", weights=weights[order], **asked, n_threads=2)
    assert tree.n_leaves > 4
    assert tree == other, first_difference(tree, other)


def compared(criterion: str, seed: int, n: int, **asked: Any) -> None:
    table = table_of(seed, n, CRITERIA[criterion]["has_classes"])
    tree = tw.grow(table, "y", criterion=criterion, **asked)
    with general_engine():
        other = tw.grow(table, "y", criterion=criterion, **asked)
    assert not first_difference(tree, other)


@pytest.mark.parametrize("criterion", QUICK)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([30, 300, 3000]),
    st.sampled_from([0, 1, 7]),
    st.sampled_from(["none", "weights", "draws", "scaled"]),
)
def test_the_quick_search_finds_what_the_general_one_finds(
    criterion: str, seed: int, n: int, min_leaf: int, more: str
) -> None:
    asked: dict[str, Any] = {"min_leaf": float(min_leaf)}
    if more == "weights":
        asked["weights"] = np.random.default_rng(seed).choice([0.1, 1.0, 3.7], n)
    if more == "draws":
        asked["max_columns"] = 1
    if more == "scaled" and CRITERIA[criterion]["has_classes"]:
        asked["priors"] = {"yes": 0.1, "no": 0.9}
    compared(criterion, seed, n, **asked)


@pytest.mark.parametrize("criterion", [name for name in QUICK if CRITERIA[name]["has_classes"]])
def test_large_nodes_are_searched_by_cells(criterion: str) -> None:
    compared(criterion, 8, 40_000, max_depth=6)
    compared(criterion, 9, 40_000, max_depth=5, priors={"yes": 0.3, "no": 0.7})


# ---- in forests and estimators -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "criterion", [name for name in CRITERIA if name not in ("absolute_error", "gain_ratio")]
)
def test_a_forest_grows_by_each(criterion: str) -> None:
    table = table_of(10, 200, CRITERIA[criterion]["has_classes"])
    forest = tw.forest.grow(table, "y", criterion=criterion, n_trees=3, max_columns=3, bootstrap=False)
    tree = forest.tree(0)
    single = tw.grow(table, "y", criterion=criterion, min_leaf=float(forest.about["min_leaf"]))
    np.testing.assert_allclose(tree.gain, single.gain, rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(tree.stats, single.stats, rtol=1e-5, atol=1e-5)
    assert tree.about.get("loss") == single.about.get("loss")


@pytest.mark.parametrize("criterion", NUMBER_CRITERIA)
def test_the_estimator_takes_each(criterion: str) -> None:
    table = table_of(11, 100, False)
    X, y = np.column_stack([table.values[0], np.nan_to_num(table.values[1])]), table.values[3]
    model = tw.DecisionTreeRegressor(criterion=criterion, max_depth=2).fit(X, y)
    assert model.tree_.about["criterion"] == criterion
    assert len(np.unique(model.predict(X))) == model.tree_.n_leaves
