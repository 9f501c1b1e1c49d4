"""Text to read: a tree as an indented listing, rules as numbered IF-THEN lines."""

from treewright.rules.text import to_text as rules_text
from treewright.tree.text import to_text as tree_text

__all__ = ["rules_text", "tree_text"]
