"""What growth may be told, checked once: a Settings that exists is one that the core can trust."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from treewright import _core
from treewright.base.advice import ask, refusal
from treewright.base.names import hint
from treewright.growth.filters import check_filters, costs_by_name, directions_by_name
from treewright.growth.forms import check_boundary_cuts, check_groups
from treewright.growth.levels import POLISH, by_new_name, check_levels, levels_of
from treewright.growth.recipes import RECIPES
from treewright.growth.setting import CRITERIA, ON_SEVERAL, SETTINGS, Criterion, SettingRows
from treewright.measure import Discretiser
from treewright.tree.policy import GAPS

CLASS_CRITERIA: tuple[str, ...] = tuple(name for name, row in CRITERIA.items() if row["has_classes"])
NUMBER_CRITERIA: tuple[str, ...] = tuple(name for name, row in CRITERIA.items() if not row["has_classes"])

# What people type who know other libraries.
ELSEWHERE = {
    row.elsewhere: row.name for row in SETTINGS.values() if row.elsewhere not in (None, row.name)
} | {
    "discretize": "discretise",
    "bins": "discretise, with tw.discretise.EqualWidth(bins=...)",
    "min_impurity_decrease": 'min_gain, with gain_of="table"',
    "min_impurity_split": "min_impurity",
    "ccp_alpha": "prune, with tw.prune.CostComplexity(alpha=..., risk='impurity')",
    "monotonic_cst": 'monotone, by column: monotone={"age": 1}',
    "sample_weight": "weights",
    "minsplit": "min_split",
    "minbucket": "min_leaf",
    "maxdepth": "max_depth",
    "cv": "folds",
    "test_size": "test",
    "scoring": "scores",
    "n_estimators": "n_trees",
}

# Not in a tree's `about`: what the recipe says anyway, what does not matter, what is told once it is done.
NOT_TOLD = ("tasks", "n_threads", "prune", "search", "linear_lookahead")

# A sum of columns fits noise more readily than one column does, so such trees are pruned by default.
LINEAR_PRUNE = "cv"


@dataclass(frozen=True, kw_only=True)
class Settings(SettingRows):
    """Everything that decides a tree besides the data. Make one with `Settings.of(recipe, ...)`.

    >>> Settings.of("c4.5", min_branch=5).min_branch
    5.0
    >>> Settings.of("plain", max_depht=3)
    Traceback (most recent call last):
    ValueError: There is no setting 'max_depht'; did you mean 'max_depth'?
    """

    @classmethod
    def of(cls, recipe: str = "plain", **given: Any) -> Settings:
        """Return the recipe's settings with the given ones in their place; None means the recipe's own.

        Tests on several columns are pruned by cross-validation unless recipe or caller say otherwise.

        >>> Settings.of("cart", min_leaf=1, min_split=None).min_split
        20.0
        >>> Settings.of(splits="linear").prune, Settings.of(splits="linear", prune="none").prune
        ('cv', 'none')
        """
        if not isinstance(recipe, str) or recipe not in RECIPES:
            raise ValueError(
                f"There is no recipe {recipe!r}; the recipes are {', '.join(RECIPES)}{hint(recipe, RECIPES)}"
            )
        known = {f.name for f in fields(cls)} - {"recipe", "tasks"}
        for name in given:
            if name not in known:
                way = f"; here it is called {ELSEWHERE[name]}" if name in ELSEWHERE else hint(name, known)
                way = way or f"; the settings are {', '.join(sorted(known))}"
                raise ValueError(f"There is no setting {name!r}{way}")
        row = {**RECIPES[recipe], **{k: v for k, v in given.items() if v is not None}}
        if row.get("splits") == "grouped":
            row = {**row, "use_once": bool(given.get("use_once"))}  # a group may be divided further down
        if row.get("splits") in ON_SEVERAL:
            row = {"prune": LINEAR_PRUNE, **row}
        return cls(recipe=recipe, **row)

    def __post_init__(self) -> None:
        _check_criterion(self.criterion)
        for name, setting in SETTINGS.items():
            if (value := getattr(self, name)) is not _DEFAULTS[name]:
                object.__setattr__(self, name, setting.checked(value))
        named = by_new_name(self.lookahead, self.linear_lookahead)
        object.__setattr__(self, "lookahead", levels_of(named))
        object.__setattr__(self, "linear_lookahead", None)
        object.__setattr__(self, "discretise", Discretiser.of(self.discretise))  # None: numbers stay numbers
        object.__setattr__(self, "column_costs", costs_by_name(self.column_costs, self.cost_form))
        object.__setattr__(self, "monotone", directions_by_name(self.monotone))
        self._check_pairs()

    def _check_pairs(self) -> None:
        """Refuse settings that contradict each other."""
        if GAPS[self.missing].way == "surrogate" and self.has_many_branches:
            raise refusal(
                ask("missing", self.missing),
                " stands in for tests with two branches; ",
                ask("splits", self.splits),
                " has more. Use ",
                ask("splits", "binary"),
                ", or ",
                ask("missing", "fractional"),
                ".",
            )
        if self.schools == "all" and self.has_many_branches:
            raise refusal(
                ask("schools", self.schools),
                " keeps surrogates, which stand in for tests with two branches; ",
                ask("splits", self.splits),
                " has more. Use ",
                ask("schools", "sides"),
                ", or ",
                ask("splits", "binary"),
                ".",
            )
        if self.cuts == "c4.5" and callable(self.criterion):
            raise refusal(
                ask("cuts", "c4.5"),
                " charges gains in bits; a criterion given as an object needs ",
                ask("cuts", "exact"),
                ".",
            )
        if self.asks_several:
            _check_linear(self)
        check_groups(self)
        check_boundary_cuts(self)
        check_levels(self)
        check_filters(self)
        declared = CRITERIA.get(self.criterion, {}) if isinstance(self.criterion, str) else {}
        if self.asks_several and (asks_for := _OF_ALL_ROWS.get(declared.get("reads", ""))):
            raise refusal(
                ask("splits", self.splits),
                " does not go with ",
                ask("criterion", self.criterion),
                f": such tests are judged node by node, and it asks for {asks_for}. Use ",
                ask("criterion", "squared_error"),
                ".",
            )
        if self.collapse is not None and declared.get("loss", "squared") != "squared":
            raise refusal(
                f"collapse={self.collapse:g} compares errors or squared errors; ",
                ask("criterion", self.criterion),
                " has another loss. Prune with ",
                ask("prune", "cost_complexity", "cv"),
                ".",
            )
        many = {"splits": self.has_many_branches, "missing": GAPS[self.missing].adds_branch}
        more = [ask(name, getattr(self, name)) for name, is_many in many.items() if is_many]
        if more and self.is_two_way:
            way = "Give it a method score_branches" if callable(self.criterion) else "Use another criterion"
            raise refusal(
                f"The criterion {self.criterion_name!r} scores tests with two branches; ",
                more[0],
                f" makes more. {way}, or use ",
                ask("splits", "binary"),
                " and ",
                ask("missing", "learned"),
                ".",
            )

    @property
    def has_many_branches(self) -> bool:
        """True when a test on categories may have more than two branches."""
        return self.splits in ("multiway", "grouped")

    @property
    def asks_several(self) -> bool:
        """True when a test may be on several columns."""
        return self.splits in ON_SEVERAL

    @property
    def is_two_way(self) -> bool:
        """True when the criterion scores tests with two branches only.

        >>> Settings(criterion="gini").is_two_way, Settings(criterion=lambda left, right: [0]).is_two_way
        (False, True)
        """
        if callable(self.criterion):
            return not callable(getattr(self.criterion, "score_branches", None))
        return self.criterion is not None and bool(CRITERIA[self.criterion]["is_two_way"])

    @property
    def looks_ahead(self) -> bool:
        """Whether tests of one column are chosen by the subtrees below them.

        >>> Settings(lookahead=2).looks_ahead, Settings(splits="linear", lookahead=2).looks_ahead
        (True, False)
        """
        return not self.asks_several and self.lookahead in (2, 3)

    @property
    def is_polished(self) -> bool:
        """Whether subtrees are made optimal once the tree is grown.

        >>> Settings(lookahead="polish").is_polished
        True
        """
        return self.lookahead == POLISH

    @property
    def criterion_name(self) -> str | None:
        """The name of the criterion, also of one given as an object."""
        if self.criterion is None or isinstance(self.criterion, str):
            return self.criterion
        return str(
            getattr(self.criterion, "name", None)
            or getattr(self.criterion, "__name__", None)
            or type(self.criterion).__name__
        )

    def criterion_for(self, is_classifier: bool) -> Criterion:
        """Return the criterion for the task at hand; an error where it does not fit.

        >>> Settings.of("cart").criterion_for(is_classifier=False)
        'squared_error'
        """
        if self.criterion is None:
            return "gini" if is_classifier else "squared_error"
        if callable(self.criterion):
            return self.criterion
        fitting = CLASS_CRITERIA if is_classifier else NUMBER_CRITERIA
        if self.criterion not in fitting:
            if self.recipe == "stump" and not is_classifier and self.criterion == "error":
                return "squared_error"
            target = "classes" if is_classifier else "numbers"
            raise refusal(
                ask("criterion", self.criterion),
                f" does not score {target}; use one of {', '.join(map(repr, fitting))}.",
            )
        return self.criterion

    def to_core(self) -> _core.Settings:
        """Return the same for the core.

        >>> Settings.of("c4.5").to_core().min_split
        4.0
        """
        core = _core.Settings()
        for name, core_name in _TO_CORE:
            if (value := getattr(self, name)) is not None:
                setattr(core, core_name, value)
        core.missing = GAPS[self.missing].core or self.missing
        core.use_c45_cuts = self.cuts == "c4.5"
        core.use_random_cuts = self.cuts == "random"
        core.use_average_gain = self.choice == "average_gain" and self._has_ratio
        core.collapse_margin = -1.0 if self.collapse is None else float(self.collapse)
        core.use_groups = self.splits == "grouped"
        core.use_boundary_cuts = self.cuts == "boundary"
        core.stops_unplaced = self.surrogate_rule < 2
        core.max_surrogates = self.max_surrogates if self.surrogate_rule else 0
        core.search = "every" if core.use_boundary_cuts else self.search or "by_data"
        core.min_split = 2 * self.min_branch if self.min_split is None else self.min_split
        core.is_gain_of_table = self.gain_of == "table"
        core.cost_form = "none" if self.column_costs is None else self.cost_form
        core.is_monotone = self.monotone is not None
        core.use_fisher = self.significance_test == "fisher"
        core.count_gaps_against_surrogates = self.surrogate_style == "known_primary"
        core.seed = self.seed % 2**64
        return core

    @property
    def _has_ratio(self) -> bool:
        """True when C4.5's choice has a gain to divide: of a ratio, or of the caller's own criterion."""
        if callable(self.criterion):
            return True
        return self.criterion is not None and bool(CRITERIA[self.criterion]["is_ratio"])

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain values, for a tree's `about`.

        >>> Settings.of("stump").to_dict()["criterion"]
        'error'
        """
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in NOT_TOLD}
        told = "none" if self.discretise is None else self.discretise.to_plain()
        return plain | {"criterion": self.criterion_name, "discretise": told}


_DEFAULTS = {field.name: field.default for field in fields(Settings)}
_TO_CORE = tuple((row.name, row.core) for row in SETTINGS.values() if row.core is not None)

# What criteria read that sums of columns are not judged by, in words.
_OF_ALL_ROWS = {"squares": "the variance of all rows", "all_values": "the values of all rows in order"}

# What tests on several columns do not go with: the setting, what it must be, and why.
_BESIDE_LINEAR: tuple[tuple[str, Any, str], ...] = (
    ("cuts", "exact", "sums are judged by their best cut"),
    ("choice", "best", "an average over all tests has no meaning where sums are searched for"),
    ("numeric", "cut", "sums are of numbers"),
    ("discretise", None, "sums are of numbers, not of intervals"),
    ("use_once", False, "a column may stand in many sums"),
    ("collapse", None, "it is a part of C4.5"),
    ("min_impurity", 0.0, "its nodes are grown one by one, until cross-validation judges them"),
    ("split_price", 0.0, "a sum pays for its columns by linear_penalty"),
    ("column_costs", None, "a sum asks about several columns"),
    ("monotone", None, "a sum asks about several columns"),
)


def _check_linear(settings: Settings) -> None:
    for name, wanted, why in _BESIDE_LINEAR:
        if (found := getattr(settings, name)) != wanted:
            said = found.name if name == "discretise" else found
            raise refusal(
                ask("splits", settings.splits),
                " does not go with ",
                ask(name, said),
                f" (recipe {settings.recipe!r}): {why}. Use ",
                ask("recipe", "plain", "cart"),
                " without it, or ",
                ask("splits", "binary"),
                ".",
            )
    policy = GAPS[settings.missing]
    if policy.not_with_sums:
        raise refusal(
            ask("splits", settings.splits),
            " does not go with ",
            ask("missing", policy.name),
            f": {policy.not_with_sums}. Use ",
            ask("missing", "most_common", "learned"),
            ".",
        )


def _check_criterion(criterion: Any) -> None:
    known = tuple(CRITERIA)
    if criterion is None or callable(criterion) or (isinstance(criterion, str) and criterion in CRITERIA):
        return
    raise refusal(
        ask("criterion", criterion),
        f" is not one of {', '.join(map(repr, known))}, nor an object to call with "
        f"the left and right statistics of all cuts{hint(criterion, known) or '.'}",
    )
