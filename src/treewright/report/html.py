"""Facts in, one page out: style, script and data in one file that asks nothing of anybody."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from html import escape
from importlib import resources
from typing import Any

from treewright.report.script import joined

# Each after those it imports from.
MODULES = ("dom", "words", "model", "fold", "route", "row", "change", "rules", "filter", "search", "layout",
           "colours", "chart", "blocks", "far", "minimap", "view", "icicle", "distribution", "details",
           "section", "panel", "filterbar", "summary", "sizes", "whatif", "rulelist", "importance",
           "mistakes", "leaves", "downloads", "origin", "main")  # fmt: skip

HEAD = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="treewright {version}">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
"""
_PAGE = (
    HEAD
    + """\
<noscript>
<h1>{title}</h1>
<p>The parts of this page that move need JavaScript. Without it, this is the tree:</p>
<pre>{text}</pre>
</noscript>
<div id="report"></div>
<script type="application/json" id="facts">{facts}</script>
<script>{script}</script>
</body>
</html>
"""
)


def page(facts: Mapping[str, Any]) -> bytes:
    """Return the page for the facts of a report: ASCII, the same for the same facts.

    >>> import treewright as tw
    >>> from treewright.report import facts
    >>> tree = tw.grow(tw.Table.from_dict({"<script>": [1, 2], "y": ["a", "b"]}), target="y")
    >>> made = page(facts(tree))
    >>> made.startswith(b"<!doctype html>"), made.count(b"<script"), b"http://" in made or b"https://" in made
    (True, 2, False)
    """
    style, script = _read("style.css"), joined({name: _read(f"{name}.js") for name in MODULES})
    policy = (
        f"default-src 'none'; script-src {hash_of(script)}; style-src {hash_of(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    told = {key: value for key, value in facts.items() if key != "text"}
    text = _PAGE.format(
        policy=policy,
        version=escape(str(facts["made"]["versions"]["treewright"])),
        title=escape(printable(facts["title"])),
        style=style,
        text=escape(printable(facts["text"])),
        facts=in_script(told),
        script=script,
    )
    return text.encode("ascii", errors="xmlcharrefreplace")


def in_script(value: Any) -> str:
    r"""Return JSON that no browser can take for anything but data.

    >>> in_script({"</script>": "é & <!--"})
    '{"\\u003c/script\\u003e":"\\u00e9 \\u0026 \\u003c!--"}'
    """
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def printable(text: str) -> str:
    """Return a text without what HTML has no sign for."""
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)


def _read(name: str) -> str:
    return (resources.files(__package__) / "web" / name).read_text(encoding="ascii")


def hash_of(text: str) -> str:
    """Return the word by which a content policy knows a style or a script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('ascii')).digest()).decode('ascii')}'"
