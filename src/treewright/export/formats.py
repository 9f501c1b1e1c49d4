"""The table of formats, and which of them a name or the end of a file's name means."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from treewright.base.names import choice
from treewright.export import (
    databases,
    diagrams,
    excel,
    markdown,
    model_file,
    onnx,
    page,
    pmml,
    schema,
    scikit_learn,
    sql,
    text,
    treelite,
)
from treewright.export.code.rows import ONLY_SUMS
from treewright.export.code.rows import ROWS as CODE_ROWS
from treewright.export.format import BYTES, WORDS, Format, Writer

_MODELS = "a rule answers with a class or a number. Grow the tree with leaves='constant'."
ALL_KINDS = ("tree", "rules", "forest", "linear")
_DEPTH = {"max_depth": "Show so many levels of a tree."}
_ANSWER = "What is answered: label, probabilities, leaf or all."
_FULL = "Also say what missing values (gaps) and new categories do."


def _diagram(name: str, suffixes: tuple[str, ...], writer: Writer, sentence: str) -> Format:
    return Format(
        name=name,
        suffixes=suffixes,
        writers={"tree": writer},
        sentence=sentence,
        options=_DEPTH,
        carries=("conditions", "model gaps"),
    )


# A new format is a file here, with one function for each kind of model it can carry, and a row.
_ROWS = (
    Format(
        name="text",
        suffixes=(".txt",),
        writers={"tree": text.tree_text, "rules": text.rules_text},
        sentence="A tree as an indented listing, rules as numbered IF-THEN lines.",
        content=WORDS,
        options={
            "max_depth": "Show so many levels of a tree.",
            "ascii": "Use no sign but those of ASCII.",
            "full": _FULL,
        },
        carries=("conditions", "model gaps"),
    ),
    Format(
        name="md",
        suffixes=(".md",),
        writers={"tree": markdown.tree_markdown, "rules": markdown.rules_markdown},
        sentence="A Markdown table with a line for each rule.",
        content=WORDS,
        options={"full": _FULL},
        refuses={"models": _MODELS},
        carries=("conditions",),
    ),
    Format(
        name="json",
        suffixes=(".json", ".treewright", ".rules"),
        writers={"tree": model_file.tree_json, "rules": model_file.rules_json},
        sentence="The model itself, as `save` writes it: `treewright.load` reads it again.",
        carries=("conditions", "model gaps"),
    ),
    Format(
        name="sql",
        suffixes=(".sql",),
        writers=dict.fromkeys(ALL_KINDS, sql.model_sql),
        sentence="SQL expressions that answer as the model does, or a SELECT with them.",
        options={
            "table": "A SELECT on this table, not only the expression.",
            "name": "Of the column with the answers in that SELECT.",
            "dialect": "Of the database, such as duckdb or postgres.",
            "answer": _ANSWER,
        },
        refuses=ONLY_SUMS,
        carries=("conditions", "model gaps"),
        runner=databases.answers,
        representable=databases.representable,
    ),
    Format(
        name="sklearn",
        suffixes=(".pkl", ".pickle"),
        writers=dict.fromkeys(("tree", "forest"), scikit_learn.pickled),
        sentence="A fitted tree or forest of scikit-learn, pickled; `tw.export.to_sklearn` returns it.",
        content=BYTES,
        refuses=scikit_learn.REFUSES,
        runner=scikit_learn.answers,
        representable=scikit_learn.representable,
    ),
    Format(
        name="excel",
        suffixes=(".formula",),
        writers=dict.fromkeys(("tree", "rules"), excel.model_formula),
        sentence="A formula for Excel and other sheets, IFs inside each other.",
        options={"cell": "The first cell of the row, by default A2.", "answer": _ANSWER},
        carries=("conditions",),
        runner=excel.answers_of_formulas,
        representable=excel.representable,
    ),
    Format(
        name="xlsx",
        suffixes=(".xlsx",),
        writers=dict.fromkeys(ALL_KINDS, excel.model_workbook),
        sentence="A workbook with cells to fill, the answer, and every step.",
        content=BYTES,
        refuses=ONLY_SUMS,
        carries=("conditions",),
        runner=excel.answers_of_workbooks,
        representable=excel.representable,
    ),
    Format(
        name="html",
        suffixes=(".html", ".htm"),
        writers=dict.fromkeys(ALL_KINDS, page.model_html),
        sentence="One page with a field for each column, the answer and the way to it.",
        options={"title": "Of the page; by default the name of the target."},
        refuses=ONLY_SUMS,
        carries=("conditions", "model gaps"),
        runner=page.answers,
    ),
    Format(
        name="schema",
        suffixes=(".schema.json",),
        writers={"tree": schema.tree_schema, "rules": schema.rules_schema},
        sentence="The JSON Schema of the file that `save` writes for such a model.",
        carries=("conditions",),
    ),
    Format(
        name="onnx",
        suffixes=(".onnx",),
        writers=dict.fromkeys(ALL_KINDS, onnx.written),
        sentence="A graph of ONNX with the label, the probabilities and the leaf; in doubles.",
        content=BYTES,
        refuses=ONLY_SUMS,
        carries=("conditions", "model gaps"),
        runner=onnx.answers,
    ),
    Format(
        name="pmml",
        suffixes=(".pmml",),
        writers={
            "tree": pmml.tree_pmml,
            "rules": pmml.rules_pmml,
            "forest": pmml.forest_pmml,
            "linear": pmml.linear_pmml,
        },
        sentence="PMML 4.4, for scoring engines.",
        refuses=pmml.REFUSES,
        runner=pmml.answers,
    ),
    Format(
        name="treelite",
        suffixes=(".treelite", ".tl"),
        writers=dict.fromkeys(("tree", "forest"), treelite.written),
        sentence="A model of Treelite, whose engines give probabilities or numbers.",
        content=BYTES,
        refuses=treelite.REFUSES,
        runner=treelite.answers,
    ),
    _diagram(
        "dot",
        (".dot", ".gv"),
        diagrams.tree_dot,
        "A tree for Graphviz: `dot -Tsvg tree.dot -o tree.svg` draws it.",
    ),
    _diagram(
        "mermaid",
        (".mmd", ".mermaid"),
        diagrams.tree_mermaid,
        "A tree as a Mermaid flowchart, which GitHub and GitLab draw.",
    ),
    _diagram(
        "latex", (".tex",), diagrams.tree_latex, "A tree as a LaTeX document: TikZ, by the package forest."
    ),
    *CODE_ROWS,
)

FORMATS: Mapping[str, Format] = MappingProxyType({row.name: row for row in _ROWS})


def _ends() -> dict[str, Format]:
    return {suffix: row for row in FORMATS.values() for suffix in row.suffixes}


def format_for(path: str | os.PathLike[str]) -> Format:
    """Return the format that the end of a file's name means.

    >>> format_for("model.SQL").name
    'sql'
    >>> format_for("model.xls")
    Traceback (most recent call last):
    ValueError: No format ends its files like 'model.xls'. The ends are .txt (text), ...; or name ...
    """
    name = os.path.basename(os.fspath(path))
    ends = _ends()
    fitting = [suffix for suffix in ends if name.lower().endswith(suffix)]
    if fitting:
        return ends[max(fitting, key=len)]
    listed = ", ".join(f"{suffix} ({row.name})" for suffix, row in ends.items())
    raise ValueError(
        f"No format ends its files like {name!r}. The ends are {listed}; or name the format. "
        "A picture of a tree is drawn by plot."
    )


def format_named(name: Any) -> Format:
    """Return the format of this name, or of files that end so.

    >>> format_named("javascript") is format_named("js") is format_named(".js")
    True
    >>> format_named("SQL")
    Traceback (most recent call last):
    ValueError: format='SQL' is not one of 'text', 'md', 'json', 'sql', ...; did you mean 'sql'?
    """
    if isinstance(name, str) and name not in FORMATS and (row := _ends().get(f".{name.removeprefix('.')}")):
        return row
    return FORMATS[choice("format", name, FORMATS)]


def options_of_kind(kind: str) -> tuple[str, ...]:
    """Return the options that any format has for a kind of model.

    >>> "dialect" in options_of_kind("rules"), "max_depth" in options_of_kind("rules")
    (True, False)
    """
    return tuple(
        {name: None for row in FORMATS.values() if kind in row.kinds for name in row.options_of(kind)}
    )
