"""Growing one tree: treewright, scikit-learn and YDF on the same arrays, one thread each."""

from collections.abc import Callable

import numpy as np
import ydf
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

import treewright as tw
from benchmarks.compare import Job, compare
from benchmarks.data import cover, wide


def main(quick: bool) -> None:
    n_rows = 10_000 if quick else 400_000
    for name, (X, y) in {"wide": wide(n_rows), "cover": cover(n_rows)}.items():
        for depth in (8, None):
            limit = f"depth {depth}" if depth else "to purity"
            compare(f"one tree, {name}, {n_rows:,} rows x {X.shape[1]}, {limit}", ways(X, y, depth))


def ways(X: NDArray[np.float32], y: NDArray[np.int32], depth: int | None) -> dict[str, Job]:
    table = {f"x{j}": X[:, j] for j in range(X.shape[1])} | {"y": y}

    def errors(predict: Callable[[], NDArray[np.generic]]) -> Callable[[], str]:
        return lambda: f"{int((predict() != y).sum()):,} training errors"

    def ours() -> Callable[[], str]:
        model = tw.DecisionTreeClassifier(max_depth=depth, n_jobs=1).fit(X, y)
        return errors(lambda: model.predict(X))

    def scikit_learn() -> Callable[[], str]:
        model = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
        return errors(lambda: model.predict(X))

    def yggdrasil() -> Callable[[], str]:
        learner = ydf.CartLearner(
            label="y",
            max_depth=-1 if depth is None else depth + 1,  # it counts the root as 1
            min_examples=1,
            validation_ratio=0.0,
            num_threads=1,
        )
        model = learner.train(table, verbose=0)

        def predict() -> NDArray[np.generic]:
            shares = model.predict(table)
            return shares > 0.5 if shares.ndim == 1 else shares.argmax(axis=1)

        return errors(predict)

    return {"treewright": ours, "scikit-learn": scikit_learn, "YDF": yggdrasil}
