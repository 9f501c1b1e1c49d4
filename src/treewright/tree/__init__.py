"""The tree room: the frozen Tree, ways through it, words for it, and its file format."""

from treewright.tree.edit import collapse
from treewright.tree.node import Node
from treewright.tree.plain import to_dict
from treewright.tree.split import answers, question
from treewright.tree.store import save
from treewright.tree.text import to_text
from treewright.tree.tree import Tree, load

__all__ = ["Node", "Tree", "answers", "collapse", "load", "question", "save", "to_dict", "to_text"]


def __dir__() -> list[str]:
    return sorted(__all__)
