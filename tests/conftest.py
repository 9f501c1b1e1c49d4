"""For all tests: no time limit per example (machines are shared); CI draws the same examples every time."""

import os

from hypothesis import settings

settings.register_profile("treewright", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("treewright")
