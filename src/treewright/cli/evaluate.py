"""`treewright evaluate`: how good a model is on rows with known answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .data import read_for, rows_with_answers
from .failure import CheckFailed
from .figures import baseline, listed_scores, plain_figures
from .growing import threads_option, weight_option
from .judge import (
    RAW,
    answers_of_model,
    check_probabilities,
    missing_option,
    probabilities_option,
    under_policy,
)
from .model import load_model
from .options import DATA, Sectioned, json_option, option, reading_options
from .output import head, show, show_json, talk
from .progress import progress

if TYPE_CHECKING:
    from treewright.evaluate import Answers

EXAMPLES = (
    "treewright evaluate income.treewright test.csv",
    "treewright evaluate income.treewright test.csv --min-accuracy 0.8 || echo worse",
)


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("model", type=click.Path())
@click.argument("data", type=DATA)
@option(
    "--min-accuracy",
    type=click.FloatRange(0, 1),
    metavar="X",
    help="Exit with code 3 if the accuracy is below X.",
)
@option(
    "--min-r2",
    type=click.FloatRange(max=1),
    metavar="X",
    help="Of numbers: exit with 3 if R2 is below X.",
)
@probabilities_option
@missing_option
@weight_option
@threads_option
@reading_options
@json_option
def evaluate(
    model: str,
    data: str,
    min_accuracy: float | None,
    min_r2: float | None,
    probabilities: str | None,
    policy: str | None,
    weight: str | None,
    threads: int,
    reading: dict[str, Any],
    as_json: bool,
) -> None:
    """Say how good a model is on rows with known answers."""
    known = under_policy(load_model(model), policy)
    if min_accuracy is not None and not known.is_classifier:
        raise click.UsageError("--min-accuracy is for classes; this model predicts a number. Use --min-r2.")
    if min_r2 is not None and known.is_classifier:
        raise click.UsageError("--min-r2 is for numbers; this model predicts classes. Use --min-accuracy.")
    check_probabilities(known, probabilities)
    target = known.target.name
    table, n_gaps = rows_with_answers(
        read_for(known, data, reading, [target, *([weight] if weight else [])]), target
    )
    if n_gaps:
        talk(f"{n_gaps:,} rows have no {target}; they are left out.")
    with progress("Predicting"):
        answers = answers_of_model(known, table, weight, threads, probabilities)
    if as_json:
        show_json(_plain(answers))
    else:
        _show(answers)
        if probabilities == RAW and hasattr(known, "leaves"):  # a tree
            _advise(answers)
    _check(answers, {"accuracy": min_accuracy, "r2": min_r2})


def _show(answers: Answers) -> None:
    from treewright.evaluate import class_table, confusion

    head(f"Scores on {answers.n_rows:,} rows")
    for line in listed_scores(answers):
        show(f"  {line}")
    if not answers.is_classes:
        return
    show(f"  {baseline(answers)}")
    matrix = confusion(answers)
    head("Confusion: a row for each true class, a column for what was said")
    for line in matrix.to_text().splitlines():
        show(f"  {line}")
    head("Classes, with standard errors")
    for line in class_table(matrix.per_class()).splitlines():
        show(f"  {line}")


def _advise(answers: Answers) -> None:
    """Say what makes log loss large: rows whose true class was thought impossible."""
    if answers.chances is None:
        return
    n_sure = int((answers.chances[range(answers.n_rows), answers.truth] == 0).sum())
    if n_sure:
        rows = f"{n_sure:,} row{'' if n_sure == 1 else 's'}"
        talk(
            f"The tree gives the true class of {rows} a probability of 0, which log loss punishes most: "
            "--probabilities laplace is less sure of small leaves."
        )


def _plain(answers: Answers) -> dict[str, Any]:
    from treewright.evaluate import confusion

    told = plain_figures(answers)
    if answers.is_classes:
        matrix = confusion(answers)
        told["classes"] = list(matrix.classes)
        told["confusion"] = matrix.counts
        told["per_class"] = [
            {
                "class": scores.name,
                "precision": scores.precision.value,
                "recall": scores.recall.value,
                "f1": scores.f1.value,
                "support": scores.support,
            }
            for scores in matrix.per_class()
        ]
    return told


def _check(answers: Answers, least: dict[str, float | None]) -> None:
    from treewright.evaluate import scores

    for name, bound in least.items():
        if bound is None:
            continue
        value = scores(answers, name)[name].value
        if not value >= bound:
            raise CheckFailed(f"{name} {value:.4f} is below --min-{name} {bound:g}.")
