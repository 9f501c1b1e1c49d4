"""Where words go: data to standard output, talk to standard error, JSON for programs."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable, Mapping
from typing import IO, Any

import click

from treewright.base.lines import Words, aligned, harmless

from .terminal import is_ascii_only


def show(text: str = "", style: str | None = None) -> None:
    """Write lines of data to standard output; signs that it cannot show become ASCII or escapes."""
    _write(text, style, sys.stdout)


def head(title: str) -> None:
    """Write a title of a part of the data, after an empty line."""
    show(f"\n{title}", style="bold")


def talk(text: str = "", style: str | None = "dim") -> None:
    """Write lines to standard error: what was understood, what comes next."""
    _write(text, style, sys.stderr)


def _write(text: str, style: str | None, file: IO[str]) -> None:
    text = _writable(harmless(text), file)
    if style is not None and text and file.isatty() and not os.environ.get("NO_COLOR"):
        text = click.style(text, bold=style == "bold", dim=style == "dim")
    click.echo(text, file=file)


def show_pairs(rows: Iterable[tuple[str, str]], side: str = ">") -> None:
    """Write names and values in two columns, the values on one side."""
    listed = [(name, value) for name, value in rows]
    columns = [Words("", [name for name, _ in listed], "<"), Words("", [value for _, value in listed], side)]
    for line in list(aligned(columns))[1:]:  # without titles
        show(f"  {line}")


def show_json(value: Any) -> None:
    """Write one JSON value to standard output; numbers that JSON has not (NaN, infinite) become null."""
    click.echo(json.dumps(plain(value), indent=2, ensure_ascii=is_ascii_only("é"), allow_nan=False))


def plain(value: Any) -> Any:
    """Return a value in JSON's own types.

    >>> plain({"a": (1, float("nan"))}), plain(frozenset({"x"}))
    ({'a': [1, None]}, ['x'])
    """
    if hasattr(value, "tolist"):  # NumPy's
        value = value.tolist()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (str, int)):
        return value
    return str(value)


def _writable(text: str, file: IO[str]) -> str:
    """Return a text that a stream can take: what its encoding has not is written as an escape."""
    encoding = getattr(file, "encoding", None) or "utf-8"
    for sign, ascii_sign in (("±", "+/-"), ("…", "..."), ("→", "->"), ("≤", "<="), ("×", "x"), ("−", "-")):
        if is_ascii_only(sign, file):
            text = text.replace(sign, ascii_sign)
    return text.encode(encoding, "backslashreplace").decode(encoding)
