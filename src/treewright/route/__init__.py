"""Rows down a tree: the node each row ends in, and its parts where gaps divide it."""

from treewright.route.gaps import GapCounts, gap_counts, gap_counts_of
from treewright.route.route import route_columns, route_table
from treewright.route.routed import Routed

__all__ = ["GapCounts", "Routed", "gap_counts", "gap_counts_of", "route_columns", "route_table"]


def __dir__() -> list[str]:
    return sorted(__all__)
