"""Pages of forests, rules and linear models: they say what the rooms below say, and hold no rows."""

from __future__ import annotations

import re

import numpy as np
import pytest

import treewright as tw
from tests import tables
from treewright.explain import partial_dependence
from treewright.report import report


@pytest.fixture(scope="module")
def parts():
    return tw.evaluate.split(tables.table("crx"), tables.target("crx"), test=1 / 3, seed=0)


def written(tmp_path, model, *rows, **options):
    place = tmp_path / "page.html"
    report(model, place, *rows, **options)
    return place.read_text("ascii")


def checked(page):
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert not re.search(r"https?://(?!www\.w3\.org)", page)
    assert " style=" not in page
    return page


def test_a_forest_shows_error_importance_dependence_and_a_stand_in(tmp_path, parts):
    forest = tw.forest.grow(parts.train, target=tables.target("crx"), n_trees=30)
    page = checked(written(tmp_path, forest, parts.test, training=parts.train))
    said = tw.forest.out_of_bag(forest, parts.train)
    assert f"{100 * said.error:.1f}" in page
    worth = tw.forest.permutation_importance(forest, parts.train)
    best = int(np.argmax(worth.value))
    assert f"<title>{worth.names[best]}: {worth.value[best]:.4g}</title>" in page
    for title in ("Partial dependence", "Stand-in tree", "Mistakes", "Importance"):
        assert f">{title}</h2>" in page
    assert page == written(tmp_path, forest, parts.test, training=parts.train)


def test_a_forest_of_numbers_and_one_without_rows(tmp_path):
    table = tables.table("abalone").take(range(600))
    forest = tw.forest.grow(table, target="Rings", n_trees=10)
    page = checked(written(tmp_path, forest, training=table))
    assert "Out-of-bag RMSE" in page
    alone = checked(written(tmp_path, forest))
    assert "Out-of-bag" not in alone
    assert "Importance" in alone


def test_rules_are_listed_in_their_order(tmp_path, parts):
    target = tables.target("crx")
    tree = tw.grow(parts.train, target=target, recipe="c4.5", prune="none")
    rules = tw.rules.c45rules(tree, parts.train)
    page = checked(written(tmp_path, rules, parts.test))
    assert page.count("<li>") == len(rules) + 1
    right = float((rules.predict(parts.test) == parts.test.labels(target)).mean())
    assert f"{100 * right:.1f}" in page


def test_a_linear_model_has_its_weights(tmp_path):
    X = np.random.default_rng(0).normal(size=(80, 2))
    y = (X[:, 0] + np.random.default_rng(1).normal(size=80) > 0).astype(int)
    model = tw.LogisticRegression().fit(X, y)
    place = tmp_path / "model.html"
    model.report(place, title="<b>")
    page = checked(place.read_text("ascii"))
    assert "<b>" not in page.split("</header>")[0]
    assert f"{model.summary().weights[1].estimate:.4g}" in page
    tw.Perceptron().fit([[0.0], [1.0]], ["a", "b"]).report(place)
    assert "Perceptron: a / b" in checked(place.read_text("ascii"))


def test_estimators_of_forests_write_their_page(tmp_path):
    X, y = tables.table("iris").drop("class"), tables.table("iris").labels("class")
    model = tw.RandomForestClassifier(15).fit(X, y)
    place = tmp_path / "forest.html"
    model.report(place, X, y, X_test=X, y_test=y)
    page = checked(place.read_text("ascii"))
    assert "Out-of-bag error" in page
    assert "Stand-in tree" in page
    with pytest.raises(ValueError, match="give both X and y"):
        model.report(place, X)


def test_options_that_mean_nothing_are_refused(tmp_path, parts):
    forest = tw.forest.grow(parts.train, target=tables.target("crx"), n_trees=3)
    with pytest.raises(ValueError, match="folds= means nothing for a forest"):
        report(forest, tmp_path / "x.html", folds=5)
    with pytest.raises(TypeError, match=r"about a treewright\.Tree"):
        report("forest", tmp_path / "x.html")


def test_partial_dependence_is_the_mean_over_rows(parts):
    target = tables.target("crx")
    forest = tw.forest.grow(parts.train, target=target, n_trees=5)
    table = parts.train.take(range(40))
    found = partial_dependence(forest, table, "A9")
    assert found.values == table.column("A9")[0].categories
    for code, means in enumerate(found.means):
        arrays = [
            np.full(table.n_rows, code, np.int32) if name == "A9" else array
            for name, array in zip(table.names, table.values, strict=True)
        ]
        wanted = forest.predict_proba(tw.Table(table.schema, tuple(arrays))).mean(axis=0)
        assert means == pytest.approx(wanted)
    numbers = partial_dependence(forest, parts.train, "A2", points=5, rows=30, seed=3)
    assert len(numbers.values) <= 5
    assert np.array_equal(
        numbers.means, partial_dependence(forest, parts.train, "A2", points=5, rows=30, seed=3).means
    )
    assert set(numbers.to_dict()) == {"A2", *forest.classes}
    with pytest.raises(ValueError, match="no value"):
        partial_dependence(forest, table.take([]), "A2")


def test_a_linear_model_is_named_by_its_classes_and_its_figures_are_in_tiles(tmp_path):
    table = tw.example("titanic")
    model = tw.LogisticRegression().fit(table.drop("survived"), table.labels("survived"))
    model.report(tmp_path / "page.html")
    page = checked((tmp_path / "page.html").read_text("ascii"))
    assert "<h1>yes against no</h1>" in page
    assert "It adds up weights times values of " in page
    assert ">2,201<" in page
    assert "e-1" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)


def test_weights_without_intervals_have_bars_and_infinite_ones_a_sign(tmp_path):
    iris = tw.example("iris").take(range(100))
    X, y = iris.drop("class"), iris.labels("class")
    tw.Perceptron().fit(X, y).report(tmp_path / "page.html")
    page = checked((tmp_path / "page.html").read_text("ascii"))
    assert page.count('class="bar-value"') == 4
    assert 'class="interval"' not in page
    with pytest.warns(match="No finite maximum"):
        model = tw.LogisticRegression().fit(X, y)
    model.report(tmp_path / "page.html")
    assert "&#8722;&#8734;" in (tmp_path / "page.html").read_text("ascii")


def test_mistakes_of_a_forest_are_a_framed_matrix(tmp_path, parts):
    forest = tw.forest.grow(parts.train, target=tables.target("crx"), n_trees=5)
    page = checked(written(tmp_path, forest, parts.test))
    right = (forest.predict(parts.test) == parts.test.labels(tables.target("crx"))).sum()
    cells = re.findall(r'<td class="right s\d+">([\d,]+)<', page)
    assert sum(int(cell.replace(",", "")) for cell in cells) == right


def test_rules_count_whole_rows(tmp_path):
    table = tw.example("hypothyroid")
    page = checked(written(tmp_path, tw.grow(table, target="class", recipe="c4.5").rules()))
    assert not re.search(r"\d\.\d+ rows", page)


def test_a_name_of_two_thousand_letters_does_not_fill_a_sentence(tmp_path):
    long = "x" * 2000
    table = tw.Table.from_dict({"a": list(range(40)), "y": [long, "b"] * 20})
    page = written(tmp_path, tw.forest.grow(table, target="y", n_trees=3), training=table)
    assert max(map(len, re.findall(r'<p class="lead">(.*?)</p>', page))) < 300
