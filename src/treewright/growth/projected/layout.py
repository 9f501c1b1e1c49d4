"""Nodes while they grow, and their arrays in the end: preorder, as the core lays trees out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.growth.projected.field import Sum
from treewright.growth.projected.judge import Ints, Judge
from treewright.tree.check import SUM
from treewright.tree.fields import BY_NODE

_OF_NODE = (
    "end",
    "n_rows",
    "label",
    "stats",
    "kind",
    "column",
)  # of the node; the rest is of its test
_TEST = {name: row for name, row in BY_NODE.items() if name not in _OF_NODE}
_SURROGATE = ("column", "cut", "kind", "flip", "agreement", "adjusted")
_LEDGER = ("column", "verdict", "score", "gain", "split_info", "charge", "cut", "p_value")


@dataclass
class Asked:
    """The test of a node, as the first node of a tree that the core grew on its rows."""

    arrays: dict[str, Any]
    n_columns: int  # of the table; a sum that was asked about stands behind them
    sum: Sum | None
    n_branches: int
    routed: Any = None

    @classmethod
    def of(cls, arrays: dict[str, Any], n_columns: int, found: Sum | None) -> Asked:
        """Return the test of the tree in `arrays`; its column may be the one after the table's: the sum."""
        chosen = found if int(arrays["column"][0]) == n_columns else None
        return cls(arrays, n_columns, chosen, len(arrays["end"]) - 1)

    @property
    def cut(self) -> float:
        """Where the column, or the sum, is cut."""
        return float(self.arrays["cut"][0])

    @property
    def gain(self) -> float:
        """What the test gains."""
        return float(self.arrays["gain"][0])


@dataclass
class Open:
    """A node: what it holds, its rows while they are needed, its test and branches once there are some."""

    stats: NDArray[np.float64]
    n_rows: int
    label: int
    rows: Ints
    units: Ints
    depth: int
    path: int
    asked: Asked | None = None
    judge: Judge | None = None  # while its test is looked for
    branches: list[Open] = field(default_factory=list)

    @classmethod
    def of(cls, arrays: dict[str, Any], place: int, rows: Ints, units: Ints, depth: int, path: int) -> Open:
        """Return the node at a place of a tree that the core grew."""
        stats = arrays["stats"].reshape(-1, arrays["n_stats"])[place].copy()
        return cls(stats, int(arrays["n_rows"][place]), int(arrays["label"][place]), rows, units, depth, path)

    @property
    def is_asking(self) -> bool:
        """True when the node has branches."""
        return bool(self.branches)


def arrays_of(root: Open, gaps: NDArray[np.uint8]) -> dict[str, Any]:
    """Return the arrays of the tree under a root."""
    nodes, end = _preorder(root)
    found: dict[str, Any] = {
        "end": np.array(end, dtype=np.int32),
        "n_rows": np.array([node.n_rows for node in nodes], dtype=np.int64),
        "label": np.array([node.label for node in nodes], dtype=np.int32),
        "stats": np.concatenate([node.stats for node in nodes]),
        "n_stats": len(root.stats),
        "gaps": gaps,
    }
    tests = [node.asked if node.is_asking else None for node in nodes]
    for name, row in _TEST.items():
        values = [row.leaf if test is None else test.arrays[name][0] for test in tests]
        found[name] = np.array(values, dtype=np.uint8 if row.dtype is np.bool_ else row.dtype)
    found["kind"] = np.array([_kind(test) for test in tests], dtype=np.uint8)
    found["column"] = np.array([_column(test) for test in tests], dtype=np.int32)
    return found | _codes(tests) | _terms(tests) | _surrogates(tests) | _ledger(nodes)


def _preorder(root: Open) -> tuple[list[Open], list[int]]:
    nodes: list[Open] = []
    end: list[int] = []
    stack: list[tuple[Open | None, int]] = [(root, -1)]
    while stack:
        node, place = stack.pop()
        if node is None:
            end[place] = len(nodes)
            continue
        place = len(nodes)
        nodes.append(node)
        end.append(0)
        stack.append((None, place))
        stack.extend((branch, -1) for branch in reversed(node.branches))
    return nodes, end


def _kind(test: Asked | None) -> int:
    return 0 if test is None else SUM if test.sum is not None else int(test.arrays["kind"][0])


def _column(test: Asked | None) -> int:
    return -1 if test is None else test.sum.terms[0].column if test.sum else int(test.arrays["column"][0])


def _joined(parts: list[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    return np.concatenate(parts).astype(dtype) if parts else np.zeros(0, dtype)


def _start(sizes: list[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _codes(tests: list[Asked | None]) -> dict[str, Any]:
    sizes = [0 if test is None else int(test.arrays["code_start"][1]) for test in tests]
    found: dict[str, Any] = {"code_start": _start(sizes)}
    for name in ("code", "code_branch"):
        pairs = zip(tests, sizes, strict=True)
        found[name] = _joined([test.arrays[name][:n] for test, n in pairs if test is not None], np.int32)
    return found


def _terms(tests: list[Asked | None]) -> dict[str, Any]:
    sums = [None if test is None else test.sum for test in tests]
    there = [s for s in sums if s is not None]
    terms = [term for s in there for term in s.terms]
    return {
        "term_start": _start([0 if s is None else len(s.terms) for s in sums]),
        "term_column": np.array([term.column for term in terms], dtype=np.int32),
        "term_form": np.array([term.form for term in terms], dtype=np.uint8),
        "term_at": np.array([term.at for term in terms], dtype=np.float64),
        "term_weight": np.array([weight for s in there for weight in s.weights], dtype=np.float64),
    }


def _surrogates(tests: list[Asked | None]) -> dict[str, Any]:
    kinds = {"column": np.int32, "kind": np.uint8, "flip": np.uint8}
    sizes = [0 if test is None else int(test.arrays["surrogate_start"][1]) for test in tests]
    there = [(test, n) for test, n in zip(tests, sizes, strict=True) if test is not None]
    found: dict[str, Any] = {"surrogate_start": _start(sizes)}
    for name in _SURROGATE:
        parts = [test.arrays[f"surrogate_{name}"][:n] for test, n in there]
        found[f"surrogate_{name}"] = _joined(parts, kinds.get(name, np.float64))
    code_sizes = [np.diff(test.arrays["surrogate_code_start"][: n + 1]) for test, n in there]
    found["surrogate_code_start"] = _start(_joined(code_sizes, np.int64).tolist())
    for name in ("surrogate_code", "surrogate_code_branch"):
        parts = [test.arrays[name][: int(test.arrays["surrogate_code_start"][n])] for test, n in there]
        found[name] = _joined(parts, np.int32)
    return found


def _ledger(nodes: list[Open]) -> dict[str, Any]:
    """Return the records of every node; that of a sum is left out, for it is no column of the table."""
    found: dict[str, list[Any]] = {f"ledger_{name}": [] for name in ("node", *_LEDGER)}
    for i, node in enumerate(nodes):
        if node.asked is None:
            continue
        arrays = node.asked.arrays
        keep = (arrays["ledger_node"] == 0) & (arrays["ledger_column"] < node.asked.n_columns)
        found["ledger_node"].append(np.full(int(keep.sum()), i, dtype=np.int32))
        for name in _LEDGER:
            found[f"ledger_{name}"].append(arrays[f"ledger_{name}"][keep])
    return {name: np.concatenate(parts) if parts else np.zeros(0) for name, parts in found.items()}
