"""The nodes of an ONNX graph, added one after the other: columns as numbers, tables, answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.export.cells import is_number
from treewright.table import Column


class Graph:
    """A graph that grows; values are known by their names, which no column has."""

    def __init__(self, onnx: Any, columns: tuple[Column, ...]) -> None:
        self.onnx, self.columns = onnx, columns
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.used: list[int] = []
        self.known: dict[Any, str] = {}
        self.mark = "tw_"
        while any(column.name.startswith(self.mark) for column in columns):
            self.mark += "_"

    # ---- values -----------------------------------------------------------------------------------

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add an operator; return the name of what it gives."""
        name = f"{self.mark}{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(kind, list(inputs), [name], domain=domain, **attributes))
        return name

    def tensor(self, values: NDArray[Any], name: str = "") -> Any:
        """Return an array as ONNX has it."""
        return self.onnx.numpy_helper.from_array(values, name)

    def constant(self, values: NDArray[Any]) -> str:
        """Return the name of an array in the graph; equal ones are there once."""
        key = (
            values.dtype.str,
            values.shape,
            values.tobytes() if values.dtype != object else tuple(values.tolist()),
        )
        if key not in self.known:
            name = f"{self.mark}c{len(self.constants)}"
            self.known[key] = name
            if values.dtype == object:
                texts = [text.encode() for text in values.ravel().tolist()]
                kind = self.onnx.TensorProto.STRING
                self.constants.append(self.onnx.helper.make_tensor(name, kind, values.shape, texts))
            else:
                self.constants.append(self.tensor(values, name))
        return self.known[key]

    def double(self, value: float) -> str:
        """Return a number in the graph."""
        return self.constant(np.array(value, dtype=np.float64))

    def doubles(self, values: Any) -> str:
        """Return numbers in the graph."""
        return self.constant(np.array(values, dtype=np.float64))

    def integers(self, values: Sequence[int]) -> str:
        """Return whole numbers in the graph."""
        return self.constant(np.array(values, dtype=np.int64))

    # ---- columns ----------------------------------------------------------------------------------

    def declared(self, place: int) -> Any:
        """Return the declaration of an input."""
        column, types = self.columns[place], self.onnx.TensorProto
        kind = types.DOUBLE if is_number(column) else types.STRING
        return self.onnx.helper.make_tensor_value_info(column.name, kind, ["rows", 1])

    def raw(self, place: int) -> str:
        """Return a column as it is given, one value a row."""
        if ("raw", place) not in self.known:
            self.used = sorted({*self.used, place})
            name = self.op("Squeeze", self.columns[place].name, self.integers([1]))
            self.known["raw", place] = name
        return self.known["raw", place]

    def codes(self, place: int) -> str:
        """Return a column as numbers: itself, or places of categories, unknown after the last, gaps NaN."""
        if ("code", place) not in self.known:
            column = self.columns[place]
            if column.edges is not None:
                found = self._intervals(place, column)
            else:
                found = self.raw(place) if is_number(column) else self._categories(place, column)
            self.known["code", place] = found
        return self.known["code", place]

    def _categories(self, place: int, column: Column) -> str:
        keys, count = [*column.categories, ""], len(column.categories)
        code = self.op(
            "LabelEncoder", self.raw(place), domain="ai.onnx.ml",
            keys_strings=keys, values_int64s=[*range(count), -1], default_int64=count,
        )  # fmt: skip
        wide = self.op("Cast", code, to=self.onnx.TensorProto.DOUBLE)
        is_gap = self.op("Less", wide, self.double(0.0))
        return self.op("Where", is_gap, self.double(np.nan), wide)

    def _intervals(self, place: int, column: Column) -> str:
        cell = self.raw(place)
        wide = self.op("Unsqueeze", cell, self.integers([1]))
        above = self.op("Greater", wide, self.doubles([float(edge) for edge in column.edges or ()]))
        counts = self.op("Cast", above, to=self.onnx.TensorProto.DOUBLE)
        code = self.op("ReduceSum", counts, self.integers([1]), keepdims=0)
        return self.op("Where", self.op("IsNaN", cell), self.double(np.nan), code)

    def ensemble(self, columns: list[int], attributes: dict[str, Any]) -> str:
        """Add the operator for trees on these columns."""
        wide = [self.op("Unsqueeze", self.codes(place), self.integers([1])) for place in columns]
        matrix = self.op("Concat", *wide, axis=1)
        return self.op("TreeEnsemble", matrix, domain="ai.onnx.ml", **attributes)

    # ---- answers ----------------------------------------------------------------------------------

    def whole(self, values: str, otherwise: int) -> str:
        """Return numbers as whole ones; another one where there is none."""
        kept = self.op("Where", self.op("IsNaN", values), self.double(float(otherwise)), values)
        return self.op("Cast", kept, to=self.onnx.TensorProto.INT64)

    def winner(self, chances: str, costs: Any, slack: float) -> str:
        """Return the place of the class of most probability, or of least cost; after the last of none."""
        worths = chances
        if costs is not None:
            prices = np.asarray(costs, dtype=np.float64)
            worths, slack = (
                self.op("MatMul", chances, self.doubles(-prices)),
                slack * max(1.0, float(prices.max())),
            )
        best = self.op("ReduceMax", worths, axes=[1], keepdims=1)
        enough = self.op("GreaterOrEqual", worths, self.op("Sub", best, self.double(slack)))
        first = self.op("ArgMax", self.op("Cast", enough, to=self.onnx.TensorProto.INT32), axis=1, keepdims=0)
        some = self.op(
            "ReduceMax", self.op("Cast", enough, to=self.onnx.TensorProto.INT32), axes=[1], keepdims=0
        )
        is_some = self.op("Cast", some, to=self.onnx.TensorProto.BOOL)
        return self.op(
            "Where",
            is_some,
            first,
            self.op("Shape", self.op("Gather", chances, self.integers([0]), axis=0), start=1, end=2),
        )

    def outputs(
        self, classes: tuple[str, ...], label: str, chances: str | None, leaf: str | None
    ) -> list[Any]:
        """Return the declarations of the outputs; `label` are places of classes, or numbers, rows x 1."""
        types, info = self.onnx.TensorProto, self.onnx.helper.make_tensor_value_info
        found = []
        if classes:
            texts = self.constant(np.array([*classes, ""], dtype=object))
            self._named("Gather", "label", texts, label, axis=0)
            found.append(info("label", types.STRING, ["rows"]))
        else:
            self._named("Squeeze", "label", label, self.integers([1]))
            found.append(info("label", types.DOUBLE, ["rows"]))
        if classes and chances is not None:
            self._named("Identity", "probabilities", chances)
            found.append(info("probabilities", types.DOUBLE, ["rows", len(classes)]))
        if leaf is not None:
            self._named("Identity", "leaf", leaf)
            found.append(info("leaf", types.INT64, ["rows"]))
        return found

    def _named(self, kind: str, output: str, *inputs: str, **attributes: Any) -> None:
        self.nodes.append(self.onnx.helper.make_node(kind, list(inputs), [output], **attributes))
