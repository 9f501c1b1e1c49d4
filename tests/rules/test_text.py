"""Rules to read: text, Markdown, columns."""

from __future__ import annotations

import pytest

import treewright as tw
from tests.rules.samples import grown, mixed_table
from treewright.rules import Condition, Rule, RuleSet
from treewright.table import Column, Kind, Schema


def test_c45rules_as_text() -> None:
    golf = tw.example("tennis")
    tree = tw.grow(golf, target="PlayTennis", recipe="c4.5", prune="none")
    assert tw.rules.c45rules(tree, golf).to_text().splitlines() == [
        "5 rules for PlayTennis; the first that matches decides",
        "",
        "1. IF Outlook = Sunny AND Humidity = High",
        "   THEN No  (3 rows, confidence 100 %, lift 2.800, expected error 37.0 %)",
        "2. IF Outlook = Rainy AND Wind = Strong",
        "   THEN No  (2 rows, confidence 100 %, lift 2.800, expected error 50.0 %)",
        "3. IF Outlook = Overcast",
        "   THEN Yes  (4 rows, confidence 100 %, lift 1.556, expected error 29.3 %)",
        "4. IF Humidity = Normal",
        "   THEN Yes  (7 rows, confidence 86 %, lift 1.333, expected error 33.8 %)",
        "5. IF Outlook = Rainy AND Wind = Weak",
        "   THEN Yes  (3 rows, confidence 100 %, lift 1.556, expected error 37.0 %)",
        "   OTHERWISE Yes",
    ]


def test_gaps_are_told_where_training_had_some() -> None:
    rows = tw.Table.from_dict({"x": [1, 2, 3, None], "z": [1, 1, 2, 2], "y": ["a", "b", "b", "b"]})
    rules = tw.grow(rows, target="y").rules()
    assert "x > 1.5 or missing" in rules.to_text()
    whole = tw.grow(rows.take([0, 1, 2]), target="y").rules()
    assert "missing" not in whole.to_text()
    assert "missing" in whole.to_text(full=True)


def test_fallbacks_are_told_in_full_only() -> None:
    rules = grown("classes", recipe="id3", max_depth=1).rules()
    assert "stops on its way" not in rules.to_text()
    full = rules.to_text(full=True)
    assert "For values that the tree does not know, where it stops on its way:" in full
    assert "is unseen" in full
    assert "THEN no answer" in full  # of gaps, which ID3 refuses
    assert "| stop |" in rules.to_text("md", full=True)


def test_numbers_and_ascii() -> None:
    rules = tw.grow(mixed_table(gaps=0).drop("label"), target="score", max_depth=1).rules()
    assert " ± " in rules.to_text()
    assert rules.to_text(ascii=True).isascii()
    assert " +/- " in rules.to_text(ascii=True)


def test_markdown_escapes_what_would_break_the_table() -> None:
    schema = Schema((Column("a|b", Kind.nominal, ("x|y", "z")),))
    rule = Rule((Condition("a|b", categories=("x|y",)),), "p|q", (1.0, 0.0), 1.0, 0.0, 2.0, 0.25)
    rules = RuleSet(rules=(rule,), schema=schema, target=Column("t", Kind.nominal, ("p|q", "r")), default="r")
    assert rules.to_text("md").splitlines()[2:] == [
        "| | if | then | rows | confidence | lift | expected error |",
        "|---:|---|---|---:|---:|---:|---:|",
        r"| 1 | a\|b = x\|y | p\|q | 1 | 100 % | 2.000 | 25.0 % |",
        "| | otherwise | r | | | | |",
    ]


def test_columns_for_frames() -> None:
    tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    for backend in ("pandas", "polars", "pyarrow"):
        frame = tree.rules().to_frame(backend)
        names = list(getattr(frame, "column_names", None) or frame.columns)
        assert names[:4] == ["rule", "conditions", "n_tests", "prediction"]
        assert names[-2:] == ["weight of Yes", "weight of No"]
    frame = tree.rules().to_frame("pandas")
    assert frame["support"].sum() == 14
    assert frame["conditions"][0] == "Outlook = Sunny AND Humidity = High"


def test_an_unknown_format() -> None:
    rules = grown("classes", max_depth=1).rules()
    with pytest.raises(ValueError, match="format='xml' is not one of 'text', 'md', 'json', 'sql'"):
        rules.to_text("xml")
