"""A calculation in plain operators of ONNX: truths are truth values, numbers doubles, no answer is NaN."""

from __future__ import annotations

import math

import numpy as np

from treewright.export import expression as e
from treewright.export.expression import Calculation, Truth, Value
from treewright.export.onnx_graph import Graph

_SIGNS = {"<=": "LessOrEqual", ">": "Greater", ">=": "GreaterOrEqual"}


class Plain:
    """Writes the expressions of one calculation into a graph."""

    def __init__(self, graph: Graph, calculation: Calculation) -> None:
        self.graph, self.calculation = graph, calculation
        self.steps: dict[str, str] = {}

    def add_step(self, name: str, value: Value) -> None:
        """Add what later expressions need."""
        self.steps[name] = self.value(value)

    def answer(self, value: Value) -> str:
        """Return a value for every row, also where it is the same for all."""
        some = self.graph.used[0] if self.graph.used else 0
        length = self.graph.op("Shape", self.graph.raw(some))
        return self.graph.op("Expand", self.value(value), length)

    # ---- values -----------------------------------------------------------------------------------

    def value(self, at: Value) -> str:
        """Return the name of a value in the graph."""
        graph = self.graph
        if isinstance(at, e.Number):
            return graph.double(at.value)
        if isinstance(at, e.Class):
            return graph.double(float(at.place))
        if isinstance(at, e.Nothing):
            return graph.double(math.nan)
        if isinstance(at, e.Cell):
            return graph.raw(at.column)
        if isinstance(at, e.Step):
            return self.steps[at.name]
        if isinstance(at, e.Case):
            found = self.value(at.otherwise)
            for truth, value in reversed(at.whens):
                found = graph.op("Where", self.truth(truth), self.value(value), found)
            return found
        if isinstance(at, e.Lookup):
            # A row that is refused on the way has no place.
            table = graph.doubles([*at.values, np.nan])
            place = graph.whole(self.value(at.place), len(at.values))
            return graph.op("Gather", table, place, axis=0)
        return self.worked_out(at)

    def worked_out(self, at: Value) -> str:
        """Return the name of what is worked out of other values."""
        graph = self.graph
        if isinstance(at, e.Power):
            return graph.op("Exp", self.value(at.exponent))
        if isinstance(at, e.Quotient):
            return graph.op("Div", self.value(at.above), self.value(at.below))
        assert isinstance(at, (e.Sum, e.Product, e.Largest))
        kind = {e.Sum: "Add", e.Product: "Mul", e.Largest: "Max"}[type(at)]
        found = self.value(at.parts[0])
        for part in at.parts[1:]:
            found = graph.op(kind, found, self.value(part))
        return found

    # ---- truths -----------------------------------------------------------------------------------

    def truth(self, at: Truth) -> str:
        """Return the name of a truth in the graph."""
        graph = self.graph
        if isinstance(at, (e.All, e.Either)):
            is_all = isinstance(at, e.All)
            if not at.parts:
                return graph.constant(np.array(is_all))
            found = self.truth(at.parts[0])
            for part in at.parts[1:]:
                found = graph.op("And" if is_all else "Or", found, self.truth(part))
            return found
        if isinstance(at, e.Compare):
            return graph.op(_SIGNS[at.sign], self.value(at.left), self.value(at.right))
        code = graph.codes(at.column)
        if isinstance(at, e.Gap):
            return graph.op("IsNaN", code)
        member = self.member(code, at.places)
        if isinstance(at, e.Among):
            return member
        there = graph.op("Not", graph.op("IsNaN", code))
        return graph.op("And", there, graph.op("Not", member)) if at.places else there

    def member(self, code: str, places: tuple[int, ...]) -> str:
        """Return whether a code is one of some: runs of neighbours are asked about by their ends."""
        graph = self.graph
        if not places:
            return graph.constant(np.array(False))
        found = ""
        ordered = sorted(places)
        first = ordered[0]
        for place, after in zip(ordered, [*ordered[1:], None], strict=True):
            if after == place + 1:
                continue
            if first == place:
                run = graph.op("Equal", code, graph.double(float(place)))
            else:
                above = graph.op("GreaterOrEqual", code, graph.double(float(first)))
                run = graph.op("And", above, graph.op("LessOrEqual", code, graph.double(float(place))))
            found = graph.op("Or", found, run) if found else run
            first = after if after is not None else first
        return found
