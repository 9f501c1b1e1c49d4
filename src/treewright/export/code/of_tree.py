"""A tree as a program: nested if and else, then what its nodes say."""

from __future__ import annotations

from typing import Any

from treewright.base.numbers import count, number
from treewright.export.code import program as p
from treewright.export.code.asking import Fields, weighted
from treewright.export.code.naming import fields_of, head, quoted
from treewright.export.code.nested import REFUSED, Nest
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


def tree_program(tree: Tree) -> p.Program:
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
    return p.Program(
        about=head(f"A tree of {count(tree.n_leaves, 'leaf', 'leaves')}", tree, fields),
        model=tree,
        classes=classes,
        fields=fields,
        slots=slots_for(max(1, len(classes))),
        tables=tuple(tables),
        functions=(*scoring[:-1], *nest.functions(), scoring[-1]),
        node="the number of the node that the row ends in, as the tree counts its nodes",
    )


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
        return [p.Return(p.Whole(node.number), in_words(outline, node))]

    def part(node: Node, weight: Any) -> list[Any]:
        arguments = (p.Whole(node.number), weight, p.Name("out"))
        model = node.answer.model
        if model is None:
            return [p.Do(p.Call("add", arguments))]
        steps: list[Any] = []
        for k, bias in enumerate(model.bias):
            parts = zip(model.terms, model.gaps, strict=True)
            terms = [(place, weights[k], gap[k]) for (place, weights), gap in parts]
            steps.append(p.Put(score_place(p.Whole(k)), weighted(p.Number(bias), terms, fields)))
        return [*steps, p.Do(p.Call("add_model", arguments))]

    return part if in_parts else whole


def _scoring(outline: Outline, in_parts: bool) -> tuple[list[p.Table], list[p.Function]]:
    """Return the tables of answers, and the functions around the nested one."""
    tree, nodes = outline.tree, outline.nodes
    n_out = max(1, len(tree.classes)) if tree.is_classifier else 1
    words = words_of_nodes(outline)
    what = "What each node says: the probabilities by class" if tree.is_classifier else "What each node says"
    tables = [answers_table([node.answer.chances for node in nodes], words, what)]
    if tree.is_classifier:
        labels = tuple(node.answer.label for node in nodes)
        tables.append(p.Table("LABELS", p.WHOLE, labels, "The class of each node, by its place"))
    functions: list[p.Function] = []
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
    node = p.Name("node")
    k = p.Name("k")
    place = p.plus(p.times(node, p.Whole(n_out)), k) if n_out > 1 else node
    size = max(slots_for(n_out).values()) + 1 + n_out
    body = [
        *cleared(size),
        p.Let("node", p.WHOLE, p.Call("leaf", (p.Name("row"),))),
        p.If((p.Branch(p.Binary("<", node, p.Whole(0)), (p.Return(REFUSED),)),)),
        p.Loop("k", p.Whole(n_out), (p.Put(p.Item("out", k), p.Item("ANSWERS", place)),)),
        p.Put(at("NODE"), p.AsNumber(node)),
    ]
    return body + labelled(p.Item("LABELS", node) if tree.is_classifier else p.Whole(0))


def _score_of_parts(tree: Tree, n_out: int) -> list[Any]:
    size = max(slots_for(n_out).values()) + 1 + n_out
    call = p.Call("leaf", (p.Name("row"), p.Number(1.0), p.Name("out")))
    body: list[Any] = [
        *cleared(size),
        p.If((p.Branch(p.Binary("<", call, p.Whole(0)), (p.Return(REFUSED),)),)),
    ]
    if not tree.is_classifier:
        return body + labelled(p.Whole(0))
    is_whole: Any = p.Binary("==", at("PARTS"), p.Number(1.0))
    if tree.has_models:
        is_whole = p.Many("and", (is_whole, p.Binary("==", at("MODELS"), p.Number(0.0))))
    own = tuple(labelled(p.Item("LABELS", node_of_out())))
    return [*body, p.If((p.Branch(is_whole, own),)), *labelled(p.Call("best", (p.Name("out"),)))]
