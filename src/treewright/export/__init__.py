"""A model as a text or a file for other places: one file and one row for each format."""

from treewright.export.export import export
from treewright.export.features import FEATURES, features_of
from treewright.export.format import Format, MissingToolError
from treewright.export.formats import FORMATS
from treewright.export.proof import Verified, verify
from treewright.export.scikit_learn import to_sklearn
from treewright.export.treelite import to_treelite

__all__ = [
    "FEATURES",
    "FORMATS",
    "Format",
    "MissingToolError",
    "Verified",
    "export",
    "features_of",
    "to_sklearn",
    "to_treelite",
    "verify",
]


def __dir__() -> list[str]:
    return sorted(__all__)
