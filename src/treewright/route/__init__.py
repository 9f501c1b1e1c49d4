"""Rows down a tree: the node each row ends in, and its parts where gaps divide it."""

from treewright.route.route import route_columns, route_table
from treewright.route.routed import Routed

__all__ = ["Routed", "route_columns", "route_table"]


def __dir__() -> list[str]:
    return sorted(__all__)
