// The tree as a picture that can be moved: only what lies in the window is drawn.
import { el, svg } from "./dom.js";
import { leafAt, leafCounts } from "./model.js";
import { closeLast, foldable, isOpen, openNext, openTo, start, toggled } from "./fold.js";
import { layout, SIZES } from "./layout.js";
import { drawBlock, drawLines } from "./blocks.js";
import { drawFar, nodeAt } from "./far.js";
import { minimapOf } from "./minimap.js";

const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const LEAST = 0.0005; // any tree fits
const MOST = 2.5;
const READABLE = 0.45; // below this scale texts are left out
const FAR = 0.16; // below this one many nodes are spots of colour, all of a class in one shape
const MANY = 800;
const PLAIN = /^[\x20-\x7e\u00b1\u00b7\u2026]*$/;
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
  const minimap = minimapOf((x, y) => centre(state, x, y));
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
    kept: null, // by the filter; null: all
    passed: new Map(),
    minimap,
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
    element: el("div", { class: "map" }, window_, minimap.element),
    begin: () => begin(state),
    size: (step) => resized(state, step),
    select: (node, options) => select(state, node, options),
    find: (nodes) => {
      state.found = new Set(nodes);
      redraw(state, true);
    },
    keep: (nodes) => {
      state.kept = nodes;
      redraw(state, true);
    },
    follow: (passed) => follow(state, passed),
    more: () => refit(state, openNext(model, state.open, state.isLeaf)),
    less: () => refit(state, closeLast(model, state.open, state.isLeaf)),
    all: () => refit(state, new Set(foldable(model, state.isLeaf)), LEAST),
    toggle: (node) => refold(state, toggled(state.open, node), node),
    isOpen: (node) => isOpen(state.open, state.isLeaf, node),
    fit: () => fit(state),
    zoom: (factor) => zoom(state, factor),
    whole: (isWhole) => whole(state, isWhole),
    key: (event) => key(state, event),
    redraw: () => redraw(state, false),
    measure: state.measure,
    range: state.range,
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
  const exact = (text, font) => {
    const key = font + text;
    if (!known.has(key)) {
      canvas.font = `${font} ${FAMILY}`;
      known.set(key, canvas.measureText(text).width);
    }
    return known.get(key);
  };
  // Letter by letter where letters do not change each other: thousands of texts are measured in no time.
  return (text, font) => {
    let width = 0;
    if (PLAIN.test(text)) for (const letter of text) width += exact(letter, font);
    else width = exact(text, font);
    return Math.ceil(width * 1.01 + 0.5);
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
  begin(state);
  let node = state.selected;
  while (node > 0 && !state.picture.blocks.has(node)) node = state.model.parent[node];
  if (node !== state.selected) {
    select(state, node, { isQuiet: true });
    redraw(state, true);
  }
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

// A level more stays readable, however wide it gets; everything is shown as a whole.
function refit(state, open, least = READABLE) {
  state.open = open;
  state.picture = lay(state);
  let kept = state.selected;
  while (!state.picture.blocks.has(kept)) kept = state.model.parent[kept];
  if (kept !== state.selected) select(state, kept, { isQuiet: true });
  fit(state, least);
}

// Move the picture so that a point of it is in the middle of the window.
function centre(state, x, y) {
  const { width, height } = room(state);
  state.x = width / 2 - x * state.scale;
  state.y = height / 2 - y * state.scale;
  redraw(state, false);
}

function room(state) {
  const box = state.window.getBoundingClientRect();
  return { width: box.width || 800, height: box.height || 500 };
}

function fit(state, least = LEAST) {
  const { width, height } = room(state);
  const { width: w, height: h, blocks } = state.picture;
  const scale = Math.min((width - 2 * EDGE) / w, (height - 2 * EDGE) / h, LARGEST);
  state.scale = Math.max(scale, least);
  state.x = (width - w * state.scale) / 2;
  state.y = Math.min(Math.max((height - h * state.scale) / 2, EDGE - SIZES.answer * state.scale), 36);
  const chosen = blocks.get(state.selected);
  if (scale < least && chosen) {
    if (w * state.scale > width) state.x = width / 2 - chosen.x * state.scale;
    if (h * state.scale > height) state.y = Math.min(36, height / 3 - chosen.y * state.scale);
  }
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
  const detail = detailOf(state);
  if (isAnew || detail !== state.detail) {
    for (const element of state.drawn.values()) element.remove();
    state.drawn.clear();
    state.far?.remove();
    state.far = null;
  }
  state.detail = detail;
  scene.setAttribute(
    "transform",
    state.isWhole
      ? ""
      : `translate(${state.x.toFixed(2)} ${state.y.toFixed(2)}) scale(${state.scale.toFixed(4)})`,
  );
  state.minimap.show(state, room(state), isAnew);
  if (detail === 0) {
    state.lines?.remove();
    if (!state.far) scene.prepend((state.far = drawFar(state)));
  } else drawLines(state, inView);
  const shown = detail === 0 ? [picture.blocks.get(state.selected)] : picture.blocks.values();
  for (const block of shown) {
    if (!block) continue;
    const isIn = inView(
      block.x - block.width / 2,
      block.y,
      block.x + block.width / 2,
      block.y + SIZES.answer + SIZES.box + SIZES.tail,
    );
    const there = state.drawn.get(block.node);
    if (isIn && !there) {
      const made = drawBlock(state, block, detail < 2);
      state.drawn.set(block.node, made);
      scene.append(made);
    } else if (!isIn && there && block.node !== state.selected) {
      there.remove();
      state.drawn.delete(block.node);
    }
  }
}

// 2: boxes with words, 1: boxes, 0: spots.
function detailOf({ isWhole, scale, picture }) {
  if (isWhole || scale >= READABLE) return 2;
  return scale >= FAR || picture.blocks.size <= MANY ? 1 : 0;
}

function windowTest(state) {
  const { width, height } = room(state);
  const left = -state.x / state.scale;
  const top = -state.y / state.scale;
  const right = left + width / state.scale;
  const bottom = top + height / state.scale;
  return (x1, y1, x2, y2) => x2 >= left && x1 <= right && y2 >= top && y1 <= bottom;
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
    if (at) return clicked(state, Number(at.dataset.node));
    const box = window_.getBoundingClientRect();
    const near = state.far ? nodeAt(state, event.clientX - box.left, event.clientY - box.top) : null;
    if (near !== null) select(state, near, { isShown: true, focus: true });
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

export function toolbar(view, extra, forms) {
  const button = (text, label, onclick) =>
    el("button", { type: "button", "aria-label": label, title: label, onclick }, text);
  return el(
    "div",
    { class: "tools" },
    extra,
    forms,
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
