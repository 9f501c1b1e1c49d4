// Which nodes are shown: a node's children are, if it is open and not a leaf at this size of the tree.
import { pathTo } from "./model.js";

export function shown(model, open, isLeaf) {
  const found = [];
  for (let i = 0; i < model.n; i = isOpen(open, isLeaf, i) ? i + 1 : model.tree.end[i]) found.push(i);
  return found;
}

export function isOpen(open, isLeaf, node) {
  return open.has(node) && !isLeaf(node);
}

// Open the heaviest branches first, as long as the picture fits.
export function start(model, isLeaf, fits, most = 60) {
  const open = new Set();
  const weight = (node) => model.tree.weight[node];
  let waiting = isLeaf(0) ? [] : [0];
  for (let tries = 0; waiting.length && tries < most; tries++) {
    waiting.sort((a, b) => model.depth[a] - model.depth[b] || weight(b) - weight(a) || a - b);
    const node = waiting.shift();
    open.add(node);
    if (node > 0 && !fits(open, node)) {
      open.delete(node);
      continue;
    }
    waiting = waiting.concat(model.children[node].filter((child) => !isLeaf(child)));
  }
  return open;
}

export function openTo(model, open, node) {
  const found = new Set(open);
  for (const i of pathTo(model, node).slice(0, -1)) found.add(i);
  return found;
}

// One level more everywhere.
export function openNext(model, open, isLeaf) {
  const found = new Set(open);
  for (const node of shown(model, open, isLeaf)) if (!isLeaf(node)) found.add(node);
  return found;
}

// One level less: the deepest open nodes are folded; the root stays open.
export function closeLast(model, open, isLeaf) {
  const inner = shown(model, open, isLeaf).filter((node) => isOpen(open, isLeaf, node));
  const deepest = Math.max(...inner.map((node) => model.depth[node]), 0);
  return new Set(inner.filter((node) => model.depth[node] < deepest || node === 0));
}

export function toggled(open, node) {
  const found = new Set(open);
  if (!found.delete(node)) found.add(node);
  return found;
}

export function foldable(model, isLeaf) {
  const found = [];
  for (let i = 0; i < model.n; i = isLeaf(i) ? model.tree.end[i] : i + 1) if (!isLeaf(i)) found.push(i);
  return found;
}
