import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import DataConversionWarning

import treewright as tw
from treewright.estimators.targets import classes_of

X = np.arange(6.0).reshape(-1, 1)
WORDS = ["b", "a", "b", "c", "a", "c"]


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (WORDS, ["a", "b", "c"]),
        (np.array(WORDS), ["a", "b", "c"]),
        (np.array(WORDS, dtype=object), ["a", "b", "c"]),
        (pd.Series(WORDS), ["a", "b", "c"]),
        (pd.Series(WORDS, dtype="string"), ["a", "b", "c"]),
        (pd.Series(WORDS, dtype="category"), ["a", "b", "c"]),
        (pd.Categorical(WORDS, categories=["c", "z", "b", "a"]), ["a", "b", "c"]),
        (pl.Series(WORDS), ["a", "b", "c"]),
        (pl.Series(WORDS, dtype=pl.Categorical), ["a", "b", "c"]),
        (pl.Series(WORDS, dtype=pl.Enum(["c", "b", "a"])), ["a", "b", "c"]),
        (pa.array(WORDS), ["a", "b", "c"]),
        (pa.chunked_array([WORDS]).dictionary_encode(), ["a", "b", "c"]),
        ([10, 2, 10, 3, 2, 3], [2, 3, 10]),
        (np.array([10, 2, 10, 3, 2, 3], dtype=object), [2, 3, 10]),
        (pd.Series([10, 2, 10, 3, 2, 3], dtype="Int64"), [2, 3, 10]),
        (pd.Series(pd.Categorical([10, 2, 10, 3, 2, 3])), [2, 3, 10]),
        (np.array([10.0, 2, 10, -3, 2, -3], dtype=np.float32), [-3, 2, 10]),
        ([True, False] * 3, [False, True]),
        (np.array([True, False] * 3, dtype=object), [False, True]),
        (pd.Series([True, False] * 3, dtype="boolean"), [False, True]),
    ],
)
@pytest.mark.parametrize("recipe", ["plain", "c4.5"])
def test_classes_of_every_dtype(y, classes, recipe):
    settings = {"recipe": recipe, "min_samples_branch": 1} if recipe == "c4.5" else {}
    model = tw.DecisionTreeClassifier(**settings).fit(X, y)
    assert model.classes_.tolist() == classes
    assert model.predict_proba(X).shape == (6, len(classes))
    if recipe == "plain":
        assert model.predict(X).tolist() == np.asarray(y).tolist()
        assert model.score(X, np.asarray(y).tolist()) == 1
        assert model.classes_[model.predict_proba(X).argmax(axis=1)].tolist() == model.predict(X).tolist()


@pytest.mark.parametrize("make", [lambda y: pd.Categorical(y, categories=["no", "maybe", "yes"]),
                                  lambda y: pd.Series(pd.Categorical(y, categories=["no", "maybe", "yes"])),
                                  lambda y: pl.Series(y, dtype=pl.Enum(["no", "maybe", "yes"]))])  # fmt: skip
class TestDeclaredOrder:
    """The declared order decides ties in the faithful recipes only; `classes_` is sorted always."""

    y = ("yes", "no", "maybe", "yes", "no", "maybe")
    same = np.array([["s"]] * 6)

    @pytest.mark.parametrize("recipe", ["id3", "c4.5"])
    def test_faithful(self, make, recipe):
        model = tw.DecisionTreeClassifier(recipe=recipe).fit(self.same, make(self.y))
        assert model.classes_.tolist() == ["maybe", "no", "yes"]
        assert model.tree_.target.categories == ("no", "maybe", "yes")
        assert model.predict(self.same[:1]).tolist() == ["no"]

    @pytest.mark.parametrize("recipe", ["plain", "cart", "stump"])
    def test_others(self, make, recipe):
        model = tw.DecisionTreeClassifier(recipe=recipe).fit(self.same, make(self.y))
        assert model.tree_.target.categories == ("maybe", "no", "yes")
        assert model.predict(self.same[:1]).tolist() == ["maybe"]

    def test_probabilities_and_class_settings_follow_classes_(self, make):
        y = ("yes", "no", "yes", "yes", "no", "maybe")
        model = tw.DecisionTreeClassifier(recipe="c4.5").fit(self.same, make(y))
        np.testing.assert_allclose(model.predict_proba(self.same[:1]), [[1 / 6, 2 / 6, 3 / 6]])
        model = tw.DecisionTreeClassifier(recipe="c4.5", priors=[0.5, 0.3, 0.2]).fit(self.same, make(y))
        np.testing.assert_allclose(model.predict_proba(self.same[:1]), [[0.5, 0.3, 0.2]])
        costs = [[0, 1, 1], [100, 0, 100], [1, 1, 0]]  # never miss a "no"
        model = tw.DecisionTreeClassifier(recipe="c4.5", costs=costs).fit(self.same, make(y))
        assert model.predict(self.same[:1]).tolist() == ["no"]


def test_a_class_no_row_has_is_no_class():
    model = tw.DecisionTreeClassifier(recipe="c4.5", probabilities="laplace")
    model.fit(X, pd.Categorical(["a", "b"] * 3, categories=["z", "b", "a"]))
    assert model.classes_.tolist() == ["a", "b"]
    assert model.tree_.target.categories == ("b", "a")


@pytest.mark.parametrize(
    ("y", "error", "message"),
    [
        ([0.5, 1.5] * 3, ValueError, "Unknown label type: continuous"),
        (["a", None] * 3, ValueError, "missing in 3 of 6 rows"),
        (pd.Series(["a", None] * 3), ValueError, "missing in 3 of 6 rows"),
        ([1.0, np.nan] * 3, ValueError, "y contains NaN"),
        (pd.Series([1, None] * 3, dtype="Int64"), ValueError, "y contains NaN"),
        (np.array(["a", 1] * 3, dtype=object), TypeError, "y mixes int and str"),
        (np.zeros((6, 2)), ValueError, "y has 2 columns.*MultiOutputClassifier"),
        ([1, 0], ValueError, "inconsistent numbers of samples"),
        (None, ValueError, "requires y to be passed"),
    ],
)
def test_what_classes_cannot_be(y, error, message):
    with pytest.raises(error, match=message):
        tw.DecisionTreeClassifier().fit(X, y)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["a", "b"] * 3, "holds the text 'a'.*DecisionTreeClassifier"),
        ([1.0, np.nan] * 3, "y contains NaN"),
        ([1.0, np.inf] * 3, "y contains infinity"),
        (np.zeros((6, 2)), "y has 2 columns.*MultiOutputRegressor"),
        ([1e200] * 6, "its largest value is"),
        ([1, 0], "inconsistent numbers of samples"),
        (None, "requires y to be passed"),
    ],
)
def test_what_numbers_cannot_be(y, message):
    with pytest.raises(ValueError, match=message):
        tw.DecisionTreeRegressor().fit(X, y)


@pytest.mark.parametrize(
    "make", [list, np.array, pd.Series, pl.Series, pa.array, lambda y: pd.Series(y, dtype="Float64")]
)
def test_numbers_of_every_library(make):
    y = [1.5, 2, 3, 4, 5, 6.25]
    assert tw.DecisionTreeRegressor().fit(X, make(y)).predict(X).tolist() == y


def test_a_column_vector_warns_as_scikit_learn_does():
    with pytest.warns(DataConversionWarning):
        tw.DecisionTreeClassifier().fit(X, np.array(WORDS).reshape(-1, 1))


def test_the_target_keeps_its_name():
    assert tw.DecisionTreeClassifier().fit(X, pd.Series(WORDS, name="play")).tree_.target.name == "play"
    assert tw.DecisionTreeClassifier().fit(X, WORDS).tree_.target.name == "y"


class TestClassSettings:
    one = np.zeros((6, 1))
    y = (0, 0, 0, 0, 1, 1)

    def proba(self, y=y, **settings):
        return tw.DecisionTreeClassifier(**settings).fit(self.one, y).predict_proba(self.one[:1])[0].tolist()

    def test_class_weight(self):
        assert self.proba(class_weight="balanced") == pytest.approx([0.5, 0.5])
        assert self.proba(class_weight={0: 1, 1: 2}) == pytest.approx([0.5, 0.5])
        assert self.proba(class_weight={1: 2}) == pytest.approx([0.5, 0.5])
        assert self.proba(class_weight={0: 1, 1: 2, 7: 9}) == pytest.approx([0.5, 0.5])  # no row is a 7
        assert self.proba([bool(v) for v in self.y], class_weight={0: 1, 1: 2}) == pytest.approx([0.5, 0.5])
        with pytest.raises(ValueError, match="class_weight names the class '7'"):
            self.proba(class_weight={7: 2})

    def test_priors(self):
        assert self.proba(priors=[0.5, 0.5]) == pytest.approx([0.5, 0.5])
        assert self.proba(priors={0: 0.2, 1: 0.8}) == pytest.approx([0.2, 0.8])
        with pytest.raises(ValueError, match="3 numbers; there are 2 classes"):
            self.proba(priors=[1, 1, 1])

    def test_costs(self):
        for costs in ({1: {0: 9}}, [[0, 1], [9, 0]]):
            model = tw.DecisionTreeClassifier(costs=costs).fit(self.one, self.y)
            assert model.predict(self.one[:1]).tolist() == [1]
        with pytest.raises(ValueError, match="2 x 2"):
            self.proba(costs=[[0]])

    def test_probabilities(self):
        assert self.proba() == pytest.approx([4 / 6, 2 / 6])
        assert self.proba(probabilities="laplace") == pytest.approx([5 / 8, 3 / 8])
        assert self.proba(probabilities="m_estimate") == pytest.approx([4 / 6, 2 / 6])
        with pytest.raises(ValueError, match="'raw', 'laplace', 'm_estimate'"):
            self.proba(probabilities="smooth")


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int64", "uint64", "bool"])
def test_whole_classes_of_any_width_are_counted(dtype):
    info = np.iinfo(dtype) if dtype != "bool" else None
    low, high = (0, 1) if info is None else (info.max - 3, info.max)
    if dtype == "int8":
        low, high = info.min, info.max  # their difference is no int8
    y = np.array([high, low, high, low] * 100, dtype=dtype)
    target = classes_of(y, 400, by_declared_order=False)
    assert target.sorted.dtype == y.dtype
    assert target.sorted.tolist() == [y.min().item(), y.max().item()]
    np.testing.assert_array_equal(target.sorted[target.answers], y)
