"""The page as a file: one, whole, closed to the network, and nothing in it is taken for HTML."""

import base64
import hashlib
import json
import re
import subprocess
from html.parser import HTMLParser

import numpy as np
import pytest

import treewright as tw
from tests.report.browserless import NODE, case, needs_node
from treewright.report import facts, page
from treewright.report.html import MODULES, in_script
from treewright.report.script import joined

EVIL = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "<!--",
    "]]>",
    "&amp;",
    '"><b>',
    "'",
    "\u2028",
]


def evil_table():
    values = {EVIL[0]: EVIL[1:4] * 4, EVIL[1]: list(range(12)), "</style>": EVIL[4:7] * 4}
    return tw.Table.from_dict({**values, "</title><script>": [EVIL[1], EVIL[2], "\x00\ud800"[:1] + "z"] * 4})


class Elements(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.texts, self.inside = [], {}, None

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.inside = tag + str(dict(attrs).get("id", ""))

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        self.texts[self.inside] = self.texts.get(self.inside, "") + data


def elements(made):
    parser = Elements()
    parser.feed(made.decode("ascii"))
    return parser


def test_names_and_categories_stay_text():
    table = evil_table()
    tree = tw.grow(table, target="</title><script>", recipe="c4.5", ledger=True)
    found = elements(page(facts(tree, table, title=EVIL[1])))
    assert [tag for tag, _ in found.tags] == [
        "html", "head", "meta", "meta", "meta", "meta", "meta", "meta", "title", "link", "style", "body",
        "noscript", "h1", "p", "pre", "div", "script", "script",
    ]  # fmt: skip
    assert found.texts["title"].startswith(EVIL[1])
    told = json.loads(found.texts["scriptfacts"])
    assert told["title"] == EVIL[1]
    assert EVIL[0] in [column["name"] for column in told["columns"]]


def test_the_page_may_load_nothing_and_run_nothing_but_its_own_script():
    table = tw.example("tennis")
    found = elements(page(facts(tw.grow(table, target="PlayTennis", recipe="id3"), table)))
    policy = next(a["content"] for tag, a in found.tags if a.get("http-equiv") == "Content-Security-Policy")
    parts = dict(part.split(" ", 1) for part in policy.split("; "))
    assert parts["default-src"] == "'none'"
    assert parts["img-src"] == "data:"

    def sha(text):
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert parts["script-src"] == sha(found.texts["script"])
    assert parts["style-src"] == sha(found.texts["style"])
    links = [value for _, a in found.tags for key, value in a.items() if key in ("src", "href")]
    assert links == ["data:,"]
    assert "//" not in "".join(re.findall(r"url\([^)]*\)", found.texts["style"]))
    assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|innerHTML|eval)\b",
                         found.texts["script"])  # fmt: skip


def test_the_page_is_ascii_and_needs_no_script_for_the_tree_as_text():
    table = tw.example("tennis")
    tree = tw.grow(table, target="PlayTennis", recipe="id3")
    found = elements(page(facts(tree, table)))
    assert found.texts["pre"].rstrip("\n") == tree.to_text()


def test_data_in_a_script_element_cannot_end_it():
    text = in_script({"a": EVIL})
    assert not re.search(r"[<>&\u2028]", text)
    assert json.loads(text) == {"a": EVIL}


def test_modules_are_joined_in_order_and_mistakes_are_named():
    with pytest.raises(ValueError, match="which does not come before it"):
        joined({"a": 'import { x } from "./b.js";', "b": "export const x = 1;"})
    with pytest.raises(ValueError, match="cannot be joined"):
        joined({"a": "export default 1;"})
    with pytest.raises(ValueError, match="would end the script"):
        joined({"a": 'const x = "</script>";'})


@needs_node
def test_the_joined_script_is_whole(tmp_path):
    table = tw.example("tennis")
    found = elements(page(facts(tw.grow(table, target="PlayTennis", recipe="id3"), table)))
    path = tmp_path / "page.js"
    path.write_text(found.texts["script"])
    done = subprocess.run([NODE, str(path)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr  # without a document it only defines its parts
    assert all(f"const {name}_js" in found.texts["script"] for name in MODULES)


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    table = tw.example("tennis")
    tree = tw.grow(table, target="PlayTennis", recipe="id3")
    place = tmp_path / "tennis.html"
    tree.report(place, table)
    before = place.read_bytes()
    assert before.endswith(b"</html>\n")
    with pytest.raises(ValueError, match="no column"):
        tree.report(place, table.drop("PlayTennis"))
    assert place.read_bytes() == before
    with pytest.raises(ValueError, match="folder"):
        tree.report(tmp_path, table)
    assert [path.name for path in tmp_path.iterdir()] == ["tennis.html"]


def test_estimators_write_the_report_of_their_tree(tmp_path):
    table = tw.example("vote")
    X, y = table.drop("Class"), table.labels("Class")
    model = tw.DecisionTreeClassifier(recipe="c4.5").fit(X, y)
    model.report(tmp_path / "model.html", X, y, training=(X, y), folds=3, title="Votes")
    told = json.loads(elements((tmp_path / "model.html").read_bytes()).texts["scriptfacts"])
    assert told["title"] == "Votes"
    assert told["judged"]["scores"]["accuracy"][0] == pytest.approx(model.score(X, y))
    assert told["sizes"]["marks"]["by"] == "folds"
    with pytest.raises(ValueError, match="both X and y"):
        model.report(tmp_path / "other.html", X)
    numbers = np.arange(20.0)
    tw.DecisionTreeRegressor().fit(numbers[:, None], numbers**2).report(
        tmp_path / "numbers.html", numbers[:, None], numbers**2
    )
    told = json.loads(elements((tmp_path / "numbers.html").read_bytes()).texts["scriptfacts"])
    assert told["judged"]["scores"]["rmse"][0] == 0


def test_an_estimator_that_is_not_fitted_says_so(tmp_path):
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        tw.DecisionTreeClassifier().report(tmp_path / "x.html")


def test_a_regression_tree_with_surrogates_has_a_page():
    tree, table = case("cu_summary")
    assert page(facts(tree, table)).startswith(b"<!doctype html>")
