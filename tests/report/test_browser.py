"""The report in a real Chromium: it opens, folds, searches, prunes, answers, and asks nothing of the network.

Screenshots are kept in build/screenshots. Without Playwright or Chromium the tests are skipped;
`./dev browser` brings both.
"""

import json
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

import treewright as tw
from tests import tables
from tests.report.browserless import big, case
from treewright.report import facts, page

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed; ./dev browser brings it", exc_type=ImportError
)
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed; ./dev browser brings it")

SHOTS = Path(__file__).parents[2] / "build" / "screenshots"
FOCUS = """() => {
  const { id, className, textContent } = document.activeElement;
  return id || className?.baseVal || textContent;
}"""
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 760}


@pytest.fixture(scope="module")
def chromium():
    SHOTS.mkdir(parents=True, exist_ok=True)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def told():
    """Return facts by name, and the tree and rows they are about."""
    found = {}
    target = tables.target("adult")
    parts = tw.evaluate.split(tables.table("adult"), target, test=1 / 3, seed=0)
    grown = tw.grow(
        parts.train, target=target, recipe="c4.5", prune="error_based", ledger=True, min_branch=20
    )
    found["adult"] = (grown, parts.test, facts(grown, parts.test, title="Who earns more than 50 thousand?"))
    tree, table = case("soybean")
    found["soybean"] = (tree, table, facts(tree, table))
    tree, table = big()
    found["large"] = (tree, table, facts(tree, table, title="Five thousand nodes"))
    tree, table = case("abalone")
    found["abalone"] = (tree, table, facts(tree, table))
    return found


@pytest.fixture(scope="module")
def places(told, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    for name, (_, _, known) in told.items():
        (folder / f"{name}.html").write_bytes(page(known))
    return folder


class Visit:
    """A page that is open, and all that it asked for or complained about."""

    def __init__(self, chromium, place, ready="html[data-ready=yes]", **options):
        self.context = chromium.new_context(**{"viewport": WIDE, **options})
        self.page = self.context.new_page()
        self.page.set_default_timeout(15000)
        self.asked, self.trouble = [], []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.trouble.append(message.text))
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.trouble.append(dialog.message), dialog.dismiss()))
        self.page.goto(place.as_uri())
        self.page.wait_for_selector(ready, timeout=20000)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        mine = self.page.url.split("#")[0]
        self.context.close()
        assert [url for url in self.asked if url != mine and url != "data:,"] == []
        assert self.trouble == []

    def count(self, selector):
        return self.page.locator(selector).count()

    def shoot(self, name, full_page=False):
        self.page.screenshot(path=SHOTS / f"{name}.png", full_page=full_page)

    def button(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def size(self, step):
        """Move the slider; large trees are on its right."""
        self.page.locator("#size").evaluate(
            "(input, step) => { input.value = input.max - step; input.dispatchEvent(new Event('input')); }",
            step,
        )

    def leaves(self):
        """Return how many leaves are drawn: as boxes, or from afar as spots."""
        spots = self.page.locator(".window .far")
        return int(spots.get_attribute("data-leaves")) if spots.count() else self.count(".node.leaf")

    def try_a_row(self):
        self.page.get_by_role("tab", name="What if").click()

    def everything(self):
        self.button("Unfold everything")
        self.button("Show all of it")


TREES = ["adult", "soybean", "large", "abalone"]


@pytest.mark.parametrize("name", TREES)
def test_it_opens_offline_with_a_part_of_the_tree_and_says_the_rest(chromium, places, told, name):
    with Visit(chromium, places / f"{name}.html", offline=True) as visit:
        tree = told[name][0]
        assert 3 <= visit.count(".node") <= 80
        assert visit.count(".node .tail") >= (1 if tree.n_leaves > 60 else 0)
        assert visit.page.title() == told[name][2]["title"]
        assert visit.count("section") >= 7
        visit.shoot(f"{name}-light", full_page=name != "large")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["soybean", "adult"])
def test_folding_by_button_click_and_key(chromium, places, told, name):
    with Visit(chromium, places / f"{name}.html") as visit:
        tree = told[name][0]
        visit.everything()
        assert visit.count(".node") == tree.n_nodes
        assert visit.count(".node.leaf") == tree.n_leaves
        for _ in range(tree.depth):
            visit.button("Fold the deepest level")
        visit.button("Show all of it")
        branches = len(tree.children(0))
        assert visit.count(".node") == 1 + branches
        root = visit.page.locator("[data-node='0']")
        assert root.get_attribute("aria-expanded") == "true"
        root.locator(".title").click()  # it is chosen already: a click folds it
        assert visit.count(".node") == 1
        visit.page.keyboard.press("Enter")
        assert visit.count(".node") == 1 + branches
        visit.page.keyboard.press("ArrowDown")
        assert visit.page.evaluate("document.activeElement.dataset.node") == "1"
        visit.page.keyboard.press("ArrowRight")
        assert visit.page.evaluate("document.activeElement.dataset.node") == str(tree.children(0)[1])
        visit.page.keyboard.press("ArrowUp")
        assert visit.page.evaluate("document.activeElement.dataset.node") == "0"


@pytest.mark.slow
@pytest.mark.parametrize("name", TREES)
def test_no_two_texts_meet_in_the_fonts_of_the_browser(chromium, places, name):
    with Visit(chromium, places / f"{name}.html") as visit:
        visit.button("Unfold one level more")
        found = visit.page.evaluate(
            """() => {
              const boxes = [...document.querySelectorAll('.window text')].map((text) => {
                const { left, right, top, bottom } = text.getBoundingClientRect();
                return { text: text.textContent, left, right, top, bottom };
              });
              const meet = [];
              boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
                const isBeside = a.right <= b.left || b.right <= a.left;
                const isApart = a.bottom <= b.top + 1.5 || b.bottom <= a.top + 1.5;
                if (!isBeside && !isApart) meet.push([a.text, b.text]);
              }));
              return { n: boxes.length, meet };
            }"""
        )
        assert found["n"] > 10
        assert found["meet"] == []


@pytest.mark.parametrize(
    ("name", "text"), [("adult", "capital-gain"), ("soybean", "mildew"), ("large", "age")]
)
@pytest.mark.slow
def test_search_unfolds_and_shows_what_it_finds(chromium, places, name, text):
    with Visit(chromium, places / f"{name}.html") as visit:
        visit.page.fill("#search", text)
        words = visit.page.locator(".search [role=status]")
        assert "node" in words.inner_text()
        visit.page.press("#search", "Enter")
        first = visit.page.locator(".node.selected").get_attribute("data-node")
        visit.page.press("#search", "Enter")
        second = visit.page.locator(".node.selected").get_attribute("data-node")
        assert first != second
        assert words.inner_text().startswith("2 of ")
        assert text in visit.page.locator(".node.selected").get_attribute("aria-label")
        visit.page.fill("#search", "there is nothing of this kind")
        assert words.inner_text() == "nothing found"
        visit.page.press("#search", "Escape")
        assert visit.count(".node.found") == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", TREES)
def test_the_slider_cuts_the_tree_back_to_the_trees_of_the_path(chromium, places, told, name):
    with Visit(chromium, places / f"{name}.html") as visit:
        sizes = told[name][2]["sizes"]
        last = len(sizes["leaves"]) - 1
        for step in sorted({sizes["marks"]["one_se"], last // 2, last}):
            visit.size(step)
            words = visit.page.locator(".size-words").inner_text()
            leaves = sizes["leaves"][step]
            assert words.startswith(f"{leaves:,} {'leaf' if leaves == 1 else 'leaves'} ")
            visit.everything()
            assert visit.leaves() == leaves
            assert (
                visit.page.locator("#rules [role=status]")
                .inner_text()
                .startswith(f"{leaves:,} rule" if leaves <= 25 else "The 25 with most rows")
            )
        visit.page.get_by_role("button", name="1-SE").click()
        assert visit.page.locator("#size").input_value() == str(last - sizes["marks"]["one_se"])


@pytest.mark.slow
def test_a_row_that_is_typed_gets_the_answer_of_python(chromium, places, told):
    tree, table, _ = told["adult"]
    rows = table.take(range(8))
    wanted = tree.predict(rows)
    with Visit(chromium, places / "adult.html") as visit:
        visit.try_a_row()
        for row in range(rows.n_rows):
            for place in tree.used_columns.tolist():
                column, values = rows.column(tree.schema.names[place])
                field = visit.page.locator(f"#what-{place}")
                if column.is_numeric:
                    field.fill("" if values[row] != values[row] else repr(float(values[row])))
                else:
                    field.select_option("" if values[row] < 0 else column.categories[values[row]])
            assert visit.page.locator(".result .said b").inner_text() == wanted[row]
        assert visit.count(".line.passed") >= 1
        visit.page.locator("#tree").scroll_into_view_if_needed()
        visit.shoot("adult-followed")
        field = visit.page.locator(".field input").first
        field.fill("many")
        assert field.get_attribute("aria-invalid") == "true"
        assert "must be a number" in visit.page.locator(".result").inner_text()


@pytest.mark.slow
def test_candidates_rules_and_the_matrix_are_there(chromium, places, told):
    with Visit(chromium, places / "adult.html") as visit:
        tree = told["adult"][0]
        visit.page.get_by_text("Tests considered here").click()
        chosen = visit.page.locator(".candidates .chosen th").inner_text()
        assert chosen == tree.node(0).question
        assert visit.count(".rules li") == min(25, tree.n_leaves)
        visit.page.locator(".rules .link").nth(3).click()
        assert visit.page.locator(".panel .over").inner_text().lower().startswith("leaf")
        assert visit.count(".matrix tbody tr") == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adult", "soybean", "abalone"])
def test_it_can_be_read_on_a_phone_in_the_dark_and_on_paper(chromium, places, name):
    with Visit(chromium, places / f"{name}.html", viewport=PHONE, has_touch=True) as visit:
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 360
        assert visit.count(".node") >= 2
        visit.shoot(f"{name}-phone", full_page=True)
    with Visit(chromium, places / f"{name}.html", color_scheme="dark") as visit:
        assert visit.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)"
        visit.shoot(f"{name}-dark", full_page=True)
    with Visit(chromium, places / f"{name}.html") as visit:
        shown = visit.count(".node")
        visit.page.emulate_media(media="print")
        sync_api.expect(visit.page.locator(".window")).to_have_attribute("viewBox", re.compile("."))
        assert visit.count(".node") == shown
        assert visit.page.locator("nav").is_hidden()
        pdf = visit.page.pdf(path=SHOTS / f"{name}-print.pdf", format="A4", print_background=True)
        assert pdf.startswith(b"%PDF")


@pytest.mark.slow
def test_hostile_names_stay_text(chromium, tmp_path):
    bad = "</script><img src=x onerror=alert(1)>"
    table = tw.Table.from_dict(
        {"<script>alert(1)</script>": ["<b>x</b>", bad, "<!--", "&lt;"] * 5, "y": [bad, "b", "c", '"'] * 5}
    )
    tree = tw.grow(table, target="y", recipe="c4.5", min_branch=1, ledger=True)
    place = tmp_path / "hostile.html"
    place.write_bytes(page(facts(tree, table, title=bad)))
    with Visit(chromium, place) as visit:
        assert visit.page.locator("h1").inner_text() == bad
        assert visit.count("#report img, #report script, #report b b") == 0
        assert visit.page.locator(".node .title").first.text_content() == "<script>alert(1)</script>"


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_a_name_of_two_thousand_letters_makes_no_page_wider(chromium, tmp_path, width):
    long = "long" * 500
    table = tw.Table.from_dict({long: [1, 2, 3] * 16, "z": ["u", long, "w"] * 16, "y": [long, "b", "c"] * 16})
    (tmp_path / "tree.html").write_bytes(page(facts(tw.grow(table, target="y", min_branch=1), table)))
    forest = tw.forest.grow(table, target="y", n_trees=3)
    tw.report.report(forest, tmp_path / "forest.html", table, training=table)
    for name, ready in (("tree", "html[data-ready=yes]"), ("forest", "footer")):
        with Visit(
            chromium, tmp_path / f"{name}.html", ready, viewport={"width": width, "height": 800}
        ) as visit:
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
def test_rows_are_whole_and_means_have_one_number_of_decimals(chromium, tmp_path, places):
    thyroid = tw.example("hypothyroid")
    place = tmp_path / "thyroid.html"
    place.write_bytes(page(facts(tw.grow(thyroid, target="class", recipe="c4.5"), thyroid)))
    with Visit(chromium, place) as visit:
        words = visit.page.locator("#tree, #rules").all_inner_texts()
        assert not re.search(r"\d\.\d+ rows", " ".join(words))
        assert re.search(r"\d,\d{3} rows", " ".join(words))
    with Visit(chromium, places / "abalone.html") as visit:
        titles = visit.page.locator(".node.leaf .title").all_text_contents()
        assert titles
        assert all(re.fullmatch(r"\d+\.\d( \u00b1 \d+\.\d)?", title) for title in titles)


@pytest.mark.slow
def test_whiskers_of_leaves_stay_on_their_chart(chromium, places):
    with Visit(chromium, places / "abalone.html") as visit:
        chart = visit.page.locator("#mistakes .chart").bounding_box()
        for whisker in visit.page.locator("#mistakes .whisker").all():
            box = whisker.bounding_box()
            assert chart["y"] <= box["y"] <= box["y"] + box["height"] <= chart["y"] + chart["height"]


@pytest.mark.slow
def test_everything_can_be_reached_by_keyboard(chromium, places):
    with Visit(chromium, places / "soybean.html") as visit:
        seen = []
        for _ in range(24):
            visit.page.keyboard.press("Tab")
            seen.append(visit.page.evaluate(FOCUS))
        assert "Skip to the tree" in seen
        assert "size" in seen
        assert "search" in seen
        assert any("node" in name and "selected" in name for name in seen)


@pytest.mark.slow
def test_a_browser_without_javascript_shows_the_tree_as_text(chromium, places, told):
    context = chromium.new_context(java_script_enabled=False)
    window = context.new_page()
    window.goto((places / "soybean.html").as_uri())
    assert told["soybean"][2]["text"].splitlines()[0] in window.locator("noscript").inner_text()
    context.close()


@pytest.mark.slow
def test_everything_fits_and_a_small_map_shows_where_one_is(chromium, places):
    with Visit(chromium, places / "adult.html") as visit:
        visit.button("Unfold everything")
        scene, window = (
            visit.page.locator(selector).bounding_box() for selector in (".window .scene", ".window")
        )
        assert scene["x"] >= window["x"] - 2
        assert scene["x"] + scene["width"] <= window["x"] + window["width"] + 2
        assert visit.page.locator(".minimap").is_hidden()
        for _ in range(6):
            visit.button("Zoom in")
        assert visit.page.locator(".minimap").is_visible()
        before = visit.page.locator(".window .scene").get_attribute("transform")
        visit.page.locator(".minimap").click(position={"x": 20, "y": 60})
        assert visit.page.locator(".window .scene").get_attribute("transform") != before
        visit.shoot("adult-minimap")


@pytest.mark.slow
@pytest.mark.parametrize("name", TREES)
def test_the_icicle_is_the_same_tree(chromium, places, told, name):
    with Visit(chromium, places / f"{name}.html") as visit:
        tree = told[name][0]
        visit.button("Icicle")
        assert visit.page.locator(".window").is_hidden()
        cells = visit.count(".icicle .cell")
        assert 3 <= cells <= tree.n_nodes
        first = str(tree.children(0)[int(tree.weights[list(tree.children(0))].argmax())])
        cell = visit.page.locator(f".icicle [data-node='{first}']")
        cell.click()
        assert "selected" in visit.page.locator(f".icicle [data-node='{first}']").get_attribute("class")
        assert f"node {first}" in visit.page.locator(".panel .over").inner_text().lower()
        visit.page.keyboard.press("ArrowUp")
        assert "node 0" in visit.page.locator(".panel .over").inner_text().lower()
        visit.shoot(f"{name}-icicle")
        visit.button("Tree")
        assert visit.page.locator(".window").is_visible()


@pytest.mark.slow
def test_filters_dim_what_does_not_pass_and_shorten_the_rules(chromium, places, told):
    with Visit(chromium, places / "adult.html") as visit:
        tree = told["adult"][0]
        visit.page.get_by_text("Filter leaves").click()
        visit.page.fill("#filter-share", "95")
        words = visit.page.locator(".filter [role=status]").inner_text()
        kept = int(words.split()[0])
        assert 0 < kept < tree.n_leaves
        assert words == f"{kept} of {tree.n_leaves} leaves"
        assert visit.count(".node.dim") > 0
        assert visit.count(".rules li") == min(kept, 25)
        visit.page.fill("#filter-share", "")
        assert visit.count(".node.dim") == 0


@pytest.mark.slow
def test_the_least_change_can_be_made(chromium, tmp_path):
    table = tables.table("iris")
    tree = tw.grow(table, target=tables.target("iris"))
    place = tmp_path / "iris.html"
    place.write_bytes(page(facts(tree, table)))
    with Visit(chromium, place) as visit:
        visit.try_a_row()
        before = visit.page.locator(".result .said b").inner_text()
        assert "least change" in visit.page.locator(".change h4").inner_text()
        wanted = visit.page.locator(".change p b").inner_text()
        visit.button("Make this change")
        assert visit.page.locator(".result .said b").inner_text() == wanted != before
        visit.shoot("iris-change")


@pytest.mark.slow
def test_files_can_be_taken_along(chromium, places, told):
    with Visit(chromium, places / "soybean.html") as visit:
        for label, name in (("SQL", "rules.sql"), ("Model (JSON)", "model.treewright")):
            with visit.page.expect_download() as waiting:
                visit.button(label)
            assert waiting.value.suggested_filename == name
            text = Path(waiting.value.path()).read_text("utf-8")
            if name == "rules.sql":
                assert text == told["soybean"][0].rules().to_text("sql")
            else:
                assert (tw.Tree.from_dict(json.loads(text)).stats == told["soybean"][0].stats).all()


@pytest.mark.slow
def test_the_head_says_what_is_predicted_and_what_guessing_is_worth(chromium, places):
    with Visit(chromium, places / "adult.html") as visit:
        lead = visit.page.locator(".lead").first.inner_text()
        assert lead.startswith("Predicts income (<=50K / >50K) from ")
        assert "Always saying <=50K" in visit.page.locator(".tiles").inner_text()
        assert "%" in visit.page.locator(".node.inner .rows").first.text_content()
        assert visit.count(".distribution svg") == 1
    with Visit(chromium, places / "abalone.html") as visit:
        assert "RMSE" in visit.page.locator(".tiles").inner_text()
        assert "root mean squared error" in visit.page.locator("#sizes").text_content()


AXE = (
    Path(find_spec("axe_playwright_python").origin).parent / "axe.min.js"
    if find_spec("axe_playwright_python")
    else None
)


@pytest.mark.slow
@pytest.mark.skipif(AXE is None, reason="axe-core is not installed; ./dev browser brings it")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["adult", "soybean", "abalone"])
def test_axe_finds_no_serious_barrier(chromium, places, name, scheme):
    with Visit(chromium, places / f"{name}.html", color_scheme=scheme) as visit:
        visit.page.evaluate(AXE.read_text("utf-8"))
        for form in ("Tree", "Icicle"):
            visit.button(form)
            visit.try_a_row()
            found = visit.page.evaluate("axe.run()")["violations"]
            serious = [
                (one["id"], [node["html"][:160] for node in one["nodes"][:3]])
                for one in found
                if one["impact"] in ("serious", "critical")
            ]
            assert serious == []
