"""The growth ledger: every test that was considered, its figures, and why it lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright.base.lines import harmless
from treewright.base.numbers import number
from treewright.growth.setting import ON_SEVERAL
from treewright.table.schema import Schema
from treewright.tree import Tree
from treewright.tree.certificate import Certificate

# In the order of the core's Verdict. {column} the test asked about, {winner} the one chosen.
VERDICTS: tuple[tuple[str, str], ...] = (
    ("chosen", "{column} was chosen: {figures}."),
    ("lower_score", "{column} scored lower than {winner}: {figures}, against {winning}."),
    (
        "tie_lost",
        "{column} scored the same as {winner} ({figures}); ties go to the column that comes first{order}.",
    ),
    ("one_value", "{column} has only one value among the rows here, so it cannot tell them apart."),
    ("all_missing", "{column} is missing in every row here."),
    ("used_above", "{column} was already asked above; a branch per value leaves nothing to ask again."),
    ("branches_too_small", "Every test on {column} would leave branches smaller than the settings allow."),
    ("no_gain_after_charge", "{column} gains nothing once its choice of cut is paid for: {figures}."),
    (
        "below_average_gain",
        "{column} gains less than the average test here, so its ratio was not looked at: {figures}.",
    ),
    ("split_info_too_small", "{column} hardly divides the rows (split information {split_info:.6f})."),
    ("not_drawn", "{column} was not among the columns drawn for this node."),
    ("not_significant", "{column} could be chance: p = {p_value:.4g}, and {figures}."),
    ("below_min_gain", "{column} was the best test, but below min_gain: {figures}. The node stayed a leaf."),
    ("leaf_budget", "{column} would need more leaves than the budget has left: {figures}."),
    ("collapsed", "{column} was chosen ({figures}), but its leaves made no fewer errors; it was taken back."),
    ("price_not_paid", "{column} takes off too little to pay split_price: {figures}."),
    ("gain_too_small", "{column} is below min_gain, so its cost was not looked at: {figures}."),
    (
        "not_monotone",
        "{column} was the best test, but its branches break the monotone order once gaps have their branch.",
    ),
)

# Of a tree that was searched: the core knows nothing of these.
OF_SEARCH: tuple[tuple[str, str], ...] = (
    ("costs_more", "{column} asked here costs {cost} at best, against {best} with {winner}.{greedy}"),
    ("costs_the_same", "{column} asked here costs as little as {winner}: {cost}.{greedy}"),
    ("leaf_budget_spent", "{column} would need more leaves than there are for this node."),
    (
        "less_ahead",
        "{column} scored more by itself ({figures}), but less than {winner} with the tests below it.",
    ),
)
ALL_VERDICTS = VERDICTS + OF_SEARCH


def records(arrays: Mapping[str, Any], schema: Schema) -> tuple[dict[str, Any], ...]:
    """Return the core's ledger arrays as plain records, node by node, in column order."""
    nodes = arrays["ledger_node"]
    figures = {k: arrays[f"ledger_{k}"].tolist() for k in _FIGURES}
    found = []
    for i in np.lexsort((arrays["ledger_column"], nodes)).tolist():
        verdict = VERDICTS[arrays["ledger_verdict"][i]][0]
        record = {
            "node": int(nodes[i]),
            "column": schema.names[arrays["ledger_column"][i]],
            "verdict": verdict,
        }
        scored = verdict not in _UNSCORED
        record |= {k: (v[i] if scored and v[i] == v[i] else None) for k, v in figures.items()}
        found.append(record)
    return _with_look_ahead(found)


def _with_look_ahead(found: list[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return the records; who scored no less than the chosen test lost for what comes below it."""
    chosen = {record["node"]: record["score"] for record in found if record["verdict"] == "chosen"}
    for record in found:
        lost = record["verdict"] in ("lower_score", "tie_lost") and record["node"] in chosen
        if lost and record["score"] > chosen[record["node"]] * (1 + 1e-9) + 1e-12:
            record["verdict"] = "less_ahead"
    return tuple(found)


_UNSCORED = ("one_value", "all_missing", "used_above", "branches_too_small", "not_drawn", "leaf_budget_spent")


def candidates(tree: Tree, node: int = 0) -> list[dict[str, Any]]:
    """Return every test considered at a node, best first, as records.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3", ledger=True)
    >>> [(c["column"], round(c["gain"], 6)) for c in tree.candidates(0)]
    [('Outlook', 0.24675), ('Humidity', 0.151836), ('Wind', 0.048127), ('Temperature', 0.029223)]
    """
    if tree.ledger is None:
        raise ValueError("This tree was grown without a ledger; grow it again with ledger=True.")
    node = tree.node(node).id
    return _ranked(tree, node, [dict(record) for record in tree.ledger if record["node"] == node])


def candidates_by_node(tree: Tree) -> dict[int, list[dict[str, Any]]]:
    """Return the tests considered at every node that has some, best first; empty without a ledger.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3", ledger=True)
    >>> found = candidates_by_node(tree)
    >>> list(found), found[0] == tree.candidates(0)
    ([0, 1, 6], True)
    """
    found: dict[int, list[dict[str, Any]]] = {}
    for record in tree.ledger or ():
        found.setdefault(int(record["node"]), []).append(dict(record))
    return {node: _ranked(tree, node, rows) for node, rows in sorted(found.items())}


def _ranked(tree: Tree, node: int, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if not all(_is_whole(row, tree) for row in rows):
        raise ValueError(
            f"The ledger of this tree is damaged at node {node}; grow the tree again with ledger=True."
        )
    return sorted(
        rows, key=lambda r: (r["verdict"] not in _DECIDED, -_known(r["score"]), r["verdict"] != "chosen")
    )


def _is_whole(record: Mapping[str, Any], tree: Tree) -> bool:
    """Say whether a record, perhaps from a file, has all that is asked of it."""
    figures = [record.get(name, "") for name in _FIGURES] + [record.get(name) for name in _COSTS]
    is_named = record.get("column") in tree.schema.names and record.get("verdict") in dict(ALL_VERDICTS)
    scored = record.get("verdict") in _UNSCORED or record.get("score") is not None
    return is_named and scored and all(x is None or type(x) in (int, float) for x in figures)


_FIGURES = ("score", "gain", "split_info", "charge", "cut", "p_value")
_COSTS = ("cost", "greedy_cost")  # of a tree that was searched
_DECIDED = ("chosen", "collapsed", "below_min_gain")


def _known(score: float | None) -> float:
    return float("-inf") if score is None else score


def why_not(tree: Tree, column: str, node: int = 0) -> str:
    """Return, in a sentence, why a column was not tested at a node (or that it was).

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3", ledger=True)
    >>> tree.why_not("Humidity")
    'Humidity scored lower than Outlook: gain 0.151836, against 0.246750.'
    """
    tree.schema.index(column)
    rows = candidates(tree, node)
    if not rows:
        return f"Nothing was asked at node {node}: {_why_leaf(tree, node)}."
    record = next((row for row in rows if row["column"] == column), None)
    if record is None:
        raise ValueError(f"The ledger of this tree has no record of {column!r} at node {node}.")
    winner = rows[0] if rows[0]["verdict"] in _DECIDED else None
    sentence = dict(ALL_VERDICTS)[record["verdict"]]
    if record["verdict"] == "chosen" and "cost" in record:
        sentence = "{column} was chosen: the best tree from here costs {cost}.{greedy}"
    by_name = tree.about.get("ties", "name") == "name"
    if record["verdict"] == "branches_too_small" and tree.about.get("monotone"):
        sentence = "Every test on {column} would leave branches too small, or break the monotone order."
    score_word = _score_word(tree.about)
    told = sentence.format(
        column=column,
        winner=winner["column"] if winner else _unnamed_winner(tree.about),
        figures=_figures(record, score_word),
        winning=_winning(record, winner, score_word),
        order=" by name" if by_name else " in the table",
        split_info=record["split_info"] or 0.0,
        p_value=record["p_value"] if record["p_value"] is not None else float("nan"),
        cost=_cost(record),
        best=_cost(winner or {}),
        greedy=_of_greedy(record),
    )
    return harmless(told)


def _cost(record: Mapping[str, Any], name: str = "cost") -> str:
    return "nothing" if record.get(name) is None else number(record[name], 6)


def _of_greedy(record: Mapping[str, Any]) -> str:
    """Return what is said of the column that greedy growth would ask; its own cut may be another."""
    if record.get("greedy_cost") is None:
        return ""
    said = _cost(record, "greedy_cost")
    is_same = said == _cost(record)
    own = "with the test that growth takes" if is_same else f"but the best tree under its test costs {said}"
    return f" Greedy growth would ask it, {own}."


def _unnamed_winner(about: Mapping[str, Any]) -> str:
    """Return what was better than every column: the ledger has no record of sums."""
    return "a sum of columns" if about.get("splits") in ON_SEVERAL else "another column"


def _score_word(about: Mapping[str, Any]) -> str:
    """Return what a score is called that is not the gain itself."""
    return "score for its cost" if about.get("column_costs") else "gain ratio"


def _figures(record: Mapping[str, Any], score_word: str = "gain ratio") -> str:
    if record["score"] is None:
        return "no score"
    words = f"gain {record['gain']:.6f}"
    if record["charge"]:
        words += f" after a charge of {record['charge']:.6f}"
    if abs(record["score"] - record["gain"]) > 1e-15:
        words += f", {score_word} {record['score']:.6f}"
    return words


def _winning(
    record: Mapping[str, Any], winner: Mapping[str, Any] | None, score_word: str = "gain ratio"
) -> str:
    if winner is None or winner["score"] is None or record["score"] is None:
        return "the best"
    is_ratio = abs(winner["score"] - winner["gain"]) > 1e-15 or abs(record["score"] - record["gain"]) > 1e-15
    word = f"a {score_word.removeprefix('gain ')} of " if is_ratio else ""
    return f"{word}{winner['score']:.6f}"


def _why_leaf(tree: Tree, node: int) -> str:
    here = tree.node(node)
    if here.n_rows == 0:
        return "no training row comes here"
    stats = tree.stats[node]
    is_searched = Certificate.of(tree.about) is not None
    pure = np.count_nonzero(stats) == 1 if tree.is_classifier else stats[2] == 0
    return (
        "all rows here have the same answer"
        if pure
        else "no test pays, or none is left of the levels and leaves of the search"
        if is_searched
        else "a stopping rule (depth, size, share or impurity) made it a leaf"
    )
