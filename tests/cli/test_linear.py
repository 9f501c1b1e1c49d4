"""Trees with sums of columns and with models: every command takes them, or says why not."""

from __future__ import annotations

import json

import pytest

import treewright as tw
from tests.cli.running import DATA, finished, good, refused

IRIS, ABALONE = DATA / "iris.csv", DATA / "abalone.csv"


@pytest.fixture(scope="module")
def sums(tmp_path_factory):
    place = tmp_path_factory.mktemp("sums") / "sums.treewright"
    good("fit", IRIS, "--target", "class", "--recipe", "plain", "--splits", "linear", "--prune", "none",
         "--min-leaf", 2, "--cv", 0, "-o", place)  # fmt: skip
    return place


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    place = tmp_path_factory.mktemp("models") / "models.treewright"
    good("fit", IRIS, "--target", "class", "--leaves", "logistic", "--min-leaf", 20, "--prune", "none",
         "--cv", 0, "-o", place)  # fmt: skip
    return place


def test_options_are_settings(sums, models):
    grown = tw.grow(tw.read(IRIS), "class", splits="linear", prune="none", min_leaf=2)
    assert tw.load(sums).has_sums
    assert tw.load(sums).to_text() == grown.to_text()
    assert tw.load(models).has_models
    assert tw.load(models).about["recipe"] == "cart"


def test_every_setting_of_sums_and_models_has_an_option(tmp_path):
    place = tmp_path / "m.treewright"
    good("fit", IRIS, "--target", "class", "--splits", "linear", "--leaves", "logistic", "--linear-search",
         "random", "--linear-attributes", 2, "--linear-penalty", 0.01, "--linear-tries", 7,
         "--lookahead", 1, "--leaf-attributes", 1, "--prune", "none", "--cv", 0,
         "-o", place)  # fmt: skip
    about = tw.load(place).about
    wanted = {"splits": "linear", "leaves": "logistic", "linear_search": "random", "linear_attributes": 2,
              "linear_penalty": 0.01, "linear_tries": 7, "lookahead": 1, "leaf_attributes": 1,
              "recipe": "cart"}  # fmt: skip
    assert {name: about[name] for name in wanted} == wanted


def test_a_warning_is_a_sentence_about_options():
    code, _, said = finished("fit", DATA / "tennis.csv", "--target", "PlayTennis", "--splits", "linear",
                             "--lookahead", 2, "--missing-policy", "learned")  # fmt: skip
    assert code == 0
    assert said.count("Note: --lookahead 2 has no effect: it judges sums of two or more columns") == 1
    assert "Warning" not in said
    assert ".py" not in said


@pytest.mark.parametrize("kind", ["sums", "models"])
def test_commands_take_them(kind, request, tmp_path):
    place = request.getfixturevalue(kind)
    tree, table = tw.load(place), tw.read(IRIS)
    assert good("show", place).stdout.rstrip("\n") == tree.to_text()
    said = good("predict", place, IRIS).stdout.splitlines()[1:]
    assert said == tree.predict(table).tolist()
    told = json.loads(good("evaluate", place, IRIS, "--json").stdout)
    right = sum(a == b for a, b in zip(said, table.labels("class"), strict=True)) / table.n_rows
    assert told["accuracy"]["value"] == pytest.approx(right)
    small = tmp_path / "small.treewright"
    good("prune", place, "--method", "cost_complexity:alpha=0.02", "-o", small)
    pruned = tw.prune.cost_complexity(tree, alpha=0.02)
    assert tw.load(small).to_text() == pruned.to_text()
    assert pruned.n_leaves < tree.n_leaves
    good("plot", place, tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").stat().st_size > 1000


def test_a_node_with_a_sum_and_one_with_a_model(sums, models):
    tree = tw.load(sums)
    asks = next(i for i in range(tree.n_nodes) if tree.kind[i] == 3)
    assert f"asks {tree.node(asks).question}," in good("show", sums, "--node", asks).stdout
    said = good("show", models, "--node", 0).stdout
    assert f"answers with {tw.load(models).node(0).model}" in said
    assert "errors of the model" in said
    assert "says without the model" in said


def test_numbers_with_models(tmp_path):
    place = tmp_path / "n.treewright"
    good("fit", ABALONE, "--target", "Rings", "--leaves", "linear", "--max-depth", 1, "--prune", "none",
         "--cv", 0, "-o", place)  # fmt: skip
    assert "RMSE of the model" in good("show", place, "--node", 1).stdout


def test_rules_say_sums_and_refuse_models(sums, models):
    assert " AND " in good("rules", sums).stdout
    said = refused("rules", models)
    assert "models" in said
    assert "--leaves constant" in said


def test_what_does_not_go_with_sums():
    said = refused("fit", IRIS, "--target", "class", "--splits", "linear", "--recipe", "c4.5")
    assert "--splits linear does not go with" in said
    assert "--recipe plain or cart" in said
    said = refused("fit", IRIS, "--target", "class", "--leaves", "linear")
    assert "--leaves logistic" in said
    refused("fit", IRIS, "--target", "class", "--splits", "linear", "--linear-lookahead", 3, code=2)


@pytest.mark.parametrize("kind", ["sums", "models"])
def test_explanations_and_reports(kind, request, tmp_path):
    place, page = request.getfixturevalue(kind), tmp_path / "page.html"
    said = good("explain", place, IRIS, "--row", 70).stdout
    assert str(tw.load(place).explain(69, tw.read(IRIS))) in said  # rows of a file count from 1
    wish = ("explain", place, IRIS, "--row", 70, "--wanted", "Iris-setosa")
    if kind == "models":
        assert "--leaves constant" in refused(*wish)
    else:
        assert "Least change for Iris-setosa" in good(*wish).stdout
    good("report", place, "--data", IRIS, "-o", page)
    assert page.stat().st_size > 50_000
