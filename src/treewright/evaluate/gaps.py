"""Schools of missing values side by side: one tree, asked in each way that it can be, on the same rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treewright.base.lines import Words, aligned, harmless
from treewright.base.notebook import Shown, html_table
from treewright.base.numbers import count
from treewright.evaluate.answers import answers
from treewright.evaluate.measures import find_measures
from treewright.evaluate.score import Score
from treewright.route.gaps import GapCounts, gap_counts, rows_at_gaps
from treewright.table import table_of
from treewright.table.frame import frame_of
from treewright.tree import Tree
from treewright.tree.losses import MEASURES as LOSSES
from treewright.tree.losses import loss_of
from treewright.tree.schools import SCHOOLS, schools_of, why_not, with_policy


@dataclass(frozen=True)
class School:
    """One way to treat missing values: scores of all rows and of those that met a gap; what became of these.

    >>> School("learned", True, Score(0.1), Score(0.2), GapCounts(9, 2, by_branch=2)).counts.met
    2
    """

    missing: str
    is_own: bool  # of the tree: it was grown so
    score: Score
    score_met: Score | None  # of the rows that met a gap; None where none did
    counts: GapCounts
    others: Mapping[str, Score] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class Gaps(Shown):
    """What each school of missing values makes of the same rows in the same tree.

    >>> import treewright as tw
    >>> votes = tw.example("vote")
    >>> tree = tw.grow(votes, "Class", missing="fractional", max_depth=3, schools="all")
    >>> found = gaps(tree, votes)
    >>> [row.missing for row in found.rows]
    ['fractional', 'learned', 'surrogate', 'most_common']
    """

    target: str
    measure: str
    rows: tuple[School, ...]
    left_out: Mapping[str, str]  # by school: why

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the schools as columns of plain values.

        >>> import treewright as tw
        >>> tree = tw.grow(tw.example("vote"), "Class", max_depth=2)
        >>> gaps(tree, tw.example("vote")).to_dict()["missing"]
        ['learned', 'fractional']
        """
        found: dict[str, list[Any]] = {
            "missing": [row.missing for row in self.rows],
            "is_own": [row.is_own for row in self.rows],
            self.measure: [row.score.value for row in self.rows],
            f"{self.measure}_se": [row.score.standard_error for row in self.rows],
            f"{self.measure}_met": [_value(row.score_met) for row in self.rows],
        }
        for name in self.rows[0].others:
            found[name] = [row.others[name].value for row in self.rows]
            found[f"{name}_se"] = [row.others[name].standard_error for row in self.rows]
        for name in GapCounts._fields:
            found[name] = [getattr(row.counts, name) for row in self.rows]
        return found

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the schools as a data frame of pandas, polars or pyarrow.

        >>> import treewright as tw
        >>> tree = tw.grow(tw.example("vote"), "Class", max_depth=2)
        >>> gaps(tree, tw.example("vote")).to_frame("pandas")["divided"].tolist()[0]
        0
        """
        return frame_of(self.to_dict(), backend)

    def _columns(self) -> list[Words]:
        name = self.measure.replace("_", " ")
        columns = [
            Words("missing", [f"{row.missing} *" if row.is_own else row.missing for row in self.rows], "<"),
            Words(name, [str(row.score) for row in self.rows]),
            Words("of those that met a gap", [str(row.score_met or "-") for row in self.rows]),
        ]
        columns += [
            Words(other.replace("_", " "), [str(row.others[other]) for row in self.rows])
            for other in self.rows[0].others
        ]
        for what in GapCounts._fields[1:]:
            if any(getattr(row.counts, what) for row in self.rows):
                title = what.replace("_", " ")
                columns.append(Words(title, [count(getattr(row.counts, what)) for row in self.rows]))
        return columns

    def to_text(self) -> str:
        """Return the schools as lines; "*" is the one the tree was grown with.

        >>> import treewright as tw
        >>> tree = tw.grow(tw.example("vote"), "Class", max_depth=2)
        >>> print(gaps(tree, tw.example("vote")).to_text().splitlines()[1].split()[:2])
        ['learned', '*']
        """
        left_out = [f"left out: {name} ({why})" for name, why in self.left_out.items()]
        return "\n".join([*aligned(self._columns()), *left_out])

    def __str__(self) -> str:
        return self.to_text()

    def in_short(self) -> str:
        """Return how many schools there are.

        >>> import treewright as tw
        >>> gaps(tw.grow(tw.example("vote"), "Class", max_depth=2), tw.example("vote"))
        Gaps(2 ways to treat missing values for Class)
        """
        return f"{count(len(self.rows), 'way')} to treat missing values for {harmless(self.target)}"

    def _repr_html_(self) -> str:
        return html_table(self._columns())


def gaps(
    tree: Tree,
    table: Any,
    schools: Iterable[str] | str | None = None,
    *,
    weights: Any = None,
    n_threads: int = 1,
) -> Gaps:
    """Return one tree judged under every policy for missing values that it holds what is needed for.

    A table of rows with their answers is sent down under each; of "error" nothing is judged, for rows with
    gaps have no answer then.

    Args:
        tree: a tree; growing it with `schools="all"` keeps what all policies need.
        table: rows with their answers, best those the tree was not grown on.
        schools: policies by name; by default all the tree can be asked with.
        weights: one number per row or the name of a column.
        n_threads: to work with.

    >>> import treewright as tw
    >>> votes = tw.example("vote")
    >>> tree = tw.grow(votes, "Class", "c4.5", schools="sides")
    >>> found = gaps(tree, votes)
    >>> [(row.missing, str(row.score_met), row.counts.divided) for row in found.rows][:2]
    [('fractional', '16.7 % ± 8.8', 18), ('learned', '16.7 % ± 8.8', 0)]
    """
    table = table_of(table, tree.schema.columns, "gaps")
    usable = [name for name in schools_of(tree) if name != "error"]
    given = (schools,) if isinstance(schools, str) else schools
    wanted = usable if given is None else list(given)
    refused = {name: why for name in wanted if (why := why_not(tree, name)) is not None}
    if given is not None and refused:
        raise ValueError(next(iter(refused.values())))
    measure = "error" if tree.is_classifier else LOSSES[loss_of(tree)]
    names = (measure, "brier", "log_loss") if tree.is_classifier else (measure,)
    measures = find_measures(names, tree.is_classifier)
    met = rows_at_gaps(tree, table, n_threads)
    rows = []
    for name in wanted:
        asked = with_policy(tree, name)
        said = answers(asked, table, weights=weights, n_threads=n_threads)
        scores = {one.name: one.of(said) for one in measures}
        some = np.flatnonzero(met & (said.weights > 0))
        own = measures[0].of(said.take(some)) if len(some) else None
        is_own = name == tree.about.get("missing")
        counts = gap_counts(asked, table, n_threads)
        rows.append(School(name, is_own, scores.pop(measure), own, counts, scores))
    others = {name: why for name in SCHOOLS if name not in usable and (why := why_not(tree, name))}
    return Gaps(tree.target.name, measure, tuple(rows), others if given is None else {})


def _value(score: Score | None) -> float:
    return float("nan") if score is None else score.value
