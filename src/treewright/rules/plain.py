"""Rules as plain JSON types and back: lists, texts and numbers that mean the same bit for bit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from treewright.base import digest
from treewright.rules.condition import Condition, Proxy, StandIn
from treewright.rules.rule import Rule
from treewright.rules.several import SumCondition, SumTerm
from treewright.table import Column, Schema
from treewright.tree.plain import copied, encode
from treewright.tree.reader import Kind

if TYPE_CHECKING:
    from treewright.rules.ruleset import RuleSet

FORMAT = "treewright rules"
VERSION = 3  # 2 is 1 with a digest: what `save` writes; 3 has conditions on several columns
KIND = Kind(FORMAT, "a set of rules", newest=VERSION, signed_from=2, called="rules")
_KEYS = {"format", "version", "schema", "target", "decision", "default", "default_distribution",
         "rules", "fallbacks", "about"}  # fmt: skip
_NUMBERS = (int, float)
# field -> the types its plain value may have; what is left out has the default
_STAND_IN = {"column": str, "cut": _NUMBERS, "is_below": bool, "passing": list, "failing": list}
_PROXY = {"tests": list, "otherwise": _NUMBERS, "missing": bool, "unseen": bool, "categories": list}
_CONDITION = {"column": str, "low": _NUMBERS, "high": _NUMBERS, "categories": list, "partly": list,
              "missing": _NUMBERS, "unseen": _NUMBERS, "proxies": list}  # fmt: skip
_SUM_TERM = {"column": str, "weight": _NUMBERS, "category": str, "at_most": _NUMBERS, "above": _NUMBERS}
_SUM_CONDITION = {"terms": list, "low": _NUMBERS, "high": _NUMBERS, "missing": _NUMBERS, "unseen": _NUMBERS,
                  "proxies": list}  # fmt: skip
_RULE = {"conditions": list, "prediction": (str, *_NUMBERS), "distribution": list, "support": _NUMBERS,
         "errors": _NUMBERS, "lift": _NUMBERS, "error": _NUMBERS, "node": int}  # fmt: skip
_MAY_BE_NOTHING = {"cut", "low", "high", "categories", "prediction", "errors", "lift", "error", "node",
                   "category", "at_most", "above"}  # fmt: skip


def to_dict(rules: RuleSet) -> dict[str, Any]:
    """Return the rules as plain JSON types."""
    return {
        "format": FORMAT,
        "version": 1,
        "schema": rules.schema.to_dict(),
        "target": rules.target.to_dict(),
        "decision": rules.decision,
        "default": rules.default,
        "default_distribution": list(rules.default_distribution),
        "rules": [_to_plain(rule) for rule in rules.rules],
        "fallbacks": [_to_plain(rule) for rule in rules.fallbacks],
        "about": encode(rules.about),
    }


def to_json(rules: RuleSet) -> str:
    """Return the file of the rules: JSON text with its digest, one line per field and per rule."""
    lines = []
    every = (*rules.rules, *rules.fallbacks)
    has_sums = any(isinstance(test, SumCondition) for rule in every for test in rule.conditions)
    for key, value in digest.signed(to_dict(rules), VERSION if has_sums else KIND.signed_from).items():
        if key in ("rules", "fallbacks") and value:
            inner = ",\n".join(f"  {json.dumps(rule, allow_nan=False)}" for rule in value)
            lines.append(f' "{key}": [\n{inner}\n ]')
        else:
            lines.append(f' "{key}": {json.dumps(value, allow_nan=False)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def fields_of(source: Any) -> dict[str, Any]:
    """Return the constructor's arguments for the rules that `to_dict` wrote; else a ValueError."""
    try:
        return _fields_of(source)
    except (TypeError, KeyError, OverflowError, RecursionError) as error:  # a shape nobody thought of
        raise ValueError(f"Not a set of rules: {error}") from error
    except ValueError as error:
        raise ValueError(str(error).replace("Not a tree:", "Not a set of rules:")) from None


def _to_plain(value: Any) -> Any:
    """Return a value of ours as plain types; fields that are as usual are left out."""
    if isinstance(value, (Rule, Condition, SumCondition, SumTerm, Proxy, StandIn)):
        return {
            f.name: _to_plain(getattr(value, f.name))
            for f in fields(value)
            if getattr(value, f.name) != f.default
        }
    return [_to_plain(item) for item in value] if isinstance(value, tuple) else encode(value)


def _fields_of(source: Any) -> dict[str, Any]:
    KIND.check_header(source)
    if odd := sorted(map(str, set(source) - {"digest"} ^ _KEYS)):
        raise ValueError(f"Not a set of rules: entry {odd[0]!r:.80} is unknown, or absent.")
    found: dict[str, Any] = {
        "schema": Schema.from_dict(source["schema"]),
        "target": Column.from_dict(source["target"]),
        "about": copied(source["about"], "about", decode=True),
        "decision": source["decision"],
        "default": source["default"],
        "default_distribution": _numbers(source["default_distribution"]),
    }
    for key in ("rules", "fallbacks"):
        if not isinstance(source[key], (list, tuple)):
            raise ValueError(f"Not a set of rules: entry {key!r} must be a list.")
        found[key] = tuple(_rule(rule) for rule in source[key])
    return found


def _entries(source: Any, what: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of an object whose keys and types are as wanted; floats that have names decoded."""
    if not isinstance(source, Mapping):
        raise ValueError(f"Not a set of rules: a {what} must be an object.")
    found = copied(source, what, decode=True)
    if not isinstance(found, dict):
        raise ValueError(f"Not a set of rules: a {what} must be an object, found {found!r:.80}.")
    for key, value in found.items():
        if key not in wanted:
            raise ValueError(f"Not a set of rules: a {what} has no entry {key!r:.80}.")
        if value is None and key in _MAY_BE_NOTHING:
            continue
        if not isinstance(value, wanted[key]) or isinstance(value, bool) != (wanted[key] is bool):
            raise ValueError(f"Not a set of rules: entry {key!r} of a {what} is {value!r:.80}.")
    return dict(found)


def _rule(source: Any) -> Rule:
    found = _entries(source, "rule", _RULE)
    found["conditions"] = tuple(_condition(condition) for condition in found.get("conditions", ()))
    found["distribution"] = _numbers(found.get("distribution", ()))
    return Rule(**found)


def _condition(source: Any) -> Condition | SumCondition:
    if isinstance(source, Mapping) and "terms" in source:
        found = _entries(source, "condition", _SUM_CONDITION)
        found["terms"] = tuple(SumTerm(**_entries(term, "term", _SUM_TERM)) for term in found["terms"])
        found["proxies"] = tuple(_proxy(proxy) for proxy in found.get("proxies", ()))
        return SumCondition(**found)
    found = _entries(source, "condition", _CONDITION)
    if found.get("categories") is not None:
        found["categories"] = _texts(found["categories"])
    found["partly"] = tuple((str(c), *_numbers([share])) for c, share in found.get("partly", ()))
    found["proxies"] = tuple(_proxy(proxy) for proxy in found.get("proxies", ()))
    return Condition(**found)


def _proxy(source: Any) -> Proxy:
    found = _entries(source, "proxy", _PROXY)
    found["categories"] = _texts(found.get("categories", ()))
    tests = [_entries(test, "stand-in", _STAND_IN) for test in found["tests"]]
    sides = ({key: _texts(test.get(key, ())) for key in ("passing", "failing")} for test in tests)
    found["tests"] = tuple(StandIn(**{**test, **side}) for test, side in zip(tests, sides, strict=True))
    return Proxy(**found)


def _texts(listed: Any) -> tuple[str, ...]:
    if not isinstance(listed, (list, tuple)) or not all(isinstance(item, str) for item in listed):
        raise ValueError(f"Not a set of rules: categories must be a list of texts, found {listed!r:.80}.")
    return tuple(listed)


def _numbers(listed: Any) -> tuple[float, ...]:
    is_list = isinstance(listed, (list, tuple))
    if not is_list or not all(isinstance(x, _NUMBERS) and not isinstance(x, bool) for x in listed):
        raise ValueError(f"Not a set of rules: expected a list of numbers, found {listed!r:.80}.")
    return tuple(float(x) for x in listed)
