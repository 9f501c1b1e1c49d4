// The page: reads its facts, makes its parts and lets them hear of each other.
import { el, fill } from "./dom.js";
import { leafAt, modelOf } from "./model.js";
import { toolbar, viewOf } from "./view.js";
import { details } from "./details.js";
import { section } from "./section.js";
import { legend, summary } from "./summary.js";
import { rulesPart } from "./rulelist.js";
import { importancePart } from "./importance.js";
import { mistakesPart } from "./mistakes.js";
import { leavesPart } from "./leaves.js";
import { downloadsPart } from "./downloads.js";
import { filterBar } from "./filterbar.js";
import { icicleOf } from "./icicle.js";
import { panelOf } from "./panel.js";
import { originPart } from "./origin.js";
import { sizesPart, slider } from "./sizes.js";
import { search, wordsOf } from "./search.js";
import { whatIfPart } from "./whatif.js";
import { counted } from "./words.js";

const TITLES = {
  tree: "Tree",
  sizes: "Size",
  rules: "Rules",
  importance: "Importance",
  mistakes: "Mistakes",
  downloads: "Downloads",
  origin: "Origin",
};

function begin() {
  const facts = JSON.parse(document.getElementById("facts").textContent);
  const model = modelOf(facts);
  const state = { step: 0 };
  const view = viewOf(model, { onselect: (node) => showDetails(node) });
  const icicle = icicleOf(model, {
    onselect: (node) => view.select(node, { isShown: true }),
    measure: view.measure,
    range: view.range,
  });
  const go = (node) => {
    view.select(node, { isShown: true });
    document.getElementById("tree").scrollIntoView({ block: "start" });
  };
  // Leaves with models say no one number each that could be set against the true ones.
  const saidAndTrue = facts.judged && !model.isClassifier && !model.tree.model ? leavesPart(model) : null;
  const parts = {
    size: slider(facts, setStep),
    sizes: facts.sizes.leaves.length > 1 ? sizesPart(facts, setStep) : null,
    whatif: model.n > 1 || model.tree.model ? whatIfPart(model, { onfollow: follow, onselect: go }) : null,
    rules: rulesPart(model, go),
    mistakes: facts.judged ? (model.isClassifier ? mistakesPart(model) : saidAndTrue) : null,
    downloads: downloadsPart(facts),
  };
  const panel = panelOf(parts.whatif?.element ?? null);
  const finder = searchBox(model, view, () => state.step);
  const filter = filterBar(model, (kept) => {
    view.keep(kept);
    icicle.set({ kept });
    parts.rules.keep(kept);
  });

  function showDetails(node) {
    const isLeaf = leafAt(model, state.step)(node);
    icicle.set({ selected: node });
    fill(
      panel.node,
      details(model, node, {
        isLeaf,
        isOpen: view.isOpen(node),
        ontoggle: () => {
          view.toggle(node);
          showDetails(node);
        },
        onselect: (to) => view.select(to, { isShown: true }),
        ontry: parts.whatif
          ? () => {
              panel.show("whatif");
              parts.whatif.lead(node);
            }
          : null,
      }),
    );
  }

  function follow(routed) {
    const passed = routed === null || routed.refused !== null ? new Map() : routed.passed;
    icicle.set({ passed });
    view.follow(passed);
    if (!passed.size) return;
    view.select(routed.node, { isShown: true });
  }

  function setStep(step) {
    state.step = step;
    icicle.set({ step, passed: new Map() });
    view.follow(new Map());
    view.size(step);
    showDetails(view.selected);
    finder.again();
    for (const part of [parts.sizes, parts.whatif, parts.rules, parts.mistakes, filter]) part?.size(step);
    parts.size.set(step);
  }

  const treePart = section(
    "tree",
    "The tree",
    null,
    parts.size.element,
    toolbar(view, finder.element, forms(view, icicle)),
    filter.element,
    el("div", { class: "stage" }, el("div", { class: "shown" }, view.element, icicle.element), panel.element),
    legend(model),
    el(
      "p",
      { class: "hint" },
      "Drag to move, Ctrl + wheel or pinch to zoom. A click chooses a node, a second click " +
        "folds or unfolds it. Arrow keys walk: down to the first branch, up to the question " +
        "above, left and right along a level; Enter folds, 0 fits.",
    ),
  );
  const main = el(
    "main",
    {},
    treePart,
    parts.sizes?.element,
    parts.rules.element,
    importancePart(facts),
    parts.mistakes?.element,
    parts.downloads,
    originPart(facts),
  );
  const links = [...main.children].map((part) => el("a", { href: `#${part.id}` }, TITLES[part.id]));
  fill(
    document.getElementById("report"),
    el("a", { class: "skip", href: "#tree" }, "Skip to the tree"),
    summary(facts),
    el("nav", { "aria-label": "Parts of the report" }, links),
    main,
    el(
      "footer",
      {},
      `Made by treewright ${facts.made.versions.treewright}. `,
      "This file holds no training rows and asks nothing of the network.",
    ),
  );
  view.begin();
  view.select(0, {});
  for (const part of [parts.sizes, parts.whatif, parts.rules, parts.mistakes, filter]) part?.size(0);
  parts.size.set(0);
  listen(view, icicle, parts, state);
  document.documentElement.dataset.ready = "yes";
}

// Two forms of the same tree: boxes with lines, and an icicle.
function forms(view, icicle) {
  icicle.element.hidden = true;
  const button = (text, label, isIcicle) =>
    el(
      "button",
      { type: "button", "aria-pressed": String(!isIcicle), title: label, onclick: () => show(isIcicle) },
      text,
    );
  const buttons = [
    button("Tree", "Boxes and lines", false),
    button("Icicle", "Every node as wide as its rows", true),
  ];
  function show(isIcicle) {
    view.element.hidden = isIcicle;
    icicle.element.hidden = !isIcicle;
    buttons.forEach((one, k) => one.setAttribute("aria-pressed", String(isIcicle === Boolean(k))));
    if (isIcicle) icicle.draw();
    else view.redraw();
  }
  return el("span", { class: "group", role: "group", "aria-label": "Form" }, buttons);
}

function searchBox(model, view, stepNow) {
  const input = el("input", {
    type: "search",
    id: "search",
    placeholder: "column, category, class, #17",
    autocomplete: "off",
    spellcheck: "false",
  });
  const words = el("span", { class: "soft", role: "status" });
  let found = [];
  let place = -1;
  const again = () => {
    found = search(model, input.value, stepNow());
    place = -1;
    view.find(found);
    fill(
      words,
      input.value.trim() === ""
        ? ""
        : found.length
          ? `${counted(found.length, "node")}, Enter shows the ${found.length > 1 ? "first" : "one"}`
          : "nothing found",
    );
  };
  input.addEventListener("input", again);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.value = "";
      again();
    }
    if (event.key !== "Enter" || !found.length) return;
    event.preventDefault();
    place =
      (place + (event.shiftKey ? found.length - 1 : 1) + (place < 0 && event.shiftKey ? 1 : 0)) %
      found.length;
    view.select(found[place], { isShown: true });
    fill(
      words,
      `${place + 1} of ${found.length}: `,
      wordsOf(model, found[place], leafAt(model, stepNow())(found[place])),
    );
  });
  return {
    element: el("span", { class: "search" }, el("label", { for: "search" }, "Search"), input, words),
    again,
  };
}

function listen(view, icicle, parts, state) {
  let waiting = null;
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      view.fit();
      parts.sizes?.size(state.step);
      icicle.draw();
      parts.mistakes?.size(state.step);
    }, 120);
  });
  const paper = window.matchMedia("print");
  paper.addEventListener("change", () => view.whole(paper.matches));
  window.addEventListener("beforeprint", () => view.whole(true));
  window.addEventListener("afterprint", () => view.whole(false));
}

if (typeof document !== "undefined") begin();
