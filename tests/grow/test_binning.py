"""Trees on numbers cut into intervals: they take numbers, and find edges on training rows only."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from tests.amount import at_most
from treewright import measure
from treewright.explain import paths
from treewright.growth import RECIPES, Settings
from treewright.measure.discretiser import WAYS
from treewright.predict import route_table
from treewright.prune.cross_validation import cross_validation
from treewright.prune.folds import held_out, row_keys
from treewright.table import Column, Kind, Schema, align, coded

NAMES = [name for name in WAYS if name != "by_hand"]
IRIS = tables.table("iris")


def binned_before(table, target, way):
    """The table with intervals as plain ordinal categories, made by hand."""
    made = measure.Discretiser.of(way)
    columns = {}
    orders = {}
    for column, values in zip(table.schema.columns, table.values, strict=True):
        if column.is_numeric and column.name != target:
            cuts = made.cuts(column.name, values, table.labels(target))
            orders[column.name] = measure.interval_names(cuts)
            words = np.array([*orders[column.name], None], dtype=object)
            columns[column.name] = words[measure.intervals(values, cuts)].tolist()
        else:
            columns[column.name] = table.labels(column.name)
            if not column.is_numeric:
                orders.setdefault("", None)
    declared = {
        c.name: c.categories for c in table.schema.columns if c.name not in orders and c.kind is Kind.nominal
    }
    orders.pop("", None)
    return tw.Table.from_dict(columns, ordinal=orders, categories=declared)


@pytest.mark.parametrize("way", NAMES)
@pytest.mark.parametrize("recipe", [name for name in RECIPES if name != "cart"])
def test_it_is_the_tree_of_the_binned_table(recipe, way):
    tree = tw.grow(IRIS, "class", recipe=recipe, discretise=way)
    plain = tw.grow(binned_before(IRIS, "class", way), "class", recipe=recipe)
    for name in ("end", "column", "kind", "cut", "code", "code_branch", "stats", "label", "score"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(plain, name))
    assert tree.predict(IRIS).tolist() == plain.predict(binned_before(IRIS, "class", way)).tolist()


rows = st.lists(
    st.tuples(st.integers(0, 12), st.sampled_from("pq"), st.sampled_from("ab")), min_size=1, max_size=30
)


@settings(max_examples=at_most(15, 40))
@given(rows, st.sampled_from(NAMES), st.sampled_from(["id3", "plain", "c4.5"]))
def test_any_table(found, way, recipe):
    x, z, y = (list(part) for part in zip(*found, strict=True))
    table = tw.Table.from_dict({"x": x, "z": z, "y": y})
    tree = tw.grow(table, "y", recipe=recipe, discretise=way)
    assert tree.schema["x"].edges == tuple(measure.Discretiser.of(way).cuts("x", x, y))
    again = tw.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    assert again == tree
    fresh = tw.Table.from_dict({"z": ["p", "q"], "x": [-99, 99]})
    assert again.predict(fresh).tolist() == tree.predict(fresh).tolist()
    route = route_table(tree, table)
    assert paths(tree, route).shape == (len(x), tree.n_nodes)


def test_the_text_names_the_intervals():
    tree = tw.grow(IRIS, "class", recipe="id3", discretise="mdlp", max_depth=1)
    assert tree.to_text().splitlines() == [
        "petalwidth",
        "├─ <= 0.8 → Iris-setosa  (50 rows)",
        "├─ in (0.8, 1.75] → Iris-versicolor 91 %  (54 rows, 5 errors)",
        "└─ > 1.75 → Iris-virginica 98 %  (46 rows, 1 error)",
    ]
    assert tree.schema["petalwidth"].categories == ("<= 0.8", "(0.8, 1.75]", "> 1.75")
    two = tw.grow(IRIS, "class", discretise="mdlp", max_depth=1)
    assert [line.split(" →")[0] for line in two.to_text().splitlines()] == [
        "petallength",
        "├─ <= 2.45",
        "└─ > 2.45",
    ]
    merged = tw.prune.merge(
        tw.grow(IRIS, "class", recipe="id3", discretise={"name": "equal_width", "bins": 5})
    )
    assert "{" not in merged.to_text()  # neighbouring intervals read as one


def test_a_column_that_no_cut_is_worth_cannot_split_and_does_not_harm():
    table = tables.table("temperature")
    tree = tw.grow(table, "PlayTennis", recipe="id3", discretise="mdlp", ledger=True)
    assert tree.n_nodes == 1
    assert tree.schema["Temperature"].categories == ("all",)
    assert tree.predict(table).tolist() == ["Yes"] * 6 or set(tree.predict(table)) == {tree.classes[0]}
    assert "only one value" in tree.why_not("Temperature")
    boundaries = tw.grow(table, "PlayTennis", recipe="id3", discretise="boundary_points")
    assert boundaries.predict(table).tolist() == table.labels("PlayTennis").tolist()


def test_gaps_stay_gaps():
    table = tables.table("labor")
    with pytest.raises(ValueError, match=r"'duration' is missing in 1 of 57 rows, and missing='error'"):
        tw.grow(table, "class", recipe="id3", discretise="mdlp")
    for missing in ("learned", "fractional", "own_branch", "most_common", "drop"):
        tree = tw.grow(table, "class", discretise="mdlp", missing=missing)
        assert tree.predict(table).shape == (57,)
    tree = tw.grow(table, "class", recipe="id3", discretise="equal_frequency", missing="fractional")
    assert (tree.predict(table) == table.labels("class")).mean() > 0.9


# ---- files ---------------------------------------------------------------------------------------------


def test_files_with_edges_have_a_version_of_their_own(tmp_path):
    tree = tw.grow(IRIS, "class", recipe="id3", discretise="mdlp")
    assert tree.to_dict()["version"] == 2
    assert tw.grow(IRIS, "class").to_dict()["version"] == 1  # older programs read it
    tree.save(tmp_path / "m.treewright")
    again = tw.load(tmp_path / "m.treewright")
    assert again == tree
    assert again.schema["petalwidth"].edges == (0.8, 1.75)
    assert again.predict(IRIS).tolist() == tree.predict(IRIS).tolist()


@pytest.mark.parametrize(
    ("edges", "words"),
    [
        ([1.75, 0.8], "must rise"),
        ("0.8", "must be a list of numbers"),
        ([{"$float": "inf"}, 1.75], "list of numbers"),
        ([0.8], "the intervals between its edges"),
        ([None, 1.75], "list of numbers"),
    ],
)
def test_damaged_edges_are_refused(edges, words):
    plain = tw.grow(IRIS, "class", recipe="id3", discretise="mdlp").to_dict()
    column = next(c for c in plain["schema"]["columns"] if c["name"] == "petalwidth")
    column["edges"] = edges
    with pytest.raises(ValueError, match=words):
        tw.Tree.from_dict(plain)


def test_only_ordinal_columns_have_edges():
    with pytest.raises(ValueError, match="only an ordinal column has edges"):
        Column("x", Kind.numeric, edges=(1.0,))
    plain = Column("x", Kind.ordinal, edges=(1, 2)).to_dict()
    assert Column.from_dict(plain) == Column("x", Kind.ordinal, edges=(1.0, 2.0))
    assert "edges=(1.0, 2.0)" in repr(Column.from_dict(plain))


# ---- the door ------------------------------------------------------------------------------------------


def test_numbers_names_and_nothing_else_come_through_the_door():
    columns = (Column("x", Kind.ordinal, edges=(54, 85)),)
    for cells, codes in (
        ([40, 54, None, 1e9], [0, 0, -1, 2]),
        (["> 85", "(54, 85]", None, "<= 54"], [2, 1, -1, 0]),
        ([None, None, None, None], [-1, -1, -1, -1]),
        ([True, False, None, True], [0, 0, -1, 0]),
    ):
        table = tw.Table.from_dict({"x": cells})
        assert coded(columns, align(table, columns))[0].tolist() == codes
    with pytest.raises(ValueError, match="'x' was numeric in training, but here it is nominal"):
        align(tw.Table.from_dict({"x": ["warm"]}), columns)


def test_a_table_binned_before_gives_a_tree_that_takes_numbers():
    cut = tw.discretise.MDLP().fit(IRIS.drop("class"), IRIS.labels("class"))
    before = cut.transform(IRIS.drop("class"))
    schema = Schema((*before.schema.columns, IRIS.schema["class"]))
    table = tw.Table(schema, (*before.values, IRIS.column("class")[1]))
    tree = tw.grow(table, "class", recipe="id3")
    same = tw.grow(IRIS, "class", recipe="id3", discretise="mdlp")
    assert tree.predict(IRIS).tolist() == same.predict(IRIS).tolist()
    assert tree.predict(table).tolist() == same.predict(IRIS).tolist()


# ---- training rows only --------------------------------------------------------------------------------


def test_folds_find_their_own_edges():
    table = tables.table("iris")
    tree = tw.grow(table, "class", recipe="id3", discretise="mdlp")
    seen = set()
    for fold in cross_validation(lambda fold: fold, tree, table, folds=np.arange(150) % 3):
        rest = table.take(np.setdiff1d(np.arange(150), fold.rows))
        own = tw.grow(rest, "class", recipe="id3", discretise="mdlp")
        assert fold.tree == own
        seen.add(own.schema)
    assert len(seen) == 3


def shifted(rows):
    """Iris with the numbers of some rows far away."""
    moved = [values.copy() for values in IRIS.values]
    for values in moved[:4]:
        values[rows] += 1000.0
    return tw.Table(IRIS.schema, tuple(moved))


def test_rows_of_a_fold_do_not_move_its_edges():
    fold_of = np.arange(150) % 2
    grown = {}
    for name, table in (("as it is", IRIS), ("moved", shifted(fold_of == 1))):
        tree = tw.grow(table, "class", recipe="id3", discretise="equal_width")
        grown[name] = cross_validation(lambda fold: fold.tree, tree, table, folds=fold_of)[1]
    assert grown["as it is"] == grown["moved"]
    assert grown["moved"].schema["petalwidth"].edges == tuple(
        measure.equal_width_cuts(IRIS.column("petalwidth")[1][fold_of == 0])
    )


@pytest.mark.parametrize("table", [IRIS, shifted(slice(0, 50, 3))], ids=["as it is", "some rows moved"])
def test_rows_kept_back_for_pruning_do_not_move_the_edges(table):
    """Which rows these are depends on what they hold (semantics 3.14.9)."""
    features = [table.column(name) for name in table.names if name != "class"]
    is_out = held_out(row_keys(features, table.column("class"), np.ones(150)), 1 / 3, 0)
    tree = tw.grow(table, "class", recipe="id3", discretise="equal_width", prune="reduced_error")
    width = table.column("petalwidth")[1]
    assert tree.schema["petalwidth"].edges == tuple(measure.equal_width_cuts(width[~is_out]))
    assert width[is_out].max() > 1000 or table is IRIS


@pytest.mark.parametrize(
    "prune", ["cv", "reduced_error", "error_based", "pessimistic", "mdl", "minimum_error", "critical_value"]
)
def test_every_way_to_prune_takes_it(prune):
    table = tables.table("kyphosis")
    tree = tw.grow(table, "Kyphosis", recipe="id3", discretise="equal_frequency", prune=prune)
    whole = tw.grow(table, "Kyphosis", recipe="id3", discretise="equal_frequency")
    assert 1 <= tree.n_leaves <= whole.n_leaves
    assert tree.predict(table).shape == (81,)
    assert tree.about["discretise"] == "equal_frequency"


def test_pruning_afterwards_judges_by_numbers():
    tree = tw.grow(IRIS, "class", recipe="id3", discretise="equal_width")
    small = tw.prune.reduced_error(tree, IRIS)
    assert small.n_leaves < tree.n_leaves
    raised = tw.prune.error_based(tree, IRIS)
    assert (raised.predict(IRIS) == IRIS.labels("class")).mean() > 0.9
    assert "none" in str(tw.prune.compare(tree, IRIS, IRIS))


# ---- settings ------------------------------------------------------------------------------------------


def test_weights_and_rows_without_weight():
    x, y = [1, 2, 3, 4, 5, 6, 7, 8, 99], list("aaaabbbba")
    table = tw.Table.from_dict({"x": x, "y": y})
    weights = [1] * 8 + [0]
    tree = tw.grow(table, "y", recipe="id3", discretise="mdlp", weights=weights)
    assert tree.schema["x"].edges == (4.5,)
    twice = tw.grow(table, "y", recipe="id3", discretise="boundary_points", weights=weights)
    assert twice.schema["x"].edges == (4.5,)


@pytest.mark.parametrize("way", NAMES)
def test_threads_change_nothing(way):
    trees = [tw.grow(IRIS, "class", recipe="id3", discretise=way, n_threads=n) for n in (1, 4)]
    assert trees[0] == trees[1]


def test_numbers_to_predict():
    table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": [1.5, 1.5, 7, 7]})
    tree = tw.grow(table, "y", discretise="equal_frequency")
    assert tree.predict(table).tolist() == [1.5, 1.5, 7, 7]
    with pytest.raises(ValueError, match="discretise='mdlp' looks at classes, and column 'y' is numeric"):
        tw.grow(table, "y", discretise="mdlp")


def test_objects_and_options():
    by_object = tw.grow(IRIS, "class", recipe="id3", discretise=tw.discretise.EqualWidth(bins=3))
    by_dict = tw.grow(IRIS, "class", recipe="id3", discretise={"name": "equal_width", "bins": 3})
    assert by_object == by_dict
    assert by_object.about["discretise"] == {"name": "equal_width", "bins": 3}
    hand = tw.discretise.ByHand({"petalwidth": [0.8, 1.75]})
    with pytest.raises(ValueError, match="'sepallength' is numeric"):
        tw.grow(IRIS, "class", recipe="id3", discretise=hand)
    tree = tw.grow(IRIS, "class", recipe="plain", discretise=hand)
    assert tree.schema["petalwidth"].edges == (0.8, 1.75)
    assert tree.schema["petallength"].is_numeric
    narrow = IRIS.select(["petalwidth", "class"])
    again = tw.grow(narrow, "class", recipe="id3", discretise=hand, prune="cv")
    assert tw.Tree.from_dict(again.to_dict()) == again


REFUSED = {
    "name": ({"discretise": "mdpl"}, ValueError, "did you mean 'mdlp'"),
    "object": ({"discretise": 3}, TypeError, "must be a name such as 'mdlp'"),
    "option": ({"discretise": {"name": "mdlp", "bins": 3}}, ValueError, "has no option 'bins'"),
    "spelling": ({"discretize": "mdlp"}, ValueError, "here it is called discretise"),
    "class": ({"discretise": tw.discretise.MDLP}, TypeError, "must be a name such as 'mdlp'"),
    "bad option": ({"discretise": tw.discretise.EqualWidth(bins=0)}, ValueError, "bins=0 must be at least 2"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_settings_are_checked(name):
    given_settings, kind, words = REFUSED[name]
    with pytest.raises(kind, match=words):
        Settings.of("id3", **given_settings)


def test_infinity_and_unknown_columns_are_refused():
    table = tw.Table.from_dict({"x": [1.0, np.inf], "y": ["a", "b"]})
    with pytest.raises(ValueError, match="'x' contains infinity: it is inf in row 1"):
        tw.grow(table, "y", discretise="mdlp")
    with pytest.raises(ValueError, match="did you mean 'x'"):
        tw.grow(table, "y", discretise=tw.discretise.ByHand({"xx": [1]}))
    nominal = tw.Table.from_dict({"x": ["1", "2"], "y": ["a", "b"]})
    with pytest.raises(ValueError, match="'x' is nominal; only numbers lie in intervals"):
        tw.grow(nominal, "y", discretise=tw.discretise.ByHand({"x": [1]}))


# ---- estimators ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("as_what", ["Table", "pandas", "float64", "float32", "list"])
def test_estimators_take_numbers_in_any_form(as_what):
    numbers = np.column_stack(IRIS.drop("class").values)
    forms = {
        "Table": IRIS.drop("class"),
        "pandas": pd.DataFrame(numbers, columns=IRIS.names[:4]),
        "float64": numbers,
        "float32": numbers.astype(np.float32),
        "list": numbers.tolist(),
    }
    answers = IRIS.labels("class")
    model = tw.DecisionTreeClassifier(recipe="id3", discretise="mdlp").fit(forms[as_what], answers)
    tree = tw.grow(IRIS, "class", recipe="id3", discretise="mdlp")
    assert model.predict(forms[as_what]).tolist() == tree.predict(IRIS).tolist()
    assert model.decision_path(forms[as_what]).sum() > 150
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert model.prune("reduced_error", forms[as_what], answers).get_n_leaves() < model.get_n_leaves()
    assert model.prune("cv", forms[as_what], answers).get_n_leaves() <= model.get_n_leaves()


def test_numbers_beside_categories_in_a_frame():
    table = tables.table("weather_numeric")
    frame = pd.DataFrame({name: table.to_dict()[name] for name in table.names})
    model = tw.DecisionTreeClassifier(recipe="id3", discretise="boundary_points")
    model.fit(frame.drop(columns="play"), frame["play"])
    assert model.score(frame.drop(columns="play"), frame["play"]) == 1.0
    with pytest.raises(ValueError, match="'humidity' cannot be numeric"):
        model.predict(frame.drop(columns="play").assign(humidity="high"))
    numbers = tw.DecisionTreeRegressor(discretise="equal_frequency").fit([[1], [2], [3]], [5, 7, 7])
    assert numbers.predict([[0], [9]]).tolist() == [5, 7]
