"""The JSON Schema of our own files: what a tree or a set of rules looks like as JSON, for other programs."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from treewright.rules import plain as rules_plain
from treewright.rules.ruleset import RuleSet
from treewright.table import Kind
from treewright.tree import plain as tree_plain
from treewright.tree.fields import FIELDS, GROWN, Field
from treewright.tree.tree import Tree

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NUMBER: dict[str, Any] = {"anyOf": [{"type": "number"}, {"enum": ["nan", "inf", "-inf"]}]}
_DIGEST = {"type": "string", "description": "Of all other entries, so that damage is noticed."}
_LIST_OF_NUMBERS = {"type": "array", "items": {"type": "number"}}
_COLUMN: dict[str, Any] = {
    "type": "object",
    "required": ["name", "kind"],
    "properties": {
        "name": {"type": "string"},
        "kind": {"enum": [kind.value for kind in Kind]},
        "categories": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "edges": _LIST_OF_NUMBERS,
        "notation": {"type": "object"},
        "origin": {"type": "object"},
    },
    "additionalProperties": False,
}
_COLUMNS = {
    "type": "object",
    "required": ["columns"],
    "properties": {"columns": {"type": "array", "items": {"$ref": "#/$defs/column"}}},
}


def tree_schema(tree: Tree) -> str:
    """Return the schema of the files that `tree.save` writes; it is the same for all trees.

    >>> from treewright.tree.example import tennis
    >>> json.loads(tree_schema(tennis()))["properties"]["format"]
    {'const': 'treewright tree'}
    """
    del tree
    arrays = {name: _array(name, field) for name, field in FIELDS.items()}
    required = [name for name, field in GROWN.items() if not name.startswith("surrogate_")]
    about = {"type": "object", "description": "Recipe, policies for gaps and new categories, settings."}
    return _text(
        "A tree of treewright",
        {
            "format": {"const": tree_plain.FORMAT},
            "version": {"type": "integer", "minimum": 1, "maximum": tree_plain.VERSION},
            "schema": {"$ref": "#/$defs/columns"},
            "target": {"$ref": "#/$defs/column"},
            "about": about,
            "digest": _DIGEST,
            "arrays": {
                "type": "object",
                "description": "One entry a node, in preorder: node i owns the nodes i to end[i] - 1.",
                "required": required,
                "properties": arrays,
                "additionalProperties": False,
            },
            "ledger": {"type": "array", "items": {"type": "object"}},
        },
        ["format", "version", "schema", "target", "about", "arrays"],
    )


def rules_schema(rules: RuleSet) -> str:
    """Return the schema of the files that `rules.save` writes; it is the same for all sets of rules."""
    del rules
    rule = _entries(
        rules_plain._RULE,
        {
            "conditions": {
                "type": "array",
                "items": {"anyOf": [{"$ref": "#/$defs/condition"}, {"$ref": "#/$defs/sumCondition"}]},
            }
        },
    )
    condition = _entries(
        rules_plain._CONDITION, {"proxies": {"type": "array", "items": {"$ref": "#/$defs/proxy"}}}
    )
    proxy = _entries(rules_plain._PROXY, {"tests": {"type": "array", "items": {"$ref": "#/$defs/standIn"}}})
    stand_in = _entries(rules_plain._STAND_IN, {})
    proxies = {"type": "array", "items": {"$ref": "#/$defs/proxy"}}
    term = _entries(rules_plain._SUM_TERM, {})
    summed = _entries(
        rules_plain._SUM_CONDITION,
        {"proxies": proxies, "terms": {"type": "array", "items": {"$ref": "#/$defs/term"}}},
    )
    listed = {"type": "array", "items": {"$ref": "#/$defs/rule"}}
    return _text(
        "A set of rules of treewright",
        {
            "format": {"const": rules_plain.FORMAT},
            "version": {"type": "integer", "minimum": 1, "maximum": rules_plain.VERSION},
            "schema": {"$ref": "#/$defs/columns"},
            "target": {"$ref": "#/$defs/column"},
            "decision": {"enum": ["shares", "first", "vote"]},
            "default": {"type": ["string", "number", "null"]},
            "default_distribution": _LIST_OF_NUMBERS,
            "rules": listed,
            "fallbacks": listed,
            "about": {"type": "object"},
            "digest": _DIGEST,
        },
        sorted(rules_plain._KEYS - {"digest"}),
        {
            "rule": rule,
            "condition": condition,
            "sumCondition": summed,
            "term": term,
            "proxy": proxy,
            "standIn": stand_in,
        },
    )


def _entries(wanted: Any, known: dict[str, Any]) -> dict[str, Any]:
    properties = {key: known.get(key) or _of_types(key, types) for key, types in wanted.items()}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _of_types(key: str, types: Any) -> dict[str, Any]:
    names = {str: "string", int: "number", float: "number", bool: "boolean", list: "array"}
    listed = types if isinstance(types, tuple) else (types,)
    found = sorted({names[each] for each in listed})
    if key in rules_plain._MAY_BE_NOTHING:
        found.append("null")
    plain: dict[str, Any] = {"type": found[0] if len(found) == 1 else found}
    if "number" in found:  # a float that JSON has not is an object with its name
        named = {"type": "object", "properties": {"$float": {"enum": ["nan", "inf", "-inf"]}}}
        return {"anyOf": [plain, {**named, "required": ["$float"]}]}
    return plain


def _array(name: str, field: Field) -> dict[str, Any]:
    kind = np.dtype(field.dtype).kind
    item = {"b": {"type": "boolean"}, "f": _NUMBER}.get(kind, {"type": "integer"})
    plain = {"type": "array", "items": item}
    if name != "stats" and not field.is_wide:
        return plain
    wide = {"type": "array", "items": {"type": "array", "items": item}}
    integers = {"type": "array", "items": {"type": "integer"}}
    parts = {"start": integers, "class": integers, "weight": {"type": "array", "items": _NUMBER}}
    sparse = {"type": "object", "properties": parts, "required": sorted(parts)}
    return {"anyOf": [plain, wide, *([sparse] if name == "stats" else [])]}


def _text(
    title: str, properties: dict[str, Any], required: list[str], more: dict[str, Any] | None = None
) -> str:
    plain = {
        "$schema": _DIALECT,
        "title": title,
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": False,
        "$defs": {"column": _COLUMN, "columns": _COLUMNS, **(more or {})},
    }
    return json.dumps(plain, indent=1)
