"""From a source to a Tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright import _core
from treewright.growth.grower import tree_of
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.growth.sourced.loop import Growing
from treewright.growth.sourced.source import NO_CODES, Draw, Move, Source
from treewright.growth.sourced.stand_ins import Asked, stand_in
from treewright.growth.surrogates import asks_surrogates
from treewright.tree import Tree
from treewright.tree.edit import alter


def grow_from(source: Source, question: Question, settings: Settings, *, gather_below: int = 0) -> Tree:
    """Return the tree on the rows of a source: the one that `tw.grow` gives on the same rows in memory.

    The rows of a node that holds no more than `gather_below` are gathered, and its subtree is grown in
    memory. Nothing is pruned.

    >>> import treewright as tw
    >>> from treewright.growth.sourced import Together, cut_into_parts
    >>> table = tw.example("iris")
    >>> parts, question, settings = cut_into_parts(table, "class", 5, max_depth=3)
    >>> tree = grow_from(Together(parts), question, settings)
    >>> tree == tw.grow(table, "class", max_depth=3)
    True
    """
    return grown_from(source, question, settings, gather_below=gather_below).finished()


def grown_from(
    source: Source, question: Question, settings: Settings, *, gather_below: int = 0, lot: Draw | None = None
) -> GrownElsewhere:
    """Return what growth makes of the rows of a source, or of those that a draw says."""
    growing = Growing(source, question, settings, gather_below, lot)
    return GrownElsewhere(tree_of(growing.run(), question, settings), growing, settings)


@dataclass(frozen=True)
class GrownElsewhere:
    """A tree as growth leaves it, and the source by which its surrogates are found in the end."""

    tree: Tree
    growing: Growing
    settings: Settings

    def finished(self, tree: Tree | None = None) -> Tree:
        """Return the tree, or what pruning left of it, with the surrogates of every test."""
        tree = self.tree if tree is None else tree
        if not asks_surrogates(tree, self.settings):
            return tree
        found = _core.surrogate_arrays(self._stand_ins(tree))
        return alter(tree, **found | {"surrogate_flip": found["surrogate_flip"].astype(np.bool_)})

    def _stand_ins(self, tree: Tree) -> list[list[_core.Surrogate]]:
        """Return the surrogates of each node, found on all rows that reach it, a level at a time."""
        found: list[list[_core.Surrogate]] = [[] for _ in range(tree.n_nodes)]
        source, growing = self.growing.source, self.growing
        source.start(growing.lot)
        level, n_numbered = [(0, 0)], 1  # a node of the tree, and its number for the source
        while level:
            inner = [(node, number) for node, number in level if tree.kind[node] != 0]
            moves, level = [], []
            for node, number in inner:
                children = tree.children(node)
                moves.append(move_of(tree, node, number, n_numbered))
                level += [(int(child), n_numbered + b) for b, child in enumerate(children)]
                n_numbered += len(children)
            asked = [Asked(move, bool(growing.has_gaps[move.column])) for move in moves]
            for (node, _), surrogates in zip(inner, growing.stand_ins.find(asked), strict=True):
                found[node] = surrogates
            source.apply(
                [
                    move._replace(stand_ins=tuple(stand_in(one) for one in found[node]))
                    for (node, _), move in zip(inner, moves, strict=True)
                ]
            )
        return found


def move_of(tree: Tree, node: int, number: int, first: int) -> Move:
    """Return where the rows of a node go by the test it has in a tree; `number` is the source's for it."""
    n_branches, missing = len(tree.children(node)), int(tree.missing[node])
    column, cut = int(tree.column[node]), float(tree.cut[node])
    if tree.kind[node] == 1:
        return Move(number, column, cut, NO_CODES, NO_CODES, n_branches, missing, first)
    known = slice(int(tree.code_start[node]), int(tree.code_start[node + 1]))
    codes, branches = tree.code[known].copy(), tree.code_branch[known].copy()
    return Move(number, column, np.nan, codes, branches, n_branches, missing, first)
