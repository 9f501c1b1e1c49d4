// The tree as the page holds it: arrays by node, in preorder. Node i owns i .. end[i] - 1.
import { count, inDecimals, wholeRows } from "./words.js";

export function modelOf(facts) {
  const { tree, sizes } = facts;
  const n = tree.end.length;
  const parent = new Int32Array(n).fill(-1);
  const depth = new Int32Array(n);
  const branch = new Int32Array(n).fill(-1);
  const children = [];
  for (let i = 0; i < n; i++) {
    children.push([]);
    for (let child = i + 1; child < tree.end[i]; child = tree.end[child]) {
      branch[child] = children[i].length;
      children[i].push(child);
      parent[child] = i;
      depth[child] = depth[i] + 1;
    }
  }
  const isClassifier = facts.target.classes.length > 0;
  const nClasses = facts.judged && isClassifier ? facts.judged.classes.length : facts.target.classes.length;
  return { facts, tree, n, parent, depth, branch, children, isClassifier, nClasses, step: sizes.step };
}

// How many rows a weight stands for: whole ones where rows are divided, the weight itself where rows have weights.
export function rowsOf(model, weight, noun = "row") {
  const all = model.tree.weight[0];
  const isDivided = Math.abs(all - (model.facts.size?.rows ?? all)) <= 1e-9 * all;
  const words = isDivided ? wholeRows(weight) : count(weight);
  return noun === "" ? words : `${words} ${words === "1" ? noun : `${noun}s`}`;
}

// A mean with its spread, if it has one, with as many decimals as the picture of the tree has.
export function meanWords(model, mean, spread = 0) {
  const all = model.tree.spread?.[0] ?? 0;
  const decimals = all > 0 && Number.isFinite(all) ? Math.max(0, 1 - Math.floor(Math.log10(all))) : 3;
  return inDecimals(mean, decimals) + (spread > 0 ? ` \u00b1 ${inDecimals(spread, decimals)}` : "");
}

// Whether a node is a leaf of the tree at a step of the path of sizes; step 0 is the tree as it stands.
export function leafAt(model, step) {
  return (node) => model.tree.end[node] === node + 1 || model.step[node] <= step;
}

// The nodes of the tree at a step, in preorder.
export function nodesAt(model, step) {
  const isLeaf = leafAt(model, step);
  const found = [];
  for (let i = 0; i < model.n; i = isLeaf(i) ? model.tree.end[i] : i + 1) found.push(i);
  return found;
}

export function leavesAt(model, step) {
  return nodesAt(model, step).filter(leafAt(model, step));
}

// How many leaves of the tree at a step lie below each of its nodes.
export function leafCounts(model, step) {
  const isLeaf = leafAt(model, step);
  const counts = new Int32Array(model.n);
  const nodes = nodesAt(model, step);
  for (let k = nodes.length - 1; k >= 0; k--) {
    const i = nodes[k];
    if (isLeaf(i)) counts[i] = 1;
    if (i > 0) counts[model.parent[i]] += counts[i];
  }
  return counts;
}

export function pathTo(model, node) {
  const found = [];
  for (let i = node; i >= 0; i = model.parent[i]) found.push(i);
  return found.reverse();
}

// Class weights of a node, from lists without zeros.
export function weightsOf(sparse, node, nClasses) {
  const found = new Float64Array(nClasses);
  for (let k = sparse.start[node]; k < sparse.start[node + 1]; k++) found[sparse.class[k]] = sparse.weight[k];
  return found;
}

// The probability of each class at a node, priors applied; an empty node is sure of its label.
export function sharesOf(model, node) {
  const k = model.facts.target.classes.length;
  const counts = weightsOf(model.tree.classes, node, k);
  const scale = model.facts.ways.class_scale;
  if (scale) for (let c = 0; c < k; c++) counts[c] *= scale[c];
  let total = 0;
  for (const weight of counts) total += weight;
  if (total === 0) {
    counts[model.tree.label[node]] = 1;
    total = 1;
  }
  return counts.map((weight) => weight / total);
}

// What a node says: a class with its share, or a mean with its spread; and the words of its model, if there
// is one.
export function saidBy(model, node) {
  const { tree, facts } = model;
  const words = tree.model ? facts.words[tree.says[node]] : "";
  if (words) return { ...saidWithoutModel(model, node), model: words, loss: tree.model.loss[node] };
  return saidWithoutModel(model, node);
}

function saidWithoutModel(model, node) {
  const { tree, facts } = model;
  if (!model.isClassifier) return { text: null, mean: tree.mean[node], spread: tree.spread[node] };
  const label = tree.label[node];
  return { text: facts.target.classes[label], label, share: sharesOf(model, node)[label] };
}

// A model in a few words: where there is little room.
export function modelWords(model, node) {
  const { start } = model.tree.model;
  const n = start[node + 1] - start[node];
  return `model of ${n} ${n === 1 ? "column" : "columns"}`;
}

// How wrong the model of a node is in training: the share of errors, or the root of the mean squared error.
export function lossOf(model, node) {
  const mean = model.tree.weight[node] > 0 ? model.tree.model.loss[node] / model.tree.weight[node] : 0;
  return model.isClassifier ? mean : Math.sqrt(mean);
}

export function question(model, node) {
  return model.facts.words[model.tree.question[node]];
}

export function answer(model, node) {
  return model.facts.words[model.tree.answer[node]];
}

export function condition(model, node) {
  return model.facts.words[model.tree.condition[node]];
}

// The confusion matrix of the tree at a step: true class x class given; null where rows were divided,
// or where models answer, which need the rows.
export function confusionAt(model, step) {
  const { judged } = model.facts;
  if (!judged || !model.isClassifier) return null;
  if (step > 0 && (judged.is_divided || model.tree.model)) return null;
  if (step === 0) return judged.confusion;
  const k = model.nClasses;
  const matrix = Array.from({ length: k }, () => new Array(k).fill(0));
  const isLeaf = leafAt(model, step);
  for (const node of nodesAt(model, step)) {
    const weights = weightsOf(isLeaf(node) ? judged.came : judged.ends, node, k);
    for (let c = 0; c < k; c++) matrix[c][model.tree.label[node]] += weights[c];
  }
  return matrix;
}
