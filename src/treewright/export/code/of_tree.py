"""A tree as a program: nested if and else, then what its nodes say."""

from __future__ import annotations

from typing import Any

from treewright.base.numbers import count, number
from treewright.export.code.asking import Fields, weighted
from treewright.export.code.naming import fields_of, quoted, remark
from treewright.export.code.nested import REFUSED, Nest
from treewright.export.code.program import (
    WHOLE,
    AsNumber,
    Binary,
    Branch,
    Call,
    Do,
    Function,
    If,
    Item,
    Let,
    Loop,
    Many,
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
from treewright.export.code.scoring import (
    adding,
    answers_table,
    at,
    best,
    cleared,
    labelled,
    node_of_out,
    score_function,
    score_place,
    slack_of,
    slots_for,
)
from treewright.export.outline import Node, Outline, outline_of
from treewright.tree import Tree


def tree_program(tree: Tree) -> Program:
    """Return a tree as a program.

    >>> import treewright as tw
    >>> program = tree_program(tw.grow(tw.example("tennis"), "PlayTennis", "stump"))
    >>> [function.name for function in program.functions], program.fields[0].name
    (['leaf', 'score'], 'humidity')
    """
    outline = outline_of(tree)
    fields = fields_of(tree.schema.columns, outline.used)
    by_place = {field.place: field for field in fields}
    in_parts = outline.may_divide or tree.has_models
    classes = tuple(tree.classes) if tree.is_classifier else ()
    nest = Nest(outline, by_place, "leaf", _end(outline, by_place, in_parts), in_parts)
    tables, scoring = _scoring(outline, in_parts)
    return Program(
        about=head(f"A tree of {count(tree.n_leaves, 'leaf', 'leaves')}", tree, fields),
        model=tree,
        classes=classes,
        fields=fields,
        slots=slots_for(max(1, len(classes))),
        tables=tuple(tables),
        functions=(*scoring[:-1], *nest.functions(), scoring[-1]),
        node="the number of the node that the row ends in, as the tree counts its nodes",
    )


def head(what: str, model: Any, fields: Any) -> tuple[str, ...]:
    """Return the lines that a file begins with."""
    lines = [f"{what} for {quoted(model.target.name)}, written by treewright."]
    return (*lines, *columns_in_words(fields))


def columns_in_words(fields: Any) -> tuple[str, ...]:
    """Return a line for each column that is looked at."""
    lines = []
    for field in fields:
        column = field.column
        kind = column.notation.kind.value if column.shows_moments else column.kind.value
        if column.edges is not None:
            kind = f"{kind}, cut at {', '.join(column.text_of(edge) for edge in column.edges)}"
        elif column.categories:
            kind = f"{kind}: {column.categories_in_words()}"
        elif column.is_temporal:
            kind += " (in days; dates since 1970-01-01)"
        lines.append(remark(f"  {field.name}: column {quoted(column.name)}, {kind}", 400))
    return tuple(lines)


def in_words(outline: Outline, node: Node) -> str:
    """Return what a node says, for a comment."""
    tree, answer = outline.tree, node.answer
    rows = count(answer.n_rows, "row")
    said = tree.classes[answer.label] if tree.is_classifier else number(answer.chances[0], 6)
    return f"{said if not tree.is_classifier else quoted(said)[1:-1]} ({rows})"


def words_of_nodes(outline: Outline) -> tuple[str, ...]:
    """Return what each node says, for comments."""
    return tuple(f"{node.number}: {in_words(outline, node)}" for node in outline.nodes)


def _end(outline: Outline, fields: Fields, in_parts: bool) -> Any:
    def whole(node: Node, weight: Any) -> list[Any]:  # noqa: ARG001 (a row is whole here)
        return [Return(Whole(node.number), in_words(outline, node))]

    def part(node: Node, weight: Any) -> list[Any]:
        arguments = (Whole(node.number), weight, Name("out"))
        model = node.answer.model
        if model is None:
            return [Do(Call("add", arguments))]
        steps: list[Any] = []
        for k, bias in enumerate(model.bias):
            parts = zip(model.terms, model.gaps, strict=True)
            terms = [(place, weights[k], gap[k]) for (place, weights), gap in parts]
            steps.append(Put(score_place(Whole(k)), weighted(Number(bias), terms, fields)))
        return [*steps, Do(Call("add_model", arguments))]

    return part if in_parts else whole


def _scoring(outline: Outline, in_parts: bool) -> tuple[list[Table], list[Function]]:
    """Return the tables of answers, and the functions around the nested one."""
    tree, nodes = outline.tree, outline.nodes
    n_out = max(1, len(tree.classes)) if tree.is_classifier else 1
    words = words_of_nodes(outline)
    what = "What each node says: the probabilities by class" if tree.is_classifier else "What each node says"
    tables = [answers_table([node.answer.chances for node in nodes], words, what)]
    if tree.is_classifier:
        labels = tuple(node.answer.label for node in nodes)
        tables.append(Table("LABELS", WHOLE, labels, "The class of each node, by its place"))
    functions: list[Function] = []
    if not in_parts:
        functions.append(score_function(_score_of_whole(tree, n_out), "Answer a row"))
        return tables, functions
    functions += adding(n_out, tree.has_models)
    if tree.is_classifier:
        costs, choose = best(n_out, outline.costs, slack_of(outline.costs))
        tables += costs
        functions.append(choose)
    functions.append(score_function(_score_of_parts(tree, n_out), "Answer a row"))
    return tables, functions


def _score_of_whole(tree: Tree, n_out: int) -> list[Any]:
    node = Name("node")
    k = Name("k")
    place = plus(times(node, Whole(n_out)), k) if n_out > 1 else node
    size = max(slots_for(n_out).values()) + 1 + n_out
    body = [
        *cleared(size),
        Let("node", WHOLE, Call("leaf", (Name("row"),))),
        If((Branch(Binary("<", node, Whole(0)), (Return(REFUSED),)),)),
        Loop("k", Whole(n_out), (Put(Item("out", k), Item("ANSWERS", place)),)),
        Put(at("NODE"), AsNumber(node)),
    ]
    return body + labelled(Item("LABELS", node) if tree.is_classifier else Whole(0))


def _score_of_parts(tree: Tree, n_out: int) -> list[Any]:
    size = max(slots_for(n_out).values()) + 1 + n_out
    call = Call("leaf", (Name("row"), Number(1.0), Name("out")))
    body: list[Any] = [
        *cleared(size),
        If((Branch(Binary("<", call, Whole(0)), (Return(REFUSED),)),)),
    ]
    if not tree.is_classifier:
        return body + labelled(Whole(0))
    is_whole: Any = Binary("==", at("PARTS"), Number(1.0))
    if tree.has_models:
        is_whole = Many("and", (is_whole, Binary("==", at("MODELS"), Number(0.0))))
    own = tuple(labelled(Item("LABELS", node_of_out())))
    return [*body, If((Branch(is_whole, own),)), *labelled(Call("best", (Name("out"),)))]
