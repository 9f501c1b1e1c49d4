"""The regularised cost of lecture 004: entropy in the leaves, and a price for each."""

from __future__ import annotations

from treewright import measure
from treewright.fitting import grow
from treewright.lectures.blackboard import divided
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide, shown
from treewright.prune.regularised import regularised as pruned
from treewright.table import example
from treewright.tree import Tree

TARGET = "PlayTennis"
LAMBDAS = (1.0, 2.0, 3.0)


def regularised() -> Lesson:
    """Return the cost of trees of play tennis for several prices of a leaf, and which splits pay.

    >>> [step.value for step in regularised().steps if step.what.startswith("Leaves at")]
    [6, 6, 1]
    """
    table = example("tennis")
    whole = grow(table, TARGET, "id3")
    stages = {
        "a single leaf": whole.collapse(0),
        "Outlook only": grow(table, TARGET, "id3", max_depth=1),
        "the whole tree": whole,
    }
    about = (
        "C(T) adds up the entropy of the leaves, row by row, and λ for each leaf. A split into b branches "
        "pays if it gains more than λ·(b - 1) bits over all its rows. The price is in bits per leaf; "
        "divided by the rows it is the alpha of cost-complexity pruning on entropy."
    )
    steps: list[Step] = []
    for lambda_ in LAMBDAS:
        part = f"λ = {lambda_:g}"
        steps += [cost_step(name, tree, lambda_, part) for name, tree in stages.items()]
        steps.append(
            Step(f"Leaves at λ = {lambda_:g}", "argmin C(T)", "", pruned(whole, lambda_).n_leaves, part=part)
        )
    steps += _whether_to_split(stages["Outlook only"])
    return Lesson("regularised", "The regularised cost", about, tuple(steps))


def cost(tree: Tree, lambda_: float) -> float:
    """Return the sum of N H over the leaves, and `lambda_` for each leaf.

    >>> from treewright.tree.example import tennis
    >>> cost(tennis(), 1.0), round(cost(tennis().collapse(0), 1.0), 6)
    (5.0, 14.164003)
    """
    leaves = [i for i in tree.leaf_ids.tolist() if tree.weights[i] > 0]
    return float(
        sum(tree.weights[i] * measure.entropy(tree.stats[i]) for i in leaves) + lambda_ * tree.n_leaves
    )


def cost_step(name: str, tree: Tree, lambda_: float, part: str, place: str = "004:342") -> Step:
    """Return the step that adds up the cost of a tree, beside the formula of a slide.

    >>> from treewright.tree.example import tennis
    >>> cost_step("one leaf", tennis().collapse(0), 0.0, "", "004:334").filled
    '14·0.940286'
    """
    leaves = tree.leaf_ids.tolist()
    terms = [
        f"{tree.weights[i]:g}·{shown(float(measure.entropy(tree.stats[i])))}"
        for i in leaves
        if tree.weights[i]
    ]
    formula = "Σ N_t·H_t + λ·|T|" if lambda_ else "Σ N_t·H_t"
    filled = " + ".join([*terms, f"{lambda_:g}·{tree.n_leaves}"] if lambda_ else terms)
    value = cost(tree, lambda_)
    return Step(f"Cost of {name}", formula, filled, value, Slide(place, formula, filled), part=part)


def _whether_to_split(tree: Tree) -> list[Step]:
    part = "Whether to split the root by Outlook"
    gain, b = float(tree.gain[0]), len(tree.children(0))
    parts = divided(example("tennis"), "Outlook", TARGET)
    saved = parts.n_rows * gain
    return [
        Step("Bits saved over all rows", "N_t·gain", f"{parts.n_rows:g}·{shown(gain)}", saved, part=part),
        Step(
            "Dearest leaf at which it pays, alone",
            "N_t·gain/(b - 1)",
            f"{shown(saved)}/({b} - 1)",
            saved / (b - 1),
            part=part,
        ),
        Step(
            "Leaves just below that price", "", "", pruned(tree, saved / (b - 1) - 1e-6).n_leaves, part=part
        ),
        Step("Leaves just above it", "", "", pruned(tree, saved / (b - 1) + 1e-6).n_leaves, part=part),
    ]
