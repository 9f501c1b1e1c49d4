import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import treewright as tw
from treewright.estimators import inputs

# Rows here hold categories that training never met on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*training never met:treewright.DataWarning")

MIXED = {
    "sky": ["sun", "sun", "rain", "rain", None, "fog"],
    "windy": [True, False, True, None, False, True],
    "degrees": [21.5, None, 18, 17, 25, 12],
    "day": [1, 2, 3, 4, 5, 6],
}
Y = ["a", "b", "a", "b", "a", "b"]
KINDS = ["nominal", "boolean", "numeric", "numeric"]


def kinds(model):
    return [column.kind.value for column in model.tree_.schema.columns]


@pytest.mark.parametrize("recipe", ["plain", "c4.5", "cart"])
def test_every_library_gives_the_same_tree(library, recipe):
    settings = {
        "recipe": recipe,
        **({} if recipe != "cart" else {"min_samples_leaf": 1, "min_samples_split": 2}),
    }
    model = tw.DecisionTreeClassifier(**settings).fit(library(MIXED), Y)
    named = {
        f"x{i}": cells for i, cells in enumerate(MIXED.values())
    }  # ties go by name, and arrays have these
    table = tw.Table.from_dict(named if isinstance(library(MIXED), np.ndarray) else MIXED)
    other = tw.DecisionTreeClassifier(**settings).fit(table, Y)
    assert kinds(model) == KINDS
    assert model.tree_ == other.tree_
    np.testing.assert_array_equal(model.predict_proba(library(MIXED)), other.predict_proba(table))
    if recipe == "plain":
        assert model.score(library(MIXED), Y) == 1


def test_frame_names_are_kept_and_arrays_have_none(library):
    model = tw.DecisionTreeClassifier().fit(library(MIXED), Y)
    assert model.n_features_in_ == 4
    if isinstance(library(MIXED), np.ndarray):
        assert not hasattr(model, "feature_names_in_")
    else:
        assert model.feature_names_in_.tolist() == list(MIXED)
        assert model.feature_names_in_.dtype == object


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_names_in_predict_are_checked(frame):
    model = tw.DecisionTreeClassifier().fit(frame(MIXED), Y)
    with pytest.raises(ValueError, match="same order"):
        model.predict(frame(dict(reversed(MIXED.items()))))
    renamed = {("Sky" if name == "sky" else name): cells for name, cells in MIXED.items()}
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- Sky\n(.|\n)*now missing:\n- sky"):
        model.predict(frame(renamed))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        found = model.predict(pd.DataFrame(MIXED).to_numpy())
    assert found.tolist() == Y


def test_a_frame_after_an_array_goes_by_place():
    X = np.arange(8.0).reshape(4, 2)
    model = tw.DecisionTreeClassifier().fit(X, [0, 0, 1, 1])
    with pytest.warns(UserWarning, match="fitted without feature names"):
        assert model.predict(pl.DataFrame({"a": X[:, 0], "b": X[:, 1]})).tolist() == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="X has 3 features, but DecisionTreeClassifier is expecting 2"):
        model.predict(np.zeros((1, 3)))


def test_a_table_in_predict_goes_by_name():
    model = tw.DecisionTreeClassifier().fit(pd.DataFrame(MIXED), Y)
    assert model.predict(tw.Table.from_dict(dict(reversed(MIXED.items())))).tolist() == Y
    with pytest.raises(ValueError, match="'sky'"):
        model.predict(tw.Table.from_dict({"windy": [True], "degrees": [1], "day": [2]}))


def test_unseen_categories_follow_the_policy(library):
    train = {"sky": ["sun", "sun", "sun", "rain"], "n": [1.0, 1, 1, 1]}
    new = library({"sky": ["fog"], "n": [1.0]})
    y = ["a", "a", "a", "b"]
    assert tw.DecisionTreeClassifier().fit(library(train), y).predict(new) == ["a"]
    stops = tw.DecisionTreeClassifier(unseen="stop_here").fit(library(train), y)
    assert stops.predict_proba(new).tolist() == [[0.75, 0.25]]
    assert stops.apply(new).tolist() == [0]
    with pytest.raises(ValueError, match=r"'fog'|never had"):
        tw.DecisionTreeClassifier(unseen="error").fit(library(train), y).predict(new)


@pytest.mark.parametrize(
    "dtype", [np.float16, np.float32, np.float64, np.int8, np.int64, np.uint16, bool, object]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_numeric_arrays_of_any_dtype_and_order(dtype, order):
    X = np.array([[0, 1], [1, 1], [0, 0], [1, 0]]).astype(dtype, order=order)
    model = tw.DecisionTreeClassifier().fit(X, [0, 1, 1, 0])
    assert model.predict(X).tolist() == [0, 1, 1, 0]
    assert tw.DecisionTreeRegressor().fit(X, [0, 1, 1, 0]).predict(X).tolist() == [0, 1, 1, 0]


def test_float32_is_compared_as_the_float64_it_is():
    X = np.array([[0.1], [0.2], [0.3]], dtype=np.float32)
    model = tw.DecisionTreeClassifier().fit(X, [0, 0, 1])
    low, high = float(X[1, 0]), float(X[2, 0])
    assert model.tree_.cut[0] == low + (high - low) / 2


def test_input_arrays_are_left_alone_and_contiguous_columns_not_copied():
    X = np.asfortranarray(np.arange(12.0).reshape(4, 3))
    X.setflags(write=False)
    columns = inputs.features(X, "from_dtype", None).values
    assert all(np.shares_memory(column, X) for column in columns)


def test_only_asked_columns_are_copied_in_predict():
    X = np.random.default_rng(0).normal(size=(50, 30))
    model = tw.DecisionTreeClassifier(max_depth=1).fit(X, X[:, 7] > 0)
    columns = inputs.columns_for(model.tree_, X)
    assert len({id(column) for column in columns}) == 2
    assert columns[7].tolist() == X[:, 7].tolist()


def test_text_arrays_are_categories():
    model = tw.DecisionTreeClassifier().fit(np.array([["s", "1"], ["r", "2"]]), [0, 1])
    assert kinds(model) == ["nominal", "nominal"]
    model = tw.DecisionTreeClassifier().fit([[1, "a"], [2, "b"]], [0, 1])
    assert kinds(model) == ["numeric", "nominal"]


class TestCategoricalFeatures:
    X = np.array([[1.0, 5.0, 0.1], [2, 5, 0.2], [3, 6, 0.3], [1, 7, 0.4]])
    y = ("a", "b", "a", "a")

    @pytest.mark.parametrize(
        "given", [[0], (0,), np.array([0]), [True, False, False], np.array([True, False, False]), ["x0"]]
    )
    def test_by_place_mask_or_name(self, given):
        model = tw.DecisionTreeClassifier(categorical_features=given).fit(self.X, self.y)
        assert kinds(model) == ["nominal", "numeric", "numeric"]
        assert model.tree_.schema.columns[0].categories == ("1", "2", "3")
        assert model.predict(self.X).tolist() == list(self.y)
        model.predict(np.array([[9.0, 5, 0.1]]))  # 9 was never seen

    def test_by_name_in_a_frame_says_all_the_rest_are_numbers(self):
        frame = pd.DataFrame(self.X, columns=["a", "b", "c"]).assign(d=[True, False, True, True])
        model = tw.DecisionTreeClassifier(categorical_features=["b"]).fit(frame, self.y)
        assert kinds(model) == ["numeric", "nominal", "numeric", "numeric"]
        assert model.predict(frame).tolist() == list(self.y)

    def test_none_says_all_are_numbers(self):
        frame = pd.DataFrame({"digit": ["1", "2", "10", "2"], "truth": [True, False, False, True]})
        model = tw.DecisionTreeClassifier(categorical_features=None).fit(frame, [0, 0, 1, 0])
        assert kinds(model) == ["numeric", "numeric"]
        assert model.predict(frame).tolist() == [0, 0, 1, 0]
        with pytest.raises(ValueError, match="Column 'sky' cannot be numeric: it holds the text"):
            tw.DecisionTreeClassifier(categorical_features=None).fit(pd.DataFrame(MIXED), Y)

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            (["zz"], "No column is named 'zz'"),
            ([3], "place from 0 to 2"),
            ([True], "mask of 1 for 3"),
            ("auto", "'from_dtype', None"),
        ],
    )
    def test_what_is_refused(self, given, message):
        with pytest.raises(ValueError, match=message):
            tw.DecisionTreeClassifier(categorical_features=given).fit(self.X, self.y)


def test_ordinal_gives_an_order():
    frame = pd.DataFrame({"size": ["S", "M", "L", "M"]})
    y = [0, 1, 1, 1]
    model = tw.DecisionTreeClassifier(ordinal={"size": ["S", "M", "L"]}).fit(frame, y)
    assert kinds(model) == ["ordinal"]
    assert model.tree_.kind[0] == 1
    assert model.predict(frame).tolist() == y
    model.predict(pd.DataFrame({"size": ["XL"]}))  # unseen, not refused
    by_place = tw.DecisionTreeClassifier(ordinal={0: ["S", "M", "L"]}).fit(frame.to_numpy(), y)
    assert by_place.tree_.schema.columns[0].categories == ("S", "M", "L")
    with pytest.raises(ValueError, match="'L', not among its declared values"):
        tw.DecisionTreeClassifier(ordinal={"size": ["S", "M"]}).fit(frame, y)
    table = tw.Table.from_frame(frame)
    assert kinds(tw.DecisionTreeClassifier(ordinal={"size": ["S", "M", "L"]}).fit(table, y)) == ["ordinal"]


def test_ordered_categories_are_ordinal_by_themselves():
    frame = pd.DataFrame({"size": pd.Categorical(["S", "M"], categories=["S", "M", "L"], ordered=True)})
    model = tw.DecisionTreeClassifier().fit(frame, [0, 1])
    assert model.tree_.schema.columns[0] == tw.Column("size", tw.Kind.ordinal, ("S", "M", "L"))


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (sparse.csr_array(np.eye(2)), TypeError, r"Sparse .* X.toarray\(\)"),
        (np.empty((2, 0)), ValueError, "0 feature"),
        (pd.DataFrame(index=[0, 1]), ValueError, "no columns"),
        (np.empty((0, 2)), ValueError, "0 sample"),
        (np.zeros(2), ValueError, "Reshape your data"),
        (np.zeros((2, 2, 2)), ValueError, "dim 3"),
        (np.array([[1j], [2]]), ValueError, "Complex"),
        (pd.DataFrame([[1.0, 2], [3, 4]], columns=["a", "a"]), ValueError, "2 columns are named 'a'"),
        (pl.LazyFrame({"a": [1, 2]}), TypeError, "collect"),
        (np.array([[2**60 + 1], [5]]), ValueError, r"categorical_features=\['x0'\]"),
        (np.array([[{}], [1]], dtype=object), TypeError, "'x0' mixes"),
    ],
)
def test_what_is_refused(X, error, message):
    with pytest.raises(error, match=message):
        tw.DecisionTreeClassifier().fit(X, [0, 1])


def test_infinities_are_values():
    X = np.array([[np.inf], [-np.inf], [1], [2]])
    assert tw.DecisionTreeClassifier().fit(X, [0, 1, 0, 1]).predict(X).tolist() == [0, 1, 0, 1]


def test_missing_values_of_every_sort(library):
    columns = {"n": [1.0, None, 3, None], "t": ["a", None, "b", None], "b": [None, True, False, None]}
    model = tw.DecisionTreeClassifier().fit(library(columns), [0, 1, 0, 1])
    assert model.predict(library(columns)).tolist() == [0, 1, 0, 1]
    with pytest.raises(ValueError, match=r"Column '(n|x0)' is missing in 2 of 4 rows"):
        tw.DecisionTreeClassifier(missing="error").fit(library(columns), [0, 1, 0, 1])


def test_a_column_of_gaps_only(library):
    columns = {"n": [1.0, 2, 3, 4], "gaps": [None] * 4}
    assert (
        tw.DecisionTreeClassifier().fit(library(columns), [0, 0, 1, 1]).score(library(columns), [0, 0, 1, 1])
        == 1
    )


class TestWhatMustNotBeMisread:
    def test_masked_cells_are_gaps(self):
        X = np.ma.masked_array([[1.0], [2], [3], [999]], mask=[[0], [0], [0], [1]])
        plain = np.array([[1.0], [2], [3], [np.nan]])
        y = list("bbba")
        assert tw.DecisionTreeClassifier().fit(X, y).tree_ == tw.DecisionTreeClassifier().fit(plain, y).tree_
        with pytest.raises(TypeError, match="masked array"):
            tw.DecisionTreeClassifier().fit(np.ma.masked_array([["a"], ["b"]], mask=[[0], [1]]), list("ab"))

    def test_dates_where_numbers_were_fitted(self):
        model = tw.DecisionTreeClassifier().fit(pd.DataFrame({"n": [1.0, 2, 3, 4]}), list("ppqq"))
        with pytest.raises(TypeError, match="Column 'n' holds dates"):
            model.predict(pd.DataFrame({"n": pd.date_range("2020", periods=2)}))

    @pytest.mark.parametrize(
        "words",
        [{"class_weight": 5}, {"priors": 5}, {"costs": {"a": 5}}, {"costs": "x"}, {"recipe": ["plain"]}],
    )
    def test_odd_settings_are_refused_in_words(self, words):
        with pytest.raises(ValueError, match=next(iter(words))):
            tw.DecisionTreeClassifier(**words).fit([[1], [2], [3]], list("aba"))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_dates_are_a_kind_of_their_own(library):
    days = np.arange(17_900, 17_940).astype("M8[D]")
    y = np.where(days < np.datetime64("2019-01-24"), "a", "b")
    X = pd.DataFrame({"day": days.astype("M8[ns]"), "waited": np.arange(40).astype("m8[h]").astype("m8[ns]")})
    X = X if library == "pandas" else pl.from_pandas(X)
    model = tw.DecisionTreeClassifier().fit(X, y)
    assert [column.kind.value for column in model.tree_.schema.columns] == ["date", "duration"]
    assert "<= 2019-01-23" in model.tree_.to_text()
    assert model.predict(X).tolist() == y.tolist()
    late = pd.DataFrame({"day": ["2020-05-01"], "waited": ["1 h"]})  # texts are read as dates are shown
    assert model.predict(late).tolist() == ["b"]
