"""The verbs of growth: nodes in any order give the tree of `grow`; a wrong word is an error, not a crash."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.grow import cases
from tests.grow.engines import differences, first_difference
from tests.grow.samples import grow
from tests.grow.test_verbs import asked, growth_of
from treewright.growth.grower import tree_of
from treewright.growth.setting import ON_SEVERAL

Rng = np.random.Generator
_CHOICES = cases.ALL | {"size": ("tiny",), "target": ("two", "several", *cases.TARGETS)}
_REFUSALS = (ValueError, TypeError, IndexError, OverflowError, RuntimeError)


def case(number: int) -> None:
    """Grow one table by its verbs, nodes in a drawn order, with wrong words in between."""
    rng = np.random.default_rng([number, 3])
    choice = next(filter(is_driven, (cases.drawn(rng, _CHOICES) for _ in range(500))))
    found = cases.make_case(choice, number)
    try:
        expected = grow(found.table, "y", weights=found.weights, **found.settings)
        question, settings = asked(found.table, found.weights, found.settings)
    except ValueError:
        return
    tree = driven(question, settings, rng)
    assert not differences(expected, tree), f"{first_difference(expected, tree)}\n{found}"


def is_driven(choice: dict[str, Any]) -> bool:
    """Say whether these are trees that the verbs alone can grow."""
    return not (
        choice["limit"] == "max_leaves"
        or choice["splits"] in ON_SEVERAL  # found in Python, round by round
        or choice["missing"] == "linear"
        or choice["missing"] in ("surrogate", "most_common_overall")  # found once for the whole table
        or choice["recipe"] == "cart"
        or (choice["missing"] == "fractional" and choice["target"] in cases.TARGETS)  # rounded elsewhere
    )


def driven(question: Any, settings: Any, rng: Rng) -> Any:
    """Grow from outside the core; places are given depth first, whatever is looked at meanwhile."""
    growth = growth_of(question)
    rows = np.arange(len(question.units), dtype=np.int32)
    root = growth.open(rows, question.units)
    seen = [root]
    stack = [(root, growth.add(root))]
    while stack:
        misuse(growth, rows, question, seen, rng)
        node, place = stack.pop()
        if growth.is_finished(node):
            continue
        other = seen[rng.integers(len(seen))]
        if not growth.is_finished(other):
            growth.search(other)  # of no consequence for this node
        offers, chosen = growth.decide(node, growth.search(node), root)
        if settings.ledger:
            growth.keep_offers(place, offers)
        if chosen is None:
            continue
        children, missing, largest = growth.apply(node, offers[chosen])
        seen.extend(children)
        places = [growth.add(child, place) for child in children]
        growth.split(place, offers[chosen], missing, largest, places[0])
        stack.extend(zip(children, places, strict=True))
    return tree_of(growth.tree(), question, settings)


def misuse(growth: Any, rows: Any, question: Any, seen: list[Any], rng: Rng) -> None:
    """Say one wrong thing to the core, which must refuse it."""
    n = len(rows)
    wrong = [
        lambda: growth.open(np.array([n], np.int32), question.units),
        lambda: growth.open(np.array([-1], np.int32), question.units),
        lambda: growth.open(rows.astype(np.int64), question.units),
        lambda: growth.open(rows, question.units[:-1]),
        lambda: growth.open("rows", None),
        lambda: growth.search(None),
        lambda: growth.decide(seen[0], "found", seen[0]),
        lambda: growth.apply(seen[0], None),
        lambda: growth.add(seen[0], 10**6),
        lambda: growth.split(10**6, None, 0, 0, 0),
        lambda: growth.keep_offers(10**6, []),
    ]
    word = int(rng.integers(len(wrong)))
    try:
        wrong[word]()
    except _REFUSALS:
        return
    raise AssertionError(f"the core took wrong word {word}")
