import numpy as np

import treewright as tw
from treewright.explain import paths
from treewright.predict import route_table


def test_paths_are_what_walking_up_gives():
    rng = np.random.default_rng(0)
    table = tw.Table.from_dict(
        {"a": rng.normal(size=60), "b": rng.normal(size=60), "y": rng.integers(0, 3, 60).astype(str)}
    )
    tree = tw.grow(table, target="y")
    routed = route_table(tree, table)
    found = paths(tree, routed)
    for row, node in enumerate(routed.node.tolist()):
        assert tuple(found[row].indices.tolist()) == tree.path_to(node)
    assert set(found.data.tolist()) == {1}


def test_a_single_leaf():
    table = tw.Table.from_dict({"a": [1, 2], "y": ["u", "u"]})
    tree = tw.grow(table, target="y")
    assert paths(tree, route_table(tree, table)).toarray().tolist() == [[1], [1]]


def test_divided_rows_union_their_parts():
    table = tw.Table.from_dict({"a": list("ssrr") * 3, "b": list("uvuv") * 3, "y": list("1234") * 3})
    tree = tw.grow(table, target="y", recipe="c4.5")
    gap = tw.Table.from_dict(
        {"a": [None, "s", None], "b": ["u", None, None]}, kinds={"a": "nominal", "b": "nominal"}
    )
    routed = route_table(tree, gap)
    found = paths(tree, routed).toarray()
    for row in range(3):
        mine = routed.part_node[routed.part_row == row]
        expected = set().union(*(tree.path_to(int(node)) for node in mine))
        assert set(np.flatnonzero(found[row]).tolist()) == expected
    assert found[2].all()
