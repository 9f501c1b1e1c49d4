"""How a table becomes a matrix: numbers as they are, categories as zeros and ones, each with its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import nearest
from treewright.table import UNSEEN, Column, Kind, Schema, Table, align, coded
from treewright.table.schema import no_such_column

Floats = NDArray[np.float64]
Words = Callable[[str, int], str]  # what stands in a column, by its name, and a row
LARGEST = 2**32  # bytes of a matrix that categories blow up


@dataclass(frozen=True)
class Coding:
    """The terms of a table's columns: how this table, and every later one, becomes a matrix.

    A numeric column is one term. A boolean is one term of 0 and 1, an ordinal column one term, its rank from
    0. A nominal column has a term of zeros and ones for each category that some row of training has; with a
    `reference` one of them is left out: its rows have zeros in all terms of the column, so that the terms and
    a bias do not say the same thing twice.

    >>> table = Table.from_dict({"Outlook": ["Rain", "Sunny", "Rain"], "degrees": [21.5, 30, 18]})
    >>> coding = Coding.of(table)
    >>> coding.terms
    ('Outlook=Rain', 'Outlook=Sunny', 'degrees')
    >>> coding.matrix(table)
    array([[ 1. ,  0. , 21.5],
           [ 0. ,  1. , 30. ],
           [ 1. ,  0. , 18. ]])
    >>> Coding.of(table, reference="first").terms
    ('Outlook=Sunny', 'degrees')
    """

    schema: Schema
    levels: tuple[tuple[str, ...], ...]  # by column: the categories that have a term; () if not nominal
    reference: tuple[str | None, ...]  # by column: the category whose rows have zeros only

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", tuple(tuple(levels) for levels in self.levels))
        object.__setattr__(self, "reference", tuple(self.reference))
        for column, levels, reference in self._parts():
            known = () if column.kind is not Kind.nominal else column.categories
            for level in (*levels, *([] if reference is None else [reference])):
                if level not in known:
                    raise ValueError(f"Column {column.name!r} has no category {level!r} to code.")
        if len(set(self.terms)) < len(self.terms):
            twice = next(term for term in self.terms if self.terms.count(term) > 1)
            raise ValueError(
                f"Two columns of the matrix would be named {twice!r}; rename one of the columns."
            )

    def _parts(self) -> Iterator[tuple[Column, tuple[str, ...], str | None]]:
        return zip(self.schema.columns, self.levels, self.reference, strict=True)

    @classmethod
    def of(cls, table: Table, reference: str | Mapping[str, str] | None = None) -> Coding:
        """Return the coding of a table's columns.

        `reference` is None (a term for every category), "first" (each nominal column leaves out its first
        category) or a mapping from column names to categories; columns not named leave out their first.

        >>> table = Table.from_dict({"Wind": ["Weak", "Strong", "Weak"]})
        >>> Coding.of(table, reference={"Wind": "Weak"}).terms
        ('Wind=Strong',)
        """
        return cls.of_columns(table.schema, table.values, reference)

    @classmethod
    def of_columns(
        cls,
        schema: Schema,
        values: Sequence[NDArray[Any]],
        reference: str | Mapping[str, str] | None = None,
    ) -> Coding:
        """Return the coding of columns given as a schema and one array each, as in `of`.

        >>> table = Table.from_dict({"Wind": ["Weak", "Strong", "Weak"]})
        >>> Coding.of_columns(table.schema, table.values) == Coding.of(table)
        True
        """
        wanted = _references(schema, reference)
        levels, left_out = [], []
        for column, array in zip(schema.columns, values, strict=True):
            met = _present_categories(column, array) if column.kind is Kind.nominal else ()
            leave = _left_out(column, met, wanted)
            levels.append(tuple(level for level in met if level != leave))
            left_out.append(leave)
        return cls(schema, tuple(levels), tuple(left_out))

    # ---- what it is -------------------------------------------------------------------------------

    @property
    def terms(self) -> tuple[str, ...]:
        """The names of the matrix's columns."""
        return tuple(term for column, levels, _ in self._parts() for term in _terms(column, levels))

    @property
    def origin(self) -> tuple[int, ...]:
        """For each term, the place of its column in the schema."""
        parts = enumerate(self._parts())
        return tuple(i for i, (column, levels, _) in parts for _ in _terms(column, levels))

    @property
    def groups(self) -> tuple[int | None, ...]:
        """For each term of zeros and ones, the place of its column; None for numbers and ranks."""
        of_ones = (Kind.nominal, Kind.boolean)
        return tuple(i if self.schema.columns[i].kind in of_ones else None for i in self.origin)

    @property
    def is_numeric(self) -> bool:
        """True where every column is numeric: the matrix is the columns side by side."""
        return all(column.is_numeric for column in self.schema.columns)

    # ---- coding -----------------------------------------------------------------------------------

    def matrix(self, table: Table) -> Floats:
        """Return the table's rows as a matrix; columns are found by name.

        A gap, an infinite number and a category that training did not have are refused, by name.

        >>> table = Table.from_dict({"Wind": ["Weak", "Strong"], "degrees": [21.5, 30]})
        >>> Coding.of(table, "first").matrix(Table.from_dict({"degrees": [5], "Wind": ["Weak"]}))
        array([[1., 5.]])
        """
        return self.matrix_of(
            align(table, self.schema.columns), lambda name, row: str(table.labels(name)[row])
        )

    def matrix_of(self, values: Sequence[NDArray[Any]], words: Words | None = None) -> Floats:
        """Return columns in the codes of the schema as a matrix; an error quotes `words(column, row)`.

        >>> table = Table.from_dict({"Wind": ["Weak", "Strong"]})
        >>> Coding.of(table).matrix_of(table.values)
        array([[0., 1.],
               [1., 0.]])
        """
        n_rows = len(values[0]) if len(values) else 0
        self._check_size(n_rows)
        found = np.zeros((n_rows, len(self.terms)))
        place = 0
        for (column, levels, reference), array in zip(
            self._parts(), coded(self.schema.columns, values), strict=True
        ):
            _check_cells(column, array, words)
            if column.kind is not Kind.nominal:
                found[:, place] = array
                place += 1
                continue
            term_of = _term_places(column, levels, reference)[array]
            if (term_of == UNSEEN).any():
                code = int(array[int(np.argmax(term_of == UNSEEN))])
                raise ValueError(_unseen(column, column.categories[code], (*levels, reference)))
            rows = np.flatnonzero(term_of >= 0)
            found[rows, place + term_of[rows]] = 1.0
            place += len(levels)
        return found

    def _check_size(self, n_rows: int) -> None:
        if n_rows * len(self.terms) * 8 <= LARGEST or self.is_numeric:
            return
        column, levels = max(
            zip(self.schema.columns, self.levels, strict=True), key=lambda pair: len(pair[1])
        )
        raise ValueError(
            f"Column {column.name!r} has {len(levels)} categories, each a column of the matrix: "
            f"{n_rows} rows x {len(self.terms)} columns are too many. Leave the column out or group its "
            "categories."
        )

    # ---- as plain values --------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the coding as plain JSON values.

        >>> table = Table.from_dict({"Wind": ["Weak", "Strong"]})
        >>> Coding.from_dict(Coding.of(table, "first").to_dict()).terms
        ('Wind=Weak',)
        """
        return {
            **self.schema.to_dict(),
            "levels": [list(levels) for levels in self.levels],
            "reference": list(self.reference),
        }

    @classmethod
    def from_dict(cls, plain: Any) -> Coding:
        """Return the coding that `to_dict` wrote; anything else is a ValueError.

        >>> Coding.from_dict({"columns": [], "levels": [], "reference": []}).terms
        ()
        """
        schema = Schema.from_dict(plain)
        levels, reference = plain.get("levels"), plain.get("reference")
        n = len(schema)
        if not all(isinstance(part, (list, tuple)) and len(part) == n for part in (levels, reference)):
            raise ValueError(
                f"A coding is stored with 'levels' and 'reference', one for each column; found {plain!r:.99}."
            )
        if not all(isinstance(part, (list, tuple)) for part in levels):
            raise ValueError("The 'levels' of a coding are a list of category names for each column.")
        return cls(schema, tuple(map(tuple, levels)), tuple(reference))


def _references(schema: Schema, given: Any) -> Mapping[str, str | None] | None:
    """Return the category to leave out by column (None: its first), or None where none is left out."""
    if given is None:
        return None
    nominal = {column.name: column for column in schema.columns if column.kind is Kind.nominal}
    if isinstance(given, str) and given == "first":
        return dict.fromkeys(nominal)
    if not isinstance(given, Mapping):
        raise ValueError(
            f"reference={given!r} must be None, 'first' or a mapping such as {{'Outlook': 'Sunny'}}."
        )
    for name in given:
        if name not in schema:
            raise ValueError(f"reference: {no_such_column(name, schema.names)}")
        if name not in nominal:
            raise ValueError(f"reference: column {name!r} is {schema[name].kind}, it has no terms to omit.")
    return {**dict.fromkeys(nominal), **given}


def _left_out(column: Column, met: tuple[str, ...], wanted: Mapping[str, str | None] | None) -> str | None:
    if wanted is None or column.kind is not Kind.nominal or not met:
        return None
    level = wanted[column.name]
    if level is None:
        return met[0]
    if level not in met:
        near = nearest(level, met)
        hint = f"did you mean {near!r}?" if near else f"it has {', '.join(map(repr, met[:8]))}."
        raise ValueError(f"reference: no row has the category {level!r} in column {column.name!r}; {hint}")
    return level


def _present_categories(column: Column, codes: NDArray[Any]) -> tuple[str, ...]:
    """Return the categories that at least one row has, in declared order."""
    counts = np.bincount(codes[codes >= 0], minlength=len(column.categories))
    return tuple(c for c, n in zip(column.categories, counts.tolist(), strict=True) if n)


def _terms(column: Column, levels: tuple[str, ...]) -> tuple[str, ...]:
    if column.kind is not Kind.nominal:
        return (column.name,)
    return tuple(f"{column.name}={level}" for level in levels)


def _term_places(column: Column, levels: tuple[str, ...], reference: str | None) -> NDArray[np.intp]:
    """Return for each code the place of its term: -1 for the reference, -2 for what training did not have."""
    places = {level: i for i, level in enumerate(levels)}
    if reference is not None:
        places[reference] = -1
    return np.array([places.get(category, UNSEEN) for category in column.categories], dtype=np.intp)


def _check_cells(column: Column, array: NDArray[Any], words: Words | None) -> None:
    """Refuse what is no number: gaps, infinities, categories that the schema does not know."""
    is_float = array.dtype.kind == "f"
    gaps = int(np.count_nonzero(np.isnan(array) if is_float else array == -1))
    if gaps:
        raise ValueError(
            f"Column {column.name!r} is missing (NaN) in {gaps} of {len(array)} rows; a linear model needs "
            "every cell. Leave out these rows or the column, fill the gaps first (sklearn.impute."
            "SimpleImputer), or use a tree, which takes gaps."
        )
    if is_float and not np.isfinite(array).all():
        row = int(np.argmax(~np.isfinite(array)))
        raise ValueError(
            f"Column {column.name!r} holds {array[row]} (row {row}); a linear model needs finite numbers: "
            "no infinity."
        )
    if not is_float and (array == UNSEEN).any():
        row = int(np.argmax(array == UNSEEN))
        word = None if words is None else words(column.name, row)
        raise ValueError(_unseen(column, word, column.categories))


def _unseen(column: Column, category: str | None, known: Sequence[str | None]) -> str:
    named = "a category" if category is None else f"the category {category!r}"
    words = [word for word in known if word is not None]
    near = None if category is None else nearest(category, words)
    hint = f" (did you mean {near!r}?)" if near else ""
    shown = ", ".join(map(repr, words[:8])) + (" ..." if len(words) > 8 else "")
    return (
        f"Column {column.name!r} holds {named} that no row of training had{hint}; it has no weight. "
        f"Known are {shown}. Leave such rows out or give them a known category."
    )
