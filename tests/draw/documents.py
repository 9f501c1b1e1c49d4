"""The pictures in docs/pictures; `python -m tests.draw.documents` draws them anew."""

from __future__ import annotations

from pathlib import Path

import treewright as tw
from tests import tables
from treewright.draw import Picture

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


def pictures() -> dict[str, Picture]:
    """Return the pictures of the documents, by the name of their files."""
    iris, iris_held = _parts("iris")
    price, _ = _parts("cu_summary")
    thyroid = tw.grow(tw.example("hypothyroid"), target="class", recipe="c4.5")
    return {
        "tennis.svg": _grown("tennis", recipe="id3").plot(),
        "iris.svg": tw.grow(iris, target=tables.target("iris"), recipe="c4.5").plot(None, iris_held),
        "price.svg": tw.grow(price, target=tables.target("cu_summary"), max_depth=2).plot(),
        "thyroid.svg": thyroid.plot(width=800, height=600),
        "histograms.svg": tw.grow(iris, target=tables.target("iris"), recipe="c4.5").plot(distributions=iris),
        "path.svg": _grown("tennis", recipe="id3").plot(
            row={"Outlook": "Rainy", "Humidity": "High", "Wind": "Weak"}
        ),
        "narrow.svg": _grown("tennis", recipe="id3").plot(width=360),
    }


def _grown(name: str, **settings: object) -> tw.Tree:
    return tw.grow(tables.table(name), target=tables.target(name), **settings)


def _parts(name: str) -> tuple[tw.Table, tw.Table]:
    table = tables.table(name)
    rows = range(table.n_rows)
    return table.take([i for i in rows if i % 3 != 2]), table.take([i for i in rows if i % 3 == 2])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        picture.save(FOLDER / name)
