"""Files that a command writes: looked at before the work begins, written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from treewright.base.files import replacing, write_whole

from .failure import Failure

__all__ = ["check_place", "replacing", "write_text"]


def check_place(path: str | os.PathLike[str], inputs: Iterable[str | os.PathLike[str]] = ()) -> None:
    """Refuse, before any work is done, a place that cannot be written to or that holds an input.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     check_place(os.path.join(folder, "tree.treewright"))
    """
    place = Path(path)
    folder = place.parent
    if place.is_dir():
        raise Failure(f"{str(place)!r} is a folder; name a file in it, such as {str(place / 'out')!r}.")
    if not folder.is_dir():
        raise Failure(f"There is no folder {str(folder)!r} to write {place.name!r} to; make it first.")
    if not os.access(folder, os.W_OK):
        raise Failure(f"The folder {str(folder)!r} may not be written to; name a file elsewhere.")
    for given in inputs:
        if place.exists() and os.path.exists(given) and os.path.samefile(place, given):
            raise Failure(f"{str(place)!r} is what is read from; write to another file.")


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text as UTF-8; a crash or a full disk leaves an older file whole.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(os.path.join(folder, "rules.txt"), "IF ...")
    ...     os.listdir(folder)
    ['rules.txt']
    """
    write_whole(path, text.encode("utf-8"))
