// Nodes whose words hold what was typed: what a node asks, the answer that leads to it, what a leaf says.
import { answer, leafAt, nodesAt, question, saidBy } from "./model.js";
import { figure } from "./words.js";

export function search(model, text, step) {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const isLeaf = leafAt(model, step);
  const nodes = nodesAt(model, step);
  const number = /^(?:#|node )(\d+)$/.exec(wanted);
  if (number) return nodes.filter((node) => node === Number(number[1]));
  return nodes.filter((node) => wordsOf(model, node, isLeaf(node)).toLowerCase().includes(wanted));
}

export function wordsOf(model, node, isLeaf) {
  const before = node > 0 ? `${question(model, model.parent[node])} ${answer(model, node)} \u2192 ` : "";
  if (!isLeaf) return before + question(model, node);
  const said = saidBy(model, node);
  return before + (said.model ?? said.text ?? figure(said.mean));
}
