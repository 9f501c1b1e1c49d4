// From shown nodes to boxes, lines and texts. Tidy for any number of branches; no two texts meet.
//
//            [ question ]          A block is the answer that leads to a node and the box under it. Blocks
//             /    |    \          of one depth stand on one line. Children are packed to the left, then to
//       answer  answer  answer     the right, and stand in the middle of the two: subtrees never overlap
//       [ box ] [ box ] [ box ]    (both packings keep their distances, so their mean does), and small ones
//                                  between large ones do not cling to one side.
import { answer, lossOf, meanWords, modelWords, question, rowsOf, saidBy } from "./model.js";
import { isOpen, shown } from "./fold.js";
import { counted, figure, percent, shortened } from "./words.js";

export const SIZES = {
  answer: 18, // the line of the answer
  box: 62,
  tail: 20, // "+ 9 leaves" under a folded box
  drop: 34, // from the box, or its tail, to the answers below
  gap: 14, // between neighbours
  pad: 10, // beside the text in a box
  least: 92,
  most: 280,
  mark: 14, // the sign of a class beside its name
};

export const FONTS = { title: "600 13px", line: "400 11px", answer: "400 12px", tail: "600 11px" };
const LEVEL = SIZES.answer + SIZES.box + SIZES.tail + SIZES.drop;

// `measure(text, font)` gives a width in pixels; `below` the leaves under each node.
export function layout(model, open, isLeaf, measure, below) {
  const nodes = shown(model, open, isLeaf);
  const blocks = new Map();
  for (const node of nodes)
    blocks.set(node, block(model, node, isLeaf(node), isOpen(open, isLeaf, node), measure, below));
  const place = placed(model, nodes, blocks, open, isLeaf);
  let left = Infinity;
  let right = -Infinity;
  let bottom = 0;
  for (const node of nodes) {
    const found = blocks.get(node);
    found.x = place.get(node);
    found.y = model.depth[node] * LEVEL;
    left = Math.min(left, found.x - found.width / 2);
    right = Math.max(right, found.x + found.width / 2);
    bottom = Math.max(bottom, found.y + SIZES.answer + SIZES.box + (found.tail ? SIZES.tail : 0));
  }
  for (const found of blocks.values()) found.x -= left;
  return { blocks, lines: linesOf(model, nodes, blocks), width: right - left, height: bottom };
}

function block(model, node, isLeaf, isOpened, measure, below) {
  const fit = (text, font, most) => fitted(text, font, most, measure);
  const inner = SIZES.most - 2 * SIZES.pad;
  const marks = marksOf(model, node, isLeaf);
  const title = fit(titleOf(model, node, isLeaf), FONTS.title, inner - marks.title);
  const line = fit(lineOf(model, node, isLeaf), FONTS.line, inner - marks.line);
  const tail =
    isLeaf || isOpened ? null : fit(`+ ${counted(below[node], "leaf", "leaves")}`, FONTS.tail, inner);
  const head = fit(node > 0 ? answer(model, node) : "", FONTS.answer, SIZES.most);
  const text = Math.max(title.width + marks.title, line.width + marks.line, tail ? tail.width : 0);
  const box = Math.max(SIZES.least, text + 2 * SIZES.pad);
  return { node, isLeaf, isOpened, marks, title, line, tail, head, box, width: Math.max(box, head.width) };
}

// The room for the sign of the class: beside the title of a leaf, beside the prediction of an inner node.
function marksOf(model, node, isLeaf) {
  if (!model.isClassifier || (isLeaf && saidBy(model, node).model)) return { title: 0, line: 0 };
  return isLeaf ? { title: SIZES.mark, line: 0 } : { title: 0, line: SIZES.mark };
}

export function titleOf(model, node, isLeaf) {
  if (!isLeaf) return question(model, node);
  const said = saidBy(model, node);
  if (said.model) return model.isClassifier ? modelWords(model, node) : said.model;
  return said.text === null
    ? meanWords(model, said.mean, said.spread)
    : said.text;
}

export function lineOf(model, node, isLeaf) {
  const rows = rowsOf(model, model.tree.weight[node]);
  if (!(model.tree.weight[node] > 0)) return "no rows";
  if (isLeaf && saidBy(model, node).model) {
    const loss = lossOf(model, node);
    if (!model.isClassifier) return `${rows}, RMSE ${figure(loss, 3)}`;
    return `right in ${percent(1 - loss)} of ${rows}`;
  }
  const said = saidBy(model, node);
  if (isLeaf) return model.isClassifier ? `${percent(said.share)} of ${rows}` : rows;
  const words = model.isClassifier
    ? `${said.text} ${percent(said.share)}`
    : meanWords(model, said.mean, said.spread);
  return `${words} \u00b7 ${rows}`;
}

// A text that is not wider than `most`, cut where it must be, with its width.
export function fitted(text, font, most, measure) {
  let width = measure(text, font);
  if (width <= most) return { text, width, isCut: false };
  let low = 1;
  let high = text.length;
  while (low < high - 1) {
    const middle = (low + high) >> 1;
    if (measure(shortened(text, middle), font) <= most) low = middle;
    else high = middle;
  }
  const cut = shortened(text, low);
  width = measure(cut, font);
  return { text: cut, width, isCut: true };
}

// The middle of every block. A contour is the leftmost or rightmost reach by depth below a node, about it.
function placed(model, nodes, blocks, open, isLeaf) {
  const found = new Map();
  const contours = new Map();
  const offsets = new Map();
  for (let k = nodes.length - 1; k >= 0; k--) {
    const node = nodes[k];
    const half = blocks.get(node).width / 2;
    const children = isOpen(open, isLeaf, node) ? model.children[node] : [];
    const shapes = children.map((child) => contours.get(child));
    const xs = packed(shapes);
    const middle = xs.length ? (xs[0] + xs[xs.length - 1]) / 2 : 0;
    children.forEach((child, c) => offsets.set(child, xs[c] - middle));
    contours.set(
      node,
      around(
        half,
        shapes,
        xs.map((x) => x - middle),
      ),
    );
    for (const child of children) contours.delete(child);
  }
  for (const node of nodes) {
    found.set(node, node === 0 ? 0 : found.get(model.parent[node]) + offsets.get(node));
  }
  return found;
}

function packed(shapes) {
  if (shapes.length < 2) return shapes.map(() => 0);
  const left = pushed(shapes);
  const mirrored = shapes.map(({ left: l, right: r }) => ({
    left: r.map((x) => -x),
    right: l.map((x) => -x),
  }));
  const right = pushed(mirrored.reverse())
    .reverse()
    .map((x) => -x);
  const shift = left[left.length - 1] - right[right.length - 1];
  return left.map((x, c) => (x + right[c] + shift) / 2);
}

// Each shape as far to the left as those before it allow.
function pushed(shapes) {
  const reach = [];
  return shapes.map(({ left, right }, c) => {
    let x = c === 0 ? 0 : -Infinity;
    if (c > 0)
      for (let d = 0; d < left.length && d < reach.length; d++)
        x = Math.max(x, reach[d] + SIZES.gap - left[d]);
    right.forEach((edge, d) => (reach[d] = Math.max(reach[d] ?? -Infinity, x + edge)));
    return x;
  });
}

function around(half, shapes, xs) {
  const left = [-half];
  const right = [half];
  shapes.forEach((shape, c) => {
    shape.left.forEach((edge, d) => (left[d + 1] = Math.min(left[d + 1] ?? Infinity, xs[c] + edge)));
    shape.right.forEach((edge, d) => (right[d + 1] = Math.max(right[d + 1] ?? -Infinity, xs[c] + edge)));
  });
  return { left, right };
}

// Lines from the foot of a box to the answers under it; as wide as the share of rows.
function linesOf(model, nodes, blocks) {
  const whole = model.tree.weight[0] || 1;
  return nodes.slice(1).map((node) => {
    const from = blocks.get(model.parent[node]);
    const to = blocks.get(node);
    const width = Math.max(1, 14 * (model.tree.weight[node] / whole));
    return { node, x1: from.x, y1: from.y + SIZES.answer + SIZES.box, x2: to.x, y2: to.y, width };
  });
}

// The texts of a layout as rectangles: what must never meet.
export function textsOf(found) {
  const texts = [];
  const add = (node, part, x, y, height) =>
    part &&
    part.text &&
    texts.push({ node, text: part.text, left: x, right: x + part.width, top: y, bottom: y + height });
  for (const b of found.blocks.values()) {
    const left = b.x - b.box / 2 + SIZES.pad;
    add(b.node, b.head, b.x - b.head.width / 2, b.y + 2, 14);
    add(b.node, b.title, left + b.marks.title, b.y + SIZES.answer + 7, 16);
    add(b.node, b.line, left + b.marks.line, b.y + SIZES.answer + 25, 13);
    if (b.tail) add(b.node, b.tail, b.x - b.tail.width / 2, b.y + SIZES.answer + SIZES.box + 4, 13);
  }
  return texts;
}
