// The tree as a picture that can be moved: only what lies in the window is drawn.
import { el, svg } from "./dom.js";
import { answer, leafAt, leafCounts, question, weightsOf } from "./model.js";
import { closeLast, foldable, isOpen, openNext, openTo, start, toggled } from "./fold.js";
import { layout, lineOf, SIZES, titleOf } from "./layout.js";
import { classBar, numberBar, swatch } from "./colours.js";
import { counted } from "./words.js";

const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const LEAST = 0.02;
const MOST = 2.5;
const READABLE = 0.45; // below this scale texts are left out
const EDGE = 16;
const LARGEST = 1.15; // a picture that fits is not made larger than this
const FEW = 40;
const CLEAR = 0.82; // at this scale every text is 9 pixels high
const COMPLETE = 0.66; // down to this one the first levels, or what was asked for, are shown as a whole

export function viewOf(model, { onselect }) {
  const scene = svg("g", { class: "scene" });
  const window_ = svg(
    "svg",
    { class: "window", role: "tree", "aria-label": "The tree", focusable: "false" },
    scene,
  );
  const state = {
    model,
    scene,
    window: window_,
    onselect,
    drawn: new Map(),
    measure: measurer(),
    range: rangeOf(model),
    step: 0,
    open: new Set(),
    selected: 0,
    found: new Set(),
    passed: new Map(),
    isLeaf: leafAt(model, 0),
    below: leafCounts(model, 0),
    picture: null,
    x: 0,
    y: 0,
    scale: 1,
    isWhole: false,
    isFresh: true,
  };
  movable(state);
  return {
    element: window_,
    begin: () => begin(state),
    size: (step) => resized(state, step),
    select: (node, options) => select(state, node, options),
    find: (nodes) => {
      state.found = new Set(nodes);
      redraw(state, true);
    },
    follow: (passed) => follow(state, passed),
    more: () => refit(state, openNext(model, state.open, state.isLeaf)),
    less: () => refit(state, closeLast(model, state.open, state.isLeaf)),
    all: () => refit(state, new Set(foldable(model, state.isLeaf))),
    toggle: (node) => refold(state, toggled(state.open, node), node),
    isOpen: (node) => isOpen(state.open, state.isLeaf, node),
    fit: () => fit(state),
    zoom: (factor) => zoom(state, factor),
    whole: (isWhole) => whole(state, isWhole),
    key: (event) => key(state, event),
    redraw: () => redraw(state, false),
    get picture() {
      return state.picture;
    },
    get selected() {
      return state.selected;
    },
  };
}

function measurer() {
  const canvas = document.createElement("canvas").getContext("2d");
  const known = new Map();
  return (text, font) => {
    const key = font + text;
    if (!known.has(key)) {
      canvas.font = `${font} ${FAMILY}`;
      known.set(key, Math.ceil(canvas.measureText(text).width * 1.01 + 0.5));
    }
    return known.get(key);
  };
}

function rangeOf(model) {
  if (model.isClassifier) return null;
  const { mean, spread } = model.tree;
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < model.n; i++) {
    if (!(model.tree.weight[i] > 0)) continue;
    low = Math.min(low, i ? mean[i] : mean[i] - 2 * spread[i]);
    high = Math.max(high, i ? mean[i] : mean[i] + 2 * spread[i]);
  }
  return [low, high];
}

// ---- which nodes, and where ---------------------------------------------------------------------------

function lay(state) {
  return layout(state.model, state.open, state.isLeaf, state.measure, state.below);
}

function begin(state) {
  const { width, height } = room(state);
  const fits = (open, node) => {
    const found = layout(state.model, open, state.isLeaf, state.measure, state.below);
    const least = state.model.depth[node] < 2 ? COMPLETE : CLEAR;
    return found.width <= (width - 2 * EDGE) / least && found.height <= (height - 2 * EDGE) / least;
  };
  state.open = start(state.model, state.isLeaf, fits);
  state.picture = lay(state);
  if (state.isFresh && state.model.n < FEW) snug(state, height);
  state.isFresh = false;
  fit(state);
}

// A small tree needs no large window.
function snug(state, height) {
  const needed = state.picture.height * LARGEST + 2 * EDGE + 40;
  if (needed < height) state.window.style.height = `${Math.max(360, Math.ceil(needed))}px`;
}

function resized(state, step) {
  state.step = step;
  state.isLeaf = leafAt(state.model, step);
  state.below = leafCounts(state.model, step);
  state.picture = lay(state);
  if (!state.picture.blocks.has(state.selected)) {
    let node = state.selected;
    while (node > 0 && !state.picture.blocks.has(node)) node = state.model.parent[node];
    select(state, node, { isQuiet: true });
  }
  begin(state);
}

// Lay the picture out anew; the given node stays where the reader sees it.
function refold(state, open, node) {
  const anchor = state.picture.blocks.get(node) ?? state.picture.blocks.get(0);
  const before = { x: anchor.x * state.scale + state.x, y: anchor.y * state.scale + state.y };
  state.open = open;
  state.picture = lay(state);
  let kept = anchor.node;
  while (!state.picture.blocks.has(kept)) kept = state.model.parent[kept];
  const after = state.picture.blocks.get(kept);
  state.x = before.x - after.x * state.scale;
  state.y = before.y - after.y * state.scale;
  if (!state.picture.blocks.has(state.selected)) select(state, kept, { isQuiet: true });
  redraw(state, true);
}

function refit(state, open) {
  refold(state, open, state.selected);
  const { width, height } = room(state);
  if (state.picture.width <= width / COMPLETE && state.picture.height <= height / COMPLETE) fit(state);
}

function room(state) {
  const box = state.window.getBoundingClientRect();
  return { width: box.width || 800, height: box.height || 500 };
}

function fit(state) {
  const { width, height } = room(state);
  const { width: w, height: h } = state.picture;
  const scale = Math.min((width - 2 * EDGE) / w, (height - 2 * EDGE) / h, LARGEST);
  state.scale = Math.max(scale, LEAST);
  state.x = (width - w * state.scale) / 2;
  state.y = Math.min(Math.max((height - h * state.scale) / 2, EDGE - SIZES.answer * state.scale), 36);
  redraw(state, true);
}

function zoom(state, factor, at = null) {
  const { width, height } = room(state);
  const centre = at ?? { x: width / 2, y: height / 2 };
  const scale = Math.min(Math.max(state.scale * factor, LEAST), MOST);
  state.x = centre.x - ((centre.x - state.x) / state.scale) * scale;
  state.y = centre.y - ((centre.y - state.y) / state.scale) * scale;
  state.scale = scale;
  redraw(state, false);
}

// ---- choosing a node ----------------------------------------------------------------------------------

function select(state, node, { isQuiet = false, isShown = false, focus = false } = {}) {
  let seen = node;
  for (let i = node; i >= 0; i = state.model.parent[i]) if (i !== node && state.isLeaf(i)) seen = i;
  state.selected = seen;
  if (!isQuiet && state.picture && !state.picture.blocks.has(seen)) {
    state.open = openTo(state.model, state.open, seen);
    state.picture = lay(state);
  }
  if (isShown) show(state, seen);
  if (state.picture && !isQuiet) redraw(state, true);
  if (focus) state.drawn.get(seen)?.focus({ preventScroll: true });
  state.onselect(seen);
}

// Move the picture so that a node is well inside the window.
function show(state, node) {
  const { width, height } = room(state);
  const block = state.picture.blocks.get(node);
  if (state.scale < 0.7) state.scale = 0.9;
  const x = block.x * state.scale + state.x;
  const y = block.y * state.scale + state.y;
  const margin = Math.min(120, width / 4);
  if (x < margin || x > width - margin) state.x += width / 2 - x;
  if (y < 30 || y > height - 120 * state.scale) state.y += height / 2.6 - y;
}

function follow(state, passed) {
  state.passed = passed;
  redraw(state, true);
}

function key(state, event) {
  const { model } = state;
  const node = state.selected;
  const open = isOpen(state.open, state.isLeaf, node);
  const go = (to) => to !== null && to !== undefined && select(state, to, { isShown: true, focus: true });
  const moves = {
    ArrowUp: () => go(node > 0 ? model.parent[node] : null),
    ArrowDown: () => {
      if (state.isLeaf(node)) return;
      if (!open) refold(state, toggled(state.open, node), node);
      go(model.children[node][0]);
    },
    ArrowLeft: () => go(beside(state, node, -1)),
    ArrowRight: () => go(beside(state, node, 1)),
    Home: () => go(0),
    Enter: () => {
      if (!state.isLeaf(node)) {
        refold(state, toggled(state.open, node), node);
        state.onselect(node);
      }
    },
    "+": () => zoom(state, 1.25),
    "-": () => zoom(state, 0.8),
    0: () => fit(state),
  };
  const move = moves[event.key === " " ? "Enter" : event.key === "=" ? "+" : event.key];
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  move();
  state.drawn.get(state.selected)?.focus({ preventScroll: true });
}

// The shown node of the same depth to the left or right.
function beside(state, node, side) {
  const level = [...state.picture.blocks.values()].filter(
    (b) => state.model.depth[b.node] === state.model.depth[node],
  );
  level.sort((a, b) => a.x - b.x);
  return level[level.findIndex((b) => b.node === node) + side]?.node;
}

// ---- drawing ------------------------------------------------------------------------------------------

function redraw(state, isAnew) {
  const { picture, scene } = state;
  if (!picture) return;
  const inView = state.isWhole ? () => true : windowTest(state);
  const isSmall = !state.isWhole && state.scale < READABLE;
  if (isAnew || isSmall !== state.wasSmall) {
    for (const element of state.drawn.values()) element.remove();
    state.drawn.clear();
  }
  state.wasSmall = isSmall;
  scene.setAttribute(
    "transform",
    state.isWhole
      ? ""
      : `translate(${state.x.toFixed(2)} ${state.y.toFixed(2)}) scale(${state.scale.toFixed(4)})`,
  );
  drawLines(state, inView, isAnew);
  for (const block of picture.blocks.values()) {
    const isIn = inView(
      block.x - block.width / 2,
      block.y,
      block.x + block.width / 2,
      block.y + SIZES.answer + SIZES.box + SIZES.tail,
    );
    const there = state.drawn.get(block.node);
    if (isIn && !there) {
      const made = drawBlock(state, block, isSmall);
      state.drawn.set(block.node, made);
      scene.append(made);
    } else if (!isIn && there && block.node !== state.selected) {
      there.remove();
      state.drawn.delete(block.node);
    }
  }
}

function windowTest(state) {
  const { width, height } = room(state);
  const left = -state.x / state.scale;
  const top = -state.y / state.scale;
  const right = left + width / state.scale;
  const bottom = top + height / state.scale;
  return (x1, y1, x2, y2) => x2 >= left && x1 <= right && y2 >= top && y1 <= bottom;
}

function drawLines(state, inView) {
  const group = svg("g", { class: "lines", "aria-hidden": "true" });
  for (const line of state.picture.lines) {
    if (!inView(Math.min(line.x1, line.x2), line.y1, Math.max(line.x1, line.x2), line.y2)) continue;
    const middle = (line.y1 + line.y2) / 2;
    const [x1, x2] = [line.x1.toFixed(1), line.x2.toFixed(1)];
    const isPassed = state.passed.has(line.node);
    group.append(
      svg("path", {
        d: `M${x1} ${line.y1} C${x1} ${middle} ${x2} ${middle} ${x2} ${line.y2}`,
        "stroke-width": line.width.toFixed(2),
        class: isPassed ? "line passed" : "line",
      }),
    );
  }
  state.lines?.remove();
  state.lines = group;
  state.scene.prepend(group);
}

function drawBlock(state, block, isSmall) {
  const { node } = block;
  const names = ["node", block.isLeaf ? "leaf" : "inner"];
  if (node === state.selected) names.push("selected");
  if (state.found.has(node)) names.push("found");
  if (state.passed.has(node)) names.push("passed");
  const group = svg("g", {
    class: names.join(" "),
    transform: `translate(${block.x.toFixed(2)} ${block.y})`,
    role: "treeitem",
    "aria-level": state.model.depth[node] + 1,
    "aria-label": spoken(state, block),
    "data-node": node,
    "aria-expanded": block.isLeaf ? null : String(block.isOpened),
    "aria-selected": String(node === state.selected),
    tabindex: node === state.selected ? 0 : -1,
  });
  const left = -block.box / 2;
  if (block.tail)
    group.append(
      svg("rect", {
        x: left + 4,
        y: SIZES.answer + 4,
        width: block.box - 8,
        height: SIZES.box + 1,
        rx: 7,
        class: "behind",
      }),
    );
  group.append(
    svg("rect", { x: left, y: SIZES.answer, width: block.box, height: SIZES.box, rx: 7, class: "box" }),
  );
  group.append(...bars(state, block, left));
  if (!isSmall) group.append(...texts(block, left, state));
  return group;
}

function texts(block, left, state) {
  const x = left + SIZES.pad;
  const top = SIZES.answer;
  const found = [];
  if (block.head.text)
    found.push(svg("text", { x: 0, y: 13, "text-anchor": "middle", class: "answer" }, block.head.text));
  if (block.hasMark) found.push(...swatch(state.model.tree.label[block.node], x, top + 10, 9, 9));
  found.push(
    svg("text", { x: x + (block.hasMark ? SIZES.mark : 0), y: top + 19, class: "title" }, block.title.text),
  );
  found.push(svg("text", { x, y: top + 35, class: "rows" }, block.line.text));
  if (block.tail)
    found.push(
      svg("text", { x: 0, y: top + SIZES.box + 15, "text-anchor": "middle", class: "tail" }, block.tail.text),
    );
  if (block.title.isCut || block.head.isCut) found.push(svg("title", {}, fullWords(state, block)));
  return found;
}

function fullWords(state, block) {
  const before =
    block.node > 0
      ? `${question(state.model, state.model.parent[block.node])} ${answer(state.model, block.node)}: `
      : "";
  return before + titleOf(state.model, block.node, block.isLeaf);
}

// Training above, the rows that judge below.
function bars(state, block, left) {
  const { model } = state;
  const { judged } = model.facts;
  const x = left + SIZES.pad;
  const width = block.box - 2 * SIZES.pad;
  const y = SIZES.answer + 42;
  if (!model.isClassifier) {
    const { mean, spread } = model.tree;
    const found = numberBar(mean[block.node], spread[block.node], state.range, x, y, width, 6);
    const came = judged?.came;
    return came
      ? [
          ...found,
          ...numberBar(
            came.mean[block.node],
            came.spread[block.node] ?? 0,
            state.range,
            x,
            y + 9,
            width,
            6,
          ).map(hollow),
        ]
      : found;
  }
  const found = classBar(
    weightsOf(model.tree.classes, block.node, model.nClasses),
    x,
    y,
    width,
    judged ? 6 : 9,
  );
  return judged
    ? [...found, ...classBar(weightsOf(judged.came, block.node, model.nClasses), x, y + 8, width, 5)]
    : found;
}

function hollow(shape) {
  shape.classList.add("hollow");
  return shape;
}

function spoken(state, block) {
  const { model } = state;
  const before =
    block.node > 0 ? `${question(model, model.parent[block.node])} ${answer(model, block.node)}: ` : "";
  const what = block.isLeaf ? titleOf(model, block.node, true) : `asks ${question(model, block.node)}`;
  const more = block.tail ? `, folded, ${counted(state.below[block.node], "leaf", "leaves")}` : "";
  return `${before}${what}, ${lineOf(model, block.node, block.isLeaf)}${more}`;
}

// ---- moving -------------------------------------------------------------------------------------------

function movable(state) {
  const { window: window_ } = state;
  const fingers = new Map();
  let hasMoved = false;
  let waiting = false;
  const later = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      redraw(state, false);
    });
  };
  window_.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    hasMoved = false;
  });
  window_.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before.x;
    const dy = event.clientY - before.y;
    if (!hasMoved && Math.hypot(dx, dy) < 4) return;
    if (!hasMoved) window_.setPointerCapture(event.pointerId);
    hasMoved = true;
    pinch(state, fingers, event, dx, dy);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    later();
  });
  for (const name of ["pointerup", "pointercancel"])
    window_.addEventListener(name, (event) => fingers.delete(event.pointerId));
  window_.addEventListener("click", (event) => {
    if (hasMoved) return;
    const at = event.target.closest("[data-node]");
    if (at) clicked(state, Number(at.dataset.node));
  });
  window_.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = window_.getBoundingClientRect();
      zoom(state, Math.exp(-event.deltaY / 300), { x: event.clientX - box.left, y: event.clientY - box.top });
    },
    { passive: false },
  );
  window_.addEventListener("keydown", (event) => key(state, event));
}

function pinch(state, fingers, event, dx, dy) {
  if (fingers.size === 1) {
    state.x += dx;
    state.y += dy;
    return;
  }
  const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
  const before = fingers.get(event.pointerId);
  const was = Math.hypot(before.x - other.x, before.y - other.y);
  const is = Math.hypot(event.clientX - other.x, event.clientY - other.y);
  const box = state.window.getBoundingClientRect();
  if (was > 0)
    zoom(state, is / was, {
      x: (event.clientX + other.x) / 2 - box.left,
      y: (event.clientY + other.y) / 2 - box.top,
    });
}

// The first click chooses a node, one on the chosen node folds or unfolds it.
function clicked(state, node) {
  if (node === state.selected && !state.isLeaf(node)) refold(state, toggled(state.open, node), node);
  select(state, node, { focus: true });
}

// For paper: all of the picture as it is folded.
function whole(state, isWhole) {
  if (!state.picture || state.isWhole === isWhole) return;
  state.isWhole = isWhole;
  const { width, height } = state.picture;
  if (isWhole) state.window.setAttribute("viewBox", `${-EDGE} ${-2} ${width + 2 * EDGE} ${height + EDGE}`);
  else state.window.removeAttribute("viewBox");
  redraw(state, true);
}

export function toolbar(view, extra) {
  const button = (text, label, onclick) =>
    el("button", { type: "button", "aria-label": label, title: label, onclick }, text);
  return el(
    "div",
    { class: "tools" },
    extra,
    el(
      "span",
      { class: "group", role: "group", "aria-label": "Fold" },
      button("Less", "Fold the deepest level", view.less),
      button("More", "Unfold one level more", view.more),
      button("All", "Unfold everything", view.all),
    ),
    el(
      "span",
      { class: "group", role: "group", "aria-label": "Zoom" },
      button("\u2212", "Zoom out", () => view.zoom(0.8)),
      button("+", "Zoom in", () => view.zoom(1.25)),
      button("Fit", "Show all of it", view.fit),
    ),
  );
}
