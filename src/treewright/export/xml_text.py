"""XML as text: elements with attributes and children, escaped, the same bytes each time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)
_NEVER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, eq=False)
class Element:
    """An element: its name, its attributes, and what is inside, either elements or text."""

    name: str
    attributes: Mapping[str, str]
    children: tuple[Element, ...]
    text: str | None


def element(
    name: str,
    attributes: Mapping[str, str] | None = None,
    children: Iterable[Element] = (),
    text: str | None = None,
) -> Element:
    """Return an element.

    >>> print(document(element("a", {"b": '<"&'}, [element("c", text="d")])))
    <?xml version="1.0" encoding="UTF-8"?>
    <a b="&lt;&quot;&amp;">
      <c>d</c>
    </a>
    """
    return Element(name, attributes or {}, tuple(children), text)


def escaped(text: str) -> str:
    r"""Return a text as it stands between quotes or tags; what XML has no word for is refused.

    >>> escaped("a<b>\n"), escaped("a'b")
    ('a&lt;b&gt;&#10;', "a'b")
    >>> escaped("a\0")
    Traceback (most recent call last):
    ValueError: The name 'a\x00' holds a character that XML has no word for; replace it in the table.
    """
    if _NEVER.search(text):
        raise ValueError(
            f"The name {text!r:.60} holds a character that XML has no word for; replace it in the table."
        )
    return text.translate(_ESCAPES)


def document(root: Element, declaration: str = '<?xml version="1.0" encoding="UTF-8"?>\n') -> str:
    """Return an element and all inside it as a text, a line for each, indented."""
    lines: list[str] = []
    stack: list[tuple[Element | str, int]] = [(root, 0)]
    while stack:
        at, depth = stack.pop()
        if isinstance(at, str):
            lines.append(f"{'  ' * depth}{at}")
            continue
        start = at.name + "".join(f' {key}="{escaped(value)}"' for key, value in at.attributes.items())
        if at.text is not None:
            lines.append(f"{'  ' * depth}<{start}>{escaped(at.text)}</{at.name}>")
        elif not at.children:
            lines.append(f"{'  ' * depth}<{start}/>")
        else:
            lines.append(f"{'  ' * depth}<{start}>")
            stack.append((f"</{at.name}>", depth))
            stack += [(child, depth + 1) for child in reversed(at.children)]
    return declaration + "\n".join(lines)
