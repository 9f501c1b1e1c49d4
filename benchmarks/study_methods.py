"""The methods of the study of pruning: what each grows on some rows, and how it does on others."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import treewright as tw
from benchmarks.data import cells
from treewright.prune import JudgedPath, cross_validated

N_ALPHAS = 30  # the grid: so many prices at most, of the tree's own path
N_INNER = 5  # folds of the grid search
N_REPEATS = 5  # of the folds of pruning, on small tables
SMALL = 1000  # rows


class Outcome(NamedTuple):
    """Wrong rows among those held out, and the leaves of the tree."""

    wrong: int
    leaves: int


Outcomes = Mapping[str, Outcome]  # by method
Rows = NDArray[np.int64]
# The table, the target, the rows to grow on, the rows to judge by, a seed -> how each method of a group does.
Group = Callable[[tw.Table, str, Rows, Rows, int], Outcomes]


# ---- scikit-learn ----------------------------------------------------------------------------------


def scikit_learn(table: tw.Table, goal: str, rest: Rows, held: Rows, seed: int) -> Outcomes:
    """One-hot categories, gaps filled; unpruned, and with ccp_alpha by a grid search over the tree's path."""
    train, test = _coded(table, goal, rest, held)
    y, truth = table.labels(goal)[rest], table.labels(goal)[held]
    tree = DecisionTreeClassifier(random_state=seed)
    path = np.unique(np.maximum(tree.cost_complexity_pruning_path(train, y).ccp_alphas, 0.0))
    places = np.unique(np.linspace(0, len(path) - 1, min(N_ALPHAS, len(path))).round().astype(int))
    tuned = grid_search(tree, path[places], train, y, seed)
    models = {"scikit-learn, tuned": tuned, "scikit-learn, unpruned": tree.fit(train, y)}
    return {
        name: Outcome(int((model.predict(test) != truth).sum()), int(model.get_n_leaves()))
        for name, model in models.items()
    }


def grid_search(
    tree: DecisionTreeClassifier, alphas: NDArray[Any], X: NDArray[Any], y: NDArray[Any], seed: int
) -> DecisionTreeClassifier:
    """Return the tree with the price that `GridSearchCV(tree, {"ccp_alpha": alphas}, cv=...)` finds.

    `fit` grows the same tree for every price and prunes it then; here it is grown once for each fold.

    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import GridSearchCV
    >>> X, y = load_wine(return_X_y=True)
    >>> alphas, tree = np.array([0.0, 0.01, 0.02, 0.05, 0.2]), DecisionTreeClassifier(random_state=3)
    >>> search = GridSearchCV(tree, {"ccp_alpha": alphas}, cv=_inner(3)).fit(X, y)
    >>> bool(grid_search(tree, alphas, X, y, 3).ccp_alpha == search.best_params_["ccp_alpha"])
    True
    """
    scores = []
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class")  # soybean
        for rest, held in _inner(seed).split(X, y):
            grown = clone(tree).fit(X[rest], y[rest])
            scores.append([_priced(grown, alpha).score(X[held], y[held]) for alpha in alphas])
    best = alphas[np.mean(scores, axis=0).argmax()]
    return clone(tree).set_params(ccp_alpha=best).fit(X, y)


def _inner(seed: int) -> StratifiedKFold:
    return StratifiedKFold(N_INNER, shuffle=True, random_state=seed)


def _priced(grown: DecisionTreeClassifier, alpha: float) -> DecisionTreeClassifier:
    pruned = copy(grown).set_params(ccp_alpha=alpha)
    pruned._prune_tree()  # what `fit` ends with; it makes a new `tree_`
    return pruned


def _coded(table: tw.Table, goal: str, rest: Rows, held: Rows) -> tuple[Any, Any]:
    """Return the rows as users of scikit-learn code them; medians and common values are those of `rest`."""
    import pandas as pd

    features = table.drop(goal)
    frame = pd.DataFrame(cells(features, None))
    numeric = [column.name for column in features.schema.columns if column.is_numeric]
    words = [column.name for column in features.schema.columns if not column.is_numeric]
    frame[words] = frame[words].astype(object).where(frame[words].notna(), np.nan)
    onehot = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    )
    coder = ColumnTransformer([("n", SimpleImputer(strategy="median"), numeric), ("w", onehot, words)])
    return coder.fit_transform(frame.iloc[rest]), coder.transform(frame.iloc[held])


# ---- ours ------------------------------------------------------------------------------------------

RULES = {"best": 0.0, "0.5 SE": 0.5, "1 SE": 1.0}


def ours(
    table: tw.Table,
    goal: str,
    rest: Rows,
    held: Rows,
    _seed: int,
    *,
    name: str,
    repeats: tuple[int, ...] = (1,),
    **settings: Any,
) -> Outcomes:
    """One growth, pruned along both paths by every rule, with folds dealt once or several times."""
    train, test = table.take(rest), table.take(held)
    tree = tw.grow(train, goal, **settings, prune="none")
    found = {f"{name}, unpruned": _outcome(tree, test, goal)}
    for risk in ("error", "impurity"):
        times_here = max(repeats) if table.n_rows < SMALL else 1
        judged = [cross_validated(tree, train, risk=risk, seed=k) for k in range(times_here)]
        for times, (rule, width) in product(repeats, RULES.items()):
            pruned = _chosen(judged[:times], width)
            found[f"{name}, {risk}, {rule}, x{times}"] = _outcome(pruned, test, goal)
    return found


def coded(table: tw.Table, goal: str, rest: Rows, held: Rows, seed: int) -> Outcomes:
    """Our growth on the matrix that scikit-learn is given: no categories, no gaps."""
    parts = [np.asarray(part, dtype=np.float64) for part in _coded(table, goal, rest, held)]
    x = np.concatenate(parts)
    y = np.concatenate([table.labels(goal)[rest], table.labels(goal)[held]])
    whole = tw.Table.from_dict({**{f"x{i}": column for i, column in enumerate(x.T)}, goal: y.tolist()})
    rows = np.arange(len(y))
    return ours(whole, goal, rows[: len(rest)], rows[len(rest) :], seed, name="one-hot, filled")


def shipped(
    table: tw.Table, goal: str, rest: Rows, held: Rows, _seed: int, *, ways: Mapping[str, Mapping[str, Any]]
) -> Outcomes:
    """What a user gets who types it."""
    train, test = table.take(rest), table.take(held)
    return {name: _outcome(tw.grow(train, goal, **way), test, goal) for name, way in ways.items()}


def _chosen(judged: list[JudgedPath], width: float) -> tw.Tree:
    """Return the smallest tree within `width` standard errors of the best, by the mean over the repeats."""
    error = np.mean([each.error for each in judged], axis=0)
    spread = np.mean([each.standard_error for each in judged], axis=0)
    best = int(np.flatnonzero(error <= error.min() + 1e-12)[-1])
    fits = np.flatnonzero(error <= error[best] + width * spread[best] + 1e-12)
    path = judged[0].path
    return path.tree_at(float(path.alpha[int(fits[-1])]))


def _outcome(tree: tw.Tree, test: tw.Table, goal: str) -> Outcome:
    return Outcome(int((tree.predict(test) != test.labels(goal)).sum()), tree.n_leaves)


CLASSIC: dict[str, dict[str, Any]] = {"cart": {"recipe": "cart"}, "c4.5": {"recipe": "c4.5"}}

GROUPS: dict[str, Group] = {
    "scikit-learn": scikit_learn,
    "plain": partial(ours, name="plain", repeats=(1, N_REPEATS)),
    "coded": coded,
    "leaf 2": partial(ours, name="leaf 2", min_leaf=2),
    "leaf 5": partial(ours, name="leaf 5", min_leaf=5),
    "leaf 7": partial(ours, name="leaf 7", min_leaf=7, min_split=20),
    "one against the rest": partial(ours, name="one against the rest", splits="one_vs_rest"),
    "gaps common": partial(ours, name="gaps common", missing="most_common"),
    "cv": partial(shipped, ways={"prune=cv": {"prune": "cv"}}),
    "classic": partial(shipped, ways=CLASSIC),
}


def outcomes(group: str, table: tw.Table, goal: str, fold: Rows, seed: int) -> Iterator[Outcomes]:
    """Give what the methods of a group do on each of the folds."""
    for k in range(int(fold.max()) + 1):
        yield GROUPS[group](table, goal, np.flatnonzero(fold != k), np.flatnonzero(fold == k), seed)
