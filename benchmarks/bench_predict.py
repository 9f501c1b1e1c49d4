"""Predicting with one tree: treewright, scikit-learn and YDF on the same rows, one thread each."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

import treewright as tw
from benchmarks import peers
from benchmarks.compare import Job, compare
from benchmarks.data import wide
from benchmarks.report import Result
from tests.tables import table, target

CALLS = 20  # of one kind, timed together: a single one takes a few milliseconds
Predict = Callable[[], NDArray[Any]]


def main(quick: bool) -> list[Result]:
    return run(20_000 if quick else 100_000)


def run(n_rows: int) -> list[Result]:
    X, y = wide(n_rows)
    X = np.ascontiguousarray(X[:, :20])
    return [*numbers(X, y, 8), *numbers(X, y, None), categories(n_rows)]


def numbers(X: NDArray[np.float32], y: NDArray[np.int32], depth: int | None) -> list[Result]:
    """Compare on numbers: an array, a frame, probabilities, and one row at a time."""
    names = [f"x{i}" for i in range(X.shape[1])]
    frame = pd.DataFrame(X, columns=names)
    ours = tw.DecisionTreeClassifier(max_depth=depth).fit(X, y)
    ours_framed = tw.DecisionTreeClassifier(max_depth=depth).fit(frame, y)
    theirs = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
    theirs_framed = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(frame, y)
    columns = {name: X[:, i] for i, name in enumerate(names)}
    yggdrasil = learned(columns | {"y": y}, depth)
    ydf_way: dict[str, Predict] = {"YDF": lambda: labels(yggdrasil.predict(columns))} if yggdrasil else {}
    size = f"{CALLS} x {len(X):,} rows x {X.shape[1]}, {f'depth {depth}' if depth else 'to purity'}"
    ways: dict[str, Predict] = {
        "treewright": partial(ours.predict, X),
        "scikit-learn": partial(theirs.predict, X),
        "ours, 2 jobs": partial(on_two(ours).predict, X),
    }
    results = [compare(f"predict, float32 array, {size}", timed(ways | ydf_way, y))]
    ways = {
        "treewright": partial(ours_framed.predict, frame),
        "scikit-learn": partial(theirs_framed.predict, frame),
    }
    results.append(compare(f"predict, pandas frame of float32, {size}", timed(ways, y)))
    ways = {
        "treewright": lambda: labels(ours.predict_proba(X)),
        "scikit-learn": lambda: labels(theirs.predict_proba(X)),
    }
    results.append(compare(f"predict_proba, float32 array, {size}", timed(ways | ydf_way, y)))
    few = range(50)
    ways = {
        "treewright": lambda: np.concatenate([ours.predict(X[i : i + 1]) for i in few]),
        "scikit-learn": lambda: np.concatenate([theirs.predict(X[i : i + 1]) for i in few]),
    }
    title = f"predict, {CALLS * len(few)} calls with one row, {size.split(', ')[-1]}"
    return [*results, compare(title, timed(ways, y[few]))]


def categories(n_rows: int) -> Result:
    """Compare on `adult`: a pandas frame with declared categories, and a table that is converted already."""
    adult, answer = table("adult"), target("adult")
    adult = adult.take(np.arange(n_rows) % adult.n_rows)
    frame = pd.DataFrame({column.name: cells(adult, column) for column in adult.schema.columns})
    y = frame.pop(answer).astype(str).to_numpy()
    rows = adult.drop(answer)
    ours = tw.DecisionTreeClassifier().fit(frame, y)
    texts = {name: plain(frame[name]) for name in frame}  # YDF takes no NaN among categories
    ways: dict[str, Predict] = {
        "treewright": partial(ours.predict, frame),
        "ours, a Table": partial(ours.predict, rows),
    }
    if yggdrasil := learned(texts | {"y": y}, None):
        low, high = yggdrasil.label_classes()
        ways["YDF"] = lambda: np.where(yggdrasil.predict(texts) > 0.5, high, low)
    title = f"predict, pandas frame with categories, {CALLS} x {n_rows:,} rows of adult"
    return compare(title, timed(ways, y))


def cells(rows: tw.Table, column: tw.Column) -> Any:
    values = rows.column(column.name)[1]
    return values if column.is_numeric else pd.Categorical.from_codes(values, list(column.categories))


def plain(column: Any) -> NDArray[Any]:
    if column.dtype != "category":
        return column.to_numpy()
    return np.array([*column.cat.categories, ""], dtype=str)[column.cat.codes]


def learned(rows: Any, depth: int | None) -> Any:
    """Return YDF's tree, or nothing where it is not installed."""
    if not peers.is_installed("YDF"):
        return None
    import ydf

    return ydf.CartLearner(
        label="y",
        max_depth=-1 if depth is None else depth + 1,  # it counts the root as 1
        min_examples=1,
        validation_ratio=0.0,
        num_threads=1,
    ).train(rows, verbose=0)


def on_two(model: Any) -> Any:
    """Return the same fitted model, to predict on two threads."""
    twin = tw.DecisionTreeClassifier(**model.get_params()).set_params(n_jobs=2)
    twin.__setstate__(model.__getstate__() | {"n_jobs": 2})
    return twin


def labels(shares: NDArray[Any]) -> NDArray[Any]:
    return shares > 0.5 if shares.ndim == 1 else shares[:, 1] > 0.5


def timed(ways: dict[str, Predict], y: NDArray[Any]) -> dict[str, Job]:
    """Return jobs that predict `CALLS` times and then say how many training rows came out wrong."""

    def job(predict: Predict) -> Callable[[], str]:
        for _ in range(CALLS):
            found = predict()
        return lambda: f"{int((found != y).sum()):,} training errors"

    return {name: partial(job, predict) for name, predict in ways.items()}
