"""`treewright report`: a model as one HTML page to look at, to send around and to keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from .data import read_for, rows_with_answers
from .files import check_place
from .growing import checked_units, seed_option, threads_option, units_options, weight_option
from .model import load_model
from .options import DATA, Sectioned, json_option, option, reading_options
from .output import show_json, talk
from .progress import progress

if TYPE_CHECKING:
    import treewright as tw

EXAMPLES = (
    "treewright report income.treewright --data test.csv -o income.html",
    "treewright report income.treewright --data test.csv --train train.csv --cv 10 -o income.html",
)


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("model", type=click.Path())
@option("-o", "--output", type=click.Path(), required=True, metavar="FILE", help="The page to write.")
@option("--data", type=DATA, metavar="FILE", help="Rows the tree has not seen, to judge it by.")
@option("--train", type=DATA, metavar="FILE", help="The rows it was grown on; only a fingerprint is kept.")
@option(
    "--cv", type=click.IntRange(2), metavar="K", help="Judge the sizes of the tree by K folds of --train."
)
@units_options
@option("--title", metavar="TEXT", help="Of the page; by default the name of the target.")
@weight_option
@seed_option
@threads_option
@reading_options
@json_option
def report(
    model: str,
    output: str,
    data: str | None,
    train: str | None,
    cv: int | None,
    groups: str | None,
    order: str | None,
    title: str | None,
    weight: str | None,
    seed: int,
    threads: int,
    reading: dict[str, Any],
    as_json: bool,
) -> None:
    """Write a page about a tree, a forest or rules that opens offline."""
    from treewright.report import report as write

    if cv is not None and train is None:
        raise click.UsageError("--cv grows the tree again on parts of its rows: add --train FILE.")
    check_place(output, [path for path in (model, data, train) if path])
    loaded = load_model(model)
    if (groups or order) and (cv is None or train is None):
        raise click.UsageError("--groups and --order deal the folds of --cv: add --cv K.")
    apart = [name for name in (groups, order) if name]
    test = _rows(loaded, data, weight, reading)
    training = _rows(loaded, train, weight, reading, apart)
    units = checked_units(training, groups, order)
    with progress("Cross-validating" if cv else "Writing the report") as watch:
        write(
            loaded,
            output,
            test,
            training=training,
            folds=cv,
            **units,
            title=title,
            weights=weight if test is not None else None,
            training_weights=weight if training is not None else None,
            seed=seed,
            n_jobs=threads,
            progress=watch,
        )
    if as_json:
        rows = {"data": test, "train": training}
        told = {name: None if table is None else table.n_rows for name, table in rows.items()}
        size = {"leaves": loaded.n_leaves} if hasattr(loaded, "n_leaves") else {"rules": len(loaded)}
        show_json({"report": output, **size, "rows": told})
        return
    if test is None:
        talk("Without --data FILE the page says nothing of errors on rows that the tree has not seen.")
    talk(f"Report written: {output}. It is one file; open it in any browser.")


def _rows(
    tree: Any, path: str | None, weight: str | None, reading: dict[str, Any], apart: Sequence[str] = ()
) -> tw.Table | None:
    if path is None:
        return None
    target = tree.target.name
    also = [target, *([weight] if weight else []), *apart]
    table, n_gaps = rows_with_answers(read_for(tree, path, reading, also), target)
    if n_gaps:
        talk(f"{n_gaps:,} rows of {path} have no {target}; they are left out.")
    return table
