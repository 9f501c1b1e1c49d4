// Runs the modules of the page outside a browser: a JSON question on standard input, a JSON answer back.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { web, questions } = JSON.parse(readFileSync(0, "utf8"));
const from = (name) => import(pathToFileURL(`${web}/${name}.js`).href);
const { confusionAt, leafAt, leavesAt, leafCounts, modelOf, nodesAt, pathTo } = await from("model");
const { answerOf, route } = await from("route");
const row = await from("row");
const fold = await from("fold");
const layouts = await from("layout");
const { rulesAt } = await from("rules");
const { search } = await from("search");
const words = await from("words");
const { ticksOf } = await from("chart");
const { after, leastChange } = await from("change");
const { keptBy } = await from("filter");
const { boxes } = await from("icicle");
const { topClasses } = await from("colours");

let model = null; // of the question at hand
const measure = (text, font) => Math.ceil(text.length * (font.includes("600") ? 7.4 : 6.3)) + 1;
const numbers = (list) => list.map((value) => (value === null ? NaN : Number(value)));

// Pairs of texts that meet, by a sweep from left to right.
function meeting(texts) {
  const order = [...texts].sort((a, b) => a.left - b.left);
  const found = [];
  let near = [];
  for (const text of order) {
    near = near.filter((other) => other.right > text.left);
    for (const other of near)
      if (other.top < text.bottom && text.top < other.bottom) found.push([other.text, text.text]);
    near.push(text);
  }
  return found;
}

function laid(open, step) {
  const isLeaf = leafAt(model, step);
  const found = layouts.layout(model, new Set(open), isLeaf, measure, leafCounts(model, step));
  const texts = layouts.textsOf(found);
  const boxes = [...found.blocks.values()].map((b) => ({
    text: String(b.node),
    left: b.x - b.width / 2,
    right: b.x + b.width / 2,
    top: b.y,
    bottom: b.y + 100,
  }));
  const outside = [...found.blocks.values()].filter(
    (b) => b.x - b.width / 2 < -1e-6 || b.x + b.width / 2 > found.width + 1e-6,
  );
  const order = [...found.blocks.values()].map((b) => ({ node: b.node, x: b.x, y: b.y }));
  return {
    n: texts.length,
    texts: meeting(texts),
    boxes: meeting(boxes),
    outside: outside.length,
    order,
    width: found.width,
    height: found.height,
  };
}

const JOBS = {
  route: ({ rows, step }) =>
    rows.map((given) => {
      const coded = numbers(given);
      const found = route(model, coded, leafAt(model, step));
      const said = answerOf(model, found, coded);
      return [
        found.node,
        found.parts.map((part) => [part.node, part.weight]),
        said && (said.label ?? said.value),
        said?.shares ? [...said.shares] : null,
      ];
    }),
  changes: ({ rows, step }) =>
    rows.map((given) => {
      const found = leastChange(model, numbers(given), step, leafAt(model, step));
      return found && { cost: found.cost, label: found.label, row: found.row, isLeast: found.isLeast };
    }),
  after: ({ list }) => list.map((value) => String(after(Number(value)))),
  kept: ({ filter, step }) => {
    const found = keptBy(model, step ?? 0, filter);
    return found && [...found].sort((a, b) => a - b);
  },
  icicle: ({ root, width }) => boxes(model, { root }, leafAt(model, 0), width),
  top: ({ list }) => list.map((weights) => topClasses(weights)),
  coded: ({ texts }) => texts.map((given) => row.codedRow(model, given)),
  leading: ({ nodes }) =>
    nodes.map((node) => {
      const texts = row.leadingTo(model, node);
      const coded = row.codedRow(model, texts);
      return [texts, route(model, coded, leafAt(model, 0)).node];
    }),
  asked: () => row.asked(model),
  nodes: ({ step }) => nodesAt(model, step),
  leaves: ({ step }) => leavesAt(model, step),
  counts: ({ step }) => [...leafCounts(model, step)],
  paths: ({ nodes }) => nodes.map((node) => pathTo(model, node)),
  rules: ({ step }) => rulesAt(model, step),
  confusion: ({ step }) => confusionAt(model, step),
  search: ({ text, step }) => search(model, text, step ?? 0),
  everything: ({ step }) => laid(fold.foldable(model, leafAt(model, step)), step),
  layout: ({ open, step }) => laid(open, step ?? 0),
  shown: ({ open, step }) => fold.shown(model, new Set(open), leafAt(model, step ?? 0)),
  start: ({ most }) => {
    const isLeaf = leafAt(model, 0);
    const open = fold.start(model, isLeaf, (tried) => fold.shown(model, tried, isLeaf).length <= most);
    return { open: [...open], shown: fold.shown(model, open, isLeaf) };
  },
  folding: ({ step }) => {
    const isLeaf = leafAt(model, step ?? 0);
    const shown = (open) => fold.shown(model, open, isLeaf);
    const one = fold.openNext(model, new Set(), isLeaf);
    const two = fold.openNext(model, one, isLeaf);
    const back = fold.closeLast(model, two, isLeaf);
    return {
      none: shown(new Set()),
      one: shown(one),
      two: shown(two),
      back: shown(back),
      to: shown(fold.openTo(model, new Set(), model.n - 1)),
      toggled: [...fold.toggled(new Set([1]), 1)],
    };
  },
  words: ({ name, list }) => list.map((given) => words[name](...given)),
  ticks: ({ list }) => list.map((given) => ticksOf(...given)),
  inside: ({ list }) => list.map(([low, high]) => row.inside(Number(low), Number(high))),
  numberOf: ({ list }) => list.map((text) => row.numberOf(text)),
  daysOf: ({ list }) => list.map((text) => row.daysOf(text)),
};

const answers = questions.map(({ facts, jobs }) => {
  model = modelOf(facts);
  return jobs.map(([name, options]) => JOBS[name](options ?? {}) ?? null);
});
process.stdout.write(JSON.stringify(answers));
