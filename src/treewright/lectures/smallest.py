"""The smallest tree, by searching all of them as CLS did; and the tree that makes C(T) + λ|T| least."""

from __future__ import annotations

from dataclasses import replace

from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.regularised import TARGET, cost_step
from treewright.lookahead import optimal
from treewright.prune.regularised import regularised as pruned
from treewright.table import Table, example
from treewright.tree import Tree

TINY = 0.01  # the price of a leaf that no error is traded for: of trees without an error the smallest
DEPTH = 4
WAIT = "Wait"
LAMBDAS = (0.5, 1.0, 2.0)
# x1, x2, hint -> the class: the parity of x1 and x2; the hint is right in 6 rows of 8.
_PARITY = ("000", "011", "101", "110", "001", "010", "100", "111")
_HINTS = ("n", "y", "y", "n", "n", "y", "n", "y")


def smallest() -> Lesson:
    """Return the smallest tree beside ID3's, and the least C(T) + λ|T| beside what pruning finds.

    >>> [step.value for step in smallest().steps if step.what.startswith("Leaves of the smallest tree")]
    [6, 6, 4]
    """
    about = (
        "Finding the smallest tree is NP-hard (lecture 000), so ID3 is greedy; CLS, before it, searched "
        "exhaustively (lecture 004). On a small table all trees can be searched: here by branch and bound, "
        "with a proof. The same search finds the tree that makes the cost of lecture 004 least, with the "
        "price λ of a leaf or without."
    )
    return Lesson("smallest", "The smallest tree", about, (*_sizes(), *_costs(), *_prices()))


def hinted() -> Table:
    """Return XOR with a third column that tells a little: it leads a greedy tree astray.

    >>> hinted().n_rows
    8
    """
    columns = {name: [word[i] for word in _PARITY] for i, name in enumerate(("x1", "x2"))}
    answers = ["y" if word[0] != word[1] else "n" for word in _PARITY]
    return Table.from_dict({**columns, "hint": list(_HINTS), "y": answers})


def _sizes() -> list[Step]:
    steps = []
    tables = (
        ("play tennis", example("tennis"), TARGET),
        ("the restaurant", example("restaurant"), WAIT),
        ("XOR with a hint", hinted(), "y"),
    )
    for name, table, target in tables:
        part = f"CLS and ID3: {name}"
        greedy = grow(table, target, "id3")
        found = optimal(table, target, DEPTH, leaf_price=TINY, splits="multiway", warns=False)
        wrong = [int((tree.predict(table) != table.labels(target)).sum()) for tree in (greedy, found.tree)]
        proof = found.certificate
        steps += [
            Step("Leaves of the tree by ID3", "", "", greedy.n_leaves, part=part, note=_errors(wrong[0])),
            Step(
                "Leaves of the smallest tree",
                "argmin |T|",
                "",
                found.tree.n_leaves,
                part=part,
                note=f"{_errors(wrong[1])} {proof.n_solved:,} sub-problems were solved, and it is proven.",
            ),
        ]
    return steps


def _errors(n: int) -> str:
    return "No row is wrong." if n == 0 else f"{n} rows are wrong."


def _costs() -> list[Step]:
    """Return the least C(T) at each depth, beside what ID3 comes to."""
    table, part = example("restaurant"), "min C(T) = Σ N_t·H_t over all trees, the restaurant"
    steps = []
    for depth in (1, 2, 3):
        greedy, best = grow(table, WAIT, "id3", max_depth=depth), _cheapest(table, depth, 0.0)
        for name, tree in ((f"ID3's tree of depth {depth}", greedy), (f"the best of depth {depth}", best)):
            steps.append(cost_step(name, tree, 0.0, part, "004:334"))
    return steps


def _prices() -> list[Step]:
    """Return the least C(T) + λ|T|, beside the best of the trees that pruning can make of ID3's."""
    table, steps = example("restaurant"), []
    whole = grow(table, WAIT, "id3")
    for lambda_ in LAMBDAS:
        part = f"min C(T) + λ·|T| over all trees, λ = {lambda_:g}"
        cut, best = pruned(whole, lambda_), _cheapest(table, DEPTH, lambda_)
        for name, tree in (("ID3's tree, pruned", cut), ("the best of all trees", best)):
            leaves = f"{tree.n_leaves} leaves" if tree.n_leaves > 1 else "a single leaf"
            steps.append(replace(cost_step(name, tree, lambda_, part), note=leaves))
    return steps


def _cheapest(table: Table, depth: int, lambda_: float) -> Tree:
    found = optimal(
        table, WAIT, depth, leaf_price=lambda_, criterion="entropy", splits="multiway", warns=False
    )
    return found.tree
