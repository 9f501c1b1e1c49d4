"""Predicting: a Tree and a Table in; leaves, labels and probabilities out."""

from treewright.predict.route import Routed, route_columns, route_table
from treewright.predict.vote import SMOOTHINGS, chances, leaves, predict, predict_proba, shares, values

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
