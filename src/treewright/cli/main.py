"""The `treewright` command: a table of subcommands, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

import click

# A new command is a file of its own and a row here: word -> module and name of the click command.
COMMANDS = {
    "demo": ("treewright.cli.demo", "demo"),
    "lecture": ("treewright.cli.lecture", "lecture"),
}


class LazyGroup(click.Group):
    """A group that imports the file of a command only when the command is used or described."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the words of all commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command of a word, or None."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names; an unknown word is answered with the known ones."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            known = ", ".join(COMMANDS)
            ctx.fail(f"There is no command {args[0]!r}; the commands are: {known}. Try 'treewright demo'.")
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="treewright")
def main() -> None:
    """Grow, read and use decision trees."""
