"""For all tests: no time limit per example (machines are shared); CI draws the same examples every time.

`./dev test --all` tries four times as many.
"""

import os

from hypothesis import settings

settings.register_profile(
    "treewright",
    max_examples=200 if "TREEWRIGHT_EXAMPLES" in os.environ else 30,
    deadline=None,
    derandomize="CI" in os.environ,
    print_blob=True,
)
settings.load_profile("treewright")
