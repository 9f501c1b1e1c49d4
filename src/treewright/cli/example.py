"""`treewright example`: a table that ships with treewright, as CSV on standard output."""

from __future__ import annotations

import click

from .options import Sectioned, json_option
from .output import show, show_json, talk

EXAMPLES = (
    "treewright example titanic > titanic.csv",
    "treewright fit example:titanic --target survived",
    "treewright example",
)


@click.command(cls=Sectioned, examples=EXAMPLES)
@click.argument("name", required=False)
@json_option
def example(name: str | None, as_json: bool) -> None:
    """Write a table that ships with treewright, or list them."""
    import treewright as tw
    from treewright.table.examples import example_names, example_target, example_text

    if name is not None:
        try:
            text = example_text(name)
        except ValueError as reason:
            raise click.UsageError(str(reason)) from None
        if as_json:
            show_json({"name": name, "target": example_target(name), "columns": tw.example(name).to_dict()})
        else:
            show(text.rstrip("\n"))
        return
    if as_json:
        show_json([{"name": known, "target": example_target(known)} for known in example_names()])
        return
    width = max(map(len, example_names()))
    for known in example_names():
        show(f"{known:{width}}  {tw.example(known).n_rows:5,} rows  --target {example_target(known)}")
    talk("One of them as a file: treewright example titanic > titanic.csv")
