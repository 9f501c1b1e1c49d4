"""What a person looking at pictures has found fault with, once and never again."""

import treewright as tw
from treewright.draw.font import wrapped

LONG = "Department of Energy and Mineral Resources"


def texts(picture):
    return [text.words for text in picture.texts]


def rows(names):
    return tw.Table.from_dict({"where": names * 10, "y": ["a, b", "c", "c"] * 10})


def test_a_histogram_of_dates_ends_in_dates():
    days = [f"20{year}-0{month}-11" for year in range(10, 20) for month in range(1, 9)]
    table = tw.Table.from_dict({"joined": days, "y": ["old"] * 40 + ["new"] * 40}, kinds={"joined": "date"})
    shown = texts(tw.grow(table, target="y").plot(distributions=table))
    assert any(word.startswith(("2009-", "2010-")) for word in shown)
    assert not any(word.isdigit() and len(word) == 5 for word in shown)


def test_names_at_bars_are_whole_while_there_is_room():
    table = rows([LONG, "x", "z"])
    shown = texts(tw.grow(table, target="y").plot(distributions=table))
    assert shown.count(LONG) >= 1
    assert not any(word.startswith("Dep") and word.endswith("…") for word in shown)


def test_a_name_with_a_comma_that_stands_alone_has_no_quotes():
    shown = texts(tw.grow(rows(["u", "v", "w"]), target="y").plot())
    assert "a, b" in shown
    assert "'a, b'" not in shown


def test_a_number_and_its_per_cent_sign_are_on_one_line():
    for room in range(60, 240, 3):
        assert not any(line.startswith("%") for line in wrapped("an accuracy of 98 % here, 97 %", room, 11))
