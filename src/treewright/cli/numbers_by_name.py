"""Numbers by name in options and files: weights and priors of classes, costs of mistakes, of columns."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable
from typing import Any


def pairs_of(text: str, what: str = "name") -> dict[str, float]:
    """Return the numbers of "name=number,name=number".

    >>> pairs_of("yes=5,no=0.5")
    {'yes': 5.0, 'no': 0.5}
    """
    found: dict[str, float] = {}
    for part in text.split(","):
        name, number = _pair(part, f"is not written as {what}=number")
        if name in found:
            raise ValueError(f"{name!r} stands there twice.")
        found[name] = number
    return found


def class_weights_of(text: str) -> str | dict[str, float]:
    """Return "balanced", or the weights of "class=number,...".

    >>> class_weights_of("balanced"), class_weights_of("yes=5,no=1")
    ('balanced', {'yes': 5.0, 'no': 1.0})
    """
    return text if text == "balanced" else pairs_of(text, "'balanced' or class")


def columns_of(text: str) -> dict[str, float]:
    """Return a number for each column: of a file, or of "name=number,..."; whole ones are whole.

    >>> columns_of("age=+1,debt=-1,blood=2.5")
    {'age': 1, 'debt': -1, 'blood': 2.5}
    """
    if os.path.isfile(text):
        return columns_in(text)
    pairs = pairs_of(text, "column").items()
    return {name: int(value) if value.is_integer() else value for name, value in pairs}


def costs_of(text: str) -> dict[str, dict[str, float]]:
    """Return the costs of mistakes in a file, or of "true:answer=number,...".

    >>> costs_of("sick:well=10,well:sick=1")
    {'sick': {'well': 10.0}, 'well': {'sick': 1.0}}
    """
    if os.path.isfile(text):
        return costs_in(text)
    found: dict[str, dict[str, float]] = {}
    refusal = "is neither written as true:answer=number nor the name of a file"
    for part in text.split(","):
        names, number = _pair(part, refusal)
        true, sign, answer = names.partition(":")
        if not sign:
            raise ValueError(f"{part!r} {refusal}.")
        row = found.setdefault(true.strip(), {})
        if answer.strip() in row:
            raise ValueError(f"{names!r} stands there twice.")
        row[answer.strip()] = number
    return found


def costs_in(path: str) -> dict[str, dict[str, float]]:
    r"""Return the costs in a file: JSON by true class and answer, or CSV.

    CSV is a matrix, the answers in its first line and the true class in the first cell of each other, or has
    the columns true class, answer, cost.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "costs.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("true,sick,well\nsick,0,10\nwell,1,0\n")
    ...     costs_in(path)
    {'sick': {'sick': 0.0, 'well': 10.0}, 'well': {'sick': 1.0, 'well': 0.0}}
    """
    if path.endswith(".json"):
        given = _json(path)
        if not all(isinstance(row, dict) for row in given.values()):
            raise ValueError(f"{path}: costs in JSON are {{true class: {{answer: number}}}}.")
        return {
            true: {answer: _number(cell, path) for answer, cell in row.items()} for true, row in given.items()
        }
    header, *lines = _lines(path)
    found: dict[str, dict[str, float]] = {}
    is_list = len(header) == 3 and not {line[0] for line in lines} & set(header[1:])
    for line in lines:
        if len(line) != len(header):
            raise ValueError(f"{path}: a line has {len(line)} cells, the first line {len(header)}.")
        if is_list:
            _once(line[1] in found.get(line[0], {}), f"{line[0]}, {line[1]}", path)
            found.setdefault(line[0], {})[line[1]] = _number(line[2], path)
        else:
            _once(line[0] in found, line[0], path)
            cells = (_number(cell, path) for cell in line[1:])
            found[line[0]] = dict(zip(header[1:], cells, strict=True))
    return found


def columns_in(path: str) -> dict[str, float]:
    r"""Return a number for each column in a file: JSON by name, or CSV with a column and a number a line.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "prices.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("column,cost\nblood,5\nage,1\n")
    ...     columns_in(path)
    {'blood': 5.0, 'age': 1.0}
    """
    if path.endswith(".json"):
        return {name: _number(cell, path) for name, cell in _json(path).items()}
    lines = _lines(path)
    if any(len(line) != 2 for line in lines):
        raise ValueError(f"{path}: each line is the name of a column and a number.")
    if not _is_number(lines[0][1]):
        lines = lines[1:]  # a heading
    found: dict[str, float] = {}
    for name, cell in lines:
        _once(name in found, name, path)
        found[name] = _number(cell, path)
    return found


def _json(path: str) -> dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        try:
            given = json.load(file)
        except ValueError as trouble:
            raise ValueError(f"{path} is no JSON: {trouble}.") from trouble
    if not isinstance(given, dict):
        raise ValueError(f"{path}: there must be names and numbers, {{name: number}}.")
    return given


def _lines(path: str) -> list[list[str]]:
    with open(path, encoding="utf-8-sig", newline="") as file:
        try:
            lines: Iterable[list[str]] = list(csv.reader(file))
        except (csv.Error, UnicodeDecodeError) as trouble:
            raise ValueError(f"{path} is no CSV: {trouble}.") from trouble
    found = [[cell.strip() for cell in line] for line in lines if any(cell.strip() for cell in line)]
    if len(found) < 2:
        raise ValueError(f"{path} has no costs: a heading and lines below it are needed.")
    return found


def _once(is_again: bool, name: str, path: str) -> None:
    if is_again:
        raise ValueError(f"{path}: {name[:80]} stands there twice.")


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _number(cell: Any, path: str) -> float:
    try:
        if isinstance(cell, bool):
            raise TypeError
        return float(cell)
    except (TypeError, ValueError):
        raise ValueError(f"{path}: {str(cell)[:80]!r} is no number.") from None


def _pair(part: str, refusal: str) -> tuple[str, float]:
    name, sign, number = part.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        sign = ""
    if not sign or not name.strip():
        raise ValueError(f"{part!r} {refusal}.")
    return name.strip(), value
