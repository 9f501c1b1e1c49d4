"""No text of C++ reaches a user: wrong things are given to every public call, and what is said is read."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from treewright import _core
from treewright.forest.walker import voted
from treewright.growth import Settings
from treewright.predict import route_columns
from treewright.prune import METHODS
from treewright.route.router import router

RAW = (
    "std::",
    "bad_cast",
    "bad_alloc",
    "bad_any",
    "bad_function",
    "bad_variant",
    "bad_optional",
    "vector",
    "basic_string",
    "incompatible function arguments",
    "nanobind",
    "nb_",
    "__set__",
    "_M_",
    "max_size",
)
X, Y = np.arange(24.0).reshape(12, 2), list("aabbab") * 2
TABLE = tw.Table.from_dict({"x": X[:, 0], "z": X[:, 1], "c": list("uvw") * 4, "y": Y})
TREE = tw.grow(TABLE, target="y")
NUMBERS = tw.grow(TABLE, target="x", max_depth=2)
FOREST = tw.forest.grow(TABLE, target="y", n_trees=2)
RULES = TREE.rules()


def read(what, call) -> None:
    """Make a call that may go wrong; whatever it says must be fit to be read."""
    said = None
    try:
        call()
    except Exception as error:
        said = error
    if said is not None:
        text = f"{type(said).__name__}: {said}"
        assert not any(raw in text for raw in RAW), f"{what}: {text}"
        assert str(said).strip(), f"{what}: {type(said).__name__} without a word"


ODD_CELLS = {
    "complex": X * 1j,
    "dates": np.arange(24).reshape(12, 2).astype("datetime64[D]"),
    "durations": np.arange(24).reshape(12, 2).astype("timedelta64[s]"),
    "text": X.astype(str),
    "bytes": X.astype("S"),
    "records": np.zeros(12, dtype=[("a", "f8"), ("b", "i4")]),
    "objects": np.array([[object(), {}]] * 12, dtype=object),
    "None": None,
    "a number": 3,
    "one dimension": X[:, 0],
    "three dimensions": X[None],
    "no rows": X[:0],
    "no columns": X[:, :0],
    "ragged": [[1.0], [1.0, 2.0]],
    "infinite": np.where(X == 5, np.inf, X),
    "longdouble": X.astype(np.longdouble),
    "halves": X.astype(np.float16),
    "swapped": X.astype(">f8"),
    "read-only": np.frombuffer(X.tobytes()).reshape(12, 2),
    "broadcast": np.broadcast_to(X[:, :1], (12, 2)),
    "huge integers": (X + 2.0**60).astype(np.uint64),
    "frame of dates": pd.DataFrame({"a": pd.to_datetime(["2020-01-01"] * 12), "b": range(12)}),
    "frame of complex": pd.DataFrame({"a": X[:, 0] * 1j, "b": range(12)}),
    "frame of periods": pd.DataFrame({"a": pd.period_range("2020", periods=12), "b": range(12)}),
}
ODD_TARGETS = {
    "complex": np.arange(12) * 1j,
    "dates": np.arange(12).astype("datetime64[D]"),
    "two dimensions": np.zeros((12, 2)),
    "short": Y[:3],
    "one class": ["a"] * 12,
    "gaps": [None] * 12,
    "NaN": np.full(12, np.nan),
    "infinite": np.full(12, np.inf),
    "objects": [object() for _ in range(12)],
    "huge": np.arange(12) * 1e300,
    "None": None,
    "a number": 3,
    "mixed": ["a", 1, 2.5] * 4,
    "uint64": np.arange(12).astype(np.uint64) + 2**63,
}
ODD_VALUES = {
    "text": "7 of them",
    "minus one": -1,
    "2 to the 70": 2**70,
    "minus 2 to the 70": -(2**70),
    "half": 0.5,
    "NaN": np.nan,
    "inf": np.inf,
    "list": [1, 2],
    "array": np.array([1.0, 2.0]),
    "object": object(),
    "true": True,
    "bytes": b"x",
    "complex": 1j,
    "float32": np.float32(2),
    "int8": np.int8(2),
    "uint64": np.uint64(2**63),
    "empty": "",
    "dict": {},
    "function": len,
    "0": 0,
}
ESTIMATORS = [
    tw.DecisionTreeClassifier,
    tw.DecisionTreeRegressor,
    tw.RandomForestClassifier,
    tw.RandomForestRegressor,
    tw.RuleClassifier,
    tw.LogisticRegression,
    tw.Perceptron,
    tw.MaxMarginClassifier,
    tw.LinearSeparator,
]


def small(kind, **more):
    known = kind().get_params()
    few = {"n_estimators": 2, "max_passes": 5, "random_state": 0}
    return kind(**{name: value for name, value in few.items() if name in known} | more)


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
@pytest.mark.filterwarnings("ignore")
def test_estimators_on_odd_rows(kind):
    y = np.arange(12.0) if "Regressor" in kind.__name__ else np.array(Y)
    model = small(kind).fit(X, y)
    words = [word for word in ("predict", "predict_proba", "apply", "score") if hasattr(model, word)]
    for name, cells in ODD_CELLS.items():
        read((kind, "fit", name), lambda cells=cells: small(kind).fit(cells, y))
        for word in words:
            given = (cells, y) if word == "score" else (cells,)
            read((kind, word, name), lambda word=word, given=given: getattr(model, word)(*given))
    for name, odd in ODD_TARGETS.items():
        read((kind, "y", name), lambda odd=odd: small(kind).fit(X, odd))
        if "sample_weight" in inspect.signature(kind.fit).parameters:
            read((kind, "weights", name), lambda odd=odd: small(kind).fit(X, y, sample_weight=odd))


@pytest.mark.parametrize("kind", ESTIMATORS[:5], ids=lambda kind: kind.__name__)  # those that reach the core
@pytest.mark.filterwarnings("ignore")
def test_estimators_with_odd_parameters(kind):
    y = np.arange(12.0) if "Regressor" in kind.__name__ else np.array(Y)
    for parameter in kind().get_params():
        for name, odd in ODD_VALUES.items():
            if parameter in ("n_estimators", "n_jobs") and name == "uint64":
                continue  # so many trees would be made
            read((kind, parameter, name), lambda p=parameter, odd=odd: small(kind, **{p: odd}).fit(X, y))


@pytest.mark.parametrize("target", ["y", "x"])
@pytest.mark.filterwarnings("ignore")
def test_growing_with_odd_settings(target):
    names = [field.name for field in fields(Settings) if field.name not in ("recipe", "tasks")]
    others = ["weights", "class_weight", "priors", "costs", "progress", "prune", "recipe"]
    for setting in [*names, *others]:
        for name, odd in ODD_VALUES.items():
            given = {setting: odd, "max_depth": 2} if setting != "max_depth" else {setting: odd}
            read((setting, name), lambda given=given: tw.grow(TABLE, target=target, **given))
            if setting not in ("leaves", "ledger", "tree"):
                read(
                    ("forest", setting, name),
                    lambda given=given: tw.forest.grow(TABLE, target=target, n_trees=2, **given),
                )


@pytest.mark.filterwarnings("ignore")
def test_pruning_with_odd_options():
    for tree in (TREE, NUMBERS):
        for name in METHODS:
            options = [field.name for field in fields(METHODS[name])]
            for option in [*options, "weights"]:
                for odd_name, odd in ODD_VALUES.items():
                    read(
                        (name, option, odd_name),
                        lambda n=name, o=option, odd=odd, t=tree: getattr(tw.prune, n)(t, TABLE, **{o: odd}),
                    )


@pytest.mark.filterwarnings("ignore")
def test_trees_forests_and_rules_on_odd_things():
    odd = {
        **ODD_CELLS,
        **ODD_TARGETS,
        **ODD_VALUES,
        "a tree": TREE,
        "a short table": TABLE.take(np.array([0])),
    }
    calls = {
        "predict": TREE.predict,
        "predict_proba": TREE.predict_proba,
        "explain": TREE.explain,
        "numbers": NUMBERS.predict,
        "forest": FOREST.predict,
        "votes": FOREST.votes,
        "leaves": FOREST.leaves,
        "proba": FOREST.predict_proba,
        "tree": FOREST.tree,
        "rules": RULES.predict,
        "decide": RULES.decide,
        "out_of_bag": lambda t: tw.forest.out_of_bag(FOREST, t),
        "permutation": lambda t: tw.forest.permutation_importance(FOREST, t),
        "proximity": lambda t: tw.forest.proximity(FOREST, t),
        "nearest": lambda t: tw.forest.nearest_tree(FOREST, t),
        "quantiles": lambda t: tw.forest.Quantiles(FOREST, t),
        "c45rules": lambda t: tw.rules.c45rules(TREE, t),
        "voting": lambda t: tw.rules.voting(TREE, t),
        "cross_validate": lambda t: tw.evaluate.cross_validate(t, "y", folds=2),
        "split": lambda t: tw.evaluate.split(t, 0.5),
        "threads": lambda t: TREE.predict(TABLE, n_threads=t),
        "threads of a forest": lambda t: FOREST.predict(TABLE, n_threads=t),
    }
    for word, call in calls.items():
        for name, given in odd.items():
            read((word, name), lambda call=call, given=given: call(given))


@pytest.mark.filterwarnings("ignore")
def test_measures_on_odd_things():
    odd = {**ODD_CELLS, **ODD_TARGETS, **ODD_VALUES}
    for word in tw.measure.__all__:
        call = getattr(tw.measure, word)
        if inspect.isfunction(call):
            for name, given in odd.items():
                read((word, name), lambda call=call, given=given: call(given))
                read((word, name, 2), lambda call=call, given=given: call(given, Y))
                read((word, 2, name), lambda call=call, given=given: call(X[:, 0], given))


@pytest.mark.filterwarnings("ignore")
def test_coded_columns_of_any_dtype_are_routed():
    """The step below the public one: lists of columns of any dtype, and arrays of any."""
    codes = np.array([0, 1, 2] * 4, dtype=np.int32)
    expected = route_columns(TREE, [X[:, 0].copy(), X[:, 1].copy(), codes], 12).node.tolist()
    for dtype in ("float16", "float32", ">f8", "int64", "uint8", "longdouble", object):
        for kind in ("int64", "int8", ">i4", "uint8"):
            columns = [X[:, 0].astype(dtype), X.astype(dtype)[:, 1], codes.astype(kind)]
            assert route_columns(TREE, columns, 12).node.tolist() == expected
            assert voted(FOREST, columns, 12).n_votes.tolist() == [2] * 12
    for name, odd in {**ODD_CELLS, **ODD_TARGETS, **ODD_VALUES}.items():
        read(name, lambda odd=odd: route_columns(TREE, odd, 12))
        read(name, lambda odd=odd: route_columns(TREE, [odd] * 3, 12))
        read(name, lambda odd=odd: route_columns(NUMBERS, [odd] * 3, 12))
        read(name, lambda odd=odd: voted(FOREST, odd, 12))


# ---- the border itself ----------------------------------------------------------------------------


def test_the_core_names_what_it_was_given():
    """A mistake of the rooms above: no public call leads here, and still it is told in words."""
    codes = np.zeros(3, np.int32)
    with pytest.raises(TypeError, match=r"column 1 must be .* float64 in one piece, not an array of float32"):
        router(TREE).route([np.zeros(3), np.zeros(3, np.float32), codes], 3)
    with pytest.raises(TypeError, match=r"column 0 must be .* in one piece, not an array of float64"):
        router(TREE).route([np.zeros(6)[::2], np.zeros(3), codes], 3)
    with pytest.raises(TypeError, match=r"the cells must be a list of columns, or an array .*, not str"):
        router(TREE).route("cells", 3)
    with pytest.raises(TypeError, match="end must be a one-dimensional array of int32"):
        _core.Router({"end": np.zeros(3)}, "branch", "branch")


LIMITED = """
import resource
from treewright import _core
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + 2**28
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    _core.draws(0, 0, 0, 2**29)
except MemoryError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as Linux does")
def test_too_little_memory_is_told_in_words():
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("There is not enough memory for this."), done.stdout
    assert not any(raw in done.stdout for raw in RAW)


@pytest.mark.parametrize("n_threads", [1, 2, 4, 8])
def test_the_failure_is_told_and_not_that_others_were_stopped(n_threads):
    """Of threads that end because one failed, that one has the word."""

    def criterion(left, right):
        raise KeyError("what went wrong")

    for _ in range(5):
        with pytest.raises(KeyError, match="what went wrong"):
            tw.forest.grow(TABLE, target="y", n_trees=16, criterion=criterion, n_threads=n_threads)
