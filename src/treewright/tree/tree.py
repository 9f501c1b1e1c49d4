"""The Tree: a decision tree as one closed, frozen value, without any training row."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright.base.deprecated import renamed
from treewright.base.lines import harmless
from treewright.base.verbs import kind_of_model
from treewright.table.of_target import OfTarget
from treewright.table.schema import Column, Schema
from treewright.tree import check, edit, node, plain, reader, store, terms, text, walk, weights
from treewright.tree.fields import (
    BY_NODE,
    EXTRAS,
    FIELDS,
    FORMED,
    GROWN,
    BoolArray,
    FloatArray,
    IntArray,
    TreeArrays,
)

if TYPE_CHECKING:  # the verbs, with their signatures
    from treewright.draw.plot import plot as _plot
    from treewright.explain.explanation import explain_row as _explain
    from treewright.export.export import export as _export
    from treewright.growth.ledger import candidates as _candidates
    from treewright.growth.ledger import why_not as _why_not
    from treewright.predict.vote import leaves as _leaves
    from treewright.predict.vote import predict as _predict
    from treewright.predict.vote import predict_proba as _predict_proba
    from treewright.prune.method import prune as _prune
    from treewright.report.write import report as _report
    from treewright.rules.from_tree import from_tree as _rules

Scalar = TypeVar("Scalar", bound=np.generic)


@kind_of_model("tree")
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Tree(TreeArrays, OfTarget):
    """A decision tree for classes or for numbers: preorder arrays, any number of branches, read-only.

    Node i owns the nodes i .. end[i]-1, and is a leaf when end[i] == i+1. Every node keeps its statistics,
    so that any node can be made a leaf. The constructor refuses whatever is not a tree.

    >>> from treewright.tree.example import tennis
    >>> tree = tennis()
    >>> tree
    Tree(Play by Outlook, Humidity, Wind: 8 nodes, 5 leaves, depth 2)
    >>> tree.children(0), tree.is_leaf(4)
    ((1, 4, 5), True)
    """

    schema: Schema  # the feature columns, in training order
    target: Column  # numeric: regression; else classification, its categories are the classes
    about: Mapping[str, Any] = field(default_factory=dict)  # recipe, policies, settings: plain JSON values
    ledger: tuple[Mapping[str, Any], ...] | None = None  # plain records, each with the "node" it is about

    # Bound by treewright.verbs, because the rooms that do this work lie above this one.
    _repr_svg_: ClassVar[Callable[..., str]]
    if TYPE_CHECKING:
        candidates = _candidates
        explain = _explain
        export = _export
        leaves = _leaves
        plot = _plot
        predict = _predict
        predict_proba = _predict_proba
        prune = _prune
        report = _report
        rules = _rules
        why_not = _why_not

    __hash__ = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        put = object.__setattr__  # the one place where a Tree is written
        for name, (dtype, length, *_) in GROWN.items():
            array = getattr(self, name)
            if array is None and name.startswith("surrogate_"):
                n = {"n+1": np.size(self.end) + 1, "surrogate_column+1": np.size(self.surrogate_column) + 1}
                array = np.zeros(n.get(length, 0), dtype)
            if name == "stats" and isinstance(self.target, Column) and self.is_classifier:
                array = weights.settled(array)
            put(self, name, _locked(array))
        for name in EXTRAS:
            array = getattr(self, name)
            if array is None and name in FORMED and isinstance(self.target, Column):
                array = _unsaid(name, getattr(self, FIELDS[name].length), self.target)
            if name.endswith("_start") and not np.size(getattr(self, name.replace("start", "column"))):
                array = None  # of no terms at all: as long as the tree, whatever it was made from
            if array is None and isinstance(self.target, Column):
                array = terms.empty(name, np.size(self.end), self.target)
            put(self, name, _locked(array))
        put(self, "about", _frozen(self.about, "about"))
        if self.ledger is not None:
            put(self, "ledger", tuple(_frozen(record, "a ledger record") for record in self.ledger))
        check.check(self)

    @classmethod
    def of_growth(cls, **fields: Any) -> Tree:
        """Return the tree of arrays that growth, or `edit.alter`, has just made, without copy and check.

        Nobody else writes to them, and they are a tree. For all else there is the constructor.

        >>> import dataclasses, treewright as tw
        >>> grown = tw.grow(tw.example("tennis"), target="PlayTennis")   # made by this
        >>> dataclasses.replace(grown) == grown   # made by the constructor
        True
        """
        tree = object.__new__(cls)
        n_nodes = len(fields["end"])
        for name in EXTRAS:
            fields.setdefault(name, terms.empty(name, n_nodes, fields["target"]))
        for name in FORMED:
            owner = fields[FIELDS[name].length]
            if len(fields[name]) != len(owner):
                fields[name] = _unsaid(name, owner, fields["target"])
        for name in BY_NODE.keys() - fields.keys():  # a forest does not keep all that a tree has
            fields[name] = np.full(n_nodes, BY_NODE[name].leaf, BY_NODE[name].dtype)
        if not fields["target"].is_numeric:
            fields["stats"] = weights.settled(fields["stats"], is_checked=True)
        for name in FIELDS:
            if isinstance(fields[name], np.ndarray):
                fields[name].setflags(write=False)
        if not isinstance(fields["about"], MappingProxyType):  # else it is that of another tree
            fields["about"] = _frozen(fields["about"], "about")
        if fields["ledger"] is not None:
            fields["ledger"] = tuple(_frozen(record, "a ledger record") for record in fields["ledger"])
        vars(tree).update(fields)
        return tree

    # ---- what it is -------------------------------------------------------------------------------

    @property
    def has_models(self) -> bool:
        """True when the nodes answer with models, a sum of columns each, and not with a class or a mean."""
        return len(self.model_bias) > 0

    @property
    def has_sums(self) -> bool:
        """True when some test is on several columns at once."""
        return len(self.term_column) > 0

    @property
    def has_conditions(self) -> bool:
        """True when some test counts conditions or has categories in its sum."""
        return bool(self.term_form.any())

    @property
    def has_gap_terms(self) -> bool:
        """True when some model counts missing values."""
        return bool(np.isfinite(self.model_gap).any())

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.end)

    @cached_property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.leaf_mask))

    @cached_property
    def depth(self) -> int:
        """Depth of the deepest leaf; a tree of one leaf has depth 0."""
        return int(self.depths.max())

    @cached_property
    def weights(self) -> FloatArray:
        """Training weight at every node."""
        return _locked(self.stats.sum(axis=1) if self.is_classifier else self.stats[:, 0])

    @cached_property
    def leaf_mask(self) -> BoolArray:
        """True at every leaf."""
        return _locked(walk.leaf_mask(self.end))

    @cached_property
    def leaf_ids(self) -> IntArray:
        """The leaves, in preorder (`leaves(table)` says which one each row reaches)."""
        return _locked(np.flatnonzero(self.leaf_mask))

    @cached_property
    def used_columns(self) -> IntArray:
        """The places of the columns that the tree looks at, in a test, a surrogate or a model, ascending."""
        is_used = np.zeros(len(self.schema) + 1, dtype=bool)
        for columns in (self.column, self.surrogate_column, self.term_column, self.model_column):
            is_used[columns] = True  # -1, of a leaf, is the last
        return _locked(np.flatnonzero(is_used[:-1]))

    asked = renamed("asked", "used_columns")

    @cached_property
    def depths(self) -> IntArray:
        """Depth of every node; the root has 0."""
        return _locked(walk.depths(self.end))

    @cached_property
    def parents(self) -> IntArray:
        """Parent of every node; -1 for the root."""
        return _locked(walk.parents(self.end))

    @cached_property
    def branches(self) -> IntArray:
        """Which branch of its parent every node is; -1 for the root."""
        return _locked(walk.branch_of(self.parents))

    @cached_property
    def branch_counts(self) -> IntArray:
        """Number of branches of every node; 0 in a leaf."""
        return _locked(walk.branch_counts(self.parents))

    # ---- one node ---------------------------------------------------------------------------------

    def is_leaf(self, i: int) -> bool:
        """Return whether node i is a leaf.

        >>> from treewright.tree.example import tennis
        >>> tennis().is_leaf(0), tennis().is_leaf(4)
        (False, True)
        """
        i = edit.node_id(self, i)
        return bool(self.end[i] == i + 1)

    def children(self, i: int) -> tuple[int, ...]:
        """Return the children of node i in branch order.

        >>> from treewright.tree.example import tennis
        >>> tennis().children(0), tennis().children(4)
        ((1, 4, 5), ())
        """
        return walk.children(self.end, edit.node_id(self, i))

    def parent(self, i: int) -> int | None:
        """Return the parent of node i, None for the root.

        >>> from treewright.tree.example import tennis
        >>> tennis().parent(2), tennis().parent(0)
        (1, None)
        """
        i = edit.node_id(self, i)
        return int(self.parents[i]) if i else None

    def depth_of(self, i: int) -> int:
        """Return the depth of node i.

        >>> from treewright.tree.example import tennis
        >>> tennis().depth_of(0), tennis().depth_of(2)
        (0, 2)
        """
        return int(self.depths[edit.node_id(self, i)])

    def path_to(self, i: int) -> tuple[int, ...]:
        """Return the nodes from the root to node i.

        >>> from treewright.tree.example import tennis
        >>> tennis().path_to(6)
        (0, 5, 6)
        """
        return walk.path(self.parents, edit.node_id(self, i))

    def node(self, i: int) -> node.Node:
        """Return all that is known of node i, in words and numbers.

        >>> from treewright.tree.example import tennis
        >>> leaf = tennis().node(2)
        >>> leaf.answer, leaf.prediction, leaf.n_rows
        ('= High', 'No', 3)
        """
        return node.describe(self, edit.node_id(self, i))

    # ---- other forms ------------------------------------------------------------------------------

    def collapse(self, nodes: int | Iterable[int]) -> Tree:
        """Return a new tree in which the given node, or each of the given nodes, is a leaf.

        >>> from treewright.tree.example import tennis
        >>> tennis().collapse([1, 5])
        Tree(Play by Outlook: 4 nodes, 3 leaves, depth 1)
        """
        return edit.collapse(self, nodes)

    def to_text(
        self,
        max_depth: int | None = None,
        ascii: bool = False,  # noqa: A002
        full: bool = False,
    ) -> str:
        """Return the tree as an indented listing; see `treewright.tree.text.to_text`.

        >>> from treewright.tree.example import tennis
        >>> print(tennis().collapse([1, 5]).to_text())
        Outlook
        ├─ = Sunny → No 60 %  (5 rows, 2 errors)
        ├─ = Overcast → Yes  (4 rows)
        └─ = Rain → Yes 60 %  (5 rows, 2 errors)
        """
        return text.to_text(self, max_depth=max_depth, ascii=ascii, full=full)

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as plain JSON types; `Tree.from_dict` gives the same tree back.

        >>> from treewright.tree.example import tennis
        >>> list(tennis().to_dict())
        ['format', 'version', 'schema', 'target', 'about', 'arrays']
        """
        return plain.to_dict(self)

    @classmethod
    def from_dict(cls, source: Mapping[str, Any]) -> Tree:
        """Return the tree that `to_dict` wrote; anything else is a ValueError.

        >>> from treewright.tree.example import tennis
        >>> Tree.from_dict(tennis().to_dict()) == tennis()
        True
        """
        tree = cls(**plain.fields_of(source))
        plain.KIND.check_digest(source)
        return tree

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tree to a file as JSON; a crash or a full disk leaves an older file whole.

        >>> import os, tempfile
        >>> from treewright.tree.example import tennis
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tennis().save(os.path.join(folder, "tennis.treewright"))
        ...     os.listdir(folder)
        ['tennis.treewright']
        """
        store.save(self, path)

    # ---- as a value -------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            self.schema == other.schema
            and self.target == other.target
            and all(_same(getattr(self, name), getattr(other, name)) for name in FIELDS)
            and plain.encode(_without_looks(self.about)) == plain.encode(_without_looks(other.about))
            and plain.encode(self.ledger) == plain.encode(other.ledger)
        )

    def __repr__(self) -> str:
        tested = np.union1d(self.column, self.term_column)
        asked = [self.schema.columns[c].name for c in tested if c >= 0]
        by = f" by {', '.join(asked[:4])}{', ...' if len(asked) > 4 else ''}" if asked else ""
        size = f"{self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.depth}"
        return harmless(f"Tree({self.target.name}{by}: {size})")

    def __str__(self) -> str:
        return text.summary(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # Through the constructor: pickle forgets that an array was read-only, and must not bring bad trees.
        state = {f.name: getattr(self, f.name) for f in fields(self)}
        state["about"] = dict(self.about)
        state["ledger"] = None if self.ledger is None else tuple(map(dict, self.ledger))
        return _rebuilt, (state,)


def load(path: str | os.PathLike[str]) -> Tree:
    """Return the tree saved in a file; a damaged or foreign file is a ValueError that says what is wrong.

    >>> import os, tempfile
    >>> from treewright.tree.example import tennis
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "tennis.treewright")
    ...     tennis().save(path)
    ...     load(path) == tennis()
    True
    """
    return reader.load(path, plain.KIND, lambda file: Tree.from_dict(file.json()))


def _rebuilt(state: dict[str, Any]) -> Tree:
    return Tree(**state)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, weights.ClassWeights):
        return a.is_same(b)
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def _without_looks(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is said about a tree, less how its cuts are shown and who grew it: no part of it."""
    return {name: value for name, value in about.items() if name not in ("short_cuts", "growth")}


def _unsaid(name: str, owner: Any, target: Column) -> NDArray[Any]:
    """Return an array in which nothing is said, as long as the one that owns its entries."""
    n = np.size(owner)
    shape = (n, terms.model_width(target)) if FIELDS[name].is_wide else (n,)
    return np.full(shape, FORMED[name], FIELDS[name].dtype)


def _locked(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return an array that nobody can write to: the same when that is already so, else a copy."""
    if not isinstance(array, np.ndarray):
        return array  # refused by the check, which knows the field's name
    base: Any = array
    while isinstance(base, np.ndarray) and not base.flags.writeable:
        base = base.base
    if isinstance(base, np.ndarray) or not array.flags.c_contiguous:
        array = array.copy(order="C")
        array.setflags(write=False)
    return np.asarray(array)


def _frozen(mapping: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(mapping, Mapping):
        raise ValueError(f"Not a tree: {what} must be a mapping, found {type(mapping).__name__}.")
    return MappingProxyType(plain.copied(mapping, what))
