"""A Tree's arrays read back as tests: the only file here that knows how a Tree is laid out."""

from __future__ import annotations

from typing import Any

from .missing import Test
from .surrogate import Surrogate

LEAF, CUT, VALUES, SUM = 0, 1, 2, 3


def children(tree: Any, node: int) -> list[int]:
    """Return the children of a node, by hopping from one subtree's end to the next."""
    found, child = [], node + 1
    while child < int(tree.end[node]):
        found.append(child)
        child = int(tree.end[child])
    return found


def test_at(tree: Any, node: int) -> Test | None:
    """Return the test of a node, None in a leaf."""
    kind, n_branches = int(tree.kind[node]), len(children(tree, node))
    if kind == LEAF:
        return None
    column, missing = int(tree.column[node]), int(tree.missing[node])
    if kind == CUT:
        return Test(column, n_branches, cut=float(tree.cut[node]), missing=missing)
    if kind == SUM:
        span = slice(int(tree.term_start[node]), int(tree.term_start[node + 1]))
        fields = (getattr(tree, f"term_{name}")[span].tolist() for name in ("column", "weight", "form", "at"))
        terms = tuple(zip(*fields, strict=True))
        return Test(column, n_branches, cut=float(tree.cut[node]), missing=missing, terms=terms)
    span = slice(int(tree.code_start[node]), int(tree.code_start[node + 1]))
    return Test(column, n_branches, codes=pairs(tree.code[span], tree.code_branch[span]), missing=missing)


test_at.__test__ = False  # type: ignore[attr-defined]


def surrogates_at(tree: Any, node: int) -> list[Surrogate]:
    """Return the surrogates of a node, best first."""
    found = []
    for place in range(int(tree.surrogate_start[node]), int(tree.surrogate_start[node + 1])):
        column = int(tree.surrogate_column[place])
        if int(tree.surrogate_kind[place]) == CUT:
            test = Test(column, 2, cut=float(tree.surrogate_cut[place]))
        else:
            span = slice(int(tree.surrogate_code_start[place]), int(tree.surrogate_code_start[place + 1]))
            test = Test(column, 2, codes=pairs(tree.surrogate_code[span], tree.surrogate_code_branch[span]))
        agreement, adjusted = float(tree.surrogate_agreement[place]), float(tree.surrogate_adjusted[place])
        found.append(Surrogate(test, bool(tree.surrogate_flip[place]), agreement, adjusted))
    return found


def pairs(codes: Any, branches: Any) -> tuple[tuple[int, int], ...]:
    """Return (code, branch) pairs as plain numbers."""
    return tuple((int(code), int(branch)) for code, branch in zip(codes, branches, strict=True))
