"""What commands are told that let ways of growing compete: the rows, the target, what is the same for all."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import click

from .data import column_of, read_data
from .growing import checked_units, growing_options, seed_option, threads_option, units_options, weight_option
from .options import DATA, reading_options
from .output import talk
from .target import Target, for_target, kind_options, target_of, target_option

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Contest:
    """A file, its target, and what all ways have in common."""

    data: str
    target: str | None
    wish: str | None
    settings: dict[str, Any]
    groups: str | None
    order: str | None
    weight: str | None
    threads: int
    seed: int
    reading: dict[str, Any]

    def read(self) -> Target:
        """Return the table with its target, and say what was understood."""
        read = read_data(self.data, for_target(self.reading, self.target, self.wish))
        found = target_of(read.table, self.target, self.wish, self.data)
        for line in found.lines:
            talk(line)
        if self.weight:
            column_of(found.table, self.weight, "--weight")
        return found

    def keywords(self, found: Target) -> dict[str, Any]:
        """Return what `tw.compare` and `tw.tune` are told of a table that was read."""
        return {
            **self.settings,
            **checked_units(found.table, self.groups, self.order),
            "task": "classes" if found.is_classifier else "numbers",
            "keep": found.table.names,  # what is useless has been left out, and said
            "weights": self.weight,
            "seed": self.seed,
        }


def contest_arguments(command: Command) -> Command:
    """Give a command the file and the options of its target, which stand first in its help."""
    return click.argument("data", type=DATA)(target_option(kind_options(command)))


def contest_options(command: Command) -> Command:
    """Give a command what else a contest is told; with the arguments it arrives as `contest`."""

    @functools.wraps(command)
    def with_contest(*args: Any, **given: Any) -> Any:
        contest = Contest(**{field.name: given.pop(field.name) for field in fields(Contest)})
        return command(*args, contest=contest, **given)

    for add in (reading_options, seed_option, threads_option, weight_option, units_options, growing_options):
        with_contest = add(with_contest)
    return with_contest  # type: ignore[return-value]
