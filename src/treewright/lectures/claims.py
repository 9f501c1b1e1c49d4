"""What the lectures claim of trees and forests, measured."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.base.draws import row_shares
from treewright.evaluate.corrupt import corrupt
from treewright.evaluate.learning import learning_curve
from treewright.evaluate.limited import reduced_error_by_folds, rows_needed
from treewright.fitting import grow
from treewright.forest.grower import grow as grow_forest
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.points import LECTURES, square
from treewright.predict import predict
from treewright.table import Table, example
from treewright.tree import Tree

TARGET = "Class"
SAMPLES, N_TREES = 6, 60
KEPT = 0.9  # of the rows in each sample
FIRST_ITEM = 40  # of the draws here, beside those of `points`


def claims() -> Lesson:
    """Return what the lectures say of trees in words, with a figure for each sentence.

    >>> [step.value for step in claims().steps if step.what == "Leaves that differ after x is cubed"]
    [0]
    """
    about = (
        "Sentences of the lectures without a number, measured on the votes of 1984 that ship here, "
        "and on points drawn for the purpose. A figure shows what a sentence means; it proves nothing for "
        "other data."
    )
    steps = (*_forests(), *_rules(), *_columns(), *_few_rows(), *_noise(), *_limits())
    return Lesson("claims", "What is said of trees, measured", about, steps)


def halves() -> tuple[Table, Table]:
    """Return the votes to learn from, and those to judge by: every third row.

    >>> [part.n_rows for part in halves()]
    [290, 145]
    """
    table = example("vote")
    is_kept = np.arange(table.n_rows) % 3 == 2
    return table.take(~is_kept), table.take(is_kept)


def samples(table: Table) -> list[Table]:
    """Return samples of nine rows in ten.

    >>> [part.n_rows for part in samples(example("vote"))][:2]
    [397, 386]
    """
    return [table.take(row_shares(0, LECTURES, FIRST_ITEM + i, table.n_rows) < KEPT) for i in range(SAMPLES)]


def errors(answers: NDArray[np.object_], table: Table, target: str = TARGET) -> int:
    """Return how many answers are wrong.

    >>> votes = example("vote")
    >>> errors(votes.labels("Class"), votes)
    0
    """
    return int((answers != table.labels(target)).sum())


def agreement(answers: list[NDArray[np.object_]]) -> float:
    """Return the share of rows, over all pairs, of which two say the same.

    >>> agreement([np.array(["a", "b"]), np.array(["a", "a"])])
    0.5
    """
    same = [(a == b).mean() for i, a in enumerate(answers) for b in answers[:i]]
    return float(np.mean(same))


def _forests() -> list[Step]:
    learn, judge = halves()
    noisy = corrupt(learn, TARGET, label_noise=0.1)
    forest = grow_forest(noisy, TARGET, N_TREES, seed=1)
    votes = np.stack([predict(forest.tree(i), judge) for i in range(N_TREES)])
    names = list(forest.classes)
    counted = np.stack([(votes == name).sum(axis=0) for name in names], axis=1)
    single = np.mean([errors(row, judge) for row in votes])
    part = "Forests (001:372 to 001:385)"
    trees = [predict(grow(some, TARGET), judge) for some in samples(noisy)]
    forests = [grow_forest(some, TARGET, N_TREES, seed=1).predict(judge) for some in samples(noisy)]
    asked = {column for i in range(N_TREES) for column in forest.tree(i).column[:1].tolist()}
    most = counted.max(axis=1, keepdims=True)
    is_tied = (counted == most).sum(axis=1) > 1
    said = forest.predict(judge)
    by_vote = np.array(names, dtype=object)[counted.argmax(axis=1)]
    return [
        Step(
            "Columns asked at the root by the trees, each of m drawn anew",
            "",
            "",
            len(asked),
            part=part,
            note=f"m is 4 of {learn.n_columns - 1}; a single tree asks one.",
        ),
        Step(
            "Rows of 145 on which the forest says what most of its trees say",
            "",
            "",
            int(((said == by_vote) | is_tied).sum()),
            part=part,
        ),
        Step("Wrong of 145, one tree of the forest, on average", "", "", round(float(single), 6), part=part),
        Step(
            "Wrong of 145, the forest",
            "",
            "",
            errors(said, judge),
            part=part,
            note="One label in ten of the rows to learn from was changed.",
        ),
        Step(
            "How often two trees say the same, of six, each on 90 % of the rows",
            "",
            "",
            round(agreement(trees), 6),
            part=part,
        ),
        Step("How often two forests do", "", "", round(agreement(forests), 6), part=part),
    ]


def parity_of_pairs() -> Table:
    """Return all rows of six truth values, positive where both of a pair are true.

    >>> parity_of_pairs().n_rows
    64
    """
    bits = np.array([[(i >> k) & 1 for k in range(6)] for i in range(64)])
    positive = (bits[:, 0] & bits[:, 1]) | (bits[:, 2] & bits[:, 3]) | (bits[:, 4] & bits[:, 5])
    columns: dict[str, list[str]] = {
        f"x{k + 1}": ["yes" if v else "no" for v in bits[:, k]] for k in range(6)
    }
    return Table.from_dict({**columns, "y": ["yes" if v else "no" for v in positive]})


def _rules() -> list[Step]:
    tree = grow(parity_of_pairs(), "y", "id3")
    positive = sum(rule.prediction == "yes" for rule in _rules_of(tree))
    part = "Trees and overlapping rules (001:337, 001:340)"
    return [
        Step(
            "Leaves of the tree for: x1 and x2, or x3 and x4, or x5 and x6", "", "", tree.n_leaves, part=part
        ),
        Step("Its leaves that say yes", "", "", positive, part=part),
        Step(
            "Overlapping rules that say the same",
            "",
            "",
            3,
            part=part,
            note="One for each pair; a tree asks the other pairs again in every branch.",
        ),
        Step(
            "Rules of the tree that begin with the same column",
            "",
            "",
            sum(rule.conditions[0].column == tree.node(0).question for rule in _rules_of(tree)),
            part=part,
        ),
    ]


def _rules_of(tree: Tree) -> tuple:  # type: ignore[type-arg]
    from treewright.rules import from_tree

    return from_tree(tree).rules


def drawn(n: int = 300) -> Table:
    """Return points with a class by x + noise, and columns that say nothing.

    >>> drawn().names[:3]
    ('x', 'y', 'useless1')
    """
    x, y = square(n, seed=5)
    blur = row_shares(5, LECTURES, FIRST_ITEM + 20, n)
    label = np.where(x + 0.6 * (blur - 0.5) > 0.2, "blue", "red")
    columns: dict[str, list[float] | list[str]] = {"x": x.tolist(), "y": y.tolist()}
    for i in range(10):
        columns[f"useless{i + 1}"] = row_shares(5, LECTURES, FIRST_ITEM + 21 + i, n).tolist()
    return Table.from_dict({**columns, "colour": label.tolist()})


def _columns() -> list[Step]:
    table = drawn()
    part = "Columns (003:854, 004:626 to 004:631)"
    x = np.asarray(table.column("x")[1], dtype=np.float64)
    plain = grow(table, "colour", max_depth=4)
    cells = {
        name: table.labels(name).tolist() if name == "colour" else np.asarray(values)
        for name, values in zip(table.names, table.values, strict=True)
    }
    cubed = Table.from_dict({**cells, "x": x**3})
    bent = grow(cubed, "colour", max_depth=4)
    far = x.copy()
    far[[int(np.argmax(x)), int(np.argmin(x))]] = [1e9, -1e9]
    outlying = Table.from_dict({**cells, "x": far})
    stretched = grow(outlying, "colour", max_depth=4)
    few = table.select(["x", "y", "colour"])
    cut, useful = (grow(rows, "colour", max_depth=1) for rows in (table, few))
    return [
        Step(
            "Leaves that differ after x is cubed",
            "",
            "",
            int((plain.leaves(table) != bent.leaves(cubed)).sum()),
            part=part,
            note="Rows that end elsewhere, of 300.",
        ),
        Step(
            "Rows that are answered otherwise after two outliers at ±10^9",
            "",
            "",
            int((predict(plain, table) != predict(stretched, outlying)).sum()),
            part=part,
        ),
        Step(
            "The first test beside ten useless columns, and without them",
            "",
            "",
            f"{cut.node(0).question}, {useful.node(0).question}",
            part=part,
        ),
        Step(
            "Rows answered otherwise because of the ten",
            "",
            "",
            int((predict(cut, table) != predict(useful, few)).sum()),
            part=part,
            note="Of a tree with one test.",
        ),
    ]


def _few_rows() -> list[Step]:
    learn, judge = halves()
    few = learn.take(np.arange(learn.n_rows) % 4 == 0)
    part = "Few rows (001:176, 001:194, 000:52)"
    kept_back = grow(few, TARGET, prune="reduced_error")
    by_folds = reduced_error_by_folds(few, TARGET, folds=10)
    whole = grow(few, TARGET, prune="none")
    curve = learning_curve(learn, TARGET, sizes=[20, 80, 190], test=judge, repeats=5)
    at = ", ".join(
        f"{x:g}: {score.value:.4f}" for x, score in zip(curve.x, curve.lines[1].scores, strict=True)
    )
    bound = rows_needed(by_folds.n_leaves, learn.n_columns - 1)
    return [
        Step(
            "Wrong of 145, all of a tree of 73 rows",
            "",
            "",
            errors(predict(whole, judge), judge),
            part=part,
            note=f"{whole.n_leaves} leaves.",
        ),
        Step(
            "Wrong, a third of the 73 kept back for reduced-error pruning",
            "",
            "",
            errors(predict(kept_back, judge), judge),
            part=part,
            note=f"{kept_back.n_leaves} leaves.",
        ),
        Step(
            "Wrong, reduced-error pruning by ten folds, nothing kept back",
            "",
            "",
            errors(predict(by_folds, judge), judge),
            part=part,
            note=f"{by_folds.n_leaves} leaves.",
        ),
        Step(
            "Rows that are enough for so many leaves, at most one in ten wrong",
            "(ln |H| + ln 1/d)/e",
            "",
            bound,
            part=part,
            note=f"A worst case, for any data. Errors here, by rows learned from: {at}.",
        ),
    ]


def _noise() -> list[Step]:
    learn, judge = halves()
    part = "Noisy data (000:174)"
    steps = []
    for word, noise in (("labels", {"label_noise": 0.2}), ("cells", {"attribute_noise": 0.2})):
        noisy = corrupt(learn, TARGET, **noise)  # type: ignore[arg-type]
        full, pruned = (grow(noisy, TARGET, "c4.5", prune=prune) for prune in ("none", "error_based"))
        wrong = [errors(predict(tree, judge), judge) for tree in (full, pruned)]
        steps.append(
            Step(
                f"Wrong of 145, a fifth of the {word} drawn anew: grown, and pruned",
                "",
                "",
                f"{wrong[0]}, {wrong[1]}",
                part=part,
                note=f"{full.n_leaves} and {pruned.n_leaves} leaves.",
            )
        )
    return steps


def _limits() -> list[Step]:
    x, y = square(400, seed=7)
    table = Table.from_dict({"x": x, "y": y, "side": np.where(x > y, "below", "above").tolist()})
    part = "Axis-parallel tests (001:359)"
    plain, sums = grow(table, "side"), grow(table, "side", splits="linear")
    return [
        Step("Leaves for a diagonal, one column in each test", "", "", plain.n_leaves, part=part),
        Step("Leaves, sums of columns in a test", "", "", sums.n_leaves, part=part),
    ]
