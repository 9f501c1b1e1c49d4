"""The report: a Tree and the rows that judge it in; facts, and one page that opens offline, out."""

from treewright.report.facts import facts
from treewright.report.html import page
from treewright.report.write import report

__all__ = ["facts", "page", "report"]


def __dir__() -> list[str]:
    return sorted(__all__)
