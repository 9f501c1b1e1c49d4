"""The proof: what a format wrote is run, and every answer is held against the model's own."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.signature import handing_on_to
from treewright.base.verbs import kind_of
from treewright.export.cells import Cells, cells_of, hard_cells
from treewright.export.export import export
from treewright.export.format import Answers, Format, Job, Written
from treewright.export.formats import FORMATS, format_named
from treewright.table import DataWarning

_CLOSE = {"forest": 1e-9}  # probabilities and numbers, of kinds that add up much; others: 1e-12


@dataclass(frozen=True)
class Verified:
    """What came of running an artefact beside its model.

    `rows` were answered by both, `different` of them otherwise; `refused` is the reason where the format does
    not carry such a model, and then nothing was run. `first` has the first row with another answer.

    >>> str(Verified(2000, 0, None))
    '2000 rows, the same answers.'
    """

    rows: int
    different: int
    refused: str | None
    first: str | None = None

    def __bool__(self) -> bool:
        return self.refused is None and self.different == 0

    def __str__(self) -> str:
        if self.refused is not None:
            return f"Refused: {self.refused}"
        if not self.different:
            return f"{self.rows} rows, the same answers."
        return f"{self.rows} rows, {self.different} other answers. {self.first}"


class Case(NamedTuple):
    """A model, the rows it is tried on, and the options of its artefact."""

    model: Any
    cells: Cells
    options: dict[str, Any]


@handing_on_to(export)
def verify(model: Any, format: str, data: Any, *, n_rows: int = 2000, **options: Any) -> Verified:  # noqa: A002
    """Return whether an artefact answers as the model does: it is written, run, and compared row by row.

    It is run on the rows of `data` and on `n_rows` more that are made of them: gaps, extremes, categories
    never seen, and the neighbours of every threshold. What runs it must be there: a compiler, a database.

    Args:
        model: a tree, a forest, rules, or a linear model.
        format: a name of `treewright.export.FORMATS`.
        data: rows that the model can predict, a Table, a frame, a path, ...
        n_rows: how many rows are made besides.
        options: of the format, such as `dialect`.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, "PlayTennis", "id3")
    >>> tw.export.verify(tree, "sql", table, dialect="duckdb")
    Verified(rows=2014, different=0, refused=None, first=None)
    """
    own, hard = cells_of(model, data), hard_cells(model, data, n_rows)
    both = Cells(own.columns, tuple([*a, *b] for a, b in zip(own.values, hard.values, strict=True)))
    return verify_cases(format, [Case(model, both, options)])[0]


def verify_cases(format: str, cases: Sequence[Case]) -> list[Verified]:  # noqa: A002
    """Return what came of several models in one format: what compiles, compiles once for all of them.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, "PlayTennis", "id3")
    >>> verify_cases("sql", [Case(tree, cells_of(tree, table), {})] * 2)[1].rows
    14
    """
    form = format_named(format)
    if form.runner is None:
        raise ValueError(f"The format {format!r} is not run. Formats that are: {', '.join(runnable())}.")
    prepared = [_prepared(form, case) for case in cases]
    jobs = [each for each in prepared if isinstance(each, Job)]
    answers = iter(form.runner(jobs) if jobs else [])
    return [
        Verified(0, 0, each) if isinstance(each, str) else compared(each, next(answers)) for each in prepared
    ]


def _prepared(form: Format, case: Case) -> Job | str:
    """Return what is to be run, or the reason why the format does not carry the model."""
    reason = form.reason_against(case.model)
    if reason is not None:
        return reason
    try:
        form.write(case.model, **case.options)
    except ValueError as error:  # a name or a number that the language has no word for
        return str(error)
    cells = case.cells if form.representable is None else form.representable(case.cells, case.options)

    def write(**more: Any) -> Written:
        return form.write(case.model, **{**case.options, **more})

    return Job(case.model, cells, case.options, write)


def runnable() -> tuple[str, ...]:
    """Return the names of the formats that can be run.

    >>> "sql" in runnable(), "text" in runnable()
    (True, False)
    """
    return tuple(row.name for row in FORMATS.values() if row.runner is not None)


# ---- the model's own answers ---------------------------------------------------------------------------


def answers_of(model: Any, cells: Cells) -> Answers:
    """Return what a model itself says of rows; `refused` are those it does not answer.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, "PlayTennis", "stump")
    >>> answers_of(tree, cells_of(tree, table)).labels[:2]
    ['No', 'No']
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        try:
            return _answered(model, cells, range(cells.n_rows))
        except ValueError:
            pass
        parts = [_or_refused(model, cells, i) for i in range(cells.n_rows)]
    return Answers(
        [label for part in parts for label in part.labels],
        _stacked([part.chances for part in parts]),
        _stacked([part.leaves for part in parts]),
        np.concatenate([part.refused for part in parts]),
    )


def _or_refused(model: Any, cells: Cells, i: int) -> Answers:
    try:
        return _answered(model, cells, [i])
    except ValueError:
        width = len(model.classes_ if kind_of(model) == "linear" else model.classes)
        chances = np.full((1, width), np.nan) if width and hasattr(model, "predict_proba") else None
        leaves = np.full(1, -1, np.int32) if kind_of(model) == "tree" else None
        return Answers([None], chances, leaves, np.ones(1, bool))


def _stacked(parts: list[Any]) -> Any:
    return None if parts[0] is None else np.concatenate(parts)


def _answered(model: Any, cells: Cells, rows: Sequence[int]) -> Answers:
    data: Any = cells.take(rows).table()
    kind = kind_of(model)
    is_classifier = kind == "linear" or model.is_classifier
    has_chances = is_classifier and hasattr(model, "predict_proba")
    return Answers(
        model.predict(data).tolist(),
        np.asarray(model.predict_proba(data)) if has_chances else None,
        model.leaves(data) if kind == "tree" else None,
        np.zeros(len(rows), bool),
    )


# ---- comparing -----------------------------------------------------------------------------------------


def compared(case: Job, found: Answers) -> Verified:
    """Return how what came back differs from the model's own answers.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, "PlayTennis", "stump")
    >>> cells = cells_of(tree, table)
    >>> job = Job(tree, cells, {}, FORMATS["text"].write)
    >>> compared(job, answers_of(tree, cells)._replace(labels=["Yes"] * 14)).different
    7
    """
    wanted = answers_of(case.model, case.cells)
    close = _CLOSE.get(kind_of(case.model) or "", 1e-12)
    is_other = different(wanted, found, close)
    first = None
    if is_other.any():
        i = int(np.argmax(is_other))
        named = zip(case.cells.columns, case.cells.row(i), strict=True)
        row = ", ".join(f"{column.name!r:.40}: {cell!r:.40}" for column, cell in list(named)[:12])
        first = f"Row {i} ({row}): the model says {_in_words(wanted, i)}, the artefact {_in_words(found, i)}."
    return Verified(len(is_other), int(is_other.sum()), None, first)


def _in_words(answers: Answers, i: int) -> str:
    if answers.refused[i]:
        return "nothing (refused)"
    chances = "" if answers.chances is None else f" {answers.chances[i].tolist()}"
    leaf = "" if answers.leaves is None else f" at node {answers.leaves[i]}"
    return f"{answers.labels[i]!r}{chances}{leaf}"


def different(wanted: Answers, found: Answers, close: float) -> NDArray[np.bool_]:
    """Return which rows have another answer: another label or node, or a probability further than `close`.

    >>> one = Answers(["a"], np.array([[1.0, 0.0]]), None, np.zeros(1, bool))
    >>> two = one._replace(chances=np.array([[0.9, 0.1]]))
    >>> different(one, one, 0.0).tolist(), different(one, two, 1e-12).tolist()
    ([False], [True])
    """
    if len(found.labels) != len(wanted.labels):
        raise ValueError(f"{len(found.labels)} answers came back for {len(wanted.labels)} rows.")
    other = np.asarray(wanted.refused != found.refused)
    both = ~wanted.refused & ~found.refused
    for i in np.flatnonzero(both).tolist():
        other[i] |= not _same(wanted.labels[i], found.labels[i], close)
    if wanted.leaves is not None and found.leaves is not None:
        other |= both & (wanted.leaves != found.leaves)
    if wanted.chances is not None and found.chances is not None:
        gap = np.abs(wanted.chances - found.chances)
        other |= both & ~(gap <= close).all(axis=1)
    return other


def _same(a: Any, b: Any, close: float) -> bool:
    if not isinstance(a, float):
        return bool(a == b or str(a) == b)
    return bool(a == b or abs(a - b) <= close * max(1.0, abs(a)) or (a != a and b != b))
