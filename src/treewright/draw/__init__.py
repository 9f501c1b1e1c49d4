"""Drawing: a Tree in; one picture out, as SVG, PDF, PNG, on matplotlib's axes or in a terminal; and what models say over two columns."""

from treewright.draw.boundary import boundary
from treewright.draw.picture import Picture
from treewright.draw.plot import plot

__all__ = ["Picture", "boundary", "plot"]
