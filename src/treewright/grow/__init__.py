"""Growing: a table and settings in, a Tree out."""

from treewright.grow.grower import grow
from treewright.grow.recipes import RECIPES
from treewright.grow.settings import Settings

__all__ = ["RECIPES", "Settings", "grow"]
