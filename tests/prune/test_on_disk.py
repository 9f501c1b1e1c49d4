"""Pruning trees grown on a disk: by rows kept back and by folds, block by block, as in memory."""

from __future__ import annotations

from typing import Any

import pytest

import treewright as tw
from tests.grow.engines import differences, first_difference
from tests.grow.test_sourced import renamed
from tests.shards.test_spool import Tight, cut
from treewright.growth import Settings
from treewright.prune import find
from treewright.prune.folds import RowKeys, dealt, dealt_in_blocks, held_out, held_out_in_blocks
from treewright.prune.on_disk import grow_on_disk
from treewright.shards import shards_of
from treewright.shards.spool import View, spooled
from treewright.table import ClassTerms

P = tw.prune
CASES: list[tuple[str, str, Any, dict[str, Any]]] = [
    ("iris", "cart", "cv", {}),
    ("iris", "plain", P.CostComplexity(folds=3, repeats=2), {"missing": "drop", "class_weight": "balanced"}),
    ("iris", "plain", "error_complexity", {"missing": "fractional"}),
    ("hypothyroid", "c4.5", P.ErrorBased(raising=False), {"max_depth": 5}),
    ("hypothyroid", "plain", "reduced_error", {"max_depth": 5}),
    ("abalone", "plain", P.CostComplexity(choose="validation"), {"max_depth": 5}),
]
SLOW: list[tuple[str, str, Any, dict[str, Any]]] = [
    ("hypothyroid", "cart", None, {}),
    ("abalone", "cart", None, {}),
    ("mushroom", "cart", None, {}),
    ("hypothyroid", "plain", P.CostComplexity(folds=4), {"missing": "fractional", "max_depth": 5}),
]


def on_disk(whole: tw.Table, recipe: str, prune: Any, **told: Any) -> tw.Tree:
    terms = ClassTerms(told.pop("class_weight", None))
    settings = Settings.of(recipe, prune=prune, **told)
    budget = Tight(block=700, n_threads=2, rows=1 << 22)
    with spooled(shards_of(cut(whole, 3)), budget) as spool:
        view = View.of(spool, "y", settings, None, terms, 2)
        return grow_on_disk(view, budget, find(settings.prune), gather_below=300)


@pytest.mark.parametrize(
    ("name", "recipe", "prune", "told"),
    [*CASES, *(pytest.param(*case, marks=pytest.mark.slow) for case in SLOW)],
)
def test_the_pruned_tree_is_that_of_memory(name: str, recipe: str, prune: Any, told: dict[str, Any]) -> None:
    whole = renamed(name)
    expected = tw.grow(whole, "y", recipe, prune=prune, warns=False, **told)
    found = on_disk(whole, recipe, prune, **told)
    assert not differences(expected, found), first_difference(expected, found)
    assert expected == found
    assert found.about["growth"]["passes"] > 0


def test_what_asks_all_rows_is_refused_with_a_way_out() -> None:
    for prune in ("error_based", P.ReducedError(backfit=True)):
        with pytest.raises(ValueError, match=r"asks all rows at once.*give more memory"):
            on_disk(renamed("iris"), "plain", prune)


def test_large_classes_are_dealt_by_their_hash_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    from treewright.prune import folds

    monkeypatch.setattr(folds, "LARGEST_RANKED", 20)
    rng = np.random.default_rng(0)
    keys = RowKeys(rng.choice(4, 100, p=[0.1, 0.6, 0.1, 0.2]), rng.integers(0, 60, 100).astype(np.uint64))
    keys = RowKeys(keys.digest.astype(np.int64) % 4, keys.digest)  # rows that hold the same are of one class
    blocks = [keys.take(np.arange(a, min(a + 17, 100))) for a in range(0, 100, 17)]
    for seed in range(5):
        found = np.concatenate(dealt_in_blocks(lambda: blocks, 3, seed))
        assert sorted(zip(keys.digest.tolist(), found.tolist(), strict=True)) == sorted(
            zip(keys.digest.tolist(), dealt(keys, 3, seed).tolist(), strict=True)
        )
        out = np.concatenate(held_out_in_blocks(lambda: blocks, 0.3, seed))
        assert sorted(zip(keys.digest.tolist(), out.tolist(), strict=True)) == sorted(
            zip(keys.digest.tolist(), held_out(keys, 0.3, seed).tolist(), strict=True)
        )
