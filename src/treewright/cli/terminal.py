"""What the terminal can show: colours only where they are wanted, lines only where the encoding has them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

DRAWING = "│├└─→±…≤"


def console() -> Console:
    """Return a rich console on standard output: plain text in files and pipes, and where NO_COLOR is set."""
    from rich.console import Console

    return Console(file=sys.stdout, highlight=False, markup=False, soft_wrap=True)


def is_ascii_only(text: str = DRAWING) -> bool:
    """Return whether standard output cannot show a text; by default the lines of a drawn tree."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False
