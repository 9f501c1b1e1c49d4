"""A Markdown table with a line for each rule; a tree is told by the rules of its leaves."""

from __future__ import annotations

from treewright.rules.from_tree import from_tree
from treewright.rules.text import to_markdown as rules_markdown
from treewright.tree import Tree

__all__ = ["rules_markdown", "tree_markdown"]


def tree_markdown(tree: Tree, full: bool = False) -> str:
    """Return the rules of a tree's leaves as a Markdown table."""
    return rules_markdown(from_tree(tree), full)
