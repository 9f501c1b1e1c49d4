"""The quick engine and the general one grow the same tree, bit for bit, whatever they are asked."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import treewright as tw
from tests.grow.cases import ALL, PLAIN, Case, Choice, covering, drawn, make_case, pairs_in, stricter, trial
from tests.grow.engines import differences, first_difference, general_engine
from tests.grow.odd_columns import CATEGORIES, NUMBERS
from tests.tables import table, target
from treewright.growth.settings import Settings

TIMES = int(os.environ.get("TREEWRIGHT_EXAMPLES", "1"))
PARTS = 8
DEEPEST_SUMS = 4  # trees of sums are compared down to here


@cache
def covered(all_of_them: bool, seed: int) -> list[Choice]:
    """Return choices in which any two values meet."""
    return list(covering(ALL if all_of_them else PLAIN, seed))


def with_shallow_sums(case: Case) -> Case:
    """Return the case; trees of sums not as deep as they get, which takes the most time and is for --all."""
    if case.choice["splits"] != "linear" or TIMES > 1:
        return case
    depth = min(case.settings.get("max_depth", DEEPEST_SUMS), DEEPEST_SUMS)
    return replace(case, settings=case.settings | {"max_depth": depth})


def shorter(size: str) -> str:
    """Return the size of a table in which settings meet: up to 1,000 rows in the short run."""
    return "middling" if size == "medium" and TIMES == 1 else size


def try_all(choices: Iterable[Choice], first_seed: int, size: str | None = None) -> int:
    """Let both engines grow every choice; return how many trees were more than a leaf."""
    n_grown = 0
    for place, choice in enumerate(choices):
        case = make_case(choice | {"size": size or shorter(choice["size"])}, first_seed + place)
        complaint, n_nodes = trial(with_shallow_sums(case))
        assert complaint is None, f"{complaint}\n{case}"
        n_grown += n_nodes > 1
    return n_grown


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("factors", [ALL, PLAIN], ids=["all", "plain"])
def test_any_two_settings_together(factors: dict[str, tuple[str, ...]], part: int) -> None:
    """Every value of every factor meets every value of every other, on tables of all odd sorts."""
    for turn in range(TIMES):
        choices = covered(factors is ALL, turn)[part::PARTS]
        assert try_all(choices, 10_000 * turn + 1000 * part) > len(choices) * 0.6


@pytest.mark.parametrize("part", range(PARTS))
def test_plain_settings_on_tables_of_some_size(part: int) -> None:
    rng = np.random.default_rng([part, 5])
    n = 25 * TIMES
    assert try_all((drawn(rng, PLAIN) for _ in range(n)), 500_000 + 10_000 * part, "medium") > n * 0.8


@pytest.mark.parametrize("column", [*NUMBERS, *CATEGORIES, "ordinal", "copies"])
def test_plain_settings_on_large_tables(column: str) -> None:
    rng = np.random.default_rng([len(column), 20_000])
    factors = PLAIN | {
        "column": (column,),
        "target": ("two", "several", "dozens", "smooth", "outliers", "counts"),
    }
    try_all([drawn(rng, factors) for _ in range(TIMES)], 900_000 + 100 * len(column), "large")


@pytest.mark.parametrize("size", ["tiny", "medium"])
@pytest.mark.parametrize("part", range(4))
def test_monotone_columns_and_rarer_criteria(part: int, size: str) -> None:
    """Cuts that a search must refuse for what their branches hold, and scores of one side beside the node."""
    rng = np.random.default_rng([part, 15])
    factors = ALL | {"size": (size,), "target": ("two", "several", "smooth", "counts", "zero_or_one")}
    n_grown, n = 0, 30 * TIMES
    for seed in range(n):
        case = with_shallow_sums(stricter(make_case(drawn(rng, factors), 700_000 + 1000 * part + seed)))
        complaint, n_nodes = trial(case)
        assert complaint is None, f"{complaint}\n{case}"
        n_grown += n_nodes > 1
    assert n_grown > n * 0.4


@pytest.mark.parametrize("n_threads", [1, 2, 3])
@pytest.mark.parametrize("name", ["adult", "hypothyroid", "soybean", "abalone", "cu_summary", "crx"])
def test_real_tables(name: str, n_threads: int) -> None:
    quick = tw.grow(table(name), target(name), n_threads=n_threads)
    with general_engine():
        general = tw.grow(table(name), target(name))
    assert not first_difference(quick, general)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("is_classifier", [True, False])
def test_arrays_of_any_kind_give_the_same_tree(seed: int, is_classifier: bool) -> None:
    """Numbers of float32 are compared as the same numbers of float64, in either order in memory."""
    rng = np.random.default_rng(seed)
    makers = [
        NUMBERS[name] for name in ("single", "single_neighbours", "few", "rare", "signed_zeros", "blocks")
    ]
    signal = rng.normal(size=1500)
    X = np.stack([maker(rng, signal) for maker in makers], axis=1).astype(np.float32)
    y = (signal > rng.normal(size=1500)) if is_classifier else signal * 3 + rng.standard_cauchy(1500)
    model = tw.DecisionTreeClassifier() if is_classifier else tw.DecisionTreeRegressor()
    with general_engine():
        general = model.fit(X.astype(np.float64), y).tree_
    for array in (X, np.asfortranarray(X), X.astype(np.float64), np.repeat(X, 2, axis=0)[::2]):
        assert not first_difference(model.fit(array, y).tree_, general)


# ---- the means themselves -------------------------------------------------------------------------


def test_the_switch_reaches_the_core() -> None:
    assert Settings.of("plain").to_core().search == "by_data"
    with general_engine():
        assert Settings.of("plain").to_core().search == "every"
    assert Settings.of("plain").to_core().search == "by_data"


@pytest.mark.parametrize("name", ["cut", "gain", "score", "stats"])
def test_a_difference_in_the_last_bit_is_seen(name: str) -> None:
    tree = tw.grow(table("iris"), "class")
    array = getattr(tree, name).copy()
    array[0] = np.nextafter(array[0], np.inf)
    other = replace(tree, **{name: array})
    assert differences(tree, other) == [name]
    assert first_difference(tree, other).startswith(f"{name}[0]: ")
    assert not first_difference(tree, replace(tree))


def test_another_zero_and_another_size_are_seen() -> None:
    iris = table("iris")
    tree = tw.grow(iris, "class")
    assert differences(tree, replace(tree, stats=np.where(tree.stats == 0, -0.0, tree.stats))) == ["stats"]
    words = first_difference(tree, tw.grow(iris, "class", max_depth=2))
    assert f"({tree.n_nodes} and 5 long)" in words


def test_a_wrong_engine_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that grows one level less, where rows are many, would be caught."""
    to_core = Settings.to_core

    def shallow(self: Settings) -> Any:
        core = to_core(self)
        core.max_depth = min(core.max_depth, 8)
        return core

    monkeypatch.setattr(Settings, "to_core", shallow)
    rng = np.random.default_rng(3)
    found = [trial(make_case(drawn(rng, PLAIN), seed)).complaint for seed in range(30)]
    assert any(found)


@pytest.mark.parametrize("factors", [ALL, PLAIN], ids=["all", "plain"])
def test_pairs_are_covered(factors: dict[str, tuple[str, ...]]) -> None:
    met = set().union(*(pairs_in(choice) for choice in covered(factors is ALL, 0)))
    rng = np.random.default_rng(99)
    wanted = set().union(*(pairs_in(drawn(rng, factors)) for _ in range(3000)))
    assert len(wanted - met) <= len(wanted) / 200
