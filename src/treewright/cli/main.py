"""The `treewright` command: a table of subcommands, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import click

from .failure import near, report_failures
from .proposal import remember


class Row(NamedTuple):
    """A command in the table: the part of the help it stands in, and what it does in one line."""

    part: str
    about: str


START, GROW, READ, USE = "Start here", "Grow and prune", "Read a model", "Use a model"

# A new command is a file `cli/<word>.py` with a click command `<word>`, and a row here. The row repeats its
# first line of help, so that `treewright --help` need not import it. In the order a newcomer needs them.
COMMANDS: dict[str, Row] = {
    "demo": Row(START, "Grow a tree on a table that ships with treewright."),
    "example": Row(START, "Write a table that ships with treewright, or list them."),
    "check": Row(START, "Show how a file is understood: its layout, its columns and why."),
    "lecture": Row(START, "Show a walk of the lectures, or list them."),
    "fit": Row(GROW, "Grow a tree on a file and say how good it is."),
    "compare": Row(GROW, "Try algorithms and ways to prune on a file, side by side."),
    "tune": Row(GROW, "Choose algorithm, depth and pruning, and judge the choice."),
    "separable": Row(GROW, "Say whether planes separate the classes of a file, with a proof."),
    "prune": Row(GROW, "Make a tree smaller."),
    "calibrate": Row(GROW, "Put a model's probabilities right by rows it has not seen."),
    "show": Row(READ, "Show a model: the text of a tree, or of rules."),
    "explain": Row(READ, "Say why a row is answered so, and what would change the answer."),
    "rules": Row(READ, "Show a tree as IF-THEN rules."),
    "plot": Row(READ, "Draw a tree to a file, or in the terminal."),
    "report": Row(READ, "Write a page about a tree, a forest or rules that opens offline."),
    "predict": Row(USE, "Say what a model predicts for each row of a file, as CSV."),
    "evaluate": Row(USE, "Say how good a model is on rows with known answers."),
    "serve": Row(USE, "Answer rows over HTTP, on this machine or with a token."),
    "export": Row(USE, "Write a model in another format: SQL, JSON, Markdown, ..."),
}


class LazyGroup(click.Group):
    """A group that imports the file of a command only when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the words of all commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command of a word, or None."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"treewright.cli.{cmd_name}"), cmd_name)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the words apart; they are kept as they were typed."""
        remember(ctx, args)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names; an unknown word is answered with the known ones."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            known = ", ".join(COMMANDS)
            ctx.fail(f"There is no command {args[0]!r}{near(args[0], COMMANDS)}The commands are: {known}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands part by part."""
        width = max(map(len, COMMANDS))
        for part in dict.fromkeys(row.part for row in COMMANDS.values()):
            rows = [(word.ljust(width), row.about) for word, row in COMMANDS.items() if row.part == part]
            with formatter.section(part):
                formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; whatever goes wrong is told in words."""
        with report_failures():
            return super().invoke(ctx)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Data go to standard output, all talk to standard error. 'treewright COMMAND --help' says more.",
)
@click.version_option(package_name="treewright")
def main() -> None:
    """Grow, read and use decision trees.

    A first tree on your own file:  treewright fit data.csv --target COLUMN
    """
