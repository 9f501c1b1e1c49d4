// For numbers: what leaves say against what their test rows were.
import { el, fill, svg } from "./dom.js";
import { leavesAt, meanWords, rowsOf } from "./model.js";
import { roundLevels } from "./chart.js";
import { section } from "./section.js";
import { figure } from "./words.js";

export function leavesPart(model) {
  const place = el("div", {});
  const draw = (step) =>
    fill(place, leavesChart(model, leavesAt(model, step), Math.min(place.clientWidth || 640, 900)));
  const element = section(
    "mistakes",
    "Said and true",
    "Each dot is a leaf: what it says, and the mean of the test rows that came to it, with " +
      "one standard deviation. Dots on the line are right on average; larger dots hold more " +
      "rows.",
    place,
  );
  return { element, size: draw };
}

function leavesChart(model, leaves, width) {
  const { came } = model.facts.judged;
  const shown = leaves.filter((node) => came.weight[node] > 0);
  const ticks = levels(shown.flatMap((node) => [model.tree.mean[node], came.mean[node]]));
  const upTicks = levels(shown.flatMap((node) => ends(came, node)).concat(ticks.all));
  const height = Math.min(440, width * 0.8);
  const scale = {
    x: (v) => 64 + ticks.share(v) * (width - 84),
    y: (v) => height - 44 - upTicks.share(v) * (height - 72),
    most: Math.max(...shown.map((node) => came.weight[node]), 1),
  };
  const { x, y } = scale;
  const [low, high] = [ticks.all[0], ticks.all[ticks.all.length - 1]];
  const label = "What leaves say against what is true";
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label },
    axes(scale, ticks.all, upTicks.all, width, height),
    svg("line", { x1: x(low), y1: y(low), x2: x(high), y2: y(high), class: "diagonal" }),
    shown.map((node) => dot(model, node, scale)),
  );
}

// Round levels about some values, and where a value lies among them, from 0 to 1.
function levels(values) {
  const all = roundLevels(Math.min(...values), Math.max(...values));
  return { all, share: (v) => (v - all[0]) / (all[all.length - 1] - all[0]) };
}

// One standard deviation to either side: all of it is on the chart.
function ends(came, node) {
  const spread = came.spread[node] ?? 0;
  return [came.mean[node] - spread, came.mean[node] + spread];
}

function axes({ x, y }, ticks, upTicks, width, height) {
  return svg(
    "g",
    { class: "axes" },
    upTicks.map((v) => [
      svg("line", { x1: 64, x2: width - 20, y1: y(v), y2: y(v), class: "grid" }),
      svg("text", { x: 56, y: y(v) + 4, "text-anchor": "end" }, figure(v, 4)),
    ]),
    ticks.map((v) => svg("text", { x: x(v), y: height - 24, "text-anchor": "middle" }, figure(v, 4))),
    svg(
      "text",
      { x: width / 2, y: height - 6, "text-anchor": "middle", class: "label" },
      "what the leaf says",
    ),
    svg("text", { x: 4, y: 12, class: "label" }, "mean of its test rows"),
  );
}

function dot(model, node, { x, y, most }) {
  const { came } = model.facts.judged;
  const at = x(model.tree.mean[node]);
  const mean = came.mean[node];
  const words =
    `node ${node}: says ${meanWords(model, model.tree.mean[node])}, ` +
    `${rowsOf(model, came.weight[node], "test row")} of ${meanWords(model, mean)}`;
  const radius = (2.5 + 5 * Math.sqrt(came.weight[node] / most)).toFixed(1);
  const [bottom, top] = ends(came, node).map(y);
  return [
    svg("line", { x1: at, x2: at, y1: top, y2: bottom, class: "whisker" }),
    svg("circle", { cx: at, cy: y(mean), r: radius, class: "dot" }, svg("title", {}, words)),
  ];
}
