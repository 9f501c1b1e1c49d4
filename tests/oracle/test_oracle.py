"""The twin against the lectures' numbers, and the judge against the twin and against lies."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.amount import at_most

from . import strategies
from .c45 import c45_tests
from .criteria import impurity_of_counts
from .flat import flatten
from .grow import depth_of, grow, n_nodes
from .judge import judge
from .missing import Test
from .node import Pieces, Study, all_pieces
from .plain import PlainColumn, PlainSchema, PlainTable, code
from .reading import children
from .route import n_errors, send
from .settings import Settings, settings_for
from .splits import cut_between, scored_tests
from .strategies import Problem, problems
from .surrogate import surrogates

TENNIS = """
Sunny Hot High Weak No;Sunny Hot High Strong No;Overcast Hot High Weak Yes;Rainy Mild High Weak Yes;
Rainy Cool Normal Weak Yes;Rainy Cool Normal Strong No;Overcast Cool Normal Strong Yes;
Sunny Mild High Weak No;Sunny Cool Normal Weak Yes;Rainy Mild Normal Weak Yes;Sunny Mild Normal Strong Yes;
Overcast Mild High Strong Yes;Overcast Hot Normal Weak Yes;Rainy Mild High Strong No"""
GOLF = """
sunny 85 85 f no;sunny 80 90 t no;overcast 83 78 f yes;rain 70 96 f yes;rain 68 80 f yes;rain 65 70 t no;
overcast 64 65 t yes;sunny 72 95 f no;sunny 69 70 f yes;rain 75 80 f yes;sunny 75 70 t yes;
overcast 72 90 t yes;overcast 81 75 f yes;rain 71 80 t no"""


def cells(text: str) -> list[tuple[str, ...]]:
    """Return the words of a table written in one line per row, as columns."""
    return list(zip(*(row.split() for row in text.replace("\n", "").split(";")), strict=True))


def nominal(name: str, words: Any, categories: str) -> tuple[PlainColumn, Any]:
    """Return a nominal column and its codes."""
    return PlainColumn(name, "nominal", tuple(categories.split())), code(words, categories.split())


def numeric(name: str, words: Any) -> tuple[PlainColumn, Any]:
    """Return a numeric column and its values."""
    return PlainColumn(name, "numeric"), np.array([float(word) for word in words])


def problem(features: list[tuple[PlainColumn, Any]], target: tuple[PlainColumn, Any]) -> Problem:
    """Return a problem of these columns, each row of weight one."""
    table = PlainTable(PlainSchema(tuple(c for c, _ in features)), tuple(v for _, v in features))
    return Problem(table, target[0], target[1], np.ones(len(target[1])))


def tennis() -> Problem:
    """Return the fourteen days; one lecture declares a third Humidity value that no row has."""
    outlook, temperature, humidity, wind, play = cells(TENNIS)
    features = [
        nominal("Outlook", outlook, "Sunny Overcast Rainy"),
        nominal("Temperature", temperature, "Hot Mild Cool"),
        nominal("Humidity", humidity, "High Normal Low"),
        nominal("Wind", wind, "Strong Weak"),
    ]
    return problem(features, nominal("PlayTennis", play, "Yes No"))


def golf() -> Problem:
    """Return C4.5's own golf data, with numbers."""
    outlook, temperature, humidity, windy, play = cells(GOLF)
    features = [
        nominal("outlook", outlook, "sunny overcast rain"),
        numeric("temperature", temperature),
        numeric("humidity", humidity),
        nominal("windy", windy, "t f"),
    ]
    return problem(features, nominal("class", play, "yes no"))


def root_of(one: Problem, how: Settings) -> tuple[Study, Pieces]:
    """Return what the root looks at."""
    study = Study(one.table, one.y, one.n_classes, how)
    return study, all_pieces(study, one.weights)


def best_by_column(one: Problem, how: Settings) -> dict[str, Any]:
    """Return the best test of each column at the root."""
    study, root = root_of(one, how)
    best: dict[str, Any] = {}
    for scored in scored_tests(study, root, root):
        name = study.columns[scored.test.column].name
        if name not in best or scored.score > best[name].score:
            best[name] = scored
    return best


# ---- golden numbers ------------------------------------------------------------


def test_impurities_of_tennis() -> None:
    nine_five = np.array([9.0, 5.0])
    assert impurity_of_counts("entropy", nine_five) / 14 == pytest.approx(0.940286, abs=5e-7)
    assert impurity_of_counts("gini", nine_five) / 14 == pytest.approx(0.459184, abs=5e-7)
    assert impurity_of_counts("error", nine_five) / 14 == pytest.approx(0.357143, abs=5e-7)


@pytest.mark.parametrize(
    ("column", "gain", "split_info", "ratio", "gini", "subset"),
    [
        ("Outlook", 0.246750, 1.577406, 0.156428, 0.116327, 0.102041),
        ("Humidity", 0.151836, 1.000000, 0.151836, 0.091837, 0.091837),
        ("Wind", 0.048127, 0.985228, 0.048849, 0.030612, 0.030612),
        ("Temperature", 0.029223, 1.556657, 0.018773, 0.018707, 0.016327),
    ],
)
def test_golden_table_of_tennis(
    column: str, gain: float, split_info: float, ratio: float, gini: float, subset: float
) -> None:
    by_ratio = best_by_column(tennis(), settings_for("id3", criterion="gain_ratio"))[column]
    assert by_ratio.gain == pytest.approx(gain, abs=5e-7)
    assert by_ratio.split_info == pytest.approx(split_info, abs=5e-7)
    assert by_ratio.score == pytest.approx(ratio, abs=5e-7)
    assert best_by_column(tennis(), settings_for("id3", criterion="gini"))[column].gain == pytest.approx(
        gini, abs=5e-7
    )
    assert best_by_column(tennis(), settings_for("plain"))[column].gain == pytest.approx(subset, abs=5e-7)


def test_temperature_cuts_of_the_lecture() -> None:
    one = problem(
        [numeric("t", [40, 48, 60, 70, 80, 90])], nominal("play", ["N", "N", "Y", "Y", "Y", "N"], "Y N")
    )
    study, root = root_of(one, settings_for("plain", criterion="entropy"))
    gains = {scored.test.cut: scored.gain for scored in scored_tests(study, root, root)}
    wanted = {44: 0.190875, 54: 0.459148, 65: 0.081704, 75: 0.0, 85: 0.190875}
    assert gains == pytest.approx(wanted, abs=5e-7)


def test_id3_grows_the_lecture_tree() -> None:
    tree = grow(tennis().table, tennis().y, settings_for("id3"), 2)
    names = [column.name for column in tennis().table.schema.columns]
    assert names[tree["test"].column] == "Outlook"
    below = [child["test"] and names[child["test"].column] for child in tree["children"]]
    assert below == ["Humidity", None, "Wind"]
    low = tree["children"][0]["children"][2]
    assert (low["n_rows"], low["label"]) == (0, 1)  # no row has Low: the parent's majority


def test_id3_solves_xor_at_zero_gain() -> None:
    one = problem(
        [nominal("p", ["0", "0", "1", "1"], "0 1"), nominal("q", ["0", "1", "0", "1"], "0 1")],
        nominal("xor", ["0", "1", "1", "0"], "0 1"),
    )
    tree = grow(one.table, one.y, settings_for("id3"), 2)
    assert (n_nodes(tree), depth_of(tree)) == (7, 2)


def test_golf_by_c45() -> None:
    how = settings_for("c4.5")
    study, root = root_of(golf(), how)
    found = {study.columns[t.test.column].name: t.gain for t in c45_tests(study, root)}
    assert found == pytest.approx({"outlook": 0.246750, "windy": 0.048127}, abs=5e-7)
    tree = grow(golf().table, golf().y, how, 2)
    assert n_nodes(tree) == 8
    sunny = tree["children"][0]
    assert (sunny["test"].cut, round(sunny["scored"].gain, 3)) == (75.0, 0.771)
    assert n_nodes(grow(golf().table, golf().y, settings_for("c4.5", min_branch=5.0), 2)) == 4
    assert n_errors(flatten(tree, how, 2), study) == 0


def test_unknown_values_divide() -> None:
    one = problem([numeric("x", [1, 2, 3, 4, "nan"])], nominal("y", ["a", "a", "b", "b", "a"], "a b"))
    study, root = root_of(one, settings_for("plain", missing="fractional"))
    (best,) = [s for s in scored_tests(study, root, root) if s.test.cut == 2.5]
    assert best.gain == pytest.approx((0.5 * 4) / 5)  # four fifths of the known gain
    assert [part.weights.tolist() for part in send(study, root, root, best.test)] == [
        [1, 1, 0.5],
        [1, 1, 0.5],
    ]


def test_a_surrogate_stands_in() -> None:
    one = problem(
        [numeric("x", [1, 2, 3, 4, 5, "nan"]), numeric("z", [9, 8, 9, 2, 1, 1])],
        nominal("y", ["a", "a", "a", "b", "b", "b"], "a b"),
    )
    study, root = root_of(one, settings_for("cart"))
    primary = Test(0, 2, cut=3.5)
    (stand_in,) = surrogates(study, root, root, primary)
    assert (stand_in.test.cut, stand_in.flip, stand_in.agreement, stand_in.adjusted) == (5.0, True, 1.0, 1.0)
    assert [len(part.rows) for part in send(study, root, root, primary, [stand_in])] == [3, 3]


def test_cuts_between_odd_neighbours() -> None:
    assert cut_between(1.0, float(np.nextafter(1.0, 2.0))) == 1.0
    assert cut_between(-1e308, 1e308) == 0.0 or np.isfinite(cut_between(-1e308, 1e308))
    assert cut_between(-np.inf, np.inf) == -np.inf


# ---- the judge -----------------------------------------------------------------

POLICIES = ["learned", "fractional", "surrogate", "own_branch", "most_common", "most_common_overall", "drop"]
EXAMPLES = at_most(25, 60)
QUICK = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def manners(draw: st.DrawFn, regression: bool) -> Settings:
    """Draw settings of the general kind."""
    return settings_for(
        draw(st.sampled_from(["plain", "cart"])),
        regression=regression,
        criterion=None if regression else draw(st.sampled_from(["gini", "entropy", "gain_ratio", "error"])),
        splits=draw(st.sampled_from(["binary", "multiway", "one_vs_rest"])),
        missing=draw(st.sampled_from(POLICIES)),
        min_leaf=draw(st.sampled_from([1.0, 2.0])),
        max_depth=draw(st.sampled_from([None, 1, 3])),
        min_gain=draw(st.sampled_from([None, 0.1])),
    )


@QUICK
@given(st.data())
def test_the_judge_accepts_the_twin(data: st.DataObject) -> None:
    one = data.draw(problems())
    how = data.draw(manners(regression=one.n_classes == 0))
    assume(len(root_of(one, how)[1].rows) > 0)  # dropping rows with gaps may leave none
    tree = grow(one.table, one.y, how, one.n_classes, one.weights)
    assert judge(flatten(tree, how, one.n_classes), one.table, one.y, one.weights, how) == n_nodes(tree)


@QUICK
@given(problems(task="classes", kinds=("numeric", "nominal")), st.booleans(), st.sampled_from([1.0, 2.0]))
def test_the_judge_accepts_c45_trees(one: Problem, ratio: bool, m: float) -> None:
    how = settings_for("c4.5", criterion="gain_ratio" if ratio else "entropy", min_branch=m)
    tree = grow(one.table, one.y, how, one.n_classes, one.weights)
    assert judge(flatten(tree, how, one.n_classes), one.table, one.y, one.weights, how) == n_nodes(tree)


def twin_of(one: Problem, how: Settings) -> SimpleNamespace:
    """Return the twin's own tree in a Tree's layout."""
    return flatten(grow(one.table, one.y, how, one.n_classes, one.weights), how, one.n_classes)


@pytest.mark.parametrize(
    ("field", "node", "value", "said"),
    [
        ("cut", 0, 3.5, "between"),
        ("score", 0, 0.25, "records score"),
        ("gain", 0, 0.25, "records gain"),
        ("n_rows", 1, 9, "records 9 rows"),
        ("label", 1, 1, "labelled 1"),
        ("largest", 0, 2, "largest branch"),
        ("missing", 0, 0, "saw no gap"),
        ("exact", 0, False, "marked as heuristic"),
    ],
)
def test_the_judge_sees_a_lie(field: str, node: int, value: Any, said: str) -> None:
    one = problem([numeric("x", [1, 2, 4, 5, 6])], nominal("y", ["a", "a", "b", "b", "b"], "a b"))
    how = settings_for("plain")
    tree = twin_of(one, how)
    assert judge(tree, one.table, one.y, None, how) == 3
    getattr(tree, field)[node] = value
    with pytest.raises(AssertionError, match=said):
        judge(tree, one.table, one.y, None, how)


def test_the_judge_sees_a_better_test() -> None:
    one = tennis()
    how = settings_for("plain", max_depth=1)
    keep = PlainTable(PlainSchema(one.table.schema.columns[1:]), one.table.values[1:])
    worse = twin_of(Problem(keep, one.target, one.y, one.weights), how)
    worse.column[worse.column >= 0] += 1
    with pytest.raises(AssertionError, match=r"'Outlook' .*scores better"):
        judge(worse, one.table, one.y, None, how)


def test_the_judge_sees_a_leaf_without_reason() -> None:
    one = tennis()
    stump = twin_of(one, settings_for("plain", max_depth=1))
    with pytest.raises(AssertionError, match="leaf without a reason"):
        judge(stump, one.table, one.y, None, settings_for("plain"))


def test_the_judge_sees_a_wrong_column_among_equals() -> None:
    twice = [numeric("b", [1, 2, 4, 5]), numeric("a", [1, 2, 4, 5])]
    one = problem(twice, nominal("y", ["a", "a", "b", "b"], "a b"))
    tree = twin_of(one, settings_for("plain"))
    assert tree.column[0] == 1  # by name, not by place
    tree.column[0] = 0
    with pytest.raises(AssertionError, match="comes first"):
        judge(tree, one.table, one.y, None, settings_for("plain"))
    by_place = settings_for("c4.5", missing="fractional")
    assert twin_of(one, by_place).column[0] == 0


def test_children_hop_from_end_to_end() -> None:
    tree = twin_of(tennis(), settings_for("id3"))
    assert children(tree, 0) == [1, 5, 6]


def test_strategies_make_what_they_say() -> None:
    @settings(max_examples=30, deadline=None, database=None)
    @given(strategies.problems(task="classes", gaps=False))
    def check(one: Problem) -> None:
        assert 2 <= one.n_classes <= 4
        assert all(len(values) == len(one.y) == len(one.weights) for values in one.table.values)
        assert (one.weights > 0).all()

    check()
