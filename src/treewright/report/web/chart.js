// A chart of lines with standard errors: told apart by colour, dash, sign and the words at their end.
import { svg } from "./dom.js";
import { figure } from "./words.js";

const MARGIN = { top: 40, right: 108, bottom: 42, left: 62 };
const SIGNS = {
  circle: (x, y) => svg("circle", { cx: x, cy: y, r: 3 }),
  square: (x, y) => svg("rect", { x: x - 2.8, y: y - 2.8, width: 5.6, height: 5.6 }),
  triangle: (x, y) => svg("path", { d: `M${x} ${y - 3.8} L${x + 3.6} ${y + 2.6} L${x - 3.6} ${y + 2.6} Z` }),
};

// x: numbers; series: {name, values, spreads, kind}; marks: {place, text}; place: where the reader stands.
export function chart({
  x,
  xLabel,
  yLabel,
  series,
  marks = [],
  place = null,
  format,
  onpick = null,
  width = 720,
  height = 300,
}) {
  const scale = scales(x, series, width, height);
  const picture = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "chart",
    role: "img",
    "aria-label": `${yLabel} by ${xLabel}: ${series.map((s) => s.name).join(", ")}`,
  });
  picture.append(axes(scale, xLabel, yLabel, format, width, height));
  const tops = marks.map((mark, m) => markLine(scale, x, mark, m, { width, marks }));
  if (place !== null)
    tops.push(
      svg("line", {
        x1: scale.x(x[place]),
        x2: scale.x(x[place]),
        y1: MARGIN.top,
        y2: height - MARGIN.bottom,
        class: "here",
      }),
    );
  picture.append(...tops);
  for (const line of series) picture.append(curve(scale, x, line, place));
  picture.append(...endLabels(scale, x, series));
  if (onpick) pickable(picture, scale, x, onpick, width, height);
  return picture;
}

function scales(x, series, width, height) {
  const right = MARGIN.right;
  const low = Math.min(...x);
  const high = Math.max(...x);
  const isLog = low > 0 && high / low > 24;
  const unit = (v) =>
    high === low ? 0.5 : isLog ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low);
  const levels = levelsOf(series);
  const [bottom, top] = [levels[0], levels[levels.length - 1]];
  return {
    low,
    high,
    isLog,
    levels,
    x: (v) => MARGIN.left + unit(v) * (width - MARGIN.left - right),
    y: (v) =>
      height - MARGIN.bottom - ((v - bottom) / (top - bottom)) * (height - MARGIN.top - MARGIN.bottom),
  };
}

// Round values from below the lowest error (from 0, where that is not far) to above the highest.
function levelsOf(series) {
  const ends = series.flatMap((s) =>
    s.values.flatMap((v, i) => (v === null ? [] : [v - (s.spreads?.[i] ?? 0), v + (s.spreads?.[i] ?? 0)])),
  );
  const most = Math.max(...ends, 1e-12);
  const least = Math.max(0, Math.min(...ends));
  return roundLevels(least < 0.4 * most ? 0 : least, most);
}

// A few round values, the first not above `least` and the last not below `most`.
export function roundLevels(least, most) {
  const step = niceStep((most - least) / 5 || Math.abs(most) / 5 || 0.2);
  const found = [];
  for (let k = Math.floor(least / step); found.length < 2 || (k - 1) * step < most; k++) found.push(k * step);
  return found;
}

export function ticksOf(low, high, isLog) {
  if (low === high) return [low];
  if (isLog) {
    const found = [];
    for (let v = 1; v <= high; v *= 10)
      for (const k of [1, 2, 5]) if (v * k >= low && v * k <= high) found.push(v * k);
    return found;
  }
  const step = Math.max(1, niceStep((high - low) / 6));
  const found = [];
  for (let v = Math.ceil(low / step) * step; v <= high; v += step) found.push(v);
  return found;
}

function niceStep(value) {
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((k) => k * size).find((v) => v >= value);
}

function axes(scale, xLabel, yLabel, format, width, height) {
  const group = svg("g", { class: "axes" });
  scale.levels.forEach((value, k) => {
    const y = scale.y(value);
    group.append(
      svg("line", { x1: MARGIN.left, x2: width - MARGIN.right, y1: y, y2: y, class: k ? "grid" : "axis" }),
    );
    group.append(svg("text", { x: MARGIN.left - 8, y: y + 4, "text-anchor": "end" }, format(value)));
  });
  let last = -Infinity;
  for (const value of ticksOf(scale.low, scale.high, scale.isLog)) {
    const x = scale.x(value);
    if (x - last < 34) continue;
    last = x;
    group.append(
      svg("line", {
        x1: x,
        x2: x,
        y1: height - MARGIN.bottom,
        y2: height - MARGIN.bottom + 4,
        class: "axis",
      }),
    );
    group.append(svg("text", { x, y: height - MARGIN.bottom + 17, "text-anchor": "middle" }, figure(value, 12)));
  }
  const middle = (MARGIN.left + width - MARGIN.right) / 2;
  group.append(svg("text", { x: middle, y: height - 6, "text-anchor": "middle", class: "label" }, xLabel));
  group.append(svg("text", { x: 4, y: 12, class: "label" }, yLabel));
  return group;
}

// A dotted line from top to bottom with its word beside it: of two, outside; and where there is room.
function markLine(scale, x, mark, row, { width, marks }) {
  const at = scale.x(x[mark.place]);
  const length = 7 * mark.text.length + 8;
  const isFirst = marks.some((other) => x[other.place] > x[mark.place]);
  const isLeft = (isFirst || at + length > width) && at - length > MARGIN.left;
  const from = isLeft ? at - 5 : Math.min(at + 5, width - length); // never beyond the edge
  const bottom = scale.y(scale.levels[0]);
  const anchor = isLeft ? "end" : "start";
  return svg(
    "g",
    { class: "mark" },
    svg("line", { x1: at, x2: at, y1: MARGIN.top, y2: bottom }),
    svg("text", { x: from, y: MARGIN.top - 4 + 15 * row, "text-anchor": anchor }, mark.text),
  );
}

function curve(scale, x, line, place) {
  const points = x
    .map((v, i) => [v, line.values[i], line.spreads?.[i] ?? 0, i])
    .filter(([, value]) => value !== null)
    .sort((a, b) => a[0] - b[0]);
  const at = ([v, value]) => `${scale.x(v).toFixed(1)} ${scale.y(value).toFixed(1)}`;
  const group = svg("g", { class: `curve ${line.kind.name}` });
  if (line.spreads) {
    const upper = points.map(([v, value, s]) => at([v, value + s]));
    const lower = points.map(([v, value, s]) => at([v, Math.max(scale.levels[0], value - s)])).reverse();
    group.append(svg("path", { d: `M${[...upper, ...lower].join(" L")} Z`, class: "band" }));
  }
  group.append(svg("path", { d: `M${points.map(at).join(" L")}`, class: "line" }));
  const every = Math.max(1, Math.ceil(points.length / 24));
  points.forEach((point, k) => {
    if (k % every === 0 || k === points.length - 1 || point[3] === place) {
      group.append(SIGNS[line.kind.sign](scale.x(point[0]), scale.y(point[1])));
    }
  });
  return group;
}

// The name of each line at its right end, moved apart where they would meet.
function endLabels(scale, x, series) {
  const last = x.indexOf(Math.max(...x));
  const wanted = series
    .map((line) => {
      const values =
        line.values[last] === null ? line.values.filter((v) => v !== null).slice(0, 1) : [line.values[last]];
      return { line, y: scale.y(values[0] ?? 0) };
    })
    .sort((a, b) => a.y - b.y);
  for (let k = 1; k < wanted.length; k++) wanted[k].y = Math.max(wanted[k].y, wanted[k - 1].y + 15);
  return wanted.map(({ line, y }) =>
    svg(
      "g",
      { class: `curve ${line.kind.name}` },
      SIGNS[line.kind.sign](scale.x(x[last]) + 12, y),
      svg("text", { x: scale.x(x[last]) + 20, y: y + 4, class: "name" }, line.name),
    ),
  );
}

function pickable(picture, scale, x, onpick, width, height) {
  const area = svg("rect", {
    x: MARGIN.left - 8,
    y: MARGIN.top,
    width: width - MARGIN.left - MARGIN.right + 16,
    height: height - MARGIN.top - MARGIN.bottom,
    class: "pick",
  });
  area.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * width;
    let best = 0;
    x.forEach((v, i) => {
      if (Math.abs(scale.x(v) - at) < Math.abs(scale.x(x[best]) - at)) best = i;
    });
    onpick(best);
  });
  picture.append(area);
}

export const KINDS = {
  training: { name: "training", sign: "circle" },
  test: { name: "test", sign: "square" },
  folds: { name: "folds", sign: "triangle" },
};
