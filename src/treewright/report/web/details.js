// All that is known of one node, in words and figures.
import { el, heads, svg } from "./dom.js";
import { answer, lossOf, meanWords, pathTo, question, rowsOf, saidBy, weightsOf } from "./model.js";
import { SUM } from "./route.js";
import { conditionsOf } from "./rules.js";
import { classBar, key } from "./colours.js";
import { distribution } from "./distribution.js";
import { titleOf } from "./layout.js";
import { counted, figure, percent } from "./words.js";

const MOST_CLASSES = 6;

export function details(model, node, { isLeaf, isOpen, ontoggle, onselect, ontry }) {
  const said = saidBy(model, node);
  return [
    el(
      "p",
      { class: "over" },
      `${node === 0 ? "The root" : isLeaf ? "Leaf" : "Inner node"} \u00b7 node ${node}`,
    ),
    el("h3", {}, isLeaf ? titleOf(model, node, true) : `Asks about ${question(model, node)}`),
    wayTo(model, node, onselect),
    said.model ? modelled(model, node, said, isLeaf) : null,
    model.isClassifier ? classes(model, node, said) : numbers(model, node),
    isLeaf ? null : distribution(model, node),
    isLeaf ? null : branches(model, node, onselect),
    candidates(model, node),
    el(
      "p",
      { class: "buttons" },
      isLeaf ? null : el("button", { type: "button", onclick: ontoggle }, isOpen ? "Fold" : "Unfold"),
      ontry ? el("button", { type: "button", onclick: ontry }, "Try a row that ends here") : null,
    ),
  ];
}

function wayTo(model, node, onselect) {
  if (node === 0) return null;
  const parent = model.parent[node];
  return el(
    "div",
    { class: "way" },
    el(
      "p",
      {},
      el("span", { class: "soft" }, "If "),
      conditionsOf(model, node).map((text, k) => [
        k ? el("span", { class: "soft" }, " and ") : null,
        el("b", {}, text),
      ]),
    ),
    el(
      "p",
      { class: "soft" },
      "Above: ",
      el(
        "button",
        { type: "button", class: "link", onclick: () => onselect(parent) },
        question(model, parent),
      ),
      ` (step ${pathTo(model, node).length - 1} of the path)`,
    ),
  );
}

function modelled(model, node, said, isLeaf) {
  const loss = lossOf(model, node);
  const words = model.isClassifier ? `right in ${percent(1 - loss)} of ` : `RMSE ${figure(loss, 4)} on `;
  return el(
    "p",
    {},
    el("span", { class: "soft" }, isLeaf ? "Answers with " : "As a leaf it would answer with "),
    el("b", {}, said.model),
    el("span", { class: "soft" }, `; ${words}${rowsOf(model, model.tree.weight[node], "training row")}`),
  );
}

function classes(model, node, said) {
  const names = model.facts.judged?.classes ?? model.facts.target.classes;
  const trained = weightsOf(model.tree.classes, node, model.nClasses);
  const judged = model.facts.judged ? weightsOf(model.facts.judged.came, node, model.nClasses) : null;
  const order = [...trained.keys()].filter((c) => trained[c] > 0 || (judged && judged[c] > 0));
  order.sort((a, b) => trained[b] - trained[a] || (judged ? judged[b] - judged[a] : 0) || a - b);
  const shown = order.slice(0, order.length > MOST_CLASSES + 1 ? MOST_CLASSES : order.length);
  const totals = [sum(trained), judged ? sum(judged) : 0];
  return [
    el(
      "p",
      {},
      el("span", { class: "soft" }, said.model ? "Where a value is missing, says " : "Says "),
      el("b", {}, said.text),
      el(
        "span",
        { class: "soft" },
        totals[0] > 0 ? `, right in ${percent(said.share)} of ` : ", and had no rows in ",
      ),
      totals[0] > 0 ? rowsOf(model, model.tree.weight[node], "training row") : "training",
    ),
    judged
      ? el(
          "p",
          {},
          el(
            "span",
            { class: "soft" },
            totals[1] > 0
              ? `Right in ${percent(judged[model.tree.label[node]] / totals[1])} of `
              : "No test row came here",
          ),
          totals[1] > 0 ? rowsOf(model, totals[1], "test row") : null,
        )
      : null,
    stacked("training", trained),
    judged ? stacked("test", judged) : null,
    el(
      "table",
      { class: "plain" },
      heads(judged ? ["class", "training", "test"] : ["class", "training"], (k) => k > 0),
      el(
        "tbody",
        {},
        shown.map((c) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, key(c), names[c]),
            el("td", { class: "number" }, amount(model, trained[c], totals[0])),
            judged ? el("td", { class: "number" }, amount(model, judged[c], totals[1])) : null,
          ),
        ),
      ),
    ),
    order.length > shown.length
      ? el("p", { class: "soft" }, `and ${counted(order.length - shown.length, "class", "classes")} more`)
      : null,
  ];
}

function stacked(name, weights) {
  return el(
    "div",
    { class: "stacked" },
    el("span", { class: "soft" }, name),
    svg(
      "svg",
      { viewBox: "0 0 300 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      classBar(weights, 0, 0, 300, 10),
    ),
  );
}

function sum(weights) {
  let total = 0;
  for (const weight of weights) total += weight;
  return total;
}

function amount(model, weight, total) {
  return [
    el("small", { class: "soft" }, `${rowsOf(model, weight, "")}  `),
    total > 0 ? percent(weight / total) : "\u2013",
  ];
}

function numbers(model, node) {
  const { tree, facts } = model;
  const came = facts.judged?.came;
  const row = (name, weight, mean, spread) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      el("td", { class: "number" }, rowsOf(model, weight, "")),
      el("td", { class: "number" }, meanWords(model, mean)),
      el("td", { class: "number" }, meanWords(model, spread)),
    );
  return el(
    "table",
    { class: "plain" },
    heads(["kind", "rows", "mean", "spread"], (k) => k > 0),
    el(
      "tbody",
      {},
      row("training", tree.weight[node], tree.mean[node], tree.spread[node]),
      came ? row("test", came.weight[node], came.mean[node], came.spread[node]) : null,
    ),
  );
}

function branches(model, node, onselect) {
  const { tree, facts } = model;
  return el(
    "div",
    {},
    el("h4", {}, question(model, node)),
    el(
      "ul",
      { class: "branches" },
      model.children[node].map((child, b) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", class: "link", onclick: () => onselect(child) },
            answer(model, child),
          ),
          el("span", { class: "soft" }, ` ${rowsOf(model, tree.weight[child])}`),
          members(model, node, b),
        ),
      ),
    ),
    el(
      "p",
      { class: "soft" },
      `Gain ${figure(tree.gain[node], 4)} by ${(settingOf(facts, "criterion") ?? "its criterion").replaceAll("_", " ")}`,
      tree.missing[node] >= 0
        ? `; a missing value goes to \u201c${answer(model, model.children[node][tree.missing[node]])}\u201d`
        : null,
    ),
  );
}

// The categories of a branch in full, where the words on the branch leave some out.
function members(model, node, branch) {
  const { tree, facts } = model;
  if (tree.kind[node] !== 2 || !answer(model, model.children[node][branch]).includes("\u2026")) return null;
  const names = [];
  for (let k = tree.code_start[node]; k < tree.code_start[node + 1]; k++) {
    if (tree.code_branch[k] === branch) names.push(facts.columns[tree.column[node]].categories[tree.code[k]]);
  }
  return el(
    "details",
    {},
    el("summary", {}, counted(names.length, "category", "categories")),
    names.join(", "),
  );
}

function settingOf(facts, name) {
  return facts.made.settings.find(([setting]) => setting === name)?.[1];
}

function candidates(model, node) {
  const { candidates: all, columns } = model.facts;
  const found = all?.nodes[String(node)];
  if (!found) return null;
  const [rows, others] = found;
  const best = Math.max(...rows.map((row) => row[2] ?? 0), 1e-300);
  return el(
    "details",
    { class: "candidates" },
    el("summary", {}, `Tests considered here (${rows.length + others})`),
    el(
      "table",
      { class: "plain" },
      heads(["column", "score", "verdict"], (k) => k === 1),
      el(
        "tbody",
        {},
        rows.map(([column, verdict, score]) =>
          el(
            "tr",
            { class: verdict === 0 ? "chosen" : null },
            el("th", { scope: "row" }, columns[column].name),
            el(
              "td",
              { class: "number" },
              score === null ? "\u2013" : figure(score, 4),
              meter((score ?? 0) / best),
            ),
            el("td", {}, all.verdicts[verdict]),
          ),
        ),
      ),
    ),
    others ? el("p", { class: "soft" }, `and ${others} more`) : null,
    model.tree.kind[node] === SUM
      ? el("p", { class: "soft" }, "Single columns only; the sum that was chosen is worth more.")
      : null,
  );
}

export function meter(share, colour = null) {
  const bar = el("span", { class: "bar" });
  if (colour) bar.style.background = colour;
  bar.style.width = `${(100 * Math.max(0, Math.min(1, share))).toFixed(1)}%`;
  return el("span", { class: "meter", "aria-hidden": "true" }, bar);
}
