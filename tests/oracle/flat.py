"""A nested dict laid out as a treewright Tree's arrays, so that the judge can also judge the twin itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .grow import Node
from .missing import Test
from .reading import CUT, LEAF, VALUES
from .settings import Settings
from .surrogate import Surrogate


def flatten(root: Node, settings: Settings, n_classes: int) -> SimpleNamespace:
    """Return an object with the fields of a Tree, in preorder."""
    nodes: list[Node] = []
    end: list[int] = []

    def visit(node: Node) -> None:
        place = len(nodes)
        nodes.append(node)
        end.append(0)
        for child in node["children"]:
            visit(child)
        end[place] = len(nodes)

    visit(root)
    tests: list[Test | None] = [node["test"] for node in nodes]
    codes = [test.codes or () if test else () for test in tests]
    return SimpleNamespace(
        end=np.array(end),
        column=np.array([test.column if test else -1 for test in tests]),
        kind=np.array([LEAF if not test else CUT if test.codes is None else VALUES for test in tests]),
        cut=np.array([test.cut if test else np.nan for test in tests]),
        missing=np.array([test.missing if test else -1 for test in tests]),
        largest=np.array([heaviest(node, n_classes) for node in nodes]),
        code_start=starts(codes),
        code=np.array([code for row in codes for code, _ in row], dtype=np.int32),
        code_branch=np.array([branch for row in codes for _, branch in row], dtype=np.int32),
        score=np.array([node["scored"].score if node["test"] else np.nan for node in nodes]),
        gain=np.array([node["scored"].gain if node["test"] else np.nan for node in nodes]),
        exact=np.ones(len(nodes), dtype=bool),
        n_rows=np.array([node["n_rows"] for node in nodes]),
        stats=np.array([node["stats"] for node in nodes], dtype=np.float64),
        label=np.array([node["label"] for node in nodes]),
        about={"missing": settings.missing, "class_scale": None, "costs": None},
        **surrogate_fields([node.get("surrogates", []) for node in nodes]),
    )


def starts(lists: list[Any]) -> NDArray[np.int64]:
    """Return where each list begins when they are laid end to end, and where the last one ends."""
    return np.concatenate([[0], np.cumsum([len(row) for row in lists])]).astype(np.int64)


def heaviest(node: Node, n_classes: int) -> int:
    """Return the branch of most weight, the first on ties, -1 in a leaf."""
    if node["test"] is None:
        return -1
    stats = [child["stats"] for child in node["children"]]
    return int(np.argmax([stat.sum() if n_classes else stat[0] for stat in stats]))


def surrogate_fields(stand_ins: list[list[Surrogate]]) -> dict[str, Any]:
    """Return the surrogate arrays of a Tree."""
    every = [one for row in stand_ins for one in row]
    codes = [one.test.codes or () for one in every]
    return {
        "surrogate_start": starts(stand_ins),
        "surrogate_column": np.array([one.test.column for one in every], dtype=np.int32),
        "surrogate_cut": np.array([one.test.cut for one in every], dtype=np.float64),
        "surrogate_kind": np.array(
            [CUT if one.test.codes is None else VALUES for one in every], dtype=np.uint8
        ),
        "surrogate_flip": np.array([one.flip for one in every], dtype=bool),
        "surrogate_agreement": np.array([one.agreement for one in every], dtype=np.float64),
        "surrogate_adjusted": np.array([one.adjusted for one in every], dtype=np.float64),
        "surrogate_code_start": starts(codes),
        "surrogate_code": np.array([code for row in codes for code, _ in row], dtype=np.int32),
        "surrogate_code_branch": np.array([branch for row in codes for _, branch in row], dtype=np.int32),
    }
