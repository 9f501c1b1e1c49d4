// The least change of a row that gives it another class: the twin of Python's search, for rows that go one way.
//
// Prices are Python's: a number moves in units of the range of the tree's cuts in its column, an ordinal
// category in steps, another category costs 1, and so does a value where there was none. Each leaf is a box;
// its nearest point is the cheapest row that may end there, and the walker says whether it does.
import { nodesAt } from "./model.js";
import { answerOf, route } from "./route.js";

const MOST = 400; // candidates that are walked

export function leastChange(model, row, step, isLeaf) {
  const { tree } = model;
  if (!model.isClassifier || tree.sum || tree.model) return null;
  const now = answerOf(model, route(model, row, isLeaf), row);
  if (!now) return null;
  const axes = axesOf(model, step, isLeaf);
  const found = [];
  for (const leaf of nodesAt(model, step).filter(isLeaf)) {
    if (tree.label[leaf] === now.label) continue;
    const candidate = nearest(model, row, leaf, axes);
    if (candidate) found.push(candidate);
  }
  found.sort(
    (a, b) =>
      a.cost - b.cost || a.changes.length - b.changes.length || tree.weight[b.leaf] - tree.weight[a.leaf],
  );
  for (const { leaf, cost, changes } of found.slice(0, MOST)) {
    const changed = [...row];
    for (const { column, after } of changes) changed[column] = after;
    const said = answerOf(model, route(model, changed, isLeaf), changed);
    if (said && said.label !== now.label)
      return {
        leaf,
        cost,
        changes,
        label: said.label,
        row: changed,
        isLeast: isExact(model, row, step, isLeaf),
      };
  }
  return null;
}

// Whether no cheaper change can have been missed: not so where gaps divide rows or ask surrogates, where
// categories that a node never met do so, and where numbers were cut into intervals.
function isExact(model, row, step, isLeaf) {
  const { tree, facts } = model;
  const isSimple = facts.ways.gap === "branch" || facts.ways.gap === "refuse";
  const goesOneWay =
    facts.ways.unseen === "branch" || (facts.ways.unseen === "as_missing" && facts.ways.gap === "branch");
  return nodesAt(model, step).every((node) => {
    if (isLeaf(node)) return true;
    const about = facts.columns[tree.column[node]];
    const value = row[tree.column[node]];
    const isUnknown = Number.isNaN(value) || (about.kind !== "numeric" && value < 0);
    if (about.edges || (!isSimple && isUnknown)) return false;
    if (about.kind === "numeric" || tree.kind[node] === 1 || goesOneWay) return true;
    return tree.code_start[node + 1] - tree.code_start[node] === about.categories.length;
  });
}

// By numeric column its cuts in the tree at this size: their range is the unit of moves.
function axesOf(model, step, isLeaf) {
  const { tree } = model;
  const cuts = new Map();
  for (const node of nodesAt(model, step)) {
    if (isLeaf(node) || model.facts.columns[tree.column[node]].kind !== "numeric") continue;
    const cut = Number(tree.cut[node]);
    if (Number.isFinite(cut)) cuts.set(tree.column[node], [...(cuts.get(tree.column[node]) ?? []), cut]);
  }
  return new Map(
    [...cuts].map(([column, list]) => [column, { unit: unitOf(list), isHalves: list.every(isHalf) }]),
  );
}

function isHalf(cut) {
  return cut * 2 === Math.floor(cut * 2);
}

function unitOf(cuts) {
  const [low, high] = [Math.min(...cuts), Math.max(...cuts)];
  const size = high > low ? high - low : Math.abs(low);
  return size > 1e-300 && Number.isFinite(size) ? size : 1;
}

// The cheapest row in the box of a leaf, as changes of the row given; null where no row can be there.
function nearest(model, row, leaf, axes) {
  const regions = new Map(); // column -> {low, high} or a Set of codes, and whether a gap may stay
  for (let node = leaf; node > 0; node = model.parent[node]) {
    if (!narrow(model, row, model.parent[node], model.branch[node], regions, axes)) return null;
  }
  let cost = 0;
  const changes = [];
  for (const [column, region] of [...regions].reverse()) {
    const moved = region.codes ? moveCode(model, row, column, region) : moveNumber(row, column, region, axes);
    if (moved === undefined) return null;
    if (moved === null) continue;
    cost += moved.cost;
    changes.push({ column, ...moved });
  }
  return { leaf, cost, changes };
}

function narrow(model, row, parent, branch, regions, axes) {
  const { tree, facts } = model;
  const column = tree.column[parent];
  const staysGap = facts.ways.gap === "branch" && tree.missing[parent] === branch;
  if (facts.columns[column].kind === "numeric") {
    const region = regions.get(column) ?? { low: -Infinity, high: Infinity, staysGap: true };
    const cut = Number(tree.cut[parent]);
    const isWhole = axes.get(column)?.isHalves && Number.isInteger(row[column]);
    if (branch === 0) region.high = Math.min(region.high, isWhole ? Math.floor(cut) : cut);
    else if (branch === 1) region.low = Math.max(region.low, isWhole ? Math.floor(cut) + 1 : after(cut));
    else [region.low, region.high] = [Infinity, -Infinity]; // a branch for gaps alone
    region.staysGap &&= staysGap;
    regions.set(column, region);
    return region.low <= region.high || region.staysGap;
  }
  const region = regions.get(column) ?? {
    codes: new Set(facts.columns[column].categories.keys()),
    staysGap: true,
  };
  for (const code of [...region.codes])
    if (branchOf(model, parent, code) !== branch) region.codes.delete(code);
  region.staysGap &&= staysGap;
  regions.set(column, region);
  return region.codes.size > 0 || region.staysGap;
}

// The branch of a category; one that the node never met goes where the tree sends such rows.
function branchOf(model, node, code) {
  const { tree, facts } = model;
  if (tree.kind[node] === 1) return code <= Number(tree.cut[node]) ? 0 : 1;
  for (let k = tree.code_start[node]; k < tree.code_start[node + 1]; k++)
    if (tree.code[k] === code) return tree.code_branch[k];
  const { gap, unseen } = facts.ways;
  if (unseen === "branch") return tree.largest[node];
  return unseen === "as_missing" && gap === "branch" && tree.missing[node] >= 0 ? tree.missing[node] : -1;
}

// Null: the value may stay. Undefined: no value will do.
function moveNumber(row, column, { low, high, staysGap }, axes) {
  const value = row[column];
  if (Number.isNaN(value)) {
    if (staysGap) return null;
    if (!(low <= high)) return undefined;
    const to = Number.isFinite(high) ? high : Number.isFinite(low) ? low : 0;
    return { before: null, after: to, cost: 1, low, high };
  }
  if (value >= low && value <= high) return null;
  const to = Math.min(Math.max(value, low), high);
  if (!(low <= high) || !Number.isFinite(to)) return undefined;
  return { before: value, after: to, cost: Math.abs(to - value) / (axes.get(column)?.unit ?? 1), low, high };
}

function moveCode(model, row, column, { codes, staysGap }) {
  const about = model.facts.columns[column];
  const own = row[column];
  if (own < 0 ? staysGap && own === -1 : codes.has(own)) return null;
  if (!codes.size) return undefined;
  const steps = Math.max(1, about.categories.length - 1);
  const price = (code) => (own < 0 || about.kind !== "ordinal" ? 1 : Math.abs(code - own) / steps);
  const best = [...codes].sort((a, b) => price(a) - price(b) || a - b)[0];
  const equals = [...codes].filter((code) => price(code) === price(best)).sort((a, b) => a - b);
  return { before: own, after: best, cost: price(best), codes: equals };
}

const floats = new Float64Array(1);
const bits = new BigInt64Array(floats.buffer);

// The next number above.
export function after(x) {
  if (x === Infinity) return x;
  if (x === 0) return Number.MIN_VALUE;
  floats[0] = x;
  bits[0] += x > 0 ? 1n : -1n;
  return floats[0];
}
