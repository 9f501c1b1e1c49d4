"""A tree, or its rules, as one formula of logic: every rule an implication, all of them joined by AND."""

from __future__ import annotations

from typing import Any

from treewright.base.lines import harmless
from treewright.rules.from_tree import from_tree
from treewright.rules.ruleset import RuleSet
from treewright.tree import Tree
from treewright.tree.split import name

_SIGNS = {False: ("⇒", "∧"), True: ("=>", "AND")}


def formula(model: Tree | RuleSet, *, ascii: bool = False) -> str:  # noqa: A002 (the word says it)
    """Return a tree as one formula: (test ∧ test ⇒ target = answer) ∧ ..., a line for each leaf.

    It holds of a row just if the row is answered with its class. A tree of one leaf is the class itself;
    missing values and new categories are not spoken of.
    Rules of which the first that matches decides, or which vote, are no such formula and are refused.

    >>> import treewright as tw
    >>> print(formula(tw.grow(tw.example("tennis"), "PlayTennis", "stump"), ascii=True))
    (Humidity in {High, Low} => PlayTennis = No) AND
    (Humidity = Normal => PlayTennis = Yes)
    """
    rules = from_tree(model) if isinstance(model, Tree) else model
    if not isinstance(rules, RuleSet):
        raise TypeError(f"formula takes a tree or its rules; found {type(model).__name__}.")
    if rules.decision != "shares":
        raise ValueError(
            "These rules decide in an order, or vote; only those of a tree, one for each leaf, are a formula."
        )
    follows, and_ = _SIGNS[bool(ascii)]
    target = name(rules.target.name)
    lines = []
    for rule in rules.rules:
        answer = f"{target} = {_answer(rule)}"
        plain: dict[str, Any] = {"says_missing": False, "says_unseen": False, "schema": rules.schema}
        tests = f" {and_} ".join(test.to_text(**plain) for test in rule.conditions)
        lines.append(f"({tests} {follows} {answer})" if tests else f"({answer})")
    return harmless(f" {and_}\n".join(lines))


def _answer(rule: Any) -> str:
    return name(rule.prediction) if isinstance(rule.prediction, str) else f"{rule.prediction:.6g}"


def nested(tree: Tree) -> str:
    """Return a tree as nested IF, ELIF, ELSE and return, as a program would ask it.

    Missing values and new categories are not spoken of; `tree.export(format="python")` is code that runs.

    >>> import treewright as tw
    >>> print(nested(tw.grow(tw.example("tennis"), "PlayTennis", "stump")))
    IF Humidity = High:
      return No
    ELSE:
      return Yes
    """
    if not isinstance(tree, Tree):
        raise TypeError(f"nested takes a tree; found {type(tree).__name__}.")
    lines: list[str] = []
    open_nodes: list[tuple[int, int, str]] = [(0, 0, "")]  # node, how far in, the line before it
    while open_nodes:
        number, depth, head = open_nodes.pop()
        if head:
            lines.append("  " * (depth - 1) + head)
        node = tree.node(number)
        if tree.leaf_mask[number]:
            answer = node.prediction
            lines.append(
                "  " * depth + f"return {name(answer) if isinstance(answer, str) else f'{answer:.6g}'}"
            )
            continue
        below = list(tree.children(number))
        heads = [
            f"{'ELIF' if i else 'IF'} {node.question} {tree.node(child).answer}:"
            for i, child in enumerate(below)
        ]
        heads[-1] = "ELSE:"
        open_nodes += [(child, depth + 1, word) for child, word in zip(below[::-1], heads[::-1], strict=True)]
    return harmless("\n".join(lines))
