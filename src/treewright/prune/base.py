"""What every way to prune is: an object with options that says what evidence it needs, and that evidence."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from treewright.base.progress import Watcher
from treewright.prune.regrow import Regrow
from treewright.prune.sample import Sample, sample_of
from treewright.table import Table
from treewright.tree import Tree

# What a method must be given besides the tree.
NEEDS = {
    "nothing": "",
    "training": "the table the tree was grown on",
    "validation": "a validation table: rows with their answers that the tree was not grown on",
}


@dataclass(frozen=True)
class Evidence:
    """What a method may look at: the table it needs, weights of its rows, and how to grow on some of them.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> tw.prune.ReducedError()(tree, Evidence(table, weights=[1] * 8)).n_leaves
    4
    """

    table: Table | Sample | None = None
    weights: Any = None
    regrow: Regrow | None = None
    n_jobs: int = 1
    progress: Watcher | None = None

    def sample(self, tree: Tree) -> Sample:
        """Return the rows in the tree's codes.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
        >>> tree = tw.grow(table, target="y")
        >>> Evidence(table).sample(tree).n_rows
        8
        """
        return sample_of(tree, self.rows, self.weights)

    @property
    def rows(self) -> Table | Sample:
        """The table, for a method that has said that it needs one.

        >>> import treewright as tw
        >>> Evidence(tw.example("tennis")).rows.n_rows
        14
        """
        assert self.table is not None, "a method asks for rows only where it needs them"
        return self.table

    @property
    def over_folds(self) -> dict[str, Any]:
        """How trees are grown on folds, as arguments: by whom, how many at once, and who watches.

        >>> Evidence(n_jobs=2).over_folds
        {'regrow': None, 'n_jobs': 2, 'progress': None}
        """
        return {"regrow": self.regrow, "n_jobs": self.n_jobs, "progress": self.progress}


@dataclass(frozen=True)
class Method:
    """One way to prune, with its options: call it with a tree and the evidence it needs.

    A new method is a class of this kind and a row in `treewright.prune.method`. `needs` is "nothing",
    "training" or "validation".

    >>> from treewright.prune import ErrorBased, ReducedError
    >>> ErrorBased(raising=False).needs, ReducedError.name
    ('nothing', 'reduced_error')
    """

    name: ClassVar[str]
    # Options that tell how to come by the evidence; the function itself does not take them.
    own: ClassVar[tuple[str, ...]] = ()

    @property
    def needs(self) -> str:
        """What the method must be given besides the tree."""
        return "nothing"

    @property
    def moves_branches(self) -> bool:
        """Whether a branch may take the place of its parent, so that rows come to it that were elsewhere."""
        return False

    def __call__(self, tree: Tree, evidence: Evidence | Table | Sample | None = None) -> Tree:
        """Return the pruned tree."""
        given = evidence if isinstance(evidence, Evidence) else Evidence(evidence)
        if self.needs != "nothing" and given.table is None:
            raise ValueError(
                f"{self.name} needs {NEEDS[self.needs]}. Give it: "
                f"tw.prune.{type(self).__name__}(...)(tree, table), or estimator.prune({self.name!r}, X, y)."
            )
        return self.prune(tree, given)

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:
        """Return the pruned tree; the evidence is there.

        >>> import treewright as tw
        >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
        >>> tw.prune.CostComplexity(alpha=1.0).prune(tree, Evidence()).n_leaves
        1
        """
        raise NotImplementedError

    def options(self) -> dict[str, Any]:
        """Return the options of the function behind the method.

        >>> from treewright.prune import ErrorBased
        >>> ErrorBased(confidence=0.1).options()["confidence"]
        0.1
        """
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in self.own}

    def words(self) -> str:
        """Return the method and what of it is not as usual, for a tree's `about`.

        >>> from treewright.prune import ErrorBased
        >>> ErrorBased(confidence=0.1).words()
        'error_based(confidence=0.1)'
        """
        told = []
        for f in fields(self):
            value = getattr(self, f.name)
            is_plain = value is None or isinstance(value, (str, int, float))
            if is_plain and value != f.default:
                told.append(f"{f.name}={value!r}")
            elif not is_plain and value is not f.default:  # arrays are not for one line
                told.append(f"{f.name}=...")
        return f"{self.name}({', '.join(told)})" if told else self.name
