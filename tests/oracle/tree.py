"""The recursive twin of the tree room: a node holds its children, and passes every question on to them."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treewright.table.schema import Column, Kind, Schema
from treewright.tree.fields import GROWN
from treewright.tree.tree import Tree

SCHEMA = Schema(
    (
        Column("x", Kind.numeric),
        Column("colour", Kind.nominal, ("red", "green", "blue", "grey", "black", "white")),
        Column("size", Kind.ordinal, ("S", "M", "L", "XL")),
        Column("wet", Kind.boolean),
    )
)
CLASSES = Column("class", Kind.nominal, ("a", "b", "c"))
NUMBER = Column("y", Kind.numeric)


@dataclass
class Surrogate:
    column: int
    kind: int
    cut: float
    codes: list[tuple[int, int]]
    flip: bool
    agreement: float
    adjusted: float


@dataclass
class Nested:
    """One node and, by its children, all below it."""

    stats: list[float]
    label: int
    n_rows: int
    children: list[Nested] = field(default_factory=list)
    column: int = -1
    kind: int = 0
    cut: float = float("nan")
    missing: int = -1
    largest: int = -1
    score: float = float("nan")
    gain: float = float("nan")
    exact: bool = True
    codes: list[tuple[int, int]] = field(default_factory=list)
    surrogates: list[Surrogate] = field(default_factory=list)
    terms: list[tuple[int, float, int, float]] = field(default_factory=list)  # column, weight, form, at
    model: tuple[list[tuple[int, list[float]]], list[float], float] | None = None  # terms, bias, loss


def in_preorder(node: Nested) -> list[Nested]:
    found = [node]
    for child in node.children:
        found += in_preorder(child)
    return found


def n_leaves(node: Nested) -> int:
    return sum(map(n_leaves, node.children)) if node.children else 1


def depth(node: Nested) -> int:
    return 1 + max(map(depth, node.children)) if node.children else 0


def collapse(root: Nested, numbers: set[int]) -> Nested:
    """Return a copy in which the nodes with these preorder numbers are leaves."""
    root = copy.deepcopy(root)
    chosen = [node for i, node in enumerate(in_preorder(root)) if i in numbers]
    for node in chosen:
        blank = Nested(node.stats, node.label, node.n_rows, model=node.model)
        if node.children:
            node.__dict__.update(blank.__dict__)
    return root


def to_tree(root: Nested, target: Column, **more: Any) -> Tree:
    """Return the Tree with the same nodes, its arrays written one node at a time."""
    columns: dict[str, list[Any]] = {name: [] for name in GROWN}
    for start in ("code_start", "surrogate_start", "surrogate_code_start"):
        columns[start].append(0)
    _write(root, columns)
    arrays = {name: np.array(columns[name], dtype=dtype) for name, (dtype, *_) in GROWN.items()}
    return Tree(schema=SCHEMA, target=target, **arrays, **_extras(root, target), **more)


TERMS = (("column", np.int32), ("weight", np.float64), ("form", np.uint8), ("at", np.float64))


def _extras(root: Nested, target: Column) -> dict[str, Any]:
    """Return the arrays of sums and models, node by node; nothing where there are none."""
    nodes = in_preorder(root)
    found: dict[str, Any] = {}
    if any(node.terms for node in nodes):
        terms = [term for node in nodes for term in node.terms]
        found["term_start"] = np.cumsum([0, *(len(node.terms) for node in nodes)], dtype=np.int64)
        for place, (name, dtype) in enumerate(TERMS):
            found[f"term_{name}"] = np.array([term[place] for term in terms], dtype=dtype)
    if all(node.model for node in nodes):
        models = [node.model for node in nodes if node.model]
        width = 1 if target.kind is Kind.numeric else len(target.categories) - 1
        terms_of = [term for model in models for term in model[0]]
        found["model_start"] = np.cumsum([0, *(len(model[0]) for model in models)], dtype=np.int64)
        found["model_column"] = np.array([column for column, _ in terms_of], dtype=np.int32)
        weights = np.array([weights for _, weights in terms_of], dtype=np.float64)
        found["model_weight"] = weights.reshape(-1, width)
        found["model_bias"] = np.array([model[1] for model in models], dtype=np.float64)
        found["model_loss"] = np.array([model[2] for model in models], dtype=np.float64)
    return found


def _write(node: Nested, out: dict[str, list[Any]]) -> None:
    at = len(out["end"])
    out["end"].append(None)
    for name in (
        "column",
        "kind",
        "cut",
        "missing",
        "largest",
        "score",
        "gain",
        "exact",
        "n_rows",
        "stats",
        "label",
    ):
        out[name].append(getattr(node, name))
    for code, branch in node.codes:
        out["code"].append(code)
        out["code_branch"].append(branch)
    out["code_start"].append(len(out["code"]))
    for surrogate in node.surrogates:
        for name in ("column", "kind", "cut", "flip", "agreement", "adjusted"):
            out[f"surrogate_{name}"].append(getattr(surrogate, name))
        for code, branch in surrogate.codes:
            out["surrogate_code"].append(code)
            out["surrogate_code_branch"].append(branch)
        out["surrogate_code_start"].append(len(out["surrogate_code"]))
    out["surrogate_start"].append(len(out["surrogate_column"]))
    for child in node.children:
        _write(child, out)
    out["end"][at] = len(out["end"])


# ---- random ones ------------------------------------------------------------------------------------


def filled(shape: list[Any], draw: random.Random, is_classifier: bool) -> Nested:
    """Return nodes in the given shape (a list of child shapes) with random tests and statistics."""
    if is_classifier:
        stats = [float(draw.choice([0, 1, 2, 0.1, 1 / 3, 1e9])) for _ in CLASSES.categories]
    else:
        stats = [draw.choice([0.0, 1.0, 2.5]), draw.uniform(-5, 5), draw.choice([0.0, 1 / 3, 7.25])]
    label = draw.randrange(3) if is_classifier else 0
    node = Nested(stats, label, draw.randrange(100))
    if shape:
        node.children = [filled(child, draw, is_classifier) for child in shape]
        _add_test(node, draw)
    return node


def _add_test(node: Nested, draw: random.Random) -> None:
    b = len(node.children)
    node.largest = draw.randrange(b)
    node.missing = draw.randrange(-1, b)
    node.score, node.gain = draw.random(), draw.random()
    node.exact = draw.random() < 0.8
    if b <= 3 and draw.random() < 0.5:
        node.column, node.kind = draw.choice([(0, 1), (2, 1), (3, 1)])
        node.cut = draw.choice([0.1, -2.0, 77.5, 1e-300, float("inf")]) if node.column == 0 else 0.0
        node.missing = 2 if b == 3 else node.missing
    else:
        fitting = [c for c in (1, 2, 3) if len(SCHEMA.columns[c].categories) >= b]
        node.column, node.kind = draw.choice(fitting), 2
        node.codes = _codes(len(SCHEMA.columns[node.column].categories), b, draw)
    for _ in range(draw.choice([0, 0, 0, 1, 2])):
        node.surrogates.append(_surrogate(draw))


def _codes(n_categories: int, n_branches: int, draw: random.Random) -> list[tuple[int, int]]:
    known = sorted(draw.sample(range(n_categories), draw.randint(n_branches, n_categories)))
    branches = [*range(n_branches), *(draw.randrange(n_branches) for _ in range(len(known) - n_branches))]
    draw.shuffle(branches)
    return list(zip(known, branches, strict=True))


def _surrogate(draw: random.Random) -> Surrogate:
    by_code = draw.random() < 0.5
    return Surrogate(
        column=1 if by_code else 0,
        kind=2 if by_code else 1,
        cut=float("nan") if by_code else draw.uniform(-9, 9),
        codes=_codes(6, 2, draw) if by_code else [],
        flip=draw.random() < 0.5,
        agreement=draw.random(),
        adjusted=draw.random(),
    )


def with_sums(root: Nested, draw: random.Random) -> Nested:
    """Return a copy in which some cuts ask about a sum of columns: numbers, ranks, or 0 and 1."""
    root = copy.deepcopy(root)
    for node in in_preorder(root):
        if node.kind == 1 and draw.random() < 0.7:
            columns = sorted(draw.sample([0, 2, 3], draw.choice([2, 3])))
            node.kind, node.column = 3, columns[0]
            node.terms = [(column, draw.choice([1.0, -0.3, 2.5, 1e-3]), 0, 0.0) for column in columns]
            node.cut = draw.choice([0.1, -2.0, 0.0, 77.5])
    return root


def with_conditions(root: Nested, draw: random.Random) -> Nested:
    """Return a copy in which tests on several columns have conditions among their terms, or only them."""
    root = copy.deepcopy(root)
    for node in in_preorder(root):
        if node.kind != 3 or draw.random() < 0.3:
            continue
        counts = draw.random() < 0.6
        found = set()
        while len(found) < 2 + draw.randrange(3):
            column = draw.choice([0, 1, 2, 3])
            n_codes = len(SCHEMA.columns[column].categories)
            form = 1 if column == 1 else draw.choice([2, 3] if n_codes == 0 else [1, 2, 3])
            at = float(draw.randrange(n_codes)) if form == 1 else draw.choice([0.0, 1.0, 2.5])
            found.add((column, form, at))
        weights = {key: 1.0 if counts else draw.choice([1.0, -1.0, 0.25]) for key in found}
        node.terms = [(column, weights[column, form, at], form, at) for column, form, at in sorted(found)]
        if (
            not counts
            and draw.random() < 0.5
            and not any(term[0] == 0 and term[2] == 0 for term in node.terms)
        ):
            node.terms.insert(0, (0, -0.5, 0, 0.0))
        node.column, node.cut = node.terms[0][0], draw.choice([0.5, 1.5, -0.5])
    return root


def with_models(root: Nested, draw: random.Random, is_classifier: bool) -> Nested:
    """Return a copy in which every node has a model of none to three columns."""
    root = copy.deepcopy(root)
    width = len(CLASSES.categories) - 1 if is_classifier else 1
    for node in in_preorder(root):
        columns = sorted(draw.sample([0, 2, 3], draw.randrange(4)))
        terms = [(column, [draw.uniform(-2, 2) for _ in range(width)]) for column in columns]
        node.model = (terms, [draw.uniform(-2, 2) for _ in range(width)], draw.choice([0.0, 1.5]))
    return root
