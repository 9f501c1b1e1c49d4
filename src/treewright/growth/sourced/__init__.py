"""Growing from rows that lie elsewhere: bit for bit the tree that growth in memory gives.

A search by cells needs two things from rows, and both are sums or small sets: what lies in the cells of a
column, and the few values where the best cut may hide. A `Source` answers these; whether it holds the rows
in memory, reads them from a disk or asks many machines, growth does not know.
"""

from treewright.growth.sourced.memory import MemorySource, cut_into_parts
from treewright.growth.sourced.source import (
    Ask,
    Cells,
    Draw,
    Gathered,
    Move,
    Prepared,
    Source,
    StandIn,
    Stretches,
)
from treewright.growth.sourced.together import IntegrityError, Together
from treewright.growth.sourced.tree import GrownElsewhere, grow_from, grown_from
from treewright.growth.sourced.units import in_whole_rows

__all__ = [
    "Ask",
    "Cells",
    "Draw",
    "Gathered",
    "GrownElsewhere",
    "IntegrityError",
    "MemorySource",
    "Move",
    "Prepared",
    "Source",
    "StandIn",
    "Stretches",
    "Together",
    "cut_into_parts",
    "grow_from",
    "grown_from",
    "in_whole_rows",
]
