"""`treewright separable`: do planes divide the classes of a file? A plane, or a proof that there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .data import read_data
from .failure import CheckFailed, Failure
from .options import DATA, Sectioned, Word, json_option, option, reading_options
from .output import head, show, show_json, show_pairs, talk
from .progress import progress
from .target import Target, for_target, target_of, target_option

if TYPE_CHECKING:
    import treewright as tw

EXAMPLES = (
    "treewright separable data.csv --target species",
    "treewright separable data.csv --target y --ignore id --polynomial 2",
    "treewright separable data.csv --target y --check",
)
SHOWN = 10  # weights of a plane, or rows of a certificate, that are written out

WORDS = {
    "separable": "yes, a plane separates them",
    "touch": "no, their hulls touch",
    "overlap": "no, their hulls overlap",
    "meet": "no, their hulls meet",
    "undecided": "undecided: the gap, if there is one, is below the digits there are",
}
PROOFS = {
    "exact": "checked without rounding",
    "enclosed": "proven within a bound on rounding",
    "bounded": "not proven: the points are close, not equal",
}


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("data", type=DATA)
@target_option
@option(
    "--each",
    "way",
    type=Word(("pairwise", "one_vs_rest")),
    default="pairwise",
    metavar="WAY",
    help="Planes between every two classes (pairwise), or each class and the rest (one_vs_rest).",
)
@option("--polynomial", type=click.IntRange(2, 5), metavar="DEGREE", help="Add products of columns first.")
@option("--check", is_flag=True, help="End with exit code 3 if planes do not separate the classes.")
@reading_options
@json_option
def separable(
    data: str,
    target: str | None,
    way: str,
    polynomial: int | None,
    check: bool,
    reading: dict[str, Any],
    as_json: bool,
) -> None:
    """Say whether planes separate the classes of a file, with a proof.

    If so, the plane is shown: every row of one class has a score above 0, every row of the other one below.
    If not, the rows are shown whose weighted mean is the same point in both classes. Categories count as
    columns of zeros and ones. Rows with missing values (gaps) lie on no side of a plane: they are left out.
    """
    import treewright as tw

    read = read_data(data, for_target(reading, target, "classification")).table
    found = target_of(read, target, "classification", data)
    for line in found.lines:
        talk(line)
    numbers = (~_has_gap(read.select([found.name]))).nonzero()[0] + 1  # rows of the file, from 1 on
    is_whole = ~_has_gap(found.table)
    table, numbers = found.table.take(is_whole), numbers[is_whole]
    if not is_whole.all():
        talk(f"{found.table.n_rows - table.n_rows:,} rows have gaps; they are left out.")
    features = None if polynomial is None else tw.linear.Polynomial(polynomial)
    model = tw.LinearSeparator(multi_class=way, otherwise="refuse", features=features)
    classes = table.labels(found.name)
    _refuse_one_class(classes, found)
    with progress("Separating"):
        model.fit(table.drop(found.name), classes)
    if as_json:
        show_json(_plain(model, found.name, numbers))
    else:
        _show(model, [(f"row {n}, {c}") for n, c in zip(numbers.tolist(), classes, strict=True)])
    if check and not model.separable_:
        raise CheckFailed(f"planes do not separate the classes of {found.name}.")


def _has_gap(table: tw.Table) -> Any:
    """Return which rows have a gap."""
    import numpy as np

    found = np.zeros(table.n_rows, dtype=bool)
    for column, values in zip(table.schema.columns, table.values, strict=True):
        found |= np.isnan(values) if column.is_numeric else values < 0
    return found


def _refuse_one_class(classes: Any, target: Target) -> None:
    if len(set(classes)) < 2:
        raise Failure(
            f"Rows without gaps are of {len(set(classes))} classes of {target.name}; it takes two. Leave the "
            "columns with most gaps out (--ignore), or fill the gaps."
        )


def _show(model: tw.LinearSeparator, rows: list[str]) -> None:
    parts = model.separations_
    assert parts is not None
    if len(parts) > 1:
        head("Classes")
        show_pairs([(name, WORDS[part.verdict]) for name, part in zip(parts.names, parts, strict=True)], "<")
    for name, part in zip(parts.names, parts, strict=True):
        head(f"{name}: {WORDS[part.verdict]}")
        show(f"  {PROOFS[part.proof]}")
        if part.certificate is not None:
            _show_certificate(part.certificate, model.terms_, rows)
        elif part.coef is not None:
            _show_plane(part, model.terms_)


def _show_plane(part: tw.linear.Separation, terms: tuple[str, ...]) -> None:
    assert part.coef is not None
    show("  score of a row (the second class above 0):")
    places = sorted(range(len(terms)), key=lambda k: -abs(float(part.coef[k])))  # type: ignore[index]
    rows = [(terms[k], f"{part.coef[k]:+.6g}") for k in places if part.coef[k] != 0]
    show_pairs([("(bias)", f"{part.intercept:+.6g}"), *rows[:SHOWN]])
    if len(rows) > SHOWN:
        show(f"  and {len(rows) - SHOWN} more columns; --json has all")


def _show_certificate(certificate: tw.linear.Certificate, terms: tuple[str, ...], rows: list[str]) -> None:
    show("  both classes have this point as a weighted mean of rows:")
    point = [(name, f"{value:.6g}") for name, value in zip(terms, certificate.point, strict=True)]
    show_pairs(point[:SHOWN])
    if len(point) > SHOWN:
        show(f"  and {len(point) - SHOWN} more columns; --json has all")
    show("  the rows, from 1 on, and their weights:")
    places = certificate.weights.nonzero()[0].tolist()
    show_pairs([(rows[i], f"{certificate.weights[i]:.6g}") for i in places[:SHOWN]])
    if len(places) > SHOWN:
        show(f"  and {len(places) - SHOWN} more rows; --json has all")


def _plain(model: tw.LinearSeparator, target: str, numbers: Any) -> dict[str, Any]:
    parts = model.separations_
    assert parts is not None
    return {
        "target": target,
        "separable": model.separable_,
        "columns": list(model.terms_),
        "rows": numbers,
        "answers": [
            {"classes": name, **part.to_dict()} for name, part in zip(parts.names, parts, strict=True)
        ],
    }
