"""Looking into a tree: what each column is worth, and the way a row takes."""

from treewright.explain.importance import impurity_decrease
from treewright.explain.path import paths

__all__ = ["impurity_decrease", "paths"]
