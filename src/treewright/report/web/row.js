// A row as a person types it, in the codes of the tree; and a row that leads to a given node.
import { pathTo } from "./model.js";
import { GAP, SUM, UNSEEN } from "./route.js";

// The code of a text, or a number; null is a missing value, and so is an empty text where a number is asked.
// What comes back is null where that text is no number.
export function coded(column, text) {
  if (column.kind === "numeric" || column.edges) {
    if (text === null || text.trim() === "") return column.edges ? GAP : NaN;
    const value = column.temporal === "date" ? daysOf(text.trim()) : numberOf(text.trim());
    if (value === null || !column.edges) return value;
    let place = 0;
    while (place < column.edges.length && column.edges[place] < value) place++;
    return place;
  }
  if (text === null || !column.categories) return GAP; // of a column never asked about nothing is known
  const code = column.categories.indexOf(text);
  return code < 0 ? UNSEEN : code;
}

export function numberOf(text) {
  const plain = text.replace(/^(-?\d+),(\d+)$/, "$1.$2").replace("\u2212", "-");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : null;
}

// Days since 1970-01-01 of a date such as 2020-01-31 or 2020-01-31 12:00.
export function daysOf(text) {
  const iso = /^\d{4}-\d\d-\d\d$/.test(text) ? text : text.replace(" ", "T") + "Z";
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(iso) : NaN;
  return Number.isNaN(at) ? numberOf(text) : at / 86400000;
}

function dateOf(days) {
  const at = new Date(Math.round(days * 86400) * 1000);
  if (Number.isNaN(at.getTime())) return String(days);
  const text = at.toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
}

export function codedRow(model, texts) {
  return model.facts.columns.map((column, c) => coded(column, texts[c] ?? null));
}

// The columns that the tree asks about, also in a surrogate, in the order in which they are first met.
export function asked(model) {
  const found = new Set();
  const byDepth = [...model.depth.keys()].sort((a, b) => model.depth[a] - model.depth[b] || a - b);
  const add = (list, start, node) => {
    for (let k = start[node]; k < start[node + 1]; k++) found.add(list[k]);
  };
  const { sum, model: models } = model.tree;
  for (const node of byDepth) {
    if (model.tree.column[node] >= 0) found.add(model.tree.column[node]);
    if (sum) add(sum.column, sum.start, node);
  }
  if (models) for (const column of models.column) found.add(column);
  if (model.tree.surrogate) for (const column of model.tree.surrogate.column) found.add(column);
  return [...found];
}

// Texts by column that send a row to a node; columns that the way does not ask about are left out.
export function leadingTo(model, node) {
  const { tree, facts } = model;
  const left = new Map(); // column -> bounds, or the codes still possible, or "missing"
  const way = pathTo(model, node);
  const sums = []; // a sum must be at most its cut (side 0), or above it (side 1)
  for (let k = 1; k < way.length; k++) {
    const parent = way[k - 1];
    const column = tree.column[parent];
    const side = model.branch[way[k]];
    if (tree.kind[parent] !== SUM) left.set(column, narrowed(model, parent, side, left.get(column)));
    else if (side > 1) left.set(column, "missing");
    else sums.push(sumAt(tree, parent, side));
  }
  const texts = {};
  for (const [column, what] of left) {
    const text = exampleOf(facts.columns[column], what);
    if (text !== null) texts[column] = text;
  }
  return sums.length ? moved(facts.columns, sums, left, texts) : texts;
}

function sumAt({ sum, cut }, node, side) {
  const span = [sum.start[node], sum.start[node + 1]];
  return { columns: sum.column.slice(...span), weights: sum.weight.slice(...span), cut: cut[node], side };
}

// Values that satisfy sums, as far as they are found: one unsatisfied sum after the other is moved to the
// right side by its numeric columns, along its weights and inside their bounds. Ranks stay where they are.
function moved(columns, sums, left, texts) {
  const value = new Map();
  for (const column of sums.flatMap((sum) => sum.columns)) {
    const isNumeric = columns[column].kind === "numeric";
    if (left.get(column) === "missing") return texts; // a sum with a gap asks nothing
    if (!isNumeric && texts[column] === undefined) texts[column] = columns[column].categories[0];
    const code = isNumeric ? 0 : columns[column].categories.indexOf(texts[column]);
    value.set(column, isNumeric ? Number(texts[column] ?? 0) : code);
  }
  const bounds = (column) =>
    columns[column].kind === "numeric" ? (left.get(column) ?? [-Infinity, Infinity]) : null;
  for (let turn = 0; turn < TURNS; turn++) {
    const wrong = sums.filter((sum) => lacking(sum, value) > 0);
    if (!wrong.length) break;
    for (const sum of wrong) push(sum, value, bounds);
  }
  for (const column of value.keys())
    if (bounds(column)) texts[column] = shortest(column, value, sums, bounds(column));
  return texts;
}

// A value with as few digits as keep every sum that is on its side there; it stays so for those that follow.
function shortest(column, value, sums, [low, high]) {
  const full = value.get(column);
  const isGood = () => sums.every((sum) => lacking(sum, value) <= 0);
  if (!isGood()) return String(full);
  for (let digits = 2; digits < 17; digits++) {
    const tried = Number(full.toPrecision(digits));
    value.set(column, tried);
    if (tried > low && tried <= high && isGood()) return String(tried);
  }
  value.set(column, full);
  return String(full);
}

const TURNS = 2000;
const PAST = 0.02; // how far beyond the cut a sum is moved, as a share of its size

// How far a sum is from the side it must be on; 0 or less where it is there.
function lacking({ columns, weights, cut, side }, value) {
  let total = 0;
  columns.forEach((column, k) => (total += weights[k] * value.get(column)));
  if (side === 0) return total - cut;
  return total > cut ? 0 : Math.max(cut - total, Number.MIN_VALUE);
}

function push(sum, value, bounds) {
  const free = sum.columns.map((column, k) => ({ column, weight: sum.weights[k], range: bounds(column) }));
  const movable = free.filter(({ range }) => range);
  let squares = 0;
  for (const { weight } of movable) squares += weight * weight;
  if (!(squares > 0)) return;
  const margin = PAST * Math.max(Math.abs(sum.cut), 1e-6);
  const far = ((sum.side === 0 ? -1 : 1) * (lacking(sum, value) + margin)) / squares;
  for (const { column, weight, range } of movable) {
    const [low, high] = range;
    const inner = Number(inside(Math.max(low, -1e300), Math.min(high, 1e300)));
    let next = value.get(column) + far * weight;
    if (!(next > low)) next = Number.isFinite(low) ? low + (inner - low) * 1e-3 : inner;
    value.set(column, Math.min(next, high));
  }
}

function narrowed(model, node, branch, before) {
  const { tree, facts } = model;
  const column = facts.columns[tree.column[node]];
  const cut = Number(tree.cut[node]);
  if (before === "missing") return before;
  if (column.kind === "numeric") {
    const [low, high] = before || [-Infinity, Infinity];
    const found = branch === 0 ? [low, Math.min(high, cut)] : [Math.max(low, cut), high];
    return branch > 1 || found[0] >= found[1] || found[0] === Infinity ? "missing" : found;
  }
  const codes = before || column.categories.map((_, code) => code);
  const found = codes.filter((code) => branchOfCode(tree, node, code, cut) === branch);
  return found.length ? found : "missing";
}

function branchOfCode(tree, node, code, cut) {
  if (tree.kind[node] === 1) return code <= cut ? 0 : 1;
  for (let k = tree.code_start[node]; k < tree.code_start[node + 1]; k++) {
    if (tree.code[k] === code) return tree.code_branch[k];
  }
  return -1;
}

function exampleOf(column, what) {
  if (what === "missing") return null;
  if (column.temporal === "date") {
    const days = Number(inside(what[0], what[1]));
    return dateOf(Math.floor(days) > what[0] ? Math.floor(days) : days);
  }
  if (column.kind === "numeric") return inside(what[0], what[1]);
  if (column.edges) {
    const [code] = what;
    return inside(
      code > 0 ? column.edges[code - 1] : -Infinity,
      code < column.edges.length ? column.edges[code] : Infinity,
    );
  }
  return column.categories[what[0]];
}

// A short number x with low < x <= high.
export function inside(low, high) {
  if (low === -Infinity && high === Infinity) return "0";
  if (low === -Infinity)
    return String(
      Number.isInteger(high) ? high : shortBetween(high - Math.max(1, Math.abs(high) * 0.2), high),
    );
  if (high === Infinity) return shortBetween(low, low + Math.max(1, Math.abs(low) * 0.2));
  return shortBetween(low, high);
}

function shortBetween(low, high) {
  const middle = low + (high - low) / 2;
  for (let digits = 1; digits <= 17; digits++) {
    const text = String(Number(middle.toPrecision(digits)));
    if (Number(text) > low && Number(text) <= high) return text;
  }
  return String(high);
}
