"""A digest of plain JSON values: the same for the same values, however a file spells them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

NAME = "digest"  # of the entry in a file
_PIECE = 4096  # items of a list that are spelt at once: the text of a whole one may not fit beside it

_spelt = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def of(body: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a model's canonical body: all but the digest and what is said of the growth.

    Canonical is JSON in ASCII with sorted keys and without blanks. `about["growth"]`, how long growth took
    and where, is no part of what a model is.

    >>> of({"about": {"seed": 1}})[:15], of({"about": {"seed": 2}})[:15]
    ('sha256:cd9764a7', 'sha256:3ee82ab0')
    >>> of({"about": {"seed": 1, "growth": {"seconds": 2.5}}, "digest": ""}) == of({"about": {"seed": 1}})
    True
    """
    body = {key: value for key, value in body.items() if key != NAME}
    about = body.get("about")
    if isinstance(about, Mapping) and "growth" in about:
        body["about"] = {key: value for key, value in about.items() if key != "growth"}
    state = hashlib.sha256()
    for piece in canonical(body):
        state.update(piece.encode("ascii"))
    return f"sha256:{state.hexdigest()}"


def canonical(value: Any) -> Iterator[str]:
    r"""Yield the canonical text of plain values, piece by piece.

    >>> "".join(canonical({"b": [1, 2.5, None], "a": "ä"}))
    '{"a":"\\u00e4","b":[1,2.5,null]}'
    """
    if isinstance(value, Mapping):
        for i, key in enumerate(sorted(value)):
            yield f"{',' if i else '{'}{_spelt(key)}:"
            yield from canonical(value[key])
        yield "}" if value else "{}"
    elif isinstance(value, (list, tuple)) and len(value) > _PIECE:
        for start in range(0, len(value), _PIECE):
            yield ("," if start else "[") + _spelt(value[start : start + _PIECE])[1:-1]
        yield "]"
    else:
        yield _spelt(value)


def signed(body: Mapping[str, Any], version: int) -> dict[str, Any]:
    """Return what is written to a file: the body under the version that has digests, and its digest.

    >>> list(signed({"format": "a tree", "version": 1}, 6).items())[1:]
    [('version', 6), ('digest', 'sha256:...')]
    """
    body = {**body, "version": version}
    return {**body, NAME: of(body)}


def check(plain: Mapping[str, Any], what: str, signed_from: int) -> None:
    """Refuse plain values whose digest is absent, or is not that of the others.

    Versions before `signed_from` have none: nothing can be told of them.

    >>> whole = signed({"format": "a tree", "version": 1, "about": {"seed": 1}}, 6)
    >>> check(whole, "a tree", 6)
    >>> check(whole | {"about": {"seed": 2}}, "a tree", 6)
    Traceback (most recent call last):
    ValueError: Not a tree as it was saved: something was changed or damaged since ...
    """
    given = plain.get(NAME)
    if plain["version"] < signed_from:
        if given is not None:
            raise ValueError(f"Not {what}: entry '{NAME}' is unknown in version {plain['version']}.")
        return
    if not isinstance(given, str):
        raise ValueError(f"Not {what}: entry '{NAME}' is absent.")
    if given != of(plain):
        raise ValueError(
            f"Not {what} as it was saved: something was changed or damaged since (its digest is not that of "
            "its content). Take a copy that is whole. Values that were changed on purpose, without the entry "
            f"'{NAME}' and under the version {signed_from - 1}, are read by from_dict."
        )
