"""The service on a port of this machine: who may reach it, how long it waits, how it stops."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from treewright.serve.application import application
from treewright.serve.limits import Limits

_SHORTEST = 16  # letters of a token
_PATIENCE = 10  # seconds for requests that are under way when it stops


def serve(
    model: Any,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    token: str | None = None,
    limits: Limits | None = None,
    ready: Callable[[str], None] | None = None,
) -> int:
    """Serve a model until it is stopped (Ctrl-C, SIGTERM); return how many requests were answered.

    Without a token only this machine can ask: the host is a loopback address. For another one a token is
    needed; put a proxy with TLS in front of it, because the token travels as it is.

    Args:
        model: a tree, a forest or rules.
        host: the address to listen on.
        port: 0 takes a free one.
        token: what requests bring as `Authorization: Bearer TOKEN`.
        limits: what a request may cost.
        ready: called with the address as soon as it listens.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> serve(tree, "0.0.0.0")
    Traceback (most recent call last):
    ValueError: The host '0.0.0.0' can be reached from other machines, so a token is needed; without one, ...
    """
    hosts = _checked(host, token)
    app = application(model, limits, token, hosts)
    listening = _listening(host, port)
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listening.getsockname()[1]}"
    if ready is not None:
        ready(address)
    server = _server(app, limits or Limits())
    with listening:
        asyncio.run(server.serve(sockets=[listening]))
    return sum(app.state.metrics.requests.values())


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address.

    >>> is_loopback("localhost"), is_loopback("127.1.2.3"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _checked(host: str, token: str | None) -> tuple[str, ...]:
    """Return the names by which the service may be asked for; () for any, where a token is needed."""
    if token is not None and (
        len(token) < _SHORTEST or not token.isascii() or not token.isprintable() or " " in token
    ):
        raise ValueError(
            f"The token has to be {_SHORTEST} or more ASCII letters and signs without spaces; make one with: "
            "python -c 'import secrets; print(secrets.token_urlsafe())'"
        )
    if token is None and not is_loopback(host):
        raise ValueError(
            f"The host {host!r} can be reached from other machines, so a token is needed; without one, "
            "listen on 127.0.0.1."
        )
    return (
        () if token is not None else ("127.0.0.1", "localhost", "[::1]", f"[{host}]" if ":" in host else host)
    )


def _listening(host: str, port: int) -> socket.socket:
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
        raise ValueError(f"port={port!r} must be a whole number from 0 (any free one) to 65535.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        found = socket.create_server((host, port), family=family, backlog=128)
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else an answer waits 40 ms for its ACK
        return found
    except (OSError, UnicodeError) as reason:
        why = getattr(reason, "strerror", None) or str(reason)
        raise ValueError(
            f"Nothing can listen on {host!r}, port {port}: {why}. Choose another port, or 0 for a free one."
        ) from None


def _server(app: Any, limits: Limits) -> Any:
    """Return uvicorn, which stops when it is told to without raising the signal again."""
    import uvicorn

    class Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            before = {}
            for number in (signal.SIGINT, signal.SIGTERM):
                try:
                    before[number] = signal.signal(number, self.handle_exit)
                except ValueError:  # not the main thread: whoever started it stops it
                    break
            try:
                yield
            finally:
                for number, handler in before.items():
                    signal.signal(number, handler)

    return Server(
        uvicorn.Config(
            app,
            http=_hurried(limits.seconds),
            loop="asyncio",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            limit_concurrency=limits.n_connections,
            timeout_graceful_shutdown=_PATIENCE,
        )
    )


def _hurried(seconds: float) -> Any:
    """Return uvicorn's protocol that hangs up on who is too slow to ask, or to read the answer."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Hurried(H11Protocol):
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.wait()

        def data_received(self, data: bytes) -> None:
            before = self.cycle
            super().data_received(data)
            if self.cycle is not before:  # the head of a request is whole
                self.go_on()
            elif self._timer is None and (self.cycle is None or self.cycle.response_complete):
                self.wait()

        def pause_writing(self) -> None:
            super().pause_writing()
            self.wait()

        def resume_writing(self) -> None:
            super().resume_writing()
            self.go_on()

        def connection_lost(self, exc: Exception | None) -> None:
            self.go_on()
            super().connection_lost(exc)

        def wait(self) -> None:
            self.go_on()
            self._timer = self.loop.call_later(seconds, self.transport.abort)

        def go_on(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    return Hurried
