"""The service as an ASGI application: what is asked at which path, and what is heard when it goes wrong."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from treewright.base.advice import Ask, wording
from treewright.base.refusals import is_refusal
from treewright.base.verbs import kind_of
from treewright.explain import explain_row, explain_rules, explain_votes
from treewright.serve.answers import Answers, answers
from treewright.serve.arrow import stream_of
from treewright.serve.bodies import ARROW, CSV, JSON, Body, parsed, read_body
from treewright.serve.limits import Limits
from treewright.serve.metrics import Metrics
from treewright.serve.openapi import openapi
from treewright.serve.reader import Reader, shown
from treewright.serve.refused import Refused
from treewright.table.read import MISSING_CELLS

_SMALL = (
    20_000  # bytes of a body that is answered at once; larger ones in a thread, so that others need not wait
)
_NAMED = 20  # ignored columns that are named in an answer
_EXPLAINERS: dict[str, Callable[..., Any]] = {
    "tree": explain_row,
    "forest": explain_votes,
    "rules": explain_rules,
}
_log = logging.getLogger("treewright.serve")


def application(
    model: Any, limits: Limits | None = None, token: str | None = None, hosts: Collection[str] = ()
) -> Any:
    """Return the service of a model as an ASGI application (of Starlette), for a server of your own.

    Args:
        model: a tree, a forest or rules.
        limits: what a request may cost.
        token: what a request must bring as `Authorization: Bearer TOKEN`, but for /healthz.
        hosts: the names by which it may be asked for (the header Host); () for any.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> sorted(route.path for route in application(tree).routes)
    ['/explain', '/healthz', '/metrics', '/predict', '/schema']
    """
    try:
        from starlette.applications import Starlette
        from starlette.exceptions import HTTPException
        from starlette.routing import Route
    except ImportError:
        raise ImportError(
            "The service needs Starlette and uvicorn. Install them: pip install 'treewright[serve]'"
        ) from None
    if kind_of(model) not in _EXPLAINERS:
        raise TypeError(f"A tree, a forest or rules can be served, not a {type(model).__name__}.")
    service = _Service(model, limits or Limits(), token, hosts)
    app = Starlette(
        routes=[
            Route(path, service.guarded(path, call), methods=[method])
            for path, method, call in (
                ("/predict", "POST", service.predict),
                ("/explain", "POST", service.explain),
                ("/schema", "GET", service.schema),
                ("/healthz", "GET", service.health),
                ("/metrics", "GET", service.counts),
            )
        ],
        exception_handlers={HTTPException: service.elsewhere},
    )
    app.router.redirect_slashes = False
    app.state.metrics = service.metrics
    return app


class _Service:
    """The model, how rows are read for it, what is counted, and who may ask."""

    def __init__(self, model: Any, limits: Limits, token: str | None, hosts: Collection[str]) -> None:
        self.model = model
        self.limits = limits
        self.token = None if token is None else token.encode()
        self.hosts = {host.lower() for host in hosts}
        self.reader = Reader(model)
        self.metrics = Metrics()
        kept = model.about.get("reading", {})
        self.marks = ["", *kept.get("missing", ())] if kept.get("missing") else list(MISSING_CELLS)

    # ---- what can be asked ------------------------------------------------------------------------

    async def predict(self, request: Any) -> Any:
        """Answer rows of a body."""
        form = _answer_form(request)
        with_shares = _flag(request, "probabilities")
        body = await self.body_of(request)
        kind = request.headers.get("content-type", "")
        if len(body) <= _SMALL:
            content, noted = self.answered(kind, body, form, with_shares)
        else:
            content, noted = await asyncio.to_thread(self.answered, kind, body, form, with_shares)
        self.metrics.answered(*noted)
        return _response(content, 200, form)

    def answered(self, kind: str, body: bytes, form: str, with_shares: bool) -> tuple[bytes, Any]:
        """Return the body of the answer, and what is counted of it."""
        given = read_body(kind, body, self.reader.wanted, self.marks, self.limits)
        if with_shares and given.n_rows * len(self.model.classes) > self.limits.n_probabilities:
            raise Refused(
                413,
                f"{given.n_rows:,} rows have {len(self.model.classes):,} probabilities each, more than "
                f"{self.limits.n_probabilities:,}. Send fewer rows, or ask at /predict?probabilities=false.",
            )
        begin = time.perf_counter()
        rows = self.reader.rows(given.cells, given.n_rows)
        try:
            found = answers(self.model, rows)
        except ValueError as reason:
            raise _refusal(reason) from reason
        seconds = time.perf_counter() - begin
        if not with_shares:
            found = Answers(found.predictions, found.classes, [], found.place_name, found.places)
        content = _FORMS[form](found, given, rows)
        return content, (found.predictions, seconds, list(rows.unseen.values()))

    async def explain(self, request: Any) -> Any:
        """Say why one row is answered so."""
        wishes = _wishes(request, self.model)
        body = await self.body_of(request)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            raise Refused(
                415, f"One row is explained: send it as JSON, with the header Content-Type: {JSON}."
            )
        return _response(await asyncio.to_thread(self.explained, body, wishes), 200, JSON)

    def explained(self, body: bytes, wishes: dict[str, Any]) -> bytes:
        """Return the explanation of the row in a body."""
        row = parsed(body)
        if not isinstance(row, dict):
            raise Refused(400, 'One row is explained: send an object, such as {"age": 39}.')
        self.reader.rows({name: [cell] for name, cell in row.items()})  # refuses in words of JSON
        kind = kind_of(self.model) or "tree"
        try:
            return _json(_EXPLAINERS[kind](self.model, row, **wishes).to_dict())
        except ValueError as reason:
            raise _refusal(reason) from reason

    async def schema(self, _request: Any) -> Any:
        """Describe the service."""
        return _response(_json(openapi(self.model, self.limits, self.token is not None)), 200, JSON)

    async def health(self, _request: Any) -> Any:
        """Say that all is well."""
        return _response(_json({"status": "ok", "target": self.model.target.name}), 200, JSON)

    async def counts(self, _request: Any) -> Any:
        """Give the counts."""
        return _response(self.metrics.text().encode(), 200, "text/plain; version=0.0.4; charset=utf-8")

    # ---- who asks, and how it ends ----------------------------------------------------------------

    def guarded(self, path: str, call: Callable[[Any], Awaitable[Any]]) -> Callable[[Any], Awaitable[Any]]:
        """Return a function that checks who asks and turns whatever goes wrong into a sentence."""
        from starlette.requests import ClientDisconnect, Request

        async def endpoint(request: Request) -> Any:
            try:
                self.check_host(request)
                if path != "/healthz":
                    self.check_token(request)
                response = await call(request)
            except Refused as refused:
                response = _sentence(refused)
            except ClientDisconnect:
                response = _response(b"", 400, JSON)  # nobody hears it
            except Exception as error:
                _log.exception("a mistake at %s", path)
                response = _sentence(Refused(500, _mistake(error)))
            self.metrics.request(path, response.status_code)
            return response

        return endpoint

    async def elsewhere(self, request: Any, error: Any) -> Any:
        """Answer what is asked at no path of ours, or with another method."""
        paths = "POST /predict, POST /explain, GET /schema, GET /healthz and GET /metrics"
        found = f"{shown(request.method)} {shown(request.url.path)}"
        self.metrics.request("other", error.status_code)
        sentence = f"There is no {found}; there are {paths}."
        return _sentence(Refused(error.status_code, sentence, dict(error.headers or {})))

    def check_host(self, request: Any) -> None:
        """Refuse pages of other sites that found their way to this machine by a name of their own."""
        host = request.headers.get("host")
        if self.hosts and host is not None and _without_port(host.lower()) not in self.hosts:
            raise Refused(421, f"This service is not {shown(host)}; it is asked for as {min(self.hosts)}.")

    def check_token(self, request: Any) -> None:
        """Refuse who has not the token."""
        if self.token is None:
            return
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), self.token):
            raise Refused(
                401,
                "The token is missing or wrong; send the header Authorization: Bearer TOKEN.",
                {"WWW-Authenticate": "Bearer"},
            )

    async def body_of(self, request: Any) -> bytes:
        """Return the body of a request that is no larger and no slower than it may be."""
        encoding = request.headers.get("content-encoding", "identity").lower()
        if encoding != "identity":
            raise Refused(415, f"The body is packed ({shown(encoding)}); send it as it is.", _CLOSE)
        length = request.headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > self.limits.n_bytes:
            raise self.too_large(f"{int(length[:20]):,}")
        try:
            return await asyncio.wait_for(self.collected(request), self.limits.seconds)
        except asyncio.TimeoutError:
            raise Refused(
                408,
                f"The body was not complete after {self.limits.seconds:g} seconds; send it again.",
                _CLOSE,
            ) from None

    async def collected(self, request: Any) -> bytes:
        """Return what arrives, as long as it is not too much."""
        chunks, size = [], 0
        async for chunk in request.stream():
            size += len(chunk)
            if size > self.limits.n_bytes:
                raise self.too_large(f"more than {self.limits.n_bytes:,}")
            chunks.append(chunk)
        return b"".join(chunks)

    def too_large(self, found: str) -> Refused:
        """Return the refusal of a body that is too large."""
        most = f"{self.limits.n_bytes:,}"
        return Refused(
            413, f"The body has {found} bytes; a request may have {most}. Send it in parts.", _CLOSE
        )


_CLOSE = {"Connection": "close"}  # the rest of the body is not read
_HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}


def _response(content: bytes, status: int, kind: str, headers: dict[str, str] | None = None) -> Any:
    from starlette.responses import Response

    return Response(content, status, {**_HEADERS, **(headers or {})}, kind)


def _sentence(refused: Refused) -> Any:
    return _response(_json({"error": refused.sentence}), refused.status, JSON, refused.headers)


def _json(value: Any) -> bytes:
    """Return a value as JSON in ASCII: whatever a request holds can be repeated in it."""
    return json.dumps(value, allow_nan=False, default=_plain).encode()


def _plain(value: Any) -> Any:
    return (
        value.tolist()
        if hasattr(value, "tolist")
        else list(value)
        if hasattr(value, "__iter__")
        else str(value)
    )


def _refusal(error: ValueError) -> Exception:
    """Return what the model refuses as a sentence for who asked; slips of the program as they are."""
    if not is_refusal(error):
        return error
    said = wording(error, _in_json).removeprefix("row 0: ")
    return Refused(422, said)


def _in_json(asked: Ask) -> str:
    return "give it, or null where it is missing." if asked.name == "cell" else str(asked)


def _mistake(error: BaseException) -> str:
    return (
        f"treewright made a mistake that is not yours ({type(error).__name__}); the server's log says where."
    )


def _without_port(host: str) -> str:
    """Return the name of a Host header.

    >>> _without_port("localhost:8000"), _without_port("[::1]:8000"), _without_port("[::1]")
    ('localhost', '[::1]', '[::1]')
    """
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host


# ---- what is asked for beside the body ----------------------------------------------------------------


def _answer_form(request: Any) -> str:
    """Return the form of the answer: what Accept names first, else that of the body."""
    sent: str = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    own = sent if sent in _FORMS else JSON
    asked = [
        part.partition(";")[0].strip().lower() for part in request.headers.get("accept", "*/*").split(",")
    ]
    kind: str
    for kind in asked:
        if kind in _FORMS:
            return kind
        if kind in ("*/*", "application/*", "text/*", ""):
            return own
    raise Refused(406, f"Answers come as {JSON}, {CSV} or {ARROW}; Accept names none of them.")


def _flag(request: Any, name: str) -> bool:
    """Return a truth of the query, true where it is not said."""
    _check_query(request, (name,))
    word = request.query_params.get(name, "true").lower()
    if word not in ("true", "false", "1", "0"):
        raise Refused(400, f"{name}={shown(word)}: say true or false.")
    return word in ("true", "1")


def _wishes(request: Any, model: Any) -> dict[str, Any]:
    """Return what is wished of an explanation: which answer instead, and how many ways to it."""
    options = ("wanted", "low", "high", "most") if kind_of(model) == "tree" else ()
    _check_query(request, options)
    query, found = request.query_params, {}
    if "most" in query:
        found["most"] = _number_of(query, "most", int)
    if "wanted" in query:
        found["wanted"] = query.getlist("wanted")
    elif "low" in query or "high" in query:
        found["wanted"] = (_number_of(query, "low", float), _number_of(query, "high", float))
    if isinstance(found.get("most"), int) and not 0 <= found["most"] <= 20:
        raise Refused(400, f"most={found['most']}: ask for 0 to 20 ways to another answer.")
    return found


def _number_of(query: Any, name: str, kind: Callable[[str], Any]) -> Any:
    if name not in query:
        return None
    try:
        return kind(query[name][:30])
    except ValueError:
        raise Refused(400, f"{name}={shown(query[name])} is not a number.") from None


def _check_query(request: Any, known: Collection[str]) -> None:
    for name in request.query_params:
        if name not in known:
            way = f"there is {', '.join(known)}" if known else "there is none"
            raise Refused(400, f"There is no parameter {shown(name)}; {way}.")


# ---- the answer in the form that is asked for -----------------------------------------------------------


def _as_json(found: Answers, given: Body, rows: Any) -> bytes:
    listed = [found.plain(row) for row in range(rows.n_rows)]
    for row, names in rows.unseen.items():
        listed[row]["unseen"] = names
    whole: dict[str, Any] = listed[0] if given.is_one else {"answers": listed}
    if rows.ignored:
        whole["ignored"] = [name[:100] for name in rows.ignored[:_NAMED]]
    return _json(whole)


_FORMS: dict[str, Callable[[Answers, Body, Any], bytes]] = {
    JSON: _as_json,
    CSV: lambda found, _given, _rows: found.csv().encode(),
    ARROW: lambda found, _given, _rows: stream_of(found.columns()),
}
