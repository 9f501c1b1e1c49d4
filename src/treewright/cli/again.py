"""The command as it was typed, as a start for the next one."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence

import click

KEY = "treewright.args"


def remember(ctx: click.Context, args: Sequence[str]) -> None:
    """Keep the words of a command line for `again`."""
    ctx.meta[KEY] = list(args)


def again(command: str, *more: str, without: Collection[str] = ()) -> str:
    """Return a command with the words that were typed after the present one, less some options, and more."""
    typed: list[str] = click.get_current_context().meta.get(KEY, [])
    return shlex.join(["treewright", command, *less(typed[1:], {*without, "--json"}), *more])


def less(words: Sequence[str], options: Collection[str]) -> list[str]:
    """Return the words of a command line without some options and their values; --json has none.

    >>> less(["a.csv", "--cv", "5", "--json", "--test=0.3", "-o", "m"], {"--cv", "--json", "--test", "-o"})
    ['a.csv']
    """
    kept, skip = [], False
    for word in words:
        name = word.partition("=")[0]
        if skip:
            skip = False
        elif name in options:
            skip = word != "--json" and "=" not in word
        else:
            kept.append(word)
    return kept
