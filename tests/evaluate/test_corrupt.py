"""Noise: nested in its rate, keyed by seed, column and row, and of the rate that was asked for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from treewright.evaluate import corrupt
from treewright.table import Table

RATES = st.floats(0, 1)


def mixed(n, seed=0):
    rng = np.random.default_rng(seed)
    return Table.from_dict(
        {
            "number": np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 50, n)),
            "word": [f"w{i}" for i in rng.integers(0, 4, n)],
            "truth": (rng.random(n) < 0.3).tolist(),
            "y": [f"c{i}" for i in rng.integers(0, 3, n)],
        }
    )


def cells(table):
    """Return the cells as numbers, gaps as -1: one column each."""
    return {name: np.nan_to_num(table.column(name)[1].astype(float), nan=-1.0) for name in table.names}


NOISES = ("label_noise", "attribute_noise", "missing")


@given(
    st.sampled_from(NOISES),
    st.sampled_from(["other", "drawn"]),
    RATES,
    RATES,
    st.integers(0, 5),
    st.integers(-3, 2**65),
)
def test_a_higher_rate_only_adds(noise, labels, a, b, n, seed):
    rows = mixed(10 + 7 * n, seed=n)
    clean = cells(rows)
    low, high = (
        cells(corrupt(rows, "y", labels=labels, seed=seed, **{noise: rate})) for rate in sorted((a, b))
    )
    for name in rows.names:
        hit = low[name] != clean[name]
        assert (low[name][hit] == high[name][hit]).all()  # what is hit stays hit, in the same way
        if noise == "missing":
            assert ((high[name] == -1) >= (low[name] == -1)).all()
    untouched = set(rows.names) - {"y"} if noise == "label_noise" else {"y"}
    assert all((high[name] == clean[name]).all() for name in untouched)


@given(st.integers(0, 2**64 - 1), st.floats(0.1, 0.9))
def test_noise_does_not_depend_on_other_rows_columns_or_rates(seed, rate):
    rows = mixed(40)
    noise = {"attribute_noise": rate, "missing": rate / 2, "seed": seed}
    whole = cells(corrupt(rows, "y", **noise))
    alone = cells(corrupt(rows.select(["y", "word"]), "y", **noise))
    assert (whole["word"] == alone["word"]).all()
    both = cells(corrupt(rows, "y", label_noise=0.5, seed=seed, missing=rate / 2))
    gaps = cells(corrupt(rows, "y", missing=rate / 2, seed=seed))
    assert (both["number"] == gaps["number"]).all()
    # Gaps of the first rows are the same in a table of more rows.
    longer = Table(rows.schema, tuple(np.concatenate([v, v[:9]]) for v in rows.values))
    more = cells(corrupt(longer, "y", missing=rate / 2, seed=seed))
    assert all((more[name][:40] == gaps[name]).all() for name in rows.names)


@pytest.mark.parametrize("rate", [0.05, 0.3, 1.0])
def test_rates_are_kept(rate):
    rows = mixed(20_000)
    clean = cells(rows)

    def changed(name, **noise):
        return (cells(corrupt(rows, "y", seed=3, **noise))[name] != clean[name]).mean()

    four = 4 * np.sqrt(rate * (1 - rate) / 20_000) + 1e-12
    assert abs(changed("y", label_noise=rate) - rate) <= four
    assert abs(changed("word", missing=rate) - rate) <= four
    shares = np.bincount(rows.column("y")[1]) / 20_000
    drawn = rate * (1 - (shares**2).sum())  # a draw may be the value that was there
    assert abs(changed("y", label_noise=rate, labels="drawn") - drawn) <= 0.02
    words = np.bincount(rows.column("word")[1]) / 20_000
    assert abs(changed("word", attribute_noise=rate) - rate * (1 - (words**2).sum())) <= 0.02


def test_other_labels_are_all_as_likely_and_draws_keep_the_distribution():
    rows = mixed(30_000)
    before, after = rows.column("y")[1], corrupt(rows, "y", label_noise=1.0).column("y")[1]
    assert (before != after).all()
    counts = np.bincount((after - before) % 3, minlength=3)
    assert counts[1] / 30_000 == pytest.approx(0.5, abs=0.02)
    number = corrupt(rows, "y", attribute_noise=1.0).column("number")[1]
    old = rows.column("number")[1]
    assert (np.isnan(number) == np.isnan(old)).all()
    np.testing.assert_allclose(
        np.nanquantile(number, [0.25, 0.5, 0.75]), np.nanquantile(old, [0.25, 0.5, 0.75]), atol=2
    )


def test_the_table_and_its_schema_stay():
    rows = tables.table("vote")
    before = cells(rows)
    noisy = corrupt(rows, "Class", label_noise=0.2, attribute_noise=0.2, missing=0.2)
    assert noisy.schema == rows.schema
    assert all((before[name] == cells(rows)[name]).all() for name in rows.names)
    assert corrupt(rows, "Class") == rows
    assert noisy == corrupt(rows, "Class", label_noise=0.2, attribute_noise=0.2, missing=0.2)
    assert noisy != corrupt(rows, "Class", label_noise=0.2, attribute_noise=0.2, missing=0.2, seed=1)


def test_only_the_columns_that_are_named():
    rows = mixed(200)
    noisy = corrupt(rows, "y", missing=0.5, attribute_noise=0.5, columns="word")
    clean, found = cells(rows), cells(noisy)
    assert [name for name in rows.names if (clean[name] != found[name]).any()] == ["word"]


def test_numbers_and_gaps():
    numbers = Table.from_dict({"x": [1, 2, 3, 4], "y": [1.5, 2.5, None, 4.5]})
    drawn = corrupt(numbers, "y", label_noise=1.0, labels="drawn").column("y")[1]
    assert np.isnan(drawn[2])
    assert set(drawn[[0, 1, 3]]) <= {1.5, 2.5, 4.5}
    empty = Table.from_dict({"x": [None, None], "y": ["a", "b"]}, kinds={"x": "numeric"})
    assert corrupt(empty, "y", attribute_noise=1.0) == empty


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"label_noise": 1.5}, r"label_noise=1\.5 must be a share"),
        ({"missing": float("nan")}, "missing=nan"),
        ({"attribute_noise": "much"}, "attribute_noise='much'"),
        ({"label_noise": 0.1, "target": None}, "label_noise needs the target"),
        ({"labels": "othr"}, "did you mean 'other'"),
        ({"missing": 0.1, "columns": ["PlayTennis"]}, "its noise is label_noise"),
    ],
)
def test_wrong_words_are_answered(arguments, words):
    with pytest.raises(ValueError, match=words):
        corrupt(**{"table": tw.example("tennis"), "target": "PlayTennis"} | arguments)


def test_labels_that_have_no_other():
    with pytest.raises(ValueError, match=r"'y' is numeric.*labels='drawn'"):
        corrupt(Table.from_dict({"y": [1.0, 2.0]}), "y", label_noise=0.1)
    with pytest.raises(ValueError, match="only one class"):
        corrupt(Table.from_dict({"y": ["a", "a"]}), "y", label_noise=0.1)
    with pytest.raises(KeyError, match="Wnd"):
        corrupt(tw.example("tennis"), columns=["Wnd"], missing=0.1)


def test_noise_makes_trees_larger():
    rows = tables.table("monk1")
    leaves = [tw.grow(corrupt(rows, "class", label_noise=r), "class").n_leaves for r in (0.0, 0.1, 0.3)]
    assert leaves == sorted(leaves)
    assert leaves[0] < leaves[2]
