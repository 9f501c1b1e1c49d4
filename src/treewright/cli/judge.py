"""What a model says about rows beside the right answers: for trees, forests and rules alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .failure import Failure

if TYPE_CHECKING:
    import treewright as tw
    from treewright.evaluate import Answers


def answers_of_model(model: Any, table: tw.Table, weight: str | None = None, n_threads: int = 1) -> Answers:
    """Return the answers of a model to the rows of a table that has the target.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> answers_of_model(tw.forest.grow(table, target="PlayTennis", n_trees=5), table)
    Answers(14 rows of 2 classes)
    """
    import treewright as tw

    if isinstance(model, tw.Tree):
        return tw.evaluate.answers(model, table, weights=weight, n_threads=n_threads)
    name = model.target.name
    column, values = table.column(name)
    weights = None if weight is None else table.column(weight)[1]
    if not model.is_classifier:
        if not column.is_numeric:
            raise Failure(
                f"Column {name!r} is {column.kind} here; the model predicts it as a number. "
                f"Try --numeric {name}."
            )
        return tw.evaluate.Answers.of(values, model.predict(table), weights=weights)
    truth = table.labels(name)
    classes = (*model.classes, *sorted({label for label in truth if label not in set(model.classes)}))
    chances = model.predict_proba(table)
    chances = np.hstack([chances, np.zeros((table.n_rows, len(classes) - chances.shape[1]))])
    said = model.predict(table)
    return tw.evaluate.Answers.of(truth, said, classes=classes, chances=chances, weights=weights)
