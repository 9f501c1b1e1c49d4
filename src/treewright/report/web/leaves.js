// For numbers: what leaves say against what their test rows were.
import { el, fill, svg } from "./dom.js";
import { leavesAt } from "./model.js";
import { roundLevels } from "./chart.js";
import { section } from "./section.js";
import { counted, figure } from "./words.js";

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
  const values = shown.flatMap((node) => [model.tree.mean[node], came.mean[node]]);
  const ticks = roundLevels(Math.min(...values), Math.max(...values));
  const [low, high] = [ticks[0], ticks[ticks.length - 1]];
  const height = Math.min(440, width * 0.8);
  const scale = {
    low,
    high,
    x: (v) => 64 + ((v - low) / (high - low)) * (width - 84),
    y: (v) => height - 44 - ((v - low) / (high - low)) * (height - 72),
    most: Math.max(...shown.map((node) => came.weight[node]), 1),
  };
  const { x, y } = scale;
  const label = "What leaves say against what is true";
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label },
    axes(scale, ticks, width, height),
    svg("line", { x1: x(low), y1: y(low), x2: x(high), y2: y(high), class: "diagonal" }),
    shown.map((node) => dot(model, node, scale)),
  );
}

function axes({ x, y }, ticks, width, height) {
  return svg(
    "g",
    { class: "axes" },
    ticks.map((v) => [
      svg("line", { x1: 64, x2: width - 20, y1: y(v), y2: y(v), class: "grid" }),
      svg("text", { x: 56, y: y(v) + 4, "text-anchor": "end" }, figure(v, 4)),
      svg("text", { x: x(v), y: height - 24, "text-anchor": "middle" }, figure(v, 4)),
    ]),
    svg(
      "text",
      { x: width / 2, y: height - 6, "text-anchor": "middle", class: "label" },
      "what the leaf says",
    ),
    svg("text", { x: 4, y: 12, class: "label" }, "mean of its test rows"),
  );
}

function dot(model, node, { x, y, low, high, most }) {
  const { came } = model.facts.judged;
  const at = x(model.tree.mean[node]);
  const [mean, spread] = [came.mean[node], came.spread[node]];
  const words =
    `node ${node}: says ${figure(model.tree.mean[node], 5)}, ` +
    `${counted(came.weight[node], "test row")} of ${figure(mean, 5)}`;
  const radius = (2.5 + 5 * Math.sqrt(came.weight[node] / most)).toFixed(1);
  const [top, bottom] = [y(Math.min(high, mean + spread)), y(Math.max(low, mean - spread))];
  return [
    svg("line", { x1: at, x2: at, y1: top, y2: bottom, class: "whisker" }),
    svg("circle", { cx: at, cy: y(mean), r: radius, class: "dot" }, svg("title", {}, words)),
  ];
}
