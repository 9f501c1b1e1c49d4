// Okabe and Ito's colours, told apart with any colour vision; beyond eight classes they are hatched.
import { svg } from "./dom.js";

export const COLOURS = [
  "#0072B2",
  "#E69F00",
  "#009E73",
  "#CC79A7",
  "#56B4E9",
  "#D55E00",
  "#F0E442",
  "#8C8C8C",
];
const HATCHES = 3;

export function colourOf(label) {
  return COLOURS[label % COLOURS.length];
}

export function hatchOf(label) {
  return Math.min(Math.floor(label / COLOURS.length), HATCHES);
}

// Rectangles for a class: its colour, and lines over it where the colour is used a second time.
export function swatch(label, x, y, width, height) {
  const place = { x, y, width, height };
  const plain = svg("rect", { ...place, fill: colourOf(label) });
  const hatch = hatchOf(label);
  return hatch ? [plain, svg("rect", { ...place, fill: `url(#hatch-${hatch})` })] : [plain];
}

export function hatches() {
  const lines = { 1: "M0 6 L6 0", 2: "M0 0 L6 6", 3: "M0 3 L6 3" };
  const patterns = Object.entries(lines).map(([place, d]) =>
    svg(
      "pattern",
      { id: `hatch-${place}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
      svg("path", { d, stroke: "#000", "stroke-opacity": 0.65, "stroke-width": 1.6 }),
    ),
  );
  return svg(
    "svg",
    { width: 0, height: 0, class: "hidden", "aria-hidden": "true", focusable: "false" },
    svg("defs", {}, patterns),
  );
}

// A bar of class weights, the heaviest classes in class order; empty where there are none.
export function classBar(weights, x, y, width, height) {
  let total = 0;
  for (const weight of weights) total += weight;
  const frame = svg("rect", { x, y, width, height, class: "rail" });
  if (!(total > 0)) return [frame];
  const parts = [frame];
  let at = x;
  weights.forEach((weight, label) => {
    const share = (weight / total) * width;
    if (share > 0.25) parts.push(...swatch(label, at, y, share, height));
    at += share;
  });
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
