"""What a driver has learnt so far, kept in a file: one that takes over asks only what is new.

Growth asks the same questions every time, so the answers are kept by the digest of their question. Where
rows are follows from the moves, which are part of each question; how many workers there were has no part in
it. Rows that were gathered are not kept: they are asked for again.

    file = record record ...
    record = length of the answer (8 bytes), digest of the rest (16), digest of the question (16), answer

The first record says which data and settings the answers are about. A record that was cut short is left out.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from treewright.growth.settings import Settings
from treewright.shards.plan import Plan
from treewright.shards.shard import Shard

_SIZE, _DIGEST = 8, 16
_FIRST = b"\0" * _DIGEST  # the question of the first record
_VERSION = 1


class Checkpoint:
    """Answers kept in a file, as long as it is about these facts.

    >>> import tempfile
    >>> place = tempfile.mkdtemp() + "/grown"
    >>> with Checkpoint(place, {"target": "y"}) as first:
    ...     first.keep(b"question", b"answer")
    >>> with Checkpoint(place, {"target": "y"}) as second:
    ...     second.answer(b"question")
    b'answer'
    >>> Checkpoint(place, {"target": "z"})
    Traceback (most recent call last):
    ValueError: The checkpoint ... was made for target 'y', and now it is 'z'. Give another file, or remove
    it.
    """

    def __init__(self, path: str | os.PathLike[str], facts: Mapping[str, Any], gather_below: int = 0) -> None:
        self.path = Path(path)
        self.gather_below = gather_below  # that of whoever began it: other nodes would be asked about else
        self.places: dict[bytes, tuple[int, int]] = {}
        self.n_found = 0
        facts = json.loads(json.dumps(dict(facts)))
        self.file: BinaryIO = open(self.path, "a+b")  # noqa: SIM115  (closed by close)
        try:
            end = self._read()
            if _FIRST in self.places:
                self.gather_below, was = json.loads(self._at(_FIRST))
                self._check(was, facts)
            self.file.truncate(end)
            if _FIRST not in self.places:
                self._write(_FIRST, json.dumps([gather_below, facts]).encode())
        except BaseException:
            self.file.close()
            raise
        self.n_found = len(self.places) - 1

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def answer(self, question: bytes) -> bytes | None:
        """Return the answer to a question that was asked before."""
        sign = _digest(question)
        return self._at(sign) if sign in self.places else None

    def keep(self, question: bytes, answer: bytes) -> None:
        """Keep an answer; it is on the disk when this returns."""
        self._write(_digest(question), answer)

    def remove(self) -> None:
        """Remove the file: all is done."""
        self.file.close()
        self.path.unlink(missing_ok=True)

    # ---- the file ----------------------------------------------------------------------------------

    def _read(self) -> int:
        """Learn where answers are; return where the last whole record ends."""
        total, at = self.file.seek(0, os.SEEK_END), 0
        self.file.seek(0)
        while len(head := self.file.read(_SIZE + 2 * _DIGEST)) == _SIZE + 2 * _DIGEST:
            size, digest, sign = int.from_bytes(head[:_SIZE], "little"), head[_SIZE:-_DIGEST], head[-_DIGEST:]
            body = self.file.read(size) if size <= total - at else b""
            if len(body) < size or _digest(sign + body) != digest:
                break
            if not self.places and sign != _FIRST:
                break
            self.places[sign] = (at + len(head), size)
            at += len(head) + size
        if at == 0 and total:
            raise ValueError(f"The file {str(self.path)!r} is no checkpoint of ours; give another name.")
        return at

    def _at(self, sign: bytes) -> bytes:
        start, size = self.places[sign]
        self.file.seek(start)
        return self.file.read(size)

    def _write(self, sign: bytes, body: bytes) -> None:
        start = self.file.seek(0, os.SEEK_END)
        self.file.write(len(body).to_bytes(_SIZE, "little") + _digest(sign + body) + sign + body)
        self.file.flush()
        os.fsync(self.file.fileno())
        self.places[sign] = (start + _SIZE + 2 * _DIGEST, len(body))

    def _check(self, was: Mapping[str, Any], now: Mapping[str, Any]) -> None:
        """Refuse answers about other data or settings, and name what differs."""
        for name in sorted({*was, *now}):
            before, after = was.get(name), now.get(name)
            if before == after:
                continue
            if name == "shards":
                self._refuse_shards(before or {}, after or {})
            raise ValueError(
                f"The checkpoint {str(self.path)!r} was made for {name} {before!r:.200}, and now it is "
                f"{after!r:.200}. Give another file, or remove it."
            )

    def _refuse_shards(self, before: Mapping[str, str], after: Mapping[str, str]) -> None:
        odd = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
        was, here = odd[0] in before, odd[0] in after
        how = "has changed" if was and here else "is new" if here else "is gone"
        raise ValueError(
            f"The shard {odd[0]} {how} since the checkpoint {str(self.path)!r} was made; its answers are "
            "about other rows. Remove the checkpoint to begin anew."
        )


def facts_of(plan: Plan, shards: Sequence[Shard], settings: Settings) -> dict[str, Any]:
    """Return what decides every answer: shards with their marks, columns, target, settings."""
    return {
        "version": _VERSION,
        "shards": {f"{shard.name!r}, part {shard.part}": shard.mark.hex() for shard in shards},
        "columns": plan.schema.to_dict(),
        "target": plan.target.to_dict(),
        "weights": plan.weights,
        "terms": repr(plan.terms),
        "rows": [plan.layout.n_rows, repr(plan.amounts)],
        "settings": {name: repr(value) for name, value in settings.to_dict().items()},
    }


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()
