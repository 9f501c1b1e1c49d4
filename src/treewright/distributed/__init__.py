"""Growing on a cluster: the same tree, bit for bit, whatever the engine, its workers and their failures.

An engine is a `runner.Runner`; a `source.RunnerSource` asks it what growth wants to know of rows.
`DaskRunner` needs the extra `treewright[dask]`, `SparkRunner` `treewright[spark]`; `LocalRunner` runs
everything in this process. A connection of DuckDB is an engine, too: SQL counts there (`duckdb_source.py`).
"""

from treewright.distributed.answers import predict
from treewright.distributed.dask_runner import DaskRunner
from treewright.distributed.runner import LocalRunner
from treewright.distributed.spark_runner import SparkRunner
from treewright.growth.sourced import IntegrityError

__all__ = ["DaskRunner", "IntegrityError", "LocalRunner", "SparkRunner", "predict"]


def __dir__() -> list[str]:
    return sorted(__all__)
