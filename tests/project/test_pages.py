"""The documents: their links lead somewhere, and their words belong here."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOT_OURS = {
    ".git",
    ".hypothesis",
    ".venv",
    "__pycache__",
    "build",
    "dist",
    "shared",
    "site",
    "treewright-demo",
}
TEXT = {
    ".py",
    ".pyi",
    ".md",
    ".toml",
    ".yml",
    ".txt",
    ".hpp",
    ".cpp",
    ".sh",
    ".json",
    ".js",
    ".html",
    ".css",
    "",
}


def project_files():
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        is_ours = not any(part in NOT_OURS or part.endswith("_cache") for part in parts)
        if is_ours and path.suffix in TEXT and path.is_file():
            yield path


def anchors(page):
    """The anchors a page offers, named as GitHub names them."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def broken_links(page):
    """Yield what is wrong with the links of a page that stay inside the project."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists():
            yield f"{page.relative_to(ROOT)} links to {link}, which does not exist"
        elif anchor and anchor not in anchors(target):
            yield f"{page.relative_to(ROOT)} links to {link}; no such heading"


def test_links_inside_the_project_lead_somewhere():
    pages = [path for path in project_files() if path.suffix == ".md"]
    assert len(pages) > 50
    assert [trouble for page in pages for trouble in broken_links(page)] == []


def test_no_file_names_a_place_or_a_helper_outside_the_project():
    # Written with brackets, so that this file does not find itself.
    words = re.compile(
        r"/(wor[k]|roo[t]|far[m]|hom[e])/|\bsuba[g]ent|\bcl[a]ude\b|lang[u]age model|\bth[i]s session\b",
        re.IGNORECASE,
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in project_files()
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if words.search(line)
    ]
    assert found == []


def test_fragments_of_news_have_names_that_a_release_takes():
    names = [path.name for path in (ROOT / "changes").glob("*.md") if path.name != "README.md"]
    kinds = r"(added|changed|removed|fixed|trees)"
    assert [
        name for name in names if not re.fullmatch(rf"(\d+|\+[\w-]+)\.{kinds}(\.[\w-]+)?\.md", name)
    ] == []
