"""A forest as a program: its trees one after the other, what their leaves say added up."""

from __future__ import annotations

from typing import Any

from treewright.base.numbers import count
from treewright.export.code.flow import flow_of, plain_forest
from treewright.export.code.naming import fields_of
from treewright.export.code.nested import REFUSED, Nest
from treewright.export.code.of_tree import head
from treewright.export.code.program import (
    NUMBER,
    NUMBERS,
    WHOLE,
    Binary,
    Branch,
    Call,
    Do,
    Function,
    If,
    Item,
    Let,
    Loop,
    Name,
    Number,
    Program,
    Put,
    Return,
    Table,
    Whole,
    plus,
    times,
)
from treewright.export.code.scoring import ALIKE, best, cleared, labelled, score_function, slots_for
from treewright.export.code.walking import codes_of, tables_of, walkers
from treewright.export.outline import Node, Outline, outline_of

MOST_NODES = 4000  # of all trees, as nested if and else; a larger forest is written as tables


def forest_program(forest: Any) -> Program:
    """Return a forest as a program: nested if and else, or tables if it is large.

    >>> import treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), "PlayTennis", n_trees=2)
    >>> [function.name for function in forest_program(forest).functions]
    ['best', 'add', 'tree_0', 'tree_1', 'score']
    """
    return nested_forest(forest) if forest.n_nodes <= MOST_NODES else forest_in_tables(forest)


def forest_in_tables(forest: Any) -> Program:
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
    root = Item("ROOTS", Name("tree"))
    if flow.divides:
        call = Call("walk", (root, Name("x"), Number(1.0), Name("out")))
        each: tuple[Any, ...] = (If((Branch(Binary("<", call, Whole(0)), (Return(REFUSED),)),)),)
    else:
        each = (
            Let("answer", WHOLE, Call("walk", (root, Name("x")))),
            If((Branch(Binary("<", Name("answer"), Whole(0)), (Return(REFUSED),)),)),
            Do(Call("add", (Name("answer"), Number(1.0), Name("out")))),
        )
    body = [*cleared(_size(n_out)), codes_of(flow, fields), Loop("tree", Whole(forest.n_trees), each)]
    return assembled(forest, fields, answers, functions, body, tables_of(flow, fields))


def nested_forest(forest: Any) -> Program:
    """Return a forest as nested if and else."""
    fields = fields_of(forest.schema.columns, forest.used_columns.tolist())
    by_place = {field.place: field for field in fields}
    answers = Answers()
    functions: list[Function] = []
    in_parts = False
    outlines = [outline_of(forest.tree(i)) for i in range(forest.n_trees)]
    in_parts = any(outline.may_divide for outline in outlines)
    for i, outline in enumerate(outlines):
        end = _end(outline, answers, in_parts)
        functions += Nest(outline, by_place, f"tree_{i}", end, in_parts).functions()
    n_out = max(1, len(forest.classes)) if forest.is_classifier else 1
    calls: list[Any] = []
    if not in_parts:
        calls.append(Let("answer", WHOLE, Whole(0)))
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

    def table(self, what: str) -> Table:
        """Return them as a table, a line for each."""
        rows = list(self.places)
        return Table("ANSWERS", NUMBER, tuple(x for row in rows for x in row), what, len(rows[0]))


def assembled(
    forest: Any,
    fields: Any,
    answers: Answers,
    functions: list[Function],
    body: list[Any],
    tables: list[Table] | None = None,
) -> Program:
    """Return the program: what the body has added up in `out` is divided by the number of trees."""
    classes = tuple(forest.classes) if forest.is_classifier else ()
    n_out, k = max(1, len(classes)), Name("k")
    costs = forest.about.get("costs")
    what = "What leaves say: the probabilities by class" if classes else "What leaves say"
    found = [answers.table(what), *(tables or [])]
    helpers = []
    if classes:
        of_costs, choose = best(n_out, costs, ALIKE)
        found += of_costs
        helpers.append(choose)
    mean = Binary("/", Item("out", k), Number(float(forest.n_trees)))
    body = [*body, Loop("k", Whole(n_out), (Put(Item("out", k), mean),))]
    label = Call("best", (Name("out"),)) if classes else Whole(0)
    return Program(
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


def _adding(n_out: int) -> Function:
    """Return the function that adds an answer, or a part of it, to `out`."""
    k, answer = Name("k"), Name("answer")
    place = plus(times(answer, Whole(n_out)), k) if n_out > 1 else answer
    said = times(Item("ANSWERS", place), Name("weight"))
    body = (Loop("k", Whole(n_out), (Put(Item("out", k), plus(Item("out", k), said)),)), Return(Whole(0)))
    parameters = (("answer", WHOLE), ("weight", NUMBER), ("out", NUMBERS))
    return Function("add", parameters, WHOLE, body, "Add what a leaf says of a row, or of a part of it")


def _end(outline: Outline, answers: Answers, in_parts: bool) -> Any:
    def end(node: Node, weight: Any) -> list[Any]:
        place = Whole(answers.place(node.answer.chances))
        if in_parts:
            return [Do(Call("add", (place, weight, Name("out"))))]
        return [Return(place, _words(outline, node))]

    return end


def _words(outline: Outline, node: Node) -> str:
    tree = outline.tree
    return tree.classes[node.answer.label][:60] if tree.is_classifier else ""


def _called(name: str, in_parts: bool) -> list[Any]:
    """Return code that asks one tree."""
    if in_parts:
        call = Call(name, (Name("row"), Number(1.0), Name("out")))
        return [If((Branch(Binary("<", call, Whole(0)), (Return(REFUSED),)),))]
    return [
        Put(Name("answer"), Call(name, (Name("row"),))),
        If((Branch(Binary("<", Name("answer"), Whole(0)), (Return(REFUSED),)),)),
        Do(Call("add", (Name("answer"), Number(1.0), Name("out")))),
    ]
