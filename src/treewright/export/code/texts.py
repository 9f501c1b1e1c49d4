"""Texts as literals of each language: quotes, line ends, signs that steer and NUL stay inside."""

from __future__ import annotations

from collections.abc import Callable

_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def _escaped(text: str, escape: Callable[[str], str]) -> str:
    """Return a text between quotes; what cannot be shown is written by `escape`."""
    letters = (
        _SHORT[letter] if letter in _SHORT else letter if _is_plain(letter) else escape(letter)
        for letter in text
    )
    return f'"{"".join(letters)}"'


def _is_plain(letter: str) -> bool:
    return letter.isprintable() and not "\ud800" <= letter <= "\udfff"


def python_text(text: str) -> str:
    r"""Return a literal of Python.

    >>> python_text('a "b"\n\0 \u202e')
    '"a \\"b\\"\\n\\x00 \\u202e"'
    """
    return _escaped(text, lambda c: f"\\x{ord(c):02x}" if c < "\x80" else _four_or_eight(c))


def _four_or_eight(letter: str) -> str:
    return f"\\u{ord(letter):04x}" if letter <= "\uffff" else f"\\U{ord(letter):08x}"


def javascript_text(text: str) -> str:
    r"""Return a literal of JavaScript.

    >>> javascript_text("</script>\0")
    '"<\\/script>\\u0000"'
    """
    return _escaped(text, lambda c: f"\\u{ord(c):04x}" if c <= "\uffff" else f"\\u{{{ord(c):x}}}").replace(
        "</", "<\\/"
    )


def java_text(text: str) -> str:
    r"""Return a literal of Java, whose unicode escapes are read before anything else.

    >>> java_text('a\x00b')
    '"a\\000b"'
    """

    def escape(letter: str) -> str:
        if letter < "\u0100":
            return f"\\{ord(letter):03o}"
        units = letter.encode("utf-16-be")
        return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))

    if len(text.encode()) > 65_000:
        raise ValueError(f"Java has no text of {len(text.encode()):,} bytes; the longest has 65,535.")
    return _escaped(text, escape)


def rust_text(text: str) -> str:
    r"""Return a literal of Rust.

    >>> rust_text("\0 \u202e")
    '"\\u{0} \\u{202e}"'
    """
    return _escaped(text, lambda c: f"\\u{{{ord(c):x}}}")


def go_text(text: str) -> str:
    r"""Return a literal of Go.

    >>> go_text("\0")
    '"\\x00"'
    """
    return _escaped(text, lambda c: f"\\x{ord(c):02x}" if c < "\x80" else _four_or_eight(c))


def c_text(text: str) -> str:
    r"""Return a literal of C: bytes of UTF-8, those that are not plain ASCII by their number.

    >>> c_text('é"??/')
    '"\\303\\251\\"\\?\\?/"'
    """
    found = []
    for byte in text.encode():
        letter = chr(byte)
        if letter in '"\\?':
            found.append(f"\\{letter}")
        else:
            found.append(letter if 32 <= byte < 127 else f"\\{byte:03o}")
    return f'"{"".join(found)}"'


def r_text(text: str) -> str:
    r"""Return a literal of R in plain ASCII: files are read in the locale's encoding. R has no NUL.

    >>> r_text("Größe")
    '"Gr\\u00f6\\u00dfe"'
    >>> r_text("a\0")
    Traceback (most recent call last):
    ValueError: R has no text with the letter NUL, but a name of the model holds one: 'a\x00'.
    """
    if "\0" in text:
        raise ValueError(
            f"R has no text with the letter NUL, but a name of the model holds one: {text!r:.80}."
        )
    letters = (
        _SHORT.get(c) or (c if " " <= c <= "~" else f"\\{ord(c):03o}" if c < "\x80" else _four_or_eight(c))
        for c in text
    )
    return f'"{"".join(letters)}"'
