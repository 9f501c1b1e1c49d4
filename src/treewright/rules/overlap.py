"""Where rules overlap: how many match each row, and which of them contradict one another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.lines import harmless
from treewright.base.names import choice
from treewright.base.notebook import Shown
from treewright.base.numbers import count, percent
from treewright.rules.decide import class_numbers, decided
from treewright.rules.match import Columns, Matches, match
from treewright.rules.ruleset import RuleSet
from treewright.table import align, coded, table_of
from treewright.table.frame import frame_of

_MOST = 10  # conflicts in the text


@dataclass(frozen=True, repr=False)
class Count(Shown):
    """Rows that the same number of rules match. Errors are None where the right answers are not known.

    >>> Count(n_rules=2, n_rows=7, share=0.5, n_conflicting=1, errors=0).n_rows
    7
    """

    n_rules: int
    n_rows: int
    share: float  # of all rows
    n_conflicting: int  # rows whose rules say different things
    errors: int | None

    def __str__(self) -> str:
        rows, rules = count(self.n_rows, "row"), count(self.n_rules, "rule")
        return f"{rows} ({percent(self.share)}) matched by {rules}, {self.n_conflicting} in conflict"


@dataclass(frozen=True, repr=False)
class Conflict(Shown):
    """Two rules (counted from 1) that match the same rows and say different things of them.

    >>> Conflict(rule=1, other=3, says="No", other_says="Yes", n_rows=4, right=3, other_right=1).n_rows
    4
    """

    rule: int
    other: int
    says: str
    other_says: str
    n_rows: int
    right: int | None  # rows in which the first is right
    other_right: int | None

    def __str__(self) -> str:
        said = f"rule {self.rule} says {self.says}, rule {self.other} {self.other_says}"
        return harmless(f"{said}, of {count(self.n_rows, 'row')}")


@dataclass(frozen=True, repr=False)
class Use(Shown):
    """What becomes of one rule (counted from 1; 0 is the default): rows it matches, decides and gets wrong.

    >>> Use(rule=1, says="No", n_matched=5, n_decided=3, errors=0).n_decided
    3
    """

    rule: int
    says: str
    n_matched: int
    n_decided: int
    errors: int | None

    def __str__(self) -> str:
        said = f"rule {self.rule} says {self.says}" if self.rule else f"the default says {self.says}"
        return harmless(f"{said}: matches {count(self.n_matched, 'row')}, decides {count(self.n_decided)}")


@dataclass(frozen=True, repr=False)
class Overlap(Shown):
    """How rules share the rows of a table: rows by the number of rules that match, conflicts, use.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> rules = tw.rules.c45rules(tw.grow(table, target="PlayTennis", recipe="c4.5", prune="none"), table)
    >>> print(tw.rules.overlap(rules, table))
    rules that match  rows  share  conflicting  errors
                   1     9   64 %            0       0
                   2     5   36 %            1       0
    0 rows have the default alone.
    1 pair of rules contradicts each other:
      rule 2 (No) and rule 4 (Yes) in 1 row: right 1, 0
    """

    counts: tuple[Count, ...]
    conflicts: tuple[Conflict, ...]  # the most rows first
    uses: tuple[Use, ...]
    n_rows: int

    @property
    def n_default_only(self) -> int:
        """The number of rows that no rule matches, so that the default answers.

        >>> Overlap((), (), (Use(0, "Yes", 3, 3, 1),), 10).n_default_only
        3
        """
        return sum(use.n_decided for use in self.uses if use.rule == 0)

    def to_dict(self, part: str = "counts") -> dict[str, list[Any]]:
        """Return "counts", "conflicts" or "uses" as columns of plain values.

        >>> Overlap((), (), (Use(0, "Yes", 3, 3, 1),), 10).to_dict("uses")["errors"]
        [1]
        """
        kinds: dict[str, type] = {"counts": Count, "conflicts": Conflict, "uses": Use}
        choice("part", part, kinds)
        return {f.name: [getattr(row, f.name) for row in getattr(self, part)] for f in fields(kinds[part])}

    def to_frame(self, part: str = "counts", backend: str | None = None) -> Any:
        """Return "counts", "conflicts" or "uses" as a data frame of pandas, polars or pyarrow.

        >>> Overlap((), (), (Use(0, "Yes", 3, 3, 1),), 10).to_frame("uses", "pandas")["n_decided"].tolist()
        [3]
        """
        return frame_of(self.to_dict(part), backend)

    def in_short(self) -> str:
        """Return how many rows there are, and how many conflicts.

        >>> Overlap((), (), (), 0)
        Overlap(0 rows, 0 conflicts)
        """
        return f"{count(self.n_rows, 'row')}, {count(len(self.conflicts), 'conflict')}"

    def __str__(self) -> str:
        return harmless("\n".join(_lines(self)))


def overlap(rules: RuleSet, table: Any) -> Overlap:
    """Return how rules share the rows of a table; with the right answers where the target is in it.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> [(count.n_rules, count.n_rows) for count in overlap(tree.rules(), table).counts]
    [(1, 14)]
    """
    table = table_of(table, rules.schema.columns, "overlap")
    columns = align(table, rules.schema.columns)
    answers = align(table, (rules.target,))[0] if rules.target.name in table.schema else None
    return overlap_of(rules, columns, table.n_rows, answers)


def overlap_of(rules: RuleSet, columns: Columns, n_rows: int, answers: NDArray[Any] | None) -> Overlap:
    """Return how rules share rows, given in the codes of the schema; `answers` are class numbers."""
    if not rules.is_classifier:
        raise ValueError(f"Rules for the number {rules.target.name!r} do not contradict each other by class.")
    columns = coded(rules.schema.columns, columns)
    found = match(rules.rules, rules.schema, columns, n_rows)
    speaking = np.array([not rule.is_silent for rule in rules.rules], dtype=bool)
    kept = speaking[found.rule]
    found = Matches(found.row[kept], found.rule[kept], found.share[kept], n_rows)
    answer = decided(rules, columns, n_rows)
    is_wrong = None if answers is None else answer.labels != answers
    label = class_numbers(rules, rules.rules)
    return Overlap(
        tuple(_counts(found, label, is_wrong)),
        tuple(sorted(_conflicts(rules, found, label, answers), key=lambda c: (-c.n_rows, c.rule, c.other))),
        tuple(_uses(rules, found, answer.rule, is_wrong)),
        n_rows,
    )


def _counts(found: Matches, label: NDArray[np.intp], is_wrong: NDArray[np.bool_] | None) -> Iterator[Count]:
    said = label[found.rule]
    lowest = np.full(found.n_rows, np.iinfo(np.intp).max)
    highest = np.full(found.n_rows, -1)
    np.minimum.at(lowest, found.row, said)
    np.maximum.at(highest, found.row, said)
    disagree = (highest >= 0) & (lowest != highest)
    for n_rules in np.unique(found.per_row).tolist():
        rows = found.per_row == n_rules
        n = int(rows.sum())
        errors = None if is_wrong is None else int(is_wrong[rows].sum())
        yield Count(n_rules, n, n / found.n_rows, int(disagree[rows].sum()), errors)


def _conflicts(
    rules: RuleSet, found: Matches, label: NDArray[np.intp], answers: NDArray[Any] | None
) -> Iterator[Conflict]:
    from scipy.sparse import csr_matrix, triu

    shape = (found.n_rows, len(rules.rules))
    matched = csr_matrix((np.ones(len(found.row), dtype=np.int64), (found.row, found.rule)), shape)
    both = triu(matched.T @ matched, k=1).tocoo()
    right = None
    if answers is not None:
        is_right = (answers[found.row] == label[found.rule]).astype(np.int64)
        right = (csr_matrix((is_right, (found.row, found.rule)), shape).T @ matched).tocsr()
    for a, b, n in zip(both.row.tolist(), both.col.tolist(), both.data.tolist(), strict=True):
        if label[a] != label[b]:
            pair = (None, None) if right is None else (int(right[a, b]), int(right[b, a]))
            says = (str(rules.rules[a].prediction), str(rules.rules[b].prediction))
            yield Conflict(a + 1, b + 1, *says, int(n), *pair)


def _uses(
    rules: RuleSet, found: Matches, decider: NDArray[np.intp], is_wrong: NDArray[np.bool_] | None
) -> Iterator[Use]:
    n_rules = len(rules.rules)
    matched = np.bincount(found.rule, minlength=n_rules)
    by = np.where(decider >= n_rules, -2, decider)  # a fallback of a tree is none of the rules
    for place, rule in enumerate(rules.rules):
        mine = by == place
        errors = None if is_wrong is None else int(is_wrong[mine].sum())
        yield Use(place + 1, str(rule.prediction), int(matched[place]), int(mine.sum()), errors)
    if rules.default is not None:
        mine = by == -1
        errors = None if is_wrong is None else int(is_wrong[mine].sum())
        yield Use(0, str(rules.default), int(mine.sum()), int(mine.sum()), errors)


def _lines(overlap: Overlap) -> Iterator[str]:
    knows = any(count.errors is not None for count in overlap.counts)
    yield "rules that match  rows  share  conflicting" + ("  errors" if knows else "")
    width = max([4, *(len(str(each.n_rows)) for each in overlap.counts)])
    for each in overlap.counts:
        share = f"{100 * each.share:.0f} %"
        line = f"{each.n_rules:>16}  {each.n_rows:>{width}}  {share:>5}  {each.n_conflicting:>11}"
        yield line + ("" if each.errors is None else f"  {each.errors:>6}")
    n = overlap.n_default_only
    yield f"{n} row{' has' if n == 1 else 's have'} the default alone."
    n = len(overlap.conflicts)
    if not n:
        yield "No rules contradict each other."
        return
    yield f"{n} pair{' of rules contradicts' if n == 1 else 's of rules contradict'} each other:"
    for c in overlap.conflicts[:_MOST]:
        right = "" if c.right is None else f": right {c.right}, {c.other_right}"
        rows = f"{c.n_rows} row{'' if c.n_rows == 1 else 's'}"
        yield f"  rule {c.rule} ({c.says}) and rule {c.other} ({c.other_says}) in {rows}{right}"
    if n > _MOST:
        yield f"  ... {n - _MOST} more"
