"""A tree as text that other programs draw: Graphviz (DOT), Mermaid, LaTeX (TikZ with the package forest)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from treewright.base.lines import harmless
from treewright.base.numbers import count, number, percent
from treewright.tree import Tree, models, node, split

_LONGEST, _MOST = 40, 6  # letters of a name, categories of a set


class Mark(NamedTuple):
    """A node as it is drawn: its number, the words in it, line by line, and its branches with their words."""

    number: int
    lines: tuple[str, ...]
    branches: tuple[tuple[int, str], ...]  # none: nothing is asked here, or it is not shown

    @property
    def is_leaf(self) -> bool:
        """True where nothing hangs below."""
        return not self.branches


def marks(tree: Tree, max_depth: int | None = None) -> Iterator[Mark]:
    """Yield the nodes to draw in preorder; those at `max_depth` are shown as what they would say as leaves.

    >>> from treewright.tree.example import tennis
    >>> [mark.lines for mark in marks(tennis(), max_depth=1)][:2]
    [('Outlook',), ('… No 60 %', '5 rows, 2 errors; 2 leaves below')]
    """
    if max_depth is not None and (type(max_depth) is not int or max_depth < 0):
        raise ValueError(f"max_depth must be None or a whole number from 0 up, found {max_depth!r}.")
    style = split.Style(most=_MOST, longest=_LONGEST, short=split.short_cuts(tree.about))
    i = 0
    while i < tree.n_nodes:
        is_end = tree.is_leaf(i) or (max_depth is not None and int(tree.depths[i]) >= max_depth)
        if is_end:
            yield Mark(i, _answer(tree, i, style), ())
            i = int(tree.end[i])
            continue
        words = split.answers(tree, i, style)
        yield Mark(
            i,
            (harmless(split.question(tree, i, style)),),
            tuple(zip(tree.children(i), map(harmless, words), strict=True)),
        )
        i += 1


def _answer(tree: Tree, i: int, style: split.Style) -> tuple[str, ...]:
    at = node.describe(tree, i)
    n_below = 0 if at.is_leaf else int(tree.leaf_mask[i : int(tree.end[i])].sum())
    counts = count(at.n_rows, "row")
    if isinstance(at.prediction, str):
        share = max(at.shares, default=0.0)
        said = split.name(at.prediction, style)
        if at.errors:
            said += f" {percent(at.shares[int(tree.label[i])])}" if share else ""
            counts += f", {count(at.errors, 'error')}"
    else:
        said = number(at.prediction, 4)
        said += f" ± {number(at.spread, 3)}" if at.spread else ""
    said = models.words(tree, i) or said
    if n_below:
        said, counts = f"… {said}", f"{counts}; {count(n_below, 'leaf', 'leaves')} below"
    return harmless(said), counts


def _escaper(signs: Mapping[str, str]) -> Callable[[str], str]:
    table = str.maketrans({"\n": " ", "\t": " ", **signs})
    return lambda text: text.translate(table)


# ---- DOT -----------------------------------------------------------------------------------------------

_in_dot = _escaper({'"': '\\"', "\\": "\\\\", "&": "&amp;"})


def tree_dot(tree: Tree, max_depth: int | None = None) -> str:
    r"""Return a tree in the language of Graphviz: `dot -Tsvg tree.dot -o tree.svg` draws it.

    >>> import treewright as tw
    >>> print(tree_dot(tw.grow(tw.example("tennis"), "PlayTennis", "stump")))
    digraph "PlayTennis" {
      node [shape=box, style=rounded, fontname="Helvetica"];
      edge [fontname="Helvetica", fontsize=11];
      0 [label="Humidity"];
      0 -> 1 [label="= High"];
      0 -> 2 [label="= Normal"];
      1 [label="No 57 %\n7 rows, 3 errors", style="rounded,filled", fillcolor="#eeeeee"];
      2 [label="Yes 86 %\n7 rows, 1 error", style="rounded,filled", fillcolor="#eeeeee"];
    }
    """
    lines = [
        f'digraph "{_in_dot(harmless(tree.target.name))}" {{',
        '  node [shape=box, style=rounded, fontname="Helvetica"];',
        '  edge [fontname="Helvetica", fontsize=11];',
    ]
    for mark in marks(tree, max_depth):
        label = "\\n".join(map(_in_dot, mark.lines))
        look = ', style="rounded,filled", fillcolor="#eeeeee"' if mark.is_leaf else ""
        lines.append(f'  {mark.number} [label="{label}"{look}];')
        lines += [f'  {mark.number} -> {child} [label="{_in_dot(words)}"];' for child, words in mark.branches]
    return "\n".join([*lines, "}"])


# ---- Mermaid -------------------------------------------------------------------------------------------

# Numbers of characters between # and ; are Mermaid's own escapes.
_in_mermaid = _escaper({sign: f"#{ord(sign)};" for sign in '#"&<>`\\|[]{}()%;:*_~$'})


def tree_mermaid(tree: Tree, max_depth: int | None = None) -> str:
    """Return a tree as a Mermaid flowchart, which GitHub, GitLab and many notebooks draw.

    >>> import treewright as tw
    >>> print(tree_mermaid(tw.grow(tw.example("tennis"), "PlayTennis", "stump")))
    flowchart TD
      n0["Humidity"]
      n0 -->|"= High"| n1
      n0 -->|"= Normal"| n2
      n1(["No 57 #37;<br/>7 rows, 3 errors"])
      n2(["Yes 86 #37;<br/>7 rows, 1 error"])
    """
    lines = ["flowchart TD"]
    for mark in marks(tree, max_depth):
        label = "<br/>".join(map(_in_mermaid, mark.lines))
        left, right = ("([", "])") if mark.is_leaf else ("[", "]")
        lines.append(f'  n{mark.number}{left}"{label}"{right}')
        lines += [f'  n{mark.number} -->|"{_in_mermaid(words)}"| n{child}' for child, words in mark.branches]
    return "\n".join(lines)


# ---- LaTeX ---------------------------------------------------------------------------------------------

_WORDS = {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    '"': "\\textquotedbl{}",
    "`": "\\textasciigrave{}",
    "'": "\\textquotesingle{}",
    "±": "\\ensuremath{\\pm}",
    "…": "\\dots{}",
    **{sign: f"\\{sign}" for sign in "{}$&#_%"},
    "[": "{[}",
    "]": "{]}",
    ",": "{,}",
    "=": "{=}",
    ";": "{;}",
    "-": "{-}",
}
_in_latex = _escaper(_WORDS)
_HEAD = """\\documentclass[tikz,border=4pt]{standalone}
\\usepackage[T1]{fontenc}
\\usepackage{textcomp}
\\usepackage{forest}
\\begin{document}
\\begin{forest}
  for tree={draw, rounded corners, align=center, font=\\small, l sep=9mm, s sep=4mm, inner sep=4pt},
  answer/.style={edge label={node[midway, fill=white, inner sep=1pt, font=\\scriptsize]{#1}}},
  leaf/.style={fill=black!6},"""


def tree_latex(tree: Tree, max_depth: int | None = None) -> str:
    r"""Return a tree as a LaTeX document: TikZ by the package forest; `pdflatex tree.tex` draws it.

    What stands between \begin{forest} and \end{forest} can be put into a document of yours. Letters that
    pdflatex does not know, such as those of other scripts, need lualatex or xelatex.

    >>> import treewright as tw
    >>> print(tree_latex(tw.grow(tw.example("tennis"), "PlayTennis", "stump")).splitlines()[-6])
      [{Humidity}
    """
    words: dict[int, str] = {}
    lines = [_HEAD]
    depth = 0
    ends: list[int] = []
    for mark in marks(tree, max_depth):
        while ends and mark.number >= ends[-1]:
            ends.pop()
            depth -= 1
            lines.append(f"{'  ' * (depth + 1)}]")
        label = " \\\\ ".join(map(_in_latex, mark.lines))
        more = f", answer={{{words.pop(mark.number)}}}" if mark.number in words else ""
        if mark.is_leaf:
            lines.append(f"{'  ' * (depth + 1)}[{{{label}}}{more}, leaf]")
            continue
        lines.append(f"{'  ' * (depth + 1)}[{{{label}}}{more}")
        ends.append(int(tree.end[mark.number]))
        depth += 1
        words |= {child: _in_latex(said) for child, said in mark.branches}
    lines += [f"{'  ' * d}]" for d in range(depth, 0, -1)]
    return "\n".join([*lines, "\\end{forest}", "\\end{document}"])
