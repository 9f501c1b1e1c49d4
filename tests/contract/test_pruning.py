"""Every way to prune, by name: a smaller tree or a sentence; the same by every door."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import treewright as tw
from tests.contract.samples import sample
from treewright.cli.growing import option_words, pruning_of
from treewright.prune import Evidence, UnsuitableError, find
from treewright.prune import pruned as pruned_by
from treewright.prune.method import ALSO, METHODS

NAMES = [*METHODS, *ALSO]
# The price of a leaf, for ways that prune nothing unless one is given.
PRICES = {
    "cost_complexity": {"alpha": 0.02},
    "critical_value": {"kappa": 1e9},
    "regularised": {"lambda_": 1e9},
}
PAGE = (Path(__file__).parents[2] / "docs/pruning.md").read_text()


def pruned(name: str, is_classifier: bool) -> tuple[tw.Tree, tw.Tree] | None:
    """Return a tree before and after; None where the way refuses such trees, in a sentence."""
    table = sample(is_classifier)
    tree = tw.grow(table, "y", min_leaf=1, prune="none")
    try:
        return tree, tree.prune(name, table)
    except UnsuitableError as refused:
        check_sentence(str(refused), name)
        return None


def check_sentence(refused: str, name: str) -> None:
    assert refused.endswith(".")
    assert name.split("_")[0] in refused.lower() or "tree" in refused


@pytest.mark.parametrize("is_classifier", [True, False], ids=["classes", "numbers"])
@pytest.mark.parametrize("name", NAMES)
def test_a_smaller_tree_or_a_sentence(name: str, is_classifier: bool) -> None:
    found = pruned(name, is_classifier)
    if found is None:
        return
    before, after = found
    assert after.n_leaves <= before.n_leaves
    assert tw.Tree.from_dict(after.to_dict()) == after
    np.testing.assert_allclose(after.weights[0], before.weights[0])
    table = sample(is_classifier)
    assert pruned_by(before, find(name), Evidence(table)) == after
    assert before.prune(find(name), table) == after
    plain = find(name)(before, table)  # the method alone leaves no note of itself
    assert plain.to_dict()["arrays"] == after.to_dict()["arrays"]


@pytest.mark.parametrize("name", NAMES)
def test_some_tree_is_pruned(name: str) -> None:
    """On noise nearly nothing is left: no way to prune keeps what a tree learned by heart."""
    draws = np.random.default_rng(0)
    cells = {"a": draws.normal(size=200), "b": draws.normal(size=200), "y": draws.choice(["p", "q"], 200)}
    train = tw.Table.from_dict(cells)
    tree = tw.grow(train, "y", prune="none")
    held = train if find(name).needs != "validation" else tw.Table.from_dict(
        {**cells, "y": draws.permutation(cells["y"])}
    )  # fmt: skip
    assert tree.prune(name, held, **PRICES.get(name, {})).n_leaves < tree.n_leaves


@pytest.mark.parametrize("name", NAMES)
def test_growing_prunes_by_the_name(name: str) -> None:
    tree = tw.grow(sample(), "y", prune=name)
    assert tree.n_leaves <= tw.grow(sample(), "y", prune="none").n_leaves
    assert tree == tw.grow(sample(), "y", prune=find(name))


@pytest.mark.parametrize("name", NAMES)
def test_words_and_bytes_bring_it_back(name: str) -> None:
    method = find(name)
    assert pruning_of(option_words(method.words())) == method
    assert pickle.loads(pickle.dumps(method)) == method
    assert f"`{name}`" in PAGE or f'"{name}"' in PAGE
    assert method.needs in ("nothing", "training", "validation")
