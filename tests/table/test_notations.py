"""Notations: what cells spell, what they do not, and the way into a file and back."""

import datetime as dt
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from treewright.table import Column, Kind, Schema, Table, align
from treewright.table.notations import find, notation_from
from treewright.table.notations.catalogue import NOTATIONS
from treewright.table.notations.clock import Clock
from treewright.table.notations.date import Date
from treewright.table.notations.duration import Duration
from treewright.table.notations.money import Money


def numbers(*texts, decimal="."):
    match = find(list(texts), np.ones(len(texts), dtype=np.int64), decimal)
    return None if match is None else match.numbers.tolist()


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (["1.234,56 €", "-7,00 €"], [1234.56, -7.0]),
        (["1.234 €", "999 €"], [1234.0, 999.0]),  # no money has three decimals
        (["EUR 5", "5 €"], [5.0, 5.0]),
        (["CHF 12'000", "CHF 7.50"], [12000.0, 7.5]),
        (["₹12,34,567", "₹1,000"], [1234567.0, 1000.0]),
        (["$(5.00)", "$7.00"], [-5.0, 7.0]),
        (["($5.00)", "$7.00"], [-5.0, 7.0]),
        (["38 %", "2,5%"], [38.0, 2.5]),
        (["1 234", "56"], [1234.0, 56.0]),
        (["1\u202f234,5", "6"], [1234.5, 6.0]),
        (["\u22125", "1,000"], [-5.0, 1000.0]),
        (["(123)", "4"], [-123.0, 4.0]),
        (["123-", "4"], [-123.0, 4.0]),
        (["70 kg", "8.5 kg"], [70.0, 8.5]),
        (["5 days", "1 day"], [5.0, 1.0]),
        (["90 min", "2 h"], [0.0625, 2 / 24]),
        (["31.01.2020", "1.2.2020"], [18292.0, 18293.0]),
        (["04/21/2021", "01/02/2021"], [18738.0, 18629.0]),
        (["31/12/99", "01/01/00"], [10956.0, 10957.0]),
        (["31. Januar 2020", "1 févr. 2020"], [18292.0, 18293.0]),
        (["Fri, 31 Jan 2020"], [18292.0]),
        (["2020-01", "2020-02"], [18262.0, 18293.0]),
        (["06:00", "18:00"], [0.25, 0.75]),
        (["06:00", "36:00"], [0.25, 1.5]),
    ],
)
def test_what_is_read(texts, wanted):
    found = numbers(*texts)
    assert found == wanted if wanted is None else found == pytest.approx(wanted)


@pytest.mark.parametrize(
    "texts",
    [
        ["A12", "A13"],  # codes
        ["Class 1", "Class 2"],
        ["10-20", "20-30"],
        ["1.2.3.4", "10.0.0.1"],
        ["5 €", "5 $"],  # two sizes of the same number
        ["70 kg", "300 g"],
        ["31.02.2020"],
        ["13/13/2020"],
        ["25:61"],
        ["1,23,4"],
        ["012.345", "123.456.7"],
        ["Monday 5"],
        ["3 times a week", "once"],
    ],
)
def test_what_is_not_read(texts):
    assert numbers(*texts) is None


def test_a_sign_for_decimals_follows_the_file():
    assert numbers("1.234", "x.y", decimal=",") is None
    assert numbers("1.234", "2,5", decimal=",") == [1234.0, 2.5]
    assert numbers("1,234", "2.5", decimal=".") == [1234.0, 2.5]


def strays(texts, counts):
    match = find(texts, np.array(counts))
    return None if match is None else match.notation.strays


def test_a_few_stray_words_are_gaps():
    assert strays(["1", "2", "oops"], [500, 500, 5]) == ("oops",)
    assert strays(["1", "2", "oops"], [500, 400, 50]) is None
    assert strays(["1", "2", "<5"], [500, 500, 1]) is None  # a word with digits says something
    assert strays(["1", "2", "unknown"], [50, 40, 10]) == ("unknown",)
    assert strays(["1", "unknown"], [1, 1]) is None
    assert strays(["31.01.2020", "k.A."], [9, 1]) == ("k.A.",)


@pytest.mark.parametrize("word", sorted(NOTATIONS))
def test_round_trip(word):
    plain = NOTATIONS[word](strays=("x",))
    assert notation_from(plain.to_dict()) == plain
    with pytest.raises(ValueError, match="no entry 'colour'"):
        notation_from({"word": word, "colour": "red"})
    with pytest.raises(ValueError, match="list of texts"):
        notation_from({"word": word, "strays": [1]})


@pytest.mark.parametrize(
    "stored",
    [
        None,
        {},
        {"word": "odd"},
        {"word": ["date"]},
        {"word": "date", "order": "dym"},
        {"word": "date", "resolution": "year"},
        {"word": "money", "decimal": ";"},
        {"word": "money", "grouping": 1},
    ],
)
def test_what_no_notation_is(stored):
    with pytest.raises(ValueError, match=r"."):
        notation_from(stored)


@given(st.dates(min_value=dt.date(1800, 1, 1)))
def test_every_date_is_shown_and_read_again(day):
    days = float(day.toordinal() - 719163)
    assert Date().to_text(days) == day.isoformat()
    assert Date().to_text(days + 0.5) == day.isoformat()  # a cut between two days
    for order, text in (("dmy", f"{day:%d.%m.}{day.year:04d}"), ("mdy", f"{day:%m/%d/}{day.year:04d}")):
        assert Date(order=order).numbers([text]) == [days]


@given(st.integers(min_value=0, max_value=86_399_999_999))
def test_every_time_is_shown_and_read_again(at):
    notation = Clock().fine([at / 86_400_000_000])
    text = notation.to_text(at / 86_400_000_000)
    assert notation.number(text) == pytest.approx(at / 86_400_000_000, abs=1e-11)


@given(st.integers(min_value=-(10**9), max_value=10**9))
def test_every_duration_is_shown_and_read_again(seconds):
    notation = Duration().fine([seconds / 86_400])
    text = notation.to_text(seconds / 86_400)
    assert notation.number(text) == pytest.approx(seconds / 86_400, abs=1e-9)


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=2))
def test_money_in_any_country_is_the_same(amount):
    size = float(amount)
    us = f"{abs(size):,.2f}"
    ways = {
        (".", ","): us,
        (",", "."): us.translate(str.maketrans(",.", ".,")),
        (".", "'"): us.replace(",", "'"),
        (",", " "): us.translate(str.maketrans(",.", " ,")),
    }
    for (decimal, grouping), text in ways.items():
        notation = Money(decimal=decimal, grouping=grouping, units=("€",))
        sign = "-" if size < 0 else ""
        assert notation.numbers([f"{sign}{text} €", f"€ {sign}{text}"]) == [size, size]


# ---- columns -----------------------------------------------------------------------------------------------


def test_values_beyond_the_calendar_are_numbers():
    assert Column("d", Kind.date).text_of(math.inf) == "inf"
    assert Column("d", Kind.date).text_of(1e9) == "1000000000"


def test_a_column_keeps_its_notation_in_a_file(tmp_path):
    rng = np.random.default_rng(3)
    days = rng.integers(18_000, 19_000, 200)
    texts = [f"{d.astype('M8[D]').item():%d/%m/%Y}" for d in days]
    path = tmp_path / "t.csv"
    price = [f"{p:.2f} €" for p in rng.random(200) * 100]
    rows = [f"{t},{p},{'a' if d < 18_500 else 'b'}" for t, p, d in zip(texts, price, days, strict=True)]
    path.write_text("when,price,y\n" + "\n".join(rows) + "\n", encoding="utf-8")
    tree = tw.grow(tw.read(path), "y", warns=False)
    assert tree.to_dict()["version"] == 5
    tree.save(tmp_path / "m")
    again = tw.load(tmp_path / "m")
    assert again == tree
    # One row alone could be month first; the tree knows better.
    first, second = again.predict(
        Table.from_dict({"when": ["03/04/2019", "02/12/2021"], "price": ["1.00 €", "5"]})
    )
    assert (first, second) == ("a", "b")


def test_new_rows_are_read_as_training_was():
    wanted = [Column("when", Kind.date, notation=Date(order="dmy"))]
    table = Table.from_dict({"when": ["03/04/2019", None]})
    assert align(table, wanted)[0].tolist()[0] == 17989.0
    moments = Table.from_dict({"when": np.array(["2019-04-03T18:00"], "M8[s]")})
    assert align(moments, wanted)[0].tolist() == [17989.0]  # the day that it is on
    serials = [Column("when", Kind.date, notation=Date(order="excel"))]
    assert align(Table.from_dict({"when": [43558.0]}), serials)[0].tolist() == [17989.0]
    with pytest.raises(
        ValueError, match="'when' was date in training, but here it is nominal and holds the text 'soon'"
    ):
        align(Table.from_dict({"when": ["soon"]}), wanted)


def test_parts_of_dates_are_made_again_for_new_rows(tmp_path):
    path = tmp_path / "t.csv"
    days = [np.datetime64("2020-01-01") + i for i in range(120)]
    rows = [f"{d},{'a' if d.item().weekday() > 4 else 'b'}" for d in days]
    path.write_text("when,y\n" + "\n".join(rows) + "\n")
    table = tw.read(path, parts={"when": ["weekday", "month", "hour", "days_since=2020-01-01"]})
    assert table.names == (
        "when",
        "when.weekday",
        "when.month",
        "when.hour",
        "when.days_since_2020-01-01",
        "y",
    )
    tree = tw.grow(table, "y", warns=False)
    assert tree.to_text().splitlines()[0] == "when.weekday"
    assert "<= Friday" in tree.to_text()
    assert tree.predict(tw.read(path)).tolist() == table.labels("y").tolist()
    with pytest.raises(ValueError, match="did you mean 'weekday'"):
        tw.read(path, parts={"when": ["weekdy"]})
    with pytest.raises(ValueError, match="'y' is nominal and has no parts"):
        tw.read(path, parts={"y": "year"})


def test_words_of_a_text_as_columns(tmp_path):
    path = tmp_path / "t.csv"
    rows = [
        f"{'please refund me' if i % 3 else 'all is well'} {i},{'a' if i % 3 else 'b'}" for i in range(90)
    ]
    path.write_text("note,y\n" + "\n".join(rows) + "\n")
    table = tw.read(path, text={"note": "bag"})
    assert table.names == ("note.all", "note.is", "note.me", "note.please", "note.refund", "note.well", "y")
    assert table.schema["note.refund"].kind == "boolean"
    tree = tw.grow(table, "y", warns=False)
    assert tree.predict(Table.from_dict({"note": ["please, a refund", "all is well"]})).tolist() == ["a", "b"]
    assert tw.Tree.from_dict(tree.to_dict()) == tree


GOLDEN = Path(__file__).parents[1] / "golden" / "tree-v5.treewright"


def test_a_file_of_version_5_is_read():
    """A tree on a date, money, a part of the date and a word of a text, as it was first written."""
    tree = tw.load(GOLDEN)
    assert [column.kind.value for column in tree.schema.columns] == ["date", "ordinal", "numeric", "boolean"]
    assert tree.schema["price"].notation == Money(decimal=",", grouping=".", units=("€",), strays=("k.A.",))
    rows = {
        "when": ["03.04.2019", "03.04.2021"],
        "price": ["1.234,50 €", "k.A."],
        "note": ["a refund", "fine"],
    }
    assert tree.predict(Table.from_dict(rows)).tolist() == ["a", "b"]
    assert "<= 2020-02-03" in tree.to_text()
    row = {"when": "05.12.2020", "price": "5,00 €", "note": "refund"}
    assert "when.weekday from Saturday to Friday" in str(tree.explain(row))
    assert tw.Tree.from_dict(tree.to_dict()) == tree


def test_dates_in_intervals_are_shown_as_dates():
    rng = np.random.default_rng(4)
    days = rng.integers(18_000, 19_000, 200)
    table = Table.from_dict({"when": days.astype("M8[D]"), "y": np.where(days < 18_500, "a", "b")})
    tree = tw.grow(table, "y", "id3", discretise="mdlp", warns=False)
    first = tree.to_text().splitlines()[1]
    assert "<= 2020-08-2" in first
    assert "when <= 2020-08-2" in tree.rules().to_text()
    assert "DATE '2020-08-2" in tree.rules().to_text("sql")
    assert tw.Tree.from_dict(tree.to_dict()) == tree
    assert tree.predict(table).tolist() == table.labels("y").tolist()


def test_schema_of_notations_round_trips():
    schema = Schema((Column("d", Kind.date), Column("p", Kind.numeric, notation=Money(units=("€",)))))
    assert Schema.from_dict(schema.to_dict()) == schema
    with pytest.raises(ValueError, match="notation is for date"):
        Column("x", Kind.numeric, notation=Date())


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (["(5,50) €", "7,00 €"], [-5.5, 7.0]),
        (["12,-", "1.250,--"], [12.0, 1250.0]),
        (["Fr. 1'200.--", "CHF 12\u2019000.\u2013"], [1200.0, 12000.0]),
        (["$ -", "$ 1,250.00"], [0.0, 1250.0]),
        (["%32.5", "%8"], [32.5, 8.0]),
        (["32.5 m2", "8 m2"], [32.5, 8.0]),
        (["70 kg", "8.5kg", "9 kg", "12"], [70.0, 8.5, 9.0, 12.0]),
        (["07.45 Uhr", "19.30 Uhr"], [0.3229166667, 0.8125]),
        (["7h45", "19h30"], [0.3229166667, 0.8125]),
        (["7h45", "36h00"], [0.3229166667, 1.5]),
        (["8 pm", "9 am"], [20 / 24, 9 / 24]),
        (["17-04-12", "18-04-30", "17-05-01"], [17268.0, 17651.0, 17287.0]),
        (["12Apr2017", "01-Apr-2017", "12/Apr/2017"], [17268.0, 17257.0, 17268.0]),
        (["2017-Apr-12", "2017 May 1"], [17268.0, 17287.0]),
        (["12 de abril de 2017", "1er avril 2017"], [17268.0, 17257.0]),
        (["12 kwietnia 2017", "12 апреля 2017", "12 dubna 2017"], [17268.0] * 3),
        (["2017年4月12日", "2017년 4월 12일"], [17268.0] * 2),
        (["Apr-17", "May-17"], [17257.0, 17287.0]),
        (["2017-Q2", "Q1 2018"], [17257.0, 17532.0]),
        (["2017-W15", "2017-W15-3", "KW 15/2017"], [17266.0, 17268.0, 17266.0]),
        (["Wed Apr 12 06:00:00 2017"], [17268.25]),
        (["12/Apr/2017:06:00:00 +0000", "20170412T060000Z", "2017-04-12 07:00 CET"], [17268.25] * 3),
        (["12.04.2017 um 06:00"], [17268.25]),
    ],
)
def test_more_that_is_read(texts, wanted):
    assert numbers(*texts) == pytest.approx(wanted)


@pytest.mark.parametrize("word", ["#DIV/0!", "\u2013", "\u2014", "non renseigné", "keine Angaben"])
def test_words_for_nothing(word):
    texts = [f"{i}.5" for i in range(19)] + [word]
    match = find(sorted(texts), np.ones(20, dtype=np.int64))
    assert match.notation.strays == (word,)


def test_a_dash_among_postcodes_takes_no_zeros_off(tmp_path):
    path = tmp_path / "towns.csv"
    path.write_text("code,size\n00123,1\n04567,2\n01234,3\n02345,4\n07890,5\n-,6\n")
    assert tw.read(path).to_dict()["code"] == ["00123", "04567", "01234", "02345", "07890", "-"]
    assert tw.read(path, numeric=["code"]).to_dict()["code"] == [123.0, 4567.0, 1234.0, 2345.0, 7890.0, None]
