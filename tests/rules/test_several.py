"""Rules with conditions on several columns: they answer as the tree does, in Python, SQL, words and files."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.rules.samples import grown, mixed_table, random_columns
from tests.rules.test_from_tree import judge
from tests.rules.test_sql import run, run_in_sqlite
from treewright.explain.fired import explain_rules
from treewright.rules import Condition, Rule, RuleSet, SumCondition, SumTerm
from treewright.rules.decide import decided
from treewright.table import Column, Kind, Schema

# Rows here hold categories that training never met on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*training never met:treewright.DataWarning")

WAYS: dict[str, dict[str, Any]] = {
    "linear": {"splits": "linear", "linear_search": "fitted"},
    "indicator": {"splits": "linear", "linear_categories": "indicator", "linear_search": "fitted"},
    "impact": {"splits": "linear", "linear_categories": "impact", "linear_search": "fitted"},
    "conjunction": {"splits": "conjunction"},
    "m_of_n": {"splits": "m_of_n"},
}
POLICIES = [
    ("learned", "most_common"),
    ("fractional", "fractional"),
    ("surrogate", "missing"),
    ("most_common", "stop_here"),
    ("fractional", "error"),
    ("error", "missing"),
    ("error", "fractional"),
]


def several(way: str, missing: str, unseen: str, task: str = "classes", depth: int = 3) -> Any:
    settings = {**WAYS[way], "missing": missing, "unseen": unseen, "max_depth": depth, "prune": "none"}
    return grown(task, linear_penalty=0.001, **settings)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("missing", "unseen"), POLICIES)
def test_they_answer_as_the_tree_does(way: str, missing: str, unseen: str) -> None:
    tree = several(way, missing, unseen)
    assert tree.has_sums
    n_taken = judge(tree, random_columns(tree, 4000, seed=1))
    assert n_taken == 4000 or "error" in (missing, unseen)


@pytest.mark.parametrize("way", ["indicator", "m_of_n"])
def test_so_do_those_for_numbers(way: str) -> None:
    tree = several(way, "fractional", "stop_here", "numbers")
    assert judge(tree, random_columns(tree, 3000, seed=2)) == 3000


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("missing", "unseen"), POLICIES[:4])
def test_databases_give_the_same_answers(way: str, missing: str, unseen: str) -> None:
    tree = several(way, missing, unseen, depth=2)
    rules = tree.rules()
    columns = random_columns(tree, 300, seed=3)
    found = decided(rules, columns, 300)
    wanted = [tree.classes[label] for label in found.labels]
    assert run(rules, columns) == wanted
    assert run_in_sqlite(rules, columns) == wanted


def test_one_sum_is_one_condition_however_often_it_is_asked() -> None:
    x = np.linspace(0, 10, 200)
    z = np.linspace(0, 10, 200)[::-1] * np.tile([0.1, 1.0], 100)
    y = np.digitize(x + z, [6.0, 9.0]).astype(str).tolist()
    tree = tw.grow(tw.Table.from_dict({"x": x, "z": z, "y": y}), "y", splits="linear", prune="none")
    rules = tree.rules()
    assert (rules.predict({"x": x, "z": z}) == np.array(y)).all()
    for rule in rules:
        sums = [c.terms for c in rule.conditions if isinstance(c, SumCondition)]
        assert len(sums) == len(set(sums))


def test_figures_of_fired_rules_and_of_overlap() -> None:
    table = tw.example("iris")
    tree = tw.grow(table, "class", splits="linear", prune="none", min_leaf=2)
    rules = tree.rules()
    assert tree.has_sums
    found = explain_rules(rules, 60, table)
    assert found.prediction == tree.predict(table)[60]
    assert found.decider is not None
    assert [(c.n_rules, c.n_rows) for c in tw.rules.overlap(rules, table).counts] == [(1, 150)]
    assert "petal" in tw.rules.formula(tree)
    assert [rules.schema.names[i] for i in rules.used_columns] == [
        tree.schema.names[i] for i in tree.used_columns
    ]


@pytest.mark.parametrize("make", ["c45rules", "voting"])
@pytest.mark.parametrize("way", WAYS)
def test_general_rules(make: str, way: str) -> None:
    table = mixed_table(gaps=0.0).drop("score")
    settings = {**WAYS[way], "linear_penalty": 0.001}
    tree = tw.grow(table, "label", max_depth=4, prune="none", **settings)
    assert tree.has_sums
    rules = getattr(tw.rules, make)(tree, table)
    every = [c for rule in rules for c in rule.conditions]
    assert any(isinstance(c, SumCondition) for c in every)
    wrong = (rules.predict(table) != table.labels("label")).mean()
    assert wrong < 0.5
    for rule in rules:  # the figures are those of the rows that pass every condition
        matched = RuleSet(rules=(rule,), schema=rules.schema, target=rules.target, default="low")
        passing = matched.decide(table).rule == 0
        assert passing.sum() == rule.support or rule.is_silent


def test_in_words() -> None:
    a, b, c = (SumTerm(name, above=1.0) for name in "abc")
    assert str(SumCondition((a, b, c), low=0.5)) == "(a > 1 or b > 1 or c > 1)"
    assert str(SumCondition((a, b, c), high=0.5)) == "none of (a > 1; b > 1; c > 1)"
    assert str(SumCondition((a, b, c), high=1.5)) == "fewer than 2 of (a > 1; b > 1; c > 1)"
    assert str(SumCondition((a, b, c), low=0.5, high=2.5)) == "1 to 2 of (a > 1; b > 1; c > 1)"
    not_red = SumTerm("hue", -1.0, category="red")
    assert str(SumCondition((a, not_red), low=0.5)) == "(a > 1 and hue != red)"
    schema = Schema((Column("size", Kind.ordinal, ("S", "M", "L")), Column("x", Kind.numeric)))
    size = SumCondition((SumTerm("size"), SumTerm("x", -0.5)), low=1.0, missing=0.5)
    assert size.to_text(schema=schema) == "rank(size) - 0.5 x > 1 or missing (50 %)"
    assert SumCondition((SumTerm("x"),), low=np.inf, missing=1.0).to_text() == "x is missing"
    assert not SumCondition((SumTerm("x"),), low=np.inf).has_known
    assert SumCondition((a, b), low=0.5, unseen=0.25).divides


def test_what_is_no_condition_is_refused() -> None:
    with pytest.raises(ValueError, match="one condition at most"):
        SumTerm("x", category="a", above=1.0)
    with pytest.raises(ValueError, match="not 0"):
        SumTerm("x", 0.0)
    with pytest.raises(ValueError, match="has terms"):
        SumCondition(())
    with pytest.raises(ValueError, match="NaN"):
        SumCondition((SumTerm("x"),), low=np.nan)
    with pytest.raises(ValueError, match="between 0 and 1"):
        SumCondition((SumTerm("x"),), low=0.0, missing=2.0)
    x = SumCondition((SumTerm("x"), SumTerm("z")), low=0.0)
    with pytest.raises(ValueError, match="the same sum"):
        Rule((x, replace(x, low=1.0)), "a")
    schema = Schema((Column("c", Kind.nominal, ("p", "q")), Column("x", Kind.numeric)))
    target = Column("y", Kind.nominal, ("a", "b"))

    def rules(*terms: SumTerm) -> RuleSet:
        rule = Rule((SumCondition(terms, low=0.0),), "a")
        return RuleSet(rules=(rule,), schema=schema, target=target, default="b")

    with pytest.raises(ValueError, match="'c' is nominal"):
        rules(SumTerm("c"), SumTerm("x"))
    with pytest.raises(ValueError, match="no category 'r'"):
        rules(SumTerm("c", category="r"), SumTerm("x"))
    with pytest.raises(ValueError, match="No column is named 'w'"):
        rules(SumTerm("w"), SumTerm("x"))


@pytest.mark.parametrize("way", WAYS)
def test_files(way: str, tmp_path: Any) -> None:
    rules = several(way, "surrogate", "missing").rules()
    assert RuleSet.from_dict(rules.to_dict()) == rules
    rules.save(tmp_path / "a.rules")
    assert tw.rules.load(tmp_path / "a.rules") == rules == tw.load(tmp_path / "a.rules")
    written = json.loads((tmp_path / "a.rules").read_text())
    assert written["version"] == 3
    plain = tw.grow(tw.example("tennis"), "PlayTennis").rules()
    plain.save(tmp_path / "b.rules")  # what an older version can read stays so
    assert json.loads((tmp_path / "b.rules").read_text())["version"] == 2
    source = rules.to_dict()
    terms = [c for rule in source["rules"] for c in rule["conditions"] if "terms" in c]
    terms[0]["terms"][0]["wieght"] = 1.0
    with pytest.raises(ValueError, match="'wieght'"):
        RuleSet.from_dict(source)


def test_estimators_and_frames() -> None:
    table = tw.example("iris")
    tree = tw.grow(table, "class", splits="linear", prune="none", max_depth=3)
    model = tw.RuleClassifier.from_tree(tree, method="leaves")
    cells = pd.DataFrame(table.drop("class").to_dict())
    assert (model.predict(cells) == tree.predict(table)).all()
    general = tw.RuleClassifier.from_tree(tree, cells, table.labels("class"))
    assert general.score(cells, table.labels("class")) > 0.9
    frame = tree.rules().to_frame("pandas")
    assert frame["conditions"].str.contains("sepal").any()
    assert isinstance(tree.rules()[0].conditions[0], Condition)


@pytest.mark.parametrize("way", ["linear", "indicator"])
@pytest.mark.parametrize("format", ["sql", "python", "onnx"])
def test_what_is_written_answers_the_same(way: str, format: str) -> None:  # noqa: A002 (the word says it)
    table = mixed_table(n_rows=120).drop("score")
    settings = {**WAYS[way], "linear_penalty": 0.001, "unseen": "stop_here", "max_depth": 3}
    rules = tw.grow(table, "label", prune="none", **settings).rules()
    found = tw.export.verify(rules, format, table, n_rows=300)
    assert (found.different, found.refused) == (0, None)
