"""JavaScript modules as one script: a page that is a file cannot import from other files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_IMPORT = re.compile(r'^import \{([\w,\s]+)\} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)
_LEFT = re.compile(r"^\s*(?:import|export)\b.*$", re.MULTILINE)


def joined(modules: Mapping[str, str]) -> str:
    """Return one script that runs the modules in their order; each sees only what it imports.

    Two forms are understood, each at the beginning of a line: `import { a, b } from "./name.js";` and
    `export` before a function or a const.

    >>> print(joined({"one": "export const x = 1;", "two": 'import { x } from "./one.js";'}))
    "use strict";
    const one_js = (() => {
    const x = 1;
    return { x };
    })();
    const two_js = (() => {
    const { x } = one_js;
    return {  };
    })();
    """
    return "\n".join(['"use strict";', *_scopes(modules)])


def _scopes(modules: Mapping[str, str]) -> Iterator[str]:
    known: set[str] = set()
    for name, source in modules.items():
        names = ", ".join(_EXPORT.findall(source))
        for _, other in _IMPORT.findall(source):
            if other not in known:
                raise ValueError(f"Module {name!r} imports from {other!r}, which does not come before it.")
        body = _EXPORT.sub("", _IMPORT.sub(r"const {\1} = \2_js;", source)).rstrip()
        if odd := _LEFT.search(body):
            raise ValueError(f"Module {name!r} has a line that cannot be joined: {odd.group().strip()!r:.80}")
        if "</script" in body.lower() or "<!--" in body:
            raise ValueError(f"Module {name!r} holds a text that would end the script.")
        known.add(name)
        yield f"const {name}_js = (() => {{\n{body}\nreturn {{ {names} }};\n}})();"
