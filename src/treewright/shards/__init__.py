"""Data sets in shards: files, blocks of files, tables of databases, frames in pieces.

A data set is a list of shards with marks by which a change is noticed (`listing.py`). One pass over them,
in any order, finds its columns as `tw.read` finds them on the whole (`summary.py`, `layout.py`); what is
asked of all rows is a plan (`plan.py`): with it any machine reads any shard and answers for it (`part.py`).
"""

from .listing import shards_of

__all__ = ["shards_of"]
