"""The core against its slow twin: every criterion x form of split x missing policy on random small tables."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.amount import at_most
from tests.oracle.judge import judge
from tests.oracle.settings import settings_for
from tests.oracle.strategies import Problem, problems, to_treewright
from treewright.growth.grower import grow_rows
from treewright.growth.setting import CHOICES, CRITERIA, ON_SEVERAL
from treewright.growth.settings import CLASS_CRITERIA, NUMBER_CRITERIA, Settings
from treewright.table import Column, Kind, Rows
from treewright.tree import Tree

EXACT = ("ones", "integers", "eighths")  # tenths tie or not by the last bit of their sums
QUIET = settings(
    max_examples=at_most(8, 300),
    phases=(Phase.explicit, Phase.generate),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
# Others have twins of their own: tests on several columns in tests/oracle/sums.py, groups in grouping.py.
SPLITS = [form for form in CHOICES["splits"] if form not in (*ON_SEVERAL, "grouped")]
POLICIES = [policy for policy in CHOICES["missing"] if policy != "error"]
COMBINATIONS = [
    (task, criterion, splits, missing)
    for task, criteria in (("classes", CLASS_CRITERIA), ("numbers", NUMBER_CRITERIA))
    for criterion, splits, missing in product(criteria, SPLITS, POLICIES)
    if not (missing == "surrogate" and splits == "multiway")
    and not (CRITERIA[criterion]["is_two_way"] and (splits == "multiway" or missing == "own_branch"))
]


def grown(problem: Problem, recipe: str = "plain", **asked: Any) -> Tree:
    """Return the core's tree for a problem of the twin."""
    table = to_treewright(problem)
    target = Column(problem.target.name, Kind(problem.target.kind), problem.target.categories)
    rows = Rows(table.schema, table.values, target, problem.y, problem.weights)
    return grow_rows(rows, Settings.of(recipe, **asked))


def try_case(
    problem: Problem, recipe: str = "plain", judged: dict[str, Any] | None = None, **asked: Any
) -> None:
    """Grow with the core and let the twin judge every node."""
    if asked.get("missing") == "drop" and not _has_whole_row(problem):
        with pytest.raises(ValueError, match="no row to grow on"):
            grown(problem, recipe, **asked)
        return
    tree = grown(problem, recipe, **asked)
    rules = settings_for(recipe, regression=problem.n_classes == 0, **(asked | (judged or {})))
    n_classes = problem.n_classes
    assert judge(tree, problem.table, problem.y, problem.weights, rules, n_classes=n_classes) == tree.n_nodes


def _has_whole_row(problem: Problem) -> bool:
    gaps = [
        v != v if c.kind == "numeric" else v < 0
        for c, v in zip(problem.table.schema.columns, problem.table.values, strict=True)
    ]
    return bool((~sum(gaps[1:], gaps[0])).any())


@pytest.mark.parametrize(("task", "criterion", "splits", "missing"), COMBINATIONS)
def test_every_combination_against_the_twin(task: str, criterion: str, splits: str, missing: str) -> None:
    declared = CRITERIA[criterion]
    most, counts = declared["max_classes"] or 4, declared.get("loss") == "poisson"

    @QUIET
    @given(problems(task=task, weights=EXACT, max_classes=most, counts=counts))
    def run(problem: Problem) -> None:
        try_case(problem, criterion=criterion, splits=splits, missing=missing)

    run()


@QUIET
@given(
    problems(gaps=True, weights=EXACT),
    st.sampled_from(POLICIES),
    st.sampled_from(SPLITS),
    st.sampled_from([None, 2, 3]),
    st.sampled_from([1.0, 2.0, 3.0]),
    st.sampled_from([0.0, 2.0]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, 0.6]),
    st.sampled_from([None, 0.05]),
)
def test_stopping_rules_against_the_twin(
    problem: Problem,
    missing: str,
    splits: str,
    min_split: float | None,
    min_leaf: float,
    min_branch: float,
    max_depth: int | None,
    share: float | None,
    min_gain: float | None,
) -> None:
    if missing == "surrogate" and splits == "multiway":
        splits = "binary"
    try_case(
        problem,
        missing=missing,
        splits=splits,
        min_split=min_split,
        min_leaf=min_leaf,
        min_branch=min_branch,
        max_depth=max_depth,
        majority_share=share if problem.n_classes else None,
        min_gain=min_gain,
    )


@pytest.mark.parametrize("criterion", ["gain_ratio", "entropy"])
@pytest.mark.parametrize("m", [1, 2, 3])
def test_c45_against_the_twin(criterion: str, m: int) -> None:
    @QUIET
    @given(problems(weights=EXACT, task="classes", max_rows=24))
    def run(problem: Problem) -> None:
        try_case(problem, "c4.5", criterion=criterion, min_branch=m)

    run()


@QUIET
@given(problems(weights=EXACT, task="classes", kinds=("nominal", "boolean"), gaps=False))
def test_id3_against_the_twin(problem: Problem) -> None:
    try_case(problem, "id3")


@QUIET
@given(problems(weights=EXACT, task="classes"))
def test_stump_against_the_twin(problem: Problem) -> None:
    try_case(problem, "stump", judged={"splits": "one_vs_rest", "missing": "learned"})


@QUIET
@given(problems(gaps=True, weights=EXACT))
def test_cart_against_the_twin(problem: Problem) -> None:
    try_case(problem, "cart", min_split=4, min_leaf=2)
