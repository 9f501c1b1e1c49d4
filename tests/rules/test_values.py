"""Conditions, rules and sets of rules as values: what is refused, what is stored and read again."""

from __future__ import annotations

import contextlib
import copy
import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.rules.samples import grown, random_columns
from tests.tree.strategies import twins
from treewright.rules import Condition, Proxy, Rule, RuleSet, StandIn, load
from treewright.rules.decide import decided
from treewright.table import Column, Kind, Schema
from treewright.tree import Tree
from treewright.tree.policy import GAPS, UNSEEN

# Rows here hold categories that training never met on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*training never met:treewright.DataWarning")

SCHEMA = Schema(
    (
        Column("x", Kind.numeric),
        Column("colour", Kind.nominal, ("red", "green", "blue")),
        Column("size", Kind.ordinal, ("S", "M", "L", "XL")),
    )
)
CLASSES = Column("y", Kind.nominal, ("a", "b"))


def rules_of(*rules: Rule, **more: Any) -> RuleSet:
    return RuleSet(rules=rules, schema=SCHEMA, target=CLASSES, **{"default": "b", **more})


class TestConditions:
    @pytest.mark.parametrize(
        ("condition", "words"),
        [
            (Condition("x", high=2.5), "x <= 2.5"),
            (Condition("x", low=2.0), "x > 2"),
            (Condition("x", low=2.0, high=2.5, missing=1.0), "2 < x <= 2.5 or missing"),
            (Condition("x"), "x is known"),
            (Condition("x", high=np.inf), "x is known"),
            (Condition("x", low=np.inf, missing=1.0), "x is missing"),
            (Condition("x", low=3.0, high=2.0), "x is never so"),
            (Condition("x", low=1.0, missing=0.25), "x > 1 or missing (25 %)"),
            (Condition("colour", categories=("red",)), "colour = red"),
            (
                Condition("colour", categories=("red", "a, b"), unseen=1.0),
                "colour in {red, 'a, b'} or unseen",
            ),
            (Condition("colour", categories=(), missing=1.0, unseen=1.0), "colour is missing or unseen"),
            (
                Condition("colour", categories=("red",), partly=(("blue", 0.5),), unseen=0.5),
                "colour = red or unseen (50 %) or blue (50 %)",
            ),
            (
                Condition("x", high=1.0, missing=1.0, proxies=(Proxy((StandIn("z", cut=3.0),), 0.0),)),
                "x <= 1 or missing (by z <= 3, else no)",
            ),
        ],
    )
    def test_words(self, condition: Condition, words: str) -> None:
        assert condition.to_text() == words

    def test_ordered_categories_are_told_by_their_ends(self) -> None:
        order = SCHEMA["size"].categories
        told = {
            ("S", "M"): "size <= M",
            ("M", "L", "XL"): "size > S",
            ("M", "L"): "size in {M, L}",
            ("S", "L"): "size in {S, L}",
            ("XL",): "size = XL",
            order: "size in {S, M, L, XL}",
        }
        for categories, words in told.items():
            assert Condition("size", categories=categories).to_text(order=order) == words

    def test_silence_about_what_training_never_met(self) -> None:
        condition = Condition("colour", categories=("red",), missing=1.0, unseen=1.0)
        assert condition.to_text(says_missing=False, says_unseen=False) == "colour = red"

    @pytest.mark.parametrize(
        ("fields", "error", "words"),
        [
            ({"column": 1}, TypeError, "by its name"),
            ({"column": "x", "categories": "red"}, TypeError, "as a tuple"),
            ({"column": "x", "categories": ("a",), "low": 1.0}, ValueError, "bounds or categories, not both"),
            ({"column": "x", "unseen": 1.0}, ValueError, "numbers have no categories"),
            ({"column": "x", "low": float("nan")}, ValueError, "not NaN"),
            ({"column": "x", "missing": 1.5}, ValueError, "between 0 and 1"),
            ({"column": "x", "missing": float("nan")}, ValueError, "between 0 and 1"),
            ({"column": "c", "categories": (), "partly": (("a", -1.0),)}, ValueError, "between 0 and 1"),
        ],
    )
    def test_what_is_refused(self, fields: dict[str, Any], error: type[Exception], words: str) -> None:
        with pytest.raises(error, match=words):
            Condition(**fields)


class TestSets:
    @pytest.mark.parametrize(
        ("make", "words"),
        [
            (lambda: rules_of(Rule((Condition("z", high=1.0),), "a")), "rule 1: No column is named 'z'"),
            (lambda: rules_of(Rule((Condition("colour", high=1.0),), "a")), "must have categories"),
            (lambda: rules_of(Rule((Condition("x", categories=("a",)),), "a")), "must have bounds"),
            (lambda: rules_of(Rule((Condition("colour", categories=("pink",)),), "a")), "no category 'pink'"),
            (lambda: rules_of(Rule((), "c")), "rule 1 says 'c', which is no class of 'y'"),
            (lambda: rules_of(Rule((), None)), "rule 1 says None"),
            (lambda: rules_of(Rule((), "a", (1.0,))), "distribution must be 2 numbers"),
            (lambda: rules_of(Rule((), "a", support=-1.0)), "support must be a number of at least 0"),
            (lambda: rules_of(default=None), "it needs a default"),
            (lambda: rules_of(default="c"), "the default says 'c'"),
            (lambda: rules_of(decision="shares"), "have no default"),
            (lambda: rules_of(decision="last"), "decision='last' is not one of"),
            (lambda: rules_of("rule"), "rule 1 is a str"),
            (
                lambda: RuleSet(rules=(), schema=SCHEMA, target=Column("y", Kind.numeric), default="a"),
                "a number",
            ),
            (
                lambda: RuleSet(
                    rules=(), schema=SCHEMA, target=Column("y", Kind.numeric), default=1.0, decision="vote"
                ),
                "vote for classes",
            ),
            (
                lambda: rules_of(
                    Rule(
                        (Condition("x", missing=1.0, proxies=(Proxy((StandIn("size", cut=1.0),), 1.0),)),),
                        "a",
                    )
                ),
                "a stand-in on it must have categories",
            ),
        ],
    )
    def test_what_is_refused(self, make: Any, words: str) -> None:
        with pytest.raises(ValueError, match=words):
            make()

    def test_two_conditions_on_one_column_are_refused(self) -> None:
        with pytest.raises(ValueError, match="Two conditions of one rule are about column 'x'"):
            Rule((Condition("x", high=1.0), Condition("x", low=0.0)), "a")

    def test_the_first_that_matches_decides(self) -> None:
        rules = rules_of(
            Rule((Condition("x", high=1.0),), "a", (3.0, 1.0), 4.0, 1.0),
            Rule((Condition("colour", categories=("red",)),), "b", (0.0, 2.0), 2.0, 0.0),
            default_distribution=(1.0, 0.0),
        )
        today = tw.Table.from_dict({"x": [0, 0, 5, 5, None], "colour": ["red", "blue", "red", "blue", "grey"],
                                    "size": ["S"] * 5})  # fmt: skip
        assert rules.predict(today).tolist() == ["a", "a", "b", "b", "b"]
        assert rules.decide(today).rule.tolist() == [0, 0, 1, -1, -1]
        np.testing.assert_allclose(
            rules.predict_proba(today)[[0, 2, 3]], [[4 / 6, 2 / 6], [0.25, 0.75], [2 / 3, 1 / 3]]
        )

    def test_votes(self) -> None:
        rules = rules_of(
            Rule((Condition("x", high=1.0),), "a", (8.0, 0.0), 8.0, 0.0),  # 9/10
            Rule((Condition("colour", categories=("red",)),), "b", (0.0, 1.0), 1.0, 0.0),  # 2/3
            Rule((Condition("size", categories=("S", "M")),), "b", (1.0, 2.0), 3.0, 1.0),  # 3/5
            decision="vote",
            default="a",
        )
        today = tw.Table.from_dict({"x": [0, 0, 0, 5, 5], "colour": ["red", "red", "blue", "red", "blue"],
                                    "size": ["S", "L", "S", "L", "L"]})  # fmt: skip
        assert rules.predict(today).tolist() == ["b", "a", "a", "b", "a"]
        votes = np.array([[0.9, 2 / 3 + 0.6], [0.9, 2 / 3], [0.9, 0.6], [0, 2 / 3]])
        np.testing.assert_allclose(rules.predict_proba(today)[:4], votes / votes.sum(axis=1, keepdims=True))
        assert rules.decide(today).rule.tolist() == [1, 0, 0, 1, -1]

    def test_numbers_by_the_first_rule(self) -> None:
        rules = RuleSet(
            rules=(Rule((Condition("x", high=1.0),), 5.0),),
            schema=SCHEMA,
            target=Column("y", Kind.numeric),
            default=7.0,
        )
        columns = [np.array([0.0, 2.0]), np.zeros(2, dtype=np.int32), np.zeros(2, dtype=np.int32)]
        assert decided(rules, columns, 2).values.tolist() == [5.0, 7.0]

    def test_shares_by_hand(self) -> None:
        rules = rules_of(
            Rule((Condition("x", high=1.0, missing=0.25),), "a"),
            Rule((Condition("x", low=1.0, missing=0.75),), "b", (1.0, 1.0), 2.0, 1.0),
            decision="shares",
            default=None,
        )
        today = tw.Table.from_dict({"x": [0, 2, None], "colour": ["red"] * 3, "size": ["S"] * 3})
        assert rules.predict(today).tolist() == ["a", "b", "a"]
        assert rules.predict_proba(today).tolist() == [[1, 0], [0.5, 0.5], [0.625, 0.375]]

    def test_shares_that_leave_a_row_out(self) -> None:
        rules = rules_of(Rule((Condition("x", high=1.0),), "a", (1.0, 0.0)), decision="shares", default=None)
        with pytest.raises(ValueError, match="No rule takes row 1"):
            rules.predict(tw.Table.from_dict({"x": [0, 2], "colour": ["red"] * 2, "size": ["S"] * 2}))

    @pytest.mark.parametrize("decision", ["first", "vote", "shares"])
    def test_no_rows_no_answers(self, decision: str) -> None:
        rule = Rule((Condition("x", high=1.0),), "a", (1.0, 0.0), 1.0, 0.0)
        rules = rules_of(rule, decision=decision, default=None if decision == "shares" else "b")
        nothing = tw.Table.from_dict({"x": [0], "colour": ["red"], "size": ["S"]}).take([])
        assert rules.predict(nothing).tolist() == []
        assert rules.predict_proba(nothing).shape == (0, 2)
        assert tw.rules.overlap(rules, nothing).counts == ()

    def test_a_table_is_needed(self) -> None:
        with pytest.raises(TypeError, match=r"takes a treewright\.Table, .*, not float"):
            rules_of().predict(1.0)
        with pytest.raises(ValueError, match="probabilities are for classes"):
            grown("numbers", max_depth=1).rules().predict_proba(tw.example("tennis"))

    def test_it_is_a_sequence(self) -> None:
        rules = grown("classes", max_depth=2).rules()
        assert list(rules) == [rules[i] for i in range(len(rules))] == list(rules.rules)

    def test_it_cannot_be_changed(self) -> None:
        rules = grown("classes", max_depth=2).rules()
        with pytest.raises(AttributeError):
            rules.default = "low"  # type: ignore[misc]
        with pytest.raises(TypeError):
            rules.about["method"] = "mine"  # type: ignore[index]
        with pytest.raises(TypeError, match="unhashable"):
            hash(rules)


# ---- stored and read again ------------------------------------------------------------------------


@settings(max_examples=at_most(25, 60), suppress_health_check=list(HealthCheck))
@given(twins(), st.sampled_from(list(GAPS)), st.sampled_from(list(UNSEEN)))
def test_through_json_and_back(twin: tuple[Any, Tree], gap: str, unseen: str) -> None:
    rules = replace(twin[1], about={"missing": gap, "unseen": unseen}, ledger=None).rules()
    again = RuleSet.from_dict(json.loads(json.dumps(rules.to_dict(), allow_nan=False)))
    assert again == rules
    assert RuleSet.from_dict(json.loads(rules.to_text("json"))) == rules


def test_copies_and_files(tmp_path: Path) -> None:
    tree = grown("classes", missing="surrogate", max_depth=4)
    rules = tree.rules()
    rules.save(tmp_path / "some.rules")
    for again in (load(tmp_path / "some.rules"), pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules)):
        assert again == rules
        columns = random_columns(tree, 500, seed=0)
        assert (decided(again, columns, 500).labels == decided(rules, columns, 500).labels).all()


def test_a_failed_save_leaves_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "some.rules"
    rules = grown("classes", max_depth=1).rules()
    rules.save(place)

    def fail(*_: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        grown("classes", max_depth=2).rules().save(place)
    assert load(place) == rules
    assert [path.name for path in tmp_path.iterdir()] == ["some.rules"]


def broken() -> list[tuple[Any, str]]:
    good = grown("classes", missing="surrogate", max_depth=2).rules().to_dict()
    text = json.dumps(good)
    cases: list[tuple[Any, str]] = [
        ({}, "no entry 'format'"),
        (tw.grow(tw.example("tennis"), target="PlayTennis").to_dict(), "no entry 'format'"),
        ({**good, "version": 99}, "newer treewright"),
        ({**good, "version": True}, "version must be"),
        ({k: v for k, v in good.items() if k != "about"}, "entry 'about' is unknown, or absent"),
        ({**good, "more": 1}, "entry 'more' is unknown"),
        ({**good, "rules": {}}, "'rules' must be a list"),
        ({**good, "rules": [1]}, "a rule must be an object"),
        ({**good, "rules": [{"prediction": "low", "conditions": [{"column": "x", "hihg": 1}]}]}, "'hihg'"),
        ({**good, "rules": [{"prediction": "low", "conditions": [{"column": "x", "low": "1"}]}]}, "'low'"),
        ({**good, "rules": [{"prediction": "low", "conditions": [{"column": "nix"}]}]}, "No column"),
        ({**good, "rules": [{"prediction": "low", "support": True}]}, "'support'"),
        ({**good, "rules": [{"conditions": []}]}, "prediction"),
        ({**good, "schema": 3}, "schema"),
        ({**good, "about": {"a": {"b": [None] * 2, "$c": 1}}}, "keys are texts"),
        ({**good, "decision": "first"}, "needs a default"),
        ({**good, "about": None}, "about must be a mapping"),
        ({**good, "about": {"costs": [[1]]}}, "its costs are not 3 x 3 numbers"),
        ({**good, "about": {"class_scale": "a"}}, "its class_scale is not 3 numbers"),
        ({**good, "about": {"gaps": "x"}}, "its gaps are not a list"),
        (json.loads(text.replace('"otherwise": 1.0', '"otherwise": 7')), "between 0 and 1"),
    ]
    return cases


@pytest.mark.parametrize(("plain", "words"), broken())
def test_broken_files_are_refused_in_words(plain: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=words):
        RuleSet.from_dict(plain)
    place = tmp_path / "broken.rules"
    place.write_text(json.dumps(plain))
    with pytest.raises(ValueError, match="Cannot load rules from"):
        load(place)


def spots(plain: Any) -> list[tuple[Any, Any]]:
    """Return every place in nested plain values: the container and the key."""
    if not isinstance(plain, (dict, list)):
        return []
    keys = list(plain) if isinstance(plain, dict) else list(range(len(plain)))
    return [spot for key in keys for spot in [(plain, key), *spots(plain[key])]]


@settings(
    max_examples=at_most(40, 2000),
    suppress_health_check=list(HealthCheck),
)
@given(st.data())
def test_no_damage_is_more_than_a_value_error(data: st.DataObject) -> None:
    plain = json.loads(json.dumps(grown("classes", missing="surrogate", max_depth=2).rules().to_dict()))
    place, key = data.draw(st.sampled_from(spots(plain)))
    odd = [None, True, -1, 1e400, 10**40, "a", [], {}, [[]], {"a": 1}, [1, "b"], {"$float": "nan"}]
    place[key] = data.draw(st.sampled_from(odd))
    with contextlib.suppress(ValueError):
        rules = RuleSet.from_dict(plain)
        decided(rules, random_columns(grown("classes", missing="surrogate", max_depth=2), 5, seed=0), 5)
        rules.to_text()
