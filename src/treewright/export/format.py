"""A format as a value: its name, the ends of its files, the models it takes, and who writes it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from treewright.base.names import hint
from treewright.base.verbs import kind_of

WORDS, CODE, BYTES = "words", "code", "bytes"  # for people; a text to keep letter by letter; no text at all

Written = str | bytes
Writer = Callable[..., Written]

_IN_WORDS = {"tree": "a tree", "rules": "a set of rules", "forest": "a forest"}


@dataclass(frozen=True)
class Format:
    """A way to write a model. `writers` has a function for each kind of model that the format can carry.

    >>> import treewright as tw
    >>> sql = tw.export.FORMATS["sql"]
    >>> sql.suffixes, sql.kinds, sql.options_of("tree")
    (('.sql',), ('tree', 'rules'), ('table', 'name', 'dialect'))
    """

    name: str
    suffixes: tuple[str, ...]
    writers: Mapping[str, Writer]
    sentence: str
    content: str = CODE
    options: Mapping[str, str] = field(default_factory=dict)  # of the writers: what each means

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of models it takes: "tree", "rules", ..."""
        return tuple(self.writers)

    def options_of(self, kind: str) -> tuple[str, ...]:
        """Return the names of the options that a kind of model has in this format.

        >>> import treewright as tw
        >>> tw.export.FORMATS["text"].options_of("rules")
        ('full', 'ascii')
        """
        return tuple(self.parameters(kind))

    def parameters(self, kind: str) -> dict[str, inspect.Parameter]:
        """Return the options with their defaults.

        >>> import treewright as tw
        >>> tw.export.FORMATS["sql"].parameters("tree")["name"].default
        'prediction'
        """
        after_the_model = list(inspect.signature(self.writers[kind]).parameters.items())[1:]
        return dict(after_the_model)

    def write(self, model: Any, **options: Any) -> Written:
        """Return a model in this format; a model or an option that it cannot carry is refused.

        >>> import treewright as tw
        >>> tree = tw.grow(tw.example("tennis"), "PlayTennis", "stump")
        >>> tw.export.FORMATS["text"].write(tree, dialect="mysql")
        Traceback (most recent call last):
        TypeError: The format 'text' has no option 'dialect' for a tree; it takes max_depth, ascii, full.
        """
        kind = kind_of(model)
        if kind is None or kind not in self.writers:
            found = f"a {type(model).__name__}" if kind is None else _IN_WORDS[kind]
            taken = " or ".join(_IN_WORDS[kind] for kind in self.kinds)
            raise TypeError(f"The format {self.name!r} is for {taken}, not for {found}.")
        known = self.options_of(kind)
        for option in options:
            if option not in known:
                listed = f"it takes {', '.join(known)}" if known else "it takes none"
                raise TypeError(
                    f"The format {self.name!r} has no option {option!r} for {_IN_WORDS[kind]}; {listed}"
                    f"{hint(option, known) or '.'}"
                )
        return self.writers[kind](model, **options)
