"""Tables for the estimators: the tennis table as every library holds it."""

from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treewright as tw

DATA = Path(__file__).parents[1] / "data"
TENNIS = tw.example("tennis").to_dict()
PLAY = TENNIS.pop("PlayTennis")


def as_object_array(columns):
    return pd.DataFrame(columns).to_numpy(dtype=object)


LIBRARIES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "table": tw.Table.from_dict,
    "array": as_object_array,
}


@pytest.fixture(params=list(LIBRARIES))
def library(request):
    return LIBRARIES[request.param]


@pytest.fixture
def tennis():
    return {name: list(cells) for name, cells in TENNIS.items()}


@pytest.fixture
def play():
    return list(PLAY)
