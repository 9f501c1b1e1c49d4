from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import tree as oracle
from treewright.tree import split
from treewright.tree.split import Style, name, number

NAN = float("nan")
COLOURS = oracle.SCHEMA.columns[1].categories
ALL_BUT_RED = "in {green, blue, grey, black, white}"
EACH = [(i, i) for i in range(6)]


def asked(column: int, n_branches: int = 2, *, cut=NAN, codes=(), missing=-1, largest=0, unseen="fractional"):
    """The root's test with leaves under it."""
    root = oracle.Nested([1.0, 1, 1], 0, 3, [oracle.Nested([1.0, 0, 0], 0, 1) for _ in range(n_branches)])
    root.column, root.kind, root.cut = column, 2 if codes else 1, cut
    root.codes, root.missing, root.largest = list(codes), missing, largest
    return oracle.to_tree(root, oracle.CLASSES, about={"unseen": unseen})


def halves(*left: int, n: int = 6):
    return [(code, 0 if code in left else 1) for code in range(n)]


CASES = [
    ("a cut", asked(0, cut=77.5), ("<= 77.5", "> 77.5")),
    ("a whole cut", asked(0, cut=54.0), ("<= 54", "> 54")),
    ("missing goes left", asked(0, cut=0.1, missing=0), ("<= 0.1 or missing", "> 0.1")),
    ("missing apart", asked(0, 3, cut=1.0, missing=2), ("<= 1", "> 1", "is missing")),
    ("known or not", asked(0, cut=math.inf, missing=1), ("is known", "is missing")),
    ("below everything", asked(0, cut=-math.inf, missing=0), ("<= -inf or missing", "> -inf")),
    ("infinite values", asked(0, cut=math.inf, missing=0), ("<= inf or missing", "> inf")),
    ("ordinal", asked(2, cut=1.0), ("<= M", "> M")),
    ("ordinal between ranks", asked(2, cut=1.5, missing=1), ("<= M", "> M or missing")),
    ("ordinal known or not", asked(2, cut=3.0, missing=1), ("is known", "is missing")),
    ("ordinal out of range", asked(2, cut=-1.0), ("<= -1", "> -1")),
    ("boolean cut", asked(3, cut=0.5), ("= False", "= True")),
    ("boolean values", asked(3, codes=[(0, 0), (1, 1)], missing=1), ("= False", "= True or missing")),
    ("multiway", asked(1, 6, codes=EACH), tuple(f"= {c}" for c in COLOURS)),
    (
        "multiway and missing",
        asked(3, 3, codes=[(0, 0), (1, 1)], missing=2),
        ("= False", "= True", "is missing"),
    ),
    ("unseen divides", asked(1, codes=halves(0)), ("= red", ALL_BUT_RED)),
    ("unseen goes along", asked(1, codes=halves(0), largest=1, unseen="most_common"), ("= red", "!= red")),
    ("unseen goes left", asked(1, codes=halves(0), largest=0, unseen="most_common"), ("= red", ALL_BUT_RED)),
    (
        "unseen refused",
        asked(1, codes=halves(0, 3), unseen="error"),
        ("in {red, grey}", "not in {red, grey}"),
    ),
    (
        "unseen as missing",
        asked(1, codes=halves(0, 3), unseen="missing", missing=1),
        ("in {red, grey}", "not in {red, grey} or missing"),
    ),
    (
        "half and half",
        asked(1, codes=halves(0, 1, 2), unseen="error"),
        ("in {red, green, blue}", "in {grey, black, white}"),
    ),
    (
        "not all known here",
        asked(1, codes=[(0, 0), (1, 1), (2, 1)], unseen="error"),
        ("= red", "in {green, blue}"),
    ),
    ("values or missing", asked(1, codes=halves(*range(6)), missing=1), ("is known", "is missing")),
]


@pytest.mark.parametrize(("tree", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_answers(tree, expected):
    assert split.answers(tree, 0) == expected
    assert split.question(tree, 0) == oracle.SCHEMA.columns[tree.column[0]].name
    assert split.answers(tree, 1) == ()
    assert split.question(tree, 1) == ""


def test_long_sets_are_folded():
    tree = asked(1, codes=halves(0))
    assert split.answers(tree, 0, Style(most=2))[1] == "in {green, blue, … 3 more}"
    assert split.answers(tree, 0, Style(most=2, ascii=True))[1] == "in {green, blue, ... 3 more}"
    assert (
        split.answers(tree, 0, Style(most=4))[1] == "in {green, blue, grey, black, white}"
    )  # "1 more" is no shorter


@given(st.floats(allow_nan=False))
def test_the_number_printed_is_the_number_used(x):
    assert float(number(x)) == x
    assert not number(x).endswith(".0")


@given(st.text())
def test_names_stay_on_their_line(text):
    assert name(text).isprintable()
    assert name(text, Style(ascii=True)).isascii()
    assert len(name(text, Style(longest=10))) <= 10 * 10 + 2


def test_names():
    assert name("Größe") == "Größe"
    assert name("Größe", Style(ascii=True)) == "'Gr\\xf6\\xdfe'"
    assert name("Bachelor's") == "Bachelor's"
    assert name("'a'") == "\"'a'\""
    assert name("a → b") == "'a → b'"
    assert name("\x1b[31mred") == "'\\x1b[31mred'"
    assert name("x" * 100, Style(longest=10)) == "xxxxxxxxx…"
