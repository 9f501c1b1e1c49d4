"""The Forest: many trees as one closed, frozen value, in few bytes a node and without any training row."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.deprecated import renamed
from treewright.base.lines import harmless
from treewright.base.notebook import Shown
from treewright.base.numbers import count, number
from treewright.base.verbs import kind_of_model
from treewright.forest import check, compact, one, store, vote
from treewright.table import Column, Schema, Table
from treewright.table.of_target import OfTarget
from treewright.tree import Tree, plain

if TYPE_CHECKING:  # a verb, with its signature
    from treewright.export.export import export as _export

Array = NDArray[Any]


@kind_of_model("forest")
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Forest(OfTarget, Shown):
    """Trees that were grown together; made by `tw.forest.grow`. The constructor refuses what is no forest.

    `arrays` holds all trees in the smallest dtypes that fit (`treewright.forest.compact.FIELDS` says what);
    a single one is `forest.tree(i)`, a whole `treewright.Tree`.

    >>> import treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), target="PlayTennis", n_trees=20)
    >>> forest
    Forest(PlayTennis by Outlook, Temperature, Humidity, Wind: 20 trees)
    >>> len(forest), forest.classes
    (20, ('Yes', 'No'))
    """

    schema: Schema  # the feature columns, in training order
    target: Column
    arrays: Mapping[str, Array]
    about: Mapping[str, Any]  # recipe, settings, seed, draws, columns with gaps: plain JSON

    if TYPE_CHECKING:  # bound by treewright.verbs, because the room that writes lies above this one
        export = _export

    __hash__ = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        held = {}
        for name, array in self.arrays.items():
            if isinstance(array, np.ndarray) and array.flags.writeable:
                array = array.copy()
                array.setflags(write=False)
            held[name] = array
        object.__setattr__(self, "arrays", MappingProxyType(held))
        object.__setattr__(self, "about", MappingProxyType(plain.copied(self.about, "about")))
        check.check(self)

    @classmethod
    def of_growth(
        cls, schema: Schema, target: Column, arrays: dict[str, Array], about: dict[str, Any]
    ) -> Forest:
        """Return the forest of arrays that growth has just made, without a copy and without a check.

        >>> import dataclasses, treewright as tw
        >>> grown = tw.forest.grow(tw.example("tennis"), target="PlayTennis", n_trees=2)   # made by this
        >>> dataclasses.replace(grown) == grown   # made by the constructor
        True
        """
        forest = object.__new__(cls)
        for array in arrays.values():
            array.setflags(write=False)
        vars(forest).update(
            schema=schema,
            target=target,
            arrays=MappingProxyType(arrays),
            about=MappingProxyType(plain.copied(about, "about")),
        )
        return forest

    # ---- what it is -------------------------------------------------------------------------------

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.arrays["tree_size"])

    @property
    def n_nodes(self) -> int:
        """Number of nodes of all trees, leaves included."""
        return len(self.arrays["end"])

    @property
    def n_leaves(self) -> int:
        """Number of leaves of all trees."""
        return len(self.arrays["leaf_label"])

    @property
    def n_bytes(self) -> int:
        """Memory that the trees take."""
        return sum(array.nbytes for array in self.arrays.values())

    @property
    def has_sums(self) -> bool:
        """True when some test is on several columns.

        >>> import treewright as tw
        >>> tw.forest.grow(tw.example("tennis"), target="PlayTennis", n_trees=2).has_sums
        False
        """
        return compact.has_sums(self.arrays)

    @cached_property
    def starts(self) -> Mapping[str, NDArray[np.int64]]:
        """Where each tree's nodes, leaves, codes, ... begin in `arrays`."""
        return compact.starts_of(self.arrays)

    @cached_property
    def used_columns(self) -> NDArray[np.intp]:
        """The places of the columns that any tree asks about, ascending."""
        is_used = np.zeros(len(self.schema) + 1, dtype=bool)
        bounds = self.starts["node"].tolist()
        for a, b in pairwise(bounds):
            is_used[self.arrays["column"][a:b]] = True  # -1, of a leaf, is the last
        is_used[self.arrays["surrogate_column"]] = True
        is_used[self.arrays["term_column"]] = True
        return np.flatnonzero(is_used[:-1])

    asked = renamed("asked", "used_columns")

    def tree(self, i: int) -> Tree:
        """Return one tree to read: statistics of inner nodes are added up from its leaves.

        >>> import treewright as tw
        >>> forest = tw.forest.grow(tw.example("tennis"), target="PlayTennis", n_trees=50, seed=1)
        >>> print(forest.tree(0).to_text())
        Humidity
        ├─ = Normal → Yes  (3 rows)
        └─ = High → Outlook
           ├─ in {Overcast, Rainy} → Yes  (3 rows, weight 5)
           └─ = Sunny → No  (3 rows, weight 6)
        """
        try:
            place = operator.index(i)
        except TypeError:
            raise TypeError(f"A tree is given by its number, found {i!r}.") from None
        if not -self.n_trees <= place < self.n_trees:
            raise IndexError(f"The forest has no tree {place}; its trees are 0 to {self.n_trees - 1}.")
        return one.tree_of(self, place % self.n_trees)

    def __len__(self) -> int:
        return self.n_trees

    # ---- what it says -----------------------------------------------------------------------------

    def predict(self, table: Table, vote: str = "mean", n_threads: int = 1) -> Array:
        """Return the predicted class names (an array of str), or numbers, one per row.

        `vote="mean"` takes the mean of the leaves' probabilities, "majority" lets each tree name one class.

        >>> import treewright as tw
        >>> table = tw.example("tennis")
        >>> forest = tw.forest.grow(table, target="PlayTennis", n_trees=50)
        >>> forest.predict(table)[:4].tolist()
        ['No', 'No', 'Yes', 'Yes']
        """
        return _vote.predict(self, table, vote, n_threads)

    def predict_proba(self, table: Table, vote: str = "mean", n_threads: int = 1) -> NDArray[np.float64]:
        """Return class probabilities, columns in the order of `classes`; of "majority", the shares of votes.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> forest = tw.forest.grow(table, target="y", n_trees=4, bootstrap=False)
        >>> forest.predict_proba(table).tolist()
        [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
        """
        return _vote.predict_proba(self, table, vote, n_threads)

    def votes(self, table: Table, n_threads: int = 1) -> NDArray[np.int64]:
        """Return how many trees name each class: rows x classes.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> tw.forest.grow(table, target="y", n_trees=4, bootstrap=False).votes(table)[0].tolist()
        [4, 0]
        """
        return _vote.votes(self, table, n_threads)

    def leaves(self, table: Table, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the node each row ends in, rows x trees, counted from each tree's root.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> tw.forest.grow(table, target="y", n_trees=2, bootstrap=False).leaves(table).tolist()
        [[1, 1], [1, 1], [2, 2], [2, 2]]
        """
        return _vote.leaves(self, table, n_threads)

    # ---- as a value -------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the forest to a file (a zip of JSON and arrays, without pickle), whole or not at all.

        >>> import os, tempfile, treewright as tw
        >>> forest = tw.forest.grow(tw.example("tennis"), target="PlayTennis", n_trees=2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "tennis.forest")
        ...     forest.save(path)
        ...     tw.load(path) == forest
        True
        """
        store.save(self, path)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Forest):
            return NotImplemented
        return (
            self.schema == other.schema
            and self.target == other.target
            and plain.encode(_without_growth(self.about)) == plain.encode(_without_growth(other.about))
            and all(_same(self.arrays[name], other.arrays[name]) for name in compact.FIELDS)
        )

    def __repr__(self) -> str:
        names = self.schema.names
        by = f" by {', '.join(names[:4])}{', ...' if len(names) > 4 else ''}" if names else ""
        size = f"{self.n_trees} tree{'s' if self.n_trees != 1 else ''}"
        return harmless(f"Forest({self.target.name}{by}: {size})")

    def __str__(self) -> str:
        names = self.schema.names
        by = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
        size = f"{count(self.n_trees, 'tree')} of {number(self.n_leaves / self.n_trees, 3)} leaves on average"
        return harmless(
            f"Forest for {self.target.name}: {size}\nfrom {by}\n"
            "A forest cannot be read: tw.forest.surrogate_tree(forest, data) gives a tree that stands "
            "in for it,\n"
            "forest.report('forest.html', training=data) a page."
        )

    def __reduce__(self) -> tuple[Any, ...]:
        state = {"schema": self.schema, "target": self.target}
        return _rebuilt, ({**state, "arrays": dict(self.arrays), "about": dict(self.about)},)


def load(path: str | os.PathLike[str]) -> Forest:
    """Return the forest saved in a file; a damaged or foreign file is a ValueError that says what is wrong.

    >>> import tempfile, treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), target="PlayTennis", n_trees=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "tennis.forest")
    ...     forest.save(path)
    ...     load(path) == forest
    True
    """
    return store.load(path, Forest)


_vote = vote  # the parameter `vote` of methods hides the module


def _rebuilt(state: dict[str, Any]) -> Forest:
    return Forest(**{**state, "arrays": compact.completed(state["arrays"])})


def _without_growth(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is said about a forest, less who grew it: no part of it."""
    return {name: value for name, value in about.items() if name != "growth"}


def _same(a: Array, b: Array) -> bool:
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f" and b.dtype.kind == "f")
