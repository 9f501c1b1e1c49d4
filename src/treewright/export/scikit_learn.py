"""A fitted tree or forest of scikit-learn that answers as ours does, and its pickle."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.verbs import kind_of
from treewright.export.cells import Cells, is_number
from treewright.export.format import Answers, Job
from treewright.export.outline import Cut, Node, Outline, Values, outline_of

_GAP = "its trees send a missing value down one branch. Grow the tree with missing='learned'."
REFUSES = {
    "gaps divide": _GAP,
    "gaps surrogate": _GAP,
    "gaps stop": _GAP,
    "gaps refuse": _GAP,
    "nominal": "its trees compare numbers only. Code the column before, or choose onnx.",
    "intervals": "its trees compare numbers only. Grow the tree without discretise.",
    "sums": "its trees ask about one column at a time. Grow the tree without splits='linear'.",
    "models": "its leaves hold numbers. Grow the tree with leaves='constant'.",
    "many branches": "its tests have two branches. Grow the tree with splits='binary'.",
    "costs": "its trees say the class of most probability.",
}
_LARGEST = float(np.finfo(np.float32).max)


def to_sklearn(model: Any) -> Any:
    """Return a fitted DecisionTree or RandomForest of scikit-learn that answers as a tree or forest of ours.

    Its leaves have the numbers that ours have (`apply`). It reads numbers as float32, as scikit-learn does;
    truths are 0 and 1, ordinal columns their ranks from 0. What it cannot say is a ValueError.

    >>> import treewright as tw
    >>> table = tw.example("iris")
    >>> theirs = to_sklearn(tw.grow(table, "class", max_depth=2))
    >>> theirs
    DecisionTreeClassifier()
    >>> theirs.tree_.node_count, theirs.classes_.tolist()[0], theirs.feature_names_in_.tolist()[0]
    (5, 'Iris-setosa', 'sepallength')
    """
    from treewright.export.formats import FORMATS  # which has this as one of its rows

    reason = FORMATS["sklearn"].reason_against(model)
    if reason is not None:
        raise ValueError(reason)
    return _forest(model) if kind_of(model) == "forest" else _tree(model)


def pickled(model: Any) -> bytes:
    """Return the pickle of `to_sklearn`. To load a pickle is to run it: load only what you wrote."""
    return pickle.dumps(to_sklearn(model), protocol=4)


def _estimator(model: Any, of_classes: Any, of_numbers: Any, **settings: Any) -> Any:
    made = of_classes(**settings) if model.is_classifier else of_numbers(**settings)
    made.n_features_in_ = len(model.schema)
    made.feature_names_in_ = np.array(model.schema.names, dtype=object)
    made.n_outputs_ = 1
    if model.is_classifier:
        made.classes_ = np.array(model.classes, dtype=object)
        made.n_classes_ = len(model.classes)
    return made


def _tree(tree: Any) -> Any:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    made = _estimator(tree, DecisionTreeClassifier, DecisionTreeRegressor)
    made.max_features_ = len(tree.schema)
    made.tree_ = _arrays(outline_of(tree))
    return made


def _forest(forest: Any) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    made = _estimator(forest, RandomForestClassifier, RandomForestRegressor, n_estimators=forest.n_trees)
    made.estimator_ = DecisionTreeClassifier() if forest.is_classifier else DecisionTreeRegressor()
    made.estimators_ = [_tree(forest.tree(i)) for i in range(forest.n_trees)]
    for each in made.estimators_:  # their classes are numbers there, and their columns have no names
        del each.feature_names_in_
        if forest.is_classifier:
            each.classes_ = np.arange(len(forest.classes), dtype=np.float64)
    return made


def _arrays(outline: Outline) -> Any:
    """Return the nodes as scikit-learn keeps them."""
    from sklearn.tree._tree import NODE_DTYPE, Tree

    tree = outline.tree
    nodes = np.zeros(tree.n_nodes, dtype=NODE_DTYPE)
    nodes["n_node_samples"] = np.maximum(tree.n_rows, 1)
    nodes["weighted_n_node_samples"] = tree.weights
    for node in outline.nodes:
        left, right, column, threshold, is_left = (-1, -1, -2, -2.0, False)
        if not node.is_leaf:
            left, right, column, threshold, is_left = _test(outline, node)
        at = nodes[node.number]
        at["left_child"], at["right_child"], at["feature"] = left, right, column
        at["threshold"], at["missing_go_to_left"] = threshold, is_left
        at["impurity"] = 0.0
    if tree.is_classifier:
        values = np.array([node.answer.chances for node in outline.nodes])
        _check_labels(outline, values)
    else:
        values = np.array([[node.answer.chances[0]] for node in outline.nodes])
    width = values.shape[1] if tree.is_classifier else 1
    made = Tree(len(outline.columns), np.array([width], dtype=np.intp), 1)
    state = {"max_depth": tree.depth, "node_count": tree.n_nodes, "nodes": nodes}
    made.__setstate__({**state, "values": np.ascontiguousarray(values[:, None, :])})
    return made


def _check_labels(outline: Outline, values: NDArray[np.float64]) -> None:
    for node in outline.nodes:
        if node.is_leaf and int(values[node.number].argmax()) != node.answer.label:
            raise ValueError(
                f"Leaf {node.number} says {outline.tree.classes[node.answer.label]!r}, which is not its "
                "first class of most probability; a tree of scikit-learn says that one."
            )


def _test(outline: Outline, node: Node) -> tuple[int, int, int, float, bool]:
    """Return the children, the column, the threshold, and whether a gap goes left."""
    test, (first, second) = node.test, node.children
    if isinstance(test, Cut):
        return first, second, test.column, test.threshold, node.gap.branch == 0
    assert isinstance(test, Values)
    column = outline.columns[test.column]
    below, above = (set(branch) for branch in test.branches)
    is_flipped = bool(below) and bool(above) and min(above) < min(below)
    if is_flipped:
        below, above = above, below
    if len(below) + len(above) < len(column.categories) or (below and above and max(below) > min(above)):
        raise ValueError(
            f"A test on column {column.name!r} is not one of low ranks and high ones; scikit-learn compares "
            "numbers only."
        )
    threshold = max(below, default=-1) + 0.5
    if is_flipped:
        return second, first, test.column, threshold, node.gap.branch == 1
    return first, second, test.column, threshold, node.gap.branch == 0


# ---- running it ----------------------------------------------------------------------------------------


def representable(cells: Cells, options: Mapping[str, Any]) -> Cells:  # noqa: ARG001 (all formats are asked so)
    """Return rows as scikit-learn reads them: float32, finite; no category that training had not.

    A number between two of float32 becomes the one below and the one above in turn.

    >>> from treewright.table import Column, Kind
    >>> found = representable(Cells((Column("x", Kind.numeric),), ([0.1, 0.1, 1e300],)), {})
    >>> [value < 0.1 for value in found.values[0]], found.values[0][2] == _LARGEST
    ([True, False, False], True)
    """
    values = []
    for column, given in zip(cells.columns, cells.values, strict=True):
        if is_number(column):
            values.append(in_singles(given))
        else:
            values.append([cell if cell in column.categories else None for cell in given])
    return Cells(cells.columns, tuple(values))


def in_singles(given: Sequence[float | None]) -> list[float | None]:
    """Return numbers as float32 has them: those in between become the one below and the one above in turn.

    >>> in_singles([0.5, None])
    [0.5, None]
    """
    found: list[float | None] = []
    is_up = False
    for cell in given:
        if cell is None:
            found.append(None)
            continue
        clipped = min(max(cell, -_LARGEST), _LARGEST)
        near = float(np.float32(clipped))
        if near != clipped:
            other = float(np.nextafter(np.float32(near), np.float32(np.inf if near < clipped else -np.inf)))
            near = (max if is_up else min)(near, other)
            is_up = not is_up
        found.append(min(max(near, -_LARGEST), _LARGEST))
    return found


def answers(jobs: Sequence[Job]) -> list[Answers]:
    """Return what the pickled estimators say."""
    return [_answered(job) for job in jobs]


def _answered(job: Job) -> Answers:
    written = job.write()
    assert isinstance(written, bytes)
    made = pickle.loads(written)
    x = codes_of(job.cells).astype(np.float32)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        labels = made.predict(x).tolist()
        chances = made.predict_proba(x) if job.model.is_classifier else None
        leaves = made.apply(x) if kind_of(job.model) == "tree" else None
    return Answers(labels, chances, leaves, np.zeros(len(labels), bool))


def codes_of(cells: Cells) -> NDArray[np.float64]:
    """Return rows as numbers: categories by their places, those nobody knows after the last, gaps as NaN.

    >>> from treewright.table import Column, Kind
    >>> column = Column("c", Kind.nominal, ("a", "b"))
    >>> codes_of(Cells((column,), (["b", "z", None],))).ravel().tolist()
    [1.0, 2.0, nan]
    """
    found = []
    for column, given in zip(cells.columns, cells.values, strict=True):
        if is_number(column):
            found.append([np.nan if cell is None else cell for cell in given])
            continue
        place = {category: float(code) for code, category in enumerate(column.categories)}
        unknown = float(len(column.categories))
        found.append([np.nan if cell is None else place.get(cell, unknown) for cell in given])
    n_rows = cells.n_rows
    return np.array(found, dtype=np.float64).reshape(len(cells.columns), n_rows).T.copy()
