"""The pictures of `treewright demo --pictures`: one of every kind, on tables that ship with treewright."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

ENDS = (".svg", ".png", ".pdf", ".txt")


def written(folder: str) -> Iterator[tuple[str, str]]:
    """Write every picture in every form into a folder; yield the beginning of its name and what it shows.

    >>> import itertools, tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     shown = [about for _, about in itertools.islice(written(place), 1)]
    ...     shown, len(os.listdir(place))
    (['entropy, Gini index and error of two classes'], 4)
    """
    os.makedirs(folder, exist_ok=True)
    for name, (make, about) in PICTURES.items():
        picture = make()
        for end in ENDS:
            picture.save(os.path.join(folder, name + end))
        yield os.path.join(folder, name), about


def _parts() -> tuple[Any, Any, Any]:
    """Return a tree of the hypothyroid patients, the rows it grew on and those kept back."""
    import treewright as tw

    table = tw.example("hypothyroid")
    held = [i for i in range(table.n_rows) if i % 3 == 2]
    rest = [i for i in range(table.n_rows) if i % 3 != 2]
    tree = tw.grow(table.take(rest), target="class", recipe="c4.5")
    return tree, table.take(rest), table.take(held)


def _answers() -> Any:
    import treewright as tw

    tree, _, held = _parts()
    return tw.evaluate.answers(tree, held, probabilities="laplace")


def _tree() -> Any:
    tree, _, held = _parts()
    return tree.plot(None, held)


def _overfitting() -> Any:
    import treewright as tw

    return tw.evaluate.overfitting_curve(tw.example("vote"), "Class").plot()


def _pruning() -> Any:
    import treewright as tw

    return tw.evaluate.pruning_curve(tw.example("vote"), "Class", validation=0.3, folds=5).plot()


def _learning() -> Any:
    import treewright as tw

    return tw.evaluate.learning_curve(tw.example("vote"), "Class", "c4.5", repeats=5).plot()


def _folds() -> Any:
    import treewright as tw

    return tw.evaluate.cross_validate(tw.example("vote"), "Class", "c4.5").plot()


def _stability() -> Any:
    import treewright as tw

    return tw.evaluate.stability(tw.example("tennis"), "PlayTennis", "id3", n_trees=50).plot()


def _roc() -> Any:
    import treewright as tw

    return tw.evaluate.roc(_answers(), positive="primary hypothyroid").plot()


def _precision() -> Any:
    import treewright as tw

    return tw.evaluate.precision_recall(_answers(), positive="primary hypothyroid").plot()


def _reliability() -> Any:
    import treewright as tw

    votes = tw.example("vote")
    learn, judge = (
        votes.take([i for i in range(votes.n_rows) if (i % 2 == 0) == side]) for side in (True, False)
    )
    tree = tw.grow(learn, "Class", max_depth=3)
    answers = tw.evaluate.answers(tree, judge, probabilities="laplace")
    return tw.evaluate.reliability(answers).plot()


def _confusion() -> Any:
    import treewright as tw

    return tw.evaluate.confusion(_answers()).plot()


def _petals() -> tuple[Any, Any, Any]:
    import treewright as tw

    iris = tw.example("iris")
    X, y = iris.select(["petallength", "petalwidth"]), iris.labels("class")
    return X, y, tw.DecisionTreeClassifier(min_samples_leaf=5).fit(X, y)


def _partition() -> Any:
    import treewright as tw

    X, y, tree = _petals()
    return tw.draw.boundary(tree, X, y, title="Iris: the ground is the ratio of the classes in each leaf")


def _splits() -> Any:
    import treewright as tw

    X, y, tree = _petals()
    return tw.draw.partitions(tree, X, y, title="Iris, split by split")


def _levels() -> Any:
    import treewright as tw

    iris = tw.example("iris")
    X = iris.select(["petallength", "sepallength"])
    y = [float(value) for value in iris.labels("petalwidth")]
    tree = tw.DecisionTreeRegressor(max_depth=3).fit(X, y)
    return tw.draw.boundary(tree, X, y, title="A regression tree: the width of petals as levels")


def _stairs() -> Any:
    import treewright as tw

    iris = tw.example("iris")
    X, y = iris.select(["petallength"]), [float(value) for value in iris.labels("petalwidth")]
    tree = tw.DecisionTreeRegressor(max_depth=2).fit(X, y)
    return tw.draw.boundary(tree, X, y, title="A regression tree over one column")


def _categories() -> Any:
    import treewright as tw

    tennis = tw.example("tennis")
    X = tennis.select(["Outlook", "Humidity"])
    tree = tw.grow(tennis.select(["Outlook", "Humidity", "PlayTennis"]), "PlayTennis", "id3")
    return tw.draw.boundary(
        tree, X, tennis.labels("PlayTennis"), title="Play tennis: categories on both axes"
    )


def _strip() -> Any:
    import treewright as tw

    table = tw.example("temperature")
    X = table.select(["Temperature"])
    return tw.draw.boundary(
        tw.grow(table, "PlayTennis"), X, table.labels("PlayTennis"), title="One column as a strip"
    )


def _xor() -> Any:
    import treewright as tw

    X = tw.Table.from_dict({"x1": [1.0, 1, 0, 0], "x2": [1.0, 0, 1, 0], "(x1 - x2)²": [0.0, 1, 1, 0]})
    y = [0, 1, 1, 0]
    return tw.draw.boundary(
        {"a plane": tw.MaxMarginClassifier().fit(X, y)}, X, y, title="XOR after the map to three columns"
    )


def _margin() -> Any:
    import treewright as tw

    X, y = tw.Table.from_dict({"x1": [1.0, 1, 3, 3], "x2": [5.0, 3, 4, 2]}), ["red", "red", "blue", "blue"]
    return tw.draw.boundary(
        {"widest margin": tw.MaxMarginClassifier().fit(X, y)}, X, y, title="Support vectors on the margin"
    )


def _perceptron() -> Any:
    import treewright as tw

    X, y = tw.Table.from_dict({"x1": [4.0, 1, -2, 2], "x2": [3.0, 3, 0, 2]}), [1, -1, -1, 1]
    model = tw.Perceptron(start=[1, 1], bias=False).fit(X, y)
    return tw.draw.boundary({"perceptron": model}, X, y, title="The perceptron's steps")


def _impurities() -> Any:
    import treewright as tw

    return tw.draw.impurities()


def _logistic() -> Any:
    import treewright as tw

    table = tw.example("iris")
    keep = [i for i, name in enumerate(table.labels("class")) if name != "Iris-setosa"]
    X, y = table.take(keep).select(["petallength"]), table.labels("class")[keep]
    return tw.draw.logistic_curve(model=tw.LogisticRegression().fit(X, y), X=X, y=y)


def _gaussians() -> Any:
    import treewright as tw

    return tw.draw.gaussians(tw.measure.Gaussian(0, 1), tw.measure.Gaussian(1, 1.5))


# What is drawn -> how, and what it shows.
PICTURES: dict[str, tuple[Callable[[], Any], str]] = {
    "impurities": (_impurities, "entropy, Gini index and error of two classes"),
    "logistic": (_logistic, "the logistic curve, with the rows of a model on it"),
    "gaussians": (_gaussians, "two Gaussians and their divergence"),
    "tree": (_tree, "a tree with rows kept back"),
    "partition": (_partition, "a partition of the plane, shaded by the ratio of the classes"),
    "splits": (_splits, "the same after 1, 2, ... splits"),
    "levels": (_levels, "a regression tree as levels"),
    "stairs": (_stairs, "a regression tree over one column"),
    "categories": (_categories, "categories on both axes"),
    "strip": (_strip, "one column as a strip"),
    "margin": (_margin, "support vectors on the margin"),
    "perceptron": (_perceptron, "the steps of a perceptron"),
    "xor": (_xor, "mapped XOR in three dimensions"),
    "overfitting": (_overfitting, "training and test error against the size of the tree"),
    "pruning": (_pruning, "error against the price of a leaf"),
    "learning": (_learning, "error against the rows learned from"),
    "folds": (_folds, "a cross-validation"),
    "stability": (_stability, "what bootstrap trees ask first"),
    "roc": (_roc, "a ROC curve"),
    "precision": (_precision, "precision and recall"),
    "reliability": (_reliability, "whether chances come true"),
    "confusion": (_confusion, "which class is taken for which"),
}
