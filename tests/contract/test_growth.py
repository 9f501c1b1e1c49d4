"""Every criterion with every kind of tests and every policy: refused in a sentence, or a tree that is one."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from tests.amount import at_most
from tests.contract.samples import N_ROWS, odd_rows, sample
from treewright.base.advice import Ask
from treewright.growth import RECIPES
from treewright.growth.setting import CRITERIA, ON_SEVERAL, SETTINGS
from treewright.prune import UnsuitableError
from treewright.tree.policy import GAPS, UNSEEN

SPLITS = SETTINGS["splits"].words


def grown(**settings) -> tw.Tree | None:
    """Return a small tree; None where the settings are refused, in a sentence that names one of them."""
    is_classifier = CRITERIA[settings["criterion"]]["has_classes"] if "criterion" in settings else True
    has_gaps = settings.get("missing") != "error"
    try:
        return tw.grow(sample(is_classifier, has_gaps), "y", prune="none", **settings)
    except ValueError as refused:
        check_refusal(refused, settings)
        return None


def check_refusal(refused: ValueError, settings: dict[str, str]) -> None:
    """See that an error names a setting as data, and is a sentence."""
    named = {part.name for part in getattr(refused, "parts", ()) if isinstance(part, Ask)}
    assert named & set(settings), refused
    assert str(refused).endswith((".", "?"))


def check_tree(tree: tw.Tree) -> None:
    """See that weights add up, that a file brings it back, that it has a text and answers as its rules."""
    inner = np.flatnonzero(~tree.leaf_mask)
    assert tree.n_leaves > 1
    for node in inner:
        below = sum(tree.weights[child] for child in tree.children(node))
        assert below <= tree.weights[node] * (1 + 1e-9)  # rows that stay are not below
    assert tw.Tree.from_dict(tree.to_dict()) == tree
    assert tree.schema.names[tree.column[0]] in tree.to_text() or tree.has_sums
    rows = sample(tree.is_classifier, has_gaps=False)
    said = tree.predict(rows)
    assert len(said) == N_ROWS
    if tree.is_classifier:
        np.testing.assert_allclose(tree.predict_proba(rows).sum(axis=1), 1.0)
    try:
        rules = tree.rules()
    except UnsuitableError:
        assert tree.has_sums or tree.has_models
        return
    assert (rules.predict(rows) == said).all()


@pytest.mark.parametrize("missing", GAPS)
@pytest.mark.parametrize("splits", SPLITS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_criterion_with_tests_and_a_policy(criterion: str, splits: str, missing: str) -> None:
    depth = at_most(2, 3) if splits in ON_SEVERAL else 3  # tests on several columns take the most time
    settings = {"criterion": criterion, "splits": splits, "missing": missing, "max_depth": depth}
    tree = grown(**settings)
    if tree is not None:
        check_tree(tree)
        assert tree == grown(**settings)
        assert tree.about["criterion"] == criterion


@pytest.mark.parametrize("criterion", CRITERIA)
def test_some_combination_of_every_criterion_grows(criterion: str) -> None:
    assert any(grown(criterion=criterion, splits=splits) is not None for splits in SPLITS)


@pytest.mark.parametrize("unseen", UNSEEN)
@pytest.mark.parametrize("missing", GAPS)
def test_odd_rows_are_answered_or_refused_by_name(missing: str, unseen: str) -> None:
    tree, rows = grown(missing=missing, unseen=unseen), odd_rows()
    assert tree is not None
    refuses = "refuse" in (GAPS[missing].way, UNSEEN[unseen].way)
    if refuses:
        for answering in (tree, tree.rules()):
            with pytest.raises(ValueError, match=f"Column '({'|'.join(tree.schema.names)})'"):
                answering.predict(rows)
        return
    said = tree.predict(rows)
    assert len(said) == rows.n_rows
    assert (tree.rules().predict(rows) == said).all()
    for row in range(8):
        explained = tree.explain(row, rows)
        assert explained.prediction == said[row]
        assert explained.to_text()


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_grows_a_tree(recipe: str) -> None:
    rows = sample(has_gaps=False).drop(["x", "z"])
    tree = tw.grow(rows, "y", recipe, prune="none")
    assert tree.n_leaves > 1
    assert tree == tw.grow(rows, "y", recipe, prune="none")
    assert (tree.rules().predict(rows) == tree.predict(rows)).all()


@pytest.mark.parametrize("name", tw.example_names())
def test_every_example_table_is_grown_read_and_stored(name: str, tmp_path) -> None:
    table, target = tw.example(name), tw.example_target(name)
    tree = tw.grow(table, target, max_depth=4)
    assert tree == tw.grow(table, target, max_depth=4)
    tree.save(tmp_path / "model.treewright")
    assert tw.load(tmp_path / "model.treewright") == tree
    said = tree.predict(table)
    assert len(said) == table.n_rows
    assert (tree.rules().predict(table) == said).all()
    assert target in repr(tree)
