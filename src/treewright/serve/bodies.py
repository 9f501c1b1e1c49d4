"""Bodies of requests as columns of cells: JSON, CSV and Arrow, one function and one row each."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from treewright.base.numbers import count
from treewright.serve.arrow import cells_of_stream
from treewright.serve.limits import Limits
from treewright.serve.reader import Cells, shown
from treewright.serve.refused import Refused

JSON, CSV, ARROW = "application/json", "text/csv", "application/vnd.apache.arrow.stream"


@dataclass(frozen=True)
class Body:
    """Cells by column, and whether they came as one row, so that one answer goes back."""

    cells: Cells
    n_rows: int
    is_one: bool = False


def read_body(
    content_type: str, body: bytes, needed: Sequence[str], marks: Sequence[str], limits: Limits
) -> Body:
    r"""Return what a body of a content type holds: the columns `needed`, and the names of all others.

    >>> read_body("application/json", b'{"x": 1, "y": null}', ["x"], [], Limits()).cells
    {'x': [1], 'y': ()}
    >>> read_body("text/csv", b"x,y\n1,2\n,4\n", ["x"], [""], Limits()).cells
    {'x': ['1', None], 'y': ()}
    >>> read_body("text/html", b"", ["x"], [], Limits())
    Traceback (most recent call last):
    treewright.serve.refused.Refused: The body is 'text/html'. Send JSON ...
    """
    kind = content_type.partition(";")[0].strip().lower()
    if kind not in READERS:
        found = f"is {shown(kind)}" if kind else "has no Content-Type"
        raise Refused(
            415,
            f"The body {found}. Send JSON ({JSON}), CSV ({CSV}) or an Arrow stream ({ARROW}), "
            "and say which in the header Content-Type.",
        )
    return READERS[kind](body, needed, marks, limits)


# ---- JSON ---------------------------------------------------------------------------------------------


def _of_json(body: bytes, needed: Sequence[str], _marks: Sequence[str], limits: Limits) -> Body:
    found = parsed(body)
    if isinstance(found, dict):
        return Body(_columns([found], needed), 1, is_one=True)
    if not isinstance(found, list):
        raise Refused(400, f"The body is {_kind(found)}. {_SHAPES}")
    _check_rows(len(found), limits)
    wrong = next((place for place, row in enumerate(found) if not isinstance(row, dict)), None)
    if wrong is not None:
        raise Refused(400, f"Row {wrong + 1} is {_kind(found[wrong])}. {_SHAPES}")
    return Body(_columns(found, needed), len(found))


_SHAPES = 'Send an object for one row, such as {"age": 39}, or a list of such objects for many.'


def parsed(body: bytes) -> Any:
    """Return the value that a body of JSON holds.

    >>> parsed(b'[1, {"a": null}]')
    [1, {'a': None}]
    >>> parsed(b'{"a": NaN}')
    Traceback (most recent call last):
    treewright.serve.refused.Refused: JSON has no NaN: write null where a value is missing.
    """
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as reason:
        raise Refused(400, f"The body is not UTF-8: byte {reason.start + 1} cannot be read.") from None
    if not text.strip():
        raise Refused(400, f"The body is empty. {_SHAPES}")
    try:
        found = _DECODER.decode(text)
    except json.JSONDecodeError as reason:
        place = f"line {reason.lineno}, column {reason.colno}"
        raise Refused(400, f"The body is no JSON: {reason.msg} at {place}. {_SHAPES}") from None
    except RecursionError:
        raise Refused(400, f"The body is nested too deeply to be rows. {_SHAPES}") from None
    return found


def _columns(rows: Sequence[dict[str, Any]], needed: Sequence[str]) -> dict[str, Sequence[Any]]:
    names = dict.fromkeys(name for row in rows for name in row)
    found: dict[str, Sequence[Any]] = {}
    for name in names:
        found[name] = ()
    for name in needed:
        if name not in names:
            continue
        try:
            found[name] = [row[name] for row in rows]
        except KeyError:
            place = next(place for place, row in enumerate(rows) if name not in row)
            raise Refused(
                422,
                f"Row {place + 1} has no {shown(name)}, others have; give it, or null where it is missing.",
            ) from None
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Refused(400, f"An object names {shown(twice)} twice; name each column once.")
    return found


def _no_number(word: str) -> NoReturn:
    way = "write null where a value is missing" if word == "NaN" else "write a number such as 1e308"
    raise Refused(400, f"JSON has no {word}: {way}.")


def _integer(digits: str) -> int | float:
    if len(digits) < 400:
        return int(digits)
    return -math.inf if digits.startswith("-") else math.inf  # larger than every float64


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number, parse_int=_integer)


def _kind(value: Any) -> str:
    """Return what a JSON value is, in words.

    >>> _kind([]), _kind(True), _kind(None), _kind("x"), _kind(1.5)
    ('a list', 'true', 'null', 'a text', 'a number')
    """
    words: dict[type, str] = {
        list: "a list",
        dict: "an object",
        str: "a text",
        int: "a number",
        float: "a number",
    }
    return words.get(type(value)) or json.dumps(value)


# ---- CSV ----------------------------------------------------------------------------------------------


def _of_csv(body: bytes, needed: Sequence[str], marks: Sequence[str], limits: Limits) -> Body:
    try:
        lines = csv.reader(io.StringIO(body.decode("utf-8-sig"), newline=""), strict=True)
    except UnicodeDecodeError as reason:
        raise Refused(400, f"The body is not UTF-8: byte {reason.start + 1} cannot be read.") from None
    try:
        names = next(lines, [])
        _check_names(names)
        rows = _rows_of(lines, len(names), limits)
    except csv.Error as reason:
        raise Refused(400, f"The body is no CSV with commas: {reason} in line {lines.line_num}.") from None
    gaps = set(marks)
    places = {name: names.index(name) for name in needed if name in names}
    found: dict[str, Sequence[Any]] = dict.fromkeys(names, ())
    for name, place in places.items():
        found[name] = [None if row[place] in gaps else row[place] for row in rows]
    return Body(found, len(rows))


def _rows_of(lines: Iterable[list[str]], width: int, limits: Limits) -> list[list[str]]:
    rows: list[list[str]] = []
    for row in lines:
        if not row and width > 1:  # an empty line
            continue
        if len(row) != width and row:
            cells = count(len(row), "cell")
            raise Refused(
                400, f"Row {len(rows) + 1} has {cells}; the first line names {count(width, 'column')}."
            )
        rows.append(row or [""])
        if len(rows) > limits.n_rows:
            _check_rows(len(rows), limits)
    _check_rows(len(rows), limits)
    return rows


def _check_names(names: Sequence[str]) -> None:
    if not names or names == [""]:
        raise Refused(400, "The body is empty. The first line names the columns, with commas between.")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise Refused(400, f"The first line names {shown(twice)} twice; name each column once.")


def _check_rows(n_rows: int, limits: Limits) -> None:
    if not n_rows:
        raise Refused(400, "The body has no rows; send at least one.")
    if n_rows > limits.n_rows:
        raise Refused(
            413,
            f"The body has more than {limits.n_rows:,} rows, the most of one request; send it in parts.",
        )


# ---- Arrow --------------------------------------------------------------------------------------------


def _of_arrow(body: bytes, needed: Sequence[str], _marks: Sequence[str], limits: Limits) -> Body:
    cells, n_rows = cells_of_stream(body, needed, lambda n: _check_rows(n, limits))
    return Body(cells, n_rows)


READERS: dict[str, Callable[[bytes, Sequence[str], Sequence[str], Limits], Body]] = {
    JSON: _of_json,
    CSV: _of_csv,
    ARROW: _of_arrow,
}
