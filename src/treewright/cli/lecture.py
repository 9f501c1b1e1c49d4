"""`treewright lecture NAME`: a walk through an example of the lectures, step by step."""

from __future__ import annotations

import click

from .options import json_option, option
from .output import show, show_json
from .terminal import console, is_ascii_only


@click.command()
@click.argument("name", required=False)
@option("--list", "listed", is_flag=True, help="List every statement of the slides, with what comes out.")
@json_option
def lecture(name: str | None, listed: bool, as_json: bool) -> None:
    """Show a walk of the lectures, or list them.

    With NAME the walk with all its arithmetic; without it, the names. --list shows what the slides state.
    """
    import treewright as tw

    out = console()
    if listed:
        if name is not None:
            raise click.UsageError("--list shows the statements of all lectures; leave out NAME.")
        _list(as_json)
        return
    if name is None and as_json:
        show_json([{"name": known.name, "title": known.title} for known in tw.lectures.all()])
        return
    if name is None:
        width = max(map(len, tw.lectures.names()))
        for known in tw.lectures.all():
            out.print(f"{known.name:{width}}  {known.title}")
        return
    try:
        shown = tw.lectures.lesson(name)
    except ValueError as reason:
        raise click.UsageError(str(reason)) from None
    if as_json:
        show_json({"name": shown.name, "title": shown.title, **shown.to_dict()})
        return
    out.print(shown.to_text(ascii=is_ascii_only(shown.to_text())))


def _list(as_json: bool) -> None:
    """Show the statements: place, slide, what is printed, what is computed, and how they agree."""
    from treewright.base.lines import Words, aligned
    from treewright.lectures import statements

    found = statements()
    if as_json:
        show_json([one._asdict() | {"place": one.place} for one in found])
        return
    columns = [
        Words("place", [one.key for one in found], "<"),
        Words("slide", [_cut(one.quote) for one in found], "<"),
        Words("computed", [_cut(one.about) for one in found], "<"),
        Words("printed", [_cut(one.printed) for one in found], "<"),
        Words("ours", [_cut(one.ours) for one in found], "<"),
        Words("verdict", [one.verdict for one in found], "<"),
    ]
    show("\n".join(aligned(columns)))


def _cut(words: str) -> str:
    first = words.splitlines()[0] if words else ""
    return first if len(first) <= 44 else first[:43] + "…"
