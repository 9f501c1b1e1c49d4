"""`treewright check`: what is understood of a file, before any tree is grown on it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from treewright.base.advice import ask, joined, sentence
from treewright.base.lines import harmless

from .failure import in_options
from .options import DATA, Sectioned, json_option, reading_options
from .output import show, show_json
from .progress import progress

if TYPE_CHECKING:
    import treewright as tw

EXAMPLES = (
    "treewright check data.csv",
    'treewright check data.csv --missing -9 --ordinal "size:S<M<L" --ignore id',
    "treewright check customers@shop.duckdb --json",
)


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("data", type=DATA)
@reading_options
@json_option
def check(data: str, reading: dict[str, Any], as_json: bool) -> None:
    """Show how a file is understood: its layout, its columns and why.

    DATA is a file of separated text (CSV, TSV, ...) or JSON lines, both also packed by gzip; Parquet or
    Arrow; a workbook (.xlsx, .ods; a sheet by name: Sales@file.xlsx); a table of a database:
    table@file.duckdb, table@file.sqlite; a folder or a pattern ('part-*.csv') of files with the same columns;
    or - for standard input. The other commands take the same options and understand the file in the same
    way.
    """
    import treewright as tw

    with progress(f"Reading {os.path.basename(data)}") as watch:
        found = tw.reading(data, progress=watch, **reading)
    if as_json:
        show_json(
            found.to_dict() | {"useless": {finding.column: finding.what for finding in suspects(found)}}
        )
    else:
        useless = [
            sentence(finding.sentence, " fit leaves it out; ", ask("keep", [finding.column]), ".")
            for finding in suspects(found)
        ]
        show(harmless(in_options(joined("\n", [found.to_text(), *useless]))))


def suspects(found: tw.Reading) -> tuple[tw.table.Finding, ...]:
    """Return the columns of a file that no tree can use."""
    from treewright.table.suspects import useless

    return useless(found.table)
