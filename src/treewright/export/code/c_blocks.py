"""Tables of forests as C reads them quickest: one number for each entry, and several rows walked at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treewright.export.code.flow import FLAGS, JUMPS, LEAF, UNKNOWN
from treewright.export.code.program import Field, Table

PARTS = ("TEST", "ARG", "NO")  # what an entry is made of
_STACK = 65_536  # bytes that rows and their sums take there
_FLAG_BITS = 3  # of a test: set, gaps take NO, new categories take NO


class Packing(NamedTuple):
    """How an entry becomes one number: from the lowest bits the column, its flags, ARG and NO.

    The column of a leaf is one behind the last: in it every row has a number that is above all others, so
    that a leaf leads on to itself.
    """

    n_columns: int
    column: int  # bits
    arg: int
    no: int
    least_arg: int
    most_codes: int  # ranks and places of categories are less

    @property
    def has_small_cells(self) -> bool:
        """Whether the ranks and codes of a row are numbers of 16 bits."""
        return self.most_codes < 2**15

    @property
    def kind(self) -> str:
        """The type of the number."""
        return "uint32_t" if self.column + _FLAG_BITS + self.arg + self.no <= 32 else "uint64_t"

    def entry(self, test: int, arg: int, no: int) -> int:
        """Return the number of an entry."""
        column, flags = (self.n_columns, 0) if test == LEAF else divmod(test, FLAGS)
        rest = (no << self.arg) + (arg - self.least_arg)
        return (((rest << _FLAG_BITS) + flags) << self.column) + column


def packing_of(tables: Sequence[Table], fields: Sequence[Field]) -> Packing | None:
    """Return how entries are packed; None where some are more than leaves and tests with two known ways.

    >>> tables = [Table("TEST", "whole", (17, -1, -1), ""), Table("ARG", "whole", (5, 0, 1), ""),
    ...           Table("NO", "whole", (2, 0, 0), "")]
    >>> from treewright.export.code.naming import fields_of
    >>> from treewright.table import Column, Kind
    >>> fields = fields_of([Column("x", Kind.numeric), Column("y", Kind.numeric)], [0, 1])
    >>> packing = packing_of(tables, fields)
    >>> packing.kind, packing.entry(17, 5, 2), packing.entry(-1, 1, 0), packing_of(tables[:2], fields)
    ('uint32_t', 677, 34, None)
    """
    values = {table.name: table.values for table in tables}
    if not all(values.get(part) for part in PARTS) or UNKNOWN in values.get("SIDES", ()):
        return None
    if any(test != LEAF and (test < 0 or test & JUMPS) for test in values["TEST"]):
        return None
    least, n_columns = min(values["ARG"]), len(fields)
    sizes = [len(values.get("CUTS", ())), *(len(field.column.categories) for field in fields)]
    bits = [n_columns, max(values["ARG"]) - least, max(values["NO"])]
    column, arg, no = (max(1, most.bit_length()) for most in bits)
    found = Packing(n_columns, column, arg, no, least, max(sizes) + 1)
    return found if found.column + _FLAG_BITS + found.arg + found.no <= 64 else None


def rows_at_once(n_bytes: int) -> int:
    """Return how many rows of so many bytes are answered at once: about 64 KiB on the stack.

    >>> rows_at_once(50), rows_at_once(600), rows_at_once(100_000)
    (1024, 109, 16)
    """
    return max(16, min(1024, _STACK // n_bytes))


def entries(packing: Packing, tables: Sequence[Table]) -> list[str]:
    """Return the entries as words of C."""
    values = {table.name: table.values for table in tables}
    rows = zip(*(values[part] for part in PARTS), strict=True)
    return [hex(packing.entry(*row)) for row in rows]


def functions(packing: Packing, upper: str, module: str, has_sets: bool) -> list[str]:
    """Return the functions that read entries, and the one that walks many rows down one tree."""
    places = {
        "KNOWN": _KNOWN if has_sets else "int known = value > arg;",
        "COLUMN": f"{hex(2**packing.column - 1)}",
        "FLAGS": f"{packing.column}",
        "ARG": f"{packing.column + _FLAG_BITS} & {hex(2**packing.arg - 1)}",
        "NO": f"{packing.column + _FLAG_BITS + packing.arg}",
        "LEAF": f"{packing.n_columns}",
        "LEAST": f" - {-packing.least_arg}" if packing.least_arg else "",
        "CELLS": f"{packing.n_columns + 1}",
        "KIND": packing.kind,
        "X": "int16_t" if packing.has_small_cells else "int",
    }
    text = _FUNCTIONS
    for name, words in places.items():
        text = text.replace(f"@{name}@", words)
    return text.replace("@U@", upper).replace("@M@", module).strip("\n").split("\n")


_KNOWN = """int is_set = -(int)(entry >> @FLAGS@ & 1);
    int side = @U@_SIDES[(arg + value) & is_set], above = value > arg;
    int known = above ^ ((above ^ side) & is_set);"""

_FUNCTIONS = """
static inline int @U@_COLUMN(@KIND@ entry) { return (int)(entry & @COLUMN@); }
static inline int @U@_ARG(int at) { return (int)(@U@_ENTRIES[at] >> @ARG@)@LEAST@; }
static inline int @U@_NO(int at) { return (int)(@U@_ENTRIES[at] >> @NO@); }
static inline int @U@_TEST(int at) {
    @KIND@ entry = @U@_ENTRIES[at];
    return @U@_COLUMN(entry) == @LEAF@ ? -1 : 16 * @U@_COLUMN(entry) + (int)(entry >> @FLAGS@ & 7);
}

// The next entry of a row whose cells are all known; a leaf leads to itself. Nothing here is a branch.
static inline int @M@_next(int at, const @X@ *x) {
    @KIND@ entry = @U@_ENTRIES[at];
    int value = x[@U@_COLUMN(entry)], arg = (int)(entry >> @ARG@)@LEAST@;
    @KNOWN@
    return at + 1 + (((int)(entry >> @NO@) - 1) & -known);
}

static inline int @M@_is_leaf(int at) { return @U@_COLUMN(@U@_ENTRIES[at]) == @LEAF@; }

// Walk rows down one tree, some at a time: while one waits for memory, the others go on. A row that has
// arrived makes room for the next one.
static inline void @M@_walk_together(int root, const @X@ (*x)[@CELLS@], const int16_t *rows, int n,
                                     int *places) {
    enum { LANES = 8, STEPS = 4 };
    int next = 0;
    if (n >= LANES) {
        int at[LANES], row[LANES], is_full = 1;
        for (int j = 0; j < LANES; j++) {
            row[j] = rows[next++];
            at[j] = root;
        }
        while (is_full) {
            for (int step = 0; step < STEPS; step++)
                for (int j = 0; j < LANES; j++) at[j] = @M@_next(at[j], x[row[j]]);
            for (int j = 0; j < LANES && is_full; j++) {
                if (!@M@_is_leaf(at[j])) continue;
                places[row[j]] = @U@_ARG(at[j]);
                is_full = next < n;
                if (is_full) {
                    row[j] = rows[next++];
                    at[j] = root;
                }
            }
        }
        for (int j = 0; j < LANES; j++) {
            while (!@M@_is_leaf(at[j])) at[j] = @M@_next(at[j], x[row[j]]);
            places[row[j]] = @U@_ARG(at[j]);
        }
    }
    for (; next < n; next++) {
        int here = root;
        while (!@M@_is_leaf(here)) here = @M@_next(here, x[rows[next]]);
        places[rows[next]] = @U@_ARG(here);
    }
}
"""
