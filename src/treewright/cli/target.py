"""The column to predict: found by name, as classes or numbers, refused where it has nothing to say."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click
import numpy as np

from treewright.base.advice import sentence
from treewright.base.numbers import number
from treewright.table.suspects import LEAST_ROWS

from .data import as_classes, column_of, rows_with_answers
from .failure import Failure, in_options
from .options import EXAMPLE, listed, option
from .proposal import column_option, proposed

if TYPE_CHECKING:
    import treewright as tw

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Target:
    """The table with its target as it is to be predicted, and how that was found."""

    table: tw.Table
    name: str
    is_classifier: bool
    lines: tuple[str, ...]  # what was understood

    @property
    def categories(self) -> tuple[str, ...]:
        """The classes; empty for numbers."""
        return self.table.schema[self.name].categories


def target_option(command: Command) -> Command:
    """Give a command `--target`, and `--keep`, of which `target_of` hears by itself.

    A table that ships with treewright has a target of its own, which need not be named.
    """

    @functools.wraps(command)
    def without_keep(*args: Any, **given: Any) -> Any:
        given.pop("keep")
        if given["target"] is None:
            given["target"] = _target_of_example(click.get_current_context())
        return command(*args, **given)

    keep = option(
        "--keep",
        metavar="COL",
        multiple=True,
        help="Use columns that would be left out, such as ids and free text.",
    )
    target = option("--target", metavar="COL", help="The column to predict.  [required]")
    return target(keep(without_keep))  # type: ignore[return-value]


def _target_of_example(context: click.Context) -> str | None:
    from treewright.table.examples import example_target

    name = context.meta.get(EXAMPLE)
    return None if name is None else example_target(name)


def kind_options(command: Command) -> Command:
    """Give a command `--classification` and `--regression`, which say what the target is."""
    numbers = option("--regression", "wish", flag_value="regression", help="The target is numbers.")
    classes = option("--classification", "wish", flag_value="classification", help="The target is classes.")
    return classes(numbers(command))


def for_target(reading: dict[str, Any], target: str | None, wish: str | None) -> dict[str, Any]:
    """Return the options of reading with what is known of the target: numbers as classes keep their text.

    >>> for_target({}, "zip", "classification"), for_target({}, "zip", None)
    ({'categorical': ['zip']}, {})
    """
    if wish is None or target is None or target in reading.get("ordinal", {}):
        return reading
    name = "categorical" if wish == "classification" else "numeric"
    return reading | {name: [*reading.get(name, []), target]}


def target_of(table: tw.Table, name: str | None, wish: str | None, file: str = "data.csv") -> Target:
    """Return the target of a table; `wish` is "classification", "regression" or None: as it looks.

    >>> import treewright as tw
    >>> target_of(tw.Table.from_dict({"x": range(40), "y": [0, 1] * 20}), "y", None).lines
    ('Target y: 2 classes, 0 and 1 (--regression takes them as numbers)',)
    """
    if name is None:
        known = ", ".join(table.names[:20]) + (", ..." if table.n_columns > 20 else "")
        command = click.get_current_context().command.name or "fit"
        way = proposed(command, "--target", table.names[-1])
        raise click.UsageError(f"--target says which column to predict. {file} has: {known}. Perhaps: {way}")
    column_of(table, name, "--target")
    if table.n_columns < 2:
        raise Failure(
            f"{name!r} is the only column; there is nothing to predict it from. "
            "Is the --separator right, or does --ignore name too much?"
        )
    n_rows = table.n_rows
    table, n_gaps = rows_with_answers(table, name)
    said = [f"{n_gaps:,} of {n_rows:,} rows have no {name}; they are left out."] if n_gaps else []
    column, values = table.column(name)
    is_classifier, why = _task(column, values, wish)
    if is_classifier and column.is_numeric:
        table = as_classes(table, name)
    if not is_classifier and not column.is_numeric:
        raise Failure(
            f"--regression: the target {name!r} is {column.kind}, such as {column.categories[0]!r}. "
            f"Leave the option out, or read the column as numbers: {column_option('--numeric', name)} "
            "(perhaps with --decimal ',' or --missing)."
        )
    _refuse_sameness(table, name)
    lines = [_target_line(table, name, is_classifier, why), *said]
    table, more = without_suspects(table, name, _named_columns())
    return Target(table, name, is_classifier, (*lines, *more))


def without_suspects(table: tw.Table, target: str, named: Collection[str]) -> tuple[tw.Table, list[str]]:
    """Return a table without columns that are certainly useless, and what is to be said of these and others.

    Columns that the user named in an option stay.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"nr": range(100), "x": [1, 2, 5, 7] * 25, "y": ["a", "b"] * 50})
    >>> without_suspects(table, "y", [])[1]
    ['Left out: nr (numbers the rows); --keep nr uses it.']
    """
    from treewright.table.suspects import parted

    certain, others = parted(table, target, named)
    lines = []
    if certain:
        shown = [f"{finding.column} ({finding.what})" for finding in certain[:8]]
        more = f" and {len(certain) - 8} more" if len(certain) > 8 else ""
        way = column_option("--keep", certain[0].column)
        uses = f"{way} uses it" if len(certain) == 1 else f"{way} uses the first"
        lines.append(f"Left out: {', '.join(shown)}{more}; {uses}.")
    lines += [in_options(sentence("Warning: ", finding.sentence)) for finding in others]
    return table.drop([finding.column for finding in certain]) if certain else table, lines


def _named_columns() -> set[str]:
    """Return the columns that the options of the command name: whoever names one wants it."""
    context = click.get_current_context(silent=True)
    given = context.params if context is not None else {}
    words = [
        text
        for option in ("keep", "categorical", "numeric", "text", "date")
        for text in given.get(option) or ()
    ]
    names = {name for text in words for name in listed(text)}
    orders = {text.rpartition(":")[0].strip() for text in given.get("ordinal") or ()}
    alone = {given[option] for option in ("weight", "groups", "order") if given.get(option)}
    return names | {name.rpartition(":")[0] for name in names} | orders | alone


def _task(column: tw.Column, values: Any, wish: str | None) -> tuple[bool, str]:
    """Return whether the target is classes, and the option that says otherwise."""
    if wish is not None:
        return wish == "classification", ""
    if not column.is_numeric:
        return True, ""
    from treewright.model.target import are_class_numbers  # on first use: it loads the rooms below

    if are_class_numbers(column, values):
        return True, " (--regression takes them as numbers)"
    return False, " (--classification takes them as classes)" if len(np.unique(values)) <= 50 else ""


def _refuse_sameness(table: tw.Table, name: str) -> None:
    column, values = table.column(name)
    if values.min() < values.max():
        return
    only = number(values[0], 6) if column.is_numeric else column.categories[values[0]]
    others = ", ".join(other for other in table.names if other != name)
    where = f"all {table.n_rows:,} rows" if table.n_rows > 1 else "its only row"
    raise Failure(
        f"The target {name!r} is {only!r} in {where}: there is nothing to tell apart. "
        f"Choose another --target ({others:.200}), or a file with other rows too."
    )


def _target_line(table: tw.Table, name: str, is_classifier: bool, why: str) -> str:
    column, values = table.column(name)
    if not is_classifier:
        low, high = float(values.min()), float(values.max())
        return f"Target {name}: numbers from {number(low)} to {number(high)}{why}"
    classes = [column.categories[code] for code in np.unique(values).tolist()]
    shown = ", ".join(classes[:6]) + (", ..." if len(classes) > 6 else "")
    if len(classes) == 2:
        shown = " and ".join(classes)
    return f"Target {name}: {len(classes)} classes, {shown}{why}"


def doubts(target: Target) -> list[str]:
    """Return what a newcomer should look at before believing the tree: columns that name every row."""
    n_rows = target.table.n_rows
    many = [column for column in target.table.schema.columns if len(column.categories) > max(20, n_rows) / 2]
    if n_rows >= LEAST_ROWS:  # of larger tables more is known
        many = [column for column in many if column.name == target.name]
    return [_doubt(column, n_rows, column.name == target.name) for column in many]


def _doubt(column: tw.Column, n_rows: int, is_target: bool) -> str:
    n, name = len(column.categories), column.name
    if is_target:
        way = column_option("--numeric", name)
        return f"The target {name} has {n:,} classes in {n_rows:,} rows; are they numbers? {way}"
    way = column_option("--ignore", name)
    return f"Column {name} has {n:,} different values in {n_rows:,} rows; {way} leaves it out."
