"""One tree by each library, on the same arrays and one thread; what is not installed is left out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

import treewright as tw
from benchmarks.compare import Job, Outcome, Verdict
from benchmarks.impurity import Cuts, Training, judge


@dataclass(frozen=True)
class Task(Training):
    """A tree to grow: rows, criterion and the depth at which to stop (None: where every leaf is pure)."""

    depth: int | None

    @property
    def is_regression(self) -> bool:
        return self.criterion == "squared_error"


@dataclass(frozen=True)
class Grown:
    """A grown tree: the leaf of every training row and, where the library shows it, the tree itself."""

    task: Task
    leaves: Callable[[], NDArray[np.integer]]
    cuts: Callable[[], Cuts] | None = None

    def impurity(self) -> float:
        return self.task.impurity(self.leaves())

    def __call__(self) -> str:
        return f"{self.impurity():.10f}"


Grow = Callable[[], Grown]


def treewright(task: Task) -> Grow:
    """All of `fit`: checks, codes and growth."""
    kind = tw.DecisionTreeRegressor if task.is_regression else tw.DecisionTreeClassifier

    def grow() -> Grown:
        model = kind(criterion=task.criterion, max_depth=task.depth, n_jobs=1).fit(task.X, task.y)
        return Grown(task, lambda: model.apply(task.X), lambda: cuts_of(model.tree_))

    return grow


def cuts_of(tree: tw.Tree) -> Cuts:
    """Return our preorder arrays as cuts: the left child comes next, the right one where that one ends."""
    left = np.minimum(np.arange(tree.n_nodes) + 1, tree.n_nodes - 1)
    return Cuts(tree.column, tree.cut, left, np.minimum(tree.end[left], tree.n_nodes - 1))


def scikit_learn(task: Task) -> Grow:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeRegressor if task.is_regression else DecisionTreeClassifier

    def grow() -> Grown:
        model = kind(criterion=task.criterion, max_depth=task.depth, random_state=0).fit(task.X, task.y)
        tree = model.tree_
        cuts = Cuts(tree.feature, tree.threshold, tree.children_left, tree.children_right)
        return Grown(task, lambda: model.apply(task.X), lambda: cuts)

    return grow


def yggdrasil(task: Task) -> Grow:
    """YDF's CART, not pruned. It takes columns, so it gets them contiguous; it scores classes by entropy."""
    import ydf

    columns: dict[str, NDArray[Any]] = {f"x{j}": np.ascontiguousarray(x) for j, x in enumerate(task.X.T)}
    table = columns | {"y": task.y}
    learner = ydf.CartLearner(
        label="y",
        task=ydf.Task.REGRESSION if task.is_regression else ydf.Task.CLASSIFICATION,
        max_depth=-1 if task.depth is None else task.depth + 1,  # it counts the root as 1
        min_examples=1,
        validation_ratio=0.0,
        num_threads=1,
    )

    def grow() -> Grown:
        model = learner.train(table, verbose=0)
        return Grown(task, lambda: model.predict_leaves(table)[:, 0])

    return grow


def xgboost(task: Task) -> Grow:
    """The first tree of a boosted model. Without penalty its gain is gini's, or squared error's."""
    import xgboost

    settings = {
        "objective": "reg:squarederror" if task.is_regression else "binary:logistic",
        "base_score": float(task.y.mean()) if task.is_regression else 0.5,
        "tree_method": "hist",
        "max_bin": 256,
        "max_depth": task.depth,
        "learning_rate": 1.0,
        "reg_lambda": 0.0,
        "min_child_weight": 0.0,
        "nthread": 1,
    }

    def grow() -> Grown:
        data = xgboost.QuantileDMatrix(task.X, task.y, max_bin=256, nthread=1)
        model = xgboost.train(settings, data, num_boost_round=1)
        return Grown(
            task,
            lambda: model.predict(xgboost.DMatrix(task.X), pred_leaf=True).astype(np.int64).ravel(),
        )

    return grow


def lightgbm(task: Task) -> Grow:
    """The first tree of a boosted model, with room for all leaves of its depth; 255 bins fit in a byte."""
    import lightgbm

    settings = {
        "objective": "regression" if task.is_regression else "binary",
        "max_bin": 255,
        "max_depth": task.depth,
        "num_leaves": 2 ** (task.depth or 16),
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0.0,
        "learning_rate": 1.0,
        "num_threads": 1,
        "verbosity": -1,
    }

    def grow() -> Grown:
        data = lightgbm.Dataset(task.X, task.y, params={"verbosity": -1, "num_threads": 1})
        model = lightgbm.train(settings, data, num_boost_round=1)
        return Grown(task, lambda: model.predict(task.X, pred_leaf=True).astype(np.int64).ravel())

    return grow


@dataclass(frozen=True)
class Library:
    """A library that grows trees: the module that must be there, and how it is called."""

    module: str
    ways: Callable[[Task], Grow]


LIBRARIES = {
    "treewright": Library("treewright", treewright),
    "scikit-learn": Library("sklearn", scikit_learn),
    "YDF": Library("ydf", yggdrasil),
    "XGBoost, rounds to 256 bins": Library("xgboost", xgboost),
    "LightGBM, rounds to 255 bins": Library("lightgbm", lightgbm),
}
EXACT = ("treewright", "scikit-learn", "YDF")


def is_installed(name: str) -> bool:
    return find_spec(LIBRARIES[name].module) is not None


def ways(task: Task, names: tuple[str, ...] = tuple(LIBRARIES)) -> dict[str, Job]:
    """Return the jobs of those libraries that are installed."""
    return {name: LIBRARIES[name].ways(task) for name in names if is_installed(name)}


def left_out(names: tuple[str, ...] = tuple(LIBRARIES)) -> tuple[str, ...]:
    return tuple(f"{name} is not installed: left out." for name in names if not is_installed(name))


def same_impurity(outcomes: Mapping[str, Outcome]) -> Verdict | None:
    """Return how our tree stands to scikit-learn's exhaustive search, if both are there."""
    ours, theirs = outcomes.get("treewright"), outcomes.get("scikit-learn")
    if not isinstance(ours, Grown) or not isinstance(theirs, Grown) or not ours.cuts or not theirs.cuts:
        return None
    return judge(ours.task, (ours.impurity(), ours.cuts()), (theirs.impurity(), theirs.cuts()))
