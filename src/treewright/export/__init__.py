"""A model as a text or a file for other places: one file and one row for each format."""

from treewright.export.export import export
from treewright.export.format import Format
from treewright.export.formats import FORMATS

__all__ = ["FORMATS", "Format", "export"]


def __dir__() -> list[str]:
    return sorted(__all__)
