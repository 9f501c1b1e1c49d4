"""`treewright show`: a model to read."""

from __future__ import annotations

import dataclasses
import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from treewright.base.numbers import number, percent
from treewright.tree.certificate import Certificate

from .failure import Failure
from .listing import how_made, size
from .model import load_model
from .options import Sectioned, json_option, option
from .output import head, show_json, show_pairs, talk
from .output import show as write
from .terminal import is_ascii_only

if TYPE_CHECKING:
    import treewright as tw
    from treewright.tree import Node

_NOT_SETTINGS = {"recipe", "prune", "gaps", "counted", "reading", "data"}

EXAMPLES = (
    "treewright show income.treewright --depth 3",
    "treewright show income.treewright --node 0",
)


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("model", type=click.Path())
@option("--depth", type=click.IntRange(min=0), metavar="N", help="Show so many levels of questions.")
@option("--node", type=int, metavar="I", help="Show all that is known of one node; the root is 0.")
@option("--tree", "number", type=int, metavar="I", help="Of a forest: show its tree I.")
@option("--full", is_flag=True, help="Also say how many surrogates stand in for each test of a tree.")
@option("--stats", is_flag=True, help="Show how it was made, its size, and what its columns are worth.")
@json_option
def show(
    model: str,
    depth: int | None,
    node: int | None,
    number: int | None,
    full: bool,
    stats: bool,
    as_json: bool,
) -> None:
    """Show a model: the text of a tree, or of rules."""
    import treewright as tw

    known = load_model(model)
    if number is not None:
        known = _of_forest(known, number)
    if node is not None and not isinstance(known, tw.Tree):
        way = "add --tree 0" if isinstance(known, tw.forest.Forest) else "leave the option out"
        raise Failure(f"--node {node}: only a tree has nodes, and {model!r} is not one; {way}.")
    if as_json:
        show_json(_plain(known, node, stats))
    elif stats or isinstance(known, tw.forest.Forest):
        _show_stats(known)
    elif isinstance(known, tw.rules.RuleSet):
        write(known.to_text(ascii=is_ascii_only()))
    elif node is not None:
        _show_node(known, _checked(known, node))
    else:
        write(known.to_text(max_depth=depth, ascii=is_ascii_only(), full=full))
        if (proof := Certificate.of(known.about)) is not None:
            talk(str(proof))


def _of_forest(model: Any, number: int) -> tw.Tree:
    import treewright as tw

    if not isinstance(model, tw.forest.Forest):
        raise Failure("--tree is for forests; this model is a single one. Leave the option out.")
    if not 0 <= number < model.n_trees:
        raise Failure(f"--tree {number}: the forest's trees are 0 to {model.n_trees - 1}.")
    return model.tree(number)


def _checked(tree: tw.Tree, node: int) -> int:
    if not 0 <= node < tree.n_nodes:
        raise Failure(f"--node {node}: the nodes are 0 (the root) to {tree.n_nodes - 1}.")
    return node


def _plain(model: Any, node: int | None, stats: bool) -> Any:
    import treewright as tw

    if node is not None:
        return dataclasses.asdict(model.node(_checked(model, node)))
    if stats or isinstance(model, tw.forest.Forest):
        return dict(_facts(model)) | {"about": dict(model.about), "importance": dict(_worth(model))}
    return model.to_dict()


def _show_node(tree: tw.Tree, node: int) -> None:
    found = tree.node(node)
    way = [tree.node(step) for step in tree.path_to(node)]
    head(f"Node {node} ({'leaf' if found.is_leaf else 'asks ' + found.question}, depth {found.depth})")
    for above, below in pairwise(way):
        write(f"  {above.question} {below.answer}")
    rows = [("rows", f"{found.n_rows:,}"), *_of_model(tree, found)]
    rows += [("says without the model" if found.model else "says", _prediction_words(found.prediction))]
    if tree.is_classifier:
        rows += [("errors", number(found.errors or 0.0))]
        rows += [
            (f"share of {name}", percent(share, 1))
            for name, share in zip(tree.classes, found.shares, strict=True)
        ]
    else:
        rows += [("spread", number(found.spread or 0.0, 6))]
    if not found.is_leaf:
        rows += [("score", f"{found.score:.6g}"), ("gain", f"{found.gain:.6g}")]
    show_pairs(rows)
    for answer, child in zip(found.answers, found.branches, strict=True):
        write(f"  {answer}: node {child}, {tree.n_rows[child]:,} rows")


def _of_model(tree: tw.Tree, node: Node) -> list[tuple[str, str]]:
    """Write the model that a node answers with, if it has one, and return how wrong it is in training."""
    if not node.model:
        return []
    write(f"  answers with {node.model}")
    loss = float(tree.model_loss[node.id])
    if tree.is_classifier:
        return [("errors of the model", number(loss))]
    return [("RMSE of the model", number(math.sqrt(loss / node.weight), 6))]


def _prediction_words(prediction: str | float) -> str:
    return prediction if isinstance(prediction, str) else number(prediction, 6)


def _facts(model: Any) -> list[tuple[str, Any]]:
    import treewright as tw

    facts: list[tuple[str, Any]] = [("target", model.target.name), ("classes", list(model.classes))]
    facts.append(("columns", len(model.schema)))
    if isinstance(model, tw.Tree):
        return [*facts, ("nodes", model.n_nodes), ("leaves", model.n_leaves), ("depth", model.depth),
                ("rows", int(model.n_rows[0]))]  # fmt: skip
    if isinstance(model, tw.forest.Forest):
        return [*facts, ("trees", model.n_trees), ("nodes", model.n_nodes), ("leaves", model.n_leaves)]
    return [*facts, ("rules", len(model)), ("decision", model.decision)]


def _worth(model: Any) -> list[tuple[str, float]]:
    """Return the columns that are asked about, those that matter most first."""
    import treewright as tw
    from treewright.explain import impurity_decrease

    if isinstance(model, tw.Tree):
        pairs = zip(model.schema.names, impurity_decrease(model).tolist(), strict=True)
    elif isinstance(model, tw.forest.Forest):
        found = tw.forest.impurity(model)
        pairs = zip(found.names, found.value.tolist(), strict=True)
    else:
        return []
    return sorted(((name, worth) for name, worth in pairs if worth > 0), key=lambda pair: -pair[1])


def _show_stats(model: Any) -> None:
    import treewright as tw

    about = dict(model.about)
    title = f"Tree ({size(model)})" if isinstance(model, tw.Tree) else repr(model)
    head(title)
    rows = [
        (name, ", ".join(value) if isinstance(value, list) else str(value)) for name, value in _facts(model)
    ]
    rows.append(("made by", how_made(about)))
    settings = {
        k: v for k, v in about.items() if k not in _NOT_SETTINGS and isinstance(v, (str, int, float, bool))
    }
    rows += [(name, str(value)) for name, value in settings.items()]
    show_pairs(((name, value[:160]) for name, value in rows), "<")
    if worth := _worth(model):
        head("What columns are worth (share of the impurity that they take away)")
        show_pairs((name, f"{share:.4f}") for name, share in worth)
