"""What a tree was grown with, in the words of the design notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

# recipe -> what it says where nothing else is asked for
RECIPES: dict[str, dict[str, Any]] = {
    "plain": {},
    "id3": {"criterion": "entropy", "splits": "multiway", "missing": "error"},
    "c4.5": {"criterion": "gain_ratio", "splits": "multiway", "missing": "fractional", "min_branch": 2.0},
    "cart": {"missing": "surrogate"},
    "stump": {"criterion": "error", "max_depth": 1},
}


@dataclass(frozen=True)
class Settings:
    """One growth's settings.

    `score_scale` multiplies the weight of each class while scoring only (priors, class losses). `budgeted`
    says that leaves may also come from a leaf budget or a significance test, so that they need no reason.
    `single` rounds C4.5's sums to single precision as release 8 does. `ordinal_median` fills gaps of ordinal
    columns by the lower median rank, like numbers, instead of by the most common category.
    """

    recipe: str = "plain"
    criterion: str = "gini"
    splits: str = "binary"
    missing: str = "learned"
    max_depth: int | None = None
    min_split: float = 0.0
    min_leaf: float = 0.0
    min_branch: float = 0.0
    majority_share: float | None = None
    min_gain: float | None = None
    min_impurity: float = 0.0
    split_price: float = 0.0
    column_costs: Mapping[str, float] | None = None
    cost_form: str = "idx"
    cost_power: float = 1.0
    monotone: Mapping[str, int] | None = None
    max_surrogates: int = 5
    score_scale: tuple[float, ...] | None = None
    budgeted: bool = False
    single: bool = False
    ordinal_median: bool = False

    @property
    def ties_by_name(self) -> bool:
        """Say whether equal columns are taken by name (else by place in the table)."""
        return self.recipe not in ("id3", "c4.5")

    @property
    def divides(self) -> bool:
        """Say whether only rows with a known value enter a score."""
        return self.missing in ("fractional", "surrogate")

    @property
    def sized_by_weight(self) -> bool:
        """Say whether node and branch sizes are weights; else they are rows."""
        return self.missing == "fractional"


def settings_for(recipe: str = "plain", *, regression: bool = False, **asked: Any) -> Settings:
    """Return a recipe's settings with what was asked for on top; None asks for nothing."""
    base: dict[str, Any] = {"recipe": recipe, **RECIPES[recipe]}
    if regression:
        base["criterion"] = "squared_error"
    known = {field.name for field in fields(Settings)}
    wrong = set(asked) - known
    if wrong:
        raise ValueError(f"The oracle has no setting {sorted(wrong)}; it knows {sorted(known)}.")
    return replace(
        Settings(), **{**base, **{key: value for key, value in asked.items() if value is not None}}
    )


def as_settings(settings: Settings | Mapping[str, Any]) -> Settings:
    """Return settings given either way: as they are, or as words for `settings_for`."""
    return settings if isinstance(settings, Settings) else settings_for(**dict(settings))
