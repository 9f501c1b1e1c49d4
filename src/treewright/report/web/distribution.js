// The rows at the test of a node: a histogram with the threshold in it, or a bar for each category.
import { el, svg } from "./dom.js";
import { rowsOf, weightsOf } from "./model.js";
import { swatch, topClasses } from "./colours.js";
import { count } from "./words.js";

const WIDTH = 300;
const HIGH = 84;
const LINE = 17;
const NAME = 96;

export function distribution(model, node) {
  const shown = model.facts.distributions?.[String(node)];
  if (!shown) return null;
  const totals = totalsOf(shown);
  const parts = (bin) => partsOf(model, shown, bin, totals);
  const picture = shown.names.length ? bars(shown, totals, parts) : histogram(shown, totals, parts);
  const more = [];
  if (shown.left) more.push(`${count(shown.left)} more categories`);
  if (shown.gaps > 0) more.push(`${rowsOf(model, shown.gaps)} without a value`);
  return el(
    "div",
    { class: "distribution" },
    el("h4", {}, "Rows that come here"),
    picture,
    more.length ? el("p", { class: "soft" }, more.join("; ")) : null,
  );
}

function totalsOf(shown) {
  if (shown.weight) return shown.weight;
  return shown.branch.map((_, bin) => {
    let total = 0;
    for (let k = shown.classes.start[bin]; k < shown.classes.start[bin + 1]; k++)
      total += shown.classes.weight[k];
    return total;
  });
}

// Weights with their colours: by class, or one that is the stronger the higher the mean.
function partsOf(model, shown, bin, totals) {
  if (!shown.weight) {
    const weights = weightsOf(shown.classes, bin, model.facts.target.classes.length + 1);
    return topClasses(weights).map(([c, weight]) => ({ weight, drawn: (...box) => swatch(c, ...box) }));
  }
  const known = shown.mean.filter((_, k) => totals[k] > 0);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const at = high > low ? (shown.mean[bin] - low) / (high - low) : 0.5;
  const look = { fill: "var(--training)", "fill-opacity": 0.25 + 0.75 * at };
  const drawn = (x, y, width, height) => svg("rect", { x, y, width, height, ...look });
  return [{ weight: totals[bin], drawn }];
}

function histogram(shown, totals, parts) {
  const most = Math.max(...totals) || 1;
  const step = WIDTH / totals.length;
  const cut = step * shown.branch.filter((branch) => branch === 0).length;
  const shapes = totals.flatMap((_, bin) => {
    let y = HIGH + 6;
    return parts(bin).map(({ weight, drawn }) => {
      const height = (HIGH * weight) / most;
      y -= height;
      return drawn(bin * step + 0.5, y, Math.max(step - 1, 0.5), height);
    });
  });
  const foot = HIGH + 6;
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HIGH + 28}`,
      class: "chart",
      role: "img",
      "aria-label": `Histogram from ${shown.ends.join(" to ")}`,
    },
    shapes,
    svg("line", { x1: 0, x2: WIDTH, y1: foot, y2: foot, class: "axis" }),
    svg("line", { x1: cut, x2: cut, y1: 0, y2: foot, class: "cutline" }),
    svg("path", { d: `M${cut} ${foot + 1}l4 6h-8z`, class: "peak" }),
    svg("text", { x: 0, y: foot + 19 }, shown.ends[0]),
    svg("text", { x: WIDTH, y: foot + 19, "text-anchor": "end" }, shown.ends[1]),
  );
}

function bars(shown, totals, parts) {
  const most = Math.max(...totals) || 1;
  const rows = shown.names.map((name, bin) => {
    const y = bin * LINE;
    let x = NAME + 6;
    const short = name.length > 15 ? `${name.slice(0, 14)}\u2026` : name;
    const line =
      bin && shown.branch[bin] !== shown.branch[bin - 1]
        ? svg("line", { x1: 0, x2: WIDTH, y1: y, y2: y, class: "between" })
        : null;
    return [
      line,
      svg("text", { x: NAME, y: y + 12.5, "text-anchor": "end" }, short),
      parts(bin).map(({ weight, drawn }) => {
        const width = ((WIDTH - NAME - 6) * weight) / most;
        const bar = drawn(x, y + 3, width, LINE - 6);
        x += width;
        return bar;
      }),
      svg("title", {}, `${name}: ${count(totals[bin])}`),
    ];
  });
  const label = `Rows by category: ${shown.names.map((name, bin) => `${name} ${count(totals[bin])}`).join(", ")}`;
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${shown.names.length * LINE + 2}`,
      class: "chart",
      role: "img",
      "aria-label": label,
    },
    rows.map((row) => svg("g", {}, row)),
  );
}
