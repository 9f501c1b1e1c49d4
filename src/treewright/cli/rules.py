"""`treewright rules`: a tree as IF-THEN rules, to read or to run elsewhere."""

from __future__ import annotations

from typing import Any

import click

from treewright.export.formats import FORMATS
from treewright.table.sql import DIALECTS

from .data import read_for, rows_with_answers
from .export import check_stdout
from .failure import Failure
from .files import check_place, write_text
from .growing import seed_option, weight_option
from .model import load_model
from .options import DATA, Sectioned, Word, option, reading_options
from .output import show, talk
from .progress import progress
from .terminal import is_ascii_only

NAMES = tuple(name for name, row in FORMATS.items() if "rules" in row.kinds)

EXAMPLES = (
    "treewright rules income.treewright",
    "treewright rules income.treewright --format sql --table customers --dialect postgres",
    "treewright rules income.treewright --c45rules --data train.csv --json -o income.rules",
)


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("model", type=click.Path())
@option("--format", "form", type=Word(NAMES), default="text", show_default=True, help=f"{', '.join(NAMES)}.")
@option("--json", "as_json", is_flag=True, help="The same as --format json; treewright can load it again.")
@option("--full", is_flag=True, help="Also say what missing values (gaps) and new categories do.")
@option("--table", metavar="NAME", help="Of SQL: a SELECT on this table, not only the expression.")
@option("--dialect", type=Word(tuple(DIALECTS)), metavar="WORD", help=f"Of SQL: {', '.join(DIALECTS)}.")
@option("--c45rules", is_flag=True, help="Fewer, more general rules in order (C4.5rules); needs --data.")
@option("--data", type=DATA, metavar="FILE", help="The rows that the tree was grown on.")
@option("--confidence", type=click.FloatRange(0, 1), default=0.25, show_default=True, metavar="X",
        help="Of C4.5rules: smaller makes rules more general.")  # fmt: skip
@option("-o", "--output", type=click.Path(), metavar="FILE", help="Write here instead of standard output.")
@weight_option
@seed_option
@reading_options
def rules(
    model: str,
    form: str,
    as_json: bool,
    full: bool,
    table: str | None,
    dialect: str | None,
    c45rules: bool,
    data: str | None,
    confidence: float,
    output: str | None,
    weight: str | None,
    seed: int,
    reading: dict[str, Any],
) -> None:
    """Show a tree as IF-THEN rules."""
    form = "json" if as_json else form
    if output:
        check_place(output, [model, *([data] if data else [])])
    for word, given in (("--table", table), ("--dialect", dialect)):
        if given and form != "sql":
            raise click.UsageError(f"{word} is for --format sql.")
    found = _rules(load_model(model), c45rules, data, confidence, weight, seed, reading)
    said = {"full": full, "ascii": not output and is_ascii_only(), "table": table, "dialect": dialect}
    taken = FORMATS[form].options_of("rules")
    text = found.to_text(form, **{name: value for name, value in said.items() if name in taken})
    if not output:
        check_stdout(FORMATS[form], text, "rules")
    if output:
        write_text(output, text.rstrip("\n") + "\n")
        talk(f"{len(found)} rules written: {output}")
    else:
        show(text.rstrip("\n"))


def _rules(
    model: Any,
    general: bool,
    data: str | None,
    confidence: float,
    weight: str | None,
    seed: int,
    reading: dict[str, Any],
) -> Any:
    import treewright as tw

    if isinstance(model, tw.rules.RuleSet):
        if general:
            raise Failure("--c45rules makes rules of a tree; this model is a set of rules already.")
        return model
    if not isinstance(model, tw.Tree):
        raise Failure(
            "A forest has no rules to read; fit a single tree: treewright fit DATA --target COL -o FILE"
        )
    if not general:
        if data is not None:
            talk("--data is not needed for the rules of a tree's leaves; --c45rules uses it.")
        return model.rules()
    if data is None:
        raise Failure("--c45rules needs the rows that the tree was grown on: add --data FILE.")
    also = [model.target.name, *([weight] if weight else [])]
    rows, _ = rows_with_answers(read_for(model, data, reading, also), model.target.name)
    weights = None if weight is None else rows.column(weight)[1]
    with progress("Making rules") as watch:
        return tw.rules.c45rules(
            model, rows, confidence=confidence, weights=weights, seed=seed, progress=watch
        )
