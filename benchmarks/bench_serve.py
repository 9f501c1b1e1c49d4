"""A tree as a service, beside FastAPI + scikit-learn with the same tree: bounded requests over 127.0.0.1."""

import asyncio
import json
import multiprocessing
import os
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import treewright as tw
from benchmarks.data import wide
from benchmarks.report import Result, Table, show

WIDTH = 20  # columns of a row
HOST = "127.0.0.1"  # nothing else is ever asked


@dataclass(frozen=True)
class Load:
    """How much is asked of a service: it ends at whichever comes first."""

    n_requests: int
    seconds: float
    n_lines: int = 8  # kept open at the same time
    rows: int = 1  # in a request


def main(quick: bool) -> list[Result]:
    n = 300 if quick else 3000
    return run(Load(n, 20.0), Load(n // 10, 20.0, rows=100))


def run(*loads: Load) -> list[Result]:
    X, y = wide(5000)
    X = np.ascontiguousarray(X[:, :WIDTH], dtype=np.float64)
    names = [f"x{i}" for i in range(WIDTH)]
    columns = {name: X[:, i].tolist() for i, name in enumerate(names)}
    table = tw.Table.from_dict({**columns, "y": [str(label) for label in y]})
    tree = tw.grow(table, "y", max_depth=8)
    theirs = DecisionTreeClassifier(max_depth=8, random_state=0).fit(X, [str(label) for label in y])
    services: dict[str, Callable[[], Any]] = {"treewright": _Ours(tree)}
    if find_spec("fastapi"):
        services["FastAPI + scikit-learn"] = _Theirs(theirs, names)
    rows = [dict(zip(names, row, strict=True)) for row in X[:100].tolist()]
    return [_compared(services, load, rows) for load in loads]


# ---- the services, each in a process of its own --------------------------------------------------------


@dataclass(frozen=True)
class _Ours:
    tree: Any

    def __call__(self) -> Any:
        from treewright.serve import application

        return application(self.tree)


@dataclass(frozen=True)
class _Theirs:
    model: Any
    names: list[str]

    def __call__(self) -> Any:
        """Return the service that people write: a model of pydantic for the row, predict_proba, a dict."""
        from fastapi import FastAPI
        from pydantic import create_model

        app, model, names = FastAPI(), self.model, self.names
        fields: Any = dict.fromkeys(names, (float, ...))
        row = create_model("Row", **fields)

        def predict(body: row | list[row]) -> Any:  # type: ignore[valid-type]
            listed: list[Any] = body if isinstance(body, list) else [body]
            chances = model.predict_proba(np.array([[getattr(r, name) for name in names] for r in listed]))
            said = model.classes_[chances.argmax(axis=1)]
            return [
                {"prediction": label, "probabilities": dict(zip(model.classes_, shares, strict=True))}
                for label, shares in zip(said.tolist(), chances.tolist(), strict=True)
            ]

        app.post("/predict")(predict)
        return app


def _serving(make: Callable[[], Any], listening: socket.socket) -> None:
    import uvicorn

    config = uvicorn.Config(make(), http="h11", loop="asyncio", log_level="error", access_log=False)
    asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))


# ---- the load ---------------------------------------------------------------------------------------


def _compared(services: dict[str, Callable[[], Any]], load: Load, rows: list[Any]) -> Result:
    bodies = [rows[i] if load.rows == 1 else rows[: load.rows] for i in range(len(rows))]
    requests = [_request(body) for body in bodies]
    lines, answers = [], {}
    for name, make in services.items():
        with socket.create_server((HOST, 0)) as listening:
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            process = multiprocessing.get_context("fork").Process(target=_serving, args=(make, listening))
            process.start()
            try:
                port = listening.getsockname()[1]
                answers[name] = _labels(asyncio.run(_asked(port, requests[:20], Load(20, 20.0, 1)))[1])
                before = _cpu(process.pid)
                seconds, heard = asyncio.run(_asked(port, requests, load))
                cpu = _cpu(process.pid) - before
            finally:
                process.terminate()
                process.join(20)
        took = sorted(each for each, _ in heard)
        figures = (
            len(heard) / seconds,
            1e3 * cpu / len(heard),
            1e3 * took[len(took) // 2],
            1e3 * took[-1 - len(took) // 100],
        )
        lines.append((name, *(f"{figure:,.2f}" for figure in figures)))
    title = f"service, {load.rows} row(s) x {WIDTH} a request, {load.n_lines} lines kept open"
    header = ("", "requests/s", "CPU ms/request", "median ms", "99 % ms")
    failures = () if len(set(map(str, answers.values()))) == 1 else ("the two services answer differently",)
    return show(Result(Table(title, header, tuple(lines)), failures=failures))


def _request(body: Any) -> bytes:
    text = json.dumps(body).encode()
    head = ["POST /predict HTTP/1.1", f"Host: {HOST}", "Content-Type: application/json"]
    return "\r\n".join([*head, f"Content-Length: {len(text)}", "", ""]).encode() + text


async def _asked(port: int, requests: list[bytes], load: Load) -> tuple[float, list[tuple[float, bytes]]]:
    """Return how long it took, and the time and the body of every answer."""
    heard: list[tuple[float, bytes]] = []
    begin = time.perf_counter()
    left = iter(range(load.n_requests))

    async def line() -> None:
        reader, writer = await asyncio.open_connection(HOST, port)
        for place in left:
            start = time.perf_counter()
            if start - begin > load.seconds:
                break
            writer.write(requests[place % len(requests)])
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in head.splitlines()[0]:
                raise RuntimeError(head.decode())
            length = next(
                int(each.split(b":")[1])
                for each in head.lower().splitlines()
                if each.startswith(b"content-length")
            )
            body = await reader.readexactly(length)
            heard.append((time.perf_counter() - start, body))
        writer.close()

    await asyncio.gather(*(line() for _ in range(load.n_lines)))
    return time.perf_counter() - begin, heard


def _labels(heard: list[tuple[float, bytes]]) -> list[Any]:
    found = [json.loads(body) for _, body in heard]
    plain = [each.get("answers", [each]) if isinstance(each, dict) else each for each in found]
    return [[one["prediction"] for one in rows] for rows in plain]


def _cpu(pid: int | None) -> float:
    """Return the CPU seconds that a process has used."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
