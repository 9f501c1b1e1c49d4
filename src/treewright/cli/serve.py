"""`treewright serve`: a model as a small service on this machine."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import click

from .failure import Failure
from .model import load_model
from .options import Sectioned, json_option, option
from .output import show_json, talk

EXAMPLES = (
    "treewright serve income.treewright",
    "curl -d '{\"age\": 39}' -H 'Content-Type: application/json' http://127.0.0.1:8000/predict",
    "TREEWRIGHT_TOKEN=... treewright serve income.treewright --host 0.0.0.0",
)
TOKEN = "TREEWRIGHT_TOKEN"


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("model", type=click.Path())
@option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@option("--port", type=int, default=8000, show_default=True, help="The port; 0 takes a free one.")
@option(
    "--token-file",
    type=click.Path(),
    metavar="FILE",
    help=f"What requests must bring is the first line of FILE; else the variable {TOKEN}.",
)
@option(
    "--max-rows", type=click.IntRange(1), metavar="N", help="Rows of a request at most; 10,000 by default."
)
@option(
    "--max-megabytes", type=click.FloatRange(0, min_open=True), metavar="N", help="Its body; 10 by default."
)
@json_option
def serve(
    model: str,
    host: str,
    port: int,
    token_file: str | None,
    max_rows: int | None,
    max_megabytes: float | None,
    as_json: bool,
) -> None:
    """Answer rows over HTTP, on this machine or with a token.

    POST /predict and /explain take rows; GET /schema, /healthz and /metrics tell what there is.
    """
    from treewright.serve import Limits
    from treewright.serve import serve as run

    limits = Limits()
    if max_rows is not None:
        limits = replace(limits, n_rows=max_rows)
    if max_megabytes is not None:
        limits = replace(limits, n_bytes=max(1, int(max_megabytes * 1e6)))
    token = _token(token_file)
    known: Any = load_model(model)

    def ready(address: str) -> None:
        if as_json:
            show_json({"address": address, "needs_token": token is not None})
        talk(f"Predicts {known.target.name!r} at {address}/predict; what rows look like: {address}/schema")
        talk(
            "Every request needs the token. Ctrl-C stops."
            if token
            else "Only this machine can ask. Ctrl-C stops."
        )

    n_requests = run(known, host, port, token=token, limits=limits, ready=ready)
    talk(f"Stopped after {n_requests:,} requests.")


def _token(path: str | None) -> str | None:
    if path is None:
        return os.environ.get(TOKEN) or None
    with open(path, encoding="utf-8") as file:
        token = file.readline().strip()
    if not token:
        raise Failure(f"--token-file {path}: its first line is empty; write the token there.")
    return token
