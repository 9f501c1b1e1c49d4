"""The functions that walk a row through trees as tables (`flow.py` says what the tables hold)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treewright.export.code.flow import DIVIDE, FLAGS, JUMPS, LEAF, Flow
from treewright.export.code.program import (
    MEASURE,
    NUMBER,
    NUMBERS,
    WHOLE,
    WHOLES,
    Binary,
    Branch,
    Call,
    Code,
    Do,
    Field,
    Function,
    If,
    Item,
    Let,
    LetWholes,
    Loop,
    Measured,
    Name,
    NoMeasure,
    Put,
    Return,
    Table,
    While,
    Whole,
    plus,
    times,
)

_TEST = (
    "Of each entry: 16 * column + 1 (asks for a set) + 2 (gaps take NO) + 4 (new categories take NO) + 8 "
    "(see JUMPS); -1 a leaf, -2 refused, -3 divided"
)
_JUMPS = (
    "How far to go on: yes, no, never seen, missing; of a division how many parts, then a jump and a share "
    "for each"
)
AT, TEST, VALUE, SIDE, X = Name("at"), Name("test"), Name("value"), Name("side"), Name("coded")


def tables_of(flow: Flow, fields: Sequence[Field]) -> list[Table]:
    """Return the tables, those that hold something."""
    words = [f"{field.name}: {len(cuts)}" for field, cuts in zip(fields, flow.cuts, strict=True) if cuts]
    cuts = tuple(cut for of_field in flow.cuts for cut in of_field)
    whole = [
        ("ROOTS", flow.roots, "Where each tree begins"),
        ("TEST", flow.test, _TEST),
        ("ARG", flow.arg, "Of each entry: the rank asked for, or where its set begins; of a leaf its answer"),
        ("NO", flow.no, "Of each entry: how far to go on where the answer is no; yes is the next entry"),
        ("JUMPS", flow.jumps, _JUMPS),
        ("SIDES", flow.sides, "Sets of categories, by place: 0 yes, 1 no, 2 not known there"),
    ]  # fmt: skip
    found = [Table("CUTS", MEASURE, cuts, f"Thresholds, column by column ({', '.join(words)})")]
    found += [Table(name, WHOLE, tuple(values.tolist()), about) for name, values, about in whole]
    found.append(Table("SHARES", NUMBER, flow.shares, "Shares of divided rows"))
    return [table for table in found if table.values]


def codes_of(flow: Flow, fields: Sequence[Field]) -> LetWholes:
    """Return code that makes whole numbers of the cells of a row."""
    values: list[Any] = []
    first = 0
    for field, cuts in zip(fields, flow.cuts, strict=True):
        if field.kind == "number":
            values.append(Call("rank", (Measured(field), Whole(first), Whole(first + len(cuts)))))
        else:
            values.append(Code(field))
        first += len(cuts)
    return LetWholes("coded", tuple(values))


def walkers(flow: Flow, in_parts: bool) -> list[Function]:
    """Return the functions: the rank of a number, and the way of a row through one tree."""
    found = [_rank()] if any(flow.cuts) else []
    parameters = [("root", WHOLE), ("coded", WHOLES)]
    if in_parts:
        parameters += [("weight", NUMBER), ("out", NUMBERS)]
    body: list[Any] = [
        Let("at", WHOLE, Name("root")),
        Let("test", WHOLE, Item("TEST", AT)),
        While(Binary(">=", TEST, Whole(0)), (*_step(flow), Put(TEST, Item("TEST", AT)))),
    ]
    is_leaf = Binary("==", TEST, Whole(LEAF))
    if not in_parts:
        body.append(If((Branch(is_leaf, (Return(Item("ARG", AT)),)),)))
    else:
        add = Do(Call("add", (Item("ARG", AT), Name("weight"), Name("out"))))
        branches = [Branch(is_leaf, (add, Return(Whole(0))))]
        if flow.divides:
            branches.append(Branch(Binary("==", TEST, Whole(DIVIDE)), _divided()))
        body.append(If(tuple(branches)))
    body.append(Return(Whole(-1)))
    what = "adds what it ends in to out" if in_parts else "gives the place of what its leaf says"
    about = f"Walk a row, as whole numbers, down one tree: {what}; -1 where the row is refused"
    return [*found, Function("walk", tuple(parameters), WHOLE, tuple(body), about)]


def _rank() -> Function:
    value, low, high, middle = Name("value"), Name("low"), Name("high"), Name("middle")
    body = (
        If((Branch(NoMeasure(value), (Return(Whole(-1)),)),)),
        Let("low", WHOLE, Name("first")),
        Let("high", WHOLE, Name("last")),
        While(Binary("<", low, high), (
            Let("middle", WHOLE, Binary("//", plus(low, high), Whole(2))),
            If((Branch(Binary("<", Item("CUTS", middle), value), (Put(low, plus(middle, Whole(1))),)),),
               (Put(high, middle),)),
        )),
        Return(Binary("-", low, Name("first"))),
    )  # fmt: skip
    parameters = (("value", MEASURE), ("first", WHOLE), ("last", WHOLE))
    about = "How many thresholds, from first up to last, are less than a number; -1 if it is missing"
    return Function("rank", parameters, WHOLE, body, about)


def _step(flow: Flow) -> list[Any]:
    """Return code that goes on from one entry to the next one."""
    flags = Binary("%", TEST, Whole(FLAGS))
    has_sets = bool(len(flow.sides))
    compared = If((Branch(Binary(">", VALUE, Item("ARG", AT)), (Put(SIDE, Whole(1)),)),))
    known: Any = compared
    if has_sets:
        is_set = Binary("==", Binary("%", TEST, Whole(2)), Whole(1))
        known = If((Branch(is_set, (Put(SIDE, Item("SIDES", plus(Item("ARG", AT), VALUE))),)),), (compared,))
    go = If((Branch(Binary("==", SIDE, Whole(0)), (Put(AT, plus(AT, Whole(1))),)),),
            (Put(AT, plus(AT, Item("NO", AT))),))  # fmt: skip
    flagged: list[Any] = [
        If((
            Branch(Binary("==", SIDE, Whole(3)), (Put(SIDE, _bit(flags, 2)),)),
            Branch(Binary("==", SIDE, Whole(2)), (Put(SIDE, _bit(flags, 4)),)),
        )),
        go,
    ]  # fmt: skip
    jump = Put(AT, plus(AT, Item("JUMPS", plus(Item("NO", AT), SIDE))))
    onward: list[Any] = flagged
    if len(flow.jumps):
        has_jumps = Binary("==", _bit(flags, JUMPS), Whole(1))
        onward = [If((Branch(has_jumps, (jump,)),), tuple(flagged))]
    return [
        Let("value", WHOLE, Item("coded", Binary("//", TEST, Whole(FLAGS)))),
        Let("side", WHOLE, Whole(0)),
        If((Branch(Binary("<", VALUE, Whole(0)), (Put(SIDE, plus(VALUE, Whole(4))),)),), (known,)),
        *onward,
    ]


def _bit(flags: Any, bit: int) -> Binary:
    return Binary("%", Binary("//", flags, Whole(bit)), Whole(2))


def _divided() -> tuple[Any, ...]:
    """Return code that sends a part of the row down each branch."""
    first, k = Name("first"), Name("k")
    place = plus(first, plus(Whole(1), times(Whole(2), k)))
    child = plus(AT, Item("JUMPS", place))
    share = Item("SHARES", Item("JUMPS", plus(place, Whole(1))))
    call = Call("walk", (child, X, times(Name("weight"), share), Name("out")))
    return (
        Let("first", WHOLE, Item("ARG", AT)),
        Loop("k", Item("JUMPS", first), (If((Branch(Binary("<", call, Whole(0)), (Return(Whole(-1)),)),)),)),
        Return(Whole(0)),
    )
