"""ONNX: a graph that answers as the model does, for onnxruntime and other engines.

Trees and forests are the operator TreeEnsemble where it can say them: one branch for every row. All else is
written with plain operators, from the model as a calculation. Everything is worked out in doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treewright.base.verbs import kind_of
from treewright.export.binary import REFUSED, Fork, Leaf, Part, in_preorder, two_ways
from treewright.export.calculate import SLACK, calculation_of
from treewright.export.cells import is_number
from treewright.export.expression import Among, Calculation, Cell, Gap, Other, parts_of
from treewright.export.format import Answers, Job, MissingPackageError
from treewright.export.onnx_graph import Graph
from treewright.export.onnx_plain import Plain
from treewright.export.outline import Outline, outline_of
from treewright.table import Column

_OPSETS = {"": 17, "ai.onnx.ml": 5}
_IR = 9  # of files: what onnxruntime has read since 2023


def written(model: Any) -> bytes:
    """Return a model as an ONNX graph.

    Its inputs are the columns by name, each rows x 1: doubles, NaN for a gap (dates as days since 1970), or
    texts, "" for a gap. Its outputs are `label`, `probabilities` and, of a tree, `leaf`. A row that the model
    refuses has the label "" (or NaN), no probabilities and the leaf -1.
    """
    onnx = _package()
    columns = model.coding_.schema.columns if kind_of(model) == "linear" else model.schema.columns
    _check_names(columns, model)
    graph = Graph(onnx, columns)
    outlines = _as_trees(model)
    if outlines is None:
        outputs = _by_calculation(graph, calculation_of(model))
    else:
        outputs = _by_trees(graph, model, outlines)
    inputs = [graph.declared(place) for place in graph.used or [0]]
    body = onnx.helper.make_graph(graph.nodes, "treewright", inputs, outputs, graph.constants)
    opsets = [onnx.helper.make_opsetid(domain, version) for domain, version in _OPSETS.items()]
    made = onnx.helper.make_model(body, producer_name="treewright", ir_version=_IR, opset_imports=opsets)
    found: bytes = made.SerializeToString(deterministic=True)
    return found


def _package() -> Any:
    try:
        import onnx
    except ImportError:
        raise MissingPackageError("onnx", "onnx") from None
    return onnx


def _check_names(columns: tuple[Column, ...], model: Any) -> None:
    if not columns:
        raise ValueError("The model has no columns, so a graph would not know how many rows there are.")
    texts = [column.name for column in columns]
    texts += [category for column in columns for category in column.categories]
    texts += [str(c) for c in (model.classes_.tolist() if kind_of(model) == "linear" else model.classes)]
    for text in texts:
        if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
            raise ValueError(
                f"The name {text!r:.60} holds a NUL or half a character, which ONNX cannot; replace it."
            )
    for column in columns:
        if not column.name:
            raise ValueError("A column has no name, which an input of ONNX must have; rename it.")
        if "" in column.categories:
            raise ValueError(
                f"Column {column.name!r} has the category '', which stands for a missing value in ONNX; "
                "replace it."
            )


# ---- by the tree operator ------------------------------------------------------------------------------


def _as_trees(model: Any) -> list[tuple[Outline, Part]] | None:
    """Return the trees as tests with two ways; None where the operator has no word for some of it."""
    kind = kind_of(model)
    if kind not in ("tree", "forest") or (kind == "tree" and model.has_models):
        return None
    trees = [model.tree(i) for i in range(model.n_trees)] if kind == "forest" else [model]
    found = []
    try:
        for tree in trees:
            outline = outline_of(tree)
            found.append((outline, two_ways(outline)))
    except ValueError:
        return None
    return found


def _by_trees(graph: Graph, model: Any, trees: list[tuple[Outline, Part]]) -> list[Any]:
    """Add the trees as one operator that finds leaves, and tables of what leaves say; return the outputs."""
    ensemble = _Ensemble()
    nodes: list[int] = []  # of every leaf, tree after tree
    rows: list[tuple[float, ...]] = []
    width = max(1, len(model.classes))
    for t, (outline, root) in enumerate(trees):
        for number in ensemble.add(root, t):
            nodes.append(number)
            is_none = number == REFUSED
            rows.append((np.nan,) * width if is_none else outline.nodes[number].answer.chances)
    places = graph.ensemble(ensemble.columns(), ensemble.attributes(graph, len(trees)))
    leaf = graph.op("Cast", places, to=graph.onnx.TensorProto.INT64)  # rows x trees
    said = graph.op("Gather", graph.doubles(rows), leaf, axis=0)  # rows x trees x classes
    if kind_of(model) == "forest":
        total = graph.op("ReduceSum", said, graph.integers([1]), keepdims=0)
        chances = graph.op("Div", total, graph.double(float(len(trees))))
        label = graph.winner(chances, model.about.get("costs"), SLACK) if model.is_classifier else chances
        return graph.outputs(model.classes, label, chances, None)
    one = graph.op("Squeeze", leaf, graph.integers([1]))
    chances = graph.op("Squeeze", said, graph.integers([1]))
    if model.is_classifier:
        labels = [len(model.classes) if n == REFUSED else int(model.label[n]) for n in nodes]
        label = graph.op("Gather", graph.integers(labels), one, axis=0)
    else:
        label = chances
    return graph.outputs(
        model.classes, label, chances, graph.op("Gather", graph.integers(nodes), one, axis=0)
    )


class _Ensemble:
    """The arrays of a TreeEnsemble: tests and leaves, tree after tree."""

    def __init__(self) -> None:
        self.roots: list[int] = []
        self.forks: list[tuple[Fork | None, list[tuple[int, bool]]]] = []  # a test and what hangs below
        self.leaf_tree: list[int] = []

    def add(self, root: Part, tree: int) -> list[int]:
        """Add a tree; return the numbers of the nodes that answer, leaf by leaf."""
        self.roots.append(len(self.forks))
        first_fork, first_leaf = len(self.forks), len(self.leaf_tree)
        parts = list(in_preorder(root))
        at: dict[int, tuple[int, bool]] = {}
        found: list[int] = []
        n_forks = 0
        for place, part, _, _ in parts:
            if isinstance(part, Leaf):
                at[place] = (first_leaf + len(found), True)
                found.append(part.node)
            else:
                at[place] = (first_fork + n_forks, False)
                n_forks += 1
        for _, part, yes, no in parts:
            if isinstance(part, Fork):
                self.forks.append((part, [at[yes], at[no]]))
        if not n_forks:  # a test there must be
            self.forks.append((None, [at[0], at[0]]))
        self.leaf_tree += [tree] * len(found)
        return found

    def columns(self) -> list[int]:
        """Return the places of the columns that are asked about."""
        return sorted({fork.column for fork, _ in self.forks if fork is not None}) or [0]

    def attributes(self, graph: Graph, n_trees: int) -> dict[str, Any]:
        """Return the attributes of the operator; leaves answer with their places, a target for each tree."""
        places = {column: i for i, column in enumerate(self.columns())}
        tests = [fork for fork, _ in self.forks]
        members: list[float] = []
        for fork in tests:
            if fork is not None and fork.codes is not None:
                members += [*map(float, fork.codes), np.nan]
        is_set = [fork is not None and fork.codes is not None for fork in tests]
        splits = [0.0 if fork is None or fork.codes is not None else fork.threshold for fork in tests]
        below = [ends for _, ends in self.forks]
        found: dict[str, Any] = {
            "n_targets": n_trees,
            "aggregate_function": 1,  # the sum, of one leaf
            "post_transform": 0,
            "tree_roots": self.roots,
            "nodes_featureids": [0 if fork is None else places[fork.column] for fork in tests],
            "nodes_modes": graph.tensor(np.array([6 if s else 0 for s in is_set], np.uint8)),
            "nodes_splits": graph.tensor(np.array(splits)),
            "nodes_missing_value_tracks_true": [int(fork is not None and fork.gap_is_yes) for fork in tests],
            "leaf_targetids": self.leaf_tree,
            "leaf_weights": graph.tensor(np.arange(len(self.leaf_tree), dtype=np.float64)),
        }
        for side, name in enumerate(("true", "false")):
            found[f"nodes_{name}nodeids"] = [ends[side][0] for ends in below]
            found[f"nodes_{name}leafs"] = [int(ends[side][1]) for ends in below]
        return found | ({"membership_values": graph.tensor(np.array(members))} if members else {})


# ---- by plain operators --------------------------------------------------------------------------------


def _by_calculation(graph: Graph, calculation: Calculation) -> list[Any]:
    plain = Plain(graph, calculation)
    for name, value in calculation.steps:
        plain.add_step(name, value)
    label = plain.answer(calculation.label)
    chances = None
    if calculation.chances:
        parts = [plain.answer(chance) for chance in calculation.chances]
        columns = [graph.op("Unsqueeze", part, graph.integers([1])) for part in parts]
        chances = graph.op("Concat", *columns, axis=1)
    leaf = None if calculation.leaf is None else graph.whole(plain.answer(calculation.leaf), REFUSED)
    if calculation.classes:
        return graph.outputs(calculation.classes, graph.whole(label, len(calculation.classes)), chances, leaf)
    return graph.outputs((), graph.op("Unsqueeze", label, graph.integers([1])), None, leaf)


def used_columns(calculation: Calculation) -> list[int]:
    """Return the places of the columns that a calculation looks at.

    >>> import treewright as tw
    >>> used_columns(calculation_of(tw.grow(tw.example("tennis"), "PlayTennis", "stump")))
    [2]
    """
    kinds = (Gap, Among, Other, Cell)
    return sorted(
        {p.column for value in calculation.values() for p in parts_of(value) if isinstance(p, kinds)}
    )


# ---- running it ----------------------------------------------------------------------------------------


def answers(jobs: Sequence[Job]) -> list[Answers]:
    """Return what onnxruntime says."""
    return [_answered(job) for job in jobs]


def _answered(job: Job) -> Answers:
    try:
        import onnxruntime
    except ImportError:
        raise MissingPackageError("onnxruntime", "onnx") from None
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    settings.log_severity_level = 3
    session = onnxruntime.InferenceSession(job.write(), settings, providers=["CPUExecutionProvider"])
    names = {each.name for each in session.get_inputs()}
    given = {}
    for column, cells in zip(job.cells.columns, job.cells.values, strict=True):
        if column.name not in names:
            continue
        if is_number(column):
            filled: list[Any] = [np.nan if cell is None else cell for cell in cells]
            given[column.name] = np.array(filled, dtype=np.float64)[:, None]
        else:
            given[column.name] = np.array(["" if cell is None else cell for cell in cells], dtype=object)[
                :, None
            ]
    outputs = {
        each.name: value for each, value in zip(session.get_outputs(), session.run(None, given), strict=True)
    }
    return _read(job, outputs)


def _read(job: Job, outputs: dict[str, Any]) -> Answers:
    is_classifier = kind_of(job.model) == "linear" or job.model.is_classifier
    chances = outputs.get("probabilities")
    leaf = outputs.get("leaf")
    labels = outputs["label"].reshape(-1).tolist()
    if not is_classifier:
        refused = np.array([label != label for label in labels])
    elif leaf is not None:
        refused = leaf == REFUSED
    elif chances is not None:
        refused = np.isnan(chances).any(axis=1)
    else:
        refused = np.array([label == "" for label in labels])
    labels = [None if gone else label for label, gone in zip(labels, refused.tolist(), strict=True)]
    return Answers(labels, chances, leaf, refused)
