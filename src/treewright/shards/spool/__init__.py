"""Rows on a disk: coded once into files, then read block by block, one pass for all nodes of a level.

`writing.py` codes shards into the files that `store.py` reads; a `View` says which of the rows are grown on
(target, weights, rows left out), and a `SpoolSource` answers what growth asks of them.
"""

from .budget import Budget
from .source import SpoolSource
from .store import Spool
from .view import View
from .writing import spooled

__all__ = ["Budget", "Spool", "SpoolSource", "View", "spooled"]
