"""The table of formats, and which of them a name or the end of a file's name means."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from treewright.base.names import choice
from treewright.export import markdown, model_file, sql, text
from treewright.export.format import WORDS, Format

_FULL = "Also say what missing values (gaps) and new categories do."

# A new format is a file here, with one function for each kind of model it can carry, and a row.
_ROWS = (
    Format(
        name="text",
        suffixes=(".txt",),
        writers={"tree": text.tree_text, "rules": text.rules_text},
        sentence="A tree as an indented listing, rules as numbered IF-THEN lines.",
        content=WORDS,
        options={
            "max_depth": "Show so many levels of a tree.",
            "ascii": "Use no sign but those of ASCII.",
            "full": _FULL,
        },
    ),
    Format(
        name="md",
        suffixes=(".md",),
        writers={"tree": markdown.tree_markdown, "rules": markdown.rules_markdown},
        sentence="A Markdown table with a line for each rule.",
        content=WORDS,
        options={"full": _FULL},
    ),
    Format(
        name="json",
        suffixes=(".json", ".treewright", ".rules"),
        writers={"tree": model_file.tree_json, "rules": model_file.rules_json},
        sentence="The model itself, as `save` writes it: `treewright.load` reads it again.",
    ),
    Format(
        name="sql",
        suffixes=(".sql",),
        writers={"tree": sql.tree_sql, "rules": sql.rules_sql},
        sentence="An SQL expression that answers as the model does, or a SELECT.",
        options={
            "table": "A SELECT on this table, not only the expression.",
            "name": "Of the column with the answers in that SELECT.",
            "dialect": "Of the database, such as duckdb or postgres.",
        },
    ),
)

FORMATS: Mapping[str, Format] = MappingProxyType({row.name: row for row in _ROWS})


def format_for(path: str | os.PathLike[str]) -> Format:
    """Return the format that the end of a file's name means.

    >>> format_for("model.SQL").name
    'sql'
    >>> format_for("model.xls")
    Traceback (most recent call last):
    ValueError: No format ends its files like 'model.xls'. The ends are .txt (text), ...; or name ...
    """
    name = os.path.basename(os.fspath(path))
    ends = {suffix: row for row in FORMATS.values() for suffix in row.suffixes}
    fitting = [suffix for suffix in ends if name.lower().endswith(suffix)]
    if fitting:
        return ends[max(fitting, key=len)]
    listed = ", ".join(f"{suffix} ({row.name})" for suffix, row in ends.items())
    raise ValueError(
        f"No format ends its files like {name!r}. The ends are {listed}; or name the format. "
        "A picture of a tree is drawn by plot."
    )


def format_named(name: Any) -> Format:
    """Return the format of this name.

    >>> format_named("SQL")
    Traceback (most recent call last):
    ValueError: format='SQL' is not one of 'text', 'md', 'json', 'sql'; did you mean 'sql'?
    """
    return FORMATS[choice("format", name, FORMATS)]
