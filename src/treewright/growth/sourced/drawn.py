"""Columns drawn anew at every node, as the core draws them: by hashes of the seed, the tree and the path."""

from __future__ import annotations

from collections.abc import Sequence

from treewright import _core
from treewright.growth.question import tie_order
from treewright.growth.settings import Settings

ROOT = 0
# What is drawn has keys of its own: columns at a node, and the branches of a path.
_FOR_COLUMNS, _FOR_BRANCHES = 0x9E3779B97F4A7C15, 0x7472656577726967


def path_of_branch(path: int, branch: int) -> int:
    """Return the path of a node's branch, which tells it from all other nodes of all trees.

    >>> path_of_branch(ROOT, 0) == path_of_branch(ROOT, 1)
    False
    """
    return _core.draw(_FOR_BRANCHES, ROOT, path, branch)


class DrawnColumns:
    """Which columns the nodes of a tree look at: `n_columns` of those that can part their rows.

    >>> drawn = DrawnColumns(2, ["a", "b", "c"], Settings.of("plain", seed=1), tree=0)
    >>> drawn.order(ROOT), drawn.order(path_of_branch(ROOT, 1))
    ([0, 2, 1], [0, 2, 1])
    """

    def __init__(self, n_columns: int, names: Sequence[str], settings: Settings, tree: int) -> None:
        self.n_columns, self.tree = n_columns, tree
        self._rank = {column: rank for rank, column in enumerate(tie_order(names, settings.ties))}
        self._seed = (settings.seed + _FOR_COLUMNS) % 2**64

    @classmethod
    def of(cls, names: Sequence[str], settings: Settings, tree: int) -> DrawnColumns | None:
        """Return how columns are drawn; None: every node looks at all.

        >>> DrawnColumns.of(["a", "b"], Settings.of("plain"), tree=0) is None
        True
        """
        most = settings.max_columns
        return None if most is None or most >= len(names) else cls(most, names, settings, tree)

    def order(self, path: int) -> list[int]:
        """Return the columns in the order in which a node looks at them."""
        return sorted(
            self._rank,
            key=lambda column: (_core.draw(self._seed, self.tree, path, self._rank[column]), column),
        )
