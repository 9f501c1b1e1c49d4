"""A model as a small service: rows over HTTP in, answers out.

`treewright serve MODEL` starts it; `application(model)` is the same for a server of your own (ASGI). Both
need the extra `treewright[serve]`.
"""

from treewright.serve.application import application
from treewright.serve.limits import Limits
from treewright.serve.server import serve

__all__ = ["Limits", "application", "serve"]


def __dir__() -> list[str]:
    return sorted(__all__)
