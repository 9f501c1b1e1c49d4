"""The right answers beside those that were given, row by row: what every score is made from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.evaluate.parts import answers_of
from treewright.predict import own_chances, route_columns, values
from treewright.predict.vote import labels
from treewright.table import Table, align, table_of
from treewright.table.rows import check_weights
from treewright.tree import Tree
from treewright.tree.losses import loss_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Answers:
    """Right answers beside given ones: class numbers with the names of the classes, or numbers.

    >>> Answers.of(["a", "b", "b"], ["a", "a", "b"])
    Answers(3 rows of 2 classes)
    >>> Answers.of([1.0, 2.5], [1.0, 2.0])
    Answers(2 rows of numbers)
    """

    truth: NDArray[Any]
    given: NDArray[Any]
    weights: Floats
    classes: tuple[str, ...] = ()  # empty for numbers
    chances: Floats | None = None  # of each class, rows x classes
    loss: str = "squared"  # of numbers: what the tree was grown by

    def __post_init__(self) -> None:
        if not len(self.truth):
            raise ValueError("There are no rows to judge by.")
        if not float(self.weights.sum()) > 0:
            raise ValueError("All rows to judge by have weight 0.")

    def __repr__(self) -> str:
        return (
            f"Answers({self.n_rows} rows of {f'{len(self.classes)} classes' if self.classes else 'numbers'})"
        )

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.truth)

    @property
    def is_classes(self) -> bool:
        """Whether these are classes, not numbers."""
        return bool(self.classes)

    @classmethod
    def of(
        cls,
        truth: Any,
        given: Any,
        *,
        classes: Sequence[Any] | None = None,
        chances: Any = None,
        weights: Any = None,
    ) -> Answers:
        """Return answers from anybody's predictions: labels (text, truth values) or numbers, one per row.

        `classes` are the names and order of the classes (numbers are classes only if they are given here);
        by default those that occur, sorted. `chances` are probabilities, one column per class.

        >>> Answers.of([0, 1, 1], [0, 0, 1], classes=[0, 1]).classes
        ('0', '1')
        """
        right, said = np.asarray(truth), np.asarray(given)
        if right.ndim != 1 or right.shape != said.shape:
            raise ValueError(
                f"There are answers of the shape {said.shape} for rows of the shape {right.shape}."
            )
        weight = np.ones(len(right)) if weights is None else check_weights(weights, len(right))
        if classes is None and right.dtype.kind in "iuf" and said.dtype.kind in "iuf":
            if chances is not None:
                raise ValueError("chances are for classes; name them with classes=[...].")
            return cls(_finite(right, "right"), _finite(said, "given"), weight)
        words = [_words(right, "right"), _words(said, "given")]
        names = tuple(sorted({*words[0], *words[1]})) if classes is None else tuple(map(str, classes))
        codes = [_codes(texts, names) for texts in words]
        return cls(codes[0], codes[1], weight, names, _checked_chances(chances, len(right), len(names)))

    def take(self, rows: NDArray[Any]) -> Answers:
        """Return the answers of some rows.

        >>> Answers.of([1.0, 2.0], [1.0, 2.0]).take(np.array([1])).truth.tolist()
        [2.0]
        """
        part = None if self.chances is None else self.chances[rows]
        return Answers(self.truth[rows], self.given[rows], self.weights[rows], self.classes, part, self.loss)


def check_answers(given: Any, who: str) -> None:
    """Refuse what is not answers beside the truth, and say how they are made.

    >>> check_answers("yes", "accuracy")
    Traceback (most recent call last):
    TypeError: accuracy takes answers beside the truth: tw.evaluate.answers(tree, data), or Answers.of(...).
    """
    if not isinstance(given, Answers):
        raise TypeError(
            f"{who} takes answers beside the truth: tw.evaluate.answers(tree, data), or Answers.of(...)."
        )


def answers(
    tree: Tree, table: Any, *, weights: Any = None, probabilities: str | None = None, n_threads: int = 1
) -> Answers:
    """Return what a tree says about the rows of a table, beside the right answers.

    `probabilities` is as in `predict_proba`. Classes that the tree never met are
    added to its own; it gives them no chance.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> answers(tw.grow(table, target="PlayTennis", recipe="stump"), table)
    Answers(14 rows of 2 classes)
    """
    if not isinstance(tree, Tree):
        raise TypeError(
            f"answers takes a treewright.Tree, not {type(tree).__name__}; of an estimator, its tree_."
        )
    table = table_of(table, tree.schema.columns, "answers")
    weight = _weights(table, weights)
    name = tree.target.name
    if name not in table.schema:
        raise ValueError(
            f"The table has no column {name!r}, which the tree predicts; nothing can be compared."
        )
    column, found = answers_of(table, name)
    columns = list(align(table, tree.schema.columns))
    routed = route_columns(tree, columns, table.n_rows, n_threads)
    if not tree.is_classifier:
        if not column.is_numeric:
            raise ValueError(f"Column {name!r} is {column.kind} here; the tree predicts it as a number.")
        return Answers(found, values(tree, routed, columns), weight, loss=loss_of(tree))
    truth, classes = _known_codes(table, tree, name)
    shares = own_chances(tree, routed, probabilities, columns)
    shares = np.hstack([shares, np.zeros((len(shares), len(classes) - shares.shape[1]))])
    return Answers(truth, labels(tree, routed, columns).astype(np.int64), weight, classes, shares)


def _known_codes(table: Table, tree: Tree, name: str) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    column, values = table.column(name)
    if column == tree.target:
        return values.astype(np.int64), tree.classes
    texts = table.labels(name)
    known = set(tree.classes)
    classes = (*tree.classes, *sorted({text for text in texts if text not in known}))
    return _codes(list(texts), classes), classes


def _weights(table: Table, weights: Any) -> Floats:
    if isinstance(weights, str):
        weights = table.column(weights)[1]
    return np.ones(table.n_rows) if weights is None else check_weights(weights, table.n_rows)


def _finite(values: NDArray[Any], whose: str) -> Floats:
    found = np.asarray(values, dtype=np.float64)
    if not np.isfinite(found).all():
        row = int(np.argmin(np.isfinite(found)))
        raise ValueError(f"The {whose} answer of row {row} is {found[row]}; answers must be finite numbers.")
    return found


def _words(labels: NDArray[Any], whose: str) -> list[str]:
    for row, label in enumerate(labels.tolist()):
        if label is None or (isinstance(label, float) and math.isnan(label)):
            raise ValueError(f"The {whose} answer of row {row} is missing; leave such rows out.")
    return [str(label) for label in labels.tolist()]


def _codes(texts: Sequence[str], classes: Sequence[str]) -> NDArray[np.int64]:
    place = {name: code for code, name in enumerate(classes)}
    for text in texts:
        if text not in place:
            raise ValueError(f"The class {text!r} is not one of {', '.join(map(repr, classes))}.")
    return np.array([place[text] for text in texts], dtype=np.int64)


def _checked_chances(given: Any, n_rows: int, n_classes: int) -> Floats | None:
    if given is None:
        return None
    found = np.asarray(given, dtype=np.float64)
    if found.shape != (n_rows, n_classes):
        raise ValueError(
            f"chances has the shape {found.shape}; it needs {n_rows} rows x {n_classes} classes."
        )
    if not ((found >= 0) & (found <= 1)).all() or not np.allclose(found.sum(axis=1), 1.0, atol=1e-6):
        raise ValueError("chances must be from 0 to 1 and add up to 1 in every row.")
    return found
