"""`./dev bench [--quick] [room ...]`: run the benchmark of every room, or of the rooms named."""

import os
import sys
from importlib import import_module
from pathlib import Path

import click

from benchmarks.report import Result, circumstances, write_markdown
from benchmarks.targets import summary

ROOMS = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


@click.command()
@click.argument("rooms", nargs=-1, type=click.Choice(ROOMS))
@click.option("--quick", is_flag=True, help="Small tables: under 40 seconds.")
@click.option(
    "--markdown",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the tables to this file too; between its two marks, if it has them (benchmarks/README.md).",
)
def main(rooms: tuple[str, ...], quick: bool, markdown: Path | None) -> None:
    """Compare treewright with its peers on this machine."""
    measured = circumstances(" ".join(["./dev bench", *rooms, *(["--quick"] if quick else [])]))
    print(measured)
    results: list[Result] = []
    for room in rooms or ROOMS:
        results += import_module(f"benchmarks.bench_{room}").main(quick) or []
    figures = {key: figure for result in results for key, figure in result.figures.items()}
    table = summary(figures, is_judged=not quick)
    print(f"\n{table.text()}")
    if markdown:
        write_markdown(markdown, measured, [table, *(result.table for result in results)])
    failures = [failure for result in results for failure in result.failures]
    sys.exit("\n".join(["", *(f"FAILED: {failure}" for failure in failures)]) if failures else 0)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # one thread each; set before the libraries are loaded
    main(prog_name="./dev bench")
