"""The ways to prune, as small frozen objects with their options, and the table that finds them by name."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar

from treewright.base.names import choice, hint
from treewright.base.progress import Watcher
from treewright.base.signature import Function, with_parameters
from treewright.prune.base import Evidence, Method
from treewright.prune.cost_complexity import checked_width, cost_complexity
from treewright.prune.critical_value import CriticalValue
from treewright.prune.cross_validation import folds_for
from treewright.prune.error_based import error_based
from treewright.prune.error_complexity import error_complexity
from treewright.prune.folds import is_count
from treewright.prune.mdl import MDL
from treewright.prune.minimum_error import MinimumError
from treewright.prune.pessimistic import Pessimistic
from treewright.prune.reduced_error import reduced_error
from treewright.prune.regularised import Regularised
from treewright.prune.sample import Sample
from treewright.table import Table
from treewright.tree import Tree
from treewright.tree.edit import alter


@dataclass(frozen=True)
class ReducedError(Method):
    """Reduced-error pruning by rows kept back; see `treewright.prune.reduced_error`.

    Where a tree is grown and pruned in one go, the share `holdout` of its rows, class by class and keyed by
    `seed`, is kept back for pruning.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> fresh = tw.Table.from_dict({"x": [2, 3, 7], "y": ["a", "a", "b"]})
    >>> ReducedError(ties="keep")(tree, fresh).n_leaves
    3
    """

    ties: str = "prune"
    allow_root: bool | None = None
    backfit: bool = False
    strategy: str = "bottom_up"
    holdout: float = 1 / 3
    seed: int = 0

    name: ClassVar[str] = "reduced_error"
    own: ClassVar[tuple[str, ...]] = ("holdout", "seed")

    @property
    def needs(self) -> str:
        """A validation table."""
        return "validation"

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:
        """Return the pruned tree.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
        >>> tree = tw.grow(table, target="y")
        >>> ReducedError().prune(tree, Evidence(table)).n_leaves
        4
        """
        return reduced_error(tree, evidence.sample(tree), **self.options())


@dataclass(frozen=True)
class CostComplexity(Method):
    """Cost-complexity pruning, for an alpha, or choosing one; see `treewright.prune.cost_complexity`.

    Without alpha, `choose` says how one is found: "cv", cross-validation on the training table, or
    "validation", by rows kept back (the share `holdout`, where a tree is grown and pruned in one go).
    `prune="cv"` is `CostComplexity(one_se=0.5)`: the smallest tree within half a standard error of the best.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> CostComplexity(alpha=0.1)(tree).n_leaves
    2
    """

    alpha: float | None = None
    risk: str = "error"
    choose: str = "cv"
    folds: Any = field(default=10, compare=False)  # may be one number per row
    repeats: int = 1
    one_se: bool | float = True
    holdout: float = 1 / 3
    seed: int = 0
    groups: Any = field(default=None, compare=False)  # whose rows stay together: a column, or one per row
    order: Any = field(default=None, compare=False)  # in time: each fold is judged by what came before it

    name: ClassVar[str] = "cost_complexity"

    def __post_init__(self) -> None:
        checked_width(self.one_se)
        choice("choose", self.choose, ("cv", "validation"))

    @property
    def needs(self) -> str:
        """Nothing for a given alpha; the training table, or a validation table, to choose one."""
        if self.alpha is not None:
            return "nothing"
        return "training" if self.choose == "cv" else "validation"

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:
        """Return the pruned tree.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
        >>> tree = tw.grow(table, target="y")
        >>> CostComplexity(alpha=1.0).prune(tree, Evidence()).n_leaves
        1
        """
        if self.alpha is not None:
            return cost_complexity(tree, self.alpha, risk=self.risk)
        if self.needs == "validation":
            rows = evidence.sample(tree)
            return cost_complexity(tree, risk=self.risk, validation=rows, one_se=self.one_se)
        return cost_complexity(
            tree,
            table=evidence.sample(tree),
            risk=self.risk,
            folds=folds_for(self, tree, evidence),
            repeats=self.repeats,
            one_se=self.one_se,
            seed=self.seed,
            **evidence.over_folds,
        )


@dataclass(frozen=True)
class ErrorComplexity(Method):
    """The lecture's error-complexity pruning, not CART's; see `treewright.prune.error_complexity`.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> ErrorComplexity(alpha=0.1)(tree, table).n_leaves
    2
    """

    alpha: float = 0.01
    allow_root: bool = False
    holdout: float = 1 / 3
    seed: int = 0

    name: ClassVar[str] = "error_complexity"
    own: ClassVar[tuple[str, ...]] = ("holdout", "seed")

    @property
    def needs(self) -> str:
        """A validation table."""
        return "validation"

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:
        """Return the pruned tree.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
        >>> tree = tw.grow(table, target="y")
        >>> ErrorComplexity().prune(tree, Evidence(table)).n_leaves
        4
        """
        return error_complexity(tree, evidence.sample(tree), **self.options())


@dataclass(frozen=True)
class ErrorBased(Method):
    """C4.5's pruning; see `treewright.prune.error_based`.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> ErrorBased(confidence=0.25)(tree, table).n_leaves
    2
    """

    confidence: float = 0.25
    z: str = "table"
    raising: bool = True
    slack: float = 0.1

    name: ClassVar[str] = "error_based"

    @property
    def needs(self) -> str:
        """The training table, unless nothing is to be raised."""
        return "training" if self.raising else "nothing"

    @property
    def moves_branches(self) -> bool:
        """Where branches are raised."""
        return self.raising

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:
        """Return the pruned tree.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
        >>> tree = tw.grow(table, target="y")
        >>> ErrorBased(raising=False).prune(tree, Evidence()).n_leaves
        2
        """
        rows = evidence.sample(tree) if self.raising else None
        return error_based(tree, rows, **self.options())


_ROWS: tuple[type[Method], ...] = (
    ReducedError,
    CostComplexity,
    ErrorComplexity,
    ErrorBased,
    Pessimistic,
    MDL,
    MinimumError,
    CriticalValue,
    Regularised,
)
METHODS: Mapping[str, type[Method]] = MappingProxyType({row.name: row for row in _ROWS})

# Words that stand for a method with some of its options.
# "cv" is what docs/pruning_study.md found best; the recipe cart keeps to rpart and has the defaults.
ALSO: Mapping[str, Method] = MappingProxyType({"cv": CostComplexity(one_se=0.5), "sliq": MDL(code="sliq")})
NONE = "none"


def with_every_option(function: Function) -> Function:
    """Return a function whose signature names the options of every method in place of its `**options`.

    >>> import inspect
    >>> {"alpha", "confidence", "folds"} <= set(inspect.signature(prune).parameters)
    True
    """
    named = dict.fromkeys(f.name for method in METHODS.values() for f in fields(method))
    keyword = inspect.Parameter.KEYWORD_ONLY
    return with_parameters(function, [inspect.Parameter(name, keyword, default=None) for name in named])


@with_every_option
def find(method: Any, **options: Any) -> Method | None:
    """Return the method that a name or an object means; None for "none".

    >>> find("error_based", confidence=0.1)
    ErrorBased(confidence=0.1, z='table', raising=True, slack=0.1)
    >>> find("cv").name
    'cost_complexity'
    >>> find("reduced_eror")
    Traceback (most recent call last):
    ValueError: There is no way to prune called 'reduced_eror'; did you mean 'reduced_error'? ...
    """
    if isinstance(method, str) and method == NONE and not options:
        return None
    if isinstance(method, str):
        return _named(method, options)
    if isinstance(method, type) and issubclass(method, Method):
        return _with_options(method, options)
    if not callable(method):
        raise TypeError(
            f"prune={method!r} is no way to prune; give a name ({_names()}) or an object such as "
            "tw.prune.ErrorBased(confidence=0.1)."
        )
    if not isinstance(method, Method):
        return _Outside(method)
    return replace(method, **options) if options else method


@dataclass(frozen=True)
class _Outside(Method):
    """A function or object from outside: called with the tree, and with evidence if it says what it needs."""

    function: Any

    name: ClassVar[str] = "outside"

    @property
    def needs(self) -> str:
        return str(getattr(self.function, "needs", "nothing"))

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:
        pruned = self.function(tree) if self.needs == "nothing" else self.function(tree, evidence)
        if not isinstance(pruned, Tree):
            raise TypeError(
                f"{self.words()} gave back {type(pruned).__name__}; a way to prune returns a Tree."
            )
        return pruned

    def words(self) -> str:
        return str(getattr(self.function, "__name__", type(self.function).__name__))


def among_blocks(method: Any, usual: Any, groups: Any, order: Any) -> Any:
    """Return a way to prune that deals its folds by groups or order, if it has folds and was not told how.

    >>> among_blocks(None, "cost_complexity", [1, 1, 2], None).groups, among_blocks("mdl", None, [1], None)
    ([1, 1, 2], 'mdl')
    """
    if groups is None and order is None:
        return method
    found = find(usual if method is None else method)
    own = [getattr(found, name, 0) for name in ("groups", "order")]  # values of one's own may be arrays
    has_own = any(of is not None for of in own)
    if found is None or found.needs != "training" or has_own or not is_count(found.folds):  # type: ignore[attr-defined]
        return method
    return replace(found, groups=groups, order=order)  # type: ignore[call-arg]


def _named(name: str, options: dict[str, Any]) -> Method:
    if name in ALSO:
        return replace(ALSO[name], **_checked(type(ALSO[name]), options))
    chosen = METHODS.get(name)
    if chosen is None:
        way = hint(name, [*METHODS, *ALSO, NONE]) or "."
        raise ValueError(f"There is no way to prune called {name!r}{way} There are {_names()}.")
    return _with_options(chosen, options)


def _with_options(chosen: type[Method], options: dict[str, Any]) -> Method:
    return chosen(**_checked(chosen, options))


def _checked(chosen: type[Method], options: dict[str, Any]) -> dict[str, Any]:
    known = [f.name for f in fields(chosen)]
    for name in options:
        if name not in known:
            way = hint(name, known) or f"; its options are {', '.join(known)}."
            raise ValueError(f"{chosen.name} has no option {name!r}{way}")
    return options


def _names() -> str:
    return ", ".join([*map(repr, METHODS), *map(repr, ALSO), repr(NONE)])


def pruned(tree: Tree, method: Method, evidence: Evidence | Table | Sample | None = None) -> Tree:
    """Return the pruned tree, which says in `about["prune"]` what was done to it.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> pruned(tree, CostComplexity(alpha=0.1)).about["prune"]
    'cost_complexity(alpha=0.1)'
    """
    found = method(tree, evidence)
    before = tree.about.get("prune")
    said = f"{before}, {method.words()}" if before else method.words()
    return alter(found, about={**found.about, "prune": said})


@with_every_option
def prune(
    tree: Tree,
    method: Any,
    table: Table | Sample | None = None,
    *,
    weights: Any = None,
    n_jobs: int = 1,
    progress: Watcher | None = None,
    **options: Any,
) -> Tree:
    """Return the tree pruned by a method: a name ("cost_complexity", "cv", ...) or an object of `tw.prune`.

    `table` holds the rows that the method needs, if it needs any: those of training, or rows kept back; it
    says so. `options` are the method's own. The tree itself stays as it is.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> tree.n_leaves, tree.prune("cost_complexity", alpha=0.1).n_leaves, tree.prune("none") is tree
    (4, 2, True)
    >>> tree.prune("reduced_error", tw.Table.from_dict({"x": [2, 3, 7], "y": list("aab")})).n_leaves
    2
    """
    given = {name: value for name, value in options.items() if value is not None}
    if "data" in given and table is None:  # as `tw.fit` calls it
        table = given.pop("data")
    chosen = find(method, **given)
    if chosen is None:
        return tree
    return pruned(tree, chosen, Evidence(table, weights, n_jobs=n_jobs, progress=progress))
