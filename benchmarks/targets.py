"""What is to be reached, one row a figure. The rooms measure; here stands what a measurement must come to."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.report import Table

Figures = Mapping[tuple[str, str], float]  # (job, peer) -> what was measured


@dataclass(frozen=True)
class Target:
    """One figure of one job: how often our cost goes into the peer's; for a ceiling, the peer's into ours."""

    job: str
    peer: str
    at_least: float
    goal: float
    is_ceiling: bool = False

    def figure(self, ours: float, peers: float) -> float:
        return ours / peers if self.is_ceiling else peers / ours

    def is_met(self, figure: float, bound: float) -> bool:
        return figure <= bound if self.is_ceiling else figure >= bound

    def verdict(self, figure: float) -> str:
        """Return "goal", "reached" or "missed".

        >>> [Target("a job", "a peer", 40, 100).verdict(figure) for figure in (39, 47, 100)]
        ['missed', 'reached', 'goal']
        """
        if self.is_met(figure, self.goal):
            return "goal"
        return "reached" if self.is_met(figure, self.at_least) else "missed"

    def share_of_goal(self, figure: float) -> float:
        return self.goal / figure if self.is_ceiling else figure / self.goal

    @property
    def bound_word(self) -> str:
        return "at most" if self.is_ceiling else "at least"

    def sentence(self, figure: float) -> str:
        """Return the figure with both bounds, in words.

        >>> Target("a job", "scikit-learn", 40, 100).sentence(47.1)
        '47x scikit-learn (at least 40x: reached; goal 100x: no)'
        """
        least = "reached" if self.is_met(figure, self.at_least) else "MISSED"
        goal = "reached" if self.is_met(figure, self.goal) else "no"
        bounds = f"{self.bound_word} {times(self.at_least)}: {least}; goal {times(self.goal)}: {goal}"
        return f"{times(figure)} {self.peer} ({bounds})"


TARGETS = (
    Target("one tree, depth 8, wide", "scikit-learn", 40, 100),
    Target("one tree, depth 8, wide", "YDF", 10, 25),
    Target("one tree, to purity, wide", "scikit-learn", 20, 40),
    Target("one tree, to purity, wide", "YDF", 6, 12),
    Target("100 classes, to purity", "scikit-learn", 1, 10),
    Target("1,000 classes, to purity", "scikit-learn", 1, 40),
    Target("one tree, depth 8, cover", "scikit-learn", 8, 20),
    Target("one tree, to purity, cover", "scikit-learn", 5, 10),
    Target("regression tree, depth 8, wide", "scikit-learn", 25, 80),
    Target("adult, from arrays of text", "YDF", 3, 8),
    Target("adult, growing only", "YDF", 3, 8),
    Target("iris, whole fit call", "scikit-learn", 1, 2),
    Target("c4.5, no gaps, depth 8", "plain, entropy", 2.5, 1.5, is_ceiling=True),
    Target("c4.5, no gaps, to the end", "plain, entropy", 2.5, 1.5, is_ceiling=True),
    Target("c4.5, 5 % gaps, depth 8", "plain, entropy", 8, 4, is_ceiling=True),
    Target("cart growing, no gaps", "plain", 1.3, 1.05, is_ceiling=True),
    Target("cart growing, 5 % gaps", "plain", 4, 2, is_ceiling=True),
    Target("cart as shipped", "plain, pruned alike", 1.3, 1.1, is_ceiling=True),
    Target("cart unpruned, all surrogates", "plain", 3, 2, is_ceiling=True),
    Target("id3, nominal columns, depth 5", "plain", 1.5, 1, is_ceiling=True),
    Target("priors", "plain", 1.3, 1.05, is_ceiling=True),
    Target("costs of mistakes", "plain", 1.3, 1.05, is_ceiling=True),
    Target("significance", "plain", 2.5, 1.5, is_ceiling=True),
    Target("minimum gain", "plain", 2.5, 1.5, is_ceiling=True),
    Target("column costs", "plain", 2.5, 1.5, is_ceiling=True),
    Target("ledger", "plain", 4, 2.5, is_ceiling=True),
    Target("treewright fit --recipe c4.5, CSV", "a CPU second", 25, 15, is_ceiling=True),
    Target("10,000 classes, seconds", "a CPU second", 20, 10, is_ceiling=True),
    Target("10,000 classes, memory", "500 MB", 1, 0.5, is_ceiling=True),
    Target("forest of random cuts, 20 trees to purity, wide", "scikit-learn", 3, 8),
    Target("forest of random cuts, 20 trees to purity, cover", "scikit-learn", 3, 8),
    Target("forest, 20 trees to purity, wide", "scikit-learn", 15, 40),
    Target("forest, 20 trees to purity, wide", "XGBoost", 3, 8),
    Target("forest, 20 trees to purity, cover", "scikit-learn", 5, 10),
    Target("forest prediction, 200,000 rows", "scikit-learn", 5, 10),
    Target("forest prediction, 200,000 rows", "YDF", 2, 5),
    Target("peak of 500 trees to purity, 200,000 rows", "2 GB", 1, 0.5, is_ceiling=True),
    Target("2 threads, depth 8, wide", "1 thread", 1.6, 1.9),
    Target("2 threads, to purity, wide", "1 thread", 1.6, 1.9),
    Target("memory beyond the input, depth 8, wide", "the input", 2, 1, is_ceiling=True),
    Target("memory beyond the input, to purity, wide", "the input", 2, 1, is_ceiling=True),
    Target("10n rows, depth 8, wide", "n rows", 12, 11, is_ceiling=True),
    Target("10n rows, to purity, wide", "n rows", 12, 11, is_ceiling=True),
    Target("weakest-link path, cover", "scikit-learn", 2, 0.5, is_ceiling=True),
    Target("error-based pruning, cover", "growing", 1, 0.5, is_ceiling=True),
    Target("reading, CSV of numbers", "DuckDB", 2, 1.3, is_ceiling=True),
    Target("reading, CSV of numbers and words", "DuckDB", 2, 1.3, is_ceiling=True),
    Target("separability, yes, 20 columns", "bare HiGHS", 3, 1, is_ceiling=True),
    Target("separability, no, 20 columns", "bare HiGHS", 3, 1, is_ceiling=True),
    Target("hard margin, 20 columns", "scikit-learn", 1, 5),
    Target("logistic regression, independent columns", "scikit-learn", 1, 2),
    Target("logistic regression, tied columns", "scikit-learn", 1, 10),
    Target("optimal, depth 3, numbers", "ConTree", 0.67, 3),
    Target("optimal, depth 4, numbers", "ConTree", 0.67, 3),
    Target("optimal, depth 3, zeros and ones", "STreeD", 0.67, 3),
)


def times(figure: float) -> str:
    """Return a ratio with three digits at most.

    >>> [times(figure) for figure in (0.874, 1.6, 47.1, 100)]
    ['0.87x', '1.6x', '47x', '100x']
    """
    return f"{figure:.0f}x" if figure >= 20 else f"{figure:.3g}x" if figure >= 1 else f"{figure:.2g}x"


def targets_of(job: str) -> tuple[Target, ...]:
    """Return the targets of a job; a job that has none may be a mistake in its name, and is refused."""
    found = tuple(target for target in TARGETS if target.job == job)
    if not found:
        raise KeyError(f"No target is set for the job {job!r}; the jobs are in benchmarks/targets.py.")
    return found


def sentences(figures: Figures, is_judged: bool) -> list[str]:
    """Return one line per figure: what came out and, where sizes are those of the targets, what was asked."""
    if not is_judged:
        return [f"{times(figure)} {peer} (small tables: not judged)" for (_, peer), figure in figures.items()]
    return [target.sentence(figures[key(target)]) for target in TARGETS if key(target) in figures]


def summary(figures: Figures, is_judged: bool) -> Table:
    """Return the table of all targets, with what was measured in this run."""
    header = ("job", "against", "figure", "asked", "goal", "of the goal", "verdict")
    rows = tuple(_row(target, figures.get(key(target)), is_judged) for target in TARGETS)
    note = () if is_judged else ("Small tables: targets are set for the full sizes and are not judged here.",)
    return Table("what was to be reached", header, rows, note)


def _row(target: Target, figure: float | None, is_judged: bool) -> tuple[str, ...]:
    asked = f"{target.bound_word} {times(target.at_least)}"
    start, bounds = (target.job, target.peer), (asked, times(target.goal))
    if figure is None:
        return (*start, "", *bounds, "", "not measured")
    if not is_judged:
        return (*start, times(figure), *bounds, "", "not judged")
    return (*start, times(figure), *bounds, f"{target.share_of_goal(figure):.0%}", target.verdict(figure))


def key(target: Target) -> tuple[str, str]:
    return target.job, target.peer
