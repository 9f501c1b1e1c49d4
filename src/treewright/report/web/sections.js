// The parts of the page that are read: summary, rules, importance, mistakes, overfitting, origin.
import { el, fill, svg } from "./dom.js";
import { confusionAt, leavesAt } from "./model.js";
import { rulesAt } from "./rules.js";
import { chart, KINDS } from "./chart.js";
import { key, meter } from "./details.js";
import { count, counted, errorWords, figure, fine, percent, sentence } from "./words.js";

const FIRST_RULES = 25;
const NAMES = { accuracy: "Accuracy", balanced_accuracy: "Balanced accuracy", f1: "F1, mean of classes", brier: "Brier score", rmse: "Root mean squared error", mae: "Mean absolute error", r2: "R\u00b2" };
const SHARES = new Set(["accuracy", "balanced_accuracy"]);

export function section(id, title, about, ...content) {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), about ? el("p", { class: "about" }, about) : null, content);
}

export function summary(facts) {
  const { size, judged, made, target, sizes } = facts;
  const columns = new Set(facts.tree.column.filter((c) => c >= 0));
  const what = target.classes.length ? `${counted(target.classes.length, "class", "classes")} of ${target.name}` : `the number ${target.name}`;
  const recipe = made.recipe ? `, grown by the recipe ${made.recipe}` : "";
  return el("header", { class: "top" },
    el("p", { class: "over" }, "A decision tree"),
    el("h1", {}, facts.title),
    el("p", { class: "lead" }, `It tells ${what} by ${counted(columns.size, "column")} of ${facts.columns.length}${recipe} on ${counted(size.rows, "row")}.`),
    el("div", { class: "tiles" },
      judged ? Object.entries(judged.scores).map(([name, [value, spread]], k) => tile(NAMES[name] ?? name, scoreWords(name, value, spread), k === 0 ? `on ${counted(judged.rows, "test row")}` : "test rows", k === 0)) : null,
      tile("Training error", errorWords(sizes.training[0], null, sizes.unit), sizes.unit === "error (share of rows)" ? "of training rows" : sizes.unit),
      tile("Leaves", count(size.leaves), `${count(size.nodes)} nodes, depth ${size.depth}`)));
}

function scoreWords(name, value, spread) {
  if (value === null) return "\u2013";
  const isShare = SHARES.has(name);
  const words = (x) => (isShare ? (100 * x).toFixed(1) : Math.abs(value) < 10 ? x.toFixed(3) : figure(x, 4));
  const unit = isShare ? " %" : "";
  return spread === null ? words(value) + unit : [words(value), el("small", {}, ` \u00b1 ${words(spread)}${unit}`)];
}

function tile(name, value, note, isFirst = false) {
  return el("div", { class: isFirst ? "tile first" : "tile" }, el("span", { class: "name" }, name), el("span", { class: "value" }, value), el("span", { class: "note" }, note));
}

export function legend(model) {
  const { judged, target } = model.facts;
  const bars = judged ? "In each box: training rows above, test rows below. " : "";
  if (!model.isClassifier) return el("p", { class: "legend" }, `${bars}The dot is the mean, the bar one standard deviation to either side. Lines are as wide as their share of rows.`);
  const names = judged?.classes ?? target.classes;
  return el("div", { class: "legend" }, el("ul", {}, names.map((name, c) => el("li", {}, key(c), name))), el("p", {}, `${bars}Lines are as wide as their share of rows.`));
}

// ---- rules ----------------------------------------------------------------------------------------------------

export function rulesPart(model, onselect) {
  const list = el("ol", { class: "rules" });
  const line = el("p", { class: "soft", role: "status" });
  const more = el("button", { type: "button" }, "");
  const { classes } = model.facts.target;
  const choice = el("select", { id: "rule-class" }, el("option", { value: "" }, "all classes"), classes.map((name, c) => el("option", { value: c }, name)));
  let step = 0;
  let most = FIRST_RULES;
  const draw = () => {
    const wanted = choice.value;
    const all = rulesAt(model, step).filter((rule) => wanted === "" || String(rule.said.label) === wanted);
    all.sort((a, b) => b.weight - a.weight || a.node - b.node);
    fill(list, all.slice(0, most).map((rule) => ruleItem(model, rule, onselect)));
    fill(line, all.length > most ? `The ${most} with most rows, of ${count(all.length)}.` : `${counted(all.length, "rule")}, those with most rows first.`);
    fill(more, `Show all ${count(all.length)}`);
    more.hidden = all.length <= most;
  };
  choice.addEventListener("change", () => { most = FIRST_RULES; draw(); });
  more.addEventListener("click", () => { most = Infinity; draw(); });
  const element = section("rules", "Rules", "The same tree read as rules, one for each leaf. Exactly one of them holds for a row.",
    classes.length ? el("p", { class: "tools" }, el("label", { for: "rule-class" }, "Rules for "), choice) : null, line, list, more);
  return { element, size: (given) => { step = given; draw(); } };
}

function ruleItem(model, rule, onselect) {
  const tests = rule.conditions.length ? rule.conditions.map((text, k) => [k ? el("span", { class: "soft" }, " and ") : null, text]) : "always";
  const said = rule.said.text === null ? figure(rule.said.mean, 5) + (rule.said.spread > 0 ? ` \u00b1 ${figure(rule.said.spread, 3)}` : "") : rule.said.text;
  const facts = [counted(rule.weight, "row")];
  if (rule.confidence !== null) facts.push(`confidence ${percent(rule.confidence)}`);
  if (rule.lift !== null) facts.push(`lift ${rule.lift.toFixed(2)}`);
  return el("li", {}, el("p", {}, el("span", { class: "soft" }, "If "), tests),
    el("p", {}, el("span", { class: "soft" }, "then "), rule.said.text === null ? null : key(rule.said.label), el("b", {}, said), el("span", { class: "soft" }, ` \u00b7 ${facts.join(" \u00b7 ")}`),
      el("span", { class: "show" }, " \u00b7 ", el("button", { type: "button", class: "link", onclick: () => onselect(rule.node) }, "show"))));
}

// ---- importance -------------------------------------------------------------------------------------------------

export function importancePart(facts) {
  const order = facts.importance.map((share, c) => [share, c]).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const used = order.filter(([share]) => share > 0);
  const rest = order.filter(([share]) => !(share > 0)).map(([, c]) => facts.columns[c].name);
  const best = used.length ? used[0][0] : 1;
  return section("importance", "Importance", "What each column takes off the impurity of the training rows, as a share of all that the tree takes off. It says what this tree uses, not what causes the answer.",
    el("table", { class: "plain wide" }, el("thead", { class: "unseen" }, el("tr", {}, el("th", { scope: "col" }, "column"), el("th", { scope: "col" }, "share"))),
      el("tbody", {}, used.map(([share, c]) => el("tr", {}, el("th", { scope: "row" }, facts.columns[c].name), el("td", { class: "grow" }, meter(share / best)), el("td", { class: "number" }, fine(share)))))),
    rest.length ? el("p", { class: "soft" }, `Not used: ${rest.length > 30 ? `${rest.slice(0, 30).join(", ")} and ${rest.length - 30} more` : sentence(rest)}.`) : null);
}

// ---- mistakes ---------------------------------------------------------------------------------------------------

export function mistakesPart(model) {
  const { judged } = model.facts;
  const place = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Confusion matrix" });
  const line = el("p", { class: "soft", role: "status" });
  const draw = (step) => {
    const matrix = confusionAt(model, step);
    fill(line, matrix === null ? "Test rows with gaps are divided among leaves, so the matrix is shown for the tree as it stands only."
      : step > 0 ? `Of the tree cut back to ${counted(leavesAt(model, step).length, "leaf", "leaves")}.` : "Of the tree as it stands.");
    if (matrix !== null) fill(place, matrixTable(judged.classes, matrix));
  };
  const element = section("mistakes", "Mistakes", "Each row is a true class, each column a class the tree gave; darker cells hold a larger share of their row. Right answers are framed.", line, place, byClass(judged));
  return { element, size: draw };
}

function matrixTable(classes, matrix) {
  const isWide = classes.length > 6;
  return el("table", { class: isWide ? "matrix many" : "matrix" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "true \u2193  given \u2192"), classes.map((name) => el("th", { scope: "col" }, el("span", {}, name))), el("th", { scope: "col" }, el("span", {}, "rows")))),
    el("tbody", {}, matrix.map((row, r) => {
      const total = row.reduce((a, b) => a + b, 0);
      return el("tr", {}, el("th", { scope: "row" }, classes[r]), row.map((weight, c) => cell(weight, total, r === c, isWide)), el("td", { class: "soft" }, count(total)));
    })));
}

function cell(weight, total, isRight, isWide) {
  const share = total > 0 ? weight / total : 0;
  const made = el("td", { class: isRight ? "right" : null }, weight > 0 ? count(weight) : el("span", { class: "zero" }, "\u00b7"), !isWide && total > 0 ? el("small", {}, percent(share)) : null);
  made.style.setProperty("--share", share.toFixed(3));
  return made;
}

function byClass(judged) {
  const pair = ([value, spread]) => (value === null ? "\u2013" : `${value.toFixed(2)}${spread === null ? "" : ` \u00b1 ${spread.toFixed(2)}`}`);
  return el("details", { open: judged.classes.length <= 6 }, el("summary", {}, "Precision and recall by class"),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores by class" }, el("table", { class: "plain" },
      el("thead", {}, el("tr", {}, ["class", "precision", "recall", "F1", "rows"].map((name, k) => el("th", { scope: "col", class: k ? "number" : null }, name)))),
      el("tbody", {}, judged.by_class.map(([precision, recall, f1, support], c) => el("tr", {}, el("th", { scope: "row" }, judged.classes[c]),
        [precision, recall, f1].map((score) => el("td", { class: "number" }, pair(score))), el("td", { class: "number" }, count(support))))))));
}

// For numbers: leaves as dots, what they say against what their test rows were.
export function leavesPart(model) {
  const place = el("div", {});
  const draw = (step) => fill(place, leavesChart(model, leavesAt(model, step), Math.min(place.clientWidth || 640, 640)));
  const element = section("mistakes", "Said and true", "Each dot is a leaf: what it says, and the mean of the test rows that came to it, with one standard deviation. Dots on the line are right on average; larger dots hold more rows.", place);
  return { element, size: draw };
}

function leavesChart(model, leaves, width) {
  const { came } = model.facts.judged;
  const shown = leaves.filter((node) => came.weight[node] > 0);
  const values = shown.flatMap((node) => [model.tree.mean[node], came.mean[node]]);
  const low = Math.min(...values);
  const high = Math.max(...values, low + 1e-9);
  const height = Math.min(420, width * 0.75);
  const x = (v) => 64 + ((v - low) / (high - low)) * (width - 84);
  const y = (v) => height - 44 - ((v - low) / (high - low)) * (height - 64);
  const most = Math.max(...shown.map((node) => came.weight[node]), 1);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((k) => low + k * (high - low));
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": "What leaves say against what is true" },
    svg("g", { class: "axes" }, ticks.map((v) => [
      svg("line", { x1: 64, x2: width - 20, y1: y(v), y2: y(v), class: "grid" }), svg("text", { x: 56, y: y(v) + 4, "text-anchor": "end" }, figure(v, 3)), svg("text", { x: x(v), y: height - 24, "text-anchor": "middle" }, figure(v, 3))]).flat(),
      svg("text", { x: width / 2, y: height - 6, "text-anchor": "middle", class: "label" }, "what the leaf says"), svg("text", { x: 6, y: 12, class: "label" }, "mean of its test rows")),
    svg("line", { x1: x(low), y1: y(low), x2: x(high), y2: y(high), class: "diagonal" }),
    shown.map((node) => [
      svg("line", { x1: x(model.tree.mean[node]), x2: x(model.tree.mean[node]), y1: y(Math.min(high, came.mean[node] + came.spread[node])), y2: y(Math.max(low, came.mean[node] - came.spread[node])), class: "whisker" }),
      svg("circle", { cx: x(model.tree.mean[node]), cy: y(came.mean[node]), r: (2.5 + 5 * Math.sqrt(came.weight[node] / most)).toFixed(1), class: "dot" }, svg("title", {}, `node ${node}: says ${figure(model.tree.mean[node], 5)}, ${counted(came.weight[node], "test row")} of ${figure(came.mean[node], 5)}`))]).flat());
}

// ---- overfitting ------------------------------------------------------------------------------------------------

export function overfittingPart(facts) {
  const { overfitting, sizes } = facts;
  const place = el("div", {});
  const format = (v) => (sizes.unit === "error (share of rows)" ? `${figure(100 * v, 3)} %` : figure(v, 3));
  const draw = () => fill(place, chart({
    x: overfitting.leaves, xLabel: "leaves, opened in the order of what they gain", yLabel: sizes.unit, format, width: Math.max(300, Math.min(place.clientWidth || 720, 900)),
    series: [{ name: "training", values: overfitting.training, kind: KINDS.training }, { name: "test", values: overfitting.test, spreads: overfitting.spread, kind: KINDS.test }],
    marks: [{ place: overfitting.lowest, text: `lowest test error: ${counted(overfitting.leaves[overfitting.lowest], "leaf", "leaves")}` }],
  }));
  const last = overfitting.leaves.length - 1;
  const words = `With ${counted(overfitting.leaves[last], "leaf", "leaves")} the training error is ${errorWords(overfitting.training[last], null, sizes.unit)} and the test error ${errorWords(overfitting.test[last], overfitting.spread[last], sizes.unit)}. Where the lines part, the tree learns its training rows by heart.`;
  return { element: section("overfitting", "Overfitting", words, place), draw };
}

// ---- origin -----------------------------------------------------------------------------------------------------

export function originPart(facts) {
  const { made, fingerprints, reading } = facts;
  const changed = made.settings.filter(([, value, usual]) => JSON.stringify(value) !== JSON.stringify(usual));
  const rows = (entries) => el("table", { class: "plain" }, el("tbody", {}, entries.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)))));
  const prints = Object.entries({ "the tree": fingerprints.tree, "training data": fingerprints.training, "test data": fingerprints.table }).filter(([, print]) => print);
  return section("origin", "How it was made", `Recipe ${made.recipe ?? "unknown"}${changed.length ? `, with ${sentence(changed.map(([name, value]) => `${name} = ${inWords(value)}`))}` : ""}.`,
    reading ? readingPart(reading) : null,
    el("details", {}, el("summary", {}, "All settings"), rows(made.settings.map(([name, value]) => [name, inWords(value)])), Object.keys(made.more).length ? rows(Object.entries(made.more).map(([name, value]) => [name, inWords(value)])) : null),
    el("h3", {}, "Fingerprints"), el("p", { class: "about" }, "SHA-256. The same data or the same tree has the same fingerprint."),
    el("table", { class: "plain" }, el("tbody", {}, prints.map(([name, print]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, el("code", { class: "print" }, print)))))),
    el("h3", {}, "Versions"), rows(Object.entries(made.versions)));
}

function readingPart(reading) {
  return el("div", { id: "reading" }, el("h3", {}, "How the file was read"), el("ul", { class: "lines" }, reading.lines.map((line) => el("li", {}, line))),
    el("details", {}, el("summary", {}, "All that was understood"), tree(reading.details)));
}

// Plain values of any shape: lists of alike objects are tables, objects are rows.
function tree(value) {
  if (Array.isArray(value) && value.length && value.every((item) => item && typeof item === "object" && !Array.isArray(item))) {
    const names = [...new Set(value.flatMap((item) => Object.keys(item)))];
    return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table" }, el("table", { class: "plain" }, el("thead", {}, el("tr", {}, names.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, value.map((item) => el("tr", {}, names.map((name) => el("td", {}, inWords(item[name]))))))));
  }
  if (value && typeof value === "object" && !Array.isArray(value)) {
    return el("table", { class: "plain" }, el("tbody", {}, Object.entries(value).map(([name, item]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, item && typeof item === "object" ? tree(item) : inWords(item))))));
  }
  return inWords(value);
}

function inWords(value) {
  if (value === null || value === undefined) return "\u2013";
  if (Array.isArray(value)) return value.length > 40 ? `${value.slice(0, 40).map(inWords).join(", ")} and ${value.length - 40} more` : value.map(inWords).join(", ") || "none";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

