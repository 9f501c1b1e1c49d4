"""Splitting: sizes, equal shares, the same for the same seed; folds as pruning deals them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from treewright import _core
from treewright.base.draws import BOOTSTRAP, FOLDS, item_named, row_draws, row_shares
from treewright.evaluate import folds_by_row, split
from treewright.prune import sample_of
from treewright.prune.folds import RowKeys, folds_of, places


def labelled(classes):
    return tw.Table.from_dict({"x": list(range(len(classes))), "y": [f"c{c}" for c in classes]})


@given(
    st.lists(st.integers(0, 3), min_size=3, max_size=60),
    st.floats(0, 0.45),
    st.floats(0, 0.45),
    st.integers(-5, 2**70),
)
def test_parts_are_a_partition_with_equal_shares(classes, validation, test, seed):
    rows = labelled(classes)
    n = len(classes)
    n_test = max(int(test > 0), round(test * n))
    n_validation = max(int(validation > 0), round((test + validation) * n) - n_test)
    if n_test + n_validation >= n:
        with pytest.raises(ValueError, match="training needs one"):
            split(rows, "y", validation=validation, test=test, seed=seed)
        return
    parts = split(rows, "y", validation=validation, test=test, seed=seed)
    assert sorted(np.concatenate(parts.rows).tolist()) == list(range(n))
    for part, size in zip(parts.rows[1:], (n_validation, n_test), strict=True):
        assert len(part) == size
        assert (np.diff(part) > 0).all()
        for c in set(classes):
            # a class has its share of the part, up to one row where it begins and one where it ends
            assert abs((np.array(classes)[part] == c).sum() - len(part) * classes.count(c) / n) < 2


def test_counts_and_shares():
    votes = tw.example("vote")
    parts = split(votes, "Class", train=100, validation=0.1, test=50)
    assert [part.n_rows for part in parts] == [100, 44, 50]
    assert sum(len(rows) for rows in parts.rows) == 194  # the others are in no part
    assert parts.train == votes.take(parts.rows[0])
    assert split(votes, test=0).test.n_rows == 0


def test_a_split_is_keyed_by_its_seed():
    rows = labelled([0, 1] * 20)
    again = [split(rows, "y", seed=3).rows[2].tolist() for _ in range(2)]
    assert again[0] == again[1] != split(rows, "y", seed=4).rows[2].tolist()


def test_numbers_are_split_without_shares():
    parts = split(tables.table("abalone"), tables.target("abalone"), test=0.5)
    assert parts.test.n_rows == round(0.5 * 4177)


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({"test": 1.5}, "test=1.5 must be a share of the rows"),
        ({"test": -1}, "test=-1 must be"),
        ({"test": True}, "test=True must be"),
        ({"test": 14}, "not enough for test 14"),
        ({"test": 0.5, "train": 10}, "not enough for test 7, validation 0, train 10"),
        ({"validation": float("nan")}, "validation=nan must be"),
    ],
)
def test_sizes_that_cannot_be(sizes, words):
    with pytest.raises(ValueError, match=words):
        split(tw.example("tennis"), "PlayTennis", **sizes)


def test_rows_without_an_answer_are_refused():
    rows = tw.Table.from_dict({"x": [1, 2, 3], "y": ["a", None, "b"]})
    with pytest.raises(ValueError, match="'y' is the target and is missing in 1 of 3 rows"):
        split(rows, "y")
    with pytest.raises(ValueError, match="no rows to split"):
        split(rows.take([]))
    with pytest.raises(TypeError, match=r"split takes a treewright\.Table, .*, not int"):
        split(17, "y")


# ---- draws and folds --------------------------------------------------------------------------------


@given(st.integers(-(2**66), 2**66), st.integers(0, 2**32 - 1), st.integers(0, 2**64 - 1), st.integers(0, 9))
def test_draws_of_rows_are_the_draws_of_the_core(seed, purpose, item, n):
    one_by_one = [_core.draw(seed % 2**64, purpose, item, row) for row in range(n)]
    assert row_draws(seed, purpose, item, n).tolist() == one_by_one
    assert row_shares(seed, purpose, item, n).tolist() == [(bits >> 11) / 2**53 for bits in one_by_one]


def test_draws_of_names_have_no_borders():
    assert len({item_named("ab", "c"), item_named("a", "bc"), item_named("abc"), item_named("c", "ab")}) == 4


def test_folds_are_what_they_were():
    # Ruling 3.14.9: by the hash of (seed, content, copy), no longer by the number of the row.
    group = np.array([0, 1, 0, 0, 1, 2, 0, 1, 1, 0])
    digest = np.array([7, 8, 9, 9, 11, 12, 9, 14, 15, 16], dtype=np.uint64)
    copies = [0, 0, 0, 1, 0, 0, 2, 0, 0, 0]
    draws = [_core.draw(5, 2**32 - 1, int(d), copy) for d, copy in zip(digest, copies, strict=True)]
    place = np.empty(10, dtype=np.int64)
    place[np.lexsort((np.array(draws, dtype=np.uint64), group))] = np.arange(10)
    assert places(RowKeys(group, digest), 5).tolist() == place.tolist()
    assert FOLDS == 2**32 - 1 != BOOTSTRAP


@pytest.mark.parametrize("name", ["vote", "abalone"])
def test_folds_are_those_of_pruning(name):
    rows, target = tables.table(name), tables.target(name)
    tree = tw.grow(rows, target, max_depth=1)
    wanted = folds_of(tree, sample_of(tree, rows), 10, seed=7)
    assert folds_by_row(rows, target, 10, seed=7).tolist() == wanted.tolist()


def test_folds_may_be_a_column_or_given():
    rows = tw.Table.from_dict({"x": range(6), "y": list("ababab"), "part": ["u", "v", "w"] * 2})
    assert folds_by_row(rows, "y", "part").tolist() == [0, 1, 2, 0, 1, 2]
    assert folds_by_row(rows, "y", [5, 5, 5, 9, 9, 9]).tolist() == [0, 0, 0, 1, 1, 1]
    assert folds_by_row(rows, "y", 100).tolist() != [0] * 6
    assert sorted(folds_by_row(rows, "y", 100).tolist()) == list(range(6))  # no more folds than rows


@pytest.mark.parametrize(
    ("folds", "words"),
    [
        (1, "folds=1 must be at least 2"),
        ([0, 0, 0, 0], "all rows into one fold"),
        ([0, 1], r"folds has the shape \(2,\); 4 rows"),
        ("y", "'y' is the target itself"),
        ("gappy", "'gappy' holds the folds and is missing in 1 rows"),
    ],
)
def test_folds_that_cannot_be(folds, words):
    rows = tw.Table.from_dict({"part": [0, 1, 0, 1], "gappy": [0, 1, None, 1], "y": list("abab")})
    with pytest.raises(ValueError, match=words):
        folds_by_row(rows, "y", folds)


def test_one_row_has_no_folds():
    with pytest.raises(ValueError, match="1 rows; cross-validation needs at least 2"):
        folds_by_row(tw.Table.from_dict({"x": [1], "y": ["a"]}), "y", 10)
