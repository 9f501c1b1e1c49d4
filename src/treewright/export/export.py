"""The verb: a model, written in one of the formats of the table."""

from __future__ import annotations

import os
from typing import Any, TypedDict

from treewright.base.files import write_whole
from treewright.export.format import Written
from treewright.export.formats import format_for, format_named
from treewright.rules.ruleset import RuleSet


class ExportOptions(TypedDict, total=False):
    """The options of `export` by name, for functions that hand them on."""

    max_depth: int | None
    ascii: bool | None
    full: bool | None
    table: str | None
    name: str | None
    dialect: str | None


def export(
    model: Any,
    path: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002 (the command line's word)
    *,
    max_depth: int | None = None,
    ascii: bool | None = None,  # noqa: A002 (the command line's word)
    full: bool | None = None,
    table: str | None = None,
    name: str | None = None,
    dialect: str | None = None,
) -> Any:
    """Write a model to a file in another format; without a path, return what would be written.

    The end of the path decides the format, or its name; `treewright.export.FORMATS` has them all, with the
    models and the options they take. A file is written whole or not at all, as UTF-8 with a last line end.

    Args:
        model: a tree, or a set of rules.
        path: of the file.
        format: "text", "md", "json" or "sql".
        max_depth: of a tree as text: so many levels.
        ascii: text of no sign but those of ASCII.
        full: text and Markdown: also what missing values and new categories do.
        table: SQL: a SELECT on this table, not only the expression.
        name: SQL: of the column with the answers in that SELECT.
        dialect: SQL: of the database, such as "duckdb" or "postgres".

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
    >>> print(export(tree, format="sql", dialect="mysql"))
    CASE
      WHEN (`Humidity` <> 'Normal' OR `Humidity` IS NULL) THEN 'No'
      WHEN `Humidity` = 'Normal' THEN 'Yes'
    END
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export(tree, os.path.join(folder, "tennis.sql"))
    ...     os.listdir(folder)
    ['tennis.sql']
    """
    if path is None and format is None:
        raise TypeError("export takes a path, whose end says the format, or format= and a name.")
    if format is not None:
        form = format_named(format)
    else:
        form = format_for(path)  # type: ignore[arg-type]  # one of the two is given
    options = {
        "max_depth": max_depth,
        "ascii": ascii,
        "full": full,
        "table": table,
        "name": name,
        "dialect": dialect,
    }
    written = form.write(model, **{key: value for key, value in options.items() if value is not None})
    if path is None:
        return written
    write_whole(path, in_file(written))
    return None


def to_text(
    rules: RuleSet,
    format: str = "text",  # noqa: A002 (the command line's word)
    *,
    full: bool | None = None,
    ascii: bool | None = None,  # noqa: A002 (the command line's word)
    table: str | None = None,
    name: str | None = None,
    dialect: str | None = None,
) -> str:
    """Return rules to read: as "text" or "md", or as "json", "sql", ... for other programs.

    Options are those of the format, see `treewright.export.export`; for SQL see `treewright.rules.to_sql`.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
    >>> print(tree.rules().to_text("md"))
    2 rules for PlayTennis, one for each leaf of the tree
    ...
    """
    written: str = export(
        rules, None, format, full=full, ascii=ascii, table=table, name=name, dialect=dialect
    )
    return written


def in_file(written: Written) -> bytes:
    r"""Return what stands in the file: texts as UTF-8, with one end of line at their end.

    >>> in_file("SELECT 1"), in_file("SELECT 1\n"), in_file(b"\0")
    (b'SELECT 1\n', b'SELECT 1\n', b'\x00')
    """
    if isinstance(written, bytes):
        return written
    return f"{written.removesuffix(chr(10))}\n".encode()
