"""What the terminal can show: colours only where they are wanted, lines only where the encoding has them."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

DRAWING = "│├└─→±…≤"


def console(file: IO[str] | None = None) -> Console:
    """Return a rich console on standard output, or on another stream.

    It writes plain text in files and pipes, and where NO_COLOR is set.
    """
    from rich.console import Console

    class Open(Console):
        """A closed pipe is told like anywhere else; rich would leave with 1, as if the input were bad."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Open(file=file or sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=True)


def is_ascii_only(text: str = DRAWING, file: IO[str] | None = None) -> bool:
    """Return whether standard output, or another stream, cannot show a text: by default a tree's lines."""
    try:
        text.encode(getattr(file or sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False
