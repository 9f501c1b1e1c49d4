"""`treewright explain MODEL DATA --row 17`: why a row is answered so, and what would change that."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from treewright.base.refusals import is_refusal

from .data import read_for
from .failure import Failure, in_options, near
from .model import load_model
from .options import DATA, Sectioned, json_option, listed, option, reading_options
from .output import show, show_json, talk
from .terminal import is_ascii_only

if TYPE_CHECKING:
    import treewright as tw


EXAMPLES = (
    "treewright explain income.treewright people.csv --row 17",
    "treewright explain income.treewright people.csv --row 17 --wanted '>50K' --fixed age,sex",
    "treewright explain income.treewright --set age=39 --set job=clerk",
)
CHANGE = "The least change"


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("model", type=click.Path())
@click.argument("data", type=DATA, required=False)
@option("--row", type=int, metavar="N", help="Which row of DATA; 1 is the first below the header.")
@option("--set", "cells", metavar="COL=VALUE", multiple=True, help="Give the row this value; repeatable.")
@option(
    "--wanted",
    metavar="ANSWER",
    multiple=True,
    help="The answer to reach: a class; of numbers LOW:HIGH, or one end: 200:",
    section=CHANGE,
)
@option("--fixed", metavar="COL", multiple=True, help="Columns that must stay; also A,B,C.", section=CHANGE)
@option(
    "--cost",
    "costs",
    metavar="COL=PRICE",
    multiple=True,
    help="What one unit, one step or a change of the column costs.",
    section=CHANGE,
)
@option(
    "--whole",
    metavar="COL",
    multiple=True,
    help="Columns that move by whole numbers; also A,B,C.",
    section=CHANGE,
)
@option(
    "--most",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    metavar="N",
    help="How many changes to show at most.",
    section=CHANGE,
)
@reading_options
@json_option
def explain(
    model: str,
    data: str | None,
    row: int | None,
    cells: tuple[str, ...],
    reading: dict[str, Any],
    as_json: bool,
    **wishes: Any,
) -> None:
    """Say why a row is answered so, and what would change the answer.

    Without DATA, the row is what --set says; an empty value is a missing one. With DATA, --set changes
    cells of its row: what if?
    """
    import treewright as tw

    knows = load_model(model)
    given, number = _row(knows, data, row, reading)
    changed = dict(_pair("--set", text, data is None) for text in cells)
    _check_names(knows, changed, "--set")
    _check_numbers(knows, changed)
    given |= changed
    if not given:
        raise click.UsageError("Which row? Give DATA and --row, or the values: --set COL=VALUE.")
    try:
        found = _explained(tw, knows, given, wishes)
    except ValueError as reason:
        if not is_refusal(reason):
            raise
        where = "this row" if number is None else f"row {number}"
        raise Failure(in_options(reason).replace("row 0", where)) from None
    if as_json:
        show_json({"row_number": number, **found.to_dict()})
        return
    if number is not None:
        _tell_row(os.path.basename(str(data)), number, found.row)
    show(found.to_text(ascii=is_ascii_only("±")))
    has_boxes = isinstance(knows, tw.Tree) and not knows.has_models
    if has_boxes and not knows.is_classifier and not wishes["wanted"]:
        talk("What would change that? Say which numbers you want: --wanted LOW:HIGH")


def _row(
    model: Any, data: str | None, row: int | None, reading: dict[str, Any]
) -> tuple[dict[str, Any], int | None]:
    """Return the cells of the row by name, and its number."""
    if data is None:
        if row is not None:
            raise click.UsageError(
                "--row is a row of DATA; say which file: treewright explain MODEL DATA --row N."
            )
        return {}, None
    table = read_for(model, data, reading)
    if row is None and table.n_rows != 1:
        raise click.UsageError(
            f"Which row? {data!r} has {table.n_rows:,}: give --row, from 1 to {table.n_rows}."
        )
    number = 1 if row is None else row
    if not 1 <= number <= table.n_rows:
        rows = f"{table.n_rows:,} row{'' if table.n_rows == 1 else 's'}"
        raise Failure(f"--row {number}: {data!r} has {rows}, counted from 1 below the header.")
    return {name: column[0] for name, column in table.take([number - 1]).to_dict().items()}, number


def _explained(tw: Any, model: Any, row: dict[str, Any], wishes: dict[str, Any]) -> Any:
    """Return the explanation that fits the model: of a tree, a forest or rules."""
    if not isinstance(model, tw.Tree):
        given = [
            f"--{word.removesuffix('s')}" for word in ("wanted", "fixed", "costs", "whole") if wishes[word]
        ]
        if given:
            what = "a forest" if isinstance(model, tw.forest.Forest) else "rules"
            raise Failure(
                f"{given[0]} is for a single tree, whose least change is searched; the model is {what}."
            )
        how = tw.explain.explain_votes if isinstance(model, tw.forest.Forest) else tw.explain.explain_rules
        return how(model, row)
    options: dict[str, Any] = {"most": wishes["most"]}
    if wishes["wanted"]:
        options["wanted"] = _wanted(model, wishes["wanted"])
    if wishes["costs"]:
        options["costs"] = dict(map(_price, wishes["costs"]))
    for word in ("fixed", "whole"):
        names = [name for text in wishes[word] for name in listed(text)]
        _check_names(model, names, f"--{word}")
        if names:
            options[word] = names
    _check_names(model, options.get("costs", ()), "--cost")
    return model.explain(row, **options)


def _wanted(tree: tw.Tree, texts: Sequence[str]) -> Any:
    """Return classes, or the two ends of LOW:HIGH."""
    if tree.is_classifier:
        return list(texts)
    low, colon, high = texts[0].partition(":")
    try:
        ends = tuple(float(end) if end.strip() else None for end in (low, high))
    except ValueError:
        ends = (None, None)
    if len(texts) > 1 or not colon or ends == (None, None):
        raise click.BadParameter(
            f"{texts[-1]!r}: the tree predicts the number {tree.target.name!r}; write two ends, such as "
            "200:300, or one: 200: is at least 200, :300 at most 300.",
            param_hint="'--wanted'",
        )
    return ends


def _pair(option: str, text: str, is_alone: bool = False) -> tuple[str, Any]:
    """Return the column and the value of "COL=VALUE"; nothing after the sign is a missing value.

    >>> _pair("--set", "age=39"), _pair("--set", "age=")
    (('age', '39'), ('age', None))
    """
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        example = "--set age=39" if option == "--set" else "--cost age=0.5"
        hint = " DATA comes before options, or is left out." if is_alone else ""
        raise click.BadParameter(
            f"{text!r} is not COL=VALUE, such as {example}.{hint}", param_hint=f"'{option}'"
        )
    return name.strip(), value.strip() or None


def _price(text: str) -> tuple[str, float]:
    name, value = _pair("--cost", text)
    try:
        return name, float(value)
    except (TypeError, ValueError):
        raise click.BadParameter(
            f"{text!r}: the price must be a number, such as {name}=0.5.", param_hint="'--cost'"
        ) from None


def _check_names(model: Any, names: Any, option: str) -> None:
    known = model.schema.names
    sources = {column.origin.column for column in model.schema.columns if column.origin is not None}
    for name in names:
        if name.strip() not in known and name.strip() not in sources:
            shown = ", ".join(known[:12]) + (", ..." if len(known) > 12 else ".")
            raise Failure(
                f"{option} {name}: the model has no column of this name{near(name, known)}It has: {shown}"
            )


def _check_numbers(model: Any, cells: dict[str, Any]) -> None:
    """Refuse a text where the model has numbers; names of intervals are welcome."""
    for name, cell in cells.items():
        if name not in model.schema:  # a column that others are made from
            continue
        column = model.schema[name]
        if column.notation is not None and cell is not None:
            if column.notation.numbers([cell]) == [None] and not _is_number(cell):
                example = column.text_of(0.0) if column.shows_moments else "39.5"
                raise Failure(f"--set {name}={cell}: {name!r} is a {column.kind}, such as {name}={example}")
            continue
        is_number = column.is_numeric or (column.edges is not None and cell not in column.categories)
        if cell is not None and is_number and not _is_number(cell):
            raise Failure(f"--set {name}={cell}: {name!r} is a number; write one, such as {name}=39.5")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _tell_row(file: str, number: int, row: dict[str, Any]) -> None:
    cells = [f"{name} {'missing' if cell is None else cell}" for name, cell in row.items()]
    more = f", ... {len(cells) - 12} more" if len(cells) > 12 else ""
    talk(f"Row {number} of {file}: {', '.join(cells[:12])}{more}")
