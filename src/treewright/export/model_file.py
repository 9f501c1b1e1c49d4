"""The model itself, in the JSON of its own file."""

from treewright.rules.plain import to_json as rules_json
from treewright.tree.store import to_json as tree_json

__all__ = ["rules_json", "tree_json"]
