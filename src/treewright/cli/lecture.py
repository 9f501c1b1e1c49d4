"""`treewright lecture NAME`: a walk through an example of the lectures, step by step."""

from __future__ import annotations

import click

from .options import json_option
from .output import show_json
from .terminal import console, is_ascii_only


@click.command()
@click.argument("name", required=False)
@json_option
def lecture(name: str | None, as_json: bool) -> None:
    """Show a walk of the lectures, or list them.

    With NAME the walk with all its arithmetic; without it, the names.
    """
    import treewright as tw

    out = console()
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
