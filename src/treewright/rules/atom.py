"""Single tests, as a path of a tree has them: what C4.5rules takes away one by one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.rules.condition import Condition
from treewright.rules.several import Pairs, SumCondition, Sums, terms_of
from treewright.table import Column, Kind, Schema
from treewright.tree import Tree
from treewright.tree.check import CUT, SUM

Mask = NDArray[np.bool_]


class Atom(NamedTuple):
    """One answer to one test: x <= cut, x > cut, a category out of some, or "is missing".

    >>> from treewright.table import Kind
    >>> schema = Schema((Column("humidity", Kind.numeric),))
    >>> conditions_of([Atom(0, ">", 60.0), Atom(0, "<=", 75.0), Atom(0, "<=", 90.0)], schema)[0].to_text()
    '60 < humidity <= 75'
    """

    column: int
    sign: str  # "<=", ">", "in" or "missing"
    cut: float = 0.0  # of numbers; of ranks for an ordinal column
    codes: tuple[int, ...] = ()

    def fails(self, values: NDArray[Any], is_numeric: bool) -> Mask:
        """Return the rows that do not satisfy it; a gap satisfies nothing but "is missing"."""
        is_gap = np.isnan(values) if is_numeric else values < 0
        if self.sign == "missing":
            return ~is_gap if is_numeric else values != -1
        if self.sign == "in":
            known = np.zeros(max(self.codes, default=-1) + 1 + 1, dtype=bool)  # the last for all others
            known[list(self.codes)] = True
            return ~known[np.where((values < 0) | (values >= len(known)), len(known) - 1, values)]
        with np.errstate(invalid="ignore"):
            return np.asarray(is_gap | ((values > self.cut) == (self.sign == "<=")))


class Leaf(NamedTuple):
    """A leaf of a tree with the tests on its way and, per test, the rows that fail it."""

    node: int
    atoms: list[Atom]
    fails: list[Mask]


def leaves(tree: Tree, columns: Sequence[NDArray[Any]], sums: Sums) -> Iterator[Leaf]:
    """Yield the leaves in order, with their paths; every test of the tree is put to the rows once.

    `columns` are those of the table and behind them the sums of the tree.
    """
    atoms: list[Atom] = []
    fails: list[Mask] = []
    parents, branches, depths = tree.parents.tolist(), tree.branches.tolist(), tree.depths.tolist()
    for node in range(tree.n_nodes):
        del atoms[max(depths[node] - 1, 0) :], fails[max(depths[node] - 1, 0) :]
        if node:
            atom = _atom(tree, parents[node], branches[node], sums)
            atoms.append(atom)
            fails.append(atom.fails(columns[atom.column], sums.columns[atom.column].is_numeric))
        if tree.end[node] == node + 1:
            yield Leaf(node, list(atoms), list(fails))


def _atom(tree: Tree, node: int, branch: int, sums: Sums) -> Atom:
    column = sums.of_node.get(node, int(tree.column[node]))
    if tree.kind[node] in (CUT, SUM):
        about = sums.columns[column]
        last = math.inf if about.is_numeric else len(about.categories) - 1
        if branch > 1 or (branch == 1 and tree.missing[node] == 1 and tree.cut[node] >= last):
            return Atom(column, "missing")
        return Atom(column, "<=" if branch == 0 else ">", float(tree.cut[node]))
    span = slice(int(tree.code_start[node]), int(tree.code_start[node + 1]))
    mine = tree.code[span][tree.code_branch[span] == branch]
    return Atom(column, "in", codes=tuple(mine.tolist())) if len(mine) else Atom(column, "missing")


def conditions_of(
    atoms: Iterable[Atom], schema: Schema, sums: Sequence[Pairs] = ()
) -> tuple[Condition | SumCondition, ...]:
    """Return tests as conditions, one for each column, in the order in which columns are first asked.

    Columns behind those of the schema are `sums`.
    """
    by_column: dict[int, list[Atom]] = {}
    for atom in atoms:
        by_column.setdefault(atom.column, []).append(atom)
    n = len(schema.columns)
    return tuple(
        _merged(schema.columns[column], mine) if column < n else _merged_sum(sums[column - n], mine, schema)
        for column, mine in by_column.items()
    )


def _merged_sum(pairs: Pairs, atoms: list[Atom], schema: Schema) -> SumCondition:
    as_number = _merged(Column("sum", Kind.numeric), atoms)
    return SumCondition(terms_of(pairs, schema), as_number.low, as_number.high, as_number.missing)


def _merged(column: Column, atoms: list[Atom]) -> Condition:
    is_missing = all(atom.sign == "missing" for atom in atoms)
    none_known = any(atom.sign == "missing" for atom in atoms)
    if column.is_numeric:
        lows = [atom.cut for atom in atoms if atom.sign == ">"] + [math.inf] * none_known
        highs = [atom.cut for atom in atoms if atom.sign == "<="]
        low, high = max(lows, default=None), min(highs, default=None)
        return Condition(column.name, low, high, missing=float(is_missing))
    codes = np.arange(len(column.categories), dtype=np.int32)
    passes = np.full(len(codes), not none_known)
    for atom in atoms:
        passes &= ~atom.fails(codes, is_numeric=False)
    names = tuple(column.categories[code] for code in np.flatnonzero(passes).tolist())
    return Condition(column.name, categories=names, missing=float(is_missing))
