"""A forest as a program: its trees one after the other, what their leaves say added up."""

from __future__ import annotations

from typing import Any

from treewright.base.numbers import count
from treewright.export.code import program as p
from treewright.export.code.flow import flow_of, plain_forest
from treewright.export.code.naming import fields_of, head
from treewright.export.code.nested import REFUSED, Nest
from treewright.export.code.scoring import ALIKE, best, cleared, labelled, score_function, slots_for
from treewright.export.code.walking import codes_of, tables_of, walkers
from treewright.export.outline import Node, Outline, outline_of

MOST_NODES = 4000  # of all trees, as nested if and else; a larger forest is written as tables


def forest_program(forest: Any) -> p.Program:
    """Return a forest as a program: nested if and else, or tables if it is large.

    >>> import treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), "PlayTennis", n_trees=2)
    >>> [function.name for function in forest_program(forest).functions]
    ['best', 'add', 'tree_0', 'tree_1', 'score']
    """
    is_nested = forest.n_nodes <= MOST_NODES or forest.has_sums  # a table has one column a test
    return nested_forest(forest) if is_nested else forest_in_tables(forest)


def forest_in_tables(forest: Any) -> p.Program:
    """Return a forest as tables and a function that walks through them."""
    fields = fields_of(forest.schema.columns, forest.used_columns.tolist())
    flow = plain_forest(forest, fields)
    answers = Answers()
    if flow is None:
        outlines = [outline_of(forest.tree(i)) for i in range(forest.n_trees)]
        flow = flow_of(outlines, fields, lambda _, node: answers.place(node.answer.chances))
    else:
        for chances in flow.answers:
            answers.place(chances)
    functions = walkers(flow, flow.divides)
    n_out = max(1, len(forest.classes)) if forest.is_classifier else 1
    root = p.Item("ROOTS", p.Name("tree"))
    if flow.divides:
        call = p.Call("walk", (root, p.Name("coded"), p.Number(1.0), p.Name("out")))
        each: tuple[Any, ...] = (p.If((p.Branch(p.Binary("<", call, p.Whole(0)), (p.Return(REFUSED),)),)),)
    else:
        each = (
            p.Let("answer", p.WHOLE, p.Call("walk", (root, p.Name("coded")))),
            p.If((p.Branch(p.Binary("<", p.Name("answer"), p.Whole(0)), (p.Return(REFUSED),)),)),
            p.Do(p.Call("add", (p.Name("answer"), p.Number(1.0), p.Name("out")))),
        )
    body = [*cleared(_size(n_out)), codes_of(flow, fields), p.Loop("tree", p.Whole(forest.n_trees), each)]
    return assembled(forest, fields, answers, functions, body, tables_of(flow, fields))


def nested_forest(forest: Any) -> p.Program:
    """Return a forest as nested if and else."""
    fields = fields_of(forest.schema.columns, forest.used_columns.tolist())
    by_place = {field.place: field for field in fields}
    answers = Answers()
    functions: list[p.Function] = []
    in_parts = False
    outlines = [outline_of(forest.tree(i)) for i in range(forest.n_trees)]
    in_parts = any(outline.may_divide for outline in outlines)
    for i, outline in enumerate(outlines):
        end = _end(outline, answers, in_parts)
        functions += Nest(outline, by_place, f"tree_{i}", end, in_parts).functions()
    n_out = max(1, len(forest.classes)) if forest.is_classifier else 1
    calls: list[Any] = []
    if not in_parts:
        calls.append(p.Let("answer", p.WHOLE, p.Whole(0)))
    for i in range(forest.n_trees):
        calls += _called(f"tree_{i}", in_parts)
    return assembled(forest, fields, answers, functions, [*cleared(_size(n_out)), *calls])


class Answers:
    """What leaves say, each once: rows of numbers, by their places."""

    def __init__(self) -> None:
        self.places: dict[tuple[float, ...], int] = {}

    def place(self, chances: tuple[float, ...]) -> int:
        """Return the place of an answer, a new one if it is new."""
        return self.places.setdefault(chances, len(self.places))

    def table(self, what: str) -> p.Table:
        """Return them as a table, a line for each."""
        rows = list(self.places)
        return p.Table("ANSWERS", p.NUMBER, tuple(x for row in rows for x in row), what, len(rows[0]))


def assembled(
    forest: Any,
    fields: Any,
    answers: Answers,
    functions: list[p.Function],
    body: list[Any],
    tables: list[p.Table] | None = None,
) -> p.Program:
    """Return the program: what the body has added up in `out` is divided by the number of trees."""
    classes = tuple(forest.classes) if forest.is_classifier else ()
    n_out, k = max(1, len(classes)), p.Name("k")
    costs = forest.about.get("costs")
    what = "What leaves say: the probabilities by class" if classes else "What leaves say"
    found = [answers.table(what), *(tables or [])]
    helpers = []
    if classes:
        of_costs, choose = best(n_out, costs, ALIKE)
        found += of_costs
        helpers.append(choose)
    mean = p.Binary("/", p.Item("out", k), p.Number(float(forest.n_trees)))
    body = [*body, p.Loop("k", p.Whole(n_out), (p.Put(p.Item("out", k), mean),))]
    label = p.Call("best", (p.Name("out"),)) if classes else p.Whole(0)
    return p.Program(
        about=head(f"A forest of {count(forest.n_trees, 'tree')}", forest, fields),
        model=forest,
        classes=classes,
        fields=fields,
        slots=slots_for(n_out),
        tables=tuple(found),
        functions=(
            *helpers,
            _adding(n_out),
            *functions,
            score_function([*body, *labelled(label)], "Answer a row: the mean of what the trees say"),
        ),
    )


def _size(n_out: int) -> int:
    return max(slots_for(n_out).values()) + 1 + n_out


def _adding(n_out: int) -> p.Function:
    """Return the function that adds an answer, or a part of it, to `out`."""
    k, answer = p.Name("k"), p.Name("answer")
    place = p.plus(p.times(answer, p.Whole(n_out)), k) if n_out > 1 else answer
    said = p.times(p.Item("ANSWERS", place), p.Name("weight"))
    body = (
        p.Loop("k", p.Whole(n_out), (p.Put(p.Item("out", k), p.plus(p.Item("out", k), said)),)),
        p.Return(p.Whole(0)),
    )
    parameters = (("answer", p.WHOLE), ("weight", p.NUMBER), ("out", p.NUMBERS))
    return p.Function("add", parameters, p.WHOLE, body, "Add what a leaf says of a row, or of a part of it")


def _end(outline: Outline, answers: Answers, in_parts: bool) -> Any:
    def end(node: Node, weight: Any) -> list[Any]:
        place = p.Whole(answers.place(node.answer.chances))
        if in_parts:
            return [p.Do(p.Call("add", (place, weight, p.Name("out"))))]
        return [p.Return(place, _words(outline, node))]

    return end


def _words(outline: Outline, node: Node) -> str:
    tree = outline.tree
    return tree.classes[node.answer.label][:60] if tree.is_classifier else ""


def _called(name: str, in_parts: bool) -> list[Any]:
    """Return code that asks one tree."""
    if in_parts:
        call = p.Call(name, (p.Name("row"), p.Number(1.0), p.Name("out")))
        return [p.If((p.Branch(p.Binary("<", call, p.Whole(0)), (p.Return(REFUSED),)),))]
    return [
        p.Put(p.Name("answer"), p.Call(name, (p.Name("row"),))),
        p.If((p.Branch(p.Binary("<", p.Name("answer"), p.Whole(0)), (p.Return(REFUSED),)),)),
        p.Do(p.Call("add", (p.Name("answer"), p.Number(1.0), p.Name("out")))),
    ]
