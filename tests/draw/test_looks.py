"""What a person looking at pictures has found fault with, once and never again."""

import treewright as tw
from tests.draw.looking import faults
from treewright.paint.font import advance, drawn, wrapped

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


def test_long_names_of_classes_go_on_in_the_next_line():
    names = ["late delivery more than thirty days after the agreed date", "on time"]
    table = tw.Table.from_dict(
        {"the number of days between the order and its confirmation": range(40), "y": names * 20}
    )
    for width in (1400, 360):
        picture = tw.grow(table, target="y", max_leaves=5, min_leaf=5).plot(width=width)
        assert not any("…" in words for words in texts(picture))
        assert faults(picture) == []


def test_an_answer_of_one_name_has_no_quotes_and_one_of_several_has():
    table = tw.Table.from_dict({"where": ["a, b", "c, d", "e", "f"] * 10, "y": list("nyyy") * 10})
    shown = texts(tw.grow(table, target="y").plot())
    assert "a, b" in shown
    assert not any("'a, b'" in words for words in shown)
    several = tw.Table.from_dict({"where": ["a, b", "c, d", "e", "f"] * 10, "y": list("nnyy") * 10})
    assert any("'a, b', 'c, d'" in words for words in texts(tw.grow(several, target="y").plot()))


def test_two_characters_that_the_font_lacks_do_not_look_the_same():
    assert drawn("\u6771") != drawn("\u4eac")
    for character in "\u6771\U0001f600\u0627":
        points = [step[1:] for step in drawn(character) if len(step) > 1]
        across = [x for point in points for x in point[::2]]
        assert 0 <= min(across) <= max(across) <= advance(character)


def test_the_second_line_breaks_between_its_clauses():
    table = tw.example("iris")
    lines = texts(tw.grow(table, target="class", max_leaves=3).plot(None, table))
    assert "grown on 150 rows (training accuracy 96 %);" in lines
    assert "150 rows held out (test accuracy 96 %)" in lines


def test_the_key_is_never_cut():
    tree = tw.grow(tw.example("iris").drop("class"), target="petalwidth", max_leaves=4)
    words = " ".join(texts(tree.plot(width=240)))
    assert "mean and spread, between" in words
    assert "…" not in words


def test_days_tell_the_ends_of_moments_apart():
    hours = [f"2023-0{month}-11 1{hour}:30" for month in range(1, 9) for hour in range(8)]
    table = tw.Table.from_dict({"at": hours, "y": ["old"] * 32 + ["new"] * 32}, kinds={"at": "date"})
    shown = texts(tw.grow(table, target="y").plot(distributions=table))
    assert not any("…" in word for word in shown)


def test_a_model_says_how_wrong_it_is_on_rows_held_out():
    table = tw.example("iris")
    shown = texts(tw.grow(table, target="class", recipe="cart", leaves="logistic").plot(None, table))
    assert any("held out: " in words and "error" in words for words in shown)


def test_bars_of_categories_are_not_called_histograms():
    table = tw.example("tennis")
    words = " ".join(texts(tw.grow(table, target="PlayTennis", recipe="id3").plot(distributions=table)))
    assert "bars: rows by category" in words
    assert "histograms" not in words


def test_the_legend_names_the_answer() -> None:
    table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": [1.0, 2.0, 9.0, 8.0]})
    for criterion, answer in (("absolute_error", "median"), ("squared_error", "mean")):
        assert f"{answer} and spread" in tw.grow(table, "y", criterion=criterion).plot().to_svg()
