// The rules of the tree at a size: one per leaf, tests on one column merged, in the words that came with it.
import { condition, leavesAt, lossOf, pathTo, saidBy } from "./model.js";
import { SUM } from "./route.js";

// For each column the last condition on the way, in the order in which the columns were first met.
export function conditionsOf(model, node) {
  const found = new Map();
  const way = pathTo(model, node);
  for (let k = 1; k < way.length; k++) {
    const parent = way[k - 1];
    const isSum = model.tree.kind[parent] === SUM; // each stands for itself
    found.set(isSum ? `sum ${parent}` : model.tree.column[parent], condition(model, way[k]));
  }
  return [...found.values()];
}

export function rulesAt(model, step) {
  return leavesAt(model, step).map((node) => {
    const said = saidBy(model, node);
    return {
      node,
      conditions: conditionsOf(model, node),
      said,
      weight: model.tree.weight[node],
      ...figures(model, node),
    };
  });
}

// Confidence is the share of right rows; lift divides it by the share of the class among all rows.
function figures(model, node) {
  const { tree } = model;
  if (!model.isClassifier || !(tree.weight[node] > 0)) return { confidence: null, lift: null };
  if (saidBy(model, node).model) return { confidence: 1 - lossOf(model, node), lift: null };
  const right = rightAt(tree, node, tree.label[node]);
  const confidence = right / tree.weight[node];
  const ofClass = rightAt(tree, 0, tree.label[node]);
  return { confidence, lift: ofClass > 0 ? confidence / (ofClass / tree.weight[0]) : null };
}

function rightAt(tree, node, label) {
  for (let k = tree.classes.start[node]; k < tree.classes.start[node + 1]; k++) {
    if (tree.classes.class[k] === label) return tree.classes.weight[k];
  }
  return 0;
}
