"""The tables that ship inside the package, and any CSV with the same kind of JSON description beside it."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator
from importlib import resources
from io import StringIO
from os import PathLike
from pathlib import Path
from typing import Any

from treewright.base.names import nearest

from .table import Table


def example(name: str) -> Table:
    """Return a table that ships inside the package, with its declared kinds and order of categories.

    >>> example("tennis")
    Table(14 rows; Outlook: nominal (3), Temperature: nominal (3), Humidity: nominal (3), Wind: nominal (2), \
PlayTennis: nominal (2))
    >>> example("tennis").schema["Humidity"].categories   # no row has Low
    ('High', 'Normal', 'Low')
    """
    return _table_of(example_text(name), _about(name), name)


def example_text(name: str) -> str:
    """Return an example as the CSV text it is.

    >>> example_text("tennis").splitlines()[0]
    'Outlook,Temperature,Humidity,Wind,PlayTennis'
    """
    return _text(example_file(name).read_bytes())


def example_file(name: str) -> Path:
    """Return the file of an example, packed or not.

    >>> example_file("titanic").name
    'titanic.csv.gz'
    """
    _about(name)  # an unknown name is refused
    for suffix in (".csv", ".csv.gz"):
        file = Path(str(_folder() / f"{name}{suffix}"))
        if file.is_file():
            return file
    raise FileNotFoundError(f"The installed package lacks the data of example {name!r}; install it again.")


def example_target(name: str) -> str:
    """Return the name of the column an example is meant to predict.

    >>> example_target("tennis")
    'PlayTennis'
    """
    return str(_about(name)["target"])


def example_names() -> list[str]:
    """Return the names of all examples.

    >>> "tennis" in example_names()
    True
    """
    return sorted(Path(file.name).stem for file in _folder().iterdir() if file.name.endswith(".json"))


def read_described(path: str | PathLike[str]) -> Table:
    """Return the table of a CSV file (also .gz) whose kinds and categories a JSON file beside it declares.

    `adult.csv.gz` goes with `adult.json`, an object with a list "columns" of objects with "name", "kind"
    (numeric, nominal or its other word categorical, ordinal, boolean) and "categories" or "values".

    >>> from importlib.resources import files
    >>> read_described(files("treewright.table") / "data" / "temperature.csv")
    Table(6 rows; Temperature: numeric, PlayTennis: nominal (2))
    """
    file = Path(path)
    sidecar = file.with_name(file.name.removesuffix(".gz")).with_suffix(".json")
    return _table_of(_text(file.read_bytes()), json.loads(sidecar.read_text("utf-8")), file.name)


def _table_of(text: str, about: dict[str, Any], source: str) -> Table:
    rows = _rows(text)
    names = next(rows)
    declared = {column["name"]: column for column in about["columns"]}
    if list(declared) != names:
        raise ValueError(f"{source}: the header has the columns {names}, its description {list(declared)}.")
    kinds = {name: "nominal" if c["kind"] == "categorical" else c["kind"] for name, c in declared.items()}
    orders = {name: c.get("categories", c.get("values", [])) for name, c in declared.items()}
    cells = zip(*([cell or None for cell in row] for row in rows), strict=True)
    return Table.from_dict(
        dict(zip(names, cells, strict=True)),
        kinds=kinds,
        ordinal={name: orders[name] for name in names if kinds[name] == "ordinal"},
        categories={name: orders[name] for name in names if kinds[name] == "nominal"},
    )


def _rows(text: str) -> Iterator[list[str]]:
    """Yield the rows of a CSV text; an empty line is one empty cell."""
    return (row or [""] for row in csv.reader(StringIO(text, newline="")))


def _text(raw: bytes) -> str:
    return (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8-sig")


def _about(name: str) -> dict[str, Any]:
    names = example_names()
    if name not in names:
        near = nearest(name, names)
        hint = f"did you mean {near!r}? " if near else ""
        raise ValueError(f"No example is named {name!r}; {hint}The examples are {', '.join(names)}.")
    about: dict[str, Any] = json.loads((_folder() / f"{name}.json").read_text("utf-8"))
    return about


def _folder() -> Any:
    return resources.files(__package__) / "data"
