"""What a model says about rows beside the right answers: for trees, forests and rules alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
import numpy as np

from treewright.predict.smoothing import SMOOTHINGS, estimate_of
from treewright.tree.schools import SCHOOLS, with_policy

from .failure import Failure, in_options
from .options import Read, Word, option
from .proposal import column_option

if TYPE_CHECKING:
    import treewright as tw
    from treewright.evaluate import Answers


Command = TypeVar("Command", bound=Callable[..., Any])

RAW = None  # what the model itself says


def _estimate_word(text: str) -> str:
    estimate_of(text)
    return text


def probabilities_option(command: Command) -> Command:
    """Give a command `--probabilities`."""
    about = f"Of a tree: {', '.join(SMOOTHINGS)}, or m_estimate:8. Default: the model's own, usually raw."
    return option(
        "--probabilities", type=Read("estimate", _estimate_word), default=RAW, metavar="WORD", help=about
    )(command)


def missing_option(command: Command) -> Command:
    """Give a command `--missing-policy`."""
    about = f"Treat missing values otherwise than the tree was grown: {', '.join(SCHOOLS)}."
    return option("--missing-policy", "policy", type=Word(SCHOOLS), metavar="WORD", help=about)(command)


def under_policy(model: Any, missing: str | None) -> Any:
    """Return a model that treats missing values by another policy."""
    import treewright as tw

    if missing is None:
        return model
    if not isinstance(model, tw.Tree):
        raise click.UsageError("--missing-policy is about a single tree; leave it out.")
    try:
        return with_policy(model, missing)
    except ValueError as reason:
        raise Failure(in_options(reason)) from None


def check_probabilities(model: Any, probabilities: str | None) -> None:
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
    probabilities: str | None = RAW,
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
