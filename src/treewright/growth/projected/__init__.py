"""Growing with tests on several columns: w.x <= c, found node by node and judged by the core.

A sum of columns is a column of numbers. So whatever search proposes a sum, the core's own exact search for
the best cut says what it is worth: by the same criterion, limits, policies and ties as any other test.
"""

from treewright.growth.projected.loop import grow_projected

__all__ = ["grow_projected"]
