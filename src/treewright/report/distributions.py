"""What rows look like at the tests of a tree: sums over bins, for the page."""

from __future__ import annotations

from typing import Any

from treewright.draw.chart import edge_words
from treewright.draw.distribution import Distribution, Distributions
from treewright.prune.sample import Sample
from treewright.report.nodes import sparse
from treewright.report.numbers import one, plain
from treewright.tree import Tree

MOST_NODES = 120  # those with most rows
MOST_NAMES = 12


def distributions(tree: Tree, rows: Sample | None) -> dict[str, Any] | None:
    """Return by node the rows at its test: weights and branch of each bin, the ends of the axis or names.

    None without rows. Bins have round widths, so that no value of a row is told.

    >>> import treewright as tw
    >>> from treewright.prune import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="stump")
    >>> distributions(tree, sample_of(tree, table))["0"]["names"]
    ['High', 'Normal']
    """
    if rows is None or tree.n_nodes == 1:
        return None
    found = Distributions(tree, rows)
    told = {node: found.at(node) for node in found.inner[:MOST_NODES]}
    return {str(node): _plain(here) for node, here in told.items() if here is not None}


def _plain(here: Distribution) -> dict[str, Any]:
    few = here.names and len(here.names) > MOST_NAMES
    kept = slice(None, MOST_NAMES) if few else slice(None)
    known: dict[str, Any] = {
        "branch": here.branch[kept].tolist(),
        "names": list(here.names[kept]),
        "left": len(here.names) - MOST_NAMES if few else 0,
        "gaps": one(here.gaps),
        "ends": list(edge_words(here)) if len(here.edges) else [],
    }
    if here.is_of_numbers:
        return known | {"weight": plain(here.weights[kept, 0]), "mean": plain(here.weights[kept, 1])}
    return known | {"classes": sparse(here.weights[kept])}
