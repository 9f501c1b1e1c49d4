"""The verb: a model, written in one of the formats of the table."""

from __future__ import annotations

import os
from typing import Any

from treewright.base.files import write_whole
from treewright.export.format import Written
from treewright.export.formats import format_for, format_named


def export(
    model: Any,
    path: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002 (the command line's word)
    **options: Any,
) -> Any:
    """Write a model to a file in another format; without a path, return what would be written.

    The end of the path decides the format, or its name; `treewright.export.FORMATS` has them all, with the
    models and the options they take. A file is written whole or not at all, as UTF-8 with a last line end.

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
    written = form.write(model, **options)
    if path is None:
        return written
    write_whole(path, in_file(written))
    return None


def in_file(written: Written) -> bytes:
    r"""Return what stands in the file: texts as UTF-8, with one end of line at their end.

    >>> in_file("SELECT 1"), in_file("SELECT 1\n"), in_file(b"\0")
    (b'SELECT 1\n', b'SELECT 1\n', b'\x00')
    """
    if isinstance(written, bytes):
        return written
    return f"{written.removesuffix(chr(10))}\n".encode()
