"""Predicting: a Tree and a Table in; leaves, labels and probabilities out."""

from treewright.predict.smoothing import SMOOTHINGS, shares
from treewright.predict.soft import predict_proba_soft, predict_soft, softened
from treewright.predict.vote import chances, leaves, own_chances, predict, predict_proba, values
from treewright.route import Routed, route_columns, route_table

__all__ = [
    "SMOOTHINGS",
    "Routed",
    "chances",
    "leaves",
    "own_chances",
    "predict",
    "predict_proba",
    "predict_proba_soft",
    "predict_soft",
    "route_columns",
    "route_table",
    "shares",
    "softened",
    "values",
]


def __dir__() -> list[str]:
    return sorted(__all__)
