"""The order of the rows in a file does not matter, nor does an ignored column: also with --test and --cv."""

from __future__ import annotations

import random

import pytest

import treewright as tw
from tests.cli.running import DATA, good


def written(path, seed):
    """Write the lines of a file in another order, with a number for each in front."""
    head, *lines = (DATA / "credit_g.csv").read_text("utf-8").splitlines()
    if seed:
        random.Random(seed).shuffle(lines)
    numbered = [f"{number},{line}" for number, line in enumerate(lines)]
    path.write_text("\n".join([f"number,{head}", *numbered, ""]), "utf-8")
    return path


@pytest.mark.parametrize(
    "options",
    [
        ("--test", "0.3"),
        ("--recipe", "cart", "--cv", 0),
        ("--recipe", "plain", "--prune", "cv", "--cv", 3),
        ("--prune", "reduced_error", "--cv", 0, "--seed", 5),
    ],
)
def test_the_same_lines_in_another_order_give_the_same_tree_and_figures(tmp_path, options):
    found = []
    for seed in (0, 1):
        data, model = written(tmp_path / "data.csv", seed), tmp_path / f"{seed}.treewright"
        said = good("fit", data, "--target", "class", "--ignore", "number", *options, "-o", model)
        figures = [line for line in said.output.splitlines() if line.startswith(("  test", "  3 folds"))]
        found.append((tw.load(model), figures))
    assert found[0] == found[1]
    assert bool(found[0][1]) == (0 not in options)
