"""SQL: one expression that answers as the model does, or a SELECT; a tree is told by its rules."""

from __future__ import annotations

from treewright.rules.from_tree import from_tree
from treewright.rules.sql import to_sql as rules_sql
from treewright.tree import Tree

__all__ = ["rules_sql", "tree_sql"]


def tree_sql(
    tree: Tree, table: str | None = None, name: str = "prediction", dialect: str | None = None
) -> str:
    """Return a tree as an SQL expression, or as a SELECT on `table` with the answer in column `name`."""
    return rules_sql(from_tree(tree), table, name, dialect)
