"""One vocabulary of the tree: what the core gives, what a Tree holds, and what its files say are one list."""

import dataclasses

import numpy as np

import treewright as tw
from treewright import _core
from treewright.growth.question import question_of
from treewright.growth.settings import Settings
from treewright.table import Rows
from treewright.tree.fields import BY_NODE, EXTRAS, FIELDS, GROWN

BESIDE = {"n_stats", "is_quick", "gaps", "stats_start", "stats_class"}  # what growth says besides
BYTES = {np.dtype(np.bool_): np.dtype(np.uint8)}  # the core has no truth values


def core_arrays():
    question = question_of(Rows.of(tw.example("tennis"), "PlayTennis"), Settings.of("id3", ledger=True))
    return question.put_to(_core.grow_classes, None)


def test_the_core_gives_every_field_in_its_type():
    arrays = core_arrays()
    given = {name: array for name, array in arrays.items() if not name.startswith("ledger_")}
    assert set(given) - BESIDE == set(GROWN)
    for name, field in GROWN.items():
        wanted = np.dtype(field.dtype)
        assert given[name].dtype == BYTES.get(wanted, wanted), name


def test_leaves_of_the_core_have_what_the_rows_say():
    arrays = core_arrays()
    leaves = np.flatnonzero(arrays["end"] == np.arange(1, len(arrays["end"]) + 1))
    for name in set(BY_NODE) - {"end", "n_rows", "stats", "label"}:  # of the rows of a node, not of its test
        assert np.array_equal(
            arrays[name][leaves], np.full(len(leaves), BY_NODE[name].leaf), equal_nan=True
        ), name


def test_a_tree_has_every_field_and_files_have_them_too():
    tree = tw.grow(tw.example("tennis"), target="PlayTennis", splits="linear", prune="none")
    beside = {"schema", "target", "about", "ledger"}
    assert {field.name for field in dataclasses.fields(tw.Tree)} - beside == set(FIELDS)
    assert all(getattr(tree, name).dtype == field.dtype for name, field in FIELDS.items())
    assert set(tree.to_dict()["arrays"]) in (set(GROWN), set(FIELDS))
    assert set(EXTRAS) == set(FIELDS) - set(GROWN)
