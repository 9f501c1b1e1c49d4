"""Growing with look-ahead: its twin, what greedy growth misses, sizes, limits, refusals."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import treewright as tw
from tests import tables
from tests.amount import first
from tests.cli.running import finished
from tests.lookahead.test_optimal import noisy, parity
from tests.lookahead.trials import table_of, trial_of
from tests.oracle.ahead import judge_divided, judge_lookahead, judge_polished
from tests.oracle.optimal import Trial, leaf_cost


def grown(trial: Trial, table: tw.Table, lookahead: Any, **more: Any) -> tw.Tree:
    """Return the tree that grows on a trial."""
    return tw.grow(
        table,
        "y",
        criterion=trial.criterion,
        splits="one_vs_rest" if trial.splits == "one_vs_rest" else "binary",
        missing=trial.missing,
        weights=trial.weights,
        costs=trial.costs,
        min_leaf=trial.min_leaf,
        lookahead=lookahead,
        warns=False,
        **more,
    )


def trial_for(seed: int, most_rows: int) -> Trial:
    """Return a trial whose tests have two branches, of a criterion that look-ahead takes."""
    trial = trial_of(seed, most_rows)
    criterion = "squared_error" if trial.criterion == "gaussian_entropy" else trial.criterion
    splits = "one_vs_rest" if trial.splits == "one_vs_rest" else "binary"
    n_levels = trial.n_levels
    if splits == "binary" and max(n_levels) > 8:
        splits = "one_vs_rest"  # the twin knows nothing of the subsets that growth chose
    return replace(trial, criterion=criterion, splits=splits, leaf_price=0.0, min_leaf=(seed % 3) * 2)


@pytest.mark.parametrize("seed", first(20, range(60)))
def test_two_levels_against_the_twin(seed: int) -> None:
    trial = trial_for(seed, 16)
    table = table_of(trial)
    tree = grown(trial, table, 2)
    judge_lookahead(trial, tree, tree.leaves(table), 2)


@pytest.mark.parametrize("seed", range(100, 120))
def test_three_levels_of_a_limited_depth_against_the_twin(seed: int) -> None:
    trial = trial_for(seed, 9)
    table = table_of(trial)
    tree = grown(trial, table, 3, max_depth=3)
    assert tree.depth <= 3
    judge_lookahead(trial, tree, tree.leaves(table), 3, 3)


@pytest.mark.parametrize("seed", first(20, range(60)))
def test_polished_against_the_twin(seed: int) -> None:
    trial = trial_for(seed, 16)
    table = table_of(trial)
    most = {} if seed % 2 else {"max_depth": 3}
    tree, greedy = grown(trial, table, "polish", **most), grown(trial, table, 1, **most)
    assert tree.n_leaves <= greedy.n_leaves
    assert cost(trial, tree, table) <= cost(trial, greedy, table) + 1e-7
    judge_polished(trial, tree, tree.leaves(table), most.get("max_depth", 10**6))


# ---- gaps that no test may place as it likes ---------------------------------------------------------------


def trial_with_gaps(seed: int, missing: str, most_rows: int) -> Trial:
    """Return a trial whose columns have gaps; weights are sums of powers of two, so that sides may tie."""
    trial, rng = trial_for(seed, most_rows), np.random.default_rng(seed)
    columns = [
        (kind, np.where(rng.random(len(values)) < 0.25, np.nan, values)) for kind, values in trial.columns
    ]
    columns = [
        pair if np.isfinite(pair[1]).any() else old for pair, old in zip(columns, trial.columns, strict=True)
    ]
    weights = np.where(trial.weights == 0.3, 0.25, trial.weights)
    return replace(trial, columns=columns, weights=weights, missing=missing)


@pytest.mark.parametrize("missing", ["surrogate", "most_common", "fractional"])
@pytest.mark.parametrize("seed", range(40))
def test_gaps_by_policy_against_the_twin(seed: int, missing: str) -> None:
    trial = trial_with_gaps(seed, missing, 14)
    table = table_of(trial)
    tree = grown(trial, table, 2)
    if missing == "fractional":
        judge_divided(trial, tree, 2)
    else:
        judge_lookahead(trial, tree, tree.leaves(table), 2)


@pytest.mark.parametrize("missing", ["surrogate", "most_common", "fractional"])
@pytest.mark.parametrize("seed", range(100, 108))
def test_three_levels_with_gaps_by_policy(seed: int, missing: str) -> None:
    trial = trial_with_gaps(seed, missing, 8)
    table = table_of(trial)
    tree = grown(trial, table, 3, max_depth=3)
    if missing == "fractional":
        judge_divided(trial, tree, 3, 3)
    else:
        judge_lookahead(trial, tree, tree.leaves(table), 3, 3)


@pytest.mark.parametrize("missing", ["surrogate", "most_common", "fractional"])
@pytest.mark.parametrize("seed", range(200, 230))
def test_polished_with_gaps_by_policy(seed: int, missing: str) -> None:
    trial = trial_with_gaps(seed, missing, 14)
    table = table_of(trial)
    tree, greedy = grown(trial, table, "polish"), grown(trial, table, 1)
    assert tree.n_leaves <= greedy.n_leaves
    if missing == "fractional":
        judge_divided(trial, tree, 0)
        return
    assert cost(trial, tree, table) <= cost(trial, greedy, table) + 1e-7
    if missing == "most_common":
        judge_polished(trial, tree, tree.leaves(table))


def cost(trial: Trial, tree: tw.Tree, table: tw.Table) -> float:
    """Return what the leaves of a tree cost."""
    leaves = tree.leaves(table)
    return sum(leaf_cost(trial, np.flatnonzero(leaves == leaf)) for leaf in np.unique(leaves))


# ---- what it must show -----------------------------------------------------------------------------------


def errors(tree: tw.Tree, table: tw.Table) -> int:
    return int((tree.predict(table) != table.labels("y")).sum())


def test_exclusive_or_among_six_weak_columns() -> None:
    table = parity(2, weak=6)
    tree = tw.grow(table, "y", lookahead=2)
    assert (tree.n_leaves, errors(tree, table)) == (4, 0)
    assert tw.grow(table, "y").n_leaves > 20


def test_parity_of_three() -> None:
    table = parity(3, weak=3)
    tree = tw.grow(table, "y", lookahead=3)
    assert (tree.n_leaves, errors(tree, table)) == (8, 0)
    assert tw.grow(table, "y").n_leaves > 20


def test_monk1_to_purity() -> None:
    table = tables.table("monk1")
    trees = [tw.grow(table, "class", lookahead=k, splits="one_vs_rest") for k in (1, 2, "polish")]
    assert all((tree.predict(table) == table.labels("class")).all() for tree in trees)
    greedy, ahead, polished = (tree.n_leaves for tree in trees)
    assert ahead < greedy
    assert polished < greedy


def test_no_subtree_is_better_than_the_test_of_a_whole_table() -> None:
    table = tw.example("tennis")
    best = tw.optimal(table, "PlayTennis", 2, criterion="entropy").certificate.upper
    tree = tw.grow(table, "PlayTennis", criterion="entropy", lookahead=2, max_depth=2)
    shares = [int(tree.n_rows[leaf]) * entropy(tree.stats[leaf]) for leaf in tree.leaf_ids]
    assert sum(shares) == pytest.approx(best)


def entropy(weights: Any) -> float:
    shares = weights[weights > 0] / weights.sum()
    return float(-(shares * np.log2(shares)).sum())


@pytest.mark.parametrize("recipe", ["plain", "cart", "sliq", "stump"])
def test_every_recipe_with_two_branches(recipe: str) -> None:
    table = parity(2, weak=3)
    for lookahead in (2, 3, "polish"):
        tree = tw.grow(table, "y", recipe, lookahead=lookahead)
        assert tree.about["lookahead"] == lookahead
    assert recipe == "stump" or errors(tw.grow(table, "y", recipe, lookahead=2), table) == 0


@pytest.mark.parametrize("given", [{"criterion": "gain_ratio"}, {"prune": "cv"}, {"max_leaves": 4}])
def test_with_ratios_prunings_and_a_budget_of_leaves(given: dict[str, Any]) -> None:
    table = parity(2, weak=3)
    tree = tw.grow(table, "y", lookahead=2, **given)
    assert (tree.n_leaves, errors(tree, table)) == (4, 0)


# ---- determinism -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("lookahead", [2, "polish"])
@pytest.mark.parametrize("target", ["y", "worth"])
def test_neither_rows_nor_threads_have_an_order(lookahead: Any, target: str) -> None:
    table = noisy(120, 4).drop("worth" if target == "y" else "y")
    given: dict[str, Any] = {"lookahead": lookahead, "max_depth": 3}
    tree = tw.grow(table, target, **given)
    order = np.random.default_rng(1).permutation(table.n_rows)
    assert tw.grow(table.take(order), target, **given) == tree
    assert tw.grow(table, target, n_threads=2, **given) == tree


@pytest.mark.parametrize("lookahead", [2, "polish"])
@pytest.mark.parametrize("missing", ["surrogate", "most_common", "fractional"])
def test_nor_where_values_are_missing(missing: str, lookahead: Any) -> None:
    table = noisy(100, 3).drop("worth")
    rng = np.random.default_rng(2)
    cells = {name: table.column(name)[1].astype(float) for name in table.names if name != "y"}
    for values in cells.values():
        values[rng.random(len(values)) < 0.15] = np.nan
    holed = tw.Table.from_dict({**cells, "y": table.labels("y")})
    given: dict[str, Any] = {"lookahead": lookahead, "max_depth": 3, "missing": missing}
    tree = tw.grow(holed, "y", **given)
    order = rng.permutation(holed.n_rows)
    assert tw.grow(holed.take(order), "y", **given) == tree
    assert tw.grow(holed, "y", n_threads=2, **given) == tree


def test_columns_have_no_order_but_by_name() -> None:
    table = noisy(100, 4).drop("worth")
    tree = tw.grow(table, "y", lookahead=2, max_depth=3)
    assert tw.grow(table.select(table.names[::-1]), "y", lookahead=2, max_depth=3).to_text() == tree.to_text()


def test_of_equal_subtrees_greedys_test_stays() -> None:
    rows = np.array(list(product([0, 1], repeat=3)) * 3)
    table = tw.Table.from_dict(
        {"a": rows[:, 0], "b": rows[:, 1], "c": rows[:, 2], "y": [f"{a}{b}" for a, b, _ in rows]}
    )
    assert tw.grow(table, "y", lookahead=2) == replace_about(tw.grow(table, "y"), lookahead=2)


def replace_about(tree: tw.Tree, **about: Any) -> tw.Tree:
    return replace(tree, about={**tree.about, **about})


# ---- large nodes, the ledger, files ----------------------------------------------------------------------


def test_large_nodes_are_split_greedily_and_that_is_said() -> None:
    table = parity(2, weak=6)
    tree = tw.grow(table, "y", lookahead=2, lookahead_rows=40)
    assert tree.about["lookahead_greedy"] == 1
    assert "1 node of more than 40 rows was split without look-ahead" in str(tree)
    assert tree.column[0] == tw.grow(table, "y").column[0]
    assert "look-ahead" not in str(tw.grow(table, "y", lookahead=2))
    polished = tw.grow(noisy(90, 3).drop("worth"), "y", lookahead="polish", lookahead_rows=60, max_depth=3)
    assert "of more than 60 rows was not polished" in str(polished)


def test_the_ledger_tells_who_lost_for_what_comes_below() -> None:
    table = parity(2, weak=2)
    tree = tw.grow(table, "y", lookahead=2, ledger=True)
    assert "less than bit0 with the tests below it" in tree.why_not("weak0")
    assert tree.why_not("bit0") == "bit0 was chosen: gain 0.000000."
    polished = tw.grow(table, "y", lookahead="polish", ledger=True, max_depth=2)
    assert len(polished.candidates(0)) == len(table.names) - 1


def test_a_tree_is_saved_and_loaded(tmp_path: Any) -> None:
    tree = tw.grow(parity(2, weak=2), "y", lookahead=2, ledger=True)
    tree.save(tmp_path / "t.treewright")
    assert tw.load(tmp_path / "t.treewright") == tree


# ---- refusals and the old name ---------------------------------------------------------------------------

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"lookahead": 4}, "must be 1, 2, 3 or 'polish'"),
    ({"lookahead": "polsh"}, "must be 1, 2, 3 or 'polish'"),
    ({"lookahead": True}, "must be 1, 2, 3 or 'polish'"),
    ({"splits": "multiway"}, "splits='multiway': subtrees are searched of tests with two branches"),
    ({"recipe": "id3"}, r"splits='multiway' \(recipe 'id3'\)"),
    ({"recipe": "c4.5"}, r"splits='multiway' \(recipe 'c4.5'\): .* Use recipe='plain' or 'cart'."),
    ({"criterion": "twoing"}, "compares two branches .* Use criterion='gini'"),
    ({"criterion": lambda left, right: left[:, 0]}, "needs a criterion by name"),
    ({"cuts": "random"}, "every cut is tried"),
    ({"max_columns": 2}, "max_columns=2"),
    ({"min_gain": 0.1}, "gains nothing by itself"),
    ({"significance": 0.05}, "significance=0.05"),
    ({"monotone": {"bit0": 1}}, "keeps no order"),
    ({"column_costs": {"bit0": 2.0}}, "several columns"),
    ({"lookahead_rows": 0}, "lookahead_rows=0"),
    ({"missing": "most_common_overall"}, "the rows of a node alone. Use missing='most_common'"),
    ({"min_branch": 3, "missing": "own_branch"}, "min_branch=3"),
]


@pytest.mark.parametrize(("given", "words"), REFUSED)
def test_refusals_say_why(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        tw.grow(parity(2), "y", **{"lookahead": 2, **given})


@pytest.mark.parametrize("missing", ["surrogate", "fractional", "most_common"])
def test_gaps_that_have_no_branch_of_their_own(missing: str) -> None:
    table = parity(2, weak=1)
    assert tw.grow(table, "y", missing=missing, lookahead=2).n_leaves == 4  # there are none
    column = table.column("weak0")[1].astype(float)
    column[3] = np.nan
    holed = tw.Table.from_dict({"weak0": column, "bit0": table.column("bit0")[1], "y": table.labels("y")})
    for lookahead in (2, "polish"):
        assert tw.grow(holed, "y", missing=missing, lookahead=lookahead).n_rows[0] == table.n_rows


def test_cart_looks_ahead_on_a_table_with_gaps() -> None:
    table, target = tables.table("stagec"), tables.target("stagec")
    greedy, ahead, polished = (
        tw.grow(table, target, "cart", lookahead=k, max_depth=2, prune="none") for k in (1, 2, "polish")
    )
    assert ahead.about["missing"] == "surrogate"
    assert (ahead.surrogate_agreement > 0).any()
    gini = [float((t.stats[t.leaf_ids].sum(axis=1) - (t.stats[t.leaf_ids] ** 2).sum(axis=1)
                   / t.stats[t.leaf_ids].sum(axis=1)).sum()) for t in (greedy, polished)]  # fmt: skip
    assert gini[1] <= gini[0] + 1e-9


def test_numbers_refuse_criteria_that_do_not_add_up() -> None:
    table = noisy(30, 3).drop("y")
    for criterion in ("absolute_error", "gaussian_entropy"):
        with pytest.raises(ValueError, match="Use criterion='squared_error'"):
            tw.grow(table, "worth", criterion=criterion, lookahead=2)


def test_the_old_name_is_taken_and_told() -> None:
    table = parity(2, weak=2)
    with pytest.warns(DeprecationWarning, match="linear_lookahead is now called lookahead"):
        tree = tw.grow(table, "y", linear_lookahead=2)
    assert (tree.n_leaves, tree.about["lookahead"]) == (4, 2)
    assert "linear_lookahead" not in tree.about
    with (
        pytest.warns(DeprecationWarning, match="linear_lookahead"),
        pytest.raises(ValueError, match="is the old name of lookahead=3"),
    ):
        tw.grow(table, "y", linear_lookahead=2, lookahead=3)


# ---- other doors -----------------------------------------------------------------------------------------


def test_estimators_take_it() -> None:
    table = parity(2, weak=3)
    model = tw.DecisionTreeClassifier(lookahead=2).fit(table.drop("y"), table.labels("y"))
    assert (model.get_n_leaves(), model.score(table.drop("y"), table.labels("y"))) == (4, 1.0)
    numbers = noisy(100, 3).drop("y")
    truth = numbers.column("worth")[1]
    given: dict[str, Any] = {"max_depth": 3, "min_samples_leaf": 5}
    squares = []
    for lookahead in (None, "polish"):
        found = tw.DecisionTreeRegressor(lookahead=lookahead, **given).fit(numbers.drop("worth"), truth)
        squares.append(((found.predict(numbers) - truth) ** 2).sum())
    assert squares[1] <= squares[0]


def test_the_command_line_takes_it(tmp_path: Any) -> None:
    table = parity(2, weak=3)
    lines = [",".join(table.names)] + [
        ",".join(map(str, row)) for row in zip(*(cells_of(table, name) for name in table.names), strict=True)
    ]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    code, _, said = finished("fit", tmp_path / "t.csv", "--target", "y", "--recipe", "plain", "--lookahead",
                                 2, "--cv", 0, "-o", tmp_path / "m.treewright")  # fmt: skip
    assert code == 0, said
    assert tw.load(tmp_path / "m.treewright").n_leaves == 4
    code, _, said = finished("fit", tmp_path / "t.csv", "--target", "y", "--recipe", "c4.5", "--lookahead", 2)
    assert code != 0
    assert "--lookahead 2 does not go with --splits multiway" in said


def cells_of(table: tw.Table, name: str) -> list[Any]:
    return table.labels(name).tolist() if name == "y" else table.column(name)[1].tolist()


def test_forests_and_clusters_grow_without() -> None:
    with pytest.raises(ValueError, match="lookahead=2: the trees of a forest are grown without"):
        tw.forest.grow(parity(2), "y", n_trees=2, lookahead=2)


def test_an_interrupt_ends_growth() -> None:
    def interrupt(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tw.grow(noisy(200, 4).drop("y"), "worth", lookahead=2, progress=interrupt)
