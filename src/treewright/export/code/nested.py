"""A tree as nested if and else, in functions that are not too long for any compiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from treewright.export.code.asking import Choice, Fields, among, choices
from treewright.export.code.program import (
    NUMBER,
    NUMBERS,
    ROW,
    WHOLE,
    Above,
    Below,
    Binary,
    Branch,
    Call,
    Function,
    If,
    Let,
    Name,
    Number,
    Put,
    Return,
    Whole,
    times,
)
from treewright.export.outline import Cut, Node, Outline, Values, Way

MOST_NODES, MOST_DEPTH = 120, 12  # of a function; what lies below is a function of its own
REFUSED = Whole(-1)

End = Callable[[Node, Any], list[Any]]  # what is done at a node where a row ends, with this weight


class Nest:
    """The functions of one tree: the first is asked; `in_parts`: a row may end in several leaves.

    Of whole rows a function gives what `end` returns, or -1 where a row is refused. Of parts it gives 0, and
    `end` adds to `out`.
    """

    def __init__(self, outline: Outline, fields: Fields, name: str, end: End, in_parts: bool) -> None:
        self.outline, self.fields, self.name = outline, fields, name
        self.end, self.in_parts = end, in_parts
        self.cut = _cut(outline)

    def functions(self) -> list[Function]:
        """Return them; a function stands behind those that it calls."""
        return [self.function(i) for i in sorted(self.cut, reverse=True)]

    def function(self, i: int) -> Function:
        parameters = [("row", ROW), *([("weight", NUMBER), ("out", NUMBERS)] if self.in_parts else [])]
        node = self.outline.nodes[i]
        body = self.node(node, Name("weight") if self.in_parts else None)
        if self.in_parts:
            body.append(Return(Whole(0)))
        about = f"{self.outline_words()}, from node {i} down"
        return Function(self.called(i), tuple(parameters), WHOLE, tuple(body), about)

    def outline_words(self) -> str:
        return "The tree" if self.name == "leaf" else self.name.replace("_", " ").capitalize()

    def called(self, i: int) -> str:
        return self.name if i == 0 else f"{self.name}_from_{i}"

    def below(self, i: int, weight: Any) -> list[Any]:
        """Return what is done with a row at a child: here, or in a function of its own."""
        if i not in self.cut:
            return self.node(self.outline.nodes[i], weight)
        if not self.in_parts:
            return [Return(Call(self.called(i), (Name("row"),)))]
        call = Call(self.called(i), (Name("row"), weight, Name("out")))
        return [If((Branch(Binary("<", call, Whole(0)), (Return(REFUSED),)),))]

    def node(self, node: Node, weight: Any) -> list[Any]:
        if node.is_leaf:
            return self.end(node, weight)
        before, found = choices(node, self.fields)
        ways = [choice.way for choice in found]
        targets = [way for way in ways if way.kind == "branch"]
        if any(way.kind == "divide" for way in ways):
            return [*before, *self.divided(node, found, weight)]
        if any(way.kind == "surrogate" for way in ways) or len(set(targets)) < len(targets):
            return [*before, *self.chosen_first(node, found, weight)]
        bodies = [tuple(self.on(node, choice.way, weight)) for choice in found]
        return [*before, *_chain(found, bodies, [self.words(node, choice.way) for choice in found])]

    def on(self, node: Node, way: Way, weight: Any) -> list[Any]:
        if way.kind == "branch":
            return self.below(node.children[way.branch or 0], weight)
        if way.kind == "refuse":
            return [Return(REFUSED, "refused")]
        return self.end(node, weight)

    # ---- a row that is told where to go first -------------------------------------------------------------

    def chosen_first(self, node: Node, found: list[Choice], weight: Any) -> list[Any]:
        """Return code that first finds the branch, then takes it: several reasons lead to one branch."""
        go = f"go_{node.number}"
        bodies = [tuple(self.setting(node, choice.way, go, weight)) for choice in found]
        steps = [Let(go, WHOLE, Whole(-1)), *_chain(found, bodies)]
        branches = [
            Branch(Binary("==", Name(go), Whole(i)), tuple(self.below(child, weight)))
            for i, child in enumerate(node.children)
        ]
        if self.in_parts:
            return [*steps, If(tuple(branches))]
        return [*steps, If(tuple(branches[:-1]), branches[-1].body)]

    def setting(self, node: Node, way: Way, go: str, weight: Any) -> list[Any]:
        """Return what a choice does: note the branch, or end here."""
        if way.kind == "branch":
            return [Put(Name(go), Whole(way.branch or 0))]
        if way.kind != "surrogate":
            return self.on(node, way, weight)

        def put(branch: int) -> list[Any]:
            return [Put(Name(go), Whole(branch))]

        return self.stood_in(node, way, put, weight)

    def stood_in(self, node: Node, way: Way, put: Callable[[int], list[Any]], weight: Any) -> list[Any]:
        """Return the stand-ins as a chain of conditions: the first with an answer decides."""
        rest = self.end(node, weight) if way.branch is None else put(way.branch)
        branches = []
        for stand_in in node.stand_ins:
            test, field = stand_in.test, self.fields[stand_in.test.column]
            if isinstance(test, Cut):
                sides = [Below(field, test.threshold), Above(field, test.threshold)]
            else:
                assert isinstance(test, Values)
                sides = [among(field, places) for places in test.branches]
            for branch, side in enumerate(sides):
                at = 1 - branch if stand_in.flip else branch
                branches.append(Branch(side, tuple(put(at)), "stands in"))
        return [If(tuple(branches), tuple(rest))] if branches else rest

    # ---- a row that may be divided ------------------------------------------------------------------------

    def divided(self, node: Node, found: list[Choice], weight: Any) -> list[Any]:
        """Return code that finds the weight in each branch, then goes down those that have some."""
        names = [f"weight_{child}" for child in node.children]

        def put(branch: int) -> list[Any]:
            return [Put(Name(names[branch]), weight)]

        bodies = []
        for choice in found:
            way = choice.way
            if way.kind == "branch":
                bodies.append(put(way.branch or 0))
            elif way.kind == "divide":
                shares = [(name, share) for name, share in zip(names, node.shares, strict=True) if share > 0]
                bodies.append([Put(Name(name), times(weight, Number(share))) for name, share in shares])
            elif way.kind == "surrogate":
                bodies.append(self.stood_in(node, way, put, weight))
            else:
                bodies.append(self.on(node, way, weight))
        steps: list[Any] = [Let(name, NUMBER, Number(0.0)) for name in names]
        steps += _chain(found, [tuple(body) for body in bodies], [self.words(node, c.way) for c in found])
        for name, child in zip(names, node.children, strict=True):
            is_there = Binary(">", Name(name), Number(0.0))
            steps.append(If((Branch(is_there, tuple(self.below(child, Name(name)))),)))
        return steps

    def words(self, node: Node, way: Way) -> str:
        """Return what stands beside a condition: moments in words, and where a row without a value goes."""
        if way.kind == "divide":
            return "in parts, by the rows of training"
        test = node.test
        if isinstance(test, Cut) and way == Way("branch", 0):
            column = self.outline.columns[test.column]
            return column.text_of(test.threshold) if column.shows_moments else ""
        return ""


def _chain(found: list[Choice], bodies: list[tuple[Any, ...]], remarks: list[str] | None = None) -> list[Any]:
    """Return the choices as if, else if, else."""
    words = remarks or [""] * len(found)
    branches = [
        Branch(choice.condition, body, word)
        for choice, body, word in zip(found[:-1], bodies[:-1], words[:-1], strict=True)
    ]
    if not branches:
        return list(bodies[-1])
    return [If(tuple(branches), bodies[-1], words[-1])]


def _cut(outline: Outline) -> frozenset[int]:
    """Return the nodes that begin a function: from the leaves up, whatever has grown too large is cut off."""
    size, depth, parts = [1] * len(outline.nodes), [0] * len(outline.nodes), {0}
    for node in reversed(outline.nodes):
        if node.is_leaf:
            continue
        inner = [child for child in node.children if not outline.nodes[child].is_leaf]
        inner.sort(key=lambda child: (-size[child], child))
        for child in inner:
            total = 1 + sum(size[c] for c in node.children)
            if depth[child] + 1 < MOST_DEPTH and total <= MOST_NODES:
                continue
            parts.add(child)
            size[child], depth[child] = 1, 0
        size[node.number] = 1 + sum(size[c] for c in node.children)
        depth[node.number] = 1 + max((depth[c] for c in node.children), default=0)
    return frozenset(parts)
