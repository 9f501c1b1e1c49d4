"""Is an error a sentence of ours about what was given, or a slip of the program?"""

from __future__ import annotations

import traceback
from pathlib import Path

PACKAGE = str(Path(__file__).parents[1])


def is_refusal(error: BaseException) -> bool:
    """Return whether treewright itself refused something, in a sentence; not a slip of the program.

    >>> is_refusal(KeyError("x")), is_refusal(ZeroDivisionError("division by zero"))
    (False, False)
    """
    if not isinstance(error, (ValueError, TypeError, LookupError, ImportError)) or not error.args:
        return False
    frames = traceback.extract_tb(error.__traceback__)
    if not frames or not frames[-1].filename.startswith(PACKAGE) or " " not in str(error.args[0]):
        return False
    line = (frames[-1].line or "raise").strip()
    return line.startswith("raise")  # and no call that went wrong by itself
