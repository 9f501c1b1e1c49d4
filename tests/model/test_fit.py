"""`tw.fit` and `recipe="auto"`: what is chosen, what is said, and that it can be repeated."""

import numpy as np
import pytest

import treewright as tw
from treewright.model import task
from treewright.model.choice import chosen
from treewright.model.task import Task
from treewright.prune.cost_complexity import cross_validated
from treewright.table import ClassTerms, Rows


def again(model, data):
    """Return what the call that a model names gives."""
    return eval(model.repeat, {"tw": tw, "data": data})


def noisy(n=400, seed=0):
    """Two columns that tell, one that does not, and a fifth of the labels turned."""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, n)).round(2)
    k = rng.integers(0, 4, n)
    y = ((x > 0.3) | (k == 2)) ^ (rng.random(n) < 0.15)
    return tw.Table.from_dict(
        {"x": x, "z": z, "k": [f"k{i}" for i in k], "y": np.where(y, "yes", "no").tolist()}
    )


def numbers(n=300):
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, n)).round(2)
    return tw.Table.from_dict({"x": x, "z": z, "y": (3 * (x > 0) + rng.normal(size=n) * 0.5).round(3)})


@pytest.mark.parametrize(
    ("data", "settings"),
    [
        (noisy(), {}),
        (noisy(), {"max_depth": 3, "class_weight": "balanced"}),
        (noisy(), {"costs": {"yes": {"no": 3.0}}, "seed": 4}),
        (numbers(), {}),
        (numbers(), {"min_leaf": 20.0, "seed": 2}),
    ],
)
def test_the_call_it_names_gives_the_same_tree(data, settings):
    model = tw.fit(data, "y", **settings)
    assert again(model, data) == model.tree


def test_the_smallest_tree_within_one_standard_error_is_taken():
    data = noisy()
    model = tw.fit(data, "y")
    sizes = []
    for recipe in ("c4.5", "cart"):
        tree = tw.grow(data, "y", recipe, prune="none")
        judged = cross_validated(tree, data, repeats=task.repeats_for(data.n_rows))
        sizes += zip(judged.error, judged.standard_error, judged.path.n_leaves, strict=True)
    best, spread, _ = min(sizes)
    near = [leaves for error, _, leaves in sizes if error <= best + spread]
    assert model.tree.n_leaves <= min(near)  # C4.5's own pruning may be smaller still
    assert model.tree.n_leaves == model.rivals.choice.leaves
    assert model.rivals.best.error <= best + 1e-12


def test_order_of_rows_and_threads_do_not_matter():
    data = noisy()
    first = tw.fit(data, "y")
    assert tw.fit(data, "y", n_threads=4).tree == first.tree
    turned = tw.fit(data.take(np.arange(data.n_rows)[::-1]), "y")
    assert turned.repeat == first.repeat


def test_numbers_take_the_cart_family_alone():
    model = tw.fit(numbers(), "y")
    assert {rival.recipe for rival in model.rivals} == {"cart"}
    assert model.rivals.measure == "mse"
    assert "RMSE" in str(model.rivals)
    assert model.tree.n_leaves == 2


def test_whole_numbers_of_few_values_are_classes_unless_told():
    data = {"x": list(range(40)), "y": [0] * 20 + [1] * 20}
    assert tw.fit(data, "y").tree.classes == ("0", "1")
    assert "task='numbers'" in " ".join(tw.fit(data, "y").notes)
    assert not tw.fit(data, "y", task="numbers").tree.is_classifier
    with pytest.raises(ValueError, match="task='both' is not one of"):
        tw.fit(data, "y", task="both")


def test_scores_are_of_rows_held_out():
    model = tw.fit(noisy(), "y", test=0.3)
    assert list(model.scores) == ["training", "10 folds", "test"]
    assert model.test.n_rows == 120
    assert model.answers["10 folds"].n_rows == model.train.n_rows == 280
    said = model.predict(model.test)
    right = float((said == model.test.labels("y")).mean())
    assert model.scores["test"]["accuracy"].value == pytest.approx(right)
    apart = tw.fit(noisy(), "y", test=noisy(seed=9))
    assert apart.train.n_rows == apart.test.n_rows == 400


def test_large_tables_are_chosen_on_a_sample_and_that_is_said(monkeypatch):
    monkeypatch.setattr(task, "MOST_ROWS", 150)
    data = noisy()
    model = tw.fit(data, "y")
    assert any("chosen on 150 of 400 rows" in note for note in model.notes)
    assert again(model, data) == model.tree
    assert int(model.tree.n_rows[0]) >= 400


def test_a_recipe_that_is_given_is_taken():
    model = tw.fit(noisy(), "y", "c4.5")
    assert model.tree == tw.grow(noisy(), "y", "c4.5")
    assert model.repeat == "tw.grow(data, 'y', 'c4.5')"
    assert list(model.scores) == ["training", "10 folds"]
    assert list(tw.fit(noisy(), "y", "cart", folds=0).scores) == ["training"]
    pruned = tw.fit(noisy(), "y", prune="none", max_leaves=5)
    assert pruned.tree.about["recipe"] == "c4.5"
    with pytest.raises(ValueError, match=r"There is no recipe 'crat'.*did you mean 'cart'"):
        tw.fit(noisy(), "y", "crat")
    with pytest.raises(ValueError, match="did you mean 'max_depth'"):
        tw.fit(noisy(), "y", max_dept=3)


def test_what_pruning_takes_from_max_leaves_is_said():
    model = tw.fit(noisy(), "y", "cart", max_leaves=30)
    assert model.tree.n_leaves < 30
    assert "max_leaves=30 bounds growing; pruning" in model.notes[0]
    assert tw.fit(noisy(), "y", "plain", max_leaves=4).notes == ()


@pytest.mark.parametrize("folds", ["ten", 1, -1, 2.5, True])
def test_folds_of_fit_are_a_number(folds):
    with pytest.raises(ValueError, match="must be a whole number of at least 2, or 0 for none"):
        tw.fit(noisy(), "y", folds=folds)


def test_honest_leaves_are_kept_by_the_choice_and_judged_in_the_folds():
    model = tw.fit(noisy(), "y", honest=0.5)
    assert 150 < model.tree.weights[0] < 250
    assert again(model, noisy()) == model.tree
    assert model.answers["10 folds"].n_rows == 400


def test_families_that_the_settings_do_not_fit_are_left_out_with_the_reason():
    rows = Rows.of(noisy(), "y")
    found = chosen(Task(rows, ClassTerms(), {"missing": "surrogate"}))
    assert found.recipe == "cart"
    (reason, ways), *_ = found.rivals.left_out.items()
    assert ways == ("c4.5",)
    assert "surrogate" in reason


# ---- verdicts ---------------------------------------------------------------------------------------------


def test_it_says_when_nothing_can_be_learned():
    rng = np.random.default_rng(3)
    data = {"x": rng.normal(size=200), "y": np.where(rng.random(200) < 0.7, "a", "b").tolist()}
    assert tw.fit(data, "y").verdict.startswith("No better than guessing")
    assert "always saying a" in tw.fit(data, "y").verdict


def test_it_says_when_it_learned_by_heart():
    rng = np.random.default_rng(3)
    data = {"x": rng.normal(size=300), "z": rng.normal(size=300), "y": list("ab") * 150}
    said = tw.fit(data, "y", "plain").verdict
    assert "learns by heart: 100.0 % on the rows it has seen" in said
    held = {"x": rng.normal(size=200), "y": rng.normal(size=200)}
    assert "learns by heart" in tw.fit(held, "y", "plain", task="numbers").verdict


def test_it_says_when_one_column_decides_all():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    data = {"z": rng.normal(size=200), "leak": y * 10.0, "y": np.where(y, "a", "b").tolist()}
    assert "One column decides all: leak." in tw.fit(data, "y").verdict


def test_it_says_when_classes_are_unbalanced():
    rng = np.random.default_rng(3)
    y = np.where(rng.random(600) < 0.04, "rare", "usual")
    data = {"x": rng.normal(size=600), "y": y.tolist()}
    said = tw.fit(data, "y").verdict
    assert "unbalanced: rare is" in said
    assert "class_weight='balanced'" in said
    assert "unbalanced" not in tw.fit(data, "y", class_weight="balanced").verdict


def test_it_says_when_rows_are_few():
    assert "Too few rows to be sure: 14." in tw.fit(tw.example("tennis"), "PlayTennis").verdict


def test_it_shows_itself():
    model = tw.fit(noisy(), "y")
    text = str(model)
    assert model.verdict in text
    assert model.repeat in text
    assert model.tree.to_text() in text
    assert "<svg" in model._repr_html_()
    assert repr(model).startswith("Model(Tree(y by")
    assert "<table" in model.rivals._repr_html_()


# ---- compare ----------------------------------------------------------------------------------------------


def test_compare_is_sorted_and_has_a_forest_and_says_each_reason_once():
    found = tw.compare(noisy(), "y", prunings=["none", "cv", "mdl"], folds=3)
    errors = [row.error for row in found]
    assert errors == sorted(errors)
    forest = [row for row in found if row.recipe == "forest"]
    assert len(forest) == 1
    assert not forest[0].is_tree
    assert found.best.is_tree
    assert found.choice.is_tree
    lines = [line for line in str(found).splitlines() if line.startswith("left out")]
    assert len(lines) == len(set(lines)) == 1
    assert "id3" in lines[0]
    assert found.to_dict()["is_choice"].count(True) == 1
    assert len(found.to_frame("pandas")) == len(found)


def test_compare_judges_as_cross_validation_does():
    data = noisy()
    found = tw.compare(data, "y", ["cart"], ["cv"], folds=4, forest=False, seed=3)
    judged = tw.evaluate.cross_validate(data, "y", "cart", prune="cv", folds=4, seed=3, scores="error")
    assert found.best.error == judged.overall["error"].value
    with pytest.raises(ValueError, match="Nothing could be compared"):
        tw.compare(data, "y", ["id3"], ["none"], forest=False)


def with_codes():
    """0 and 1 for classes, an identifier, weights of rows and a row without an answer."""
    cells = noisy().to_dict()
    y = [int(word == "yes") for word in cells.pop("y")]
    rng = np.random.default_rng(2)
    return {**cells, "number": list(range(len(y))), "w": rng.random(len(y)) + 0.5, "y": [None, *y[1:]]}


@pytest.mark.filterwarnings("ignore::treewright.DataWarning")
@pytest.mark.parametrize("settings", [{}, {"test": 0.3, "seed": 3}, {"weights": "w", "keep": "number"}])
def test_what_fit_prepares_is_prepared_again(settings):
    data = with_codes()
    model = tw.fit(data, "y", **settings)
    assert model.repeat.startswith("tw.fit(data, 'y', '")
    assert again(model, data) == model.tree


def test_answers_and_weights_of_ones_own_are_named_in_the_call():
    cells = noisy().to_dict()
    target = cells.pop("y")
    weights = np.linspace(0.5, 1.5, len(target))
    model = tw.fit(cells, target, "cart", weights=weights)
    assert model.repeat == "tw.grow(data, target, 'cart', weights=weights)"
    found = eval(model.repeat, {"tw": tw, "data": cells, "target": target, "weights": weights})
    assert found == model.tree


def test_one_class_alone_is_nothing_to_tell_apart():
    verdict = tw.fit({"x": range(40), "y": ["a"] * 40}, "y").verdict
    assert verdict == "Every row is a: there is nothing to tell apart."
    few = tw.fit({"x": [1, 2], "y": ["a", "b"]}, "y").verdict
    assert "learns by heart" not in few


def test_a_warning_points_at_the_line_that_called():
    with pytest.warns(tw.DataWarning) as caught:
        tw.fit({"x": [1.0, 2.0, 3.0, 4.0] * 50, "c": ["k"] * 200, "y": list("aabb") * 50}, "y")
    assert {each.filename for each in caught} == {__file__}


def test_unseen_categories_are_counted_once_and_point_at_the_line_that_predicts():
    data = noisy()
    model = tw.fit(data, "y", "cart", folds=0)
    new = {**data.to_dict(), "k": ["new"] * data.n_rows}
    for predict in (model.predict, model.tree.predict):
        with pytest.warns(tw.DataWarning, match="400 of 400 rows hold categories") as caught:
            predict(new)
        assert [each.filename for each in caught] == [__file__]
