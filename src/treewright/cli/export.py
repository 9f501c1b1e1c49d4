"""`treewright export`: a model in one of the formats of the table, to a file or to standard output."""

from __future__ import annotations

from typing import Any

import click

from treewright.base.files import write_whole
from treewright.base.lines import harmless
from treewright.base.verbs import kind_of
from treewright.export.export import in_file
from treewright.export.format import BYTES, WORDS, Format, Written
from treewright.export.formats import FORMATS, format_for

from .failure import Failure
from .files import check_place
from .model import load_model
from .options import Command, Sectioned, Word, json_option, option
from .output import show, show_json, talk
from .terminal import is_ascii_only

EXAMPLES = (
    "treewright export income.treewright --to sql --dialect postgres --table customers",
    "treewright export income.treewright -o income.md",
)
NAMES = tuple(FORMATS)


def format_options(command: Command) -> Command:
    """Give a command the options of all formats; it receives those that were given as `options`."""
    sentences = {name: text for row in FORMATS.values() for name, text in row.options.items()}
    for name in reversed(sentences):
        users = [row for row in FORMATS.values() if name in row.options]
        section = f"Of {' and '.join(row.name for row in users)}"
        command = option(f"--{name.replace('_', '-')}", section=section, **_kind(users[0], name),
                         help=sentences[name])(command)  # fmt: skip
    return command


def _kind(row: Format, name: str) -> dict[str, Any]:
    """Return what click must know of an option, by the writer's signature: a flag, a number or a text."""
    parameter = next(row.parameters(kind)[name] for kind in row.kinds if name in row.options_of(kind))
    if isinstance(parameter.default, bool):
        return {"is_flag": True, "default": None}
    is_number = str(parameter.annotation).startswith("int")
    return {"type": int, "metavar": "N"} if is_number else {"type": str, "metavar": "TEXT"}


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("model", type=click.Path())
@option("--to", type=Word(NAMES), metavar="FORMAT", help=f"{', '.join(NAMES)}; else the end of FILE decides.")
@option("-o", "--output", type=click.Path(), metavar="FILE", help="Write here instead of standard output.")
@format_options
@json_option
def export(model: str, to: str | None, output: str | None, as_json: bool, **options: Any) -> None:
    """Write a model in another format: SQL, JSON, Markdown, ..."""
    if to is None and output is None:
        raise click.UsageError(f"Say the format with --to ({', '.join(NAMES)}), or name a file with -o.")
    form = FORMATS[to] if to is not None else format_for(output or "")
    if output is not None:
        check_place(output, [model])
    chosen = {name: value for name, value in options.items() if value is not None}
    for name in chosen:
        if name not in form.options:
            users = ", ".join(row.name for row in FORMATS.values() if name in row.options)
            raise click.UsageError(f"--{name.replace('_', '-')} is for the format {users}, not {form.name}.")
    found = load_model(model)
    if output is None and form.content == WORDS and is_ascii_only() and has_ascii(form, found):
        chosen["ascii"] = True
    written = form.write(found, **chosen)
    if output is not None:
        write_whole(output, in_file(written))
        talk(f"{form.name} written: {output}")
    if as_json:
        text = None if output is not None or isinstance(written, bytes) else written
        show_json({"format": form.name, "file": output, "text": text})
    elif output is None:
        check_stdout(form, written)
        show(str(written).rstrip("\n"))


def has_ascii(form: Format, model: Any) -> bool:
    """Whether a format can do without signs that standard output may not have."""
    kind = kind_of(model)
    return kind in form.kinds and "ascii" in form.options_of(kind)


def check_stdout(form: Format, written: Written, name: str = "model") -> None:
    """Refuse what the terminal's escapes, or its encoding, would make say something else."""
    example = f"-o {name}{form.suffixes[0]}"
    if form.content == BYTES or isinstance(written, bytes):
        raise Failure(f"The format {form.name!r} is no text. Write it to a file: {example}")
    if form.content != WORDS and (harmless(written) != written or is_ascii_only(written)):
        raise Failure(
            "A name or a category holds a character that standard output would change, and with it the "
            f"answers. Write to a file, which is UTF-8: {example}"
        )
