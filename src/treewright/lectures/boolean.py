"""Any Boolean function as a tree; XOR, which has no gain at the root."""

from __future__ import annotations

from itertools import product

from treewright.fitting import grow
from treewright.lectures.blackboard import divided, gain_steps
from treewright.lectures.lesson import Lesson, Step
from treewright.lectures.slide import Slide
from treewright.table import Table
from treewright.tree import Tree

N_INPUTS = 3


def boolean() -> Lesson:
    """Return every Boolean function of three inputs as a tree, and ID3 on XOR under both stopping rules.

    >>> [step.value for step in boolean().steps if step.what.startswith("Functions")]
    [256, 256]
    """
    about = (
        "Lectures 000 and 002: a tree can represent any Boolean function. Lecture 004 lets ID3 stop when "
        "no column has any gain, the others only when the answers agree or no column is left. On XOR that "
        "makes all the difference."
    )
    return Lesson("boolean", "Boolean functions and XOR", about, (*_every_function(), *_xor()))


def truth_table(outputs: int, n_inputs: int = N_INPUTS) -> Table:
    """Return the truth table of the function whose outputs are the bits of a number.

    >>> truth_table(0b0110, 2).labels("y").tolist()
    ['no', 'yes', 'yes', 'no']
    """
    rows = list(product("01", repeat=n_inputs))
    columns = {f"x{i + 1}": [row[i] for row in rows] for i in range(n_inputs)}
    answers = ["yes" if outputs >> i & 1 else "no" for i in range(len(rows))]
    orders = {**{name: ["0", "1"] for name in columns}, "y": ["no", "yes"]}
    return Table.from_dict({**columns, "y": answers}, categories=orders)


def _every_function() -> list[Step]:
    part = f"All functions of {N_INPUTS} inputs"
    n_right, largest = 0, 0
    n_functions = 2**2**N_INPUTS
    for outputs in range(n_functions):
        table = truth_table(outputs)
        tree = grow(table, "y", "id3")
        n_right += bool((tree.predict(table) == table.labels("y")).all())
        largest = max(largest, tree.n_leaves)
    return [
        Step(f"Functions of {N_INPUTS} inputs", "2^(2^n)", f"2^(2^{N_INPUTS})", n_functions, part=part),
        Step("Functions that the tree by ID3 represents without an error", "", "", n_right, part=part),
        Step("Leaves of the largest tree", "2^n", f"2^{N_INPUTS}", largest, part=part),
    ]


def _xor() -> list[Step]:
    part = "XOR of two inputs"
    table = truth_table(0b0110, 2)
    tree = grow(table, "y", "id3", ledger=True)
    gain = {record["column"]: record["gain"] for record in tree.candidates(0)}
    steps = []
    for column in ("x1", "x2"):
        steps += gain_steps(
            divided(table, column, "y"), tree.stats[0].tolist(), gain[column], tree.classes, {}, part
        )
    stopped = grow(table, "y", "id3", min_gain=1e-9)
    wrong = [int((t.predict(table) != table.labels("y")).sum()) for t in (tree, stopped)]
    return [
        *steps,
        Step(
            "Leaves, asking on without a gain (lectures 000, 001, 002)",
            "",
            "",
            tree.n_leaves,
            part=part,
            note=f"{wrong[0]} of 4 rows are wrong. This is the recipe id3.",
        ),
        Step(
            "Leaves, stopping where no column gains (lecture 004)",
            "",
            "",
            stopped.n_leaves,
            part=part,
            note=f"{wrong[1]} of 4 rows are wrong. This is the setting min_gain.",
        ),
        Step(
            "Most often that a path asks for one column",
            "",
            "",
            _most_asked(tree),
            Slide("004:303", "1"),
            part=part,
        ),
    ]


def _most_asked(tree: Tree) -> int:
    """Return how often a path asks for the same column, at most."""
    ways = (tree.path_to(leaf)[:-1] for leaf in tree.leaf_ids.tolist())
    asked = ([int(tree.column[node]) for node in way] for way in ways)
    return max(way.count(column) for way in asked for column in way)
