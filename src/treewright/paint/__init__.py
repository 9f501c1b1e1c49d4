"""The painter: shapes, texts and charts in; SVG, PDF, PNG, letters and matplotlib's axes out."""

from treewright.paint.axis import Axis, axis_over
from treewright.paint.chart import Chart
from treewright.paint.layers import Area, Cells, Dots, Line, Note, Rule, Shades
from treewright.paint.panels import Panels
from treewright.paint.sheet import Sheet

__all__ = [
    "Area",
    "Axis",
    "Cells",
    "Chart",
    "Dots",
    "Line",
    "Note",
    "Panels",
    "Rule",
    "Shades",
    "Sheet",
    "axis_over",
]
