"""`treewright example`: a table that ships with treewright, as CSV on standard output."""

from __future__ import annotations

import click

from .options import Sectioned
from .output import show, talk

EXAMPLES = (
    "treewright example titanic > titanic.csv",
    "treewright fit example:titanic --target survived",
    "treewright example",
)


@click.command(cls=Sectioned, examples=EXAMPLES)
@click.argument("name", required=False)
def example(name: str | None) -> None:
    """Write a table that ships with treewright, or list them."""
    import treewright as tw
    from treewright.table.examples import example_names, example_target, example_text

    if name is not None:
        try:
            show(example_text(name).rstrip("\n"))
        except ValueError as reason:
            raise click.UsageError(str(reason)) from None
        return
    width = max(map(len, example_names()))
    for known in example_names():
        show(f"{known:{width}}  {tw.example(known).n_rows:5,} rows  --target {example_target(known)}")
    talk("One of them as a file: treewright example titanic > titanic.csv")
