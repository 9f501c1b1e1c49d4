// Which leaves pass a filter: by class, by how many rows they have and how sure they are.
import { leafAt, leavesAt, lossOf, saidBy } from "./model.js";

export const NO_FILTER = { label: null, rows: 0, share: 0 };

export function isFilter({ label, rows, share }) {
  return label !== null || rows > 0 || share > 0;
}

export function passes(model, node, { label, rows, share }) {
  const said = saidBy(model, node);
  if (model.tree.weight[node] < rows) return false;
  if (!model.isClassifier) return true;
  if (label !== null && !said.model && said.label !== label) return false;
  return (said.model ? 1 - lossOf(model, node) : said.share) >= share - 1e-12;
}

// The leaves of the tree at a step that pass, with all nodes above them; null where there is no filter.
export function keptBy(model, step, filter) {
  if (!isFilter(filter)) return null;
  const kept = new Set();
  for (const leaf of leavesAt(model, step).filter((node) => passes(model, node, filter)))
    for (let i = leaf; i >= 0 && !kept.has(i); i = model.parent[i]) kept.add(i);
  return kept;
}

export function countOf(model, step, kept) {
  const isLeaf = leafAt(model, step);
  return kept === null ? null : [...kept].filter(isLeaf).length;
}
