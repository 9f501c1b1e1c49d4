"""More trees than one: the best k, or all that cost hardly more than the best, and the columns they need."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.draws import checked_seed
from treewright.growth.ahead.nodes import Node, nodes_of_answer
from treewright.growth.ahead.problem import Asked

MOST = 100_000  # different trees that are looked at
# Of what a single leaf costs more than the best tree: the list of the best k is sought within these, in turn.
SHARES = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
_TESTS = ("column", "place", "set", "gap", "n_branches", "end")
Ended = str  # "complete", "count", "memory" or "watch"
Answer = Mapping[str, Any]


@dataclass(frozen=True)
class Wish:
    """How many trees are asked for, and how much more than the best they may cost."""

    n_trees: int | None
    within: float | None
    seed: int = 0

    @classmethod
    def of(cls, n_trees: Any, within: Any, seed: Any = 0) -> Wish | None:
        """Return what is wished, checked; None where it is the best tree alone.

        >>> Wish.of(None, None) is None, Wish.of(5, None).n_trees, Wish.of(None, 0.01).within
        (True, 5, 0.01)
        """
        is_count = type(n_trees) is int or isinstance(n_trees, np.integer)
        if n_trees is not None and (not is_count or n_trees < 1):
            raise ValueError(f"n_trees={n_trees!r} must be a whole number of trees from 1 up, or None.")
        if n_trees is not None and n_trees > MOST:
            raise ValueError(f"n_trees={n_trees}: no more than {MOST:,} trees are listed.")
        is_number = isinstance(within, (int, float, np.number)) and not isinstance(within, bool)
        if within is not None and not (is_number and np.isfinite(within) and within >= 0):
            raise ValueError(
                f"within={within!r} must be a share of the best tree's cost from 0 up, such as 0.01, or None."
            )
        if within is None and (n_trees is None or n_trees == 1):
            return None
        more = None if within is None else float(within)
        return cls(None if n_trees is None else int(n_trees), more, checked_seed(seed))


@dataclass(frozen=True, eq=False)
class Listed:
    """Trees as the core lists them, the cheapest first, and whether there are no others."""

    answer: Answer
    ended: Ended
    is_sample: bool = False

    def __len__(self) -> int:
        return len(self.answer["cost"])

    def nodes(self, i: int) -> dict[str, Any]:
        """Return the nodes of a tree as `nodes.nodes_of_answer` reads them."""
        part = slice(*self.answer["start"][i : i + 2].tolist())
        return {name: self.answer[name][part] for name in _TESTS}


def listed(asked: Asked, best: float, wish: Wish, memory: int, goes_on: Callable[..., bool]) -> Listed:
    """Return the trees that are wished, when the best costs `best`; none where it ended before any."""
    rows = np.arange(asked.n_rows, dtype=np.int32)
    alone = asked.cost(rows) + asked.leaf_price
    slack = 1e-9 * alone
    is_all = wish.within is not None
    limits = [best * (1 + wish.within)] if wish.within is not None else _limits(best, alone)
    most = MOST if is_all or wish.n_trees is None else wish.n_trees
    last: Listed | None = None
    for limit in limits:
        depth, leaves = int(asked.settings.max_depth or 0), int(asked.settings.max_leaves or 0)
        answer = asked.solver.several(
            rows, depth, leaves, (limit + slack) / asked.unit, most, memory, goes_on
        )
        found = Listed(answer, answer["ended"])
        if found.ended in ("memory", "watch"):
            longer = found if last is None or len(found) > len(last) else last
            return Listed(longer.answer, found.ended)
        last = found
        if found.ended == "count":
            break
    assert last is not None  # there is one limit at least
    return last


def _limits(best: float, alone: float) -> Iterator[float]:
    for share in SHARES:
        yield best + share * max(0.0, alone - best)


def nodes_of(asked: Asked, found: Listed, chosen: Iterable[int]) -> tuple[Node, ...]:
    """Return the roots of some of the trees of a list."""
    return tuple(nodes_of_answer(asked, found.nodes(i)) for i in chosen)


def sampled(found: Listed, n: int, seed: int) -> list[int]:
    """Return the best tree and n - 1 others: those with the least draws, keyed by what a tree asks."""
    if len(found) <= n:
        return list(range(len(found)))
    starts = found.answer["start"].tolist()
    words = np.stack([np.asarray(found.answer[name], dtype="<i4") for name in _TESTS], axis=1)
    key = seed.to_bytes(8, "little")
    draws = [
        hashlib.blake2b(words[a:b].tobytes(), digest_size=16, key=key).digest()
        for a, b in pairwise(starts[1:])
    ]
    others = sorted(range(len(draws)), key=lambda i: draws[i])[: n - 1]
    return [0, *sorted(1 + i for i in others)]


def uses_of(asked: Asked, found: Listed) -> NDArray[np.int64]:
    """Return how many of the trees ask each column of the table."""
    sizes = np.diff(found.answer["start"])
    owner = np.repeat(np.arange(len(found)), sizes)
    tests = found.answer["n_branches"] > 0
    pairs = np.unique(np.column_stack([owner[tests], found.answer["column"][tests]]), axis=0)
    counts = (
        np.bincount(pairs[:, 1], minlength=len(asked.order)) if len(pairs) else np.zeros(len(asked.order))
    )
    uses = np.zeros(len(asked.order), dtype=np.int64)
    uses[list(asked.order)] = counts
    return uses
