"""From a source to a Tree."""

from __future__ import annotations

from treewright.growth.grower import tree_of
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.growth.sourced.loop import grow_sourced
from treewright.growth.sourced.source import Source
from treewright.tree import Tree


def grow_from(source: Source, question: Question, settings: Settings, *, gather_below: int = 0) -> Tree:
    """Return the tree on the rows of a source: the one that `tw.grow` gives on the same rows in memory.

    >>> import treewright as tw
    >>> from treewright.growth.sourced import Together, cut_into_parts
    >>> table = tw.example("iris")
    >>> parts, question, settings = cut_into_parts(table, "class", 5, max_depth=3)
    >>> tree = grow_from(Together(parts), question, settings)
    >>> tree == tw.grow(table, "class", max_depth=3)
    True
    """
    arrays = grow_sourced(source, question, settings, gather_below=gather_below)
    return tree_of(arrays, question, settings)
