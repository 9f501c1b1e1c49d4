"""A format as a value: its name, the ends of its files, the models it takes, and who writes it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from treewright.base.names import hint
from treewright.base.verbs import kind_of
from treewright.export.features import FEATURES, features_of

if TYPE_CHECKING:
    from treewright.export.cells import Cells

# What a format refuses unless it says that it carries it, and why.
UNLESS_CARRIED: Mapping[str, str] = {
    "conditions": "it adds up numbers alone. Grow the tree with splits='linear' and "
    "linear_categories='none', or with tests on one column.",
    "calibrated": "it would say others. Export the model before it is calibrated.",
    "model gaps": "it has no word for what they add. Fill them before the tree is grown.",
}
WORDS, CODE, BYTES = "words", "code", "bytes"  # for people; a text to keep letter by letter; no text at all

Written = str | bytes
Writer = Callable[..., Written]

_IN_WORDS = {"tree": "a tree", "rules": "a set of rules", "forest": "a forest", "linear": "a linear model"}


class Answers(NamedTuple):
    """What was said of rows: labels or numbers; probabilities and nodes where there are some, else None."""

    labels: list[Any]  # None where refused
    chances: NDArray[Any] | None  # rows x classes
    leaves: NDArray[Any] | None
    refused: NDArray[Any]  # truths


class Job(NamedTuple):
    """A model to run in a format: `write(name=...)` gives its artefact, `cells` are the rows to answer."""

    model: Any
    cells: Cells
    options: Mapping[str, Any]
    write: Callable[..., Written]


Runner = Callable[[Sequence[Job]], list[Answers]]


class MissingToolError(RuntimeError):
    """What runs an artefact is not on this machine; the sentence says what to install.

    >>> str(MissingToolError("node", "Node.js", "nodejs"))
    "Node.js is needed to run this: the command 'node' is not found (Debian: apt-get install nodejs)."
    """

    def __init__(self, command: str, what: str, package: str) -> None:
        super().__init__(
            f"{what} is needed to run this: the command {command!r} is not found "
            f"(Debian: apt-get install {package})."
        )


class MissingPackageError(MissingToolError):
    """A package that writes or runs an artefact is not installed; the sentence says how to install it.

    >>> str(MissingPackageError("onnx", "onnx"))
    "The package onnx is needed for this and is not installed: pip install 'treewright[onnx]'."
    """

    def __init__(self, package: str, extra: str) -> None:
        RuntimeError.__init__(
            self,
            f"The package {package} is needed for this and is not installed: "
            f"pip install 'treewright[{extra}]'.",
        )


@dataclass(frozen=True)
class Format:
    """A way to write a model. `writers` has a function for each kind of model that the format can carry.

    `refuses` says of features (names of `treewright.export.FEATURES`) why the format cannot carry them; a key
    may name a kind of model too ("forest: gaps divide"). `runner` runs artefacts, for `verify`; None where
    there is nothing to run. `representable` makes rows that are tried into ones that the format can be given:
    numbers of its type, dates to the microsecond. Some features (`UNLESS_CARRIED`) are refused unless they
    stand in `carries`.

    >>> import treewright as tw
    >>> sql = tw.export.FORMATS["sql"]
    >>> sql.suffixes, sql.kinds, sql.options_of("tree")
    (('.sql',), ('tree', 'rules', 'forest', 'linear'), ('table', 'name', 'dialect', 'answer'))
    """

    name: str
    suffixes: tuple[str, ...]
    writers: Mapping[str, Writer]
    sentence: str
    content: str = CODE
    options: Mapping[str, str] = field(default_factory=dict)  # of the writers: what each means
    refuses: Mapping[str, str] = field(default_factory=dict)  # feature -> why it cannot be said
    carries: tuple[str, ...] = ()  # of the features that few formats know
    runner: Runner | None = None
    representable: Callable[[Cells, Mapping[str, Any]], Cells] | None = None

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
        """Return the options with their defaults; none for a kind that the format does not take.

        >>> import treewright as tw
        >>> tw.export.FORMATS["sql"].parameters("tree")["name"].default
        'prediction'
        """
        if kind not in self.writers:
            return {}
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
        reason = self.reason_against(model)
        if reason is not None:
            raise ValueError(reason)
        return self.writers[kind](model, **options)

    def reason_against(self, model: Any) -> str | None:
        """Return why this format cannot carry a model, None where it can.

        >>> import treewright as tw
        >>> tree = tw.grow(tw.example("iris"), "class", splits="linear", max_depth=3)
        >>> tw.export.FORMATS["numpy"].reason_against(tree)
        "The format 'numpy' has no word for tests on sums of several columns: ..."
        """
        kind = kind_of(model)
        if kind not in self.kinds:
            return f"The format {self.name!r} is not for {_IN_WORDS.get(kind or '', 'this')}."
        if not self.refuses and set(UNLESS_CARRIED) <= set(self.carries):
            return None
        for feature in features_of(model):
            why = self.refuses.get(f"{kind}: {feature}", self.refuses.get(feature))
            if why is None and feature not in self.carries:
                why = UNLESS_CARRIED.get(feature)
            if why is not None:
                return f"The format {self.name!r} has no word for {FEATURES[feature]}: {why}"
        return None
