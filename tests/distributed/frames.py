"""A session with as much of Spark's DataFrame API as is used of it; tasks share nothing, as in Spark."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa


class SparkSession:
    """Named as Spark names it, so that it is taken for one."""

    __module__ = "pyspark.sql.session"

    def __init__(self) -> None:
        self.n_kept = 0

    def createDataFrame(self, rows: Sequence[tuple[int, Any]], schema: str) -> Frame:  # noqa: N802
        assert schema == "number long, block binary"
        return Frame(self, [[(number, bytes(block)) for number, block in rows]])


class Frame:
    """Partitions of rows of a number and a block of bytes; what is mapped is done anew until it is kept."""

    def __init__(self, session: SparkSession, parts: Sequence[Any] | Callable[[], list[Any]]) -> None:
        self.session, self._parts, self._kept = session, parts, False

    def parts(self) -> list[Any]:
        if not callable(self._parts):
            return list(self._parts)
        found = self._parts()
        if self._kept:
            self._parts = found
        return found

    def repartitionByRange(self, n: int, column: str) -> Frame:  # noqa: N802
        assert column == "number"
        return Frame(self.session, [[row] for part in self.parts() for row in sorted(part)][:n])

    def repartition(self, n: int) -> Frame:
        rows = [row for part in self.parts() for row in part]
        return Frame(self.session, [rows[i::n] for i in range(n)])

    def mapInArrow(self, function: Any, schema: str) -> Frame:  # noqa: N802
        assert schema == "number long, block binary"
        sent = pickle.dumps(function)
        return Frame(self.session, lambda: [list(_mapped(pickle.loads(sent), part)) for part in self.parts()])

    def persist(self) -> Frame:
        self._kept = True
        self.session.n_kept += 1
        return self

    def unpersist(self) -> None:
        self.session.n_kept -= 1

    def collect(self) -> list[dict[str, Any]]:
        return [
            {"number": number, "block": bytearray(block)} for part in self.parts() for number, block in part
        ]


def _mapped(function: Any, part: Sequence[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    numbers, blocks = pa.array([n for n, _ in part], pa.int64()), pa.array([b for _, b in part], pa.binary())
    batches = iter([pa.RecordBatch.from_arrays([numbers, blocks], names=["number", "block"])])
    for batch in function(batches):
        yield from zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True)
