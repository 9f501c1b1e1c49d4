// Okabe and Ito's colours and five patterns, as in the pictures (draw/colours.py): classes never differ by
// colour alone.
import { svg } from "./dom.js";

export const COLOURS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442"];
const OTHER = "#9aa5b1"; // classes beyond the last pair of colour and pattern
const PATTERNS = ["plain", "rising", "upright", "falling", "level"];
const GAP = 4; // between stripes

export function colourOf(label) {
  return label < COLOURS.length * PATTERNS.length ? COLOURS[label % COLOURS.length] : OTHER;
}

export function patternOf(label) {
  return label < COLOURS.length * PATTERNS.length ? PATTERNS[label % PATTERNS.length] : "plain";
}

// A rectangle for a class: its colour, and stripes over it where the colour is used a second time.
export function swatch(label, x, y, width, height) {
  const plain = svg("rect", { x, y, width, height, fill: colourOf(label) });
  const d = stripes(patternOf(label), x, y, width, height);
  return d ? [plain, svg("path", { d, class: "stripes" })] : [plain];
}

// Lines that end at the edges: patterns would swell a printed page.
function stripes(pattern, x, y, width, height) {
  const parts = [];
  if (pattern === "plain") return "";
  if (pattern === "level") return `M${x} ${y + height / 2}h${width}`;
  if (pattern === "upright") {
    for (let at = GAP / 2; at < width; at += GAP) parts.push(`M${short(x + at)} ${y}v${height}`);
    return parts.join("");
  }
  for (let from = GAP / 2 - height; from < width; from += GAP) {
    const [first, last] = [Math.max(0, -from), Math.min(height, width - from)];
    const rise = (t) => (pattern === "rising" ? y + height - t : y + t);
    parts.push(
      `M${short(x + from + first)} ${short(rise(first))}L${short(x + from + last)} ${short(rise(last))}`,
    );
  }
  return parts.join("");
}

function short(value) {
  return Math.round(value * 100) / 100;
}

// The sign of a class beside its name.
export function key(label) {
  const sign = { viewBox: "0 0 12 12", class: "key", "aria-hidden": "true", focusable: "false" };
  return svg("svg", sign, swatch(label, 0, 0, 12, 12));
}

const MANY = 8; // classes from which on a bar has the top three only, as in the pictures (draw/classes.py)
const TOP = 3;
const OTHERS = 1e6; // the number of "others": no class has its colour

// Classes with their weights, in class order; of many the top three, and the others as one.
export function topClasses(weights) {
  const all = [...weights].map((weight, label) => [label, weight]).filter(([, weight]) => weight > 0);
  if (weights.length <= MANY || all.length <= TOP + 1) return all;
  const top = [...all].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, TOP);
  const kept = new Set(top.map(([label]) => label));
  let rest = 0;
  for (const [label, weight] of all) if (!kept.has(label)) rest += weight;
  return [...all.filter(([label]) => kept.has(label)), [OTHERS, rest]];
}

// A bar of class weights; empty where there are none.
export function classBar(weights, x, y, width, height) {
  let total = 0;
  for (const weight of weights) total += weight;
  const frame = svg("rect", { x, y, width, height, class: "rail" });
  if (!(total > 0)) return [frame];
  const parts = [frame];
  let at = x;
  for (const [label, weight] of topClasses(weights)) {
    const share = (weight / total) * width;
    if (share > 0.25) parts.push(...swatch(label, at, y, share, height));
    at += share;
  }
  return parts;
}

// Mean and spread on a rail that is the same for all nodes.
export function numberBar(mean, spread, range, x, y, width, height) {
  const rail = svg("rect", { x, y: y + height / 2 - 0.5, width, height: 1, class: "rail-line" });
  if (mean === null || !(range[1] > range[0])) return [rail];
  const at = (value) =>
    x + ((Math.min(Math.max(value, range[0]), range[1]) - range[0]) / (range[1] - range[0])) * width;
  const low = at(mean - spread);
  const high = at(mean + spread);
  return [
    rail,
    svg("rect", {
      x: low,
      y: y + height / 2 - 1.5,
      width: Math.max(high - low, 0.5),
      height: 3,
      class: "spread",
    }),
    svg("circle", { cx: at(mean), cy: y + height / 2, r: height / 2, class: "mean" }),
  ];
}
