"""Class weights by node, held without the zeros: below the root most of many classes are gone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[Any]

MOST_DENSE = 2**22  # numbers of all nodes and classes that a tree keeps as a plain array


class ClassWeights(NDArrayOperatorsMixin):
    """The weights of all classes at all nodes, an array of which only the numbers above 0 are held.

    Node i has the classes `label[start[i]:start[i + 1]]`, ascending, with the weights beside them. A row is
    an array, rows are ClassWeights again, and whatever else an array can do is done on the whole array, which
    `np.asarray` gives. Nobody can write to it.

    >>> held = ClassWeights.of(np.array([[2.0, 0.0, 1.0], [0.0, 0.0, 1.0]]))
    >>> held.shape, held.label.tolist(), held[0].tolist(), held[1, 2], held.sum(axis=1).tolist()
    ((2, 3), [0, 2, 2], [2.0, 0.0, 1.0], np.float64(1.0), [3.0, 1.0])
    >>> (held * np.array([1.0, 1.0, 0.0])).label.tolist(), np.asarray(held + 1).tolist()
    ([0], [[3.0, 1.0, 2.0], [1.0, 1.0, 2.0]])
    """

    start: Ints
    label: Ints
    weight: Floats
    n_classes: int
    ndim = 2
    dtype = np.dtype(np.float64)

    def __init__(self, start: Ints, label: Ints, weight: Floats, n_classes: int) -> None:
        self.start, self.label, self.weight, self.n_classes = start, label, weight, n_classes
        for array in (start, label, weight):
            array.setflags(write=False)

    @classmethod
    def of(cls, dense: Floats) -> ClassWeights:
        """Return an array of weights without its zeros."""
        row, label = np.nonzero(dense)
        start = np.searchsorted(row, np.arange(len(dense) + 1)).astype(np.int64)
        return cls(start, label.astype(np.int32), dense[row, label], dense.shape[1])

    # ---- as an array ------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, int]:
        """Number of nodes and of classes."""
        return len(self.start) - 1, self.n_classes

    @property
    def size(self) -> int:
        """How many numbers the whole array has."""
        return self.shape[0] * self.n_classes

    @property
    def nbytes(self) -> int:
        """How many bytes are held."""
        return int(self.start.nbytes + self.label.nbytes + self.weight.nbytes)

    @property
    def owner(self) -> Ints:
        """The node of each weight that is held."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("Class weights without their zeros become an array only by a copy.")
        dense = np.zeros(self.shape, dtype=dtype or np.float64)
        dense[self.owner, self.label] = self.weight
        return dense

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "__call__" and not options and inputs[0] is self:
            other = (
                np.asarray(inputs[1])
                if len(inputs) == 2 and not isinstance(inputs[1], ClassWeights)
                else None
            )
            if other is not None and other.shape == (self.n_classes,):
                if ufunc is np.multiply:
                    return self._times(other)
                if ufunc is np.matmul:
                    return self._sums(self.weight * other[self.label])
        return getattr(ufunc, method)(*(_dense(x) for x in inputs), **options)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (int, np.integer)):
            return self._row(int(key))
        if isinstance(key, tuple) and len(key) == 2 and all(_is_places(part) for part in key):
            return self._at(*key)
        if isinstance(key, (slice, list)) or (isinstance(key, np.ndarray) and key.ndim == 1):
            return self.rows(np.arange(len(self))[key])
        return np.asarray(self)[key]

    def rows(self, nodes: Ints) -> ClassWeights:
        """Return the weights of these nodes."""
        sizes = np.diff(self.start)[nodes]
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        place = np.arange(start[-1]) + np.repeat(self.start[:-1][nodes] - start[:-1], sizes)
        return ClassWeights(start, self.label[place], self.weight[place], self.n_classes)

    def take(self, nodes: Ints, axis: int = 0) -> Floats:
        """Return the weights of these nodes as an array."""
        return np.asarray(self.rows(nodes) if axis == 0 else np.asarray(self).take(nodes, axis=axis))

    def sum(self, axis: int | None = None) -> Any:
        """Return the sums of weights: of each node with axis=1, of each class with axis=0."""
        if axis is None:
            return self.weight.sum()
        return self._sums(self.weight) if axis % 2 else np.bincount(self.label, self.weight, self.n_classes)

    def max(self, axis: int | None = None) -> Any:
        """Return the largest weight: of each node with axis=1."""
        if axis is None or axis % 2 == 0:
            return np.asarray(self).max(axis=axis)
        found = np.zeros(len(self))
        np.maximum.at(found, self.owner, self.weight)
        return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(np.ndarray, name):
            raise AttributeError(f"Class weights, an array without its zeros, have no {name!r}.")
        return getattr(np.asarray(self), name)

    def __repr__(self) -> str:
        return f"ClassWeights({len(self)} nodes, {self.n_classes} classes, {len(self.weight)} weights)"

    def __reduce__(self) -> tuple[Any, ...]:
        return ClassWeights, (self.start, self.label, self.weight, self.n_classes)

    # ---- of every node ----------------------------------------------------------------------------

    def without(self, label: Ints) -> Floats:
        """Return at every node the weight of the classes other than this one.

        >>> ClassWeights.of(np.array([[2.0, 0.0, 1.0], [0.0, 0.0, 1.0]])).without(np.array([0, 2])).tolist()
        [1.0, 0.0]
        """
        return self._sums(np.where(self.label == label[self.owner], 0.0, self.weight))

    def is_same(self, other: Any) -> bool:
        """Return whether another holds the same weights."""
        return (
            isinstance(other, ClassWeights)
            and self.n_classes == other.n_classes
            and np.array_equal(self.start, other.start)
            and np.array_equal(self.label, other.label)
            and np.array_equal(self.weight, other.weight)
        )

    def trouble(self) -> str | None:
        """Return what is wrong with the numbers that are held, or None."""
        wanted = (("start", np.int64), ("label", np.int32), ("weight", np.float64))
        for name, dtype in wanted:
            array = getattr(self, name)
            if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype != np.dtype(dtype):
                return f"must hold {np.dtype(dtype).name} for {name}."
        if len(self.start) < 1 or self.start[0] != 0 or self.start[-1] != len(self.label):
            return "has starts that do not run over all its classes."
        if (np.diff(self.start) < 0).any() or len(self.label) != len(self.weight):
            return "has starts that decrease, or more classes than weights."
        if ((self.label < 0) | (self.label >= self.n_classes)).any():
            return "names classes that do not exist."
        if ((np.diff(self.label) <= 0) & (np.diff(self.owner) == 0)).any():
            return "has classes that do not ascend inside a node."
        if not (np.isfinite(self.weight) & (self.weight > 0)).all():
            return "holds class weights that are not above 0, or not finite."
        return None

    # ---- how --------------------------------------------------------------------------------------

    def _sums(self, numbers: Floats) -> Floats:
        return np.bincount(self.owner, numbers, len(self)).astype(np.float64)

    def _times(self, factor: NDArray[Any]) -> ClassWeights:
        weight = self.weight * factor[self.label]
        if not (weight == 0).any():
            return ClassWeights(self.start, self.label, weight, self.n_classes)
        start = np.concatenate([[0], np.cumsum(weight != 0)])[self.start].astype(np.int64)
        return ClassWeights(start, self.label[weight != 0], weight[weight != 0], self.n_classes)

    def _row(self, node: int) -> Floats:
        node = range(len(self))[node]
        part = slice(self.start[node], self.start[node + 1])
        row = np.zeros(self.n_classes)
        row[self.label[part]] = self.weight[part]
        return row

    def _at(self, node: Any, label: Any) -> Any:
        node, label = np.broadcast_arrays(np.arange(len(self))[node], np.arange(self.n_classes)[label])
        cells = self.owner * self.n_classes + self.label
        wanted = node.ravel() * self.n_classes + label.ravel()
        place = np.minimum(np.searchsorted(cells, wanted), max(len(cells) - 1, 0))
        found = np.zeros(len(wanted))
        if len(cells):
            found = np.where(cells[place] == wanted, self.weight[place], 0.0)
        return found.reshape(node.shape)[()]


def settled(stats: Any, *, is_checked: bool = False) -> Any:
    """Return class weights as a tree of their size holds them; whatever else this is, as it is.

    `is_checked` says that nothing is wrong with weights that are held without the zeros.

    >>> settled(ClassWeights.of(np.eye(3))).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    >>> settled(np.eye(2100))
    ClassWeights(2100 nodes, 2100 classes, 2100 weights)
    """
    if isinstance(stats, ClassWeights):
        if not is_checked and stats.trouble():
            return stats
        return stats if stats.size > MOST_DENSE else np.asarray(stats)
    is_large = isinstance(stats, np.ndarray) and stats.ndim == 2 and stats.size > MOST_DENSE
    if is_large and stats.dtype == np.float64 and np.isfinite(stats).all() and (stats >= 0).all():
        return ClassWeights.of(stats)
    return stats


def _dense(x: Any) -> Any:
    return np.asarray(x) if isinstance(x, ClassWeights) else x


def _is_places(part: Any) -> bool:
    """Whether this picks places one by one, not a stretch of them."""
    return isinstance(part, (int, np.integer)) or (isinstance(part, np.ndarray) and part.dtype.kind in "iu")
