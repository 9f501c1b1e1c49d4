"""Noise on purpose: wrong labels, wrong values and gaps at a rate, drawn by (seed, column, row)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.draws import CORRUPTED, REPLACED, item_named, row_shares
from treewright.evaluate.named import one_of
from treewright.evaluate.parts import check_table
from treewright.growth.checks import gaps_in
from treewright.table import Column, Table

LABELS = ("other", "drawn")


def corrupt(
    table: Table,
    target: str | None = None,
    *,
    label_noise: float = 0.0,
    attribute_noise: float = 0.0,
    missing: float = 0.0,
    labels: str = "other",
    columns: Iterable[str] | str | None = None,
    seed: int = 0,
) -> Table:
    """Return the table with noise in it; a cell is hit or not by (seed, kind of noise, column name, row).

    So the same seed gives the same noise, and a higher rate only adds cells: those hit at a lower rate are
    hit in the same way. Gaps stay gaps.

    Args:
        table: the table, which stays as it is.
        target: the column of the labels; needed for `label_noise`, and never hit by the other two.
        label_noise: the share of labels that are hit.
        attribute_noise: the share of cells of `columns` that take the value of a row drawn from the known
            ones of their column; it may be the same value.
        missing: the share of cells of `columns` that become gaps.
        labels: what a hit label becomes: "other", another class (declared ones, all as likely), or "drawn",
            the label of a row drawn from the table, which may be the same, and also works for numbers.
        columns: where attribute noise and gaps go; by default everywhere but the target.
        seed: of the draws.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> noisy = corrupt(table, "PlayTennis", label_noise=0.2, seed=1)
    >>> int((noisy.labels("PlayTennis") != table.labels("PlayTennis")).sum())
    2
    """
    check_table(table, "corrupt")
    rates = {"label_noise": label_noise, "attribute_noise": attribute_noise, "missing": missing}
    for name, rate in rates.items():
        if isinstance(rate, bool) or not isinstance(rate, (int, float, np.number)) or not 0 <= rate <= 1:
            raise ValueError(f"{name}={rate!r} must be a share from 0 to 1.")
    one_of("labels", labels, dict.fromkeys(LABELS))
    if label_noise > 0 and target is None:
        raise ValueError(
            "label_noise needs the target: corrupt(table, 'name of the column', label_noise=...)."
        )
    hit = _columns(table, target, columns)
    values = []
    for column, cells in zip(table.schema.columns, table.values, strict=True):
        if column.name == target and label_noise > 0:
            cells = _with_label_noise(column, cells, float(label_noise), labels, seed)
        if column.name in hit and attribute_noise > 0:
            cells = _with_drawn(column, cells, float(attribute_noise), "attribute", seed)
        if column.name in hit and missing > 0:
            gone = _is_hit(column, "missing", float(missing), seed, len(cells))
            cells = np.where(gone, np.nan, cells) if column.is_numeric else np.where(gone, -1, cells)
        values.append(np.asarray(cells, dtype=np.float64 if column.is_numeric else np.int32))
    return Table(table.schema, tuple(values))


def _columns(table: Table, target: str | None, columns: Iterable[str] | str | None) -> set[str]:
    """Return the names of the columns to hit; an error where one is unknown, or the target."""
    if target is not None:
        table.schema.index(target)
    if columns is None:
        return set(table.names) - {target}
    chosen = [columns] if isinstance(columns, str) else list(columns)
    for name in chosen:
        table.schema.index(name)
        if name == target:
            raise ValueError(f"columns names the target {target!r}; its noise is label_noise.")
    return set(chosen)


def _is_hit(column: Column, kind: str, rate: float, seed: int, n_rows: int) -> NDArray[np.bool_]:
    return np.asarray(row_shares(seed, CORRUPTED, item_named(kind, column.name), n_rows) < rate)


def _chosen(column: Column, kind: str, seed: int, n_rows: int, n_choices: int) -> NDArray[np.int64]:
    """Return for every row one of so many choices, all as likely; not of the rate's doing."""
    shares = row_shares(seed, REPLACED, item_named(kind, column.name), n_rows)
    return np.minimum((shares * n_choices).astype(np.int64), n_choices - 1)


def _with_label_noise(
    column: Column, cells: NDArray[Any], rate: float, labels: str, seed: int
) -> NDArray[Any]:
    if labels == "drawn":
        return _with_drawn(column, cells, rate, "label", seed)
    if column.is_numeric:
        raise ValueError(
            f"Column {column.name!r} is numeric: there is no other class to take. Use labels='drawn'."
        )
    k = len(column.categories)
    if k < 2:
        raise ValueError(f"Column {column.name!r} has only one class; there is no other to take.")
    hit = _is_hit(column, "label", rate, seed, len(cells)) & (cells >= 0)
    step = 1 + _chosen(
        column, "label", seed, len(cells), k - 1
    )  # around the list of classes, never all the way
    return np.where(hit, (cells + step) % k, cells)


def _with_drawn(column: Column, cells: NDArray[Any], rate: float, kind: str, seed: int) -> NDArray[Any]:
    """Return cells of which some are replaced by draws from the known ones, each row's as likely."""
    gaps = gaps_in(column, cells)
    known = np.sort(cells[~gaps])
    if not len(known):
        return cells
    hit = _is_hit(column, kind, rate, seed, len(cells)) & ~gaps
    return np.where(hit, known[_chosen(column, kind, seed, len(cells), len(known))], cells)
