"""`treewright plot`: the picture of a tree, in a file or in the terminal."""

from __future__ import annotations

import math
import shutil
from typing import Any

import click

from .data import read_for, rows_with_answers
from .files import check_place
from .model import load_tree
from .options import DATA, Sectioned, Word, json_option, option, reading_options
from .output import show, show_json, talk
from .terminal import is_ascii_only

EXAMPLES = (
    "treewright plot income.treewright tree.svg",
    "treewright plot income.treewright tree.png --data test.csv --width 1600",
    "treewright plot income.treewright tree.svg --distributions train.csv",
    "treewright plot income.treewright",
)
SIGNS = "│┌┐└┘├┤┬┴┼─╵╷╴╶…≤±"


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("model", type=click.Path())
@click.argument("picture", type=click.Path(), required=False)
@option("--data", type=DATA, metavar="FILE", help="Rows not trained on, for a second bar in every node.")
@option("--distributions", type=DATA, metavar="FILE", help="Rows to draw as a histogram at every question.")
@option("--row", type=click.IntRange(min=1), metavar="N", help="Draw the path of row N of --data, from 1.")
@option("--depth", type=click.IntRange(min=0), metavar="N", help="Show so many levels of questions.")
@option(
    "--width", "widest", type=click.IntRange(min=240), metavar="PIXELS", help="The widest it may be: 1400."
)
@option("--height", "highest", type=click.IntRange(min=240), metavar="PIXELS", help="The highest: 1600.")
@option("--all", "everything", is_flag=True, help="Fold nothing, however large the picture gets.")
@option(
    "--direction",
    type=Word(("auto", "down", "right", "outline")),
    default="auto",
    metavar="WORD",
    help="Where it grows to: down, right, outline, or auto for the one that shows most.",
)
@option("--title", metavar="TEXT", help="Instead of the name of the target.")
@reading_options
@json_option
def plot(
    model: str,
    picture: str | None,
    data: str | None,
    distributions: str | None,
    row: int | None,
    depth: int | None,
    widest: int | None,
    highest: int | None,
    everything: bool,
    direction: str,
    title: str | None,
    reading: dict[str, Any],
    as_json: bool,
) -> None:
    """Draw a tree to a file, or in the terminal.

    The end of the file's name says its form: .svg, .pdf, .png or .txt. What does not fit is folded.
    """
    from treewright.paint.files import form_of

    if everything and (widest or highest):
        raise click.UsageError("--all shows everything at any size; leave out --width and --height.")
    if row is not None and data is None:
        raise click.UsageError("--row says which row of a file to follow: add --data FILE.")
    if picture is not None:
        form_of(picture)
        check_place(picture, [model, *(path for path in (data, distributions) if path)])
    tree = load_tree(model)
    rows = _rows(tree, data, reading)
    shown = _rows(tree, distributions, reading)
    if row is not None and rows is not None and row > rows.n_rows:
        raise click.UsageError(f"--row {row}: {data} has {rows.n_rows:,} rows with an answer, from 1 up.")
    room: dict[str, Any] = {"width": widest, "height": highest}
    if everything:
        room = {"width": math.inf, "height": math.inf}
    drawn = tree.plot(
        None,
        rows,
        row=None if row is None else row - 1,
        distributions=shown,
        max_depth=depth,
        direction=direction,
        title=title,
        **room,
    )
    if picture is not None:
        drawn.save(picture)
        talk(f"{picture}: {drawn.width:.0f} x {drawn.height:.0f} pixels, {_extent(tree, drawn)}.")
    if as_json:
        show_json(_plain(tree, drawn, picture))
    elif picture is None:
        show(
            drawn.to_text(
                columns=shutil.get_terminal_size((100, 24)).columns,
                ascii=is_ascii_only(SIGNS),
                max_depth=depth,
            )
        )


def _rows(tree: Any, path: str | None, reading: dict[str, Any]) -> Any:
    """Return the rows of a file that have an answer; None without a file."""
    if path is None:
        return None
    target = tree.target.name
    rows, n_gaps = rows_with_answers(read_for(tree, path, reading, [target]), target)
    if n_gaps:
        talk(f"{n_gaps:,} rows have no {target}; they are left out.")
    return rows


def _plain(tree: Any, drawn: Any, picture: str | None) -> dict[str, Any]:
    """Return what was drawn, for programs."""
    shown = [item.node for item in drawn.items if item.how in ("leaf", "open")]
    folded = [node for item in drawn.items if item.how in ("folded", "bundle") for node in item.members]
    return {
        "file": picture,
        "width": drawn.width,
        "height": drawn.height,
        "direction": drawn.direction,
        "leaves": tree.n_leaves,
        "shown": shown,
        "folded": folded,
    }


def _extent(tree: Any, drawn: Any) -> str:
    if not drawn.is_folded:
        return f"all {tree.n_leaves:,} leaves" if tree.n_leaves > 1 else "one leaf"
    n_shown = sum(item.how == "leaf" for item in drawn.items)
    return (
        f"{n_shown:,} of {tree.n_leaves:,} leaves, the others folded (--all shows them, --width makes room)"
    )
