"""`tw.optimal`: what greedy growth misses, certificates, limits of time and memory, files, refusals."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewright as tw
from tests import tables
from tests.lookahead.trials import solved, table_of, trial_of
from tests.oracle.optimal import least_cost
from treewright.growth.ahead.problem import problem_of
from treewright.lookahead.asking import settings_for
from treewright.lookahead.bounds import least_of_any, least_of_groups
from treewright.table import ClassTerms, Rows
from treewright.tree.certificate import Certificate


def parity(n_columns: int, weak: int = 0) -> tw.Table:
    """Return rows whose class is the parity of some columns; others tell it a little."""
    rng = np.random.default_rng(3)
    rows = np.array(list(product([0, 1], repeat=n_columns)) * 16)
    odd = rows.sum(axis=1) % 2
    columns = {f"bit{i}": rows[:, i] for i in range(n_columns)}
    columns |= {f"weak{i}": np.where(rng.random(len(odd)) < 0.6, odd, 1 - odd) for i in range(weak)}
    return tw.Table.from_dict(columns | {"y": ["odd" if x else "even" for x in odd]})


def noisy(n_rows: int, n_columns: int, seed: int = 0) -> tw.Table:
    """Return numbers whose class or sum no small tree tells."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_rows, n_columns))
    worth = x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=n_rows)
    names = {f"x{i}": x[:, i] for i in range(n_columns)}
    return tw.Table.from_dict(names | {"worth": worth, "y": ["high" if w > 0 else "low" for w in worth]})


def test_exclusive_or_among_weak_columns() -> None:
    table = parity(2, weak=6)
    found = tw.optimal(table, "y", max_depth=2)
    assert (found.certificate.upper, found.tree.n_leaves) == (0, 4)
    assert tw.grow(table, "y", max_depth=2).n_leaves == 4  # of weak columns, and not right
    assert (tw.grow(table, "y", max_depth=2).predict(table) != table.labels("y")).any()


def test_parity_of_three() -> None:
    found = tw.optimal(parity(3, weak=3), "y", max_depth=3)
    assert (found.certificate.upper, found.certificate.is_proven, found.tree.n_leaves) == (0, True, 8)


def test_monk1_by_one_category_against_the_rest() -> None:
    for depth, errors in ((3, 58), (4, 0)):
        found = tw.optimal(tables.table("monk1"), "class", max_depth=depth, splits="one_vs_rest")
        assert (found.certificate.upper, found.certificate.is_proven) == (errors, True)


DESCRIBED = sorted(path.stem for path in tables.FOLDER.glob("*.json"))


@pytest.mark.parametrize("name", [name for name in DESCRIBED if "target" in tables.about(name)])
@pytest.mark.parametrize("depth", [2, 3])
def test_never_worse_than_greedy(name: str, depth: int) -> None:
    table, target = tables.table(name), tables.target(name)
    found = tw.optimal(table, target, max_depth=depth, time_limit=0.5, warns=False)
    column, truth = table.column(target)
    for criterion in ("squared_error",) if column.is_numeric else ("gini", "entropy", "error"):
        tree = tw.grow(table, target, max_depth=depth, criterion=criterion, warns=False)
        said = tree.predict(table)
        cost = ((said - truth) ** 2).sum() if column.is_numeric else (said != table.labels(target)).sum()
        assert found.certificate.upper <= cost * (1 + 1e-9) + 1e-9
    assert found.certificate.lower <= found.certificate.upper


@pytest.mark.parametrize("seed", range(400, 440))
def test_the_bound_of_a_search_that_is_cut_short_is_a_bound(seed: int) -> None:
    trial = trial_of(seed, most_rows=12)
    least = least_cost(trial, 2)
    found = solved(trial, 2, time_limit=0.0).certificate
    assert found.lower <= least + 1e-7
    assert found.upper >= least - 1e-7


def test_the_gap_closes_and_never_opens() -> None:
    heard: list[Certificate] = []
    found = tw.optimal(noisy(3000, 10).drop("worth"), "y", max_depth=3, progress=heard.append)
    assert found.certificate.is_proven
    assert len(heard) > 2
    lower, upper = ([getattr(proof, name) for proof in heard] for name in ("lower", "upper"))
    assert all(a <= b for a, b in pairwise(lower))
    assert all(a >= b for a, b in pairwise(upper))
    assert all(x <= found.certificate.upper for x in lower)
    assert heard[-1] == found.certificate


def test_time_is_limited_and_the_gap_is_stated() -> None:
    found = tw.optimal(noisy(3000, 10), "worth", max_depth=4, time_limit=0.3)
    proof = found.certificate
    assert not proof.is_proven
    assert (proof.ended_by, proof.seconds < 30) == ("time_limit", True)
    assert 0 <= proof.lower < proof.upper
    assert "not proven optimal" in str(found)


def test_a_search_of_numbers_that_is_cut_short_has_a_bound_above_zero() -> None:
    heard: list[Certificate] = []
    found = tw.optimal(noisy(2000, 6), "worth", max_depth=3, time_limit=0.0, progress=heard.append)
    assert found.certificate.lower > 0
    lower = [proof.lower for proof in heard]
    assert all(a <= b for a, b in pairwise(lower))


@pytest.mark.parametrize("seed", range(440, 470))
@pytest.mark.parametrize("depth", [1, 2])
def test_no_tree_is_below_the_bound_before_any_search(seed: int, depth: int) -> None:
    trial = trial_of(seed, most_rows=12)
    table = table_of(trial)
    settings = settings_for(trial.criterion, trial.splits, trial.missing, depth, None)
    rows = Rows.of(table, "y", trial.weights)
    asked = problem_of(rows, settings, ClassTerms(None, None, trial.costs), trial.leaf_price, 0)
    assert least_of_any(asked) <= least_cost(trial, depth) + 1e-9


def test_numbers_in_so_many_groups() -> None:
    table = tw.Table.from_dict({"a": [0.0] * 8, "y": [1.0, 9.0, 2.0, 8.0, 5.0, 5.0, 1.0, 9.0]})
    settings = settings_for("squared_error", "binary", "learned", 2, None)
    asked = problem_of(Rows.of(table, "y", None), settings, ClassTerms(None, None, None), 0.0, 0)
    by_hand = _least_squares([1.0, 1.0, 2.0, 5.0, 5.0, 8.0, 9.0, 9.0], 4)
    assert least_of_groups(asked, 4) == pytest.approx(by_hand)


def _least_squares(values: list[float], most: int) -> list[float]:
    """Return the least squared distances of 1, 2, ... groups of sorted values, from all ways to cut them."""
    found = []
    for k in range(1, most + 1):
        ways = combinations(range(1, len(values)), k - 1)
        parts = ([values[a:b] for a, b in pairwise([0, *way, len(values)])] for way in ways)
        found.append(min(sum(len(part) * float(np.var(part)) for part in way) for way in parts))
    return found


def test_an_interrupt_gives_the_best_tree_so_far() -> None:
    def interrupt(proof: Certificate) -> None:
        if not proof.is_proven and proof.ended_by == "time_limit":
            raise KeyboardInterrupt

    found = tw.optimal(noisy(3000, 10), "worth", max_depth=4, progress=interrupt)
    assert found.certificate.ended_by == "interrupt"
    assert found.tree.depth <= 4


def test_a_limit_of_work_ends_the_search_at_the_same_place() -> None:
    table = noisy(3000, 10).drop("y")
    first, second = (tw.optimal(table, "worth", max_depth=3, work_limit=300) for _ in range(2))
    assert first.certificate == second.certificate
    assert first.tree == second.tree
    assert (first.certificate.ended_by, first.certificate.is_proven) == ("work_limit", False)
    assert 0 < first.certificate.lower < first.certificate.upper


def test_memory_does_not_matter_to_the_result() -> None:
    table = noisy(120, 5)
    whole = tw.optimal(table.drop("worth"), "y", max_depth=3)
    for memory in (0, 10_000):
        other = tw.optimal(table.drop("worth"), "y", max_depth=3, memory=memory)
        assert other.certificate.upper == whole.certificate.upper
        assert other.tree.to_text() == whole.tree.to_text()


def test_rows_in_another_order_cost_the_same() -> None:
    table = noisy(150, 4).drop("worth")
    order = np.random.default_rng(5).permutation(150)
    first, second = (tw.optimal(t, "y", max_depth=3) for t in (table, table.take(order)))
    assert first.certificate.upper == second.certificate.upper
    assert first.tree.to_text() == second.tree.to_text()


def test_a_row_twice_is_a_row_of_weight_two() -> None:
    table = noisy(60, 3).drop("worth")
    twice = table.take(np.repeat(np.arange(60), 1 + np.arange(60) % 2))
    weights = 1.0 + np.arange(60) % 2
    for criterion in ("error", "gini"):
        heavy = tw.optimal(table, "y", max_depth=3, criterion=criterion, weights=weights).certificate
        assert heavy.upper == pytest.approx(tw.optimal(twice, "y", 3, criterion=criterion).certificate.upper)


def test_the_certificate_is_kept_in_the_file_and_goes_with_an_edit(tmp_path: Path) -> None:
    found = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2)
    found.tree.save(tmp_path / "t.treewright")
    again = tw.load(tmp_path / "t.treewright")
    assert Certificate.of(again.about) == found.certificate
    assert "proven optimal" in str(again)
    assert Certificate.of(again.collapse(1).about) is None


def test_the_same_data_give_the_same_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2).tree.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert b"seconds" not in (tmp_path / "a").read_bytes()


def test_the_other_tools_take_the_tree(tmp_path: Path) -> None:
    table = tables.table("crx")
    tree = tw.optimal(table, tables.target("crx"), max_depth=3, warns=False).tree
    assert "<svg" in tree.plot().to_svg()
    assert len(tree.rules()) == tree.n_leaves
    assert tree.prune("pessimistic").n_leaves <= tree.n_leaves
    assert "CASE" in tree.export(format="sql")
    tree.report(tmp_path / "r.html")


REFUSALS: list[tuple[dict[str, Any], str]] = [
    ({"criterion": "gain_ratio"}, "no sum over leaves"),
    ({"splits": "linear"}, "one column at a time"),
    ({"missing": "fractional"}, "own_branch"),
    ({"max_depth": None}, "needs a depth"),
    ({"max_depth": 10**9}, "no tree of more than 60 tests"),
    ({"leaf_price": -1.0}, "from 0 up"),
    ({"time_limit": -1.0}, "seconds"),
    ({"memory": -1}, "bytes"),
    ({"work_limit": 0}, "sub-problems"),
]


@pytest.mark.parametrize(("asked", "words"), REFUSALS)
def test_refusals_say_why(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        tw.optimal(tw.example("tennis"), "PlayTennis", **asked)


@pytest.mark.parametrize("values", ["1 inf -inf 3", "1 2 -inf -inf", "inf inf 1 1", "inf inf -inf -inf"])
def test_numbers_without_end_are_cut_as_growth_cuts_them(values: str) -> None:
    x = [float(value) for value in values.split()] * 5
    table = tw.Table.from_dict({"x": x, "y": list("aabb") * 5})
    found = tw.optimal(table, "y", max_depth=2)
    greedy = tw.grow(table, "y", max_depth=2)
    assert found.certificate.is_proven
    assert found.certificate.upper <= greedy.stats[greedy.leaf_mask].min(axis=1).sum()
    if found.tree.n_leaves == 2:
        assert found.tree.cut[0] == greedy.cut[0]
    assert found.tree.predict(table) is not None


def test_options_that_are_unknown_are_told_what_is_meant() -> None:
    with pytest.raises(TypeError, match=r"optimal has no option 'max_dpth'; did you mean 'max_depth'\?"):
        tw.optimal(tw.example("tennis"), "PlayTennis", max_dpth=2)


def test_the_price_of_a_leaf_is_lambda() -> None:
    table = tw.example("tennis")
    tree = tw.grow(table, "PlayTennis", max_depth=1, criterion="entropy", splits="multiway")
    saved = 14 * float(tree.gain[0])  # by a test of three branches: two leaves more
    for price in (0.49 * saved, 0.51 * saved):
        pruned = tw.prune.regularised(tree, price)
        asked: dict[str, Any] = {"criterion": "entropy", "splits": "multiway", "leaf_price": price}
        found = tw.optimal(table, "PlayTennis", 1, **asked)
        assert found.tree.n_leaves == pruned.n_leaves
    assert found.tree.n_leaves == 1
