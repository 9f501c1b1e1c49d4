// One row down the tree, with every policy for gaps and unknown categories: the twin of the core's walker.
import { sharesOf } from "./model.js";

export const GAP = -1;
export const UNSEEN = -2;
export const SUM = 3; // the kind of a test on several columns

// `row` holds a number (NaN: missing) or a code (-1: missing, -2: unknown) for each column.
// Returns the parts of the row where they end (one, unless it was divided), the heaviest of them, all nodes
// passed with the share that passed, and the node that refused the row, if one did.
export function route(model, row, isLeaf) {
  const stack = [{ node: 0, weight: 1 }];
  const parts = [];
  const passed = new Map();
  while (stack.length) {
    const refused = descend(model, row, isLeaf, stack.pop(), { stack, parts, passed });
    if (refused !== null) return { parts: [], node: -1, passed, refused };
  }
  let heaviest = parts[0];
  for (const part of parts) if (part.weight > heaviest.weight) heaviest = part;
  return { parts, node: heaviest.node, passed, refused: null };
}

function descend(model, row, isLeaf, at, found) {
  const { tree } = model;
  const { gap, unseen } = model.facts.ways;
  let node = at.node;
  for (;;) {
    found.passed.set(node, (found.passed.get(node) || 0) + at.weight);
    if (isLeaf(node)) break;
    let branch = tree.kind[node] === SUM ? askSum(model, row, node) : ask(model, row, testAt(tree, node));
    if (branch < 0) {
      let way = branch === GAP ? gap : unseen;
      const wasUnseen = branch === UNSEEN && way !== "as_missing";
      if (way === "as_missing") way = gap;
      if (way === "refuse") return node;
      if (way === "stop") break;
      if (way === "divide") {
        divide(model, node, at.weight, found);
        return null;
      }
      if (way === "surrogate") {
        branch = bySurrogate(model, row, node);
        if (branch < 0 && tree.missing[node] < 0) break; // no branch is heavier than the other
      }
      if (branch < 0) branch = wasUnseen || tree.missing[node] < 0 ? tree.largest[node] : tree.missing[node];
    }
    node = model.children[node][branch];
  }
  found.parts.push({ node, weight: at.weight });
  return null;
}

// Down all branches, by their share of the training weight. Where no branch has any, the row stays.
function divide(model, node, weight, { stack, parts }) {
  const branches = model.children[node];
  let total = 0;
  for (const child of branches) total += model.tree.weight[child];
  let isSent = false;
  if (total > 0 && Number.isFinite(total)) {
    for (let b = branches.length - 1; b >= 0; b--) {
      const share = model.tree.weight[branches[b]] / total;
      if (share > 0) {
        stack.push({ node: branches[b], weight: weight * share });
        isSent = true;
      }
    }
  }
  if (!isSent) parts.push({ node, weight });
}

function testAt(tree, node) {
  return {
    column: tree.column[node],
    kind: tree.kind[node],
    cut: Number(tree.cut[node]),
    code: tree.code,
    branch: tree.code_branch,
    first: tree.code_start[node],
    last: tree.code_start[node + 1],
  };
}

function ask(model, row, test) {
  const value = row[test.column];
  if (model.facts.columns[test.column].kind === "numeric") {
    return Number.isNaN(value) ? GAP : value <= test.cut ? 0 : 1;
  }
  if (value < 0) return value === GAP ? GAP : UNSEEN;
  if (test.kind === 1) return value <= test.cut ? 0 : 1; // an ordinal column is cut by rank
  for (let k = test.first; k < test.last; k++) if (test.code[k] === value) return test.branch[k];
  return UNSEEN;
}

// The value itself, or 1 where it is a category, at most a number, or above it.
function termOf(form, value, at) {
  if (form === 0) return value;
  return Number(form === 1 ? value === at : form === 2 ? value <= at : value > at);
}

// Term after term, as the core adds: the same number, bit for bit.
function askSum(model, row, node) {
  const { sum, cut } = model.tree;
  let total = 0;
  for (let k = sum.start[node]; k < sum.start[node + 1]; k++) {
    const value = row[sum.column[k]];
    if (model.facts.columns[sum.column[k]].kind === "numeric") {
      if (Number.isNaN(value)) return GAP;
    } else if (value < 0) return value === GAP ? GAP : UNSEEN;
    total += sum.weight[k] * (sum.form ? termOf(sum.form[k], value, Number(sum.at[k])) : value);
  }
  return Number.isNaN(total) ? GAP : total <= Number(cut[node]) ? 0 : 1;
}

function bySurrogate(model, row, node) {
  const s = model.tree.surrogate;
  if (!s) return GAP;
  for (let k = s.start[node]; k < s.start[node + 1]; k++) {
    const branch = ask(model, row, {
      column: s.column[k],
      kind: s.kind[k],
      cut: Number(s.cut[k]),
      code: s.code,
      branch: s.code_branch,
      first: s.code_start[k],
      last: s.code_start[k + 1],
    });
    if (branch >= 0) return s.flip[k] ? 1 - branch : branch;
  }
  return GAP;
}

// What the tree says of a row: a class and the probability of each, or a number.
export function answerOf(model, routed, row) {
  if (routed.refused !== null) return null;
  if (model.tree.model) {
    const said = routed.parts.map((part) => scoresOf(model, row, part.node));
    if (said.some((scores) => scores !== null)) return answerOfModels(model, routed, said);
  }
  if (!model.isClassifier) {
    let value = 0;
    for (const part of routed.parts) value += model.tree.mean[part.node] * part.weight;
    return { value: routed.parts.length === 1 ? model.tree.mean[routed.node] : value };
  }
  if (routed.parts.length === 1) {
    return { label: model.tree.label[routed.node], shares: sharesOf(model, routed.node) };
  }
  const shares = new Float64Array(model.facts.target.classes.length);
  for (const part of routed.parts) {
    sharesOf(model, part.node).forEach((share, c) => (shares[c] += share * part.weight));
  }
  return { label: winner(shares, model.facts.ways.costs), shares };
}

// What the model of a node comes to: a number, or one for each class but the first. Null where it says
// nothing: a model without columns, or a gap in one of them.
function scoresOf(model, row, node) {
  const { start, column, weight, bias, gap } = model.tree.model;
  if (start[node] === start[node + 1]) return null;
  const scores = bias[node].map(Number);
  for (let k = start[node]; k < start[node + 1]; k++) {
    const isNumeric = model.facts.columns[column[k]].kind === "numeric";
    const value = !isNumeric && row[column[k]] < 0 ? NaN : row[column[k]];
    const instead = Number.isNaN(value) ? (gap?.[k] ?? null) : null;
    for (let s = 0; s < scores.length; s++) scores[s] += instead ? Number(instead[s]) : value * weight[k][s];
  }
  return scores.some(Number.isNaN) ? null : scores;
}

function answerOfModels(model, routed, said) {
  if (!model.isClassifier) {
    let value = 0;
    routed.parts.forEach((part, p) => {
      value += (said[p] ? said[p][0] : model.tree.mean[part.node]) * part.weight;
    });
    return { value, isModelled: true };
  }
  const shares = new Float64Array(model.facts.target.classes.length);
  routed.parts.forEach((part, p) => {
    const own = said[p] ? chancesOf(said[p]) : sharesOf(model, part.node);
    own.forEach((share, c) => (shares[c] += share * part.weight));
  });
  return { label: winner(shares, model.facts.ways.costs), shares, isModelled: true };
}

// From log odds against the first class to probabilities.
function chancesOf(scores) {
  const all = [0, ...scores];
  const most = Math.max(...all);
  const grown = all.map((score) => Math.exp(score - most));
  let total = 0;
  for (const value of grown) total += value;
  return grown.map((value) => value / total);
}

// Totals that are equal but for rounding are equal: the first class wins.
function winner(shares, costs) {
  const k = shares.length;
  const votes = Array.from(shares);
  if (costs) {
    for (let c = 0; c < k; c++) {
      votes[c] = 0;
      for (let t = 0; t < k; t++) votes[c] -= shares[t] * costs[t][c];
    }
  }
  const most = Math.max(...votes);
  return votes.findIndex((vote) => vote >= most - 1e-12);
}
