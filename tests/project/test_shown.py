"""No sign that steers a terminal comes out of any public text, whatever the names in a table are."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import itertools
import pkgutil
import unicodedata
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewright as tw
from treewright.base.lines import harmless
from treewright.export.cells import cells_of
from treewright.export.format import Job
from treewright.export.formats import format_named
from treewright.export.proof import answers_of, compared
from treewright.growth import Settings
from treewright.paint import Area, Axis, Chart, Note, Rule, Shades, Sheet
from treewright.predict import route_table
from treewright.table import ClassTerms, Rows

HOSTILE = ("\x1b[2J", "\x9b31m", "\r", "\u202e", "\x00", "\x7f", "\u2066", "\x08", "\u2028")
ROOMS = [
    f"treewright.{room.name}"
    for room in pkgutil.iter_modules(tw.__path__)
    if room.name not in ("__main__", "cli", "_core", "_program", "verbs")
]
# Methods that give data or code for other programs, each with escapes of its own.
FORMATS = {"to_json", "to_sql", "to_svg", "to_html", "to_pdf"}
# Classes that hold no text, from a table or of any other kind.
SILENT = {
    "DaskRunner",
    "SparkRunner",
    "CutLosses",
    "DataWarning",
    "Format",
    "Gaussian",
    "IntegrityError",
    "Limits",
    "LocalRunner",
    "Method",
    "MissingToolError",
    "OneUpdate",
    "PolynomialKernel",
    "Radial",
    "Statement",
}


def name(word: str) -> str:
    return word + "".join(HOSTILE)


def table() -> tw.Table:
    """A table whose columns, categories, classes and target all have hostile names."""
    rng = np.random.default_rng(0)
    x, k = rng.normal(size=120).round(2), rng.integers(0, 3, 120)
    y = (x + k + rng.normal(size=120) * 0.7 > 1).astype(int)
    cells = {
        name("x"): [None if i % 17 == 0 else v for i, v in enumerate(x.tolist())],
        name("k"): [name("abc"[i]) for i in k],
        name("y"): [name(("no", "yes")[i]) for i in y],
    }
    return tw.Table.from_dict(cells)


def numbers() -> tw.Table:
    """The same with numbers only."""
    given = table()
    columns = [given.values[0], given.values[1] * 1.0, np.arange(120.0)]
    return tw.Table.from_dict(dict(zip(given.names, columns, strict=True)))


def written(data: tw.Table, place: Path) -> Path:
    """Write a table as a file, less the signs that no file of text may hold."""
    rows = [data.names, *zip(*data.to_dict().values(), strict=True)]
    lines = ["\t".join(f'"{"" if cell is None else cell}"' for cell in row) for row in rows]
    place.write_bytes("\n".join(lines).translate({0: None, 13: None}).encode())
    return place


def models() -> Iterator[Any]:
    """Estimators fitted on a frame with such names."""
    pandas = pytest.importorskip("pandas")
    data, values = table(), numbers().values
    frame = pandas.DataFrame({name("x"): np.nan_to_num(values[0]), name("k"): values[1]})
    labels, far = data.labels(name("y")), frame.copy()
    far[name("x")] += 20.0 * (labels == labels[0])  # so that planes separate the classes
    for kind in (tw.DecisionTreeClassifier, tw.RuleClassifier, tw.LogisticRegression):
        yield kind().fit(frame, labels)
    for kind in (tw.Perceptron, tw.LinearSeparator, tw.MaxMarginClassifier):
        yield kind().fit(far, labels)
    for kind in (getattr(tw.discretise, word) for word in tw.discretise.__all__):
        if inspect.isclass(kind):
            given = {"edges": {name("x"): [0.0]}} if kind is tw.discretise.ByHand else {}
            yield kind(**given).fit(frame, labels)
    yield tw.RandomForestClassifier(3, random_state=0).fit(frame, labels)
    yield tw.DecisionTreeRegressor(max_depth=2).fit(frame, values[2])
    yield tw.RandomForestRegressor(3, random_state=0).fit(frame, values[2])
    yield tw.OptimalTreeClassifier(max_depth=2).fit(frame, labels)
    yield tw.OptimalTreeRegressor(max_depth=2).fit(frame, values[2])
    yield tw.optimal(data, name("y"), max_depth=2)


def judgements(tree: tw.Tree, train: tw.Table, held: tw.Table) -> Iterator[Any]:
    """What evaluation and pruning say."""
    y, evaluate = name("y"), tw.evaluate
    answers = evaluate.answers(tree, held)
    matrix = evaluate.confusion(answers)
    yield from (answers, matrix, matrix.per_class(), evaluate.split(train, y))
    yield evaluate.stability(train, y, n_trees=3)
    yield evaluate.cross_validate(train, y, "plain", folds=2)
    yield evaluate.learning_curve(train, y, repeats=2, sizes=(0.5, 1.0))
    yield evaluate.overfitting_curve(train, y, points=3)
    yield evaluate.pruning_curve(train, y, folds=2, points=3)
    yield evaluate.is_overfitting(tree, held)
    model = tw.fit(train, y, folds=2)
    yield from (model, model.rivals, *model.rivals, train.describe())
    yield tw.prune.compare(tree, train, held, folds=2)
    yield tw.prune.cost_complexity_path(tree)
    yield from (tw.prune.sample_of(tree, train), tw.prune.pessimistic_errors(tree))
    yield from (tw.prune.critical_value_path(tree), tw.prune.choose_kappa(tree, held))
    yield tw.prune.cross_validated(tree, train, folds=2)
    yield tw.prune.Evidence(train)
    yield from (Rows.of(train, y), ClassTerms(class_weight={name("yes"): 2.0}))
    for kind in tw.prune.METHODS.values():
        needs = [f.name for f in dataclasses.fields(kind) if f.default is dataclasses.MISSING]
        yield kind(**dict.fromkeys(needs, 0.1))


def measures() -> Iterator[Any]:
    """What the rooms under growth give: of columns, planes, maps of columns; and a lesson with slides."""
    data, (x, k, _) = table(), numbers().values
    x, labels = np.nan_to_num(x), data.labels(name("y"))
    yield from (tw.measure.chi_square(data.values[1], labels), tw.measure.cut_gains(x, labels))
    yield tw.measure.Discretiser.of({"name": "by_hand", "edges": {name("x"): [0.0]}})
    is_first = labels == labels[0]
    for plane in (tw.linear.separate, tw.linear.max_margin):
        for rows in (np.column_stack([x, k]), np.column_stack([x + 20 * is_first, k])):
            yield plane(rows, is_first)
    maps = (tw.linear.Polynomial(2), tw.linear.Interactions(2), tw.linear.SquaredDifference())
    for one in (*maps, tw.linear.Function(lambda cells: {name("made"): cells[:, 0]})):
        yield from (one, one.on([name("x"), name("k")]))
    yield tw.lectures.tennis()


def troubles() -> Iterator[Any]:
    """What is warned of and refused, with the names of columns and classes in it."""
    pandas = pytest.importorskip("pandas")
    x, k, _ = numbers().values
    x, labels = np.nan_to_num(x), table().labels(name("y"))
    twice = pandas.DataFrame({name("x"): x, name("z"): 2 * x, name("k"): k})
    apart = pandas.DataFrame({name("x"): x + 20 * (labels == labels[0]), name("k"): k})
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for frame in (twice, apart):
            tw.LogisticRegression().fit(frame, labels)
    yield from (warning.message for warning in told)
    odd = tw.Table.from_dict({name("id"): range(90), name("z"): [name("c")] * 90, name("y"): [0, 1] * 45})
    yield from tw.table.findings(tw.table.Rows.of(odd, name("y")))
    with pytest.warns(tw.DataWarning) as heard:
        tw.grow(odd, name("y"), max_depth=1)
    yield heard[0].message
    with pytest.raises(tw.prune.UnsuitableError) as refused:
        tw.prune.mdl(tw.grow(numbers(), target=name("y"), max_depth=1))
    yield refused.value


def samples(folder: Path) -> Iterator[Any]:
    """What can be made of such a table."""
    data, y = table(), name("y")
    row = {name("x"): 0.3, name("k"): name("b")}
    train, held = data.take(range(80)), data.take(range(80, 120))
    yield from (data, data.schema, data.schema.columns, tw.reading(written(data, folder / "data.csv")))
    small = tw.grow(train, target=y, max_depth=3)
    like = {f"{name('like')}{word}": cells for word, cells in data.to_dict().items() if word != y}
    yield tw.grow(
        tw.Table.from_dict({**data.to_dict(), **like}), target=y, recipe="cart"
    ).rules()  # stand-ins
    for tree in (small, tw.grow(train, target=y, recipe="c4.5"), tw.grow(train, target=y, recipe="cart")):
        rules = tree.rules()
        learned = tw.rules.c45rules(tree, train)
        for found in (rules, learned):
            yield from (found, tw.explain.explain_rules(found, row), tw.rules.overlap(found, data))
        yield from (
            tree,
            tree.node(0),
            tree.plot(),
            tree.explain(row),
            tree.explain({name("x"): None, name("k"): "new"}),
        )
    sums = {"splits": "linear", "linear_categories": "indicator", "linear_penalty": 0.001, "prune": "none"}
    for words in (sums, {"splits": "m_of_n", "linear_penalty": 0.001, "prune": "none"}):
        rules = tw.grow(train, target=y, max_depth=2, **words).rules()
        several = [c for rule in rules for c in rule.conditions if isinstance(c, tw.rules.SumCondition)]
        assert several
        yield from (rules, *several, *several[0].terms)
    value = tw.grow(numbers(), target=y, max_depth=3, leaves="linear")
    yield from (
        value,
        tw.grow(numbers(), target=y, max_depth=3).rules(),
        value.explain({name("x"): 0.1, name("k"): 1.0}),
    )
    yield from charts(small, train, held, y)
    forest = tw.forest.grow(train, target=y, n_trees=5)
    yield from (forest, tw.explain.explain_votes(forest, row), tw.forest.nearest_tree(forest, train))
    yield tw.explain.partial_dependence(forest, train, name("x"))
    yield from (tw.forest.out_of_bag(forest, train), tw.forest.permutation_importance(forest, train))
    yield tw.forest.Quantiles.of(tw.forest.grow(numbers(), target=y, n_trees=2), numbers())
    yield from (small.rules().decide(held), route_table(small, held), Settings.of("c4.5", prune="mdl"))
    cells = cells_of(small, held)
    other = answers_of(small, cells)._replace(labels=[name("c")] * held.n_rows)
    yield compared(Job(small, cells, {}, format_named("text").write), other)
    yield tw.evaluate.gaps(small, held)
    standings: list[Any] = []
    yield tw.tune(train, y, n_fits=3, outer=2, folds=2, progress=standings.append)
    yield from standings
    yield tw.evaluate.choose_probabilities(train, y, tried=("raw", "laplace"), folds=2)
    yield from judgements(small, train, held)
    yield from measures()
    yield from troubles()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fits without an end
        for model in models():
            yield model
            if isinstance(model, tw.LogisticRegression):
                yield from (model.summary(), model)


def steering(text: str) -> list[str]:
    """Return the signs of a text that a terminal would obey, or that turn the direction of reading."""
    return [
        sign for sign in text if sign not in "\n\t" and unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp")
    ]


def texts(thing: Any) -> Iterator[tuple[str, str]]:
    """Yield all that a thing says of itself: repr, str, and each method without arguments that gives text."""
    kind = type(thing)
    yield "repr", repr(thing)
    yield "str", str(thing)
    for word in dir(kind):
        method = inspect.getattr_static(kind, word)
        if word.startswith("_") or word in FORMATS or not inspect.isfunction(method):
            continue
        signature = inspect.signature(method)
        _, *rest = signature.parameters.values()
        needs_more = any(
            p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in rest
        )
        if not needs_more and signature.return_annotation in ("str", str):
            yield word, getattr(thing, word)()


def charts(tree: tw.Tree, train: tw.Table, held: tw.Table, y: str) -> Iterator[Any]:
    """Charts of every kind of layer, and what they are drawn from."""
    answers = tw.evaluate.answers(tree, held, probabilities="laplace")
    ranked, trusted = tw.evaluate.roc(answers), tw.evaluate.reliability(answers)
    yield from (ranked, ranked.plot(), trusted, trusted.plot(), tw.evaluate.confusion(answers).plot())
    x, labels = train.drop([y]), train.labels(y)
    kept = ~np.isnan(np.asarray(x.values[0]))
    yield tw.draw.boundary(tree, x.take(kept), labels[kept], title=name("title"))
    yield tw.draw.partitions(tree, x.take(kept), labels[kept], splits=[1], title=name("title"))
    rules = (Rule(name("rule"), 0.5), Note(name("note"), 0.5, 0.5), Area(name("area"), (), (), "#000000"))
    yield Chart(
        name("chart"), Axis(name("x")), Axis(name("y")), (*rules, Shades(name("s"), "0", "1", ("#000000",)))
    )
    yield Sheet(name("sheet"), 9, 9, ())


def parts(thing: Any, depth: int = 6) -> Iterator[Any]:
    """Yield a thing and the things of ours that it holds."""
    if type(thing).__module__.startswith("treewright."):
        yield thing
        fields = [f.name for f in dataclasses.fields(thing)] if dataclasses.is_dataclass(thing) else []
        held = {**{word: getattr(thing, word) for word in fields}, **getattr(thing, "__dict__", {})}
        if depth:
            yield from parts(held, depth - 1)
    if isinstance(thing, Mapping):
        thing = list(thing.values())
    if isinstance(thing, (tuple, list)) and depth:
        for item in thing[:20]:
            yield from parts(item, depth)


def public_classes() -> dict[str, type]:
    found = {}
    for room in ["treewright", *ROOMS]:
        module = importlib.import_module(room)
        for word in getattr(module, "__all__", []):
            if inspect.isclass(getattr(module, word)):
                found[word] = getattr(module, word)
    return found


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    found = samples(tmp_path_factory.mktemp("shown"))
    return [part for thing in found for part in parts(thing)]


def test_no_text_steers_the_terminal(things: list[Any]) -> None:
    wrong = {
        f"{type(thing).__name__}.{word}": steering(text)
        for thing in things
        for word, text in texts(thing)
        if steering(text)
    }
    assert not wrong


def test_every_public_class_is_tried(things: list[Any]) -> None:
    """A new class is either among the samples, or known to say nothing of a table's names."""
    tried = {kind.__name__ for thing in things for kind in type(thing).__mro__}
    missing = set(public_classes()) - tried - SILENT
    assert not missing


def test_functions_that_give_text_steer_nothing(things: list[Any]) -> None:
    matrix = next(thing for thing in things if isinstance(thing, tw.evaluate.Confusion))
    assert not steering(tw.evaluate.class_table(matrix.per_class()))
    rules = next(thing for thing in things if isinstance(thing, tw.rules.RuleSet))
    for form in ("text", "md", "json"):
        assert not steering(rules.to_text(form))
    assert not steering(rules.to_text(full=True, ascii=True))
    for recipe in ("plain", "c4.5", "stump"):
        tree = tw.grow(table(), name("y"), recipe, ledger=True)
        for node, column in itertools.product(range(tree.n_nodes), tree.schema.names):
            assert not steering(tree.why_not(column, node))
        assert not steering(tree.plot().to_svg())


def test_messages_of_errors_steer_nothing() -> None:
    data, y = table(), name("y")
    tree = tw.grow(data, target=y)
    calls = [
        lambda: tw.grow(data, target=name("z")),
        lambda: tree.predict(tw.Table.from_dict({name("x"): [1.0]})),
        lambda: data.column(name("nothing")),
        lambda: tw.Table.from_dict({name("a"): [object()]}),
        lambda: tw.Table.from_dict({name("a"): [1.0]}, kinds={name("b"): "numeric"}),
        lambda: tree.explain({name("q"): 1}),
        lambda: tree.predict_proba(3),
        lambda: tw.read(Path("/nowhere") / name("file")),
        lambda: tw.grow(data, target=y, recipe=name("id3")),
        lambda: tw.forest.grow(data, target=name("z")),
        lambda: tw.evaluate.cross_validate(data, name("z"), "plain"),
    ]
    for call in calls:
        with pytest.raises(Exception) as raised:  # noqa: PT011
            call()
        assert not steering(str(raised.value.args[0])), raised.value


@pytest.mark.parametrize("sign", HOSTILE)
def test_signs_are_written_as_escapes(sign: str) -> None:
    assert not steering(harmless(f"a{sign}b"))
    assert harmless(f"a{sign}b").startswith("a\\")


@pytest.mark.parametrize("name", ["x\ud83d", "\udc00"])
def test_half_of_a_pair_in_a_name(name: str) -> None:
    """No UTF-8 holds it, so no model that has it could be saved: it is refused, in harmless words."""
    cells = {name: np.arange(40.0), "y": ["a", "b"] * 20}
    with pytest.raises(ValueError, match="half of a character") as refused:
        tw.Table.from_dict(cells)
    assert str(refused.value).encode()
    with pytest.raises(ValueError, match="half of a character"):
        tw.Column("c", tw.Kind.nominal, ("a", name))


def test_lines_letters_and_joined_signs_stay() -> None:
    text = "two\nlines\tof größe, 數, עברית, \U0001f468\u200d\U0001f469"
    assert harmless(text) == text
