"""Rows down a tree: the node each row ends in, and its parts where gaps divide it."""

from treewright.route.route import readable, refusal, route_columns, route_table, threads
from treewright.route.routed import Routed
from treewright.route.router import router, router_of

__all__ = ["Routed", "readable", "refusal", "route_columns", "route_table", "router", "router_of", "threads"]
