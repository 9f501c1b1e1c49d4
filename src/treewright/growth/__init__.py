"""Growing: rows and settings in, a Tree out."""

from treewright.growth.grower import grow_rows
from treewright.growth.recipes import RECIPES
from treewright.growth.settings import Settings

__all__ = ["RECIPES", "Settings", "grow_rows"]


def __dir__() -> list[str]:
    return sorted(__all__)
