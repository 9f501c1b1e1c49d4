// The picture from afar: thousands of nodes as spots of colour, all of one colour in one shape.
import { svg } from "./dom.js";
import { SIZES } from "./layout.js";
import { colourOf } from "./colours.js";

export function drawFar(state) {
  const blocks = [...state.picture.blocks.values()];
  const n = blocks.filter((block) => block.isLeaf).length;
  const group = svg("g", { class: "far", "aria-hidden": "true", "data-leaves": n });
  group.append(svg("path", { d: linesOf(state), class: "line", "stroke-width": 0.7 / state.scale }));
  for (const [key, d] of spots(state)) {
    const [label, isKept, isLeaf] = key.split(" ");
    const fill = label === "-" ? "var(--training)" : colourOf(Number(label));
    const opacity = (isLeaf === "1" ? 1 : 0.45) * (isKept === "1" ? 1 : 0.15);
    group.append(svg("path", { d, fill, "fill-opacity": opacity.toFixed(2) }));
  }
  return group;
}

// The shapes of all boxes by class, whether they pass the filter, and whether they are leaves.
function spots(state) {
  const found = new Map();
  const least = 0.8 / state.scale; // a spot is seen however small it is
  for (const block of state.picture.blocks.values()) {
    const label = state.model.isClassifier ? state.model.tree.label[block.node] : "-";
    const isKept = !state.kept || state.kept.has(block.node) ? 1 : 0;
    const key = `${label} ${isKept} ${block.isLeaf ? 1 : 0}`;
    const width = Math.max(block.box, least);
    const d = `M${(block.x - width / 2).toFixed(0)} ${block.y + SIZES.answer}h${width.toFixed(0)}v${SIZES.box}h${-width.toFixed(0)}z`;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(d);
  }
  return [...found].map(([key, parts]) => [key, parts.join("")]);
}

function linesOf(state) {
  return state.picture.lines
    .map(({ x1, y1, x2, y2 }) => `M${x1.toFixed(0)} ${y1}L${x2.toFixed(0)} ${y2}`)
    .join("");
}

// The node at a point of the window, or the one nearest to it on its level; null where none is near.
export function nodeAt(state, left, top) {
  const [x, y] = [(left - state.x) / state.scale, (top - state.y) / state.scale];
  let best = null;
  let least = 12 / state.scale;
  for (const block of state.picture.blocks.values()) {
    if (y < block.y || y > block.y + SIZES.answer + SIZES.box + SIZES.tail) continue;
    const away = Math.max(0, Math.abs(x - block.x) - block.box / 2);
    if (away < least) [best, least] = [block.node, away];
  }
  return best;
}
