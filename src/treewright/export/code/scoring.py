"""What every program ends with: parts of a row added up, and the label that they come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treewright.export.code.program import (
    NUMBER,
    NUMBERS,
    ROW,
    WHOLE,
    AsNumber,
    AsWhole,
    Binary,
    Branch,
    Call,
    Do,
    Exponential,
    Function,
    If,
    IsNaN,
    Item,
    Let,
    Loop,
    Name,
    Number,
    Put,
    Return,
    Table,
    Whole,
    plus,
    times,
)

ALIKE = 1e-12  # votes that are equal but for rounding are equal: the first class wins


def slots_for(n_outputs: int) -> dict[str, int]:
    """Return where things stand in `out`, behind the probabilities.

    >>> slots_for(2)
    {'LABEL': 2, 'NODE': 3, 'HEAVIEST': 4, 'PARTS': 5, 'MODELS': 6, 'TOTAL': 7, 'SCORES': 8}
    """
    names = ("LABEL", "NODE", "HEAVIEST", "PARTS", "MODELS", "TOTAL", "SCORES")
    return {name: n_outputs + i for i, name in enumerate(names)}


def at(name: str) -> Item:
    """Return an element of `out` by the name of its slot."""
    return Item("out", Name(name))


def score_place(k: Any) -> Any:
    """Return the place of score k, of which there are as many as classes."""
    return Item("out", plus(Name("SCORES"), k))


def answers_table(chances: Sequence[Sequence[float]], remarks: Sequence[str], what: str) -> Table:
    """Return the probabilities (or numbers), a line for each node."""
    flat = tuple(value for row in chances for value in row)
    return Table("ANSWERS", NUMBER, flat, what, len(chances[0]), tuple(remarks))


def adding(n_outputs: int, with_models: bool) -> list[Function]:
    """Return the functions by which a part of a row is added to `out`."""
    k = Name("k")
    node = plus(times(Name("node"), Whole(n_outputs)), k) if n_outputs > 1 else Name("node")
    add = (
        Loop("k", Whole(n_outputs), (
            Put(Item("out", k), plus(Item("out", k), times(Item("ANSWERS", node), Name("weight")))),
        )),
        Do(Call("note", (Name("node"), Name("weight"), Name("out")))),
        Return(Whole(0)),
    )  # fmt: skip
    note = (
        Put(at("PARTS"), plus(at("PARTS"), Number(1.0))),
        If((Branch(Binary(">", Name("weight"), at("HEAVIEST")), (
            Put(at("HEAVIEST"), Name("weight")),
            Put(at("NODE"), AsNumber(Name("node"))),
        )),)),
        Return(Whole(0)),
    )  # fmt: skip
    parameters = (("node", WHOLE), ("weight", NUMBER), ("out", NUMBERS))
    found = [
        Function("note", parameters, WHOLE, note, "Remember a part of the row: the heaviest names the node"),
        Function("add", parameters, WHOLE, add, "Add what a node says of a part of the row"),
    ]
    if with_models:
        found.append(_model_adding(n_outputs, parameters))
    return found


def _model_adding(n_outputs: int, parameters: Any) -> Function:
    """Return the function that adds what the model of a node says; its sums stand in the scores."""
    k, spread = Name("k"), Name("spread")
    n_sums = max(1, n_outputs - 1)
    body: list[Any] = [
        Let("spread", NUMBER, Number(0.0)),  # not a number as soon as a sum is none, or endless
        Loop("k", Whole(n_sums), (
            Put(spread, plus(spread, Binary("-", score_place(k), score_place(k)))),
        )),
        If((Branch(IsNaN(spread), (
            Return(Call("add", (Name("node"), Name("weight"), Name("out")))),
        )),)),
        Put(at("MODELS"), Number(1.0)),
    ]  # fmt: skip
    if n_outputs == 1:
        said = times(score_place(Whole(0)), Name("weight"))
        body.append(Put(Item("out", Whole(0)), plus(Item("out", Whole(0)), said)))
    else:
        body += _softmax(n_sums)
    body.append(Return(Call("note", (Name("node"), Name("weight"), Name("out")))))
    return Function("add_model", parameters, WHOLE, tuple(body), "Add what the model of a node says")


def _softmax(n_sums: int) -> list[Any]:
    """Return code that adds the shares e^score, of classes of which the first has the score 0."""
    k, top, total = Name("k"), Name("top"), Name("total")
    first = Item("out", Whole(0))
    one = Item("out", plus(k, Whole(1)))
    share = Binary("/", Exponential(Binary("-", Number(0.0), top)), total)
    return [
        Let("top", NUMBER, Number(0.0)),
        Loop("k", Whole(n_sums), (
            If((Branch(Binary(">", score_place(k), top), (Put(top, score_place(k)),)),)),
        )),
        Let("total", NUMBER, Exponential(Binary("-", Number(0.0), top))),
        Loop("k", Whole(n_sums), (
            Put(score_place(k), Exponential(Binary("-", score_place(k), top))),
            Put(total, plus(total, score_place(k))),
        )),
        Put(first, plus(first, times(share, Name("weight")))),
        Loop("k", Whole(n_sums), (
            Put(one, plus(one, times(Binary("/", score_place(k), total), Name("weight")))),
        )),
    ]  # fmt: skip


def best(n_classes: int, costs: Any, slack: float) -> tuple[list[Table], Function]:
    """Return the function that finds the label of `out`: the most probable, or that of least cost."""
    k, i, top = Name("k"), Name("i"), Name("top")
    tables = []
    body: list[Any] = []
    if costs is not None:
        flat = tuple(float(x) for row in costs for x in row)
        tables.append(
            Table("COSTS", NUMBER, flat, "What an error costs: a line for each true class", n_classes)
        )
        cost = times(Item("out", i), Item("COSTS", plus(times(i, Whole(n_classes)), k)))
        body.append(
            Loop("k", Whole(n_classes), (
                Put(score_place(k), Number(0.0)),
                Loop("i", Whole(n_classes), (Put(score_place(k), Binary("-", score_place(k), cost)),)),
            ))
        )  # fmt: skip
    else:
        body.append(Loop("k", Whole(n_classes), (Put(score_place(k), Item("out", k)),)))
    body += [
        Let("top", NUMBER, score_place(Whole(0))),
        Loop("k", Whole(n_classes), (
            If((Branch(Binary(">", score_place(k), top), (Put(top, score_place(k)),)),)),
        )),
        Loop("k", Whole(n_classes), (
            If((Branch(Binary(">=", score_place(k), Binary("-", top, Number(slack))), (Return(k),)),)),
        )),
        Return(Whole(0)),
    ]  # fmt: skip
    about = "The first of the classes with the least cost" if costs is not None else "The most probable class"
    return tables, Function("best", (("out", NUMBERS),), WHOLE, tuple(body), f"{about}, the first of equals")


def slack_of(costs: Any) -> float:
    """Return how far votes of a tree may lie apart and be equal.

    >>> slack_of(None), slack_of([[0, 1], [100, 0]])
    (1e-12, 1e-10)
    """
    return ALIKE if costs is None else ALIKE * max(1.0, max(float(x) for row in costs for x in row))


def cleared(n_out: int) -> list[Any]:
    """Return code that empties `out`; until it is said otherwise, the row is refused."""
    return [
        Loop("k", Whole(n_out), (Put(Item("out", Name("k")), Number(0.0)),)),
        Put(at("LABEL"), Number(-1.0)),
        Put(at("NODE"), Number(-1.0)),
    ]


def score_function(body: list[Any], about: str) -> Function:
    """Return the function that all else leads to."""
    return Function("score", (("row", ROW), ("out", NUMBERS)), WHOLE, tuple(body), about)


def labelled(label: Any) -> list[Any]:
    """Return code that notes the label and ends."""
    return [
        Let("label", WHOLE, label),
        Put(at("LABEL"), AsNumber(Name("label"))),
        Return(Name("label")),
    ]


def node_of_out() -> AsWhole:
    """Return the node that `out` names."""
    return AsWhole(at("NODE"))
