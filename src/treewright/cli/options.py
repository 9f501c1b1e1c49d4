"""Options that several commands share: how a file is read, `--json`, words of a list."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from treewright.base.lines import harmless
from treewright.base.names import hint

Command = TypeVar("Command", bound=Callable[..., Any])

EXAMPLE = "example:"  # before the name of a table that ships with treewright


class Data(click.Path):
    """A file, not checked here (a table of a database is table@file.duckdb), or example:NAME."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; of an example, that of the file which ships."""
        if not str(value).startswith(EXAMPLE):
            return super().convert(value, param, ctx)
        from treewright.table.examples import example_file

        name = str(value).removeprefix(EXAMPLE)
        try:
            file = str(example_file(name))
            if ctx is not None:
                ctx.meta[EXAMPLE] = name
            return file
        except ValueError as reason:
            self.fail(str(reason), param, ctx)


DATA = Data(path_type=str)
READING = "How the file is read"


class Option(click.Option):
    """An option that stands in a section of the help."""

    def __init__(self, *args: Any, section: str = "", **more: Any) -> None:
        super().__init__(*args, **more)
        self.section = section


class Sectioned(click.Command):
    """A command whose help has examples, and its many options in sections."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **more: Any) -> None:
        super().__init__(*args, **more)
        self.examples = examples

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, then the options, section by section."""
        with formatter.section("Examples"):
            for line in self.examples:  # not wrapped: a line is a line to type
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")
        sections: dict[str, list[tuple[str, str]]] = {}
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        for param in options:
            if (record := param.get_help_record(ctx)) is not None:
                sections.setdefault(getattr(param, "section", "") or "Options", []).append(record)
        for title in sorted(sections, key=lambda title: title != "Options"):
            with formatter.section(title):
                formatter.write_dl(sections[title])


def option(*names: str, **more: Any) -> Callable[[Command], Command]:
    """Return click's decorator for an option that may have a `section`."""
    return click.option(*names, cls=Option, **more)


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
            way = hint(value, self.words) or "."
            self.fail(f"there is no {value!r}{way} There are: {known}.", param, ctx)
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


class Read(click.ParamType):  # type: ignore[type-arg]
    """Text that a function reads; what it refuses is told as an error of the option."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name, self._read = name, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return what the text means."""
        if not isinstance(value, str):
            return value
        try:
            return self._read(value)
        except (ValueError, TypeError, OSError) as reason:
            self.fail(harmless(str(reason)), param, ctx)


def reading_options(command: Command) -> Command:
    """Give a command the options of reading a file; it receives those that were given as `reading`.

    `reading` is a dict to hand on: `tw.read(path, **reading)`.
    """

    @functools.wraps(command)
    def with_reading(*args: Any, **given: Any) -> Any:
        found = {name: given.pop(name) for name in _READING}
        found["ordinal"] = dict(map(order_of, found["ordinal"]))
        found["parts"] = dict(map(parts_of, found["parts"]))
        for name in _LISTS:
            found[name] = [word for text in found[name] for word in listed(text)]
        if found["missing"] and "" not in found["missing"]:  # more marks; with '' only those that are given
            found["missing"] = [*usual_marks(), *found["missing"]]
        reading = {name: value for name, value in found.items() if value not in (None, [], {})}
        return command(*args, reading=reading, **given)

    for option in reversed(_OPTIONS):
        with_reading = option(with_reading)
    return with_reading  # type: ignore[return-value]


def json_option(command: Command) -> Command:
    """Give a command `--json`; it receives `as_json`."""
    return option("--json", "as_json", is_flag=True, help="Write the result as JSON, for programs.")(command)


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
    "text",
    "date",
    "parts",
    "ignore",
    "skip",
    "trim",
    "download",
)
_LISTS = ("missing", "categorical", "numeric", "text", "date", "ignore")
_OPTIONS = tuple(
    option(*names, section=READING, **more)
    for names, more in (
        (["--separator"], {"metavar": "SIGN", "help": "Between cells: ',' ';' '|' or tab."}),
        (["--decimal"], {"metavar": "SIGN", "help": "Of numbers: '.' or ','."}),
        (["--quote"], {"metavar": "SIGN", "help": "Around cells that hold a separator."}),
        (["--encoding"], {"metavar": "NAME", "help": "Of the text, such as utf-8 or latin-1."}),
        (["--header/--no-header"], {"default": None, "help": "Whether the first line names the columns."}),
        (
            ["--missing"],
            {"metavar": "MARK", "multiple": True, "help": "Another mark of a missing value, such as -9."},
        ),
        (
            ["--categorical"],
            {"metavar": "COL", "multiple": True, "help": "Take columns as categories: A,B,C."},
        ),
        (["--ordinal"], {"metavar": "COL:A<B<C", "multiple": True, "help": "Categories in this order."}),
        (["--numeric"], {"metavar": "COL", "multiple": True, "help": "Take columns as numbers."}),
        (
            ["--text"],
            {
                "metavar": "COL[:bag]",
                "multiple": True,
                "help": "Take columns as words; bag: a column for each word.",
            },
        ),
        (
            ["--date"],
            {
                "metavar": "COL[:ORDER]",
                "multiple": True,
                "help": "Take columns as dates: dmy, mdy, ymd, excel, unix.",
            },
        ),
        (
            ["--parts"],
            {
                "metavar": "COL:PART,...",
                "multiple": True,
                "help": "Add parts of dates: year, month, weekday, hour.",
            },
        ),
        (["--ignore"], {"metavar": "COL", "multiple": True, "help": "Leave columns out."}),
        (
            ["--skip"],
            {"metavar": "N", "type": click.IntRange(min=0), "help": "Lines to skip above the column names."},
        ),
        (
            ["--trim/--no-trim"],
            {"default": None, "help": "Whether titles, totals and repeated names are left out (they are)."},
        ),
        (
            ["--download"],
            {"is_flag": True, "default": None, "help": "Fetch a file whose address is given (https://...)."},
        ),
    )
)


def usual_marks() -> Sequence[str]:
    """Return the cells that mean missing when nothing is said.

    >>> "NA" in usual_marks()
    True
    """
    from treewright.table.read import MISSING_CELLS  # here: `treewright --help` needs none of it

    return MISSING_CELLS


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


def parts_of(text: str) -> tuple[str, list[str]]:
    """Return the column and the parts of "COL:year,month".

    >>> parts_of("joined:year,weekday")
    ('joined', ['year', 'weekday'])
    """
    column, colon, parts = text.rpartition(":")
    words = [word.strip() for word in parts.split(",")]
    if not colon or not column.strip() or not all(words):
        raise click.BadParameter(
            f"{text!r} names no column with parts. Write --parts joined:year,month,weekday.",
            param_hint="'--parts'",
        )
    return column.strip(), words
