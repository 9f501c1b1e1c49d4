"""Scores: beside scikit-learn's, beside plain loops, and their standard errors beside simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import treewright as tw
from tests import tables
from treewright.evaluate import (
    MEASURES,
    Answers,
    answers,
    calibration_error,
    class_table,
    confusion,
    error,
    log_loss,
    r2,
    rmse,
)
from treewright.evaluate.measures import find_measures

CLASSES = ("a", "b", "c")
labels = st.lists(st.tuples(st.sampled_from(CLASSES), st.sampled_from(CLASSES)), min_size=1, max_size=30)


def shares(said, rng):
    raw = rng.random((len(said), 3)) + 0.05
    return raw / raw.sum(axis=1, keepdims=True)


THEIRS = {
    "accuracy": lambda t, g, p, w: metrics.accuracy_score(t, g, sample_weight=w),
    "balanced_accuracy": lambda t, g, p, w: metrics.recall_score(
        t, g, labels=sorted(set(t)), average="macro", sample_weight=w, zero_division=0
    ),
    "f1": lambda t, g, p, w: metrics.f1_score(t, g, average="macro", sample_weight=w, zero_division=0),
    "log_loss": lambda t, g, p, w: metrics.log_loss(t, p, labels=CLASSES, sample_weight=w),
    "brier": lambda t, g, p, w: np.average(
        ((p - (np.array(CLASSES) == np.array(t)[:, None])) ** 2).sum(axis=1), weights=w
    ),
    "mse": lambda t, g, p, w: metrics.mean_squared_error(t, g, sample_weight=w),
    "rmse": lambda t, g, p, w: metrics.root_mean_squared_error(t, g, sample_weight=w),
    "mae": lambda t, g, p, w: metrics.mean_absolute_error(t, g, sample_weight=w),
    "r2": lambda t, g, p, w: metrics.r2_score(t, g, sample_weight=w),
}


@given(labels, st.integers(0, 99), st.booleans())
def test_classes_beside_scikit_learn(pairs, seed, is_weighted):
    rng = np.random.default_rng(seed)
    truth, given_ = map(list, zip(*pairs, strict=True))
    chances = shares(truth, rng)
    weights = rng.integers(1, 4, len(truth)).astype(float) if is_weighted else np.ones(len(truth))
    found = Answers.of(truth, given_, classes=CLASSES, chances=chances, weights=weights)
    for name, measure in MEASURES.items():
        if measure.needs != "numbers" and name in THEIRS:
            wanted = THEIRS[name](truth, given_, chances, weights)
            assert measure.of(found).value == pytest.approx(wanted, abs=1e-12), name
    assert error(found).value == pytest.approx(1 - MEASURES["accuracy"].of(found).value)


@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=30),
    st.integers(0, 9),
)
def test_numbers_beside_scikit_learn(pairs, seed):
    truth, given_ = (np.array(values, dtype=float) / 4 for values in zip(*pairs, strict=True))
    weights = np.random.default_rng(seed).integers(1, 4, len(truth)).astype(float)
    found = Answers.of(truth, given_, weights=weights)
    for name in ("mse", "rmse", "mae"):
        assert MEASURES[name].of(found).value == pytest.approx(
            THEIRS[name](truth, given_, None, weights), abs=1e-9
        )
    if len(set(truth)) > 1:
        assert r2(found).value == pytest.approx(
            THEIRS["r2"](truth, given_, None, weights), rel=1e-9, abs=1e-9
        )


def test_every_score_has_one_to_be_compared_with() -> None:
    # The calibration error is scikit-learn's nowhere; it is compared with plain Python below.
    assert set(MEASURES) - set(THEIRS) <= {"error", "calibration_error", "poisson_deviance"}


@given(st.lists(st.tuples(st.integers(0, 20), st.booleans()), min_size=1, max_size=30), st.integers(1, 5))
def test_the_calibration_error_is_that_of_the_blackboard(pairs, bins):
    pairs = [(10 + part, is_right) for part, is_right in pairs]  # chances from 1/3 to 1
    chances = [[part / 30, 1 - part / 30] for part, _ in pairs]
    truth = ["a" if is_right else "b" for _, is_right in pairs]
    found = calibration_error(
        Answers.of(truth, ["a"] * len(pairs), classes=["a", "b"], chances=chances), bins
    )
    n, order = len(pairs), sorted(range(len(pairs)), key=lambda i: pairs[i][0])
    held: dict[int, list[int]] = {}
    for row in order:
        before = sum(part < pairs[row][0] for part, _ in pairs)
        same = sum(part == pairs[row][0] for part, _ in pairs)
        held.setdefault(min(int((before + same / 2) * bins / n), bins - 1), []).append(row)
    wanted = 0.0
    for rows in held.values():
        said = sum(pairs[i][0] / 30 for i in rows)
        wanted += abs(said - sum(pairs[i][1] for i in rows)) / n
    assert found.value == pytest.approx(wanted, abs=1e-12)


def test_brier_is_twice_the_score_of_one_of_two_classes():
    truth, p = ["a", "b", "b", "a"], np.array([0.7, 0.4, 0.1, 0.2])
    found = Answers.of(truth, truth, chances=np.column_stack([p, 1 - p]))
    one = metrics.brier_score_loss([t == "a" for t in truth], p)
    assert MEASURES["brier"].of(found).value == pytest.approx(2 * one)


@given(labels, st.integers(0, 99))
def test_a_row_of_weight_two_is_two_rows(pairs, seed):
    rng = np.random.default_rng(seed)
    times = rng.integers(1, 4, len(pairs))
    truth, given_ = map(list, zip(*pairs, strict=True))
    chances = shares(truth, rng)
    once = Answers.of(truth, given_, classes=CLASSES, chances=chances, weights=times)
    again = once.take(np.repeat(np.arange(len(pairs)), times))
    repeated = Answers(again.truth, again.given, np.ones(len(again.truth)), CLASSES, again.chances)
    numbers = [Answers(a.truth.astype(float), a.given.astype(float), a.weights) for a in (once, repeated)]
    for measure in MEASURES.values():
        pair = [measure.of(a) for a in (numbers if measure.needs == "numbers" else (once, repeated))]
        np.testing.assert_allclose(pair[0], pair[1], rtol=1e-9, atol=1e-12, err_msg=measure.name)


# ---- standard errors --------------------------------------------------------------------------------

N_ROWS, N_TIMES = 300, 1200


def simulated_classes():
    rng = np.random.default_rng(1)
    joint = np.array([[0.30, 0.06, 0.04], [0.05, 0.25, 0.05], [0.05, 0.05, 0.15]])
    for _ in range(N_TIMES):
        cell = rng.choice(9, N_ROWS, p=joint.ravel())
        truth, said = cell // 3, cell % 3
        chances = rng.dirichlet([4.0, 1.0, 1.0], N_ROWS)
        place = (np.arange(3) - said[:, None]) % 3  # the class said is usually the likeliest
        yield Answers(truth, said, np.ones(N_ROWS), CLASSES, np.take_along_axis(chances, place, axis=1))


def simulated_numbers():
    rng = np.random.default_rng(2)
    for _ in range(N_TIMES):
        y = rng.gamma(3.0, 2.0, N_ROWS)
        yield Answers(y, y + rng.normal(0, 1.5, N_ROWS) * (1 + y / 10), np.ones(N_ROWS))


@pytest.fixture(scope="module")
def simulated():
    return {"classes": list(simulated_classes()), "numbers": list(simulated_numbers())}


@pytest.mark.parametrize("name", list(MEASURES))
def test_standard_errors_are_the_spread_of_the_score(name, simulated):
    measure = MEASURES[name]
    cases = simulated["numbers" if measure.needs == "numbers" else "classes"]
    if name == "poisson_deviance":  # rates are positive
        cases = [Answers(a.truth, np.maximum(a.given, 0.5), a.weights) for a in cases]
    found = [measure.of(a) for a in cases]
    spread = np.std([score.value for score in found])
    told = np.sqrt(np.mean([score.standard_error**2 for score in found]))
    assert told == pytest.approx(spread, rel=0.08)  # four standard errors of a spread from 1200 draws


def test_a_rate_of_0_where_something_happened_is_infinitely_wrong():
    score = MEASURES["poisson_deviance"].of(Answers.of([1.0, 2.0], [0.0, 2.0]))
    assert score.value == np.inf
    assert np.isnan(score.standard_error)


@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_standard_errors_of_a_class(name, simulated):
    found = [getattr(confusion(a).per_class()[1], name) for a in simulated["classes"]]
    told = np.sqrt(np.mean([score.standard_error**2 for score in found]))
    assert told == pytest.approx(np.std([score.value for score in found]), rel=0.08)


# ---- where nothing can be said -----------------------------------------------------------------------


def test_classes_never_given_and_classes_without_rows():
    found = confusion(Answers.of(["a", "a", "b"], ["a", "c", "a"], classes=["a", "b", "c", "d"]))
    a, b, c, d = found.per_class()
    assert (a.precision.value, a.recall.value, a.f1.value) == (0.5, 0.5, 0.5)
    assert (math.isnan(b.precision.value), b.recall.value, b.f1.value) == (True, 0.0, 0.0)
    assert (c.precision.value, math.isnan(c.recall.value), c.f1.value, c.support) == (0.0, True, 0.0, 0.0)
    assert all(math.isnan(s.value) for s in (d.precision, d.recall, d.f1))
    assert "d                  -              -              -        0" in class_table(found.per_class())


def test_probability_zero():
    sure = Answers.of(["a", "b"], ["a", "a"], chances=[[1, 0], [1, 0]])
    assert log_loss(sure).value == pytest.approx(52 * math.log(2) / 2)
    assert log_loss(sure, least=0).value == math.inf
    assert math.isnan(log_loss(sure, least=0).standard_error)
    assert log_loss(sure.take(np.array([0]))).value == 0.0


def test_a_constant_target_has_no_r2_and_a_perfect_fit_no_error():
    assert math.isnan(r2(Answers.of([2.0, 2.0], [2.0, 3.0])).value)
    assert rmse(Answers.of([1.0, 2.0], [1.0, 2.0])) == (0.0, 0.0)


def test_confusion_as_frame_text_and_value():
    found = confusion(Answers.of(list("aabb"), list("abbb")))
    assert found == confusion(Answers.of(list("aabb"), list("abbb")))
    for backend in ("pandas", "polars", "pyarrow"):
        assert len(found.to_frame(backend)) == 2
    assert found.to_text().splitlines()[0].split() == ["true", "a", "b"]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Answers.of([], []), "no rows to judge by"),
        (lambda: Answers.of(["a"], ["b"], weights=[0]), "weight 0"),
        (lambda: Answers.of(["a", None], ["a", "a"]), "right answer of row 1 is missing"),
        (lambda: Answers.of([1.0, float("nan")], [1.0, 2.0]), "right answer of row 1 is nan"),
        (lambda: Answers.of(["a"], ["a", "b"]), r"shape \(2,\) for rows of the shape \(1,\)"),
        (lambda: Answers.of(["a"], ["z"], classes=["a", "b"]), "class 'z' is not one of 'a', 'b'"),
        (lambda: Answers.of(["a"], ["a"], chances=[[0.5, 0.5]]), "needs 1 rows x 1 classes"),
        (lambda: Answers.of(["a"], ["a"], chances=[[0.4]]), "add up to 1"),
        (lambda: Answers.of([1.0], [1.0], chances=[[1.0]]), "chances are for classes"),
        (lambda: confusion(Answers.of([1.0], [1.0])), "is for classes"),
        (lambda: rmse(Answers.of(["a"], ["a"])), "is for numbers"),
        (lambda: log_loss(Answers.of(["a"], ["a"])), "these answers have none"),
        (
            lambda: find_measures("rmse", is_classes=True),
            "'rmse' does not judge classes; use one of accuracy",
        ),
        (lambda: find_measures((), is_classes=True), "name at least one"),
        (lambda: find_measures("zzz", is_classes=True), "there are accuracy"),
    ],
)
def test_what_cannot_be_judged_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


# ---- of a tree --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "recipe"), [("vote", "c4.5"), ("iris", "cart"), ("abalone", "cart")])
def test_answers_are_the_trees(name, recipe):
    rows, target = tables.table(name), tables.target(name)
    tree = tw.grow(rows, target, recipe, prune="none", max_depth=4)
    found = answers(tree, rows, probabilities="raw")
    if not tree.is_classifier:
        np.testing.assert_array_equal(found.given, tree.predict(rows))
        return
    said = np.array(found.classes, dtype=object)
    assert (said[found.given] == tree.predict(rows)).all()
    assert (said[found.truth] == rows.labels(target)).all()
    np.testing.assert_array_equal(found.chances, tree.predict_proba(rows))


def test_a_class_the_tree_never_met_is_wrong():
    tree = tw.grow(tw.Table.from_dict({"x": [1, 2], "y": ["a", "b"]}), "y")
    found = answers(tree, tw.Table.from_dict({"x": [1, 2, 2], "y": ["a", "z", "b"]}))
    assert found.classes == ("a", "b", "z")
    assert error(found).value == pytest.approx(1 / 3)
    assert found.chances[:, 2].tolist() == [0, 0, 0]


def test_a_table_that_cannot_judge_a_tree():
    tree = tw.grow(tw.Table.from_dict({"x": [1, 2], "y": ["a", "b"]}), "y")
    with pytest.raises(ValueError, match="no column 'y', which the tree predicts"):
        answers(tree, tw.Table.from_dict({"x": [1]}))
    with pytest.raises(TypeError, match=r"of an estimator, its tree_"):
        answers("tree", tw.Table.from_dict({"x": [1]}))
    numbers = tw.grow(tw.Table.from_dict({"x": [1, 2], "y": [1.0, 2.0]}), "y")
    with pytest.raises(ValueError, match="'y' is nominal here"):
        answers(numbers, tw.Table.from_dict({"x": [1], "y": ["a"]}))


def test_two_thousand_classes():
    """By class and on the whole, in one look at the matrix."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2000, 6000).astype(str)
    given_ = np.where(rng.random(6000) < 0.5, truth, rng.permutation(truth))
    said = Answers.of(truth, given_)
    theirs = metrics.f1_score(truth, given_, average=None, labels=said.classes, zero_division=0)
    np.testing.assert_allclose([c.f1.value for c in confusion(said).per_class()], theirs)
    assert tw.evaluate.f1(said).value == pytest.approx(theirs.mean())
