"""`treewright prune`: a smaller tree from a tree, and what that cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from .data import read_for, rows_with_answers
from .failure import Failure
from .figures import figures_table, plain_figures
from .files import check_place
from .growing import PRUNING, PRUNINGS, checked_units, threads_option, units_options, weight_option
from .judge import answers_of_model
from .listing import shortened, size
from .model import load_tree
from .options import DATA, Sectioned, json_option, option, reading_options
from .output import head, show, show_json, talk
from .progress import progress
from .proposal import proposed

if TYPE_CHECKING:
    import treewright as tw

_NEEDS = {
    "training": "the rows that the tree was grown on",
    "validation": "rows with their answers that the tree was not grown on",
}

EXAMPLES = (
    "treewright prune big.treewright --method reduced_error --data validation.csv -o small.treewright",
    "treewright prune big.treewright --method pessimistic -o small.treewright",
)


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("model", type=click.Path())
@option("--method", type=PRUNING, metavar="METHOD", required=True,
        help=f"{', '.join(PRUNINGS[1:])}; options as in error_based:confidence=0.1.")  # fmt: skip
@option("--data", type=DATA, metavar="FILE", help="The rows that the method needs: of training, or others.")
@option("-o", "--output", type=click.Path(), metavar="FILE", help="Save the pruned tree here.")
@units_options
@weight_option
@threads_option
@reading_options
@json_option
def prune(
    model: str,
    method: Any,
    data: str | None,
    output: str | None,
    groups: str | None,
    order: str | None,
    weight: str | None,
    threads: int,
    reading: dict[str, Any],
    as_json: bool,
) -> None:
    """Make a tree smaller."""
    from treewright.prune import Evidence, UnsuitableError, pruned
    from treewright.prune.method import among_blocks

    if method == "none":
        raise click.UsageError("--method none would change nothing; choose another.")
    if output:
        check_place(output, [data] if data else [])
    tree = load_tree(model)
    needs = _NEEDS.get(getattr(method, "needs", ""))
    if needs and data is None:
        raise Failure(f"--method {method.name} needs {needs}: add --data FILE.")
    apart = [name for name in (groups, order) if name]
    rows = None if data is None else _rows(tree, data, reading, weight, apart)
    if apart:
        units = checked_units(rows, groups, order) if rows is not None else {}
        method = among_blocks(method, None, units.get("groups"), units.get("order"))
        if not any(getattr(method, name, None) for name in ("groups", "order")):
            raise Failure(f"--method {method.name} has no folds that --groups or --order could deal.")
    weights = None if rows is None or weight is None else rows.column(weight)[1]
    with progress("Pruning") as watch:
        try:
            smaller = pruned(
                tree,
                method,
                Evidence(rows, weights=weights, n_jobs=threads, progress=watch) if rows else None,
            )
        except UnsuitableError as reason:
            raise Failure(str(reason)) from None
    if output:
        smaller.save(output)
    _tell(tree, smaller, method, rows, weight, output, as_json)


def _rows(
    tree: tw.Tree, data: str, reading: dict[str, Any], weight: str | None, apart: Sequence[str]
) -> tw.Table:
    also = [tree.target.name, *([weight] if weight else []), *apart]
    rows, n_gaps = rows_with_answers(read_for(tree, data, reading, also), tree.target.name)
    if n_gaps:
        talk(f"{n_gaps:,} rows have no {tree.target.name}; they are left out.")
    return rows


def _tell(
    tree: tw.Tree,
    smaller: tw.Tree,
    method: Any,
    rows: tw.Table | None,
    weight: str | None,
    output: str | None,
    as_json: bool,
) -> None:
    parts = {}
    if rows is not None:
        parts = {
            "before": answers_of_model(tree, rows, weight),
            "after": answers_of_model(smaller, rows, weight),
        }
    if as_json:
        sizes = {
            name: {"leaves": found.n_leaves, "depth": found.depth}
            for name, found in (("before", tree), ("after", smaller))
        }
        figures = {part: plain_figures(answers) for part, answers in parts.items()}
        show_json({"method": method.words(), **sizes, "figures": figures, "saved": output})
        return
    text, depth = shortened(smaller)
    head(f"Tree (pruned by {method.words()}; {size(tree)} before, {size(smaller)} now)")
    show(text)
    if depth is not None:
        show(f"  (shown to depth {depth} of {smaller.depth})")
    if parts:
        head("How good it is on the rows of --data")
        for line in figures_table(parts):
            show(f"  {line}")
    if output:
        talk(f"\nSaved: {output}")
    else:
        talk("\nNot saved. Next:", style="bold")
        talk(f"  {proposed('prune', '-o', 'small.treewright')}      to keep it")
