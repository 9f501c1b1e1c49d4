"""Every door takes whatever holds a table, and says what it takes where it is given something else."""

import inspect
from dataclasses import fields

import numpy as np
import pytest

import treewright as tw
from treewright.growth import Settings
from treewright.growth.keywords import Keywords
from treewright.table import table_of, table_with_target

CELLS = {
    "colour": ["red", "blue", "red", "blue", "red", "blue"],
    "size": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    "y": ["a", "a", "a", "b", "b", "b"],
}


def forms(folder):
    """Yield the same table in every form that is taken."""
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    yield "table", tw.Table.from_dict(CELLS)
    yield "pandas", pandas.DataFrame(CELLS)
    yield "polars", polars.DataFrame(CELLS)
    yield "arrow", pyarrow.table(CELLS)
    yield "dict", CELLS
    yield "records", [dict(zip(CELLS, row, strict=True)) for row in zip(*CELLS.values(), strict=True)]
    kinds = [("colour", "U4"), ("size", "f8"), ("y", "U1")]
    yield "structured", np.array(list(zip(*CELLS.values(), strict=True)), dtype=kinds)
    path = folder / "cells.csv"
    pandas.DataFrame(CELLS).to_csv(path, index=False)
    yield "path", path
    yield "text", str(path)


def test_every_form_grows_the_same_tree_and_is_predicted_explained_judged_and_reported(tmp_path):
    judge = tw.evaluate.accuracy
    expected = tw.grow(tw.Table.from_dict(CELLS), "y")
    for name, data in forms(tmp_path):
        tree = tw.grow(data, "y")
        assert tree == expected, name
        assert tree.predict(data).tolist() == CELLS["y"], name
        assert tree.predict_proba(data).shape == (6, 2), name
        assert tree.leaves(data).shape == (6,), name
        assert judge(tw.evaluate.answers(tree, data)).value == 1.0, name
        assert tree.prune("reduced_error", data).n_leaves == 2, name
        assert tree.rules().predict(data).tolist() == CELLS["y"], name
        assert tree.explain(3, data).prediction == "b", name
        tree.report(tmp_path / "r.html", data)
        assert tree.plot(table=data).to_svg() == expected.plot(table=tw.Table.from_dict(CELLS)).to_svg(), name
        forest = tw.forest.grow(data, "y", n_trees=3)
        assert forest.predict(data).shape == (6,), name
        found = tw.evaluate.cross_validate(data, "y", folds=2)
        assert found.answers.n_rows == 6, name


def test_an_array_without_names_takes_those_of_the_model():
    X = np.column_stack([np.arange(6.0), np.arange(6.0)[::-1]])
    tree = tw.grow({"first": X[:, 0], "second": X[:, 1], "y": CELLS["y"]}, "y")
    assert tree.predict(X).tolist() == CELLS["y"]
    assert tree.predict(X.tolist()).tolist() == CELLS["y"]
    with pytest.raises(ValueError, match="'first'"):
        tree.predict(X[:, :1])


def test_one_row_may_be_a_dict_or_a_series():
    pandas = pytest.importorskip("pandas")
    tree = tw.grow(CELLS, "y")
    assert tree.predict({"colour": "red", "size": 6}).tolist() == ["b"]
    assert tree.predict(pandas.DataFrame(CELLS).iloc[0]).tolist() == ["a"]
    with pytest.raises(TypeError, match="one column"):
        tree.predict(pandas.Series([1.0, 2.0], name="size"))


def test_the_target_is_a_name_a_place_or_one_answer_per_row():
    by_name = tw.grow(CELLS, "y")
    assert tw.grow(CELLS, -1) == by_name
    assert tw.grow({k: v for k, v in CELLS.items() if k != "y"}, CELLS["y"]).target.name == "target"
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(CELLS)
    assert tw.grow(frame.drop(columns="y"), frame["y"]) == by_name
    with pytest.raises(ValueError, match=r"place of a column; the table has 3"):
        tw.grow(CELLS, 3)
    with pytest.raises(ValueError, match="5 answers for 6 rows"):
        tw.grow(frame.drop(columns="y"), CELLS["y"][:5])
    with pytest.raises(ValueError, match="already"):
        tw.grow(frame, frame["y"])
    with pytest.raises(TypeError, match="is no column"):
        tw.grow(CELLS, None)


@pytest.mark.parametrize("data", [None, 3, 2.5, b"x", object(), {1, 2}, iter([1])])
def test_anything_else_is_told_what_is_taken(data):
    with pytest.raises(TypeError, match=r"grow takes a treewright\.Table, a pandas or polars frame"):
        tw.grow(data, "y")


def test_records_need_not_have_the_same_names():
    table = table_of([{"a": 1}, {"b": "x"}, {"a": 3, "b": "y"}])
    assert table.to_dict() == {"a": [1.0, None, 3.0], "b": [None, "x", "y"]}
    assert table_with_target([[1, 2], [3, 4]], "x1")[0].names == ("x0", "x1")


def test_the_doors_name_every_setting():
    settings = {field.name for field in fields(Settings)} - {"recipe", "tasks"}
    assert set(Keywords.__optional_keys__) == settings
    for door in (tw.grow, tw.forest.grow, tw.evaluate.cross_validate, tw.evaluate.learning_curve):
        shown = inspect.signature(door).parameters
        assert settings <= set(shown), door
        assert not [each for each in shown.values() if each.kind is inspect.Parameter.VAR_KEYWORD]
    for verb in ("plot", "explain", "report", "predict"):
        shown = inspect.signature(getattr(tw.Tree, verb)).parameters
        assert not [each for each in shown.values() if each.kind is inspect.Parameter.VAR_KEYWORD], verb
    tree = tw.grow(CELLS, "y")
    assert "max_depth" in inspect.signature(tree.plot).parameters
    assert "tree" not in inspect.signature(tree.plot).parameters


def test_new_categories_are_told_of_once_with_their_count():
    tree = tw.grow({"colour": list("rrbb"), "y": list("aabb")}, "y")
    forest = tw.forest.grow({"colour": list("rrbb") * 3, "y": list("aabb") * 3}, "y", n_trees=3)
    model = tw.DecisionTreeClassifier().fit(tw.Table.from_dict({"colour": list("rrbb")}), list("aabb"))
    words = r"2 of 3 rows hold categories that training never met: colour"
    for predict in (tree.predict, tree.predict_proba, forest.predict, tree.rules().predict, model.predict):
        with pytest.warns(tw.DataWarning, match=words) as heard:
            predict(tw.Table.from_dict({"colour": ["r", "mauve", "teal"]}))
        assert len(heard) == 1
    with pytest.warns(tw.DataWarning, match=r"colour 'mauve' \(1 row\)"):
        tree.predict({"colour": "mauve"})


def test_unknown_keywords_of_estimators_are_taken_or_explained():
    X, y = [[i] for i in range(8)], list("aabaabbb")
    same = tw.DecisionTreeClassifier(ccp_alpha=0.1).fit(X, y).tree_
    assert (
        same
        == tw.DecisionTreeClassifier(prune=tw.prune.CostComplexity(alpha=0.1, risk="impurity"))
        .fit(X, y)
        .tree_
    )
    sklearn = pytest.importorskip("sklearn.tree").DecisionTreeClassifier(ccp_alpha=0.1).fit(X, y)
    assert same.n_leaves == sklearn.get_n_leaves()
    assert tw.DecisionTreeClassifier(ccp_alpha=0.0, monotonic_cst=None).get_params()["prune"] is None
    assert tw.DecisionTreeRegressor(monotonic_cst={"x0": 1}).monotone == {"x0": 1}
    for given, words in (
        ({"max_dept": 3}, "has no parameter 'max_dept'; did you mean 'max_depth'"),
        ({"monotonic_cst": 1}, "monotone={'age': 1"),
        ({"max_leaves": 3}, "here it is called max_leaf_nodes"),
        ({"ccp_alpha": -1}, "tw.prune.CostComplexity"),
        ({"colour": 3}, "it has recipe, criterion"),
    ):
        with pytest.raises(TypeError, match=words):
            tw.DecisionTreeClassifier(**given)
    with pytest.raises(TypeError, match="not pruned"):
        tw.RandomForestClassifier(ccp_alpha=0.1)
    with pytest.raises(TypeError, match="did you mean 'n_estimators'"):
        tw.RandomForestClassifier(n_estimator=3)
    with pytest.raises(TypeError, match="twice"):
        tw.DecisionTreeClassifier(ccp_alpha=0.1, prune="cv")


def test_public_modules_show_public_names_only():
    for name in (*tw.__all__, "estimators", "table", "tree", "growth", "predict"):
        thing = getattr(tw, name, None)
        if inspect.ismodule(thing):
            assert set(dir(thing)) == set(thing.__all__), name


def test_print_shows_the_tree():
    tree = tw.grow(CELLS, "y")
    assert str(tree).splitlines()[0] == "Tree for y: 2 leaves, depth 1, grown on 6 rows"
    assert tree.to_text() in str(tree)
    wide = tw.grow({"x": np.arange(500.0), "y": list("ab") * 250}, "y")
    assert len(str(wide).splitlines()) < 60


def test_every_result_shows_itself_in_a_notebook():
    table = tw.example("vote")
    tree = tw.grow(table, "Class", max_depth=3)
    results = (
        table,
        table.describe(),
        tree.explain(0, table),
        tree.rules(),
        tw.evaluate.confusion(tw.evaluate.answers(tree, table)),
        tw.evaluate.cross_validate(table, "Class", folds=2),
        tw.prune.compare(tree, folds=None),
        tw.forest.impurity(tw.forest.grow(table, "Class", n_trees=2)),
    )
    for result in results:
        html = result._repr_html_()
        assert html.startswith("<"), type(result)
        assert "dataclass" not in html
        assert "Schema(" not in html
    hostile = tw.Table.from_dict({"<b>": ["<i>", "x"]})
    assert "<b>" not in hostile._repr_html_()
    assert "<i>" not in hostile._repr_html_()


def test_estimators_show_what_they_hand_on():
    model = tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "b"])
    for verb, word in (("plot", "max_depth"), ("explain", "wanted"), ("report", "folds")):
        shown = inspect.signature(getattr(model, verb)).parameters
        assert word in shown, verb
        assert not [each for each in shown.values() if each.kind is inspect.Parameter.VAR_KEYWORD], verb


def test_frames_not_read_yet_matrices_and_records_are_taken():
    polars = pytest.importorskip("polars")
    table = tw.Table.from_dict(CELLS)
    tree = tw.grow(table, "y")
    lazy = polars.DataFrame(CELLS).lazy()
    assert tw.grow(lazy, "y") == tree
    assert tree.predict(lazy).tolist() == tree.predict(table).tolist()
    records = np.array([("red", 1.0), ("blue", 6.0)], dtype=[("colour", "U4"), ("size", "f8")])
    assert tree.predict(records[1]).tolist() == ["b"]
    with pytest.warns(PendingDeprecationWarning):
        matrix = np.matrix([[1.0, 2.0], [3.0, 4.0]])
    assert table_of(matrix).to_dict() == {"x0": [1.0, 3.0], "x1": [2.0, 4.0]}


def test_answers_may_be_a_frame_or_an_array_of_one_column():
    pandas = pytest.importorskip("pandas")
    features = {name: CELLS[name] for name in ("colour", "size")}
    tree = tw.grow(CELLS, "y")
    assert tw.grow(features, pandas.DataFrame({"y": CELLS["y"]})) == tree
    assert tw.grow(features, np.array(CELLS["y"])[:, None]).n_leaves == tree.n_leaves
    with pytest.raises(TypeError, match="target=a DataFrame is no column: give its name"):
        tw.grow(features, pandas.DataFrame(CELLS))


def test_an_array_of_other_width_and_a_table_of_the_target_alone_are_refused_in_words():
    tree = tw.grow(CELLS, "y")
    words = "The array has 3 columns; the model was grown on 2: 'colour', 'size'. Give these, in this order"
    with pytest.raises(ValueError, match=words):
        tree.predict(np.zeros((4, 3)))
    with pytest.raises(ValueError, match="no column but the target 'y'; add columns"):
        tw.grow({"y": CELLS["y"]}, "y")


def test_an_unknown_column_is_told_without_the_quotes_of_a_key_error():
    with pytest.raises(KeyError) as caught:
        tw.grow(CELLS, "Y")
    assert str(caught.value) == "No column is named 'Y'; did you mean 'y'?"
