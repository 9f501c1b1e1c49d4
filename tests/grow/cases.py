"""A table and settings from a seed and a choice by name of each: what both engines are asked to grow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

import treewright as tw
from tests.grow.engines import first_difference, general_engine
from tests.grow.odd_columns import CATEGORIES, N_CLASSES, NUMBERS, TARGETS, WEIGHTS, classes
from treewright.growth.setting import CHOICES
from treewright.table import Kind, Table

Choice = dict[str, str]

SIZES = {"tiny": (5, 60), "middling": (400, 1000), "medium": (600, 2500), "large": (20_000, 20_000)}
LIMITS = ("none", "max_depth", "min_leaf", "min_split", "min_branch", "min_leaf_share", "max_leaves",
          "min_gain", "gain_of_table", "max_columns", "majority_share", "significance", "fisher")  # fmt: skip
EXTRAS = ("none", "class_weight", "priors", "costs", "ledger", "random_cuts", "use_once", "ties_in_order")
# Everything that settings and data can be, by name.
ALL: dict[str, tuple[str, ...]] = {
    "size": ("tiny", "medium"),
    "target": (*N_CLASSES, *TARGETS),
    "weights": tuple(WEIGHTS),
    "gaps": ("none", "some", "whole_column"),
    "column": (*NUMBERS, *CATEGORIES, "ordinal", "copies"),
    "missing": CHOICES["missing"],
    # Not all of CHOICES["splits"]: a case is made from its number, and stays what it is when forms are added.
    "splits": ("binary", "multiway", "one_vs_rest", "linear"),
    "criterion": ("gini", "entropy", "gain_ratio", "error"),
    "recipe": ("plain", "cart", "c4.5", "id3", "stump"),
    "limit": LIMITS,
    "extra": EXTRAS,
    "n_threads": ("1", "2", "3"),
}
# What a quick engine serves: most of the cases should be of this sort.
PLAIN: dict[str, tuple[str, ...]] = ALL | {
    "missing": ("learned",),
    "splits": ("binary", "one_vs_rest"),
    "criterion": ("gini", "entropy"),
    "recipe": ("plain",),
    "limit": tuple(limit for limit in LIMITS if limit not in ("significance", "fisher")),
    "extra": ("none", "class_weight", "priors", "costs"),
}


@dataclass(frozen=True)
class Case:
    """One thing to grow, and the words it was made from."""

    seed: int
    choice: Choice
    table: Table
    weights: Any
    settings: dict[str, Any]  # `recipe` and class weights among them

    def grow(self) -> tw.Tree:
        """Return the tree, by whichever engine serves."""
        return tw.grow(self.table, "y", weights=self.weights, **self.settings)

    def __str__(self) -> str:
        weights = "none" if self.weights is None else self.choice["weights"]
        kinds = ", ".join(f"{c.name}: {c.kind} ({len(np.unique(v))})" for c, v in _pairs(self.table))
        return (
            f"seed {self.seed}, {self.table.n_rows} rows, weights {weights}, {kinds}\n"
            f"settings {self.settings}\nchoice {self.choice}"
        )


def _pairs(table: Table) -> Any:
    return zip(table.schema.columns, table.values, strict=True)


# ---- choices --------------------------------------------------------------------------------------


def drawn(rng: np.random.Generator, factors: Mapping[str, tuple[str, ...]]) -> Choice:
    """Return a choice at random that makes sense."""
    return sensible({name: str(rng.choice(values)) for name, values in factors.items()})


def sensible(choice: Choice) -> Choice:
    """Return the choice with what contradicts itself put right."""
    found = dict(choice)
    if found["target"] in TARGETS:
        found["criterion"] = "squared_error"
        if found["recipe"] in ("c4.5", "id3"):
            found["recipe"] = "plain"
        if found["limit"] in ("majority_share", "significance", "fisher"):
            found["limit"] = "none"
        if found["extra"] in ("class_weight", "priors", "costs"):
            found["extra"] = "none"
    if found["missing"] == "surrogate" and found["splits"] == "multiway":
        found["splits"] = "binary"
    if found["missing"] == "error":
        found["gaps"] = "none"
    if found["missing"] == "drop" and found["gaps"] == "whole_column":
        found["gaps"] = "some"
    if found["target"] == "hundreds" and (found["splits"] == "multiway" or found["extra"] == "costs"):
        found["target"] = "dozens"  # a thousand figures for each of many branches: too large
    return found


def covering(factors: Mapping[str, tuple[str, ...]], seed: int) -> Iterator[Choice]:
    """Give choices, few of them, such that any two values of two factors that can meet do meet."""
    rng = np.random.default_rng(seed)
    met: set[tuple[Any, ...]] = set()
    n_idle = 0
    while n_idle < 25:
        tried = [drawn(rng, factors) for _ in range(12)]
        best = max(tried, key=lambda choice: len(pairs_in(choice) - met))
        news = pairs_in(best) - met
        n_idle = 0 if news else n_idle + 1
        if news:
            met |= news
            yield best


def pairs_in(choice: Choice) -> set[tuple[Any, ...]]:
    """Return the pairs of values that meet in a choice."""
    return set(combinations(sorted(choice.items()), 2))


# ---- from a choice to a case ----------------------------------------------------------------------


def make_case(choice: Choice, seed: int) -> Case:
    """Return the case of a choice; the seed decides the rest."""
    rng = np.random.default_rng([seed, 42])
    low, high = SIZES[choice["size"]]
    n_rows = int(rng.integers(low, high + 1))
    if choice["target"] == "hundreds":
        n_rows = min(n_rows, 1200)
    signal = rng.normal(size=n_rows)
    columns = columns_for(choice, rng, signal)
    if choice["target"] in N_CLASSES:
        y = classes(rng, signal, choice["target"])
    else:
        y = TARGETS[choice["target"]](rng, signal)
    ordinal = {name: sorted(set(column)) for name, column in columns.items() if name.startswith("ordinal")}
    rows = with_gaps(Table.from_dict({**columns, "y": y}, ordinal=ordinal), choice["gaps"], rng)
    weights = WEIGHTS[choice["weights"]](rng, n_rows)
    return Case(seed, choice, rows, weights, settings_for(choice, rng, rows))


def columns_for(choice: Choice, rng: np.random.Generator, signal: Any) -> dict[str, Any]:
    """Return the column of the choice and up to four others."""
    makers = NUMBERS | CATEGORIES | {"ordinal": CATEGORIES["some_levels"], "copies": NUMBERS["whole"]}
    kinds = [choice["column"], *rng.choice(list(makers), int(rng.integers(0, 5)))]
    letters = rng.permutation(list("abcdefgh"))  # ties go by name: the order of names is not that of columns
    found = {
        f"{kind}_{letter}": makers[kind](rng, signal) for kind, letter in zip(kinds, letters, strict=False)
    }
    if choice["column"] == "copies":
        first = next(iter(found.values()))
        return {"z": first, **found, "a": first, "m": -first}
    return found


def with_gaps(rows: Table, gaps: str, rng: np.random.Generator) -> Table:
    """Return the table with cells, or a whole column, emptied."""
    if gaps == "none":
        return rows
    values = []
    for place, (column, cells) in enumerate(_pairs(rows)):
        share = rng.choice([0.0, 0.03, 0.4])
        if gaps == "whole_column" and place == 0:
            share = 1.0
        holes = (rng.random(rows.n_rows) < share) & (column.name != "y")
        holes[0] &= share == 1.0  # one row is whole, for those who drop the others
        values.append(
            np.where(holes, np.nan if column.kind == Kind.numeric else -1, cells).astype(cells.dtype)
        )
    return Table(rows.schema, tuple(values))


def settings_for(choice: Choice, rng: np.random.Generator, rows: Table) -> dict[str, Any]:
    """Return what `tw.grow` is told beside the table and the weights."""
    found: dict[str, Any] = {name: choice[name] for name in ("recipe", "missing", "splits")}
    found["n_threads"] = int(choice["n_threads"])
    if found["recipe"] != "c4.5" or choice["criterion"] in ("gain_ratio", "entropy"):
        found["criterion"] = choice["criterion"]
    if found["recipe"] == "id3":
        found["numeric"] = "cut"
    if found["splits"] == "linear":
        found["prune"] = "none"  # these would be pruned by default, and growing is what is judged
    if found["splits"] == "multiway":
        found["max_depth"] = 4  # many categories, a branch each: it would not end
    limit = limit_for(choice["limit"], rng, rows.n_rows)
    extra = extra_for(choice["extra"], rng, rows.column("y")[0].categories)
    return found | limit | extra


def limit_for(name: str, rng: np.random.Generator, n_rows: int) -> dict[str, Any]:
    """Return a limit of some size."""
    part = float(rng.choice([2, 3, max(1, n_rows // 20), max(1, n_rows // 4)]))
    share = float(rng.choice([0.001, 0.05, 0.25]))
    values: dict[str, dict[str, Any]] = {
        "none": {},
        "max_depth": {"max_depth": int(rng.choice([1, 2, 5, 9]))},
        "min_leaf": {"min_leaf": part},
        "min_split": {"min_split": part * 2},
        "min_leaf_share": {"min_leaf_share": share},
        "max_leaves": {"max_leaves": int(rng.integers(2, 40))},
        "min_gain": {"min_gain": share / 10},
        "gain_of_table": {"min_gain": share / 100, "gain_of": "table"},
        "max_columns": {"max_columns": int(rng.integers(1, 3)), "seed": int(rng.integers(0, 1000))},
        "majority_share": {"majority_share": float(rng.choice([0.5, 0.8, 0.99]))},
        "significance": {"significance": float(rng.choice([0.01, 0.3]))},
        "fisher": {"significance": 0.3, "significance_test": "fisher"},
        "min_branch": {"min_branch": part},
    }
    return values[name]


def extra_for(name: str, rng: np.random.Generator, names: tuple[str, ...]) -> dict[str, Any]:
    """Return a setting that few use."""
    figures = rng.integers(1, 6, len(names)) / 2
    costs = {true: {other: 5.0} for true, other in pairwise(names)}
    values: dict[str, dict[str, Any]] = {
        "none": {},
        "class_weight": {"class_weight": dict(zip(names, figures.tolist(), strict=True))},
        "priors": {"priors": dict(zip(names, figures.tolist(), strict=True))},
        "costs": {"costs": costs},
        "ledger": {"ledger": True},
        "random_cuts": {"cuts": "random", "seed": int(rng.integers(0, 1000))},
        "use_once": {"use_once": True},
        "ties_in_order": {"ties": "order"},
    }
    return values[name]


def stricter(case: Case) -> Case:
    """Return the case with monotone columns, or by a criterion that few use, where it can have them.

    The stored digests are of cases without these, so they are no factors of their own.
    """
    rng = np.random.default_rng([case.seed, 43])
    target, y = case.table.column("y")
    ordered = [c.name for c in case.table.schema.columns if c.name != "y" and c.kind != Kind.nominal]
    found: dict[str, Any] = {}
    if ordered and (target.is_numeric or len(target.categories) == 2) and rng.random() < 0.7:
        chosen = [name for name in ordered if rng.random() < 0.6] or ordered[:1]
        found["monotone"] = {name: int(rng.choice([-1, 1])) for name in chosen}
    if target.is_numeric and rng.random() < 0.5 and y.min() >= 0 and y.max() > 0:
        found["criterion"] = "poisson"
    elif not target.is_numeric and rng.random() < 0.5 and case.settings["recipe"] == "plain":
        found["criterion"] = str(rng.choice(["twoing", "hellinger"]))
    return replace(case, settings=case.settings | found)


# ---- the trial ------------------------------------------------------------------------------------


class Trial(NamedTuple):
    """What came of a case: how the trees differ (None: not at all), the nodes of the first (0: refused)."""

    complaint: str | None
    n_nodes: int


def trial(case: Case) -> Trial:
    """Let both engines grow a case. What one refuses, the other must refuse in the same words."""
    quick = outcome(case)
    with general_engine():
        general = outcome(replace(case, settings=case.settings | {"n_threads": 1}))
    if isinstance(quick, str) or isinstance(general, str):
        return Trial(None if quick == general else f"one refuses: {quick!r} and {general!r}", 0)
    return Trial(first_difference(quick, general) or None, quick.n_nodes)


def outcome(case: Case) -> tw.Tree | str:
    """Return the tree, or the words with which it is refused."""
    try:
        return case.grow()
    except ValueError as refusal:
        return str(refusal)
