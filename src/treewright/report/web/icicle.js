// The tree as an icicle: every level a row, every node as wide as its share of rows. All of a tree fits.
import { el, fill, svg } from "./dom.js";
import { leafAt, question, saidBy } from "./model.js";
import { fitted, lineOf, titleOf } from "./layout.js";
import { colourOf } from "./colours.js";
import { counted } from "./words.js";

const LEAST = 0.6; // pixels: narrower nodes are not drawn
const ROW = 34;
const LOWEST = 14;
const TEXT = 46;
const FONT = "400 12px";

export function icicleOf(model, { onselect, measure, range }) {
  const picture = svg("svg", { class: "icicle", role: "tree", "aria-label": "The tree as an icicle" });
  const way = el("p", { class: "trail soft" });
  const state = { root: 0, step: 0, selected: 0, kept: null, passed: new Map() };
  const draw = () => {
    if (!picture.isConnected || !picture.clientWidth) return;
    const isLeaf = leafAt(model, state.step);
    const width = picture.clientWidth;
    const shown = boxes(model, state, isLeaf, width);
    const depth = Math.max(...shown.map((box) => box.depth)) + 1;
    const row = Math.max(LOWEST, Math.min(ROW, Math.floor(640 / depth)));
    picture.setAttribute("viewBox", `0 0 ${width} ${depth * row}`);
    picture.style.height = `${depth * row}px`;
    fill(picture, ...shown.map((box) => drawn(model, state, box, { isLeaf, row, measure, range })));
    fill(way, trail(model, state, zoom));
  };
  const zoom = (node) => {
    state.root = node;
    draw();
  };
  const choose = (node, isFocus) => {
    onselect(node);
    if (isFocus) picture.querySelector(`[data-node="${node}"]`)?.focus({ preventScroll: true });
  };
  picture.addEventListener("click", (event) => {
    const at = event.target.closest("[data-node]");
    if (at) choose(Number(at.dataset.node), true);
  });
  picture.addEventListener("dblclick", (event) => {
    const at = event.target.closest("[data-node]");
    if (at && !leafAt(model, state.step)(Number(at.dataset.node))) zoom(Number(at.dataset.node));
  });
  picture.addEventListener("keydown", (event) => {
    const to = moved(model, state, event.key);
    if (to === null) return;
    event.preventDefault();
    if (event.key === "Enter") zoom(to);
    else choose(to, true);
  });
  return {
    element: el(
      "div",
      { class: "ice" },
      way,
      picture,
      el(
        "p",
        { class: "hint" },
        "A click chooses a node, a double click or Enter makes it as wide as the picture.",
      ),
    ),
    set: (changes) => {
      Object.assign(state, changes);
      const isLeaf = leafAt(model, state.step);
      for (let i = state.root; i >= 0; i = model.parent[i])
        if (isLeaf(i)) state.root = Math.max(0, model.parent[i]);
      draw();
    },
    draw,
  };
}

function moved(model, state, key) {
  const node = state.selected;
  const parent = model.parent[node];
  const beside = parent >= 0 ? model.children[parent] : [node];
  const isLeaf = leafAt(model, state.step)(node);
  const to = {
    ArrowUp: parent,
    ArrowDown: isLeaf ? null : model.children[node][0],
    ArrowLeft: beside[beside.indexOf(node) - 1],
    ArrowRight: beside[beside.indexOf(node) + 1],
    Home: 0,
    Enter: isLeaf ? null : node,
  }[key];
  return to === undefined || to === null || to < 0 ? null : to;
}

// Where each node stands: children share the width of their parent by their rows.
export function boxes(model, state, isLeaf, width) {
  const { weight } = model.tree;
  const found = [{ node: state.root, x: 0, width, depth: 0 }];
  for (let k = 0; k < found.length; k++) {
    const box = found[k];
    if (isLeaf(box.node)) continue;
    const children = model.children[box.node];
    let total = 0;
    for (const child of children) total += weight[child];
    let { x } = box;
    for (const child of children) {
      const part = box.width * (total > 0 ? weight[child] / total : 1 / children.length);
      if (part >= LEAST) found.push({ node: child, x, width: part, depth: box.depth + 1 });
      x += part;
    }
  }
  return found;
}

function drawn(model, state, box, { isLeaf, row, measure, range }) {
  const { node } = box;
  const leaf = isLeaf(node);
  const names = ["cell", leaf ? "leaf" : "inner"];
  if (node === state.selected) names.push("selected");
  if (state.passed.has(node)) names.push("passed");
  if (state.kept && !state.kept.has(node)) names.push("dim");
  const [fill_, strength] = colour(model, node, range);
  const title = titleOf(model, node, leaf);
  const line = lineOf(model, node, leaf);
  const hasText = row >= LOWEST && box.width >= TEXT;
  const y = box.depth * row;
  const sides = { x: box.x + 0.5, y: y + 0.5, width: Math.max(box.width - 1, 0.4), height: row - 1 };
  return svg(
    "g",
    {
      class: names.join(" "),
      role: "treeitem",
      "data-node": node,
      "aria-level": model.depth[node] + 1,
      "aria-selected": String(node === state.selected),
      "aria-label": `${title}, ${line}`,
      tabindex: node === state.selected ? 0 : -1,
    },
    svg("rect", { ...sides, class: "ground" }),
    svg("rect", { ...sides, fill: fill_, "fill-opacity": strength.toFixed(2), class: "box" }),
    hasText
      ? svg("text", { x: box.x + 5, y: y + row / 2 + 4 }, fitted(title, FONT, box.width - 10, measure).text)
      : null,
    svg("title", {}, `${title}: ${line}`),
  );
}

// The surer a node, the stronger its colour; of numbers the higher.
function colour(model, node, range) {
  const said = saidBy(model, node);
  if (!model.isClassifier) {
    const [low, high] = range;
    const at = high > low ? (said.mean - low) / (high - low) : 0.5;
    return ["var(--training)", 0.08 + 0.6 * Math.min(1, Math.max(0, at))];
  }
  const least = 1 / Math.max(2, model.facts.target.classes.length);
  return [colourOf(said.label), 0.1 + 0.55 * Math.max(0, (said.share - least) / (1 - least))];
}

function trail(model, state, onzoom) {
  if (state.root === 0) return counted(model.facts.size.leaves, "leaf", "leaves");
  const nodes = [];
  for (let i = state.root; i >= 0; i = model.parent[i]) nodes.unshift(i);
  return nodes.map((node, k) => [
    k ? " \u203a " : null,
    node === state.root
      ? question(model, node)
      : el("button", { type: "button", class: "link", onclick: () => onzoom(node) }, question(model, node)),
  ]);
}
