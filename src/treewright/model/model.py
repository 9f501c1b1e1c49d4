"""The model that `tw.fit` gives: the tree, how good it is, in a sentence too, and how to get it again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from treewright.base.lines import Words, aligned, harmless
from treewright.base.notebook import html_table, preformatted
from treewright.base.numbers import count, number, percent
from treewright.base.signature import handing_on
from treewright.evaluate.answers import Answers
from treewright.evaluate.measures import scores as scores_of
from treewright.evaluate.score import Score
from treewright.model.rivals import Rivals
from treewright.model.verdict import verdict
from treewright.table import Table
from treewright.tree import Tree
from treewright.tree.losses import MEASURES

if TYPE_CHECKING:  # what the verbs of trees take
    from typing_extensions import Unpack

    from treewright.draw.picture import Picture
    from treewright.draw.plot import PlotOptions
    from treewright.explain.explanation import ExplainOptions, Explanation
    from treewright.report.write import ReportOptions


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted tree with its scores, a verdict in words, the rivals tried and the call that repeats it.

    >>> import treewright as tw
    >>> model = tw.fit(tw.example("vote"), "Class")
    >>> model.tree.n_leaves, model.repeat
    (6, "tw.grow(data, 'Class', 'c4.5', prune=tw.prune.ErrorBased())")
    >>> print(model.verdict)
    Right for 96.6 % of the rows held out; always saying democrat would be right for 61.4 %.
    """

    tree: Tree
    answers: Mapping[str, Answers]  # what it says of training rows, folds and test rows, beside the truth
    rivals: Rivals
    repeat: str
    notes: tuple[str, ...] = ()
    train: Table | None = None
    test: Table | None = None

    @cached_property
    def scores(self) -> Mapping[str, Mapping[str, Score]]:
        """The scores by part: training, folds, test.

        >>> import treewright as tw
        >>> sorted(tw.fit(tw.example("vote"), "Class").scores)
        ['10 folds', 'training']
        """
        found = {part: MappingProxyType(_scores(said)) for part, said in self.answers.items()}
        return MappingProxyType(found)

    @cached_property
    def verdict(self) -> str:
        """What the scores mean, in one line."""
        return verdict(self.tree, self.answers)

    def predict(self, data: Any, n_threads: int = 1, *, missing: str | None = None) -> NDArray[Any]:
        """Return the predicted class names, or numbers, one per row; `missing` as in `tw.Tree.predict`.

        >>> import treewright as tw
        >>> tw.fit(tw.example("vote"), "Class").predict(tw.example("vote"))[:2].tolist()
        ['republican', 'republican']
        """
        return self.tree.predict(data, n_threads, missing=missing)

    def predict_proba(
        self,
        data: Any,
        probabilities: str | None = None,
        n_threads: int = 1,
        *,
        missing: str | None = None,
    ) -> NDArray[Any]:
        """Return class probabilities, columns in the order of `tree.classes`.

        >>> import treewright as tw
        >>> tw.fit(tw.example("vote"), "Class").predict_proba(tw.example("vote")).shape
        (435, 2)
        """
        return self.tree.predict_proba(data, probabilities, n_threads, missing=missing)

    @handing_on(lambda: Tree.explain)
    def explain(self, row: Any, data: Any = None, **options: Unpack[ExplainOptions]) -> Explanation:
        """Return why a row is answered so, and what would change it; see `tw.Tree.explain`.

        >>> import treewright as tw
        >>> tw.fit(tw.example("vote"), "Class").explain(0, tw.example("vote")).prediction
        'republican'
        """
        return self.tree.explain(row, data, **options)

    def rules(self) -> Any:
        """Return the rules of the tree, one per leaf.

        >>> import treewright as tw
        >>> len(tw.fit(tw.example("vote"), "Class").rules().rules)
        6
        """
        return self.tree.rules()

    @handing_on(lambda: Tree.plot)
    def plot(
        self, path: str | os.PathLike[str] | None = None, data: Any = None, **options: Unpack[PlotOptions]
    ) -> Picture:
        """Return the picture of the tree, saved where a path is given; test rows are its second bar.

        >>> import treewright as tw
        >>> tw.fit(tw.example("vote"), "Class").plot()
        Picture(...)
        """
        return self.tree.plot(path, self.test if data is None else data, **options)

    @handing_on(lambda: Tree.report)
    def report(
        self, path: str | os.PathLike[str], data: Any = None, **options: Unpack[ReportOptions]
    ) -> None:
        """Write one HTML page about the tree; it is judged by `data`, else by the test rows.

        >>> import os, tempfile
        >>> import treewright as tw
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tw.fit(tw.example("vote"), "Class").report(os.path.join(folder, "vote.html"))
        ...     os.listdir(folder)
        ['vote.html']
        """
        if options.get("training") is None:
            options["training"] = self.train
        self.tree.report(path, self.test if data is None else data, **options)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tree to a file, which `tw.load` reads back.

        >>> import os, tempfile
        >>> import treewright as tw
        >>> model = tw.fit(tw.example("vote"), "Class")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(os.path.join(folder, "vote.treewright"))
        ...     tw.load(os.path.join(folder, "vote.treewright")) == model.tree
        True
        """
        self.tree.save(path)

    def _table(self) -> list[Words]:
        parts = list(self.answers)
        columns = [Words("", parts, "<"), Words("rows", [count(a.n_rows) for a in self.answers.values()])]
        for name in next(iter(self.scores.values())):
            shown = [_shown(name, self.scores[part][name]) for part in parts]
            columns.append(Words(_TITLES.get(name, name.replace("_", " ")), shown))
        return columns

    def to_text(self) -> str:
        """Return the tree, its scores, the verdict and the way to repeat it.

        >>> import treewright as tw
        >>> print(tw.fit(tw.example("vote"), "Class").to_text().splitlines()[0])
        Tree for Class: 6 leaves, depth 5, grown on 435 rows
        """
        lines = [str(self.tree), "", *aligned(self._table()), "", self.verdict, *self.notes]
        return "\n".join([*lines, f"Again: {self.repeat}"])

    def __str__(self) -> str:
        return harmless(self.to_text())

    def __repr__(self) -> str:
        return harmless(f"Model({self.tree!r})")

    def _repr_html_(self) -> str:
        picture = f'<div style="overflow-x:auto">{self.tree._repr_svg_()}</div>'
        said = preformatted("\n".join([self.verdict, *self.notes, f"Again: {self.repeat}"]))
        return picture + html_table(self._table()) + said


_TITLES = {"accuracy": "right", "balanced_accuracy": "balanced", "r2": "R2", "rmse": "RMSE", "mae": "MAE"}


def _scores(answers: Answers) -> dict[str, Score]:
    if answers.is_classes:
        return dict(scores_of(answers, ("accuracy", "balanced_accuracy")))
    names = tuple(dict.fromkeys(("r2", "rmse", "mae", MEASURES[answers.loss])))
    return dict(scores_of(answers, names))


def _shown(name: str, score: Score) -> str:
    if name in ("accuracy", "balanced_accuracy"):
        return percent(score.value, 1)
    return f"{score.value:.3f}" if name == "r2" else number(score.value)
