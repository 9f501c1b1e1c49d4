"""What the site adds to the pages: the API from the docstrings, and words for links that leave the folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
# Page of the API -> its title and the modules it shows.
API = {
    "grow": ("Growing and trees", ("treewright.fitting", "treewright.tree.tree", "treewright.verbs")),
    "table": ("Tables", ("treewright.table.table", "treewright.table.examples", "treewright.table.reading")),
    "estimators": (
        "scikit-learn estimators",
        ("treewright.estimators.tree", "treewright.estimators.forest", "treewright.estimators.rules"),
    ),
    "linear": (
        "Linear estimators",
        (
            "treewright.estimators.logistic",
            "treewright.estimators.perceptron",
            "treewright.estimators.margin",
            "treewright.estimators.separator",
        ),
    ),
    "prune": ("Pruning", ("treewright.prune.method", "treewright.prune.cost_complexity")),
    "evaluate": ("Evaluation", ("treewright.evaluate.cross_validation", "treewright.evaluate.overfitting")),
    "explain": ("Explanations", ("treewright.explain.explanation", "treewright.explain.dependence")),
    "rules": ("Rules", ("treewright.rules.ruleset", "treewright.rules.c45rules")),
    "forest": (
        "Forests",
        ("treewright.forest.forest", "treewright.forest.importance", "treewright.forest.oob"),
    ),
    "draw": (
        "Pictures and reports",
        ("treewright.draw.plot", "treewright.draw.picture", "treewright.report.write"),
    ),
    "measure": ("Measures", ("treewright.measure.impurity", "treewright.measure.gain")),
}
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((\.\./[^)]*)\)")


def _modules(names: tuple[str, ...]) -> list[str]:
    """Return the modules that there are: rooms are rebuilt, and the site must not fall with them."""
    places = {name: ROOT / "src" / name.replace(".", "/") for name in names}
    return [name for name, place in places.items() if place.with_suffix(".py").exists() or place.is_dir()]


def on_config(config: Any) -> Any:
    """Put the pages of the lectures and of the API into the navigation."""
    lectures = sorted(p.name for p in (ROOT / "docs" / "lectures").glob("*.md") if p.name != "README.md")
    filled = {
        "LECTURES": ["lectures/README.md", *(f"lectures/{name}" for name in lectures)],
        "API": [{title: f"api/{page}.md"} for page, (title, _) in API.items()],
    }

    def walked(part: Any) -> Any:
        if isinstance(part, list):
            return [walked(one) for one in part]
        if isinstance(part, dict):
            return {name: walked(one) for name, one in part.items()}
        return filled.get(part, part)

    config.nav = walked(config.nav)
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages of the API."""
    for page, (title, names) in API.items():
        parts = "\n\n".join(f"::: {name}" for name in _modules(names))
        files.append(File.generated(config, f"api/{page}.md", content=f"# {title}\n\n{parts}\n"))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return a page in which links out of the folder are words: on the site they would lead nowhere."""
    folder = (ROOT / "docs" / page.file.src_uri).parent

    def shown(found: re.Match[str]) -> str:
        target = (folder / found[2].partition("#")[0]).resolve()
        inside = target.is_relative_to(ROOT / "docs")
        return found[0] if inside else f"{found[1]} (`{target.relative_to(ROOT)}`)"

    return _LINK.sub(shown, markdown)
