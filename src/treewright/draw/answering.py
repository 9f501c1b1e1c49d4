"""Models as a picture needs them: named, checked, and what they answer at places of its axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.draw.plane import Side
from treewright.table import Table
from treewright.table.frame import frame_of
from treewright.tree import Tree

Floats = NDArray[np.float64]
Model = Any
MOST_STEPS = 8  # of the perceptron that are drawn


def named_models(given: Any) -> dict[str, Model]:
    """Return the models by the names under which they are shown; an error for what does not predict.

    >>> named_models("tree")
    Traceback (most recent call last):
    TypeError: 'str' is no fitted model: a str does not predict.
    """
    if isinstance(given, Mapping):
        models = {str(name): one for name, one in given.items()}
    else:
        listed = list(given) if isinstance(given, (list, tuple)) else [given]
        models = {}
        for one in listed:
            name = type(one).__name__
            same = sum(known.split(" (")[0] == name for known in models)
            models[f"{name} ({same + 1})" if same else name] = one
    if not models:
        raise ValueError("No model was given; boundary draws at least one.")
    for name, one in models.items():
        if isinstance(one, type) or not hasattr(one, "predict"):
            raise TypeError(f"{name!r} is no fitted model: a {type(one).__name__} does not predict.")
        if not isinstance(one, Tree) and not _is_fitted(one):
            raise ValueError(f"{name!r} is not fitted: fit it first.")
    return models


def _is_fitted(model: Model) -> bool:
    return any(hasattr(model, name) for name in ("classes_", "n_features_in_", "tree_", "schema", "trees"))


def predicts_classes(model: Model) -> bool:
    """Return whether a model answers with classes, not numbers.

    >>> from treewright.tree.example import tennis
    >>> predicts_classes(tennis())
    True
    """
    if hasattr(model, "is_classifier") and isinstance(model.is_classifier, bool):
        return bool(model.is_classifier)
    return hasattr(model, "classes_")


def check_columns(models: Mapping[str, Model], table: Table) -> None:
    """Refuse models that were fitted to another number of columns.

    >>> import treewright as tw
    >>> from treewright.tree.example import tennis
    >>> check_columns({"tree": tennis()}, tw.Table.from_dict({"a": [1.0]}))
    Traceback (most recent call last):
    ValueError: 'tree' was fitted to 4 columns; X has 1. Fit the model to the columns of the picture.
    """
    for name, one in models.items():
        count = len(one.schema) if hasattr(one, "schema") else getattr(one, "n_features_in_", table.n_columns)
        if count != table.n_columns:
            raise ValueError(
                f"{name!r} was fitted to {count} columns; X has {table.n_columns}. "
                "Fit the model to the columns of the picture."
            )


def classes_of(models: Mapping[str, Model], answers: NDArray[Any]) -> list[Any]:
    """Return all classes that rows or models have, those of the first model first.

    >>> from treewright.tree.example import tennis
    >>> classes_of({"tree": tennis()}, np.array(["Perhaps", "No"]))
    ['No', 'Yes', 'Perhaps']
    """
    found: list[Any] = []
    for one in models.values():
        known = list(one.classes) if hasattr(one, "schema") else np.asarray(one.classes_).tolist()
        found += [value for value in known if value not in found]
    return found + sorted({value for value in answers.tolist() if value not in found}, key=str)


def as_given(model: Model, places: Floats, sides: Sequence[Side]) -> Any:
    """Return places of the axes as rows that the model takes: under the names it was fitted to.

    >>> import treewright as tw
    >>> from treewright.draw.plane import side_of
    >>> table = tw.Table.from_dict({"a": [1.0, 2.0], "y": ["n", "p"]})
    >>> as_given(tw.grow(table, "y"), np.array([[1.5]]), [side_of(table, 0)])
    Table(1 row; a: numeric)
    """
    if hasattr(model, "schema"):
        names = list(model.schema.names)
    elif (known := getattr(model, "feature_names_in_", None)) is not None:
        names = [str(name) for name in known]
    elif all(side.is_numbers for side in sides):
        return places
    else:
        names = [side.name for side in sides]
    cells = {name: side.cells(places[:, i]) for i, (name, side) in enumerate(zip(names, sides, strict=True))}
    if isinstance(model, Tree) or type(model).__module__.startswith("treewright."):
        kinds = {name: s.column.kind for name, s in zip(names, sides, strict=True) if not s.is_numbers}
        return Table.from_dict(cells, kinds=kinds)
    return frame_of(cells)


def codes_at(model: Model, places: Floats, sides: Sequence[Side], classes: Sequence[Any]) -> NDArray[np.intp]:
    """Return the numbers of the classes that a model answers with at places.

    >>> import treewright as tw
    >>> from treewright.draw.plane import side_of
    >>> table = tw.Table.from_dict({"a": [1.0, 2.0], "y": ["n", "p"]})
    >>> codes_at(tw.grow(table, "y"), np.array([[1.0], [2.0]]), [side_of(table, 0)], ["p", "n"]).tolist()
    [1, 0]
    """
    number = {value: i for i, value in enumerate(classes)}
    answers = np.asarray(model.predict(as_given(model, places, sides)))
    return np.array([number[value] for value in answers.tolist()], dtype=np.intp)


def chances_at(model: Model, places: Floats, sides: Sequence[Side], classes: Sequence[Any]) -> Floats | None:
    """Return the chance of each class at places; None of a model that gives none.

    >>> import treewright as tw
    >>> from treewright.draw.plane import side_of
    >>> table = tw.Table.from_dict({"a": [1.0, 2.0], "y": ["n", "p"]})
    >>> chances_at(tw.grow(table, "y"), np.array([[1.0]]), [side_of(table, 0)], ["p", "n"]).tolist()
    [[0.0, 1.0]]
    """
    if not hasattr(model, "predict_proba"):
        return None
    try:
        found = np.asarray(model.predict_proba(as_given(model, places, sides)), dtype=np.float64)
    except (AttributeError, NotImplementedError):  # there by name only: scikit-learn's SVC without chances
        return None
    known = list(model.classes) if hasattr(model, "schema") else np.asarray(model.classes_).tolist()
    ordered = np.zeros((len(found), len(classes)))
    for i, value in enumerate(known):
        ordered[:, list(classes).index(value)] = found[:, i]
    return ordered


def scores_at(model: Model, places: Floats, sides: Sequence[Side]) -> Floats | None:
    """Return scores: one that changes sign where the class changes, or one for each class; or None.

    Votes are whole numbers and tie over whole regions; they are no scores.

    >>> from treewright.tree.example import tennis
    >>> scores_at(tennis(), np.zeros((1, 2)), []) is None
    True
    """
    score = getattr(model, "decision_function", None)
    if score is None:
        return None
    given = as_given(model, places, sides)
    scores = np.asarray(score(given), dtype=np.float64)
    is_smooth = scores.ndim == 1 or np.array_equal(
        np.asarray(model.classes_)[scores.argmax(axis=1)], np.asarray(model.predict(given))
    )
    return scores if is_smooth else None


def tree_of(model: Model) -> Tree | None:
    """Return the tree where a model is one that tests one column at a time, else None.

    >>> from treewright.tree.example import tennis
    >>> tree_of(tennis()).n_leaves
    5
    """
    tree = model if isinstance(model, Tree) else getattr(model, "tree_", None)
    if not isinstance(tree, Tree) or hasattr(model, "rules_"):
        return None
    return None if (tree.kind[~tree.leaf_mask] == 3).any() or tree.has_models else tree


def has_margin(model: Model) -> bool:
    """Return whether a model has a margin and rows on it.

    >>> has_margin("a tree")
    False
    """
    return getattr(model, "margin_", None) is not None and getattr(model, "support_", None) is not None


def perceptron_steps(model: Model) -> list[tuple[int, tuple[float, float, float]]]:
    """Return number and plane (a, b, c) of a perceptron's updates but the last; none without a trace.

    >>> import treewright as tw
    >>> model = tw.Perceptron(start=[1, 1], bias=False).fit([[4, 3], [1, 3], [-2, 0], [2, 2]], [1, 0, 0, 1])
    >>> perceptron_steps(model)
    [(1, (0.0, -2.0, 0.0))]
    """
    trace = getattr(model, "trace_", ())
    is_planes = len(trace) > 1 and all(hasattr(update, "weights") for update in trace)
    if not is_planes or getattr(model, "map_", None) is not None:
        return []
    planes = []
    for number, update in enumerate(trace[:-1], start=1):
        if len(update.weights) not in (2, 3):
            return []
        a, b, *c = update.weights
        planes.append((number, (float(a), float(b), float(c[0]) if c else 0.0)))
    return planes[-MOST_STEPS:]
