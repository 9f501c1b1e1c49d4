"""The description of the service for programs: OpenAPI 3.1, with the columns of the model."""

from __future__ import annotations

from typing import Any

from treewright.base.verbs import kind_of
from treewright.serve.bodies import ARROW, CSV, JSON
from treewright.serve.limits import Limits
from treewright.table import Column, Kind

_REFUSED = {
    "400": "The body cannot be read.",
    "401": "The token is missing or wrong.",
    "413": "The body is too large, or has too many rows.",
    "415": "The body is of a kind that is not read.",
    "422": "A column is missing, or a cell cannot be read, or the model refuses the row.",
}
_ROW = {"$ref": "#/components/schemas/Row"}
_ANSWER = {"$ref": "#/components/schemas/Answer"}


def row_schema(model: Any) -> dict[str, Any]:
    """Return the JSON schema of a row: what the model looks at is required, null is a missing value.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
    >>> row_schema(tree)["required"], row_schema(tree)["properties"]["Humidity"]["examples"]
    (['Humidity'], ['High', 'Normal', 'Low', None])
    """
    used = set(model.used_columns.tolist())
    properties: dict[str, Any] = {}
    required: list[str] = []
    for place, column in enumerate(model.schema.columns):
        name = column.name if column.origin is None else column.origin.column
        properties.setdefault(
            name, _cell(column) if column.origin is None else {"description": "A date or text."}
        )
        if place in used and name not in required:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": True}


def _cell(column: Column) -> dict[str, Any]:
    if column.kind is Kind.boolean:
        return {"type": ["boolean", "null"]}
    if column.shows_moments:
        return {
            "type": ["string", "null"],
            "examples": [column.text_of(0.0)],
            "description": f"A {column.kind}.",
        }
    if column.is_numeric or column.edges is not None:
        return {"type": ["number", "string", "null"] if column.notation else ["number", "null"]}
    return {
        "type": ["string", "number", "null"],
        "examples": [*column.categories[:20], None],
        "description": f"One of {len(column.categories)} categories; any other counts as never seen.",
    }


def openapi(model: Any, limits: Limits, has_token: bool) -> dict[str, Any]:
    """Return the OpenAPI document of a model's service.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
    >>> list(openapi(tree, Limits(), has_token=False)["paths"])
    ['/predict', '/explain', '/schema', '/healthz', '/metrics']
    """
    from importlib.metadata import version

    kind = {"tree": "tree", "forest": "forest", "rules": "set of rules"}[kind_of(model) or "tree"]
    bodies = {
        JSON: {"schema": {"oneOf": [_ROW, {"type": "array", "items": _ROW, "maxItems": limits.n_rows}]}},
        CSV: {"schema": {"type": "string"}},
        ARROW: {"schema": {"type": "string", "format": "binary"}},
    }
    many = {"type": "object", "properties": {"answers": {"type": "array", "items": _ANSWER}}}
    found: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": f"{model.target.name} by a {kind}",
            "version": version("treewright"),
            "description": f"Answers of a {kind}. Bodies have up to {limits.n_bytes:,} bytes and "
            f"{limits.n_rows:,} rows.",
        },
        "paths": {
            "/predict": {"post": _post("What the model says.", bodies, {"oneOf": [_ANSWER, many]})},
            "/explain": {
                "post": _post("Why one row is answered so.", {JSON: {"schema": _ROW}}, {"type": "object"})
            },
            "/schema": {"get": _fetched("This document.", JSON)},
            "/healthz": {"get": _fetched("Whether the service is up; needs no token.", JSON)},
            "/metrics": {"get": _fetched("Counts for Prometheus.", "text/plain")},
        },
        "components": {"schemas": {"Row": row_schema(model), "Answer": _answer_schema(model)}},
    }
    if has_token:
        found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        found["security"] = [{"token": []}]
    return found


def _answer_schema(model: Any) -> dict[str, Any]:
    properties: dict[str, Any] = {"prediction": {"type": ["number", "null"]}}
    if model.is_classifier:
        properties = {
            "prediction": {"type": "string", "enum": list(model.classes)},
            "probabilities": {"type": "object", "additionalProperties": {"type": "number"}},
        }
    place = {"tree": "leaf", "rules": "rule"}.get(kind_of(model) or "")
    if place:
        properties[place] = {"type": ["integer", "null"]}
    properties["unseen"] = {"type": "array", "items": {"type": "string"}}
    properties["ignored"] = {"type": "array", "items": {"type": "string"}}
    return {"type": "object", "properties": properties, "required": ["prediction"]}


def _post(sentence: str, bodies: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    refused = {
        code: {"description": why, "content": {JSON: {"schema": {"type": "object"}}}}
        for code, why in _REFUSED.items()
    }
    return {
        "summary": sentence,
        "requestBody": {"required": True, "content": bodies},
        "responses": {"200": {"description": "Answers.", "content": {JSON: {"schema": answer}}}, **refused},
    }


def _fetched(sentence: str, kind: str) -> dict[str, Any]:
    return {"summary": sentence, "responses": {"200": {"description": "As asked.", "content": {kind: {}}}}}
