"""Two more ways the slide names: minimum error and critical value."""

from __future__ import annotations

import numpy as np

from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import share, shown
from treewright.prune.critical_value import critical_value, critical_value_path
from treewright.prune.minimum_error import minimum_error as pruned
from treewright.prune.minimum_error import static_errors
from treewright.table import example
from treewright.tree import Tree

TARGET = "PlayTennis"
MS = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0)


def minimum_error() -> Lesson:
    """Return minimum-error and critical-value pruning on play tennis.

    >>> [round(step.value, 6) for step in minimum_error().steps if step.what.startswith("Backed-up error of")]
    [0.353741]
    """
    table = example("tennis")
    split = grow(table, TARGET, "id3", max_depth=1)
    about = (
        "Lecture 001 lists six ways to prune by name. Minimum error (Niblett and Bratko 1986) expects as "
        "many errors as Laplace's rule says; with an m-estimate it trusts the shares at the root by m "
        "rows. Critical value (Mingers 1987) keeps tests that scored enough, or have such a test below "
        "them."
    )
    steps = [*_laplace(split), *_m_estimates(split), *_critical(grow(table, TARGET, "id3"))]
    return Lesson("minimum_error", "Minimum error and critical value", about, tuple(steps))


def _laplace(tree: Tree) -> list[Step]:
    part = "Laplace's rule at the split on Outlook"
    static = static_errors(tree)
    k = len(tree.classes)
    steps = []
    for node in range(tree.n_nodes):
        n, largest = tree.weights[node], tree.stats[node].max()
        name = tree.node(node).answer or "the node as a leaf"
        filled = f"({n:g} - {largest:g} + {k} - 1)/({n:g} + {k})"
        steps.append(
            Step(
                f"Static error, {name}", "(n - n_max + k - 1)/(n + k)", filled, float(static[node]), part=part
            )
        )
    steps.append(
        Step(
            "Backed-up error of the split",
            "Σ N_j/N·E_j",
            _terms(tree, static),
            _backed_up(tree, static),
            part=part,
        )
    )
    steps.append(
        Step("Leaves that stay", "leaf if E_static ≤ E_backed_up", "", pruned(tree).n_leaves, part=part)
    )
    return steps


def _terms(tree: Tree, static: np.ndarray) -> str:
    pairs = ((tree.weights[i], float(static[i])) for i in tree.children(0))
    return " + ".join(f"{share(n, tree.weights[0])}·{shown(e)}" for n, e in pairs)


def _backed_up(tree: Tree, static: np.ndarray) -> float:
    children = list(tree.children(0))
    return float(np.average(static[children], weights=tree.weights[children]))


def _m_estimates(tree: Tree) -> list[Step]:
    part = "With an m-estimate"
    steps = [
        Step(
            "Static error of the node, for every m",
            "1 - max p",
            f"1 - {share(tree.stats[0].max(), tree.weights[0])}",
            float(static_errors(tree, 2.0)[0]),
            part=part,
        )
    ]
    for m in MS:
        static = static_errors(tree, m)
        kept = pruned(tree, m).n_leaves
        note = "The node becomes a leaf." if kept == 1 else "The split stays."
        steps.append(
            Step(
                f"Backed-up error, m = {m:g}",
                "Σ N_j/N·E_j",
                _terms(tree, static),
                _backed_up(tree, static),
                note=note,
                part=part,
            )
        )
    return steps


def _critical(tree: Tree) -> list[Step]:
    part = "Critical value on the whole tree"
    gains = [
        f"node {i} {tree.node(i).question} {shown(float(tree.gain[i]))}"
        for i in range(tree.n_nodes)
        if not tree.is_leaf(i)
    ]
    steps = [Step("Gains while growing", "", "", ", ".join(gains), part=part)]
    for kappa, leaves in zip(
        critical_value_path(tree).kappa.tolist(), critical_value_path(tree).n_leaves.tolist(), strict=True
    ):
        steps.append(Step(f"Leaves up to κ = {kappa:.6f}", "", "", leaves, part=part))
    note = "The root's own gain is below 0.5, but tests below it have more: they all stay."
    steps.append(Step("Leaves at κ = 0.5", "", "", critical_value(tree, 0.5).n_leaves, note=note, part=part))
    return steps
