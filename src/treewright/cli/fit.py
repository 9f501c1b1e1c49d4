"""`treewright fit`: from a file to a tree, how good it is, and what to type next."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import click

from treewright.tree.certificate import Certificate

from .cluster import fit_from_files, fit_on_cluster
from .data import column_of, read_data, remembered
from .failure import Failure, in_options
from .figures import baseline, figures_table, plain_figures
from .files import check_place
from .growing import (
    AUTO,
    checked_units,
    growing_options,
    option_words,
    prune_option,
    recipe_for,
    recipe_option,
    seed_option,
    threads_option,
    units_options,
    weight_option,
)
from .judge import answers_of_model
from .listing import how_made, shortened, size
from .optimal import Search, check_search, gap_bar, optimal_options
from .options import DATA, Sectioned, json_option, option, reading_options
from .output import head, show, show_json, talk
from .progress import progress
from .proposal import proposed
from .target import Target, doubts, for_target, kind_options, target_of, target_option

if TYPE_CHECKING:
    import treewright as tw
    from treewright.evaluate import Answers
    from treewright.lookahead import GoodTrees
    from treewright.model import Rivals

CELLS = 1_500_000  # of a table that is cross-validated without being asked
FOLDS = 10
JUDGING = "How it is judged"


@dataclass(frozen=True)
class Plan:
    """What is to be done with the rows."""

    test: float | None
    cv: int | None
    weight: str | None
    threads: int
    seed: int
    units: Mapping[str, Any] = field(default_factory=dict)  # groups or order


EXAMPLES = (
    "treewright fit data.csv --target income",
    "treewright fit data.csv --target income --test 0.3 -o income.treewright --report income.html",
)


@click.command(cls=Sectioned, examples=EXAMPLES, no_args_is_help=True)
@click.argument("data", type=DATA)
@target_option
@kind_options
@option(
    "-o", "--output", type=click.Path(), metavar="FILE", help="Save the model here, such as m.treewright."
)
@option("--report", type=click.Path(), metavar="FILE", help="Write a report to send around: one HTML file.")
@recipe_option
@prune_option
@growing_options
@option(
    "--forest",
    type=click.IntRange(min=1),
    metavar="N",
    section="How the tree is grown",
    help="Grow a forest of N trees.",
)
@optimal_options
@option(
    "--test",
    type=float,
    metavar="SHARE",
    section=JUDGING,
    help="Keep this share, or number, of rows back to test with.",
)
@option(
    "--cv",
    type=click.IntRange(min=0),
    metavar="K",
    section=JUDGING,
    help="Cross-validate with K folds (0: do not).",
)
@units_options
@weight_option
@option(
    "--cluster",
    metavar="ADDRESS",
    section="How the tree is grown",
    help="Grow on a cluster of Dask: tcp://HOST:PORT, or local.",
)
@option(
    "--memory",
    metavar="SIZE",
    section="How the tree is grown",
    help="Grow from files in about so much memory, such as 2GB.",
)
@option(
    "--spool",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    section="How the tree is grown",
    help="With --memory: keep the coded rows here, for the next tree.",
)
@threads_option
@seed_option
@reading_options
@json_option
def fit(
    data: str,
    target: str | None,
    wish: str | None,
    output: str | None,
    report: str | None,
    recipe: str | None,
    prune: Any,
    settings: dict[str, Any],
    forest: int | None,
    search: Search | None,
    test: float | None,
    cv: int | None,
    groups: str | None,
    order: str | None,
    weight: str | None,
    cluster: str | None,
    memory: str | None,
    spool: str | None,
    threads: int,
    seed: int,
    reading: dict[str, Any],
    as_json: bool,
) -> None:
    """Grow a tree on a file and say how good it is."""
    for place in filter(None, (output, report)):
        check_place(place, [data])
    if cluster is not None and memory is not None:
        raise click.UsageError("--memory is for this machine alone; leave it out, or --cluster.")
    if spool is not None and memory is None:
        raise click.UsageError("--spool goes with --memory SIZE; without it no rows are written to files.")
    if cluster is not None or memory is not None:
        told = locals()
        tree = (
            fit_on_cluster(cluster, data, target, recipe, told)
            if cluster is not None
            else fit_from_files(str(memory), data, target, recipe, told)
        )
        if output:
            saved_form(tree, settings, reading).save(output)
            talk(f"Saved: {output} ({os.path.getsize(output) / 1024:,.0f} KiB)")
        return
    if report and forest:
        raise click.UsageError("--report is about a single tree; leave out --forest.")
    read = read_data(data, for_target(reading, target, wish))
    found = target_of(read.table, target, wish, data)
    for line in (*found.lines, *doubts(found)):
        talk(line)
    units = checked_units(found.table, groups, order)
    if units and (forest or search is not None):
        raise click.UsageError(
            f"--{next(iter(units))} is for trees that folds judge; leave it out, or --forest and --optimal."
        )
    plan = Plan(test or None, cv, weight, threads, seed, units)
    _check(found, plan, settings)
    if search is not None:
        check_search(recipe, prune, forest)
        made = _optimal(found, search, settings | _ledger(found, settings, bool(report)), plan)
    elif forest:
        made = _forest(found, recipe, prune, forest, settings, plan)
    else:
        made = _tree(found, recipe, prune, settings | _ledger(found, settings, bool(report)), plan)
    if report:
        _report(made, plan, read, report)
    if output:
        saved_form(made.model, settings, reading).save(output)
    if as_json:
        show_json(_plain(made, found, output, report))
    else:
        _show(made)
    _say_next(made, output, report, has_folds=cv is None or cv > 1)


def _check(found: Target, plan: Plan, settings: dict[str, Any]) -> None:
    """Refuse what contradicts the table, before any work is done."""
    n_rows = found.table.n_rows
    if plan.weight:
        column_of(found.table, plan.weight, "--weight")
    if plan.test is not None and not 0 <= plan.test < n_rows:
        raise Failure(f"--test {plan.test:g}: a share such as 0.3, or a number of the {n_rows:,} rows.")
    if plan.cv == 1:
        raise Failure("--cv 1: one fold leaves nothing to learn from; use 2 or more, usually 10 (0: none).")
    for name in ("class_weight", "priors", "costs"):
        if settings.get(name) is not None and not found.is_classifier:
            option_name = f"--{name.replace('_', '-')}"
            raise Failure(
                f"{option_name} is for classes, and the target is numbers; leave it out, or use --weight."
            )


# ---- growing ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Made:
    """The model with all that was found about it."""

    model: Any
    parts: Mapping[str, Answers]
    seconds: float
    train: tw.Table
    test: tw.Table | None
    verdict: str = ""
    rivals: Rivals | None = None
    notes: tuple[str, ...] = ()
    trees: GoodTrees | None = None  # of a search that was asked for several


def _tree(found: Target, recipe: str | None, prune: Any, settings: dict[str, Any], plan: Plan) -> Made:
    import treewright as tw

    started = time.perf_counter()
    is_auto = recipe in (None, AUTO) and prune is None
    chosen = AUTO if is_auto else recipe_for(recipe, found.is_classifier, settings)
    options = settings | {"prune": prune, "weights": plan.weight}
    with progress("Choosing a tree" if is_auto else "Growing") as watch:
        fitted = tw.fit(
            found.table,
            found.name,
            chosen,
            test=plan.test,
            folds=plan.cv,
            task="classes" if found.is_classifier else "numbers",
            keep=found.table.names,  # what is useless has been left out, and said
            seed=plan.seed,
            n_threads=plan.threads,
            progress=watch,
            **plan.units,
            **options,
        )
    rivals = fitted.rivals if is_auto else None
    seconds, notes = time.perf_counter() - started, tuple(map(in_options, fitted.notes))
    train = found.table if fitted.train is None else fitted.train
    said = in_options(fitted.verdict)
    return Made(fitted.tree, fitted.answers, seconds, train, fitted.test, said, rivals, notes)


def _forest(
    found: Target, recipe: str | None, prune: Any, n_trees: int, settings: dict[str, Any], plan: Plan
) -> Made:
    import treewright as tw

    if prune not in (None, "none"):
        raise click.UsageError("The trees of a forest are not pruned; leave out --prune, or --forest.")
    chosen = "plain" if recipe in (None, AUTO) else str(recipe)
    recipe_for(chosen, found.is_classifier)
    started = time.perf_counter()
    train, test = found.table, None
    if plan.test:
        cut = tw.evaluate.split(train, found.name, test=plan.test, weights=plan.weight, seed=plan.seed)
        train, test = cut.train, cut.test
    options = settings | {"weights": plan.weight, "seed": plan.seed, "n_threads": plan.threads}
    with progress("Growing") as watch:
        model = tw.forest.grow(train, found.name, n_trees, chosen, progress=watch, **options)
    parts = {"training": answers_of_model(model, train, plan.weight, plan.threads)}
    if plan.cv != 0:
        with progress("Judging out of bag"):
            parts["out of bag"] = _out_of_bag(found, model, train, plan)
    if test is not None:
        parts["test"] = answers_of_model(model, test, plan.weight, plan.threads)
    return Made(model, parts, time.perf_counter() - started, train, test)


def _optimal(found: Target, search: Search, settings: dict[str, Any], plan: Plan) -> Made:
    import treewright as tw

    started = time.perf_counter()
    train, test = found.table, None
    if plan.test:
        cut = tw.evaluate.split(train, found.name, test=plan.test, weights=plan.weight, seed=plan.seed)
        train, test = cut.train, cut.test
    with gap_bar("Searching") as watch:
        result = search.run(train, found.name, settings, plan.weight, plan.seed, watch)
    model = result.tree
    parts = {"training": answers_of_model(model, train, plan.weight, plan.threads)}
    if plan.cv:
        folds = min(plan.cv, train.n_rows)
        judging = {"folds": folds, "seed": plan.seed, "n_jobs": plan.threads}
        with progress("Searching in each fold") as share:
            judged = search.judge(train, found.name, settings, plan.weight, progress=share, **judging)
        parts[f"{folds} folds"] = judged.answers
    if test is not None:
        parts["test"] = answers_of_model(model, test, plan.weight, plan.threads)
    trees = result.trees if search.n_trees is not None or search.within is not None else None
    return Made(model, parts, time.perf_counter() - started, train, test, trees=trees)


def _out_of_bag(found: Target, model: Any, table: tw.Table, plan: Plan) -> Answers:
    """Return what the trees that have not seen a row say of it."""
    import treewright as tw

    said = tw.forest.out_of_bag(model, table, weights=plan.weight, n_threads=plan.threads)
    rows = said.n_votes > 0
    weights = None if plan.weight is None else table.column(plan.weight)[1][rows]
    if not found.is_classifier:
        return tw.evaluate.Answers.of(
            table.column(found.name)[1][rows], said.predicted[rows], weights=weights
        )
    return tw.evaluate.Answers.of(
        table.labels(found.name)[rows], said.labels[rows], classes=model.classes, weights=weights
    )


def _folds(plan: Plan, table: tw.Table) -> int:
    """Return the number of folds: as asked, or the usual if the table is small and no rows are kept back."""
    if plan.cv is not None:
        return min(plan.cv, table.n_rows)
    is_small = table.n_rows * table.n_columns <= CELLS
    return min(FOLDS, table.n_rows) if is_small and plan.test is None and table.n_rows > 1 else 0


# ---- telling ------------------------------------------------------------------------------------------


def _show(made: Made) -> None:
    import treewright as tw

    model = made.model
    if isinstance(model, tw.Tree):
        text, depth = shortened(model)
        proof = Certificate.of(model.about)
        head(f"Tree ({'optimal search' if proof else how_made(model.about)}; {size(model)})")
        show(text)
        if proof:
            show(f"  {proof}")
        if depth is not None:
            left_out = f"{model.n_leaves:,} leaves in all; treewright show MODEL has them"
            show(f"  (shown to depth {depth} of {model.depth}: {left_out})")
        if model.n_leaves == 1 and not proof:
            show(
                "  (a single leaf: no split was worth its price; --prune none shows the tree before pruning)"
            )
    else:
        head(f"Forest of {model.n_trees} trees ({model.n_leaves:,} leaves); what its columns are worth:")
        for line in str(tw.forest.impurity(model)).splitlines()[1:11]:
            show(f"  {line}")
    if made.trees is not None:
        head("Good trees")
        for line in str(made.trees).splitlines():
            show(f"  {line}")
    head("How good it is")
    for line in figures_table(made.parts):
        show(f"  {line}")
    said = made.verdict or baseline(list(made.parts.values())[-1])
    for line in filter(None, (said, *made.notes)):
        show(f"  {line}")
    if made.rivals is not None and len(made.rivals) > 1:
        head("What was tried (error on rows held out)")
        for line in made.rivals.to_text(in_options).splitlines():
            show(f"  {line}")


def _plain(made: Made, found: Target, output: str | None, report: str | None) -> dict[str, Any]:
    import treewright as tw

    model = made.model
    told: dict[str, Any] = {
        "target": found.name,
        "task": "classification" if found.is_classifier else "regression",
        "classes": list(model.classes),
        "columns": list(model.schema.names),
        "model": "tree" if isinstance(model, tw.Tree) else "forest",
        "leaves": model.n_leaves,
        "nodes": model.n_nodes,
    }
    if isinstance(model, tw.Tree):
        told |= {"depth": model.depth, "tree": model.to_text()}
        if made.trees is not None:
            of = {"found": made.trees.n_found, "is_complete": made.trees.is_complete, "uses": made.trees.uses}
            told["good_trees"] = of | made.trees.to_dict()
    else:
        told["trees"] = model.n_trees
    told["figures"] = {part: plain_figures(answers) for part, answers in made.parts.items()}
    told |= {"verdict": made.verdict, "notes": list(made.notes)}
    if made.rivals is not None:
        told["rivals"] = made.rivals.to_dict()
    told |= {"about": dict(model.about), "seconds": round(made.seconds, 3), "saved": output, "report": report}
    return told


def _say_next(made: Made, output: str | None, report: str | None, has_folds: bool) -> None:
    talk()
    for what, place in (("Saved", output), ("Report written", report)):
        if place:
            talk(f"{what}: {place} ({os.path.getsize(place) / 1024:,.0f} KiB)")
    talk("Next:", style="bold")
    if output:
        talk(f"  {proposed('show', arguments=[output])}")
        if hasattr(made.model, "plot"):
            talk(f"  {proposed('plot', arguments=[output, 'tree.svg'])}")
        talk(f"  {proposed('predict', '-o', 'answers.csv', arguments=[output, 'NEW_DATA.csv'])}")
    else:
        talk(f"  {proposed('fit', '-o', 'model.treewright')}      to keep the model")
    if len(made.parts) == 1:
        test = proposed("fit", "--test", "0.3", without=("--cv", "--test"))
        talk(f"  {test}      to see how good it is on other rows")
    elif not output:
        free = ("--recipe", "--prune") if has_folds else ("--recipe", "--prune", "--cv")
        talk(f"  {proposed('compare', without=free)}      to try others")
    if made.rivals is not None:
        chosen = ("--recipe", made.rivals.choice.recipe, "--prune", option_words(made.rivals.choice.prune))
        talk(f"  {proposed('fit', *chosen, without=('--recipe', '--prune'))}      to get this tree again")


def _ledger(found: Target, settings: dict[str, Any], is_reported: bool) -> dict[str, Any]:
    """Return whether growth keeps a ledger: a report tells the candidates of each node of small tables."""
    is_small = found.table.n_rows * found.table.n_columns <= CELLS
    return {"ledger": True} if is_reported and is_small and "ledger" not in settings else {}


def _report(made: Made, plan: Plan, read: tw.Reading, place: str) -> None:
    """Write the report, about the rows kept back if there are some; folds judge sizes where it is quick."""
    folds = _folds(Plan(None, plan.cv, None, plan.threads, plan.seed), made.train)
    with progress("Writing the report") as watch:
        made.model.report(
            place,
            made.test,
            training=made.train,
            folds=folds or None,
            reading=read,
            weights=plan.weight if made.test is not None else None,
            training_weights=plan.weight,
            seed=plan.seed,
            n_jobs=plan.threads,
            progress=watch,
        )


def saved_form(model: Any, settings: dict[str, Any], reading: dict[str, Any]) -> Any:
    """Return the model as it is saved: with what later files need, without a ledger that nobody asked for."""
    import treewright as tw

    about = {**model.about, **remembered(reading)}
    if not isinstance(model, tw.Tree):
        return replace(model, about=about) if about != dict(model.about) else model
    if not settings.get("ledger"):
        about |= {"ledger": False}
        return replace(model, about=about, ledger=None)
    return replace(model, about=about)
