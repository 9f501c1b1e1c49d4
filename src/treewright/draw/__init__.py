"""Drawing: models in, pictures out."""

from treewright.draw.boundary import boundary

__all__ = ["boundary"]
