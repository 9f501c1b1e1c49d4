"""Models that formats are tried on: every recipe, policy and shape, each with rows to make harder ones of."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import treewright as tw
from tests.contract.samples import sample
from treewright.growth.recipes import RECIPES
from treewright.tree.policy import GAPS, UNSEEN


class Tried(NamedTuple):
    """A model, and data it can predict."""

    model: Any
    data: tw.Table


Make = Callable[[], Tried]


@cache
def makers() -> dict[str, Make]:
    """Return for each name what makes its model."""
    groups = (_of_recipes(), _of_policies(), _of_shapes(), _of_many_trees(), _of_rules(), _of_planes())
    return {name: make for group in groups for name, make in group.items()}


@cache
def made(name: str) -> Tried:
    """Return the model of a name."""
    return makers()[name]()


def tried() -> dict[str, Tried]:
    """Return all models by name."""
    return {name: made(name) for name in makers()}


def few() -> dict[str, Tried]:
    """Return some that between them have every feature, for runs that must be short."""
    names = (
        "recipe c4.5", "numbers", "gaps fractional, unseen fractional", "gaps surrogate, unseen missing",
        "gaps own_branch, unseen stop_here", "gaps error, unseen error", "costs", "kinds",
        "sums of conditions",
        "sums, gaps fractional", "models", "models of classes", "no test", "forest",
        "forest, gaps fractional",
        "forest, gaps surrogate", "forest of numbers", "rules of surrogate", "rules of fractional",
        "c45rules",
        "rules that vote", "logistic", "logistic of three", "perceptron", "planes", "many planes",
    )  # fmt: skip
    return {name: made(name) for name in names}


def _grown(data: Callable[[], tw.Table], target: str = "y", **settings: Any) -> Make:
    return lambda: Tried(tw.grow(data(), target, **settings), data())


def _numbers() -> tw.Table:
    return sample(is_classifier=False)


def _titanic() -> tw.Table:
    return tw.example("titanic")


def _without_gaps(gap: str) -> Callable[[], tw.Table]:
    return lambda: sample(has_gaps=gap != "error")


def _of_recipes() -> dict[str, Make]:
    found = {}
    for name, settings in RECIPES.items():
        if name == "id3":
            found["recipe id3"] = _grown(lambda: tw.example("tennis"), "PlayTennis", recipe="id3")
            continue
        found[f"recipe {name}"] = _grown(sample, recipe=name)
        if "numbers" in settings.get("tasks", ("numbers",)) and name not in ("c4.5", "stump"):
            found[f"recipe {name}, numbers"] = _grown(_numbers, recipe=name)
    return found


def _of_policies() -> dict[str, Make]:
    pairs = [(gap, "most_common") for gap in GAPS] + [("learned", new) for new in UNSEEN]
    pairs += [("fractional", "fractional"), ("surrogate", "missing"), ("own_branch", "stop_here"),
              ("error", "error"), ("surrogate", "fractional"), ("drop", "fractional")]  # fmt: skip
    return {
        f"gaps {gap}, unseen {new}": _grown(_without_gaps(gap), missing=gap, unseen=new, prune="none")
        for gap, new in dict.fromkeys(pairs)
    }


def _of_shapes() -> dict[str, Make]:
    def iris() -> tw.Table:
        return tw.example("iris")

    parts = {"missing": "fractional", "unseen": "fractional"}
    return {
        "numbers": _grown(_numbers, prune="none"),
        "numbers in parts": _grown(_numbers, prune="none", **parts),
        "costs": _grown(sample, costs=[[0.0, 5.0], [1.0, 0.0]], missing="fractional", prune="none"),
        "kinds": _grown(table_of_kinds, prune="none", unseen="stop_here"),
        "kinds in parts": _grown(table_of_kinds, prune="none", missing="fractional"),
        "models": _grown(_numbers, leaves="linear", max_depth=2),
        "models in parts": _grown(_numbers, leaves="linear", max_depth=2, missing="fractional"),
        "no test": _grown(sample, max_depth=0),
        "sums": _grown(iris, "class", splits="linear", max_depth=4),
        "sums, kinds": _grown(sample, splits="linear", max_depth=4, unseen="stop_here"),
        "sums, gaps fractional": _grown(sample, splits="linear", max_depth=4, missing="fractional"),
        "sums of conditions": _grown(
            table_of_kinds, splits="linear", linear_categories="indicator", max_depth=4, unseen="stop_here"
        ),
        "m of n": _grown(sample, splits="m_of_n", max_depth=4, missing="fractional"),
        "conjunctions": _grown(sample, splits="conjunction", max_depth=4, missing="surrogate"),
        "models of classes": _grown(iris, "class", leaves="logistic", max_depth=2),
        "titanic": _grown(_titanic, "survived"),
    }


@cache
def table_of_kinds() -> tw.Table:
    """Return a table with a column of every kind: truths, dates, times, orders, numbers, many categories."""
    draws = np.random.default_rng(3)
    n = 150
    day, hour, size = draws.integers(0, 300, n), draws.integers(0, 24, n), draws.integers(0, 3, n)
    tiny, town, windy = draws.normal(size=n) * 1e-7, draws.integers(0, 12, n), draws.integers(0, 2, n)
    worth = day / 100 + (hour > 12) + size * windy + (town % 3) + tiny * 1e7
    return tw.Table.from_dict(
        {
            "day": [f"2024-{1 + d // 28:02d}-{1 + d % 28:02d}" for d in day.tolist()],
            "hour": [f"{h:02d}:30" for h in hour.tolist()],
            "size": ["SML"[i] for i in size],
            "tiny": tiny.tolist(),
            "town": [None if i % 17 == 0 else f"town {place}" for i, place in enumerate(town.tolist())],
            "windy": [None if i % 13 == 0 else bool(w) for i, w in enumerate(windy.tolist())],
            "y": [("low", "middle", "high")[int(w > 2.5) + int(w > 4)] for w in worth.tolist()],
        },
        ordinal={"size": ["S", "M", "L"]},
        kinds={"day": "date", "hour": "time"},
    )


@cache
def thousand_leaves() -> Tried:
    """Return a tree of about 1,000 leaves."""
    draws = np.random.default_rng(1)
    columns = {f"x{i}": draws.normal(size=3000).tolist() for i in range(6)}
    columns["colour"] = [f"c{i}" for i in draws.integers(0, 30, 3000).tolist()]
    data = tw.Table.from_dict({**columns, "y": [f"k{i}" for i in draws.integers(0, 5, 3000).tolist()]})
    model = tw.grow(data, "y", prune="none", min_leaf=2, min_split=4)
    assert model.n_leaves >= 800
    return Tried(model, data)


def _forest(data: Callable[[], tw.Table], **settings: Any) -> Make:
    return lambda: Tried(tw.forest.grow(data(), "y", n_trees=20, **settings), data())


def _of_many_trees() -> dict[str, Make]:
    found = {"forest": _forest(sample)}
    for gap in ("fractional", "surrogate", "error"):
        found[f"forest, gaps {gap}"] = _forest(_without_gaps(gap), missing=gap)
    found["forest of m of n"] = _forest(sample, splits="m_of_n", max_depth=2, missing="fractional")
    return {**found, "forest of numbers": _forest(_numbers), "forest of kinds": _forest(table_of_kinds)}


def _of_planes() -> dict[str, Make]:
    many = {"multi_class": "pairwise"}
    return {
        "logistic": _plane(_kinds_of_two, tw.LogisticRegression(l2=0.1)),
        "logistic of three": _plane(table_without_gaps, tw.LogisticRegression(l2=0.1)),
        "logistic, one against the rest": _plane(
            table_without_gaps, tw.LogisticRegression(l2=0.1, multi_class="one_vs_rest")
        ),
        "logistic of products": _plane(
            lambda: tw.example("iris"), tw.LogisticRegression(l2=0.1, features="interactions"), "class"
        ),
        "perceptron": _plane(_kinds_of_two, tw.Perceptron(max_passes=20)),
        "planes": _plane(lambda: tw.example("iris"), tw.MaxMarginClassifier(C=1.0), "class"),
        "planes, pairs": _plane(lambda: tw.example("iris"), tw.MaxMarginClassifier(C=1.0, **many), "class"),
        "separator": _plane(_kinds_of_two, tw.LinearSeparator()),
        "many planes": _plane(_many_classes, tw.LogisticRegression(l2=1.0)),
    }


def _plane(data: Callable[[], tw.Table], model: Any, target: str = "y") -> Make:
    def make() -> Tried:
        table = data()
        inputs = table.select([name for name in table.names if name != target])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of rows that no plane divides, and passes that ended
            return Tried(model.fit(inputs, table.labels(target)), inputs)

    return make


@cache
def table_without_gaps() -> tw.Table:
    """Return the table of kinds with a value in every cell, which linear models ask for."""
    table = table_of_kinds()
    full = [i for i in range(table.n_rows) if all(table.labels(n)[i] is not None for n in table.names)]
    return table.take(full)


def _kinds_of_two() -> tw.Table:
    table = table_without_gaps()
    return table.take([i for i, word in enumerate(table.labels("y")) if word != "middle"])


@cache
def _many_classes() -> tw.Table:
    draws = np.random.default_rng(5)
    x = draws.normal(size=(400, 45)).round(3)
    columns: dict[str, Any] = {f"x{i}": x[:, i].tolist() for i in range(45)}
    return tw.Table.from_dict({**columns, "y": [f"class {i}" for i in draws.integers(0, 10, 400)]})


def _rules_of(data: Callable[[], tw.Table], **settings: Any) -> Make:
    return lambda: Tried(tw.grow(data(), "y", **settings).rules(), data())


def _c45rules(**changes: Any) -> Make:
    def make() -> Tried:
        first = tw.rules.c45rules(tw.grow(sample(), "y", "c4.5", prune="none"), sample())
        return Tried(dataclasses.replace(first, **changes), sample())

    return make


def _of_rules() -> dict[str, Make]:
    gaps = ("learned", "fractional", "surrogate", "drop", "error")
    found = {f"rules of {gap}": _rules_of(_without_gaps(gap), missing=gap, prune="none") for gap in gaps}
    found["rules of numbers"] = _rules_of(_numbers)
    found["rules of m of n"] = _rules_of(sample, splits="m_of_n", max_depth=3, missing="fractional")
    found["rules of conjunctions"] = _rules_of(sample, splits="conjunction", max_depth=3, missing="surrogate")
    return {**found, "c45rules": _c45rules(), "rules that vote": _c45rules(decision="vote")}
