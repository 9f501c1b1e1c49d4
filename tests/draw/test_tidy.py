"""Where nodes lie: apart as asked, centred, the same for equal subtrees, mirrored for mirrored ones."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tree.strategies import shapes
from treewright.draw.tidy import tidy

GAP = 3.0


def flat(shape, parent=-1, found=None):
    """The parents of a nested list of lists, in preorder."""
    found = [] if found is None else found
    place = len(found)
    found.append(parent)
    for child in shape:
        flat(child, place, found)
    return found


def children_of(parents, i):
    return [k for k, parent in enumerate(parents) if parent == i]


def depth_of(parents, i):
    return 0 if parents[i] < 0 else 1 + depth_of(parents, parents[i])


@st.composite
def trees(draw):
    parents = flat(draw(shapes))
    sizes = draw(st.lists(st.integers(1, 90), min_size=len(parents), max_size=len(parents)))
    return parents, [float(size) for size in sizes]


@given(trees())
def test_nodes_of_a_level_stay_apart_and_in_order(tree):
    parents, sizes = tree
    middles = tidy(parents, sizes, GAP)
    levels = {}
    for i in range(len(parents)):
        levels.setdefault(depth_of(parents, i), []).append(i)
    for level in levels.values():
        for a, b in pairwise(level):
            assert middles[b] - sizes[b] / 2 - middles[a] - sizes[a] / 2 >= GAP - 1e-9


@given(trees())
def test_a_parent_is_in_the_middle_of_its_outer_children_and_all_begins_at_zero(tree):
    parents, sizes = tree
    middles = tidy(parents, sizes, GAP)
    assert min(m - s / 2 for m, s in zip(middles, sizes, strict=True)) == pytest.approx(0, abs=1e-9)
    for i in range(len(parents)):
        if own := children_of(parents, i):
            assert middles[i] == pytest.approx((middles[own[0]] + middles[own[-1]]) / 2)


def mirrored(shape):
    return [mirrored(child) for child in reversed(shape)]


@given(shapes)
def test_a_mirrored_tree_is_drawn_mirrored(shape):
    sizes = [10.0] * len(flat(shape))
    there, back = (tidy(flat(s), sizes, GAP) for s in (shape, mirrored(shape)))
    width = max(m + 5 for m in there)
    assert sorted(round(m, 6) for m in there) == sorted(round(width - m, 6) for m in back)


@given(shapes)
def test_a_subtree_looks_the_same_wherever_it_hangs(shape):
    """Reingold and Tilford's fourth rule."""
    alone = tidy(flat(shape), [10.0] * len(flat(shape)), GAP)
    pair = tidy(flat([shape, [], shape]), [10.0] * len(flat([shape, [], shape])), GAP)
    n = len(alone)
    for start in (1, n + 2):
        there = pair[start : start + n]
        assert [m - there[0] for m in there] == pytest.approx([m - alone[0] for m in alone])


@given(shapes)
def test_no_tree_could_be_narrower_with_rigid_subtrees_side_by_side(shape):
    """Slow twin: two children come so close that they touch somewhere, by trying every level."""
    if len(shape) != 2:
        return
    middles = tidy(flat(shape), [10.0] * len(flat(shape)), GAP)
    parents = flat(shape)
    second = children_of(parents, 0)[1]
    left, right = list(range(1, second)), list(range(second, len(parents)))
    gaps = [
        middles[b] - middles[a] - 10 - GAP
        for a in left
        for b in right
        if depth_of(parents, a) == depth_of(parents, b)
    ]
    assert min(gaps) == pytest.approx(0, abs=1e-9)


def test_small_subtrees_between_large_ones_are_spread_evenly():
    wide = [[], [], [], []]
    parents = flat([wide, [], [], wide])
    own = children_of(parents, 0)
    middles = tidy(parents, [10.0] * len(parents), GAP)
    assert middles[own[1]] + middles[own[2]] == pytest.approx(middles[own[0]] + middles[own[3]])


def test_a_long_chain_needs_no_recursion():
    n = 1200
    parents = [-1, *range(n - 1)]
    assert tidy(parents, [10.0] * n, GAP) == [5.0] * n
