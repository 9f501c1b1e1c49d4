"""Weighted sums of columns: what a test on several columns asks, and what a model in a node answers with.

Terms of node i are `start[i] : start[i+1]`, each a column and a weight (a model for classes has a weight for
every class but the first). A value is a number, the rank of an ordinal column, or 0 and 1 of a boolean one.
In a test a term may also be a condition, which counts 1 where it holds and 0 elsewhere: `city = Rome`,
`age <= 30`, `age > 30`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.table.schema import Column, Kind, Schema
from treewright.tree.fields import EXTRAS

# The forms of a term: the value itself, or a condition on it.
VALUE, IS, AT_MOST, ABOVE = 0, 1, 2, 3


class Term(NamedTuple):
    """What is added up: the value of a column, or 1 where a condition holds; terms ascend inside a sum.

    >>> Term(0) < Term(0, AT_MOST, 2.5) < Term(1, IS, 0)
    True
    """

    column: int
    form: int = VALUE
    at: float = 0.0  # the category or number of a condition

    def of(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the term is for the values of its column; NaN stays NaN.

        >>> Term(0, ABOVE, 2.0).of(np.array([1.0, 2.0, 3.0, np.nan]))
        array([ 0.,  0.,  1., nan])
        """
        if self.form == VALUE:
            return values
        holds = {IS: values == self.at, AT_MOST: values <= self.at, ABOVE: values > self.at}[self.form]
        return np.where(np.isnan(values), np.nan, holds.astype(np.float64))

    def of_one(self, value: float) -> float:
        """Return what the term is for one known value of its column.

        >>> Term(0).of_one(7.0), Term(0, AT_MOST, 2.0).of_one(7.0), Term(0, IS, 1).of_one(1)
        (7.0, 0.0, 1.0)
        """
        if self.form == VALUE:
            return float(value)
        holds = {IS: value == self.at, AT_MOST: value <= self.at, ABOVE: value > self.at}[self.form]
        return float(holds)


def terms_at(tree: Any, node: int) -> list[tuple[Term, float]]:
    """Return the terms of a test on several columns, each with its weight; none of another node.

    >>> from treewright.tree.example import tennis
    >>> terms_at(tennis(), 0)
    []
    """
    span = slice(int(tree.term_start[node]), int(tree.term_start[node + 1]))
    rows = (getattr(tree, f"term_{name}")[span].tolist() for name in ("column", "form", "at", "weight"))
    return [(Term(column, form, at), weight) for column, form, at, weight in zip(*rows, strict=True)]


def model_width(target: Column) -> int:
    """Return how many sums a model is: 1 for numbers, one for each class but the first.

    >>> model_width(Column("y", Kind.nominal, ("a", "b", "c")))
    2
    """
    return 1 if target.is_numeric else len(target.categories) - 1


def empty(name: str, n_nodes: int, target: Column) -> NDArray[Any]:
    """Return the array of a tree that has no sums and no models.

    >>> empty("term_start", 2, Column("y", Kind.numeric)).tolist()
    [0, 0, 0]
    """
    field = EXTRAS[name]
    shape = (n_nodes + 1,) if field.length == "n+1" else (0, model_width(target)) if field.is_wide else (0,)
    return np.zeros(shape, field.dtype)


def is_ordered(column: Column) -> bool:
    """Return whether the values of a column may be added up: they are numbers, ranks, or 0 and 1.

    >>> is_ordered(Column("x", Kind.numeric)), is_ordered(Column("c", Kind.nominal, ("a", "b")))
    (True, False)
    """
    return column.kind != Kind.nominal


def values_of(column: Column, cells: NDArray[Any]) -> NDArray[np.float64]:
    """Return the values of a column as they stand in a sum; NaN for a gap or a category never seen.

    >>> values_of(Column("size", Kind.ordinal, ("S", "M", "L")), np.array([2, 0, -1]))
    array([ 2.,  0., nan])
    """
    found = np.asarray(cells, dtype=np.float64)
    if column.is_numeric:
        return found
    return np.where(found < 0, np.nan, found)


def sums_of(terms: list[tuple[NDArray[np.float64], float]]) -> NDArray[np.float64]:
    """Return w1 x1 + w2 x2 + ..., added up in this order, as the core adds.

    >>> sums_of([(np.array([1.0, 2.0]), 2.0), (np.array([1.0, 0.0]), -1.0)])
    array([1., 4.])
    """
    total = np.zeros_like(terms[0][0])
    with np.errstate(over="ignore", invalid="ignore"):
        for values, weight in terms:
            total = total + weight * values
    return total


def words(names: list[str], weights: list[float], digits: int | None = None) -> str:
    """Return a sum as people write it.

    >>> words(["height", "weight", "age"], [0.52, -1.3, 1.0])
    '0.52 height - 1.3 weight + age'
    """
    parts: list[str] = []
    for name, weight in zip(names, weights, strict=True):
        amount = _amount(abs(weight), digits)
        term = name if amount == "1" else f"{amount} {name}"
        sign = "-" if weight < 0 else "+"
        parts.append((f"-{term}" if weight < 0 else term) if not parts else f"{sign} {term}")
    return " ".join(parts)


def _amount(size: float, digits: int | None) -> str:
    found = repr(size) if digits is None else f"{size:.{digits}g}"
    return found.removesuffix(".0")


# ---- what must hold ------------------------------------------------------------------------------------


def trouble(tree: Any, kind_of_sum: int) -> tuple[str, str] | None:
    """Return the field at fault and what is wrong with it, or None: of arrays that have the right shapes."""
    return (
        _slices("term_start", tree.term_start, tree.term_column)
        or _slices("model_start", tree.model_start, tree.model_column)
        or _terms(tree, kind_of_sum)
        or _models(tree)
    )


def trouble_of_sums(tree: Any, kind_of_sum: int) -> tuple[str, str] | None:
    """Return the same of tests on several columns alone: a tree of a forest has no models."""
    return _slices("term_start", tree.term_start, tree.term_column) or _terms(tree, kind_of_sum)


def _slices(field: str, start: Any, owned: Any) -> tuple[str, str] | None:
    if start[0] != 0 or start[-1] != len(owned) or (np.diff(start) < 0).any():
        return field, f"must ascend from 0 to {len(owned)}."
    return None


def _terms(tree: Any, kind_of_sum: int) -> tuple[str, str] | None:
    sizes, is_sum = np.diff(tree.term_start), tree.kind == kind_of_sum
    if ((sizes > 0) != is_sum).any():
        return "term_start", "must give terms to tests on several columns and to no other node."
    if (is_sum & (sizes < 2)).any():
        return "term_start", "has a sum of a single column; that is a cut."
    if not np.isfinite(tree.cut[is_sum]).all():
        return "cut", "must be finite in tests on several columns."
    wrong = _places(tree.schema, tree.term_column, "term_column") or _forms(tree, sizes)
    if wrong:
        return wrong
    if (tree.column[is_sum] != tree.term_column[tree.term_start[:-1][is_sum]]).any():
        return "column", "must be the first column of a sum."
    weight = tree.term_weight
    return None if (np.isfinite(weight) & (weight != 0)).all() else ("term_weight", "holds 0 or no number.")


def _forms(tree: Any, sizes: Any) -> tuple[str, str] | None:
    """Return what is wrong with terms as values or conditions, and with their order."""
    column, form, at = tree.term_column, tree.term_form, tree.term_at
    if (form > ABOVE).any():
        return "term_form", "must be 0 (the value), 1 (a category), 2 (at most) or 3 (above)."
    if not np.isfinite(at).all() or (at[form == VALUE] != 0).any():
        return "term_at", "must be finite, and 0 for the value itself."
    ordered = np.array([is_ordered(c) for c in tree.schema.columns])
    if not (ordered[column] | (form == IS)).all():
        return "term_column", "adds up a nominal column, which has no numbers."
    known = np.array([len(c.categories) for c in tree.schema.columns])[column]
    if ((form == IS) & ((at < 0) | (at >= known) | (at != np.floor(at)))).any():
        return "term_at", "names categories that do not exist."
    owner = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((at, form, column, owner))
    same = (np.diff(owner) == 0) & (np.diff(column) == 0) & (np.diff(form) == 0) & (np.diff(at) == 0)
    if same.any() or (order != np.arange(len(order))).any():
        return "term_column", "must ascend inside a node."
    return None


def _models(tree: Any) -> tuple[str, str] | None:
    n_models = len(tree.model_bias)
    if n_models not in (0, len(tree.end)):
        return "model_bias", f"must have a row for each of the {len(tree.end)} nodes, or none at all."
    if not n_models and len(tree.model_column):
        return "model_column", "has columns of models, but there is no model."
    wrong = _columns(tree.schema, tree.model_column, np.diff(tree.model_start), "model_column")
    if wrong:
        return wrong
    is_silent = np.isnan(tree.model_gap)
    if np.isinf(tree.model_gap).any() or (is_silent.any(axis=1) & ~is_silent.all(axis=1)).any():
        return "model_gap", "must hold numbers for all sums of a term, or for none."
    for field in ("model_weight", "model_bias", "model_loss"):
        if not np.isfinite(getattr(tree, field)).all():
            return field, "holds values that are not finite."
    return ("model_loss", "holds negative losses.") if (tree.model_loss < 0).any() else None


def _places(schema: Schema, column: Any, field: str) -> tuple[str, str] | None:
    is_odd = ((column < 0) | (column >= len(schema.columns))).any()
    return (field, "names columns that do not exist.") if is_odd else None


def _columns(schema: Schema, column: Any, sizes: Any, field: str) -> tuple[str, str] | None:
    if wrong := _places(schema, column, field):
        return wrong
    ordered = np.array([is_ordered(c) for c in schema.columns] + [True])
    if not ordered[column].all():
        return field, "adds up a nominal column, which has no numbers."
    owner = np.repeat(np.arange(len(sizes)), sizes)
    if ((np.diff(column) <= 0) & (np.diff(owner) == 0)).any():
        return field, "must ascend inside a node."
    return None
