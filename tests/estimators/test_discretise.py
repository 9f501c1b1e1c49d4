"""The transformers of tw.discretise: containers, names, refusals."""

import json
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import skops.io
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline

import treewright as tw
from tests import tables
from treewright import measure
from treewright.measure.discretiser import WAYS

D = tw.discretise
ALL = [
    D.EqualWidth(),
    D.EqualFrequency(bins=3),
    D.MDLP(),
    D.MDLP(encoding="cuts"),
    D.Kononenko(),
    D.BoundaryPoints(),
    D.ByHand([0.5]),
]
SUPERVISED = [D.MDLP(), D.Kononenko(), D.BoundaryPoints()]


def test_every_way_has_its_transformer():
    assert {type(cut).way for cut in ALL} == set(WAYS)
    assert {getattr(D, name) for name in D.__all__} == {type(cut) for cut in ALL}


X = pd.DataFrame(
    {
        "degrees": [40.0, 48, 60, 70, 80, None],
        "outlook": ["a", "b", None, "a", "b", "a"],
        "days": [1, 2, 3, 4, 5, 6],
        "windy": [True, False, True, False, True, False],
    },
    index=list("pqrstu"),
)
y = np.array(["no", "no", "yes", "yes", "yes", "no"])
HAND = D.ByHand({"degrees": [54, 85], "days": [3]})


def test_pandas_gets_ordered_categories_and_keeps_the_rest():
    found = HAND.fit(X).transform(X)
    assert found["degrees"].cat.ordered
    assert found["degrees"].cat.categories.tolist() == ["<= 54", "(54, 85]", "> 85"]
    assert found["degrees"].cat.codes.tolist() == [0, 0, 1, 1, 1, -1]
    assert found["days"].astype(str).tolist() == ["<= 3"] * 3 + ["> 3"] * 3
    pd.testing.assert_frame_equal(found[["outlook", "windy"]], X[["outlook", "windy"]])
    assert found.index.tolist() == list("pqrstu")
    assert X["days"].tolist() == [1, 2, 3, 4, 5, 6]  # what came in is not touched


def test_polars_gets_an_enum():
    found = clone(HAND).fit_transform(pl.from_pandas(X))
    assert found["degrees"].dtype == pl.Enum(["<= 54", "(54, 85]", "> 85"])
    assert found["degrees"].to_list() == ["<= 54", "<= 54", "(54, 85]", "(54, 85]", "(54, 85]", None]
    assert found["outlook"].to_list() == ["a", "b", None, "a", "b", "a"]


def test_arrow_gets_an_ordered_dictionary():
    found = clone(HAND).fit_transform(pa.Table.from_pandas(X, preserve_index=False))
    assert found.schema.field("degrees").type.ordered
    assert found["degrees"].to_pylist() == ["<= 54", "<= 54", "(54, 85]", "(54, 85]", "(54, 85]", None]


def test_a_table_gets_ordinal_columns_that_know_their_edges():
    table = tw.Table.of(X)
    found = clone(HAND).fit(table).transform(table)
    assert found.schema["degrees"].edges == (54, 85)
    assert found.labels("degrees").tolist()[-2:] == ["(54, 85]", None]
    assert found.schema["outlook"] == table.schema["outlook"]


def test_arrays_get_the_number_of_the_interval():
    numbers = X[["degrees", "days"]].to_numpy()
    found = D.ByHand([3, 54]).fit(numbers).transform(numbers)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found[:, 0], [1, 1, 2, 2, 2, np.nan])
    cells = X.to_numpy(dtype=object)
    found = D.ByHand([54]).fit(cells).transform(cells)
    assert found.dtype == object
    assert found[:, 1].tolist() == X["outlook"].tolist()
    assert found[:5, 0].tolist() == [0, 0, 1, 1, 1]


@pytest.mark.parametrize("data", [X, pl.from_pandas(X), tw.Table.of(X)], ids=["pandas", "polars", "Table"])
def test_set_output_decides(data):
    cut = clone(HAND)
    as_pandas = cut.set_output(transform="pandas").fit_transform(data)
    assert as_pandas["degrees"].dropna().tolist() == ["<= 54"] * 2 + ["(54, 85]"] * 3
    assert as_pandas["degrees"].cat.ordered
    as_polars = cut.set_output(transform="polars").fit_transform(data)
    assert as_polars["degrees"].dtype == pl.Enum(["<= 54", "(54, 85]", "> 85"])
    assert as_polars.columns == as_pandas.columns.tolist() == list(X.columns)


def test_set_output_gives_an_array_names_too():
    numbers = X[["degrees"]].to_numpy()
    found = D.ByHand([54]).set_output(transform="pandas").fit(numbers).transform(numbers)
    assert found.columns.tolist() == ["x0"]
    assert found["x0"].astype(object).tolist()[:3] == ["<= 54", "<= 54", "> 54"]


def test_feature_names():
    assert clone(HAND).fit(X).get_feature_names_out().tolist() == list(X.columns)
    assert D.EqualWidth().fit([[1, 2], [3, 4]]).get_feature_names_out().tolist() == ["x0", "x1"]


def test_columns_named_by_numbers():
    frame = pd.DataFrame({0: [1.0, 2, 3], 1: ["a", "b", "c"]})
    found = D.ByHand([1.5]).fit_transform(frame)
    assert found[0].tolist() == ["<= 1.5", "> 1.5", "> 1.5"]


@pytest.mark.parametrize("cut", ALL, ids=str)
def test_clone_pickle_and_skops(cut):
    fitted = clone(cut).fit(X, y)
    for again in (
        pickle.loads(pickle.dumps(fitted)),
        skops.io.loads(
            skops.io.dumps(fitted), trusted=skops.io.get_untrusted_types(data=skops.io.dumps(fitted))
        ),
    ):
        pd.testing.assert_frame_equal(again.transform(X), fitted.transform(X))
        assert again.get_params() == fitted.get_params()
    assert clone(fitted).discretiser == fitted.discretiser
    json.dumps(fitted.discretiser.to_plain())


@pytest.mark.parametrize("cut", ALL, ids=str)
def test_edges_are_those_of_the_plain_functions(cut):
    fitted = clone(cut).fit(X, y)
    assert set(fitted.edges_) == {"degrees", "days"}
    for name, edges in fitted.edges_.items():
        assert edges.tolist() == fitted.discretiser.cuts(name, X[name].to_numpy(), y).tolist()
        assert fitted.intervals_[name] == measure.interval_names(edges)


def test_transform_looks_at_no_row_it_was_not_fitted_to():
    fitted = D.EqualWidth(bins=2).fit(X[:3])
    before = {name: edges.tolist() for name, edges in fitted.edges_.items()}
    found = fitted.transform(pd.DataFrame({**X[:1], "degrees": [1e9], "days": [-(10**9)]}))
    assert (
        {name: edges.tolist() for name, edges in fitted.edges_.items()}
        == before
        == {"degrees": [50], "days": [2]}
    )
    assert found["degrees"].tolist() == ["> 50"]
    assert found["days"].tolist() == ["<= 2"]


def test_infinity_lies_in_the_outer_intervals():
    fitted = D.ByHand([3]).fit([[1.0]])
    assert fitted.transform([[np.inf], [-np.inf]]).tolist() == [[1], [0]]


def test_constant_columns_and_single_rows_have_one_interval():
    for cut in (D.EqualWidth(), D.EqualFrequency(), *SUPERVISED):
        assert clone(cut).fit([[5], [5], [5]], ["a", "b", "a"]).intervals_ == {"x0": ("all",)}
        assert clone(cut).fit([[5]], ["a"]).transform([[7]]).tolist() == [[0]]


def test_weights():
    numbers, answers = [[1], [2], [3], [4], [99]], ["a", "a", "b", "b", "a"]
    for cut in (D.EqualWidth(2), D.EqualFrequency(2), *SUPERVISED):
        without = clone(cut).fit(numbers[:4], answers[:4])
        with_none = clone(cut).fit(numbers, answers, sample_weight=[1, 1, 1, 1, 0])
        assert without.edges_["x0"].tolist() == with_none.edges_["x0"].tolist()
    with pytest.raises(ValueError, match="All sample weights are zero"):
        D.EqualWidth().fit([[1]], sample_weight=[0])


# ---- other programs ------------------------------------------------------------------------------------


WEKA = json.loads((tables.FOLDER / "weka_cuts.json").read_text("utf-8"))


@pytest.mark.parametrize("data", WEKA)
def test_weka_cuts_whole_tables_alike(data):
    table, target = tables.table(data), tables.target(data)
    fitted = D.MDLP().fit(table.drop(target), table.labels(target))
    assert set(fitted.edges_) == set(WEKA[data])
    for name, edges in fitted.edges_.items():
        assert edges == pytest.approx(WEKA[data][name], rel=1e-12)


def test_it_serves_other_estimators():
    table = tw.example("iris")
    numbers = np.column_stack(table.drop("class").values)
    model = make_pipeline(D.MDLP(), CategoricalNB(min_categories=5))
    assert cross_val_score(model, numbers, table.labels("class"), cv=5).mean() > 0.9
    both = make_column_transformer((D.EqualWidth(2), ["degrees"]), remainder="drop").set_output(
        transform="pandas"
    )
    assert both.fit_transform(X).iloc[0, 0] == "<= 60"


def test_it_is_loaded_on_first_use():
    code = (
        "import sys, treewright as tw; assert 'sklearn' not in sys.modules; assert 'discretise' in dir(tw); "
        "tw.discretise.MDLP(); assert 'sklearn' in sys.modules; from treewright.discretise import MDLP"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


# ---- refusals ------------------------------------------------------------------------------------------

REFUSED = {
    "no y": (lambda: D.MDLP().fit(X), ValueError, "MDLP estimator requires y to be passed"),
    "numbers to predict": (
        lambda: D.MDLP().fit([[1], [2]], [0.5, 1.5]),
        ValueError,
        "MDLP looks at classes, but y holds numbers with fractions. Use EqualWidth",
    ),
    "a gap in y": (lambda: D.Kononenko().fit([[1], [2]], ["a", None]), ValueError, "missing in 1 of 2 rows"),
    "infinity": (lambda: D.EqualWidth().fit([[1.0], [np.inf]]), ValueError, "'x0' contains infinity"),
    "bins": (lambda: D.EqualWidth(bins=1).fit(X), ValueError, "bins=1 must be at least 2"),
    "text for bins": (lambda: D.EqualFrequency(bins="5").fit(X), TypeError, "whole number, not str"),
    "encoding": (lambda: D.MDLP(encoding="cut").fit(X, y), ValueError, "did you mean 'cuts'"),
    "edges": (lambda: D.ByHand({"degrees": [2, 1]}).fit(X), ValueError, "must rise"),
    "unknown column": (lambda: D.ByHand({"degree": [1]}).fit(X), ValueError, "did you mean 'degrees'"),
    "nominal column": (lambda: D.ByHand({"outlook": [1]}).fit(X), ValueError, "'outlook' is nominal"),
    "not fitted": (lambda: D.EqualWidth().transform(X), NotFittedError, "not fitted"),
    "a column less": (lambda: HAND.fit(X).transform(X.drop(columns="days")), ValueError, "days"),
    "a column less in a Table": (
        lambda: HAND.fit(X).transform(tw.Table.of(X).drop("days")),
        ValueError,
        "not in this table: 'days'",
    ),
    "text where numbers were": (
        lambda: HAND.fit(X).transform(X.assign(days=list("abcdef"))),
        ValueError,
        "'days' cannot be numeric: it holds the text 'a'",
    ),
    "text in an array": (
        lambda: D.EqualWidth().fit([[1], [2]]).transform(np.array([["a"]], dtype=object)),
        ValueError,
        "cannot be numeric",
    ),
    "sparse": (lambda: D.EqualWidth().fit(__import__("scipy.sparse").sparse.eye(3)), TypeError, "Sparse"),
    "no rows": (lambda: D.EqualWidth().fit(X[:0]), ValueError, "no rows"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_what_and_how(name):
    call, kind, words = REFUSED[name]
    with pytest.raises(kind, match=words):
        call()
