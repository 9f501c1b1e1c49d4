"""What a model says about rows beside the right answers: for trees, forests and rules alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
import numpy as np

from treewright.predict import SMOOTHINGS

from .failure import Failure
from .options import Word, option
from .proposal import column_option

if TYPE_CHECKING:
    import treewright as tw
    from treewright.evaluate import Answers


Command = TypeVar("Command", bound=Callable[..., Any])

RAW = SMOOTHINGS[0]


def probabilities_option(command: Command) -> Command:
    """Give a command `--probabilities`."""
    about = "Of a tree: shares in the leaf (raw), or none of them 0 or 1 (laplace, m_estimate)."
    word = option(
        "--probabilities", type=Word(SMOOTHINGS), default=RAW, show_default=True, metavar="WORD", help=about
    )
    return word(command)


def check_probabilities(model: Any, probabilities: str) -> None:
    """Refuse a word about the leaves of a tree where the model is none, or has no classes."""
    import treewright as tw

    if probabilities == RAW:
        return
    if not isinstance(model, tw.Tree):
        raise click.UsageError("--probabilities is about the leaves of a single tree; leave it out.")
    if not model.is_classifier:
        raise click.UsageError("--probabilities is for classes; this model predicts a number. Leave it out.")


def answers_of_model(
    model: Any,
    table: tw.Table,
    weight: str | None = None,
    n_threads: int = 1,
    probabilities: str = RAW,
) -> Answers:
    """Return the answers of a model to the rows of a table that has the target.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> answers_of_model(tw.forest.grow(table, target="PlayTennis", n_trees=5), table)
    Answers(14 rows of 2 classes)
    """
    import treewright as tw

    if isinstance(model, tw.Tree):
        return tw.evaluate.answers(
            model, table, weights=weight, n_threads=n_threads, probabilities=probabilities
        )
    name = model.target.name
    column, values = table.column(name)
    weights = None if weight is None else table.column(weight)[1]
    if not model.is_classifier:
        if not column.is_numeric:
            raise Failure(
                f"Column {name!r} is {column.kind} here; the model predicts it as a number. "
                f"Try {column_option('--numeric', name)}."
            )
        return tw.evaluate.Answers.of(values, model.predict(table), weights=weights)
    truth = table.labels(name)
    classes = (*model.classes, *sorted({label for label in truth if label not in set(model.classes)}))
    chances = model.predict_proba(table)
    chances = np.hstack([chances, np.zeros((table.n_rows, len(classes) - chances.shape[1]))])
    said = model.predict(table)
    return tw.evaluate.Answers.of(truth, said, classes=classes, chances=chances, weights=weights)
