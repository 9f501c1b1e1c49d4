"""Answers of a model for a Dask data frame, partition by partition."""

from __future__ import annotations

from typing import Any

import numpy as np


def predict(model: Any, frame: Any) -> Any:
    """Return what a Tree, Forest or RuleSet answers for each row of a Dask data frame, as a Dask series.

    Nothing is read before the answers are asked for, and no partition meets another.

    >>> import dask.dataframe, treewright as tw
    >>> patients = tw.example("tennis").to_pandas()
    >>> tree = tw.grow(patients, "PlayTennis", "id3")
    >>> answers = predict(tree, dask.dataframe.from_pandas(patients, npartitions=3))
    >>> answers.compute(scheduler="sync").tolist() == tree.predict(patients).tolist()
    True
    """
    if not hasattr(frame, "map_partitions"):
        raise TypeError(
            f"distributed.predict takes a Dask data frame, not {type(frame).__name__}; "
            "for a table in memory use model.predict(table)."
        )
    name = model.target.name
    kind = np.dtype(np.float64) if model.target.is_numeric else np.dtype(object)
    return frame.map_partitions(_answers, model, name, kind.str, meta=(name, kind))


def _answers(frame: Any, model: Any, name: str, kind: str) -> Any:
    """Return the answers for one partition, with its index."""
    import pandas as pd

    found = model.predict(frame) if len(frame) else np.zeros(0)
    return pd.Series(np.asarray(found, dtype=np.dtype(kind)), index=frame.index, name=name)
