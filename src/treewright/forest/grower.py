"""Growing many trees: the table is coded once, trees come in batches and are packed at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.advice import ask, refusal
from treewright.base.progress import Watcher, watched_by, watcher
from treewright.base.work import each
from treewright.forest import compact
from treewright.forest.draws import fingerprint
from treewright.forest.forest import Forest
from treewright.forest.honest import check_honest, fills_leaves, with_leaves_of
from treewright.forest.one import TOLD
from treewright.forest.several import several_grown
from treewright.growth import Settings
from treewright.growth.keywords import ForForests, with_settings
from treewright.growth.question import Question, counted_weights, loss_for, question_of, unscale_stats
from treewright.table import NO_TERMS, ClassTerms, Column, Rows, table_with_target
from treewright.tree import plain

if TYPE_CHECKING:
    from typing_extensions import Unpack

Floats = NDArray[np.float64]
BATCH_NODES = 1_000_000  # that are held as growth makes them, at some 150 bytes each
LEAST_ROWS = {True: 1.0, False: 5.0}  # of a leaf: of classes, of numbers (Breiman 2001)
MOST_TREES = 2**31
BALANCED_TREES = "balanced_subsample"  # a class weight: balanced among the rows of each tree
SHARES: dict[str, Callable[[int], int]] = {
    "sqrt": lambda m: math.isqrt(m),
    "third": lambda m: m // 3,
    "log2": lambda m: m.bit_length() - 1,
    "all": lambda m: m,
}


@with_settings
def grow(
    table: Any,
    target: Any,
    n_trees: int = 100,
    recipe: str = "plain",
    *,
    max_columns: int | str | None = None,
    bootstrap: bool = True,
    max_samples: float | None = None,
    first: int = 0,
    weights: Any = None,
    class_weight: Any = None,
    priors: Any = None,
    costs: Any = None,
    progress: Watcher | None = None,
    engine: Any = None,
    checkpoint: Any = None,
    memory: Any = None,
    spool: Any = None,
    **settings: Unpack[ForForests],
) -> Forest:
    """Return a random forest (Breiman 2001): trees grown to purity on rows and columns drawn by hash.

    Each tree gets as many draws of rows, with replacement, as there are rows (`max_samples`: that many, or
    that share of them; `bootstrap=False`: every row once). Each node tries `max_columns` columns drawn anew,
    and draws on past those that cannot split: None is the root of their number for classes and a third
    for numbers; also "sqrt", "third", "log2" or "all". All else is as in `tw.grow`, without pruning; leaves
    hold at least one row for classes and five for numbers, unless `min_leaf` says otherwise.
    `class_weight="balanced_subsample"` gives all classes the same total among the rows of each tree. With
    `honest=0.5` half of each tree's rows choose its tests, and the other half fill its leaves.

    The same `seed` gives the same forest for any `n_threads`. `first` is the number of the first tree:
    trees 0-49 and 50-99, put together by `tw.forest.join`, are the trees 0-99.

    `engine`, `checkpoint`, `memory` and `spool` are those of `tw.grow`: rows that lie in files, or on the
    machines of a cluster, give the same forest. A row's number, by which it is drawn, is its place in the
    files sorted by name.

    >>> import treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), target="PlayTennis", n_trees=20, seed=1)
    >>> forest.n_trees, forest.about["max_columns"], forest.about["n_draws"]
    (20, 2, 14)
    """
    trees = Trees(n_trees, first, draws_for(bootstrap, max_samples)).checked()
    if engine is not None or memory is not None:
        from treewright.forest.from_files import grow_elsewhere  # on first use

        wanted = Wanted(trees, recipe, max_columns, {**settings}, ClassTerms(class_weight, priors, costs))
        places = {"engine": engine, "checkpoint": checkpoint, "memory": memory, "spool": spool}
        return grow_elsewhere(table, target, wanted, places, weights, progress)
    for word, given, with_ in (("checkpoint", checkpoint, "engine"), ("spool", spool, "memory")):
        if given is not None:
            raise ValueError(
                f"{word}=... goes with {with_}=...; this forest grows in memory, and writes no files."
            )
    rows = Rows.of(*table_with_target(table, target, "grow"), weights)
    chosen = settings_of(recipe, len(rows.schema), rows.is_classifier, max_columns, {**settings})
    with watched_by(progress or watcher()):
        return grow_rows(rows, chosen, trees, ClassTerms(class_weight, priors, costs))


def check_lookahead(lookahead: Any) -> None:
    """Refuse look-ahead.

    >>> check_lookahead(1)
    """
    if lookahead not in (None, 1):
        raise refusal(
            ask("lookahead", lookahead),
            ": the trees of a forest are grown without. Leave it out, or grow a single tree with tw.grow.",
        )


def settings_of(
    recipe: str, n_columns: int, is_classifier: bool, max_columns: Any, given: dict[str, Any]
) -> Settings:
    """Return the settings of a forest's trees."""
    for word, way in (("prune", "trees of a forest are not pruned"), ("ledger", "a forest keeps no ledger"),
                      ("tree", "trees are numbered by `first`"),
                      ("leaves", "trees of a forest answer with a class or a mean"),
                      ("schools", "trees of a forest keep what their own policy needs")):  # fmt: skip
        if given.get(word) not in (None, "none", False, "constant", "own"):
            raise refusal(ask(word, given[word]), f": {way}. Grow a single tree with tw.grow.")
    given = {name: value for name, value in given.items() if name not in ("prune", "ledger", "tree")}
    check_lookahead(given.get("lookahead"))
    if given.get("min_leaf") is None and recipe == "plain":
        given["min_leaf"] = LEAST_ROWS[is_classifier]
    if max_columns is None:
        max_columns = "sqrt" if is_classifier else "third"
    if isinstance(max_columns, str):
        if max_columns not in SHARES:
            known = ", ".join(map(repr, SHARES))
            raise refusal(ask("max_columns", max_columns), f" is not one of {known}, nor a number.")
        max_columns = max(1, SHARES[max_columns](n_columns))
    settings = Settings.of(recipe, **given, max_columns=max_columns, prune="none")
    if loss_for(settings.criterion) == "absolute":
        raise refusal(
            ask("criterion", settings.criterion),
            " is for single trees: a forest keeps what its leaves hold, and medians do not add up. Use ",
            ask("criterion", "squared_error", "poisson"),
            ".",
        )
    return settings


def draws_for(bootstrap: Any, max_samples: Any) -> Callable[[int], int]:
    """Return how many rows are drawn for a tree, of the number of rows; 0: each counts once.

    >>> draws_for(True, None)(14), draws_for(True, 0.5)(14), draws_for(False, None)(14)
    (14, 7, 0)
    """
    if not bootstrap:
        if max_samples is not None:
            raise ValueError(
                f"max_samples={max_samples!r} says how many rows are drawn, and bootstrap=False draws none."
            )
        return lambda _: 0
    if max_samples is None:
        return lambda n_rows: n_rows
    if isinstance(max_samples, (bool, np.bool_)) or not isinstance(
        max_samples, (int, float, np.integer, np.floating)
    ):
        raise TypeError(f"max_samples={max_samples!r} must be a number, not {type(max_samples).__name__}.")
    if isinstance(max_samples, (int, np.integer)):
        if not 1 <= max_samples < 2**31:
            raise ValueError(f"max_samples={max_samples!r} must be at least 1, or a share in (0, 1].")
        return lambda _: int(max_samples)
    if not 0 < max_samples <= 1:
        raise ValueError(f"max_samples={max_samples!r} is a float: a share of the rows in (0, 1].")
    return lambda n_rows: max(1, round(n_rows * float(max_samples)))


class Trees(NamedTuple):
    """Which trees are grown: how many, the number of the first, and how many of n rows each draws."""

    n_trees: int
    first: int
    draws: Callable[[int], int]

    def checked(self) -> Trees:
        """Return the same, if there are such trees."""
        return self._replace(n_trees=_whole("n_trees", self.n_trees, 1), first=_whole("first", self.first, 0))


class Wanted(NamedTuple):
    """What is asked of a forest from files, until their columns are known."""

    trees: Trees
    recipe: str
    max_columns: int | str | None
    given: dict[str, Any]
    terms: ClassTerms

    def settings(self, target: Column, n_columns: int) -> Settings:
        """Return the settings of the trees.

        >>> import treewright as tw
        >>> wanted = Wanted(Trees(3, 0, lambda n: n), "plain", None, {}, ClassTerms())
        >>> wanted.settings(tw.example("tennis").column("PlayTennis")[0], 4).max_columns
        2
        """
        if isinstance(self.terms.class_weight, str) and self.terms.class_weight == BALANCED_TREES:
            raise ValueError(
                f"class_weight={BALANCED_TREES!r} weighs rows anew for every tree, which is done in memory. "
                "Use class_weight='balanced'."
            )
        if self.given.get("honest"):
            raise ValueError(
                f"honest={self.given['honest']!r} fills the leaves of a tree with rows of its own, which is "
                "done in memory. Leave it out."
            )
        return settings_of(self.recipe, n_columns, not target.is_numeric, self.max_columns, {**self.given})


def grow_rows(rows: Rows, settings: Settings, trees: Trees, terms: ClassTerms = NO_TERMS) -> Forest:
    """Return the forest for coded rows: what `grow` and the estimators share."""
    n_trees, first, _ = trees = trees.checked()
    check_lookahead(settings.lookahead)
    n_draws = trees.draws(rows.n_rows)  # an upper bound for the room that weights need
    if settings.honest:
        return _honest_trees(rows, settings, Trees(n_trees, first, trees.draws), terms)
    if isinstance(terms.class_weight, str) and terms.class_weight == BALANCED_TREES:
        if n_draws > 0:
            _refuse_scales(terms, f"class_weight={BALANCED_TREES!r}", "class_weight='balanced'")
            return _balanced_trees(rows, settings, Trees(n_trees, first, trees.draws))
        terms = replace(terms, class_weight="balanced")  # every tree sees all rows
    question = question_of(rows, settings, terms, n_draws)
    answers = rows.answers
    if question.rows is not None:
        answers = answers[question.rows]
        n_draws = trees.draws(len(answers))
    about = question.about | {
        "n_rows": len(answers),
        "n_draws": n_draws,
        "first": first,
        "rows": fingerprint(answers),
    }
    about.pop("tree")
    arrays, gaps = _grown(question, rows, settings, first, n_trees, n_draws)
    question.check_scores()
    about["gaps"] = [name for name, has_gaps in zip(question.schema.names, gaps, strict=True) if has_gaps]
    if (listener := watcher()) is not None:
        listener(1.0)
    return Forest.of_growth(question.schema, rows.target, arrays, about)


def _refuse_scales(terms: ClassTerms, what: str, instead: str) -> None:
    for name, given in (("priors", terms.priors), ("costs", terms.costs)):
        if given is not None:
            raise ValueError(
                f"{name} with {what}: classes weigh something else in every tree. "
                f"Use {instead}, or leave out {name}."
            )


def _balanced_trees(rows: Rows, settings: Settings, wanted: Trees) -> Forest:
    """Return a forest in which all classes have the same total among the rows that each tree has drawn."""

    def grow_one(some: Rows, number: int, weights: Floats) -> Forest:
        one = Trees(1, number, lambda _: 0)
        return grow_rows(some.weighing(weights), settings, one, ClassTerms("balanced"))

    what = f"class_weight={BALANCED_TREES!r}", "class_weight='balanced'"
    return _one_by_one(rows, settings, wanted, counted_weights(rows, settings), grow_one, what)


def _honest_trees(rows: Rows, settings: Settings, wanted: Trees, terms: ClassTerms) -> Forest:
    """Return a forest whose trees choose tests by some of their rows and fill leaves with the others."""
    check_honest(settings)
    _refuse_scales(terms, "honest", "class_weight")
    each_anew = isinstance(terms.class_weight, str) and terms.class_weight == BALANCED_TREES
    growing = replace(settings, honest=0.0)
    weights = counted_weights(rows, settings, None if each_anew else terms.class_weight)

    def grow_one(some: Rows, number: int, drawn: Floats) -> Forest:
        if each_anew:
            drawn = np.asarray(counted_weights(some.weighing(drawn), settings, "balanced"))
        fills = fills_leaves(settings, number, drawn)
        grows = ~fills if (drawn[~fills] > 0).any() else fills  # a single row does both
        one = Trees(1, number, lambda _: 0)
        forest = grow_rows(some.weighing(np.where(grows, drawn, 0.0)), growing, one)
        return with_leaves_of(forest, some, np.where(fills, drawn, 0.0))

    found = _one_by_one(rows, settings, wanted, weights, grow_one, ("honest", "honest=0"))
    return Forest.of_growth(
        found.schema, found.target, dict(found.arrays), dict(found.about) | {"honest": settings.honest}
    )


def _one_by_one(
    rows: Rows,
    settings: Settings,
    wanted: Trees,
    kept: Floats | None,
    grow_one: Callable[[Rows, int, Floats], Forest],
    what: tuple[str, str],
) -> Forest:
    """Return a forest of trees that are grown one by one, each on the rows it has drawn, by their weights."""
    if kept is None:
        kept = np.ones(rows.n_rows)
    elif not kept.all():
        rows, kept = rows.take(kept > 0), kept[kept > 0]
    weights, n_draws = kept, wanted.draws(rows.n_rows)

    def one(number: int) -> Forest:
        if not n_draws:
            return grow_one(rows, number, weights)
        times = _core.bootstrap(settings.seed % 2**64, number, rows.n_rows, n_draws)
        return grow_one(rows, number, weights * times)

    trees = each(one, range(wanted.first, wanted.first + wanted.n_trees), settings.n_threads)
    if any(tree.schema != trees[0].schema for tree in trees):
        raise ValueError(
            f"{what[0]}: numbers are binned by the rows of each tree, each in its own "
            f"way. Bin them beforehand with table.bin(...), or use {what[1]}."
        )
    gaps = {name for tree in trees for name in tree.about["gaps"]}
    about = dict(trees[0].about) | {
        "n_rows": rows.n_rows,
        "n_draws": n_draws,
        "first": wanted.first,
        "rows": fingerprint(rows.answers),
        "gaps": [name for name in trees[0].schema.names if name in gaps],
    }
    arrays = compact.joined([dict(tree.arrays) for tree in trees])
    return Forest.of_growth(trees[0].schema, rows.target, arrays, about)


def _whole(name: str, value: Any, least: int) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name}={value!r} must be a whole number, not {type(value).__name__}.")
    if not least <= value < MOST_TREES:
        raise ValueError(f"{name}={value!r} must be at least {least} and below {MOST_TREES}.")
    return int(value)


class _Teller:
    """Turns the share of a batch into the share of the whole."""

    def __init__(self, listener: Watcher, n_trees: int) -> None:
        self.listener, self.n_trees = listener, n_trees
        self.done = self.size = 0

    def __call__(self, share: float) -> object:
        return self.listener((self.done + share * self.size) / self.n_trees)


def _grown(
    question: Question, rows: Rows, settings: Settings, first: int, n_trees: int, n_draws: int
) -> tuple[dict[str, NDArray[Any]], NDArray[np.uint8]]:
    listener = watcher()
    teller = None if listener is None else _Teller(listener, n_trees)
    grow_batch = _batch_grower(question, rows, settings, teller)
    parts: list[dict[str, NDArray[Any]]] = []
    gaps = np.empty(0, np.uint8)
    for done, size in _batches(n_trees, settings.n_threads, parts):
        if teller is not None:
            teller.done, teller.size = done, size
        grown = grow_batch(first + done, size, n_draws)
        gaps = grown["gaps"]
        parts.append(_packed(grown, question))
    return compact.joined(parts), gaps


def _batch_grower(
    question: Question, rows: Rows, settings: Settings, teller: _Teller | None
) -> Callable[[int, int, int], dict[str, Any]]:
    """Return who grows trees: given the number of the first, how many, and how many rows each draws."""
    if settings.asks_several:

        def several(first: int, size: int, n_draws: int) -> dict[str, Any]:
            with watched_by(teller):
                return several_grown(question, rows.columns, settings, first, size, n_draws)

        return several
    kind = _core.ClassGrower if question.is_classifier else _core.NumberGrower
    grow: Callable[[int, int, int], dict[str, Any]] = question.put_to(kind, teller).grow
    return grow


def _packed(grown: dict[str, Any], question: Question) -> dict[str, NDArray[Any]]:
    if not question.is_classifier:
        unscale_stats(grown["leaf_weight"], question.exponent, question.loss_degree)
        for name in ("importance", "gain"):
            grown[name] = np.ldexp(grown[name], question.degree * question.exponent)
    if question.scorer is None and question.about["criterion"] in TOLD:  # they can be told from the leaves
        grown["gain"] = np.empty(0)
    return compact.packed(grown, len(question.schema), question.is_classifier)


def _batches(n_trees: int, n_threads: int, parts: list[dict[str, NDArray[Any]]]) -> Iterator[tuple[int, int]]:
    """Yield how many trees are done and how many come next: as many as fit, by the size of those before."""
    done, size = 0, n_threads
    while done < n_trees:
        size = min(size, n_trees - done)
        yield done, size
        done += size
        fitting = BATCH_NODES * done // sum(len(part["end"]) for part in parts)
        size = max(n_threads, min(4 * size, fitting // n_threads * n_threads))


def join(*forests: Forest) -> Forest:
    """Return one forest of several that were grown alike, with numbers that go on from each to the next.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> few = tw.forest.grow(table, target="PlayTennis", n_trees=3)
    >>> more = tw.forest.grow(table, target="PlayTennis", n_trees=4, first=3)
    >>> tw.forest.join(few, more) == tw.forest.grow(table, target="PlayTennis", n_trees=7)
    True
    """
    if not forests:
        raise ValueError("join takes at least one forest.")
    head = forests[0]
    wanted = int(head.about["first"])
    told = _alike(head)
    for forest in forests:
        is_alike = forest.schema == head.schema and forest.target == head.target
        about = _alike(forest)
        if not is_alike or plain.encode(about) != plain.encode(told):
            odd = [name for name in told if plain.encode(about.get(name)) != plain.encode(told[name])]
            raise ValueError(
                f"These forests were grown differently ({', '.join(odd) or 'other columns'}); "
                "only trees of one table with the same settings and seed make one forest."
            )
        if forest.about["first"] != wanted:
            raise ValueError(f"After tree {wanted - 1} comes tree {wanted}, not {forest.about['first']}.")
        wanted += forest.n_trees
    parts = [dict(forest.arrays) for forest in forests]
    if not all(len(part["gain"]) for part in parts):  # one is of an old file, which has none
        parts = [part | {"gain": np.empty(0, np.int8)} for part in parts]
    arrays = compact.joined(parts)
    return Forest.of_growth(head.schema, head.target, arrays, _alike(head) | {"first": head.about["first"]})


def _alike(forest: Forest) -> dict[str, Any]:
    """Return what is said about all forests that can be joined with this one."""
    return {name: value for name, value in forest.about.items() if name not in ("first", "growth")}
