"""Options that several commands share: how a file is read, `--json`, words of a list."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from .failure import near

Command = TypeVar("Command", bound=Callable[..., Any])

DATA = click.Path(path_type=str)  # not checked here: a table of a database is table@file.duckdb


class Word(click.ParamType):  # type: ignore[type-arg]  # click 8.1 has no [str]
    """One of several words; another is answered with the one that was meant."""

    name = "word"

    def __init__(self, words: Callable[[], Sequence[str]] | Sequence[str]) -> None:
        self._words = words

    @property
    def words(self) -> Sequence[str]:
        """The words, which may be looked up late: the help of other commands need not import them."""
        return self._words() if callable(self._words) else self._words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word; an unknown one is an error that names the nearest."""
        if value not in self.words:
            known = ", ".join(self.words)
            self.fail(f"there is no {value!r}{near(value, self.words)}There are: {known}.", param, ctx)
        return str(value)

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[Any]:
        """Return the words that begin so."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(word) for word in self.words if word.startswith(incomplete)]


def reading_options(command: Command) -> Command:
    """Give a command the options of reading a file; it receives those that were given as `reading`.

    `reading` is a dict to hand on: `tw.read(path, **reading)`.
    """

    @functools.wraps(command)
    def with_reading(*args: Any, **given: Any) -> Any:
        found = {name: given.pop(name) for name in _READING}
        found["ordinal"] = dict(map(order_of, found["ordinal"]))
        for name in _LISTS:
            found[name] = [word for text in found[name] for word in listed(text)]
        reading = {name: value for name, value in found.items() if value not in (None, [], {})}
        return command(*args, reading=reading, **given)

    for option in reversed(_OPTIONS):
        with_reading = option(with_reading)
    return with_reading  # type: ignore[return-value]


def json_option(command: Command) -> Command:
    """Give a command `--json`; it receives `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Write the result as JSON, for programs.")(
        command
    )


_READING = (
    "separator",
    "decimal",
    "quote",
    "encoding",
    "header",
    "missing",
    "categorical",
    "ordinal",
    "numeric",
    "ignore",
)
_LISTS = ("missing", "categorical", "numeric", "ignore")
_OPTIONS = (
    click.option("--separator", metavar="SIGN", help="Between cells: ',' ';' '|' or tab."),
    click.option("--decimal", metavar="SIGN", help="Of numbers: '.' or ','."),
    click.option("--quote", metavar="SIGN", help="Around cells that hold a separator."),
    click.option("--encoding", metavar="NAME", help="Of the text, such as utf-8 or latin-1."),
    click.option("--header/--no-header", default=None, help="Whether the first line names the columns."),
    click.option(
        "--missing", metavar="MARK", multiple=True, help="A cell that means missing, such as -9; repeatable."
    ),
    click.option(
        "--categorical", metavar="COL", multiple=True, help="Take these columns as categories; also A,B,C."
    ),
    click.option(
        "--ordinal", metavar="COL:A<B<C", multiple=True, help="Take a column as categories in this order."
    ),
    click.option("--numeric", metavar="COL", multiple=True, help="Take these columns as numbers."),
    click.option("--ignore", metavar="COL", multiple=True, help="Leave these columns out."),
)


def listed(text: str) -> list[str]:
    r"""Return the words of a list with commas; a backslash keeps a comma in a word.

    >>> listed("a, b"), listed(r"price\, net")
    (['a', 'b'], ['price, net'])
    """
    words = text.replace("\\,", "\0").split(",")
    return [word.strip().replace("\0", ",") for word in words]


def order_of(text: str) -> tuple[str, list[str]]:
    """Return the column and the values in order of "COL:A<B<C".

    >>> order_of("size:small<medium<large")
    ('size', ['small', 'medium', 'large'])
    """
    column, colon, order = text.rpartition(":")
    values = [value.strip() for value in order.split("<")]
    if not colon or not column.strip() or len(values) < 2 or not all(values):
        raise click.BadParameter(
            f'{text!r} names no column with an order. Write --ordinal "size:small<medium<large", in quotes.',
            param_hint="'--ordinal'",
        )
    return column.strip(), values
