"""`treewright export`: a model in one of the formats of the table, to a file or to standard output."""

from __future__ import annotations

from typing import Any

import click

from treewright.base.files import write_whole
from treewright.base.lines import harmless
from treewright.base.verbs import kind_of
from treewright.export.export import in_file
from treewright.export.format import BYTES, WORDS, Format, MissingToolError, Written
from treewright.export.formats import FORMATS, format_for, format_named
from treewright.export.proof import Verified, verify

from .data import read_for
from .failure import Failure
from .files import check_place
from .model import load_model
from .options import DATA, Command, Sectioned, Word, json_option, option
from .output import show, show_json, talk
from .terminal import is_ascii_only

EXAMPLES = (
    "treewright export income.treewright --to sql --dialect postgres --table customers",
    "treewright export income.treewright -o income.md",
    "treewright export income.treewright -o income.onnx --verify income.csv",
)
NAMES = tuple(FORMATS)


class FormatWord(Word):
    """The name of a format, or how its files end."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name of the format; an unknown one is an error that names the nearest."""
        try:
            return format_named(value).name
        except ValueError:
            return super().convert(value, param, ctx)


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
@option(
    "--to",
    type=FormatWord(NAMES),
    metavar="FORMAT",
    help=f"{', '.join(NAMES)}, or how its files end (js); else the end of FILE decides.",
)
@option("-o", "--output", type=click.Path(), metavar="FILE", help="Write here instead of standard output.")
@option("--verify", "data", type=DATA, metavar="DATA",
        help="Run what is written on these rows, and on harder ones made of them.")  # fmt: skip
@format_options
@json_option
def export(
    model: str, to: str | None, output: str | None, data: str | None, as_json: bool, **options: Any
) -> None:
    """Write a model in another format: SQL, JSON, Markdown, ..."""
    if to is None and output is None:
        raise click.UsageError(f"Say the format with --to ({', '.join(NAMES)}), or name a file with -o.")
    form = FORMATS[to] if to is not None else format_for(output or "")
    if output is not None:
        check_place(output, [model, *([data] if data else [])])
    chosen = {name: value for name, value in options.items() if value is not None}
    for name in chosen:
        if name not in form.options:
            users = ", ".join(row.name for row in FORMATS.values() if name in row.options)
            raise click.UsageError(f"--{name.replace('_', '-')} is for the format {users}, not {form.name}.")
    found = load_model(model)
    if output is None and form.content == WORDS and is_ascii_only() and has_ascii(form, found):
        chosen["ascii"] = True
    written = form.write(found, **chosen)
    proof = None if data is None else _proof(found, form, data, chosen)
    if output is not None:
        write_whole(output, in_file(written))
        talk(f"{form.name} written: {output}")
    if as_json:
        text = None if output is not None or isinstance(written, bytes) else written
        verified = {} if proof is None else {"verified": proof.rows}
        show_json({"format": form.name, "file": output, "text": text, **verified})
    elif output is None:
        check_stdout(form, written)
        show(str(written).rstrip("\n"))
    if proof is not None:
        talk(f"{form.name} verified: {proof}")


def _proof(model: Any, form: Format, data: str, options: dict[str, Any]) -> Verified:
    """Return what came of running the artefact; other answers than the model's are a failure."""
    rows = read_for(model, data, {})
    try:
        proof = verify(model, form.name, rows, **options)
    except MissingToolError as reason:
        raise Failure(f"Nothing was written: {reason}") from None
    if not proof:
        raise Failure(f"Nothing was written: {proof}")
    return proof


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
