"""Predicting: a Tree and a Table in; leaves, labels and probabilities out."""

from treewright.predict.vote import SMOOTHINGS, chances, leaves, predict, predict_proba, shares, values
from treewright.route import Routed, route_columns, route_table

__all__ = [
    "SMOOTHINGS",
    "Routed",
    "chances",
    "leaves",
    "predict",
    "predict_proba",
    "route_columns",
    "route_table",
    "shares",
    "values",
]


def __dir__() -> list[str]:
    return sorted(__all__)
