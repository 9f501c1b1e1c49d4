"""Files written whole or not at all: all that is saved goes through here."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator

try:
    import fcntl
except ImportError:  # a system that lets nobody remove a file in use
    fcntl = None  # type: ignore[assignment]

Path = str | os.PathLike[str]

_SPARE = re.compile(r"\.treewright-[0-9a-f]{16}\.tmp")
STALE = 3600.0  # seconds after which a spare file that nobody holds was left by a program that was killed


def write_whole(path: Path, content: bytes) -> None:
    """Replace a file in one step: a temporary file beside it, flushed to the disk, then renamed."""
    with replacing(path) as spare, open(spare, "wb") as file:
        file.write(content)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[str]:
    """Yield the name of an empty file to write to; it takes the place of `path` at the end, if all went well.

    An error of the system names `path`, not the file beside it. Such files that a killed program has left in
    the folder are removed.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(os.path.join(folder, "a.txt")) as spare, open(spare, "w") as file:
    ...         _ = file.write("all of it")
    ...     os.listdir(folder)
    ['a.txt']
    """
    place = os.path.realpath(os.fspath(path))  # a link stays a link; its file is replaced
    folder = os.path.dirname(place)
    _check_place(path, place)
    _sweep(folder)
    spare = os.path.join(folder, f".treewright-{secrets.token_hex(8)}.tmp")
    with _naming(path, spare):
        handle = _created(spare)
        try:
            yield spare
            with open(spare, "rb+") as file:
                os.fsync(file.fileno())
            if os.path.exists(place):
                os.chmod(spare, stat.S_IMODE(os.stat(place).st_mode))
            os.replace(spare, place)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(spare)
            raise
        finally:
            if handle is not None:
                os.close(handle)
    _flush_folder(folder)


def _check_place(path: Path, place: str) -> None:
    """Refuse a place that no file can be written to."""
    if os.path.exists(place) and not os.path.isfile(place):
        raise ValueError(f"Cannot save to '{path}': it is a folder or a device, not a file.")
    folder = os.path.dirname(place)
    if not os.path.isdir(folder):
        asked = os.path.dirname(os.fspath(path)) or folder
        raise FileNotFoundError(errno.ENOENT, f"There is no folder '{asked}'; make it first", os.fspath(path))


@contextlib.contextmanager
def _naming(path: Path, spare: str) -> Iterator[None]:
    """Let an error of the system name the file that was asked for."""
    try:
        yield
    except OSError as error:
        if error.filename != spare:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def _created(spare: str) -> int | None:
    """Make the spare file. Return a handle that holds a lock on it: a sign to others that it is in use."""
    handle = os.open(spare, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    if fcntl is None:
        os.close(handle)
        return None
    with contextlib.suppress(OSError):  # a file system without locks: its age must do
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return handle


def _sweep(folder: str) -> None:
    """Remove the spare files that killed programs left in a folder: ours by name, old, held by nobody."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _SPARE.fullmatch(entry.name):
                with contextlib.suppress(OSError):  # another may be quicker, or it is not ours to remove
                    _remove_if_stale(entry)


def _remove_if_stale(entry: os.DirEntry[str]) -> None:
    about = entry.stat(follow_symlinks=False)
    if not stat.S_ISREG(about.st_mode) or time.time() - about.st_mtime < STALE:
        return
    if fcntl is None:
        os.unlink(entry.path)
        return
    handle = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # an OSError: its writer lives
        os.unlink(entry.path)
    finally:
        os.close(handle)


def _flush_folder(folder: str) -> None:
    """Make the renaming last through a power cut, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
