"""Treelite: a model that its compilers and engines run, as the bytes that Treelite reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treewright.base.verbs import kind_of
from treewright.export.binary import REFUSED, Leaf, Part, in_preorder, two_ways
from treewright.export.format import Answers, Job, MissingPackageError
from treewright.export.outline import Outline, outline_of
from treewright.export.scikit_learn import codes_of

_DIVIDED = "it sends every row down one branch. Grow the tree with missing='learned'."
REFUSES = {
    "gaps divide": _DIVIDED,
    "unseen divide": "it sends every row down one branch. Grow the tree with unseen='most_common'.",
    "gaps surrogate": "it knows no tests that stand in for others. Grow the tree with missing='learned'.",
    "gaps refuse": "it has an answer for every row. Grow the tree with missing='learned'.",
    "unseen refuse": "it has an answer for every row. Grow the tree with unseen='most_common'.",
    "intervals": "it compares numbers only. Grow the tree without discretise.",
    "sums": "it asks about one column at a time. Grow the tree without splits='linear'.",
    "models": "its leaves hold numbers. Grow the tree with leaves='constant'.",
    "costs": "it answers with probabilities, from which the costs choose.",
}


def to_treelite(model: Any) -> Any:
    """Return a `treelite.Model` that answers with probabilities, or with numbers, as a tree or forest does.

    Categories are codes from 0, in the order of the schema; one that nobody knows is the code after the last,
    and a gap is NaN. The package treelite must be installed.

    >>> import treewright as tw
    >>> theirs = to_treelite(tw.grow(tw.example("iris"), "class", max_depth=2))
    >>> theirs.num_tree, theirs.num_feature
    (1, 4)
    """
    from treewright.export.formats import FORMATS  # which has this as one of its rows

    reason = FORMATS["treelite"].reason_against(model)
    if reason is not None:
        raise ValueError(reason)
    builder = _builder()
    trees = [model.tree(i) for i in range(model.n_trees)] if kind_of(model) == "forest" else [model]
    width = max(1, len(model.classes))
    is_wide = model.is_classifier
    made = builder.ModelBuilder(
        threshold_type="float64",
        leaf_output_type="float64",
        metadata=builder.Metadata(
            num_feature=len(model.schema),
            task_type="kMultiClf" if is_wide else "kRegressor",
            average_tree_output=len(trees) > 1,
            num_target=1,
            num_class=[width],
            leaf_vector_shape=(1, width),
        ),
        tree_annotation=builder.TreeAnnotation(
            num_tree=len(trees), target_id=[0] * len(trees), class_id=[-1 if is_wide else 0] * len(trees)
        ),
        postprocessor=builder.PostProcessorFunc(name="identity_multiclass" if is_wide else "identity"),
        base_scores=[0.0] * width,
    )
    for tree in trees:
        outline = outline_of(tree)
        made.start_tree()
        for place, part, yes, no in in_preorder(two_ways(outline)):
            made.start_node(place)
            _add(made, outline, part, yes, no)
            made.end_node()
        made.end_tree()
    return made.commit()


def _add(made: Any, outline: Outline, part: Part, yes: int, no: int) -> None:
    if isinstance(part, Leaf):
        chances = outline.nodes[part.node].answer.chances
        made.leaf(list(chances) if outline.tree.is_classifier else chances[0])
    elif part.codes is None:
        made.numerical_test(
            part.column,
            part.threshold,
            default_left=part.gap_is_yes,
            opname="<=",
            left_child_key=yes,
            right_child_key=no,
        )
    else:
        made.categorical_test(
            part.column, default_left=part.gap_is_yes, category_list=list(part.codes),
            category_list_right_child=False, left_child_key=yes, right_child_key=no,
        )  # fmt: skip


def _builder() -> Any:
    try:
        from treelite import model_builder
    except ImportError:
        raise MissingPackageError("treelite", "treelite") from None
    return model_builder


def written(model: Any) -> bytes:
    """Return a model in the bytes of Treelite."""
    found: bytes = to_treelite(model).serialize_bytes()
    return found


def answers(jobs: Sequence[Job]) -> list[Answers]:
    """Return what Treelite's own reference, GTIL, says; the label is the first of most probability."""
    return [_answered(job) for job in jobs]


def _answered(job: Job) -> Answers:
    import treelite

    data = job.write()
    assert isinstance(data, bytes)
    model = treelite.Model.deserialize_bytes(data)
    x = codes_of(job.cells)
    found = np.asarray(treelite.gtil.predict(model, x, nthread=1)).reshape(len(x), -1)
    whole = np.zeros(len(x), bool)
    leaves = None
    if kind_of(job.model) == "tree":
        parts = {place: part for place, part, _, _ in in_preorder(two_ways(outline_of(job.model)))}
        places = np.asarray(treelite.gtil.predict_leaf(model, x, nthread=1)).reshape(-1).tolist()
        ends = [parts[place] for place in places]
        leaves = np.array([end.node if isinstance(end, Leaf) else REFUSED for end in ends])
    if not job.model.is_classifier:
        return Answers(found[:, 0].tolist(), None, leaves, whole)
    best = (found >= found.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1)
    labels = [job.model.classes[c] for c in best.tolist()]
    if leaves is not None:  # a leaf of its own may say another class of as much
        labels = [job.model.classes[int(job.model.label[leaf])] for leaf in leaves.tolist()]
    return Answers(labels, found, leaves, whole)
