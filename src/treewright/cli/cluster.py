"""`treewright fit --cluster` and `--memory`: the rows stay in files, or on the machines of a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

from treewright.base.numbers import count
from treewright.base.work import count_of_jobs
from treewright.shards.listing import shards_of
from treewright.shards.spool.budget import size as in_bytes
from treewright.shards.way import Way

from .failure import Failure
from .growing import AUTO
from .listing import how_made, shortened, size
from .output import head, show, show_json, talk
from .progress import progress
from .target import for_target

LOCAL = "local"
# What asks all rows in one place: the option, and whether it was given.
_NOT_HERE = {
    "--report": "report",
    "--test": "test",
    "--cv": "cv",
    "--optimal": "search",
}


def fit_on_cluster(
    address: str, data: str, target: str | None, recipe: str | None, told: Mapping[str, Any]
) -> Any:
    """Return the model grown by the workers of a cluster, and show it; `told` are the other options."""
    import treewright as tw

    way, chosen, given = _way_and_settings("--cluster", target, recipe, told)
    with client_of(address, told["threads"]) as client, progress("Growing on the cluster") as watch:
        listing = shards_of(data, way)
        talk(f"{len(listing.shards)} shards, {sum(client.nthreads().values())} threads")
        given |= {"engine": client, "progress": watch}
        if told["forest"]:
            model: Any = tw.forest.grow(listing, target, told["forest"], chosen, **given)
        else:
            given["prune"] = told["prune"] if told["prune"] is not None else "none"
            model = tw.grow(listing, target, chosen, **given)
    _show(model, target, told["as_json"])
    return model


def fit_from_files(
    memory: str, data: str, target: str | None, recipe: str | None, told: Mapping[str, Any]
) -> Any:
    """Return the model grown from files in so much memory, and show it; `told` are the other options."""
    import treewright as tw

    way, chosen, given = _way_and_settings("--memory", target, recipe, told)
    if told["prune"] is not None:
        given["prune"] = told["prune"]
    given |= {"memory": memory, "spool": told["spool"], "n_threads": max(1, count_of_jobs(told["threads"]))}
    with progress("Growing from files") as watch:
        given["progress"] = watch
        listing = shards_of(data, way)
        if told["forest"]:
            model: Any = tw.forest.grow(listing, target, told["forest"], chosen, **given)
        else:
            model = tw.grow(listing, target, chosen, **given)
    _show(model, target, told["as_json"])
    if not told["as_json"]:
        talk(grown_words(model.about["growth"]))
    return model


def grown_words(growth: Mapping[str, Any]) -> str:
    """Return what `about["growth"]` says, as a sentence.

    >>> grown_words({"engine": "memory", "rows": 1400, "peak_memory": 200_000_000})
    'Grown on 1,400 rows, which fit in memory; at most 200 MB in memory.'
    """
    how = "which fit in memory"
    if growth["engine"] != "memory":
        how = f"in {growth['passes']} passes that read {in_bytes(growth['bytes_read'])}"
    most = f"; at most {in_bytes(growth['peak_memory'])} in memory" if "peak_memory" in growth else ""
    return f"Grown on {growth['rows']:,} rows, {how}{most}."


def _way_and_settings(
    option: str, target: str | None, recipe: str | None, told: Mapping[str, Any]
) -> tuple[Way, str, dict[str, Any]]:
    """Return how files are read, the recipe and the settings; refuse what needs all rows in one place."""
    for other, name in _NOT_HERE.items():
        if told[name]:
            raise click.UsageError(
                f"{other} needs all rows in one place, and with {option} they are not. Leave it out; "
                "`treewright evaluate` judges a saved model on rows of its own."
            )
    if target is None:
        raise click.UsageError(
            f"{option} reads nothing beforehand, so say which column to predict: --target NAME."
        )
    if told["forest"] and told["prune"] not in (None, "none"):
        raise click.UsageError("The trees of a forest are not pruned; leave out --prune, or --forest.")
    given = {name: value for name, value in told["settings"].items() if value is not None}
    if told["forest"]:
        given["seed"] = told["seed"]
    chosen = "plain" if recipe in (None, AUTO) else str(recipe)
    reading = for_target(told["reading"], target, told["wish"])
    if odd := [name for name in ("text", "parts", "skip", "download") if reading.pop(name, None)]:
        raise click.UsageError(f"--{odd[0]} reads a whole file, and with {option} none is. Leave it out.")
    reading.pop("trim", None)
    return Way.of(**reading), chosen, given | {"weights": told["weight"]}


def _show(model: Any, target: str | None, as_json: bool) -> None:
    if hasattr(model, "n_trees"):
        _show_forest(model, target, as_json)
    else:
        _show_tree(model, target, as_json)


def _show_forest(forest: Any, target: str | None, as_json: bool) -> None:
    if as_json:
        found = {"target": target, "trees": forest.n_trees, "leaves": forest.n_leaves}
        show_json(found | {"growth": forest.about["growth"]})
    else:
        head(f"Forest ({how_made(forest.about)}; {count(forest.n_trees, 'tree')})")
        show(f"{forest.n_leaves:,} leaves in all, {in_bytes(forest.n_bytes)} in memory")


def _show_tree(tree: Any, target: str | None, as_json: bool) -> None:
    if as_json:
        found = {"target": target, "leaves": tree.n_leaves, "depth": tree.depth, "tree": tree.to_text()}
        show_json(found | {"growth": tree.about["growth"]} if "growth" in tree.about else found)
    else:
        head(f"Tree ({how_made(tree.about)}; {size(tree)})")
        text, depth = shortened(tree)
        show(text)
        if depth is not None:
            show(f"  (shown to depth {depth} of {tree.depth}: {tree.n_leaves:,} leaves in all)")


@contextmanager
def client_of(address: str, n_threads: int) -> Iterator[Any]:
    """Give a client of the cluster at an address; "local" starts one on this machine, and stops it."""
    if find_spec("distributed") is None:
        raise Failure(
            "--cluster needs Dask, which is not installed: pip install 'treewright[dask]'. "
            "Without it, leave --cluster out to grow on this machine."
        )
    dask = import_module("distributed")
    if address != LOCAL:
        try:
            client = dask.Client(address, timeout=10, set_as_default=False)
        except (OSError, ValueError) as trouble:
            raise Failure(
                f"--cluster {address}: no scheduler answers there ({trouble}). Give the address that it "
                f"prints, such as tcp://192.0.2.1:8786, or {LOCAL!r} for a cluster on this machine."
            ) from None
        with client:
            yield client
        return
    n_workers = n_threads if n_threads > 0 else os.cpu_count() or 1
    with (
        dask.LocalCluster(
            n_workers=n_workers, threads_per_worker=1, dashboard_address=":0", silence_logs=50
        ) as here,
        dask.Client(here, set_as_default=False) as client,
    ):
        yield client
