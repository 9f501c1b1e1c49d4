"""What to type next: a command with the options that were given and that it needs, ready for the shell."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence

import click

KEY = "treewright.args"

# What a new file needs, if it looks like the one a model was fitted on; the model itself knows the rest.
LAYOUT = ("--separator", "--decimal", "--quote", "--encoding", "--header")

# The options that a command takes over; one that is not listed takes all that it knows. `--json` and `-o` are
# about the present result.
_TAKES: dict[str, Collection[str]] = dict.fromkeys(("predict", "evaluate", "explain"), LAYOUT)
_TAKES |= {"show": (), "plot": ()}
_NEVER = {"--json", "--output"}


def remember(ctx: click.Context, args: Sequence[str]) -> None:
    """Keep the words of a command line for `proposed`."""
    ctx.meta[KEY] = list(args)


def proposed(
    command: str, *words: str, arguments: Sequence[str] | None = None, without: Collection[str] = ()
) -> str:
    """Return a command to type next, quoted for the shell.

    It has the files that were typed, or `arguments`; the options that were typed and that it takes, less
    those in `without`; and more `words`.
    """
    ctx = click.get_current_context()
    group = ctx.find_root().command
    follower = group.get_command(ctx, command) if isinstance(group, click.Group) else None
    known = {name for param in follower.params for name in param.opts} if follower else set()
    known = (known & set(_TAKES.get(command, known))) - _NEVER - set(without)
    options = [word for name, typed in _typed_options(ctx) if name in known for word in typed]
    files = [
        f"./{name}" if name.startswith("-") else name  # no option
        for name in (_arguments(ctx) if arguments is None else arguments)
    ]
    return shlex.join(["treewright", command, *files, *options, *words])


def column_option(name: str, column: str) -> str:
    r"""Return an option that takes a list of columns, for one of them, as it is typed in a shell.

    >>> print(column_option("--ignore", "price, net"), column_option("--numeric", "it's"))
    --ignore 'price\, net' --numeric 'it'"'"'s'
    """
    return f"{name} {shlex.quote(listed_word(column))}"


def listed_word(column: str) -> str:
    r"""Return the name of a column as `--ignore` and its like take it: their lists have commas.

    >>> print(listed_word("price, net"))
    price\, net
    """
    return column.replace(",", "\\,")


def _typed_options(ctx: click.Context) -> Iterator[tuple[str, list[str]]]:
    """Yield the options that were typed: the name, and the words that say it again."""
    values, _, order = _parsed(ctx)
    for param in dict.fromkeys(order):
        if not isinstance(param, click.Option):
            continue
        value = values[param.name]
        if not param.is_flag:
            for one in value if isinstance(value, list) else [value]:
                yield _long(param), [_long(param), str(one)]
        elif param.secondary_opts and not value:
            yield _long(param), [param.secondary_opts[0]]
        elif value == (True if param.secondary_opts else param.flag_value):
            yield _long(param), [_long(param)]


def _arguments(ctx: click.Context) -> list[str]:
    values, _, _ = _parsed(ctx)
    found = [values.get(p.name) for p in ctx.command.params if isinstance(p, click.Argument)]
    return [value for value in found if isinstance(value, str)]


def _parsed(ctx: click.Context) -> tuple[dict[str, object], list[str], list[click.Parameter]]:
    typed: list[str] = ctx.meta.get(KEY, [])
    found: tuple[dict[str, object], list[str], list[click.Parameter]] = ctx.command.make_parser(
        ctx
    ).parse_args(list(typed[1:]))
    return found


def _long(param: click.Option) -> str:
    return next((name for name in param.opts if name.startswith("--")), param.opts[0])
