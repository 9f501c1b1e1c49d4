"""Random trees, as the nested twin and as the Tree."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from tests.oracle import tree as oracle
from treewright.tree import Tree

shapes = st.recursive(st.just([]), lambda child: st.lists(child, min_size=2, max_size=5), max_leaves=25)


@st.composite
def twins(draw: st.DrawFn) -> tuple[oracle.Nested, Tree]:
    """A nested tree and its Tree, for classes or for numbers, with tests of every kind."""
    is_classifier = draw(st.booleans())
    target = oracle.CLASSES if is_classifier else oracle.NUMBER
    source = random.Random(draw(st.integers(0, 2**32)))
    nested = oracle.filled(draw(shapes), source, is_classifier)
    about = {"missing": "learned", "unseen": source.choice(["most_common", "error", "fractional", "missing"])}
    ledger = None
    if source.random() < 0.3:
        ledger = tuple(
            {"node": i, "column": "x", "score": float("nan")} for i in range(len(oracle.in_preorder(nested)))
        )
    return nested, oracle.to_tree(nested, target, about=about, ledger=ledger)


@st.composite
def summing_twins(draw: st.DrawFn) -> tuple[oracle.Nested, Tree]:
    """Twins whose tests may be on sums of columns, and whose nodes may have models."""
    is_classifier = draw(st.booleans())
    target = oracle.CLASSES if is_classifier else oracle.NUMBER
    source = random.Random(draw(st.integers(0, 2**32)))
    nested = oracle.with_sums(oracle.filled(draw(shapes), source, is_classifier), source)
    nested = oracle.with_conditions(nested, source) if draw(st.booleans()) else nested
    if draw(st.booleans()):
        nested = oracle.with_models(nested, source, is_classifier)
    return nested, oracle.to_tree(nested, target, about={"missing": "learned", "unseen": "most_common"})
