"""How the tests ask the service: in this process, without a port, or byte by byte over one."""

from __future__ import annotations

import asyncio
import json
import socket
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Heard:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        assert 400 <= self.status < 500, (self.status, self.body)
        said = self.json["error"]
        assert "Traceback" not in said
        assert said.endswith(".")
        return said


def ask(
    app: Any, method: str, path: str, body: bytes | list[bytes] = b"", hangs_up: bool = False, **headers: str
) -> Heard:
    """Call an ASGI application once; `hangs_up`: the other side goes away instead of sending the rest."""
    path, _, query = path.partition("?")
    chunks = [body] if isinstance(body, bytes) else list(body)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if chunks:
            chunk = chunks.pop(0)
            return {"type": "http.request", "body": chunk, "more_body": bool(chunks) or hangs_up}
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    named = [(name.replace("_", "-").lower().encode(), text.encode()) for name, text in headers.items()]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
        "raw_path": path.encode(), "query_string": query.encode(), "headers": named, "scheme": "http",
        "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1), "root_path": "",
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    headers_back = {name.decode(): text.decode() for name, text in sent[0]["headers"]}
    return Heard(sent[0]["status"], headers_back, b"".join(m.get("body", b"") for m in sent[1:]))


def post(app: Any, path: str, value: Any, **headers: str) -> Heard:
    """Ask with a value as JSON."""
    return ask(app, "POST", path, json.dumps(value).encode(), content_type="application/json", **headers)


def over_port(port: int, *pieces: bytes, seconds: float = 20.0) -> bytes:
    """Send bytes to a port of this machine, and return all that comes until the other side hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as line:
        for piece in pieces:
            line.sendall(piece)
        found = b""
        while True:
            try:
                piece = line.recv(65536)
            except ConnectionResetError:
                return found
            if not piece:
                return found
            found += piece
