"""Python with NumPy: trees as arrays, all rows on their way at once."""

from __future__ import annotations

from typing import Any

from treewright.base.verbs import kind_of
from treewright.export.code import program as p
from treewright.export.code.flow import Flow, flow_of, plain_forest
from treewright.export.code.naming import fields_of, head
from treewright.export.code.of_forest import Answers
from treewright.export.code.of_tree import words_of_nodes
from treewright.export.code.printer import wrapped
from treewright.export.code.python import PythonPrinter, constant
from treewright.export.code.scoring import ALIKE, slack_of
from treewright.export.code.texts import python_text
from treewright.export.code.walking import tables_of
from treewright.export.outline import outline_of

NODE = "the number of the node that each row ends in, as the tree counts its nodes"


class VectorisedPrinter(PythonPrinter):
    """Python that computes with NumPy; the model is a tree or a forest."""

    def __init__(self, model: Any) -> None:
        self.is_tree = kind_of(model) == "tree"
        fields = fields_of(model.schema.columns, model.used_columns.tolist())
        answers = Answers()
        labels: tuple[int, ...] = ()
        remarks: tuple[str, ...] = ()
        if self.is_tree:
            outline = outline_of(model)
            self.flow = flow_of([outline], fields, lambda _, node: node.number)
            chances = tuple(node.answer.chances for node in outline.nodes)
            labels = tuple(node.answer.label for node in outline.nodes)
            remarks = words_of_nodes(outline)
        else:
            self.flow, chances = _flow_of_forest(model, fields, answers)
        what = "What each node says" if self.is_tree else "What leaves say"
        flat = tuple(x for row in chances for x in row)
        tables = [p.Table("ANSWERS", p.NUMBER, flat, what, len(chances[0]), tuple(remarks))]
        if model.is_classifier and self.is_tree:
            tables.append(p.Table("LABELS", p.WHOLE, labels, "The class of each node, by its place"))
        kind = "A tree" if self.is_tree else f"A forest of {model.n_trees} trees"
        program = p.Program(
            about=head(kind, model, fields),
            model=model,
            classes=tuple(model.classes) if model.is_classifier else (),
            fields=fields,
            slots={"LABEL": 0},
            tables=(*tables, *tables_of(self.flow, fields)),
            functions=(),
            node=NODE if self.is_tree else "",
        )
        super().__init__(program, "model")

    def file(self) -> str:
        """Return the file."""
        program = self.program
        lines = [
            *self.remarks(),
            "",
            "import numpy as np",
            "",
            'NAN = float("nan")',
            'INFINITY = float("inf")',
        ]
        if program.classes:
            lines.append(
                f"CLASSES = np.array([{', '.join(map(python_text, program.classes))}], dtype=object)"
            )
        for field in program.fields:
            if field.kind != "number":
                known = ("False", "True") if field.kind == "truth" else field.column.categories
                pairs = [f"{python_text(name)}: {i}" for i, name in enumerate(known)]
                lines += ["", f"# Places of the categories of {field.name}.", f"{constant(field)} = {{",
                          *wrapped(pairs, self.step), "}"]  # fmt: skip
        lines += self.tables()
        costs = program.model.about.get("costs")
        if costs is not None:
            lines += [
                "",
                "# What an error costs: a line for each true class.",
                f"COSTS = np.array({costs!r})",
            ]
        names = {table.name for table in program.tables}
        lines += ["", "", *self.coded().strip("\n").split("\n"), "", "", *_WALK.strip("\n").split("\n")]
        text = "\n".join(lines) + _answered(program, costs)
        for name, empty in (
            ("SIDES", "np.zeros(1, int)"),
            ("JUMPS", "np.zeros(4, int)"),
            ("SHARES", "np.zeros(1)"),
        ):
            if name not in names:
                text = text.replace(f"{name}[", f"{empty}[")
        return text

    def table(self, table: p.Table, tab: str) -> list[str]:
        lines = super().table(table, tab)
        kind = "int" if table.type == p.WHOLE else "float"
        lines[0] = lines[0].replace(" = ", " = np.array(", 1)
        shape = f".reshape(-1, {len(self.program.classes) or 1})" if table.name == "ANSWERS" else ""
        lines[-1] += f", dtype={kind}){shape}"
        return lines

    def coded(self) -> str:
        """Return the function that makes whole numbers of columns."""
        lines, first = [], 0
        for field, cuts in zip(self.program.fields, self.flow.cuts, strict=True):
            name = python_text(field.column.name)
            if field.kind == "number":
                lines.append(f"        _ranks(rows[{name}], CUTS[{first} : {first + len(cuts)}]),")
            else:
                lines.append(f"        _places(rows[{name}], {constant(field)}, {field.kind == 'truth'}),")
            first += len(cuts)
        text = "\n".join(lines)
        text = _CODED.replace("@CELLS@", text).replace("CUTS[0 : 0]", "()")
        return text if any(self.flow.cuts) else text.replace("CUTS[", "np.zeros(0)[")


def _flow_of_forest(forest: Any, fields: Any, answers: Answers) -> tuple[Flow, Any]:
    flow = plain_forest(forest, fields)
    if flow is not None:
        return flow, flow.answers
    outlines = [outline_of(forest.tree(i)) for i in range(forest.n_trees)]
    flow = flow_of(outlines, fields, lambda _, node: answers.place(node.answer.chances))
    return flow, tuple(answers.places)


def _answered(program: p.Program, costs: Any) -> str:
    """Return the functions that a caller sees."""
    is_tree = bool(program.node)
    text = _ONE_TREE if is_tree else _FOREST.replace("@N@", str(program.model.n_trees))
    if not program.classes:
        return text + _NUMBERS + (_NODE if is_tree else "")
    slack = slack_of(costs) if is_tree else ALIKE
    worth = "chances" if costs is None else "-(chances @ COSTS)"
    text += _CLASSES.replace("@WORTH@", worth).replace("@SLACK@", repr(slack))
    own = "    whole = said[3] == 1\n    found[whole] = LABELS[said[2][whole]]\n" if is_tree else ""
    return text.replace("@OWN@", own) + (_NODE if is_tree else "")


_CODED = '''
def _coded(rows):
    """Return columns x rows: ranks among thresholds, places of categories; -1 a gap, -2 never seen."""
    cells = [
@CELLS@
    ]
    n_rows = len(next(iter(rows.values()))) if isinstance(rows, dict) else len(rows)
    return np.array(cells, dtype=int).reshape(len(cells), n_rows)


def _ranks(cells, cuts):
    """Return how many thresholds are less than each number; -1 where it is missing."""
    values = np.array([np.nan if x is None or x == "" else x for x in cells], dtype=float)
    return np.where(np.isnan(values), -1, np.searchsorted(cuts, values, side="left"))


_TRUTHS = {"true": "True", "1": "True", "yes": "True", "false": "False", "0": "False", "no": "False"}


def _places(cells, places, is_truth):
    """Return the place of each category; -1 where it is missing, -2 for one that is not known."""
    found = []
    for cell in cells:
        if cell is None or cell != cell:
            found.append(-1)
            continue
        if isinstance(cell, (float, np.floating)) and float(cell).is_integer() and abs(cell) < 2**53:
            cell = int(cell)
        word = str(cell)
        if is_truth:
            word = _TRUTHS.get(word.strip().casefold(), word)
        found.append(places.get(word, -2))
    return found
'''

_WALK = '''
def _walk(x, root):
    """Send all rows down one tree; return rows, what they end in, and weights; -1 where a row is refused."""
    n_rows = x.shape[1]
    rows, at, weight = np.arange(n_rows), np.full(n_rows, root), np.ones(n_rows)
    ended = []
    while len(rows):
        test = TEST[at]
        is_leaf, is_refused, is_divided = test == -1, test == -2, test == -3
        ended.append((rows[is_leaf], ARG[at[is_leaf]], weight[is_leaf]))
        ended.append((rows[is_refused], np.full(is_refused.sum(), -1), weight[is_refused]))
        parts = [_divided(*part) for part in zip(rows[is_divided], at[is_divided], weight[is_divided])]
        goes = test >= 0
        rows, at, weight, test = rows[goes], at[goes], weight[goes], test[goes]
        at = at + _steps(x[test // 16, rows], test, ARG[at], NO[at])
        if parts:
            more = [np.concatenate(each) for each in zip(*parts)]
            rows, at, weight = (np.concatenate(pair) for pair in zip((rows, at, weight), more))
    return [np.concatenate(each) for each in zip(*ended)]


def _steps(value, test, arg, no):
    """Return how far each row goes on."""
    is_set = test % 2 == 1
    in_set = SIDES[np.where(is_set & (value >= 0), arg + value, 0)]
    # 0 yes, 1 no, 2 never seen, 3 a gap
    side = np.where(value < 0, value + 4, np.where(is_set, in_set, value > arg))
    own = test // 8 % 2 == 1
    jump = JUMPS[np.where(own, no + side, 0)]
    side = np.where(side == 3, test // 2 % 2, np.where(side == 2, test // 4 % 2, side))
    return np.where(own, jump, np.where(side == 0, 1, no))


def _divided(row, at, weight):
    """Return the parts of a row that goes down every branch."""
    first = ARG[at]
    list_ = JUMPS[first + 1 : first + 1 + 2 * JUMPS[first]].reshape(-1, 2)
    return np.full(len(list_), row), at + list_[:, 0], weight * SHARES[list_[:, 1]]
'''

_ONE_TREE = '''

def _answer(rows):
    """Return for all rows: what is said, what is refused, the heaviest node, the number of parts."""
    x = _coded(rows)
    n_rows = x.shape[1]
    row, node, weight = _walk(x, 0)
    order = np.lexsort((-node, weight, row))  # of a row the heaviest part comes last, the first of equals
    row, node, weight = row[order], node[order], weight[order]
    refused = np.zeros(n_rows, bool)
    refused[row[node < 0]] = True
    chances = np.zeros((n_rows, ANSWERS.shape[1]))
    np.add.at(chances, row, ANSWERS[node] * weight[:, None])
    chances[refused] = np.nan
    heaviest = np.full(n_rows, -1)
    heaviest[row] = node
    heaviest[refused] = -1
    return chances, refused, heaviest, np.bincount(row, minlength=n_rows)
'''

_FOREST = '''

def _answer(rows):
    """Return for all rows: what is said, and what is refused."""
    x = _coded(rows)
    n_rows = x.shape[1]
    chances, refused = np.zeros((n_rows, ANSWERS.shape[1])), np.zeros(n_rows, bool)
    for root in ROOTS:
        row, answer, weight = _walk(x, root)
        refused[row[answer < 0]] = True
        np.add.at(chances, row, ANSWERS[answer] * weight[:, None])
    chances[refused] = np.nan
    return chances / @N@, refused
'''

_CLASSES = '''

def predict(rows):
    """Return the label of each row, of columns by name (a dict, a data frame); None where it is refused."""
    said = _answer(rows)
    chances, refused = said[:2]
    worth = @WORTH@
    found = np.argmax(worth >= worth.max(axis=1, keepdims=True) - @SLACK@, axis=1)
@OWN@    labels = CLASSES[found]
    labels[refused] = None
    return labels


def predict_proba(rows):
    """Return the probability of each class, rows x classes; NaN where a row is refused."""
    return _answer(rows)[0]
'''

_NUMBERS = '''

def predict(rows):
    """Return the number for each row, of columns by name (a dict, a data frame); NaN where it is refused."""
    return _answer(rows)[0][:, 0]
'''

_NODE = f'''

def node(rows):
    """Return {NODE}; -1 where it is refused."""
    return _answer(rows)[2]
'''
