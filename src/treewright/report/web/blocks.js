// One node of the picture, and the lines between nodes, as elements.
import { svg } from "./dom.js";
import { answer, question, weightsOf } from "./model.js";
import { lineOf, SIZES, titleOf } from "./layout.js";
import { classBar, numberBar, swatch } from "./colours.js";
import { counted } from "./words.js";

export function drawLines(state, inView) {
  const group = svg("g", { class: "lines", "aria-hidden": "true" });
  for (const line of state.picture.lines) {
    if (!inView(Math.min(line.x1, line.x2), line.y1, Math.max(line.x1, line.x2), line.y2)) continue;
    const middle = (line.y1 + line.y2) / 2;
    const [x1, x2] = [line.x1.toFixed(1), line.x2.toFixed(1)];
    const isPassed = state.passed.has(line.node);
    group.append(
      svg("path", {
        d: `M${x1} ${line.y1} C${x1} ${middle} ${x2} ${middle} ${x2} ${line.y2}`,
        "stroke-width": line.width.toFixed(2),
        class: isPassed ? "line passed" : "line",
      }),
    );
  }
  state.lines?.remove();
  state.lines = group;
  state.scene.prepend(group);
}

export function drawBlock(state, block, isSmall) {
  const { node } = block;
  const names = ["node", block.isLeaf ? "leaf" : "inner"];
  if (node === state.selected) names.push("selected");
  if (state.found.has(node)) names.push("found");
  if (state.passed.has(node)) names.push("passed");
  if (state.kept && !state.kept.has(node)) names.push("dim");
  const group = svg("g", {
    class: names.join(" "),
    transform: `translate(${block.x.toFixed(2)} ${block.y})`,
    role: "treeitem",
    "aria-level": state.model.depth[node] + 1,
    "aria-label": spoken(state, block),
    "data-node": node,
    "aria-expanded": block.isLeaf ? null : String(block.isOpened),
    "aria-selected": String(node === state.selected),
    tabindex: node === state.selected ? 0 : -1,
  });
  const left = -block.box / 2;
  if (block.tail)
    group.append(
      svg("rect", {
        x: left + 4,
        y: SIZES.answer + 4,
        width: block.box - 8,
        height: SIZES.box + 1,
        rx: 7,
        class: "behind",
      }),
    );
  group.append(
    svg("rect", { x: left, y: SIZES.answer, width: block.box, height: SIZES.box, rx: 7, class: "box" }),
  );
  group.append(...bars(state, block, left));
  if (!isSmall) group.append(...texts(block, left, state));
  return group;
}

function texts(block, left, state) {
  const x = left + SIZES.pad;
  const top = SIZES.answer;
  const found = [];
  if (block.head.text)
    found.push(svg("text", { x: 0, y: 13, "text-anchor": "middle", class: "answer" }, block.head.text));
  const label = state.model.tree.label[block.node];
  const [titleX, lineX] = [x + block.marks.title, x + block.marks.line];
  if (block.marks.title) found.push(...swatch(label, x, top + 10, 9, 9));
  if (block.marks.line) found.push(...swatch(label, x, top + 27, 8, 8));
  found.push(svg("text", { x: titleX, y: top + 19, class: "title" }, block.title.text));
  found.push(svg("text", { x: lineX, y: top + 35, class: "rows" }, block.line.text));
  if (block.tail)
    found.push(
      svg("text", { x: 0, y: top + SIZES.box + 15, "text-anchor": "middle", class: "tail" }, block.tail.text),
    );
  if (block.title.isCut || block.head.isCut) found.push(svg("title", {}, fullWords(state, block)));
  return found;
}

function fullWords(state, block) {
  const before =
    block.node > 0
      ? `${question(state.model, state.model.parent[block.node])} ${answer(state.model, block.node)}: `
      : "";
  return before + titleOf(state.model, block.node, block.isLeaf);
}

// Training above, the rows that judge below.
function bars(state, block, left) {
  const { model } = state;
  const { judged } = model.facts;
  const x = left + SIZES.pad;
  const width = block.box - 2 * SIZES.pad;
  const y = SIZES.answer + 42;
  if (!model.isClassifier) {
    const { mean, spread } = model.tree;
    const found = numberBar(mean[block.node], spread[block.node], state.range, x, y, width, 6);
    const came = judged?.came;
    return came
      ? [
          ...found,
          ...numberBar(
            came.mean[block.node],
            came.spread[block.node] ?? 0,
            state.range,
            x,
            y + 9,
            width,
            6,
          ).map(hollow),
        ]
      : found;
  }
  const found = classBar(
    weightsOf(model.tree.classes, block.node, model.nClasses),
    x,
    y,
    width,
    judged ? 6 : 9,
  );
  return judged
    ? [...found, ...classBar(weightsOf(judged.came, block.node, model.nClasses), x, y + 8, width, 5)]
    : found;
}

function hollow(shape) {
  shape.classList.add("hollow");
  return shape;
}

function spoken(state, block) {
  const { model } = state;
  const before =
    block.node > 0 ? `${question(model, model.parent[block.node])} ${answer(model, block.node)}: ` : "";
  const what = block.isLeaf ? titleOf(model, block.node, true) : `asks ${question(model, block.node)}`;
  const more = block.tail ? `, folded, ${counted(state.below[block.node], "leaf", "leaves")}` : "";
  return `${before}${what}, ${lineOf(model, block.node, block.isLeaf)}${more}`;
}
