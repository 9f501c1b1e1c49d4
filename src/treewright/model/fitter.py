"""`tw.fit`: one verb above growing and pruning, the same as `treewright fit`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treewright.base.names import hint
from treewright.base.numbers import count
from treewright.base.progress import Watcher, part_of
from treewright.evaluate.answers import Answers, answers
from treewright.evaluate.cross_validation import cross_validate
from treewright.evaluate.parts import split
from treewright.fitting import grow
from treewright.growth import RECIPES, Settings
from treewright.growth.keywords import ForFolds, with_settings
from treewright.growth.recipes import usual_recipes
from treewright.model.again import Again, call_of
from treewright.model.choice import Choice, chosen
from treewright.model.material import Material, rows_to_choose_on
from treewright.model.model import Model
from treewright.model.rivals import Rival, Rivals
from treewright.model.target import goal_of
from treewright.model.task import FOLDS, Task
from treewright.prune.dealing import requested_folds
from treewright.prune.folds import is_count
from treewright.prune.method import among_blocks, find
from treewright.table import ClassTerms, Table
from treewright.tree import Tree

if TYPE_CHECKING:
    from typing_extensions import Unpack

AUTO = "auto"
LEAST_ROWS = 2
CELLS = 1_500_000  # of a table that is cross-validated without being asked, where the recipe is given


@with_settings
def fit(
    data: Any,
    target: Any,
    recipe: str = AUTO,
    *,
    test: Any = None,
    folds: int | None = None,
    groups: Any = None,
    order: Any = None,
    task: str | None = None,
    keep: Iterable[str] | str = (),
    weights: Any = None,
    class_weight: Any = None,
    priors: Any = None,
    costs: Any = None,
    seed: int = 0,
    progress: Watcher | None = None,
    **settings: Unpack[ForFolds],
) -> Model:
    """Return a tree that is worth reading, with its scores, a verdict in words and the way to repeat it.

    With `recipe="auto"` C4.5 and CART are grown (CART alone for numbers, plain alone with look-ahead) and
    pruned to all sizes; of these the smallest is taken whose cross-validated error is within one standard
    error of the least. Folds are dealt several times on small tables; above 200,000 rows the choice is made
    on a sample, which is said.

    Args:
        data: a Table, a pandas, polars or Arrow frame, a dict of columns, a list of dicts, an array, a path.
        target: the column to predict: its name, its place, or one answer per row.
        recipe: "auto", or an algorithm by name: "c4.5", "cart", "plain", "id3", "sliq", "stump".
        test: rows to test with: a share or number of the rows to keep back, or data of their own.
        folds: of the cross-validation: 10, unless a recipe is given and the table is large or has a test
            part; 0 is none.
        groups: whose rows stay together, in folds and in the test part, such as patients: a column, which is
            then no feature, or one value per row.
        order: of the rows in time, likewise: what judges comes after what is learned from.
        task: "classes" or "numbers"; few different whole numbers are classes unless it says otherwise.
        keep: columns to learn from, though they look as if nothing could be learned from them: identifiers,
            running numbers, free text and constants are left out otherwise, with a DataWarning.
        weights: one number per row or the name of a column.
        class_weight: "balanced", or a weight for each class by name.
        priors: the share of each class.
        costs: of mistakes, row = true class.
        seed: of parts, folds and growth.
        progress: called with the share that is done.
        settings: those of `tw.grow`, such as max_depth, min_leaf, missing, prune.

    >>> import treewright as tw
    >>> model = tw.fit(tw.example("vote"), "Class")
    >>> print(model.tree)
    Tree for Class: 6 leaves, depth 5, grown on 435 rows
    ...
    >>> print(model.rivals)
    recipe  pruning                       leaves  depth  error  ± SE
    c4.5    error_based                        6      5  3.2 %   0.8  lowest error, and chosen
    c4.5    cost_complexity(alpha=0.003)       6      5  3.2 %   0.9
    cart    cost_complexity(alpha=0.2)         2      1  4.7 %   1.0
    """
    material = Material.of(data, target, task, keep, weights, groups, order)
    given = {name: value for name, value in settings.items() if value is not None}
    _check(recipe, given, folds)
    terms = ClassTerms(class_weight, priors, costs)
    train, held, units = _parted(material, test, weights, seed)
    has_test, again = held is not None, material.again(test)
    wish = _Wish(material.goal.name, recipe, terms, weights, seed, folds, given, has_test, again, units)
    notes = list(material.goal.notes)
    if recipe == AUTO and given.get("prune") is None:
        choice = _chosen(wish, train, progress)
        tree, rivals, method = choice.tree, choice.rivals, choice.method
        parts = _training(tree, train, weights)
        if folds != 0:
            parts[f"{choice.n_folds} folds"] = choice.answers
        call = _call(wish, choice.recipe, method)
        notes += choice.notes
    else:
        tree, parts, rivals = _by_recipe(wish, train, progress)
        call = _call(wish, wish.named(not tree.is_classifier), given.get("prune"))
    if held is not None:
        weighed = weights if isinstance(weights, str) else None
        parts["test"] = answers(tree, held, weights=weighed)
    notes += _about_size(tree, given)
    return Model(tree, parts, rivals, call, tuple(notes), train, held)


@dataclass(frozen=True)
class _Wish:
    """What `fit` was asked for, checked."""

    target: str
    recipe: str
    terms: ClassTerms
    weights: Any
    seed: int
    folds: int | None
    given: Mapping[str, Any]
    has_test: bool
    again: Again
    units: Mapping[str, Any]  # groups or order of the rows to learn from

    def named(self, is_numbers: bool) -> str:
        """The recipe; where a pruning was given, "auto" is C4.5 for classes and CART for most else."""
        return self.recipe if self.recipe != AUTO else usual_recipes(not is_numbers, self.given)[0]

    @property
    def of_classes(self) -> dict[str, Any]:
        """What is said of the classes, by name."""
        terms = self.terms
        said = {"class_weight": terms.class_weight, "priors": terms.priors, "costs": terms.costs}
        return {name: value for name, value in said.items() if value is not None}


def _check(recipe: Any, given: Mapping[str, Any], folds: Any) -> None:
    """Refuse unknown recipes and settings before any work is done."""
    if folds is not None and not (is_count(folds) and (folds == 0 or folds >= 2)):
        raise ValueError(f"folds={folds!r:.60} must be a whole number of at least 2, or 0 for none.")
    if recipe != AUTO and recipe not in RECIPES:
        known = (AUTO, *RECIPES)
        raise ValueError(
            f"There is no recipe {recipe!r}; the recipes are {', '.join(known)}{hint(recipe, known)}"
        )
    Settings.of("plain" if recipe == AUTO else recipe, **given)
    if given.get("prune") is not None:
        find(given["prune"])


def _parted(
    material: Material, test: Any, weights: Any, seed: int
) -> tuple[Table, Table | None, dict[str, Any]]:
    """Return the rows to learn from, those to test with, and how the first hang together."""
    goal, table = material.goal, material.table
    units: dict[str, Any] = dict(material.units)
    if test is None or (isinstance(test, (int, float)) and not test):
        return table, None, units
    if isinstance(test, (int, float)):
        if weights is not None and not isinstance(weights, str):
            raise ValueError("test= keeps rows back, and their weights with them: name a column of weights.")
        parts = split(table, goal.name, test=test, weights=weights, seed=seed, **units)
        return parts.train, parts.test, {name: of[parts.rows[0]] for name, of in units.items()}
    return table, goal_of(test, goal.name, "classes" if goal.is_classifier else "numbers").table, units


def _training(tree: Tree, train: Table, weights: Any) -> dict[str, Answers]:
    return {"training": answers(tree, train, weights=weights)}


def _chosen(wish: _Wish, train: Table, progress: Watcher | None) -> Choice:
    given = dict(wish.given)
    threads = int(given.pop("n_threads", 1))
    folds = requested_folds(train, train.n_rows, wish.folds or FOLDS, **wish.units)
    rows = rows_to_choose_on(train, wish.target, wish.weights, LEAST_ROWS)
    settings = given | {"seed": wish.seed}
    return chosen(Task(rows, wish.terms, settings, folds, wish.seed, threads, progress))


def _by_recipe(
    wish: _Wish, train: Table, progress: Watcher | None
) -> tuple[Tree, dict[str, Answers], Rivals]:
    """Return the tree of one recipe, judged by folds where the table is small or that was asked for."""
    goal, _ = train.column(wish.target)
    recipe = wish.named(goal.is_numeric)
    common = {**wish.given, **wish.of_classes} | {"weights": wish.weights, "seed": wish.seed}
    if wish.units:
        usual = RECIPES[recipe].get("prune", "none")
        units = wish.units.get("groups"), wish.units.get("order")
        common["prune"] = among_blocks(common.get("prune"), usual, *units)
    is_small = train.n_rows * train.n_columns <= CELLS
    usual = FOLDS if is_small and not wish.has_test else 0
    folds = wish.folds if wish.folds is not None else usual
    folds = min(folds, train.n_rows)
    share = 1.0 if folds < 2 else 0.2
    tree = grow(train, wish.target, recipe, progress=part_of(progress, 0.0, share), warns=False, **common)
    parts = _training(tree, train, wish.weights)
    words = str(tree.about.get("prune") or "none")
    rival = Rival(recipe, words, tree.n_leaves, tree.depth, float("nan"))
    if folds > 1:
        judging = {name: value for name, value in common.items() if name not in ("ledger", "n_threads")}
        found = cross_validate(
            train,
            wish.target,
            recipe,
            folds=folds,
            **wish.units,
            n_jobs=int(wish.given.get("n_threads", 1)),
            progress=part_of(progress, share, 1.0),
            **judging,
        )
        parts[f"{folds} folds"] = found.answers
        name = "accuracy" if tree.is_classifier else next(iter(found.overall))
        score = found.overall[name]
        value = 1 - score.value if tree.is_classifier else score.value**2 if name == "rmse" else score.value
        spread = 2 * score.value * score.standard_error if name == "rmse" else score.standard_error
        rival = Rival(recipe, words, tree.n_leaves, tree.depth, value, spread)
    return tree, parts, Rivals(wish.target, (rival,), measure="error" if tree.is_classifier else "mse")


def _call(wish: _Wish, recipe: str, prune: Any) -> str:
    """Return the call that gives the tree again."""
    return call_of(wish.again, recipe, {**wish.given, **wish.of_classes}, prune, wish.weights, wish.seed)


def _about_size(tree: Tree, given: Mapping[str, Any]) -> list[str]:
    """Say where pruning left fewer leaves than were allowed."""
    most, method = given.get("max_leaves"), tree.about.get("prune")
    if most is None or not method or tree.n_leaves >= most:
        return []
    left = count(tree.n_leaves, "leaf", "leaves")
    return [f"max_leaves={most} bounds growing; pruning ({method}) left {left}. prune='none' keeps more."]
