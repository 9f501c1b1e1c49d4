"""Data sets in shards: the same columns as the whole file, and the same tree from their parts."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.grow.engines import differences, first_difference
from tests.grow.samples import grow
from tests.grow.test_invariance import with_target
from tests.oracle.strategies import Problem, problems
from tests.tables import FOLDER
from treewright.growth.settings import Settings
from treewright.growth.sourced import Together, grow_from
from treewright.shards import shards_of
from treewright.shards.layout import layout_of
from treewright.shards.part import part
from treewright.shards.plan import planned, summed_here
from treewright.shards.shard import ChangedError
from treewright.shards.summary import summary_of
from treewright.shards.way import Way
from treewright.table import ClassTerms, Table

QUIET = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
FILES = ["abalone.csv", "credit_g.csv", "cu_summary.csv", "labor.csv", "vote.csv", "mushroom.csv.gz"]
LITTLE: dict[str, Any] = {"block_bytes": 30_000, "least_rows": 2048}


def written(table: Table, path: Path) -> Path:
    """Write a table in the format that the name of the file says."""
    frame = pd.DataFrame(table.to_dict())
    if path.suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True, double_precision=15)
    elif path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".feather":
        frame.to_feather(path)
    else:
        with duckdb.connect(str(path) if path.suffix == ".duckdb" else ":memory:") as connection:
            connection.register("frame", frame)
            if path.suffix == ".duckdb":
                connection.execute("create table t as select * from frame")
            else:
                connection.execute(f"copy (select * from frame) to '{path}' (row_group_size 2048)")
    return path


def mixed(n: int = 5000) -> Table:
    """Return a table with columns of all kinds, and gaps."""
    rng = np.random.default_rng(3)
    gaps = rng.random(n) < 0.1
    return Table.from_dict(
        {
            "real": np.where(gaps, np.nan, rng.normal(size=n)),
            "whole": rng.integers(0, 9, n),
            "word": [None if g else w for g, w in zip(gaps, rng.choice(list("cab"), n), strict=True)],
            "day": np.datetime64("2020-01-01") + rng.integers(0, 900, n),
            "truth": rng.random(n) < 0.3,
            "y": rng.choice(["no", "yes"], n),
        }
    )


# ---- columns ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_columns_are_those_of_the_whole_file(name: str) -> None:
    whole = tw.read(FOLDER / name)
    listing = shards_of(FOLDER / name, **LITTLE)
    layout = layout_of(listing)
    assert layout.schema == whole.schema
    assert layout.n_rows == whole.n_rows
    values = [layout.table(shard) for shard in listing.shards]
    for column, wanted in zip(zip(*(t.values for t in values), strict=True), whole.values, strict=True):
        np.testing.assert_array_equal(np.concatenate(column), wanted)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet", "duckdb", "feather"])
def test_every_format(suffix: str, tmp_path: Path) -> None:
    place = written(mixed(), tmp_path / f"t.{suffix}")
    whole = tw.read(place)
    listing = shards_of(place, block_bytes=60_000, least_rows=2048)
    assert len(listing.shards) == (
        1 if suffix == "feather" else 3 if suffix in ("parquet", "duckdb") else 5
    ) or (suffix in ("csv", "jsonl") and len(listing.shards) > 2)
    layout = layout_of(listing)
    assert layout.schema == whole.schema
    found = [layout.table(shard) for shard in pickle.loads(pickle.dumps(listing.shards))]
    for column, wanted in zip(zip(*(t.values for t in found), strict=True), whole.values, strict=True):
        np.testing.assert_array_equal(np.concatenate(column), wanted)


def test_a_folder_a_pattern_and_a_list_are_one(tmp_path: Path) -> None:
    table = mixed(900)
    for i in range(3):
        written(table.take(range(300 * i, 300 * i + 300)), tmp_path / f"part-{i}.parquet")
    names = sorted(map(str, tmp_path.iterdir()))
    for given_ in (tmp_path, str(tmp_path / "*.parquet"), names[::-1]):
        listing = shards_of(given_)
        assert [shard.name for shard in listing.shards] == names
        assert layout_of(listing).schema == tw.read(tmp_path).schema


def test_what_comes_first_decides_nothing() -> None:
    table = mixed(600)
    shards = shards_of([table.take(range(i, i + 100)) for i in range(0, 600, 100)]).shards
    ones = [summary_of(shard, Way()) for shard in shards]
    forth, back = ones[0], ones[-1]
    for one in ones[1:]:
        forth = forth.merged(one)
    for one in ones[-2::-1]:
        back = one.merged(back)
    assert forth == back


def test_kinds_can_be_said(tmp_path: Path) -> None:
    place = written(mixed(), tmp_path / "t.csv")
    said: dict[str, Any] = {"categorical": ["whole"], "ordinal": {"word": ["c", "b", "a"]}, "ignore": ["day"]}
    layout = layout_of(shards_of(place, Way.of(**said), block_bytes=60_000))
    assert layout.schema == tw.read(place, **said).schema
    place = written(mixed(), tmp_path / "t.parquet")
    layout = layout_of(shards_of(place, Way.of(**said), **LITTLE))
    assert layout.schema == tw.read(place, **said).schema


def test_a_word_far_below_makes_a_column_of_words(tmp_path: Path) -> None:
    lines = ["a,b,y", *(f"{i},{i % 3},n" for i in range(4000)), "x,1,m", "y,2,n", "z,1,n"]
    place = tmp_path / "t.csv"
    place.write_text("\n".join(lines) + "\n")
    listing = shards_of(place, block_bytes=9_000)
    assert len(listing.shards) > 3
    assert layout_of(listing).schema == tw.read(place).schema


def test_quotes_over_lines_are_not_cut(tmp_path: Path) -> None:
    rows = "".join(f'"a\nb {i % 5}",{i},{"yes" if i % 2 else "no"}\n' for i in range(2000))
    place = tmp_path / "t.csv"
    place.write_text("text,n,y\n" + rows)
    listing = shards_of(place, block_bytes=1_000)
    assert len(listing.shards) > 10
    layout = layout_of(listing)
    assert layout.schema == tw.read(place).schema
    assert sum(layout.table(shard).n_rows for shard in listing.shards[:12]) > 500
    assert layout.n_rows == 2000


# ---- refusals --------------------------------------------------------------------------------------------


def test_a_changed_shard_is_refused_by_name(tmp_path: Path) -> None:
    place = written(mixed(400), tmp_path / "t.csv")
    listing = shards_of(place)
    layout = layout_of(listing)
    place.write_text(place.read_text().replace("yes", "yea"))
    with pytest.raises(ChangedError, match=r"t.csv.* has changed since"):
        layout.table(listing.shards[0])
    os.unlink(place)
    with pytest.raises(ChangedError, match=r"t.csv.* is gone"):
        layout.table(listing.shards[0])


def test_odd_data_sets_are_refused(tmp_path: Path) -> None:
    one, two = mixed(100), mixed(100).drop(["word"])
    with pytest.raises(ValueError, match="The shard number 2 has no column 'word', and number 1 has one"):
        layout_of(shards_of([one, two]))
    other = Table.from_dict({**one.drop(["truth"]).to_dict(), "truth": [2] * 100}).select(one.names)
    with pytest.raises(
        ValueError, match="'truth' holds boolean values in the shard number 1 and numeric ones in"
    ):
        layout_of(shards_of([one, other]))
    with pytest.raises(ValueError, match="There are no shards"):
        shards_of([])
    with pytest.raises(TypeError, match="not as int"):
        shards_of(7)
    with pytest.raises(TypeError, match="number 2 is a int"):
        shards_of([one, 7])
    with pytest.raises(FileNotFoundError, match=r"no file that .*\*.parquet' fits"):
        shards_of(str(tmp_path / "*.parquet"))
    written(one, tmp_path / "a.parquet")
    written(one, tmp_path / "b.csv")
    with pytest.raises(ValueError, match="several formats"):
        shards_of(tmp_path)
    with pytest.raises(ValueError, match=r"such as '.*/\*\.parquet'"):
        shards_of(tmp_path)
    with pytest.raises(ValueError, match="named twice"):
        shards_of([tmp_path / "b.csv", tmp_path / "b.csv"])
    (tmp_path / "b.csv").unlink()
    (tmp_path / "c.parquet").touch()
    with pytest.raises(ValueError, match=r"c\.parquet' is empty: it has not one byte"):
        shards_of(tmp_path)


def test_a_shard_that_differs_is_named(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": ["a", "b", "a"]})
    odd = {
        "has no column 'x'": frame.drop(columns="x"),
        "has no column 'z'": frame.assign(z=1),
        r"'x' holds numbers in the shard .*0\.parquet' and words in the shard .*1\.parquet'": frame.assign(
            x="long"
        ),
    }
    for words, other in odd.items():
        for i, one in enumerate((frame, other)):
            one.to_parquet(tmp_path / f"{i}.parquet", index=False)
        place = r"0\.parquet' " if "'z'" in words else r"1\.parquet' " if "no" in words else ""
        with pytest.raises(ValueError, match=f"{place}{words}"):
            layout_of(shards_of(tmp_path))


# ---- trees -----------------------------------------------------------------------------------------------


def from_parts(
    table: Table, target: str, n_parts: int, terms: ClassTerms, weights: str | None, **told: Any
) -> tw.Tree:
    """Grow from the parts of a table, each made by itself from what can be pickled."""
    part_of = np.random.default_rng(n_parts).integers(0, n_parts, table.n_rows)
    pieces = [table.take(rows) for i in range(n_parts) if len(rows := np.flatnonzero(part_of == i))]
    listing, chosen = shards_of(pieces), Settings.of(told.pop("recipe", "plain"), **told)
    plan = planned(layout_of(listing), target, chosen, summed_here(listing.shards), weights, terms)
    plan, shards = pickle.loads(pickle.dumps((plan, listing.shards)))
    return grow_from(Together([part(shard, plan) for shard in shards]), plan.question(), chosen)


def test_random_tables_in_parts() -> None:
    @QUIET
    @given(problems(), st.integers(1, 29), st.sampled_from(["learned", "own_branch", "drop"]), st.booleans())
    def run(problem: Problem, n_parts: int, missing: str, is_balanced: bool) -> None:
        whole = with_target(problem)
        weighed = Table.from_dict({"w": problem.weights})
        both = Table(
            type(whole.schema)((*whole.schema.columns, *weighed.schema.columns)),
            (*whole.values, *weighed.values),
        )
        terms: dict[str, Any] = (
            {"class_weight": "balanced"} if is_balanced and problem.n_classes and missing != "drop" else {}
        )
        try:
            expected = grow(both, "y", weights="w", missing=missing, **terms)
        except ValueError as refused:
            with pytest.raises(ValueError, match=str(refused)[:12]):
                from_parts(both, "y", n_parts, ClassTerms(**terms), "w", missing=missing)
            return
        found = from_parts(both, "y", n_parts, ClassTerms(**terms), "w", missing=missing)
        assert not differences(expected, found), first_difference(expected, found)

    run()


def test_priors_and_costs_of_real_weights() -> None:
    rng = np.random.default_rng(0)
    table = Table.from_dict(
        {
            "a": rng.normal(size=400),
            "b": rng.integers(0, 40, 400),
            "w": rng.gamma(2, size=400),
            "y": rng.choice(list("pqr"), 400),
        }
    )
    said: dict[str, Any] = {
        "class_weight": "balanced",
        "priors": [0.2, 0.3, 0.5],
        "costs": [[0, 1, 2], [3, 0, 1], [1, 1, 0]],
    }
    found = from_parts(table, "y", 5, ClassTerms(**said), "w", min_leaf_share=0.01)
    expected = grow(table, "y", weights="w", min_leaf_share=0.01, **said)
    assert not differences(expected, found), first_difference(expected, found)
    for weights in (None, "w"):
        found = from_parts(table.drop(["y"]), "a", 5, ClassTerms(), weights, max_depth=4)
        expected = grow(table.drop(["y"]), "a", weights=weights, max_depth=4)
        assert not differences(expected, found), first_difference(expected, found)
