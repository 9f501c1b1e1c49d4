"""`treewright calibrate`: a model whose probabilities are put right by rows that it has not seen."""

from __future__ import annotations

from typing import Any

import click

from treewright.evaluate.calibration import answers_of_any
from treewright.evaluate.calibration import calibrate as put_right
from treewright.evaluate.measures import scores
from treewright.predict.calibration import METHODS

from .data import read_for, rows_with_answers
from .failure import Failure
from .files import check_place
from .growing import weight_option
from .judge import check_probabilities, probabilities_option
from .model import load_model
from .options import DATA, Sectioned, Word, json_option, option, reading_options
from .output import head, show, show_json, talk
from .proposal import proposed

_SCORES = ("log_loss", "brier", "calibration_error")
_FEW = 100  # rows that a curve is found by, below which it is told

EXAMPLES = (
    "treewright calibrate income.treewright --data held.csv -o sober.treewright",
    "treewright calibrate income.treewright --data held.csv --method beta -o sober.treewright",
)


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("model", type=click.Path())
@option("--data", type=DATA, metavar="FILE", required=True,
        help="Rows with their answers that the model has not seen.")  # fmt: skip
@option("-o", "--output", type=click.Path(), metavar="FILE", required=True, help="The model to write.")
@option("--method", type=Word(METHODS), default=METHODS[0], show_default=True,
        help="isotonic: the nearest rising curve, of many rows; beta: a curve of three numbers.")  # fmt: skip
@probabilities_option
@weight_option
@reading_options
@json_option
def calibrate(
    model: str,
    data: str,
    output: str,
    method: str,
    probabilities: str | None,
    weight: str | None,
    reading: dict[str, Any],
    as_json: bool,
) -> None:
    """Put a model's probabilities right by rows it has not seen."""
    check_place(output, [data])
    known = load_model(model)
    if not getattr(known, "is_classifier", False) or not hasattr(known, "about"):
        raise Failure(f"{model}: calibration is for the probabilities of a tree or a forest for classes.")
    check_probabilities(known, probabilities)
    also = [known.target.name, *([weight] if weight else [])]
    rows, n_gaps = rows_with_answers(read_for(known, data, reading, also), known.target.name)
    if n_gaps:
        talk(f"{n_gaps:,} rows have no {known.target.name}; they are left out.")
    before = scores(answers_of_any(known, rows, weight), _SCORES)
    sober = put_right(known, rows, method, probabilities=probabilities, weights=weight)
    sober.save(output)
    if as_json:
        told = {name: [score.value, score.standard_error] for name, score in before.items()}
        show_json({"model": output, "method": method, "rows": rows.n_rows, "before": told})
        return
    head(f"Before, on {rows.n_rows:,} rows")
    for name, score in before.items():
        show(f"  {name.replace('_', ' ')}  {score}")
    if rows.n_rows < _FEW and method == METHODS[0]:
        talk("Few rows for a rising curve; --method beta needs fewer.")
    talk(f"Calibrated by {method}: {output}")
    talk("Next:", style="bold")
    again = proposed("evaluate", arguments=[output, "TEST.csv"])
    talk(f"  {again}      to judge it by rows that calibrated nothing")
