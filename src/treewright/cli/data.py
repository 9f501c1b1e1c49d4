"""Tables that a command is given: read with the user's options, or as a model needs them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from treewright.base.lines import harmless

from .failure import Failure, in_options, near
from .output import talk
from .progress import progress

if TYPE_CHECKING:
    import treewright as tw

REMEMBERED = "reading"  # in a model's `about`
_KINDS = ("categorical", "numeric", "ordinal", "text", "date", "parts")


def read_data(path: str, reading: dict[str, Any]) -> tw.Reading:
    """Return the table of a file and what was understood of it, which is also said in three lines."""
    import treewright as tw

    with progress(f"Reading {os.path.basename(path)}") as watch:
        found = tw.reading(path, progress=watch, **reading)
    for line in found.lines:
        talk(harmless(in_options(line)))
    return found


def read_for(model: Any, path: str, reading: dict[str, Any], also: Sequence[str] = ()) -> tw.Table:
    """Return the columns of a file that a model asks about, of the kinds it knows, and `also` others.

    Categories stay text, whatever they look like; a cell that is no number where the model had numbers is
    named. Columns that the model does not know are not even looked at.
    """
    import treewright as tw

    asked = [
        column.name if column.origin is None else column.origin.column for column in model.schema.columns
    ]
    names = list(dict.fromkeys([*asked, *also]))
    wishes = _about(names, reading)
    wishes = _remembered_by(model) | wishes
    target = model.target.name
    said = {name for word in _KINDS for name in wishes.get(word, ())}
    wishes.pop("parts", None)  # made again from the dates, as the model has them
    known = (*model.schema.columns, model.target)
    columns = [column for column in known if column.name in names and column.origin is None]
    notations = {c.name: c.notation for c in columns if c.notation is not None and c.name not in said}
    kinds = {
        column.name: "numeric" if column.is_numeric or column.edges is not None else "nominal"
        for column in columns
        if column.name not in said
        and column.name not in notations
        and not (column.name == target and _are_numbers(model.classes))
    }
    with progress(f"Reading {os.path.basename(path)}") as watch:
        try:
            table = tw.read(path, kinds=kinds, notations=notations, columns=names, progress=watch, **wishes)
        except KeyError as reason:
            raise Failure(
                f"{path!r} lacks a column that the model needs. {reason.args[0]} "
                "Rename it, or add an empty one: missing cells are allowed."
            ) from None
    is_number = target in table.names and table.schema[target].is_numeric
    return as_classes(table, target) if is_number and model.is_classifier else table


def as_classes(table: tw.Table, name: str) -> tw.Table:
    """Return a table in which a column of numbers is one of classes, each named by its number.

    >>> import treewright as tw
    >>> as_classes(tw.Table.from_dict({"y": [1.0, 0.5, None]}), "y").labels("y").tolist()
    ['1', '0.5', None]
    """
    from treewright.model import target  # on first use: it loads the rooms below

    return target.as_classes(table, name)


def _are_numbers(classes: Sequence[str]) -> bool:
    """Return whether classes are named as `as_classes` does: 1.0 and 1 in a file are then the same one.

    >>> _are_numbers(("0", "1")), _are_numbers(("01", "02")), _are_numbers(("0", "no")), _are_numbers(())
    (True, False, False, False)
    """
    import treewright as tw

    try:
        numbers = [float(name) for name in classes]
    except ValueError:
        return False
    if not numbers:
        return False
    named = as_classes(tw.Table.from_dict({"y": numbers}, kinds={"y": "numeric"}), "y").labels("y")
    return list(named) == list(classes)


def _remembered_by(model: Any) -> dict[str, Any]:
    """Return what `remembered` put into a model; the file of a model may be changed by anyone."""
    kept = model.about.get(REMEMBERED, {})
    marks = kept.get("missing", []) if isinstance(kept, Mapping) else None
    if not isinstance(marks, (list, tuple)) or not all(isinstance(mark, str) for mark in marks):
        raise Failure(
            f"The model is damaged: its entry {REMEMBERED!r} does not list marks of gaps. Fit it again."
        )
    return {"missing": list(marks)} if marks else {}


def _about(names: Sequence[str], reading: dict[str, Any]) -> dict[str, Any]:
    """Return the options of reading without columns that are not read anyway.

    >>> _about(["a"], {"categorical": ["a", "b"], "ignore": ["c"], "decimal": ","})
    {'categorical': ['a'], 'decimal': ','}
    """
    found = {name: value for name, value in reading.items() if name != "ignore"}
    for word in _KINDS:
        if isinstance(given := found.get(word), dict):
            found[word] = {name: order for name, order in given.items() if name in names}
        elif given:
            found[word] = [name for name in given if name in names or name.rpartition(":")[0] in names]
    return found


def remembered(reading: dict[str, Any]) -> dict[str, Any]:
    """Return what a model keeps of the options of reading, for the files it meets later: marks of gaps.

    >>> remembered({"missing": ["", "-9"], "separator": ";"})
    {'reading': {'missing': ['', '-9']}}
    """
    return {REMEMBERED: {"missing": list(reading["missing"])}} if "missing" in reading else {}


def rows_with_answers(table: tw.Table, name: str) -> tuple[tw.Table, int]:
    """Return the rows that have a value in a column, and how many have none.

    >>> import treewright as tw
    >>> rows_with_answers(tw.Table.from_dict({"x": [1, 2], "y": ["a", None]}), "y")
    (Table(1 row; x: numeric, y: nominal (1)), 1)
    """
    import numpy as np

    column, values = table.column(name)
    has_gap = np.isnan(values) if column.is_numeric else values < 0
    n_gaps = int(np.count_nonzero(has_gap))
    if n_gaps == table.n_rows:
        raise Failure(
            f"The target {name!r} is missing in every row; choose another column, or see --missing."
        )
    return (table.take(~has_gap) if n_gaps else table), n_gaps


def column_of(table: tw.Table, name: str, option: str) -> str:
    """Return the name of a column that an option names; an unknown one is answered with the one meant."""
    if name not in table.names:
        hint = near(name, table.names)
        if "?" not in hint:
            more = f" and {table.n_columns - 12} more" if table.n_columns > 12 else ""
            hint += f"There are {', '.join(table.names[:12])}{more}."
        raise Failure(f"{option} {name}: no column is named so{hint}".rstrip())
    return name
