"""Drawing: a Tree in; one picture out, in many forms; and what models say over two columns."""

from treewright.draw.boundary import boundary
from treewright.draw.formulas import gaussians, impurities, logistic_curve
from treewright.draw.partitions import partitions
from treewright.draw.picture import Picture
from treewright.draw.plot import plot

__all__ = ["Picture", "boundary", "gaussians", "impurities", "logistic_curve", "partitions", "plot"]


def __dir__() -> list[str]:
    return sorted(__all__)
