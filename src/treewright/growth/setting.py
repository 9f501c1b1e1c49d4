"""The settings of growth, one row each: what may be given, and what others call it.

`Settings` has their defaults. The checks, the core's settings, the estimators' words and the options of the
command line read this table; a new setting is a row here, a field there, and what the core does with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from treewright import _core
from treewright.base.advice import ask, message, refusal
from treewright.base.names import choice
from treewright.base.numbers import count
from treewright.tree.policy import GAPS, UNSEEN

# What each criterion declares: its target, statistics, bound, loss, and what it does not go with.
CRITERIA: dict[str, dict[str, Any]] = {row["name"]: row for row in _core.criteria()}
MOST_WHOLE = 2.0**62  # whole numbers stay below this in the core

Kind = Literal["word", "whole", "number", "share", "truth", "by_column", "other"]


class Setting(NamedTuple):
    """A setting: its kind and bounds; `core`: the core's name, if it takes the value as it is."""

    name: str
    kind: Kind
    words: tuple[str, ...] = ()  # that may be given
    least: float = 0
    below: float = MOST_WHOLE  # of whole numbers
    core: str | None = None
    elsewhere: str | None = None  # scikit-learn's word; the own name if it is the same there
    option: str | None = None  # of the command line
    sentence: str = ""  # what its help says; {} stands for the words
    may_be_none: bool = True

    def checked(self, given: Any) -> Any:
        """Return a value as the core takes it, or refuse it; None is the recipe's or the core's own.

        >>> SETTINGS["max_depth"].checked(3.0)
        3
        >>> SETTINGS["max_depth"].checked("deep")
        Traceback (most recent call last):
        TypeError: max_depth='deep' must be a whole number, not str
        """
        if self.kind == "truth":
            return self._truth(given)
        if (given is None and self.may_be_none) or self.kind in ("by_column", "other"):
            return given
        if self.kind == "word":
            return choice(self.name, given, self.words)
        value = self._number(given)
        if self.kind == "share" and not 0 < value <= 1:
            raise refusal(ask(self.name, value), " must be above 0 and at most 1")
        return value

    def _truth(self, given: Any) -> bool:
        if not isinstance(given, (bool, np.bool_)):
            said = ask(self.name, given, python=f"{self.name}={given!r:.80}")
            raise message(TypeError, said, f" must be True or False, not {type(given).__name__}")
        return bool(given)

    def _number(self, given: Any) -> Any:
        is_whole = self.kind == "whole"
        words = "whole number" if is_whole else "number"
        if isinstance(given, (bool, np.bool_)) or not isinstance(
            given, (int, float, np.integer, np.floating)
        ):
            raise message(TypeError, ask(self.name, given), f" must be a {words}, not {type(given).__name__}")
        high = self.below if is_whole else math.inf
        value: float = given if isinstance(given, (int, float)) else given.item()
        if not self.least <= value or (is_whole and (not abs(value) < high or value != int(value))):
            is_large = is_whole and value >= high
            at_least = f" of at least {self.least:g}" if self.least > -math.inf and not is_large else ""
            below = f" below {count(high)}" if is_large else ""
            raise refusal(ask(self.name, given), f" must be a {words}{at_least}{below}")
        return int(value) if is_whole else float(value)


def _row(name: str, kind: Kind, *words: str, **more: Any) -> Setting:
    """Return a row; `here` and `there`: called the same on the command line, and by estimators."""
    option = f"--{name.replace('_', '-')}" if more.pop("here", False) else more.pop("option", None)
    elsewhere = name if more.pop("there", False) else more.pop("elsewhere", None)
    more.setdefault("may_be_none", kind != "word")
    return Setting(name, kind, words, option=option, elsewhere=elsewhere, **more)


_ALIKE = {"here": True, "there": True}

_ROWS: tuple[Setting, ...] = (
    _row(
        "criterion", "other", *CRITERIA, **_ALIKE, sentence="Split criterion, by which tests are chosen: {}."
    ),
    _row(
        "splits",
        "word",
        "binary",
        "multiway",
        "one_vs_rest",
        "linear",
        **_ALIKE,
        sentence="Kind of tests: {}; linear adds linear combinations of columns.",
    ),
    _row(
        "leaves",
        "word",
        "constant",
        "linear",
        "logistic",
        **_ALIKE,
        sentence="What a leaf predicts with: {}; linear and logistic are models.",
    ),
    # `--missing` is about cells of the file, so the policy has another name on the command line.
    _row(
        "missing",
        "word",
        *GAPS,
        there=True,
        option="--missing-policy",
        sentence="What is done with missing values (gaps): {}.",
    ),
    _row(
        "unseen",
        "word",
        *UNSEEN,
        **_ALIKE,
        sentence="What is done with categories that training never met: {}.",
    ),
    _row("discretise", "other", **_ALIKE, sentence="Cut numbers into intervals first, such as mdlp."),
    _row("max_depth", "whole", core="max_depth", **_ALIKE, sentence="Depth of the tree at most."),
    _row(
        "max_leaves",
        "whole",
        least=1,
        core="max_leaves",
        elsewhere="max_leaf_nodes",
        here=True,
        sentence="Leaves at most.",
    ),
    _row(
        "min_split",
        "number",
        elsewhere="min_samples_split",
        here=True,
        sentence="Rows that a node must have to be split.",
    ),
    _row(
        "min_leaf",
        "number",
        core="min_leaf",
        elsewhere="min_samples_leaf",
        here=True,
        sentence="Rows that every leaf must have.",
    ),
    _row(
        "min_branch",
        "number",
        core="min_branch",
        elsewhere="min_samples_branch",
        here=True,
        sentence="Rows that at least two branches of a split must have.",
    ),
    _row(
        "min_gain",
        "number",
        least=-math.inf,
        core="min_gain",
        here=True,
        sentence="Gain that a split must have.",
    ),
    _row(
        "min_impurity",
        "number",
        core="min_impurity",
        **_ALIKE,
        sentence="Impurity below which a node is not split.",
    ),
    _row(
        "split_price",
        "number",
        core="split_price",
        **_ALIKE,
        sentence="Gain that each branch beyond the first must bring: weight x impurity.",
    ),
    _row("column_costs", "by_column", **_ALIKE, sentence="What columns cost to know: blood=5,age=1."),
    _row(
        "cost_form",
        "word",
        "idx",
        "eg2",
        "cs_id3",
        **_ALIKE,
        sentence="Formula that weighs gain against cost: {}.",
    ),
    _row("cost_power", "number", core="cost_power", **_ALIKE, sentence="Power of the cost in that formula."),
    _row(
        "monotone",
        "by_column",
        **_ALIKE,
        sentence="Columns along which predictions may only rise or fall: age=+1,debt=-1.",
    ),
    _row(
        "majority_share",
        "share",
        core="majority_share",
        **_ALIKE,
        sentence="Share of one class above which a node is not split.",
    ),
    _row(
        "significance",
        "share",
        core="significance",
        **_ALIKE,
        sentence="P-value that a split must reach (chi-square test).",
    ),
    _row(
        "max_columns",
        "whole",
        least=1,
        core="max_columns",
        elsewhere="max_features",
        here=True,
        sentence="Columns tried at each node, drawn anew.",
    ),
    _row(
        "linear_search",
        "word",
        "all",
        "fitted",
        "random",
        "coordinate",
        **_ALIKE,
        sentence="How linear combinations (sums) are found: {}.",
    ),
    _row(
        "linear_attributes", "whole", least=1, **_ALIKE, sentence="Columns in a linear combination at most."
    ),
    _row(
        "linear_penalty",
        "number",
        **_ALIKE,
        sentence="Share of its score that a linear combination pays for each column.",
    ),
    _row(
        "linear_tries", "whole", least=1, **_ALIKE, sentence="Random linear combinations tried at each node."
    ),
    _row(
        "linear_lookahead",
        "whole",
        least=1,
        **_ALIKE,
        sentence="Levels of the tree by which a linear combination is judged: 1 or 2.",
    ),
    _row("leaf_attributes", "whole", least=1, **_ALIKE, sentence="Columns in the model of a leaf at most."),
    _row("cuts", "word", "exact", "random", "c4.5", elsewhere="splitter"),
    _row("choice", "word", "best", "average_gain"),
    _row("ties", "word", "name", "order"),
    _row("numeric", "word", "cut", "refuse"),
    _row("gain_of", "word", "node", "table"),
    _row("significance_test", "word", "chi_square", "fisher"),
    _row("surrogate_style", "word", "known_primary", "both_known"),
    _row("search", "word", "every", may_be_none=True),
    _row("min_leaf_share", "number", elsewhere="min_weight_fraction_leaf"),
    _row("collapse", "number"),
    _row("max_surrogates", "whole", core="max_surrogates"),
    _row("use_once", "truth", core="use_once"),
    _row("ledger", "truth", core="keep_ledger", there=True),
    _row("prune", "other", there=True),
    _row("seed", "whole", least=-math.inf, below=math.inf, elsewhere="random_state"),  # folded into 64 bits
    _row("tree", "whole", below=2.0**32, core="tree"),
    _row("n_threads", "whole", least=1, core="n_threads", elsewhere="n_jobs"),
)

SETTINGS: Mapping[str, Setting] = {row.name: row for row in _ROWS}

# The words that a setting may be, where all of them can be listed.
CHOICES: dict[str, tuple[str, ...]] = {
    row.name: row.words for row in _ROWS if row.kind == "word" and row.name != "search"
}
