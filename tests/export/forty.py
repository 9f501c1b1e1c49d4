"""Forty models that a format must carry or refuse: every recipe, both targets, every policy, many shapes."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

import treewright as tw
from treewright.tree.policy import GAPS, UNSEEN

N_ROWS = 240


class Sample(NamedTuple):
    """A model and rows that it was grown on, without the target."""

    model: Any
    rows: tw.Table


@cache
def table(target: str = "classes", has_gaps: bool = True, kind: str = "mixed") -> tw.Table:
    """Return a table of numbers, categories, an order and truths, with gaps; `kind` leaves some out."""
    draws = np.random.default_rng(11)
    x, z = draws.normal(size=N_ROWS).round(2), draws.gamma(2.0, 10.0, N_ROWS).round(1)
    size, colour = draws.integers(0, 3, N_ROWS), draws.integers(0, 5, N_ROWS)
    flag = draws.random(N_ROWS) < 0.4
    worth = x + z / 20 + size + 2.0 * (colour == 2) - flag + draws.normal(size=N_ROWS) * 0.7
    cells: dict[str, list[Any]] = {"x": x.tolist(), "z": z.tolist()}
    if kind in ("mixed", "nominal", "dates"):
        cells["colour"] = [("red", "green", "blue", "grey", "it's")[i] for i in colour]
        cells["size"] = ["SML"[i] for i in size]
    if kind == "mixed":
        cells["flag"] = [bool(f) for f in flag]
    if kind == "nominal":
        cells = {name: cells[name] for name in ("colour", "size")}
        cells["shape"] = [("round", "flat", "long")[i] for i in draws.integers(0, 3, N_ROWS)]
    if kind == "numbers":
        cells |= {"v": draws.normal(size=N_ROWS).round(3).tolist(), "u": (z * x).round(2).tolist()}
    if kind == "dates":
        cells["day"] = [
            f"2021-{1 + int(d) // 28:02d}-{1 + int(d) % 28:02d}" for d in draws.integers(0, 300, N_ROWS)
        ]
    if has_gaps:
        for place, name in enumerate(cells):
            cells[name] = [None if i % 13 == place else cell for i, cell in enumerate(cells[name])]
    bounds = np.quantile(worth, [0.3, 0.7])
    if target == "numbers":
        cells["y"] = worth.round(3).tolist()
    elif target == "two":
        cells["y"] = ["no" if w < np.median(worth) else "yes" for w in worth]
    else:
        cells["y"] = [("low", "middle", "high")[int(np.searchsorted(bounds, w))] for w in worth]
    ordinal = {"size": ["S", "M", "L"]} if "size" in cells else {}
    return tw.Table.from_dict(cells, ordinal=ordinal, kinds={"day": "date"} if "day" in cells else None)


def _tree(*args: Any, recipe: str = "plain", **settings: Any) -> Sample:
    data = table(*args)
    return Sample(tw.grow(data, "y", recipe, **settings), data)


@cache
def many_leaves() -> Sample:
    """A tree of 1,000 leaves."""
    draws = np.random.default_rng(3)
    x = draws.normal(size=(2500, 3)).round(3)
    noise = draws.integers(0, 3, 2500)
    data = tw.Table.from_dict(
        {"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": [("p", "q", "r")[i] for i in noise]}
    )
    tree = tw.grow(data, "y", max_leaves=1000)
    return Sample(tree, data)


@cache
def samples() -> dict[str, Sample]:
    """Return the models by name."""
    found: dict[str, Sample] = {}
    for policy in GAPS:
        found[f"gaps {policy}"] = _tree("classes", policy != "error", missing=policy, max_depth=5)
    found |= {
        f"numbers, gaps {p}": _tree("numbers", missing=p, max_depth=4)
        for p in ("learned", "fractional", "surrogate")
    }
    found |= {f"unseen {p}": _tree("two", True, "nominal", unseen=p, max_depth=4) for p in UNSEEN}
    found |= {
        "id3": _tree("classes", False, "nominal", recipe="id3"),
        "c4.5": _tree(recipe="c4.5"),
        "cart": _tree(recipe="cart", min_split=6.0, min_leaf=2.0, prune="none", max_depth=6),
        "sliq": _tree("classes", False, recipe="sliq"),
        "stump": _tree(recipe="stump"),
        "multiway, own branch": _tree(splits="multiway", missing="own_branch", max_depth=3),
        "multiway numbers": _tree("numbers", splits="multiway", max_depth=3),
        "one leaf": _tree(max_depth=0),
        "numbers only": _tree("two", True, "numbers", max_depth=6),
        "numbers only, no gaps": _tree("numbers", False, "numbers", max_depth=6),
        "costs": _tree(
            "classes", True, missing="fractional", max_depth=4, costs=[[0, 1, 5], [1, 0, 1], [2, 1, 0]]
        ),
        "costs, whole rows": _tree("two", True, "mixed", max_depth=3, costs=[[0, 4], [1, 0]]),
        "priors": _tree("two", priors={"no": 0.9, "yes": 0.1}, max_depth=4),
        "dates": _tree("two", True, "dates", max_depth=4),
        "sums": Sample(
            tw.grow(tw.example("iris"), "class", splits="linear", max_depth=3), tw.example("iris")
        ),
        "models of numbers": _tree("numbers", True, "numbers", leaves="linear", max_depth=2),
        "models of classes": _tree("classes", True, "numbers", leaves="logistic", max_depth=2),
        "thousand leaves": many_leaves(),
    }
    found["intervals"] = _binned()
    found |= _forests()
    found |= _rules(found)
    found |= _linear()
    return found


def _binned() -> Sample:
    data = table()
    return Sample(tw.grow(data, "y", discretise="equal_frequency", max_depth=4), data)


def _forests() -> dict[str, Sample]:
    plain = {"n_trees": 20, "max_depth": 5}
    three, two, numbers = table(), table("two"), table("numbers")
    plain_numbers = table("two", True, "numbers")
    return {
        "forest, numbers only": Sample(tw.forest.grow(plain_numbers, "y", **plain), plain_numbers),
        "forest of three classes": Sample(tw.forest.grow(three, "y", **plain), three),
        "forest of two classes": Sample(tw.forest.grow(two, "y", **plain), two),
        "forest of numbers": Sample(tw.forest.grow(numbers, "y", **plain), numbers),
        "forest that divides": Sample(
            tw.forest.grow(two, "y", n_trees=5, max_depth=3, missing="fractional"), two
        ),
    }


def _rules(trees: dict[str, Sample]) -> dict[str, Sample]:
    data = table()
    grown = tw.grow(data, "y", "c4.5", prune="none")
    whole = trees["gaps fractional"]
    return {
        "rules of a tree": Sample(trees["gaps learned"].model.rules(), data),
        "rules that divide": Sample(whole.model.rules(), data),
        "rules of surrogates": Sample(trees["cart"].model.rules(), data),
        "rules in order": Sample(tw.rules.c45rules(grown, data), data),
        "rules that vote": Sample(tw.rules.voting(grown, data), data),
    }


def _linear() -> dict[str, Sample]:
    data, two = table("classes", False), table("two", False)
    three_x, two_x = (d.select([n for n in d.names if n != "y"]) for d in (data, two))
    logistic = tw.LogisticRegression(l2=0.1)
    return {
        "logistic of two": Sample(logistic.fit(two_x, two.labels("y")), two_x),
        "logistic of three": Sample(tw.LogisticRegression(l2=0.1).fit(three_x, data.labels("y")), three_x),
    }


def feature_table() -> str:
    """Return the table of the documents: which format carries which feature, as the forty models show."""
    formats = [row for row in tw.export.FORMATS.values() if row.runner is not None]
    names = [row.name for row in formats]
    carried: dict[str, dict[str, set[str]]] = {
        feature: {name: set() for name in names} for feature in tw.export.FEATURES
    }
    for sample in samples().values():
        features = tw.export.features_of(sample.model)
        for row in formats:
            answer = "yes" if _is_carried(row, sample.model) else "no"
            for feature in features:
                carried[feature][row.name].add(answer)
    lines = [f"| feature | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for feature, by_format in carried.items():
        if any(by_format.values()):
            cells = ["yes" if "yes" in by_format[name] else "" for name in names]
            lines.append(f"| {tw.export.FEATURES[feature]} | {' | '.join(cells)} |".replace("  ", " "))
    return "\n".join(lines)


def _is_carried(row: Any, model: Any) -> bool:
    try:
        row.write(model)
    except (ValueError, TypeError):
        return False
    return True
