"""Linear models: a table as a matrix with names, feature maps, planes with their proofs.

Growing trees may use this room, so `import treewright` may load it: scipy is imported inside functions only.
"""

from treewright.linear.coding import Coding
from treewright.linear.maps import Function, Interactions, Polynomial, SquaredDifference
from treewright.linear.trouble import CollinearWarning, SeparationWarning

__all__ = [
    "Coding",
    "CollinearWarning",
    "Function",
    "Interactions",
    "Polynomial",
    "SeparationWarning",
    "SquaredDifference",
]
