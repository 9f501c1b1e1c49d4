"""Greedy growth the slow way: try everything, take the best, send the rows on. Trees are nested dicts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .c45 import c45_test, has_collapsed
from .criteria import majority
from .filters import is_pure_enough, paying
from .missing import UNKNOWN, Test, fills
from .monotone import with_bounds
from .node import Pieces, Study, all_pieces, is_pure, size_of, stats_of, variance_of
from .plain import is_numeric, kind_of
from .route import known_weights, send
from .settings import Settings
from .splits import Scored, score, scored_tests
from .surrogate import surrogates

Node = dict[str, Any]
TOLERANCE = 1e-9


def grow(
    table: Any, y: NDArray[Any], settings: Settings, n_classes: int = 0, weights: NDArray[Any] | None = None
) -> Node:
    """Return the tree as nested dicts; `n_classes` 0 means a numeric target."""
    study = Study(table, y, n_classes, settings)
    root = all_pieces(study, weights)
    study = replace(study, total_weight=root.weight, root_variance=variance_of(study, root))
    if settings.recipe == "id3" and any(is_numeric(column) for column in study.columns):
        raise ValueError("ID3 branches on categories; the table has numeric columns.")
    return grow_node(study, root, root, 0, label=0, mean=float("nan"))


def grow_node(study: Study, pieces: Pieces, root: Pieces, depth: int, label: int, mean: float) -> Node:
    """Return the subtree of these pieces; `label` and `mean` are the parent's, for a node without rows."""
    stats = stats_of(study, pieces)
    if len(pieces.rows) == 0:
        stats = stats if study.n_classes else np.array([0.0, mean, 0.0])
        return {"stats": stats, "label": label, "n_rows": 0, "test": None, "children": []}
    label = majority(np.round(stats, 9)) if study.n_classes else 0
    leaf: Node = {"stats": stats, "label": label, "n_rows": len(pieces.rows), "test": None, "children": []}
    if stop_reason(study, pieces, depth):
        return leaf
    best = choose(study, pieces, root)
    if best is None:
        return leaf
    test = settled(study, pieces, root, best)
    stand_ins = surrogates(study, pieces, root, test) if study.settings.missing == "surrogate" else []
    used = pieces.used | ({test.column} if used_up(study, test) else frozenset())
    parts = with_bounds(study, pieces, test, send(study, pieces, root, test, stand_ins))
    children = [
        grow_node(study, replace(part, used=used), root, depth + 1, label, float(stats[1])) for part in parts
    ]
    node = {**leaf, "test": test, "scored": best, "surrogates": stand_ins, "children": children}
    return leaf if study.settings.recipe == "c4.5" and has_collapsed(node) else node


def stop_reason(study: Study, pieces: Pieces, depth: int) -> str:
    """Return why a node is a leaf before any test is tried, or nothing."""
    settings = study.settings
    if is_pure(study, pieces):
        return "pure"
    if settings.max_depth is not None and depth >= settings.max_depth:
        return "depth"
    least = max(settings.min_split, 2 * settings.min_branch if settings.recipe == "c4.5" else 0.0)
    if size_of(study, pieces) < least:
        return "size"
    stats = stats_of(study, pieces)
    share = settings.majority_share
    if study.n_classes and share is not None and stats.max() > share * stats.sum() * (1 + 1e-12):
        return "majority share"
    if is_pure_enough(study, pieces):
        return "impurity"
    return ""


def choose(study: Study, pieces: Pieces, root: Pieces) -> Scored | None:
    """Return the test that wins, None where none may be used."""
    if study.settings.recipe == "c4.5":
        found = c45_test(study, pieces)
        if found is None:
            return None
        return replace(score(study, pieces, root, found.test), gain=found.gain, score=found.score)
    tests = [scored for scored in scored_tests(study, pieces, root) if scored.test.sure]
    return best_of(study, paying(study, tests))


def best_of(study: Study, tests: list[Scored]) -> Scored | None:
    """Return the best test: by score, then by the tie value, then by column."""
    if not tests:
        return None
    top = max(scored.score for scored in tests)
    if study.settings.min_gain is not None and top < study.settings.min_gain - TOLERANCE * abs(top):
        return None
    tests = [scored for scored in tests if scored.score >= top - 1e-12]
    top = max(scored.tie for scored in tests)
    tests = [scored for scored in tests if scored.tie >= top - 1e-12]
    return min(tests, key=lambda scored: column_rank(study, scored.test.column))


def column_rank(study: Study, column: int) -> tuple[bytes, int]:
    """Return what equal columns are sorted by: name in bytes, or place."""
    name = study.columns[column].name.encode() if study.settings.ties_by_name else b""
    return name, column


def settled(study: Study, pieces: Pieces, root: Pieces, best: Scored) -> Test:
    """Return the test with the branch that later gaps take: the common value's, or the heaviest."""
    policy = study.settings.missing
    fill = fills(study, pieces, root, best.test.column)
    if fill is not None:
        return replace(best.test, missing=max(best.test.branch_of(fill), UNKNOWN))
    if policy in ("learned", "own_branch") and best.test.missing < 0:
        held = known_weights(pieces, best.branches, best.test.n_branches)
        return replace(best.test, missing=int(np.argmax(held)))
    return best.test


def used_up(study: Study, test: Test) -> bool:
    """Say whether a column may not be tested again below: a multiway test has told all it can."""
    return test.codes is not None and study.settings.splits == "multiway"


def n_nodes(node: Node) -> int:
    """Return the number of nodes, empty leaves included."""
    return 1 + sum(n_nodes(child) for child in node["children"])


def depth_of(node: Node) -> int:
    """Return the number of tests on the longest path."""
    return max((1 + depth_of(child) for child in node["children"]), default=0)


def describe(node: Node, columns: tuple[Any, ...], indent: str = "") -> str:
    """Return the tree as text, for messages and for eyes."""
    if node["test"] is None:
        return f"{indent}leaf {node['label']} {np.round(node['stats'], 4).tolist()}\n"
    test: Test = node["test"]
    column = columns[test.column]
    way = f"<= {test.cut:g}" if test.codes is None else str(dict(test.codes))
    lines = f"{indent}{column.name} ({kind_of(column)}) {way} missing {test.missing}\n"
    return lines + "".join(describe(child, columns, indent + "|  ") for child in node["children"])
