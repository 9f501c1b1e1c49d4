"""The settings of growth, one row each: default, what may be given, and what others call it.

`Settings` is made of these rows. The checks, the core's settings, the estimators' words and the options of
the command line read them; a new setting is a row here, a parameter of estimators, and what growth does with
it.
"""

# ruff: noqa: RUF009  # the calls in the dataclass below make its fields

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
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

SAME = "same"  # the setting's own name

Criterion = str | Callable[[Any, Any], Any]
Kind = Literal["word", "whole", "number", "share", "truth", "by_column", "other"]


class Setting(NamedTuple):
    """A setting: its kind and bounds, its words elsewhere, and what the help of its option says."""

    name: str
    kind: Kind
    words: tuple[str, ...] = ()  # that may be given
    least: float = 0
    below: float = MOST_WHOLE  # of whole numbers
    most: int | None = None  # of whole numbers that are few
    core: str | None = None  # the core's name, if it takes the value as it is
    elsewhere: str | None = None  # scikit-learn's word, or the name of the setting if it is the same there
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
        if self.most is not None and value not in (few := range(int(self.least), self.most + 1)):
            raise refusal(ask(self.name, given), f" must be {' or '.join(map(str, few))}.")
        if not self.least <= value or (is_whole and (not abs(value) < high or value != int(value))):
            is_large = is_whole and value >= high
            at_least = f" of at least {self.least:g}" if self.least > -math.inf and not is_large else ""
            below = f" below {count(high)}" if is_large else ""
            raise refusal(ask(self.name, given), f" must be a {words}{at_least}{below}")
        return int(value) if is_whole else float(value)


def _row(kind: Kind, default: Any, *words: str, **more: Any) -> Any:
    """Return a field of settings: its default and its row.

    What has a sentence for the command line is an option there, and a parameter of estimators, by its own
    name unless the row says otherwise.
    """
    named = SAME if more.get("sentence") else None
    usual = {"kind": kind, "words": words, "option": named, "elsewhere": named, "may_be_none": kind != "word"}
    return field(default=default, metadata={"row": usual | more})


def _setting(name: str, row: Mapping[str, Any]) -> Setting:
    """Return the row of a field, with the words that are its own name spelled out."""
    own: dict[str, Any] = {"option": f"--{name.replace('_', '-')}", "elsewhere": name, "core": name}
    return Setting(name, **{key: own[key] if value is SAME else value for key, value in row.items()})


@dataclass(frozen=True, kw_only=True)
class SettingRows:
    """The settings with their defaults; `Settings` checks them."""

    recipe: str = "plain"
    tasks: tuple[str, ...] = ("classes", "numbers")
    # None: gini for classes, squared_error for numbers.
    criterion: Criterion | None = _row(
        "other", None, *CRITERIA, sentence="Split criterion, by which tests are chosen: {}."
    )
    # On categories: best subset, one branch each, one against the rest; or on several columns at once.
    splits: str = _row(
        "word",
        "binary",
        "binary",
        "multiway",
        "one_vs_rest",
        "grouped",
        "linear",
        "conjunction",
        "m_of_n",
        sentence="Kind of tests: {}; the last three add tests on several columns.",
    )
    # What nodes answer with: a class or a mean, or a model.
    leaves: str = _row(
        "word",
        "constant",
        "constant",
        "linear",
        "logistic",
        sentence="What a leaf predicts with: {}; linear and logistic are models.",
    )
    # `--missing` is about cells of the file, so the policy has another name on the command line.
    missing: str = _row(
        "word",
        "learned",
        *GAPS,
        option="--missing-policy",
        sentence="What is done with missing values (gaps): {}.",
    )
    unseen: str = _row(
        "word", "most_common", *UNSEEN, sentence="What is done with categories that training never met: {}."
    )
    # Numbers become intervals: a name, an object of tw.discretise, or a Discretiser.
    discretise: Any = _row("other", "none", sentence="Cut numbers into intervals first, such as mdlp.")
    max_depth: int | None = _row("whole", None, core=SAME, sentence="Depth of the tree at most.")
    max_leaves: int | None = _row(
        "whole", None, least=1, core=SAME, elsewhere="max_leaf_nodes", sentence="Leaves at most."
    )
    # None: twice min_branch.
    min_split: float | None = _row(
        "number", 0.0, elsewhere="min_samples_split", sentence="Rows that a node must have to be split."
    )
    # Sizes are rows, or weights where missing='fractional' divides rows.
    min_leaf: float = _row(
        "number", 0.0, core=SAME, elsewhere="min_samples_leaf", sentence="Rows that every leaf must have."
    )
    min_branch: float = _row(
        "number",
        0.0,
        core=SAME,
        elsewhere="min_samples_branch",
        sentence="Rows that at least two branches of a split must have.",
    )
    # Estimators have it per row of the node, or of the table.
    min_gain: float | None = _row(
        "number", None, least=-math.inf, core=SAME, elsewhere=None, sentence="Gain that a split must have."
    )
    # Per unit of weight.
    min_impurity: float = _row("number", 0.0, core=SAME, sentence="Impurity below which a node is not split.")
    # What a test must take off for each branch beyond the first.
    split_price: float = _row(
        "number",
        0.0,
        core=SAME,
        sentence="Gain that each branch beyond the first must bring: weight x impurity.",
    )
    # By name; a column that is not named costs 1.
    column_costs: Mapping[str, float] | None = _row(
        "by_column", None, sentence="What columns cost to know: blood=5,age=1."
    )
    # How costs enter the choice between columns: Norton's, Nunez's, Tan's.
    cost_form: str = _row(
        "word", "idx", "idx", "eg2", "cs_id3", sentence="Formula that weighs gain against cost: {}."
    )
    cost_power: float = _row("number", 1.0, core=SAME, sentence="Power of the cost in that formula.")
    # By name: +1, what the tree says rises; -1, it falls.
    monotone: Mapping[str, int] | None = _row(
        "by_column", None, sentence="Columns along which predictions may only rise or fall: age=+1,debt=-1."
    )
    majority_share: float = _row(
        "share", 1.0, core=SAME, sentence="Share of one class above which a node is not split."
    )
    significance: float | None = _row(
        "share", None, core=SAME, sentence="P-value that a split must reach (chi-square test)."
    )
    max_columns: int | None = _row(
        "whole",
        None,
        least=1,
        core=SAME,
        elsewhere="max_features",
        sentence="Columns tried at each node, drawn anew.",
    )
    linear_search: str = _row(
        "word",
        "all",
        "all",
        "fitted",
        "random",
        "coordinate",
        "separator",
        "perceptron",
        "margin",
        sentence="How linear combinations (sums) are found: {}.",
    )
    # How categories enter a sum: not at all, each by itself, or all of a column by what they tell.
    linear_categories: str = _row(
        "word",
        "none",
        "none",
        "indicator",
        "impact",
        sentence="How categories enter linear combinations: {}.",
    )
    linear_attributes: int = _row(
        "whole", 4, least=1, sentence="Columns, or conditions, in a test on several at most."
    )
    # Of every column beyond the first.
    linear_penalty: float = _row(
        "number", 0.1, sentence="Share of its score that a test on several columns pays for each."
    )
    # A fifth of them start a search.
    linear_tries: int = _row("whole", 20, least=1, sentence="Random linear combinations tried at each node.")
    # The old name of lookahead; it goes with the next release.
    linear_lookahead: int | None = _row("whole", None, least=1, most=2, sentence="Old name of --lookahead.")
    # Levels of the subtree that a test is chosen by, or "polish".
    lookahead: int | str = _row(
        "other",
        1,
        sentence="Levels below a test by which it is chosen: 1, 2, 3; or polish: subtrees are made optimal.",
    )
    lookahead_rows: int = _row(
        "whole", 20_000, least=1, sentence="Rows above which nodes are split without look-ahead."
    )
    leaf_attributes: int = _row("whole", 8, least=1, sentence="Columns in the model of a leaf at most.")
    cuts: str = _row("word", "exact", "exact", "boundary", "random", "c4.5", elsewhere="splitter")
    choice: str = _row("word", "best", "best", "average_gain")  # between columns
    ties: str = _row("word", "name", "name", "order")  # equal columns: first by name, or first in the table
    numeric: str = _row("word", "cut", "cut", "refuse")
    gain_of: str = _row("word", "node", "node", "table")
    significance_test: str = _row("word", "chi_square", "chi_square", "fisher")
    surrogate_style: str = _row("word", "known_primary", "known_primary", "both_known")
    # None: by the data; "every": each cut is tried, to judge the rest.
    search: str | None = _row("word", None, "every", may_be_none=True)
    # Of the table's weight: what every branch must hold.
    min_leaf_share: float = _row("number", 0.0, elsewhere="min_weight_fraction_leaf")
    collapse: float | None = _row("number", None)  # take back splits that save no more errors than this
    max_surrogates: int = _row("whole", 5, core=SAME)
    # Where a row stops that lacks its value: 0, at once; 1, where no surrogate places it; 2, at ties alone.
    surrogate_rule: int = _row("whole", 2, most=2)
    # Kept for policies for gaps beside the tree's own: nothing, the side of gaps by node, or surrogates too.
    schools: str = _row(
        "word",
        "own",
        "own",
        "sides",
        "all",
        sentence="What the tree keeps for policies for missing values beside its own: {}.",
    )
    # The share of the rows that fill the leaves of a tree which the others have grown; 0: all do both.
    honest: float = _row(
        "number",
        0.0,
        sentence="The share of the rows that fill the leaves of what the others grow and prune.",
    )
    use_once: bool = _row("truth", False, core=SAME)  # a multiway test is not asked again below
    ledger: bool = _row("truth", False, core="keep_ledger", elsewhere=SAME)
    # A name, or an object: growing leaves it to `tw.grow` and the estimators.
    prune: Any = _row("other", "none", elsewhere=SAME)
    # Folded into 64 bits.
    seed: int = _row("whole", 0, least=-math.inf, below=math.inf, elsewhere="random_state")
    tree: int = _row("whole", 0, below=2.0**32, core=SAME)
    n_threads: int = _row("whole", 1, least=1, core=SAME, elsewhere="n_jobs")


SETTINGS: Mapping[str, Setting] = {
    each.name: _setting(each.name, each.metadata["row"]) for each in fields(SettingRows) if each.metadata
}

# The words of `splits` that add tests on several columns.
ON_SEVERAL: tuple[str, ...] = ("linear", "conjunction", "m_of_n")

# The words that a setting may be, where all of them can be listed.
CHOICES: dict[str, tuple[str, ...]] = {
    row.name: row.words for row in SETTINGS.values() if row.kind == "word" and row.name != "search"
}
