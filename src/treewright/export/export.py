"""The verb `export`: a model, written in one of the formats of the table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from treewright.base.files import write_whole
from treewright.base.signature import with_parameters
from treewright.base.verbs import kind_of
from treewright.export.format import Written
from treewright.export.formats import format_for, format_named, options_of_kind
from treewright.export.options import ExportOptions, parameters
from treewright.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from typing_extensions import Unpack


def export(
    model: Any,
    path: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002 (the command line's word)
    **options: Unpack[ExportOptions],
) -> Any:
    """Write a model to a file in another format; without a path, return what would be written.

    The end of the path decides the format, or its name; `treewright.export.FORMATS` has them all, with the
    models and the options they take. A file is written whole or not at all, texts as UTF-8 with a last line
    end. What a format cannot say exactly as the model does is refused, with the reason.

    Args:
        model: a tree, a forest, a set of rules, a linear model; or an estimator with one of them.
        path: of the file.
        format: a name of `treewright.export.FORMATS`: "text", "sql", ...
        options: of the format; `treewright.export.FORMATS["sql"].options` says what each means.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
    >>> print(export(tree, format="md"))
    2 rules for PlayTennis, one for each leaf of the tree
    ...
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export(tree, os.path.join(folder, "tennis.sql"))
    ...     os.listdir(folder)
    ['tennis.sql']
    """
    if path is None and format is None:
        raise TypeError("export takes a path, whose end says the format, or format= and a name.")
    if format is not None:
        form = format_named(format)
    else:
        form = format_for(path)  # type: ignore[arg-type]  # one of the two is given
    given = {key: value for key, value in options.items() if value is not None}
    written = form.write(model_in(model), **given)
    if path is None:
        return written
    write_whole(path, in_file(written))
    return None


with_parameters(export, parameters(ExportOptions.__annotations__))


def to_text(
    rules: RuleSet,
    format: str = "text",  # noqa: A002 (the command line's word)
    **options: Unpack[ExportOptions],
) -> str:
    """Return rules to read: as "text" or "md", or as "json", "sql", ... for other programs.

    Options are those of the format, see `treewright.export.export`; for SQL see `treewright.rules.to_sql`.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
    >>> print(tree.rules().to_text("md"))
    2 rules for PlayTennis, one for each leaf of the tree
    ...
    """
    written: Written = export(rules, None, format, **options)
    if isinstance(written, bytes):
        raise ValueError(f"The format {format!r} is no text. Write it to a file: rules.export(path).")
    return written


with_parameters(to_text, parameters(options_of_kind("rules")))


def model_in(thing: Any) -> Any:
    """Return the model that an estimator holds; any other thing is returned as it is.

    >>> import treewright as tw
    >>> model_in(tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "b"]))
    Tree(y by x0: 3 nodes, 2 leaves, depth 1)
    """
    if kind_of(thing) is not None:
        return thing
    held = (getattr(thing, name, None) for name in ("rules_", "forest_", "tree_", "tree"))
    return next((model for model in held if kind_of(model) is not None), thing)


def in_file(written: Written) -> bytes:
    r"""Return what stands in the file: texts as UTF-8, with one end of line at their end.

    >>> in_file("SELECT 1"), in_file("SELECT 1\n"), in_file(b"\0")
    (b'SELECT 1\n', b'SELECT 1\n', b'\x00')
    """
    if isinstance(written, bytes):
        return written
    return f"{written.removesuffix(chr(10))}\n".encode()
