"""The folder of a spool: made, swept after programs that were killed, removed; what a full disk says."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from .budget import size

try:
    import fcntl
except ImportError:  # a system that lets nobody remove a file in use
    fcntl = None  # type: ignore[assignment]

PREFIX, LOCK, USED, WRITTEN = "treewright-spool-", "lock", "in-use", "being-written"
FRESH = 60.0  # seconds in which a folder may not be locked yet


@contextlib.contextmanager
def scratch(inside: str | os.PathLike[str] | None = None) -> Iterator[Path]:
    """Give an empty folder that is gone afterwards, whatever happens; None: where temporary files belong.

    Those that killed programs left beside it are removed.

    >>> with scratch() as folder:
    ...     was = folder.is_dir()
    >>> was, folder.exists()
    (True, False)
    """
    parent = Path(tempfile.gettempdir() if inside is None else inside)
    _sweep(parent)
    folder = parent / f"{PREFIX}{secrets.token_hex(8)}"
    folder.mkdir(mode=0o700)
    handle = -1
    try:
        handle = _locked(folder)
        yield folder
    finally:
        if handle >= 0:
            os.close(handle)
        shutil.rmtree(folder, ignore_errors=True)


def _locked(folder: Path) -> int:
    handle = os.open(folder / LOCK, os.O_WRONLY | os.O_CREAT, 0o600)
    if fcntl is not None:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return handle


def _sweep(parent: Path) -> None:
    """Remove the folders that nobody holds."""
    if fcntl is None:
        return
    with contextlib.suppress(OSError):
        for folder in parent.glob(f"{PREFIX}*"):
            with contextlib.suppress(OSError):  # held by its owner, or not ours
                if time.time() - folder.stat().st_mtime > FRESH:
                    _remove_if_free(folder)


def _remove_if_free(folder: Path) -> None:
    handle = os.open(folder / LOCK, os.O_WRONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(handle)


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait until no other program is at the same step with a folder.

    >>> with scratch() as folder, one_at_a_time(folder):
    ...     (folder / WRITTEN).exists()
    True
    """
    handle = os.open(folder / WRITTEN, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        if fcntl is not None:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


class InUse:
    """A folder that several programs may read, and one may write while nobody reads it.

    >>> with scratch() as folder:
    ...     with InUse(folder) as first, InUse(folder) as second:
    ...         alone = first.is_alone()
    ...     with InUse(folder) as only:
    ...         alone, only.is_alone()
    (False, True)
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self._handle = folder, -1

    def __enter__(self) -> InUse:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._handle = os.open(self.folder / USED, os.O_RDWR | os.O_CREAT, 0o600)
        if fcntl is not None:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(self._handle, fcntl.LOCK_SH)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def is_alone(self) -> bool:
        """Tell whether nobody else uses the folder, and keep others out if so; else all is as it was."""
        if fcntl is None:
            return True
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(self._handle, fcntl.LOCK_SH)
            return False
        except OSError:  # a file system without locks
            return True
        return True

    def share(self) -> None:
        """Let others in again."""
        if fcntl is not None:
            with contextlib.suppress(OSError):
                fcntl.flock(self._handle, fcntl.LOCK_SH)


def check_room(folder: Path, n_bytes: int) -> None:
    """Refuse to begin what the disk does not hold.

    >>> check_room(Path("."), 10**21)
    Traceback (most recent call last):
    OSError: [Errno 28] The spool takes 1e+09 TB, ...
    """
    free = shutil.disk_usage(folder).free
    if n_bytes > free:
        raise OSError(
            errno.ENOSPC,
            f"The spool takes {size(n_bytes)}, and the disk of {str(folder)!r} has {size(free)} left. Name a "
            "folder on a larger one: spool='/path/of/a/folder', or set TMPDIR",
        )


@contextlib.contextmanager
def naming_full_disk(folder: Path) -> Iterator[None]:
    """Turn the system's word for a full disk into what to do about it."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise OSError(
            error.errno,
            f"The disk of {str(folder)!r} is full ({size(shutil.disk_usage(folder).free)} left): the spool "
            "does not fit. Name a folder on a larger one: spool='/path/of/a/folder', or set TMPDIR",
        ) from None
