"""`treewright demo`: the main job, on a table that ships inside the package."""

from __future__ import annotations

import os
import pathlib
import shlex
import time
from typing import TYPE_CHECKING

import click

from treewright.base.numbers import percent

from .figures import wilson_interval
from .listing import how_made, size
from .options import json_option, option
from .output import show_json
from .terminal import console, is_ascii_only

if TYPE_CHECKING:
    from rich.console import Console

    import treewright as tw

FOLDER = "treewright-demo"
EXAMPLE, TARGET, RECIPE = "hypothyroid", "class", "c4.5"

NEXT = f"""\
import treewright as tw
table = tw.example("{EXAMPLE}")     # or tw.read("your.csv"), or a frame of yours
tree = tw.grow(table, target="{TARGET}", recipe="{RECIPE}", ledger=True)
print(tree.why_not("age"))             # why the first question is not about the age
tree.save("tree.treewright")           # tw.load brings it back"""


@click.command()
@option(
    "-o", "--output", "folder", type=click.Path(), metavar="FOLDER", help="Where files go: treewright-demo."
)
@option("--pictures", is_flag=True, help="Write a picture of every kind there is instead.")
@json_option
def demo(folder: str | None, pictures: bool, as_json: bool) -> None:
    """Grow a tree on a table that ships with treewright.

    It is shown with its accuracy on rows kept back; a picture, a report and the model are written.
    """
    import treewright as tw

    if pictures:
        _draw_all(folder or os.path.join(FOLDER, "pictures"), as_json)
        return

    started = time.perf_counter()
    out = console()
    table = tw.example(EXAMPLE)
    grow_rows, test_rows = every_third_kept_back(table.n_rows)
    parts = {"training": table.take(grow_rows), "test": table.take(test_rows)}

    growing = time.perf_counter()
    tree = tw.grow(parts["training"], target=TARGET, recipe=RECIPE)
    grown = time.perf_counter()

    if as_json:
        right = {name: int((tree.predict(part) == part.labels(TARGET)).sum()) for name, part in parts.items()}
        told = {name: {"rows": part.n_rows, "right": right[name]} for name, part in parts.items()}
        show_json({"table": EXAMPLE, "target": TARGET, "recipe": RECIPE, "leaves": tree.n_leaves, **told})
        return
    _say_table(out, table)
    _head(out, "Split")
    out.print(
        f"  every third row is kept back: {len(grow_rows):,} rows to grow on, {len(test_rows):,} to test with"
    )
    _head(out, f"Tree ({how_made(tree.about)}; {size(tree)})")
    out.print(tree.to_text(ascii=is_ascii_only()))
    out.print("  (a row with a missing value goes down every branch with a share of its weight)")
    _head(out, "Accuracy")
    for name, part in parts.items():
        n_right = int((tree.predict(part) == part.labels(TARGET)).sum())
        out.print("  " + accuracy_line(name, n_right, part.n_rows))
    _head(out, "Written")
    try:
        for name, about in written(tree, parts["test"], folder or FOLDER).items():
            out.print(f"  {name}  {about}", soft_wrap=True)
    except OSError as reason:  # a folder where nothing may be written: the demo is shown all the same
        out.print(f"  nothing: {reason}. With -o FOLDER the files go elsewhere.", soft_wrap=True)
    _head(out, "Time")
    out.print(f"  growing {grown - growing:.2f} s, all of the above {time.perf_counter() - started:.2f} s")
    _head(out, "Next, in Python (./dev python in a checkout)")
    for line in NEXT.splitlines():
        out.print(f"  {line}")


def _draw_all(folder: str, as_json: bool) -> None:
    """Write one picture of every kind, in every form, and say where they are."""
    from .pictures import ENDS
    from .pictures import written as pictures_written

    out = console()
    found = []
    for name, about in pictures_written(folder):
        found.append({"files": [name + end for end in ENDS], "about": about})
        if not as_json:
            out.print(f"  {name}  {about}", soft_wrap=True)
    if as_json:
        show_json(found)
    else:
        out.print(f"\n{len(found)} pictures, each as {', '.join(ENDS)}.")


def written(tree: tw.Tree, test: tw.Table, folder: str) -> dict[str, str]:
    """Write picture, report and model into a folder; return what each is for."""
    os.makedirs(folder, exist_ok=True)
    page, picture, model = (
        os.path.join(folder, name) for name in ("report.html", "tree.svg", "tree.treewright")
    )
    tree.report(page, test, title="Which patients have a thyroid disease?")
    tree.plot(picture, test)
    tree.save(model)
    return {
        page: f"the report; open it in a browser: {pathlib.Path(page).resolve().as_uri()}",
        picture: "the picture, for documents",
        model: f"the model; for example: treewright explain {shlex.quote(model)} example:{EXAMPLE} --row 1",
    }


def every_third_kept_back(n_rows: int) -> tuple[list[int], list[int]]:
    """Return the rows to grow on and the rows to test with: the third, the sixth, and so on.

    >>> every_third_kept_back(7)
    ([0, 1, 3, 4, 6], [2, 5])
    """
    return [i for i in range(n_rows) if i % 3 != 2], list(range(2, n_rows, 3))


def accuracy_line(name: str, n_right: int, n_rows: int) -> str:
    """Return one line with an accuracy and its 95 % interval.

    >>> accuracy_line("test", 90, 100)
    'test     90.0 %   (90 of 100 rows; 95 % interval 82.6 to 94.5 %)'
    """
    low, high = wilson_interval(n_right, n_rows)
    return (
        f"{name:9}{percent(n_right / n_rows, 1)}   ({n_right:,} of {n_rows:,} rows; "
        f"95 % interval {100 * low:.1f} to {100 * high:.1f} %)"
    )


def _say_table(out: Console, table: tw.Table) -> None:
    features = table.drop([TARGET])
    kinds = [column.kind.value for column in features.schema.columns]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    n_cells = features.n_rows * features.n_columns
    n_gaps = sum(
        int((values != values).sum() if c.is_numeric else (values < 0).sum())
        for c, values in zip(features.schema.columns, features.values, strict=True)
    )
    classes = ", ".join(table.schema[TARGET].categories)
    _head(out, f"Table {EXAMPLE}")
    out.print(f"  {table.n_rows:,} patients; to be told apart: {classes}")
    out.print(f"  {features.n_columns} columns to ask about ({counts})")
    out.print(f"  {n_gaps:,} of {n_cells:,} cells are missing ({100 * n_gaps / n_cells:.1f} %)")


def _head(out: Console, title: str) -> None:
    out.print(f"\n{title}", style="bold")
