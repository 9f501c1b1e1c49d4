"""`treewright predict`: what a model says about the rows of a file."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import IO, TYPE_CHECKING, Any

import click

from treewright.table.sql import literal

from .data import read_for
from .failure import Failure
from .files import check_place, replacing
from .growing import threads_option
from .judge import RAW, check_probabilities, missing_option, probabilities_option, under_policy
from .model import load_model
from .options import DATA, Sectioned, option, reading_options
from .output import talk
from .progress import progress
from .terminal import is_ascii_only

if TYPE_CHECKING:
    import treewright as tw

Columns = dict[str, list[Any]]

EXAMPLES = (
    "treewright predict income.treewright new.csv > answers.csv",
    "treewright predict income.treewright new.csv --proba -o answers.parquet",
    "treewright predict income.treewright new.csv --keep name --safe-cells -o answers.csv",
)


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("model", type=click.Path())
@click.argument("data", type=DATA)
@option(
    "-o", "--output", type=click.Path(), metavar="FILE", help="Write here: .csv, .tsv, .jsonl or .parquet."
)
@option("--proba", is_flag=True, help="Add the probability of each class.")
@probabilities_option
@missing_option
@option("--rule", is_flag=True, help="Add the rule that decided, in words.")
@option("--keep", multiple=True, metavar="COL", help="Copy this column of DATA, such as an id; repeatable.")
@option("--safe-cells", is_flag=True, help="Of CSV: texts like formulas get a ' in front, for spreadsheets.")
@threads_option
@reading_options
@option("--json", "as_json", is_flag=True, help="Write a JSON object for each row, one a line.")
def predict(
    model: str,
    data: str,
    output: str | None,
    proba: bool,
    probabilities: str | None,
    policy: str | None,
    rule: bool,
    keep: tuple[str, ...],
    safe_cells: bool,
    threads: int,
    reading: dict[str, Any],
    as_json: bool,
) -> None:
    """Say what a model predicts for each row of a file, as CSV."""
    if output and output != "-":
        check_place(output, [model, data])
    writer = _writer(output, as_json)
    if safe_cells and writer not in (_csv_to_stdout, _write_csv):
        raise click.UsageError("--safe-cells is for CSV and TSV, which spreadsheets open; leave it out.")
    known = under_policy(load_model(model), policy)
    if proba and not known.is_classifier:
        raise Failure(
            f"--proba: the model predicts the number {known.target.name!r}, which has no probabilities."
        )
    check_probabilities(known, probabilities)
    if probabilities != RAW and not proba:
        raise click.UsageError("--probabilities says how --proba finds them; add --proba.")
    kept = {name: value for name, value in reading.items() if name != "categorical"}
    kept["categorical"] = [
        *reading.get("categorical", []),
        *(name for name in keep if name not in known.schema.names),
    ]
    kept = {name: value for name, value in kept.items() if value}
    made = {"prediction", "rule", *(f"probability_{name}" for name in known.classes)}
    if taken := made & set(keep):
        raise Failure(f"--keep {taken.pop()}: a column of the answers has this name; rename it in the file.")
    table = read_for(known, data, kept, keep)
    with progress("Predicting"):
        columns = _columns(known, table, (probabilities,) if proba else None, rule, keep, threads)
    if safe_cells:
        columns = {defused(name): [*map(defused, cells)] for name, cells in columns.items()}
    writer(columns, output)
    if output and output != "-":
        talk(f"{table.n_rows:,} answers written: {output}")


def _columns(
    model: Any,
    table: tw.Table,
    probabilities: tuple[str | None] | None,
    rule: bool,
    keep: Sequence[str],
    threads: int,
) -> Columns:
    import treewright as tw

    found: Columns = {name: _texts(table, name) for name in keep}
    is_rules = hasattr(model, "decide")
    more = {} if is_rules else {"n_threads": threads}
    found["prediction"] = model.predict(table, **more).tolist()
    if probabilities is not None:
        how = {"probabilities": probabilities[0]} if isinstance(model, tw.Tree) else {}
        chances = model.predict_proba(table, **how, **more)
        for place, name in enumerate(model.classes):
            found[f"probability_{name}"] = chances[:, place].tolist()
    if rule:
        if not is_rules and not isinstance(model, tw.Tree):
            raise Failure(
                "--rule: a forest has no single rule for a row; fit a tree (without --forest) to see rules."
            )
        found["rule"] = _rules(model if is_rules else model.rules(), table)
    return found


def _texts(table: tw.Table, name: str) -> list[Any]:
    column, values = table.column(name)
    if column.is_temporal:
        return [None if v != v else column.text_of(v) for v in values.tolist()]
    if column.is_numeric:
        return [None if v != v else int(v) if v.is_integer() else v for v in values.tolist()]
    return table.labels(name).tolist()  # type: ignore[no-any-return]


def _rules(rules: Any, table: tw.Table) -> list[str]:
    answering = [rule for rule in (*rules.rules, *rules.fallbacks) if rule.prediction is not None]
    words = [rule.to_text(rules.schema) for rule in answering]
    words.append(f"OTHERWISE {rules.default}")  # the place -1
    return [words[place] for place in rules.decide(table).rule.tolist()]


_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)*([eE][+-]?\d+)?")


def defused(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula: a text that begins like one gets a ' in front.

    Formulas begin with = + - @, a tab or a carriage return. Numbers stay as they are, also as texts.

    >>> defused("=1+1"), defused("-2.5"), defused(-2.5), defused("a=b"), defused("-2+3")
    ("'=1+1", '-2.5', -2.5, 'a=b', "'-2+3")
    """
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


# ---- writing ------------------------------------------------------------------------------------------


def _writer(output: str | None, as_json: bool) -> Any:
    """Return what writes the columns, found by the file's name before any work is done."""
    if output is None or output == "-":
        return _json_to_stdout if as_json else _csv_to_stdout
    for end, writer in _WRITERS.items():
        if output.endswith(end):
            return writer
    if as_json:
        return _write_lines
    raise Failure(f"-o {output}: the name must end in {', '.join(_WRITERS)}, which says how it is written.")


def _csv_to_stdout(columns: Columns, _: str | None) -> None:
    _check_stdout(columns)
    _write_rows(columns, sys.stdout, ",")
    sys.stdout.flush()


def _check_stdout(columns: Columns) -> None:
    """Refuse, before the first line, answers with signs that standard output has not: escapes would lie."""
    texts = {cell for cells in columns.values() for cell in cells if isinstance(cell, str)}
    for text in (*columns, *texts):
        if is_ascii_only(text):
            raise Failure(
                f"Standard output takes {sys.stdout.encoding} only and cannot hold {text!a}. "
                "Write to a file, which is UTF-8: -o answers.csv"
            )


def _json_to_stdout(columns: Columns, _: str | None) -> None:
    for line in _json_lines(columns):
        click.echo(line)


def _write_csv(columns: Columns, place: str) -> None:
    with replacing(place) as spare, open(spare, "w", encoding="utf-8", newline="") as file:
        _write_rows(columns, file, "\t" if place.endswith(".tsv") else ",")


def _write_rows(columns: Columns, file: IO[str], sign: str) -> None:
    # Python's writer quotes what ends its lines: a cell with a lone \r needs it as well as one with \n.
    unix = SimpleNamespace(write=lambda line: file.write(line.removesuffix("\r\n") + "\n"))
    rows = csv.writer(unix, delimiter=sign, lineterminator="\r\n")
    rows.writerow(columns)
    cells = zip(*columns.values(), strict=True)
    rows.writerows(row for row in cells)  # a generator, in which Ctrl-C is heard; zip alone never leaves C


def _write_lines(columns: Columns, place: str) -> None:
    with replacing(place) as spare, open(spare, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in _json_lines(columns))


def _json_lines(columns: Columns) -> Iterator[str]:
    for row in zip(*columns.values(), strict=True):
        yield json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=True)


def _write_parquet(columns: Columns, place: str) -> None:
    import numpy as np

    from treewright.table.files.signals import held_back

    with held_back():
        import duckdb

    arrays = {name: np.array(cells, dtype=_dtype(cells)) for name, cells in columns.items()}  # noqa: F841
    with replacing(place) as spare, duckdb.connect() as connection:
        connection.execute(f"copy (select * from arrays) to {literal(spare, 'duckdb')} (format parquet)")


def _dtype(cells: list[Any]) -> Any:
    return float if all(isinstance(cell, float) for cell in cells) else object


_WRITERS = {
    ".csv": _write_csv,
    ".tsv": _write_csv,
    ".jsonl": _write_lines,
    ".ndjson": _write_lines,
    ".parquet": _write_parquet,
}
