"""Drawing: a Tree in; one picture out, as SVG, PDF, PNG, on matplotlib's axes or in a terminal."""

from treewright.draw.picture import Picture
from treewright.draw.plot import plot

__all__ = ["Picture", "plot"]
