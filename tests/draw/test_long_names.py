"""Names of any length cost no more than their length: in pictures, listings, rules, reports, explanations."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from treewright.base import cells as terminal
from treewright.base.names import nearest
from treewright.paint import font
from treewright.paint.font import fits, measure, shortened, wrapped

LONG = 100_000
PLACES = ("column", "category", "class", "target")
# Many letters in many orders: nothing repeats that a search for likeness could pass over.
LETTERS = "".join(chr(0x4E00 + i * 37 % 4001) for i in range(4001))
KINDS = {"one word": "w", "words": "seven and ", "letters of many kinds": LETTERS}


def long_name(kind: str, n: int) -> str:
    return (KINDS[kind] * (n // len(KINDS[kind]) + 1))[: n - 1] + "z"


def table(place: str, name: str) -> tuple[tw.Table, str]:
    """A table of 40 rows in which the names of one kind are long, and its target."""
    column, target = (name + "x" if place == there else there for there in ("column", "target"))
    categories = [name + str(i) if place == "category" else f"c{i}" for i in range(5)]
    classes = [name + str(i) if place == "class" else f"k{i}" for i in range(3)]
    rows = range(40)
    cells = {
        column: list(rows),
        "c": [categories[i % 5] for i in rows],
        target: [classes[(i // 10 + (i % 5 == 2)) % 3] for i in rows],
    }
    return tw.Table.from_dict(cells), target


def show_all(rows: tw.Table, tree: tw.Tree, folder) -> None:
    """All that a person may ask to see of a tree."""
    tree.to_text()
    repr(tree)
    for form in ("text", "md", "json", "sql"):
        tree.rules().to_text(form)
    picture = tree.plot()
    picture.to_svg()
    picture.to_pdf()
    picture.to_text()
    tree.plot(direction="outline", width=300).to_svg()
    tree.report(folder / "report.html", rows)
    str(tree.explain(rows.take(np.array([3]))))
    with pytest.raises(ValueError, match="not in this table"):
        tree.predict(tw.Table.from_dict({"x": [1.0]}))
    unknown = long_name("words", len(rows.schema.columns[1].categories[0]))
    str(tree.explain({name: unknown if name == "c" else 7 for name in tree.schema.names}))


def calls(work) -> int:
    """How many calls of functions, and steps of generators, some work takes."""
    n = 0

    def count(frame, event, arg) -> None:
        nonlocal n
        n += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return n


@pytest.mark.parametrize("place", PLACES)
def test_calls_grow_no_faster_than_names(place, tmp_path):
    def work(n: int):
        rows, target = table(place, long_name("words", n))
        tree = tw.grow(rows, target=target, max_depth=3)
        return lambda: show_all(rows, tree, tmp_path)

    calls(work(50))  # what is made once
    assert calls(work(1200)) <= 2.2 * calls(work(600))


@pytest.mark.parametrize("n", [LONG // 5, pytest.param(LONG, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", PLACES)
def test_names_of_very_many_letters_are_shown(place, kind, n, tmp_path):
    rows, target = table(place, long_name(kind, n))
    tree = tw.grow(rows, target=target, max_depth=3)
    show_all(rows, tree, tmp_path)
    assert max(len(text.words) for text in tree.plot().texts) < 200


def test_a_line_is_measured_no_further_than_it_is_seen(monkeypatch):
    """Of a name, the letters that fit into the room are measured, not those behind."""
    measured = []
    plain = font.advance

    def counted(character, bold=False):
        measured.append(character)
        return plain(character, bold)

    monkeypatch.setattr(font, "advance", counted)
    room = 180.0
    for cut in (shortened, lambda *given: wrapped(*given, most=3)):
        counts = []
        for n in (1_000, LONG):
            measured.clear()
            cut("w" * n, room, 12)
            counts.append(len(measured))
        assert counts[0] == counts[1] < 1_000


def one_by_one(words: str, room: float, size: float, bold: bool = False) -> str:
    """What `shortened` gives, by dropping a letter at a time and measuring again."""
    if measure(words, size, bold) <= room:
        return words
    while words and measure(words + "…", size, bold) > room:
        words = words[:-1].rstrip()
    return words + "…"


@given(
    words=st.text(st.sampled_from("iW .,-日\u0301\u200b_a"), max_size=30),
    room=st.floats(-5, 200),
    size=st.sampled_from([9.0, 11.0, 12.0, 16.0]),
    bold=st.booleans(),
)
def test_a_cut_is_the_longest_that_fits(words, room, size, bold):
    assert shortened(words, room, size, bold) == one_by_one(words, room, size, bold)
    assert fits(words, room, size, bold) == (measure(words, size, bold) <= room)


@given(
    words=st.text(st.sampled_from("iW 日\u0301"), max_size=12), room=st.integers(0, 14), ascii=st.booleans()
)
def test_so_it_is_in_a_terminal(words, room, ascii):  # noqa: A002
    dots, cut = "..." if ascii else "…", words
    while cut and terminal.cells(cut) + len(dots) > room:
        cut = cut[:-1]
    expected = words if terminal.cells(words) <= room else cut + dots
    assert terminal.cut(words, room, ascii) == expected


def test_a_slip_in_a_long_name_is_not_searched_for():
    """difflib takes the square of the length: beyond some length only letter case is overlooked."""
    name = long_name("letters of many kinds", LONG)
    assert nearest(name + "!", [name, "age"]) is None
    assert nearest(("a" + name).upper(), ["A" + name.lower(), "age"]) == "A" + name.lower()
    assert nearest("aeg", [name, "age"]) == "age"
