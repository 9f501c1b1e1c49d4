// For numbers: what leaves say against what their test rows were.
import { el, fill, svg } from "./dom.js";
import { leavesAt } from "./model.js";
import { section } from "./section.js";
import { counted, figure } from "./words.js";

export function leavesPart(model) {
  const place = el("div", {});
  const draw = (step) =>
    fill(place, leavesChart(model, leavesAt(model, step), Math.min(place.clientWidth || 640, 640)));
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
  const low = Math.min(...values);
  const high = Math.max(...values, low + 1e-9);
  const height = Math.min(420, width * 0.75);
  const x = (v) => 64 + ((v - low) / (high - low)) * (width - 84);
  const y = (v) => height - 44 - ((v - low) / (high - low)) * (height - 64);
  const most = Math.max(...shown.map((node) => came.weight[node]), 1);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((k) => low + k * (high - low));
  return svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      class: "chart",
      role: "img",
      "aria-label": "What leaves say against what is true",
    },
    svg(
      "g",
      { class: "axes" },
      ticks
        .map((v) => [
          svg("line", { x1: 64, x2: width - 20, y1: y(v), y2: y(v), class: "grid" }),
          svg("text", { x: 56, y: y(v) + 4, "text-anchor": "end" }, figure(v, 3)),
          svg("text", { x: x(v), y: height - 24, "text-anchor": "middle" }, figure(v, 3)),
        ])
        .flat(),
      svg(
        "text",
        { x: width / 2, y: height - 6, "text-anchor": "middle", class: "label" },
        "what the leaf says",
      ),
      svg("text", { x: 6, y: 12, class: "label" }, "mean of its test rows"),
    ),
    svg("line", { x1: x(low), y1: y(low), x2: x(high), y2: y(high), class: "diagonal" }),
    shown
      .map((node) => [
        svg("line", {
          x1: x(model.tree.mean[node]),
          x2: x(model.tree.mean[node]),
          y1: y(Math.min(high, came.mean[node] + came.spread[node])),
          y2: y(Math.max(low, came.mean[node] - came.spread[node])),
          class: "whisker",
        }),
        svg(
          "circle",
          {
            cx: x(model.tree.mean[node]),
            cy: y(came.mean[node]),
            r: (2.5 + 5 * Math.sqrt(came.weight[node] / most)).toFixed(1),
            class: "dot",
          },
          svg(
            "title",
            {},
            `node ${node}: says ${figure(model.tree.mean[node], 5)}, ` +
              `${counted(came.weight[node], "test row")} of ${figure(came.mean[node], 5)}`,
          ),
        ),
      ])
      .flat(),
  );
}
