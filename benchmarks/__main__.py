"""`./dev bench [--quick] [room ...]`: run the benchmark of every room, or of the rooms named."""

from importlib import import_module
from pathlib import Path

import click

ROOMS = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


@click.command()
@click.argument("rooms", nargs=-1, type=click.Choice(ROOMS))
@click.option("--quick", is_flag=True, help="Small tables: under 40 seconds.")
def main(rooms: tuple[str, ...], quick: bool) -> None:
    """Compare treewright with its peers on this machine."""
    for room in rooms or ROOMS:
        import_module(f"benchmarks.bench_{room}").main(quick)


main(prog_name="./dev bench")
